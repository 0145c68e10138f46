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

// Moves a unit of two stands or more to where there is room. Returns its name; empty where there is
// none.
std::string MoveUnit(Draws& draws, WildTable& t) {
  std::vector<std::string> units;
  for (const UnitSpec& unit : t.scenario.units) {
    const auto here = std::count_if(t.stands.begin(), t.stands.end(),
                                    [&](const auto& s) { return s.unit == unit.id; });
    if (here >= 2) units.push_back(unit.id);
  }
  if (units.empty()) return {};
  const std::string unit = draws.OneOf(units);
  Vec2 sum;
  double count = 0;
  for (const StandObservation& s : t.stands) {
    if (s.unit != unit) continue;
    sum = sum + s.table_from_stand.origin;
    ++count;
  }
  const Vec2 middle = sum / count;
  // Whether a base lies on the table and apart from all else: looked at by points on it.
  const auto clear = [&](const StandObservation& stand) {
    constexpr double kApart_in = 0.15;
    for (const double x : {-0.5, 0.0, 0.5}) {
      for (const double y : {-0.5, 0.0, 0.5}) {
        const Vec2 at = stand.table_from_stand *
                        Vec2{x * stand.footprint.width_in, y * stand.footprint.depth_in};
        if (!t.table.frame.Contains(at)) return false;
        for (const TerrainArea& area : t.scenario.terrain)
          if (DistanceTo(area.polygon, at) < kApart_in) return false;
        for (const StandObservation& s : t.stands) {
          if (s.unit != unit &&
              DistanceTo(ToPolygon(Corners(s.table_from_stand, s.footprint)), at) < kApart_in)
            return false;
        }
      }
    }
    return true;
  };
  constexpr int kTries = 300;
  for (int k = 0; k < kTries; ++k) {
    const Pose2 to{
        {draws.Uniform(0, 1) * t.table.frame.Width(), draws.Uniform(0, 1) * t.table.frame.Depth()},
        draws.Uniform(-0.25, 0.25) * std::numbers::pi};
    constexpr double kLeast_in = 1;
    if (Distance(to.origin, middle) < kLeast_in) continue;
    std::vector<StandObservation> moved = t.stands;
    bool fits = true;
    for (StandObservation& s : moved) {
      if (s.unit != unit) continue;
      constexpr double kByEye_in = 0.02;
      constexpr double kByEye_rad = 0.03;
      const Pose2 from{s.table_from_stand.origin - middle, s.table_from_stand.heading_rad};
      s.table_from_stand = to * from;
      s.table_from_stand.origin =
          s.table_from_stand.origin +
          Vec2{draws.Uniform(-kByEye_in, kByEye_in), draws.Uniform(-kByEye_in, kByEye_in)};
      s.table_from_stand.heading_rad += draws.Uniform(-kByEye_rad, kByEye_rad);
      s.ground_in = 0;
      fits = fits && clear(s);
    }
    if (!fits) continue;
    t.stands = std::move(moved);
    return unit;
  }
  return {};
}

// The mean of a few frames once everything has lain still for half a second, as a referee looks at
// a table: what the camera keeps of its last pictures has faded by then.
cv::Mat Seen(WildCamera& camera, const cv::Mat& focused, double fps, int first_frame) {
  constexpr double kStill_s = 0.5;
  int frame = first_frame;
  for (; frame < first_frame + kStill_s * fps; ++frame) camera.Next(focused, frame / fps);
  cv::Mat sum(focused.size(), CV_32FC3, cv::Scalar::all(0));
  constexpr int kFrames = 5;
  for (int i = 0; i < kFrames; ++i) cv::accumulate(camera.Next(focused, (frame + i) / fps), sum);
  cv::Mat out;
  sum.convertTo(out, CV_8UC3, 1.0 / kFrames);
  return out;
}

}  // namespace

WildStands MakeWildStands(std::uint32_t seed, bool moves) {
  WildStands out;
  const Draws start(seed * 131U + 7U);
  Draws draws = start;
  out.made = MakeWildTable(seed, [&](WildTable& table) { Misplace(draws, table, out); });
  WildTable& t = out.made;
  const int junk = draws.Below(4);
  std::vector<WildSolid> lying;
  for (int i = 0; i < junk; ++i) {
    const WildThing thing = DropWildJunk(t, draws.OneOf(JunkClasses(false)), draws);
    t.scene.solids.insert(t.scene.solids.end(), thing.solids.begin(), thing.solids.end());
    lying.insert(lying.end(), thing.solids.begin(), thing.solids.end());
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
  out.bgr = Seen(camera, focused, t.fps, 0);
  out.light = fmt::format("{}, {}", t.light, optics.CoderName());
  if (!moves) return out;

  WildMove move;
  WildStands again;
  Draws as_before = start;
  Draws way(seed * 131U + 8U);
  WildTable after = MakeWildTable(seed, [&](WildTable& table) {
    Misplace(as_before, table, again);
    move.unit = MoveUnit(way, table);
  });
  if (move.unit.empty()) return out;
  after.scene.solids.insert(after.scene.solids.end(), lying.begin(), lying.end());
  for (StandObservation& stand : after.stands) stand.visible = TopInView(after, stand);
  const cv::Mat light_after =
      LightAt(Rendered(after.camera, after.scene, whole), after.scene, after.moment);
  const cv::Mat focused_after = camera.Focused(light_after);
  move.bgr = Seen(camera, focused_after, t.fps, 30);
  move.stands = after.stands;
  // What the camera would show another way, and a little about it.
  cv::Mat off;
  cv::absdiff(focused_after, focused, off);
  cv::Mat most;
  cv::transform(off, most, cv::Matx13f(1, 1, 1));
  cv::Mat bright;
  cv::transform(focused, bright, cv::Matx13f(1, 1, 1));
  constexpr double kPlainly = 0.1;  // of the light there
  move.changed = most > kPlainly * bright;
  cv::dilate(move.changed, move.changed, cv::Mat::ones(5, 5, CV_8UC1));
  out.move = std::move(move);
  return out;
}

}  // namespace fos
