// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/room.h"

// Section 14: manoeuvres, the move they cost and the DPs they cause.
namespace fos::closefire {
namespace {

using open_table::Ahead;
using open_table::Rightward;

// CF-1.3: reports a close call on whether the unit is near the enemy.
void NoteNear(Play& play, int unit) {
  play.NoteClose([&] { return play.Name(unit) + " to the enemy"; },
                 play.Measure().NearestEnemyGap(unit), play.Book().manoeuvre.near);
}

// CF-14.2: battalions at the end of a line wheel back about their inner rear corner, so the
// line stays one body with a bent flank.
void WheelPartBack(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const double deg = words.numbers[0];
  play.Require(words.verb == "wheelback" && IsFoot(s, unit) && InLine(s, unit), "CF-14.2",
               "only battalions of foot in line can wheel backward");
  play.Require(deg > 0 && deg <= play.Rulings().line_bend_deg, "CF-10.1", [&] {
    return fmt::format("{:g} degrees is too much: a line bends by {:g} degrees at most", deg,
                       play.Rulings().line_bend_deg);
  });
  play.Require(!At(s, unit).march.wheeled, "CF-14.1",
               [&] { return play.Name(unit) + " has already wheeled in this move"; });
  const Field field = play.Measure();
  const bool left = words.Has("left");
  const Field::Front front = field.FrontOf(unit);
  // How far towards that flank a base stands.
  const auto outward = [&](const Base& base) {
    return (left ? -1 : 1) * Dot(base.centre - front.centre, Rightward(front.facing_deg));
  };
  const std::vector<Base>& bases = field.Bases(unit);
  std::vector<bool> goes;
  double width = 0;
  double nearest = std::numeric_limits<double>::infinity();
  double farthest_staying = -std::numeric_limits<double>::infinity();
  std::size_t inner = 0;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    goes.push_back(std::any_of(words.numbers.begin() + 1, words.numbers.end(), [&](double part) {
      return At(s, unit).bases[i].part + 1 == static_cast<int>(part);
    }));
    if (!goes[i]) {
      farthest_staying = std::max(farthest_staying, outward(bases[i]));
      continue;
    }
    width += bases[i].width;
    if (outward(bases[i]) >= nearest) continue;
    nearest = outward(bases[i]);
    inner = i;
  }
  play.Require(
      width > 0 && std::isfinite(farthest_staying) && farthest_staying < nearest, "CF-14.2",
      [&] {
        return fmt::format("name whole battalions at the {} end of {}, but not all of them",
                           left ? "left" : "right", play.Name(unit));
      },
      false);
  const double radians = deg * std::numbers::pi / 180;
  const double cost =
      2 * (play.Rulings().wheel_arc ? width * radians : 2 * width * std::sin(radians / 2));
  NoteNear(play, unit);
  const bool near = Near(field, unit);
  const Base& hinge = bases[inner];
  const Vec2 pivot = hinge.centre - hinge.depth / 2 * Ahead(hinge.facing_deg) +
                     (left ? 0.5 : -0.5) * hinge.width * Rightward(hinge.facing_deg);
  std::vector<Base> to = bases;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (goes[i]) to[i] = open_table::Turned(to[i], pivot, left ? -deg : deg);
  const Base& joint = *std::find_if(bases.begin(), bases.end(), [&](const Base& base) {
    return outward(base) == farthest_staying;
  });
  play.Require(open_table::AngleBetween(to[inner].facing_deg, joint.facing_deg) <=
                   play.Rulings().line_bend_deg + open_table::kTiny,
               "CF-10.1", [&] {
                 return fmt::format("neighbours in a line differ by {:g} degrees at most",
                                    play.Rulings().line_bend_deg);
               });
  if (field.RoughUnder(to)) BecomeRough(play, unit);
  Spend(play, unit, cost, "CF-14.2");
  RequireRoom(play, unit, to, "CF-14.2");
  RequireTwentyYards(play, unit, to);
  play.PlaceBases(unit, to);
  play.Moved(unit);
  MadeMove(play, unit, LastMove::kManoeuvre);
  play.Set(unit, Of::kWheeled, 1);
  play.Tell("CF-14.2",
            fmt::format("{} wheels its {} end back {:g} degrees for {:.1f} yd; {:.1f} yd left.",
                        play.Name(unit), left ? "left" : "right", deg, cost, LeftYd(s, unit)));
  if (near)
    play.ManoeuvreDp(unit, play.Book().manoeuvre.wheel_dp_near, "CF-14.2",
                     "wheeling near the enemy");
}

// Checks that the new places are free, and moves the bases there.
void PlaceWithRoom(Play& play, int unit, const std::vector<BaseState>& bases, const char* clause) {
  std::vector<Base> there;
  for (const BaseState& base : bases) there.push_back(ToBase(play.Now(), unit, base));
  RequireRoom(play, unit, there, clause);
  play.Place(unit, bases);
}

}  // namespace

