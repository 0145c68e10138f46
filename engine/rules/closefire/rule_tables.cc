// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/rule_tables.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/rules/closefire/sums.h"
#include "engine/table/counted.h"
#include "engine/table/sentence.h"

// The events of these rules are sentences (event.h), so their cases are found by the words that
// sums.h and the tellers write.
namespace fos::closefire {
namespace {

std::string FaceWords(Faces faces) {
  std::vector<std::string> shown;
  for (int face = 1; face <= 6; ++face)
    if (faces.Has(face)) shown.push_back(fmt::format("{}", face));
  if (shown.empty()) return "-";
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i)
    out += (i == 0 ? "" : i + 1 == shown.size() ? " or " : ", ") + shown[i];
  return out;
}

// A table of factors. A row's first cell is the label that the sum of the clause uses.
RuleTable FactorTable(std::string_view name, const char* title,
                      std::vector<std::string_view> clauses,
                      const std::vector<std::pair<const char*, std::string>>& rows) {
  RuleTable out{name, title, std::move(clauses), {"What counts", "Amount"}, {}};
  for (const auto& [label, amount] : rows) out.Add({label, amount});
  return out;
}
std::string Signed(int amount) { return fmt::format("{:+}", amount); }
std::string Each(int amount) { return fmt::format("{:+} each", amount); }

RuleTable GunFactors(const Tables& book) {
  const auto& g = book.gun;
  return FactorTable("gun", "What counts for a gun's die",
                     {"CF-16.1", "CF-16.2", "CF-16.3", "CF-16.4", "CF-16.5"},
                     {{"heavy gun", Signed(g.heavy)},
                      {"battalion gun", Signed(g.battalion)},
                      {"column, limbered or enfiladed", Signed(g.column_limbered_enfilade)},
                      {"fortifications", Signed(g.fortifications)},
                      {"gun's DPs", Each(g.per_dp)},
                      {"new target", Signed(g.new_target)},
                      {"beyond effective range", Signed(g.beyond_effective)},
                      {"same target and range", Signed(g.same_target_and_range)},
                      {"indirect", Signed(g.indirect)}});
}

RuleTable GunResults(const Tables& book) {
  RuleTable out{"gun_result", "What a gun's throw comes to", {"CF-16.2", "CF-16.1"},
                {"Throw", "At close range", "Farther"}, {}};
  const auto& g = book.gun;
  const auto dp = [](int count) { return count == 0 ? "no hit" : Counted(count, "DP"); };
  constexpr int kMost = 7;
  for (int total = 1; total <= kMost; ++total)
    out.Add({fmt::format("{}{}", total, total == 1 ? " or less" : total == kMost ? " or more" : ""),
             dp(total >= g.close_two_dp ? 2 : total >= g.close_one_dp ? 1 : 0),
             dp(total >= g.far_one_dp ? 1 : 0)});
  return out;
}

RuleTable MusketFactors(const Tables& book) {
  const auto& m = book.musket;
  return FactorTable("musketry", "How many dice a volley has", {"CF-17.1", "CF-17.2", "CF-17.3"},
                     {{"stands", Each(m.per_stand)},
                      {"new-style battalions", Each(m.per_new_battalion)},
                      {"disorder", Each(m.per_dp)},
                      {"hard cover", "half, rounded up"},
                      {"dragoons on foot", "half, rounded up"}});
}

RuleTable CombatFactors(const Tables& book) {
  const auto& c = book.combat;
  return FactorTable(
      "combat", "What counts in combat",
      {"CF-20.2", "CF-20.3", "CF-20.4", "CF-20.5", "CF-20.6", "CF-20.7", "CF-21.1"},
      {{"grade", fmt::format("A {:+}, B {:+}, C {:+}, D {:+}, E {:+}", book.grade[0],
                             book.grade[1], book.grade[2], book.grade[3], book.grade[4])},
       {"inspired", fmt::format("{:+} each, {:+} at most", c.inspire_each, c.inspire_max)},
       {"ground", Signed(c.ground)},
       {"fieldworks", Signed(c.fieldworks)},
       {"fortifications", Signed(c.fortifications)},
       {"charging or pursuing", Signed(c.charging_or_pursuing)},
       {"impact", Signed(c.outrance_or_pursuing)},
       {"depth", Signed(c.depth)},
       {"reserved fire", Signed(c.reserved_fire)},
       {"not ready for cavalry", Signed(c.unready)},
       {"flank or rear", Signed(c.flank)},
       {"unformed, in march column or guns alone", Signed(c.order)},
       {"disorder", Each(c.each_loss)},
       {"casualties", Each(c.each_loss)},
       {"outnumbered",
        fmt::format("{}, 2 to 1 {}, 3 to 1 {}", c.outnumbered, c.outnumbered_2, c.outnumbered_3)}});
}

// Row i is Outcome i.
RuleTable CombatResults(const Tables& book) {
  RuleTable out{"combat_result",
                "What a difference comes to",
                {"CF-21.1", "CF-21.2", "CF-21.3", "CF-21.4", "CF-21.5", "CF-21.6", "CF-21.7",
                 "CF-20.3", "CF-20.7"},
                {"Result", "Difference", "DPs", "Casualties", "Clause"},
                {}};
  constexpr std::array<const char*, kOutcomes> kClauses = {"CF-21.2", "CF-21.2", "CF-21.3",
                                                           "CF-21.4", "CF-21.5", "CF-21.6",
                                                           "CF-21.7"};
  const auto with = [](int usual, int other, const char* when) {
    return other == usual || other == 0 ? fmt::format("{}", usual)
                                        : fmt::format("{}; {} {}", usual, other, when);
  };
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    const ResultRow& row = book.results[i];
    const bool last = i + 1 == kOutcomes;
    out.Add({Capitalised(OutcomeWords(static_cast<Outcome>(i))),
             last ? fmt::format("below {:+}", book.results[i - 1].least)
                  : fmt::format("{:+} or better", row.least),
             with(row.dp, row.dp_outrance_or_assault_column, "a l'outrance or assault column"),
             with(row.casualties, row.casualties_cavalry_charged_foot, "cavalry that charged foot"),
             kClauses[i]});
  }
  return out;
}

