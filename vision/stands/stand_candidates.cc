// SPDX-License-Identifier: MIT
#include "vision/stands/stand_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "vision/image/in_parallel.h"
#include "vision/image/rectify.h"
#include "vision/stands/stand_groups.h"
#include "vision/stands/stand_packing.h"

namespace fos {
namespace {

// The table about a place. What stands between it and the camera there is no paint of a base: a
// dark crown of a tree would pass for a gun's black bar.
TablePatch PatchInView(const StandLook& look, Vec2 centre, double half_in, double ppi,
                       double height_in) {
  TablePatch patch =
      RectifyPatch(look.bgr, look.blind, look.camera, centre, half_in, ppi, height_in);
  const TerrainView terrain = look.terrain.Near(centre, half_in * M_SQRT2);
  if (terrain.empty()) return patch;
  for (int r = 0; r < patch.seen.rows; ++r) {
    for (int c = 0; c < patch.seen.cols; ++c)
      if (terrain.Hides(patch.TableFromPixel(c, r), height_in))
        patch.seen.at<std::uint8_t>(r, c) = 0;
  }
  return patch;
}

// The footprints of those that lie within half_in of a place.
TakenFootprints TakenNear(const StandLook& look, Vec2 centre, double half_in,
                          std::span<const StandHypothesis> others) {
  TakenFootprints taken;
  for (const StandHypothesis& o : others) {
    const Box2 box = look.KindOf(o).footprint;
    if (Distance(o.table_from_stand.origin, centre) < half_in * M_SQRT2 + HalfDiagonal(box))
      taken.push_back(ToPolygon(Corners(o.table_from_stand, box)));
  }
  return taken;
}

}  // namespace

ScoredPatch ScorePlacesNear(const StandLook& look, Vec2 centre, double half_in, StandClass what,
                            std::span<const double> headings,
                            std::span<const StandHypothesis> others) {
  const double top = look.GroundAt(centre) +
                     look.scenario.kinds.at(static_cast<std::size_t>(what.kind)).thickness_in;
  ScoredPatch out{PatchInView(look, centre, half_in, look.options.search_px_per_in, top), {}};
  out.headings = ScoreEverywhere(out.patch, look.paints, look.scenario, what, headings,
                                 TakenNear(look, centre, half_in, others));
  return out;
}

std::vector<StandHypothesis> FindCandidates(const StandLook& look, Vec2 centre, double half_in,
                                            std::span<const StandClass> classes,
                                            std::span<const double> headings,
                                            std::span<const StandHypothesis> others,
                                            double least_score, BarCounts bar) {
  std::vector<StandHypothesis> candidates;
  if (classes.empty()) return candidates;
  const TakenFootprints taken = TakenNear(look, centre, half_in, others);
  std::vector<double> grounds{0};
  for (const TerrainArea& area : look.scenario.terrain) {
    if (IsHill(area) && DistanceTo(area.polygon, centre) < half_in * M_SQRT2 &&
        std::find(grounds.begin(), grounds.end(), area.height_in) == grounds.end())
      grounds.push_back(area.height_in);
  }
  for (const double ground : grounds) {
    const double top =
        ground + look.scenario.kinds.at(static_cast<std::size_t>(classes[0].kind)).thickness_in;
    const TablePatch patch = PatchInView(look, centre, half_in, look.options.search_px_per_in, top);
    const TerrainView terrain = look.terrain.Near(centre, half_in * M_SQRT2);
    for (StandHypothesis& h :
         SearchStands(patch, look.paints, look.scenario, classes, headings, taken, least_score,
                      bar)) {
      if (!look.table.frame.Contains(h.table_from_stand.origin)) continue;
      if (std::abs(look.GroundAt(h.table_from_stand.origin) - ground) > 1e-6) continue;
      // Bases touch walls, candidates are right to a tenth of an inch, and outlines of terrain are
      // drawn by people.
      constexpr double kWithin_in = 0.2;
      const Box2 box = look.KindOf(h).footprint;
      const Box2 core{std::max(0.1, box.width_in - 2 * kWithin_in),
                      std::max(0.1, box.depth_in - 2 * kWithin_in)};
      if (!terrain.empty() && terrain.Fills(h.table_from_stand, core)) continue;
      h.ground_in = ground;
      candidates.push_back(h);
    }
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const auto& a, const auto& b) { return a.score > b.score; });
  return candidates;
}

std::vector<StandHypothesis> SearchPaints(
    const StandLook& look, Vec2 centre, double half_in, std::span<const StandClass> classes,
    std::span<const double> headings, std::span<const StandHypothesis> others, double least_score,
    const std::function<bool(const StandHypothesis&)>& may_stand) {
  std::vector<StandHypothesis> candidates =
      FindCandidates(look, centre, half_in, classes, headings, others, least_score);
  if (may_stand) std::erase_if(candidates, std::not_fn(may_stand));
  // The packing is quadratic in the candidates; the best of them hold every stand of a square
  // several times over.
  constexpr std::size_t kMost = 160;
  if (candidates.size() > kMost) candidates.resize(kMost);
  std::vector<StandHypothesis> out;
  for (const std::size_t i : SolveSetPacking(candidates, look.scenario, 0.8 * least_score))
    out.push_back(candidates[i]);
  return out;
}

