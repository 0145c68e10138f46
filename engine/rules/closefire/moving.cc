// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/moving.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/repeating.h"
#include "engine/rules/closefire/room.h"

// Sections 11 and 12: moving ahead, to a place, by road, and ending a move.
namespace fos::closefire {

using open_table::Ahead;

bool Near(const Field& field, int unit) {
  return field.NearestEnemyGap(unit) <= field.Game().Book().manoeuvre.near;
}
bool UpTo(const State& s, int unit) {
  // CF-11.3: units that may stop anywhere.
  return IsGun(s, unit) && (At(s, unit).body.formation == Formation::kLimbered ||
                            Info(s, unit).gun != GunClass::kBattalion);
}
bool InLine(const State& s, int unit) { return At(s, unit).body.formation == Formation::kLine; }
bool SteadyFootInLine(const State& s, int unit) {
  return IsFoot(s, unit) && InLine(s, unit) && Info(s, unit).grade <= Grade::kD;
}

void RequirePace(Play& play, int unit) {
  const State& s = play.Now();
  const Unit& u = At(s, unit);
  const bool free = !u.obeys.steadied && !InCombat(s, unit) && u.body.conduct == Conduct::kReady &&
                    u.obeys.control != Control::kHalted && !u.fire.fired;
  if (!IsCavalry(s, unit) || !free) return;
  const int least = u.pace.dice - play.Book().move.pace_change_max;
  play.Require(u.pace.dice_now >= least, "CF-12.9", [&] {
    return fmt::format(
        "{} moved with {} dice last turn and may not stand still: `roll {}` with "
        "{} {} or more",
        play.Name(unit), u.pace.dice, play.Id(unit), least, least == 1 ? "die" : "dice");
  });
}

void RequireMine(Play& play, int unit) {
  const State& s = play.Now();
  play.Reveal(unit, "moves");
  play.Require(
      At(s, unit).OnTable(), "CF-11.1", [&] { return play.Name(unit) + " is not on the table"; },
      false);
  play.Require(Info(s, unit).side == s.to_act, "CF-9.2", "it is the other side's turn to move",
               false);
}

// The checks for every voluntary move (CF-4.4, 5.6, 11.1, 22.4).
void RequireFreeToMove(Play& play, int unit, Moving how) {
  const State& s = play.Now();
  const bool rolling = how == Moving::kThrowing;
  RequireMine(play, unit);
  const Unit& u = At(s, unit);
  const LastMove last = u.pace.kind;
  const bool by_dice =
      last == LastMove::kAhead || last == LastMove::kInclineLeft || last == LastMove::kInclineRight;
  play.Require(u.obeys.control != Control::kRepeats || u.march.set != 0 || rolling || !by_dice,
               "CF-5.7", [&] {
                 return fmt::format("{} must repeat its last move: roll {}", play.Name(unit),
                                    DiceInWords(SetAt(u.pace.set)));
               });
  play.Require(!u.fire.fired || IsDismounted(s, unit), "CF-11.1",
               [&] { return play.Name(unit) + " has fired this turn"; });
  play.Require(!u.obeys.steadied, "CF-4.4",
               [&] { return play.Name(unit) + " was steadied this turn"; });
  play.Require(u.obeys.control != Control::kHalted, "CF-5.6",
               [&] { return play.Name(unit) + " is halted by its control test"; });
  play.Require(!InCombat(s, unit), "CF-19.2", [&] { return play.Name(unit) + " is in combat"; });
  const Conduct status = u.body.conduct;
  play.Require(
      status != Conduct::kRouting && status != Conduct::kPursuing && status != Conduct::kLooting,
      "CF-5.8", [&] { return fmt::format("{} is {}", play.Name(unit), StatusName(status)); });
  // Those who are always unformed simply stop (EndMovement).
  play.Require(
      status != Conduct::kRetiring || how == Moving::kReforming || !MayReform(s, unit), "CF-22.4",
      [&] { return play.Name(unit) + " is retiring: it goes on, or stands and re-forms"; });
  play.Require(!IsMerging(s, unit), "CF-14.16", [&] { return play.Name(unit) + " is merging"; });
  if (u.obeys.control == Control::kConforming && u.march.set == 0 && !rolling) {
    const UnitId lead = LeadOf(u).value();
    play.Require(At(s, lead).pace.kind_now != LastMove::kStood,
                 CopiesInLine(u) ? "CF-5.2" : "CF-5.3", [&] {
                   return fmt::format("{} conforms to {}, which has not moved yet", play.Name(unit),
                                      play.Name(lead));
                 });
  }
  play.Require(
      !u.march.done, "CF-14.13", [&] { return play.Name(unit) + " has already ended its move"; },
      false);
}

bool IsBarredFromMoving(const State& s, int unit) {
  const Unit& u = At(s, unit);
  const Conduct status = u.body.conduct;
  return (u.fire.fired && !IsDismounted(s, unit)) || u.obeys.steadied || InCombat(s, unit) ||
         status == Conduct::kRouting || status == Conduct::kPursuing ||
         status == Conduct::kLooting || u.march.done || IsMerging(s, unit);
}

bool IsMerging(const State& s, int unit) {
  return At(s, unit).merge.into.has_value() ||
         std::any_of(s.units.begin(), s.units.end(),
                     [&](const Unit& other) { return other.merge.into == unit; });
}

double LeftYd(const State& s, int unit) { return Yd(At(s, unit).march.left_milli_yd); }

void Spend(Play& play, int unit, double yards, const char* clause) {
  const double left = LeftYd(play.Now(), unit);
  play.Require(yards <= left + 0.05, clause, [&] {
    return fmt::format("{} has {:.1f} yd left and needs {:.1f}", play.Name(unit), left, yards);
  });
  play.Set(unit, Of::kAllowanceMilliYd, Milli(std::max(0.0, left - yards)));
}

void CaptureLeaders(Play& play, int unit, const std::vector<Base>& from, double bearing,
                    double yards) {
  const State& s = play.Now();
  if (!IsCavalry(s, unit)) return;
  const Box way = BoxAround(from, yards * Ahead(bearing));
  for (int l = 0; l < static_cast<int>(s.leaders.size()); ++l) {
    if (LeaderInfoOf(s, l).side == Info(s, unit).side || !LeaderAt(s, l).Present()) continue;
    const Field field = play.Measure();
    const Vec2 at = field.LeaderAtYd(l);
    const double touch =
        LeaderInfoOf(s, l).radius_yd + play.Rulings().contact_gap_yd + open_table::kTiny;
    if (way.GapTo({at, at}) > touch && field.Body(unit).around.GapTo({at, at}) > touch) continue;
    const auto met = [&](double d) {
      const std::vector<Base> there = ShiftedBases(from, bearing, d);
      return std::any_of(there.begin(), there.end(), [&](const Base& base) {
        return field.Contact(open_table::Gap(base, at) - LeaderInfoOf(s, l).radius_yd);
      });
    };
    // Twice the contact gap is less than the depth of any base.
    bool over = met(yards) || field.Contact(field.GapToLeader(unit, l));
    for (double d = 0; d < yards && !over; d += play.Rulings().contact_gap_yd + 1) over = met(d);
    if (!over || !field.Lone(l)) continue;
    play.SetFate(l, LeaderFate::kCaptured);
    play.Tell("CF-6.5", fmt::format("{} is captured by {}.", LeaderName(s, l), play.Name(unit)));
  }
}

void RequireRolled(Play& play, int unit) {
  RequireFreeToMove(play, unit);
  play.Require(
      At(play.Now(), unit).march.set != 0, "CF-11.2",
      [&] { return play.Name(unit) + " has not thrown its dice yet: `roll` first"; }, false);
}

// A half-move manoeuvre (CF-14.13).
void Halve(Play& play, int unit, const char* clause) {
  const State& s = play.Now();
  const int halves = At(s, unit).march.halves;
  play.Require(halves < 2, "CF-14.13",
               [&] { return play.Name(unit) + " has made two half-move manoeuvres"; });
  const double left = LeftYd(s, unit);
  const double full = Yd(At(s, unit).march.full_milli_yd);
  // It uses up half of the roll, and that much must be left.
  play.Require(left + 0.05 >= full / 2, clause, [&] {
    return fmt::format("this takes half of {:g} yd, and {:.1f} yd are left", full, left);
  });
  play.Set(unit, Of::kHalves, halves + 1);
  play.Set(unit, Of::kAllowanceMilliYd, Milli(std::max(0.0, left - full / 2)));
}

bool MayTakeWholeMove(const Unit& unit) {
  return unit.march.halves == 0 && unit.march.ahead_milli_yd == 0 && !unit.march.wheeled;
}

// A full-move manoeuvre: no dice, and nothing else.
void WholeMove(Play& play, int unit, const char* clause) {
  const State& s = play.Now();
  play.Require(!IsCavalry(s, unit) || At(s, unit).march.set != 0 ||
                   At(s, unit).pace.dice <= play.Book().move.pace_change_max,
               "CF-12.9", [&] {
                 return fmt::format("{} moved with {} dice last turn and may not stand still",
                                    play.Name(unit), At(s, unit).pace.dice);
               });
  play.Require(MayTakeWholeMove(At(s, unit)), clause,
               [&] { return play.Name(unit) + " has already moved: this takes a whole move"; });
  play.Set(unit, Of::kAllowanceMilliYd, 0);
  play.Set(unit, Of::kDoneMoving, 1);
  MadeMove(play, unit, LastMove::kManoeuvre);
}

// CF-14.6: each obstacle costs half a move and its DPs.
void RequireCrossed(Play& play, int unit, const Way& way) {
  const Unit& u = At(play.Now(), unit);
  play.Require(way.obstacles <= u.march.obstacles_paid - u.march.obstacles_crossed, "CF-14.6", [&] {
    return way.obstacles > 1 ? "obstacles are in the way: `cross` each of them first"
                             : "an obstacle is in the way: `cross` it first";
  });
  play.Set(unit, Of::kCrossed, u.march.obstacles_crossed + way.obstacles);
}

// CF-14.6: fascines are spent on the first obstacle. Units that follow there pay nothing.
void LayFascines(Play& play, int unit, const std::vector<Base>& from, double bearing, double yards,
                 const Way& way) {
  const State& s = play.Now();
  if (!At(s, unit).body.fascines || !way.first_obstacle) return;
  std::vector<Vec2> centres;
  for (const Base& base : from) centres.push_back(base.centre);
  const Terrain& over = s.setup->terrain[static_cast<std::size_t>(*way.first_obstacle)];
  const std::vector<Vec2> into = ComesInto(over, centres, yards * open_table::Ahead(bearing));
  const Vec2 right = open_table::Rightward(bearing);
  const auto [low, high] = std::minmax_element(
      into.begin(), into.end(), [&](Vec2 a, Vec2 b) { return Dot(a, right) < Dot(b, right); });
  const double half = Info(s, unit).width_yd / 2;
  PutFascines(play, unit, way.first_obstacle, *low - half * right, *high + half * right);
}

void PutFascines(Play& play, int unit, std::optional<int> over, Vec2 from, Vec2 to) {
  Event e;
  e.what = What::kFascines;
  e.fascines = {
      Info(play.Now(), unit).side, over, Milli(from.x), Milli(from.y), Milli(to.x), Milli(to.y)};
  play.Emit(std::move(e));
  play.Set(unit, Of::kFascines, 0);
  play.Tell("CF-14.6",
            fmt::format("{} lays its fascines from ({:.0f}, {:.0f}) to ({:.0f}, {:.0f}).",
                        play.Name(unit), from.x, from.y, to.x, to.y));
}

namespace {

void GoAhead(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireRolled(play, unit);
  double yards = words.numbers[0];
  const double off = words.numbers.size() > 1 ? words.numbers[1] : 0;
  play.Require(yards > 0, "CF-11.3", "a move must be longer than 0 yd", false);
  play.Require(off <= play.Book().move.direction_deg + open_table::kTiny, "CF-11.6", [&] {
    return fmt::format("{:g} degrees off straight ahead is too much: {:g} degrees at most{}", off,
                       play.Book().move.direction_deg,
                       off <= play.Book().move.direction_deg + 1 ? " (a close call)" : "");
  });
  const Field field = play.Measure();
  const double facing = field.FrontOf(unit).facing_deg;
  const double bearing = facing + (words.Has("left") ? -off : off);
  const Way way = WayAlong(field, unit, bearing, yards);
  if (way.rough) BecomeRough(play, unit);
  play.Require(yards <= LeftYd(s, unit) + 0.05, "CF-11.3", [&] {
    return fmt::format("{} has only {:.1f} yd left", play.Name(unit), LeftYd(s, unit));
  });
  if (way.free_yd + 0.05 < yards) {
    const char* clause = way.enemy_stop ? "CF-11.4" : way.double_stop ? "CF-11.7" : "CF-12.4";
    play.Require(
        false, clause,
        [&] {
          return fmt::format("it can go only {:.1f} yd: {}", way.free_yd,
                             way.enemy_stop    ? "it must stop 20 yd from enemies to its front"
                             : way.double_stop ? "a double move ends 120 yd from the enemy"
                             : way.edge        ? "the table ends there"
                                               : "it may not enter the ground ahead");
        },
        false);
  }
  RequireCrossed(play, unit, way);
  yards = std::min(yards, way.free_yd);
  const std::vector<Base> from = field.Bases(unit);
  const std::vector<Base> to = ShiftedBases(from, bearing, yards);
  const std::vector<Base> passing = PassingBases(field, unit);
  RequireRoom(play, unit, to, "CF-14.11");
  Spend(play, unit, yards, "CF-11.3");
  play.Set(unit, Of::kGapMilliYd, 0);  // CF-14.12: it expands at once
  play.PlaceBases(unit, to);
  play.Moved(unit);
  play.Set(unit, Of::kDistanceMilliYd, At(s, unit).march.ahead_milli_yd + Milli(yards));
  play.Set(unit, Of::kBearing, std::optional(Milli(open_table::WrappedBearing(bearing))));
  MadeMove(play, unit, LastMove::kAhead);
  play.Tell("CF-11.6", fmt::format("{} moves {:g} yd ahead; {:.1f} yd left.", play.Name(unit),
                                   yards, LeftYd(s, unit)));
  LayFascines(play, unit, from, bearing, yards, way);
  if (way.friends) PassFriends(play, unit, passing, bearing, yards);
  CaptureLeaders(play, unit, from, bearing, yards);
}
// CF-12.5: whether the whole way stays more than 120 yd from the enemy.
bool FarThroughout(const Field& field, int unit, double bearing, double yards) {
  const State& s = field.Game();
  const double far = s.Book().move.far_distance;
  // A gap changes by no more than the body moves.
  for (double d = 0;;) {
    const std::vector<Base> there = ShiftedBases(field.Bases(unit), bearing, d);
    const Box around = BoxAround(there, {});
    double gap = std::numeric_limits<double>::infinity();
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
      if (Info(s, v).side != Info(s, unit).side && At(s, v).OnTable() &&
          around.GapTo(field.Body(v).around) < gap + open_table::kTiny)
        gap = std::min(gap, open_table::Gap(there, field.Bases(v)));
    if (gap <= far) return false;
    if (d >= yards) return true;
    d = std::min(yards, d + std::max(1.0, gap - far));
  }
}

// Moves to a place with a facing: unformed bodies, limbered guns, guns moved by hand, and road
// columns.
void GoTo(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const Vec2 to{words.numbers[0], words.numbers[1]};
  const bool road = words.verb == "road";
  const bool by_hand = IsGun(s, unit) && At(s, unit).body.formation == Formation::kUnlimbered &&
                       Info(s, unit).gun != GunClass::kBattalion;
  const Field field = play.Measure();
  const Vec2 from = field.Centre(unit);
  const double yards = Distance(from, to);
  play.Require(to.x >= 0 && to.y >= 0 && to.x <= s.setup->length_yd && to.y <= s.setup->width_yd,
               "CF-12.4", "that place is off the table", false);
  const double bearing = open_table::BearingTo(from, to);
  Way way;
  std::vector<Base> bases = ShiftedBases(field.Bases(unit), bearing, yards);
  if (words.numbers.size() > 2) {
    const double turn = words.numbers[2] - field.FrontOf(unit).facing_deg;
    for (Base& base : bases) base = open_table::Turned(base, to, turn);
  }
  if (road) {
    RequireFreeToMove(play, unit);
    play.Require(At(s, unit).body.formation == Formation::kMarch ||
                     At(s, unit).body.formation == Formation::kLimbered,
                 "CF-12.5", "only march columns and limbered guns can use the road");
    play.Require(At(s, unit).march.set == 0, "CF-12.5", [&] {
      return play.Name(unit) + " has thrown its dice: a road move is made without dice";
    });
    for (std::size_t i = 0; i < bases.size(); ++i)
      play.Require(field.OnRoad(field.Bases(unit)[i]) && field.OnRoad(bases[i]), "CF-12.5",
                   "a road move must start and end on a road");
    const bool far = !IsGun(s, unit) && FarThroughout(field, unit, bearing, yards);
    const double most = far ? play.Book().move.road_far : play.Book().move.road;
    play.Require(yards <= most + 0.05, IsGun(s, unit) ? "CF-12.8" : "CF-12.5", [&] {
      return fmt::format("{:.0f} yd by road is too far: {:g} yd at most", yards, most);
    });
    play.Require(!WayAlong(field, unit, bearing, yards).enemy_stop, "CF-11.4",
                 "it must stop 20 yd from enemies to its front", false);
    play.Set(unit, Of::kRoadMove, 1);
    play.Set(unit, Of::kPaceNow, play.Book().move.road_counts_as_dice);
    play.Set(unit, Of::kDoneMoving, 1);
  } else if (by_hand) {
    RequireFreeToMove(play, unit);
    play.Require(
        !At(s, unit).march.moved, "CF-12.8", [&] { return play.Name(unit) + " has already moved"; },
        false);
    const double facing = field.FrontOf(unit).facing_deg;
    play.Require(words.numbers.size() < 3 ||
                     open_table::AngleBetween(words.numbers[2], facing) <= open_table::kTiny,
                 "CF-12.8",
                 [&] { return play.Name(unit) + " would turn too: a gun pivots or moves"; });
    play.Require(yards <= play.Rulings().unlimbered_gun_move_yd + 0.05, "CF-12.8", [&] {
      return fmt::format("{:.0f} yd by hand is too far: {:g} yd at most", yards,
                         play.Rulings().unlimbered_gun_move_yd);
    });
    play.Set(unit, Of::kDoneMoving, 1);
  } else {
    RequireRolled(play, unit);
    play.Require(
        IsUnformed(s, unit) || UpTo(s, unit), "CF-11.6",
        [&] { return play.Name(unit) + " is in formation: use `ahead`, `wheel` or `incline`"; },
        false);
    way = WayAlong(field, unit, bearing, yards);
    if (way.rough) BecomeRough(play, unit);
    play.Require(
        way.free_yd + 0.05 >= yards, way.enemy_stop ? "CF-11.4" : "CF-12.4",
        [&] { return fmt::format("the way is free for only {:.1f} yd", way.free_yd); }, false);
    RequireCrossed(play, unit, way);
    Spend(play, unit, yards, "CF-11.3");
  }
  RequireRoom(play, unit, bases, "CF-14.11");
  RequireTwentyYards(play, unit, bases);
  const std::vector<Base> started = field.Bases(unit);
  play.PlaceBases(unit, bases);
  play.Moved(unit);
  play.Set(unit, Of::kBearing, std::optional(Milli(open_table::WrappedBearing(bearing))));
  MadeMove(play, unit, road ? LastMove::kRoad : by_hand ? LastMove::kByHand : LastMove::kAhead);
  if (!road && !by_hand) {
    LayFascines(play, unit, started, bearing, yards, way);
    PassFriends(play, unit, started, bearing, yards);
  }
  play.Tell(
      road             ? "CF-12.5"
      : IsGun(s, unit) ? "CF-12.8"
                       : "CF-14.14",
      fmt::format("{} moves {:.0f} yd to ({:.0f}, {:.0f}).", play.Name(unit), yards, to.x, to.y));
  CaptureLeaders(play, unit, started, bearing, yards);
}

// CF-11.3.
void Halt(Play& play, int unit) {
  const State& s = play.Now();
  const Unit& u = At(s, unit);
  RequirePace(play, unit);
  const double left = LeftYd(s, unit);
  if (u.march.set != 0 && left > kFull_yd && !UpTo(s, unit) && !u.march.to_objective) {
    const Field field = play.Measure();
    // Along its last leg, or straight ahead.
    const double bearing = u.march.bearing ? Yd(*u.march.bearing) : field.FrontOf(unit).facing_deg;
    const Way way = WayAlong(field, unit, bearing, left);
    const bool stopped =
        (way.enemy_stop || way.double_stop || way.edge || way.forbidden) && way.free_yd <= kFull_yd;
    const Broken broken = AheadIsBroken(field, unit, bearing, left);
    // It may stop in contact with a friend that it cannot get clear of, or before an obstacle when
    // less than the half move is left that crossing takes.
    const bool held =
        broken.friends >= 0 && field.Contact(field.Gap(unit, broken.friends)) &&
        InTheWay(field, unit, ShiftedBases(field.Bases(unit), bearing, left)) == broken.friends;
    const auto no_half = [&] {
      return left + 0.05 < Yd(u.march.full_milli_yd) / 2 &&
             WayAlong(field, unit, bearing, kFull_yd).obstacles >
                 u.march.obstacles_paid - u.march.obstacles_crossed;
    };
    play.Require(
        stopped || held || no_half() ||
            (left <= play.Book().move.stop_short_max + open_table::kTiny &&
             (broken.friends >= 0 || broken.ground)),
        "CF-11.3", [&] {
          return fmt::format(
              "{} has {:.1f} yd left and must move the whole distance. It may stop early if a "
              "halt was announced, an enemy is 20 yd ahead, or a friend or feature is within 40 yd",
              play.Name(unit), left);
        });
  }
  play.Set(unit, Of::kDoneMoving, 1);
}

// CF-5.8: looting is a state like pursuit that the player starts. The unit becomes unformed where
// it stands and does nothing else until a control test stops it.
void Loot(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireFreeToMove(play, unit);
  play.Require(
      !IsGun(s, unit) && Info(s, unit).arm != Arm::kCivilians, "CF-5.8",
      [&] { return play.Name(unit) + " cannot loot"; }, false);
  play.Require(At(s, unit).body.conduct == Conduct::kReady, "CF-5.8", [&] {
    return fmt::format("{} is {}", play.Name(unit), StatusName(At(s, unit).body.conduct));
  });
  Halt(play, unit);
  MadeMove(play, unit, LastMove::kManoeuvre);
  BreakUp(play, unit, Conduct::kLooting);
  play.Tell("CF-5.8", play.Name(unit) + " starts looting. Only a control test stops it.");
}

}  // namespace

// CF-14.11: the cost of moving through friends.
void PassFriends(Play& play, int unit, const std::vector<Base>& from, double bearing,
                 double yards) {
  const State& s = play.Now();
  const Field field = play.Measure();
  const Box way = BoxAround(from, yards * Ahead(bearing));
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (v == unit || Info(s, v).side != Info(s, unit).side || !At(s, v).OnTable()) continue;
    // CF-18.9: units that charge in one body do not disturb each other.
    if (At(s, v).charge.group.has_value() && At(s, v).charge.group == At(s, unit).charge.group)
      continue;
    bool met = false;
    const bool near = way.Meets(field.Body(v).around);
    for (double d = 0; d <= yards && near && !met; d += 2)
      for (const Base& base : ShiftedBases(from, bearing, d))
        for (const Base& other : field.Bases(v)) met = met || open_table::Overlap(base, other);
    if (!met || IsGun(s, v) || IsGun(s, unit)) continue;
    const bool routing =
        At(s, v).body.conduct == Conduct::kRouting || At(s, unit).body.conduct == Conduct::kRouting;
    const bool still = !At(s, v).march.moved && !At(s, v).fire.fired;
    if (!routing && still) continue;
    for (const int one : {unit, v})
      if (IsFormed(s, one))
        play.ManoeuvreDp(one, play.Book().manoeuvre.pass_friends_dp, "CF-14.11",
                         "passing through friends");
  }
}

