// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/after.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/room.h"

namespace fos::closefire {
namespace {

// CF-12.6: the most dice possible.
std::vector<int> FastRoll(Play& play, int unit, const char* what) {
  return play.Roll(Info(play.Now(), unit).side, FastDice(play.Now(), unit),
                   fmt::format("{} {}", play.Name(unit), what), "CF-12.6");
}

// CF-12.6, on good ground.
Roll FastMove(const Play& play, int unit, const std::vector<int>& dice, bool first_bonus) {
  return {dice, At(play.Now(), unit).obeys.inspired > 0, false, first_bonus};
}

// How far bases of a unit can go along a bearing before they meet an enemy, forbidden ground or the
// table edge.
double FreeYards(const Field& field, int unit, const std::vector<Base>& bases, double bearing,
                 double yards, bool edge_is_open) {
  const State& s = field.Game();
  double free = GroundFree(field, unit, bases, bearing, yards, edge_is_open);
  const Vec2 ahead = open_table::Ahead(bearing);
  const Box way = BoxAround(bases, free * ahead);
  std::vector<open_table::Placed> placed;  // where they start, once one is in the way
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (Info(s, v).side == Info(s, unit).side || !At(s, v).OnTable()) continue;
    if (!way.Meets(field.Body(v).around)) continue;
    // Guns without a crew are moved aside: horse that rode past them comes back the same way.
    if (IsGun(s, v) && At(s, v).body.crew != Crew::kServing) continue;
    // Touching an enemy does not stop a unit that moves away from it.
    if (placed.empty())
      std::transform(bases.begin(), bases.end(), std::back_inserter(placed), open_table::Place);
    const auto met = [&](double d) {
      for (open_table::Placed there : placed) {
        there.centre = there.centre + d * ahead;
        for (const open_table::Placed& other : field.Body(v).placed)
          if (open_table::Deeper(there, other, kTouch_yd)) return true;
      }
      return false;
    };
    for (double d = 0; d < free;) {
      const double next = std::min(free, d + kStep_yd);
      if (met(next)) {
        double high = next;
        while (high - d > 0.005) (met(0.5 * (d + high)) ? high : d) = 0.5 * (d + high);
        free = d;
        break;
      }
      d = next;
    }
  }
  return free;
}

double FreeYards(const Field& field, int unit, double bearing, double yards, bool edge_is_open) {
  return FreeYards(field, unit, field.Bases(unit), bearing, yards, edge_is_open);
}

// The body, turned about where that brings its facing nearer to the bearing. It does not wheel:
// bases would turn onto each other.
std::vector<Base> FacedAlong(std::vector<Base> bases, double facing, double bearing) {
  if (open_table::AngleBetween(facing, bearing) > 90)
    for (Base& base : bases) base.facing_deg = open_table::WrappedBearing(base.facing_deg + 180);
  return bases;
}

// Whether formed friends or works lie between the body at that place and its nearest enemy.
// enemy  the nearest, if there is one
bool Sheltered(const Field& field, int unit, std::optional<UnitId> enemy,
               const std::vector<Base>& there) {
  const State& s = field.Game();
  if (!enemy || there.empty()) return true;
  const Segment2 line{there.front().centre, field.Centre(*enemy)};
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (v == unit || Info(s, v).side != Info(s, unit).side || !At(s, v).OnTable()) continue;
    if (!IsFormed(s, v) || IsGun(s, v)) continue;
    for (const Base& base : field.Bases(v))
      if (open_table::Crosses(line, base)) return true;
  }
  return std::any_of(s.setup->terrain.begin(), s.setup->terrain.end(), [&](const Terrain& t) {
    return (t.obstacle || t.works > 0 || t.hard_cover) && open_table::AnyInside(line, t.outline_yd);
  });
}

// CF-22.5: whether a rout may stop here.
bool OutOfReach(const Field& field, int unit) {
  return field.NearestEnemyGap(unit) >= field.Game().Book().after.rout_stop_from_enemy ||
         Sheltered(field, unit, field.NearestEnemy(unit), field.Bases(unit));
}

