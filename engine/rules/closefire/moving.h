#pragma once

#include <optional>
#include <vector>

#include "engine/rules/closefire/play.h"

// What the files of the Movement phase (sections 11 to 14) share: who may move, and what is spent.
namespace fos::closefire {

// CF-11.3: "within 2 yd" of the full distance is the full distance.
constexpr double kFull_yd = 2;

bool Near(const Field& field, int unit);  // CF-14: near enemy
bool InLine(const State& s, int unit);
bool UpTo(const State& s, int unit);  // CF-11.3: who may stop anywhere
// CF-5.7: what it cannot do again becomes a halt, and so does having stood.
bool CanRepeat(const State& s, int unit);
// CF-13: what a unit's dice may tire it by, on such ground.
Fatigue FatigueOf(const State& s, int unit, bool rough);
void MadeMove(Play& play, int unit, LastMove kind);  // the first that counts stays
double LeftYd(const State& s, int unit);
bool IsMerging(const State& s, int unit);  // CF-14.16: into another, or another into it

void RequireMine(Play& play, int unit);
// What bars every voluntary move (CF-4.4, 5.6, 11.1).
void RequireFreeToMove(Play& play, int unit, bool rolling = false);
void RequireRolled(Play& play, int unit);
void Spend(Play& play, int unit, double yards, const char* clause);
void Halve(Play& play, int unit, const char* clause);      // CF-14.13
void WholeMove(Play& play, int unit, const char* clause);  // no dice, and nothing else
// CF-12.4: once any part of the move is rough all of it is.
void BecomeRough(Play& play, int unit);
// CF-6.5: lone leaders and messengers that cavalry which went so far from `from` rode over.
void CaptureLeaders(Play& play, int unit, const std::vector<Base>& from, double bearing,
                    double yards);

// What lies along a way: how far it is free, and why it ends.
struct Way {
  double free_yd = 0;
  bool enemy_stop = false;   // CF-11.4
  bool double_stop = false;  // CF-11.7
  bool forbidden = false, edge = false, friends = false;
  // CF-14.6: how many it gets across, not counting what it stands in or goes over on fascines; and
  // the first of them, an index into Setup::terrain.
  int obstacles = 0;
  int first_obstacle = -1;
  bool rough = false;
};
Way WayAlong(const Field& field, int unit, double bearing, double yards);
// Would going on for so many yards run through a friend, or into a feature or over the edge
// (CF-11.3)?
struct Broken {
  int friends = -1;  // the first unit on the way
  bool ground = false;
};
Broken AheadIsBroken(const Field& field, int unit, double bearing, double yards);

// CF-14.6: what lies across the way straight ahead within so many yards, the nearest first. What
// somebody stands in already is not crossed again.
struct Hurdle {
  double at_yd = 0;
  bool hard = false;  // specially so for cavalry
};
// by_centre  ahead of the stands' centres, as a move's way is measured, not of their fronts
std::vector<Hurdle> HurdlesAhead(const Field& field, int unit, double yards,
                                 bool by_centre = false);

// CF-11.5: the dice that a brigade has thrown this turn for those of one arm whom one leader
// controls, and the unit they were thrown for.
struct BrigadeRoll {
  int of = -1;
  DiceSet set;
  std::vector<int> faces;
  // Those of a set that they hold; nothing where they do not: none are added.
  std::optional<std::vector<int>> Read(const DiceSet& wanted) const;
};
std::optional<BrigadeRoll> BrigadeRollOf(const Field& field, int unit);
// Do they move on one roll?
bool OneRoll(const Field& field, int a, int b);

// CF-14.6: what lies across the way must have been paid for; who carries fascines lays them there.
void RequireCrossed(Play& play, int unit, const Way& way);
void LayFascines(Play& play, int unit, const std::vector<Base>& from, double bearing, double yards,
                 const Way& way);
void PutFascines(Play& play, int unit, int over, Vec2 from, Vec2 to);
// Where a body that goes so comes into an obstacle, base by base; nothing for those that do not, or
// whose front or centre, `starts`, stands in it.
std::vector<Vec2> ComesInto(const Terrain& t, const std::vector<Vec2>& starts, Vec2 by);
// Does everybody who comes into it there follow carriers of his side over their fascines?
// over     index into Setup::terrain; -1: what no map shows.
bool OverFascines(const Field& field, int unit, int over, const std::vector<Vec2>& into);

// What dice give a unit where it stands (CF-11.7, 12), before anything is spent.
struct Thrown {
  Roll roll;
  double yards = 0;
  bool rough = false, doubled = false;
};
Thrown ThrownFor(const Field& field, int unit, const std::vector<int>& faces, bool doubled);

// The declarations, by file: move_dice.cc, manoeuvres.cc, bodies.cc, seen_unit.cc.
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

// A body's new place as the camera saw it, explained (seen_unit.cc).
struct SeenWay {
  std::string where;               // "B0 was seen at (500, 515) facing 0"
  std::string how;                 // "ahead 15.0"; empty where it stands as it stood
  std::vector<ParsedLine> legs;    // what is carried out; none where it stands as it stood
  std::optional<Refusal> refused;  // what stands against the plainest explanation, with `where`
  double yards = 0;                // of its dice
  int dp = 0;
  bool without_dice = false;
};
// words  as `seen UNIT X Y FACING [formation]` is read. As if dice without end had been thrown,
//        unless some lie there.
SeenWay ExplainSeen(const State& s, const ParsedLine& words);

}  // namespace fos::closefire
