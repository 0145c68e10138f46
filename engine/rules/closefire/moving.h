// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "engine/rules/closefire/play.h"

// Shared by the files of the Movement phase (sections 11 to 14): who may move, and the allowance.
namespace fos::closefire {

// CF-11.3: within 2 yd of the full distance counts as the full distance.
constexpr double kFull_yd = 2;

bool Near(const Field& field, int unit);  // CF-14: near the enemy
bool InLine(const State& s, int unit);
bool SteadyFootInLine(const State& s, int unit);  // CF-14.8, 14.9: of grade A to D
bool UpTo(const State& s, int unit);              // CF-11.3: whether it may stop anywhere
// CF-5.7: whether it can repeat its last move. If not, for example after standing still, it halts.
bool CanRepeat(const State& s, int unit);
// CF-13: how dice cause fatigue to this unit on this ground.
Fatigue FatigueOf(const State& s, int unit, bool rough);
void MadeMove(Play& play, int unit, LastMove kind);  // keeps the first real move of the phase
double LeftYd(const State& s, int unit);
bool IsMerging(const State& s, int unit);  // CF-14.16: with another unit
// CF-12.9: refuses to end the moves of horse that must still move because of its pace last turn.
void RequirePace(Play& play, int unit);
// CF-14.12: the bases as they move: while a line passes a gap its front shrinks about its middle.
std::vector<Base> PassingBases(const Field& field, int unit);

void RequireMine(Play& play, int unit);
// The checks for every voluntary move (CF-4.4, 5.6, 11.1, 22.4).
enum class Moving { kOnItsDice, kThrowing, kReforming };
void RequireFreeToMove(Play& play, int unit, Moving how = Moving::kOnItsDice);
// Whether that refuses whatever the unit would do, a control test apart.
bool IsBarredFromMoving(const State& s, int unit);
void RequireRolled(Play& play, int unit);
void Spend(Play& play, int unit, double yards, const char* clause);
void Halve(Play& play, int unit, const char* clause);      // CF-14.13
void WholeMove(Play& play, int unit, const char* clause);  // the unit's only move, without dice
// Whether it has done nothing yet that rules out a whole move.
bool MayTakeWholeMove(const Unit& unit);
bool MayReform(const State& s, int unit);                           // CF-14.4: troops of its kind
bool MayChangePaceTo(const State& s, int unit, const DiceSet& to);  // CF-12.9: horse
double WheelYd(const State& s, double front_yd, double deg);        // CF-14.1: what a wheel costs
// CF-12.4: if any part of the move is rough, all of it is.
void BecomeRough(Play& play, int unit);
// CF-6.5: captures lone leaders and messengers that cavalry rode over on its way from `from`.
void CaptureLeaders(Play& play, int unit, const std::vector<Base>& from, double bearing,
                    double yards);

// What lies along a path: how far it is free, and what ends it.
struct Way {
  double free_yd = 0;
  bool enemy_stop = false;   // CF-11.4
  bool double_stop = false;  // CF-11.7
  bool forbidden = false, edge = false, friends = false;
  // CF-14.6: the obstacles on the free part, without those it stands in or crosses on fascines; and
  // the first of them, an index into Setup::terrain.
  int obstacles = 0;
  std::optional<int> first_obstacle;
  bool rough = false;
};
Way WayAlong(const Field& field, int unit, double bearing, double yards);
// Whether the rest of the move leads through a friend, into a feature or over the table edge
// (CF-11.3).
struct Broken {
  int friends = -1;  // the first friendly unit on the way; -1 if none
  bool ground = false;
};
Broken AheadIsBroken(const Field& field, int unit, double bearing, double yards);

// CF-14.6: the obstacles straight ahead within these yards, the nearest first. An obstacle the unit
// stands in is not crossed again.
struct Hurdle {
  double at_yd = 0;
  bool hard = false;  // hard for cavalry
};
// by_centre  measured from the stands' centres, as for a move's path, instead of their fronts
std::vector<Hurdle> HurdlesAhead(const Field& field, int unit, double yards,
                                 bool by_centre = false);

// CF-11.5: the dice that a brigade has thrown this turn for its units of one arm under one leader's
// control, and the unit they were thrown for.
struct BrigadeRoll {
  int of = -1;
  DiceSet set;
  std::vector<int> faces;
  // The faces for a set of dice, taken from those thrown; nothing if they do not include that set.
  std::optional<std::vector<int>> Read(const DiceSet& wanted) const;
};
std::optional<BrigadeRoll> BrigadeRollOf(const Field& field, int unit);
// Whether both units move on one roll.
bool OneRoll(const Field& field, int a, int b);

// CF-14.6: obstacles on the path must have been paid for. Carriers of fascines lay them there.
void RequireCrossed(Play& play, int unit, const Way& way);
void LayFascines(Play& play, int unit, const std::vector<Base>& from, double bearing, double yards,
                 const Way& way);
void PutFascines(Play& play, int unit, std::optional<int> over, Vec2 from, Vec2 to);
// The points where bases moving by `by` from `starts` enter an obstacle. Bases that do not, or that
// start in it, have none.
std::vector<Vec2> ComesInto(const Terrain& t, const std::vector<Vec2>& starts, Vec2 by);
// Whether all bases that enter the obstacle at `into` follow carriers of their side over fascines.
// over     index into Setup::terrain; -1: an obstacle that is not on the map.
bool OverFascines(const Field& field, int unit, std::optional<int> over,
                  const std::vector<Vec2>& into);

// What dice give a unit from where it stands (CF-11.7, 12), before anything is spent.
struct Thrown {
  Roll roll;
  double yards = 0;
  bool rough = false, doubled = false;
};
Thrown ThrownFor(const Field& field, int unit, const std::vector<int>& faces, bool doubled);

// The declarations, in move_dice.cc, manoeuvres.cc, bodies.cc and seen_unit.cc.
void RollDice(Play& play, const ParsedLine& words);
void Wheel(Play& play, const ParsedLine& words);
void Form(Play& play, const ParsedLine& words);
void Reform(Play& play, const ParsedLine& words);
void AboutFace(Play& play, const ParsedLine& words);
void Incline(Play& play, const ParsedLine& words);
void SideStep(Play& play, const ParsedLine& words);
void Unlimber(Play& play, const ParsedLine& words);
void Pivot(Play& play, const ParsedLine& words);
void Cross(Play& play, const ParsedLine& words);
void Mount(Play& play, const ParsedLine& words);
void MoveHolder(Play& play, const ParsedLine& words);
void PassGap(Play& play, const ParsedLine& words);
void Split(Play& play, const ParsedLine& words);
void Merge(Play& play, const ParsedLine& words);
void Recrew(Play& play, const ParsedLine& words);
void DriveOff(Play& play, const ParsedLine& words);
void Arrive(Play& play, const ParsedLine& words);
void Seen(Play& play, const ParsedLine& words);

// The explanation of a unit's new place as seen by the camera (seen_unit.cc).
struct SeenWay {
  std::string where;               // "B0 was seen at (500, 515) facing 0"
  std::string how;                 // "ahead 15.0"; empty if it has not moved
  std::vector<ParsedLine> legs;    // the declarations; none if it has not moved
  std::optional<Refusal> refused;  // why the plainest explanation is illegal, including `where`
  double yards = 0;                // of its dice
  int dp = 0;
  bool without_dice = false;
};
// words  of `seen UNIT X Y FACING [formation]`. Uses the dice already thrown; assumes an unlimited
//        allowance if there are none.
SeenWay ExplainSeen(const State& s, const ParsedLine& words);

}  // namespace fos::closefire
