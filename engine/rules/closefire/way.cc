// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/room.h"

// Checks what lies along a move's path.
namespace fos::closefire {

using open_table::Ahead;

std::vector<Vec2> ComesInto(const Terrain& t, const std::vector<Vec2>& starts, Vec2 by) {
  std::vector<Vec2> out;
  for (const Vec2 from : starts) {
    if (Contains(t.outline_yd, from)) continue;
    const auto parts = open_table::PartsInside({from, from + by}, t.outline_yd);
    if (!parts.empty()) out.push_back(from + parts.front().enter * by);
  }
  return out;
}

bool OverFascines(const Field& field, int unit, std::optional<int> over,
                  const std::vector<Vec2>& into) {
  const State& s = field.Game();
  const double touch = s.Rulings().contact_gap_yd;
  // A base follows over fascines if its middle passes within half its own depth of them.
  const double off = std::max(touch, Info(s, unit).depth_yd / 2);
  const auto on = [&](const Fascines& laid, Vec2 at) {
    const Vec2 from{Yd(laid.x0), Yd(laid.y0)};
    const Vec2 along = Vec2{Yd(laid.x1), Yd(laid.y1)} - from;
    const double length = Norm(along);
    if (length < open_table::kTiny) return Distance(at, from) <= off;
    const double share = Dot(at - from, along) / length;
    return share >= -touch && share <= length + touch &&
           std::abs(Cross(along, at - from)) / length <= off;
  };
  return !into.empty() && std::all_of(into.begin(), into.end(), [&](Vec2 at) {
    return std::any_of(s.fascines.begin(), s.fascines.end(), [&](const Fascines& laid) {
      return laid.side == Info(s, unit).side && laid.over == over && on(laid, at);
    });
  });
}

std::vector<Base> PassingBases(const Field& field, int unit) {
  std::vector<Base> out = field.Bases(unit);
  const double gap = Yd(At(field.Game(), unit).march.gap_milli_yd);
  const Field::Front front = field.FrontOf(unit);
  if (gap <= 0 || gap >= front.width) return out;
  const Vec2 right = open_table::Rightward(front.facing_deg);
  const double share = gap / front.width;
  for (Base& base : out) {
    base.centre = base.centre - (1 - share) * Dot(base.centre - front.centre, right) * right;
    base.width *= share;
  }
  return out;
}

namespace {
// The friends that a box meets, itself not counted.
std::vector<int> FriendsOn(const Field& field, int unit, const Box& box) {
  const State& s = field.Game();
  std::vector<int> out;
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (v != unit && Info(s, v).side == Info(s, unit).side && At(s, v).OnTable() &&
        box.Meets(field.Body(v).around))
      out.push_back(v);
  return out;
}

// The enemies that come within these yards of the box.
std::vector<int> EnemiesNear(const Field& field, int unit, const Box& box, double yards) {
  const State& s = field.Game();
  std::vector<int> out;
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (Info(s, v).side != Info(s, unit).side && At(s, v).OnTable() &&
        box.GapTo(field.Body(v).around) <= yards + open_table::kTiny)
      out.push_back(v);
  return out;
}
}  // namespace

Way WayAlong(const Field& field, int unit, double bearing, double yards) {
  const State& s = field.Game();
  const auto& book = s.Book();
  Way way;
  const bool doubled = At(s, unit).march.doubled;
  const std::vector<Base> start = PassingBases(field, unit);
  const Vec2 by = yards * Ahead(bearing);
  // What the way does not come near cannot stop it.
  const bool may_forbid = field.MayMeetForbidden(start, by, unit);
  const Box along = BoxAround(start, by);
  const bool may_meet_enemy = !EnemiesNear(field, unit, along, book.move.stop_from_enemy).empty();
  const std::vector<int> double_stops =
      doubled ? EnemiesNear(field, unit, along, book.move.far_distance) : std::vector<int>{};
  // A gap shrinks by no more than the body moves.
  double gap_at = 0;
  double spare = -1;  // so far from there it stays long enough
  const auto too_near_for_double = [&](const std::vector<Base>& at, double d) {
    if (std::abs(d - gap_at) <= spare) return false;
    double gap = field.SuspectGap(at);
    for (const int v : double_stops) gap = std::min(gap, open_table::Gap(at, field.Bases(v)));
    gap_at = d;
    spare = gap - book.move.far_distance;
    return gap < book.move.far_distance - open_table::kTiny;
  };
  // Steps shorter than any base; the last free step is then bisected to a hundredth of a yard.
  const auto stopped = [&](double d, Way* out) {
    const std::vector<Base> at = ShiftedBases(start, bearing, d);
    for (const Base& base : at) {
      if (may_forbid && field.ForbiddenAt(base, unit)) {
        if (out != nullptr) out->forbidden = true;
        return true;
      }
      if (field.OffTable(base.centre)) {
        if (out != nullptr) out->edge = true;
        return true;
      }
    }
    if (may_meet_enemy && EnemyTooNear(field, unit, at)) {
      if (out != nullptr) out->enemy_stop = true;
      return true;
    }
    if (doubled && too_near_for_double(at, d)) {
      if (out != nullptr) out->double_stop = true;
      return true;
    }
    return false;
  };
  double d = 0;
  while (d < yards) {
    const double next = std::min(yards, d + kStep_yd);
    if (stopped(next, nullptr)) {
      double low = d;
      double high = next;
      for (int i = 0; i < 10; ++i) {
        const double middle = 0.5 * (low + high);
        (stopped(middle, nullptr) ? high : low) = middle;
      }
      stopped(high, &way);
      d = low;
      break;
    }
    d = next;
  }
  way.free_yd = d;
  // Terrain and friends on the free part of the path.
  const bool may_be_rough = field.MayMeetRough(start, by);
  const std::vector<int> friends = FriendsOn(field, unit, along);
  for (double at = 0; at <= d && may_be_rough && !way.rough; at += kStep_yd)
    way.rough = field.RoughUnder(ShiftedBases(start, bearing, at));
  for (double at = 0; at <= d && !friends.empty() && !way.friends; at += kStep_yd) {
    const std::vector<Base> bases = ShiftedBases(start, bearing, at);
    way.friends = Any(friends, [&](int v) {
      return std::any_of(bases.begin(), bases.end(), [&](const Base& base) {
        return std::any_of(field.Bases(v).begin(), field.Bases(v).end(),
                           [&](const Base& other) { return open_table::Overlap(base, other); });
      });
    });
  }
  std::vector<Vec2> centres;
  for (const Base& base : start) centres.push_back(base.centre);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < s.setup->terrain.size(); ++i) {
    const Terrain& t = s.setup->terrain[i];
    if (!t.obstacle) continue;
    const std::vector<Vec2> into = ComesInto(t, centres, d * Ahead(bearing));
    if (into.empty() || OverFascines(field, unit, static_cast<int>(i), into)) continue;
    ++way.obstacles;
    for (const Vec2 at : into) {
      const double gone = Dot(at - field.Centre(unit), Ahead(bearing));
      if (gone >= nearest) continue;
      nearest = gone;
      way.first_obstacle = static_cast<int>(i);
    }
  }
  return way;
}

