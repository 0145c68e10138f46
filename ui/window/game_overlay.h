// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <imgui.h>

#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// Draws what of the game lies below the stands: marked squares, those that the prompt is about, what
// the chosen unit may do. Returns where the squares' marks are written.
std::vector<ScreenRect> DrawGameGround(ImDrawList& list, const Theme& theme, const Projection& on,
                                       const Snapshot& shown, GameController& controller,
                                       const ViewState& view);
// Draws the game above the stands: the pieces that the prompt is about, the chosen unit, and the path
// of the option pointed at.
void DrawGameOverlay(ImDrawList& list, const Theme& theme, const Projection& on,
                     const Snapshot& shown, GameController& controller, const ViewState& view);

}  // namespace fos
