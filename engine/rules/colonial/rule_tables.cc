// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/rule_tables.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/rules/colonial/combat.h"
#include "engine/rules/colonial/describe.h"
#include "engine/rules/colonial/query.h"

namespace fos::colonial {
namespace {

// A modifier, in the words of its table. The tables list them in the order of Mod.
struct ModRow {
  Mod mod;
  const char* what;
  const char* whose;
};
constexpr std::array kFireRows = {
    ModRow{Mod::kFireValue, "the stand's own value", "both"},
    ModRow{Mod::kFireCommand, "the value of a General next to it", "both"},
    ModRow{Mod::kArtilleryAdjacent, "artillery at an adjacent target", "initiator"},
    ModRow{Mod::kFireCover, "the target is in cover", "initiator"}};
constexpr std::array kCloseRows = {
    ModRow{Mod::kCloseValue, "the stand's own value", "both"},
    ModRow{Mod::kCloseCommand, "the value of a General next to it", "both"},
    ModRow{Mod::kSupportAdjacent, "each stand of its type next to it", "both"},
    ModRow{Mod::kSupportSame, "a stand of its type in the same square", "both"},
    ModRow{Mod::kFlankOrRear, "from the enemy's flank or rear", "initiator"},
    ModRow{Mod::kCavalryInOpen, "cavalry in the open", "initiator"},
    ModRow{Mod::kDownhill, "uphill", "initiator"},
    ModRow{Mod::kCloseCover, "the enemy is behind a wall or entrenched", "initiator"}};

int AmountOf(const Tables& book, Mod mod) {
  switch (mod) {
    case Mod::kArtilleryAdjacent:
      return book.fire_artillery_adjacent;
    case Mod::kFireCover:
      return book.fire_cover;
    case Mod::kSupportAdjacent:
      return book.support_adjacent;
    case Mod::kSupportSame:
      return book.support_same_square;
    case Mod::kFlankOrRear:
      return book.flank_or_rear;
    case Mod::kCavalryInOpen:
      return book.cavalry_in_open;
    case Mod::kDownhill:
      return book.downhill;
    case Mod::kCloseCover:
      return book.close_cover;
    default:
      return 0;
  }
}

template <typename Rows>
RuleTable ModTable(const Tables& book, std::string_view name, const char* title, const Rows& rows,
                   std::vector<std::string_view> clauses) {
  RuleTable out{name, title, std::move(clauses), {"Added to the D12", "Whose", "Amount", "Clause"},
                {}};
  for (const ModRow& row : rows) {
    const int amount = AmountOf(book, row.mod);
    out.Add({row.what, row.whose, amount == 0 ? "its value" : fmt::format("{:+}", amount),
             std::string(ClauseOfMod(row.mod))});
  }
  return out;
}

std::string Side(int times, bool initiator) {
  return (times == 1 ? std::string() : fmt::format("{} x ", times)) +
         (initiator ? "initiator" : "enemy");
}

std::string_view ClauseOf(Outcome outcome) {
  constexpr std::array<std::string_view, kOutcomes> kClauses = {"COL-9.1", "COL-9.2", "COL-9.4",
                                                                "COL-9.3"};
  return kClauses[static_cast<std::size_t>(outcome)];
}
std::string_view EffectOf(Outcome outcome) {
  constexpr std::array<std::string_view, kOutcomes> kEffects = {
      "no effect", "both throw again, the lower withdraws", "the enemy is destroyed",
      "the enemy withdraws"};
  return kEffects[static_cast<std::size_t>(outcome)];
}

// Row 0 is exactly half; then the comparisons in their order.
RuleTable ResultsTable(const Tables& book, const Settings& rulings) {
  RuleTable out{"results",
                "What two scores come to: the first line that fits",
                {"COL-9.1", "COL-9.2", "COL-9.3", "COL-9.4", "COL-9.5", "COL-7.4", "COL-8.9"},
                {"Scores", "Result", "Clause"},
                {}};
  out.Add({"2 x enemy = initiator",
           std::string(EffectOf(rulings.exact_half_withdraws ? Outcome::kWithdraw
                                                             : Outcome::kDestroyed)),
           "COL-9.5"});
  for (const auto& [outcome, c] : book.results)
    out.Add({fmt::format("{} {} {}", Side(c.left_times, c.left_initiator),
                         c.sign == "==" ? "=" : c.sign, Side(c.right_times, c.right_initiator)),
             std::string(EffectOf(outcome)), std::string(ClauseOf(outcome))});
  return out;
}

// COL-2.6: a 2 counts as the club's ruling says.
RuleTable GeneralsTable(const Tables& book, const Settings& rulings) {
  RuleTable out{"generals", "How good a General is", {"COL-2.6", "COL-2.4"},
                {"D6", "Rating", "Value"}, {}};
  for (int face = 1; face <= static_cast<int>(book.general.size()); ++face) {
    const auto rating = RatingOf(book, rulings, face);
    if (!rating) {
      out.Add({fmt::format("{}", face), "throw again", "-"});
      continue;
    }
    out.Add({fmt::format("{}", face), std::string(RatingName(*rating)),
             fmt::format("{}", book.general_value[static_cast<std::size_t>(*rating)])});
  }
  return out;
}

std::string Plain(std::string id) {
  for (char& letter : id)
    if (letter == '_') letter = ' ';
  return id;
}

RuleTable WeaponsTable(const Tables& book) {
  RuleTable out{"weapons", "How far weapons reach", {"COL-7.3"}, {"Weapon", "Squares"}, {}};
  for (const Weapon& weapon : book.weapons)
    out.Add({Plain(weapon.id), fmt::format("{}", weapon.range)});
  return out;
}

RuleTable StandsTable(const Tables& book) {
  RuleTable out{"stands", "The stands", {"COL-5.1", "COL-2.1", "COL-7.4", "COL-8.2"},
                {"Stand", "Move, squares", "Value"}, {}};
  for (const StandType& type : book.types)
    out.Add({type.name, fmt::format("{}", type.move),
             type.value == 0 ? std::string("-") : fmt::format("{}", type.value)});
  return out;
}

// The rows of the modifiers that count, and the sums in words.
void MarkCombat(const State& s, const Combat& combat, const std::string& said,
                std::vector<RuleTable>& tables) {
  const auto mark = [&](RuleTable* table, const auto& rows) {
    if (table == nullptr) return;
    for (const Item& item : combat.items)
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].mod == item.what) table->Mark(i, 2);
    table->said.push_back(said);
  };
  if (combat.close) {
    mark(TableNamed(tables, "close"), kCloseRows);
  } else {
    mark(TableNamed(tables, "fire"), kFireRows);
    if (RuleTable* weapons = TableNamed(tables, "weapons")) {
      weapons->Mark(static_cast<std::size_t>(s.At(combat.initiator).weapon), 1);
      weapons->said.push_back(said);
    }
  }
}