StandHypothesis RefineStand(const StandLook& look, const StandHypothesis& h,
                            std::span<const StandHypothesis> others) {
  const KindSpec& kind = look.KindOf(h);
  const double top = h.ground_in + kind.thickness_in;
  TakenFootprints taken;
  for (const StandHypothesis& other : others) {
    const Box2 box = look.KindOf(other).footprint;
    if (&other != &h &&
        OverlapDepth(h.table_from_stand, kind.footprint, other.table_from_stand, box) > -0.5)
      taken.push_back(ToPolygon(Corners(other.table_from_stand, box)));
  }
  const double ppi = std::clamp(PixelsPerInch(look.camera, h.table_from_stand.origin, top),
                                look.options.search_px_per_in, 2 * look.options.search_px_per_in);
  const TablePatch patch =
      PatchInView(look, h.table_from_stand.origin, HalfDiagonal(kind.footprint) + 0.3, ppi, top);
  StandHypothesis out =
      RefineOnPaints(patch, look.paints, look.scenario, h.what, h.table_from_stand, taken);
  out.ground_in = h.ground_in;
  return out;
}

namespace {

constexpr double kOverlap_in = 0.04;  // half a search pixel

double OverlapOf(const StandLook& look, const StandHypothesis& a, const StandHypothesis& b) {
  return OverlapDepth(a.table_from_stand, look.KindOf(a).footprint, b.table_from_stand,
                      look.KindOf(b).footprint);
}

// Searches again, beside the others, for each stand that lies in another.
void PartOverlapping(const StandLook& look, std::vector<StandHypothesis>& stands,
                     std::span<const StandHypothesis> fixed) {
  constexpr int kSweeps = 2;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (StandHypothesis& h : stands) {
      if (h.by_outline) continue;
      const KindSpec& kind = look.KindOf(h);
      TakenFootprints taken;
      bool overlaps = false;
      const auto beside = [&](const StandHypothesis& other) {
        if (&other == &h) return;
        const Box2 box = look.KindOf(other).footprint;
        const double depth =
            OverlapDepth(h.table_from_stand, kind.footprint, other.table_from_stand, box);
        overlaps = overlaps || depth > kOverlap_in;
        if (depth > -1) taken.push_back(ToPolygon(Corners(other.table_from_stand, box)));
      };
      for (const StandHypothesis& other : stands) beside(other);
      for (const StandHypothesis& other : fixed) beside(other);
      if (!overlaps) continue;
      const TablePatch patch =
          PatchInView(look, h.table_from_stand.origin, HalfDiagonal(kind.footprint) + 0.45,
                      look.options.search_px_per_in, h.ground_in + kind.thickness_in);
      std::vector<double> headings;
      AddHeadings(headings, h.table_from_stand.heading_rad, 4 * kDegree, 2 * kDegree);
      const std::array<StandClass, 1> what{h.what};
      const auto summits =
          SearchStands(patch, look.paints, look.scenario, what, headings, taken, -1);
      if (summits.empty()) continue;
      h.table_from_stand = summits.front().table_from_stand;
      h.score = summits.front().score;
    }
  }
}

}  // namespace

void DropWithinStronger(const StandLook& look, std::vector<StandHypothesis>& stands,
                        const std::function<bool(const StandHypothesis&)>& may_drop) {
  const auto is_strong = [&](const StandHypothesis& h) {
    return h.score >= look.options.least_score_unexpected;
  };
  const std::vector<StandHypothesis> all = stands;
  std::erase_if(stands, [&](const StandHypothesis& h) {
    if (is_strong(h) || !may_drop(h)) return false;
    const bool within = std::any_of(all.begin(), all.end(), [&](const StandHypothesis& other) {
      return is_strong(other) && OverlapOf(look, h, other) > kOverlap_in;
    });
    if (within) look.NoteDropped(h, "lies in a stronger one");
    return within;
  });
}

void SettleStands(const StandLook& look, std::vector<StandHypothesis>& stands,
                  std::span<const StandHypothesis> fixed) {
  constexpr double kGap_in = 0.8;  // rims are 0.14 in wide, and a stand may move half an inch
  PreparePaints(look, stands);
  const std::vector<std::vector<std::size_t>> groups = GroupsApart(look, stands, kGap_in);
  InParallel(groups.size(), [&](std::size_t g) {
    std::vector<StandHypothesis> group;
    for (const std::size_t i : groups[g]) group.push_back(stands[i]);
    PartOverlapping(look, group, fixed);
    std::vector<StandHypothesis> all = group;
    all.insert(all.end(), fixed.begin(), fixed.end());
    for (int sweep = 0; sweep < 3; ++sweep)
      for (std::size_t k = 0; k < group.size(); ++k)
        if (!group[k].by_outline) all[k] = group[k] = RefineStand(look, all[k], all);
    for (std::size_t k = 0; k < group.size(); ++k) stands[groups[g][k]] = group[k];
  });
  // Drop what has no evidence of its own without its neighbours' pixels.
  std::sort(stands.begin(), stands.end(),
            [](const auto& a, const auto& b) { return a.score > b.score; });
  std::vector<StandHypothesis> kept;
  constexpr double kSame_in = 0.3;
  for (const StandHypothesis& h : stands) {
    if (!h.by_outline && h.score < look.options.least_score) {
      look.NoteDropped(
          h, fmt::format("settled: score {:.2f} (bar {:.2f}, top {:.2f})", h.score, h.bar, h.top));
      continue;
    }
    const auto same = [&](const StandHypothesis& k) { return OverlapOf(look, h, k) > kSame_in; };
    if (std::any_of(kept.begin(), kept.end(), same) ||
        std::any_of(fixed.begin(), fixed.end(), same)) {
      look.NoteDropped(h, fmt::format("settled: lies in another, score {:.2f}", h.score));
      continue;
    }
    kept.push_back(h);
  }
  stands = std::move(kept);
}

}  // namespace fos
