#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/play.h"

// Sections 11 to 14: the Movement phase.
namespace fos::closefire {
namespace {

using open_table::Ahead;
using open_table::Rightward;

// CF-11.3: "within 2 yd" of the full distance is the full distance.
constexpr double kFull_yd = 2;

bool Near(const Field& field, int unit) {
  return field.NearestEnemyGap(unit) <= field.Game().Book().manoeuvre.near;
}
// CF-5.7: what it cannot do again becomes a halt.
bool CanRepeat(const State& s, int unit) {
  const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, false);
  return std::find(sets.begin(), sets.end(), SetAt(At(s, unit)[Of::kLastSet])) != sets.end();
}
bool UpTo(const State& s, int unit) {
  // CF-11.3: who may stop anywhere.
  return IsGun(s, unit) && (At(s, unit).As<Formation>(Of::kFormation) == Formation::kLimbered ||
                            Info(s, unit).gun != GunClass::kBattalion);
}
bool InLine(const State& s, int unit) {
  return At(s, unit).As<Formation>(Of::kFormation) == Formation::kLine;
}

void RequireMine(Play& play, int unit) {
  const State& s = play.Now();
  play.Require(At(s, unit).OnTable(), "CF-11.1", play.Name(unit) + " is not on the table", false);
  play.Require(Info(s, unit).side == s.to_act, "CF-9.2", "it is the other side's turn to move",
               false);
}

// What bars every voluntary move (CF-4.4, 5.6, 11.1).
void RequireFreeToMove(Play& play, int unit, bool rolling = false) {
  const State& s = play.Now();
  RequireMine(play, unit);
  const Unit& u = At(s, unit);
  play.Require(u.As<Control>(Of::kControl) != Control::kRepeats || u[Of::kRolled] != 0 || rolling,
               "CF-5.7",
               fmt::format("{} repeats its last move: roll {}", play.Name(unit),
                           DiceName(SetAt(u[Of::kLastSet]))));
  play.Require(u[Of::kFired] == 0 || IsDismounted(s, unit), "CF-11.1",
               play.Name(unit) + " fired this turn");
  play.Require(u[Of::kSteadied] == 0, "CF-4.4", play.Name(unit) + " was steadied this turn");
  play.Require(u.As<Control>(Of::kControl) != Control::kHalted, "CF-5.6",
               play.Name(unit) + " is halted by its control test");
  play.Require(!InCombat(s, unit), "CF-19.2", play.Name(unit) + " is in combat");
  const Conduct status = u.As<Conduct>(Of::kStatus);
  play.Require(
      status != Conduct::kRouting && status != Conduct::kPursuing && status != Conduct::kLooting,
      "CF-5.8", fmt::format("{} is {}", play.Name(unit), StatusName(status)));
  play.Require(u[Of::kDoneMoving] == 0, "CF-14.13", play.Name(unit) + " has ended its move", false);
}

Fatigue FatigueOf(const State& s, int unit, bool rough) {
  const Formation f = At(s, unit).As<Formation>(Of::kFormation);
  Fatigue out;
  out.rough = rough;
  out.cavalry = IsCavalry(s, unit);
  out.foot = IsFoot(s, unit) || IsDismounted(s, unit);
  out.line = f == Formation::kLine;
  out.march = f == Formation::kMarch;
  out.assault = f == Formation::kAssault;
  out.unformed = f == Formation::kUnformed;
  out.gun_unlimbered = IsGun(s, unit) && f == Formation::kUnlimbered;
  out.battalion_gun_unlimbered = out.gun_unlimbered && Info(s, unit).gun == GunClass::kBattalion;
  return out;
}

std::vector<int> FacesOf(const Unit& unit) {
  std::vector<int> faces;
  for (int packed = unit[Of::kFaces]; packed > 0; packed /= 10) faces.push_back(packed % 10);
  std::reverse(faces.begin(), faces.end());
  return faces;
}

// CF-12.4: once any part of the move is rough all of it is.
void BecomeRough(Play& play, int unit) {
  const State& s = play.Now();
  if (At(s, unit)[Of::kRough] != 0) return;
  play.Set(unit, Of::kRough, 1);
  const DiceSet& set = SetAt(At(s, unit)[Of::kRolled]);
  const std::vector<int> faces = FacesOf(At(s, unit));
  const bool limbered = At(s, unit).As<Formation>(Of::kFormation) == Formation::kLimbered;
  const int already = FatigueDp(play.Book(), play.Rulings(), FatigueOf(s, unit, false), set, faces);
  const int all = FatigueDp(play.Book(), play.Rulings(), FatigueOf(s, unit, true), set, faces);
  play.ManoeuvreDp(unit, std::max(0, all - already), "CF-13.2", "rough going");
  if (limbered && !play.Rulings().limbered_rough_minus10) return;
  double loss = -static_cast<double>(faces.size()) * play.Book().move.per_die_rough;
  if (At(s, unit)[Of::kDoubled] != 0) loss *= 2;
  for (int i = 0; i < At(s, unit)[Of::kHalves]; ++i) loss /= 2;
  const double left = std::max(0.0, Yd(At(s, unit)[Of::kAllowanceMilliYd]) - loss);
  play.Set(unit, Of::kAllowanceMilliYd, Milli(left));
  play.Tell("CF-12.4", fmt::format("{} is in rough going: {:g} yd left.", play.Name(unit), left));
}

// What lies along a way: how far it is free, and why it ends.
struct Way {
  double free_yd = 0;
  bool enemy_stop = false;   // CF-11.4
  bool double_stop = false;  // CF-11.7
  bool forbidden = false, edge = false, friends = false, terrain = false, obstacle = false;
  bool rough = false;
};
Way WayAlong(const Field& field, int unit, double bearing, double yards) {
  const State& s = field.Game();
  const auto& book = s.Book();
  Way way;
  const bool doubled = At(s, unit)[Of::kDoubled] != 0;
  const std::vector<Base> start = field.Bases(unit);
  const auto near_front = [&](const std::vector<Base>& at) {
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
      if (Info(s, v).side == Info(s, unit).side || !At(s, v).OnTable()) continue;
      for (const Base& base : at)
        for (const Base& other : field.Bases(v))
          if (open_table::Gap(base, other) < book.move.stop_from_enemy - open_table::kTiny &&
              (IsUnformed(s, unit) ||
               open_table::InWedge(open_table::FrontCentre(base), base.facing_deg,
                                   book.gun.arc_half_deg, other, true)))
            return true;
    }
    return false;
  };
  const auto too_near_for_double = [&](const std::vector<Base>& at) {
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
      if (Info(s, v).side != Info(s, unit).side && At(s, v).OnTable() &&
          open_table::Gap(at, field.Bases(v)) < book.move.far_distance - open_table::kTiny)
        return true;
    return false;
  };
  // A step a base cannot be jumped in; the last free step is then halved down to a hundredth.
  constexpr double kStep_yd = 2;
  const auto stopped = [&](double d, Way* out) {
    const std::vector<Base> at = ShiftedBases(start, bearing, d);
    for (const Base& base : at) {
      if (field.ForbiddenAt(base, unit)) {
        if (out != nullptr) out->forbidden = true;
        return true;
      }
      if (field.OffTable(base.centre)) {
        if (out != nullptr) out->edge = true;
        return true;
      }
    }
    if (near_front(at)) {
      if (out != nullptr) out->enemy_stop = true;
      return true;
    }
    if (doubled && too_near_for_double(at)) {
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
  // The ground and the friends on the free part.
  for (double at = 0; at <= d; at += kStep_yd) {
    const std::vector<Base> bases = ShiftedBases(start, bearing, at);
    way.rough = way.rough || field.RoughUnder(bases);
    for (const Base& base : bases) {
      for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
        if (v == unit || Info(s, v).side != Info(s, unit).side || !At(s, v).OnTable()) continue;
        for (const Base& other : field.Bases(v))
          way.friends = way.friends || open_table::Overlap(base, other);
      }
      for (const Terrain& t : s.setup->terrain) {
        if (!t.obstacle || Contains(t.outline_yd, base.centre)) continue;
        const Vec2 step = kStep_yd * Ahead(bearing);
        way.obstacle =
            way.obstacle ||
            !open_table::PartsInside({base.centre, base.centre + step}, t.outline_yd).empty();
      }
    }
  }
  return way;
}

// Would going on for so many yards run through a friend or into a feature (CF-11.3)?
bool AheadIsBroken(const Field& field, int unit, double yards) {
  const State& s = field.Game();
  const double bearing = field.FrontOf(unit).facing_deg;
  for (double d = 1; d <= yards; d += 2)
    for (const Base& base : ShiftedBases(field.Bases(unit), bearing, d)) {
      for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
        if (v != unit && Info(s, v).side == Info(s, unit).side && At(s, v).OnTable())
          for (const Base& other : field.Bases(v))
            if (open_table::Overlap(base, other)) return true;
      for (const Terrain& t : s.setup->terrain)
        if (!t.road && Contains(t.outline_yd, open_table::FrontCentre(base))) return true;
      if (field.OffTable(base.centre)) return true;
    }
  return false;
}

double LeftYd(const State& s, int unit) { return Yd(At(s, unit)[Of::kAllowanceMilliYd]); }

void Spend(Play& play, int unit, double yards, const char* clause) {
  const double left = LeftYd(play.Now(), unit);
  play.Require(yards <= left + 0.05, clause,
               fmt::format("{} has {:.1f} yd left and needs {:.1f}", play.Name(unit), left, yards));
  play.Set(unit, Of::kAllowanceMilliYd, Milli(std::max(0.0, left - yards)));
}

// CF-6.5: lone leaders and messengers that cavalry rides over.
void CaptureLeaders(Play& play, int unit) {
  const State& s = play.Now();
  if (!IsCavalry(s, unit)) return;
  for (int l = 0; l < static_cast<int>(s.leaders.size()); ++l) {
    if (LeaderInfoOf(s, l).side == Info(s, unit).side || !LeaderAt(s, l).Present()) continue;
    const Field field = play.Measure();
    if (!field.Lone(l) || !field.Contact(field.GapToLeader(unit, l))) continue;
    play.SetLeader(l, By::kGone, 2);
    play.Tell("CF-6.5",
              fmt::format("{} is captured by {}.", LeaderInfoOf(s, l).id, play.Name(unit)));
  }
}

void RequireRolled(Play& play, int unit) {
  RequireFreeToMove(play, unit);
  play.Require(At(play.Now(), unit)[Of::kRolled] != 0, "CF-11.2",
               play.Name(unit) + " has thrown no dice yet: `roll` first", false);
}

// A half-move manoeuvre (CF-14.13).
void Halve(Play& play, int unit, const char* clause) {
  const State& s = play.Now();
  const int halves = At(s, unit)[Of::kHalves];
  play.Require(halves < 2, "CF-14.13", play.Name(unit) + " has made two half-move manoeuvres");
  const double left = LeftYd(s, unit);
  const double full = Yd(At(s, unit)[Of::kFullMilliYd]);
  // Half of what was rolled is used up; nothing may be left of it already.
  play.Require(left + 0.05 >= full / 2, clause,
               fmt::format("half of {:g} yd is wanted and {:.1f} are left", full, left));
  play.Set(unit, Of::kHalves, halves + 1);
  play.Set(unit, Of::kAllowanceMilliYd, Milli(std::max(0.0, left - full / 2)));
}

// A full-move manoeuvre: no dice, and nothing else.
void WholeMove(Play& play, int unit, const char* clause) {
  const State& s = play.Now();
  play.Require(!IsCavalry(s, unit) || At(s, unit)[Of::kRolled] != 0 ||
                   At(s, unit)[Of::kPace] <= play.Book().move.pace_change_max,
               "CF-12.9",
               fmt::format("{} moved by {} dice and may not stand still", play.Name(unit),
                           At(s, unit)[Of::kPace]));
  play.Require(At(s, unit)[Of::kHalves] == 0 && At(s, unit)[Of::kDistanceMilliYd] == 0 &&
                   At(s, unit)[Of::kWheeled] == 0,
               clause, play.Name(unit) + " has moved already: this takes a whole move");
  play.Set(unit, Of::kAllowanceMilliYd, 0);
  play.Set(unit, Of::kDoneMoving, 1);
}

void RollDice(Play& play, const Words& words) {
  const State& s = play.Now();
  play.Require(!words.units.empty(), "CF-11.2", "say which units move", false);
  const int set = SetIndex(words.dice);
  const Field field = play.Measure();
  const int first = words.units.front();
  for (const int unit : words.units) {
    RequireFreeToMove(play, unit, true);
    const Unit& u = At(s, unit);
    play.Require(u[Of::kRolled] == 0, "CF-11.2",
                 play.Name(unit) + " has thrown its dice; none are added", false);
    const bool rough = field.RoughUnder(field.Bases(unit));
    const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, rough);
    play.Require(std::find(sets.begin(), sets.end(), words.dice) != sets.end(),
                 IsGun(s, unit)       ? "CF-12.8"
                 : IsCavalry(s, unit) ? "CF-12.2"
                                      : "CF-12.1",
                 fmt::format("{} does not move by {}", play.Name(unit), DiceName(words.dice)),
                 false);
    if (u.As<Control>(Of::kControl) == Control::kRepeats)
      play.Require(set == u[Of::kLastSet], "CF-5.7",
                   fmt::format("{} must repeat its last move: {}", play.Name(unit),
                               DiceName(SetAt(u[Of::kLastSet]))));
    if (IsCavalry(s, unit))
      play.Require(std::abs(static_cast<int>(words.dice.size()) - u[Of::kPace]) <=
                       play.Book().move.pace_change_max,
                   "CF-12.9",
                   fmt::format("{} dice after {}: the pace changes by two at most",
                               words.dice.size(), u[Of::kPace]));
    if (words.units.size() > 1) {
      play.Require(field.BrigadierOf(unit) == field.BrigadierOf(first) &&
                       Info(s, unit).arm == Info(s, first).arm,
                   "CF-11.5", "one roll is for one brigade and one arm");
      const Control control = u.As<Control>(Of::kControl);
      play.Require(control == Control::kControlled || control == Control::kConforming, "CF-11.5",
                   play.Name(unit) + " is not controlled and rolls for itself");
    }
    if (words.Has("double"))
      play.Require(field.NearestEnemyGap(unit) > play.Book().move.far_distance, "CF-11.7",
                   fmt::format("{} is within {:g} yd of enemy", play.Name(unit),
                               play.Book().move.far_distance));
  }
  std::string names;
  for (const int unit : words.units) names += (names.empty() ? "" : ", ") + play.Name(unit);
  const std::vector<int> faces = play.Roll(
      s.to_act, words.dice, fmt::format("{} of {}", DiceName(words.dice), names), "CF-11.2");
  int packed = 0;
  for (const int face : faces) packed = packed * 10 + face;
  for (const int unit : words.units) {
    const Unit& u = At(s, unit);
    const bool rough = field.RoughUnder(field.Bases(unit));
    const bool limbered = u.As<Formation>(Of::kFormation) == Formation::kLimbered;
    Roll roll{faces, u[Of::kInspired] > 0,
              rough && !(limbered && !play.Rulings().limbered_rough_minus10), false};
    const bool doubled =
        words.Has("double") || (!play.Rulings().double_optional &&
                                field.NearestEnemyGap(unit) > play.Book().move.far_distance);
    const double yards = AllowanceYd(play.Book(), roll) * (doubled ? 2 : 1);
    play.Set(unit, Of::kRolled, set);
    play.Set(unit, Of::kSetNow, set);
    play.Set(unit, Of::kPaceNow, static_cast<int>(words.dice.size()));
    play.Set(unit, Of::kFaces, packed);
    play.Set(unit, Of::kDoubled, doubled);
    play.Set(unit, Of::kObjective, words.Has("objective"));
    play.Set(unit, Of::kRough, rough);
    play.Set(unit, Of::kFullMilliYd, Milli(yards));
    play.Set(unit, Of::kAllowanceMilliYd, Milli(yards));
    play.Tell(doubled ? "CF-11.7" : "CF-12.1",
              fmt::format("{} has {:g} yd.", play.Name(unit), yards));
    play.ManoeuvreDp(
        unit, FatigueDp(play.Book(), play.Rulings(), FatigueOf(s, unit, rough), words.dice, faces),
        rough ? "CF-13.2" : "CF-13.1", "fatigue");
  }
}

