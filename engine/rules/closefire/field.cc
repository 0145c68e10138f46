// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/field.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace fos::closefire {
namespace {

using open_table::Ahead;
using open_table::AngleBetween;
using open_table::BearingTo;

constexpr double kFar = std::numeric_limits<double>::infinity();

// The largest distance of any part of the base from its centre is less.
double ReachOf(const Base& base) { return base.width + base.depth; }

Box BoxOf(const Polygon& outline) {
  Box box{{kFar, kFar}, {-kFar, -kFar}};
  for (const Vec2 p : outline) {
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
  }
  return box;
}

bool TouchesGround(const Base& base, const Polygon& outline, const Box& around) {
  const Vec2 reach{ReachOf(base), ReachOf(base)};
  if (!Box{base.centre - reach, base.centre + reach}.Meets(around)) return false;
  if (Contains(outline, base.centre)) return true;
  const std::array<Vec2, 4> corners = open_table::Outline(base);
  const auto [west, east] = std::minmax({corners[0].x, corners[1].x, corners[2].x, corners[3].x});
  const auto [south, north] = std::minmax({corners[0].y, corners[1].y, corners[2].y, corners[3].y});
  if (!Box{{west, south}, {east, north}}.Meets(around)) return false;
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (open_table::AnyInside({corners[i], corners[(i + 1) % 4]}, outline)) return true;
  const Polygon edge = ToPolygon(corners);
  return std::any_of(outline.begin(), outline.end(), [&](Vec2 p) { return Contains(edge, p); });
}

}  // namespace

std::string CloseCall(const State& s, double measured, double limit) {
  if (std::abs(measured - limit) > s.Rulings().close_call_yd) return {};
  return fmt::format("a close call: {:.1f} yd measured, the limit is {:g} yd (CF-1.3)", measured,
                     limit);
}

Field::Field(const State& s) : s_(s) {
  grounds_.reserve(s.setup->terrain.size());
  for (const Terrain& t : s.setup->terrain) grounds_.push_back(BoxOf(t.outline_yd));
  lists_.reserve(s.units.size());
  bodies_.reserve(s.units.size());
  for (std::size_t u = 0; u < s.units.size(); ++u) {
    lists_.push_back(s.units[u].bases);
    const UnitInfo& info = s.setup->units[u];
    bodies_.push_back(&lists_.back().On(info.width_yd, info.depth_yd));
  }
}

Field::Field(const State& s, const Field& like, int moved)
    : s_(s), like_(&like), moved_(moved), grounds_(like.grounds_), bodies_(like.bodies_) {
  const auto unit = static_cast<std::size_t>(moved);
  lists_.push_back(s.units[unit].bases);
  const UnitInfo& info = s.setup->units[unit];
  bodies_[unit] = &lists_.back().On(info.width_yd, info.depth_yd);
}

Vec2 Field::LeaderAtYd(int leader) const {
  const Leader& l = LeaderAt(s_, leader);
  return {Yd(l.at.x), Yd(l.at.y)};
}

// CF-1.3.
double Field::Gap(int a, int b) const {
  if (!OnTable(a) || !OnTable(b)) return kFar;
  return open_table::Gap(Body(a).placed, Body(b).placed);
}

bool Field::Within(int a, int b, double yards) const {
  return OnTable(a) && OnTable(b) &&
         Body(a).around.GapTo(Body(b).around) <= yards + open_table::kTiny && Gap(a, b) <= yards;
}

double Field::GapToLeader(int unit, int leader) const {
  if (!OnTable(unit) || !LeaderAt(s_, leader).Present()) return kFar;
  double least = kFar;
  for (const open_table::Placed& base : Body(unit).placed)
    least = std::min(least, open_table::Gap(base, LeaderAtYd(leader)));
  return std::max(0.0, least - LeaderInfoOf(s_, leader).radius_yd);
}

