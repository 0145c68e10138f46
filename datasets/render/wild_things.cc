// SPDX-License-Identifier: MIT
#include "datasets/render/wild_things.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "datasets/render/srgb.h"

namespace fos {
namespace {

struct NamedPaint {
  const char* name;
  Colour colour;
};

// Off a nominal colour as hand-mixed paint is.
cv::Vec3f Mixed(Colour colour, double strong, Draws& draws) {
  cv::Vec3f light = LightOfSrgb(colour);
  const double tone = draws.LogUniform(1 / strong, strong);
  for (int c = 0; c < 3; ++c)
    light[c] =
        std::clamp(light[c] * static_cast<float>(tone * draws.Uniform(0.88, 1.12)), 0.008F, 0.88F);
  return light;
}

// slope: of it; support_in: the highest it lies on
std::string Lies(double slope, double support_in) {
  constexpr double kLevel = 0.05;
  constexpr double kBase_in = 0.02;
  return slope > kLevel ? "leaning" : support_in > kBase_in ? "raised" : "flat";
}

constexpr double kThin = 0.75;  // paint of less strength lets the cotton through

// How the paint has soaked in, drawn for each swab.
struct Dip {
  double long_in;    // from the end
  double ragged_in;  // its edge, peak
  double soft_in;    // over which the edge fades
  double halo_in;    // of thin paint beyond it
  double strength;   // 1: nothing shows through
  double patchy;
  cv::Vec3f paint;
};

Dip DrawDip(Colour paint, Draws& draws) {
  Dip d;
  // Thin paint that is short as well would be seen by nobody.
  d.strength = draws.Happens(0.25) ? draws.Uniform(0.35, kThin) : draws.Uniform(kThin, 1);
  d.long_in = draws.Uniform(d.strength < kThin ? 0.2 : 0.1, 0.5);
  d.ragged_in = draws.Uniform(0.01, 0.07);
  d.soft_in = draws.LogUniform(0.015, 0.15);
  d.halo_in = draws.Happens(0.4) ? draws.Uniform(0.03, 0.15) : 0;
  d.patchy = draws.Uniform(0, 0.3);
  // From freshly thinned to near black.
  d.paint = Mixed(paint, 1, draws) * static_cast<float>(draws.LogUniform(0.2, 1.3));
  for (int c = 0; c < 3; ++c) d.paint[c] = std::clamp(d.paint[c], 0.006F, 0.8F);
  return d;
}

SurfacePaint CottonPaint(cv::Vec3f cotton, std::optional<Dip> dip, std::uint32_t salt) {
  return [=](const SurfacePoint& at) {
    const double along = at.along_in;
    const double u = std::cos(at.angle_rad);
    const double v = std::sin(at.angle_rad);
    // Wound fibres.
    const auto fibre =
        static_cast<float>(1 + 0.06 * SmoothNoise(along / 0.02 + 2 * u, 3 * v, salt) +
                           0.05 * SmoothNoise(along / 0.09, 1.3 * u, 1.3 * v, salt + 1));
    cv::Vec3f paint = cotton * fibre;
    if (dip) {
      const double edge = dip->long_in + dip->ragged_in * SmoothNoise(1.5 * u, 1.5 * v, salt + 2) +
                          0.4 * dip->ragged_in * SmoothNoise(4 * u, 4 * v, salt + 3);
      double share = SmoothStep(edge + 0.5 * dip->soft_in, edge - 0.5 * dip->soft_in, along);
      if (dip->halo_in > 0)
        share = std::max(share, 0.3 * SmoothStep(edge + dip->halo_in, edge, along));
      share *= dip->strength *
               (1 - dip->patchy * std::max(0.0, SmoothNoise(along / 0.07, 2 * u, 2 * v, salt + 4)));
      const auto s = static_cast<float>(share);
      paint = (1 - s) * paint + s * dip->paint;
    }
    return paint;
  };
}

// Radius of one end's cotton by the distance from its end, before unevenness.
double CottonRadius(const SwabKind& k, double from_end_in) {
  const double x = std::clamp(from_end_in / k.cotton_long_in, 0.0, 1.0);
  const double most = k.cotton_in / 2;
  const double peak = std::clamp(0.45 - 0.5 * k.pear, 0.2, 0.7);
  const double end = k.blunt * most;
  const double stick = 0.55 * k.stick_in;
  const double round =
      x < peak ? 1 - (1 - x / peak) * (1 - x / peak) : 1 - std::pow((x - peak) / (1 - peak), 2.2);
  return x < peak ? end + (most - end) * round : stick + (most - stick) * round;
}

double SwabRadius(const SwabKind& k, double length, double station) {
  const double from_end = std::min(station, length - station);
  return from_end < k.cotton_long_in ? CottonRadius(k, from_end) : k.stick_in / 2;
}

// A plane z = level + slope . (p - centre) that lies on supports.
struct Plane {
  double level;
  Vec2 slope;
};
// A plate over support heights: of all planes through three of them whose triangle holds the
// middle, the one below which all the others are.
std::optional<Plane> RestPlate(const std::vector<Vec2>& at, const std::vector<double>& height) {
  constexpr double kSlack_in = 1e-6;
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (std::size_t j = i + 1; j < at.size(); ++j) {
      for (std::size_t k = j + 1; k < at.size(); ++k) {
        const Vec2 u = at[j] - at[i];
        const Vec2 v = at[k] - at[i];
        const double area = Cross(u, v);
        if (std::abs(area) < 1e-6) continue;
        // The middle, the origin, in the triangle?
        const double a = Cross(-at[i], v) / area;
        const double b = Cross(u, -at[i]) / area;
        if (a < -1e-9 || b < -1e-9 || a + b > 1 + 1e-9) continue;
        const double hu = height[j] - height[i];
        const double hv = height[k] - height[i];
        const Vec2 slope{(hu * v.y - hv * u.y) / area, (hv * u.x - hu * v.x) / area};
        const double level = height[i] - Dot(slope, at[i]);
        bool over = true;
        for (std::size_t m = 0; m < at.size() && over; ++m)
          over = level + Dot(slope, at[m]) >= height[m] - kSlack_in;
        if (over) return Plane{level, slope};
      }
    }
  }
  return {};
}

}  // namespace

