// SPDX-License-Identifier: MIT
#include "tests/support/ancient_game.h"

#include <cmath>

#include <fmt/format.h>

namespace fos::ancient::test {

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

PieceNo Game::Unit(int side, std::string_view type, std::string_view square, int stands) {
  return Unit(side, type, square, stands, AwayFromHome(side));
}

PieceNo Game::Unit(int side, std::string_view type, std::string_view square, int stands,
                   Facing facing) {
  UnitInfo unit;
  unit.id = fmt::format("{}{}", side == kBlue ? "B" : "R", setup.units.size() + 1);
  Place(unit, side, setup.tables.TypeOf(type), type, square, facing);
  unit.stands =
      stands > 0 ? stands : setup.tables.types[static_cast<std::size_t>(unit.type)].stands;
  setup.units.push_back(unit);
  return static_cast<PieceNo>(setup.units.size() - 1);
}

PieceNo Game::Catapult(int side, std::string_view type, std::string_view square) {
  EquipmentInfo e;
  e.id = fmt::format("c{}", setup.equipment.size() + 1);
  Place(e, side, setup.tables.EquipmentOf(type), type, square, AwayFromHome(side));
  setup.equipment.push_back(e);
  return static_cast<PieceNo>(setup.equipment.size() - 1);
}

void Game::Bystanders() {
  Unit(kBlue, "heavy_infantry", "A1");
  Unit(kRed, "heavy_infantry", "L12");
}

void Game::NextTurn() {
  if (s.step == Step::kCatapults) To(Step::kMissiles);
  To(Step::kCatapults);
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

}  // namespace fos::ancient::test
