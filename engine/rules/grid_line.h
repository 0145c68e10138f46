#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/line_words.h"
#include "engine/squares/melee_sums.h"
#include "engine/squares/queries.h"

// Lines of games on a grid: names of squares, sides, units, stands and pieces, read and written.
// State as in squares/queries.h.
namespace fos {

using squares::Cell;
using squares::kNowhere;
using squares::PieceNo;

// The words of one line, read against the names of this game.
template <typename State>
class GridLine : public LineWords {
 public:
  GridLine(const State& s, LineWords words) : LineWords(std::move(words)), s_(s) {}

  Cell Square() {
    const std::string word = Word("a square");
    const auto index = ParseSquare(word);
    if (!index || !s_.setup->board.Contains(*index))
      FailLine(fmt::format("`{}` is no square of this board", word.substr(0, 100)));
    return s_.setup->board.At(*index);
  }
  int Side() {
    const std::string word = Word("a side");
    for (int side = 0; side < 2; ++side)
      if (squares::SideName(s_, side) == word) return side;
    FailLine(NoSuch("side", word, {squares::SideName(s_, 0), squares::SideName(s_, 1)}));
  }
  PieceNo Unit() {
    const std::string word = Word("a unit");
    if (const auto unit = FindUnit(word)) return *unit;
    std::vector<std::string> names;
    for (const auto& unit : s_.setup->units) names.push_back(unit.id);
    FailLine(NoSuch("unit", word, names));
  }
  PieceNo Equipment() {
    const std::string word = Word("a piece of equipment");
    if (const auto piece = FindEquipment(word)) return *piece;
    std::vector<std::string> names;
    for (const auto& piece : s_.setup->equipment) names.push_back(piece.id);
    FailLine(NoSuch("equipment", word, names));
  }
  PieceNo Stand() {
    const std::string word = Word("a stand");
    if (const auto stand = FindStand(word)) return *stand;
    FailLine(fmt::format("`{}` is no stand (a stand is UNIT#NUMBER)", word.substr(0, 100)));
  }
  std::optional<PieceNo> FindUnit(const std::string& id) const {
    for (std::size_t i = 0; i < s_.setup->units.size(); ++i)
      if (s_.setup->units[i].id == id) return static_cast<PieceNo>(i);
    return std::nullopt;
  }
  std::optional<PieceNo> FindEquipment(const std::string& id) const {
    for (std::size_t i = 0; i < s_.setup->equipment.size(); ++i)
      if (s_.setup->equipment[i].id == id) return static_cast<PieceNo>(i);
    return std::nullopt;
  }
  std::optional<PieceNo> FindStand(const std::string& name) const {
    const std::size_t hash = name.rfind('#');
    if (hash == std::string::npos) return std::nullopt;
    const auto unit = FindUnit(name.substr(0, hash));
    int number = 0;
    const auto [end, error] =
        std::from_chars(name.data() + hash + 1, name.data() + name.size(), number);
    if (!unit || error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    for (std::size_t i = 0; i < s_.stands.size(); ++i)
      if (s_.stands[i].unit == *unit && --number == 0) return static_cast<PieceNo>(i);
    return std::nullopt;
  }
  // "UNIT [in SQUARE]": where its stands are, or the square named.
  Cell WhereOf(PieceNo unit) {
    if (Skip("in")) return Square();
    const std::optional<Cell> cell = OnlySquareOf(s_, unit);
    const std::string name = squares::UnitName(s_, unit);
    if (!cell && squares::StandsOf(s_, unit).empty())
      FailLine(fmt::format("{} has no stand left on the board", name));
    if (!cell) FailLine(fmt::format("{} is in several squares: say `in SQUARE`", name));
    return *cell;
  }
  // What `UNIT` alone means: the square its stands are in; of a formation of several squares the
  // first's. Nothing when it must be said.
  static std::optional<Cell> OnlySquareOf(const State& s, PieceNo unit) {
    const std::vector<PieceNo> stands = squares::StandsOf(s, unit);
    if (stands.empty()) return std::nullopt;
    const auto& first = s.StandAt(stands.front());
    if constexpr (requires { first.formation; })
      if (first.formation >= 0) return first.cell;
    for (const PieceNo i : stands)
      if (s.StandAt(i).cell != first.cell) return std::nullopt;
    return first.cell;
  }
  // A deployment card.
  squares::Card Card() {
    const std::string name = Word("a card");
    std::vector<std::string> names;
    for (int card = 0; card < squares::kCardKinds; ++card) {
      names.emplace_back(squares::CardName(static_cast<squares::Card>(card)));
      if (names.back() == name) return static_cast<squares::Card>(card);
    }
    FailLine(NoSuch("card", name, names));
  }
  // `drawn` and the game's generator after the dice or the coin, in hexadecimal: written where they
  // came from it, so that the game goes on with the same ones when it is played again.
  std::optional<std::uint64_t> Drawn() {
    if (!Skip("drawn")) return std::nullopt;
    const std::string word = Word("the generator's state");
    std::uint64_t state = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), state, 16);
    if (error != std::errc() || end != word.data() + word.size())
      FailLine(fmt::format("`{}` is no state of the generator", word.substr(0, 100)));
    return state;
  }
  bool CoinIsHeads() {
    const std::string word = Word("heads or tails");
    if (word != "heads" && word != "tails") FailLine("a coin shows heads or tails");
    return word == "heads";
  }

  const State& s() const { return s_; }

 private:
  const State& s_;
};

// The same names written; what each gives GridLine reads back.
template <typename State>
class GridWriter {
 public:
  explicit GridWriter(const State& s) : s_(s) {}

 protected:
  template <typename List, typename F>
  static std::string Each(const List& list, F f) {
    std::string out;
    for (const auto& element : list) out += fmt::format(" {}", f(element));
    return out;
  }
  static std::string Drawn(std::optional<std::uint64_t> generator) {
    return generator ? fmt::format(" drawn {:x}", *generator) : std::string();
  }
  std::string Stands(const std::vector<PieceNo>& stands) const {
    return Each(stands, [this](PieceNo i) { return StandWord(i); });
  }
  std::string StandWord(PieceNo i) const { return AsWord(squares::StandName(s_, i)); }
  std::string Piece(PieceNo i) const { return AsWord(squares::EquipmentName(s_, i)); }
  std::string Unit(PieceNo i) const { return AsWord(squares::UnitName(s_, i)); }
  std::string Side(int side) const { return AsWord(squares::SideName(s_, side)); }
  std::string GroupIn(PieceNo unit, Cell cell) const {
    const bool said = GridLine<State>::OnlySquareOf(s_, unit) == cell;
    return Unit(unit) + (said ? "" : " in " + squares::CellName(s_, cell));
  }

  const State& s_;
};

}  // namespace fos
