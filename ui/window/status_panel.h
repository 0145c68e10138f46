#pragma once

#include <string>

#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// The strip at the top: is the referee watching, and if not, why; the clock; the main buttons.
void DrawStatus(const Theme& theme, const Snapshot& shown, ViewState& view, const ScreenRect& area);
// Across the picture while nothing that falls would be judged, and for a while after the camera was
// moved: what a player three metres away must not miss. Draws nothing otherwise.
void DrawBanner(const Theme& theme, const Snapshot& shown, const ScreenRect& area);
// Every key, over everything else.
void DrawHelp(const Theme& theme, ViewState& view, const ScreenRect& area);

// "WATCHING", "NOT WATCHING: hands over the table", ...
std::string WatchingText(const Snapshot& shown);

}  // namespace fos