// Distance to the nearest enemy after moving `yards` along the bearing; infinity without enemies.
double EnemyGapAt(const Field& field, int unit, double bearing, double yards) {
  const State& s = field.Game();
  const std::vector<Base> there = ShiftedBases(field.Bases(unit), bearing, yards);
  const Box around = BoxAround(there, {});
  double gap = std::numeric_limits<double>::infinity();
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (Info(s, v).side != Info(s, unit).side && At(s, v).OnTable() &&
        around.GapTo(field.Body(v).around) < gap + open_table::kTiny)
      gap = std::min(gap, open_table::Gap(there, field.Bases(v)));
  return gap;
}

// CF-22.4: straight back is to the unit's own rear. A body without a rear (CF-10.5), or with the
// enemy in it, goes straight away from him. Measured while the unit still is in formation.
double StraightBack(const Field& field, int unit, std::optional<UnitId> enemy) {
  const double rear = field.FrontOf(unit).facing_deg + 180;
  if (!enemy) return rear;
  const double away = open_table::BearingTo(field.Centre(*enemy), field.Centre(unit));
  const bool enemy_behind =
      open_table::AngleBetween(rear, away) > 180 - field.Game().Book().after.retire_deg;
  return IsUnformed(field.Game(), unit) || enemy_behind ? away : rear;
}

// Straight back, or the free bearing nearest to it, within 45 degrees (CF-22.4).
double BearingAway(const Field& field, int unit, double straight, double yards, bool edge_is_open) {
  // A gain of less than half a yard does not justify a larger angle.
  constexpr double kWorth_yd = 0.5;
  const double limit = field.Game().Book().after.retire_deg;
  double best = straight;
  double most = FreeYards(field, unit, straight, yards, edge_is_open);
  for (const double share : {1.0 / 3, 2.0 / 3, 1.0}) {
    if (most >= yards) break;
    // Prefer the side on which it goes farther; on a tie, the side that ends farther from the
    // enemy.
    const double right = straight + share * limit;
    const double left = straight - share * limit;
    const double free_right = FreeYards(field, unit, right, yards, edge_is_open);
    const double free_left = FreeYards(field, unit, left, yards, edge_is_open);
    const bool alike = std::abs(free_right - free_left) <= kWorth_yd;
    const bool to_left = alike ? EnemyGapAt(field, unit, left, free_left) >
                                     EnemyGapAt(field, unit, right, free_right)
                               : free_left > free_right;
    const double free = to_left ? free_left : free_right;
    if (free <= most + kWorth_yd) continue;
    most = free;
    best = to_left ? left : right;
  }
  return best;
}

// A way back on which enemies or the ground block some bases of the body but not all.
struct PartlyBlocked {
  double bearing = 0;
  std::vector<bool> held;
};
// The bearing on which the most bases are free, nearest to straight back. Nothing if every bearing
// blocks all bases or none.
std::optional<PartlyBlocked> PartlyBlockedBack(const Field& field, int unit, double straight,
                                               double yards) {
  const double limit = field.Game().Book().after.retire_deg;
  const std::vector<Base>& bases = field.Bases(unit);
  std::optional<PartlyBlocked> out;
  std::ptrdiff_t most = 0;
  for (const double share : {0.0, 1.0 / 3, -1.0 / 3, 2.0 / 3, -2.0 / 3, 1.0, -1.0}) {
    PartlyBlocked way{straight + share * limit, {}};
    for (const Base& base : bases)
      way.held.push_back(FreeYards(field, unit, {base}, way.bearing, yards, true) + 0.05 < yards);
    const auto free = std::count(way.held.begin(), way.held.end(), false);
    if (free <= most || free == static_cast<std::ptrdiff_t>(bases.size())) continue;
    most = free;
    out = std::move(way);
  }
  return out;
}

