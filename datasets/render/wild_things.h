// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/render/wild_draws.h"
#include "datasets/render/wild_light.h"
#include "engine/table/scenario.h"

// Swabs and shells as clubs really have them, and how they come to rest on a wild table.
namespace fos {

// A packet of swabs: what those of one table have in common.
struct SwabKind {
  std::string stick;  // "white", "bamboo", ...; for reports
  cv::Vec3f stick_paint;
  double length_in = 3;
  double stick_in = 0.1;    // diameter
  double cotton_in = 0.22;  // greatest diameter
  double cotton_long_in = 0.5;
  double pear = 0;     // above 0 the cotton is thickest near its end, below 0 near the stick
  double blunt = 0.6;  // radius of the end over the greatest
  std::string dip;     // "red", "blue", "green", "black"
  Colour paint;        // as the scenario has it
};
SwabKind DrawSwabKind(Draws& draws);

struct ShellKind {
  std::string body;
  Colour paint;
  Colour mark;
  double size_in = 0.4;
  double thick_in = 0.2;
};
ShellKind DrawShellKind(Draws& draws);

// Something that has come to rest.
struct WildThing {
  std::string what;  // "swab", "shell", or the class of junk; empty: it found no place
  bool shot = false;
  Projectile projectile{};
  std::vector<std::string> looks;  // its classes for reports: "swab: bent", "junk: coin", ...
  std::vector<WildSolid> solids;
  Vec2 point;                             // of a shot: what counts
  Vec2 tail;                              // of a swab: the other end
  double height_in = 0;                   // of the point
  std::vector<cv::Vec3d> visible_points;  // on the painted end or the top
};

// The heights at which a straight rod comes to rest: of its axis at its two ends.
struct RodRest {
  double from_in = 0;
  double to_in = 0;
  double most_support_in = 0;
};
// radii: along the rod, evenly spaced, its first at `from`.
RodRest RestRod(std::span<const WildSolid> solids, Vec2 from, Vec2 to,
                std::span<const double> radii);

// Whether a swept or other solid runs into one that holds nothing: a figure, a tree.
bool RunsInto(const WildSolid& solid, std::span<const WildSolid> solids);

// Empty where it would not stay or runs into something.
std::optional<WildThing> LaySwab(const SwabKind& kind, const WildScene& scene, Vec2 tip, Vec2 way,
                                 Draws& draws);
std::optional<WildThing> LayShell(const ShellKind& kind, const WildScene& scene, Vec2 at,
                                  double heading_rad, Draws& draws);

}  // namespace fos
