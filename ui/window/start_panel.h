// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ui/window/preferences.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// One thing the window may open.
struct StartChoice {
  std::string name;
  std::string what;  // what it is
  char key = 0;      // a letter that opens it; 0: only its digit
  std::string group = {};  // the heading it stands under
};
// What a game is, in a player's words: its rules, and what it is played on. Reads its scenario.
StartChoice ChoiceOf(const RecentGame& game, const std::string& group);
// Draws the start screen over the whole window: what can be opened, each with its key. Returns the
// index of the line that was chosen in this frame.
std::optional<std::size_t> DrawStart(const Theme& theme, const std::vector<StartChoice>& lines,
                                     ViewState& view);

}  // namespace fos
