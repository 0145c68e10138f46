// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/game/rule_table.h"
#include "engine/rules/sweet/melee.h"
#include "engine/rules/sweet/tables.h"
#include "engine/squares/queries.h"
#include "engine/squares/who_acts.h"

// The tables that both de Gre/Sweet rule sets show to players (rule_table.h), and the marks of their
// cases. State as in squares/queries.h.
namespace fos::sweet {

// "1 or 2"; "two 1s or two 2s"; "cannot be hit"
std::string HitWords(const squares::HitRule& rule);
// "5 or 6", from bits: bit 0 is face 1.
std::string FaceWords(std::uint8_t faces);
// A number of squares from hundredths: "2.5".
std::string SquaresWords(int hundredths);

// NAP-MDI, ANC-P1: the attacker's card by rows, the defender's by columns.
RuleTable CardsTable(const CardTable& cards, const MeleeRuling& ruling,
                     std::vector<std::string_view> clauses);
// NAP-5C, NAP-5D, ANC-P2 to P4.
RuleTable LossesTable(const MeleeNumbers& book, std::vector<std::string_view> clauses);
// NAP-4D, ANC-F5: by target and distance.
RuleTable HitsTable(const FireTable& fire, std::vector<std::string_view> clauses);
// NAP-5A, ANC-H3.
RuleTable SupportsTable(const std::vector<SupportType>& supports,
                        std::vector<std::string_view> clauses);

// The troops with their numbers. Row i is type i.
template <typename Tables>
RuleTable TroopsTable(const Tables& book, std::vector<std::string_view> clauses) {
  RuleTable out{"troops", "The troops", std::move(clauses),
                {"Troops", "Move", "Range", "Melee", "Support", "Points"}, {}};
  for (const auto& type : book.types)
    out.Add({type.name, SquaresWords(type.move),
             type.range == 0 ? std::string("-") : SquaresWords(type.range),
             fmt::format("{:g}", type.melee / static_cast<double>(kPoint)),
             book.supports[static_cast<std::size_t>(type.support)].id,
             fmt::format("{}", type.points)});
  return out;
}

// The rows and the column that decide a volley or canister at stands of these types.
template <typename State>
void MarkHits(const State& s, FireColumn column, const std::vector<int>& types, std::string said,
              RuleTable* table) {
  if (table == nullptr) return;
  for (const int type : types) {
    const FireRow& rules = s.Book().fire[static_cast<std::size_t>(type)];
    for (std::size_t row = 0; row < table->rows.size(); ++row) {
      bool same = true;
      for (std::size_t c = 0; c < rules.size(); ++c)
        same = same && table->rows[row].cells[c + 1] == HitWords(rules[c]);
      if (same) table->Mark(row, static_cast<std::size_t>(column) + 1);
    }
  }
  table->said.push_back(std::move(said));
}
// The types that a volley may hit.
template <typename State, typename Volley>
std::vector<int> TypesFiredAt(const State& s, const Volley& volley) {
  std::vector<int> out;
  for (const PieceNo i : StandsIn(s, 1 - volley.side, volley.target))
    if (std::find(out.begin(), out.end(), s.StandAt(i).type) == out.end())
      out.push_back(s.StandAt(i).type);
  return out;
}

// All melees whose cards are known.
template <typename State>
void MarkCards(const State& s, RuleTable* table) {
  if (table == nullptr) return;
  if (MeleeOfCards(s) != nullptr) {
    table->said = {"The deployments of this turn are still secret."};
    return;
  }
  for (const auto& melee : s.melees) {
    const auto own = static_cast<Card>(melee.card[static_cast<std::size_t>(s.attacker)]);
    const auto enemy = static_cast<Card>(melee.card[static_cast<std::size_t>(s.Defender())]);
    const auto row = static_cast<std::size_t>(own);
    const std::size_t cell = static_cast<std::size_t>(enemy) + 1;
    if (row >= table->rows.size() || cell >= table->head.size()) continue;
    table->Mark(row, cell);
    table->said.push_back(fmt::format("Melee in {}: {} of {} against {} of {}: {}.",
                                      CellName(s, melee.contact), CardName(own),
                                      SideName(s, s.attacker), CardName(enemy),
                                      SideName(s, s.Defender()), table->rows[row].cells[cell]));
  }
}
// said  what the melee came to.
template <typename MeleeDecided>
void MarkLosses(const MeleeDecided& e, std::string said, RuleTable* table) {
  if (table == nullptr) return;
  const bool unequal = e.result == CardResult::kSuperior || e.result == CardResult::kInferior;
  table->Mark(e.result == CardResult::kEqual ? 0 : unequal ? 1 : 2);
  table->said.push_back(std::move(said));
}

template <typename State>
void MarkMoved(const State& s, const std::vector<PieceNo>& stands, std::string said,
               RuleTable* table) {
  if (table == nullptr || stands.empty()) return;
  for (const PieceNo i : stands) table->Mark(static_cast<std::size_t>(s.StandAt(i).type));
  table->said.push_back(std::move(said));
}
template <typename State>
void MarkSupport(const State& s, const std::vector<PieceNo>& stands, std::string said,
                 RuleTable* table) {
  if (table == nullptr || stands.empty()) return;
  for (const PieceNo i : stands)
    table->Mark(static_cast<std::size_t>(s.TypeOf(s.StandAt(i)).support));
  table->said.push_back(std::move(said));
}

}  // namespace fos::sweet
