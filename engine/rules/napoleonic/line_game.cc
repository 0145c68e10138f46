// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/line_game.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/napoleonic/army.h"
#include "engine/rules/napoleonic/artillery.h"
#include "engine/rules/napoleonic/cite.h"
#include "engine/rules/napoleonic/describe.h"
#include "engine/rules/napoleonic/game.h"
#include "engine/rules/napoleonic/game_file.h"
#include "engine/rules/napoleonic/json.h"
#include "engine/rules/napoleonic/legal.h"
#include "engine/rules/napoleonic/lines.h"
#include "engine/rules/napoleonic/melee.h"
#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/musketry.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/random_play.h"
#include "engine/rules/napoleonic/rule_tables.h"
#include "engine/rules/sweet/forecast.h"
#include "engine/rules/sweet/line_rules.h"
#include "engine/rules/sweet/reach.h"

namespace fos::napoleonic {
namespace {

PieceView ViewOf(const State& s, PieceNo i, const Stand& stand) {
  PieceView out = sweet::StandView(s, i, stand);
  if (stand.formation >= 0) out.marks.push_back("in Square");
  if (stand.melee >= 0) out.marks.push_back("in melee");
  if (stand.moved) out.marks.push_back("moved");
  if (stand.fired) out.marks.push_back("fired");
  return out;
}

PieceView ViewOf(const State& s, PieceNo i, const Equipment& e) {
  PieceView out = sweet::EquipmentView(s, i, e);
  if (e.limbered) out.marks.insert(out.marks.begin(), "limbered");
  return out;
}

// NAP-3E, 3G: the guns' arc. A howitzer shot comes from the same gun, over all screens.
void AddGun(const State& s, PieceNo no, PieceReach& out) {
  const Equipment& gun = s.EquipmentAt(no);
  const EquipmentRole role = s.TypeOf(gun).role;
  if (gun.owner == kNobody || gun.limbered || role == EquipmentRole::kWagon) return;
  const ShotKind kind = role == EquipmentRole::kHorseGun ? ShotKind::kHorse : ShotKind::kField;
  const int side = gun.owner;
  sweet::AddFire(
      s, side, gun.cell, s.Book().gun_range[static_cast<std::size_t>(kind)],
      [&](Cell to) { return CheckAim(s, side, kind, gun.cell, gun.facing, to); },
      [&](Cell cell) {
        return squares::Adjacent(s.setup->board.Between(gun.cell, cell)) &&
               (s.CountIn(side, cell) > 0 || s.burning[static_cast<std::size_t>(cell)]);
      },
      out);
}

// NAP-4B, NAP-1: each square with stands fires separately; stands that have not moved may go
// together from the first of them.
void AddStands(const State& s, const std::vector<PieceNo>& stands, PieceReach& out) {
  std::vector<Cell> from;
  for (const PieceNo i : stands) {
    const Stand& stand = s.StandAt(i);
    if (std::find(from.begin(), from.end(), stand.cell) != from.end()) continue;
    from.push_back(stand.cell);
    const bool any_facing = stand.formation >= 0 && !s.Ruling().square_facing_stands;
    sweet::AddFire(
        s, stand.side, stand.cell, s.TypeOf(stand).arc == Arc::kNone ? 0 : s.TypeOf(stand).range,
        [&](Cell to) { return CheckStandFire(s, stand, to, any_facing); },
        [&](Cell cell) {
          return s.CountIn(0, cell) > 0 || s.CountIn(1, cell) > 0 ||
                 s.burning[static_cast<std::size_t>(cell)];
        },
        out);
  }
  if (from.empty() || s.StandAt(stands.front()).formation >= 0) return;
  sweet::AddMarch<Move>(
      s, stands, [&](const std::vector<PieceNo>& who) { return Reach(s, who, {}); }, out);
}

// NAP-4C, 4D: the forecast of a volley.
fos::Forecast VolleyForecast(const State& s, std::size_t index) {
  const Volley& volley = s.volleys[index];
  const int rest = sweet::DiceOf(VolleyDice(s, volley.unit, volley.bonuses, 0, volley.target));
  const int stands = (volley.dice - rest) / std::max(1, s.Book().musketry.per_stand);
  return sweet::OfVolley(
      s, index, VolleyDice(s, volley.unit, volley.bonuses, stands, volley.target), "NAP-4D");
}

// NAP-5C, 6A: the forecast of a melee with the stands now in it.
fos::Forecast MeleeForecast(const State& s, int index) {
  fos::Forecast out = sweet::OfMelee(s, index, "NAP-5C");
  const Sixteenths reduction = ReductionAt(s, s.melees[static_cast<std::size_t>(index)].contact);
  if (reduction != 0)
    out.items.push_back(
        {1, fmt::format("the terrain takes {:g} off the defender's loss", sweet::Points(reduction)),
         0, "NAP-6A"});
  return out;
}

struct LineRules : sweet::LineRules<LineRules, State, Action, Event, VolleyPlan> {
  static constexpr std::string_view kName = "napoleonic";
  static constexpr const char* kTurnClause = "NAP-2A";
  static constexpr const char* kCardsClause = "NAP-MDI";