double Field::GapOfLeaders(int a, int b) const {
  if (!LeaderAt(s_, a).Present() || !LeaderAt(s_, b).Present()) return kFar;
  return std::max(0.0, Distance(LeaderAtYd(a), LeaderAtYd(b)) - LeaderInfoOf(s_, a).radius_yd -
                           LeaderInfoOf(s_, b).radius_yd);
}

std::optional<UnitId> Field::NearestEnemy(int unit) const { return Nearest(unit).first; }

std::pair<std::optional<UnitId>, double> Field::Nearest(int unit) const {
  std::optional<UnitId> nearest;
  double least = kFar;
  const int count = static_cast<int>(s_.units.size());
  const auto is_enemy = [&](int v) {
    return Info(s_, v).side != Info(s_, unit).side && OnTable(v);
  };
  const auto at_least = [&](int v) { return Body(unit).around.GapTo(Body(v).around); };
  const auto measure = [&](int v) {
    const double gap = Gap(unit, v);
    if (gap > least || (gap == least && (!nearest || v > *nearest))) return;
    least = gap;
    nearest = v;
  };
  // That one first whose box is nearest: it rules out most others.
  int first = -1;
  double nearest_box = kFar;
  for (int v = 0; v < count; ++v) {
    if (!is_enemy(v) || at_least(v) >= nearest_box) continue;
    nearest_box = at_least(v);
    first = v;
  }
  if (first < 0) return {nearest, least};
  measure(first);
  for (int v = 0; v < count; ++v)
    if (v != first && is_enemy(v) && at_least(v) <= least + open_table::kTiny) measure(v);
  return {nearest, least};
}

double Field::NearestEnemyGap(int unit) const { return Nearest(unit).second; }

double Field::NearestEnemyGap(int side, Vec2 at) const {
  double least = kFar;
  for (int v = 0; v < static_cast<int>(s_.units.size()); ++v) {
    if (Info(s_, v).side == side || !OnTable(v)) continue;
    for (const open_table::Placed& base : Body(v).placed)
      least = std::min(least, open_table::Gap(base, at));
  }
  return least;
}

double Field::SuspectGap(const std::vector<Base>& bases) const {
  double least = kFar;
  for (const Terrain& t : s_.setup->terrain) {
    if (!t.suspect) continue;
    for (const Base& base : bases)
      least = std::min(least, TouchesGround(base, t.outline_yd, BoxOf(t.outline_yd))
                                  ? 0
                                  : open_table::Gap(base, NearestPoint(t.outline_yd, base.centre)));
  }
  return least;
}

// CF-11.7.
bool Field::MayDouble(int unit) const {
  return std::min(NearestEnemyGap(unit), SuspectGap(Bases(unit))) > s_.Book().move.far_distance;
}

// CF-1.4: the fire wedge.
bool Field::InFront(int unit, std::size_t stand, const Base& base) const {
  if (IsUnformed(s_, unit)) return true;
  const Base& from = Bases(unit)[stand];
  return open_table::InWedge(open_table::FrontCentre(from), from.facing_deg,
                             s_.Book().gun.arc_half_deg, base, s_.Rulings().arc_any_part);
}

bool Field::InFront(int unit, std::size_t stand, int enemy) const {
  return std::any_of(Bases(enemy).begin(), Bases(enemy).end(),
                     [&](const Base& base) { return InFront(unit, stand, base); });
}

bool Field::InFrontWithin(int unit, int enemy, double yards) const {
  if (Body(unit).around.GapTo(Body(enemy).around) > yards + open_table::kTiny) return false;
  for (std::size_t i = 0; i < Bases(unit).size(); ++i)
    for (std::size_t j = 0; j < Bases(enemy).size(); ++j)
      if (open_table::Gap(Body(unit).placed[i], Body(enemy).placed[j]) <= yards &&
          InFront(unit, i, Bases(enemy)[j]))
        return true;
  return false;
}

bool Field::InFrontWedge(int unit, int enemy) const {
  for (std::size_t i = 0; i < Bases(unit).size(); ++i)
    if (InFront(unit, i, enemy)) return true;
  return false;
}

