// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/closefire/state.h"
#include "engine/table/clause.h"

// Sections 2 and 3: armies and setup.
namespace fos::closefire {

// CF-2.8: the grade of most battalions or squadrons; on a tie, the highest.
Grade MixedGrade(const std::vector<Grade>& parts);

struct RosterUnit {
  std::string id;
  Arm arm = Arm::kFoot;
  std::vector<int> parts;
};
// CF-2.4, 2.5: what is wrong with the unit; empty if it is legal.
std::string UnitFault(const Tables& book, const RosterUnit& unit);

// CF-3.1: the strength of one side.
struct Strength {
  int stands = 0, foot_stands = 0, ab_units = 0;
};
std::vector<std::string> AttackNotes(const Tables& book, Strength attacker, Strength defender);
// CF-3.1: the troops given up for these yards of fortifications.
struct Given {
  int battalions = 0, squadrons = 0;  // either of the two
};
Given FortificationCost(const Tables& book, double yards);
// CF-3.2.
std::vector<std::string> TerrainNotes(const Tables& book, int features, bool road_along_axis,
                                      double front_yd, double linear_yd);
// CF-3.2: the roads and rivers that do not join two different edges of the table.
std::vector<std::string> WayNotes(const Setup& setup);
// CF-3.3 to 3.5: how far bases stand from the centre line inside their side's half, the nearest
// part; negative in the enemy's.
double WithinOwnHalfYd(const Setup& setup, int side, const std::vector<Base>& bases);
// CF-2.2: the nominal base of an arm, inches; depth 0: as deep as the model needs.
// on_foot  dragoons on foot stand on foot bases.
std::array<double, 2> NominalBase(const Tables& book, const UnitInfo& unit, bool on_foot = false);

// CF-3.4, 3.5: what is wrong with the unit's place at the start; nothing if it is legal.
std::optional<Refusal> SetUpFault(const State& s, int unit);

// The properties of a terrain type of game files ("wood", "hedge"), without an outline.
std::optional<Terrain> TerrainNamed(std::string_view type);

// Reads a game file (docs/scripts.md), checks it and sets up the game.
// errors  as TomlFile's, and kBadFormat if an army breaks CF-2.4 or 2.5 or deploys too near the
//         enemy (CF-3.4, 3.5).
Result<State> ReadGame(const std::filesystem::path& path, std::uint64_t seed);

}  // namespace fos::closefire
