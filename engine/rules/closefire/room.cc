// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/room.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace fos::closefire {
namespace {

// Finds the limit to a hundredth of a yard by bisection: `holds` is true at low and false at high.
double Edge(double low, double high, auto holds) {
  while (high - low > 0.005) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

// How far bodies reach along an axis. The difference of two says where one lies as seen from the
// other: from `low`, where they come nearest, to `high`, where they part.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  friend Extent operator-(Extent a, Extent b) { return {a.low - b.high, a.high - b.low}; }
};
Extent ExtentOf(const std::vector<open_table::Placed>& bodies, Vec2 axis) {
  Extent out;
  for (const open_table::Placed& body : bodies)
    for (const Vec2 corner : body.corners) {
      out.low = std::min(out.low, Dot(corner, axis));
      out.high = std::max(out.high, Dot(corner, axis));
    }
  return out;
}
}  // namespace

bool StandsAside(const Field& field, int gun, int unit) {
  const State& s = field.Game();
  if (!IsGun(s, gun)) return false;
  if (At(s, gun).body.crew != Crew::kServing) return true;
  if (Info(s, gun).side == Info(s, unit).side) return false;
  for (int f = 0; f < static_cast<int>(s.units.size()); ++f)
    if (IsFoot(s, f) && Info(s, f).side == Info(s, gun).side && At(s, f).OnTable() &&
        IsFormed(s, f) && field.InFrontWithin(f, gun, s.Book().guns.crew_shelter_distance))
      return true;
  return false;
}

std::optional<int> InTheWay(const Field& field, int unit, const std::vector<Base>& there,
                            bool past_guns) {
  const State& s = field.Game();
  const Box place = BoxAround(there, {});
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (v == unit || !At(s, v).OnTable() || !place.Meets(field.Body(v).around)) continue;
    bool on_it = false;
    for (const Base& other : field.Bases(v))
      for (const Base& base : there) on_it = on_it || open_table::Depth(base, other) > kTouch_yd;
    if (!on_it) continue;
    const bool unserved = IsGun(s, v) && At(s, v).body.crew != Crew::kServing;
    if (!unserved && !(past_guns && StandsAside(field, v, unit))) return v;
  }
  return std::nullopt;
}

double RoomAlong(const Field& field, int unit, double bearing, double yards, bool past_guns) {
  const auto room = [&](double d) {
    return !InTheWay(field, unit, ShiftedBases(field.Bases(unit), bearing, d), past_guns);
  };
  if (yards <= 0 || room(yards)) return std::max(0.0, yards);
  for (double d = yards - kStep_yd; d > 0; d -= kStep_yd)
    if (room(d)) return Edge(d, d + kStep_yd, room);
  return 0;
}

double GroundFree(const Field& field, int unit, double bearing, double yards, bool edge_is_open) {
  return GroundFree(field, unit, field.Bases(unit), bearing, yards, edge_is_open);
}

double GroundFree(const Field& field, int unit, const std::vector<Base>& bases, double bearing,
                  double yards, bool edge_is_open) {
  const auto free = [&](double d) {
    const std::vector<Base> there = ShiftedBases(bases, bearing, d);
    return std::none_of(there.begin(), there.end(), [&](const Base& base) {
      const bool off = field.OffTable(base.centre);
      return off ? !edge_is_open : field.ForbiddenAt(base, unit);
    });
  };
  // Far from everything that could stop it, no step is needed.
  const Vec2 by = yards * open_table::Ahead(bearing);
  const auto on_table = [&](const Base& base) {
    return !field.OffTable(base.centre) && !field.OffTable(base.centre + by);
  };
  if (!field.MayMeetForbidden(bases, by, unit) &&
      (edge_is_open || std::all_of(bases.begin(), bases.end(), on_table)))
    return yards;
  for (double d = 0; d < yards;) {
    const double next = std::min(yards, d + kStep_yd);
    if (!free(next)) return free(d) ? Edge(d, next, free) : d;
    d = next;
  }
  return yards;
}

double RoughAfter(const Field& field, int unit, double bearing, double yards) {
  if (!field.MayMeetRough(field.Bases(unit), yards * open_table::Ahead(bearing))) return yards;
  const auto good = [&](double d) {
    return !field.RoughUnder(ShiftedBases(field.Bases(unit), bearing, d));
  };
  if (!good(0)) return 0;
  for (double d = 0; d < yards;) {
    const double next = std::min(yards, d + kStep_yd);
    if (!good(next)) return Edge(d, next, good);
    d = next;
  }
  return yards;
}

double RoughOnTheWay(const Field& field, int unit, double bearing, Roll roll) {
  const Tables& book = field.Game().Book();
  const double yards = AllowanceYd(book, roll);
  const double edge = RoughAfter(field, unit, bearing, yards);
  if (edge >= yards) return yards;
  roll.rough = true;
  return std::max(edge, AllowanceYd(book, roll));
}

