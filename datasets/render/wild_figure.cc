// SPDX-License-Identifier: MIT
#include "datasets/render/wild_figure.h"

#include <cmath>

#include "datasets/render/srgb.h"

namespace fos {

cv::Vec3f AnyPaint(Draws& draws) {
  return PaintOf(20 + draws.Below(226), 20 + draws.Below(226), 20 + draws.Below(226));
}

std::vector<WildSolid> FigureAt(Vec2 at, double heading_rad, double bottom_in, double high_in,
                                bool lying, cv::Vec3f coat, Draws& draws) {
  const Vec2 way{std::cos(heading_rad), std::sin(heading_rad)};
  const Vec2 side = Perpendicular(way);
  const double h = high_in;
  // up: along the figure; out: to its right; front: where it looks.
  const auto point = [&](double up, double out, double front) {
    const Vec2 p =
        lying ? at + up * h * way + out * h * side : at + out * h * side + front * h * way;
    return cv::Vec3d(p.x, p.y, bottom_in + (lying ? 0.12 * h + front * h : up * h));
  };
  const cv::Vec3f trousers = draws.Happens(0.6) ? PaintOf(226, 222, 210) : AnyPaint(draws);
  const cv::Vec3f hat = draws.Happens(0.7) ? PaintOf(34, 32, 34) : AnyPaint(draws);
  std::vector<WildSolid> out;
  out.push_back(
      Swept({{point(0.03, 0.05, 0), 0.05 * h},
             {point(0.35, 0.05, 0), 0.06 * h},
             {point(0.42, 0, 0), 0.085 * h},
             {point(0.68, 0, 0), 0.095 * h},
             {point(0.74, 0, 0), 0.05 * h}},
            [=](const SurfacePoint& p) { return p.along_in < 0.42 * h ? trousers : coat; }));
  out.push_back(Swept({{point(0.03, -0.05, 0.03), 0.05 * h}, {point(0.4, -0.04, 0), 0.06 * h}},
                      Plain(trousers)));
  out.push_back(Swept({{point(0.8, 0, 0), 0.062 * h}}, Plain(PaintOf(208, 164, 130))));
  out.push_back(Swept({{point(0.86, 0, 0), 0.068 * h}, {point(0.95, 0, 0), 0.06 * h}}, Plain(hat)));
  // A musket: as thin and bright as a stick.
  out.push_back(Swept({{point(0.3, 0.12, 0.06), 0.022 * h}, {point(0.95, 0.13, 0.1), 0.013 * h}},
                      [=](const SurfacePoint& p) {
                        return p.along_in < 0.3 * h ? PaintOf(110, 70, 40) : PaintOf(176, 178, 180);
                      }));
  return out;
}

}  // namespace fos