SwabKind DrawSwabKind(Draws& draws) {
  constexpr std::array<NamedPaint, 8> kSticks{{{"white", {232, 232, 228}},
                                               {"white", {232, 232, 228}},
                                               {"paper", {222, 214, 196}},
                                               {"bamboo", {204, 172, 120}},
                                               {"blue", {96, 140, 206}},
                                               {"pink", {226, 150, 176}},
                                               {"green", {130, 190, 140}},
                                               {"black", {46, 46, 48}}}};
  constexpr std::array<NamedPaint, 6> kDips{{{"red", {130, 24, 26}},
                                             {"red", {168, 36, 40}},
                                             {"blue", {34, 44, 110}},
                                             {"green", {30, 84, 44}},
                                             {"black", {24, 24, 26}},
                                             {"brown", {92, 56, 34}}}};
  SwabKind k;
  const NamedPaint stick = draws.OneOf(kSticks);
  k.stick = stick.name;
  k.stick_paint = Mixed(stick.colour, 1.1, draws);
  k.length_in = draws.Uniform(2.9, 3.1);
  k.stick_in = draws.Uniform(0.07, 0.12);
  k.cotton_in = draws.Uniform(0.18, 0.26);
  k.cotton_long_in = draws.Uniform(0.4, 0.65);
  k.pear = draws.Uniform(-0.5, 0.5);
  k.blunt = draws.Uniform(0.45, 0.8);
  const NamedPaint dip = draws.OneOf(kDips);
  k.dip = dip.name;
  k.paint = dip.colour;
  return k;
}

