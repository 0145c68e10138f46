// SPDX-License-Identifier: MIT
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

}  // namespace fos
