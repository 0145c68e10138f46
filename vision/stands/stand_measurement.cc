// SPDX-License-Identifier: MIT
#include "vision/stands/stand_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "vision/stands/stand_fit.h"
#include "vision/stands/stand_outline.h"
#include "vision/stands/stand_packing.h"

namespace fos {

MeasuredStand MeasureStand(const StandLook& look, const StandHypothesis& h,
                           std::span<const StandHypothesis> others) {
  const KindSpec& kind = look.KindOf(h);
  std::vector<OutlineNeighbour> near;
  for (const StandHypothesis& other : others) {
    constexpr double kReach_in = 0.6;  // a ring about the base and what the outline may move
    const Box2 box = look.KindOf(other).footprint;
    const double depth =
        OverlapDepth(h.table_from_stand, kind.footprint, other.table_from_stand, box);
    // What lies a third of an inch in it is the stand itself or a rival for its place.
    constexpr double kSame_in = 0.34;
    if (&other != &h && depth > -kReach_in && depth < kSame_in)
      near.push_back({other.table_from_stand.origin,
                      Rotated({1, 0}, other.table_from_stand.heading_rad), box});
  }
  const Paint& side = look.paints.side(h.what.side);
  const Paint& bar = look.paints.bar(h.what.side, h.what.kind);
  OutlineRivals rivals;
  for (std::size_t k = 0; k < look.scenario.kinds.size(); ++k) {
    // A base of another size has another outline: that tells it already.
    constexpr double kAlike_in = 0.1;
    const Box2 box = look.scenario.kinds[k].footprint;
    if (static_cast<int>(k) != h.what.kind &&
        std::abs(box.width_in - kind.footprint.width_in) < kAlike_in &&
        std::abs(box.depth_in - kind.footprint.depth_in) < kAlike_in)
      rivals.bars.push_back(look.paints.bar(h.what.side, static_cast<int>(k)));
  }
  for (std::size_t k = 0; k < look.scenario.sides.size(); ++k)
    if (static_cast<int>(k) != h.what.side)
      rivals.sides.push_back(look.paints.side(static_cast<int>(k)));
  constexpr double kStrayed_in = 0.5;  // the ring about the base and what it may move
  const TerrainView terrain =
      look.terrain.Near(h.table_from_stand.origin, HalfDiagonal(kind.footprint) + kStrayed_in);
  const StandOutline outline = FitOutline(look.bgr, look.camera, kind, side, bar,
                                          h.table_from_stand, h.ground_in, near, rivals, terrain);
  const StandFit fit =
      FitStand(look.bgr, look.camera, kind, side, bar, outline, h.ground_in, near, terrain);
  StandObservation out;
  out.side = h.what.side;
  out.kind = h.what.kind;
  out.table_from_stand = fit.table_from_stand;
  out.footprint = kind.footprint;
  out.ground_in = h.ground_in;
  out.centre_cov = fit.centre_cov;
  out.heading_sigma_rad = fit.heading_sigma_rad;
  out.visible = outline.visible;
  out.confidence = 1 / (1 + std::exp(-4 * (h.score - look.options.least_score)));
  // Where the registration itself is unsure, so is everything that stands there.
  const ImagePoint at =
      ImageFromTable(look.camera, out.table_from_stand.origin, h.ground_in + kind.thickness_in);
  const auto registered = TableFromImage(look.camera, at, h.ground_in + kind.thickness_in, 0);
  if (registered.ok()) out.centre_cov = out.centre_cov + registered->cov;
  // Where the table itself has the paint's colour, what is like it beside the base is table; else
  // it is another stand of that side.
  constexpr double kStandsOut = 0.8;  // nats a pixel, figures counted in
  const bool may_be_table = h.top < kStandsOut;
  const auto least = [may_be_table](double alone, double patch) {
    return may_be_table ? std::min(alone, patch) : alone;
  };
  double top_evidence = least(outline.top_evidence, outline.patch_top_evidence);
  // A cloth is mottled over inches: less than this, nats a piece, is no paint.
  constexpr double kMottling_nats = 0.15;
  if (h.by_outline && may_be_table && top_evidence < kMottling_nats * outline.top_pieces)
    top_evidence = 0;
  return {out,
          least(outline.evidence, outline.patch_evidence),
          top_evidence,
          outline.top_pieces,
          fit.edges,
          outline.like,
          outline.open,
          outline.bar_seen,
          outline.bar_evidence,
          outline.side_evidence,
          DistanceSquared(side, outline.top.mean)};
}

std::vector<MeasuredStand> MeasureAll(const StandLook& look, std::vector<StandHypothesis>& stands,
                                      std::span<const StandHypothesis> fixed) {
  // Each needs to know where its neighbours are: from the paints first, then as they were measured.
  std::vector<StandHypothesis> all = stands;
  all.insert(all.end(), fixed.begin(), fixed.end());
  std::vector<MeasuredStand> measured(stands.size());
  constexpr int kSweeps = 2;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t i = 0; i < stands.size(); ++i) {
      measured[i] = MeasureStand(look, all[i], all);
      all[i].table_from_stand = measured[i].stand.table_from_stand;
    }
  }
  std::vector<MeasuredStand> out;
  std::vector<StandHypothesis> kept;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    if (!IsBelievable(look, stands[i], measured[i])) continue;
    out.push_back(measured[i]);
    kept.push_back(stands[i]);
  }
  stands = std::move(kept);
  return out;
}