int Field::LevelAt(Vec2 at) const {
  int level = 0;
  for (const Terrain& t : s_.setup->terrain)
    if (t.level > level && Contains(t.outline_yd, at)) level = t.level;
  return level;
}

const Terrain* Field::WoodOrTownAt(Vec2 at) const {
  for (const Terrain& t : s_.setup->terrain)
    if ((t.wood || t.town) && Contains(t.outline_yd, at)) return &t;
  return nullptr;
}

const Sight& Field::Eyes() const {
  if (!sight_ && like_ != nullptr)
    sight_.emplace(s_, bodies_, like_->Eyes(), moved_);
  else if (!sight_)
    sight_.emplace(s_, bodies_);
  return *sight_;
}

bool Field::PointSees(int observer, Vec2 from, int b) const {
  return OnTable(b) && Eyes().PointSees(observer, from, 0, b);
}

bool Field::StandSeesLeader(int unit, std::size_t stand, int leader) const {
  return Eyes().SeesPlace(unit, Bases(unit)[stand], LeaderAtYd(leader),
                          LeaderInfoOf(s_, leader).radius_yd);
}

bool Field::StandSees(int unit, std::size_t stand, int b) const {
  return PointSees(unit, Bases(unit)[stand].centre, b);
}

bool Field::Sees(int a, int b) const { return OnTable(a) && OnTable(b) && Eyes().Sees(a, b); }

bool Field::LeaderSees(int leader, int b) const {
  if (!LeaderAt(s_, leader).Present()) return false;
  return OnTable(b) && Eyes().PointSees(LeaderAt(s_, leader).attached.value_or(-1),
                                        LeaderAtYd(leader), LeaderInfoOf(s_, leader).radius_yd, b);
}

// CF-5.1; and CF-4.11: an attached leader's own unit.
std::optional<LeaderId> Field::ControllerOf(int unit) const {
  std::optional<LeaderId> best;
  for (int l = 0; l < static_cast<int>(s_.leaders.size()); ++l) {
    if (!LeaderAt(s_, l).Present() || !InChain(l, unit)) continue;
    if (best && LeaderInfoOf(s_, *best).rank <= LeaderInfoOf(s_, l).rank) continue;
    const std::optional<UnitId> attached = LeaderAt(s_, l).attached;
    const double radius =
        s_.Book().leader.control_radius[static_cast<std::size_t>(LeaderInfoOf(s_, l).rank)];
    const auto near = [&] {
      const Vec2 at = LeaderAtYd(l);
      const double reach = radius + LeaderInfoOf(s_, l).radius_yd + open_table::kTiny;
      return OnTable(unit) && Body(unit).around.GapTo({at, at}) <= reach &&
             GapToLeader(unit, l) <= radius;
    };
    if (attached == unit || (!attached && near())) best = l;
  }
  return best;
}

bool Field::BehindOf(int rear, int lead) const {
  if (!Within(rear, lead, s_.Book().control.rear_line)) return false;
  const Front front = FrontOf(lead);
  if (AngleBetween(FrontOf(rear).facing_deg, front.facing_deg) > s_.Book().control.rear_line_deg)
    return false;
  const Vec2 right = open_table::Rightward(front.facing_deg);
  const Vec2 ahead = Ahead(front.facing_deg);
  // Behind it by more than a neighbour in line could be.
  for (const Base& base : Bases(rear)) {
    if (Dot(base.centre - front.centre, ahead) >= 0) continue;
    double low = kFar;
    double high = -kFar;
    for (const Vec2 corner : open_table::Outline(base)) {
      low = std::min(low, Dot(corner - front.centre, right));
      high = std::max(high, Dot(corner - front.centre, right));
    }
    if (std::min(high, front.width / 2) - std::max(low, -front.width / 2) >
        s_.Rulings().contact_gap_yd)
      return true;
  }
  return false;
}

