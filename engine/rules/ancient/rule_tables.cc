// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/rule_tables.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/rules/ancient/describe.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/sweet/rule_tables.h"
#include "engine/table/counted.h"

namespace fos::ancient {
namespace {

// The rows of VolleyDiceTable.
enum : std::size_t { kPerStand, kLaterUnit, kProtected };

RuleTable VolleyDiceTable(const Tables& book) {
  RuleTable out{"volley_dice", "How many dice a volley has", {"ANC-F3", "ANC-F4"},
                {"What counts", "Dice"}, {}};
  const auto add = [&](const std::string& what, int dice) {
    out.Add({what, fmt::format("{:+}", dice)});
  };
  std::string more;
  for (const UnitType& type : book.types)
    if (type.dice_per_stand != 1)
      more += fmt::format("{}{} {}", more.empty() ? "; " : ", ", type.name, type.dice_per_stand);
  add("each stand" + more, 1);
  add("another unit shoots at the same square", book.missiles.later_unit);
  add("protected, or with shields", book.missiles.protection);
  return out;
}

RuleTable CatapultsTable(const Tables& book) {
  RuleTable out{"catapults", "Catapults", {"ANC-C3", "ANC-C4", "ANC-V5"},
                {"Catapult", "Range, squares", "Move"}, {}};
  for (const EquipmentType& type : book.equipment)
    out.Add({type.name, sweet::SquaresWords(type.range), sweet::SquaresWords(type.move)});
  return out;
}

RuleTable ElephantsTable(const Settings& ruling) {
  constexpr int kAllFaces = 0x3f;
  RuleTable out{"elephants", "Whether elephants are willing", {"ANC-H6"}, {"Die", "Result"}, {}};
  out.Add({sweet::FaceWords(static_cast<std::uint8_t>(kAllFaces & ~ruling.stationary_faces)),
           "they may charge"});
  out.Add({sweet::FaceWords(ruling.stationary_faces), "they stay where they are"});
  return out;
}

RuleTable StackingTable(const Tables& book) {
  RuleTable out{"stacking", "What goes into a square", {"ANC-V2"}, {"Beside one unit", "Most"}, {}};
  const auto add = [&](const char* what, int most) { out.Add({what, fmt::format("{}", most)}); };
  add("catapults", book.stacking.catapults);
  add("stands of crew", book.stacking.crew);
  add("commanders", book.stacking.commanders);
  return out;
}

void MarkVolleyDice(const Volley& volley, std::string said, RuleTable* table) {
  if (table == nullptr) return;
  table->Mark(kPerStand);
  if (volley.later_unit) table->Mark(kLaterUnit);
  if (volley.against_protection) table->Mark(kProtected);
  table->said.push_back(std::move(said));
}

std::string VolleyWords(const State& s, const Volley& volley) {
  return fmt::format("{} in {} shoots at {} with {}.", UnitName(s, volley.unit),
                     CellName(s, volley.from), CellName(s, volley.target),
                     Counted(volley.dice, "die", "dice"));
}

struct RuledMarker {
  const State& s;
  const Event& event;
  std::vector<RuleTable>& tables;

  void operator()(const VolleyCalled& e) const {
    MarkVolleyDice(e.volley, Describe(s, event), TableNamed(tables, "volley_dice"));
  }
  void operator()(const VolleyJudged& e) const {
    const Volley& volley = s.volleys[static_cast<std::size_t>(e.volley)];
    sweet::MarkHits(s, volley.column, sweet::TypesFiredAt(s, volley), Describe(s, event),
                    TableNamed(tables, "hits"));
  }
  void operator()(const CardChosen&) const {
    if (squares::MeleeOfCards(s) == nullptr) sweet::MarkCards(s, TableNamed(tables, "cards"));
  }
  void operator()(const MeleeDecided& e) const {
    sweet::MarkLosses(e, Describe(s, event), TableNamed(tables, "losses"));
  }
  void operator()(const Moved& e) const {
    sweet::MarkMoved(s, e.stands, Describe(s, event), TableNamed(tables, "troops"));
  }
  void operator()(const Supported& e) const {
    sweet::MarkSupport(s, e.stands, Describe(s, event), TableNamed(tables, "supports"));
  }
  void operator()(const ShotCalled& e) const {
    RuleTable* table = TableNamed(tables, "catapults");
    if (table == nullptr) return;
    table->Mark(static_cast<std::size_t>(s.EquipmentAt(e.shot.catapult).type), 1);
    table->said.push_back(Describe(s, event));
  }
  void operator()(const ElephantDecided& e) const {
    RuleTable* table = TableNamed(tables, "elephants");
    if (table == nullptr) return;
    table->Mark(e.will == Will::kStays ? 1 : 0);
    table->said.push_back(Describe(s, event));
  }
  template <typename T>
  void operator()(const T&) const {}
};

}  // namespace

std::vector<RuleTable> RuleTables(const State& s) {
  const Tables& book = s.Book();
  return {sweet::CardsTable(book.cards, sweet::SumsRuling(s.Ruling()),
                            {"ANC-P1", "ANC-P2", "ANC-P3", "ANC-P4"}),
          sweet::LossesTable(book.melee, {"ANC-P2", "ANC-P3", "ANC-P4", "ANC-P1", "ANC-P5"}),
          sweet::HitsTable(book.fire_table, {"ANC-F5", "ANC-F6"}),
          VolleyDiceTable(book),
          CatapultsTable(book),
          ElephantsTable(s.Ruling()),
          StackingTable(book),
          sweet::SupportsTable(book.supports, {"ANC-H3", "ANC-H1"}),
          sweet::TroopsTable(book, {"ANC-V1", "ANC-F1", "ANC-H5", "ANC-L"})};
}

void MarkAwaited(const State& s, std::vector<RuleTable>& tables) {
  if (s.ask.kind == PendingInput::kVolleyDice) {
    const Volley& volley = s.volleys[static_cast<std::size_t>(s.ask.about)];
    const std::string said = VolleyWords(s, volley);
    sweet::MarkHits(s, volley.column, sweet::TypesFiredAt(s, volley), said,
                    TableNamed(tables, "hits"));
    MarkVolleyDice(volley, said, TableNamed(tables, "volley_dice"));
  } else if (!s.Waiting() && s.step == Step::kMelee && squares::MeleeOfCards(s) != nullptr) {
    sweet::MarkCards(s, TableNamed(tables, "cards"));
  }
}

void MarkRuled(const State& s, const Event& event, std::vector<RuleTable>& tables) {
  std::visit(RuledMarker{s, event, tables}, event);
}

}  // namespace fos::ancient
