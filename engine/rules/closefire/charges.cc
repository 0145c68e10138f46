// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/charge_reach.h"
#include "engine/rules/closefire/combat.h"
#include "engine/rules/closefire/doubt.h"
#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/play.h"
#include "engine/rules/closefire/room.h"

// Section 18: declaring charges, answering them, and the charge moves.
namespace fos::closefire {
namespace {

using open_table::Ahead;

// The first enemy straight ahead and the yards to it, if any. Guns that stand aside
// are ridden past unless they are the target.
struct Met {
  int enemy = -1;
  double yards = 0;
};
std::optional<Met> FirstMet(const Field& field, int unit, double limit, int target) {
  const State& s = field.Game();
  std::optional<Met> out;
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (Info(s, v).side == Info(s, unit).side || !At(s, v).OnTable()) continue;
    if (v != target && StandsAside(field, v, unit)) continue;
    const double along = AlongToContact(field, unit, v, limit);
    if (along < 0 || (out && along >= out->yards)) continue;
    out = Met{v, along};
  }
  return out;
}

std::string GapText(const Play& play, int unit, int target, double sigma) {
  return fmt::format("{} to {} is {:.1f} +/- {:.1f} yd", play.Name(unit), play.Name(target),
                     play.Measure().Gap(unit, target), 1.96 * sigma);
}

void CheckCharge(Play& play, int unit, int target, const DiceSet& dice, bool outrance,
                 const std::vector<int>& together) {
  const State& s = play.Now();
  const Unit& u = At(s, unit);
  const double limit = s.setup->length_yd + s.setup->width_yd;
  play.Reveal(unit, "charges");
  play.Require(u.OnTable() && At(s, target).OnTable() && Info(s, unit).side != Info(s, target).side,
               "CF-18.1", "a charge needs an enemy on the table as its target", false);
  const bool swedes = Info(s, unit).swedish && IsFoot(s, unit) && play.Rulings().swedish_charge;
  play.Require(IsCavalry(s, unit) || swedes, "CF-18.1",
               [&] { return fmt::format("{} cannot charge: only cavalry can", play.Name(unit)); });
  const Formation formation = u.body.formation;
  play.Require(formation != Formation::kMarch && formation != Formation::kAssault, "CF-18.1",
               [&] { return play.Name(unit) + " is in column: columns do not charge"; });
  play.Require(!u.body.fascines, "CF-14.6", [&] { return play.Name(unit) + " carries fascines"; });
  play.Require(!u.obeys.steadied, "CF-4.4",
               [&] { return play.Name(unit) + " was steadied this turn"; });
  const bool must = u.charge.must;
  const Control control = u.obeys.control;
  play.Require(must || control != Control::kHalted, "CF-5.6",
               [&] { return play.Name(unit) + " is halted by its control test"; });
  play.Require(control != Control::kRepeats || play.Rulings().repeat_may_charge, "CF-5.7",
               [&] { return play.Name(unit) + " must repeat its last move"; });
  if (control == Control::kConforming) {
    const UnitId lead = LeadOf(u).value();
    play.Require(CopiesInLine(u), "CF-5.3", [&] {
      return fmt::format("{} conforms to {} as its rear line and cannot charge", play.Name(unit),
                         play.Name(lead));
    });
    play.Require(At(s, lead).charge.target.has_value() || Has(together, lead), "CF-5.2", [&] {
      return fmt::format("{} conforms to {}, which is not charging", play.Name(unit),
                         play.Name(lead));
    });
  }
  const Conduct status = u.body.conduct;
  play.Require(status == Conduct::kReady, "CF-18.1",
               [&] { return fmt::format("{} is {}", play.Name(unit), StatusName(status)); });
  play.Require(!InCombat(s, unit), "CF-18.1",
               [&] { return play.Name(unit) + " is already in combat"; });
  play.Require(
      !u.charge.target.has_value(), "CF-18.1",
      [&] { return play.Name(unit) + " has already declared a charge"; }, false);
  const double sigma = DoubtYd(s, unit, target);
  const Field measured = play.Measure();
  const State ruled = play.Ruled(
      unit, sigma,
      [&](const State& at) {
        const Field there(at, measured, unit);
        const double along = AlongToContact(there, unit, target, limit);
        const bool near = along >= 0 && along <= play.Book().charge.free_from;
        return fmt::format("{}{}{}", along >= 0 ? "straight ahead" : "not straight ahead",
                           !dice.empty() || along < 0 ? ""
                           : near                     ? ", within 20 yd"
                                                      : ", beyond 20 yd",
                           there.Sees(unit, target) ? "" : ", out of sight");
      },
      [&] { return GapText(play, unit, target, sigma); }, "CF-18.2");
  const Field field(ruled);
  const double gap = AlongToContact(field, unit, target, limit);
  play.Require(gap >= 0, "CF-18.2", [&] {
    return fmt::format("{} is not straight ahead of {}", play.Name(target), play.Name(unit));
  });
  const std::optional<Met> first = FirstMet(field, unit, gap, target);
  if (first && first->enemy != target && first->yards + play.Rulings().contact_gap_yd < gap)
    play.Require(false, "CF-18.2", [&] {
      return fmt::format("{} is in the way: {} would meet it first", play.Name(first->enemy),
                         play.Name(unit));
    });
  // CF-18.9: a unit that charges behind others of its body may use what they see.
  const bool seen =
      field.Sees(unit, target) || std::any_of(together.begin(), together.end(), [&](int v) {
        return v != target && v != unit && field.Sees(v, target);
      });
  play.Require(seen, "CF-18.1",
               [&] { return play.Name(unit) + " cannot see " + play.Name(target); });
  play.Require(!dice.empty() || gap <= play.Book().charge.free_from, "CF-18.2", [&] {
    return fmt::format("{} is {:.0f} yd away: the charge needs at least one die", play.Name(target),
                       gap);
  });
  if (swedes) {
    play.Require(IsFoot(s, target), "CF-18.8", "Swedish foot can charge enemy foot only");
    play.NoteClose([&] { return play.Name(unit) + " to " + play.Name(target); }, gap,
                   play.Book().charge.swedish_foot);
    play.Require(gap <= play.Book().charge.swedish_foot, "CF-18.8", [&] {
      return fmt::format("{} is {:.0f} yd away: foot charges from {:g} yd at most",
                         play.Name(target), gap, play.Book().charge.swedish_foot);
    });
  }
  if (!dice.empty()) {
    const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, false);
    play.Require(
        std::find(sets.begin(), sets.end(), dice) != sets.end(), "CF-12.2",
        [&] {
          return fmt::format("{} cannot charge with {}: {}", play.Name(unit), DiceInWords(dice),
                             SetsInWords(sets));
        },
        false);
    if (IsCavalry(s, unit) && play.Rulings().charge_obeys_pace && !must)
      play.Require(MayChangePaceTo(s, unit, dice), "CF-12.9", [&] {
        return fmt::format("{} dice after {} last turn: the pace may change by at most two dice",
                           dice.size(), u.pace.dice);
      });
    if (must && play.Rulings().failed_charge_same_dice)
      play.Require(SetIndex(dice) == u.charge.missed_set, "CF-5.8", [&] {
        return fmt::format("{} must charge again with the same dice: {}", play.Name(unit),
                           DiceInWords(SetAt(u.charge.missed_set)));
      });
  }
  if (outrance)
    play.Require(MayChargeOutrance(s, unit), "CF-2.1",
                 "only new-style cavalry and hussars can charge a l'outrance");
  play.NoteClose([&] { return play.Name(unit) + " to " + play.Name(target); }, gap,
                 play.Book().charge.free_from);
}

