// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/rule_set.h"

#include <array>

#include "engine/game/usual_bases.h"
#include "engine/rules/closefire/line_game.h"
#include "engine/rules/closefire/seen.h"
#include "engine/rules/closefire/tables.h"

namespace fos::closefire {
namespace {

// There are no points. A battalion has three to five bases, a squadron one or two (CF-2.2, 2.4,
// 2.5).
Result<std::vector<Troop>> Troops(const ClubFiles& club) {
  using namespace usual_bases;
  const auto rules = ReadRules(club);
  if (!rules.ok()) return rules.error();
  const Tables& tables = rules->tables;
  const auto on = [](const std::array<double, 2>& base, const Figures& usual) {
    return Figures{{base[0], base[1] > 0 ? base[1] : usual.footprint.depth_in},
                   usual.high_in,
                   usual.symbol};
  };
  const int foot = (tables.battalion_bases.least + tables.battalion_bases.most) / 2;
  const int horse = tables.squadron_bases.most;
  return std::vector<Troop>{
      TroopOf("foot", "Foot", 0, foot, on(tables.new_foot, kOnFoot)),
      TroopOf("horse", "Horse", 0, horse, on(tables.new_cavalry, kMounted)),
      TroopOf("dragoons", "Dragoons", 0, horse, on(tables.new_cavalry, kMounted)),
      TroopOf("hussars", "Hussars", 0, horse, on(tables.hussars, kMounted)),
      TroopOf("gun", "Gun", 0, 1, on(tables.other_gun, kGun), /*equipment=*/true),
      TroopOf("civilians", "Civilians", 0, 1, on(tables.new_foot, kOnFoot)),
      TroopOf("leader", "Leader", 0, 1, kLeader),
  };
}

}  // namespace

const RuleSet& Description() {
  static constexpr std::string_view kFiring[] = {"fire", "snipe"};
  static constexpr RuleSet kSet{.name = "closefire",
                                .title = "Close Fire & European Order",
                                .data = "engine/rules/closefire",
                                .clauses = Clauses,
                                .open = OpenGame,
                                .open_seen = OpenSeenGame,
                                .judge_move = JudgeSeenMove,
                                .check_setup = CheckSeenSetup,
                                .check_club = ClubReadable<ReadRules>,
                                .troops = Troops,
                                .measured = true,
                                .firing = kFiring,
                                .average_dice = true};
  return kSet;
}

}  // namespace fos::closefire
