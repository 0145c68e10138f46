// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/rules/ancient/line_game.h"
#include "tests/support/played_script.h"

// Section 8 as seen from outside: the effect of each ruling on a game read from files and played by
// a script, compared with the shipped value. The axle's measure concerns the camera
// (catapult_test.cc).
namespace fos::ancient::test {
namespace {

std::string Unit(const char* id, const char* side, const char* kind, const char* square,
                 const char* more = "") {
  return std::string("[[unit]]\nid = \"") + id + "\"\nside = \"" + side + "\"\nkind = \"" + kind +
         "\"\nsquare = \"" + square + "\"\n" + more + "\n";
}
std::string Blue(const char* kind, const char* square, const char* more = "") {
  return Unit("B", "Blue", kind, square, more);
}
std::string Red(const char* kind, const char* square, const char* more = "") {
  return Unit("R", "Red", kind, square, more);
}
const std::string kWood = "[[terrain]]\ntype = \"wood\"\nsquares = [\"E6\"]\n";

struct Row {
  std::string setting;   // as in the club's file
  std::string scenario;  // besides a distant commander of each side
  std::string script;
  std::string shipped, changed;  // texts to find in the result of the last line
  const char* head = "first_attacker = \"Blue\"";
};

std::string Played(const Row& row, const std::string& settings) {
  const std::string scenario =
      "ruleset = \"ancient\"\n[scenario]\nname = \"rulings\"\nsettings = \"club.toml\"\n" +
      std::string(row.head) +
      "\n[board]\ncolumns = 12\nrows = 12\n[[side]]\nname = \"Blue\"\nbaseline = \"south\"\n"
      "[[side]]\nname = \"Red\"\nbaseline = \"north\"\n" +
      Unit("BC", "Blue", "commander", "A1") + Unit("RC", "Red", "commander", "L12") + row.scenario;
  return fos::test::LastLineOf(OpenGame, scenario, "[settings]\n" + settings + "\n", row.script);
}

const std::string kToMissiles = "done Blue;done Red;";
const std::string kToMoves = kToMissiles + "done Blue;done Red;";
// B charges E6; both sides' supports are declared in between.
std::string Melee(const std::string& blue_card, const std::string& red_card,
                  const std::string& red_supports = "", const std::string& way = "to E6") {
  return kToMoves + "move B " + way + ";done Blue;done Blue;" + red_supports +
         "done Red;card Blue " + blue_card + " at E6;card Red " + red_card + " at E6";
}

std::vector<Row> Turns() {
  const std::string turn = kToMoves + "done Blue;done Blue;done Red";
  return {
      {"turn.first_attacker = \"scenario\"", "", "dice 2 5", "Red", "refused", ""},
      {"turn.limit = 1", "", turn, "Turn 2", "The game ends"},
      {"game.end_time_extra_moves = 0", "", "time up;" + turn, "Turn 2", "The game ends"},
      {"morale.commander_exempts = true",
       Blue("heavy_infantry", "E5", "stands = 1") + Unit("S", "Blue", "sub_commander", "E5"),
       kToMoves + "move B to E6", "refused ANC-M1", "E6"},
      {"single_stand.cut_off = \"stays\"",
       Blue("heavy_infantry", "E5", "stands = 1") + Red("heavy_infantry", "E4") +
           Unit("R2", "Red", "heavy_infantry", "D4") + Unit("R3", "Red", "heavy_infantry", "F4") +
           Unit("R4", "Red", "heavy_infantry", "D5") + Unit("R5", "Red", "heavy_infantry", "F5"),
       kToMoves, "cut off", "movement"},
      {"points.captured_equipment = \"nobody\"",
       Blue("heavy_infantry", "E5") + "[[equipment]]\nid = \"K\"\nside = \"Red\"\nkind = "
                                      "\"light_catapult\"\nsquare = \"E6\"\n",
       kToMoves + "move B to E6;show", "Blue 28", "Blue 22"},
      {"lists.enforce = \"stated\"",
       "[[army]]\nid = \"T\"\nside = \"Blue\"\narmy = \"Assyrian\"\nsquares = [\"A2\", \"B2\", "
       "\"C2\", \"D2\", \"E2\", \"F2\", \"G2\", \"H2\", \"I2\", \"J2\", \"K2\", \"L2\", \"A3\", "
       "\"B3\"]\n",
       "show", "adds up to 198", "Turn 1"},
  };
}

std::vector<Row> Shooting() {
  const std::string crew = Unit("C", "Blue", "foot_crew", "E3") +
                           "[[equipment]]\nid = \"K\"\nside = \"Blue\"\nkind = \"heavy_catapult\"\n"
                           "square = \"E3\"\n";
  const std::string archers = Unit("L", "Blue", "light_infantry", "D5", "stands = 1") +
                              Unit("M", "Blue", "light_infantry", "E4", "stands = 1");
  return {
      {"catapult.landing_must_be_valid = true", crew + Red("heavy_infantry", "L6"),
       "shoot K by C#1 at E6;lands 46 22 stand R#1 0.3", "R#1 is removed", "rest at"},
      {"heavy_archers.protected_from = \"missiles_and_catapults\"",
       crew + Red("assyrian_heavy_archers", "E6"),
       "shoot K by C#1 at E6;lands 18 19.5 stand R#1 0.6", "R#1 is removed", "rest at"},
      {"camera.close_call_in = 0", crew + Red("heavy_infantry", "E6"),
       "shoot K by C#1 at E6;lands 18 20 stand R#1 0.97", "Close call", "R#1 is removed"},
      {"fire.arc_model = \"rays\"", Blue("light_infantry", "C3") + Red("heavy_infantry", "D5"),
       kToMissiles + "fire B at D5", "B", "refused ANC-F1"},
      {"musketry.pool_dice = true", archers + Red("heavy_cavalry", "E6"),
       kToMissiles + "fire M at E6;fire L at E6;done Blue;done Red;dice 1;dice 1 6", "movement",
       "R#1 is removed"},
      {"musketry.detachment_bonus = true",
       Unit("L", "Blue", "light_infantry", "D3") + Red("light_infantry", "E6"),
       kToMoves + "move L#1 to D4;move L#2 to E4;done Blue;done Blue;done Red;" + kToMissiles +
           "fire L in D4 at E6;fire L in E4 at E6;done Blue;done Red;dice 1;dice 1 1",
       "refused", "R#2 is removed"},
  };
}

std::vector<Row> Moving() {
  return {
      {"movement.pass_through_friends = false",
       Blue("heavy_infantry", "E5") + Unit("F", "Blue", "heavy_infantry", "E6"),
       kToMoves + "move B via E6 E7", "E7", "refused ANC-V2"},
      {"elephant.stationary_faces = [1, 2]", Blue("elephants", "E5"), kToMoves + "charge B;dice 5",
       "stays", "willing to charge"},
      {"run_down.max_per_move = 1",
       Blue("light_cavalry", "E3") + Red("light_infantry", "E4", "stands = 1") +
           Unit("R2", "Red", "light_infantry", "E5", "stands = 1"),
       kToMoves + "move B via E4 E5 E6", "E6", "refused ANC-M3"},
      {"support.mounted_beside = \"supporter\"",
       Blue("heavy_infantry", "E5") + Red("heavy_infantry", "E6") +
           Unit("H", "Red", "heavy_cavalry", "E7", "facing = \"E\""),
       kToMoves + "move B to E6;done Blue;done Blue;support H at E6", "refused ANC-H4", "H"},
  };
}

std::vector<Row> Sums() {
  const std::string four = Blue("heavy_infantry", "E5") + Red("heavy_infantry", "E6");
  const std::string with_general = Blue("heavy_infantry", "E5", "stands = 3") +
                                   Unit("S", "Blue", "sub_commander", "E5") +
                                   Red("heavy_infantry", "E6");
  return {
      {"melee.fraction = \"whole_steps\"", four, Melee("LINE", "COLUMN"), "coin",
       "Red falls back 2"},
      {"melee.superior_loss_basis = \"actual\"", four, Melee("LINE", "COLUMN") + ";coin tails",
       "coin", "falls back 2"},
      {"melee.annihilation_timing = \"before_losses\"",
       Blue("heavy_infantry", "E5") + Red("heavy_infantry", "E6", "stands = 2"),
       Melee("LINE", "LINE"), "rest of its side", "falls back 2"},
      {"melee.remainder = \"nearest_coin_on_half\"", with_general,
       Melee("LINE", "COLUMN", "", "S to E6"), "coin", "R#3"},
      {"melee.contact_first = \"preferred\"",
       Blue("light_cavalry", "E5", "stands = 4") + Red("elephants", "E6") +
           Unit("L", "Red", "light_infantry", "F6"),
       Melee("LINE", "LINE", "support L at E6;"), "coin", "L#"},
      {"melee.clockwise_start = \"attacker_entry\"",
       Blue("heavy_infantry", "E5", "stands = 3") + Red("heavy_infantry", "E6", "stands = 2") +
           Unit("N", "Red", "light_infantry", "E7") + Unit("W", "Red", "light_infantry", "D6"),
       Melee("LINE", "LINE", "support N at E6;support W at E6;") + ";coin tails", "N#", "W#"},
      {"melee.commander_in_rotation = \"last\"",
       Blue("roman_legionary", "E5") + Red("heavy_infantry", "E6") +
           Unit("S", "Red", "sub_commander", "E6"),
       Melee("LINE", "LINE") + ";coin tails;coin tails", "S#1", "R#2"},
      {"melee.protected_attack_penalty = 2.0", four + kWood, Melee("LINE", "LINE"), "coin",
       "the rest of Blue is destroyed"},
      {"melee.last_side_stays = false",
       Blue("guard_infantry", "E5", "stands = 1") + Red("guard_infantry", "E6", "stands = 1"),
       Melee("LINE", "LINE") + ";coin heads;coin tails", "end of turn", "Blue falls back 2"},
      {"phalanx.revalue = \"next_melee\"",
       Blue("macedonian_phalanx", "E5") + Red("roman_legionary", "E6", "stands = 5"),
       Melee("COLUMN", "LINE") + ";coin tails;coin tails", "rest of its side", "Blue falls back 2"},
      {"mdi.withdrawal_vs_withdrawal = \"equal_melee\"", four, Melee("WITHDRAWAL", "WITHDRAWAL"),
       "withdraw", "destroyed in the melee"},
  };
}

std::vector<Row> Retreats() {
  const std::string four = Blue("heavy_infantry", "E5") + Red("heavy_infantry", "E6");
  return {
      {"retreat.rear = \"facing\"",
       Blue("heavy_infantry", "E5") + Red("heavy_infantry", "E6", "facing = \"E\""),
       Melee("LINE", "WITHDRAWAL"), "E8", "C6"},
      {"retreat.attacker_origin = \"last_step\"",
       Blue("light_infantry", "D5") + Red("heavy_infantry", "E6"),
       Melee("WITHDRAWAL", "LINE", "", "via E5 E6"), "C4", "E4"},
      {"retreat.max_deviation_deg = 45",
       four + Unit("D", "Blue", "heavy_infantry", "D7") +
           Unit("F", "Blue", "heavy_infantry", "E7") + Unit("G", "Blue", "heavy_infantry", "F7"),
       Melee("LINE", "WITHDRAWAL"), "F6, G7", "cut off"},
      {"retreat.friends = \"block\"", four + Unit("F", "Red", "heavy_infantry", "E7"),
       Melee("LINE", "WITHDRAWAL"), "E8", "F8"},
      {"retreat.tie = \"owner_choice\"", four + Unit("F", "Red", "heavy_infantry", "E8"),
       Melee("LINE", "WITHDRAWAL"), "F8", "R falls back to"},
  };
}

TEST(AncientSettings, EachSettingHasItsEffect) {
  fos::test::ExpectEachChangesWhatItSays<Row>({Turns(), Shooting(), Moving(), Sums(), Retreats()},
                                              Played);
}

}  // namespace
}  // namespace fos::ancient::test
