// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "engine/game/line_words.h"
#include "engine/squares/game_words.h"

// Script lines of grid games: reads and writes the names of squares, sides, units, stands and
// pieces. State as in squares/queries.h.
namespace fos {

using squares::Cell;
using squares::kNowhere;
using squares::PieceNo;

// Reads the words of one line against the names of this game.
template <typename State>
class GridLine : public LineWords {
 public:
  GridLine(const State& s, LineWords words) : LineWords(std::move(words)), s_(s) {}

  Cell Square() {
    const std::string word = Word("a square");
    const auto index = ParseSquare(word);
    const auto& board = s_.setup->board;
    if (!index || !board.Contains(*index)) FailLine(NotASquare(word, board.columns, board.rows));
    return board.At(*index);
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
    FailLine(fmt::format("`{}` is not a stand (write UNIT#NUMBER)", word.substr(0, 100)));
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
  // Reads "UNIT [in SQUARE]": the square where its stands are, or the one given.
  Cell WhereOf(PieceNo unit) {
    if (Skip("in")) return Square();
    const std::optional<Cell> cell = OnlySquareOf(s_, unit);
    const std::string name = squares::UnitName(s_, unit);
    if (!cell && squares::StandsOf(s_, unit).empty())
      FailLine(fmt::format("{} has no stand left on the board", name));
    if (!cell) FailLine(fmt::format("{} stands in several squares; add `in SQUARE`", name));
    return *cell;
  }
  // The square that `UNIT` alone means: where its stands are, or the first square of its Square
  // formation. Empty when the line must name one.
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
  // Reads a deployment card.
  squares::Card Card() {
    const std::string name = Word("a card");
    std::vector<std::string> names;
    for (int card = 0; card < squares::kCardKinds; ++card) {
      names.emplace_back(squares::CardName(static_cast<squares::Card>(card)));
      if (names.back() == name) return static_cast<squares::Card>(card);
    }
    FailLine(NoSuch("card", name, names));
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

// ---- declarations shared by all grid games ----
// dice 3 5 ... [drawn STATE]
template <typename Declaration, typename Line>
Declaration ParseDice(Line& line) {
  squares::GiveDice dice;
  if (!line.AtEnd()) dice.dice = line.Dice(6);
  dice.generator = line.Drawn();
  return dice;
}
template <typename Declaration, typename Line>
Declaration ParseCoin(Line& line) {
  const bool heads = line.CoinIsHeads();
  return squares::GiveCoin{heads, line.Drawn()};
}
template <typename Declaration, typename Line>
Declaration ParseDraw(Line&) {
  return squares::Draw{};
}
template <typename Declaration, typename Line>
Declaration ParseBack(Line& line) {
  return squares::ChooseRetreat{line.Skip("off") ? kNowhere : line.Square()};
}
// turn UNIT [in SQUARE] FACING; turn PIECE FACING
template <typename Declaration, typename Line>
Declaration ParseTurn(Line& line) {
  const std::string name = line.Peek();
  if (const auto piece = line.FindEquipment(name)) {
    line.Word("a name");
    return squares::TurnEquipment{line.s().EquipmentAt(*piece).owner, *piece, line.Turn()};
  }
  const PieceNo unit = line.Unit();
  const Cell cell = line.WhereOf(unit);
  return squares::TurnUnit{squares::UnitOf(line.s(), unit).side, unit, cell, line.Turn()};
}
template <typename Declaration, typename Line>
Declaration ParseVolley(Line& line) {
  const PieceNo unit = line.Unit();
  const Cell from = line.WhereOf(unit);
  line.Expect("at");
  return squares::CallVolley{squares::UnitOf(line.s(), unit).side, unit, from, line.Square()};
}
template <typename Declaration, typename Line>
Declaration ParseSupport(Line& line) {
  const PieceNo unit = line.Unit();
  const Cell from = line.WhereOf(unit);
  line.Expect("at");
  return squares::Support{squares::UnitOf(line.s(), unit).side, unit, from, line.Square()};
}
template <typename Declaration, typename Line>
Declaration ParseCard(Line& line) {
  const int side = line.Side();
  const squares::Card card = line.Card();
  line.Expect("at");
  return squares::PlayCard{side, line.Square(), card};
}
// order SQUARE...: the melees to resolve first
template <typename Declaration, typename Line>
Declaration ParseOrder(Line& line) {
  squares::OrderMelees order{line.s().attacker, {}};
  while (!line.AtEnd()) order.contacts.push_back(line.Square());
  return order;
}
template <typename Declaration, typename Line>
Declaration ParseDone(Line& line) {
  return squares::EndStep{line.Side()};
}
// Reads "UNIT [in SQUARE] | STAND... [with PIECE...] via|to" into the rule set's Move.
template <typename Move, typename Line>
Move ParseMovers(Line& line) {
  Move move;
  while (!line.AtEnd() && !line.Next("with") && !line.Next("via") && !line.Next("to")) {
    if (line.FindStand(line.Peek())) {
      move.stands.push_back(line.Stand());
    } else {
      const PieceNo unit = line.Unit();
      for (const PieceNo i : squares::StandsOf(line.s(), unit, line.WhereOf(unit)))
        move.stands.push_back(i);
    }
  }
  if (move.stands.empty()) FailLine("name the units or stands that move");
  move.side = line.s().StandAt(move.stands.front()).side;
  if (line.Skip("with"))
    while (!line.AtEnd() && !line.Next("via") && !line.Next("to"))
      move.equipment.push_back(line.Equipment());
  return move;
}

// One verb of a rule set's grammar. `alone`: it may stand without further words.
template <typename Declaration, typename Line>
struct LineVerb {
  const char* word;
  Declaration (*parse)(Line&);
  bool alone = false;
};
// Reads one line of a script: [overrule] VERB ...
template <typename Action, typename Line, typename Verbs>
Action ParseVerb(Line line, const Verbs& verbs) {
  Action action;
  action.overrule = line.Skip("overrule");
  const std::string verb = line.Word("a command");
  std::vector<std::string> known;
  for (const auto& candidate : verbs) {
    known.emplace_back(candidate.word);
    if (verb != candidate.word) continue;
    if (line.AtEnd() && !candidate.alone)
      FailLine(fmt::format("`{}` needs more words after it", verb));
    action.what = candidate.parse(line);
    line.End();
    return action;
  }
  // Commands that script_runner.cc handles.
  for (const char* word : {"overrule", "undo", "correct", "remove", "random", "show", "legal"})
    known.emplace_back(word);
  FailLine(NoSuch("command", verb, known));
}

// Reads a line by the rule set's ParseLine, which throws UnreadableLine.
template <typename Action, typename State>
Result<Action> ReadLine(const State& s, std::string_view line) {
  try {
    return ParseLine(s, line);
  } catch (const UnreadableLine& e) {
    return Error{ErrorCode::kBadFormat, e.why};
  }
}
// Writes an action by the rule set's writer of declarations.
template <typename Writer, typename Action>
std::string LineOf(const Writer& writer, const Action& action) {
  return std::string(action.overrule ? "overrule " : "") + std::visit(writer, action.what);
}

// Writes actions as lines; GridLine reads them back.
template <typename State>
class GridWriter {
 public:
  explicit GridWriter(const State& s) : s_(s) {}

  std::string operator()(const squares::GiveDice& a) const {
    return std::string("dice") + Each(a.dice, [](int die) { return std::to_string(die); }) +
           Drawn(a.generator);
  }
  std::string operator()(const squares::GiveCoin& a) const {
    return std::string("coin ") + (a.heads ? "heads" : "tails") + Drawn(a.generator);
  }
  std::string operator()(const squares::Draw&) const { return "draw"; }
  std::string operator()(const squares::ChooseRetreat& a) const {
    return fmt::format("back {}", a.cell == kNowhere ? "off" : squares::CellName(s_, a.cell));
  }
  std::string operator()(const squares::TurnUnit& a) const {
    return fmt::format("turn {} {}", GroupIn(a.unit, a.cell), FacingName(a.facing));
  }
  std::string operator()(const squares::TurnEquipment& a) const {
    return fmt::format("turn {} {}", Piece(a.equipment), FacingName(a.facing));
  }
  std::string operator()(const squares::CallVolley& a) const {
    return fmt::format("fire {} at {}", GroupIn(a.unit, a.from), squares::CellName(s_, a.target));
  }
  std::string operator()(const squares::Support& a) const {
    return fmt::format("support {} at {}", GroupIn(a.unit, a.from),
                       squares::CellName(s_, a.contact));
  }
  std::string operator()(const squares::PlayCard& a) const {
    return fmt::format("card {} {} at {}", Side(a.side), squares::CardName(a.card),
                       squares::CellName(s_, a.contact));
  }
  std::string operator()(const squares::OrderMelees& a) const {
    return std::string("order") +
           Each(a.contacts, [this](Cell cell) { return squares::CellName(s_, cell); });
  }
  std::string operator()(const squares::EndStep& a) const {
    return std::string("done ") + Side(a.side);
  }

 protected:
  // Who moves and along which path. A whole group is written by its unit's name.
  template <typename Move>
  std::string Movers(const Move& a) const {
    std::string out = "move";
    for (std::size_t i = 0; i < a.stands.size();) {
      const auto& first = s_.StandAt(a.stands[i]);
      const std::vector<PieceNo> whole = squares::StandsOf(s_, first.unit, first.cell);
      const bool all =
          squares::UnitOf(s_, first.unit).id.find('#') == std::string::npos &&
          whole.size() <= a.stands.size() - i &&
          std::equal(whole.begin(), whole.end(), a.stands.begin() + static_cast<std::ptrdiff_t>(i));
      out += fmt::format(" {}", all ? GroupIn(first.unit, first.cell) : StandWord(a.stands[i]));
      i += all ? whole.size() : 1;
    }
    if (!a.equipment.empty())
      out += std::string(" with") + Each(a.equipment, [this](PieceNo i) { return Piece(i); });
    return out + std::string(" via") +
           Each(a.path, [this](Cell cell) { return squares::CellName(s_, cell); });
  }
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
