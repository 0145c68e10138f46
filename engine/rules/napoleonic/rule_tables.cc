// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/rule_tables.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/rules/napoleonic/describe.h"
#include "engine/rules/napoleonic/musketry.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/sweet/rule_tables.h"
#include "engine/table/counted.h"
#include "engine/table/sentence.h"

namespace fos::napoleonic {
namespace {

// The rows of VolleyDiceTable.
enum : std::size_t { kPerStand, kGuards, kCommander, kLaterUnit, kProtected };

RuleTable VolleyDiceTable(const Tables& book) {
  const auto& m = book.musketry;
  RuleTable out{"volley_dice", "How many dice a volley has", {"NAP-4C", "NAP-6A"},
                {"What counts", "Dice"}, {}};
  const auto add = [&](const char* what, int dice) { out.Add({what, fmt::format("{:+}", dice)}); };
  add("each stand", m.per_stand);
  add("guards", m.guards);
  add("a commander with the unit", m.commander);
  add("another unit fires at the same square", m.later_unit);
  add("a protected square", m.protection);
  return out;
}

RuleTable BatteryTable(const Tables& book) {
  RuleTable out{"battery", "The shots of a foot battery", {"NAP-3C"},
                {"Guns left", "Wagon", "Field gun", "Howitzer", "Either"}, {}};
  for (const BatteryRow& row : book.battery_rows)
    out.Add({fmt::format("{}", row.guns), row.wagon ? "yes" : "no", fmt::format("{}", row.field),
             fmt::format("{}", row.howitzer), fmt::format("{}", row.either)});
  return out;
}

RuleTable GunsTable(const Tables& book) {
  RuleTable out{"guns", "Ranges and canister", {"NAP-3E", "NAP-3D", "NAP-3G", "NAP-3H"},
                {"Shot", "Range, squares", "Canister dice"}, {}};
  for (const ShotKind kind : {ShotKind::kField, ShotKind::kHowitzer, ShotKind::kHorse}) {
    const auto k = static_cast<std::size_t>(kind);
    out.Add({std::string(ShotKindName(kind)), sweet::SquaresWords(book.gun_range[k]),
             fmt::format("{}", book.canister_dice[k])});
  }
  return out;
}

// The rows of FireTable: by the number of dice that show the face.
enum : std::size_t { kNoFace, kSomeFaces, kAllFaces };

RuleTable BurningTable(const Tables& book) {
  const auto& b = book.burning;
  RuleTable out{"burning", "Whether a model burns", {"NAP-6D"}, {"Dice", "Result"}, {}};
  out.Add({fmt::format("no {}", b.face), "nothing burns"});
  out.Add({fmt::format("a {}", b.face),
           fmt::format("it burns: who is in it falls back {}", Counted(b.retreat, "square"))});
  out.Add({fmt::format("{} {}s", b.dice, b.face), "it burns up with everything in it"});
  return out;
}

RuleTable StackingTable(const Tables& book) {
  RuleTable out{"stacking", "What goes into a square", {"NAP-2C"}, {"Beside one unit", "Most"}, {}};
  const auto add = [&](const char* what, int most) { out.Add({what, fmt::format("{}", most)}); };
  add("guns", book.stacking.guns);
  add("supply wagons", book.stacking.wagons);
  add("stands of crew", book.stacking.crew);
  add("commanders", book.stacking.commanders);
  return out;
}

void MarkVolleyDice(const State& s, const Volley& volley, std::string said, RuleTable* table) {
  if (table == nullptr) return;
  table->Mark(kPerStand);
  if (volley.bonuses & kGuardsBonus) table->Mark(kGuards);
  if (volley.bonuses & kCommanderBonus) table->Mark(kCommander);
  if (volley.bonuses & kLaterUnitBonus) table->Mark(kLaterUnit);
  if (Protected(s, volley.target) && !(volley.bonuses & kProtectionCounted))
    table->Mark(kProtected);
  table->said.push_back(std::move(said));
}

std::string VolleyWords(const State& s, const Volley& volley) {
  return fmt::format("{} in {} fires at {} with {}.", UnitName(s, volley.unit),
                     CellName(s, volley.from), CellName(s, volley.target),
                     Counted(volley.dice, "die", "dice"));
}

void MarkCanister(const State& s, std::string said, std::vector<RuleTable>& tables) {
  if (RuleTable* guns = TableNamed(tables, "guns")) {
    guns->Mark(static_cast<std::size_t>(s.shot->kind), 2);
    guns->said.push_back(said);
  }
  sweet::MarkHits(s, s.Book().ColumnAt(DistanceBetween(s, s.shot->from, s.shot->target)),
                  CanisterProblem(s).types, std::move(said), TableNamed(tables, "hits"));
}

struct RuledMarker {
  const State& s;
  const Event& event;
  std::vector<RuleTable>& tables;

