// SPDX-License-Identifier: MIT
#include "vision/stands/covered_stands.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <set>
#include <utility>

#include "vision/appearance/local_colours.h"
#include "vision/scene/stand_scene.h"
#include "vision/stands/moved_stands.h"

namespace fos {
namespace {

// A cell of the table: what is seen there, and whether the picture has changed.
struct Cell {
  PaintColour colour;
  bool changed = false;
};

// The table about a place where a stand is or was, by cells.
struct About {
  std::vector<Cell> on_base;       // those that no other stand's figures hide
  std::vector<Cell> beside;        // the cloth beside it that no stand covers
  std::vector<PaintColour> cloth;  // as it was, further off
};

// stands  all that stand about it; may hold the stand itself
About LookAbout(const StandLook& look, const StandObservation& stand,
                std::span<const StandObservation> stands, const cv::Mat& changed) {
  constexpr double kCell_in = 0.1;
  constexpr double kRim_in = 0.08;     // a base's edge is blurred
  constexpr double kFrom_in = 0.2;     // a base's own shadow is nearer
  constexpr double kBeside_in = 0.75;  // figures' shadows fall further, but to one side alone
  constexpr double kCloth_in = 4;      // in the same light
  const double half_x = stand.footprint.width_in / 2, half_y = stand.footprint.depth_in / 2;
  const double reach = std::hypot(half_x + kCloth_in, half_y + kCloth_in);
  std::vector<Polygon> bases;
  std::vector<StandObservation> others;
  for (const StandObservation& o : stands) {
    const Box2 about{o.footprint.width_in + 2 * kFrom_in, o.footprint.depth_in + 2 * kFrom_in};
    if (Distance(o.table_from_stand.origin, stand.table_from_stand.origin) >
        reach + HalfDiagonal(about))
      continue;
    bases.push_back(ToPolygon(Corners(o.table_from_stand, about)));
    if (o.stand != stand.stand) others.push_back(o);
  }
  const cv::Mat by_others = CoveredBy(others, look.scenario, look.camera);
  const auto on_a_base = [&](Vec2 at) {
    return std::any_of(bases.begin(), bases.end(),
                       [&](const Polygon& base) { return Contains(base, at); });
  };
  const TerrainView terrain = look.terrain.Near(stand.table_from_stand.origin, reach);
  About out;
  for (double y = -half_y - kCloth_in; y < half_y + kCloth_in; y += kCell_in) {
    for (double x = -half_x - kCloth_in; x < half_x + kCloth_in; x += kCell_in) {
      const double off = std::max(std::abs(x) - half_x, std::abs(y) - half_y);
      if (off > -kRim_in && off < kFrom_in) continue;
      const Vec2 at = stand.table_from_stand * Vec2{x, y};
      const ImagePoint p = ImageFromTable(look.camera, at, stand.ground_in);
      const int px = cvRound(p.x_px), py = cvRound(p.y_px);
      if (px < 0 || py < 0 || px >= look.bgr.cols || py >= look.bgr.rows) continue;
      if (terrain.Hides(at, stand.ground_in)) continue;
      const Cell cell{PaintColourOf(look.bgr.at<cv::Vec3b>(py, px)),
                      changed.at<std::uint8_t>(py, px) != 0};
      if (off < 0) {
        if (by_others.at<std::uint8_t>(py, px) == 0) out.on_base.push_back(cell);
        continue;
      }
      if (off > kBeside_in && cell.changed) continue;
      if (on_a_base(at)) continue;
      if (off > kBeside_in) {
        out.cloth.push_back(cell.colour);
      } else {
        out.beside.push_back(cell);
      }
    }
  }
  return out;
}

constexpr std::size_t kLeastCells = 20;  // of the rest too little is in view

Ground GroundOf(const std::vector<PaintColour>& seen) {
  constexpr std::size_t kSamples = 48;
  std::vector<PaintColour> some;
  for (std::size_t i = 0; i < kSamples; ++i) some.push_back(seen[i * seen.size() / kSamples]);
  return Ground(std::move(some));
}

// The table's colours about a place, in light and in shade. What no change has touched right beside
// it tells more than what lies further off: a road, a field. Empty where too little is in view.
std::optional<Ground> GroundAbout(const About& about) {
  std::vector<PaintColour> seen;
  for (const Cell& cell : about.beside)
    if (!cell.changed) seen.push_back(cell.colour);
  if (seen.size() < kLeastCells) seen = about.cloth;
  if (seen.size() < kLeastCells) return std::nullopt;
  return GroundOf(seen);
}

template <class Which>
double ShareOf(const std::vector<Cell>& cells, const Which& which) {
  return static_cast<double>(std::count_if(cells.begin(), cells.end(), which)) /
         static_cast<double>(std::max<std::size_t>(cells.size(), 1));
}

// How much of what lies about a place is neither the table nor as it was.
double NewBeside(const About& about, const Ground& ground) {
  return ShareOf(about.beside,
                 [&](const Cell& c) { return c.changed && ground(c.colour) <= kAnyColour; });
}

// The picture's pixels on a stand's base, one for each tenth of an inch.
std::vector<cv::Point> PixelsOf(const StandLook& look, const StandObservation& stand) {
  constexpr double kStep_in = 0.1;
  const double top_in =
      stand.ground_in + look.scenario.kinds.at(static_cast<std::size_t>(stand.kind)).thickness_in;
  const double half_x = stand.footprint.width_in / 2, half_y = stand.footprint.depth_in / 2;
  std::vector<cv::Point> out;
  for (double y = -half_y; y <= half_y; y += kStep_in) {
    for (double x = -half_x; x <= half_x; x += kStep_in) {
      const ImagePoint p = ImageFromTable(look.camera, stand.table_from_stand * Vec2{x, y}, top_in);
      const cv::Point px(cvRound(p.x_px), cvRound(p.y_px));
      if (cv::Rect({}, look.bgr.size()).contains(px)) out.push_back(px);
    }
  }
  return out;
}

bool IsLit(const Paint& cloth, PaintColour c) {
  constexpr float kGate = 9;  // three sigma
  return DistanceSquared(cloth, c) < kGate;
}

// Whether something lies over a place and all about it that is no cloth in the light. Shadows of
// figures that were taken lie on two sides of a base at most.
// before  as in IsCovered
bool LiesAllAbout(const About& about, bool before) {
  constexpr double kAllAbout = 0.8;
  constexpr double kMost = 0.5;
  if (std::min({about.on_base.size(), about.beside.size(), about.cloth.size()}) < kLeastCells)
    return false;
  if (!before && ShareOf(about.beside, [](const Cell& c) { return c.changed; }) < kAllAbout)
    return false;
  const Paint cloth = GroundOf(about.cloth).Middle();
  const auto is_lit_cloth = [&](const Cell& c) { return IsLit(cloth, c.colour); };
  return ShareOf(about.on_base, is_lit_cloth) < kMost &&
         ShareOf(about.beside, is_lit_cloth) < kMost;
}

// Whether something covers a stand that is not seen any more.
// before  it was covered when it was last looked for
bool IsCovered(const About& about, bool before) {
  if (LiesAllAbout(about, before)) return true;
  const std::optional<Ground> ground = GroundAbout(about);
  if (!ground || std::min(about.on_base.size(), about.beside.size()) < kLeastCells) return false;
  // Who takes a stand takes all of it, and most of its place is bare: where a part of it is as it
  // was, the stand is there, and something lies over the rest. A paint like the cloth in shade
  // would have changed.
  constexpr double kMostBare = 0.5;
  const auto is_as_it_was = [&](const Cell& c) {
    return !c.changed && !IsLit(ground->Middle(), c.colour);
  };
  const auto is_bare = [&](const Cell& c) {
    return !is_as_it_was(c) && (*ground)(c.colour) > kAnyColour;
  };
  if (ShareOf(about.on_base, is_bare) >= kMostBare) return false;
  const auto as_it_was = std::count_if(about.on_base.begin(), about.on_base.end(), is_as_it_was);
  if (!before && static_cast<std::size_t>(as_it_was) >= kLeastCells) return true;
  // What lies in its place, as a marker does, is no larger than it was.
  constexpr double kBeyond = 0.2;
  return before || NewBeside(about, *ground) >= kBeyond;
}

}  // namespace

std::vector<StandObservation> CoveredStands(const StandLook& look,
                                            std::span<const StandObservation> gone,
                                            std::span<const StandId> covered,
                                            std::span<const StandObservation> known,
                                            const cv::Mat& changed) {
  std::vector<StandObservation> out;
  if (changed.empty()) return out;
  for (const StandObservation& o : gone) {
    const bool before = std::find(covered.begin(), covered.end(), o.stand) != covered.end();
    if (IsCovered(LookAbout(look, o, known, changed), before)) out.push_back(o);
  }
  return out;
}

void DropAroundCovered(const StandLook& look, std::span<const StandObservation> covered,
                       const cv::Mat& changed, std::vector<StandObservation>& found) {
  if (covered.empty() || found.empty()) return;
  cv::Mat regions;
  cv::connectedComponents(changed, regions, 8, CV_32S);
  // The regions of a stand's place, but for cloth that has not changed.
  const auto regions_of = [&](const StandObservation& o) {
    std::set<int> out;
    for (const cv::Point& p : PixelsOf(look, o))
      if (const int region = regions.at<int>(p); region != 0) out.insert(region);
    return out;
  };
  std::set<int> of_covers;
  for (const StandObservation& o : covered) of_covers.merge(regions_of(o));
  std::erase_if(found, [&](const StandObservation& o) {
    const std::set<int> own = regions_of(o);
    const bool is_part = std::any_of(own.begin(), own.end(),
                                     [&](int region) { return of_covers.count(region) > 0; });
    if (is_part) look.NoteDropped(AsHypothesis(o), "is a part of what covers a stand");
    return is_part;
  });
}

}  // namespace fos