double WheelYd(const State& s, double front_yd, double deg) {
  const double radians = deg * std::numbers::pi / 180;
  return s.Rulings().wheel_arc ? front_yd * radians : 2 * front_yd * std::sin(radians / 2);
}

void Wheel(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireRolled(play, unit);
  if (words.numbers.size() > 1) {
    WheelPartBack(play, words);
    return;
  }
  const double deg = words.numbers[0];
  play.Require(deg > 0 && deg <= 180, "CF-14.1", "a wheel is between 0 and 180 degrees", false);
  const bool back = words.verb == "wheelback";
  play.Require(!back || (IsFoot(s, unit) && InLine(s, unit)), "CF-14.2",
               "only foot in line can wheel backward");
  play.Require(!At(s, unit).march.wheeled, "CF-14.1",
               [&] { return play.Name(unit) + " has already wheeled in this move"; });
  const Field field = play.Measure();
  const bool unformed = IsUnformed(s, unit);
  const Field::Front front = field.FrontOf(unit);
  double cost = WheelYd(s, front.width, deg);
  if (back) cost *= 2;
  NoteNear(play, unit);
  const int near = Near(field, unit) && InLine(s, unit);
  // It pivots on the inner end: the right end for a wheel ahead to the right, the other end for a
  // backward wheel.
  const bool right = words.Has("right");
  const double side = (right != back) ? 0.5 : -0.5;
  const Vec2 pivot = front.centre + side * front.width * Rightward(front.facing_deg);
  std::vector<Base> to;
  for (const Base& base : field.Bases(unit))
    to.push_back(open_table::Turned(base, pivot, right ? deg : -deg));
  // Unformed bases move freely (CF-14.14): they turn about the body's middle if the end has no
  // room.
  if (unformed && InTheWay(field, unit, to))
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] = open_table::Turned(field.Bases(unit)[i], field.Centre(unit), right ? deg : -deg);
  if (field.RoughUnder(to)) BecomeRough(play, unit);
  if (!unformed) Spend(play, unit, cost, back ? "CF-14.2" : "CF-14.1");
  RequireRoom(play, unit, to, "CF-14.1");
  RequireTwentyYards(play, unit, to);
  play.PlaceBases(unit, to);
  play.Moved(unit);
  MadeMove(play, unit, LastMove::kManoeuvre);
  CaptureLeaders(play, unit, to, 0, 0);
  play.Set(unit, Of::kWheeled, unformed ? 0 : 1);
  play.Tell(
      unformed ? "CF-14.14"
      : back   ? "CF-14.2"
               : "CF-14.1",
      fmt::format(
          "{} wheels {}{} {:g} degrees{}.", play.Name(unit), back ? "back " : "",
          words.Has("left") ? "left" : "right", deg,
          unformed ? "" : fmt::format(" for {:.1f} yd; {:.1f} yd left", cost, LeftYd(s, unit))));
  if (near != 0)
    play.ManoeuvreDp(unit, play.Book().manoeuvre.wheel_dp_near, "CF-14.1",
                     "wheeling near the enemy");
}

