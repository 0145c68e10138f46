// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fos {

// Whose word a line of dice was where the camera had read dice: the record after that line in the
// club's file. The game is played again without it.
struct DiceRead {
  std::int64_t frame = 0;  // that was shown when the dice were taken
  double time_s = 0;
  int line = 0;           // the line's number in the game, from 1
  bool by_camera = true;  // false: the players typed other dice, or the same themselves
  // What the camera read, in the order of the line where it was taken, and the chance of each
  // value.
  std::vector<int> values;
  std::vector<double> chances;
  std::vector<std::string> pictures;  // of the throws, relative to the folder of the match's log
};

// One JSON object on one line, without the line's end: `type` is "dice_read".
std::string DiceReadLine(const DiceRead& read);
// Empty for anything else.
std::optional<DiceRead> ParseDiceReadLine(const std::string& line);

}  // namespace fos