std::vector<StandObservation> ObservationsOf(std::span<const MeasuredStand> measured) {
  std::vector<StandObservation> out;
  for (const MeasuredStand& m : measured) out.push_back(m.stand);
  return out;
}

bool LacksPaint(const StandHypothesis& h, const MeasuredStand& m) {
  // Nats a piece, an eighth of what one piece may say at most.
  constexpr double kPlain_nats = 0.5;
  return h.top < kLeastTop && m.top_evidence < kPlain_nats * m.top_pieces;
}

bool IsBelievable(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m) {
  // The search tries about e^12 poses a square: to be wrong once in some thousand squares the
  // picture must be e^20 times likelier with the stand than without it.
  constexpr double kLeastEvidence_nats = 20;
  // Of a base less than this of what no terrain hides is in view only where something else is
  // taken for it.
  constexpr double kLeastVisible = 0.4;
  const auto numbers = [&] {
    return fmt::format(
        "score {:.2f} (bar {:.2f}, top {:.2f}){}, evidence {:.0f} (top {:.0f}), visible {:.2f}, "
        "edges {:.2f}, "
        "bar seen {:.2f}, bar {:.0f}, side {:.0f} nats",
        h.score, h.bar, h.top, h.by_outline ? " by outline" : "", m.evidence, m.top_evidence,
        m.stand.visible, m.edges, m.bar_seen, m.bar_evidence, m.side_evidence);
  };
  // A line or a road's edge may pass for a bar: require evidence of the paint behind it too.
  constexpr double kLeastTop_nats = 10;
  if (m.evidence < kLeastEvidence_nats || m.top_evidence < kLeastTop_nats ||
      m.like < kLeastVisible * m.open) {
    look.NoteDropped(h, "little of it is in view: " + numbers());
    return false;
  }
  if (LacksPaint(h, m)) {
    look.NoteDropped(h, "nothing there looks like the side's paint: " + numbers());
    return false;
  }
  if (!h.by_outline && h.score >= look.options.least_score) return true;
  if (m.bar_evidence > -kUnexpectedStand_nats && m.side_evidence > -kUnexpectedStand_nats)
    return true;
  look.NoteDropped(h, "neither paint nor outline: " + numbers());
  return false;
}

bool IsBelievableAnywhere(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m) {
  // The scenario does not expect it, and a table has thousands of places: its paints, its own bar
  // and its outline must each give evidence.
  constexpr double kLeastEvidence_nats = 60;
  constexpr double kLeastBar_nats = 20;
  constexpr double kLeastSide_nats = 10;
  constexpr double kLeastEdges = 0.3;
  if (!IsBelievable(look, h, m)) return false;
  if (h.score >= kLeastStrangerScore && m.evidence >= kLeastEvidence_nats &&
      m.bar_evidence >= kLeastBar_nats && m.side_evidence >= kLeastSide_nats &&
      m.edges >= kLeastEdges)
    return true;
  look.NoteDropped(
      h, fmt::format("no stranger: score {:.2f}, evidence {:.0f}, bar {:.0f}, side {:.0f} "
                     "nats, edges {:.2f}",
                     h.score, m.evidence, m.bar_evidence, m.side_evidence, m.edges));
  return false;
}

void SeparateFootprints(std::vector<StandObservation>& stands) {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < stands.size(); ++i) {
      for (std::size_t j = i + 1; j < stands.size(); ++j) {
        StandObservation& a = stands[i];
        StandObservation& b = stands[j];
        const Vec2 apart = b.table_from_stand.origin - a.table_from_stand.origin;
        if (Norm(apart) > HalfDiagonal(a.footprint) + HalfDiagonal(b.footprint)) continue;
        const double depth =
            OverlapDepth(a.table_from_stand, a.footprint, b.table_from_stand, b.footprint);
        if (depth <= 0) continue;
        // The side of a that b is nearest to.
        const Vec2 local = Rotated(apart, -a.table_from_stand.heading_rad);
        const double over_x = std::abs(local.x) / a.footprint.width_in;
        const double over_y = std::abs(local.y) / a.footprint.depth_in;
        const Vec2 side =
            over_x > over_y ? Vec2{local.x > 0 ? 1.0 : -1.0, 0} : Vec2{0, local.y > 0 ? 1.0 : -1.0};
        const Vec2 axis = Rotated(side, a.table_from_stand.heading_rad);
        const double va = VarianceAlong(a.centre_cov, axis) + 1e-9;
        const double vb = VarianceAlong(b.centre_cov, axis) + 1e-9;
        a.table_from_stand.origin = a.table_from_stand.origin - axis * (depth * va / (va + vb));
        b.table_from_stand.origin = b.table_from_stand.origin + axis * (depth * vb / (va + vb));
      }
    }
  }
}

}  // namespace fos
