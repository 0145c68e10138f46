// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/missiles.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/sweet/forecast.h"
#include "engine/table/counted.h"

namespace fos::ancient {
namespace {

// ANC-F2: the square that screens the target; kNowhere for none.
Cell ScreenedBy(const State& s, Cell from, Cell target) {
  for (const Cell cell : squares::CellsInTheWay(s.setup->board, from, target))
    if (s.CountIn(0, cell) > 0 || s.CountIn(1, cell) > 0) return cell;
  return kNowhere;
}

}  // namespace

std::optional<Refusal> CheckStandShoots(const State& s, const Stand& stand, Cell target) {
  if (stand.cell == target)
    return Impossible("ANC-F1", "a unit does not shoot into its own square");
  const UnitType& type = s.TypeOf(stand);
  if (const int distance = DistanceBetween(s, stand.cell, target); distance > type.range)
    return Refuse("ANC-F1",
                  fmt::format("{} is {} away; the range of {} is {:g}", CellName(s, target),
                              Counted(distance / 100.0, "square"), type.name, type.range / 100.0));
  const squares::Offset to = s.setup->board.Between(stand.cell, target);
  const bool in_arc = s.Ruling().cone_arcs ? squares::Within45(stand.facing, to)
                                           : squares::OnRays45(stand.facing, to);
  if (!in_arc)
    return Refuse("ANC-F1",
                  fmt::format("{} is not within 45 degrees of {} from {}{}", CellName(s, target),
                              FacingName(stand.facing), CellName(s, stand.cell),
                              squares::FacingThatWouldDo(stand.facing, [&](Facing facing) {
                                return MayFace(s, type, facing) &&
                                       (s.Ruling().cone_arcs ? squares::Within45(facing, to)
                                                             : squares::OnRays45(facing, to));
                              })));
  if (const Cell screen = ScreenedBy(s, stand.cell, target); screen != kNowhere)
    return Refuse("ANC-F2", fmt::format("{} screens {}", CellName(s, screen), CellName(s, target)));
  return std::nullopt;
}

namespace {

// ANC-F3: does another unit of the side already shoot at this target?
bool IsLaterUnit(const State& s, const CallVolley& a) {
  return std::any_of(s.volleys.begin(), s.volleys.end(), [&](const Volley& earlier) {
    return earlier.side == a.side && earlier.target == a.target &&
           (earlier.unit != a.unit || s.Ruling().detachment_bonus);
  });
}

}  // namespace

bool ShotAtProtection(const State& s, int side, Cell target) {
  if (Protected(s, target)) return true;
  bool shields = false;
  ForStandsIn(s, 1 - side, target,
              [&](PieceNo, const Stand& stand) { shields = shields || s.TypeOf(stand).shielded; });
  return shields;
}

std::vector<SumItem> VolleyDice(const State& s, PieceNo unit, int stands, bool later,
                                bool protection, Cell target) {
  std::vector<SumItem> out;
  const auto add = [&](const std::string& why, int dice, const char* clause) {
    sweet::AddDice(out, why, dice, clause);
  };
  add(Counted(stands, "stand") + " of " + UnitAndKind(s, unit),
      TypeOfUnit(s, unit).dice_per_stand * stands, "ANC-F3");
  if (later && stands > 0)
    add("another unit shoots at the same square", s.Book().missiles.later_unit, "ANC-F3");
  if (protection) add("protected, or with shields", s.Book().missiles.protection, "ANC-F4");
  add("terrain of " + CellName(s, target), s.setup->At(target).extra_dice, "ANC-F3");
  return out;
}

std::optional<Refusal> CheckVolley(const State& s, const CallVolley& a, VolleyPlan* plan) {
  if (s.step != Step::kMissiles)
    return Impossible("ANC-T",
                      fmt::format("missiles are shot in the missiles step; this is the {} step",
                                  StepName(s.step)));
  if (s.done[static_cast<std::size_t>(a.side)])
    return Impossible("ANC-T", fmt::format("{} has ended its missiles step", SideName(s, a.side)));
  const UnitType& type = TypeOfUnit(s, a.unit);
  if (type.range == 0) return Impossible("ANC-F1", fmt::format("{} has no missiles", type.name));
  std::vector<PieceNo> stands = StandsOf(s, a.unit, a.from);
  if (stands.empty() || a.target == kNowhere)
    return Impossible("ANC-F1", fmt::format("{} has no stand in {}", UnitAndKind(s, a.unit),
                                            CellName(s, a.from)));
  if (std::any_of(stands.begin(), stands.end(), [&](PieceNo i) { return s.StandAt(i).fired; }))
    return Impossible(
        "ANC-F1",
        fmt::format("{} in {} has already shot; a unit shoots at one target square a turn",
                    UnitAndKind(s, a.unit), CellName(s, a.from)));
  // If the players overrule this refusal, the volley is thrown as usual.
  const std::optional<Refusal> doubtful = CheckStandShoots(s, s.StandAt(stands.front()), a.target);
  if (doubtful && !plan) return doubtful;
  if (s.CountIn(1 - a.side, a.target) == 0)
    return doubtful ? sweet::NotWaived(doubtful)
                    : Impossible("ANC-F6", fmt::format("there is no enemy stand in {}",
                                                       CellName(s, a.target)));

  // ANC-C1: a stand that mans a catapult does not shoot.
  std::erase_if(stands, [&](PieceNo i) { return s.StandAt(i).busy; });
  const bool later = IsLaterUnit(s, a);
  const bool protection = ShotAtProtection(s, a.side, a.target);
  const int dice = sweet::DiceOf(
      VolleyDice(s, a.unit, static_cast<int>(stands.size()), later, protection, a.target));
  if (stands.empty() || dice <= 0)
    return doubtful
               ? sweet::NotWaived(doubtful)
               : Impossible("ANC-F3", fmt::format("{} has no dice left against {}",
                                                  UnitAndKind(s, a.unit), CellName(s, a.target)));
  if (plan) {
    plan->volley.side = static_cast<std::int8_t>(a.side);
    plan->volley.unit = a.unit;
    plan->volley.from = a.from;
    plan->volley.target = a.target;
    plan->volley.later_unit = later;
    plan->volley.against_protection = protection;
    plan->volley.dice = static_cast<std::int8_t>(std::min(dice, 100));
    plan->volley.column = s.Book().ColumnAt(DistanceBetween(s, a.from, a.target));
    plan->stands = std::move(stands);
  }
  return doubtful;
}

}  // namespace fos::ancient
