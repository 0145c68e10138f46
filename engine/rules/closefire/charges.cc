#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/combat.h"
#include "engine/rules/closefire/play.h"

// Section 18: charges, declared, answered and ridden.
namespace fos::closefire {
namespace {

using open_table::Ahead;

void CheckCharge(Play& play, int unit, int target, const DiceSet& dice, bool outrance) {
  const State& s = play.Now();
  const Unit& u = At(s, unit);
  const Field field = play.Measure();
  play.Require(u.OnTable() && At(s, target).OnTable() && Info(s, unit).side != Info(s, target).side,
               "CF-18.1", "a charge is at an enemy on the table", false);
  const bool swedes = Info(s, unit).swedish && IsFoot(s, unit) && play.Rulings().swedish_charge;
  play.Require(IsCavalry(s, unit) || swedes, "CF-18.1", "only cavalry charge");
  const Formation formation = u.As<Formation>(Of::kFormation);
  play.Require(formation != Formation::kMarch && formation != Formation::kAssault, "CF-18.1",
               play.Name(unit) + " is in column");
  play.Require(u[Of::kFascines] == 0, "CF-14.6", play.Name(unit) + " carries fascines");
  play.Require(u[Of::kSteadied] == 0, "CF-4.4", play.Name(unit) + " was steadied this turn");
  const bool must = u[Of::kMustCharge] != 0;
  const Control control = u.As<Control>(Of::kControl);
  play.Require(must || control != Control::kHalted, "CF-5.6",
               play.Name(unit) + " is halted by its control test");
  play.Require(control != Control::kRepeats || play.Rulings().repeat_may_charge, "CF-5.7",
               play.Name(unit) + " is bound to repeat its last move");
  const Conduct status = u.As<Conduct>(Of::kStatus);
  play.Require(status == Conduct::kReady, "CF-18.1",
               fmt::format("{} is {}", play.Name(unit), StatusName(status)));
  play.Require(!InCombat(s, unit), "CF-18.1", play.Name(unit) + " is in combat already");
  play.Require(u[Of::kCharging] == 0, "CF-18.1", play.Name(unit) + " has declared its charge",
               false);
  const double gap = AlongToContact(field, unit, target, s.setup->length_yd + s.setup->width_yd);
  play.Require(gap >= 0, "CF-18.2",
               fmt::format("{} does not lie straight ahead", play.Name(target)));
  play.Require(field.Sees(unit, target), "CF-18.1", play.Name(target) + " is not in sight");
  play.Require(!dice.empty() || gap <= play.Book().charge.free_from, "CF-18.2",
               fmt::format("{:.0f} yd off: at least one die", gap));
  if (swedes) {
    play.Require(IsFoot(s, target), "CF-18.8", "they charge enemy foot");
    play.Require(gap <= play.Book().charge.swedish_foot, "CF-18.8",
                 fmt::format("{:.0f} yd: {:g} at most", gap, play.Book().charge.swedish_foot));
  }
  if (!dice.empty()) {
    const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, false);
    play.Require(std::find(sets.begin(), sets.end(), dice) != sets.end(), "CF-12.2",
                 fmt::format("{} does not move by {}", play.Name(unit), DiceName(dice)), false);
    if (IsCavalry(s, unit) && play.Rulings().charge_obeys_pace && !must)
      play.Require(std::abs(static_cast<int>(dice.size()) - u[Of::kPace]) <=
                       play.Book().move.pace_change_max,
                   "CF-12.9",
                   fmt::format("{} dice after {}: the pace changes by two at most", dice.size(),
                               u[Of::kPace]));
    if (must && play.Rulings().failed_charge_same_dice)
      play.Require(
          SetIndex(dice) == u[Of::kMissed], "CF-5.8",
          fmt::format("it charges again by the same dice: {}", DiceName(SetAt(u[Of::kMissed]))));
  }
  if (outrance)
    play.Require(
        (Info(s, unit).arm == Arm::kHussars) || (Info(s, unit).new_style && IsCavalry(s, unit)),
        "CF-2.1", "new-style cavalry and hussars charge a l'outrance");
  const std::string close = field.CloseCall(gap, play.Book().charge.free_from);
  if (!close.empty()) play.Tell("CF-1.3", close + ".");
}

void DeclareCharge(Play& play, const Words& words) {
  const State& s = play.Now();
  play.Require(words.units.size() >= 2, "CF-18.1", "say who charges whom", false);
  const int target = words.units.back();
  for (std::size_t i = 0; i + 1 < words.units.size(); ++i) {
    const int unit = words.units[i];
    play.Require(Info(s, unit).side == s.to_act, "CF-18.1", "the other side names its charges now",
                 false);
    CheckCharge(play, unit, target, words.dice, words.Has("outrance"));
  }
  for (std::size_t i = 0; i + 1 < words.units.size(); ++i) {
    const int unit = words.units[i];
    play.Set(unit, Of::kCharging, target + 1);
    play.Set(unit, Of::kChargeSet, SetIndex(words.dice));
    play.Set(unit, Of::kChargeGroup, words.units.front() + 1);
    play.Set(unit, Of::kOutrance, words.Has("outrance"));
    play.Tell(words.Has("outrance") ? "CF-18.7" : "CF-18.1",
              fmt::format("{} charges {} by {}{}.", play.Name(unit), play.Name(target),
                          DiceName(words.dice), words.Has("outrance") ? ", a l'outrance" : ""));
  }
}

// The unit that charges this one; -1.
int ChargerOf(const State& s, int unit) {
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (At(s, v)[Of::kCharging] == unit + 1 && At(s, v).OnTable()) return v;
  return -1;
}

void Respond(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int charger = ChargerOf(s, unit);
  play.Require(Info(s, unit).side == s.to_act, "CF-18.4", "the other side answers now", false);
  play.Require(charger >= 0, "CF-18.4", "nobody charges " + play.Name(unit), false);
  const Unit& u = At(s, unit);
  const Field field = play.Measure();
  const double gap = AlongToContact(field, charger, unit, s.setup->length_yd + s.setup->width_yd);
  if (words.verb == "counter") {
    play.Require(IsCavalry(s, unit), "CF-18.4", "cavalry counter-charge");
    play.Require(u.As<Formation>(Of::kFormation) != Formation::kMarch, "CF-18.1", "not in column");
    play.Require(u[Of::kFascines] == 0, "CF-14.6", "not with fascines");
    play.Require(u[Of::kSteadied] == 0 || play.Rulings().steadied_may_countercharge, "CF-4.4",
                 "it was steadied");
    play.Require(u.As<Conduct>(Of::kStatus) == Conduct::kReady && !InCombat(s, unit) &&
                     u[Of::kCharging] == 0,
                 "CF-18.4", play.Name(unit) + " cannot counter-charge");
    play.Require(field.InFrontWedge(unit, charger), "CF-18.4", "it does not face the charger");
    const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, false);
    play.Require(std::find(sets.begin(), sets.end(), words.dice) != sets.end(), "CF-12.2",
                 "not by those dice", false);
    if (play.Rulings().charge_obeys_pace)
      play.Require(std::abs(static_cast<int>(words.dice.size()) - u[Of::kPace]) <=
                       play.Book().move.pace_change_max,
                   "CF-12.9", fmt::format("{} dice after {}", words.dice.size(), u[Of::kPace]));
    if (words.Has("outrance"))
      play.Require(Info(s, unit).arm == Arm::kHussars || Info(s, unit).new_style, "CF-2.1",
                   "new-style cavalry and hussars charge a l'outrance");
    play.Set(unit, Of::kCounter, 1);
    play.Set(unit, Of::kChargeSet, SetIndex(words.dice));
    play.Set(unit, Of::kOutrance, words.Has("outrance"));
    play.Tell("CF-18.4",
              fmt::format("{} counter-charges by {}.", play.Name(unit), DiceName(words.dice)));
  } else if (words.verb == "evade") {
    play.Require(IsCavalry(s, unit) && IsUnformed(s, unit) && !Info(s, unit).mixed, "CF-18.5",
                 "hussars and other unformed cavalry evade");
    play.Set(unit, Of::kEvading, 1);
    play.Tell("CF-18.5", play.Name(unit) + " evades.");
  } else {
    play.Require(IsFoot(s, unit), "CF-18.6", "foot stand to receive");
    play.Require(gap > play.Book().charge.stand_to_receive_beyond, "CF-18.6",
                 fmt::format("the charge starts {:.0f} yd off: beyond {:g} wanted", gap,
                             play.Book().charge.stand_to_receive_beyond));
    if (words.Has("about")) {
      TurnAbout(play, unit);
      play.Tell("CF-18.6", play.Name(unit) + " turns about to receive the charge.");
    } else {
      std::vector<Base> bases = field.Bases(unit);
      play.Require(bases.size() > 1, "CF-18.6", "it has one stand", false);
      Base& end = words.Has("left") ? bases.front() : bases.back();
      end = open_table::Shifted(end, -end.depth * Ahead(end.facing_deg));
      play.PlaceBases(unit, bases);
      play.Tell("CF-18.6", "An end stand of " + play.Name(unit) + " steps back.");
    }
  }
}

