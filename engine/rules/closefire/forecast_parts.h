#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/rules/closefire/sums.h"

// What Close Fire's forecasts are put together from.
namespace fos::closefire {

using Spread = std::map<int, double>;  // totals and how likely they are
Spread Plus(const Spread& sums, const std::vector<int>& faces);
// CF-1.2: each face as often as the die shows it; and all that a set of dice can show.
std::vector<int> FacesOf(const Tables& book, Die die);
std::vector<std::vector<int>> RollsOf(const Tables& book, const DiceSet& set);
void AddItems(const Sum& sum, int who, const std::string& of, const char* clause,
              fos::Forecast& out);
void AddChances(const Spread& dp, fos::Forecast& out);
void Say(const std::string& who, fos::Forecast& out);  // the sentence: all of it

}  // namespace fos::closefire