ShellKind DrawShellKind(Draws& draws) {
  constexpr std::array<NamedPaint, 7> kBodies{{{"yellow", {206, 168, 44}},
                                               {"red", {186, 56, 48}},
                                               {"grey", {122, 126, 132}},
                                               {"blue", {70, 116, 178}},
                                               {"white", {230, 228, 220}},
                                               {"wood", {196, 158, 110}},
                                               {"green", {72, 128, 66}}}};
  ShellKind k;
  const NamedPaint body = draws.OneOf(kBodies);
  k.body = body.name;
  k.paint = body.colour;
  const bool dark = draws.Happens(0.8) || body.colour.g > 150;
  k.mark = dark ? Colour{22, 22, 24} : Colour{232, 230, 226};
  k.size_in = draws.Uniform(0.35, 0.45);
  k.thick_in = draws.Uniform(0.1, 0.25);
  return k;
}

RodRest RestRod(std::span<const WildSolid> solids, Vec2 from, Vec2 to,
                std::span<const double> radii) {
  const auto n = radii.size();
  const Vec2 across = Perpendicular(Normalized(to - from));
  std::vector<double> least(n);
  RodRest rest;
  for (std::size_t i = 0; i < n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n - 1);
    least[i] = 0;
    for (const double side : {-0.7, 0.0, 0.7}) {
      const double support =
          SupportAt(solids, from + share * (to - from) + side * radii[i] * across);
      rest.most_support_in = std::max(rest.most_support_in, support);
      least[i] = std::max(least[i], support + radii[i] * std::sqrt(1 - side * side));
    }
  }
  // It lies on two supports, one on either side of its middle, and over all the others.
  const double middle = 0.5 * static_cast<double>(n - 1);
  double lowest = 1e9;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const auto a = static_cast<double>(i);
      const auto b = static_cast<double>(j);
      if (a > middle || b < middle) continue;
      const double slope = (least[j] - least[i]) / (b - a);
      const double at_middle = least[i] + slope * (middle - a);
      bool over = true;
      for (std::size_t k = 0; k < n && over; ++k)
        over = least[i] + slope * (static_cast<double>(k) - a) >= least[k] - 1e-6;
      if (!over || at_middle >= lowest) continue;
      lowest = at_middle;
      rest.from_in = least[i] - slope * a;
      rest.to_in = rest.from_in + slope * static_cast<double>(n - 1);
    }
  }
  return rest;
}

bool RunsInto(const WildSolid& solid, std::span<const WildSolid> solids) {
  std::vector<SpineBall> balls = solid.spine;
  if (balls.empty()) balls = {{solid.centre, 0.8 * solid.reach_in}};
  for (const WildSolid& other : solids) {
    if (other.holds || cv::norm(other.middle - solid.middle) > other.reach_in + solid.reach_in)
      continue;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const SpineBall& next = balls[std::min(i + 1, balls.size() - 1)];
      constexpr int kSteps = 8;
      for (int k = 0; k < kSteps; ++k) {
        const cv::Vec3d at =
            balls[i].at + (static_cast<double>(k) / kSteps) * (next.at - balls[i].at);
        if (DistanceTo(other, at) < std::max(balls[i].radius_in, next.radius_in)) return true;
      }
    }
  }
  return false;
}

