// SPDX-License-Identifier: MIT
#include "datasets/render/wild_ground.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "datasets/render/srgb.h"

namespace fos {
namespace {

// Whether a place is on a marker's paper, and then its ink.
bool MarkerPaint(const SceneMarker& marker, Vec2 at, cv::Vec3f& paint) {
  const double u = (at.x - marker.centre.x) / marker.size_in + 0.5;
  const double v = 0.5 - (at.y - marker.centre.y) / marker.size_in;
  constexpr double kPaper = 0.16;
  if (std::max(std::abs(u - 0.5), std::abs(v - 0.5)) > 0.5 + kPaper) return false;
  bool white = true;
  if (u >= 0 && v >= 0 && u < 1 && v < 1) {
    white = marker.cells.at<std::uint8_t>(static_cast<int>(v * marker.cells.rows),
                                          static_cast<int>(u * marker.cells.cols)) > 127;
  }
  paint = white ? cv::Vec3f(0.78F, 0.8F, 0.79F) : cv::Vec3f(0.035F, 0.033F, 0.033F);
  return true;
}

bool OnLine(const WildGround& g, Vec2 at) {
  const double half = g.line_in / 2;
  const double width = g.columns * g.square_in;
  const double depth = g.rows * g.square_in;
  if (half <= 0 || at.x < -half || at.y < -half || at.x > width + half || at.y > depth + half)
    return false;
  const auto off = [&](double v, double along, std::uint32_t salt) {
    const double line = std::round(v / g.square_in);
    return std::abs(v - line * g.square_in -
                    g.line_stray_in * SmoothNoise(along / 2.5, 5.1 * line, g.salt + salt));
  };
  return std::min(off(at.x, at.y, 31), off(at.y, at.x, 37)) < half;
}

// A printed mat: fields of two tones with hard edges.
void DrawPrint(WildGround& g, Draws& draws) {
  struct Tones {
    std::array<int, 3> one, other;
  };
  constexpr std::array<Tones, 4> kTones{{{{112, 128, 70}, {78, 92, 44}},
                                         {{150, 132, 96}, {104, 88, 62}},
                                         {{142, 142, 138}, {96, 98, 100}},
                                         {{168, 158, 120}, {96, 110, 62}}}};
  const Tones t = draws.OneOf(kTones);
  g.look = "printed mat";
  g.base = PaintOf(t.one[0], t.one[1], t.one[2]);
  g.second = PaintOf(t.other[0], t.other[1], t.other[2]);
  g.patch_share = draws.Uniform(0.3, 0.6);
  g.patch_in = draws.LogUniform(0.25, 1.8);
  g.patch_soft = draws.Uniform(0.03, 0.3);
  g.fine = draws.Uniform(0.08, 0.3);
  g.grain_in = draws.Uniform(0.03, 0.1);
}

void DrawLook(WildGround& g, Draws& draws) {
  constexpr std::array<const char*, 7> kLooks{"green cloth", "brown cloth", "white",      "snow",
                                              "sand",        "dark felt",   "printed mat"};
  g.look = draws.OneOf(kLooks);
  const auto jitter = [&](int v) {
    return std::clamp(v + static_cast<int>(draws.Uniform(-12, 12)), 0, 255);
  };
  const auto paint = [&](int r, int gr, int b) {
    return PaintOf(jitter(r), jitter(gr), jitter(b));
  };
  g.fine = draws.Uniform(0.03, 0.12);
  g.coarse = draws.Uniform(0.02, 0.15);
  if (g.look == "green cloth") {
    g.base = paint(86, 106, 60);
    g.specks = draws.Uniform(0, 0.05);
  } else if (g.look == "brown cloth") {
    g.base = paint(122, 104, 74);
    g.specks = draws.Uniform(0, 0.05);
  } else if (g.look == "white") {
    g.base = paint(226, 226, 222);
    g.fine = draws.Uniform(0.01, 0.04);
    g.coarse = draws.Uniform(0, 0.06);
  } else if (g.look == "snow") {
    g.base = paint(236, 240, 243);
    g.second = PaintOf(176, 196, 222);  // blue in the hollows
    g.patch_share = draws.Uniform(0.1, 0.45);
    g.patch_soft = draws.Uniform(0.4, 0.9);
    g.patch_in = draws.Uniform(0.6, 2.5);
    g.bump = draws.Uniform(0.05, 0.25);
    g.bump_in = draws.LogUniform(0.15, 1.2);
    g.specks = draws.Uniform(0, 0.02);
  } else if (g.look == "sand") {
    g.base = paint(196, 172, 126);
    g.fine = draws.Uniform(0.08, 0.22);
    g.bump = draws.Uniform(0.03, 0.2);
    g.bump_in = draws.LogUniform(0.08, 0.7);
    g.specks = draws.Uniform(0, 0.08);
  } else if (g.look == "dark felt") {
    constexpr std::array<std::array<int, 3>, 4> kFelts{
        {{44, 46, 40}, {30, 46, 36}, {52, 44, 40}, {38, 40, 52}}};
    const auto felt = draws.OneOf(kFelts);
    g.base = paint(felt[0], felt[1], felt[2]);
    g.fine = draws.Uniform(0.1, 0.35);
    g.grain_in = draws.Uniform(0.02, 0.05);
  } else {
    DrawPrint(g, draws);
  }
}

void DrawStrips(WildGround& g, double side, Draws& draws) {
  const int count = g.look == "printed mat" ? 1 + draws.Below(3) : draws.Below(2);
  for (int i = 0; i < count; ++i) {
    const double half = draws.Uniform(0.2, 0.8);
    const double turn = draws.Below(2) * std::numbers::pi / 2;
    WildGround::Strip strip;
    const double bow = draws.Uniform(-2, 2);
    const double from = draws.Uniform(1, side - 1);
    const double lean = draws.Uniform(-4, 4);
    std::vector<Vec2> back;
    for (int k = 0; k <= 8; ++k) {
      const double t = k / 8.0;
      const double x = from + lean * t + bow * std::sin(3 * t);
      strip.outline.push_back({x - half, -2 + t * (side + 4)});
      back.push_back({x + half, -2 + t * (side + 4)});
    }
    strip.outline.insert(strip.outline.end(), back.rbegin(), back.rend());
    for (Vec2& p : strip.outline)
      p = Vec2{side / 2, side / 2} + Rotated(p - Vec2{side / 2, side / 2}, turn);
    constexpr std::array<std::array<int, 3>, 5> kPaints{
        {{150, 124, 92}, {176, 160, 130}, {92, 88, 84}, {70, 104, 132}, {214, 206, 190}}};
    const auto paint = draws.OneOf(kPaints);
    strip.paint = PaintOf(paint[0], paint[1], paint[2]);
    strip.edge_in = draws.Happens(0.5) ? draws.Uniform(0.03, 0.12) : 0;
    g.strips.push_back(strip);
  }
}

}  // namespace

cv::Vec3f WildGround::PaintAt(Vec2 at) const {
  cv::Vec3f paint;
  for (const SceneMarker& marker : markers) {
    if (MarkerPaint(marker, at, paint)) return paint;
  }
  paint = base;
  if (patch_share > 0) {
    const double cloud = 0.5 + 0.8 * CloudNoise(at.x / patch_in, at.y / patch_in, salt + 11);
    const auto share = static_cast<float>(
        SmoothStep(-0.5 * patch_soft, 0.5 * patch_soft, cloud - (1 - patch_share)));
    paint = (1 - share) * paint + share * second;
  }
  for (const Strip& strip : strips) {
    if (!Contains(strip.outline, at)) continue;
    paint = strip.paint;
    if (strip.edge_in > 0) {
      for (std::size_t i = 0; i < strip.outline.size(); ++i) {
        const Segment2 edge{strip.outline[i], strip.outline[(i + 1) % strip.outline.size()]};
        if (Distance(NearestPoint(edge, at), at) < strip.edge_in) paint = 0.35F * strip.paint;
      }
    }
  }
  double light =
      1 + fine * SmoothNoise(at.x / grain_in, at.y / grain_in, salt) +
      0.6 * fine * SmoothNoise(at.x / (2.7 * grain_in), at.y / (2.7 * grain_in), salt + 3) +
      coarse * CloudNoise(at.x / 2.3, at.y / 2.3, salt + 7);
  if (specks > 0) {
    const double speck = LatticeNoise(static_cast<int>(std::floor(at.x / grain_in)),
                                      static_cast<int>(std::floor(at.y / grain_in)), 1, salt + 9);
    if (std::abs(speck) > 1 - specks) light *= speck > 0 ? 1.5 : 0.6;
  }
  if (OnLine(*this, at)) paint = 0.15F * paint + 0.85F * line;
  for (int c = 0; c < 3; ++c)
    paint[c] = std::clamp(paint[c] * static_cast<float>(light), 0.004F, 0.92F);
  return paint;
}

cv::Vec3d WildGround::NormalAt(Vec2 at) const {
  if (bump <= 0) return {0, 0, 1};
  constexpr double kStep = 0.2;  // of the bumps' size
  const double x = at.x / bump_in;
  const double y = at.y / bump_in;
  const double here = CloudNoise(x, y, salt + 17);
  const cv::Vec3d slope(-bump * (CloudNoise(x + kStep, y, salt + 17) - here) / kStep,
                        -bump * (CloudNoise(x, y + kStep, salt + 17) - here) / kStep, 1);
  return slope / cv::norm(slope);
}

WildGround DrawGround(double side_in, Draws& draws) {
  WildGround g;
  g.salt = draws.Seed();
  g.grain_in = draws.Uniform(0.02, 0.06);
  DrawLook(g, draws);
  DrawStrips(g, side_in, draws);
  constexpr std::array<double, 4> kLines{0, 0.025, 0.06, 0.13};
  g.line_in = draws.OneOf(kLines);
  g.line_stray_in = draws.Uniform(0, 0.04);
  const bool dark = g.base[1] < 0.05F;
  g.line =
      dark || draws.Happens(0.15) ? cv::Vec3f(0.6F, 0.62F, 0.62F) : cv::Vec3f(0.03F, 0.03F, 0.035F);
  return g;
}

}  // namespace fos