// Moves blocked pursuers as far as they can go. They keep the state of the others.
void HoldBack(Play& play, int held, double bearing, double yards) {
  const Field field = play.Measure();
  const double go = RoomAlong(field, held, bearing, FreeYards(field, held, bearing, yards, false));
  play.PlaceBases(held, FacedAlong(ShiftedBases(field.Bases(held), bearing, go),
                                   field.FrontOf(held).facing_deg, bearing));
  if (go > 0) play.Moved(held);
  play.Set(held, Of::kAfterMove, 1);
}

Flight Flee(Play& play, int unit, double straight, const Roll& roll, bool rout) {
  const State& s = play.Now();
  double yards = AllowanceYd(play.Book(), roll);
  double bearing = 0;
  bool at_edge_only = false;  // only the table edge limits the move
  Flight flight;
  {
    const Field whole = play.Measure();
    bearing = BearingAway(whole, unit, straight, yards, rout);
    yards = RoughOnTheWay(whole, unit, bearing, roll);
    flight.yards = yards;
    at_edge_only = FreeYards(whole, unit, bearing, yards, true) + 0.05 >= yards;
    if (!at_edge_only) {
      const auto parted = PartlyBlockedBack(whole, unit, straight, yards);
      if (parted) flight.held = SplitHeld(play, unit, parted->held);
      if (flight.held) bearing = parted->bearing;
      at_edge_only = flight.held.has_value();  // the remaining bases are free to go
    }
  }
  const Field field = play.Measure();
  double free = FreeYards(field, unit, bearing, yards, rout);
  flight.blocked = free + 0.05 < yards;
  // CF-22.5: a rout ends at the first shelter, or 240 yd from every enemy. A retirement may end at
  // shelter.
  double stop = free;
  const std::optional<UnitId> enemy = field.NearestEnemy(unit);
  for (double d = 0; d <= free; d += kStep_yd) {
    const std::vector<Base> there = ShiftedBases(field.Bases(unit), bearing, d);
    const bool safe =
        rout && EnemyGapAt(field, unit, bearing, d) >= play.Book().after.rout_stop_from_enemy;
    if (!safe && !Sheltered(field, unit, enemy, there)) continue;
    if (InTheWay(field, unit, there)) continue;  // it must pass through this unit first
    stop = d;
    break;
  }
  if (stop < free) {
    flight.blocked = false;
    if (rout || play.Choose(Info(s, unit).side, {"full", "shelter"},
                            fmt::format("does {} go its full move, or shelter after {:.0f} yd?",
                                        play.Name(unit), stop),
                            "CF-22.4") == 1)
      free = stop;
  }
  if (flight.blocked && !at_edge_only) {
    play.Set(unit, Of::kAfterMove, 1);
    play.Tell(rout ? "CF-22.5" : "CF-22.4",
              play.Name(unit) + " stays in place: its way back is blocked.");
    return flight;
  }
  free = RoomAlong(field, unit, bearing, free);
  const std::vector<Base> to = FacedAlong(ShiftedBases(field.Bases(unit), bearing, free),
                                          field.FrontOf(unit).facing_deg, bearing);
  flight.gone = free;
  PassFriends(play, unit, field.Bases(unit), bearing, free);
  play.PlaceBases(unit, to);
  if (free > 0) play.Moved(unit);
  play.Set(unit, Of::kAfterMove, 1);
  play.Set(unit, Of::kFastBefore, 1);
  play.Tell(rout ? "CF-22.5" : "CF-22.4",
            fmt::format("{} {} {:.0f} yd{} ({}).", play.Name(unit), rout ? "routs" : "retires",
                        free, free + 0.05 < yards ? fmt::format(" of {:.0f}", yards) : "",
                        AllowanceText(play.Book(), roll)));
  TireInRough(play, field, unit, bearing, free, roll.dice);
  if (rout && std::any_of(to.begin(), to.end(),
                          [&](const Base& base) { return field.OffTable(base.centre); })) {
    play.Destroy(unit, Presence::kLeftTable, "CF-22.5", "routed off the table");
    flight.blocked = false;
  }
  if (flight.held)
    play.Tell(rout ? "CF-22.5" : "CF-22.4",
              play.Name(*flight.held) + " stays in place: its way back is blocked.");
  return flight;
}

