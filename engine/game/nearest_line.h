// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/game/rule_game.h"

namespace fos {

// The legal line that comes nearest to a refused one: it begins with the same word. The same piece
// comes before another piece, then the same other names, then the nearest square, facing and
// numbers. Empty if no line that begins so is legal.
std::string NearestLine(std::string_view refused, const std::vector<LineOption>& options);

// The same, of all lines that are legal in the game now.
std::string NearestLegal(const RuleGame& game, std::string_view refused);

}  // namespace fos
