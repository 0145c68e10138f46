// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// Draws the game over map or picture: marked squares, what the prompt is about, what the chosen
// unit may do, and the path of the option pointed at.
void DrawGameOverlay(ImDrawList& list, const Theme& theme, const Projection& on,
                     const Snapshot& shown, GameController& controller, const ViewState& view);

}  // namespace fos