bool Field::MayConform(int unit, int leading) const {
  const std::optional<LeaderId> brigade = BrigadierOf(unit);
  if (!brigade || brigade != BrigadierOf(leading) || unit == leading) return false;
  if (BehindOf(unit, leading)) return true;
  // CF-5.2: contact along the line.
  const auto in_line = [&](int u) {
    return At(s_, u).OnTable() && BrigadierOf(u) == brigade &&
           At(s_, u).body.formation == Formation::kLine;
  };
  if (!in_line(unit) || !in_line(leading)) return false;
  std::vector<int> reached = {leading};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (int v = 0; v < static_cast<int>(s_.units.size()); ++v) {
      if (!in_line(v) || std::find(reached.begin(), reached.end(), v) != reached.end()) continue;
      if (!Within(reached[i], v, s_.Rulings().contact_gap_yd)) continue;
      if (v == unit) return true;
      if (s_.Rulings().line_contact_transitive) reached.push_back(v);
    }
  }
  return false;
}

bool Field::Lone(int leader) const {
  if (LeaderAt(s_, leader).attached.has_value()) return false;
  for (int v = 0; v < static_cast<int>(s_.units.size()); ++v)
    if (Info(s_, v).side == LeaderInfoOf(s_, leader).side &&
        GapToLeader(v, leader) <= s_.Book().leader.lone_distance)
      return false;
  return true;
}

bool Field::Touches(const Base& base, std::size_t ground) const {
  return TouchesGround(base, s_.setup->terrain[ground].outline_yd, grounds_[ground]);
}

bool Field::RoughAt(const Base& base) const {
  for (std::size_t i = 0; i < grounds_.size(); ++i)
    if (s_.setup->terrain[i].rough && Touches(base, i)) return true;
  return false;
}

bool Field::MayMeetRough(const std::vector<Base>& bases, Vec2 by) const {
  const Box way = BoxAround(bases, by);
  for (std::size_t i = 0; i < grounds_.size(); ++i)
    if (s_.setup->terrain[i].rough && way.Meets(grounds_[i])) return true;
  return false;
}

bool Field::MayMeetGround(const std::vector<Base>& bases, Vec2 by) const {
  const Box way = BoxAround(bases, by);
  return std::any_of(grounds_.begin(), grounds_.end(),
                     [&](const Box& ground) { return way.Meets(ground); });
}

bool Field::RoughUnder(const std::vector<Base>& bases) const {
  return std::any_of(bases.begin(), bases.end(), [&](const Base& b) { return RoughAt(b); });
}

bool Field::OffTable(Vec2 at) const {
  return at.x < 0 || at.y < 0 || at.x > s_.setup->length_yd || at.y > s_.setup->width_yd;
}

bool Field::OnRoad(const Base& base) const {
  return std::any_of(s_.setup->terrain.begin(), s_.setup->terrain.end(), [&](const Terrain& t) {
    return t.road && Contains(t.outline_yd, base.centre);
  });
}

bool Field::Forbids(std::size_t ground, int unit) const {
  const Terrain& t = s_.setup->terrain[ground];
  return t.impassable || (t.no_guns_no_cavalry && (IsGun(s_, unit) || IsCavalry(s_, unit)));
}

bool Field::ForbiddenAt(const Base& base, int unit) const {
  // A road over a river is a bridge.
  for (std::size_t i = 0; i < grounds_.size(); ++i)
    if (Forbids(i, unit) && Touches(base, i) && !OnRoad(base)) return true;
  return false;
}

bool Field::MayMeetForbidden(const std::vector<Base>& bases, Vec2 by, int unit) const {
  const Box way = BoxAround(bases, by);
  for (std::size_t i = 0; i < grounds_.size(); ++i)
    if (Forbids(i, unit) && way.Meets(grounds_[i])) return true;
  return false;
}

