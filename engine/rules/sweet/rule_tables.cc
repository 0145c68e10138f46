// SPDX-License-Identifier: MIT
#include "engine/rules/sweet/rule_tables.h"

#include <array>

#include "engine/table/counted.h"

namespace fos::sweet {
namespace {

constexpr std::array<std::string_view, 4> kNumbers = {"no", "one", "two", "three"};

std::string Replaced(std::string text, char from, char to) {
  std::replace(text.begin(), text.end(), from, to);
  return text;
}

// "half of"; "0.3 of"
std::string ShareWords(Sixteenths share) {
  if (share == kPoint / 2) return "half of";
  if (share == kPoint) return "all of";
  return fmt::format("{:g} of", share / static_cast<double>(kPoint));
}

// The row's card against the column's.
std::string_view CardResultWords(CardResult result) {
  switch (result) {
    case CardResult::kEqual:
      return "equal";
    case CardResult::kSuperior:
      return "superior";
    case CardResult::kInferior:
      return "inferior";
    case CardResult::kWithdraws:
      return "withdraws";
    case CardResult::kEnemyWithdraws:
      return "enemy withdraws";
    case CardResult::kBothWithdraw:
      break;
  }
  return "both withdraw";
}

// "1, 2 or 3"
std::string OrWords(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}

std::string Destroys(int ratio, bool strict) {
  return fmt::format("{}{} times as strong", strict ? "more than " : "", ratio) +
         (strict ? "" : " or more");
}

}  // namespace

std::string FaceWords(std::uint8_t faces) {
  std::vector<std::string> out;
  for (int face = 1; face <= 6; ++face)
    if (faces >> (face - 1) & 1) out.push_back(fmt::format("{}", face));
  return OrWords(out);
}

std::string HitWords(const squares::HitRule& rule) {
  if (rule.faces == 0) return "cannot be hit";
  if (rule.group == 1) return FaceWords(rule.faces);
  std::vector<std::string> out;
  for (int face = 1; face <= 6; ++face) {
    if (!(rule.faces >> (face - 1) & 1)) continue;
    const auto group = static_cast<std::size_t>(rule.group);
    out.push_back(fmt::format(
        "{} {}s", group < kNumbers.size() ? std::string(kNumbers[group]) : fmt::format("{}", group),
        face));
  }
  return OrWords(out);
}

std::string SquaresWords(int hundredths) { return fmt::format("{:g}", hundredths / 100.0); }

RuleTable CardsTable(const CardTable& cards, const MeleeRuling& ruling,
                     std::vector<std::string_view> clauses) {
  RuleTable out{"cards", "Which deployment beats which", std::move(clauses),
                {"Attacker / defender"}, {}};
  for (int column = 0; column < kCardKinds; ++column)
    out.head.emplace_back(CardName(static_cast<Card>(column)));
  for (int row = 0; row < kCardKinds; ++row) {
    std::vector<std::string> cells = {std::string(CardName(static_cast<Card>(row)))};
    for (int column = 0; column < kCardKinds; ++column)
      cells.emplace_back(CardResultWords(
          ResultOf(cards, ruling, static_cast<Card>(row), static_cast<Card>(column))));
    out.Add(std::move(cells));
  }
  return out;
}

RuleTable LossesTable(const MeleeNumbers& book, std::vector<std::string_view> clauses) {
  RuleTable out{"losses",
                "What a melee costs",
                std::move(clauses),
                {"Deployments", "Losses", "Afterwards", "Destroyed"},
                {}};
  const std::string back = fmt::format("the weaker side falls back {}, both where they are equal",
                                       Counted(book.retreat, "square"));
  out.Add({"equal",
           fmt::format("each side loses {} the weaker side's points", ShareWords(book.equal_share)), back,
           "by an enemy " + Destroys(book.equal_ratio, book.equal_strict)});
  out.Add({"unequal",
           fmt::format("inferior: {} and {} the rest of the superior side's points; superior: {} "
                       "that",
                       Counted(book.unequal_base / static_cast<double>(kPoint), "point"),
                       ShareWords(book.unequal_share), ShareWords(book.superior_share)),
           fmt::format("who is weaker then falls back {}", Counted(book.retreat, "square")),
           "by an enemy " + Destroys(book.unequal_ratio, book.unequal_strict)});
  out.Add({"a withdrawal succeeds", "none",
           fmt::format("who withdraws goes back {}", Counted(book.withdrawal, "square")), "-"});
  return out;
}

RuleTable HitsTable(const FireTable& fire, std::vector<std::string_view> clauses) {
  RuleTable out{"hits", "What each die must show for a hit", std::move(clauses), {"Target"}, {}};
  const auto& most = fire.column_max;
  out.head.push_back(fmt::format("up to {}", Counted(most[0] / 100.0, "square")));
  out.head.push_back(fmt::format("up to {}", Counted(most[1] / 100.0, "square")));
  out.head.push_back("farther");
  for (const auto& [target, rules] : fire.rows) {
    std::vector<std::string> cells = {Replaced(target, '_', ' ')};
    for (const squares::HitRule& rule : rules) cells.push_back(HitWords(rule));
    const auto same = std::find_if(out.rows.begin(), out.rows.end(), [&](const auto& row) {
      return std::equal(row.cells.begin() + 1, row.cells.end(), cells.begin() + 1);
    });
    if (same == out.rows.end()) {
      out.Add(std::move(cells));
    } else {
      same->cells[0] += ", " + cells[0];
    }
  }
  return out;
}

RuleTable SupportsTable(const std::vector<SupportType>& supports,
                        std::vector<std::string_view> clauses) {
  RuleTable out{"supports",
                "Where a supporter may have the contact square",
                std::move(clauses),
                {"Type", "front", "oblique", "side", "rear oblique", "rear"},
                {}};
  for (const SupportType& support : supports) {
    std::vector<std::string> cells = {support.id};
    for (std::size_t k = 0; k < 5; ++k) cells.emplace_back(support.allowed[k] ? "yes" : "-");
    out.Add(std::move(cells));
  }
  return out;
}

}  // namespace fos::sweet
