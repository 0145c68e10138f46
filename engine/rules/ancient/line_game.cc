// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/line_game.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/rules/ancient/army.h"
#include "engine/rules/ancient/catapults.h"
#include "engine/rules/ancient/cite.h"
#include "engine/rules/ancient/describe.h"
#include "engine/rules/ancient/game.h"
#include "engine/rules/ancient/game_file.h"
#include "engine/rules/ancient/json.h"
#include "engine/rules/ancient/legal.h"
#include "engine/rules/ancient/lines.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/missiles.h"
#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/ancient/random_play.h"
#include "engine/rules/ancient/rule_tables.h"
#include "engine/rules/sweet/forecast.h"
#include "engine/rules/sweet/line_rules.h"
#include "engine/rules/sweet/reach.h"

namespace fos::ancient {
namespace {

const char* WhatToDeclare(Step step) {
  switch (step) {
    case Step::kCatapults:
      return "call catapult shots";
    case Step::kMissiles:
      return "shoot missiles";
    case Step::kMovement:
      return "roll for elephants that are to charge, then move";
    case Step::kAttackerSupport:
    case Step::kDefenderSupport:
      return "declare supports";
    default:
      return "turn units that fought";
  }
}

PieceView ViewOf(const State& s, PieceNo i, const Stand& stand) {
  PieceView out = sweet::StandView(s, i, stand);
  if (stand.melee >= 0) out.marks.push_back("in melee");
  if (stand.charged) out.marks.push_back("charged");
  if (stand.busy) out.marks.push_back("mans a catapult");
  if (stand.will != Will::kNotAsked)
    out.marks.push_back(stand.will == Will::kStays ? "stays" : "may charge");
  if (stand.moved) out.marks.push_back("moved");
  if (stand.fired) out.marks.push_back("shot");
  return out;
}

PieceView ViewOf(const State& s, PieceNo i, const Equipment& e) {
  PieceView out = sweet::EquipmentView(s, i, e);
  if (e.fired) out.marks.insert(out.marks.begin(), "shot");
  return out;
}

// ANC-F1, ANC-V1: each square with stands shoots separately; stands that have not moved may go
// together from the first of them.
void AddStands(const State& s, const std::vector<PieceNo>& stands, PieceReach& out) {
  std::vector<Cell> from;
  for (const PieceNo i : stands) {
    const Stand& stand = s.StandAt(i);
    if (std::find(from.begin(), from.end(), stand.cell) != from.end()) continue;
    from.push_back(stand.cell);
    sweet::AddFire(
        s, stand.side, stand.cell, s.TypeOf(stand).range,
        [&](Cell to) { return CheckStandShoots(s, stand, to); },
        [&](Cell cell) { return s.CountIn(0, cell) > 0 || s.CountIn(1, cell) > 0; }, out);
  }
  if (from.empty()) return;
  sweet::AddMarch<Move>(
      s, stands,
      [&](const std::vector<PieceNo>& who) { return Reach(s, who, {}, /*riding=*/false); }, out);
}

// ANC-F3, F5: the forecast of a volley.
fos::Forecast VolleyForecast(const State& s, std::size_t index) {
  const Volley& volley = s.volleys[index];
  const auto dice = [&](int stands) {
    return VolleyDice(s, volley.unit, stands, volley.later_unit, volley.against_protection,
                      volley.target);
  };
  // Compare one stand with none: a later unit's die comes with its first stand.
  const int each = std::max(1, TypeOfUnit(s, volley.unit).dice_per_stand);
  const int stands = 1 + (volley.dice - sweet::DiceOf(dice(1))) / each;
  return sweet::OfVolley(s, index, dice(stands), "ANC-F5");
}

// ANC-P2, P3, H8: the forecast of a melee with the stands now in it.
fos::Forecast MeleeForecast(const State& s, int index) {
  fos::Forecast out = sweet::OfMelee(s, index, "ANC-P2");
  const BySide full = sweet::StrengthsOf(s, index);
  const BySide totals = Effective(s, index, full);
  if (const Sixteenths less = full[kAttackers] - totals[kAttackers]; less != 0)
    out.items.push_back(
        {0, fmt::format("{:+g} for attacking a protected square", -sweet::Points(less)),
         -sweet::Points(less), "ANC-H8"});
  return out;
}

struct LineRules : sweet::LineRules<LineRules, State, Action, Event, VolleyPlan> {
  static constexpr std::string_view kName = "ancient";
  static constexpr const char* kTurnClause = "ANC-T";
  static constexpr const char* kCardsClause = "ANC-P1";