void BlockedRout(Play& play, int unit) {
  play.Tell("CF-22.5", play.Name(unit) + " cannot get away: its way back is blocked.");
  for (int i = 0; i < play.Book().after.rout_blocked_casualties; ++i)
    play.Casualty(unit, "CF-22.5", "blocked in rout");
  play.RiskLeaders(unit, true);
  if (At(play.Now(), unit).OnTable() &&
      play.Measure().NearestEnemyGap(unit) <= play.Book().after.surrender_within)
    play.Destroy(unit, Presence::kSurrendered, "CF-22.5", "blocked in rout near the enemy");
}

// CF-8.4: the unit routs, and with it the generals and marshals attached to it.
void AddRout(Play& play, int unit) {
  play.AddShock(unit, Blow::kRoutedOrLost);
  for (int l = 0; l < static_cast<int>(play.Now().leaders.size()); ++l)
    if (LeaderAt(play.Now(), l).attached == unit &&
        LeaderInfoOf(play.Now(), l).rank != Rank::kBrigadier) {
      Event e;
      e.what = What::kShock;
      const Vec2 at = play.Measure().LeaderAtYd(l);
      e.shock = {{true, l}, Blow::kLeaderRouting, Milli(at.x), Milli(at.y), {}};
      play.Emit(std::move(e));
    }
}

// CF-22.6: the free hack at a caught quarry.
void Hack(Play& play, int unit, int quarry) {
  const State& s = play.Now();
  const Field field = play.Measure();
  int stands = 0;
  for (const Base& base : field.Bases(unit)) {
    double gap = std::numeric_limits<double>::infinity();
    for (const Base& other : field.Bases(quarry)) gap = std::min(gap, open_table::Gap(base, other));
    stands += field.Contact(gap);
  }
  stands = std::max(1, stands);
  const std::vector<int> dice =
      play.Roll(Info(s, unit).side, DiceSet(static_cast<std::size_t>(stands), Die::kD6),
                fmt::format("free hack by {} {} of {}", stands, stands == 1 ? "stand" : "stands",
                            play.Name(unit)),
                "CF-22.6");
  int cut = 0;
  for (const int die : dice) cut += play.Book().after.hack_hit.Has(die);
  play.Tell("CF-22.6", fmt::format("The free hack costs {} {} {}.", play.Name(quarry), cut,
                                   cut == 1 ? "casualty" : "casualties"));
  for (int i = 0; i < cut; ++i) play.Casualty(quarry, "CF-22.6", "ridden down");
  if (cut > 0) play.RiskLeaders(quarry, true);
  if (!At(s, quarry).OnTable()) return;
  if (At(s, quarry).body.conduct != Conduct::kRouting) {
    BreakUp(play, quarry, Conduct::kRouting);
    AddRout(play, quarry);
    play.Tell("CF-22.6", play.Name(quarry) + " routs.");
  }
  play.Set(quarry, Of::kPursued, 1);
}

}  // namespace

void BreakUp(Play& play, int unit, Conduct status) {
  if (!IsGun(play.Now(), unit)) play.Set(unit, Of::kFormation, Formation::kUnformed);
  play.Set(unit, Of::kStatus, status);
  play.Part(unit);
}

void Abandon(Play& play, int gun, bool crew_dead, const char* clause) {
  play.Set(gun, Of::kCrew, crew_dead ? Crew::kDead : Crew::kAway);
  play.Set(gun, Of::kTarget, std::nullopt);
  play.Part(gun);
  play.Tell(clause, fmt::format("{} is abandoned{}.", play.Name(gun),
                                crew_dead ? "; its crew is dead" : ""));
}

