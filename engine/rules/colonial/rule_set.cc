// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/rule_set.h"

#include "engine/game/usual_bases.h"
#include "engine/rules/colonial/clauses.h"
#include "engine/rules/colonial/line_game.h"
#include "engine/rules/colonial/seen.h"
#include "engine/rules/colonial/tables.h"
#include "engine/table/sentence.h"

namespace fos::colonial {
namespace {

constexpr double kMmPerInch = 25.4;

TroopSymbol SymbolOf(Arm arm) {
  switch (arm) {
    case Arm::kInfantry:
      return TroopSymbol::kFoot;
    case Arm::kCavalry:
      return TroopSymbol::kHorse;
    case Arm::kArtillery:
      return TroopSymbol::kGun;
    case Arm::kMachineGun:
      return TroopSymbol::kMachineGun;
    case Arm::kTransport:
      return TroopSymbol::kWagon;
    case Arm::kCommand:
      return TroopSymbol::kLeader;
  }
  return TroopSymbol::kNone;
}

// COL-1.5: the tables give the bases.
Result<std::vector<Troop>> Troops(const ClubFiles& club) {
  const auto rules = ReadRules(club);
  if (!rules.ok()) return rules.error();
  const auto& [tables, settings] = *rules;
  std::vector<Troop> out;
  for (const StandType& type : tables.types) {
    const bool tall = type.arm == Arm::kCavalry || type.arm == Arm::kCommand;
    const usual_bases::Figures figures{
        {type.width_mm / kMmPerInch, type.depth_mm / kMmPerInch},
        tall ? usual_bases::kMounted.high_in : usual_bases::kOnFoot.high_in, SymbolOf(type.arm)};
    out.push_back(usual_bases::TroopOf(type.id, Capitalised(type.name), type.value, 1, figures,
                                       /*equipment=*/false, type.move + settings.road_bonus));
  }
  return out;
}

}  // namespace

const RuleSet& Description() {
  static constexpr std::string_view kFiring[] = {"fire"};
  static constexpr RuleSet kSet{.name = "colonial",
                                .title = "Colonial",
                                .data = "engine/rules/colonial",
                                .clauses = Clauses,
                                .open = OpenGame,
                                .open_seen = OpenSeenGame,
                                .judge_shot = JudgeSeenShot,
                                .judge_move = JudgeSeenMove,
                                .check_setup = CheckSeenSetup,
                                .check_club = ClubReadable<ReadRules>,
                                .troops = Troops,
                                .square_in = 50 / kMmPerInch,  // COL-1.2
                                .firing = kFiring,
                                .twelve_sided_dice = true};  // COL-1.1
  return kSet;
}

}  // namespace fos::colonial