void Form(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  play.Require(
      !IsGun(s, unit) && IsFormed(s, unit), "CF-10.5",
      [&] { return play.Name(unit) + " is not in formation: use `reform`"; }, false);
  const Formation to = words.Has("line")    ? Formation::kLine
                       : words.Has("march") ? Formation::kMarch
                                            : Formation::kAssault;
  const bool flank = words.Has("left") || words.Has("right");
  const int files = words.numbers.empty() ? 0 : static_cast<int>(words.numbers[0]);
  const int bases = BasesLeft(s, unit);
  // A line or assault column may change its depth alone.
  const int files_then = std::min(bases, files > 0                   ? files
                                         : to == Formation::kAssault ? 2
                                         : to == Formation::kMarch   ? 1
                                                                     : bases);
  play.Require(
      to != At(s, unit).body.formation || flank || files_then != play.Measure().FrontOf(unit).files,
      "CF-14.3",
      [&] {
        return fmt::format("{} already is in {}, {} wide", play.Name(unit), FormationName(to),
                           files_then);
      },
      false);
  if (to == Formation::kAssault) {
    play.Require(IsFoot(s, unit), "CF-10.4", "only foot can form an assault column");
    play.Require(!play.Rulings().assault_column_needs_objective || s.setup->assault_objective,
                 "CF-10.4", "assault columns need an agreed objective, and none was agreed");
    const int wide = files == 0 ? 2 : files;
    play.Require(wide >= 2 && (bases + wide - 1) / wide >= 2, "CF-10.4",
                 "an assault column is at least two bases wide and two deep", false);
  }
  if (to == Formation::kLine && files > 0 && files < bases) {
    const int ranks = (bases + files - 1) / files;
    play.Require(IsCavalry(s, unit), "CF-10.2", "only cavalry can be deeper than one rank in line");
    play.Require(files > ranks, "CF-10.2", "a deep line must be wider than it is deep");
  }
  play.Require(
      to != Formation::kMarch || files <= 1, "CF-10.3",
      [&] { return fmt::format("a march column is 1 base wide, not {}", files); }, false);
  const Field field = play.Measure();
  NoteNear(play, unit);
  const bool near = Near(field, unit);
  const bool halted = At(s, unit).obeys.control == Control::kHalted;
  if (halted) {
    // CF-5.6: a halted unit may still face a threat.
    RequireMine(play, unit);
    play.Require(
        !At(s, unit).march.done && !InCombat(s, unit), "CF-5.6",
        [&] { return play.Name(unit) + " has ended its move or is in combat"; }, false);
    play.Set(unit, Of::kDoneMoving, 1);
  } else if (near || flank) {
    RequireFreeToMove(play, unit);
    WholeMove(play, unit, "CF-14.3");
  } else {
    RequireRolled(play, unit);
    Halve(play, unit, "CF-14.3");
  }
  const Field::Front front = field.FrontOf(unit);
  double facing = front.facing_deg;
  if (words.Has("left")) facing -= 90;
  if (words.Has("right")) facing += 90;
  PlaceWithRoom(play, unit,
                Arranged(s, unit, to, front.centre, open_table::WrappedBearing(facing), files),
                "CF-14.3");
  play.Set(unit, Of::kFormation, to);
  const Field::Front now = play.Measure().FrontOf(unit);
  play.Tell("CF-14.3", fmt::format("{} forms {}, {} wide and {} deep.", play.Name(unit),
                                   FormationName(to), now.files, now.ranks));
  if (near)
    play.ManoeuvreDp(unit, play.Book().manoeuvre.formation_change_dp_near, "CF-14.3",
                     "changing formation near the enemy");
}

bool MayReform(const State& s, int unit) {
  const UnitInfo& info = Info(s, unit);
  return IsUnformed(s, unit) && !IsDismounted(s, unit) &&
         !(info.arm == Arm::kHussars && !info.mixed) && info.arm != Arm::kCivilians;
}

