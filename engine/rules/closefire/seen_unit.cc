// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "engine/rules/closefire/moving.h"
#include "engine/table/counted.h"

// Explains the new place of a unit seen by the camera as a wheel, incline, about-face or advance,
// with the dice it needs and the DPs it costs. If no legal manoeuvre leads there, the refusal names
// the clause.
namespace fos::closefire {
namespace {

using open_table::Ahead;
using open_table::Rightward;

// The precision of a player's hand, on top of the camera's error.
constexpr double kHand_yd = 1;

struct Leg {
  ParsedLine words;
  std::string line;
};
using Legs = std::vector<Leg>;

class Explainer {
 public:
  Explainer(const State& s, int unit, const ParsedLine& seen)
      : s_(s), field_(s), unit_(unit), front_(field_.FrontOf(unit)) {
    to_ = {seen.numbers[0], seen.numbers[1]};
    facing_ = open_table::WrappedBearing(seen.numbers[2]);
    turn_ = facing_ - front_.facing_deg;
    while (turn_ > 180) turn_ -= 360;
    while (turn_ <= -180) turn_ += 360;
    tolerance_ = kHand_yd + 2 * Yd(At(s, unit).body.doubt_milli_yd);
    straight_deg_ =
        std::atan2(tolerance_, std::max(1.0, front_.width / 2)) * 180 / std::numbers::pi;
    for (const char* form : {"line", "march", "assault"})
      if (seen.Has(form)) formation_ = form;
  }

  // Candidate explanations, the plainest first.
  std::vector<Legs> Ways() const {
    std::vector<Legs> out;
    const bool on_its_place = Distance(front_.centre, to_) <= tolerance_;
    const bool straight = std::abs(turn_) <= straight_deg_;
    if (!formation_.empty()) {
      for (const char* flank : {"", "left", "right"}) {
        const double by = *flank == 0 ? 0 : *flank == 'l' ? -90 : 90;
        if (std::abs(turn_ - by) > straight_deg_) continue;
        Legs legs = {Form(flank)};
        if (Continue(legs, front_.centre, facing_)) out.push_back(std::move(legs));
      }
      return out;
    }
    if (on_its_place && straight) return std::vector<Legs>(1);
    const State& s = s_;
    if (IsGun(s, unit_) && At(s, unit_).body.formation == Formation::kUnlimbered && !straight)
      out.push_back({Turn("pivot", std::abs(turn_))});
    if (IsUnformed(s, unit_) || UpTo(s, unit_)) {
      const Vec2 back = field_.Centre(unit_) - front_.centre;
      const Vec2 centre = to_ + Dot(back, Ahead(front_.facing_deg)) * Ahead(facing_) +
                          Dot(back, Rightward(front_.facing_deg)) * Rightward(facing_);
      // CF-12.8: a gun that is moved by hand does not turn.
      const bool by_hand = At(s, unit_).body.formation == Formation::kUnlimbered && straight;
      out.push_back({by_hand ? Line("go", {centre.x, centre.y}, {})
                             : Line("go", {centre.x, centre.y, facing_}, {})});
      return out;
    }
    if (straight) {
      Legs legs;
      if (Continue(legs, front_.centre, front_.facing_deg)) out.push_back(std::move(legs));
      const double ahead = Dot(to_ - front_.centre, Ahead(front_.facing_deg));
      const double right = Dot(to_ - front_.centre, Rightward(front_.facing_deg));
      if (ahead > 0 && std::abs(right) > tolerance_)
        out.push_back({Line("incline", {std::abs(right), ahead}, {right < 0 ? "left" : "right"})});
      if (std::abs(ahead) <= tolerance_)
        out.push_back({Line("step", {std::abs(right)}, {right < 0 ? "left" : "right"})});
      if (ahead < 0 && std::abs(right) <= tolerance_)
        out.push_back({Line("step", {-ahead}, {"back"})});
    } else if (180 - std::abs(turn_) <= straight_deg_) {
      // After an about-face the rear becomes the front.
      double depth = 0;
      for (const Base& base : field_.Bases(unit_))
        for (const Vec2 corner : open_table::Outline(base))
          depth = std::max(depth, Dot(front_.centre - corner, Ahead(front_.facing_deg)));
      Legs legs = {Line("about", {}, {})};
      if (Continue(legs, front_.centre - depth * Ahead(front_.facing_deg), front_.facing_deg + 180))
        out.push_back(std::move(legs));
    } else {
      for (const bool back : {false, true}) {
        // The pivot: the right end for a wheel ahead to the right, the other end for a backward
        // wheel.
        const double side = ((turn_ > 0) != back ? 0.5 : -0.5) * front_.width;
        const Leg wheel = Turn(back ? "wheelback" : "wheel", std::abs(turn_));
        const Vec2 wheeled =
            front_.centre + side * Rightward(front_.facing_deg) - side * Rightward(facing_);
        Legs first = {wheel};
        if (Continue(first, wheeled, facing_)) out.push_back(std::move(first));
        const Vec2 before = to_ + side * Rightward(facing_) - side * Rightward(front_.facing_deg);
        if (auto leg = Straight(front_.centre, before, front_.facing_deg))
          out.push_back({*leg, wheel});
      }
    }
    return out;
  }