// CF-20.4: whether the unit crossed this outline this turn on the side towards the enemy.
bool Field::CameAcross(int unit, const Terrain& t, int enemy) const {
  const Unit& u = At(s_, unit);
  if (!u.march.moved || (u.march.from.x == 0 && u.march.from.y == 0)) return false;
  const Vec2 now = Centre(unit);
  const Vec2 from{Yd(u.march.from.x), Yd(u.march.from.y)};
  const auto ahead = [&](double share) {
    return share > 0 && share < 1 &&
           Dot(from + share * (now - from) - now, Centre(enemy) - now) > 0;
  };
  const auto parts = open_table::PartsInside({from, now}, t.outline_yd);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const auto& part) { return ahead(part.enter) || ahead(part.leave); });
}

// The works lie between the two if the line from a stand close to them to the enemy crosses them,
// or if the stand is in them and the enemy is not.
bool Field::Defends(int unit, const Terrain& works, int enemy) const {
  const auto gap = [&](const Base& base) {
    return open_table::Gap(base, NearestPoint(works.outline_yd, base.centre));
  };
  double theirs = kFar;
  for (const Base& base : Bases(enemy)) {
    if (Contains(works.outline_yd, base.centre)) return false;
    theirs = std::min(theirs, gap(base));
  }
  const double touch = s_.Rulings().contact_gap_yd;
  const bool there = std::any_of(Bases(unit).begin(), Bases(unit).end(), [&](const Base& base) {
    if (TouchesGround(base, works.outline_yd, BoxOf(works.outline_yd))) return true;
    return gap(base) <= std::min(touch + base.depth, touch + theirs) &&
           open_table::AnyInside({base.centre, Centre(enemy)}, works.outline_yd);
  });
  return there && !CameAcross(unit, works, enemy);
}

int Field::WorksAgainst(int unit, int enemy) const {
  int best = 0;
  for (const Terrain& t : s_.setup->terrain)
    if (t.works > best && Defends(unit, t, enemy)) best = t.works;
  return best;
}

bool Field::HardCoverAgainst(int unit, int enemy) const {
  const Terrain* in = WoodOrTownAt(Centre(unit));
  if (in != nullptr && in->town) return true;
  return std::any_of(s_.setup->terrain.begin(), s_.setup->terrain.end(), [&](const Terrain& t) {
    return (t.works > 0 || t.hard_cover) && Defends(unit, t, enemy);
  });
}

bool Field::GroundAgainst(int unit, int enemy) const {
  if (LevelAt(Centre(unit)) > LevelAt(Centre(enemy))) return true;
  // A unit defends the edge of a wood or town if it is inside near the edge and the enemy is
  // outside.
  for (const Terrain& t : s_.setup->terrain) {
    if (!t.wood && !t.town) continue;
    const bool enemy_in = Contains(t.outline_yd, Centre(enemy));
    if (enemy_in || CameAcross(unit, t, enemy)) continue;
    for (const Base& base : Bases(unit))
      if (TouchesGround(base, t.outline_yd, BoxOf(t.outline_yd)) &&
          open_table::AnyInside({base.centre, Centre(enemy)}, t.outline_yd))
        return true;
  }
  return false;
}

// CF-16.4.
bool Field::Enfiladed(int target, int gun) const {
  if (At(s_, target).body.formation != Formation::kLine || IsGun(s_, target)) return false;
  const double bearing = BearingTo(Centre(target), Centre(gun));
  const double facing = FrontOf(target).facing_deg;
  const double off =
      std::min(AngleBetween(bearing, facing + 90), AngleBetween(bearing, facing - 90));
  return off <= s_.Rulings().enfilade_half_angle_deg + open_table::kTiny;
}

// CF-15.3.
bool Field::SafeToFireAt(int firer, int target, std::size_t index) const {
  const open_table::Placed& base = Body(target).placed[index];
  const double safe = s_.Book().gun.friends_safety;
  for (int v = 0; v < static_cast<int>(s_.units.size()); ++v) {
    if (v == firer || Info(s_, v).side != Info(s_, firer).side || !OnTable(v) ||
        Body(v).around.GapTo(Body(target).around) > safe + open_table::kTiny)
      continue;
    for (const open_table::Placed& friendly : Body(v).placed)
      if (open_table::Gap(friendly, base) <= safe) return false;
  }
  return true;
}

}  // namespace fos::closefire