struct RuledMarker {
  const State& s;
  const Event& event;
  std::vector<RuleTable>& tables;

  void operator()(const CombatBegan& e) const {
    MarkCombat(s, e.combat, Describe(s, event), tables);
  }
  void operator()(const CombatScored& e) const {
    RuleTable* table = TableNamed(tables, "results");
    if (table == nullptr) return;
    std::size_t row = 0;
    if (e.scores[0] <= e.scores[1] || 2 * e.scores[1] != e.scores[0])
      for (std::size_t i = 0; i < s.Book().results.size(); ++i)
        if (s.Book().results[i].first == e.outcome) row = i + 1;
    table->Mark(row, 1);
    table->said.push_back(Describe(s, event));
  }
  void operator()(const GeneralRated& e) const {
    RuleTable* table = TableNamed(tables, "generals");
    if (table == nullptr) return;
    for (std::size_t row = 0; row < s.Book().general.size(); ++row)
      if (RatingOf(s.Book(), s.Rulings(), static_cast<int>(row) + 1) == e.rating)
        table->Mark(row, 1);
    table->said.push_back(Describe(s, event));
  }
  void operator()(const Moved& e) const {
    RuleTable* table = TableNamed(tables, "stands");
    if (table == nullptr) return;
    table->Mark(static_cast<std::size_t>(s.At(e.stand).type), 1);
    table->said.push_back(Describe(s, event));
  }
  template <typename T>
  void operator()(const T&) const {}
};

}  // namespace

std::vector<RuleTable> RuleTables(const State& s) {
  const Tables& book = s.Book();
  return {ResultsTable(book, s.Rulings()),
          ModTable(book, "fire", "What counts in fire combat", kFireRows,
                   {"COL-7.4", "COL-7.5", "COL-7.6", "COL-7.7"}),
          ModTable(book, "close", "What counts in close combat", kCloseRows,
                   {"COL-8.1", "COL-8.2", "COL-8.3", "COL-8.4", "COL-8.5", "COL-8.6", "COL-8.7",
                    "COL-8.8", "COL-8.9"}),
          GeneralsTable(book, s.Rulings()), WeaponsTable(book), StandsTable(book)};
}

void MarkAwaited(const State& s, std::vector<RuleTable>& tables) {
  if (s.ask.what == Want::kCombatDice && s.combat)
    MarkCombat(s, *s.combat, Describe(s, CombatBegan{*s.combat}), tables);
}

void MarkRuled(const State& s, const Event& event, std::vector<RuleTable>& tables) {
  std::visit(RuledMarker{s, event, tables}, event);
}

}  // namespace fos::colonial
