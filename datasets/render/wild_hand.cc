// SPDX-License-Identifier: MIT
#include "datasets/render/wild_hand.h"

#include <array>

#include "datasets/render/srgb.h"

namespace fos {

WildArm DrawArm(Draws& draws) {
  constexpr std::array<std::array<int, 3>, 5> kSkins{
      {{226, 178, 150}, {204, 150, 118}, {166, 116, 84}, {112, 74, 54}, {74, 50, 38}}};
  constexpr std::array<std::array<int, 3>, 6> kSleeves{
      {{40, 44, 58}, {150, 30, 34}, {70, 96, 60}, {214, 210, 200}, {30, 30, 32}, {110, 120, 140}}};
  const auto skin = draws.OneOf(kSkins);
  const auto sleeve = draws.OneOf(kSleeves);
  return {PaintOf(skin[0], skin[1], skin[2]), PaintOf(sleeve[0], sleeve[1], sleeve[2]),
          draws.Uniform(6, 14)};
}

std::vector<WildSolid> ArmOver(const WildArm& arm, Vec2 grip, double height_in, Vec2 way,
                               double from_in) {
  const Vec2 side = Perpendicular(way);
  const auto at = [&](double back, double aside, double up) {
    const Vec2 p = grip - back * way + aside * side;
    return cv::Vec3d(p.x, p.y, height_in + up);
  };
  const SurfacePaint skin = [arm](const SurfacePoint& p) {
    return cv::Vec3f(arm.skin * static_cast<float>(1 + 0.08 * SmoothNoise(p.along_in, 0, 5)));
  };
  std::vector<WildSolid> out;
  // Thumb and two fingers that grip, two that are bent out of the way.
  constexpr std::array<std::array<double, 3>, 5> kFingers{
      {{0, -0.1, -0.9}, {0, 0.08, 0.5}, {0.15, 0.3, 0.75}, {0.9, 0.6, 0.95}, {1.2, 0.85, 1.1}}};
  for (const auto& [tip, aside, knuckle] : kFingers) {
    out.push_back(Swept({{at(tip, aside, 0), 0.24},
                         {at(tip + 0.9, 0.5 * (aside + knuckle), 0.7), 0.29},
                         {at(tip + 1.9, knuckle, 0.8), 0.34}},
                        skin));
  }
  out.push_back(Swept({{at(2.1, 0.4, 0.9), 0.62}, {at(3.4, 0.2, 1.0), 0.7}}, skin));
  out.push_back(Swept({{at(2.1, -0.4, 0.9), 0.55}, {at(3.4, -0.1, 1.0), 0.7}}, skin));
  // In short pieces: each is bounded by a ball.
  constexpr double kPiece_in = 3;
  for (double back = 3.4; back < from_in; back += kPiece_in) {
    const bool covered = back > arm.sleeve_from_in;
    const double radius = covered ? 1.25 : 0.85;
    out.push_back(Swept({{at(back, 0, 1.1), radius}, {at(back + kPiece_in, 0, 1.2), radius}},
                        covered ? Plain(arm.sleeve) : skin));
  }
  return out;
}

}  // namespace fos
