// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/forecast_moves.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/charge_reach.h"
#include "engine/rules/closefire/combat.h"
#include "engine/rules/closefire/control.h"
#include "engine/rules/closefire/doubt.h"
#include "engine/rules/closefire/forecast_parts.h"
#include "engine/rules/closefire/referee.h"
#include "engine/rules/closefire/room.h"
#include "engine/table/counted.h"
#include "engine/table/sentence.h"

namespace fos::closefire {
namespace {

using MaybeForecast = std::optional<fos::Forecast>;

void AddChance(const std::string& what, double chance, fos::Forecast& out) {
  for (auto& [word, sum] : out.chances)
    if (word == what) {
      sum += chance;
      return;
    }
  out.chances.emplace_back(what, chance);
}

std::string WithDp(const std::string& what, int dp) {
  return dp == 0 ? what : what + ", " + Counted(dp, "DP");
}

// Adds the fixed yards of a roll, whatever the dice show (CF-12.3, 12.4, 12.6).
void AddYards(const Tables& book, const Roll& roll, fos::Forecast& out) {
  const auto add = [&](bool is, double each, const char* what, const char* clause) {
    const double yards = each * static_cast<double>(roll.dice.size());
    if (!is || yards == 0) return;
    out.items.push_back({0, fmt::format("{:+g} {}", yards, what), yards, clause});
    out.totals[0] += yards;
  };
  add(roll.inspired, book.move.per_die_inspired, "inspired", "CF-12.3");
  add(roll.rough, book.move.per_die_rough, "rough going", "CF-12.4");
  add(roll.first_fast, book.move.per_die_fast_initial, "first fast move", "CF-12.6");
}

// CF-11.2, 12, 13.
MaybeForecast OfRoll(const State& s, const ParsedLine& words) {
  if (words.units.empty() || words.dice.empty()) return std::nullopt;
  const Field field(s);
  std::vector<std::vector<int>> rolls = RollsOf(s.Book(), words.dice);
  // CF-11.5: the dice that the brigade has already thrown.
  if (const auto lying = BrigadeRollOf(field, words.units.front())) {
    const auto read = lying->Read(words.dice);
    if (!read) return std::nullopt;
    rolls = {*read};
  }
  const double each = 1.0 / static_cast<double>(rolls.size());
  fos::Forecast out;
  out.unit = "yards";
  for (const int unit : words.units) {
    if (!At(s, unit).OnTable()) return std::nullopt;
    std::vector<double> yards;
    for (const std::vector<int>& faces : rolls) {
      const Thrown thrown = ThrownFor(field, unit, faces, words.Has("double"));
      yards.push_back(thrown.yards);
      const int dp = ManoeuvreDpTaken(
          s, unit,
          FatigueDp(s.Book(), s.Rulings(), FatigueOf(s, unit, thrown.rough), words.dice, faces));
      const std::string who = words.units.size() > 1 ? UnitName(s, unit) + ": " : "";
      AddChance(who + (dp == 0 ? "no DP" : Counted(dp, "DP") + " of fatigue"), each, out);
      if (&faces != &rolls.front()) continue;
      if (unit == words.units.front()) AddYards(s.Book(), thrown.roll, out);
      if (thrown.doubled) out.outcomes.push_back(Capitalised(UnitName(s, unit) + " moves double."));
    }
    std::sort(yards.begin(), yards.end());
    out.outcomes.push_back(fmt::format("{}: {:g} to {:g} yd, half the time {:g} or more.",
                                       Capitalised(UnitName(s, unit)), yards.front(), yards.back(),
                                       yards[yards.size() / 2]));
  }
  WriteSentence("move with " + DiceInWords(words.dice), out);
  return out;
}

// The readings of a charge that the players are asked about before its dice, or the one they chose,
// with the gap of each. A gap below zero: it never reaches.
struct Ruled {
  double sigma_yd = 0;
  std::vector<Reading> readings;
  std::vector<double> gaps_yd;
};
// pick  the reading that the players chose; -1 before they have.
Ruled RulingsOf(const State& s, int unit, int target, const DiceSet& set, int pick) {
  Ruled out;
  out.sigma_yd = DoubtYd(s, unit, target);
  State declared = s;
  declared.units[static_cast<std::size_t>(unit)].Put(Of::kChargeSet, SetIndex(set));
  out.readings = ReadingsOf(declared, unit, out.sigma_yd, [&](const State& at) {
    return ChargeReading(Field(at), unit, target);
  });
  if (pick >= 0 && static_cast<std::size_t>(pick) < out.readings.size())
    out.readings = {out.readings[static_cast<std::size_t>(pick)]};
  for (const Reading& reading : out.readings)
    out.gaps_yd.push_back(GapAhead(Field(Displaced(s, unit, reading.by)), unit, target));
  return out;
}

// CF-18.2, and CF-18.4 or 18.5 by the target's answer. Rolls on which the readings of an uncertain
// gap differ are too close to call.
// seen_from  whose fatigue is shown: the charger's, or that of the target that answers.
// pick       the reading that the players chose; -1 before they have.
MaybeForecast OfCharge(const State& s, int unit, int target, const DiceSet& set, int seen_from,
                       int pick = -1) {
  if (unit < 0 || target < 0 || !At(s, unit).OnTable() || !At(s, target).OnTable())
    return std::nullopt;
  const Field field(s);
  const double gap = GapAhead(field, unit, target);
  if (gap < 0) return std::nullopt;
  const Ruled ruled = RulingsOf(s, unit, target, set, pick);
  const auto certain = [&](double yards) { return yards <= s.Book().charge.free_from; };
  const bool counters = At(s, target).charge.counter && !At(s, target).charge.reached;
  const bool evades = At(s, target).charge.evasion == Evasion::kDeclared;
  // The target's yards and DPs of fatigue, with their chances.
  std::map<std::pair<double, int>, double> theirs;
  const double away = field.FrontOf(unit).facing_deg;
  if (counters) {
    const DiceSet& dice = SetAt(At(s, target).charge.set);
    const auto rolls = RollsOf(s.Book(), dice);
    for (const std::vector<int>& faces : rolls) {
      const Charged ride = ChargeOf(field, target, dice, faces, gap);
      const double yards = OverHurdles(HurdlesAhead(field, target, ride.yards), ride.yards);
      theirs[{yards, ManoeuvreDpTaken(s, target, ride.dp)}] +=
          1.0 / static_cast<double>(rolls.size());
    }
  } else if (evades) {
    const auto rolls = RollsOf(s.Book(), FastDice(s, target));
    for (const std::vector<int>& faces : rolls) {
      const double thrown = RoughOnTheWay(field, target, away,
                                          {faces, At(s, target).obeys.inspired > 0, false, true});
      theirs[{EvadeRoom(field, target, away, thrown),
              ManoeuvreDpTaken(s, target, s.Book().charge.evade_dp)}] +=
          1.0 / static_cast<double>(rolls.size());
    }
  } else {
    theirs[{0, 0}] = 1;
  }
  fos::Forecast out;
  out.unit = "yards";
  const auto rolls = RollsOf(s.Book(), set);
  for (const std::vector<int>& faces : rolls) {
    const Charged ride = ChargeOf(field, unit, set, faces, gap);
    if (&faces == &rolls.front()) AddYards(s.Book(), ride.roll, out);
    const double rode = OverHurdles(HurdlesAhead(field, unit, ride.yards), ride.yards);
    const int own = ManoeuvreDpTaken(s, unit, ride.dp);
    for (const auto& [other, chance] : theirs) {
      const auto meets = [&, went = other.first](double to_go) {
        if (to_go < 0) return false;
        const double yards = certain(to_go) ? std::max(rode, to_go) : rode;
        return counters ? MeetingOf(to_go, yards, went).met
               : evades ? yards >= to_go + went
                        : yards + open_table::kTiny >= to_go;
      };
      const auto met = std::count_if(ruled.gaps_yd.begin(), ruled.gaps_yd.end(), meets);
      const char* what = met == 0 ? (counters ? "no contact"
                                     : evades ? "it gets away"
                                              : "falls short")
                         : met < static_cast<std::ptrdiff_t>(ruled.gaps_yd.size())
                             ? "too close to call"
                         : counters ? "they meet"
                         : evades   ? "it is caught"
                                    : "reaches";
      AddChance(WithDp(what, seen_from == unit ? own : other.second),
                chance / static_cast<double>(rolls.size()), out);
    }
  }
  const std::string doubt =
      ruled.sigma_yd > 0 ? fmt::format(" +/- {:.1f}", 1.96 * ruled.sigma_yd) : "";
  out.items.push_back(
      {1, fmt::format("{:+.1f}{} yd to {}", gap, doubt, UnitName(s, target)), gap, "CF-18.2"});
  out.totals[1] = gap;
  if (ruled.readings.size() > 1) {
    std::string says;
    for (const Reading& reading : ruled.readings)
      says += (says.empty() ? "" : "; or ") + reading.says;
    out.outcomes.push_back("Too close to call. The players rule before the dice: " + says + ".");
  }
  if (std::all_of(ruled.gaps_yd.begin(), ruled.gaps_yd.end(),
                  [&](double yards) { return yards >= 0 && certain(yards); }))
    out.outcomes.emplace_back("Contact is certain from 20 yd or less.");
  WriteSentence(fmt::format("charge of {} at {}", UnitName(s, unit), UnitName(s, target)), out);
  return out;
}

// The charge as if the target had already given this answer.
MaybeForecast OfAnswer(const State& s, const ParsedLine& words) {
  const int unit = words.units[0];
  const std::optional<int> charging = ChargerOf(s, unit);
  if (!charging) return std::nullopt;
  const int charger = *charging;
  State answered = s;
  Unit& answers = answered.units[static_cast<std::size_t>(unit)];
  if (words.verb == "counter") {
    answers.charge.counter = true;
    answers.charge.set = SetIndex(words.dice);
  } else {
    answers.charge.evasion = Evasion::kDeclared;
  }
  MaybeForecast out = OfCharge(answered, charger, unit, SetAt(At(s, charger).charge.set), unit);
  // The sums are the charger's, so the sides are swapped.
  if (out) {
    for (SumItem& item : out->items) item.who = 1 - item.who;
    std::swap(out->totals[0], out->totals[1]);
  }
  return out;
}

// CF-5.5: a player who chooses after the throw frees the unit whenever he can.
ControlResult ResultOf(const State& s, int unit, int die, std::optional<int> chosen) {
  const int reach = ControlReach(s, unit);
  if (!chosen)
    for (int shift = -reach; shift <= reach; ++shift)
      if (ControlOf(s.Book(), ControlSum(s, unit, die, shift).Total()) == ControlResult::kFree)
        return ControlResult::kFree;
  return ControlOf(s.Book(), ControlSum(s, unit, die, chosen.value_or(0)).Total());
}

void AddControl(const State& s, int unit, std::optional<int> chosen, const std::string& who,
                fos::Forecast& out) {
  for (int die = 1; die <= 6; ++die)
    AddChance(who + std::string(ControlWord(s, unit, ResultOf(s, unit, die, chosen))), 1 / 6.0,
              out);
}

MaybeForecast OfControl(const State& s, int unit) {
  fos::Forecast out;
  std::optional<int> chosen;
  // When the choice comes before the throw, the player has already made it.
  if (!s.Rulings().control_after_roll && ControlReach(s, unit) > 0 && s.waiting &&
      !s.waiting->answers.empty())
    chosen = s.waiting->answers.back().choice - ControlReach(s, unit);
  const Sum sum = ControlSum(s, unit, 0, chosen.value_or(0));
  AddItems(sum, 0, "", "CF-5.5", out);
  out.totals[0] = sum.Total();
  if (!chosen && ControlReach(s, unit) > 0)
    out.outcomes.push_back(fmt::format("Its player may then add {0:+d} to {1:+d}.",
                                       -ControlReach(s, unit), ControlReach(s, unit)));
  AddControl(s, unit, chosen, "", out);
  WriteSentence("control test of " + UnitName(s, unit), out);
  return out;
}

// All units that will test when the side ends its Command phase.
MaybeForecast OfTests(const State& s, int side) {
  const Field field(s);
  fos::Forecast out;
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u)
    if (Info(s, u).side == side && Tests(field, u))
      AddControl(s, u, std::nullopt, UnitName(s, u) + ": ", out);
  if (out.chances.empty()) return std::nullopt;
  WriteSentence("control tests", out);
  return out;
}

}  // namespace