 private:
  Leg Line(std::string verb, std::vector<double> numbers, std::vector<std::string> flags) const {
    Leg leg;
    leg.words.verb = verb;
    leg.words.units = {unit_};
    leg.words.numbers = numbers;
    leg.words.flags = flags;
    leg.line = verb;
    for (const std::string& flag : flags) leg.line += " " + flag;
    for (const double number : numbers) leg.line += fmt::format(" {:.1f}", number);
    return leg;
  }
  Leg Turn(const char* verb, double deg) const {
    return Line(verb, {deg}, {turn_ < 0 ? "left" : "right"});
  }
  Leg Form(const std::string& flank) const {
    Leg leg = Line("form", {}, {formation_});
    if (!flank.empty()) leg = Line("form", {}, {formation_, flank});
    return leg;
  }
  // A leg ahead within the angle of CF-11.6; a leg of length 0 if the unit is already there.
  std::optional<Leg> Straight(Vec2 from, Vec2 to, double facing) const {
    const double yards = Distance(from, to);
    const double ahead = Dot(to - from, Ahead(facing));
    const double right = Dot(to - from, Rightward(facing));
    if (yards <= tolerance_ || ahead <= 0) return std::nullopt;
    // A sideways shift within a hand's precision counts as straight ahead.
    if (std::abs(right) <= tolerance_) return Line("ahead", {ahead}, {});
    const double most = s_.Book().move.direction_deg;
    const double off = std::atan2(std::abs(right), ahead) * 180 / std::numbers::pi;
    const double slack = std::atan2(tolerance_, yards) * 180 / std::numbers::pi;
    if (off > most + slack) return std::nullopt;
    return Line("ahead", {yards, std::min(off, most)}, {right < 0 ? "left" : "right"});
  }
  bool Continue(Legs& legs, Vec2 from, double facing) const {
    if (Distance(from, to_) <= tolerance_) return !legs.empty();
    const auto leg = Straight(from, to_, facing);
    if (leg) legs.push_back(*leg);
    return leg.has_value();
  }

