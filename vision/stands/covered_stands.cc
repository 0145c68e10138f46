// SPDX-License-Identifier: MIT
#include "vision/stands/covered_stands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vision/appearance/local_colours.h"

namespace fos {
namespace {

// The table about a place where a stand was, by cells.
struct About {
  std::vector<PaintColour> on_base;
  std::vector<PaintColour> beside;  // the cloth beside it that no stand covers
  std::size_t changed_beside = 0;
  std::vector<PaintColour> cloth;  // as it was, further off
};

About LookAbout(const StandLook& look, const StandObservation& gone,
                std::span<const StandObservation> known, const cv::Mat& changed) {
  constexpr double kCell_in = 0.1;
  constexpr double kRim_in = 0.08;     // a base's edge is blurred
  constexpr double kFrom_in = 0.2;     // a base's own shadow is nearer
  constexpr double kBeside_in = 0.75;  // figures' shadows fall further, but to one side alone
  constexpr double kCloth_in = 4;      // in the same light
  const double half_x = gone.footprint.width_in / 2, half_y = gone.footprint.depth_in / 2;
  const double reach = std::hypot(half_x + kCloth_in, half_y + kCloth_in);
  std::vector<Polygon> bases;
  for (const StandObservation& o : known) {
    const Box2 about{o.footprint.width_in + 2 * kFrom_in, o.footprint.depth_in + 2 * kFrom_in};
    if (Distance(o.table_from_stand.origin, gone.table_from_stand.origin) >
        reach + HalfDiagonal(about))
      continue;
    bases.push_back(ToPolygon(Corners(o.table_from_stand, about)));
  }
  const auto on_a_base = [&](Vec2 at) {
    return std::any_of(bases.begin(), bases.end(),
                       [&](const Polygon& base) { return Contains(base, at); });
  };
  const TerrainView terrain = look.terrain.Near(gone.table_from_stand.origin, reach);
  About out;
  for (double y = -half_y - kCloth_in; y < half_y + kCloth_in; y += kCell_in) {
    for (double x = -half_x - kCloth_in; x < half_x + kCloth_in; x += kCell_in) {
      const double off = std::max(std::abs(x) - half_x, std::abs(y) - half_y);
      if (off > -kRim_in && off < kFrom_in) continue;
      const Vec2 at = gone.table_from_stand * Vec2{x, y};
      const ImagePoint p = ImageFromTable(look.camera, at, gone.ground_in);
      const int px = cvRound(p.x_px), py = cvRound(p.y_px);
      if (px < 0 || py < 0 || px >= look.bgr.cols || py >= look.bgr.rows) continue;
      if (terrain.Hides(at, gone.ground_in)) continue;
      const PaintColour colour = PaintColourOf(look.bgr.at<cv::Vec3b>(py, px));
      if (off < 0) {
        out.on_base.push_back(colour);
        continue;
      }
      const bool is_changed = changed.at<std::uint8_t>(py, px) != 0;
      if (off > kBeside_in && is_changed) continue;
      if (on_a_base(at)) continue;
      if (off > kBeside_in) {
        out.cloth.push_back(colour);
      } else {
        out.beside.push_back(colour);
        out.changed_beside += is_changed ? 1 : 0;
      }
    }
  }
  return out;
}

double ShareOf(const Paint& cloth, const std::vector<PaintColour>& colours) {
  constexpr float kGate = 9;  // three sigma
  const auto like = std::count_if(colours.begin(), colours.end(),
                                  [&](PaintColour c) { return DistanceSquared(cloth, c) < kGate; });
  return static_cast<double>(like) / static_cast<double>(colours.size());
}

// before  it was covered when it was last looked for
bool IsCovered(const About& about, bool before) {
  // Shadows of figures that were taken lie on two sides of a base at most, and are cloth now.
  constexpr double kAllAbout = 0.8;
  constexpr double kMost = 0.5;
  constexpr std::size_t kLeast = 20;  // cells: of the rest too little is in view
  constexpr std::size_t kSamples = 48;
  if (std::min({about.on_base.size(), about.beside.size(), about.cloth.size()}) < kLeast)
    return false;
  const auto cells = static_cast<double>(about.beside.size());
  if (!before && static_cast<double>(about.changed_beside) < kAllAbout * cells) return false;
  std::vector<PaintColour> some;
  for (std::size_t i = 0; i < kSamples; ++i)
    some.push_back(about.cloth[i * about.cloth.size() / kSamples]);
  const Paint cloth = Ground(std::move(some)).Middle();
  return ShareOf(cloth, about.on_base) < kMost && ShareOf(cloth, about.beside) < kMost;
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

}  // namespace fos
