// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/rule_set.h"

#include "engine/game/usual_bases.h"
#include "engine/rules/napoleonic/clauses.h"
#include "engine/rules/napoleonic/line_game.h"
#include "engine/rules/napoleonic/seen_move.h"
#include "engine/rules/napoleonic/seen_shot.h"
#include "engine/rules/napoleonic/tables.h"

namespace fos::napoleonic {
namespace {

Result<std::vector<Troop>> Troops(const ClubFiles& club) {
  const auto rules = ReadRules(club);
  if (!rules.ok()) return rules.error();
  const Tables& tables = rules->tables;
  std::vector<Troop> out;
  for (const UnitType& type : tables.types) {
    const usual_bases::Figures& figures = type.arm == Arm::kCavalry     ? usual_bases::kMounted
                                          : type.arm == Arm::kArtillery ? usual_bases::kCrew
                                          : type.arm == Arm::kCommander ? usual_bases::kLeader
                                                                        : usual_bases::kOnFoot;
    out.push_back(usual_bases::TroopOf(type.id, type.name, type.points, type.stands, figures,
                                       /*equipment=*/false, type.move + tables.road_bonus));
  }
  for (const EquipmentType& type : tables.equipment) {
    const usual_bases::Figures& figures =
        type.role == EquipmentRole::kWagon ? usual_bases::kWagon : usual_bases::kGun;
    out.push_back(usual_bases::TroopOf(type.id, type.name, type.points, 1, figures,
                                       /*equipment=*/true, type.move + tables.road_bonus));
  }
  return out;
}

}  // namespace

const RuleSet& Description() {
  static constexpr std::string_view kFiring[] = {"shoot", "canister", "release", "fire"};
  static constexpr RuleSet kSet{.name = "napoleonic",
                                .title = "Napoleonic",
                                .data = "engine/rules/napoleonic",
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
                                .firing = kFiring};
  return kSet;
}

}  // namespace fos::napoleonic