// Rows: low, free, high.
RuleTable ControlResults(const Tables& book) {
  const auto& c = book.control;
  RuleTable out{"control",
                "What a control test comes to",
                {"CF-5.4", "CF-5.5", "CF-5.6", "CF-5.7", "CF-5.8"},
                {"Total", "Usually", "Routing, pursuing or looting"},
                {}};
  out.Add({fmt::format("up to {}", c.low_max), "it halts", "it continues"});
  out.Add({fmt::format("{} to {}", c.low_max + 1, c.free_max), "it is free to act",
           "it stops and may re-form"});
  out.Add({fmt::format("{} or more", c.free_max + 1), "it repeats its last move",
           "it continues"});
  return out;
}

// The rows of LeaderRisk.
enum : std::size_t { kHitWithUnit, kHitAlone, kKilled, kWounded, kMissed, kNotHit };

RuleTable LeaderRisk(const Tables& book) {
  const auto& l = book.leader;
  RuleTable out{"leaders", "What happens to a leader", {"CF-6.1", "CF-6.2", "CF-6.3", "CF-6.4"},
                {"D6", "What it means"}, {}};
  out.Add({FaceWords(l.hit_attached), "a leader with a unit is hit: throw for how badly"});
  out.Add({FaceWords(l.hit_lone), "a lone leader is hit: throw for how badly"});
  out.Add({FaceWords(l.killed), "how badly: killed"});
  out.Add({FaceWords(l.wounded), "how badly: wounded; killed if he was wounded before"});
  out.Add({"other", "how badly: a near miss"});
  out.Add({"other", "not hit at all"});
  return out;
}

RuleTable Ranges(const Tables& book) {
  RuleTable out{"ranges", "How far weapons reach, yards", {"CF-15.5", "CF-15.1", "CF-16.2"},
                {"Weapon", "Close", "Effective", "Maximum"}, {}};
  constexpr std::array<const char*, 3> kNames = {"heavy gun", "field gun or howitzer",
                                                 "battalion gun"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const GunRange& r = book.gun_range[i];
    out.Add({kNames[i], fmt::format("{:g}", r.close), fmt::format("{:g}", r.effective),
             fmt::format("{:g}", r.maximum)});
  }
  out.Add({"musketry", fmt::format("{:g}", book.musketry.close), "-",
           fmt::format("{:g}", book.musketry.maximum)});
  return out;
}