void DeclareCharge(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  play.Require(words.units.size() >= 2, "CF-18.1",
               "name the unit that charges and its target: `charge UNIT at TARGET DICE`", false);
  const int target = words.units.back();
  for (std::size_t i = 0; i + 1 < words.units.size(); ++i) {
    const int unit = words.units[i];
    play.Require(Info(s, unit).side == s.to_act, "CF-18.1",
                 "it is the other side's turn to declare charges", false);
    CheckCharge(play, unit, target, words.dice, words.Has("outrance"), words.units);
  }
  for (std::size_t i = 0; i + 1 < words.units.size(); ++i) {
    const int unit = words.units[i];
    play.Set(unit, Of::kCharging, std::optional<UnitId>(target));
    play.Set(unit, Of::kChargeSet, SetIndex(words.dice));
    play.Set(unit, Of::kChargeGroup, std::optional<UnitId>(words.units.front()));
    play.Set(unit, Of::kOutrance, words.Has("outrance"));
    play.Tell(words.Has("outrance") ? "CF-18.7"
              : IsFoot(s, unit)     ? "CF-18.8"
                                    : "CF-18.1",
              fmt::format("{} charges {} with {}{}.", play.Name(unit), play.Name(target),
                          DiceInWords(words.dice), words.Has("outrance") ? ", a l'outrance" : ""));
  }
}

