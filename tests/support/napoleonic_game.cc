#include "tests/support/napoleonic_game.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace fos::napoleonic::test {

const Tables& Book() {
  static const Tables tables = ShippedTables().value();
  return tables;
}
const Settings& Rulings() {
  static const Settings settings = ShippedSettings().value();
  return settings;
}

Game::Game() : Game(12, 12) {}

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
  const std::vector<Cell> path = Path(squares);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Facing way = squares::NearestDirection(setup.board.Between(path[i], path[i + 1]));
    const auto bit = [](Facing f) { return static_cast<std::uint8_t>(1 << static_cast<int>(f)); };
    setup.terrain[static_cast<std::size_t>(path[i])].road |= bit(way);
    setup.terrain[static_cast<std::size_t>(path[i + 1])].road |= bit(squares::Opposite(way));
  }
}

void Game::Wood(std::string_view square) {
  Terrain(square).protection = true;
  Terrain(square).inflammable = true;
}

PieceNo Game::Unit(int side, std::string_view type, int stands, std::string_view square) {
  return Unit(side, type, stands, square, side == kBlue ? N : S);
}

PieceNo Game::Unit(int side, std::string_view type, int stands, std::string_view square,
                   Facing facing) {
  UnitInfo unit;
  unit.id = (side == kBlue ? "B" : "R") + std::to_string(setup.units.size() + 1);
  unit.side = side;
  unit.type = setup.tables.TypeOf(type);
  if (unit.type < 0) throw std::invalid_argument("no unit type " + std::string(type));
  unit.stands = stands;
  unit.cell = At(square);
  unit.facing = facing;
  setup.units.push_back(unit);
  return static_cast<PieceNo>(setup.units.size() - 1);
}

PieceNo Game::Gun(int side, std::string_view type, std::string_view square, int battery,
                  bool limbered) {
  EquipmentInfo e;
  e.id = "e" + std::to_string(setup.equipment.size() + 1);
  e.side = side;
  e.type = setup.tables.EquipmentOf(type);
  if (e.type < 0) throw std::invalid_argument("no equipment " + std::string(type));
  e.battery = battery;
  e.cell = At(square);
  e.facing = side == kBlue ? N : S;
  e.limbered = limbered;
  setup.equipment.push_back(e);
  return static_cast<PieceNo>(setup.equipment.size() - 1);
}

int Game::Battery(int side) {
  setup.batteries.push_back({"battery", side});
  return static_cast<int>(setup.batteries.size() - 1);
}

PieceNo Game::FootBattery(int side, std::string_view square) {
  const int battery = Battery(side);
  const PieceNo crew = Unit(side, "foot_crew", 4, square);
  Unit(side, "mounted_crew", 1, square);
  for (std::size_t back = 1; back <= 2; ++back)
    setup.units[setup.units.size() - back].battery = battery;
  Gun(side, "foot_gun", square, battery);
  Gun(side, "foot_gun", square, battery);
  Gun(side, "supply_wagon", square, battery);
  return crew;
}

void Game::Start() { s = NewGame(std::make_shared<const Setup>(setup), 1); }

std::string Game::Do(const Declaration& what, bool overrule) {
  events.clear();
  because.clear();
  const auto refusal = Play(s, {what, overrule}, events);
  all.insert(all.end(), events.begin(), events.end());
  if (!refusal) return {};
  because = refusal->because;
  return refusal->clause;
}

std::string Game::Done(int side) { return Do(EndStep{side}); }

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
  if (s.step == Step::kArtillery) To(Step::kMusketry);
  To(Step::kArtillery);
}

std::string Game::Dice(std::vector<int> dice) {
  GiveDice give;
  for (const int die : dice) give.dice.push_back(static_cast<std::int8_t>(die));
  return Do(give);
}

std::string Game::Lands(double x, double y, std::vector<Near> stands, std::vector<Near> equipment,
                        std::vector<NearModel> models) {
  ShotFacts facts;
  facts.x_milli_in = static_cast<std::int32_t>(std::lround(x * 1000));
  facts.y_milli_in = static_cast<std::int32_t>(std::lround(y * 1000));
  facts.stands = std::move(stands);
  facts.equipment = std::move(equipment);
  facts.models = std::move(models);
  return Do(Land{facts});
}

std::string Game::MoveUnit(PieceNo unit, std::string_view path,
                           const std::vector<PieceNo>& equipment) {
  return MoveStands(StandsOf(s, unit), path, equipment);
}

std::string Game::MoveStands(const std::vector<PieceNo>& stands, std::string_view path,
                             const std::vector<PieceNo>& equipment) {
  return Do(Move{s.StandAt(stands.at(0)).side, stands, equipment, Path(path), {}});
}

std::string Game::Fire(PieceNo unit, std::string_view target) {
  return Do(CallVolley{UnitOf(s, unit).side, unit, s.StandAt(Stand(unit)).cell, At(target)});
}

std::string Game::Back(PieceNo unit, std::string_view contact) {
  return Do(Support{UnitOf(s, unit).side, unit, s.StandAt(Stand(unit)).cell, At(contact)});
}

std::string Game::Shoot(PieceNo gun, ShotKind kind, std::string_view target, bool canister) {
  return Do(CallShot{s.EquipmentAt(gun).owner, gun, kind, At(target), canister});
}

void Game::NoMoreSupports() {
  for (const int side : {static_cast<int>(s.attacker), s.Defender()})
    if (!s.supports_done[static_cast<std::size_t>(side)]) Done(side);
}

std::string Game::Cards(std::string_view contact, Card attacker, Card defender) {
  NoMoreSupports();
  const std::string first = Do(PlayCard{s.attacker, At(contact), attacker});
  if (!first.empty()) return first;
  return Do(PlayCard{s.Defender(), At(contact), defender});
}

std::string Game::Where(PieceNo unit) const {
  for (const auto& stand : s.stands)
    if (stand.unit == unit && OnBoard(stand)) return CellName(s, stand.cell);
  for (const auto& stand : s.stands)
    if (stand.unit == unit && stand.fate == Fate::kOffBoard) return "off";
  return "gone";
}

std::string Game::WhereIs(PieceNo equipment) const {
  const Equipment& e = s.EquipmentAt(equipment);
  if (e.fate == Fate::kDestroyed) return "gone";
  return e.fate == Fate::kOffBoard ? "off" : CellName(s, e.cell);
}

}  // namespace fos::napoleonic::test
