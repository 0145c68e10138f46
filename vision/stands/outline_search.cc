// SPDX-License-Identifier: MIT
#include "vision/stands/outline_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "vision/stands/stand_candidates.h"
#include "vision/stands/stand_measurement.h"
#include "vision/stands/stand_packing.h"

namespace fos {

std::vector<StandHypothesis> SearchByOutline(const StandLook& look, Vec2 centre, double half_in,
                                             StandClass what, std::span<const double> headings,
                                             std::span<const StandHypothesis> others,
                                             std::size_t room, double least_bar_nats) {
  const std::array<StandClass, 1> classes{what};
  const Box2 box = look.scenario.kinds.at(static_cast<std::size_t>(what.kind)).footprint;
  std::vector<StandHypothesis> all(others.begin(), others.end());
  std::vector<StandHypothesis> kept;
  constexpr double kMargin_in = 0.3;  // half the depth of the usual base, less what leans out
  const double searched_in = half_in + kMargin_in;
  while (kept.size() < room) {
    // The paints as learnt from the whole table only give seeds, spaced by as far as the outline
    // fit may move.
    constexpr double kApart_in = 0.15;
    constexpr double kApart_rad = 9 * kDegree;
    constexpr double kTooDeep_in = 0.3;
    constexpr std::size_t kMostSeeds = 24;
    std::vector<StandHypothesis> seeds;
    for (const StandHypothesis& h : FindCandidates(look, centre, searched_in, classes, headings,
                                                   all, look.options.least_score_faint)) {
      const auto near = [&](const StandHypothesis& s) {
        return Distance(s.table_from_stand.origin, h.table_from_stand.origin) < kApart_in &&
               std::abs(WrappedAngle(s.table_from_stand.heading_rad -
                                     h.table_from_stand.heading_rad)) < kApart_rad;
      };
      const auto in = [&](const StandHypothesis& o) {
        return OverlapDepth(h.table_from_stand, box, o.table_from_stand, look.KindOf(o).footprint) >
               kTooDeep_in;
      };
      // Outside the searched piece nothing is known, and a bar there would score like a hidden one.
      const auto past_rim = [&](Vec2 corner) {
        return std::max(std::abs(corner.x - centre.x), std::abs(corner.y - centre.y)) > searched_in;
      };
      const auto corners = Corners(h.table_from_stand, box);
      if (std::any_of(corners.begin(), corners.end(), past_rim) ||
          std::any_of(seeds.begin(), seeds.end(), near) || std::any_of(all.begin(), all.end(), in))
        continue;
      seeds.push_back(h);
      if (seeds.size() == kMostSeeds) break;
    }
    // Choose the one that explains the picture best, by the colours as they are just there.
    std::optional<StandHypothesis> best;
    MeasuredStand best_measured;
    for (StandHypothesis h : seeds) {
      h.by_outline = true;
      const MeasuredStand first = MeasureStand(look, h, all);
      h.table_from_stand = first.stand.table_from_stand;
      const MeasuredStand m = MeasureStand(look, h, all);
      h.table_from_stand = m.stand.table_from_stand;
      if (std::any_of(all.begin(), all.end(), [&](const StandHypothesis& o) {
            return OverlapDepth(h.table_from_stand, box, o.table_from_stand,
                                look.KindOf(o).footprint) > kTooDeep_in;
          }))
        continue;
      if ((best && m.evidence <= best_measured.evidence) || LacksPaint(h, m)) continue;
      best = h;
      best_measured = m;
    }
    if (!best || !IsBelievable(look, *best, best_measured)) break;
    if (best_measured.bar_evidence < least_bar_nats) {
      look.NoteDropped(*best, fmt::format("its bar says too little of how it faces: {:.0f} nats",
                                          best_measured.bar_evidence));
      break;
    }
    kept.push_back(*best);
    all.push_back(*best);
  }
  return kept;
}

std::vector<StandHypothesis> SplitInTwo(const StandLook& look,
                                        std::span<const StandHypothesis> stands, std::size_t i) {
  const StandHypothesis& one = stands[i];
  std::vector<StandHypothesis> others(stands.begin(), stands.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
  const double evidence = MeasureStand(look, one, others).evidence;
  const auto measure = [&](const StandHypothesis& h, const StandHypothesis& beside) {
    std::vector<StandHypothesis> about = others;
    about.push_back(beside);
    return MeasureStand(look, h, about);
  };
  const auto in_others = [&](const StandHypothesis& h, double depth_in) {
    return std::any_of(others.begin(), others.end(), [&](const StandHypothesis& o) {
      return OverlapDepth(h.table_from_stand, look.KindOf(h).footprint, o.table_from_stand,
                          look.KindOf(o).footprint) > depth_in;
    });
  };
  // Where they touch is unknown: the paint is even, and only the outer ends show how far the two
  // reach. The outline moves each by a tenth of an inch.
  constexpr double kStep_in = 0.2;
  constexpr double kMoves_in = 0.2;
  const double width = look.KindOf(one).footprint.width_in;
  const int steps = static_cast<int>(std::ceil(width / 2 / kStep_in));
  std::vector<StandHypothesis> two;
  double most = 0;
  const auto try_at = [&](int k) {
    std::vector<StandHypothesis> pair(2, one);
    for (std::size_t j = 0; j < 2; ++j) {
      const double way = (j == 0 ? -0.5 : 0.5) * width + k * (width / 2 / steps);
      pair[j].by_outline = true;
      pair[j].table_from_stand = one.table_from_stand * Pose2{{way, 0}, 0};
    }
    if (in_others(pair[0], kMoves_in) || in_others(pair[1], kMoves_in)) return true;
    const double together = measure(pair[0], pair[1]).evidence + measure(pair[1], pair[0]).evidence;
    if (together > most) {
      most = together;
      two = std::move(pair);
    }
    // If two stand there, at least three quarters of the pair match and a quarter counts against
    // it: over half the evidence. If one stands alone, only half of the pair matches.
    return together > 0.5 * evidence;
  };
  if (!try_at(0)) return {};
  for (int k = 1; k <= steps; ++k) {
    try_at(k);
    try_at(-k);
  }
  if (two.empty()) return {};
  double together = 0;
  for (std::size_t j = 0; j < 2; ++j) {
    StandHypothesis& h = two[j];
    MeasuredStand m;
    for (int round = 0; round < 3; ++round) {
      m = measure(h, two[1 - j]);
      h.table_from_stand = m.stand.table_from_stand;
    }
    constexpr double kTooDeep_in = 0.1;  // contact, and the doubt of both
    // If one of them is the original detection, the other was merely missing.
    constexpr double kSame_in = 0.15;  // what the outline may move, and its doubt
    if (in_others(h, kTooDeep_in) || !IsBelievable(look, h, m) ||
        Distance(h.table_from_stand.origin, one.table_from_stand.origin) < kSame_in)
      return {};
    together += m.evidence;
  }
  // A single stand gives each of the two at most half its evidence.
  constexpr double kMoreThanOne = 1.5;
  if (together < kMoreThanOne * evidence) return {};
  look.NoteDropped(
      one, fmt::format("two stand there: evidence {:.0f}, as one {:.0f}", together, evidence));
  return two;
}

}  // namespace fos