std::optional<WildThing> LaySwab(const SwabKind& packet, const WildScene& scene, Vec2 tip, Vec2 way,
                                 Draws& draws) {
  SwabKind k = packet;
  const double length = k.length_in + draws.Uniform(-0.012, 0.012);
  k.cotton_in *= draws.Uniform(0.95, 1.05);
  const double bent = draws.Happens(0.4) ? draws.Uniform(-0.11, 0.11) : draws.Uniform(-0.02, 0.02);
  const Vec2 across = Perpendicular(way);
  constexpr std::size_t kStations = 31;
  std::vector<double> radii;
  for (std::size_t i = 0; i < kStations; ++i)
    radii.push_back(SwabRadius(k, length, length * static_cast<double>(i) / (kStations - 1)));
  const RodRest rest = RestRod(scene.solids, tip, tip + length * way, radii);
  const double rise = rest.to_in - rest.from_in;
  constexpr double kSteepest_in = 0.5;
  if (std::abs(rise) > kSteepest_in) return {};
  const double level = std::sqrt(length * length - rise * rise);
  const auto axis = [&](double station) {
    const double t = station / length;
    const Vec2 p = tip + level * t * way + 4 * bent * t * (1 - t) * across;
    return cv::Vec3d(p.x, p.y, rest.from_in + t * rise);
  };
  const auto part = [&](double from, double to, int steps) {
    std::vector<SpineBall> spine;
    for (int i = 0; i <= steps; ++i) {
      const double s = from + (to - from) * i / steps;
      spine.push_back({axis(s), SwabRadius(k, length, s)});
    }
    return spine;
  };
  WildThing out;
  const cv::Vec3f cotton = Mixed({238, 237, 232}, 1.08, draws);
  const Dip dip = DrawDip(k.paint, draws);
  const double cap = k.blunt * k.cotton_in / 2;
  const double uneven = draws.Uniform(0.003, 0.013);
  for (const bool painted : {true, false}) {
    std::vector<SpineBall> spine = part(cap, k.cotton_long_in, 7);
    if (!painted) spine = part(length - cap, length - k.cotton_long_in, 7);
    // The round cap's radius is that of its distance from the end.
    spine.front().radius_in = cap;
    WildSolid solid = Swept(
        spine, CottonPaint(cotton, painted ? std::optional(dip) : std::nullopt, draws.Seed()));
    solid.uneven_in = uneven;
    solid.bump_in = draws.Uniform(0.04, 0.12);
    solid.salt = draws.Seed();
    solid.holds = true;
    out.solids.push_back(Bounded(solid));
  }
  const cv::Vec3f stick = k.stick_paint;
  const std::uint32_t salt = draws.Seed();
  WildSolid rod = Swept(
      part(0.6 * k.cotton_long_in, length - 0.6 * k.cotton_long_in, 8),
      [stick, salt](const SurfacePoint& at) {
        return stick * static_cast<float>(1 + 0.04 * SmoothNoise(at.along_in / 0.15, 0, salt));
      });
  for (SpineBall& ball : rod.spine) ball.radius_in = k.stick_in / 2;
  rod.gloss = k.stick == "paper" || k.stick == "bamboo" ? 0 : 0.04;
  rod.holds = true;
  out.solids.push_back(Bounded(rod));
  for (const WildSolid& s : out.solids) {
    if (RunsInto(s, scene.solids)) return {};
  }
  // The point that counts is where the uneven cotton truly ends, on the axis.
  const cv::Vec3d along = axis(0.02) - axis(0);
  const auto end = FirstMet(out.solids[0], axis(0) - along * (0.2 / cv::norm(along)), along);
  const auto other = axis(length);
  if (!end) return {};
  out.what = "swab";
  out.shot = true;
  out.projectile = Projectile::kQtip;
  out.looks = {"swab: " + k.stick + " stick", "swab: " + k.dip + " dip",
               std::string("swab: ") + (std::abs(bent) > 0.03 ? "bent" : "straight"),
               "swab lies " + Lies(std::abs(rise) / length, rest.most_support_in)};
  if (dip.strength < kThin) out.looks.push_back("swab: thin paint");
  constexpr double kRight_in = 0.04;  // off the scenario's length
  if (std::abs(length - 3) > kRight_in)
    out.looks.push_back(length > 3 ? "swab: longer than stated" : "swab: shorter than stated");
  out.point = {(*end)[0], (*end)[1]};
  out.height_in = (*end)[2];
  out.tail = {other[0], other[1]};
  for (double s = 0.03; s < std::max(dip.long_in, 0.12); s += 0.03)
    out.visible_points.push_back(axis(s) + cv::Vec3d(0, 0, SwabRadius(k, length, s)));
  return out;
}