void Reform(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireFreeToMove(play, unit, Moving::kReforming);
  play.Require(
      MayReform(s, unit), "CF-14.4", [&] { return play.Name(unit) + " cannot re-form"; }, false);
  WholeMove(play, unit, "CF-14.4");
  const Formation to = words.Has("march") ? Formation::kMarch : Formation::kLine;
  PlaceWithRoom(play, unit,
                Arranged(s, unit, to, play.Measure().Centre(unit),
                         open_table::WrappedBearing(words.numbers[0]), 0),
                "CF-14.4");
  play.Set(unit, Of::kFormation, to);
  play.StandFast(unit);
  play.Tell("CF-14.4", fmt::format("{} re-forms into {}.", play.Name(unit), FormationName(to)));
}

void AboutFace(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const bool halted = At(s, unit).obeys.control == Control::kHalted;
  const Field field = play.Measure();
  NoteNear(play, unit);
  const bool near = Near(field, unit);
  play.Require(
      !IsGun(s, unit), "CF-12.8", [&] { return play.Name(unit) + " is a gun: use `pivot`"; },
      false);
  play.Require(
      IsFormed(s, unit), "CF-14.7",
      [&] { return play.Name(unit) + " is unformed: it faces all round"; }, false);
  if (halted) {
    RequireMine(play, unit);
    play.Require(
        !At(s, unit).march.done && !InCombat(s, unit), "CF-5.6",
        [&] { return play.Name(unit) + " has ended its move or is in combat"; }, false);
    play.Set(unit, Of::kDoneMoving, 1);
  } else {
    RequireRolled(play, unit);
    Halve(play, unit, "CF-14.7");
  }
  TurnAbout(play, unit);
  play.Tell("CF-14.7", play.Name(unit) + " turns about.");
  if ((IsCavalry(s, unit) && near) || (IsFoot(s, unit) && UnderFire(s, unit)))
    play.ManoeuvreDp(unit, play.Book().manoeuvre.about_face_dp, "CF-14.7", "turning about");
}
void Incline(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireRolled(play, unit);
  play.Require(SteadyFootInLine(s, unit), "CF-14.8",
               "only foot of grade A to D in line can incline");
  const double sideways = words.numbers[0];
  const double forward = words.numbers[1];
  play.Require(sideways > 0 && forward >= sideways - open_table::kTiny, "CF-14.8", [&] {
    return fmt::format(
        "{:g} yd sideways with {:g} yd forward: an incline never goes farther "
        "sideways than forward",
        sideways, forward);
  });
  const Field field = play.Measure();
  const double facing = field.FrontOf(unit).facing_deg;
  const Vec2 by =
      forward * Ahead(facing) + (words.Has("left") ? -sideways : sideways) * Rightward(facing);
  const Way way = WayAlong(field, unit, open_table::BearingTo({}, by), Norm(by));
  play.Require(
      way.free_yd + 0.05 >= Norm(by), way.enemy_stop ? "CF-11.4" : "CF-12.4",
      [&] { return fmt::format("the way is free for only {:.1f} yd", way.free_yd); }, false);
  if (way.rough) BecomeRough(play, unit);
  RequireCrossed(play, unit, way);
  Spend(play, unit, sideways + forward, "CF-14.8");
  const std::vector<Base> to =
      ShiftedBases(field.Bases(unit), open_table::BearingTo({}, by), Norm(by));
  RequireRoom(play, unit, to, "CF-14.8");
  RequireTwentyYards(play, unit, to);
  play.PlaceBases(unit, to);
  play.Moved(unit);
  play.Set(unit, Of::kDistanceMilliYd, At(s, unit).march.ahead_milli_yd + Milli(forward));
  play.Set(unit, Of::kBearing, std::optional(Milli(open_table::WrappedBearing(facing))));
  MadeMove(play, unit, words.Has("left") ? LastMove::kInclineLeft : LastMove::kInclineRight);
  LayFascines(play, unit, field.Bases(unit), open_table::BearingTo({}, by), Norm(by), way);
  PassFriends(play, unit, field.Bases(unit), open_table::BearingTo({}, by), Norm(by));
  play.Tell("CF-14.8",
            fmt::format("{} inclines {:g} yd to the {} and {:g} yd forward.", play.Name(unit),
                        sideways, words.Has("left") ? "left" : "right", forward));
}