Broken AheadIsBroken(const Field& field, int unit, double bearing, double yards) {
  const State& s = field.Game();
  const std::vector<Base>& bases = field.Bases(unit);
  const auto enters = [&](const Terrain& t, std::size_t i, const Base& there) {
    // A stand does not enter terrain that its front is already in.
    return !t.road && Contains(t.outline_yd, open_table::FrontCentre(there)) &&
           !Contains(t.outline_yd, open_table::FrontCentre(bases[i]));
  };
  Broken out;
  const Vec2 by = yards * Ahead(bearing);
  const std::vector<int> friends = FriendsOn(field, unit, BoxAround(bases, by));
  // The table is convex: who starts and ends on it does not leave it on the way.
  const bool may_meet_ground =
      field.MayMeetGround(bases, by) || std::any_of(bases.begin(), bases.end(), [&](const Base& b) {
        return field.OffTable(b.centre) || field.OffTable(b.centre + by);
      });
  if (friends.empty() && !may_meet_ground) return out;
  for (double d = 1; d <= yards; d += 2) {
    const std::vector<Base> there = ShiftedBases(bases, bearing, d);
    for (std::size_t i = 0; i < there.size(); ++i) {
      for (const int v : friends)
        for (const Base& other : field.Bases(v))
          if (out.friends < 0 && open_table::Overlap(there[i], other)) out.friends = v;
      if (!may_meet_ground) continue;
      out.ground = out.ground || field.OffTable(there[i].centre) ||
                   std::any_of(s.setup->terrain.begin(), s.setup->terrain.end(),
                               [&](const Terrain& t) { return enters(t, i, there[i]); });
    }
  }
  return out;
}

std::vector<Hurdle> HurdlesAhead(const Field& field, int unit, double yards, bool by_centre) {
  std::vector<Hurdle> out;
  const Vec2 by = yards * Ahead(field.FrontOf(unit).facing_deg);
  const std::vector<Terrain>& ground = field.Game().setup->terrain;
  std::vector<Vec2> starts;
  for (const Base& base : field.Bases(unit))
    starts.push_back(by_centre ? base.centre : open_table::FrontCentre(base));
  for (std::size_t i = 0; i < ground.size(); ++i) {
    const Terrain& t = ground[i];
    if (!t.obstacle || std::any_of(starts.begin(), starts.end(),
                                   [&](Vec2 at) { return Contains(t.outline_yd, at); }))
      continue;
    const std::vector<Vec2> into = ComesInto(t, starts, by);
    if (OverFascines(field, unit, static_cast<int>(i), into)) continue;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t one = 0; one < starts.size(); ++one)
      for (const auto& part :
           open_table::PartsInside({starts[one], starts[one] + by}, t.outline_yd))
        nearest = std::min(nearest, yards * part.enter);
    if (nearest < yards) out.push_back({nearest, t.hard_for_cavalry});
  }
  std::sort(out.begin(), out.end(),
            [](const Hurdle& a, const Hurdle& b) { return a.at_yd < b.at_yd; });
  return out;
}

}  // namespace fos::closefire
