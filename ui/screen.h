#pragma once

#include "ui/app/game_desk.h"
#include "ui/app/player_word.h"
#include "ui/app/snapshot.h"
#include "ui/table_panel.h"
#include "ui/theme.h"
#include "ui/view_state.h"

namespace fos {

// The pictures of one frame, on the graphics card already.
struct ScreenPictures {
  PictureFeed& frame;
  ShownPicture before;  // evidence of the chosen shot
  ShownPicture after;
};

// The whole window; `desk` is the game that is played under the rules, nullptr where none is: keys
// first, then every panel, laid out for its size. Between ImGui::NewFrame and ImGui::Render; needs
// no window. A new shot is chosen as it comes.
void DrawScreen(const Theme& theme, const Snapshot& shown, const ScreenPictures& pictures,
                ViewState& view, WordSink& words, GameDesk* desk = nullptr);

}  // namespace fos
