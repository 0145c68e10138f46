// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// Draws the strip at the top: whether the referee watches, and if not, why; the clock; buttons.
void DrawStatus(const Theme& theme, const Snapshot& shown, ViewState& view, const ScreenRect& area);
// Draws a banner across the picture, to be read from three metres away, while shots are not judged
// and for a moment after the camera was found again. Draws nothing otherwise.
void DrawBanner(const Theme& theme, const Snapshot& shown, const ScreenRect& area);
// Whether shots are not judged for another reason than hands, which people know of: then the banner
// is drawn over a verdict that fills the screen too.
bool CameraFails(const Snapshot& shown);
// Says that this shot's verdict waits until the player has finished what is half typed.
void DrawVerdictWaits(const Theme& theme, int shot, const ScreenRect& area);
// Draws the list of keys over everything else.
void DrawHelp(const Theme& theme, ViewState& view, const ScreenRect& area);

// "WATCHING", "NOT WATCHING: hands over the table", ...
std::string WatchingText(const Snapshot& shown);

}  // namespace fos
