// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/squares/dice_hits.h"
#include "engine/squares/queries.h"
#include "engine/table/clause.h"

// Matches the dice of a roll with the stands they may remove (NAP-4D, 4E, ANC-F5, F6). State as in
// queries.h; its stands have a type.
namespace fos::sweet {

using namespace squares;

struct FireProblem {
  FaceCounts dice{};
  std::vector<PieceNo> stands;     // that may be removed
  std::vector<int> types;          // unit types present, each once
  std::vector<HitTarget> targets;  // in the order of `types`
};

// column  of the fire table, by range.
template <typename State, typename Column>
FireProblem MakeFireProblem(const State& s, const std::vector<std::int8_t>& dice, Column column,
                            const std::vector<PieceNo>& stands) {
  FireProblem problem;
  for (const std::int8_t die : dice) ++problem.dice.at(static_cast<std::size_t>(die - 1));
  problem.stands = stands;
  for (const PieceNo i : stands) {
    const int type = s.StandAt(i).type;
    const auto known = std::find(problem.types.begin(), problem.types.end(), type);
    if (known != problem.types.end()) {
      ++problem.targets[static_cast<std::size_t>(known - problem.types.begin())].present;
      continue;
    }
    problem.types.push_back(type);
    const auto& row = s.Book().fire[static_cast<std::size_t>(type)];
    problem.targets.push_back({row[static_cast<std::size_t>(column)], 1});
  }
  return problem;
}

// NAP-4D, NAP-4E, ANC-F5, ANC-F6: the dice of a volley against the stands that earlier volleys left
// in its target square. Where dice are pooled, the dice of one side, target and range all count
// with the first of these volleys. State has volleys and Ruling(); its tables have fire rules by
// type and column.
template <typename State>
FireProblem VolleyProblem(const State& s, std::size_t index) {
  const auto& volley = s.volleys[index];
  std::vector<std::int8_t> dice = volley.rolled;
  const auto pooled = [&](const auto& other) {
    return s.Ruling().pool_dice && other.side == volley.side && other.target == volley.target &&
           other.column == volley.column;
  };
  for (std::size_t i = 0; i < s.volleys.size(); ++i) {
    if (i == index || !pooled(s.volleys[i])) continue;
    if (i < index) {
      dice.clear();  // pooled with the first volley
      break;
    }
    dice.insert(dice.end(), s.volleys[i].rolled.begin(), s.volleys[i].rolled.end());
  }
  std::vector<PieceNo> stands = StandsIn(s, 1 - volley.side, volley.target);
  for (const auto& other : s.volleys)
    for (const PieceNo lost : other.losses) std::erase(stands, lost);
  return MakeFireProblem(s, dice, volley.column, stands);
}

// The same refusal, but final: the volley could not be carried out even if players waived it.
inline std::optional<Refusal> NotWaived(std::optional<Refusal> refusal) {
  if (refusal) refusal->may_overrule = false;
  return refusal;
}

// The stands of one distribution. Of each type, first those that `first` accepts (given a stand and
// those already chosen), then by number.
template <typename State, typename First>
std::vector<PieceNo> StandsFor(const State& s, const FireProblem& problem,
                               const Distribution& losses, First first) {
  std::vector<PieceNo> out;
  for (std::size_t t = 0; t < losses.size(); ++t) {
    int left = losses[t];
    for (const bool only_first : {true, false})
      for (const PieceNo i : problem.stands) {
        if (left == 0) break;
        if (s.StandAt(i).type != problem.types[t] ||
            std::find(out.begin(), out.end(), i) != out.end() || (only_first && !first(i, out)))
          continue;
        out.push_back(i);
        --left;
      }
  }
  return out;
}
template <typename State>
std::vector<PieceNo> StandsFor(const State& s, const FireProblem& problem,
                               const Distribution& losses) {
  return StandsFor(s, problem, losses, [](PieceNo, const auto&) { return false; });
}

// The losses by type that these stands make up; empty if they are not a complete distribution.
template <typename State>
std::optional<Distribution> DistributionOf(const State& s, const FireProblem& problem,
                                           const std::vector<PieceNo>& stands) {
  Distribution losses(problem.types.size(), 0);
  for (std::size_t n = 0; n < stands.size(); ++n) {
    const PieceNo i = stands[n];
    if (std::find(problem.stands.begin(), problem.stands.end(), i) == problem.stands.end() ||
        std::find(stands.begin(), stands.begin() + static_cast<std::ptrdiff_t>(n), i) !=
            stands.begin() + static_cast<std::ptrdiff_t>(n))
      return std::nullopt;
    const auto type = std::find(problem.types.begin(), problem.types.end(), s.StandAt(i).type);
    ++losses[static_cast<std::size_t>(type - problem.types.begin())];
  }
  if (!IsComplete(problem.dice, problem.targets, losses)) return std::nullopt;
  return losses;
}

}  // namespace fos::sweet
