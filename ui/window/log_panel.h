// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// One line of the log.
struct LogRow {
  double time_s = 0;
  std::string text;
  LogLine::Category category = LogLine::Category::kPlain;
  int shot = 0;    // the shot it is about; 0: none
  int number = 0;  // of the game's accepted line; 0: none
  std::vector<std::string> clauses;
  std::string line = {};  // of the game, as it is typed; empty: none
  bool undone = false;    // taken back
};
// The camera's lines and the game's in order of time, as sentences. With `search`, only those that
// contain it, were typed with it or cite a clause that does.
std::vector<LogRow> LogRows(const Snapshot& shown, const GameController* controller,
                            std::string_view search);
// Draws the log, newest last; what was taken back is struck through. A click on a line about a shot
// shows the shot's verdict. The pointer on a line of the game shows it as it is typed.
void DrawLog(const Theme& theme, const Snapshot& shown, const GameController* controller,
             ViewState& view, const ScreenRect& area);
// "1:02.5": minutes and seconds.
std::string ClockText(double seconds);

}  // namespace fos