void GoAhead(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireRolled(play, unit);
  const double yards = words.numbers[0];
  const double off = words.numbers.size() > 1 ? words.numbers[1] : 0;
  play.Require(yards > 0, "CF-11.3", "a move is longer than nothing", false);
  play.Require(off <= play.Book().move.direction_deg + open_table::kTiny, "CF-11.6",
               fmt::format("{:g} degrees off straight ahead: {:g} at most{}", off,
                           play.Book().move.direction_deg,
                           off <= play.Book().move.direction_deg + 1 ? " (a close call)" : ""));
  const Field field = play.Measure();
  const double facing = field.FrontOf(unit).facing_deg;
  const double bearing = facing + (words.Has("left") ? -off : off);
  const Way way = WayAlong(field, unit, bearing, yards);
  if (way.rough) {
    BecomeRough(play, unit);
    // CF-12.8: a limbered gun goes by one die where it is rough.
    play.Require(
        !(IsGun(s, unit) && At(s, unit).As<Formation>(Of::kFormation) == Formation::kLimbered &&
          SetAt(At(s, unit)[Of::kRolled]).size() > 1),
        "CF-12.8", "a limbered gun throws one die in rough going");
  }
  play.Require(yards <= LeftYd(s, unit) + 0.05, "CF-11.3",
               fmt::format("{} has {:.1f} yd left", play.Name(unit), LeftYd(s, unit)));
  if (way.free_yd + 0.05 < yards) {
    const char* clause = way.enemy_stop ? "CF-11.4" : way.double_stop ? "CF-11.7" : "CF-12.4";
    play.Require(false, clause,
                 fmt::format("it can go {:.1f} yd: {}", way.free_yd,
                             way.enemy_stop    ? "20 yd from enemy to its front it stops"
                             : way.double_stop ? "a double move ends 120 yd from enemy"
                             : way.edge        ? "the table ends there"
                                               : "it may not enter what lies ahead"),
                 false);
  }
  if (way.obstacle)
    play.Require(At(s, unit)[Of::kCrossing] != 0, "CF-14.6",
                 "an obstacle lies across the way: `cross` it first");
  const std::vector<Base> from = field.Bases(unit);
  const std::vector<Base> to = ShiftedBases(from, bearing, yards);
  Spend(play, unit, yards, "CF-11.3");
  play.PlaceBases(unit, to);
  play.Moved(unit);
  play.Set(unit, Of::kDistanceMilliYd, At(s, unit)[Of::kDistanceMilliYd] + Milli(yards));
  play.Tell("CF-11.6", fmt::format("{} goes {:g} yd ahead, {:.1f} yd left.", play.Name(unit), yards,
                                   LeftYd(s, unit)));
  if (way.friends) {
    PassFriends(play, unit, from, bearing, yards);
    const Field now = play.Measure();
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
      if (v != unit && Info(s, v).side == Info(s, unit).side && At(s, v).OnTable())
        for (const Base& base : now.Bases(unit))
          for (const Base& other : now.Bases(v))
            play.Require(!open_table::Overlap(base, other), "CF-14.11",
                         fmt::format("{} would end inside {}", play.Name(unit), play.Name(v)),
                         false);
  }
  CaptureLeaders(play, unit);
}