void Respond(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const std::vector<int> chargers = ChargersOf(s, unit);
  play.Require(Info(s, unit).side == s.to_act, "CF-18.4",
               "it is the other side's turn to answer charges", false);
  play.Require(
      !chargers.empty(), "CF-18.4", [&] { return "no unit charges " + play.Name(unit); }, false);
  const Unit& u = At(s, unit);
  play.Require(
      !u.charge.counter && u.charge.evasion == Evasion::kNone && !u.charge.received,
      IsFoot(s, unit) ? "CF-18.6" : "CF-18.1",
      [&] {
        return play.Name(unit) +
               " has already answered this charge: there is one answer, and it "
               "stands";
      },
      false);
  const Field field = play.Measure();
  if (words.verb == "counter") {
    play.Require(IsCavalry(s, unit), "CF-18.4", [&] {
      return fmt::format("{} cannot counter-charge: only cavalry can", play.Name(unit));
    });
    play.Require(u.body.formation != Formation::kMarch, "CF-18.1",
                 [&] { return play.Name(unit) + " is in column: columns do not charge"; });
    play.Require(!u.body.fascines, "CF-14.6",
                 [&] { return play.Name(unit) + " carries fascines"; });
    play.Require(!u.obeys.steadied || play.Rulings().steadied_may_countercharge, "CF-4.4",
                 [&] { return play.Name(unit) + " was steadied this turn"; });
    play.Require(
        u.body.conduct == Conduct::kReady && !InCombat(s, unit) && !u.charge.target.has_value(),
        "CF-18.4", [&] { return play.Name(unit) + " cannot counter-charge"; });
    const bool faces = std::any_of(chargers.begin(), chargers.end(),
                                   [&](int v) { return field.InFrontWedge(unit, v); });
    play.Require(faces, "CF-18.4", [&] { return play.Name(unit) + " does not face the charger"; });
    const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, false);
    play.Require(
        std::find(sets.begin(), sets.end(), words.dice) != sets.end(), "CF-12.2",
        [&] {
          return fmt::format("{} cannot counter-charge with {}: {}", play.Name(unit),
                             DiceInWords(words.dice), SetsInWords(sets));
        },
        false);
    if (play.Rulings().charge_obeys_pace)
      play.Require(MayChangePaceTo(s, unit, words.dice), "CF-12.9", [&] {
        return fmt::format("{} dice after {} last turn: the pace may change by at most two dice",
                           words.dice.size(), u.pace.dice);
      });
    if (words.Has("outrance"))
      play.Require(MayChargeOutrance(s, unit), "CF-2.1",
                   "only new-style cavalry and hussars can charge a l'outrance");
    play.Set(unit, Of::kCounter, 1);
    play.Set(unit, Of::kChargeSet, SetIndex(words.dice));
    play.Set(unit, Of::kOutrance, words.Has("outrance"));
    play.Tell("CF-18.4",
              fmt::format("{} counter-charges with {}.", play.Name(unit), DiceInWords(words.dice)));
  } else if (words.verb == "evade") {
    play.Require(IsCavalry(s, unit) && IsUnformed(s, unit) && !Info(s, unit).mixed, "CF-18.5",
                 "only hussars and other unformed cavalry can evade");
    play.Require(
        !u.charge.target.has_value(), "CF-18.1",
        [&] { return play.Name(unit) + " has declared a charge itself, and that stands"; }, false);
    play.Require(!InCombat(s, unit), "CF-18.5",
                 [&] { return play.Name(unit) + " is already in combat"; });
    play.Set(unit, Of::kEvading, Evasion::kDeclared);
    play.Tell("CF-18.5", play.Name(unit) + " evades.");
  } else {
    play.Require(IsFoot(s, unit), "CF-18.6", [&] {
      return fmt::format("{} cannot: only foot turns about or steps back for a charge",
                         play.Name(unit));
    });
    // The charge that starts farthest away gives the time.
    double gap = 0;
    for (const int v : chargers) {
      const double from = AlongToContact(field, v, unit, s.setup->length_yd + s.setup->width_yd);
      gap = std::max(gap, from);
      play.NoteClose([&] { return play.Name(v) + " to " + play.Name(unit); }, from,
                     play.Book().charge.stand_to_receive_beyond);
    }
    play.Require(gap > play.Book().charge.stand_to_receive_beyond, "CF-18.6", [&] {
      return fmt::format(
          "the charge starts {:.0f} yd away: foot needs more than {:g} yd to "
          "turn about or step back",
          gap, play.Book().charge.stand_to_receive_beyond);
    });
    if (words.Has("about")) {
      TurnAbout(play, unit);
      play.Tell("CF-18.6", play.Name(unit) + " turns about to receive the charge.");
    } else {
      std::vector<Base> bases = field.Bases(unit);
      play.Require(
          InLine(s, unit) && bases.size() > 1, "CF-18.6",
          [&] { return play.Name(unit) + " is no line with an end stand"; }, false);
      // The end stand of the front as the unit faces now. A body that has turned about lists its
      // bases from the right.
      const Field::Front front = field.FrontOf(unit);
      const auto outward = [&](const Base& base) {
        const Vec2 off = base.centre - front.centre;
        return (words.Has("left") ? -1 : 1) * Dot(off, open_table::Rightward(front.facing_deg)) +
               0.1 * Dot(off, Ahead(front.facing_deg));
      };
      Base& end = *std::max_element(bases.begin(), bases.end(), [&](const Base& a, const Base& b) {
        return outward(a) < outward(b);
      });
      end = open_table::Shifted(end, -end.depth * Ahead(end.facing_deg));
      RequireRoom(play, unit, bases, "CF-18.6");
      RequireOneBody(play, unit, bases);
      play.PlaceBases(unit, bases);
      play.Tell("CF-18.6",
                "An end stand of " + play.Name(unit) + " steps back to refuse the flank.");
    }
    play.Set(unit, Of::kReceived, 1);
  }
}