  const State& s_;
  Field field_;
  int unit_;
  Field::Front front_;
  Vec2 to_;
  double facing_ = 0, turn_ = 0, tolerance_ = 0, straight_deg_ = 0;
  std::string formation_;
};

std::string InWords(const Legs& legs) {
  std::string out;
  for (const Leg& leg : legs) out += (out.empty() ? "" : ", ") + leg.line;
  return out;
}

struct Trial {
  std::optional<Refusal> refused;
  double yards = 0;  // of its dice
  int dp = 0;
};
// Tries it with the dice that were thrown, or as if there were no limit if none were.
Trial Try(State s, int unit, const Legs& legs) {
  constexpr double kEndless_yd = 1e5;
  std::vector<Event> events;
  Play play(s, events, {}, false);
  const bool rolled = At(s, unit).march.set != 0;
  if (!rolled) {
    const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, false);
    play.Set(unit, Of::kRolled, sets.empty() ? 0 : SetIndex(sets.front()));
    play.Set(unit, Of::kFullMilliYd, Milli(kEndless_yd));
    play.Set(unit, Of::kAllowanceMilliYd, Milli(kEndless_yd));
  }
  const int dp = At(s, unit).body.dp;
  const int halves = At(s, unit).march.halves;
  const double left = LeftYd(s, unit);
  Trial out;
  try {
    for (const Leg& leg : legs) {
      // Whole-move manoeuvres need no dice.
      if (!rolled && (leg.words.verb == "step" || leg.words.verb == "pivot"))
        play.Set(unit, Of::kRolled, 0);
      PlayMove(play, leg.words);
    }
  } catch (const NotAllowed& no) {
    out.refused = no.refusal;
  } catch (const NeedsAnswer&) {
  }
  const int half = At(s, unit).march.halves - halves;
  const double full = Yd(At(s, unit).march.full_milli_yd);
  const double legs_yd = left - LeftYd(s, unit) - half * full / 2;
  out.yards = half == 1 ? 2 * legs_yd : legs_yd;
  out.dp = At(s, unit).body.dp - dp;
  return out;
}

// CF-14.6: crosses each obstacle on the way for half a move.
Trial TryAcross(const State& s, int unit, Legs& legs) {
  Trial trial = Try(s, unit, legs);
  Legs across = legs;
  for (int halves = 0; halves < 2 && trial.refused && trial.refused->clause == "CF-14.6";
       ++halves) {
    const auto goes = std::find_if(across.begin(), across.end(), [](const Leg& leg) {
      return leg.words.verb == "ahead" || leg.words.verb == "go" || leg.words.verb == "incline";
    });
    Leg cross;
    cross.line = cross.words.verb = "cross";
    cross.words.units = {unit};
    across.insert(goes, cross);
    trial = Try(s, unit, across);
    if (!trial.refused) legs = across;
  }
  return trial;
}

}  // namespace

SeenWay ExplainSeen(const State& s, const ParsedLine& words) {
  const int unit = words.units[0];
  SeenWay out;
  out.where =
      fmt::format("{} was seen at ({:.0f}, {:.0f}) facing {:.0f}", UnitName(s, unit),
                  words.numbers[0], words.numbers[1], open_table::WrappedBearing(words.numbers[2]));
  std::vector<Legs> ways = Explainer(s, unit, words).Ways();
  if (ways.empty()) {
    out.refused =
        Refusal{"CF-11.6",
                out.where + ": no advance, wheel, incline, step or about-face leads there", false};
    return out;
  }
  if (ways.front().empty()) return out;
  std::optional<std::size_t> best;
  std::vector<Trial> trials;
  for (Legs& legs : ways) {
    trials.push_back(TryAcross(s, unit, legs));
    const Trial& trial = trials.back();
    if (trial.refused) continue;
    const auto cost = [](const Trial& t) { return std::pair(t.dp, t.yards); };
    if (!best || cost(trial) < cost(trials[*best])) best = trials.size() - 1;
  }
  const std::size_t which = best.value_or(0);
  const Legs& legs = ways[which];
  const Trial& trial = trials[which];
  out.how = InWords(legs);
  for (const Leg& leg : legs) out.legs.push_back(leg.words);
  if (trial.refused) {
    out.refused =
        Refusal{trial.refused->clause,
                fmt::format("{}: {}: {}", out.where, out.how, trial.refused->because), false};
    return out;
  }
  out.yards = trial.yards;
  out.dp = trial.dp;
  const std::string& first = legs.front().words.verb;
  out.without_dice = first == "step" || first == "pivot" ||
                     (legs.size() == 1 && first == "form" && trial.yards < 0.05);
  return out;
}

void Seen(Play& play, const ParsedLine& words) {
  const int unit = words.units[0];
  RequireMine(play, unit);
  const SeenWay way = ExplainSeen(play.Now(), words);
  if (way.refused)
    play.Require(
        false, way.refused->clause, [&] { return way.refused->because; }, false);
  if (way.legs.empty()) {
    play.Tell("CF-11.6", way.where + ": it has not moved.");
    return;
  }
  const std::string how = fmt::format("{}: {}; it needs {:.1f} yd of its dice and costs {}",
                                      way.where, way.how, way.yards, Counted(way.dp, "DP"));
  if (At(play.Now(), unit).march.set == 0 && !way.without_dice)
    play.Require(
        false, "CF-11.2", [&] { return how + ": `roll` first"; }, false);
  play.Tell("CF-11.6", how + ".");
  for (const ParsedLine& leg : way.legs) PlayMove(play, leg);
}

}  // namespace fos::closefire
