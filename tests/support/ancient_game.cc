#include "tests/support/ancient_game.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace fos::ancient::test {

const Tables& Book() {
  static const Tables tables = ShippedTables().value();
  return tables;
}
const Settings& Rulings() {
  static const Settings settings = ShippedSettings().value();
  return settings;
}

Game::Game(int columns, int rows) {
  setup.name = "test";
  setup.tables = Book();
  setup.settings = Rulings();
  setup.settings.first_attacker = FirstAttacker::kScenario;
  setup.board = {columns, rows};
  setup.terrain.resize(static_cast<std::size_t>(columns * rows));
  setup.sides = {SideInfo{"Blue", S}, SideInfo{"Red", N}};
}

Cell Game::At(std::string_view square) const {
  const auto index = ParseSquare(square);
  if (!index || !setup.board.Contains(*index))
    throw std::invalid_argument("no square " + std::string(square));
  return setup.board.At(*index);
}

std::vector<Cell> Game::Path(std::string_view squares) const {
  std::istringstream words{std::string(squares)};
  std::vector<Cell> path;
  for (std::string word; words >> word;) path.push_back(At(word));
  return path;
}

void Game::Road(std::string_view squares) {
  squares::LinkRoad(setup.board, setup.terrain, Path(squares));
}

PieceNo Game::Unit(int side, std::string_view type, std::string_view square, int stands) {
  return Unit(side, type, square, stands, side == kBlue ? N : S);
}

PieceNo Game::Unit(int side, std::string_view type, std::string_view square, int stands,
                   Facing facing) {
  UnitInfo unit;
  unit.id = fmt::format("{}{}", side == kBlue ? "B" : "R", setup.units.size() + 1);
  unit.side = side;
  unit.type = setup.tables.TypeOf(type);
  if (unit.type < 0) throw std::invalid_argument("no unit type " + std::string(type));
  unit.stands =
      stands > 0 ? stands : setup.tables.types[static_cast<std::size_t>(unit.type)].stands;
  unit.cell = At(square);
  unit.facing = facing;
  setup.units.push_back(unit);
  return static_cast<PieceNo>(setup.units.size() - 1);
}

PieceNo Game::Catapult(int side, std::string_view type, std::string_view square) {
  EquipmentInfo e;
  e.id = fmt::format("c{}", setup.equipment.size() + 1);
  e.side = side;
  e.type = setup.tables.EquipmentOf(type);
  if (e.type < 0) throw std::invalid_argument("no equipment " + std::string(type));
  e.cell = At(square);
  e.facing = side == kBlue ? N : S;
  setup.equipment.push_back(e);
  return static_cast<PieceNo>(setup.equipment.size() - 1);
}

void Game::Bystanders() {
  Unit(kBlue, "heavy_infantry", "A1");
  Unit(kRed, "heavy_infantry", "L12");
}

void Game::Start() { s = NewGame(std::make_shared<const Setup>(setup), 1); }

std::string Game::Do(const Declaration& what, bool overrule) {
  events.clear();
  because.clear();
  const auto refusal = Play(s, {what, overrule}, events);
  if (!refusal) return {};
  because = refusal->because;
  return refusal->clause;
}

void Game::To(Step step) {
  for (int tries = 0; s.step != step; ++tries) {
    if (tries > 30 || s.Waiting() || s.step == Step::kOver)
      throw std::logic_error("the game stopped at " + std::string(StepName(s.step)) + ": " +
                             DescribeAsk(s));
    Done(s.attacker);
    if (s.step != step && !s.Waiting()) Done(s.Defender());
  }
}

void Game::NextTurn() {
  if (s.step == Step::kCatapults) To(Step::kMissiles);
  To(Step::kCatapults);
}

std::string Game::Dice(std::vector<int> dice) {
  GiveDice give;
  for (const int die : dice) give.dice.push_back(static_cast<std::int8_t>(die));
  return Do(give);
}

std::string Game::Lands(double x, double y, std::vector<Near> stands, std::vector<Near> catapults) {
  ShotFacts facts;
  facts.x_milli_in = static_cast<std::int32_t>(std::lround(x * 1000));
  facts.y_milli_in = static_cast<std::int32_t>(std::lround(y * 1000));
  facts.stands = std::move(stands);
  facts.equipment = std::move(catapults);
  return Do(Land{facts});
}

std::string Game::MoveUnit(PieceNo unit, std::string_view path,
                           const std::vector<PieceNo>& catapults, bool down) {
  return MoveStands(StandsOf(s, unit), path, catapults, down);
}

std::string Game::MoveStands(const std::vector<PieceNo>& stands, std::string_view path,
                             const std::vector<PieceNo>& catapults, bool down) {
  return Do(Move{s.StandAt(stands.at(0)).side, stands, catapults, Path(path), down, {}});
}

std::string Game::Turn(PieceNo unit, Facing facing) {
  return Do(TurnUnit{UnitOf(s, unit).side, unit, s.StandAt(Stand(unit)).cell, facing});
}

std::string Game::Fire(PieceNo unit, std::string_view target) {
  return Do(CallVolley{UnitOf(s, unit).side, unit, s.StandAt(Stand(unit)).cell, At(target)});
}

std::string Game::Back(PieceNo unit, std::string_view contact) {
  return Do(Support{UnitOf(s, unit).side, unit, s.StandAt(Stand(unit)).cell, At(contact)});
}

std::string Game::Shoot(PieceNo catapult, PieceNo man, std::string_view target) {
  return Do(CallShot{s.StandAt(man).side, catapult, man, At(target)});
}

std::string Game::Cards(std::string_view contact, Card attacker, Card defender) {
  To(Step::kMelee);
  const std::string first = Do(PlayCard{s.attacker, At(contact), attacker});
  if (!first.empty()) return first;
  return Do(PlayCard{s.Defender(), At(contact), defender});
}

int Game::DiceOf(PieceNo unit, std::string_view target) {
  return Fire(unit, target).empty() ? s.volleys.back().dice : 0;
}

std::string Game::Where(PieceNo unit) const {
  for (const auto& stand : s.stands)
    if (stand.unit == unit && OnBoard(stand)) return CellName(s, stand.cell);
  for (const auto& stand : s.stands)
    if (stand.unit == unit && stand.fate == Fate::kOffBoard) return "off";
  return "gone";
}

std::string Game::WhereIs(PieceNo catapult) const {
  const Equipment& e = s.EquipmentAt(catapult);
  if (e.fate == Fate::kDestroyed) return "gone";
  return e.fate == Fate::kOffBoard ? "off" : CellName(s, e.cell);
}

}  // namespace fos::ancient::test
