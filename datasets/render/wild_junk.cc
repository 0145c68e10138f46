// SPDX-License-Identifier: MIT
#include "datasets/render/wild_junk.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "datasets/render/srgb.h"
#include "datasets/render/wild_dice.h"
#include "datasets/render/wild_figure.h"

namespace fos {
namespace {

using std::numbers::pi;

// Where a piece of junk comes down.
struct Place {
  const WildScene& scene;
  Vec2 at;
  double heading_rad;
  Draws& draws;

  Vec2 Way() const { return {std::cos(heading_rad), std::sin(heading_rad)}; }
  double Support(Vec2 off = {}) const {
    return SupportAt(scene.solids, at + Rotated(off, heading_rad));
  }
  // The highest support below a footprint, or nothing where it is uneven.
  std::optional<double> Level(Box2 size) const {
    double low = 1e9;
    double high = 0;
    for (const double u : {-0.5, -0.25, 0.0, 0.25, 0.5}) {
      for (const double v : {-0.5, 0.0, 0.5}) {
        const double s = Support({u * size.width_in, v * size.depth_in});
        low = std::min(low, s);
        high = std::max(high, s);
      }
    }
    constexpr double kUneven_in = 0.03;
    if (high - low > kUneven_in) return {};
    return high;
  }
};
using Solids = std::vector<WildSolid>;

// A straight rod of changing thickness as it comes to rest.
Solids Rod(const Place& place, double length, const std::vector<double>& radii,
           SurfacePaint paint) {
  const Vec2 from = place.at - 0.5 * length * place.Way();
  const Vec2 to = from + length * place.Way();
  const RodRest rest = RestRod(place.scene.solids, from, to, radii);
  constexpr double kSteepest = 0.3;
  if (std::abs(rest.to_in - rest.from_in) > kSteepest * length) return {};
  std::vector<SpineBall> spine;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(radii.size() - 1);
    const Vec2 p = from + t * (to - from);
    spine.push_back({{p.x, p.y, rest.from_in + t * (rest.to_in - rest.from_in)}, radii[i]});
  }
  WildSolid rod = Swept(spine, std::move(paint));
  rod.holds = true;
  return {rod};
}

Solids Die(const Place& p) {
  const std::optional<WildDie> die =
      LayDie(DrawDieKind(p.draws), p.scene, p.at, p.heading_rad, p.draws);
  if (!die) return {};
  return {die->solid};
}

Solids Pencil(const Place& p) {
  const double length = p.draws.Uniform(2, 6.5);
  const double radius = p.draws.Uniform(0.11, 0.15);
  const std::array<cv::Vec3f, 6> bodies{PaintOf(226, 176, 40), PaintOf(180, 36, 34),
                                        PaintOf(36, 72, 150),  PaintOf(30, 90, 54),
                                        PaintOf(32, 32, 34),   PaintOf(236, 234, 228)};
  const cv::Vec3f body = p.draws.OneOf(bodies);
  const std::array<cv::Vec3f, 4> leads{PaintOf(40, 40, 42), PaintOf(150, 28, 32),
                                       PaintOf(36, 48, 120), PaintOf(30, 90, 40)};
  const cv::Vec3f lead = p.draws.OneOf(leads);
  const cv::Vec3f wood = PaintOf(214, 178, 128);
  std::vector<double> radii(24, radius);
  radii[0] = 0.02;
  const double cone = length / 23;
  for (std::size_t i = 1; i < 4; ++i)
    radii[i] = std::min(radius, 0.02 + 0.3 * cone * static_cast<double>(i));
  return Rod(p, length, radii, [=](const SurfacePoint& at) {
    return at.along_in < 0.12 ? lead : at.along_in < radius / 0.3 ? wood : body;
  });
}

Solids Flat(const Place& p, Box2 size, double thick, double round, SurfacePaint paint) {
  const auto level = p.Level(size);
  if (!level) return {};
  WildSolid s =
      UprightBlock({p.at, p.heading_rad}, size, *level, *level + thick, round, std::move(paint));
  s.holds = true;
  return {s};
}

Solids TapeStrip(const Place& p) {
  const cv::Vec3f ground = p.draws.Happens(0.5) ? PaintOf(232, 196, 52) : PaintOf(238, 238, 234);
  const Box2 size{p.draws.Uniform(1.5, 5), p.draws.Uniform(0.25, 0.75)};
  const bool scale = p.draws.Happens(0.6);
  return Flat(p, size, 0.02, 0.01, [=](const SurfacePoint& at) {
    const double tick = at.own[0] - 0.125 * std::floor(at.own[0] / 0.125);
    return scale && tick < 0.02 && at.own[1] > 0.15 * size.depth_in ? PaintOf(26, 26, 26) : ground;
  });
}

Solids PaperScrap(const Place& p) {
  const cv::Vec3f sheet = p.draws.Happens(0.75) ? PaintOf(240, 240, 236) : AnyPaint(p.draws);
  const Box2 size{p.draws.LogUniform(0.3, 3), p.draws.LogUniform(0.15, 1.2)};
  const bool lines = p.draws.Happens(0.4);
  Solids out = Flat(p, size, 0.012, 0.004, [=](const SurfacePoint& at) {
    const double row = at.own[1] - 0.16 * std::floor(at.own[1] / 0.16);
    return lines && row < 0.03 ? cv::Vec3f(0.5F * sheet) : sheet;
  });
  for (WildSolid& s : out) {
    for (Vec2& corner : s.outline)
      corner = corner + Vec2{p.draws.Uniform(-0.07, 0.07), p.draws.Uniform(-0.07, 0.07)};
    // A corner that stands up a little.
    const double lift = p.draws.Uniform(0, 0.12);
    s.table_from_own = s.table_from_own * cv::Matx33d(1, 0, 0, 0, std::cos(lift), -std::sin(lift),
                                                      0, std::sin(lift), std::cos(lift));
    s.centre[2] += 0.5 * size.depth_in * std::sin(lift);
    s = Bounded(s);
  }
  return out;
}

Solids Coin(const Place& p) {
  const double radius = p.draws.Uniform(0.3, 0.5);
  const auto level = p.Level({2 * radius, 2 * radius});
  if (!level) return {};
  const std::array<cv::Vec3f, 3> metals{PaintOf(176, 120, 72), PaintOf(170, 170, 168),
                                        PaintOf(196, 168, 96)};
  const cv::Vec3f metal = p.draws.OneOf(metals);
  const std::uint32_t salt = p.draws.Seed();
  WildSolid coin = UprightDisc(p.at, radius, *level, *level + 0.07, [=](const SurfacePoint& at) {
    const double out = std::hypot(at.own[0], at.own[1]) / radius;
    const double relief =
        out > 0.85 ? 0.1 : 0.3 * SmoothNoise(at.own[0] / 0.09, at.own[1] / 0.09, salt);
    return cv::Vec3f(metal * static_cast<float>(1 + relief));
  });
  coin.gloss = p.draws.Uniform(0.05, 0.3);
  coin.holds = true;
  return {coin};
}

// A curl of thin thread about a place.
Solids WoolTuft(const Place& p) {
  const double ground = p.Support();
  const std::array<cv::Vec3f, 4> wools{PaintOf(240, 238, 230), PaintOf(120, 116, 112),
                                       PaintOf(80, 110, 50), PaintOf(190, 40, 40)};
  const cv::Vec3f wool = p.draws.OneOf(wools);
  const double wide = p.draws.LogUniform(0.1, 0.4);
  Solids out;
  const int threads = 3 + p.draws.Below(5);
  for (int i = 0; i < threads; ++i) {
    std::vector<SpineBall> spine;
    const double turn = p.draws.Uniform(0, 2 * pi);
    for (int k = 0; k < 5; ++k) {
      const double a = turn + 1.4 * k * p.draws.Uniform(0.5, 1.4);
      const double r = wide * p.draws.Uniform(0.2, 1);
      spine.push_back({{p.at.x + r * std::cos(a), p.at.y + r * std::sin(a),
                        ground + p.draws.Uniform(0.03, 0.03 + 0.6 * wide)},
                       p.draws.Uniform(0.02, 0.06)});
    }
    out.push_back(Swept(spine, Plain(wool)));
    out.back().uneven_in = 0.012;
    out.back().salt = p.draws.Seed();
    out.back() = Bounded(out.back());
  }
  return out;
}

Solids Matchstick(const Place& p) {
  const double length = p.draws.Uniform(1.6, 2.2);
  const std::array<cv::Vec3f, 4> heads{PaintOf(150, 34, 30), PaintOf(60, 34, 30),
                                       PaintOf(34, 40, 110), PaintOf(30, 30, 30)};
  const cv::Vec3f head = p.draws.OneOf(heads);
  const cv::Vec3f wood = p.draws.Happens(0.7) ? PaintOf(216, 186, 136) : PaintOf(230, 224, 212);
  std::vector<double> radii(16, p.draws.Uniform(0.035, 0.055));
  radii[0] = 0.06;
  radii[1] = 0.065;
  return Rod(p, length, radii,
             [=](const SurfacePoint& at) { return at.along_in < 0.2 ? head : wood; });
}

Solids Toothpick(const Place& p) {
  std::vector<double> radii(14, p.draws.Uniform(0.03, 0.045));
  radii.front() = radii.back() = 0.008;
  const bool dipped = p.draws.Happens(0.3);
  return Rod(p, p.draws.Uniform(2.3, 2.7), radii, [=](const SurfacePoint& at) {
    return dipped && at.along_in < 0.3 ? PaintOf(190, 50, 50) : PaintOf(222, 192, 140);
  });
}

Solids Straw(const Place& p) {
  const double length = p.draws.Uniform(2.2, 6);
  const cv::Vec3f stripe = AnyPaint(p.draws);
  const bool striped = p.draws.Happens(0.5);
  const cv::Vec3f body =
      striped || p.draws.Happens(0.6) ? PaintOf(238, 238, 234) : AnyPaint(p.draws);
  return Rod(p, length, std::vector<double>(16, p.draws.Uniform(0.06, 0.13)),
             [=](const SurfacePoint& at) {
               const double turn = at.along_in / 0.5 + at.angle_rad / (2 * pi);
               return striped && turn - std::floor(turn) < 0.4 ? stripe : body;
             });
}

Solids CottonBall(const Place& p) {
  const double radius = p.draws.Uniform(0.12, 0.4);
  const double ground = p.Support();
  const bool dipped = p.draws.Happens(0.3);
  const cv::Vec3f paint = AnyPaint(p.draws);
  const std::uint32_t salt = p.draws.Seed();
  const Vec2 to = p.at + p.draws.Uniform(0.02, 0.6) * radius * p.Way();
  WildSolid ball = Swept(
      {{{p.at.x, p.at.y, ground + radius}, radius},
       {{to.x, to.y, ground + 0.9 * radius}, 0.9 * radius}},
      [=](const SurfacePoint& at) {
        const double n = SmoothNoise(at.own[0] / 0.08, at.own[1] / 0.08, at.own[2] / 0.08, salt);
        if (dipped && at.own[0] + 0.05 * n > 0.3 * radius) return paint;
        return cv::Vec3f(PaintOf(238, 238, 234) * static_cast<float>(1 + 0.08 * n));
      });
  ball.uneven_in = 0.1 * radius;
  ball.bump_in = 0.3 * radius;
  ball.salt = salt;
  return {Bounded(ball)};
}

Solids FallenFigure(const Place& p) {
  return FigureAt(p.at, p.heading_rad, p.Support(), p.draws.Uniform(0.8, 1.3), true,
                  AnyPaint(p.draws), p.draws);
}

Solids Rubber(const Place& p) {
  const cv::Vec3f one = p.draws.Happens(0.6) ? PaintOf(232, 230, 224) : AnyPaint(p.draws);
  const cv::Vec3f other = p.draws.Happens(0.5) ? one : PaintOf(60, 90, 160);
  const Box2 size{p.draws.Uniform(0.35, 0.9), p.draws.Uniform(0.25, 0.5)};
  return Flat(p, size, p.draws.Uniform(0.12, 0.35), 0.06, [=](const SurfacePoint& at) {
    return at.own[0] > 0.1 * size.width_in ? other : one;
  });
}

Solids GlassBead(const Place& p) {
  const double radius = p.draws.Uniform(0.1, 0.3);
  const double ground = p.Support();
  const std::array<cv::Vec3f, 5> glasses{PaintOf(40, 80, 170), PaintOf(170, 40, 50),
                                         PaintOf(30, 110, 70), PaintOf(225, 230, 232),
                                         PaintOf(30, 30, 40)};
  const cv::Vec3f glass = p.draws.OneOf(glasses);
  // Light gathers at the foot of a glass bead, its top is dark.
  WildSolid bead =
      Swept({{{p.at.x, p.at.y, ground + radius}, radius}}, [=](const SurfacePoint& at) {
        return cv::Vec3f(glass * static_cast<float>(0.6 - 0.4 * at.own[2] / radius));
      });
  bead.gloss = 1;
  return {bead};
}

Solids ChessPawn(const Place& p) {
  const double high = p.draws.Uniform(0.9, 1.6);
  const cv::Vec3f body = p.draws.Happens(0.5) ? PaintOf(226, 206, 160) : PaintOf(44, 34, 30);
  const std::array<std::array<double, 2>, 7> profile{{{0.05, 0.28},
                                                      {0.16, 0.26},
                                                      {0.26, 0.16},
                                                      {0.55, 0.11},
                                                      {0.62, 0.17},
                                                      {0.68, 0.1},
                                                      {0.82, 0.17}}};
  const double ground = p.Support();
  const bool lying = p.draws.Happens(0.4);
  std::vector<SpineBall> spine;
  for (const auto& [share, radius] : profile) {
    const double r = radius * high * 0.8;
    if (lying) {
      const Vec2 q = p.at + share * high * p.Way();
      spine.push_back({{q.x, q.y, ground + std::max(r, 0.224 * high * (1 - 0.4 * share))}, r});
    } else {
      spine.push_back({{p.at.x, p.at.y, ground + share * high + 0.15 * high}, r});
    }
  }
  WildSolid pawn = Swept(spine, Plain(body));
  pawn.gloss = 0.15;
  return {pawn};
}

Solids CableEnd(const Place& p) {
  const double radius = p.draws.Uniform(0.05, 0.11);
  const std::array<cv::Vec3f, 3> jackets{PaintOf(30, 30, 32), PaintOf(236, 236, 234),
                                         PaintOf(150, 150, 154)};
  const cv::Vec3f jacket = p.draws.OneOf(jackets);
  // It comes in from the table's edge.
  const Vec2 edge = p.at + 14.0 * p.Way();
  std::vector<SpineBall> spine;
  const double bow = p.draws.Uniform(-1.5, 1.5);
  for (int i = 0; i <= 20; ++i) {
    const double t = i / 20.0;
    const Vec2 q = p.at + t * (edge - p.at) + bow * std::sin(4 * t) * t * Perpendicular(p.Way());
    spine.push_back({{q.x, q.y, SupportAt(p.scene.solids, q) + radius}, radius});
  }
  for (int pass = 0; pass < 3; ++pass) {  // a cable does not kink
    for (std::size_t i = 1; i + 1 < spine.size(); ++i)
      spine[i].at[2] = std::max(spine[i].at[2], 0.5 * (spine[i - 1].at[2] + spine[i + 1].at[2]));
  }
  Solids out;  // in short pieces: each is bounded by a ball
  for (std::size_t i = 0; i + 2 < spine.size(); i += 2)
    out.push_back(Swept({spine[i], spine[i + 1], spine[i + 2]}, Plain(jacket)));
  const Vec2 back = p.at - 0.45 * p.Way();
  const double z = spine.front().at[2];
  out.push_back(Swept({{{p.at.x, p.at.y, z}, 1.3 * radius}, {{back.x, back.y, z}, 1.3 * radius}},
                      [](const SurfacePoint& at) {
                        return at.along_in < 0.3 ? PaintOf(40, 40, 42) : PaintOf(190, 190, 190);
                      }));
  out.back().gloss = 0.2;
  return out;
}

Solids Leaf(const Place& p) {
  const double length = p.draws.Uniform(0.5, 2);
  const double wide = length * p.draws.Uniform(0.3, 0.6);
  const std::array<cv::Vec3f, 4> tones{PaintOf(96, 110, 44), PaintOf(170, 120, 50),
                                       PaintOf(120, 70, 40), PaintOf(190, 160, 60)};
  const cv::Vec3f tone = p.draws.OneOf(tones);
  Solids out = Flat(p, {0.8 * length, 0.5 * wide}, 0.03, 0.01, [=](const SurfacePoint& at) {
    return std::abs(at.own[1]) < 0.02 ? cv::Vec3f(1.6F * tone) : tone;
  });
  for (WildSolid& s : out) {
    s.outline.clear();
    for (int i = 0; i < 12; ++i) {
      const double a = 2 * pi * i / 12;
      s.outline.push_back(
          {0.5 * length * std::cos(a),
           0.5 * wide * std::sin(a) * (1 + 0.5 * std::cos(a)) * p.draws.Uniform(0.85, 1.1)});
    }
    s = Bounded(s);
  }
  return out;
}

Solids SweetWrapper(const Place& p) {
  const cv::Vec3f one = AnyPaint(p.draws);
  const cv::Vec3f other = p.draws.Happens(0.5) ? PaintOf(240, 240, 240) : AnyPaint(p.draws);
  const double ground = p.Support();
  const double radius = p.draws.Uniform(0.12, 0.22);
  const double half = p.draws.Uniform(0.2, 0.5);
  const std::array<std::array<double, 2>, 6> profile{
      {{-1.9, 1.0}, {-1.1, 0.25}, {-0.9, 0.9}, {0.9, 0.9}, {1.1, 0.25}, {1.9, 1.0}}};
  std::vector<SpineBall> spine;
  for (const auto& [along, r] : profile) {
    const Vec2 q = p.at + along * half * p.Way();
    spine.push_back({{q.x, q.y, ground + radius}, r * radius});
  }
  WildSolid wrapper = Swept(spine, [=](const SurfacePoint& at) {
    const double turn = at.along_in / 0.2;
    return turn - std::floor(turn) < 0.5 ? one : other;
  });
  wrapper.uneven_in = 0.05;
  wrapper.bump_in = 0.09;
  wrapper.gloss = 0.4;
  return {Bounded(wrapper)};
}

Solids Button(const Place& p) {
  const double radius = p.draws.Uniform(0.18, 0.4);
  const auto level = p.Level({2 * radius, 2 * radius});
  if (!level) return {};
  const cv::Vec3f body = p.draws.Happens(0.5) ? PaintOf(236, 234, 226) : AnyPaint(p.draws);
  WildSolid button = UprightDisc(p.at, radius, *level, *level + 0.09, [=](const SurfacePoint& at) {
    const double out = std::hypot(at.own[0], at.own[1]) / radius;
    const bool hole = std::hypot(std::abs(at.own[0]) - 0.22 * radius,
                                 std::abs(at.own[1]) - 0.22 * radius) < 0.11 * radius;
    return hole ? PaintOf(20, 20, 20) : out > 0.8 ? body : cv::Vec3f(0.85F * body);
  });
  button.gloss = 0.1;
  button.holds = true;
  return {button};
}

using Maker = Solids (*)(const Place&);
const std::map<std::string, Maker>& Developing() {
  static const std::map<std::string, Maker> kMakers{{"die", Die},
                                                    {"pencil", Pencil},
                                                    {"tape strip", TapeStrip},
                                                    {"paper scrap", PaperScrap},
                                                    {"coin", Coin},
                                                    {"wool tuft", WoolTuft},
                                                    {"matchstick", Matchstick},
                                                    {"toothpick", Toothpick},
                                                    {"straw", Straw},
                                                    {"cotton ball", CottonBall},
                                                    {"fallen figure", FallenFigure},
                                                    {"rubber", Rubber}};
  return kMakers;
}
const std::map<std::string, Maker>& MeasuringOnly() {
  static const std::map<std::string, Maker> kMakers{
      {"glass bead", GlassBead},       {"chess pawn", ChessPawn},
      {"cable end", CableEnd},         {"leaf", Leaf},
      {"sweet wrapper", SweetWrapper}, {"button", Button}};
  return kMakers;
}

}  // namespace

std::vector<std::string> JunkClasses(bool unseen) {
  std::vector<std::string> out;
  for (const auto& [name, maker] : unseen ? MeasuringOnly() : Developing()) out.push_back(name);
  return out;
}

std::optional<WildThing> LayJunk(const std::string& what, const WildScene& scene, Vec2 at,
                                 double heading_rad, Draws& draws) {
  const auto known = Developing().find(what);
  const Maker maker = known != Developing().end() ? known->second : MeasuringOnly().at(what);
  WildThing out;
  out.what = what;
  out.looks = {"junk: " + what};
  out.solids = maker({scene, at, heading_rad, draws});
  out.point = out.tail = at;
  if (out.solids.empty()) return {};
  for (const WildSolid& s : out.solids) {
    if (RunsInto(s, scene.solids)) return {};
  }
  return out;
}

}  // namespace fos
