// SPDX-License-Identifier: MIT
#include "tests/support/colonial_battles.h"

#include <algorithm>

#include "engine/game/chance.h"
#include "tests/support/colonial_game.h"

namespace fos::colonial::test {
namespace {

constexpr const char* kTypes[] = {"guard_infantry",     "regular_infantry",  "irregular_infantry",
                                  "native_infantry",    "native_infantry",   "regular_infantry",
                                  "regular_cavalry",    "irregular_cavalry", "native_cavalry",
                                  "dismounted_cavalry", "heavy_artillery",   "field_artillery",
                                  "mountain_artillery", "machine_gun",       "transport"};

void LayTerrain(Game& g, Generator& chance) {
  const auto anywhere = [&] { return At{2 + chance.Below(16), 2 + chance.Below(10)}; };
  for (int n = 0; n < 10; ++n) g.Wood(anywhere());
  for (int n = 0; n < 6; ++n) g.Stream(anywhere());
  for (int n = 0; n < 3; ++n) g.GroundAt(anywhere()).built_up = true;
  for (int n = 0; n < 2; ++n) g.GroundAt(anywhere()).impassable = true;
  for (int n = 0; n < 5; ++n) g.GroundAt(anywhere()).other = true;
  const At hill = anywhere();
  for (int c = hill.c; c <= std::min(18, hill.c + 3); ++c)
    for (int r = hill.r; r <= std::min(12, hill.r + 2); ++r) g.Level({c, r}, 1);
  g.Level(hill, 2);
  for (int n = 0; n < 20; ++n) {
    const At at = anywhere();
    const At next = chance.Heads() ? At{at.c - 1, at.r} : At{at.c, at.r - 1};
    g.Edge(at, next, static_cast<std::uint8_t>(1 << chance.Below(7)));
  }
  std::vector<At> road = {{1 + chance.Below(18), 1}};
  while (road.back().r < 12)
    road.push_back({std::clamp(road.back().c + chance.Below(3) - 1, 1, 18), road.back().r + 1});
  g.Road(road);
}

}  // namespace

std::shared_ptr<const Setup> SmallBattle(int number) {
  Generator chance{static_cast<std::uint64_t>(number)};
  Game g;
  LayTerrain(g, chance);
  for (int side = 0; side < 2; ++side) {
    std::vector<At> free;
    for (int c = 1; c <= 18; ++c)
      for (int r = 1; r <= 5; ++r) {
        const At at{c, side == kBlue ? r : 13 - r};
        if (!g.GroundAt(at).impassable) free.push_back(at);
      }
    const auto place = [&] {
      const int n = chance.Below(static_cast<int>(free.size()));
      const At at = free[static_cast<std::size_t>(n)];
      free.erase(free.begin() + n);
      return at;
    };
    g.General(side, static_cast<Rating>(chance.Below(3)), place());
    if (number % 4 == 0) g.setup.stands.back().rating.reset();
    for (int n = 0; n < 12; ++n) {
      const char* type = kTypes[chance.Below(15)];
      const At at = place();
      g.Stand(side, type, at);
      // Some infantry comes in pairs.
      if (g.setup.TypeAt(g.setup.stands.back().type).depth_mm == 20 && chance.Heads())
        g.Stand(side, type, at);
    }
  }
  if (number % 5 == 0) g.setup.army = ArmyBy::kDice;
  g.setup.turns = 3 + number % 4;
  if (number % 3 == 0 && number > 6) {
    Settings& s = g.setup.settings;
    s.king_distance = chance.Below(4) > 0;
    s.king_adjacency = chance.Below(4) > 0;
    s.fit_by_depth = chance.Heads();
    s.facing_steps = chance.Heads() ? 8 : 4;
    s.command_needs_activation = chance.Heads();
    s.pair_may_split = chance.Heads();
    s.split_move = chance.Heads();
    s.move_after_own_withdrawal = chance.Heads();
    s.diagonal_step_cost = chance.Heads() ? 150 : 100;
    s.contour_cost = 50 * chance.Below(3);
    s.road_bonus = 100 * chance.Below(3);
    s.facing_change_cost = 100 * chance.Below(2);
    s.obstacle_cross_cost = 100 * chance.Below(2);
    s.withdraw_clear_gap = chance.Below(3);
    s.withdraw_least = chance.Below(2);
    s.withdraw_off_table_destroys = chance.Heads();
    s.withdraw_keeps_facing = chance.Heads();
    s.mount = static_cast<MountCost>(chance.Below(3));
    s.initiation_at_the_moment = chance.Heads();
    s.pair_target_by_side = chance.Heads();
    s.stands_block_sight = chance.Heads();
    s.command_same_square = chance.Heads();
    s.entrenchment_by_edge = chance.Heads();
    s.close_needs_front_arc = chance.Heads();
    s.exact_type = chance.Heads();
    s.exact_half_withdraws = chance.Heads();
    s.roll_two = static_cast<RollTwo>(chance.Below(3));
  }
  FOS_CHECK(Settle(g.setup.tables, g.setup.settings).ok());
  return std::make_shared<const Setup>(g.setup);
}

}  // namespace fos::colonial::test