void SideStep(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireFreeToMove(play, unit);
  play.Require(SteadyFootInLine(s, unit), "CF-14.9",
               "only foot of grade A to D in line can step to the side or back");
  const double yards = words.numbers[0];
  play.Require(yards > 0 && yards <= play.Book().manoeuvre.side_step_max, "CF-14.9", [&] {
    return fmt::format("a step of {:g} yd is too long: {:g} yd at most", yards,
                       play.Book().manoeuvre.side_step_max);
  });
  play.Require(At(s, unit).march.set == 0, "CF-14.9", [&] {
    return play.Name(unit) + " has thrown its dice: a step takes the place of a normal move";
  });
  WholeMove(play, unit, "CF-14.9");
  const Field field = play.Measure();
  const double facing = field.FrontOf(unit).facing_deg;
  const double bearing = facing + (words.Has("back") ? 180 : words.Has("left") ? -90 : 90);
  std::vector<Base> bases = ShiftedBases(field.Bases(unit), bearing, yards);
  std::string part;
  if (words.numbers.size() > 1) {
    const auto stands = static_cast<std::size_t>(words.numbers[1]);
    play.Require(words.Has("back") && stands >= 1 &&
                     stands <= static_cast<std::size_t>(play.Book().manoeuvre.side_step_stands) &&
                     stands < bases.size(),
                 "CF-14.9", [&] {
                   return fmt::format("at most {} end stands can step back to refuse a flank",
                                      play.Book().manoeuvre.side_step_stands);
                 });
    const std::vector<Base>& stay = field.Bases(unit);
    const bool left = words.Has("left");
    part = fmt::format(" with {} {} at the {} end", stands, stands == 1 ? "stand" : "stands",
                       left ? "left" : "right");
    // Left is to the left of its present facing: a body that has turned about lists its bases from
    // the right.
    const auto outward = [&](const Base& base) {
      return (left ? -1 : 1) * Dot(base.centre, Rightward(facing));
    };
    for (std::size_t i = 0; i < bases.size(); ++i) {
      const auto farther = std::count_if(stay.begin(), stay.end(), [&](const Base& other) {
        return outward(other) > outward(stay[i]);
      });
      if (farther >= static_cast<std::ptrdiff_t>(stands)) bases[i] = stay[i];
    }
    RequireOneBody(play, unit, bases);
  }
  RequireRoom(play, unit, bases, "CF-14.9");
  RequireTwentyYards(play, unit, bases);
  play.PlaceBases(unit, bases);
  play.Moved(unit);
  MadeMove(play, unit,
           words.Has("back")   ? LastMove::kStepBack
           : words.Has("left") ? LastMove::kStepLeft
                               : LastMove::kStepRight);
  play.Tell("CF-14.9", fmt::format("{} steps {:g} yd {}{}.", play.Name(unit), yards,
                                   words.Has("back")   ? "back"
                                   : words.Has("left") ? "to the left"
                                                       : "to the right",
                                   part));
}

void Unlimber(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int gun = words.units[0];
  RequireFreeToMove(play, gun);
  play.Require(
      IsGun(s, gun) && At(s, gun).body.formation == Formation::kLimbered, "CF-14.5",
      [&] { return play.Name(gun) + " is not a limbered gun"; }, false);
  const Control control = At(s, gun).obeys.control;
  play.Require(control == Control::kControlled || control == Control::kFree ||
                   control == Control::kConforming,
               "CF-14.5",
               [&] { return play.Name(gun) + " can unlimber only under its leader's control"; });
  play.Require(At(s, gun).march.set == 0, "CF-14.5", [&] {
    return play.Name(gun) + " has thrown its dice: unlimbering takes a whole move";
  });
  WholeMove(play, gun, "CF-14.5");
  play.Set(gun, Of::kFormation, Formation::kUnlimbered);
  play.Tell("CF-14.5", play.Name(gun) + " unlimbers. It cannot limber again.");
  play.ManoeuvreDp(gun,
                   UnderFire(s, gun) ? play.Book().manoeuvre.unlimber_dp_under_fire
                                     : play.Book().manoeuvre.unlimber_dp,
                   "CF-14.5", "unlimbering");
}

