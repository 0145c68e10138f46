// SPDX-License-Identifier: MIT
#pragma once

#include "ui/play/game_controller.h"
#include "ui/session/player_decision.h"
#include "ui/session/snapshot.h"
#include "ui/window/table_panel.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// The pictures of one frame, already on the graphics card.
struct ScreenPictures {
  PictureFeed& frame;
  ShownPicture before;  // evidence of the chosen shot
  ShownPicture after;
  ShownPicture place = {};  // the camera's picture around the chosen shot, for its verdict
  ShownPicture film = {};   // the picture of its film that is due
};

// Draws the whole screen: keys first, then every panel. Between ImGui::NewFrame and ImGui::Render;
// needs no window. A new shot is chosen when it comes.
// controller  the game that is played by the rules; nullptr: none.
void DrawScreen(const Theme& theme, const Snapshot& shown, const ScreenPictures& pictures,
                ViewState& view, DecisionSink& words, GameController* controller = nullptr);

}  // namespace fos
