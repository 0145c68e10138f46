// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/control.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "engine/rules/closefire/moving.h"

namespace fos::closefire {

bool TestsBeyondControl(const Unit& unit) {
  const Conduct status = unit.body.conduct;
  return status == Conduct::kRouting || status == Conduct::kPursuing || status == Conduct::kLooting;
}

namespace {
bool Conforms(const Field& field, int unit) {
  const std::optional<UnitId> lead = LeadOf(At(field.Game(), unit));
  return lead && field.Controlled(*lead);
}
}  // namespace

bool Tests(const Field& field, int unit) {
  const State& s = field.Game();
  const Unit& u = At(s, unit);
  if (!u.OnTable() || (s.Rulings().combat_exempt_from_control && InCombat(s, unit))) return false;
  if (TestsBeyondControl(u)) return u.obeys.wants_stop;
  return u.charge.missed_set != 0 || (!field.Controlled(unit) && !Conforms(field, unit));
}

int ControlReach(const State& s, int unit) {
  int reach = IsGun(s, unit) || Info(s, unit).grade <= Grade::kB ? 1 : 0;
  for (int l = 0; l < static_cast<int>(s.leaders.size()); ++l)
    if (LeaderAt(s, l).Present() && LeaderAt(s, l).attached == unit && InChain(s, l, unit))
      return reach + 1;
  return reach;
}

// CF-5.5.
Sum ControlSum(const State& s, int unit, int die, int shift) {
  const Conduct status = At(s, unit).body.conduct;
  const bool running = status == Conduct::kRouting || status == Conduct::kPursuing;
  Sum sum;
  sum.Add("die", die);
  sum.Add("routing, pursuing or charging",
          running || At(s, unit).charge.missed_set != 0 ? s.Book().control.state_modifier : 0);
  sum.Add("player's choice", shift);
  return sum;
}

std::string_view ControlWord(const State& s, int unit, ControlResult result) {
  const bool must_go_on = TestsBeyondControl(At(s, unit));
  if (result == ControlResult::kFree)
    return must_go_on ? "it stops and may re-form" : "it is free to act";
  if (must_go_on) return "it continues";
  if (At(s, unit).charge.missed_set != 0) return "it must charge again";
  if (result == ControlResult::kLow) return "it halts";
  return CanRepeat(s, unit) ? "it repeats its last move"
                            : "it halts, because it did not move last turn";
}

namespace {

// CF-5.5: the control test of one unit.
void Test(Play& play, int unit) {
  const State& s = play.Now();
  const int side = Info(s, unit).side;
  const bool missed = At(s, unit).charge.missed_set != 0;
  const int reach = ControlReach(s, unit);
  std::vector<std::string> words;
  for (int shift = -reach; shift <= reach; ++shift) words.push_back(fmt::format("{:+d}", shift));
  const auto ask = [&] {
    if (words.size() == 1) return 0;
    const std::size_t picked = play.Choose(
        side, words, fmt::format("what does {} add to its control test?", play.Name(unit)),
        "CF-5.5");
    return static_cast<int>(picked) - reach;
  };
  int shift = 0;
  if (!missed && !TestsBeyondControl(At(s, unit)))
    play.Tell("CF-5.4",
              fmt::format("{} must test: it is under no leader's control.", play.Name(unit)));
  if (!play.Rulings().control_after_roll) shift = ask();
  const int die =
      play.Roll(side, {Die::kD6}, "control test of " + play.Name(unit), "CF-5.5", unit).front();
  if (play.Rulings().control_after_roll) shift = ask();
  const Sum sum = ControlSum(s, unit, die, shift);
  const int total = sum.Total();
  play.Tell("CF-5.5", fmt::format("{}, control test: {}.", play.Name(unit), sum.Text()));
  const ControlResult result = ControlOf(play.Book(), total);
  const bool must_go_on = TestsBeyondControl(At(s, unit));
  const std::string becomes(ControlWord(s, unit, result));
  const auto says = [&](const char* clause) {
    play.Tell(clause, fmt::format("{}, control test {}: {}.", play.Name(unit), total, becomes));
  };
  if (result == ControlResult::kFree) {
    play.Set(unit, Of::kControl, Control::kFree);
    play.Set(unit, Of::kMissed, 0);
    if (must_go_on) play.StandFast(unit);
    says(must_go_on ? "CF-5.8" : "CF-5.5");
    return;
  }
  if (must_go_on) {
    play.Set(unit, Of::kControl, Control::kContinues);
    says("CF-5.8");
  } else if (missed) {
    play.Set(unit, Of::kMustCharge, 1);
    play.Set(unit, Of::kControl, Control::kHalted);
    says("CF-5.8");
  } else if (result == ControlResult::kLow) {
    play.Set(unit, Of::kControl, Control::kHalted);
    says("CF-5.6");
  } else {
    const bool stood = !CanRepeat(s, unit);
    play.Set(unit, Of::kControl, stood ? Control::kHalted : Control::kRepeats);
    says("CF-5.7");
  }
}

// CF-1.3, CF-5.1: reports detached leaders whose control radius ends within a yard of the unit.
void NoteRadii(Play& play, const Field& field, int unit) {
  const State& s = play.Now();
  for (int l = 0; l < static_cast<int>(s.leaders.size()); ++l)
    if (LeaderAt(s, l).Present() && !LeaderAt(s, l).attached.has_value() && field.InChain(l, unit))
      play.NoteClose(
          [&] { return play.LeaderName(l) + " to " + play.Name(unit); }, field.GapToLeader(unit, l),
          s.Book().leader.control_radius[static_cast<std::size_t>(LeaderInfoOf(s, l).rank)]);
}

// CF-5.1: tells which units each leader of the side controls.
void TellControlled(Play& play, const Field& field, int side) {
  const State& s = play.Now();
  std::map<LeaderId, std::string> names;
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (!At(s, u).OnTable() || Info(s, u).side != side) continue;
    if (const std::optional<LeaderId> leader = field.ControllerOf(u)) {
      std::string& of = names[*leader];
      of += (of.empty() ? "" : "; ") + play.Name(u);
    }
  }
  for (const auto& [leader, units] : names)
    play.Tell("CF-5.1", fmt::format("{} controls {}.", play.LeaderName(leader), units));
}

// How many units of the roster have had their control tests.
struct TestsSoFar {
  int next = 0;
};

}  // namespace

// CF-5.4, CF-9.3.
void EndCommand(Play& play, int side) {
  const State& s = play.Now();
  const Field field = play.Measure();  // nothing moves here
  const std::optional<TestsSoFar> before = play.Resumed<TestsSoFar>();
  if (!before) TellControlled(play, field, side);
  for (int u = before ? before->next : 0; u < static_cast<int>(s.units.size()); ++u) {
    play.Keep(TestsSoFar{u});
    const Unit& unit = At(s, u);
    if (!unit.OnTable() || Info(s, u).side != side) continue;
    const std::optional<UnitId> lead = LeadOf(unit);
    // CF-11.5: conforming units move on the roll of the unit they conform to.
    play.Set(u, Of::kControlledBy, field.ControllerOf(field.Controlled(u) || !lead ? u : *lead));
    NoteRadii(play, field, u);
    if (Tests(field, u)) {
      Test(play, u);
    } else if (TestsBeyondControl(unit)) {
      play.Set(u, Of::kControl, Control::kContinues);
    } else if (field.Controlled(u)) {
      play.Set(u, Of::kControl, Control::kControlled);
    } else {
      play.Set(u, Of::kControl, Conforms(field, u) ? Control::kConforming : Control::kFree);
    }
  }
}

}  // namespace fos::closefire