void Wheel(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireRolled(play, unit);
  const double deg = words.numbers[0];
  play.Require(deg > 0 && deg <= 180, "CF-14.1", "a wheel is of 0 to 180 degrees", false);
  const bool back = words.verb == "wheelback";
  play.Require(!back || (IsFoot(s, unit) && InLine(s, unit)), "CF-14.2",
               "foot in line wheel backward");
  play.Require(At(s, unit)[Of::kWheeled] == 0, "CF-14.1", "one wheel to a move");
  const Field field = play.Measure();
  const bool unformed = IsUnformed(s, unit);
  const Field::Front front = field.FrontOf(unit);
  const double radians = deg * std::numbers::pi / 180;
  double cost =
      play.Rulings().wheel_arc ? front.width * radians : 2 * front.width * std::sin(radians / 2);
  if (back) cost *= 2;
  const int near = Near(field, unit) && InLine(s, unit);
  if (!unformed) Spend(play, unit, cost, back ? "CF-14.2" : "CF-14.1");
  // On the inner end: ahead to the right pivots on the right; backward on the other.
  const bool right = words.Has("right");
  const double side = (right != back) ? 0.5 : -0.5;
  const Vec2 pivot = front.centre + side * front.width * Rightward(front.facing_deg);
  std::vector<Base> to;
  for (const Base& base : field.Bases(unit))
    to.push_back(open_table::Turned(base, pivot, right ? deg : -deg));
  play.PlaceBases(unit, to);
  play.Moved(unit);
  play.Set(unit, Of::kWheeled, unformed ? 0 : 1);
  play.Tell(
      unformed ? "CF-14.14"
      : back   ? "CF-14.2"
               : "CF-14.1",
      fmt::format(
          "{} wheels {:g} degrees{}.", play.Name(unit), deg,
          unformed ? "" : fmt::format(" for {:.1f} yd, {:.1f} yd left", cost, LeftYd(s, unit))));
  if (near != 0)
    play.ManoeuvreDp(unit, play.Book().manoeuvre.wheel_dp_near, "CF-14.1", "wheeling near enemy");
}

