// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/game/chance.h"
#include "engine/table/clause.h"

// Which clauses random games reach. A clause is reached when an event, the sum of a volley or melee
// or a note on the game file cites it, or when it refuses something that a player tries. Besides
// its legal action, a player tries legal lines with one word changed, lines of earlier steps, and
// what Play adds, such as sightings by the camera; what is accepted of these is not played.
namespace fos::test {

inline std::vector<std::string> WordsOf(const std::string& line) {
  std::istringstream words(line);
  std::vector<std::string> out;
  for (std::string word; words >> word;) out.push_back(word);
  return out;
}

// The line with one of its squares, facings or names replaced by another.
// names  of pieces, units and sides
inline std::string WithAnotherWord(const std::string& line, const std::vector<std::string>& names,
                                   Generator& chance) {
  constexpr const char* kFacings[] = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
  std::vector<std::string> words = WordsOf(line);
  if (words.size() < 2) return line;
  const auto at = 1 + static_cast<std::size_t>(chance.Below(static_cast<int>(words.size()) - 1));
  std::string& word = words[at];
  const bool facing =
      std::find(std::begin(kFacings), std::end(kFacings), word) != std::end(kFacings);
  const bool square = word.size() == 2 && std::isupper(static_cast<unsigned char>(word[0])) != 0 &&
                      std::isdigit(static_cast<unsigned char>(word[1])) != 0;
  if (facing) {
    word = kFacings[chance.Below(8)];
  } else if (square) {
    const int column = std::clamp(word[0] - 'A' + chance.Below(5) - 2, 0, 25);
    const int row = std::clamp(word[1] - '0' + chance.Below(5) - 2, 1, 9);
    word = std::string(1, static_cast<char>('A' + column)) + std::to_string(row);
  } else if (std::all_of(word.begin(), word.end(),
                         [](unsigned char c) { return std::isdigit(c) != 0; })) {
    word = std::to_string(chance.Below(15));
  } else if (std::find(names.begin(), names.end(), word) != names.end()) {
    word = names[static_cast<std::size_t>(chance.Below(static_cast<int>(names.size())))];
  }
  std::string out;
  for (const std::string& each : words) out += (out.empty() ? "" : " ") + each;
  return out;
}

// A move, a shot or a support of any of these units in any square of the board.
inline std::string AnyDeclaration(const std::vector<std::string>& units, int columns, int rows,
                                  Generator& chance) {
  constexpr const char* kLines[] = {"move {} to {}", "move {} to {}", "support {} at {}",
                                    "fire {} at {}", "attack {} at {}"};
  const std::string& unit =
      units[static_cast<std::size_t>(chance.Below(static_cast<int>(units.size())))];
  const std::string square = std::string(1, static_cast<char>('A' + chance.Below(columns))) +
                             std::to_string(1 + chance.Below(rows));
  return fmt::format(fmt::runtime(kLines[chance.Below(5)]), unit, square);
}

// Play is a struct of the rule set's types and functions:
//   State, Event; Start(int number, seed) -> State; Over(State) -> bool
//   Random(const State&, Generator&) -> Action          an action that Take accepts
//   Take(State&, const Action&, std::vector<Event>&) -> std::optional<Refusal>
//   ApplyTo(State&, Event), ClauseOf(State, Event) -> std::string
//   LineOf(State, Action) -> std::string, Read(State, line) -> Result<Action>
//   Names(State) -> names of pieces, units and sides; Sums(State) -> clauses of pending sums
//   Wild(State, Generator&) -> a line to try, or ""
//   Notes(State) -> clauses that the notes on the game file cite; may be missing
template <typename Play>
std::map<std::string, int> CountClausesReached(int games) {
  constexpr int kMostActions = 5000;
  constexpr int kTries = 6;
  std::map<std::string, int> out;
  for (int number = 1; number <= games; ++number) {
    std::set<std::string> reached;
    const auto note = [&](std::string clause) {
      if (!clause.empty()) reached.insert(std::move(clause));
    };
    const auto seed = static_cast<std::uint64_t>(number);
    Generator chance{seed};
    Generator wild{seed + 1000};
    auto s = Play::Start(number, seed);
    if constexpr (requires { Play::Notes(s); })
      for (const std::string& clause : Play::Notes(s)) note(clause);
    const std::vector<std::string> names = Play::Names(s);
    std::vector<std::string> lines;
    for (int actions = 0; !Play::Over(s); ++actions) {
      if (actions > kMostActions) throw std::runtime_error("the game does not end");
      const auto action = Play::Random(s, chance);
      lines.push_back(Play::LineOf(s, action));
      for (int i = 0; i < kTries; ++i) {
        const std::string line =
            i == 0   ? lines[static_cast<std::size_t>(wild.Below(static_cast<int>(lines.size())))]
            : i <= 3 ? Play::Wild(s, wild)
                     : WithAnotherWord(lines.back(), names, wild);
        const auto tried = Play::Read(s, line);
        if (!tried.ok()) continue;
        auto trial = s;
        std::vector<typename Play::Event> events;
        if (const auto refusal = Play::Take(trial, *tried, events)) {
          note(refusal->clause);
          continue;
        }
        for (const auto& event : events) note(Play::ClauseOf(trial, event));
        for (const std::string& clause : Play::Sums(trial)) note(clause);
      }
      for (const std::string& clause : Play::Sums(s)) note(clause);
      auto after = s;
      std::vector<typename Play::Event> events;
      if (const auto refusal = Play::Take(after, action, events))
        throw std::runtime_error(lines.back() + ": " + refusal->because);
      for (const auto& event : events) {
        Play::ApplyTo(s, event);
        note(Play::ClauseOf(s, event));
      }
    }
    for (const std::string& clause : reached) ++out[clause];
  }
  return out;
}

// The number of games that reach each clause. The games are played once for all tests of a program.
template <typename Play, int kGames>
const std::map<std::string, int>& ClausesReached() {
  static const std::map<std::string, int> reached = CountClausesReached<Play>(kGames);
  return reached;
}

}  // namespace fos::test
