// SPDX-License-Identifier: MIT
#include "tests/support/colonial_game.h"

#include <algorithm>
#include <memory>
#include <sstream>

#include "engine/rules/colonial/movement.h"

namespace fos::colonial::test {

const Tables& Book() {
  static const Tables tables = ReadRules({})->tables;
  return tables;
}
const Settings& Rulings() {
  static const Settings settings = ReadRules({})->settings;
  return settings;
}

std::string Game::Named(Cell cell) const {
  const SquareIndex at = setup.board.IndexOf(cell);
  std::ostringstream out;
  out << at.column + 1 << ',' << at.row + 1;
  return out.str();
}

Game::Game(int columns, int rows) {
  setup.tables = Book();
  setup.settings = Rulings();
  setup.sides = {squares::SideInfo{"Blue", S}, squares::SideInfo{"Red", N}};
  setup.MakeBoard(columns, rows);
}

Cell Game::Square(At at) const {
  const SquareIndex index{at.c - 1, at.r - 1};
  FOS_CHECK(setup.board.Contains(index));
  return setup.board.At(index);
}

void Game::Road(const std::vector<At>& squares) {
  for (std::size_t i = 1; i < squares.size(); ++i)
    setup.LinkRoad(Square(squares[i - 1]), Square(squares[i]));
}

PieceNo Game::Stand(int side, std::string_view type, At at) {
  return Stand(side, type, at, side == kBlue ? N : S);
}
PieceNo Game::Stand(int side, std::string_view type, At at, Facing facing,
                    std::string_view weapon) {
  StandInfo info;
  info.side = side;
  info.type = setup.tables.TypeOf(type);
  FOS_CHECK(info.type >= 0);
  info.id = side == kBlue ? "Blue-" : "Red-";
  info.id += std::to_string(setup.stands.size() + 1);
  if (setup.TypeAt(info.type).arm == Arm::kCavalry) info.mounted_type = info.type;
  if (type == "dismounted_cavalry") info.mounted_type = setup.tables.TypeOf("regular_cavalry");
  info.weapon = weapon.empty() ? setup.TypeAt(info.type).weapon : setup.tables.WeaponOf(weapon);
  FOS_CHECK(info.weapon >= 0);
  if (setup.TypeAt(info.type).arm == Arm::kCommand) info.rating = Rating::kAverage;
  info.cell = Square(at);
  info.facing = facing;
  setup.stands.push_back(info);
  return static_cast<PieceNo>(setup.stands.size() - 1);
}
PieceNo Game::General(int side, Rating rating, At at) {
  const PieceNo stand = Stand(side, "command_foot", at);
  setup.stands.back().rating = rating;
  return stand;
}

void Game::Open() {
  if (idle_wagons) {
    Stand(kBlue, "transport", {setup.board.columns, 1});
    Stand(kRed, "transport", {setup.board.columns, setup.board.rows});
  }
  FOS_CHECK(Settle(setup.tables, setup.settings).ok());
  setup.end_when_wiped_out = ends_when_wiped_out;
  s = NewGame(std::make_shared<const Setup>(setup), 1);
}

void Game::Start(int side, int activations) {
  Open();
  FOS_CHECK(Dice(side == kBlue ? std::vector<int>{7, 5} : std::vector<int>{5, 7}).empty());
  FOS_CHECK(Dice({activations}).empty());
}

std::string Game::Do(const Declaration& what, bool overrule) {
  events.clear();
  because.clear();
  const auto refusal = Play(s, {what, overrule}, events);
  if (!refusal) return "";
  because = refusal->because;
  return refusal->clause;
}
std::string Game::Dice(const std::vector<int>& dice) {
  GiveDice give;
  for (const int die : dice) give.dice.push_back(static_cast<std::int16_t>(die));
  return Do(give);
}
std::string Game::MoveTo(PieceNo stand, At to) {
  return Do(Move{{stand}, {PathTo(s, stand, Square(to))}, std::nullopt, false});
}
std::string Game::MoveTo(PieceNo stand, At to, Facing facing) {
  return Do(Move{{stand}, {PathTo(s, stand, Square(to))}, facing, false});
}
std::string Game::Via(PieceNo stand, const std::vector<At>& path) {
  std::vector<Cell> cells;
  for (const At at : path) cells.push_back(Square(at));
  return Do(Move{{stand}, {cells}, std::nullopt, false});
}
std::string Game::Turn(PieceNo stand, Facing facing) {
  return Do(Move{{stand}, {{}}, facing, false});
}
std::string Game::PairTo(PieceNo front, PieceNo rear, At to) {
  return Do(Move{{front, rear},
                 {PathTo(s, front, Square(to)), PathTo(s, rear, Square(to))},
                 std::nullopt,
                 false});
}
std::string Game::Fire(PieceNo stand, At at) {
  return Do(Fight{false, stand, Square(at), kNoPiece});
}
std::string Game::FireOn(PieceNo stand, PieceNo target) {
  return Do(Fight{false, stand, kNowhere, target});
}
std::string Game::Close(PieceNo stand, At at) {
  return Do(Fight{true, stand, Square(at), kNoPiece});
}
std::string Game::Back(At to) { return Do(colonial::Back{Square(to), false}); }
std::string Game::Done(int side) { return Do(colonial::Done{side}); }

void Game::Pass() {
  FOS_CHECK(Done(s.acting).empty());
  if (s.ask.what == Want::kInitiativeDice) FOS_CHECK(Dice({7, 5}).empty());
  FOS_CHECK(Dice({12}).empty());
}

std::string Game::Where(PieceNo stand) const {
  if (!OnTable(s.At(stand))) return "gone";
  return Named(s.At(stand).cell);
}

std::array<int, 2> Game::Scores() const {
  for (const Event& event : events)
    if (const auto* scored = std::get_if<CombatScored>(&event))
      return {scored->scores[0], scored->scores[1]};
  return {-1, -1};
}
Outcome Game::LastOutcome() const {
  for (const Event& event : events)
    if (const auto* scored = std::get_if<CombatScored>(&event)) return scored->outcome;
  throw std::logic_error("no combat was scored");
}

std::string Game::Ways(PieceNo stand) const {
  std::vector<std::string> squares;
  for (const auto& path : Withdrawals(s, stand)) {
    squares.push_back(Named(path.empty() ? s.At(stand).cell : path.back()));
  }
  std::sort(squares.begin(), squares.end());
  std::string out;
  for (const std::string& square : squares) out += (out.empty() ? "" : " ") + square;
  return out;
}

}  // namespace fos::colonial::test