void Form(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  play.Require(!IsGun(s, unit) && IsFormed(s, unit), "CF-10.5",
               play.Name(unit) + " has no formation to change; unformed troops re-form", false);
  const Formation to = words.Has("line")    ? Formation::kLine
                       : words.Has("march") ? Formation::kMarch
                                            : Formation::kAssault;
  const bool flank = words.Has("left") || words.Has("right");
  play.Require(to != At(s, unit).As<Formation>(Of::kFormation) || flank, "CF-14.3",
               "it has that formation", false);
  const int files = words.numbers.empty() ? 0 : static_cast<int>(words.numbers[0]);
  const int bases = BasesLeft(s, unit);
  if (to == Formation::kAssault) {
    play.Require(IsFoot(s, unit), "CF-10.4", "foot alone form assault columns");
    play.Require(!play.Rulings().assault_column_needs_objective || s.setup->assault_objective,
                 "CF-10.4", "no assault objective was agreed");
    const int wide = files == 0 ? 2 : files;
    play.Require(wide >= 2 && (bases + wide - 1) / wide >= 2, "CF-10.4",
                 "an assault column is two or more wide and deep", false);
  }
  if (to == Formation::kLine && files > 0 && files < bases) {
    const int ranks = (bases + files - 1) / files;
    play.Require(IsCavalry(s, unit), "CF-10.2", "only cavalry stand deeper than one rank in line");
    play.Require(files > ranks, "CF-10.2", "a deep line is wider than deep");
  }
  const Field field = play.Measure();
  const bool near = Near(field, unit);
  const bool halted = At(s, unit).As<Control>(Of::kControl) == Control::kHalted;
  if (halted) {
    // CF-5.6: it may still meet a threat.
    RequireMine(play, unit);
    play.Require(At(s, unit)[Of::kDoneMoving] == 0 && !InCombat(s, unit), "CF-5.6", "not now",
                 false);
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
  play.Place(unit, Arranged(s, unit, to, front.centre, open_table::WrappedBearing(facing), files));
  play.Set(unit, Of::kFormation, to);
  play.Tell("CF-14.3", fmt::format("{} forms {}.", play.Name(unit), FormationName(to)));
  if (near)
    play.ManoeuvreDp(unit, play.Book().manoeuvre.formation_change_dp_near, "CF-14.3",
                     "changing formation near enemy");
}

void Reform(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireFreeToMove(play, unit);
  play.Require(IsUnformed(s, unit) && !IsDismounted(s, unit) &&
                   !(Info(s, unit).arm == Arm::kHussars && !Info(s, unit).mixed) &&
                   Info(s, unit).arm != Arm::kCivilians,
               "CF-14.4", play.Name(unit) + " does not re-form", false);
  WholeMove(play, unit, "CF-14.4");
  const Formation to = words.Has("march") ? Formation::kMarch : Formation::kLine;
  play.Place(unit, Arranged(s, unit, to, play.Measure().Centre(unit),
                            open_table::WrappedBearing(words.numbers[0]), 0));
  play.Set(unit, Of::kFormation, to);
  play.Set(unit, Of::kStatus, Conduct::kReady);
  play.Set(unit, Of::kFastBefore, 0);
  play.Tell("CF-14.4", fmt::format("{} re-forms into {}.", play.Name(unit), FormationName(to)));
}

void AboutFace(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const bool halted = At(s, unit).As<Control>(Of::kControl) == Control::kHalted;
  const Field field = play.Measure();
  const bool near = Near(field, unit);
  play.Require(!IsGun(s, unit), "CF-12.8", "guns pivot", false);
  play.Require(IsFormed(s, unit), "CF-14.7", "unformed troops need no turn: they face all round",
               false);
  if (halted) {
    RequireMine(play, unit);
    play.Require(At(s, unit)[Of::kDoneMoving] == 0 && !InCombat(s, unit), "CF-5.6", "not now",
                 false);
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

bool SteadyFootInLine(const State& s, int unit) {
  return IsFoot(s, unit) && InLine(s, unit) && Info(s, unit).grade <= Grade::kD;
}

void Incline(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireRolled(play, unit);
  play.Require(SteadyFootInLine(s, unit), "CF-14.8", "foot of grade A to D in line incline");
  const double sideways = words.numbers[0];
  const double forward = words.numbers[1];
  play.Require(
      sideways > 0 && forward >= sideways - open_table::kTiny, "CF-14.8",
      fmt::format("{:g} yd sideways with {:g} forward: never more sideways", sideways, forward));
  const Field field = play.Measure();
  const double facing = field.FrontOf(unit).facing_deg;
  const Vec2 by =
      forward * Ahead(facing) + (words.Has("left") ? -sideways : sideways) * Rightward(facing);
  const Way way = WayAlong(field, unit, open_table::BearingTo({}, by), Norm(by));
  play.Require(way.free_yd + 0.05 >= Norm(by), way.enemy_stop ? "CF-11.4" : "CF-12.4",
               fmt::format("the way is free for {:.1f} yd", way.free_yd), false);
  if (way.rough) BecomeRough(play, unit);
  Spend(play, unit, sideways + forward, "CF-14.8");
  play.PlaceBases(unit, ShiftedBases(field.Bases(unit), open_table::BearingTo({}, by), Norm(by)));
  play.Moved(unit);
  play.Set(unit, Of::kDistanceMilliYd, At(s, unit)[Of::kDistanceMilliYd] + Milli(forward));
  play.Tell("CF-14.8", fmt::format("{} inclines {:g} yd with {:g} forward.", play.Name(unit),
                                   sideways, forward));
}

void SideStep(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireFreeToMove(play, unit);
  play.Require(SteadyFootInLine(s, unit), "CF-14.9", "foot of grade A to D in line step aside");
  const double yards = words.numbers[0];
  play.Require(yards > 0 && yards <= play.Book().manoeuvre.side_step_max, "CF-14.9",
               fmt::format("{:g} yd: {:g} at most", yards, play.Book().manoeuvre.side_step_max));
  play.Require(At(s, unit)[Of::kRolled] == 0, "CF-14.9", "instead of a normal move");
  WholeMove(play, unit, "CF-14.9");
  const Field field = play.Measure();
  const double facing = field.FrontOf(unit).facing_deg;
  const double bearing = facing + (words.Has("back") ? 180 : words.Has("left") ? -90 : 90);
  std::vector<Base> bases = ShiftedBases(field.Bases(unit), bearing, yards);
  if (words.numbers.size() > 1) {
    const auto stands = static_cast<std::size_t>(words.numbers[1]);
    play.Require(words.Has("back") && stands >= 1 &&
                     stands <= static_cast<std::size_t>(play.Book().manoeuvre.side_step_stands) &&
                     stands < bases.size(),
                 "CF-14.9",
                 fmt::format("one or {} stands step back to refuse a flank",
                             play.Book().manoeuvre.side_step_stands));
    const std::vector<Base>& stay = field.Bases(unit);
    const bool left = words.Has("left");
    for (std::size_t i = 0; i < bases.size(); ++i)
      if (left ? i >= stands : i + stands < bases.size()) bases[i] = stay[i];
  }
  play.PlaceBases(unit, bases);
  play.Moved(unit);
  play.Tell("CF-14.9", fmt::format("{} steps {:g} yd.", play.Name(unit), yards));
}

void Unlimber(Play& play, const Words& words) {
  const State& s = play.Now();
  const int gun = words.units[0];
  RequireFreeToMove(play, gun);
  play.Require(IsGun(s, gun) && At(s, gun).As<Formation>(Of::kFormation) == Formation::kLimbered,
               "CF-14.5", play.Name(gun) + " is no limbered gun", false);
  const Control control = At(s, gun).As<Control>(Of::kControl);
  play.Require(control == Control::kControlled || control == Control::kFree ||
                   control == Control::kConforming,
               "CF-14.5", "only under its leader's control");
  play.Require(At(s, gun)[Of::kRolled] == 0, "CF-14.5", "unlimbering takes a whole move");
  WholeMove(play, gun, "CF-14.5");
  play.Set(gun, Of::kFormation, Formation::kUnlimbered);
  play.Tell("CF-14.5", play.Name(gun) + " unlimbers, for good.");
  play.ManoeuvreDp(gun,
                   UnderFire(s, gun) ? play.Book().manoeuvre.unlimber_dp_under_fire
                                     : play.Book().manoeuvre.unlimber_dp,
                   "CF-14.5", "unlimbering");
}

void Pivot(Play& play, const Words& words) {
  const State& s = play.Now();
  const int gun = words.units[0];
  RequireFreeToMove(play, gun);
  play.Require(IsGun(s, gun) && At(s, gun).As<Formation>(Of::kFormation) == Formation::kUnlimbered,
               "CF-12.8", "unlimbered guns pivot", false);
  const double deg = words.numbers[0];
  play.Require(deg > 0 && deg <= play.Book().move.gun_pivot_deg, "CF-12.8",
               fmt::format("{:g} degrees: {:g} at most", deg, play.Book().move.gun_pivot_deg));
  play.Require(At(s, gun)[Of::kMoved] == 0 && At(s, gun)[Of::kRolled] == 0, "CF-12.8",
               "it pivots or moves, not both");
  std::vector<Base> bases = BasesOf(s, gun);
  for (Base& base : bases)
    base = open_table::Turned(base, base.centre, words.Has("left") ? -deg : deg);
  play.PlaceBases(gun, bases);
  play.Set(gun, Of::kTarget, 0);  // CF-16.3
  play.Set(gun, Of::kDoneMoving, 1);
  play.Tell("CF-12.8", fmt::format("{} pivots {:g} degrees.", play.Name(gun), deg));
}

void Cross(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireRolled(play, unit);
  play.Set(unit, Of::kCrossing, 1);
  if (words.Has("fascines")) {
    play.Tell("CF-14.6", play.Name(unit) + " crosses where fascines lie, without penalty.");
    return;
  }
  Halve(play, unit, "CF-14.6");
  play.Tell("CF-14.6", play.Name(unit) + " crosses the obstacle: half its move.");
  if (!IsFormed(s, unit)) return;
  const auto& m = play.Book().manoeuvre;
  const bool hard = words.Has("hard") && IsCavalry(s, unit);
  play.ManoeuvreDp(unit,
                   UnderFire(s, unit)
                       ? (hard ? m.obstacle_hard_cavalry_dp_under_fire : m.obstacle_dp_under_fire)
                       : (hard ? m.obstacle_hard_cavalry_dp : m.obstacle_dp),
                   "CF-14.6", "crossing an obstacle");
}

void Mount(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const bool up = words.verb == "mount";
  RequireRolled(play, unit);
  play.Require(
      Info(s, unit).arm == Arm::kDragoons && !Info(s, unit).new_style && !Info(s, unit).mixed,
      "CF-14.10", "traditional dragoons alone dismount");
  play.Require((At(s, unit)[Of::kMounted] != 0) != up, "CF-14.10",
               up ? "they are mounted" : "they are on foot", false);
  const Field field = play.Measure();
  if (up) {
    double gap = 1e9;
    const Vec2 holder{Yd(At(s, unit)[Of::kHolderX]), Yd(At(s, unit)[Of::kHolderY])};
    for (const Base& base : field.Bases(unit)) gap = std::min(gap, open_table::Gap(base, holder));
    play.Require(gap <= play.Book().manoeuvre.mount_holder_within, "CF-14.10",
                 fmt::format("the horses are {:.0f} yd off: {:g} at most", gap,
                             play.Book().manoeuvre.mount_holder_within));
  }
  Halve(play, unit, "CF-14.10");
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

void MoveHolder(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireMine(play, unit);
  play.Require(At(s, unit)[Of::kHolder] != 0 && At(s, unit)[Of::kHolderUsed] == 0, "CF-14.10",
               "the horse-holder moves once, after a dismounting", false);
  const Vec2 from{Yd(At(s, unit)[Of::kHolderX]), Yd(At(s, unit)[Of::kHolderY])};
  const Vec2 to{words.numbers[0], words.numbers[1]};
  play.Require(Distance(from, to) <= play.Book().manoeuvre.mount_holder_move, "CF-14.10",
               fmt::format("{:.0f} yd: {:g} at most", Distance(from, to),
                           play.Book().manoeuvre.mount_holder_move));
  play.Set(unit, Of::kHolderX, Milli(to.x));
  play.Set(unit, Of::kHolderY, Milli(to.y));
  play.Set(unit, Of::kHolderUsed, 1);
}

// CF-14.12.
void PassGap(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  RequireRolled(play, unit);
  play.Require(InLine(s, unit), "CF-14.12", "a line passes a gap", false);
  const Field field = play.Measure();
  const double front = field.FrontOf(unit).width;
  play.Require(
      words.numbers[0] >= play.Book().manoeuvre.gap_front_min_share * front, "CF-14.12",
      fmt::format("{:g} yd for a front of {:g}: change formation", words.numbers[0], front));
  const auto half = play.Rulings().gap_half_move;
  if (half == Settings::GapHalf::kAll || (half == Settings::GapHalf::kFoot && IsFoot(s, unit)))
    Halve(play, unit, "CF-14.12");
  play.Tell("CF-14.12", play.Name(unit) + " passes the gap.");
  if (Near(field, unit))
    play.ManoeuvreDp(unit, play.Book().manoeuvre.gap_dp_near, "CF-14.12",
                     "passing a gap near enemy");
}

// Unformed bodies, limbered guns, guns by hand and road columns: to a place, with a facing.
void GoTo(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const Vec2 to{words.numbers[0], words.numbers[1]};
  const bool road = words.verb == "road";
  const bool by_hand = IsGun(s, unit) &&
                       At(s, unit).As<Formation>(Of::kFormation) == Formation::kUnlimbered &&
                       Info(s, unit).gun != GunClass::kBattalion;
  const Field field = play.Measure();
  const Vec2 from = field.Centre(unit);
  const double yards = Distance(from, to);
  play.Require(to.x >= 0 && to.y >= 0 && to.x <= s.setup->length_yd && to.y <= s.setup->width_yd,
               "CF-12.4", "the table ends before that", false);
  const double bearing = open_table::BearingTo(from, to);
  std::vector<Base> bases = ShiftedBases(field.Bases(unit), bearing, yards);
  if (words.numbers.size() > 2) {
    const double turn = words.numbers[2] - field.FrontOf(unit).facing_deg;
    for (Base& base : bases) base = open_table::Turned(base, to, turn);
  }
  if (road) {
    RequireFreeToMove(play, unit);
    play.Require(At(s, unit).As<Formation>(Of::kFormation) == Formation::kMarch ||
                     At(s, unit).As<Formation>(Of::kFormation) == Formation::kLimbered,
                 "CF-12.5", "march columns and limbered guns use the road");
    play.Require(At(s, unit)[Of::kRolled] == 0, "CF-12.5", "a road move is made without dice");
    for (std::size_t i = 0; i < bases.size(); ++i)
      play.Require(field.OnRoad(field.Bases(unit)[i]) && field.OnRoad(bases[i]), "CF-12.5",
                   "a road move starts and ends on a road");
    const bool far =
        !IsGun(s, unit) &&
        field.NearestEnemyGap(Info(s, unit).side, from) > play.Book().move.far_distance &&
        field.NearestEnemyGap(Info(s, unit).side, to) > play.Book().move.far_distance;
    const double most = far ? play.Book().move.road_far : play.Book().move.road;
    play.Require(yards <= most + 0.05, IsGun(s, unit) ? "CF-12.8" : "CF-12.5",
                 fmt::format("{:.0f} yd by road: {:g} at most", yards, most));
    play.Set(unit, Of::kRoadMove, 1);
    play.Set(unit, Of::kPaceNow, play.Book().move.road_counts_as_dice);
    play.Set(unit, Of::kDoneMoving, 1);
  } else if (by_hand) {
    RequireFreeToMove(play, unit);
    play.Require(At(s, unit)[Of::kMoved] == 0, "CF-12.8", "it has moved", false);
    play.Require(yards <= play.Rulings().unlimbered_gun_move_yd + 0.05, "CF-12.8",
                 fmt::format("{:.0f} yd by hand: {:g} at most", yards,
                             play.Rulings().unlimbered_gun_move_yd));
    play.Set(unit, Of::kDoneMoving, 1);
  } else {
    RequireRolled(play, unit);
    play.Require(IsUnformed(s, unit) || UpTo(s, unit), "CF-11.6",
                 "a body in formation goes ahead, wheels or inclines", false);
    const Way way = WayAlong(field, unit, bearing, yards);
    if (way.rough) BecomeRough(play, unit);
    play.Require(way.free_yd + 0.05 >= yards, way.enemy_stop ? "CF-11.4" : "CF-12.4",
                 fmt::format("the way is free for {:.1f} yd", way.free_yd), false);
    Spend(play, unit, yards, "CF-11.3");
  }
  for (const Base& base : bases)
    play.Require(!field.ForbiddenAt(base, unit), "CF-12.4", "it may not go there", false);
  play.PlaceBases(unit, bases);
  play.Moved(unit);
  play.Tell(
      road             ? "CF-12.5"
      : IsGun(s, unit) ? "CF-12.8"
                       : "CF-14.14",
      fmt::format("{} goes {:.0f} yd to ({:.0f}, {:.0f}).", play.Name(unit), yards, to.x, to.y));
  CaptureLeaders(play, unit);
}

void Split(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int part = static_cast<int>(words.numbers[0]) - 1;
  RequireFreeToMove(play, unit);
  const int slot = FindUnit(s, fmt::format("{}/{}", play.Name(unit), part + 1));
  play.Require(slot >= 0 && At(s, slot).bases.empty(), "CF-14.15",
               fmt::format("{} has no part {} to break off", play.Name(unit), part + 1), false);
  std::vector<BaseState> stay;
  std::vector<BaseState> go;
  for (const BaseState& base : At(s, unit).bases) (base.part == part ? go : stay).push_back(base);
  play.Require(
      static_cast<int>(go.size()) >= play.Book().manoeuvre.detached_min_bases && !stay.empty(),
      "CF-14.15",
      fmt::format("a new unit has at least {} bases", play.Book().manoeuvre.detached_min_bases));
  play.Place(unit, stay);
  for (const Of field :
       {Of::kFormation, Of::kStatus, Of::kMounted, Of::kDp, Of::kFascines, Of::kFixed, Of::kControl,
        Of::kPace, Of::kShotAt, Of::kFireDp, Of::kRolled, Of::kAllowanceMilliYd, Of::kFullMilliYd,
        Of::kFaces, Of::kDoubled, Of::kAssigned})
    play.Set(slot, field, At(s, unit)[field]);
  play.Place(slot, go);
  play.Set(slot, Of::kPresence, Presence::kOnTable);
  play.Tell("CF-14.15", fmt::format("{} breaks off from {}, {} DP each.", play.Name(slot),
                                    play.Name(unit), At(s, unit)[Of::kDp]));
}

void Merge(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int into = words.units[1];
  RequireFreeToMove(play, unit);
  RequireMine(play, into);
  const Field field = play.Measure();
  play.Require(unit != into && Info(s, unit).arm == Info(s, into).arm, "CF-14.16",
               "two units of one arm merge", false);
  play.Require(field.Contact(field.Gap(unit, into)), "CF-14.16", "they must be in contact");
  for (const int one : {unit, into}) {
    play.Require(!UnderFire(s, one), "CF-14.16", play.Name(one) + " is under fire");
    play.Require(field.NearestEnemyGap(one) > play.Book().manoeuvre.amalgamate_min_distance,
                 "CF-14.16",
                 fmt::format("{} is within {:g} yd of enemy", play.Name(one),
                             play.Book().manoeuvre.amalgamate_min_distance));
  }
  const int bases = BasesLeft(s, unit) + BasesLeft(s, into);
  const bool foot = IsFoot(s, unit);
  const auto& book = play.Book();
  play.Require(foot ? bases <= book.foot_unit_bases_max
                    : bases <= book.cavalry_unit_squadrons.most * book.squadron_bases.most,
               foot ? "CF-2.4" : "CF-2.5", fmt::format("{} bases are too many", bases));
  const int dp = std::max(At(s, unit)[Of::kDp], At(s, into)[Of::kDp]);
  play.Set(into, Of::kDp, dp);
  play.Set(unit, Of::kMergeInto, into + 1);
  play.Set(unit, Of::kMergeTurns, dp);
  play.Set(unit, Of::kDoneMoving, 1);
  play.Set(into, Of::kDoneMoving, 1);
  play.Tell("CF-14.16", fmt::format("{} joins {}: {} turns, then {} DP.", play.Name(unit),
                                    play.Name(into), dp, dp));
  if (dp == 0) CompleteMerge(play, unit);
}

// CF-11.3.
void Halt(Play& play, int unit) {
  const State& s = play.Now();
  const Unit& u = At(s, unit);
  const double left = LeftYd(s, unit);
  if (u[Of::kRolled] != 0 && left > kFull_yd && !UpTo(s, unit) && !IsUnformed(s, unit)) {
    const Field field = play.Measure();
    const double facing = field.FrontOf(unit).facing_deg;
    const Way way = WayAlong(field, unit, facing, left);
    const bool stopped =
        (way.enemy_stop || way.double_stop || way.edge || way.forbidden) && way.free_yd <= kFull_yd;
    const bool broken = AheadIsBroken(field, unit, left);
    play.Require(
        u[Of::kObjective] != 0 || stopped ||
            (left <= play.Book().move.stop_short_max + kFull_yd && broken),
        "CF-11.3",
        fmt::format("{} has {:.1f} yd left: the whole distance is moved unless a halt was "
                    "announced, enemy is 20 yd ahead, or a friend or feature lies within 40 yd",
                    play.Name(unit), left));
  }
  play.Set(unit, Of::kDoneMoving, 1);
}

void Recrew(Play& play, const Words& words) {
  const State& s = play.Now();
  const int gun = words.units[0];
  RequireMine(play, gun);
  const Crew crew = At(s, gun).As<Crew>(Of::kCrew);
  play.Require(IsGun(s, gun) && crew != Crew::kServing, "CF-23.2", play.Name(gun) + " has its crew",
               false);
  play.Require(crew != Crew::kDead, "CF-23.2", "its crew is dead", false);
  const Field field = play.Measure();
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (Info(s, v).side != Info(s, gun).side && IsFormed(s, v))
      play.Require(field.Gap(gun, v) > play.Book().guns.no_formed_enemy_within, "CF-23.2",
                   fmt::format("{} is within {:g} yd", play.Name(v),
                               play.Book().guns.no_formed_enemy_within));
  play.Set(gun, Of::kCrew, Crew::kServing);
  play.Set(gun, Of::kTarget, 0);
  play.Set(gun, Of::kDoneMoving, 1);
  play.Tell("CF-23.2", "The crew returns to " + play.Name(gun) + ".");
}

void DriveOff(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int gun = words.units[1];
  RequireFreeToMove(play, unit);
  play.Require(IsGun(s, gun) && Info(s, gun).side != Info(s, unit).side &&
                   At(s, gun).As<Crew>(Of::kCrew) != Crew::kServing &&
                   At(s, gun).As<Formation>(Of::kFormation) == Formation::kLimbered,
               "CF-23.3", "an abandoned limbered enemy gun can be driven off", false);
  play.Require(play.Measure().Contact(play.Measure().Gap(unit, gun)), "CF-23.3",
               "contact is needed");
  std::vector<BaseState> bases = At(s, unit).bases;
  play.Require(static_cast<int>(bases.size()) > play.Book().guns.drive_off_bases, "CF-23.3",
               "it has no base to spare", false);
  bases.resize(bases.size() - static_cast<std::size_t>(play.Book().guns.drive_off_bases));
  play.Place(unit, bases);
  play.Destroy(gun, Presence::kDrivenOff, "CF-23.3", "by a base of " + play.Name(unit));
}

// CF-3.4, 3.6: from the edge of the table.
void Arrive(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  play.Require(Info(s, unit).side == s.to_act, "CF-9.2", "it is the other side's turn", false);
  play.Require(At(s, unit).As<Presence>(Of::kPresence) == Presence::kReserve, "CF-3.6",
               play.Name(unit) + " is not expected", false);
  play.Require(At(s, unit)[Of::kDoneMoving] == 0, "CF-3.6", "it has tried this turn", false);
  const int attempt = At(s, unit)[Of::kArrivalTry] + 1;
  play.Set(unit, Of::kArrivalTry, attempt);
  play.Set(unit, Of::kDoneMoving, 1);
  bool comes = play.Rulings().reinforcement_first - attempt < 1;
  if (!comes)
    comes = Arrives(
        play.Rulings(), attempt,
        play.RollD6(s.to_act, fmt::format("arrival of {}, try {}", play.Name(unit), attempt),
                    "CF-3.6"));
  if (!comes) {
    play.Tell("CF-3.6", play.Name(unit) + " does not come yet.");
    return;
  }
  const bool gun = IsGun(s, unit);
  play.Set(unit, Of::kFormation, gun ? Formation::kLimbered : Formation::kMarch);
  play.Set(unit, Of::kPresence, Presence::kOnTable);
  play.Place(unit, Arranged(s, unit, Formation::kMarch, {words.numbers[0], words.numbers[1]},
                            open_table::WrappedBearing(words.numbers[2]), 1));
  play.Moved(unit);
  play.Tell("CF-3.4", play.Name(unit) + " arrives in march column.");
}

}  // namespace

// CF-14.11: the friends somebody moved through.
void PassFriends(Play& play, int unit, const std::vector<Base>& from, double bearing,
                 double yards) {
  const State& s = play.Now();
  const Field field = play.Measure();
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (v == unit || Info(s, v).side != Info(s, unit).side || !At(s, v).OnTable()) continue;
    bool met = false;
    for (double d = 0; d <= yards && !met; d += 2)
      for (const Base& base : ShiftedBases(from, bearing, d))
        for (const Base& other : field.Bases(v)) met = met || open_table::Overlap(base, other);
    if (!met || IsGun(s, v) || IsGun(s, unit)) continue;
    const bool routing = At(s, v).As<Conduct>(Of::kStatus) == Conduct::kRouting ||
                         At(s, unit).As<Conduct>(Of::kStatus) == Conduct::kRouting;
    const bool still = At(s, v)[Of::kMoved] == 0 && At(s, v)[Of::kFired] == 0;
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

void CompleteMerge(Play& play, int unit) {
  const State& s = play.Now();
  const int into = At(s, unit)[Of::kMergeInto] - 1;
  std::vector<BaseState> all = At(s, into).bases;
  for (const BaseState& base : At(s, unit).bases) all.push_back(base);
  const Field::Front front = play.Measure().FrontOf(into);
  play.Place(into, all);
  if (IsFormed(s, into))
    play.Place(into, Arranged(s, into, At(s, into).As<Formation>(Of::kFormation), front.centre,
                              front.facing_deg, 0));
  play.Place(unit, {});
  play.Set(into, Of::kCasualties, 0);
  play.Set(unit, Of::kMergeInto, 0);
  play.Destroy(unit, Presence::kMerged, "CF-14.16", "into " + play.Name(into));
}

bool PlayMove(Play& play, const Words& words) {
  using Handler = void (*)(Play&, const Words&);
  static const std::vector<std::pair<std::string_view, Handler>> kHandlers = {
      {"roll", RollDice}, {"ahead", GoAhead},     {"wheel", Wheel},       {"wheelback", Wheel},
      {"form", Form},     {"reform", Reform},     {"about", AboutFace},   {"incline", Incline},
      {"step", SideStep}, {"unlimber", Unlimber}, {"pivot", Pivot},       {"cross", Cross},
      {"mount", Mount},   {"dismount", Mount},    {"holder", MoveHolder}, {"gap", PassGap},
      {"go", GoTo},       {"road", GoTo},         {"split", Split},       {"merge", Merge},
      {"recrew", Recrew}, {"drive", DriveOff},    {"arrive", Arrive}};
  const auto found = std::find_if(kHandlers.begin(), kHandlers.end(),
                                  [&](const auto& h) { return h.first == words.verb; });
  const bool retire = words.verb == "retire";
  if (found == kHandlers.end() && words.verb != "halt" && !retire) return false;
  play.Require(play.Now().phase == Phase::kMovement, "CF-9.2", "that belongs to the Movement phase",
               false);
  if (words.verb == "halt") {
    RequireMine(play, words.units[0]);
    Halt(play, words.units[0]);
  } else if (retire) {
    // CF-22.4: go on retiring.
    const int unit = words.units[0];
    RequireMine(play, unit);
    play.Require(At(play.Now(), unit).As<Conduct>(Of::kStatus) == Conduct::kRetiring, "CF-22.4",
                 play.Name(unit) + " is not retiring", false);
    play.Require(At(play.Now(), unit)[Of::kDoneMoving] == 0, "CF-22.4", "it has moved", false);
    RetireOn(play, unit);
    play.Set(unit, Of::kDoneMoving, 1);
  } else {
    found->second(play, words);
  }
  return true;
}

void EndMovement(Play& play, int side) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Unit& unit = At(s, u);
    if (!unit.OnTable() || Info(s, u).side != side) continue;
    if (unit[Of::kRolled] != 0 && unit[Of::kDoneMoving] == 0) Halt(play, u);
    const bool free = unit[Of::kSteadied] == 0 && !InCombat(s, u) &&
                      unit.As<Conduct>(Of::kStatus) == Conduct::kReady &&
                      unit.As<Control>(Of::kControl) != Control::kHalted && unit[Of::kFired] == 0;
    if (!free) continue;
    if (unit.As<Control>(Of::kControl) == Control::kRepeats && CanRepeat(s, u))
      play.Require(unit[Of::kRolled] != 0, "CF-5.7",
                   fmt::format("{} must repeat its last move: roll {}", play.Name(u),
                               DiceName(SetAt(unit[Of::kLastSet]))));
    if (IsCavalry(s, u))
      play.Require(unit[Of::kPaceNow] + play.Book().move.pace_change_max >= unit[Of::kPace],
                   "CF-12.9",
                   fmt::format("{} moved by {} dice and may not stand still", play.Name(u),
                               unit[Of::kPace]));
  }
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u)
    if (At(s, u).OnTable() && Info(s, u).side == side) RunOn(play, u);
}

}  // namespace fos::closefire
