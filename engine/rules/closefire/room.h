// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "engine/rules/closefire/play.h"

// Free places for a body: no base overlaps another, friend or enemy.
namespace fos::closefire {

// Bases that overlap by no more than this only touch: places are rounded to thousandths of a yard,
// and contact is found to a hundredth.
constexpr double kTouch_yd = 0.02;
// The step of a search along a way: shorter than any base, so no base is stepped over.
constexpr double kStep_yd = 2;

// Whether charging `unit` rides past the gun: it is abandoned, or its crew will shelter with formed
// foot behind it (CF-23.4).
bool StandsAside(const Field& field, int gun, int unit);
// The first unit these places overlap; nothing if there is room. Abandoned guns are moved aside;
// with `past_guns` also those whose crews will shelter.
std::optional<int> InTheWay(const Field& field, int unit, const std::vector<Base>& there,
                            bool past_guns = false);
// The farthest free place up to `yards` along the bearing, passing over others on the way; 0 if
// there is none.
double RoomAlong(const Field& field, int unit, double bearing_deg, double yards,
                 bool past_guns = false);
// How far it can go before forbidden ground (CF-12.4) or the table edge.
double GroundFree(const Field& field, int unit, double bearing_deg, double yards,
                  bool edge_is_open);
// The same for some of its bases.
double GroundFree(const Field& field, int unit, const std::vector<Base>& bases, double bearing_deg,
                  double yards, bool edge_is_open);
// How far it goes before any base is in rough ground (CF-12.4): `yards` if it never is, 0 if it
// already is.
double RoughAfter(const Field& field, int unit, double bearing_deg, double yards);
// The yards of a roll along the bearing. If it leads into rough ground each die counts less, but
// the move reaches the edge of the rough ground at least.
double RoughOnTheWay(const Field& field, int unit, double bearing_deg, Roll roll);
// Yards along the bearing to contact; -1 if the enemy is not met within the limit.
double AlongToContact(const Field& field, int unit, int enemy, double bearing_deg, double limit_yd);
// Refuses places that overlap another unit, are off the table or on forbidden ground.
void RequireRoom(Play& play, int unit, const std::vector<Base>& there, const char* clause);
// Refuses places at which the bases of a formed unit overlap or are not in contact (CF-10.1).
void RequireOneBody(Play& play, int unit, const std::vector<Base>& there);
// CF-11.4 for moves that are not straight ahead: refuses places within 20 yd of an enemy to the
// front.
void RequireTwentyYards(Play& play, int unit, const std::vector<Base>& there);
// Whether a base at these places has an enemy within 20 yd in its front wedge. Abandoned guns stop
// no move (CF-23).
bool EnemyTooNear(const Field& field, int unit, const std::vector<Base>& there);

}  // namespace fos::closefire
