// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "datasets/render/wild_draws.h"
#include "datasets/render/wild_light.h"

// Dice on a wild table: cubes with rounded edges whose pips are hollows or printed, of any colours,
// lying flat or leaning on one another.
namespace fos {

// What the dice of one throw have in common.
struct DieKind {
  double side_in = 0.63;
  double round_in = 0.06;  // radius of edges and corners
  double pip_in = 0.055;   // radius
  double first_pip_in = 0.055;  // of the single one: on some dice larger
  double pips_off_in = 0.16;    // from the middle of a face, along its sides
  double hollow_in = 0.02;      // depth of the pips; 0: printed
  double gloss = 0.06;
  bool average = false;  // 2 3 3 4 4 5
  cv::Vec3f body;        // reflectance: blue, green, red
  cv::Vec3f pips;
  cv::Vec3f first_pip;  // of the single one
};
DieKind DrawDieKind(Draws& draws);

// A die that has come to rest.
struct WildDie {
  int faces = 6;
  int value = 0;  // of its upper face
  bool cocked = false;
  Vec2 centre;  // of the body, straight below
  double tilt_rad = 0;
  double top_in = 0;  // height of the highest point
  WildSolid solid;
};

// Empty where it would not lie level, or runs into something.
std::optional<WildDie> LayDie(const DieKind& kind, const WildScene& scene, Vec2 at,
                              double heading_rad, Draws& draws);
// A throw about a place: some dice side by side, some touching, perhaps one that leans on another.
// Fewer than `count`, down to none, where there is no room.
std::vector<WildDie> ThrowDice(const DieKind& kind, const WildScene& scene, Vec2 about, int count,
                               bool with_cocked, Draws& draws);

// For dice of other shapes.
// Turns a body about the upright through its origin.
cv::Matx33d AboutUp(double angle_rad);
// The height of the ground below a die, where it is even. wide_in: of the square that must be even
std::optional<double> LevelBelow(const WildScene& scene, Vec2 at, double wide_in);
// Whether a body whose skeleton (own frame) is padded by round_in on all sides runs into a solid.
bool Meets(const WildSolid& body, std::span<const cv::Vec3d> skeleton, double round_in,
           std::span<const WildSolid> solids);

}  // namespace fos
