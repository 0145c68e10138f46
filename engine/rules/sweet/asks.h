// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/rules/sweet/fire_problem.h"
#include "engine/rules/sweet/melee.h"
#include "engine/table/counted.h"

// The requests to the players that both sets make.
namespace fos::sweet {

using namespace squares;

// "Line infantry R1#1, Line infantry R1#2 or Light cavalry R2#1": the sets of stands that the dice
// allow. Beside the State: StandsFor.
template <typename State>
std::string ChoicesOf(const State& s, const FireProblem& problem) {
  std::vector<std::string> ways;
  for (const auto& losses : CompleteDistributions(problem.dice, problem.targets))
    ways.push_back(
        fmt::format("{}", fmt::join(StandsAndKinds(s, StandsFor(s, problem, losses)), " and ")));
  return Either(ways);
}

// The pending input as a request, if both sets know it. Beside the State: VolleyProblem, StandsFor,
// RetreatingStands, RetreatWays and what melee.h needs.
template <typename State>
std::string DescribeCommonAsk(const State& s) {
  using Kind = decltype(s.ask.kind);
  const auto& ask = s.ask;
  switch (ask.kind) {
    case Kind::kNothing:
      return "nothing";
    case Kind::kFirstAttackerDice:
      return fmt::format("throw one die for {} and one for {}; the higher attacks first",
                         SideName(s, 0), SideName(s, 1));
    case Kind::kFallOfShot:
      return fmt::format(
          "say where the shot of {} came to rest, in inches, or that it left the board",
          EquipmentAndKind(s, ask.about));
    case Kind::kVolleyDice:
    case Kind::kVolleyStands: {
      const auto index = static_cast<std::size_t>(ask.about);
      const auto& volley = s.volleys[index];
      const std::string who =
          fmt::format("{} at {}", UnitAndKind(s, volley.unit), CellName(s, volley.target));
      return ask.kind == Kind::kVolleyDice
                 ? fmt::format("throw {} for {}", Counted(ask.count, "die", "dice"), who)
                 : fmt::format("choose the stands that {} removes: {}", who,
                               ChoicesOf(s, VolleyProblem(s, index)));
    }
    case Kind::kMeleeCoin:
      return DescribeCoin(s);
    case Kind::kRetreatSquare:
      return DescribeWays(s, RetreatingStands(s, s.retreats.front()),
                          RetreatWays(s, s.retreats.front()));
    default:
      return {};
  }
}

}  // namespace fos::sweet
