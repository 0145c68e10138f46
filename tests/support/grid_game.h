// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/squares/game_words.h"
#include "engine/squares/terrain.h"
#include "tests/support/table_words.h"

// A small grid game set up by hand: Blue (side 0, home edge south) attacking in turn 1, Red (side
// 1, home edge north).
namespace fos::test {

using namespace words;

// For a rule set's types; its NewGame, Play, StepName and DescribeAsk are found beside them.
template <typename Setup, typename State, typename Action, typename Event>
class GridGame {
 public:
  using Cell = squares::Cell;
  using PieceNo = squares::PieceNo;
  using Step = decltype(State::step);
  using Declaration = decltype(Action::what);

  // ---- set-up, before Start() ----
  Setup setup;
  Cell At(std::string_view square) const {
    const auto index = ParseSquare(square);
    if (!index || !setup.board.Contains(*index))
      throw std::invalid_argument("no square " + std::string(square));
    return setup.board.At(*index);
  }
  std::vector<Cell> Path(std::string_view squares) const {  // "E5 E6 E7"
    std::istringstream words{std::string(squares)};
    std::vector<Cell> path;
    for (std::string word; words >> word;) path.push_back(At(word));
    return path;
  }
  squares::CellTerrain& Terrain(std::string_view square) {
    return setup.terrain[static_cast<std::size_t>(At(square))];
  }
  void Road(std::string_view squares) {  // joins each to the next
    squares::LinkRoad(setup.board, setup.terrain, Path(squares));
  }

  // ---- playing ----
  State s;
  std::vector<Event> events;  // of the last Do()
  std::vector<Event> all;
  std::string because;  // the sentence of the last refusal
  void Start() { s = NewGame(std::make_shared<const Setup>(setup), 1); }
  // Empty if it was accepted, else the clause that refused it.
  std::string Do(const Declaration& what, bool overrule = false) {
    events.clear();
    because.clear();
    const auto refusal = Play(s, Action{what, overrule}, events);
    all.insert(all.end(), events.begin(), events.end());
    if (!refusal) return {};
    because = refusal->because;
    return refusal->clause;
  }
  // Ends steps for both sides until this one begins (of this turn or the next). Pending input on
  // the way fails the test.
  void To(Step step) {
    for (int tries = 0; s.step != step; ++tries) {
      if (tries > 30 || s.Waiting() || s.step == Step::kOver)
        throw std::logic_error("the game stopped at " + std::string(StepName(s.step)) + ": " +
                               DescribeAsk(s));
      Done(s.attacker);
      if (s.step != step && !s.Waiting()) Done(s.Defender());
    }
  }
  std::string Done(int side) { return Do(squares::EndStep{side}); }
  std::string Dice(const std::vector<int>& dice) {
    squares::GiveDice give;
    for (const int die : dice) give.dice.push_back(static_cast<std::int8_t>(die));
    return Do(give);
  }
  std::string Fire(PieceNo unit, std::string_view target) {  // a volley
    return Do(squares::CallVolley{SideOf(unit), unit, CellOf(unit), At(target)});
  }
  std::string Back(PieceNo unit, std::string_view contact) {  // support
    return Do(squares::Support{SideOf(unit), unit, CellOf(unit), At(contact)});
  }
  std::string Turn(PieceNo unit, Facing facing) {
    return Do(squares::TurnUnit{SideOf(unit), unit, CellOf(unit), facing});
  }

  int Left(PieceNo unit) const { return squares::CountStandsOf(s, unit); }
  std::vector<PieceNo> Stands(PieceNo unit) const { return squares::StandsOf(s, unit); }
  PieceNo Stand(PieceNo unit, int number = 0) const {
    return Stands(unit).at(static_cast<std::size_t>(number));
  }
  Facing FacingOf(PieceNo unit) const { return s.StandAt(Stand(unit)).facing; }
  // "E5"; "off" if off the board, "gone" if destroyed.
  std::string Where(PieceNo unit) const {
    for (const auto& stand : s.stands)
      if (stand.unit == unit && squares::OnBoard(stand)) return squares::CellName(s, stand.cell);
    for (const auto& stand : s.stands)
      if (stand.unit == unit && stand.fate == squares::Fate::kOffBoard) return "off";
    return "gone";
  }
  std::string WhereIs(PieceNo equipment) const {
    const auto& e = s.EquipmentAt(equipment);
    if (e.fate == squares::Fate::kDestroyed) return "gone";
    return e.fate == squares::Fate::kOffBoard ? "off" : squares::CellName(s, e.cell);
  }
  template <typename T>
  int Count() const {
    int count = 0;
    for (const Event& event : events) count += std::holds_alternative<T>(event);
    return count;
  }

 protected:
  GridGame(int columns, int rows) {
    setup.name = "test";
    setup.board = {columns, rows};
    setup.terrain.resize(static_cast<std::size_t>(columns * rows));
    setup.sides = {squares::SideInfo{"Blue", S}, squares::SideInfo{"Red", N}};
  }
  int SideOf(PieceNo unit) const { return squares::UnitOf(s, unit).side; }
  Cell CellOf(PieceNo unit) const { return s.StandAt(Stand(unit)).cell; }
  // type  of the tables; -1 if they have no such kind
  template <typename Info>
  void Place(Info& info, int side, int type, std::string_view kind, std::string_view square,
             Facing facing) const {
    if (type < 0) throw std::invalid_argument("no kind " + std::string(kind));
    info.side = side;
    info.type = type;
    info.cell = At(square);
    info.facing = facing;
  }
  static Facing AwayFromHome(int side) { return side == kBlue ? N : S; }
};

}  // namespace fos::test
