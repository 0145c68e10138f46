// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/rules/closefire/sums.h"

// Building blocks of Close Fire's forecasts.
namespace fos::closefire {

using Spread = std::map<int, double>;  // chance by total
Spread Plus(const Spread& sums, const std::vector<int>& faces);
// CF-1.2: the six equally likely faces of a die; and every roll of a set of dice.
std::vector<int> FacesOf(const Tables& book, Die die);
std::vector<std::vector<int>> RollsOf(const Tables& book, const DiceSet& set);
void AddItems(const Sum& sum, int who, const std::string& of, const char* clause,
              fos::Forecast& out);
void AddChances(const Spread& dp, fos::Forecast& out);
// Sets out.sentence from all parts of `out`.
void WriteSentence(const std::string& who, fos::Forecast& out);

}  // namespace fos::closefire
