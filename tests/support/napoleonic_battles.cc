// SPDX-License-Identifier: MIT
#include "tests/support/napoleonic_battles.h"

#include "tests/support/napoleonic_game.h"

namespace fos::napoleonic::test {
namespace {

void Infantry(Game& g) {
  g.Unit(kBlue, "line_infantry", 4, "C2");
  g.Unit(kBlue, "guards_infantry", 4, "E2");
  g.Unit(kRed, "line_infantry", 4, "C6");
  g.Unit(kRed, "line_infantry", 4, "E6");
}
void Horse(Game& g) {
  g.Unit(kBlue, "line_cavalry", 3, "B2");
  g.Unit(kBlue, "light_cavalry", 3, "D2");
  g.Unit(kRed, "guards_cavalry", 4, "D7");
  g.Unit(kRed, "light_infantry", 3, "E5");
}
void Guns(Game& g) {
  g.FootBattery(kBlue, "D2");
  g.Unit(kRed, "mounted_crew", 1, "B6");
  g.Gun(kRed, "horse_gun", "B6");
  const int battery = g.Battery(kRed);
  g.Unit(kRed, "foot_crew", 2, "F6");
  g.setup.units.back().battery = battery;
  g.Gun(kRed, "foot_gun", "F6", battery, true);
}
void Country(Game& g) {
  g.Wood("C4");
  g.Wood("D4");
  g.Terrain("A4").water = true;
  g.Terrain("B4").water = g.Terrain("B4").bridge = true;
  g.Terrain("E4").water = g.Terrain("E4").bridge = true;
  g.Road("E2 E3 E4 E5 E6");
}

}  // namespace

std::shared_ptr<const Setup> SmallBattle(int number) {
  Game g(7, 7);
  g.setup.settings.turn_limit = 5;
  g.setup.settings.first_attacker = FirstAttacker::kDieRoll;
  switch (number % kBattles) {
    case 0:
      Infantry(g);
      break;
    case 1:
      Infantry(g);
      Horse(g);
      g.setup.settings.retreat_owner_choice = true;
      break;
    case 2:
      Infantry(g);
      Guns(g);
      Country(g);
      break;
    case 3:
      Horse(g);
      Guns(g);
      g.Unit(kBlue, "division_commander", 1, "B2");
      g.Unit(kRed, "commander_in_chief", 1, "D7");
      g.setup.settings.pool_dice = true;
      break;
    case 4:
      Infantry(g);
      Guns(g);
      Country(g);
      g.setup.settings.contact_first_strict = false;
      g.setup.settings.superior_carries = false;
      g.setup.settings.artillery_by_side = false;
      g.setup.settings.square_facing_stands = false;
      break;
    default:
      Infantry(g);
      Horse(g);
      Guns(g);
      Country(g);
      g.setup.settings.coin_always = true;
      g.setup.settings.pass_through_friends = false;
      g.setup.settings.cut_off_destroyed = false;
      break;
  }
  return std::make_shared<const Setup>(g.setup);
}

}  // namespace fos::napoleonic::test
