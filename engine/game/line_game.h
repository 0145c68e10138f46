// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/game/history.h"
#include "engine/game/line_words.h"
#include "engine/game/rule_game.h"
#include "engine/table/counted.h"

namespace fos {

// A request as a sentence: "throw 3 dice" becomes "Throw 3 dice."
inline std::string AsSentence(std::string request) {
  if (!request.empty() && request[0] >= 'a' && request[0] <= 'z')
    request[0] = static_cast<char>(request[0] - 'a' + 'A');
  return request + '.';
}

// The parts of a game that all rule sets share: lines to actions and back, the history, the
// sentences. Rules is History's struct (history.h) and in addition provides
//   static constexpr std::string_view kName                          "napoleonic"
//   ParseLine(const State&, std::string_view) -> Action              throws UnreadableLine
//   ToLine(const State&, const Action&) -> std::string               ParseLine's inverse
//   Describe(const State& after, const Event&) -> std::string        a sentence, or ""
//   ClauseOf(const State& after, const Event&) -> std::string        its clause, or ""
//   Next(const State&) -> Prompt
//   Options(const State&, int side) -> std::vector<LineOption>
//   OptionsOf(const State&, std::string_view piece) -> std::vector<LineOption>
//   RandomAction(const State&, Generator&) -> Action                 an accepted one
//   View(const State&) -> GameView                                   without fates
//   Fates(const State& after, const Event&) -> std::vector<std::pair<std::string, std::string>>
//                                    pieces that left the table, and why
//   ToJson(const State&), DescribeTable(const State&) -> std::string
//   ReachOf(const State&, std::string_view piece) -> PieceReach      optional
//   ForecastOf(const State&, const Action&) -> std::optional<fos::Forecast>  optional
//   Awaited(const State&) -> std::optional<fos::Forecast>            optional
//   RuleTables(const State&) -> std::vector<RuleTable>               optional, with
//   MarkAwaited(const State&, std::vector<RuleTable>&)               the case that is awaited
//   MarkRuled(const State& after, const Event&, std::vector<RuleTable>&)  the case it decided
//   PlacementLines(const State&, const std::vector<StandObservation>&)
//     -> std::vector<std::string>                                    optional
//   FallLine(const FallenShot&) -> std::string                       optional
template <typename Rules>
class LineGame final : public RuleGame {
 public:
  using State = typename Rules::State;
  using Action = typename Rules::Action;
  using Event = typename Rules::Event;

  explicit LineGame(State start) : game_(std::move(start)) {}

  std::string_view Ruleset() const override { return Rules::kName; }

  Result<LineOutcome> Play(std::string_view line) override {
    auto action = Parsed(game_.Now(), line);
    if (!action.ok()) return action.error();
    const std::size_t index = game_.Entries().size();
    LineOutcome out;
    out.refused = game_.Play(*action);
    if (!out.refused) Tell(index, out);
    return out;
  }

  std::size_t Played() const override { return game_.Entries().size(); }

  std::vector<std::string> Lines() const override {
    std::vector<std::string> out;
    State s = game_.At(0);
    for (const auto& entry : game_.Entries()) {
      out.push_back(Rules::ToLine(s, Rules::AsThrown(entry.action, entry.events)));
      for (const Event& event : entry.events) Rules::ApplyTo(s, event);
    }
    return out;
  }

  std::vector<std::size_t> Serials() const override {
    std::vector<std::size_t> out;
    for (const auto& entry : game_.Entries()) out.push_back(entry.serial);
    return out;
  }

  bool Undo() override { return game_.Undo(); }

  Result<Corrected> Correct(std::size_t index, std::optional<std::string_view> line) override {
    if (index >= Played())
      return Error{ErrorCode::kOutOfRange,
                   fmt::format("there is no action {}; {} played so far", index + 1,
                               Counted(static_cast<double>(Played()), "action"))};
    std::optional<Action> action;
    if (line) {
      auto parsed = Parsed(game_.At(index), *line);
      if (!parsed.ok()) return parsed.error();
      action = std::move(parsed).value();
    }
    const std::vector<std::string> before = Lines();
    const auto correction = game_.Correct(index, action);
    Corrected out{correction.refused, {}};
    for (const auto& change : correction.changes) {
      const std::string& was = before[change.index];
      if (change.refused) {
        out.changed.push_back(fmt::format("Action {} ({}) is no longer allowed: {} ({}).",
                                          change.index + 1, was, change.refused->because,
                                          change.refused->clause));
      } else if (change.after.empty()) {
        out.changed.push_back(fmt::format("Action {} ({}) is removed.", change.index + 1, was));
      } else {
        out.changed.push_back(
            fmt::format("Action {} ({}) now has another result.", change.index + 1, was));
      }
    }
    return out;
  }

