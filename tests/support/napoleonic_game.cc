// SPDX-License-Identifier: MIT
#include "tests/support/napoleonic_game.h"

#include <cmath>

namespace fos::napoleonic::test {

const Tables& Book() {
  static const Tables tables = ReadRules({})->tables;
  return tables;
}
const Settings& Rulings() {
  static const Settings settings = ReadRules({})->settings;
  return settings;
}

Game::Game(int columns, int rows) : GridGame(columns, rows) {
  setup.tables = Book();
  setup.settings = Rulings();
  setup.settings.first_attacker = FirstAttacker::kScenario;
}

void Game::Wood(std::string_view square) {
  Terrain(square).protection = true;
  Terrain(square).inflammable = true;
}

PieceNo Game::Unit(int side, std::string_view type, int stands, std::string_view square) {
  return Unit(side, type, stands, square, AwayFromHome(side));
}

PieceNo Game::Unit(int side, std::string_view type, int stands, std::string_view square,
                   Facing facing) {
  UnitInfo unit;
  unit.id = (side == kBlue ? "B" : "R") + std::to_string(setup.units.size() + 1);
  Place(unit, side, setup.tables.TypeOf(type), type, square, facing);
  unit.stands = stands;
  setup.units.push_back(unit);
  return static_cast<PieceNo>(setup.units.size() - 1);
}

PieceNo Game::Gun(int side, std::string_view type, std::string_view square, int battery,
                  bool limbered) {
  EquipmentInfo e;
  e.id = "e" + std::to_string(setup.equipment.size() + 1);
  Place(e, side, setup.tables.EquipmentOf(type), type, square, AwayFromHome(side));
  e.battery = battery;
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

void Game::NextTurn() {
  if (s.step == Step::kArtillery) To(Step::kMusketry);
  To(Step::kArtillery);
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

}  // namespace fos::napoleonic::test
