// SPDX-License-Identifier: MIT
#include "vision/stands/deployed_stands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "engine/table/quantile.h"
#include "vision/image/in_parallel.h"
#include "vision/stands/linear_assignment.h"
#include "vision/stands/outline_search.h"
#include "vision/stands/stand_candidates.h"
#include "vision/stands/stand_groups.h"
#include "vision/stands/stand_measurement.h"

namespace fos {
namespace {

// How many of the stands are those that the scenario places in a unit's square.
std::size_t CountOf(const StandLook& look, const UnitSpec& unit,
                    std::span<const StandHypothesis> stands) {
  const std::vector<std::optional<std::size_t>> units = UnitsOf(look, stands);
  return static_cast<std::size_t>(std::count_if(units.begin(), units.end(), [&](const auto& u) {
    return u && SharesPlace(look.scenario.units[*u], unit);
  }));
}

bool FindMissing(const StandLook& look, const UnitSpec& unit,
                 std::vector<StandHypothesis>& stands) {
  const StandClass what{unit.side, unit.kind};
  const std::size_t expected = ExpectedOf(look, unit);
  const std::size_t before = stands.size();
  const auto is_here = [&](const StandHypothesis& h) { return MayBelongTo(look, unit, h); };
  std::size_t here = CountOf(look, unit, stands);
  if (here >= expected) return false;
  // Two stands in contact side by side may have been detected as one: the halves next to each other
  // look much like a stand.
  for (std::size_t i = 0; i < stands.size() && here < expected; ++i) {
    if (!is_here(stands[i])) continue;
    const std::vector<StandHypothesis> two = SplitInTwo(look, stands, i);
    if (two.empty()) continue;
    stands[i] = two[0];
    stands.push_back(two[1]);
    ++here;
  }
  if (here >= expected) return true;
  // First as deployed, then any way round.
  const double half = look.table.frame.square_in / 2 + kLeanOut_in;
  for (const double reach : {24.0, 180.0}) {
    std::vector<double> headings;
    AddHeadings(headings, HeadingFromBearing(BearingOf(unit.facing)), reach * kDegree,
                (reach < 90 ? 4 : 6) * kDegree);
    const std::size_t room = expected - here;
    const auto found =
        SearchByOutline(look, look.table.frame.CentreOf(unit.square), half, what, headings, stands,
                        stands, room, reach < 90 ? -kUnexpectedStand_nats : kUnexpectedStand_nats);
    if (found.empty()) continue;
    stands.insert(stands.end(), found.begin(), found.end());
    break;
  }
  return stands.size() > before;
}

}  // namespace

bool SharesPlace(const UnitSpec& a, const UnitSpec& b) {
  return a.square == b.square && a.side == b.side && a.kind == b.kind;
}

std::size_t ExpectedOf(const StandLook& look, const UnitSpec& unit) {
  int sum = 0;
  for (const UnitSpec& other : look.scenario.units)
    if (SharesPlace(other, unit)) sum += other.stands;
  return static_cast<std::size_t>(sum);
}

std::vector<std::optional<std::size_t>> UnitsOf(const StandLook& look,
                                                std::span<const StandHypothesis> stands) {
  const std::vector<UnitSpec>& units = look.scenario.units;
  std::vector<std::optional<std::size_t>> out(stands.size());
  std::vector<char> done(units.size(), 0);
  for (std::size_t first = 0; first < units.size(); ++first) {
    if (done[first] != 0) continue;
    // All places of one class, against all stands of it.
    const StandClass what{units[first].side, units[first].kind};
    std::vector<int> places;
    for (std::size_t u = first; u < units.size(); ++u) {
      if (StandClass{units[u].side, units[u].kind} != what) continue;
      done[u] = 1;
      places.insert(places.end(), static_cast<std::size_t>(units[u].stands), static_cast<int>(u));
    }
    std::vector<int> those;
    for (std::size_t i = 0; i < stands.size(); ++i)
      if (stands[i].what == what) those.push_back(static_cast<int>(i));
    if (places.empty() || those.empty()) continue;
    constexpr double kElsewhere_in = 1000;
    std::vector<std::vector<double>> off_in;
    for (const int i : those) {
      std::vector<double>& row = off_in.emplace_back();
      const StandHypothesis& h = stands[static_cast<std::size_t>(i)];
      for (const int u : places) {
        const UnitSpec& unit = units[static_cast<std::size_t>(u)];
        const Vec2 off = h.table_from_stand.origin - look.table.frame.CentreOf(unit.square);
        const double half = look.table.frame.square_in / 2;
        row.push_back(MayBelongTo(look, unit, h) ? std::hypot(std::max(0.0, std::abs(off.x) - half),
                                                              std::max(0.0, std::abs(off.y) - half))
                                                 : kElsewhere_in);
      }
    }
    for (const auto& [i, u] : SolveAssignment(those, places, off_in)) {
      const auto stand = static_cast<std::size_t>(i);
      const auto unit = static_cast<std::size_t>(u);
      if (MayBelongTo(look, units[unit], stands[stand])) out[stand] = unit;
    }
  }
  return out;
}

std::vector<StandHypothesis> SearchSquares(const StandLook& look) {
  std::map<std::pair<int, int>, std::vector<const UnitSpec*>> by_square;
  for (const UnitSpec& unit : look.scenario.units)
    by_square[{unit.square.column, unit.square.row}].push_back(&unit);
  std::vector<StandClass> placed;
  for (const UnitSpec& unit : look.scenario.units) placed.push_back({unit.side, unit.kind});
  PreparePaints(look, placed);
  const std::vector<std::pair<std::pair<int, int>, std::vector<const UnitSpec*>>> squares(
      by_square.begin(), by_square.end());
  std::vector<std::vector<StandHypothesis>> found(squares.size());
  InParallel(squares.size(), [&](std::size_t i) {
    const auto& [square, units] = squares[i];
    std::vector<StandClass> classes;
    std::vector<double> headings;
    for (const UnitSpec* unit : units) {
      const StandClass what{unit->side, unit->kind};
      if (std::find(classes.begin(), classes.end(), what) == classes.end()) classes.push_back(what);
      AddHeadings(headings, HeadingFromBearing(BearingOf(unit->facing)), 20 * kDegree, 4 * kDegree);
    }
    found[i] = SearchPaints(look, look.table.frame.CentreOf({square.first, square.second}),
                            look.table.frame.square_in / 2 + kLeanOut_in, classes, headings, {},
                            look.options.least_score);
  });
  std::vector<StandHypothesis> stands;
  for (const auto& here : found) stands.insert(stands.end(), here.begin(), here.end());
  return stands;
}

bool FindMissing(const StandLook& look, std::vector<StandHypothesis>& stands) {
  bool any = false;
  for (const UnitSpec& unit : look.scenario.units) any |= FindMissing(look, unit, stands);
  return any;
}

void DropUnexpected(const StandLook& look, std::vector<StandHypothesis>& stands) {
  const auto all_placed = [&](std::span<const StandHypothesis> some) {
    const auto units = UnitsOf(look, some);
    return std::all_of(units.begin(), units.end(), [](const auto& u) { return u.has_value(); });
  };
  if (all_placed(stands)) return;
  // Where more are seen than placed, keep those with the most evidence.
  std::vector<std::pair<double, std::size_t>> order;
  order.resize(stands.size());
  InParallel(stands.size(), [&](std::size_t i) {
    order[i] = {WeighStand(look, stands[i], stands).evidence, i};
  });
  std::sort(order.begin(), order.end(), std::greater<>());
  std::vector<StandHypothesis> placed;  // of those kept
  std::vector<StandHypothesis> kept;
  for (const auto& [evidence, i] : order) {
    const StandHypothesis& h = stands[i];
    placed.push_back(h);
    if (!all_placed(placed)) {
      placed.pop_back();
      if (h.score < look.options.least_score_unexpected) {
        look.NoteDropped(h, fmt::format("not placed there by the scenario, score {:.2f}, evidence "
                                        "{:.0f}",
                                        h.score, evidence));
        continue;
      }
    }
    kept.push_back(h);
  }
  stands = std::move(kept);
}

bool ReplaceWeak(const StandLook& look, std::vector<StandHypothesis>& stands,
                 std::span<const MeasuredStand> measured) {
  // Nats a square inch of base.
  const auto strength = [&](std::size_t i) {
    const Box2 box = look.KindOf(stands[i]).footprint;
    return measured[i].evidence / (box.width_in * box.depth_in);
  };
  std::vector<double> all;
  for (std::size_t i = 0; i < stands.size(); ++i) all.push_back(strength(i));
  if (all.empty()) return false;
  // A stand with so much less evidence than the others is under a tree, or is a shadow as dark as a
  // gun's bar with the gun beside it. Where another place for it makes the unit likelier, it stands
  // there.
  constexpr double kWeak = 1.0 / 3;
  const double weak = kWeak * UpperMedian(all);
  bool any = false;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (strength(i) > weak) continue;
    const std::vector<std::optional<std::size_t>> unit_of = UnitsOf(look, stands);
    if (!unit_of[i]) continue;
    const UnitSpec& unit = look.scenario.units[*unit_of[i]];
    const auto log_odds = [&](std::span<const StandHypothesis> among) {
      double sum = 0;
      for (const StandHypothesis& h : among)
        if (MayBelongTo(look, unit, h)) sum += WeighStand(look, h, among).log_odds;
      return sum;
    };
    std::vector<StandHypothesis> others = stands;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const std::size_t known = others.size();
    if (!FindMissing(look, unit, others) || others.size() != known + 1) continue;
    const double before = log_odds(stands);
    const double after = log_odds(others);
    if (after <= before) continue;
    look.NoteDropped(stands[i], fmt::format("stands elsewhere: log-odds of the unit {:.0f}, there "
                                            "{:.0f} nats",
                                            before, after));
    std::rotate(others.begin() + static_cast<std::ptrdiff_t>(i), others.end() - 1, others.end());
    stands = std::move(others);
    any = true;
  }
  return any;
}

}  // namespace fos
