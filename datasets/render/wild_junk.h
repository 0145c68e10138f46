#pragma once

#include <string>
#include <vector>

#include "datasets/render/wild_things.h"

// What comes to rest on a wild table and is no projectile. Two thirds of the classes are for
// developing, the others only for measuring: nobody looks at these while a detector is made.
//
//   developing                                   measuring only (`--unseen`)
//   die, pencil, tape strip, paper scrap, coin,  glass bead, chess pawn, cable end,
//   wool tuft, matchstick, toothpick, straw,     leaf, sweet wrapper, button
//   cotton ball, fallen figure, rubber
namespace fos {

std::vector<std::string> JunkClasses(bool unseen);

// Empty where it would not stay or runs into something.
std::optional<WildThing> LayJunk(const std::string& what, const WildScene& scene, Vec2 at,
                                 double heading_rad, Draws& draws);

// A tin figure some 1.2 in high by its parts, standing on bottom_in or, knocked over, lying along
// `heading_rad`. coat: its colour
std::vector<WildSolid> FigureAt(Vec2 at, double heading_rad, double bottom_in, double high_in,
                                bool lying, cv::Vec3f coat, Draws& draws);

}  // namespace fos
