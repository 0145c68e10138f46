#pragma once

#include <vector>

#include "engine/rules/closefire/play.h"

// Where a body has room: no base stands on another, whoever's it is.
namespace fos::closefire {

// Two bases may overlap by this much and only touch: places are rounded to thousandths of a yard,
// and contact is found to a hundredth.
constexpr double kTouch_yd = 0.02;

// A gun that chargers of `unit` ride past: nobody serves it, or its crew will shelter with formed
// foot behind it (CF-23.4).
bool StandsAside(const Field& field, int gun, int unit);
// A unit that would be stood upon; -1 where there is room. Guns that nobody serves are moved aside;
// with `past_guns` those too whose crews will shelter.
int InTheWay(const Field& field, int unit, const std::vector<Base>& there, bool past_guns = false);
// The farthest, up to `yards` along the bearing, that the body finds room to stand; it passes over
// others on the way. 0: it stays.
double RoomAlong(const Field& field, int unit, double bearing_deg, double yards,
                 bool past_guns = false);
// How far it can go before ground it may not enter (CF-12.4) or the table's edge.
double GroundFree(const Field& field, int unit, double bearing_deg, double yards,
                  bool edge_is_open);
// Some of its bases.
double GroundFree(const Field& field, int unit, const std::vector<Base>& bases, double bearing_deg,
                  double yards, bool edge_is_open);
// How far it goes before any of it is in rough ground; `yards` where it never is, 0 where it stands
// in it (CF-12.4).
double RoughAfter(const Field& field, int unit, double bearing_deg, double yards);
// The yards of a roll along the bearing: less by the dice where they lead into rough ground, to its
// edge at least.
double RoughOnTheWay(const Field& field, int unit, double bearing_deg, Roll roll);
// Yards along the bearing to contact; -1 when it is not met within the limit.
double AlongToContact(const Field& field, int unit, int enemy, double bearing_deg, double limit_yd);
// Refuses a place on somebody else, off the table or on forbidden ground.
void RequireRoom(Play& play, int unit, const std::vector<Base>& there, const char* clause);
// CF-11.4 for moves that are no straight way: nobody comes nearer than 20 yd to enemy ahead of him.
void RequireTwentyYards(Play& play, int unit, const std::vector<Base>& there);
// Does a base that stands there have an enemy within 20 yd in its front wedge? Abandoned guns stop
// nobody (CF-23).
bool EnemyTooNear(const Field& field, int unit, const std::vector<Base>& there);

}  // namespace fos::closefire
