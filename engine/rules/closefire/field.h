// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/rules/closefire/sight.h"
#include "engine/rules/closefire/state.h"

// Measurements on one State: gaps, wedges, sight, the nearest enemy, control. Make a new Field
// after a move. Yards; int parameters are indices of units and leaders.
namespace fos::closefire {

// CF-1.3: a sentence if the measured distance is within close_call_yd of the limit; else empty.
std::string CloseCall(const State& s, double measured_yd, double limit_yd);

class Field {
 public:
  explicit Field(const State& s);
  // In less time: of a state that differs from like.Game() in the place of one unit alone.
  // like  outlives this.
  Field(const State& s, const Field& like, int moved);

  const State& Game() const { return s_; }
  // Where the unit stood when the field was made.
  const Footprint& Body(int unit) const { return *bodies_[static_cast<std::size_t>(unit)]; }
  const std::vector<Base>& Bases(int unit) const { return Body(unit).bases; }
  Vec2 Centre(int unit) const { return Body(unit).centre; }
  Vec2 LeaderAtYd(int leader) const;

  // CF-1.3: the shortest distance between outlines; infinity if either is not on the table.
  double Gap(int a, int b) const;
  bool Within(int a, int b, double yards) const;  // Gap(a, b) <= yards
  double GapToLeader(int unit, int leader) const;
  double GapOfLeaders(int a, int b) const;
  bool Contact(double gap_yd) const { return gap_yd <= s_.Rulings().contact_gap_yd; }
  // Distance from a unit or a place to the nearest enemy; infinity without enemies. Hidden troops
  // do not count.
  double NearestEnemyGap(int unit) const;
  double NearestEnemyGap(int side, Vec2 at) const;
  std::optional<UnitId> NearestEnemy(int unit) const;
  // CF-11.7: distance from bases to the nearest cover that may hide an enemy; infinity without any.
  double SuspectGap(const std::vector<Base>& bases) const;
  bool MayDouble(int unit) const;  // from where it stands

  using Front = closefire::Front;
  const Front& FrontOf(int unit) const { return Body(unit).front; }

  // CF-1.4, 15.2: whether part of the target base is in the stand's fire wedge. Unformed and
  // dismounted troops see all round.
  bool InFront(int unit, std::size_t stand, int enemy) const;
  bool InFrontWedge(int unit, int enemy) const;
  bool InFront(int unit, std::size_t stand, const Base& base) const;
  // Whether a stand has an enemy base within these yards and in its fire wedge.
  bool InFrontWithin(int unit, int enemy, double yards) const;  // for any stand of the unit
  // CF-7: whether any base of a sees any base of b.
  bool Sees(int a, int b) const;
  bool LeaderSees(int leader, int b) const;
  bool StandSees(int unit, std::size_t stand, int b) const;
  bool PointSees(int observer_unit, Vec2 from, int b) const;
  bool StandSeesLeader(int unit, std::size_t stand, int leader) const;
  const Sight& Eyes() const;  // made on the first query

  // CF-5.1 to 5.3.
  bool InChain(int leader, int unit) const { return closefire::InChain(s_, leader, unit); }
  std::optional<LeaderId> BrigadierOf(int unit) const { return closefire::BrigadierOf(s_, unit); }
  // The leader who controls it, its own before higher ones.
  std::optional<LeaderId> ControllerOf(int unit) const;
  bool Controlled(int unit) const { return ControllerOf(unit).has_value(); }
  bool MayConform(int unit, int leading) const;
  bool BehindOf(int rear, int lead) const;

  // Section 6: whether he is more than 40 yards from any friendly unit.
  bool Lone(int leader) const;

  // Ground. LevelAt: the level of the highest hill at a point.
  int LevelAt(Vec2 at) const;
  bool OffTable(Vec2 at) const;
  bool RoughAt(const Base& base) const;
  bool RoughUnder(const std::vector<Base>& bases) const;  // under any of them
  bool ForbiddenAt(const Base& base, int unit) const;     // CF-12.4
  // Whether bases that move straight `by` can come near rough ground, or ground that the unit may
  // not enter. If not, no base on the way is on such ground.
  bool MayMeetRough(const std::vector<Base>& bases, Vec2 by) const;
  bool MayMeetForbidden(const std::vector<Base>& bases, Vec2 by, int unit) const;
  // Whether bases that move straight `by` can come near any terrain.
  bool MayMeetGround(const std::vector<Base>& bases, Vec2 by) const;
  bool OnRoad(const Base& base) const;
  const Terrain* WoodOrTownAt(Vec2 at) const;
  // CF-20.3, 20.4: works (1 fieldworks, 2 fortifications) and ground of a unit against its
  // opponent. Works and the edges of woods and towns are defended by the side that is nearer and
  // has not crossed them this turn.
  int WorksAgainst(int unit, int enemy) const;
  bool GroundAgainst(int unit, int enemy) const;
  bool HardCoverAgainst(int unit, int enemy) const;  // CF-17.3
  // CF-16.4.
  bool Enfiladed(int target, int gun) const;

  // CF-15.3: the target's bases that are far enough from the firer's friends.
  bool SafeToFireAt(int firer, int target, std::size_t base) const;

 private:
  // The nearest enemy and its gap; -1 and infinity without enemies.
  std::pair<std::optional<UnitId>, double> Nearest(int unit) const;
  bool OnTable(int unit) const { return At(s_, unit).OnTable(); }
  // Whether ground of that index may keep the unit out (CF-12.4).
  bool Forbids(std::size_t ground, int unit) const;
  bool Touches(const Base& base, std::size_t ground) const;
  bool Defends(int unit, const Terrain& works, int enemy) const;
  bool CameAcross(int unit, const Terrain& edge, int enemy) const;

  const State& s_;
  const Field* like_ = nullptr;
  int moved_ = -1;
  std::vector<Box> grounds_;     // around each terrain
  std::vector<BaseList> lists_;  // keep the bodies
  std::vector<const Footprint*> bodies_;
  mutable std::optional<Sight> sight_;
};

}  // namespace fos::closefire
