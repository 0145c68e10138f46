// SPDX-License-Identifier: MIT
#pragma once

#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"
#include "ui/window/view_state.h"

namespace fos {

// Keys and clicks of a game. Between ImGui::NewFrame and ImGui::Render.

// Returns true when this frame's letters belonged to the game.
bool HandleGameKeys(const Snapshot& shown, GameController& controller, ViewState& view);
// A click on the table chooses a unit or an option's square, or says where a shot lies.
void HandleTableClick(const Snapshot& shown, GameController& controller, ViewState& view);

}  // namespace fos