// After the dice: how far it may go, and the DPs of its fatigue.
double ChargeRoll(Play& play, int unit, const std::vector<int>& dice, double gap_yd) {
  const Charged charge =
      ChargeOf(play.Measure(), unit, SetAt(At(play.Now(), unit).charge.set), dice, gap_yd);
  play.ManoeuvreDp(unit, charge.dp, charge.roll.rough ? "CF-13.2" : "CF-13.1",
                   "fatigue from the charge");
  if (!dice.empty())
    play.Tell("CF-18.2", fmt::format("{} has {:g} yd ({}).", play.Name(unit), charge.yards,
                                     AllowanceText(play.Book(), charge.roll)));
  return charge.yards;
}

// Moves it straight ahead until ground, enemies or friends stop it. Returns the yards moved.
double MoveAhead(Play& play, int unit, double yards, int target = -1) {
  const Field field = play.Measure();
  const double bearing = field.FrontOf(unit).facing_deg;
  double go = GroundFree(field, unit, bearing, yards, false);
  const std::optional<Met> met = FirstMet(field, unit, go, target);
  if (met) go = std::min(go, met->yards);
  go = RoomAlong(field, unit, bearing, go, met && met->enemy == target);
  const std::vector<Base> from = field.Bases(unit);
  play.PlaceBases(unit, ShiftedBases(from, bearing, go));
  if (go > 0) play.Moved(unit);
  PassFriends(play, unit, from, bearing, go);
  CaptureLeaders(play, unit, from, bearing, go);
  for (const Hurdle& hurdle : HurdlesAhead(field, unit, go)) {
    // A unit that halts before the obstacle has not crossed it.
    if (go - hurdle.at_yd < 0.05) continue;
    play.Tell("CF-14.6", fmt::format("{} charges across an obstacle, which costs half its move.",
                                     play.Name(unit)));
    PayObstacle(play, unit, hurdle.hard);
  }
  return go;
}

// A charge that misses its target halts 20 yd from any other enemy to its front (CF-11.4).
double ShortOfOthers(const Field& field, int unit, double yards) {
  const std::optional<Met> met =
      FirstMet(field, unit, yards + field.Game().Book().move.stop_from_enemy, -1);
  if (!met) return yards;
  return std::clamp(met->yards - field.Game().Book().move.stop_from_enemy, 0.0, yards);
}

