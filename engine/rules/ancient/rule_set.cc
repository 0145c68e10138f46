// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/rule_set.h"

#include "engine/game/usual_bases.h"
#include "engine/rules/ancient/clauses.h"
#include "engine/rules/ancient/line_game.h"
#include "engine/rules/ancient/seen_move.h"
#include "engine/rules/ancient/seen_shot.h"
#include "engine/rules/ancient/tables.h"

namespace fos::ancient {
namespace {

Result<std::vector<Troop>> Troops(const ClubFiles& club) {
  constexpr usual_bases::Figures kChariot{{1.5, 1.75}, 1.6, TroopSymbol::kChariot};
  constexpr usual_bases::Figures kElephant{{1.5, 1.75}, 2.2, TroopSymbol::kElephant};
  const auto rules = ReadRules(club);
  if (!rules.ok()) return rules.error();
  const Tables& tables = rules->tables;
  std::vector<Troop> out;
  for (const UnitType& type : tables.types) {
    const usual_bases::Figures& figures = type.arm == Arm::kCavalry     ? usual_bases::kMounted
                                          : type.arm == Arm::kChariot   ? kChariot
                                          : type.arm == Arm::kElephant  ? kElephant
                                          : type.arm == Arm::kCrew      ? usual_bases::kCrew
                                          : type.arm == Arm::kCommander ? usual_bases::kLeader
                                                                        : usual_bases::kOnFoot;
    out.push_back(usual_bases::TroopOf(type.id, type.name, type.points, type.stands, figures,
                                       /*equipment=*/false, type.move + tables.road_bonus));
  }
  for (const EquipmentType& type : tables.equipment)
    out.push_back(usual_bases::TroopOf(type.id, type.name, type.points, 1, usual_bases::kGun,
                                       /*equipment=*/true, type.move + tables.road_bonus));
  return out;
}

}  // namespace

const RuleSet& Description() {
  static constexpr std::string_view kFiring[] = {"shoot", "fire"};
  // An elephant is hit at either front leg, not between them (ANC-C4).
  static constexpr std::string_view kLegged[] = {"elephants", "war_elephants"};
  static constexpr RuleSet kSet{.name = "ancient",
                                .title = "Ancient",
                                .data = "engine/rules/ancient",
                                .clauses = Clauses,
                                .open = OpenGame,
                                .open_seen = OpenSeenGame,
                                .judge_shot = JudgeSeenShot,
                                .judge_move = JudgeSeenMove,
                                .check_setup = CheckSeenSetup,
                                .check_club = ClubReadable<ReadRules>,
                                .troops = Troops,
                                .army_lists = ArmyLists,
                                .army = ArmyOf,
                                .shots = kShotEffects,
                                .hit_at_points = kLegged,
                                .with_targets = WithValidTargets,
                                .firing = kFiring};
  return kSet;
}

}  // namespace fos::ancient