void Pivot(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int gun = words.units[0];
  if (At(s, gun).obeys.control == Control::kHalted) {
    // CF-5.6: a halted gun may still turn to meet a threat.
    RequireMine(play, gun);
    play.Require(
        !At(s, gun).march.done && !InCombat(s, gun), "CF-5.6",
        [&] { return play.Name(gun) + " has ended its move or is in combat"; }, false);
  } else {
    RequireFreeToMove(play, gun);
  }
  play.Require(IsGun(s, gun) && At(s, gun).body.formation == Formation::kUnlimbered, "CF-12.8",
               "only unlimbered guns can pivot", false);
  const double deg = words.numbers[0];
  play.Require(deg > 0 && deg <= play.Book().move.gun_pivot_deg, "CF-12.8", [&] {
    return fmt::format("{:g} degrees is too much: {:g} degrees at most", deg,
                       play.Book().move.gun_pivot_deg);
  });
  play.Require(!At(s, gun).march.moved && At(s, gun).march.set == 0, "CF-12.8",
               [&] { return play.Name(gun) + " has moved: a gun pivots or moves, not both"; });
  std::vector<Base> bases = BasesOf(s, gun);
  for (Base& base : bases)
    base = open_table::Turned(base, base.centre, words.Has("left") ? -deg : deg);
  RequireRoom(play, gun, bases, "CF-12.8");
  play.PlaceBases(gun, bases);
  play.Set(gun, Of::kTarget, std::nullopt);  // CF-16.3
  play.Set(gun, Of::kDoneMoving, 1);
  MadeMove(play, gun, LastMove::kManoeuvre);
  play.Tell("CF-12.8", fmt::format("{} pivots {:g} degrees to the {}.", play.Name(gun), deg,
                                   words.Has("left") ? "left" : "right"));
}

namespace {

// CF-14.6: whether the unit follows carriers over their fascines within its move. Across an
// obstacle that is not on the map, the fascines lie ahead of its front.
bool FollowsFascines(const Field& field, int unit, double yards) {
  const State& s = field.Game();
  const Vec2 by = yards * Ahead(field.FrontOf(unit).facing_deg);
  std::vector<Vec2> centres;
  for (const Base& base : field.Bases(unit)) centres.push_back(base.centre);
  for (std::size_t i = 0; i < s.setup->terrain.size(); ++i)
    if (s.setup->terrain[i].obstacle &&
        OverFascines(field, unit, static_cast<int>(i), ComesInto(s.setup->terrain[i], centres, by)))
      return true;
  return std::any_of(s.fascines.begin(), s.fascines.end(), [&](const Fascines& laid) {
    const Segment2 line{{Yd(laid.x0), Yd(laid.y0)}, {Yd(laid.x1), Yd(laid.y1)}};
    const Vec2 along = line.to - line.from;
    const double turn = Cross(by, along);
    if (laid.over || std::abs(turn) < open_table::kTiny) return false;
    std::vector<Vec2> into;
    for (const Vec2 from : centres) {
      const double share = Cross(line.from - from, along) / turn;
      if (share >= 0 && share <= 1) into.push_back(from + share * by);
    }
    return into.size() == centres.size() && OverFascines(field, unit, std::nullopt, into);
  });
}

}  // namespace