  Prompt Next() const override { return Rules::Next(game_.Now()); }
  std::vector<LineOption> Options(int side) const override {
    return Rules::Options(game_.Now(), side);
  }
  std::vector<LineOption> OptionsOf(std::string_view piece) const override {
    return Rules::OptionsOf(game_.Now(), piece);
  }
  std::string RandomLine(Generator& chance) const override {
    return Rules::ToLine(game_.Now(), Rules::RandomAction(game_.Now(), chance));
  }

  GameView View() const override {
    GameView view = Rules::View(game_.Now());
    State s = game_.At(0);
    for (const auto& entry : game_.Entries())
      for (const Event& event : entry.events) {
        Rules::ApplyTo(s, event);
        for (const auto& [piece, fate] : Rules::Fates(s, event))
          for (PieceView& seen : view.pieces)
            if (seen.id == piece && !seen.on_table) seen.fate = fate;
      }
    return view;
  }

  std::optional<Forecast> ForecastOf(std::string_view line) const override {
    if constexpr (requires(const Action& a) { Rules::ForecastOf(game_.Now(), a); }) {
      const auto action = Parsed(game_.Now(), line);
      if (action.ok()) return Rules::ForecastOf(game_.Now(), *action);
    }
    return std::nullopt;
  }
  std::vector<std::string> PlacementLines(
      const std::vector<StandObservation>& stands) const override {
    if constexpr (requires { Rules::PlacementLines(game_.Now(), stands); })
      return Rules::PlacementLines(game_.Now(), stands);
    return {};
  }
  std::optional<Forecast> Awaited() const override {
    if constexpr (requires { Rules::Awaited(game_.Now()); }) return Rules::Awaited(game_.Now());
    return std::nullopt;
  }

  std::vector<RuleTable> TablesOf(std::string_view clause, std::size_t played) const override {
    if constexpr (requires { Rules::RuleTables(game_.Now()); }) {
      std::vector<RuleTable> out = Rules::RuleTables(game_.Now());
      std::erase_if(out, [&](const RuleTable& table) { return !table.Belongs(clause); });
      const std::vector<RuleTable> unmarked = out;
      if (played >= Played()) Rules::MarkAwaited(game_.Now(), out);
      // Further back a case is no longer what the players have in mind.
      constexpr std::size_t kLinesBack = 60;
      const auto open = [](const RuleTable& table) { return table.said.empty(); };
      for (std::size_t i = std::min(played, Played()), looked = 0;
           i-- > 0 && looked < kLinesBack && std::any_of(out.begin(), out.end(), open); ++looked) {
        std::vector<RuleTable> ruled = unmarked;
        State s = game_.At(i);
        for (const Event& event : game_.Entries()[i].events) {
          Rules::ApplyTo(s, event);
          Rules::MarkRuled(s, event, ruled);
        }
        for (std::size_t t = 0; t < out.size(); ++t)
          if (open(out[t])) out[t] = std::move(ruled[t]);
      }
      return out;
    } else {
      return {};
    }
  }

  PieceReach ReachOf(std::string_view piece) const override {
    if constexpr (requires { Rules::ReachOf(game_.Now(), piece); }) {
      return Rules::ReachOf(game_.Now(), piece);
    } else {
      return {};
    }
  }

  std::string FallLine(const FallenShot& shot) const override {
    if constexpr (requires { Rules::FallLine(shot); }) {
      return Rules::FallLine(shot);
    } else {
      return {};
    }
  }

  std::string StateJson() const override { return Rules::ToJson(game_.Now()); }
  std::string DescribeTable() const override { return Rules::DescribeTable(game_.Now()); }

 private:
  static Result<Action> Parsed(const State& s, std::string_view line) {
    try {
      return Rules::ParseLine(s, line);
    } catch (const UnreadableLine& e) {
      return Error{ErrorCode::kBadFormat, e.why};
    }
  }
  // Describe each event in the state right after it.
  void Tell(std::size_t index, LineOutcome& out) const {
    State s = game_.At(index);
    const auto& entry = game_.Entries()[index];
    out.line = Rules::ToLine(s, Rules::AsThrown(entry.action, entry.events));
    for (const Event& event : entry.events) {
      Rules::ApplyTo(s, event);
      out.events.push_back(Rules::ToText(event));
      std::string sentence = Rules::Describe(s, event);
      if (!sentence.empty()) out.told.push_back(std::move(sentence));
      std::string clause = Rules::ClauseOf(s, event);
      if (!clause.empty() &&
          std::find(out.clauses.begin(), out.clauses.end(), clause) == out.clauses.end())
        out.clauses.push_back(std::move(clause));
    }
  }

  History<Rules> game_;
};

// Makes the game from a setup by the rule set's own NewGame; passes on the reader's error.
// seed  as for OpenGame (rule_game.h).
template <typename Rules, typename Setup>
Result<std::unique_ptr<RuleGame>> Opened(const Result<Setup>& setup,
                                         std::optional<std::uint64_t> seed) {
  if (!setup.ok()) return setup.error();
  return std::unique_ptr<RuleGame>(
      std::make_unique<LineGame<Rules>>(NewGame(setup.value(), seed.value_or(0))));
}

}  // namespace fos