void Reach(Play& play, int unit, int target) {
  const State& s = play.Now();
  play.Set(unit, Of::kReached, 1);
  play.Set(unit, Of::kMissed, 0);
  play.Set(unit, Of::kMustCharge, 0);
  play.Set(target, Of::kContacted, 1);
  if (IsCavalry(s, unit)) play.Set(target, Of::kContactedByCavalry, 1);
  play.Engage(unit, target);
}

// The enemies in whose flank or rear the unit's charge begins (CF-20.4).
std::vector<int> FlanksOf(const Field& field, int unit) {
  const State& s = field.Game();
  std::vector<int> out;
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (Info(s, v).side != Info(s, unit).side && At(s, v).OnTable() && BehindFlank(field, unit, v))
      out.push_back(v);
  return out;
}

// CF-18.2, 20.7: a charge engages every enemy it touches. Returns whether it touched any beside
// the target.
bool EngageTouched(Play& play, int unit, int target, const std::vector<int>& flanked) {
  const State& s = play.Now();
  const Field field = play.Measure();
  bool any = false;
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (v == target || Info(s, v).side == Info(s, unit).side || !At(s, v).OnTable()) continue;
    if (!field.Contact(field.Gap(unit, v)) || StandsAside(field, v, unit)) continue;
    const bool flank = Has(flanked, v);
    if (flank) play.Set(v, Of::kFlanked, 1);
    play.Tell(flank ? "CF-20.4" : "CF-18.2",
              fmt::format("{} also reaches {}{}.", play.Name(unit), play.Name(v),
                          flank ? " in flank or rear" : ""));
    Reach(play, unit, v);
    any = true;
  }
  return any;
}

// CF-18.9: a unit of its body that reached the target and that it now touches.
std::optional<int> RidesBehind(const Play& play, int unit, int target) {
  const State& s = play.Now();
  const Field field = play.Measure();
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (v != unit && At(s, v).charge.group == At(s, unit).charge.group &&
        At(s, v).charge.target == target && At(s, v).charge.reached &&
        field.Contact(field.Gap(unit, v)))
      return v;
  return std::nullopt;
}

// A charge with its dice thrown.
struct Ride {
  int unit = -1, target = -1;
  double gap = 0;            // straight ahead to contact, as measured
  double ruled_gap = 0;      // as the players ruled
  double yards = 0;          // of the roll
  std::vector<int> flanked;  // FlanksOf where the charge began
};

// CF-1.3: tells when the gap is within a yard of the farthest that the dice reach.
void NoteReach(Play& play, const Ride& ride, double farthest_yd) {
  play.NoteClose([&] { return play.Name(ride.unit) + " to " + play.Name(ride.target); }, ride.gap,
                 farthest_yd);
}

// CF-18.3. An enemy that has come into the way by a charge of its own is met instead (CF-18.2).
void Miss(Play& play, const Ride& ride, double yards, bool past_target) {
  const State& s = play.Now();
  const double go = MoveAhead(
      play, ride.unit, past_target ? ShortOfOthers(play.Measure(), ride.unit, yards) : yards);
  if (EngageTouched(play, ride.unit, ride.target, ride.flanked)) return;
  play.Set(ride.unit, Of::kMissed, std::max(1, At(s, ride.unit).charge.set));
  play.Tell("CF-18.3", fmt::format("{} charges {:.0f} yd and does not reach {} ({:.0f} yd away).",
                                   play.Name(ride.unit), go, play.Name(ride.target), ride.gap));
}

// CF-18.5: the target evades.
void RunAfterEvader(Play& play, const Ride& ride) {
  const State& s = play.Now();
  const Field field = play.Measure();
  const int unit = ride.unit;
  const int target = ride.target;
  const std::vector<int> fast = play.Roll(Info(s, target).side, FastDice(s, target),
                                          play.Name(target) + " evades", "CF-18.5");
  const double away = field.FrontOf(unit).facing_deg;
  const double thrown =
      RoughOnTheWay(field, target, away, {fast, At(s, target).obeys.inspired > 0, false, true});
  play.ManoeuvreDp(target, play.Book().charge.evade_dp, "CF-18.5", "evading");
  play.Set(target, Of::kEvading, Evasion::kRan);
  const double evade = EvadeAlong(play, target, away, thrown);
  TireInRough(play, field, target, away, evade, fast);
  if (!At(s, target).OnTable()) {
    MoveAhead(play, unit, std::min(ride.yards, ride.gap));
    return;
  }
  if (evade + open_table::kTiny < thrown)
    play.Tell("CF-18.5", fmt::format("{} can evade only {:.0f} yd.", play.Name(target), evade));
  NoteReach(play, ride, ride.yards - evade);
  const double reach = AlongToContact(play.Measure(), unit, target, ride.yards);
  if (ride.yards < ride.ruled_gap + evade || reach < 0) {
    Miss(play, ride, ride.yards, true);
    return;
  }
  play.Tell("CF-18.5", fmt::format("{} is caught.", play.Name(target)));
  MoveAhead(play, unit, reach, target);
  Reach(play, unit, target);
  EngageTouched(play, unit, target, ride.flanked);
}