RuleTable MoveDice(const Tables& book) {
  RuleTable out{"move_dice",
                "The dice of a move, 10 yards a point",
                {"CF-11.2", "CF-12.1", "CF-12.2", "CF-12.8", "CF-11.6"},
                {"Troops", "Dice"},
                {}};
  const auto add = [&](const char* who, const std::vector<DiceSet>& sets) {
    std::string words;
    for (const DiceSet& set : sets) words += (words.empty() ? "" : ", or ") + DiceInWords(set);
    out.Add({who, words});
  };
  add("foot", book.move.foot);
  add("dismounted dragoons", book.move.dismounted_dragoons);
  add("cavalry", book.move.cavalry);
  add("unlimbered battalion guns", book.move.battalion_gun_unlimbered);
  add("limbered guns, good ground", book.move.limbered_good);
  add("limbered guns, rough ground", book.move.limbered_rough);
  return out;
}

RuleTable MoveFactors(const Tables& book) {
  const auto& m = book.move;
  const auto yards = [](double each) { return fmt::format("{:+g} yd a die", each); };
  return FactorTable("move", "What changes a move", {"CF-12.3", "CF-12.4", "CF-12.6", "CF-12.1"},
                     {{"inspired", yards(m.per_die_inspired)},
                      {"rough", yards(m.per_die_rough)},
                      {"first fast move", yards(m.per_die_fast_initial)}});
}

RuleTable FatigueFaces(const Tables& book) {
  const auto& f = book.fatigue;
  RuleTable out{"fatigue", "Faces of the move's dice that cost 1 DP", {"CF-13.1", "CF-13.2"},
                {"Who", "Faces"}, {}};
  out.Add({"a line on good ground", FaceWords(f.good_line)});
  out.Add({"cavalry on rough ground", FaceWords(f.rough_cavalry)});
  out.Add({"cavalry on rough ground, also", FaceWords(f.rough_cavalry_further)});
  out.Add({"a line of foot on rough ground", FaceWords(f.rough_foot_line)});
  out.Add({"an unlimbered gun on rough ground", FaceWords(f.rough_unlimbered_gun)});
  out.Add({"an assault column on rough ground", FaceWords(f.rough_assault_column)});
  return out;
}

RuleTable Leaders(const Tables& book) {
  RuleTable out{"ranks", "Leaders", {"CF-4.1", "CF-5.1", "CF-6.3", "CF-2.10"},
                {"Leader", "Actions", "Actions when wounded", "Control radius, yards"}, {}};
  constexpr std::array<const char*, 3> kNames = {"brigadier", "general", "marshal"};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    out.Add({kNames[i], fmt::format("{}", book.leader.actions[i]),
             fmt::format("{}", book.leader.actions_wounded[i]),
             fmt::format("{:g}", book.leader.control_radius[i])});
  return out;
}

RuleTable MoraleShocks(const Tables& book) {
  const auto& m = book.morale;
  return FactorTable(
      "morale", "DPs for what a unit sees", {"CF-8.4", "CF-8.5"},
      {{"a friend of lower grade routs or is destroyed", Signed(m.lower_rout_or_destroyed)},
       {"a friend of its grade or better routs or is destroyed",
        Signed(m.equal_higher_rout_or_destroyed)},
       {"foot of its grade or better retires", Signed(m.equal_higher_foot_retire)},
       {"a general or marshal is killed or routs", Signed(m.general_or_marshal)},
       {"it rode through an enemy", Signed(m.ride_through)},
       {"it took a position", Signed(m.take_position)}});
}

// Marks the factors that a sum names: "die 6, heavy gun +1 = 7".
void MarkFactors(std::string_view text, RuleTable& table) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string& label = table.rows[i].cells[0];
    for (std::size_t at = text.find(label); at != std::string_view::npos;
         at = text.find(label, at + 1)) {
      const std::string_view before = at < 2 ? ", " : text.substr(at - 2, 2);
      const bool begins = before == ", " || before == ": " || before == " (";
      const std::string_view after = text.substr(at + label.size());
      if (!begins || after.size() < 2 || after[0] != ' ' ||
          std::string_view("+-0123456789").find(after[1]) == std::string_view::npos)
        continue;
      table.Mark(i, 1);
    }
  }
}

