// SPDX-License-Identifier: MIT
#include "datasets/render/wild_dice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "datasets/render/srgb.h"
#include "datasets/render/wild_things.h"

namespace fos {
namespace {

using std::numbers::pi;

// A face of the cube: its normal is the own axis `axis`, one way or the other.
struct Face {
  int axis;
  double way;
  int number;
};
using Faces = std::array<Face, 6>;

// Opposite faces add up to seven.
Faces FacesOf(bool average, bool left_handed) {
  const double turn = left_handed ? -1 : 1;
  if (average)
    return {{{2, 1, 2}, {2, -1, 5}, {0, 1, 3}, {0, -1, 4}, {1, turn, 3}, {1, -turn, 4}}};
  return {{{2, 1, 1}, {2, -1, 6}, {0, 1, 2}, {0, -1, 5}, {1, turn, 3}, {1, -turn, 4}}};
}

// Where the pips of a number are on its face, in units of DieKind::pips_off_in.
std::vector<Vec2> PipsOf(int number) {
  std::vector<Vec2> out;
  if (number % 2 == 1) out.push_back({0, 0});
  if (number >= 2) out.insert(out.end(), {{1, 1}, {-1, -1}});
  if (number >= 4) out.insert(out.end(), {{1, -1}, {-1, 1}});
  if (number == 6) out.insert(out.end(), {{1, 0}, {-1, 0}});
  return out;
}

// The two coordinates of an own point on a face.
Vec2 OnFace(const cv::Vec3d& own, int axis) {
  return {own[(axis + 1) % 3], own[(axis + 2) % 3]};
}

cv::Matx33d AboutEast(double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {1, 0, 0, 0, c, -s, 0, s, c};
}
// Turns a face up.
cv::Matx33d Upwards(const Face& face) {
  // Rows are where up, and two axes beside it, are in the own frame.
  cv::Matx33d out = cv::Matx33d::zeros();
  out(2, face.axis) = face.way;
  out(0, (face.axis + 1) % 3) = 1;
  out(1, (face.axis + 2) % 3) = face.way;
  return out;
}

// How far the cube reaches below its middle when it is turned so.
double Below(const DieKind& kind, const cv::Matx33d& table_from_own) {
  const double core = kind.side_in / 2 - kind.round_in;
  double down = kind.round_in;
  for (int axis = 0; axis < 3; ++axis) down += core * std::abs(table_from_own(2, axis));
  return down;
}

WildSolid Cube(const DieKind& kind, const Faces& faces, const cv::Matx33d& table_from_own,
               const cv::Vec3d& centre, Draws& draws) {
  WildSolid s = UprightBlock({}, {kind.side_in, kind.side_in}, 0, kind.side_in, kind.round_in, {});
  s.table_from_own = table_from_own;
  s.centre = centre;
  const double half = kind.side_in / 2;
  for (const Face& face : faces) {
    if (kind.hollow_in <= 0) break;
    const double radius = face.number == 1 ? kind.first_pip_in : kind.pip_in;
    // A ball that leaves a cap of this depth and radius.
    const double ball =
        (radius * radius + kind.hollow_in * kind.hollow_in) / (2 * kind.hollow_in);
    for (const Vec2 pip : PipsOf(face.number)) {
      cv::Vec3d at;
      at[face.axis] = face.way * (half + ball - kind.hollow_in);
      at[(face.axis + 1) % 3] = pip.x * kind.pips_off_in;
      at[(face.axis + 2) % 3] = pip.y * kind.pips_off_in;
      s.hollows.push_back({at, ball});
    }
  }
  const std::uint32_t salt = draws.Seed();
  s.paint = [kind, faces, salt](const SurfacePoint& at) {
    int axis = 0;
    for (int k = 1; k < 3; ++k)
      if (std::abs(at.own[k]) > std::abs(at.own[axis])) axis = k;
    const auto face = std::find_if(faces.begin(), faces.end(), [&](const Face& f) {
      return f.axis == axis && f.way * at.own[axis] > 0;
    });
    const Vec2 place = OnFace(at.own, axis);
    const double radius = face->number == 1 ? kind.first_pip_in : kind.pip_in;
    for (const Vec2 pip : PipsOf(face->number)) {
      if (Distance(place, kind.pips_off_in * pip) < radius)
        return face->number == 1 ? kind.first_pip : kind.pips;
    }
    const double streaks =
        0.05 * SmoothNoise(at.own[0] / 0.15, at.own[1] / 0.15, at.own[2] / 0.15, salt);
    return cv::Vec3f(kind.body * static_cast<float>(1 + streaks));
  };
  s.gloss = kind.gloss;
  s.holds = true;
  return Bounded(s);
}

// Points all over the faces of the cube, and of its middle planes, less the rounding.
std::vector<cv::Vec3d> SkeletonOf(const DieKind& kind) {
  const double core = kind.side_in / 2 - kind.round_in;
  std::vector<cv::Vec3d> out;
  constexpr int kSteps = 4;
  for (int i = -kSteps; i <= kSteps; ++i) {
    for (int j = -kSteps; j <= kSteps; ++j) {
      for (int k = -kSteps; k <= kSteps; k += kSteps) {
        for (int axis = 0; axis < 3; ++axis) {
          cv::Vec3d own;
          own[axis] = core * k / kSteps;
          own[(axis + 1) % 3] = core * i / kSteps;
          own[(axis + 2) % 3] = core * j / kSteps;
          out.push_back(own);
        }
      }
    }
  }
  return out;
}

WildDie DieAt(const DieKind& kind, const Faces& faces, const cv::Matx33d& table_from_own,
              Vec2 at, double ground_in, Draws& draws) {
  WildDie out;
  const double below = Below(kind, table_from_own);
  const cv::Vec3d centre(at.x, at.y, ground_in + below);
  out.solid = Cube(kind, faces, table_from_own, centre, draws);
  out.centre = at;
  out.top_in = ground_in + 2 * below;
  double highest = -1;
  for (const Face& face : faces) {
    const double up = face.way * table_from_own(2, face.axis);
    if (up <= highest) continue;
    highest = up;
    out.value = face.number;
  }
  out.tilt_rad = std::acos(std::min(highest, 1.0));
  return out;
}

}  // namespace

cv::Matx33d AboutUp(double angle_rad) {
  const double c = std::cos(angle_rad);
  const double s = std::sin(angle_rad);
  return {c, -s, 0, s, c, 0, 0, 0, 1};
}

std::optional<double> LevelBelow(const WildScene& scene, Vec2 at, double wide_in) {
  double low = 1e9;
  double high = 0;
  for (const double u : {-0.5, 0.0, 0.5}) {
    for (const double v : {-0.5, 0.0, 0.5}) {
      const double s = SupportAt(scene.solids, at + wide_in * Vec2{u, v});
      low = std::min(low, s);
      high = std::max(high, s);
    }
  }
  constexpr double kUneven_in = 0.01;
  if (high - low > kUneven_in) return {};
  return high;
}

bool Meets(const WildSolid& body, std::span<const cv::Vec3d> skeleton, double round_in,
           std::span<const WildSolid> solids) {
  for (const WildSolid& other : solids) {
    if (cv::norm(other.middle - body.middle) > other.reach_in + body.reach_in) continue;
    for (const cv::Vec3d& own : skeleton)
      if (DistanceTo(other, body.centre + body.table_from_own * own) < round_in) return true;
  }
  return false;
}

DieKind DrawDieKind(Draws& draws) {
  DieKind kind;
  // 10 to 19 mm; the usual ones have 12, 14 and 16.
  kind.side_in = draws.Happens(0.7) ? draws.OneOf(std::array<double, 3>{0.472, 0.551, 0.630})
                                    : draws.Uniform(0.4, 0.75);
  kind.round_in = draws.Uniform(0.03, 0.16) * kind.side_in;
  kind.pip_in = draws.Uniform(0.075, 0.11) * kind.side_in;
  kind.first_pip_in = draws.Happens(0.2) ? draws.Uniform(0.11, 0.18) * kind.side_in : kind.pip_in;
  kind.pips_off_in = draws.Uniform(0.22, 0.27) * kind.side_in;
  kind.hollow_in = draws.Happens(0.75) ? draws.Uniform(0.3, 0.6) * kind.pip_in : 0;
  kind.gloss = draws.Uniform(0, 0.04);
  kind.average = draws.Happens(0.1);
  struct Tones {
    cv::Vec3f body, pips;
  };
  const cv::Vec3f white = PaintOf(238, 236, 228);
  const cv::Vec3f black = PaintOf(26, 26, 28);
  const std::array<Tones, 8> tones{{{white, black},
                                    {white, PaintOf(170, 28, 30)},
                                    {PaintOf(232, 222, 190), black},
                                    {PaintOf(178, 26, 32), white},
                                    {PaintOf(24, 60, 140), white},
                                    {black, white},
                                    {PaintOf(30, 120, 60), PaintOf(236, 230, 200)},
                                    {PaintOf(226, 180, 40), black}}};
  Tones t = draws.OneOf(tones);
  if (draws.Happens(0.25)) {
    // Any body, with pips that stand out from it.
    t.body = PaintOf(20 + draws.Below(220), 20 + draws.Below(220), 20 + draws.Below(220));
    const float light = (t.body[0] + t.body[1] + t.body[2]) / 3;
    t.pips = light < 0.25F ? white : black;
  }
  kind.body = t.body;
  kind.pips = t.pips;
  // Asian dice have a red one, on a light body.
  const bool light_body = std::min({t.body[0], t.body[1], t.body[2]}) > 0.4F;
  kind.first_pip = light_body && draws.Happens(0.15) ? PaintOf(180, 30, 30) : t.pips;
  return kind;
}

std::optional<WildDie> LayDie(const DieKind& kind, const WildScene& scene, Vec2 at,
                              double heading_rad, Draws& draws) {
  const auto level = LevelBelow(scene, at, 1.2 * kind.side_in);
  if (!level) return {};
  const Faces faces = FacesOf(kind.average, draws.Happens(0.3));
  const Face& up = faces[static_cast<std::size_t>(draws.Below(6))];
  WildDie die = DieAt(kind, faces, AboutUp(heading_rad) * Upwards(up), at, *level, draws);
  constexpr double kOff_in = 0.004;  // it stands on the ground, and runs into nothing
  WildSolid lifted = die.solid;
  lifted.centre[2] += kOff_in + kind.round_in;
  lifted.middle[2] += kOff_in + kind.round_in;
  if (Meets(lifted, SkeletonOf(kind), kind.round_in, scene.solids)) return {};
  return die;
}

std::vector<WildDie> ThrowDice(const DieKind& kind, const WildScene& scene, Vec2 about, int count,
                               bool with_cocked, Draws& draws) {
  std::vector<WildDie> out;
  WildScene with = scene;  // and what has come to rest of the throw
  const std::vector<cv::Vec3d> skeleton = SkeletonOf(kind);
  const double apart = draws.LogUniform(1.1, 4) * kind.side_in;
  constexpr int kTries = 30;
  for (int i = 0; i < count; ++i) {
    for (int tried = 0; tried < kTries; ++tried) {
      const double turn = draws.Uniform(0, 2 * pi);
      const double heading = draws.Uniform(0, 2 * pi);
      const Vec2 way{std::cos(turn), std::sin(turn)};
      if (i > 0 && (draws.Happens(0.15) || (with_cocked && i == count - 1))) {
        // Against another that found room: it slides in until they touch.
        if (out.empty()) continue;
        const WildDie& other =
            out[static_cast<std::size_t>(draws.Below(static_cast<int>(out.size())))];
        if (other.cocked) continue;
        const bool leans = with_cocked && i == count - 1;
        const Faces faces = FacesOf(kind.average, draws.Happens(0.3));
        cv::Matx33d turned =
            AboutUp(heading) * Upwards(faces[static_cast<std::size_t>(draws.Below(6))]);
        // The side towards the other one is up.
        if (leans) {
          turned = AboutUp(turn - pi / 2) * AboutEast(-draws.Uniform(0.3, 0.75)) *
                   AboutUp(-(turn - pi / 2)) * turned;
        }
        const auto level = LevelBelow(scene, other.centre + 1.2 * kind.side_in * way, 0.1);
        if (!level) continue;
        std::optional<WildDie> touching;
        for (double off = 2; off > 0.5; off -= 0.01) {
          WildDie next = DieAt(kind, faces, turned, other.centre + off * kind.side_in * way, *level,
                               draws);
          WildSolid lifted = next.solid;
          lifted.centre[2] += kind.round_in + 0.004;
          lifted.middle[2] += kind.round_in + 0.004;
          if (Meets(lifted, skeleton, kind.round_in, with.solids)) break;
          touching = std::move(next);
        }
        if (!touching) continue;
        touching->cocked = leans;
        with.solids.push_back(touching->solid);
        out.push_back(std::move(*touching));
        break;
      }
      const Vec2 at = about + draws.Uniform(0, apart * std::sqrt(static_cast<double>(count))) * way;
      std::optional<WildDie> die = LayDie(kind, with, at, heading, draws);
      if (!die) continue;
      with.solids.push_back(die->solid);
      out.push_back(std::move(*die));
      break;
    }
  }
  return out;
}

}  // namespace fos