void Cross(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireRolled(play, unit);
  // The declaration decides whether the obstacle is hard; so does the next mapped obstacle ahead.
  const Field field = play.Measure();
  const double full = Yd(At(s, unit).march.full_milli_yd);
  const std::vector<Hurdle> ahead = HurdlesAhead(field, unit, full, true);
  const bool follows = FollowsFascines(field, unit, full);
  if (words.Has("fascines"))
    play.Require(follows, "CF-14.6",
                 [&] { return play.Name(unit) + " has no fascines laid by friends ahead of it"; });
  if (words.Has("fascines") || (follows && ahead.empty())) {
    // A mapped obstacle with fascines needs no payment.
    if (!follows) play.Set(unit, Of::kCrossing, At(s, unit).march.obstacles_paid + 1);
    play.Tell("CF-14.6", play.Name(unit) + " crosses on fascines without penalty.");
    return;
  }
  play.Set(unit, Of::kCrossing, At(s, unit).march.obstacles_paid + 1);
  Halve(play, unit, "CF-14.6");
  play.Tell("CF-14.6", play.Name(unit) + " crosses the obstacle, which costs half its move.");
  PayObstacle(play, unit, words.Has("hard") || (!ahead.empty() && ahead.front().hard));
  if (!At(s, unit).body.fascines || !ahead.empty()) return;
  const Field::Front front = field.FrontOf(unit);
  const Vec2 half = front.width / 2 * Rightward(front.facing_deg);
  PutFascines(play, unit, std::nullopt, front.centre - half, front.centre + half);
}

void PayObstacle(Play& play, int unit, bool hard_for_cavalry) {
  const State& s = play.Now();
  if (!IsFormed(s, unit)) return;
  const auto& m = play.Book().manoeuvre;
  const bool hard = hard_for_cavalry && IsCavalry(s, unit);
  play.ManoeuvreDp(unit,
                   UnderFire(s, unit)
                       ? (hard ? m.obstacle_hard_cavalry_dp_under_fire : m.obstacle_dp_under_fire)
                       : (hard ? m.obstacle_hard_cavalry_dp : m.obstacle_dp),
                   "CF-14.6", "crossing an obstacle");
}

void Mount(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const bool up = words.verb == "mount";
  // Before the dice, which are then those of the new state; or after them if both states have those
  // dice.
  const bool rolled = At(s, unit).march.set != 0;
  RequireFreeToMove(play, unit);
  play.Require(
      Info(s, unit).arm == Arm::kDragoons && !Info(s, unit).new_style && !Info(s, unit).mixed,
      "CF-14.10", "only traditional dragoons can mount and dismount");
  play.Require(
      (At(s, unit).body.mounted) != up, "CF-14.10",
      [&] { return play.Name(unit) + (up ? " is already mounted" : " is already on foot"); },
      false);
  const Field field = play.Measure();
  if (up) {
    double gap = 1e9;
    const Vec2 holder{Yd(At(s, unit).holder.at.x), Yd(At(s, unit).holder.at.y)};
    for (const Base& base : field.Bases(unit)) gap = std::min(gap, open_table::Gap(base, holder));
    play.Require(gap <= play.Book().manoeuvre.mount_holder_within, "CF-14.10", [&] {
      return fmt::format("the horses are {:.0f} yd away: {:g} yd at most", gap,
                         play.Book().manoeuvre.mount_holder_within);
    });
    State mounted = s;
    mounted.units[static_cast<std::size_t>(unit)].Put(Of::kMounted, 1);
    const Field there(mounted);
    for (const Base& base : there.Bases(unit))
      play.Require(!there.ForbiddenAt(base, unit), "CF-12.4", "horses may not stand on this ground",
                   false);
  }
  if (rolled) {
    const std::vector<DiceSet>& both = play.Book().move.dismounted_dragoons;
    Halve(play, unit, "CF-14.10");
    if (std::find(both.begin(), both.end(), SetAt(At(s, unit).march.set)) == both.end()) {
      play.Set(unit, Of::kAllowanceMilliYd, 0);
      play.Tell("CF-14.10",
                play.Name(unit) + " has no move left: its new state throws other dice.");
    }
  } else {
    play.Set(unit, Of::kHalves, At(s, unit).march.halves + 1);
  }
  play.Set(unit, Of::kMounted, up ? 1 : 0);
  play.Set(unit, Of::kFormation, up ? Formation::kLine : Formation::kUnformed);
  if (!up) {
    play.Set(unit, Of::kHolder, 1);
    play.Set(unit, Of::kHolderUsed, 0);
    play.Set(unit, Of::kHolderX, Milli(field.Centre(unit).x));
    play.Set(unit, Of::kHolderY, Milli(field.Centre(unit).y));
  } else {
    play.Set(unit, Of::kHolder, 0);
  }
  play.Tell("CF-14.10", fmt::format("{} {}.", play.Name(unit), up ? "mounts" : "dismounts"));
  if (UnderFire(s, unit))
    play.ManoeuvreDp(unit, play.Book().manoeuvre.mount_dp_under_fire, "CF-14.10", "under fire");
}