// CF-18.4: the target counter-charges.
void MeetCounterCharge(Play& play, const Ride& ride) {
  const State& s = play.Now();
  const int unit = ride.unit;
  const int target = ride.target;
  // CF-10.5: unformed horse faces all round, and so turns about to a charge on its back.
  if (IsUnformed(s, target) &&
      open_table::AngleBetween(play.Measure().FrontOf(target).facing_deg,
                               play.Measure().FrontOf(unit).facing_deg) < 90)
    TurnAbout(play, target);
  const Field field = play.Measure();
  const std::vector<int> theirs = play.Roll(Info(s, target).side, SetAt(At(s, target).charge.set),
                                            "counter-charge of " + play.Name(target), "CF-18.4");
  if (!theirs.empty()) play.Set(target, Of::kPaceNow, static_cast<int>(theirs.size()));
  double counter = ChargeRoll(play, target, theirs, ride.gap);
  counter = OverHurdles(HurdlesAhead(field, target, counter), counter);
  const std::vector<int> flanked = FlanksOf(field, target);
  NoteReach(play, ride, ride.yards + counter);
  const Meeting meeting = MeetingOf(ride.ruled_gap, ride.yards, counter);
  if (!meeting.met) {
    MoveAhead(play, target, counter);
    Miss(play, ride, ride.yards, false);
    return;
  }
  MoveAhead(play, target, std::max(0.0, ride.gap - meeting.from_charger_yd));
  // A counter-charger coming at an angle closes less of the gap, so the charger rides on to
  // contact.
  const double reach = AlongToContact(play.Measure(), unit, target, std::max(ride.gap, ride.yards));
  if (reach < 0) {
    Miss(play, ride, ride.yards, false);
    return;
  }
  const double rode = MoveAhead(play, unit, reach, target);
  play.Tell("CF-18.4", fmt::format("They meet {:.0f} yd from {}.", rode, play.Name(unit)));
  if (!play.Measure().Contact(play.Measure().Gap(unit, target))) {
    Miss(play, ride, 0, false);
    return;
  }
  Reach(play, unit, target);
  Reach(play, target, unit);
  EngageTouched(play, unit, target, ride.flanked);
  EngageTouched(play, target, unit, flanked);
}

// CF-18.2, 18.9: the target stands.
void RideHome(Play& play, const Ride& ride) {
  const State& s = play.Now();
  const int unit = ride.unit;
  const int target = ride.target;
  // CF-18.9: a body reaches the enemy when its leading units do.
  const std::optional<UnitId> group = At(s, unit).charge.group;
  const bool led = std::any_of(s.units.begin(), s.units.end(), [&](const Unit& other) {
    return &other != &At(s, unit) && other.charge.group == group && other.charge.target == target &&
           other.charge.reached;
  });
  if (!led && ride.gap > play.Book().charge.free_from) NoteReach(play, ride, ride.yards);
  if (ride.yards + open_table::kTiny < ride.ruled_gap && !led) {
    Miss(play, ride, ride.yards, false);
    return;
  }
  const double rode =
      MoveAhead(play, unit, led ? std::min(ride.gap, ride.yards) : ride.gap, target);
  if (!play.Measure().Contact(play.Measure().Gap(unit, target))) {
    if (const auto front = RidesBehind(play, unit, target)) {
      play.Tell("CF-18.9", fmt::format("{} charges behind {} in one body.", play.Name(unit),
                                       play.Name(*front)));
      Reach(play, unit, target);
      return;
    }
    // Other units or forbidden ground are in the way.
    if (EngageTouched(play, unit, target, ride.flanked)) return;
    play.Set(unit, Of::kMissed, std::max(1, At(s, unit).charge.set));
    play.Tell("CF-18.3", fmt::format("{} is blocked after {:.0f} yd and does not reach {}.",
                                     play.Name(unit), rode, play.Name(target)));
    return;
  }
  const bool flank = Has(ride.flanked, target);
  if (flank) play.Set(target, Of::kFlanked, 1);
  play.Tell(flank ? "CF-20.4" : "CF-18.2",
            fmt::format("{} reaches {}{}.", play.Name(unit), play.Name(target),
                        flank ? " in flank or rear" : ""));
  Reach(play, unit, target);
  EngageTouched(play, unit, target, ride.flanked);
}

}  // namespace