Flight Retire(Play& play, int unit, std::optional<UnitId> enemy) {
  const bool first = !At(play.Now(), unit).flight.fast_before;
  const std::vector<int> dice = FastRoll(play, unit, "retires");
  const Roll roll = FastMove(play, unit, dice, first);
  const double straight = StraightBack(play.Measure(), unit, enemy);
  play.AddShock(unit, Blow::kRetired);
  BreakUp(play, unit, Conduct::kRetiring);
  const Flight flight = Flee(play, unit, straight, roll, false);
  const auto pay = [&](int blocked) {
    play.Hurt(blocked, play.Book().after.retire_blocked_dp, "CF-22.4", "way back blocked");
    play.RiskLeaders(blocked, true);
  };
  if (flight.blocked) pay(unit);
  if (flight.held) pay(*flight.held);
  return flight;
}

Flight Rout(Play& play, int unit, std::optional<UnitId> enemy) {
  const bool first = !At(play.Now(), unit).flight.fast_before;
  const std::vector<int> dice = FastRoll(play, unit, "routs");
  const Roll roll = FastMove(play, unit, dice, first);
  const double straight = StraightBack(play.Measure(), unit, enemy);
  AddRout(play, unit);
  BreakUp(play, unit, Conduct::kRouting);
  const Flight flight = Flee(play, unit, straight, roll, true);
  if (flight.blocked && At(play.Now(), unit).OnTable()) BlockedRout(play, unit);
  if (flight.held) BlockedRout(play, *flight.held);
  return flight;
}

void RetireOn(Play& play, int unit) { Retire(play, unit, play.Measure().NearestEnemy(unit)); }

void RunOn(Play& play, int unit) {
  const State& s = play.Now();
  const Conduct status = At(s, unit).body.conduct;
  if (status == Conduct::kPursuing) {
    // The units it pursues, nearest first. The pursuit ends when none is left.
    const Field field = play.Measure();
    int quarry = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
      if (Info(s, v).side == Info(s, unit).side || !At(s, v).OnTable()) continue;
      const Conduct theirs = At(s, v).body.conduct;
      if (theirs != Conduct::kRouting && theirs != Conduct::kRetiring) continue;
      if (field.Gap(unit, v) >= least) continue;
      least = field.Gap(unit, v);
      quarry = v;
    }
    if (quarry < 0) {
      play.StandFast(unit);
      play.Tell("CF-22.6", play.Name(unit) + " has no unit left to pursue.");
      return;
    }
    double ran = 0;
    if (At(s, quarry).body.conduct == Conduct::kRouting) {
      // CF-22.5: the pursuer moves the routed unit in his own Movement phase, for a casualty, until
      // it stops.
      if (!OutOfReach(field, quarry)) {
        for (int i = 0; i < play.Book().after.rout_step_casualties; ++i)
          play.Casualty(quarry, "CF-22.5", "pursued");
        play.RiskLeaders(quarry, true);
        if (!At(s, quarry).OnTable()) return;
        ran = Rout(play, quarry, unit).gone;
        if (!At(s, quarry).OnTable()) return;
      }
    }
    if (const auto met = Pursue(play, unit, quarry, least, ran)) play.Engage(unit, *met);
    return;
  }
  if (status != Conduct::kRouting) return;
  if (At(s, unit).flight.pursued) {
    // A unit that still pursues it moves it in the pursuer's own phase.
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
      if (Info(s, v).side != Info(s, unit).side && At(s, v).OnTable() &&
          At(s, v).body.conduct == Conduct::kPursuing)
        return;
    play.Set(unit, Of::kPursued, 0);
  }
  const Field field = play.Measure();
  if (OutOfReach(field, unit)) {
    play.Tell("CF-22.5",
              play.Name(unit) + " is out of reach of the enemy and stops. It stays routed.");
    return;
  }
  if (play.Rulings().rout_unpursued_costs) {
    play.Casualty(unit, "CF-22.5", "still routing");
    play.RiskLeaders(unit, true);
  }
  if (At(s, unit).OnTable()) Rout(play, unit, field.NearestEnemy(unit));
}

