// SPDX-License-Identifier: MIT
#include "datasets/sweep/wild_stands.h"

#include <algorithm>
#include <numbers>
#include <vector>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

void Misplace(Draws& draws, WildTable& t, WildStands& out) {
  const int forgotten = draws.Below(3);
  for (int i = 0; i < forgotten && t.stands.size() > 4; ++i) {
    t.stands.erase(t.stands.begin() + draws.Below(static_cast<int>(t.stands.size())));
    ++out.absent;
  }
  constexpr double kStranger = 0.2;  // of the tables
  if (!draws.Happens(kStranger)) return;
  const TableFrame& frame = t.table.frame;
  const SquareIndex square{draws.Below(frame.columns), draws.Below(frame.rows)};
  const auto here = [&](const UnitSpec& unit) {
    return unit.square.column == square.column && unit.square.row == square.row;
  };
  const auto covers = [&](const TerrainArea& area) {
    return Contains(area.polygon, frame.CentreOf(square));
  };
  if (std::any_of(t.scenario.units.begin(), t.scenario.units.end(), here) ||
      std::any_of(t.scenario.terrain.begin(), t.scenario.terrain.end(), covers))
    return;
  StandObservation s;
  s.side = draws.Below(static_cast<int>(t.scenario.sides.size()));
  s.kind = draws.Below(static_cast<int>(t.scenario.kinds.size()));
  s.stand.text = "stranger";
  s.footprint = t.scenario.kinds[static_cast<std::size_t>(s.kind)].footprint;
  s.table_from_stand = {frame.CentreOf(square), draws.Uniform(-1, 1) * std::numbers::pi};
  t.stands.push_back(s);
  ++out.strangers;
}

// Of the top of a base, past figures, trees and whatever lies on it.
double TopInView(const WildTable& t, const StandObservation& stand) {
  const double top = t.scenario.kinds[static_cast<std::size_t>(stand.kind)].thickness_in;
  std::vector<cv::Vec3d> points;
  constexpr int kAcross = 12;
  for (int i = 0; i < kAcross; ++i) {
    for (int j = 0; j < kAcross; ++j) {
      const Vec2 at =
          stand.table_from_stand * Vec2{((i + 0.5) / kAcross - 0.5) * stand.footprint.width_in,
                                        ((j + 0.5) / kAcross - 0.5) * stand.footprint.depth_in};
      points.emplace_back(at.x, at.y, stand.ground_in + top);
    }
  }
  return ShareInView(t.camera, t.scene, points);
}

}  // namespace

WildStands MakeWildStands(std::uint32_t seed) {
  WildStands out;
  Draws draws(seed * 131U + 7U);
  out.made = MakeWildTable(seed, [&](WildTable& table) { Misplace(draws, table, out); });
  WildTable& t = out.made;
  const int junk = draws.Below(4);
  for (int i = 0; i < junk; ++i) {
    const WildThing thing = DropWildJunk(t, draws.OneOf(JunkClasses(false)), draws);
    t.scene.solids.insert(t.scene.solids.end(), thing.solids.begin(), thing.solids.end());
  }
  for (StandObservation& stand : t.stands) stand.visible = TopInView(t, stand);

  const cv::Rect whole(0, 0, t.camera.lens.width_px, t.camera.lens.height_px);
  const cv::Mat light = LightAt(Rendered(t.camera, t.scene, whole), t.scene, t.moment);
  WildOptics optics = DrawOptics(light, t.light == "dim", draws);
  optics.axis_px = {t.camera.lens.cx_px, t.camera.lens.cy_px};
  constexpr double kCornerOfFocal = 0.6;  // 16:9 at the lens's angle of view
  optics.corner_px = kCornerOfFocal * t.camera.lens.fx_px;
  WildCamera camera(optics, seed);
  const cv::Mat focused = camera.Focused(light);
  cv::Mat sum(focused.size(), CV_32FC3, cv::Scalar::all(0));
  constexpr int kFrames = 5;
  for (int i = 0; i < kFrames; ++i) cv::accumulate(camera.Next(focused, i / t.fps), sum);
  sum.convertTo(out.bgr, CV_8UC3, 1.0 / kFrames);
  out.light = fmt::format("{}, {}", t.light, optics.CoderName());
  return out;
}

}  // namespace fos