  void operator()(const VolleyCalled& e) const {
    MarkVolleyDice(s, e.volley, Describe(s, event), TableNamed(tables, "volley_dice"));
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
    RuleTable* guns = TableNamed(tables, "guns");
    if (guns == nullptr) return;
    guns->Mark(static_cast<std::size_t>(e.shot.kind), e.shot.canister ? 2 : 1);
    guns->said.push_back(Describe(s, event));
  }
  void operator()(const DiceThrown& e) const {
    if (!s.shot) return;
    if (s.shot->canister && s.shot->target != kNowhere && !s.shot->rolled.empty())
      MarkCanister(s, Describe(s, event), tables);
    RuleTable* burning = TableNamed(tables, "burning");
    if (burning == nullptr || s.shot->stage != ShotStage::kFire) return;
    const auto& book = s.Book().burning;
    const auto ones = std::count(e.dice.begin(), e.dice.end(), book.face);
    burning->Mark(ones == 0 ? kNoFace : ones >= book.dice ? kAllFaces : kSomeFaces);
    burning->said.push_back(Describe(s, event));
  }
  template <typename T>
  void operator()(const T&) const {}
};

}  // namespace

std::vector<RuleTable> RuleTables(const State& s) {
  const Tables& book = s.Book();
  return {sweet::CardsTable(book.cards, sweet::SumsRuling(s.Ruling()),
                            {"NAP-MDI", "NAP-5C", "NAP-5D"}),
          sweet::LossesTable(book.melee, {"NAP-5C", "NAP-5D", "NAP-MDI", "NAP-5F"}),
          sweet::HitsTable(book.fire_table, {"NAP-4D", "NAP-4E", "NAP-3H"}),
          VolleyDiceTable(book),
          BatteryTable(book),
          GunsTable(book),
          BurningTable(book),
          StackingTable(book),
          sweet::SupportsTable(book.supports, {"NAP-5A"}),
          sweet::TroopsTable(book, {"NAP-1", "NAP-4B", "NAP-7", "NAP-ORG"})};
}

void MarkAwaited(const State& s, std::vector<RuleTable>& tables) {
  if (s.ask.kind == PendingInput::kVolleyDice) {
    const Volley& volley = s.volleys[static_cast<std::size_t>(s.ask.about)];
    const std::string said = VolleyWords(s, volley);
    sweet::MarkHits(s, volley.column, sweet::TypesFiredAt(s, volley), said,
                    TableNamed(tables, "hits"));
    MarkVolleyDice(s, volley, said, TableNamed(tables, "volley_dice"));
  } else if (s.ask.kind == PendingInput::kCanisterDice && s.shot && s.shot->target != kNowhere) {
    MarkCanister(s, Capitalised(DescribeAsk(s)) + ".", tables);
  } else if (!s.Waiting() && s.step == Step::kMelee && s.supports_done[0] && s.supports_done[1] &&
             squares::MeleeOfCards(s) != nullptr) {
    sweet::MarkCards(s, TableNamed(tables, "cards"));
  }
}

void MarkRuled(const State& s, const Event& event, std::vector<RuleTable>& tables) {
  std::visit(RuledMarker{s, event, tables}, event);
}

}  // namespace fos::napoleonic