  static bool CardsDue(const State& s) { return s.step == Step::kMelee; }
  static const char* ToDeclare(const State& s) { return WhatToDeclare(s.step); }
  static void ShowShot(const State& s, Prompt& prompt) {
    prompt.pieces = {EquipmentName(s, s.shot->catapult)};
    prompt.squares = {CellName(s, s.shot->target)};
  }
  static fos::Forecast VolleyForecast(const State& s, std::size_t index) {
    return ancient::VolleyForecast(s, index);
  }
  static fos::Forecast MeleeForecast(const State& s, int index) {
    return ancient::MeleeForecast(s, index);
  }
  template <typename Piece>
  static PieceView ViewOf(const State& s, PieceNo i, const Piece& piece) {
    return ancient::ViewOf(s, i, piece);
  }
  static void Mark(const State& s, Cell cell, GameView& out) {
    if (Protected(s, cell)) out.square_marks.emplace_back(CellName(s, cell), "protected");
  }

  static sweet::FateList Fates(const State& s, const Event& event) {
    using sweet::Dated;
    if (const auto* lost = std::get_if<StandLost>(&event))
      return {{StandName(s, lost->stand), Dated(s, CauseName(lost->cause))}};
    if (const auto* lost = std::get_if<EquipmentLost>(&event))
      return {{EquipmentName(s, lost->equipment), Dated(s, CauseName(LossCause::kShot))}};
    return sweet::OffBoard(s, event);
  }
  static std::vector<RuleTable> RuleTables(const State& s) { return ancient::RuleTables(s); }
  static void MarkAwaited(const State& s, std::vector<RuleTable>& tables) {
    ancient::MarkAwaited(s, tables);
  }
  static void MarkRuled(const State& s, const Event& event, std::vector<RuleTable>& tables) {
    ancient::MarkRuled(s, event, tables);
  }
  static std::string FallLine(const FallenShot& shot) {
    std::string line = fmt::format("lands {:.3f} {:.3f}", shot.at_in.x, shot.at_in.y);
    for (const FallenShot::Near& near : shot.near)
      line += fmt::format(" {} {} {:.3f}", near.equipment ? "catapult" : "stand", near.piece,
                          near.distance_in);
    return line;
  }
  static PieceReach ReachOf(const State& s, std::string_view piece) {
    PieceReach out;
    const PieceNo catapult = sweet::EquipmentNamed(s, piece);
    if (catapult >= 0 && s.EquipmentAt(catapult).owner != kNobody) {
      const Equipment& e = s.EquipmentAt(catapult);
      const int range = s.TypeOf(e).range;
      sweet::AddFire(
          s, e.owner, e.cell, range,
          [&](Cell to) { return CheckAim(s, range, e.cell, e.facing, to); },
          [](Cell) { return false; }, out);
    }
    AddStands(s, sweet::StandsNamed(s, piece), out);
    return out;
  }
};

}  // namespace

Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed) {
  return Opened<LineRules>(ReadGame(scenario), seed);
}

Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed) {
  return Opened<LineRules>(SetupOf(scenario, frame), seed);
}

Result<std::vector<std::string>> ArmyLists() {
  const auto rules = ReadRules({});
  if (!rules.ok()) return rules.error();
  std::vector<std::string> names;
  for (const ArmyList& army : rules->tables.armies) names.push_back(army.name);
  return names;
}

// ANC-L.
Result<ArmyOffer> ArmyOf(std::string_view list, std::optional<int> points) {
  const auto rules = ReadRules({});
  if (!rules.ok()) return rules.error();
  const Result<Muster> muster =
      points ? BuildArmy(rules->tables, list, *points) : MusterOf(rules->tables, list);
  if (!muster.ok()) return muster.error();
  ArmyOffer out = sweet::OfferOf(rules->tables, list, *muster);
  for (const ArmyList& army : rules->tables.armies)
    if (army.name == list) {
      out.stated = army.stated_points;
      out.notice = NoticeOf(rules->tables, army);
    }
  for (const MusterCatapult& catapult : muster->catapults)
    out.blocks.push_back(
        {sweet::PieceOf(rules->tables, catapult.crew),
         {rules->tables.equipment[static_cast<std::size_t>(catapult.type)].id, 1}});
  out.table = "army";
  return out;
}

}  // namespace fos::ancient
