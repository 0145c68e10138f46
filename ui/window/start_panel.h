// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ui/window/preferences.h"
#include "ui/window/table_panel.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// The heading of the games that ship.
inline constexpr const char* kNewGames = "New game on the map";

// What is done with a film whose table is not known yet: it is set up.
inline constexpr const char* kSetupOption = "--setup";

// One thing the window may open.
struct StartChoice {
  std::string name;
  std::string what;  // what it is
  char key = 0;      // a letter that opens it; 0: only its digit
  std::string group = {};  // the heading it stands under
  bool new_game = false;   // stands in the column of what is begun anew
  std::filesystem::path picture = {};  // of the game as it was left; empty or missing: none
};
// What a game is, in a player's words: its rules, and what it is played on. Reads its scenario.
StartChoice ChoiceOf(const RecentGame& game, const std::string& group);
// Draws the start screen over the whole window: what can be opened, each with its key. Returns the
// index of the line that was chosen in this frame.
// pictures  by line; shorter, or without a texture: no picture there.
// notice    what the last choice came to; may be empty.
std::optional<std::size_t> DrawStart(const Theme& theme, const std::vector<StartChoice>& lines,
                                     ViewState& view,
                                     const std::vector<ShownPicture>& pictures = {},
                                     const std::string& notice = {});

}  // namespace fos