void TurnAbout(Play& play, int unit) {
  const Field field = play.Measure();
  std::vector<Base> bases = field.Bases(unit);
  for (Base& base : bases) base.facing_deg = open_table::WrappedBearing(base.facing_deg + 180);
  play.PlaceBases(unit, bases);
}

bool PlayMove(Play& play, const ParsedLine& words) {
  using Handler = void (*)(Play&, const ParsedLine&);
  static const std::vector<std::pair<std::string_view, Handler>> kHandlers = {
      {"roll", RollDice}, {"ahead", GoAhead},     {"wheel", Wheel},       {"wheelback", Wheel},
      {"form", Form},     {"reform", Reform},     {"about", AboutFace},   {"incline", Incline},
      {"step", SideStep}, {"unlimber", Unlimber}, {"pivot", Pivot},       {"cross", Cross},
      {"mount", Mount},   {"dismount", Mount},    {"holder", MoveHolder}, {"gap", PassGap},
      {"go", GoTo},       {"road", GoTo},         {"split", Split},       {"merge", Merge},
      {"recrew", Recrew}, {"drive", DriveOff},    {"arrive", Arrive},     {"seen", Seen},
      {"loot", Loot}};
  const auto found = std::find_if(kHandlers.begin(), kHandlers.end(),
                                  [&](const auto& h) { return h.first == words.verb; });
  const bool retire = words.verb == "retire";
  if (found == kHandlers.end() && words.verb != "halt" && !retire) return false;
  play.Require(
      play.Now().phase == Phase::kMovement, "CF-9.2",
      [&] { return "`" + words.verb + "` belongs to the Movement phase"; }, false);
  if (words.verb == "halt") {
    RequireMine(play, words.units[0]);
    RequireRepeated(play, words);
    Halt(play, words.units[0]);
  } else if (retire) {
    // CF-22.4: go on retiring.
    const int unit = words.units[0];
    RequireMine(play, unit);
    RequireRepeated(play, words);
    play.Require(
        At(play.Now(), unit).body.conduct == Conduct::kRetiring, "CF-22.4",
        [&] { return play.Name(unit) + " is not retiring"; }, false);
    play.Require(
        !At(play.Now(), unit).march.done, "CF-22.4",
        [&] { return play.Name(unit) + " has already moved"; }, false);
    RetireOn(play, unit);
    MadeMove(play, unit, LastMove::kRetired);
    play.Set(unit, Of::kDoneMoving, 1);
  } else {
    RequireRepeated(play, words);
    found->second(play, words);
  }
  return true;
}