double ChargeRoll(Play& play, int unit, const std::vector<int>& dice) {
  const State& s = play.Now();
  const Field field = play.Measure();
  const bool rough = field.RoughUnder(field.Bases(unit));
  const Formation f = At(s, unit).As<Formation>(Of::kFormation);
  Fatigue who;
  who.rough = rough;
  who.cavalry = IsCavalry(s, unit);
  who.foot = IsFoot(s, unit);
  who.line = f == Formation::kLine;
  who.unformed = f == Formation::kUnformed;
  play.ManoeuvreDp(
      unit, FatigueDp(play.Book(), play.Rulings(), who, SetAt(At(s, unit)[Of::kChargeSet]), dice),
      rough ? "CF-13.2" : "CF-13.1", "fatigue of the charge");
  return AllowanceYd(play.Book(), {dice, At(s, unit)[Of::kInspired] > 0, rough, false});
}

void MoveAhead(Play& play, int unit, double yards) {
  const Field field = play.Measure();
  play.PlaceBases(unit, ShiftedBases(field.Bases(unit), field.FrontOf(unit).facing_deg, yards));
  if (yards > 0) play.Moved(unit);
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

// CF-20.4: the charger's front began behind the line of the target's front edge.
bool BehindFlank(const Field& field, int unit, int target) {
  if (IsUnformed(field.Game(), unit) || IsUnformed(field.Game(), target)) return false;
  const Field::Front front = field.FrontOf(target);
  return Dot(field.FrontOf(unit).centre - front.centre, Ahead(front.facing_deg)) < 0;
}
}  // namespace

