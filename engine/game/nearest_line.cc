// SPDX-License-Identifier: MIT
#include "engine/game/nearest_line.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "engine/game/line_words.h"

namespace fos {
namespace {

// A line by kinds of words. A word that follows the first piece is a square, a facing, a number or
// a name.
struct WordsByKind {
  std::string verb, piece;
  std::vector<std::string> names;
  std::vector<SquareIndex> squares;
  std::vector<Facing> facings;
  std::vector<double> numbers;
};

std::optional<double> NumberIn(const std::string& word) {
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(number)) return {};
  return number;
}

// Empty if a quotation mark is not closed.
WordsByKind ByKind(std::string_view line) try {
  LineWords words(line);
  words.Skip("overrule");
  WordsByKind out;
  if (!words.AtEnd()) out.verb = words.Word("a command");
  if (!words.AtEnd()) out.piece = words.Word("a name");
  while (!words.AtEnd()) {
    const std::string word = words.Word("a word");
    if (const auto number = NumberIn(word)) {
      out.numbers.push_back(*number);
    } else if (const auto facing = ParseFacing(word)) {
      out.facings.push_back(*facing);
    } else if (const auto square = ParseSquare(word)) {
      out.squares.push_back(*square);
    } else if (word != "via" && word != "to" && word != "at") {
      out.names.push_back(word);
    }
  }
  return out;
} catch (const UnreadableLine&) {
  return {};
}

// The unit of a stand `UNIT#2`.
std::string_view UnitIn(std::string_view name) { return name.substr(0, name.rfind('#')); }

// How far two lines that begin with the same word are apart. Each kind of difference outweighs all
// that follow it.
double Apart(const WordsByKind& a, const WordsByKind& b) {
  constexpr double kPiece = 1e6, kName = 1e4, kSquare = 10, kFacing = 1, kNumber = 1e-3;
  double apart = a.piece == b.piece ? 0 : UnitIn(a.piece) == UnitIn(b.piece) ? kPiece / 10 : kPiece;
  for (const std::string& name : a.names)
    if (std::find(b.names.begin(), b.names.end(), name) == b.names.end()) apart += kName;
  for (const std::string& name : b.names)
    if (std::find(a.names.begin(), a.names.end(), name) == a.names.end()) apart += kName;
  if (a.squares.empty() != b.squares.empty()) apart += 5 * kSquare;
  if (!a.squares.empty() && !b.squares.empty()) {
    apart += kSquare * std::hypot(a.squares.back().column - b.squares.back().column,
                                  a.squares.back().row - b.squares.back().row);
  }
  if (a.facings.empty() != b.facings.empty()) apart += 2 * kFacing;
  if (!a.facings.empty() && !b.facings.empty()) {
    const int turn =
        std::abs(static_cast<int>(a.facings.back()) - static_cast<int>(b.facings.back()));
    apart += kFacing * std::min(turn, 8 - turn);
  }
  for (std::size_t i = 0; i < std::max(a.numbers.size(), b.numbers.size()); ++i) {
    const bool both = i < a.numbers.size() && i < b.numbers.size();
    apart += kNumber * (both ? std::abs(a.numbers[i] - b.numbers[i]) : 100);
  }
  return apart;
}

}  // namespace

std::string NearestLine(std::string_view refused, const std::vector<LineOption>& options) {
  const WordsByKind wanted = ByKind(refused);
  std::string nearest;
  double least = 0;
  for (const LineOption& option : options) {
    const WordsByKind legal = ByKind(option.line);
    if (wanted.verb.empty() || legal.verb != wanted.verb) continue;
    const double apart = Apart(wanted, legal);
    if (!nearest.empty() && apart >= least) continue;
    nearest = option.line;
    least = apart;
  }
  return nearest;
}

std::string NearestLegal(const RuleGame& game, std::string_view refused) {
  std::vector<LineOption> options;
  for (const int side : game.Next().sides)
    for (LineOption& option : game.Options(side)) options.push_back(std::move(option));
  return NearestLine(refused, options);
}

}  // namespace fos