namespace {

// CF-4.9: orders are recorded, not enforced. CF-4.11: a general or marshal with the unit may act
// against them.
void NoteFarAdvance(Play& play, int unit) {
  const State& s = play.Now();
  const Unit& u = At(s, unit);
  const Field field = play.Measure();
  const std::optional<LeaderId> brigadier = field.BrigadierOf(unit);
  if (!brigadier || LeaderAt(s, *brigadier).order != 1 || !u.march.moved ||
      u.body.conduct != Conduct::kReady)
    return;
  // Measured from where it stood when the order was given; for orders in the game file, from the
  // deployment.
  const Vec2 from{Yd(u.obeys.order_at.x), Yd(u.obeys.order_at.y)};
  const double yards = Distance(from, field.Centre(unit));
  if (from == Vec2{} || yards <= play.Rulings().order_note_yd) return;
  for (int l = 0; l < static_cast<int>(s.leaders.size()); ++l) {
    if (!LeaderAt(s, l).Present() || LeaderAt(s, l).attached != unit ||
        LeaderInfoOf(s, l).rank == Rank::kBrigadier)
      continue;
    play.Tell("CF-4.11",
              fmt::format("{} is {:.0f} yd from where it was ordered to defend; it may be, because "
                          "{} is with it.",
                          play.Name(unit), yards, play.LeaderName(l)));
    return;
  }
  play.Tell("CF-4.9",
            fmt::format("{} is ordered to defend but is {:.0f} yd from where it got the order.",
                        play.Name(unit), yards));
}

// Ends the moves of a side, and checks that those who must move have moved.
void CheckMoves(Play& play, int side) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Unit& unit = At(s, u);
    if (!unit.OnTable() || Info(s, u).side != side) continue;
    if (unit.march.set != 0 && !unit.march.done) Halt(play, u);
    const bool free = !unit.obeys.steadied && !InCombat(s, u) &&
                      unit.body.conduct == Conduct::kReady &&
                      unit.obeys.control != Control::kHalted && !unit.fire.fired;
    if (!free) continue;
    RequireRepeatMade(play, u);
    if (unit.obeys.control == Control::kConforming && CopiesInLine(unit))
      play.Require(unit.pace.kind_now != LastMove::kStood || unit.march.set != 0 ||
                       At(s, *LeadOf(unit)).pace.kind_now == LastMove::kStood,
                   "CF-5.2", [&] {
                     return fmt::format("{} conforms to {}, which has moved: it must move too",
                                        play.Name(u), play.Name(*LeadOf(unit)));
                   });
    RequirePace(play, u);
  }
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u)
    if (At(s, u).OnTable() && Info(s, u).side == side) NoteFarAdvance(play, u);
}

// CF-22.4, CF-10.5: troops that are always unformed have nothing to re-form. Those that did not go
// on retiring stand.
void StandUnformed(Play& play, int side) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Unit& unit = At(s, u);
    if (!unit.OnTable() || Info(s, u).side != side || unit.body.conduct != Conduct::kRetiring ||
        unit.pace.kind_now == LastMove::kRetired || MayReform(s, u))
      continue;
    play.StandFast(u);
    play.Tell("CF-22.4", play.Name(u) + " no longer retires: it stands.");
  }
}

// How many units of the roster have made the moves that nobody declares.
struct RunsSoFar {
  int next = 0;
};

}  // namespace

void EndMovement(Play& play, int side) {
  const State& s = play.Now();
  const std::optional<RunsSoFar> before = play.Resumed<RunsSoFar>();
  if (!before) {
    CheckMoves(play, side);
    StandUnformed(play, side);
  }
  for (int u = before ? before->next : 0; u < static_cast<int>(s.units.size()); ++u) {
    play.Keep(RunsSoFar{u});
    if (At(s, u).OnTable() && Info(s, u).side == side) RunOn(play, u);
  }
}

}  // namespace fos::closefire