std::optional<int> Pursue(Play& play, int unit, int quarry, double gap, double quarry_yd) {
  const State& s = play.Now();
  BreakUp(play, unit, Conduct::kPursuing);
  const std::vector<int> dice = FastRoll(play, unit, "pursues");
  play.Set(unit, Of::kAfterMove, 1);
  const Field field = play.Measure();
  const double bearing = At(s, quarry).OnTable()
                             ? open_table::BearingTo(field.Centre(unit), field.Centre(quarry))
                             : field.FrontOf(unit).facing_deg;
  const double yards = RoughOnTheWay(field, unit, bearing, FastMove(play, unit, dice, false));
  // Units in contact have no gap to close (CF-1.3). Places are rounded, and a tie catches.
  constexpr double kRounded_yd = 0.05;
  const double lead = (field.Contact(gap) ? 0 : gap) + quarry_yd;
  const bool caught = At(s, quarry).OnTable() && yards + kRounded_yd >= lead;
  play.PlaceBases(unit, FacedAlong(field.Bases(unit), field.FrontOf(unit).facing_deg, bearing));
  // A new enemy in the way is charged at once, unless the quarry is caught before. Units that run
  // away are caught instead: they are not new enemies.
  std::optional<int> met;
  double first = yards;
  const auto look_ahead = [&](const Field& turned) {
    met.reset();
    first = yards;
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
      if (v == quarry || Info(s, v).side == Info(s, unit).side || !At(s, v).OnTable()) continue;
      if (IsGun(s, v) && At(s, v).body.crew != Crew::kServing) continue;
      const double along = AlongToContact(turned, unit, v, bearing, yards);
      if (along < 0 || along > first) continue;
      first = along;
      met = v;
    }
    const double quarry_at = caught ? AlongToContact(turned, unit, quarry, bearing, yards) : -1;
    if (quarry_at < 0 || quarry_at > first) return first;
    met.reset();
    return quarry_at;
  };
  // Partly blocked pursuers split: bases stopped by the ground stay behind, still pursuing.
  const Field faced = play.Measure();
  const double wanted = look_ahead(faced);
  std::vector<bool> stopped;
  for (const Base& base : faced.Bases(unit))
    stopped.push_back(GroundFree(faced, unit, {base}, bearing, wanted, true) + 0.05 < wanted);
  const auto count = std::count(stopped.begin(), stopped.end(), true);
  std::optional<int> held;
  if (count > 0 && count < static_cast<std::ptrdiff_t>(stopped.size()))
    held = SplitHeld(play, unit, stopped);
  const Field turned = play.Measure();
  double go = held ? look_ahead(turned) : wanted;
  go = RoomAlong(turned, unit, bearing, FreeYards(turned, unit, bearing, go, false));
  play.PlaceBases(unit, ShiftedBases(turned.Bases(unit), bearing, go));
  play.Moved(unit);
  PassFriends(play, unit, turned.Bases(unit), bearing, go);
  CaptureLeaders(play, unit, turned.Bases(unit), bearing, go);
  if (held) HoldBack(play, *held, bearing, wanted);
  if (met) {
    const Field now = play.Measure();
    if (!now.Contact(now.Gap(unit, *met))) met.reset();  // something stopped the pursuit before it
  }
  play.Tell("CF-22.6", fmt::format("{} pursues {:.0f} of {:.0f} yd. {} had {:.0f} yd of lead: {}.",
                                   play.Name(unit), go, yards, play.Name(quarry), lead,
                                   caught ? "within reach" : "out of reach"));
  TireInRough(play, turned, unit, bearing, go, dice);
  const auto runs = [&](int v) {
    const Conduct status = At(s, v).body.conduct;
    return status == Conduct::kRouting || status == Conduct::kRetiring;
  };
  if (met && runs(*met)) {
    play.Tell("CF-22.6", fmt::format("{} is caught.", play.Name(*met)));
    Hack(play, unit, *met);
    return std::nullopt;
  }
  if (met) {
    play.Tell("CF-22.6", fmt::format("{} meets {}.", play.Name(unit), play.Name(*met)));
    play.Set(unit, Of::kReached, 1);
    play.Set(*met, Of::kContacted, 1);
    if (IsCavalry(s, unit)) play.Set(*met, Of::kContactedByCavalry, 1);
    return met;
  }
  if (caught) {
    play.Tell("CF-22.6", fmt::format("{} is caught.", play.Name(quarry)));
    Hack(play, unit, quarry);
  } else if (At(s, quarry).OnTable()) {
    play.Set(quarry, Of::kPursued, 1);
  }
  return std::nullopt;
}

