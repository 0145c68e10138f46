// SPDX-License-Identifier: MIT
#include "tests/support/ancient_battles.h"

#include "tests/support/ancient_game.h"

namespace fos::ancient::test {
namespace {

void Foot(Game& g) {
  g.Unit(kBlue, "roman_legionary", "C2");
  g.Unit(kBlue, "roman_velites", "E2");
  g.Unit(kRed, "macedonian_phalanx", "C6");
  g.Unit(kRed, "heavy_infantry", "E6");
}
void Horse(Game& g) {
  g.Unit(kBlue, "heavy_cavalry", "B2");
  g.Unit(kBlue, "light_cavalry", "D2");
  g.Unit(kRed, "macedonian_companions", "D7");
  g.Unit(kRed, "light_infantry", "F5");
}
void Beasts(Game& g) {
  g.Unit(kBlue, "war_elephants", "F2");
  g.Unit(kBlue, "light_chariots", "G2");
  g.Unit(kRed, "elephants", "G6");
  g.Unit(kRed, "assyrian_heavy_chariots", "A6");
  g.Unit(kRed, "assyrian_heavy_archers", "B6");
}
void Engines(Game& g) {
  g.Unit(kBlue, "foot_crew", "D1");
  g.Catapult(kBlue, "heavy_catapult", "D1");
  g.Unit(kRed, "horse_crew", "E7");
  g.Catapult(kRed, "light_catapult", "E7");
  g.Unit(kRed, "sub_commander", "E7");
  g.Unit(kBlue, "commander", "E1");
}
void Country(Game& g) {
  g.Wood("C4");
  g.Wood("D4");
  g.Terrain("A4").water = true;
  g.Terrain("B4").water = g.Terrain("B4").bridge = true;
  g.Road("E2 E3 E4 E5");
}

}  // namespace

std::shared_ptr<const Setup> SmallBattle(int number) {
  Game g(7, 7);
  g.setup.settings.turn_limit = 5;
  g.setup.settings.first_attacker = FirstAttacker::kDieRoll;
  switch (number % kBattles) {
    case 0:
      Foot(g);
      break;
    case 1:
      Foot(g);
      Horse(g);
      g.setup.settings.retreat_owner_choice = true;
      break;
    case 2:
      Foot(g);
      Engines(g);
      Country(g);
      break;
    case 3:
      Horse(g);
      Beasts(g);
      g.setup.settings.pool_dice = true;
      g.setup.settings.run_down_max = 1;
      break;
    case 4:
      Foot(g);
      Beasts(g);
      Engines(g);
      Country(g);
      g.setup.settings.contact_first_strict = false;
      g.setup.settings.revalue_at_once = false;
      g.setup.settings.beside_supported_unit = false;
      g.setup.settings.landing_must_be_valid = true;
      g.setup.settings.superior_loss_computed = false;
      break;
    default:
      Foot(g);
      Horse(g);
      Beasts(g);
      Engines(g);
      Country(g);
      g.setup.settings.coin_always = false;
      g.setup.settings.pass_through_friends = false;
      g.setup.settings.cut_off_destroyed = false;
      g.setup.settings.commander_exempts = true;
      g.setup.settings.shields_only_missiles = false;
      break;
  }
  return std::make_shared<const Setup>(g.setup);
}

}  // namespace fos::ancient::test
