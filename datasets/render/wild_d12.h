// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "datasets/render/wild_dice.h"
#include "datasets/render/wild_draws.h"
#include "datasets/render/wild_light.h"

// Twelve-sided dice on a wild table: regular dodecahedra with a number on each face, of any colours
// and letters, lying flat.
namespace fos {

// What the twelve-sided dice of one throw have in common.
struct D12Kind {
  double size_in = 0.709;  // between opposite faces
  double round_in = 0.03;  // radius of edges and corners
  // Of the faces in their order, of which the two of a pair are opposite: 0 and 1, 2 and 3, ...
  // Opposite numbers add up to 13.
  std::array<int, 12> numbers{};
  // Which way the top of the number is: counter-clockwise, seen from outside, from the face's first
  // axis, which points to the middle of an edge.
  std::array<double, 12> upright_rad{};
  // The ink on each face, upright: CV_8UC1, 255 is full ink. The square about the face's corners.
  std::array<cv::Mat, 12> ink;
  double rim = 0;  // share of the light that the edges of the grooves lose
  double gloss = 0;
  cv::Vec3f body;  // reflectance: blue, green, red
  cv::Vec3f numeral;
  std::optional<cv::Vec3f> marble;  // the other tone of a marbled body
  double clear = 0;                 // of a translucent body: how much lighter its edges are
};
D12Kind DrawD12Kind(Draws& draws);

// The faces of a regular dodecahedron, as WildSolid::planes. size_in: between opposite faces
std::vector<cv::Vec4d> D12Planes(double size_in);

// Empty where it would not lie level, or runs into something.
std::optional<WildDie> LayD12(const D12Kind& kind, const WildScene& scene, Vec2 at,
                              double heading_rad, Draws& draws);
// A throw about a place: some dice side by side, some touching. Fewer than `count`, down to none,
// where there is no room.
std::vector<WildDie> ThrowD12(const D12Kind& kind, const WildScene& scene, Vec2 about, int count,
                              Draws& draws);

}  // namespace fos