bool RideThrough(Play& play, int unit, int enemy) {
  const State& s = play.Now();
  const Field field = play.Measure();
  const double bearing = field.FrontOf(unit).facing_deg;
  const double halt = play.Book().after.ride_through_halt;
  const auto no_room = [&](const std::string& why) {
    play.Tell("CF-22.3", fmt::format("{} has no room to ride through: {}.", play.Name(unit), why));
    return false;
  };
  // CF-22.3: the enemies it rides through, and the distance that clears them.
  constexpr double kFarthest_yd = 200;  // more than any ride and the halt beyond it
  std::vector<int> through = {enemy};
  for (const Engaged& pair : s.engaged)
    for (const auto& [one, other] : {std::pair{pair.a, pair.b}, std::pair{pair.b, pair.a}})
      if (one == unit && other != enemy && At(s, other).OnTable() &&
          AlongToContact(field, unit, other, kFarthest_yd) >= 0)
        through.push_back(other);
  const auto ridden = [&](int v) {
    return std::find(through.begin(), through.end(), v) != through.end();
  };
  double depth = 0;
  for (const int v : through) {
    if (field.FrontOf(v).ranks > 1) return no_room(play.Name(v) + " is more than one rank deep");
    for (const Base& base : field.Bases(v))
      for (const Vec2 corner : open_table::Outline(base))
        depth =
            std::max(depth, Dot(corner - field.FrontOf(unit).centre, open_table::Ahead(bearing)));
  }
  depth += field.Bases(unit).front().depth;
  // It halts beyond 20 yd of new enemy ahead, and only where it is clear of those it rode through.
  double most = kFarthest_yd;
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (ridden(v) || Info(s, v).side == Info(s, unit).side || !At(s, v).OnTable()) continue;
    if (IsGun(s, v) && At(s, v).body.crew != Crew::kServing) continue;
    if (IsFormed(s, v) && field.Gap(v, enemy) <= play.Book().after.ride_through_support &&
        Dot(field.Centre(v) - field.Centre(enemy), open_table::Ahead(bearing)) > 0)
      return no_room(fmt::format("{} is {:.0f} yd behind {}", play.Name(v), field.Gap(v, enemy),
                                 play.Name(enemy)));
    const double along = AlongToContact(field, unit, v, kFarthest_yd);
    if (along < 0) continue;
    most = std::min(most, along - halt - kTouch_yd);
    if (most < depth)
      return no_room(
          fmt::format("{} is {:.0f} yd ahead, and it must clear {:.0f} yd and halt "
                      "beyond {:g} yd of new enemy",
                      play.Name(v), along, depth, halt));
  }
  const std::size_t pick =
      play.Choose(Info(s, unit).side, {"avd+avd", "avd+d6", "avd+avd+d6"},
                  "by which dice does " + play.Name(unit) + " ride through?", "CF-22.3");
  constexpr std::array<int, 3> kSetOf = {2, 3, 4};
  const std::vector<int> dice = play.Roll(Info(s, unit).side, SetAt(kSetOf[pick]),
                                          play.Name(unit) + " rides through", "CF-22.3");
  double yards = AllowanceYd(play.Book(), {dice, false, false, false});
  if (yards < depth) return no_room(fmt::format("{:g} yd do not clear {:.0f} yd", yards, depth));
  yards = std::min(yards, most);
  // It must clear the enemy's depth, stop 20 yd short of forbidden ground, and end where no unit
  // stands.
  const double ground = GroundFree(field, unit, bearing, yards + halt, true);
  if (ground + 0.05 < yards + halt) yards = std::max(0.0, ground - halt);
  yards = RoomAlong(field, unit, bearing, GroundFree(field, unit, bearing, yards, false));
  if (yards < depth)
    return no_room(
        fmt::format("it can go only {:.0f} yd, and {:.0f} yd clear the enemy", yards, depth));
  play.Part(unit);
  const std::vector<Base> to = ShiftedBases(field.Bases(unit), bearing, yards);
  play.PlaceBases(unit, to);
  play.Moved(unit);
  play.Set(unit, Of::kAfterMove, 1);
  const Field now = play.Measure();
  if (const std::optional<UnitId> threat = now.NearestEnemy(unit)) {
    const double to_threat = open_table::BearingTo(now.Centre(unit), now.Centre(*threat));
    if (open_table::AngleBetween(to_threat, bearing) > 90) TurnAbout(play, unit);
  }
  play.Tell("CF-22.3", fmt::format("{} rides through, {:.0f} yd.", play.Name(unit), yards));
  play.Heal(unit, -play.Book().morale.ride_through, "CF-8.5", "riding through the enemy");
  return true;
}