  static bool CardsDue(const State& s) {
    return s.step == Step::kMelee && s.supports_done[0] && s.supports_done[1];
  }
  static const char* ToDeclare(const State& s) {
    return s.step == Step::kArtillery      ? "call shots"
           : s.step == Step::kMusketry     ? "call volleys"
           : s.step == Step::kMovement     ? "move"
           : s.step == Step::kHeldCanister ? "fire held canister"
           : s.step == Step::kMelee        ? "declare supports"
                                           : "turn or destroy equipment";
  }
  static void ShowShot(const State& s, Prompt& prompt) {
    if (prompt.kind != PromptKind::kShot) return;
    prompt.pieces = {EquipmentName(s, s.shot->gun)};
    if (s.shot->target != kNowhere) prompt.squares = {CellName(s, s.shot->target)};
  }
  static fos::Forecast VolleyForecast(const State& s, std::size_t index) {
    return napoleonic::VolleyForecast(s, index);
  }
  static fos::Forecast MeleeForecast(const State& s, int index) {
    return napoleonic::MeleeForecast(s, index);
  }
  static std::optional<fos::Forecast> ForecastOf(const State& s, const Action& action) {
    const auto* support = std::get_if<Support>(&action.what);
    if (support == nullptr)
      return sweet::LineRules<LineRules, State, Action, Event, VolleyPlan>::ForecastOf(s, action);
    State joined = s;
    std::vector<Event> events;
    const int melee = MeleeAt(s, support->contact);
    if (melee < 0 || Play(joined, action, events)) return std::nullopt;
    return napoleonic::MeleeForecast(joined, melee);
  }
  template <typename Piece>
  static PieceView ViewOf(const State& s, PieceNo i, const Piece& piece) {
    return napoleonic::ViewOf(s, i, piece);
  }
  static void Mark(const State& s, Cell cell, GameView& out) {
    const auto c = static_cast<std::size_t>(cell);
    if (s.burning[c]) out.square_marks.emplace_back(CellName(s, cell), "burning");
    if (s.burnt[c]) out.square_marks.emplace_back(CellName(s, cell), "burnt");
  }

  static sweet::FateList Fates(const State& s, const Event& event) {
    using sweet::Dated;
    if (const auto* lost = std::get_if<StandLost>(&event))
      return {{StandName(s, lost->stand), Dated(s, CauseName(lost->cause))}};
    if (const auto* lost = std::get_if<EquipmentLost>(&event))
      return {{EquipmentName(s, lost->equipment), Dated(s, CauseName(lost->cause))}};
    return sweet::OffBoard(s, event);
  }
  static std::vector<RuleTable> RuleTables(const State& s) { return napoleonic::RuleTables(s); }
  static void MarkAwaited(const State& s, std::vector<RuleTable>& tables) {
    napoleonic::MarkAwaited(s, tables);
  }
  static void MarkRuled(const State& s, const Event& event, std::vector<RuleTable>& tables) {
    napoleonic::MarkRuled(s, event, tables);
  }
  static std::string FallLine(const FallenShot& shot) {
    std::string line = fmt::format("lands {:.3f} {:.3f}", shot.at_in.x, shot.at_in.y);
    if (shot.water) line += *shot.water ? " water" : " dry";
    for (const FallenShot::Near& near : shot.near)
      line += fmt::format(" {} {} {:.3f}", near.equipment ? "gun" : "stand", near.piece,
                          near.distance_in);
    if (!shot.burns.empty()) line += fmt::format(" model {} 0", shot.burns);
    return line;
  }
  static PieceReach ReachOf(const State& s, std::string_view piece) {
    PieceReach out;
    if (const PieceNo gun = sweet::EquipmentNamed(s, piece); gun >= 0) AddGun(s, gun, out);
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
  for (const Organisation& o : rules->tables.organisations) names.push_back(o.name);
  return names;
}

// NAP-ORG.
Result<ArmyOffer> ArmyOf(std::string_view list, std::optional<int> points) {
  const auto rules = ReadRules({});
  if (!rules.ok()) return rules.error();
  const Result<Muster> muster =
      points ? BuildArmy(rules->tables, list, *points) : MusterOf(rules->tables, list);
  if (!muster.ok()) return muster.error();
  ArmyOffer out = sweet::OfferOf(rules->tables, list, *muster);
  for (const Organisation& o : rules->tables.organisations)
    if (o.name == list) out.stated = o.points;
  for (const MusterBattery& battery : muster->batteries) {
    auto& block = out.blocks.emplace_back();
    for (const MusterUnit& unit : battery.crews)
      block.push_back(sweet::PieceOf(rules->tables, unit));
    for (const int type : battery.equipment)
      block.emplace_back(rules->tables.equipment[static_cast<std::size_t>(type)].id, 1);
  }
  out.table = "organisation";
  return out;
}

}  // namespace fos::napoleonic
