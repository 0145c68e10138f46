// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A table or formula of the rules as text, for players to look a case up in.
namespace fos {

struct RuleTable {
  struct Row {
    std::vector<std::string> cells;  // as many as `head`
    bool marked = false;             // the case is in this row,
    std::optional<std::size_t> cell = std::nullopt;  // and this cell of it decides
  };

  std::string_view name;                  // for the rule set's own use: "cards"
  std::string title;                      // for players: "Which deployment beats which"
  std::vector<std::string_view> clauses;  // that it belongs to
  std::vector<std::string> head;
  std::vector<Row> rows;
  std::vector<std::string> said = {};  // the case in sentences; empty: no case is marked

  void Add(std::vector<std::string> cells) { rows.push_back({std::move(cells)}); }
  // Marks a row of the case, and the cell that decides.
  void Mark(std::size_t row, std::optional<std::size_t> cell = std::nullopt) {
    if (row >= rows.size()) return;
    rows[row].marked = true;
    rows[row].cell = cell;
  }
  bool Belongs(std::string_view clause) const {
    return std::find(clauses.begin(), clauses.end(), clause) != clauses.end();
  }
};

// The table of that name; nullptr if it is not in the list.
inline RuleTable* TableNamed(std::vector<RuleTable>& tables, std::string_view name) {
  const auto found = std::find_if(tables.begin(), tables.end(),
                                  [&](const RuleTable& table) { return table.name == name; });
  return found == tables.end() ? nullptr : &*found;
}

}  // namespace fos
