#pragma once

#include "ui/play/game_controller.h"
#include "ui/session/player_word.h"
#include "ui/session/snapshot.h"
#include "ui/window/table_panel.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// The pictures of one frame, on the graphics card already.
struct ScreenPictures {
  PictureFeed& frame;
  ShownPicture before;  // evidence of the chosen shot
  ShownPicture after;
};

// The whole window; `controller` is the game that is played under the rules, nullptr where none is:
// keys first, then every panel, laid out for its size. Between ImGui::NewFrame and ImGui::Render;
// needs no window. A new shot is chosen as it comes.
void DrawScreen(const Theme& theme, const Snapshot& shown, const ScreenPictures& pictures,
                ViewState& view, WordSink& words, GameController* controller = nullptr);

}  // namespace fos
