// SPDX-License-Identifier: MIT
#include "datasets/render/wild_table.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "datasets/render/shot_table.h"
#include "datasets/render/srgb.h"
#include "datasets/render/wild_figure.h"

namespace fos {
namespace {

using std::numbers::pi;

// The colour of a black body's light relative to daylight's, roughly: blue, green, red.
cv::Vec3f LampColour(double kelvin) {
  const double warm = std::log2(6500 / kelvin);
  return {static_cast<float>(std::pow(2, -1.35 * warm)), 1,
          static_cast<float>(std::pow(2, 0.65 * warm))};
}

WildLamp DrawLamp(double side, double lowest_rad, Draws& draws) {
  WildLamp lamp;
  const double bearing = draws.Uniform(0, 2 * pi);
  const double up = draws.Uniform(lowest_rad, 1.3);
  lamp.towards = {std::cos(up) * std::cos(bearing), std::cos(up) * std::sin(bearing), std::sin(up)};
  lamp.size = draws.LogUniform(0.03, 0.35);
  lamp.brightest = {draws.Uniform(-0.5, 1.5) * side, draws.Uniform(-0.5, 1.5) * side};
  lamp.falls_off_in = draws.LogUniform(15, 80);
  const double kelvin = draws.LogUniform(2600, 6500);
  lamp.light = static_cast<float>(draws.Uniform(0.4, 0.8)) * LampColour(kelvin);
  return lamp;
}

void DrawLight(WildTable& t, double side, Draws& draws) {
  constexpr std::array<const char*, 5> kLights{"warm lamp", "one lamp", "two lamps", "hard sun",
                                               "dim"};
  t.light = draws.OneOf(kLights);
  WildLamp first = DrawLamp(side, 0.6, draws);
  const double sky = draws.Uniform(0.12, 0.5);
  t.scene.sky = static_cast<float>(sky) * LampColour(draws.LogUniform(3500, 9000));
  if (t.light == "warm lamp") first.light = 0.7F * LampColour(draws.Uniform(2300, 3000));
  if (t.light == "hard sun") {
    first = DrawLamp(side, 0.45, draws);
    first.size = draws.Uniform(0.006, 0.02);
    first.falls_off_in = 1e6;
    first.light = static_cast<float>(draws.Uniform(1, 2.5)) * LampColour(5400);
    t.scene.sky = static_cast<float>(draws.Uniform(0.15, 0.4)) * LampColour(9000);
    const double across = draws.Uniform(0, 2 * pi);
    SunEdge edge;
    edge.towards_light = {std::cos(across), std::sin(across)};
    edge.at_in =
        Dot(edge.towards_light, {draws.Uniform(0.2, 0.8) * side, draws.Uniform(0.2, 0.8) * side});
    edge.soft_in = draws.LogUniform(0.03, 0.4);
    t.moment.edge = edge;
    t.edge_creeps_in = (draws.Happens(0.5) ? 1 : -1) * draws.LogUniform(5e-4, 0.02);
  }
  t.scene.lamps = {first};
  if (t.light == "two lamps") t.scene.lamps.push_back(DrawLamp(side, 0.5, draws));
}

void PlaceBases(WildTable& t, Draws& draws) {
  int group = 0;
  for (const StandObservation& stand : t.stands) {
    const KindSpec& kind = t.scenario.kinds[static_cast<std::size_t>(stand.kind)];
    const cv::Vec3f paint =
        LightOfSrgb(t.scenario.sides[static_cast<std::size_t>(stand.side)].paint);
    const cv::Vec3f bar = LightOfSrgb(kind.bar);
    const double edge = stand.footprint.depth_in / 2 - kind.bar_depth_in;
    const std::uint32_t salt = draws.Seed();
    WildSolid base = UprightBlock(
        stand.table_from_stand, stand.footprint, 0, kind.thickness_in, 0.01,
        [=](const SurfacePoint& p) {
          const auto uneven =
              static_cast<float>(1 + 0.1 * SmoothNoise(p.own[0] / 0.04, p.own[1] / 0.04, salt) +
                                 0.08 * SmoothNoise(p.own[0] / 0.3, p.own[1] / 0.3, salt + 1));
          return cv::Vec3f((p.own[1] > edge && p.own[2] > 0 ? bar : paint) * uneven);
        });
    base.holds = true;
    t.scene.solids.push_back(base);
    const int count = kind.equipment || stand.footprint.width_in < 1 ? 1
                      : stand.footprint.depth_in > 1                 ? 2
                                                                     : 3;
    for (int i = 0; i < count; ++i) {
      const double x = ((i + 0.5) / count - 0.5) * stand.footprint.width_in;
      const Vec2 at = stand.table_from_stand *
                      Vec2{x + draws.Uniform(-0.05, 0.05), -0.12 * stand.footprint.depth_in};
      const double heading = stand.table_from_stand.heading_rad + pi / 2 + draws.Uniform(-0.3, 0.3);
      std::vector<WildSolid> parts =
          FigureAt(at, heading, kind.thickness_in, kind.equipment ? 0.7 : draws.Uniform(1, 1.25),
                   kind.equipment,
                   draws.Happens(0.7) ? cv::Vec3f(0.8F * paint) : PaintOf(90, 62, 42), draws);
      for (WildSolid& part : parts) {
        part.group = group;
        t.scene.solids.push_back(part);
      }
      ++group;
    }
  }
}

void PlaceTerrain(WildTable& t, Draws& draws) {
  for (const TerrainArea& area : t.scenario.terrain) {
    for (const TerrainObject& tree : area.objects) {
      if (!tree.circle) continue;
      const auto [centre, radius] = *tree.circle;
      t.scene.solids.push_back(Swept({{{centre.x, centre.y, 0.05}, 0.1},
                                      {{centre.x, centre.y, tree.height_in - radius}, 0.06}},
                                     Plain(PaintOf(88, 66, 46))));
      const cv::Vec3f leaf = PaintOf(70, 92, 44);
      for (int k = 0; k < 14; ++k) {
        const double a = draws.Uniform(0, 2 * pi);
        const double out = 0.8 * radius * std::sqrt(draws.Uniform(0, 1));
        const cv::Vec3d at(centre.x + out * std::cos(a), centre.y + out * std::sin(a),
                           tree.height_in - radius + draws.Uniform(-0.6, 0.7) * radius);
        WildSolid clump = Swept({{at, draws.Uniform(0.12, 0.22)}},
                                Plain(leaf * static_cast<float>(draws.Uniform(0.5, 1.5))));
        clump.uneven_in = 0.05;
        clump.salt = draws.Seed();
        t.scene.solids.push_back(Bounded(clump));
      }
    }
    if (area.type == "hill") {
      Vec2 low{1e9, 1e9};
      Vec2 high{-1e9, -1e9};
      for (const Vec2 p : area.polygon) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
      WildSolid hill = UprightBlock({0.5 * (low + high), 0}, {high.x - low.x, high.y - low.y}, 0,
                                    area.height_in, 0.15, {});
      hill.ground = true;
      hill.holds = true;
      t.scene.solids.push_back(hill);
    }
  }
}

Vec2 Somewhere(const WildTable& t, double margin, Draws& draws) {
  return {draws.Uniform(margin, t.table.frame.Width() - margin),
          draws.Uniform(margin, t.table.frame.Depth() - margin)};
}

constexpr int kTries = 200;

}  // namespace

WildTable MakeWildTable(std::uint32_t seed, const std::function<void(WildTable&)>& misplace) {
  const ShotTable plan = MakeShotTable(seed);
  Draws draws(seed);
  WildTable t;
  t.table = plan.table;
  t.scenario = plan.scenario;
  t.camera = plan.camera;
  t.lens = plan.lens;
  t.stands = plan.stands;
  t.fps = draws.Happens(0.25) ? 30 : 15;
  const double side = t.table.frame.Width();
  t.scene.ground = DrawGround(side, draws);
  t.scene.ground.markers = plan.scene.markers;
  DrawLight(t, side, draws);
  t.swabs = DrawSwabKind(draws);
  t.shells = DrawShellKind(draws);
  for (ProjectileSpec& spec : t.scenario.projectiles) {
    spec.tip_paint = t.swabs.paint;
    spec.body = t.shells.paint;
    spec.mark = t.shells.mark;
  }
  if (misplace) misplace(t);
  PlaceBases(t, draws);
  PlaceTerrain(t, draws);
  return t;
}

WildThing DropWildShot(const WildTable& t, Projectile type, Draws& draws) {
  constexpr double kMargin_in = 0.25;
  for (int i = 0; i < kTries; ++i) {
    const Vec2 at = Somewhere(t, kMargin_in, draws);
    const double heading = draws.Uniform(0, 2 * pi);
    const Vec2 way{std::cos(heading), std::sin(heading)};
    const auto laid = type == Projectile::kQtip ? LaySwab(t.swabs, t.scene, at, way, draws)
                                                : LayShell(t.shells, t.scene, at, heading, draws);
    if (!laid) continue;
    const Vec2 tail = laid->tail;
    if (tail.x < -1 || tail.y < -1 || tail.x > t.table.frame.Width() + 1 ||
        tail.y > t.table.frame.Depth() + 1)
      continue;
    return *laid;
  }
  return {};
}

WildThing DropWildJunk(const WildTable& t, const std::string& what, Draws& draws) {
  constexpr double kMargin_in = 1;
  for (int i = 0; i < kTries; ++i) {
    const auto laid =
        LayJunk(what, t.scene, Somewhere(t, kMargin_in, draws), draws.Uniform(0, 2 * pi), draws);
    if (laid) return *laid;
  }
  return {};
}

cv::Rect PartChanged(const WildTable& t, std::span<const WildSolid> solids) {
  cv::Rect2d box;
  constexpr double kDimmed_in = 0.6;
  const auto take = [&](Vec2 at, double z, double reach) {
    for (const double dx : {-reach, reach}) {
      for (const double dy : {-reach, reach}) {
        const ImagePoint p = ImageFromTable(t.camera, at + Vec2{dx, dy}, z);
        const cv::Rect2d one(p.x_px, p.y_px, 1, 1);
        box = box.empty() ? one : box | one;
      }
    }
  };
  const auto ball = [&](const cv::Vec3d& at, double radius) {
    take({at[0], at[1]}, at[2], radius);
    take({at[0], at[1]}, 0, radius + kDimmed_in);
    for (const WildLamp& lamp : t.scene.lamps) {
      const double high = at[2] + radius;
      const Vec2 shadow =
          Vec2{at[0], at[1]} - (high / lamp.towards[2]) * Vec2{lamp.towards[0], lamp.towards[1]};
      take(shadow, 0, radius + high * lamp.size / lamp.towards[2] / lamp.towards[2]);
    }
  };
  for (const WildSolid& s : solids) {
    if (s.spine.empty()) ball(s.middle, s.reach_in);
    for (const SpineBall& b : s.spine) ball(b.at, b.radius_in + s.uneven_in);
  }
  const cv::Rect part(
      cv::Point(static_cast<int>(box.x) - 2, static_cast<int>(box.y) - 2),
      cv::Point(static_cast<int>(box.br().x) + 3, static_cast<int>(box.br().y) + 3));
  return part & cv::Rect(0, 0, t.camera.lens.width_px, t.camera.lens.height_px);
}

}  // namespace fos
