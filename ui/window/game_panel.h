// SPDX-License-Identifier: MIT
#pragma once

#include "ui/play/game_controller.h"
#include "ui/session/player_decision.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// Draws the game's panel for any rule set: the turn, the prompt, every answer with its key, and the
// camera's shot that the game has not used yet.
void DrawGame(const Theme& theme, const Snapshot& shown, GameController& controller,
              ViewState& view, DecisionSink& words, const ScreenRect& area);

}  // namespace fos