// CF-18.2 to 18.5, CF-18.9: one roll for those who charge together.
void RunCharge(Play& play, int unit, std::vector<std::pair<int, std::vector<int>>>& rolls) {
  const State& s = play.Now();
  const int target = At(s, unit)[Of::kCharging] - 1;
  const int group = At(s, unit)[Of::kChargeGroup] - 1;
  std::vector<int> dice;
  const auto rolled =
      std::find_if(rolls.begin(), rolls.end(), [&](const auto& r) { return r.first == group; });
  if (rolled != rolls.end()) {
    dice = rolled->second;
  } else {
    dice =
        play.Roll(Info(s, unit).side, SetAt(At(s, unit)[Of::kChargeSet]),
                  fmt::format("charge of {} at {}", play.Name(unit), play.Name(target)), "CF-18.2");
    rolls.push_back({group, dice});
  }
  play.Set(unit, Of::kPaceNow, std::max(At(s, unit)[Of::kPaceNow], static_cast<int>(dice.size())));
  const Field field = play.Measure();
  if (!At(s, target).OnTable()) return;
  const double gap =
      std::max(0.0, AlongToContact(field, unit, target, s.setup->length_yd + s.setup->width_yd));
  const bool flank = BehindFlank(field, unit, target);
  double charge = ChargeRoll(play, unit, dice);
  if (gap <= play.Book().charge.free_from) charge = std::max(charge, gap);
  const auto miss = [&](double yards) {
    MoveAhead(play, unit, yards);
    play.Set(unit, Of::kMissed, std::max(1, At(s, unit)[Of::kChargeSet]));
    play.Tell("CF-18.3", fmt::format("{} goes {:.0f} yd and does not reach {} ({:.0f} yd).",
                                     play.Name(unit), yards, play.Name(target), gap));
  };
  if (At(s, target)[Of::kEvading] == 1) {
    const std::vector<int> fast = play.Roll(Info(s, target).side, FastDice(s, target),
                                            play.Name(target) + " evades", "CF-18.5");
    const double evade =
        AllowanceYd(play.Book(), {fast, At(s, target)[Of::kInspired] > 0, false, true});
    play.ManoeuvreDp(target, play.Book().charge.evade_dp, "CF-18.5", "evading");
    const double away = field.FrontOf(unit).facing_deg;
    const bool caught = charge >= gap + evade;
    play.Set(target, Of::kEvading, 2);
    std::vector<Base> to = ShiftedBases(field.Bases(target), away, evade);
    for (Base& base : to) base.facing_deg = open_table::WrappedBearing(away);
    play.PlaceBases(target, to);
    play.Moved(target);
    if (std::any_of(to.begin(), to.end(),
                    [&](const Base& b) { return field.OffTable(b.centre); })) {
      play.Destroy(target, Presence::kLeftTable, "CF-18.5", "evading over the edge");
      MoveAhead(play, unit, std::min(charge, gap));
      return;
    }
    if (!caught) {
      miss(charge);
      return;
    }
    MoveAhead(play, unit, gap + evade);
    play.Tell("CF-18.5", fmt::format("{} is caught.", play.Name(target)));
    Reach(play, unit, target);
    return;
  }
  if (At(s, target)[Of::kCounter] == 1 && At(s, target)[Of::kReached] == 0) {
    const std::vector<int> theirs =
        play.Roll(Info(s, target).side, SetAt(At(s, target)[Of::kChargeSet]),
                  "counter-charge of " + play.Name(target), "CF-18.4");
    play.Set(target, Of::kPaceNow,
             std::max(At(s, target)[Of::kPaceNow], static_cast<int>(theirs.size())));
    const double counter = ChargeRoll(play, target, theirs);
    const Meeting meeting = MeetingOf(gap, charge, counter);
    if (!meeting.met) {
      MoveAhead(play, target, counter);
      miss(charge);
      return;
    }
    MoveAhead(play, unit, meeting.from_charger_yd);
    MoveAhead(play, target, gap - meeting.from_charger_yd);
    play.Tell("CF-18.4", fmt::format("They meet {:.0f} yd from {}.", meeting.from_charger_yd,
                                     play.Name(unit)));
    Reach(play, unit, target);
    Reach(play, target, unit);
    return;
  }
  if (charge + open_table::kTiny < gap) {
    miss(charge);
    return;
  }
  MoveAhead(play, unit, gap);
  if (flank) play.Set(target, Of::kFlanked, 1);
  play.Tell(flank ? "CF-20.4" : "CF-18.2",
            fmt::format("{} reaches {}{}.", play.Name(unit), play.Name(target),
                        flank ? " in flank or rear" : ""));
  Reach(play, unit, target);
}
bool PlayCharge(Play& play, const Words& words) {
  const State& s = play.Now();
  if (words.verb == "charge") {
    play.Require(s.phase == Phase::kCharges, "CF-9.2",
                 "charges are declared when the Combat phase opens", false);
    DeclareCharge(play, words);
    return true;
  }
  if (words.verb == "counter" || words.verb == "evade" || words.verb == "receive") {
    play.Require(s.phase == Phase::kResponses, "CF-9.2",
                 "answers come when the charges have been named", false);
    Respond(play, words);
    return true;
  }
  return false;
}
}  // namespace fos::closefire
