// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/repeating.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace fos::closefire {

bool CanRepeat(const State& s, int unit) {
  const LastMove last = At(s, unit).pace.kind;
  if (last == LastMove::kStood || last == LastMove::kManoeuvre) return false;
  if (last == LastMove::kRetired) return At(s, unit).body.conduct == Conduct::kRetiring;
  if (last == LastMove::kRoad) {
    const Formation now = At(s, unit).body.formation;
    return now == Formation::kMarch || now == Formation::kLimbered;
  }
  if (last != LastMove::kAhead && last != LastMove::kInclineLeft && last != LastMove::kInclineRight)
    return true;
  const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, false);
  return std::find(sets.begin(), sets.end(), SetAt(At(s, unit).pace.set)) != sets.end();
}
void MadeMove(Play& play, int unit, LastMove kind) {
  const LastMove before = At(play.Now(), unit).pace.kind_now;
  if (before == LastMove::kStood || before == LastMove::kManoeuvre)
    play.Set(unit, Of::kKindNow, kind);
}

namespace {

// The verbs with which a unit repeats its last move, and the words for the move.
struct Repeating {
  std::vector<std::string_view> verbs;
  std::string_view flag;  // left, right or back
  std::string_view says;
};
Repeating RepeatingOf(LastMove last) {
  const std::vector<std::string_view> ahead = {"roll", "ahead", "go", "cross", "gap", "halt"};
  const auto incline = [&](std::string_view side, std::string_view says) {
    Repeating out{ahead, side, says};
    out.verbs.push_back("incline");
    return out;
  };
  switch (last) {
    case LastMove::kInclineLeft:
      return incline("left", "inclines to the left again");
    case LastMove::kInclineRight:
      return incline("right", "inclines to the right again");
    case LastMove::kStepLeft:
      return {{"step"}, "left", "steps to the left again"};
    case LastMove::kStepRight:
      return {{"step"}, "right", "steps to the right again"};
    case LastMove::kStepBack:
      return {{"step"}, "back", "steps back again"};
    case LastMove::kRoad:
      return {{"road"}, "", "moves by road again"};
    case LastMove::kByHand:
      return {{"go"}, "", "moves by hand again"};
    case LastMove::kRetired:
      return {{"retire"}, "", "goes on retiring"};
    default:
      return {ahead, "", "moves straight ahead again"};
  }
}

// Whether a unit could repeat a move without dice, by as little as a yard.
bool CouldRepeat(const Play& play, int unit) {
  const LastMove last = At(play.Now(), unit).pace.kind;
  const Repeating move = RepeatingOf(last);
  const Field field = play.Measure();
  const Vec2 on = field.Centre(unit) + open_table::Ahead(field.FrontOf(unit).facing_deg);
  ParsedLine words;
  words.verb = move.verbs.front();
  words.units = {unit};
  if (last == LastMove::kRoad || last == LastMove::kByHand) {
    words.numbers = {on.x, on.y};
  } else {
    words.numbers = {1};
    words.flags = {std::string(move.flag)};
  }
  State trial = play.Now();
  std::vector<Event> events;
  Play again(trial, events, {}, false);
  try {
    PlayMove(again, words);
  } catch (const NotAllowed&) {
    return false;
  }
  return true;
}

}  // namespace

// CF-5.7: the same kind of move, by the same dice.
void RequireRepeated(Play& play, const ParsedLine& words) {
  // Each leg of a `seen` move is checked on its own.
  if (words.verb == "seen") return;
  for (const int u : words.units) {
    const Unit& unit = At(play.Now(), u);
    if (unit.obeys.control != Control::kRepeats) continue;
    const Repeating move = RepeatingOf(unit.pace.kind);
    const bool known =
        std::find(move.verbs.begin(), move.verbs.end(), words.verb) != move.verbs.end();
    const bool sideways = words.verb == "incline" || words.verb == "step";
    // Straight ahead. A unit that must incline does that first.
    const bool straight =
        words.verb != "ahead" || ((words.numbers.size() < 2 || words.numbers[1] == 0) &&
                                  (move.flag.empty() || unit.pace.kind_now == unit.pace.kind));
    play.Require(known && straight && (!sideways || words.Has(move.flag)), "CF-5.7", [&] {
      return fmt::format("{} must repeat its last move: it {}", play.Name(u), move.says);
    });
  }
}

void RequireRepeatMade(Play& play, int u) {
  const State& s = play.Now();
  const Unit& unit = At(s, u);
  if (unit.obeys.control == Control::kRepeats && CanRepeat(s, u) &&
      unit.pace.kind_now == LastMove::kStood) {
    const LastMove last = unit.pace.kind;
    const bool by_dice = RepeatingOf(last).verbs.front() == "roll";
    play.Require(by_dice ? unit.march.set != 0 : !CouldRepeat(play, u), "CF-5.7", [&] {
      return fmt::format("{} must repeat its last move: it {}{}", play.Name(u),
                         RepeatingOf(last).says,
                         by_dice ? " with " + DiceInWords(SetAt(unit.pace.set)) : "");
    });
  }
}

}  // namespace fos::closefire