void TireInRough(Play& play, const Field& before, int unit, double bearing, double yards,
                 const std::vector<int>& faces) {
  const State& s = play.Now();
  if (!At(s, unit).OnTable() || yards <= 0 || RoughAfter(before, unit, bearing, yards) >= yards)
    return;
  play.ManoeuvreDp(
      unit,
      FatigueDp(play.Book(), play.Rulings(), FatigueOf(s, unit, true), FastDice(s, unit), faces),
      "CF-13.2", "fatigue in rough going");
}

double EvadeRoom(const Field& field, int unit, double bearing, double yards) {
  return RoomAlong(field, unit, bearing, FreeYards(field, unit, bearing, yards, true));
}

double EvadeAlong(Play& play, int unit, double bearing, double yards) {
  const Field field = play.Measure();
  const double go = EvadeRoom(field, unit, bearing, yards);
  const std::vector<Base> to = FacedAlong(ShiftedBases(field.Bases(unit), bearing, go),
                                          field.FrontOf(unit).facing_deg, bearing);
  play.PlaceBases(unit, to);
  play.Moved(unit);
  PassFriends(play, unit, field.Bases(unit), bearing, go);
  if (std::any_of(to.begin(), to.end(), [&](const Base& b) { return field.OffTable(b.centre); }))
    play.Destroy(unit, Presence::kLeftTable, "CF-18.5", "evaded off the table");
  return go;
}

void TakePosition(Play& play, int unit, Field::Front position) {
  const Field field = play.Measure();
  const Vec2 by = position.centre - field.FrontOf(unit).centre;
  const double bearing = open_table::BearingTo({}, by);
  // Stop short of friends who are already there.
  const double yards =
      RoomAlong(field, unit, bearing, GroundFree(field, unit, bearing, Norm(by), false));
  play.PlaceBases(unit, ShiftedBases(field.Bases(unit), bearing, yards));
  play.Moved(unit);
  play.Set(unit, Of::kAfterMove, 1);
  play.Tell("CF-22.2", play.Name(unit) + " takes the position.");
  play.Heal(unit, -play.Book().morale.take_position, "CF-8.5", "taking the position");
}

}  // namespace fos::closefire