// CF-18.2 to 18.5, CF-18.9: one roll for those who charge together.
void RunCharge(Play& play, int unit, std::vector<std::pair<int, std::vector<int>>>& rolls) {
  const State& s = play.Now();
  const int target = At(s, unit).charge.target.value();
  const int group = At(s, unit).charge.group.value_or(unit);
  const double limit = s.setup->length_yd + s.setup->width_yd;
  // The players settle doubtful reach before the dice are thrown.
  const double sigma = DoubtYd(s, unit, target);
  const Field measured = play.Measure();
  const State ruled = !At(s, target).OnTable()
                          ? s
                          : play.Ruled(
                                unit, sigma,
                                [&](const State& at) {
                                  return ChargeReading(Field(at, measured, unit), unit, target);
                                },
                                [&] { return GapText(play, unit, target, sigma); }, "CF-18.2");
  std::vector<int> dice;
  const auto rolled =
      std::find_if(rolls.begin(), rolls.end(), [&](const auto& r) { return r.first == group; });
  if (rolled != rolls.end()) {
    dice = rolled->second;
  } else {
    dice = play.Roll(Info(s, unit).side, SetAt(At(s, unit).charge.set),
                     fmt::format("charge of {} at {}", play.Name(unit), play.Name(target)),
                     "CF-18.2", unit);
    rolls.push_back({group, dice});
  }
  // CF-12.9: the charge counts as its last move, whatever it rolled before.
  if (!dice.empty()) play.Set(unit, Of::kPaceNow, static_cast<int>(dice.size()));
  const Field field = play.Measure();
  const double along = At(s, target).OnTable() ? AlongToContact(field, unit, target, limit) : -1;
  if (along < 0) {
    // The target has gone: the charger moves its full roll straight ahead.
    double full = ChargeRoll(play, unit, dice, limit);
    full = OverHurdles(HurdlesAhead(field, unit, full), full);
    const double go = MoveAhead(play, unit, ShortOfOthers(field, unit, full));
    play.Set(unit, Of::kMissed, std::max(1, At(s, unit).charge.set));
    play.Tell("CF-18.3", fmt::format("{} charges {:.0f} yd: {} is no longer in front of it.",
                                     play.Name(unit), go, play.Name(target)));
    return;
  }
  Ride ride{unit, target, along, 0, 0, FlanksOf(Field(ruled), unit)};
  ride.ruled_gap = std::max(0.0, AlongToContact(Field(ruled), unit, target, limit));
  ride.yards = ChargeRoll(play, unit, dice, ride.gap);
  ride.yards = OverHurdles(HurdlesAhead(Field(ruled), unit, ride.yards), ride.yards);
  if (ride.ruled_gap <= play.Book().charge.free_from)
    ride.yards = std::max(ride.yards, ride.ruled_gap);
  if (At(s, target).charge.evasion == Evasion::kDeclared) {
    RunAfterEvader(play, ride);
  } else if (At(s, target).charge.counter && !At(s, target).charge.reached &&
             field.InFrontWedge(target, unit)) {
    MeetCounterCharge(play, ride);
  } else {
    RideHome(play, ride);
  }
}

bool PlayCharge(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  if (words.verb == "charge") {
    play.Require(s.phase == Phase::kCharges, "CF-9.2",
                 "charges are declared at the start of the Combat phase", false);
    DeclareCharge(play, words);
    return true;
  }
  if (words.verb == "counter" || words.verb == "evade" || words.verb == "receive") {
    play.Require(s.phase == Phase::kResponses, "CF-9.2",
                 "charges are answered after all charges have been declared", false);
    Respond(play, words);
    return true;
  }
  return false;
}
}  // namespace fos::closefire