std::optional<WildThing> LayShell(const ShellKind& kind, const WildScene& scene, Vec2 at,
                                  double heading_rad, Draws& draws) {
  const Pose2 pose{at, heading_rad};
  const double half = std::clamp(kind.size_in * draws.Uniform(0.95, 1.05), 0.33, 0.47) / 2;
  const double thick = std::clamp(kind.thick_in * draws.Uniform(0.9, 1.1), 0.1, 0.25);
  std::vector<Vec2> feet;
  std::vector<double> heights;
  constexpr int kGrid = 2;
  // A grain of sand or a fold of the cloth under a corner.
  const double rough = draws.Happens(0.3) ? draws.Uniform(0, 0.05) : 0.003;
  double most = 0;
  for (int i = -kGrid; i <= kGrid; ++i) {
    for (int j = -kGrid; j <= kGrid; ++j) {
      const Vec2 foot = Rotated({half * i / kGrid, half * j / kGrid}, heading_rad);
      const double support = SupportAt(scene.solids, at + foot);
      most = std::max(most, support);
      feet.push_back(foot);
      heights.push_back(support + draws.Uniform(0, rough));
    }
  }
  const std::optional<Plane> plane = RestPlate(feet, heights);
  constexpr double kSteepest = 0.7;
  if (!plane || Norm(plane->slope) > kSteepest) return {};
  const double round = draws.Uniform(0.02, 0.07);
  WildSolid solid = UprightBlock(pose, {2 * half, 2 * half}, 0, thick, round, {});
  for (Vec2& corner : solid.outline)
    corner = corner + Vec2{draws.Uniform(-0.02, 0.02), draws.Uniform(-0.02, 0.02)};
  solid.edge_round_in = std::min(round, 0.45 * thick);
  const cv::Vec3d normal = cv::normalize(cv::Vec3d(-plane->slope.x, -plane->slope.y, 1));
  // Turned from upright onto the plane.
  const cv::Vec3d x = cv::normalize(cv::Vec3d(1, 0, plane->slope.x));
  const cv::Vec3d y = normal.cross(x);
  const cv::Matx33d tilt(x[0], y[0], normal[0], x[1], y[1], normal[1], x[2], y[2], normal[2]);
  solid.table_from_own = tilt * solid.table_from_own;
  solid.centre = cv::Vec3d(at.x, at.y, plane->level) + 0.5 * thick * normal;
  const cv::Vec3f body = Mixed(kind.paint, 1.2, draws);
  const cv::Vec3f ink = Mixed(kind.mark, 1.2, draws);
  const Vec2 mark{draws.Uniform(-0.03, 0.03), draws.Uniform(-0.03, 0.03)};
  const double radius = draws.Uniform(0.04, 0.085);
  const double soft = draws.LogUniform(0.01, 0.06);
  const double top = 0.5 * solid.half_height_in;
  const std::uint32_t salt = draws.Seed();
  solid.paint = [=](const SurfacePoint& p) {
    cv::Vec3f paint =
        body * static_cast<float>(1 + 0.08 * SmoothNoise(p.own[0] / 0.06, p.own[1] / 0.06, salt));
    if (p.own[2] < top) return paint;
    const Vec2 off = Vec2{p.own[0], p.own[1]} - mark;
    const double edge =
        radius * (1 + 0.2 * SmoothNoise(2 * off.x / radius, 2 * off.y / radius, salt + 1));
    const auto share = static_cast<float>(SmoothStep(edge + soft / 2, edge - soft / 2, Norm(off)));
    return (1 - share) * paint + share * ink;
  };
  solid.gloss = draws.Happens(0.4) ? draws.Uniform(0.01, 0.08) : 0;
  solid.holds = true;
  WildThing out;
  out.solids = {Bounded(solid)};
  if (RunsInto(out.solids[0], scene.solids)) return {};
  const auto own = [&](double px, double py) {
    return solid.centre + solid.table_from_own * cv::Vec3d(px, py, solid.half_height_in);
  };
  const cv::Vec3d centre = own(mark.x, mark.y);
  out.what = "shell";
  out.shot = true;
  out.projectile = Projectile::kShell;
  out.looks = {"shell: " + kind.body, "shell lies " + Lies(Norm(plane->slope), most)};
  out.point = {centre[0], centre[1]};
  out.tail = out.point;
  out.height_in = centre[2];
  for (const double u : {-0.6, 0.0, 0.6}) {
    for (const double v : {-0.6, 0.0, 0.6}) out.visible_points.push_back(own(u * half, v * half));
  }
  return out;
}

}  // namespace fos
