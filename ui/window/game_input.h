// SPDX-License-Identifier: MIT
#pragma once

#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"
#include "ui/window/view_state.h"

namespace fos {

// Keys and clicks of a game. Between ImGui::NewFrame and ImGui::Render.

// Returns true when this frame's letters belonged to the game.
bool HandleGameKeys(const Snapshot& shown, GameController& controller, ViewState& view);
// Whether a unit that may act now stands there, to be dragged to where it shall go.
bool MayDragUnit(const Snapshot& shown, const GameController& controller, Vec2 at);
// A click on the table chooses a unit or an option's square, or says where a shot lies. A right click
// or a long press lists what the unit may do. A unit that is dragged goes as by two clicks.
void HandleTableClick(const Snapshot& shown, GameController& controller, ViewState& view);

}  // namespace fos