void MoveHolder(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireMine(play, unit);
  play.Require(At(s, unit).holder.there && !At(s, unit).holder.has_moved, "CF-14.10",
               "the horse-holder moves only once, after the unit has dismounted", false);
  const Vec2 from{Yd(At(s, unit).holder.at.x), Yd(At(s, unit).holder.at.y)};
  const Vec2 to{words.numbers[0], words.numbers[1]};
  play.Require(Distance(from, to) <= play.Book().manoeuvre.mount_holder_move, "CF-14.10", [&] {
    return fmt::format("the horse-holder moves {:g} yd at most, not {:.0f} yd",
                       play.Book().manoeuvre.mount_holder_move, Distance(from, to));
  });
  play.Set(unit, Of::kHolderX, Milli(to.x));
  play.Set(unit, Of::kHolderY, Milli(to.y));
  play.Set(unit, Of::kHolderUsed, 1);
}

// CF-14.12.
void PassGap(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireRolled(play, unit);
  play.Require(
      InLine(s, unit), "CF-14.12",
      [&] { return play.Name(unit) + " is not in line: only a line passes a gap"; }, false);
  const Field field = play.Measure();
  const double front = field.FrontOf(unit).width;
  play.Require(
      words.numbers[0] >= play.Book().manoeuvre.gap_front_min_share * front, "CF-14.12", [&] {
        return fmt::format(
            "the gap of {:g} yd is too narrow for a front of {:g} yd: change formation first",
            words.numbers[0], front);
      });
  const auto half = play.Rulings().gap_half_move;
  const bool halved =
      half == Settings::GapHalf::kAll || (half == Settings::GapHalf::kFoot && IsFoot(s, unit));
  // What is left must take it through, to where the whole line has room.
  const double left = LeftYd(s, unit) - (halved ? Yd(At(s, unit).march.full_milli_yd) / 2 : 0);
  const double facing = field.FrontOf(unit).facing_deg;
  const double before = WayAlong(field, unit, facing, std::max(0.0, left)).free_yd;
  play.Set(unit, Of::kGapMilliYd, Milli(words.numbers[0]));
  const Field narrow = play.Measure();
  const double free = WayAlong(narrow, unit, facing, std::max(0.0, left)).free_yd;
  bool through = left > 0 && before >= left;
  for (double d = free; d > before + 0.05 && !through; d -= 1) {
    const std::vector<Base> there = ShiftedBases(narrow.Bases(unit), facing, d);
    through = !InTheWay(narrow, unit, there) &&
              std::none_of(there.begin(), there.end(), [&](const Base& base) {
                return narrow.OffTable(base.centre) || narrow.ForbiddenAt(base, unit);
              });
  }
  play.Require(through, "CF-14.12", [&] {
    return fmt::format(
        "{} has {:.1f} yd to pass the gap with, and its whole line has no room "
        "within them beyond it",
        play.Name(unit), std::max(0.0, left));
  });
  if (halved) Halve(play, unit, "CF-14.12");
  play.Tell("CF-14.12",
            fmt::format("{} passes through the gap of {:g} yd{}; {:.1f} yd left.", play.Name(unit),
                        words.numbers[0], halved ? " for half its move" : "", LeftYd(s, unit)));
  NoteNear(play, unit);
  if (Near(field, unit))
    play.ManoeuvreDp(unit, play.Book().manoeuvre.gap_dp_near, "CF-14.12",
                     "passing a gap near the enemy");
}
}  // namespace fos::closefire