// The number behind these words: 5 in "control test 5: it halts".
std::optional<int> NumberAfter(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string number(text.substr(at + words.size(), 4));
  char* end = nullptr;
  const long value = std::strtol(number.c_str(), &end, 10);
  if (end == number.c_str()) return std::nullopt;
  return static_cast<int>(value);
}

// CF-6.1, CF-6.2: the die of a leader's risk, or of how badly he is hit.
std::optional<std::size_t> LeaderRow(const Tables& book, std::string_view text) {
  const std::optional<int> die = NumberAfter(text, ": ");
  if (!die) return std::nullopt;
  const auto& l = book.leader;
  if (text.starts_with("Severity of "))
    return l.killed.Has(*die) ? kKilled : l.wounded.Has(*die) ? kWounded : kMissed;
  if (text.starts_with("Risk to ")) return l.hit_attached.Has(*die) ? kHitWithUnit : kNotHit;
  return std::nullopt;
}

void Say(const Event& event, RuleTable& table) { table.said.push_back(event.text); }

void MarkTold(const State& s, const Event& event, std::vector<RuleTable>& tables) {
  const std::string_view text = event.text;
  const auto factors = [&](std::string_view clause, std::string_view name) {
    RuleTable* table = TableNamed(tables, name);
    if (table != nullptr && event.clause == clause && text.find(" = ") != std::string_view::npos) {
      MarkFactors(text, *table);
      Say(event, *table);
    }
  };
  factors("CF-16.2", "gun");
  factors("CF-17.1", "musketry");
  factors("CF-20.3", "combat");
  if (RuleTable* table = TableNamed(tables, "gun_result"); table && event.clause == "CF-16.2") {
    if (const auto total = NumberAfter(text, " = ")) {
      const auto last = static_cast<int>(table->rows.size());
      table->Mark(static_cast<std::size_t>(std::clamp(*total, 1, last) - 1));
      Say(event, *table);
    }
  }
  if (RuleTable* table = TableNamed(tables, "combat_result"); table && event.clause == "CF-21.1") {
    for (std::size_t i = 0; i < kOutcomes; ++i) {
      if (!text.ends_with(", " + OutcomeWords(static_cast<Outcome>(i)) + ".")) continue;
      table->Mark(i);
      Say(event, *table);
    }
  }
  if (RuleTable* table = TableNamed(tables, "leaders")) {
    if (const auto row = LeaderRow(s.Book(), text)) {
      table->Mark(*row);
      Say(event, *table);
    }
  }
  if (RuleTable* table = TableNamed(tables, "control")) {
    if (const auto total = NumberAfter(text, "control test ")) {
      const ControlResult result = ControlOf(s.Book(), *total);
      table->Mark(result == ControlResult::kLow ? 0 : result == ControlResult::kFree ? 1 : 2);
      Say(event, *table);
    }
  }
}

}  // namespace

std::vector<RuleTable> RuleTables(const State& s) {
  const Tables& book = s.Book();
  return {CombatResults(book), CombatFactors(book), GunResults(book),   GunFactors(book),
          MusketFactors(book), ControlResults(book), LeaderRisk(book),  Ranges(book),
          MoveDice(book),      MoveFactors(book),    FatigueFaces(book), Leaders(book),
          MoraleShocks(book)};
}

void MarkAwaited(const State& s, std::vector<RuleTable>& tables) {
  if (!s.waiting) return;
  const Ask& ask = s.waiting->ask;
  // What is thrown for has no result yet; the sum of a combat is known without the die.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kAsked = {{
      {"CF-20.2", "combat"},
      {"CF-16.1", "gun_result"},
      {"CF-5.5", "control"},
      {"CF-6.1", "leaders"},
      {"CF-6.2", "leaders"},
  }};
  for (const auto& [clause, name] : kAsked) {
    RuleTable* table = TableNamed(tables, name);
    if (table == nullptr || ask.clause != clause) continue;
    if (name == "combat") MarkFactors(ask.sentence, *table);
    table->said.push_back(Capitalised(ask.sentence) + '.');
  }
}

void MarkRuled(const State& s, const Event& event, std::vector<RuleTable>& tables) {
  if (event.what == What::kTold) MarkTold(s, event, tables);
}

}  // namespace fos::closefire