double AlongToContact(const Field& field, int unit, int enemy, double bearing, double limit) {
  constexpr double kContact_yd = 0.01;
  const std::vector<open_table::Placed>& ours = field.Body(unit).placed;
  const std::vector<open_table::Placed>& theirs = field.Body(enemy).placed;
  const Vec2 ahead = open_table::Ahead(bearing);
  // The bodies never meet if one passes beside the other, or the enemy is behind or out of reach.
  constexpr double kClear_yd = 2 * kContact_yd;
  const Extent across = ExtentOf(theirs, open_table::Rightward(bearing)) -
                        ExtentOf(ours, open_table::Rightward(bearing));
  const Extent along = ExtentOf(theirs, ahead) - ExtentOf(ours, ahead);
  if (across.low > kClear_yd || across.high < -kClear_yd || along.high < -kClear_yd ||
      along.low > limit + kClear_yd)
    return -1;
  const auto gap_at = [&](double d) {
    double gap = std::numeric_limits<double>::infinity();
    for (const open_table::Placed& one : ours) {
      open_table::Placed there = one;
      there.centre = one.centre + d * ahead;
      for (Vec2& corner : there.corners) corner = corner + d * ahead;
      for (const open_table::Placed& other : theirs) gap = open_table::LesserGap(there, other, gap);
    }
    return gap;
  };
  // A step as long as the gap cannot pass the other body: sphere tracing (Hart 1996). A body that
  // slides along the other moves by quarters of a yard, and bisects back if that was too far.
  constexpr double kShortest_yd = 0.25;
  double before = 0;
  for (double d = 0; d <= limit;) {
    const double gap = gap_at(d);
    if (gap <= kContact_yd + open_table::kTiny) {
      return d - before > kShortest_yd || d == 0
                 ? d
                 : Edge(before, d, [&](double at) { return gap_at(at) > kContact_yd; });
    }
    before = d;
    d += std::max(gap - kContact_yd, kShortest_yd);
  }
  return -1;
}

double AlongToContact(const Field& field, int unit, int enemy, double limit) {
  return AlongToContact(field, unit, enemy, field.FrontOf(unit).facing_deg, limit);
}

void RequireRoom(Play& play, int unit, const std::vector<Base>& there, const char* clause) {
  const Field field = play.Measure();
  const std::optional<int> who = InTheWay(field, unit, there);
  play.Require(
      !who, clause,
      [&] {
        return who ? fmt::format("{} would overlap {}", play.Name(unit), play.Name(*who)) : "";
      },
      false);
  for (const Base& base : there) {
    play.Require(!field.OffTable(base.centre), "CF-12.4", "that place is off the table", false);
    play.Require(
        !field.ForbiddenAt(base, unit), "CF-12.4",
        [&] { return play.Name(unit) + " may not enter that ground"; }, false);
  }
}

void RequireOneBody(Play& play, int unit, const std::vector<Base>& there) {
  bool one = HangsTogether(there, play.Rulings().contact_gap_yd);
  for (std::size_t i = 0; i < there.size() && one; ++i)
    for (std::size_t j = 0; j < i && one; ++j)
      one = open_table::Depth(there[i], there[j]) <= kTouch_yd;
  play.Require(
      one, "CF-10.1", [&] { return play.Name(unit) + " would no longer be one body"; }, false);
}

bool EnemyTooNear(const Field& field, int unit, const std::vector<Base>& there) {
  const State& s = field.Game();
  const auto& book = s.Book();
  const Box place = BoxAround(there, {});
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (Info(s, v).side == Info(s, unit).side || !At(s, v).OnTable() ||
        place.GapTo(field.Body(v).around) > book.move.stop_from_enemy)
      continue;
    const bool abandoned = IsGun(s, v) && At(s, v).body.crew != Crew::kServing;
    for (const Base& base : there)
      for (const Base& other : field.Bases(v)) {
        if (Distance(base.centre, other.centre) >
            book.move.stop_from_enemy + base.width + base.depth + other.width + other.depth)
          continue;
        if (abandoned) {
          // CF-23.1, 23.3: contact with an abandoned gun is allowed; overlap is not.
          if (open_table::Depth(base, other) > 0) return true;
          continue;
        }
        if (open_table::Gap(base, other) < book.move.stop_from_enemy - open_table::kTiny &&
            (IsUnformed(s, unit) ||
             open_table::InWedge(open_table::FrontCentre(base), base.facing_deg,
                                 book.gun.arc_half_deg, other, true)))
          return true;
        if (open_table::Depth(base, other) > 0) return true;
      }
  }
  return false;
}

void RequireTwentyYards(Play& play, int unit, const std::vector<Base>& there) {
  const Field field = play.Measure();
  // A unit that is already that near may still turn or step away.
  if (EnemyTooNear(field, unit, field.Bases(unit))) return;
  play.Require(!EnemyTooNear(field, unit, there), "CF-11.4", [&] {
    return play.Name(unit) + " would come within 20 yd of an enemy to its front";
  });
}

}  // namespace fos::closefire