MaybeForecast OfMoves(const State& s, const ParsedLine& words) {
  if (words.verb == "done" && s.phase == Phase::kCommand && words.side == s.to_act)
    return OfTests(s, words.side);
  if (words.units.empty()) return std::nullopt;
  if (words.verb == "roll" && s.phase == Phase::kMovement) return OfRoll(s, words);
  if (words.verb == "charge" && words.units.size() > 1)
    return OfCharge(s, words.units[0], words.units.back(), words.dice, words.units[0]);
  if (words.verb == "counter" || words.verb == "evade") return OfAnswer(s, words);
  return std::nullopt;
}

MaybeForecast OfMovesAwaited(const State& s) {
  const Ask& ask = s.waiting->ask;
  const UnitId unit = ask.about.value();
  if (ask.clause == "CF-5.5") return OfControl(s, unit);
  if (ask.clause == "CF-11.2")
    return OfRoll(s, ParseLine(*s.waiting->start, s.waiting->line).words);
  if (ask.clause == "CF-18.2") {
    // The players' last answer is their ruling on what was too close to call.
    const std::vector<Answer>& answers = s.waiting->answers;
    return OfCharge(s, unit, At(s, unit).charge.target.value(), SetAt(At(s, unit).charge.set), unit,
                    answers.empty() ? -1 : answers.back().choice);
  }
  return std::nullopt;
}

}  // namespace fos::closefire
