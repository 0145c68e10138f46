#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/closefire/sight.h"
#include "engine/rules/closefire/state.h"

// What stands where, measured: gaps, wedges, sight, who is nearest, who is under control. A picture
// of one State: make another when something has moved. Yards; numbers are units and leaders.
namespace fos::closefire {

class Field {
 public:
  explicit Field(const State& s);

  const State& Game() const { return s_; }
  const std::vector<Base>& Bases(int unit) const { return bases_[static_cast<std::size_t>(unit)]; }
  Vec2 Centre(int unit) const { return centres_[static_cast<std::size_t>(unit)]; }
  Vec2 LeaderAtYd(int leader) const;

  // CF-1.3: the shortest distance between outlines; infinity when either is not on the table.
  double Gap(int a, int b) const;
  double GapToLeader(int unit, int leader) const;
  double GapOfLeaders(int a, int b) const;
  bool Contact(double gap_yd) const { return gap_yd <= s_.Rulings().contact_gap_yd; }
  // A sentence when the measure lies within close_call_yd of the limit; empty otherwise.
  std::string CloseCall(double measured_yd, double limit_yd) const;
  // To the nearest enemy of a unit or a place; infinity without any. Hidden troops are unknown.
  double NearestEnemyGap(int unit) const;
  double NearestEnemyGap(int side, Vec2 at) const;
  int NearestEnemy(int unit) const;  // -1
  // CF-11.7: from bases to the nearest cover that may hold enemy; infinity without any.
  double SuspectGap(const std::vector<Base>& bases) const;
  bool MayDouble(int unit) const;  // where it stands

  // The middle of the unit's front edges and its facing: those of its front rank.
  struct Front {
    Vec2 centre;
    double facing_deg = 0;
    double width = 0;
    int files = 0, ranks = 0;
  };
  Front FrontOf(int unit) const;

  // CF-1.4, 15.2: is part of the target base in the stand's wedge? Unformed and dismounted troops
  // look all round.
  bool InFront(int unit, std::size_t stand, int enemy) const;
  bool InFrontWedge(int unit, int enemy) const;
  bool InFront(int unit, std::size_t stand, const Base& base) const;
  // Has a stand a base of the enemy so near and in its wedge?
  bool InFrontWithin(int unit, int enemy, double yards) const;  // of any stand
  // CF-7: does any base of a see any base of b?
  bool Sees(int a, int b) const;
  bool LeaderSees(int leader, int b) const;
  bool StandSees(int unit, std::size_t stand, int b) const;
  bool PointSees(int observer_unit, Vec2 from, int b) const;
  bool SeesPlace(int observer_unit, Vec2 from, Vec2 to) const;  // a leader's

  // CF-5.1 to 5.3.
  bool InChain(int leader, int unit) const;
  int BrigadierOf(int unit) const;  // -1; guns: the leader they answer to
  // Who controls it: its own leader before higher ones; -1 nobody.
  int ControllerOf(int unit) const;
  bool Controlled(int unit) const { return ControllerOf(unit) >= 0; }
  bool MayConform(int unit, int leading) const;
  bool BehindOf(int rear, int lead) const;

  // Section 6: more than 40 yards from any friendly unit.
  bool Lone(int leader) const;

  // Ground. level: the highest hill a point is on.
  int LevelAt(Vec2 at) const;
  bool OffTable(Vec2 at) const;
  bool RoughAt(const Base& base) const;
  bool RoughUnder(const std::vector<Base>& bases) const;  // any of them
  bool ForbiddenAt(const Base& base, int unit) const;     // CF-12.4
  bool OnRoad(const Base& base) const;
  const Terrain* WoodOrTownAt(Vec2 at) const;
  // CF-20.3, 20.4: works (1, 2) and ground of a unit against its opponent. Works and the edges of
  // woods and towns are defended by who is nearer to them and has not come across them this turn.
  int WorksAgainst(int unit, int enemy) const;
  bool GroundAgainst(int unit, int enemy) const;
  bool HardCoverAgainst(int unit, int enemy) const;  // CF-17.3
  // CF-16.4.
  bool Enfiladed(int target, int gun) const;

  // CF-15.3: bases of the target far enough from the firer's friends.
  bool SafeToFireAt(int firer, int target, std::size_t base) const;

 private:
  bool OnTable(int unit) const { return At(s_, unit).OnTable(); }
  bool Defends(int unit, const Terrain& works, int enemy) const;
  bool CameAcross(int unit, const Terrain& edge, int enemy) const;
  const Sight& Eyes() const;  // made when the first line of sight is asked for

  const State& s_;
  std::vector<std::vector<Base>> bases_;
  std::vector<Vec2> centres_;
  mutable std::optional<Sight> sight_;
};

}  // namespace fos::closefire
