// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/game/rule_game.h"
#include "engine/rules/sweet/fire_problem.h"
#include "engine/rules/sweet/melee.h"
#include "engine/squares/casualties.h"
#include "engine/squares/game_words.h"
#include "engine/squares/melee_sums.h"
#include "engine/squares/queries.h"
#include "engine/table/counted.h"

// The sums of volleys and melees of the de Gre/Sweet rules before dice and cards, for display. Uses
// the referee's own arithmetic. State as in squares/queries.h.
namespace fos::sweet {

using namespace squares;

inline double Points(Sixteenths value) { return value / static_cast<double>(kPoint); }

inline int DiceOf(const std::vector<SumItem>& items) {
  double dice = 0;
  for (const SumItem& item : items) dice += item.amount;
  return static_cast<int>(dice);
}
// Adds an item of the dice; zero dice add nothing.
inline void AddDice(std::vector<SumItem>& items, const std::string& why, int dice,
                    const char* clause) {
  if (dice == 0) return;
  items.push_back({0, fmt::format("{:+} {}", dice, why), static_cast<double>(dice), clause});
}

// The possible outcomes of volley `index`, whose dice are not yet thrown.
// items  the items of its dice, as counted for the ruling. Pooled volleys are judged with the first
//        of them.
template <typename State>
Forecast OfVolley(const State& s, std::size_t index, std::vector<SumItem> items,
                  const char* clause) {
  Forecast out;
  out.unit = "dice";
  out.items = std::move(items);
  const auto& volley = s.volleys[index];
  out.sides = {SideName(s, volley.side), SideName(s, 1 - volley.side)};
  int unknown = volley.dice;
  std::size_t first = index;
  for (std::size_t i = 0; i < s.volleys.size(); ++i) {
    const auto& other = s.volleys[i];
    if (i == index || other.judged || other.side != volley.side || other.target != volley.target)
      continue;
    const std::string who = UnitAndKind(s, other.unit);
    if (!s.Ruling().pool_dice || other.column != volley.column) {
      out.outcomes.push_back(fmt::format("{} fires there too and is counted separately.", who));
      continue;
    }
    first = std::min(first, i);
    unknown += other.rolled.empty() ? other.dice : 0;
    AddDice(out.items, fmt::format("from {}, thrown together", who), other.dice, clause);
  }
  out.totals[0] = DiceOf(out.items);
  const auto problem = VolleyProblem(s, first);
  const std::vector<double> chances = LossChances(problem.dice, unknown, problem.targets);
  for (std::size_t lost = 0; lost < chances.size(); ++lost)
    out.chances.emplace_back(
        lost == 0 ? "no loss" : Counted(static_cast<double>(lost), "stand") + " lost",
        chances[lost]);
  out.sentence = fmt::format("{} at {}: {}", UnitAndKind(s, volley.unit),
                             CellName(s, volley.target), Counted(out.totals[0], "die", "dice"));
  for (const auto& [what, chance] : out.chances)
    out.sentence += fmt::format("; {} {:.0f} %", what, 100 * chance);
  out.sentence += '.';
  return out;
}

// Each side's losses in a melee, attackers first, and the stands removed for them.
struct RuledLosses {
  BySide losses{};
  std::array<LossAnswer, 2> taken;
};
// order          the units of a role in the order in which they lose stands.
// superior_loss  the superior side's loss, where it follows from what the inferior side really
//                lost (arguments: that loss, whether the defender lost it); else empty.
template <typename Order, typename SuperiorLoss>
RuledLosses RuleLosses(CardResult result, const BySide& losses, const LossPolicy& policy,
                       bool superior_follows, Order order, SuperiorLoss superior_loss) {
  RuledLosses out{losses, {}};
  const std::size_t first = result == CardResult::kInferior ? kAttackers : kDefenders;
  const std::vector<LossUnit> units = order(first);
  out.taken[first] = ChooseLosses(units, losses[first], policy);
  if (result != CardResult::kEqual && superior_follows) {
    Sixteenths lost = 0;
    for (const LossUnit& unit : units)
      for (const LossStand& stand : unit.stands)
        if (std::find(out.taken[first].stands.begin(), out.taken[first].stands.end(),
                      stand.stand) != out.taken[first].stands.end())
          lost += stand.value;
    out.losses[1 - first] = superior_loss(lost, first == kAttackers);
  }
  out.taken[1 - first] = ChooseLosses(order(1 - first), out.losses[1 - first], policy);
  return out;
}
// "2 stands, one more on heads (2.5 points)"
inline std::string Taken(const RuledLosses& ruled, std::size_t role) {
  const LossAnswer& answer = ruled.taken[role];
  return fmt::format(
      "{}{} ({})",
      answer.stands.empty() ? "no stand"
                            : Counted(static_cast<double>(answer.stands.size()), "stand"),
      answer.coin ? ", one more on heads" : "", Counted(Points(ruled.losses[role]), "point"));
}

// NAP-5C, ANC-P2, ANC-P3: the stands now in a melee, unit by unit, and each side's losses for every
// result of the cards.
// clause  of the sums.
template <typename State>
Forecast OfMelee(const State& s, int index, const char* clause) {
  const MeleeRuling ruling = SumsRuling(s.Ruling());
  const MeleeSums sums = SumsOf(s, index, StrengthsOf(s, index));
  const BySide& totals = sums.compared;
  const auto losses_of = [&](CardResult result) {
    return RuleLosses(
        result, LossesOf(s.Book().melee, ruling, result, sums.compared, sums.full, sums.reduction),
        LossPolicyOf(s.Ruling()), !ruling.superior_loss_computed,
        [&](std::size_t role) {
          return LossOrder(s, index, role == kAttackers ? s.attacker : s.Defender());
        },
        [&](Sixteenths lost, bool superior_defends) {
          return SuperiorLossOf(s.Book().melee, ruling, lost, superior_defends, sums.reduction);
        });
  };
  Forecast out;
  out.unit = "points";
  const std::array<int, 2> sides{s.attacker, s.Defender()};
  out.sides = {SideName(s, sides[0]), SideName(s, sides[1])};
  for (const std::size_t role : {kAttackers, kDefenders}) {
    std::vector<std::pair<PieceNo, std::pair<std::size_t, Sixteenths>>> units;
    for (std::size_t i = 0; i < s.stands.size(); ++i) {
      const auto& stand = s.stands[i];
      if (stand.melee != index || stand.side != sides[role] || !OnBoard(stand)) continue;
      auto at = std::find_if(units.begin(), units.end(),
                             [&](const auto& one) { return one.first == stand.unit; });
      if (at == units.end()) at = units.insert(units.end(), {stand.unit, {0, 0}});
      ++at->second.first;
      at->second.second += LossValueOf(s, stand);
    }
    for (const auto& [unit, sum] : units)
      out.items.push_back({static_cast<int>(role),
                           fmt::format("{:+g} {}, {}", Points(sum.second), UnitAndKind(s, unit),
                                       Counted(static_cast<double>(sum.first), "stand")),
                           Points(sum.second), clause});
    out.totals[role] = Points(totals[role]);
  }
  constexpr std::pair<CardResult, std::size_t> kResults[] = {{CardResult::kEqual, 2},
                                                             {CardResult::kSuperior, kAttackers},
                                                             {CardResult::kInferior, kDefenders}};
  for (const auto& [result, better] : kResults) {
    const RuledLosses ruled = losses_of(result);
    out.outcomes.push_back(fmt::format(
        "{}: {} loses {}, {} {}.",
        better == 2 ? std::string("Equal cards")
                    : fmt::format("{} has the better card", SideName(s, sides[better])),
        SideName(s, sides[0]), Taken(ruled, 0), SideName(s, sides[1]), Taken(ruled, 1)));
  }
  out.sentence = fmt::format("{}: {:g}; {}: {:g} (points).", SideName(s, sides[0]), out.totals[0],
                             SideName(s, sides[1]), out.totals[1]);
  for (const std::string& outcome : out.outcomes) out.sentence += ' ' + outcome;
  return out;
}

}  // namespace fos::sweet
