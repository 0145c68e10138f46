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

// What happened, newest last; a line about a shot chooses it.
struct LogRow {
  double time_s = 0;
  std::string text;
  LogLine::Tone tone = LogLine::Tone::kPlain;
  int shot = 0;    // whose evidence it has; 0: none
  int number = 0;  // of the game's accepted line; 0: none
  std::vector<std::string> clauses;
};
// The camera's lines and the game's, in the order of their times; with `search` only those that
// have its letters in them or cite such a clause.
std::vector<LogRow> LogRows(const Snapshot& shown, const GameController* controller,
                            std::string_view search);
// With a game its lines too, each with its number; a line typed above shows only what has it.
void DrawLog(const Theme& theme, const Snapshot& shown, const GameController* controller,
             ViewState& view, const ScreenRect& area);
// "1:02.5", as a stop watch shows it.
std::string ClockText(double seconds);

}  // namespace fos
