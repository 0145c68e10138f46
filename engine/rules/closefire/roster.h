#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/closefire/state.h"

// Sections 2 and 3: armies, and how they are set up.
namespace fos::closefire {

// CF-2.8: the grade with most battalions or squadrons, among equals the highest.
Grade MixedGrade(const std::vector<Grade>& parts);

struct RosterUnit {
  std::string id;
  Arm arm = Arm::kFoot;
  std::vector<int> parts;
};
// CF-2.4, 2.5: what is wrong with it; empty when it may stand.
std::string UnitFault(const Tables& book, const RosterUnit& unit);

// CF-3.1, by side: attacker and defender.
struct Strength {
  int stands = 0, foot_stands = 0, ab_units = 0;
};
std::vector<std::string> AttackNotes(const Tables& book, Strength attacker, Strength defender);
// CF-3.1: what so many yards of fortifications cost.
struct Given {
  int battalions = 0, squadrons = 0;  // the one or the other
};
Given FortificationCost(const Tables& book, double yards);
// CF-3.2.
std::vector<std::string> TerrainNotes(const Tables& book, int features, bool road_along_axis,
                                      double front_yd, double linear_yd);
// CF-2.2: the base an arm should have, inches; depth 0 is to fit.
std::array<double, 2> NominalBase(const Tables& book, const UnitInfo& unit);

// Ground as a game file names it ("wood", "hedge"), without an outline.
std::optional<Terrain> TerrainNamed(std::string_view type);

// Reads a game (docs/scripts.md), checks it, sets it up.
// errors  as TomlFile's, and kBadFormat where an army breaks CF-2.4, 2.5 or stands too near
//         (CF-3.4, 3.5).
Result<State> ReadGame(const std::filesystem::path& path, std::uint64_t seed);

}  // namespace fos::closefire
