// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/rules/colonial/line_game.h"
#include "tests/support/colonial_game.h"
#include "tests/support/played_script.h"

// Appendix B: plays a script from files with each setting changed, and compares the result of a
// line with that under the shipped value.
namespace fos::colonial::test {
namespace {

// Blue in the low rows has the initiative and twelve activations.
constexpr const char* kBegin = "dice 9 3;dice 12;";

std::string Unit(const char* id, const char* side, const char* kind, const char* square,
                 const char* more = "") {
  return std::string("[[unit]]\nid = \"") + id + "\"\nside = \"" + side + "\"\nkind = \"" + kind +
         "\"\nsquare = \"" + square + "\"\n" + more + "\n";
}
std::string Terrain(const char* type, const char* where) {
  return std::string("[[terrain]]\ntype = \"") + type + "\"\n" + where + "\n";
}

struct Row {
  std::string setting;   // as in the club's file
  std::string scenario;  // stands besides the two Generals
  std::string script;
  std::string shipped, changed;  // text in the result of the last line
  const char* general = "rating = \"average\"";
};

std::string Played(const Row& row, const std::string& settings) {
  const std::string scenario =
      "ruleset = \"colonial\"\n[scenario]\nname = \"rulings\"\nsettings = \"club.toml\"\n"
      "[board]\ncolumns = 12\nrows = 12\n[[side]]\nname = \"Blue\"\nbaseline = \"south\"\n"
      "[[side]]\nname = \"Red\"\nbaseline = \"north\"\n" +
      Unit("BG", "Blue", "command_foot", "A1", row.general) +
      Unit("RG", "Red", "command_foot", "L12", "rating = \"average\"") + row.scenario;
  return fos::test::LastLineOf(OpenGame, scenario, "[settings]\n" + settings + "\n", row.script);
}

const std::string kInf = Unit("B", "Blue", "regular_infantry", "E5");
const std::string kCav = Unit("C", "Blue", "regular_cavalry", "E5");
const std::string kPair = Unit("P", "Blue", "native_infantry", "E5", "stands = 2");
std::string Red(const char* square, const char* more = "") {
  return Unit("R", "Red", "regular_infantry", square, more);
}
std::string Script(const std::string& lines) { return kBegin + lines; }

std::vector<Row> Board() {
  const std::string wood =
      "polygon = [[7.874, 9.8425], [9.055, 9.8425], [9.055, 11.811], "
      "[7.874, 11.811]]";  // 60 % of E6
  return {
      {"distance_metric = \"orthogonal\"", kInf + Red("G7"), Script("fire B at G7"),
       "Next:", "refused COL-7.3"},
      {"adjacency = \"orthogonal\"", kInf + Red("F6"), Script("attack B at F6"),
       "Next:", "refused COL-8.1"},
      {"grid_line_doubt_mm = 0", kInf, Script("seen B at 8.858 9.882 bearing 0"), "refused COL-1.2",
       "E6"},
      {"square_fit = \"any_two\"", kInf + Unit("G", "Blue", "field_artillery", "E4"),
       Script("move G to E5"), "refused COL-1.3", "E5"},
      {"terrain_cover_fraction = 0.7", kCav + Terrain("wood", wood.c_str()),
       Script("move C via E6"), "refused COL-5.6", "E6"},
      {"stand_size_tolerance_mm = 12", kInf,
       Script("seen B at 8.858 10.827 bearing 0 size 1.575 1.22"), "looks like cavalry",
       "B is activated; 11 left. Regular infantry B moves"},
      {"facing_steps = 8", kInf, Script("turn B NE"), "refused COL-1.6", "NE"},
      {"facing_doubt_deg = 0", kInf, Script("seen B at 8.858 10.827 bearing 43"), "refused COL-1.6",
       "faces N"},
  };
}

std::vector<Row> Armies() {
  const std::string dice = "dice 1 1 1 1 1 1 1 1;";
  return {
      {"points_enforcement = \"refuse\"", "[army]\npoints = 2\n" + kInf, "dice 9 3", "COL-2.2",
       "not opened"},
      {"points_enforcement = \"off\"", "[army]\npoints = 2\n" + kInf, "dice 9 3", "costs 3 points",
       "recommended (COL-1.2). Dice"},
      {"guard_share_percent = 50",
       "[army]\nby = \"dice\"\n" + Unit("B", "Blue", "guard_infantry", "E5"),
       dice + dice + "done Blue", "four-point stands; at most 2.64", "complete"},
      {"command_stands = 2", kInf, "dice 9 3", "initiative", "(COL-2.4)"},
      {"entrenchment_rounding = \"exact\"",
       "[army]\npoints = 2\n" + kInf +
           Terrain("entrenchment", "edges = [\"E5|E6\"]\nside = \"Blue\"\nlength_mm = 75"),
       "dice 9 3", "costs 4 points", "costs 3.75 points"},
      {"general_roll_2 = \"average\"", kInf, "dice 2", "poor", "average", ""},
      {"general_roll_2 = \"reroll\"", kInf, "dice 2;dice 4", "refused COL-3.2", "average", ""},
      {"max_turns = 1", kInf, Script("done Blue;dice 1;done Red;dice 5 4"), "Blue has the",
       "refused COL-3.1"},
  };
}

std::vector<Row> Activations() {
  return {
      {"command_needs_activation = false", kInf, "dice 9 3;dice 1;turn B E;turn BG E",
       "refused COL-3.3", "BG is activated"},
      {"pair_may_split = false", kPair, Script("move P#1 P#2 via D5 and via F5"), "P#2 moves to F5",
       "refused COL-3.4"},
      {"split_move = true", kCav + Red("E8"),
       Script("move C to E6;fire C at E8;dice 1 12;move C to D6"), "refused COL-4.1", "D6"},
      {"move_after_own_withdrawal = true", kInf + Red("E6"),
       Script("attack B at E6;dice 5 5;dice 1 2;back E4;move B to E3"), "refused COL-4.1", "E3"},
  };
}

std::vector<Row> Movement() {
  return {
      {"diagonal_step_cost = 2", kInf, Script("move B to G7"), "G7", "refused COL-5.1"},
      {"contour_cost = 0", kInf + Terrain("hill", "squares = [\"E6\"]"), Script("move B via E6 E7"),
       "refused COL-5.8", "E7"},
      {"road_bonus = 0", kInf + Terrain("road", "squares = [\"E5\", \"E6\", \"E7\", \"E8\"]"),
       Script("move B to E8"), "E8", "refused COL-5.1"},
      {"facing_change_cost = 1", kInf, Script("move B to E7 facing E"), "E7", "refused COL-5.1"},
      {"obstacle_cross_cost = 1", kInf + Terrain("stream", "edges = [\"E5|E6\"]"),
       Script("move B via E6 E7"), "E7", "refused COL-5.1"},
      {"artillery_types = [\"heavy_artillery\"]",
       Unit("G", "Blue", "field_artillery", "E4") + Red("E6"), Script("move G to E5"),
       "refused COL-5.5", "E5"},
      {"foot_types = [\"guard_infantry\"]", kInf + Terrain("wood", "squares = [\"E6\"]"),
       Script("move B via E6"), "E6", "refused COL-5.6"},
      {"withdraw_clear_gap = 2", kInf + Red("E6"), Script("attack B at E6;dice 5 2;back E7"), "E7",
       "refused COL-9.6"},
      {"withdraw_min_squares = 0", kInf + Red("E8"), Script("fire B at E8;dice 5 2;back E9"), "E9",
       "refused COL-5.11"},
      {"withdraw_off_table = \"stop_at_edge\"",
       Unit("B", "Blue", "regular_infantry", "E10") + Red("E12"), Script("fire B at E12;dice 5 2"),
       "destroyed", "R stays where it is"},
      {"withdraw_keeps_facing = false", kInf + Red("E6"),
       Script("attack B at E6;dice 5 2;back E7;done Blue;dice 12;fire R at E5"),
       "Next:", "refused COL-7.2"},
      {"withdraw_keeps_facing = false", kInf + Red("E6"), Script("attack B at E6;dice 5 2;back E7"),
       "withdraws to E7 (", "withdraws to E7 and faces N ("},
      {"mount_dismount_cost = \"forbidden\"", kCav, Script("dismount C"), "dismount",
       "refused COL-5.13"},
      {"mount_dismount_cost = \"free\"", kCav, Script("move C to E6;dismount C"), "refused COL-4.1",
       "dismount"},
  };
}

std::vector<Row> Combat() {
  const std::string wagon = Unit("T", "Blue", "transport", "E5");
  return {
      {"pair_initiation = \"whole_turn\"", kPair + Red("D6"),
       Script("activate P#1 P#2;move P#2 via D5;fire P#2 at D6"), "Next:", "refused COL-6.1"},
      {"pair_target = \"attacker_choice\"", kInf + Red("E6", "stands = 2"),
       Script("attack B at R#2"), "refused COL-6.2", "Next:"},
      {"los_stands_block = false", kInf + Unit("F", "Blue", "native_infantry", "E6") + Red("E7"),
       Script("fire B at E7"), "refused COL-7.1", "Next:"},
      {"transport_weapon = \"musket\"", wagon + Red("E6"), Script("fire T at E6"),
       "refused COL-7.3", "Next:"},
      {"command_weapon = \"none\"", Red("A2"), Script("fire BG at A2"), "Next:", "refused COL-7.3"},
      {"command_same_square = false", Unit("B", "Blue", "regular_infantry", "A2") + Red("A3"),
       Script("move BG to A2;fire B at A3"), "infantry B (+5)", "infantry B (+3)"},
      {"fire_cover = [\"wall\"]", kInf + Red("E6") + Terrain("wood", "squares = [\"E6\"]"),
       Script("fire B at E6"), "infantry B (+1)", "infantry B (+3)"},
      {"close_cover = [\"wood\"]", kInf + Red("E6") + Terrain("wood", "squares = [\"E6\"]"),
       Script("attack B at E6"), "infantry B (+3)", "infantry B (+1)"},
      {"entrenchment_protects = \"all_round\"",
       kInf + Red("E6") + Terrain("entrenchment", "edges = [\"E6|E7\"]"), Script("attack B at E6"),
       "infantry B (+3)", "infantry B (+1)"},
      {"close_combat_needs_front_arc = true", kInf + Red("E4", "facing = \"N\""),
       Script("attack B at E4"), "Next:", "refused COL-8.1"},
      {"same_type = \"arm\"", kInf + Unit("F", "Blue", "irregular_infantry", "D5") + Red("E6"),
       Script("attack B at E6"), "infantry B (+3)", "infantry B (+4)"},
      {"cavalry_bonus_vs = [\"machine_gun\"]", kCav + Red("E6"), Script("attack C at E6"), "C (+6)",
       "C (+3)"},
      {"tie_break_equal = \"coin\"", kInf, "dice 9 3", "initiative", "not opened"},
      {"exact_half = \"destroyed\"", kInf + Red("E8"), Script("fire B at E8;dice 9 3"), "withdraw",
       "destroyed"},
  };
}

TEST(ColonialSettings, EachSettingChangesItsRuling) {
  fos::test::ExpectEachChangesWhatItSays<Row>(
      {Board(), Armies(), Activations(), Movement(), Combat()}, Played);
}

TEST(ColonialSettings, AWeaponGoesWithItsKindOfStand) {  // COL-7.3
  struct Arming {
    const char* kind;
    const char* weapon;
    bool may;
  };
  const std::vector<Arming> rows = {
      {"regular_infantry", "musket", true},
      {"regular_infantry", "machine_gun", false},
      {"regular_infantry", "rifled_field", false},
      {"native_cavalry", "magazine_rifle", true},
      {"field_artillery", "smoothbore_field", true},
      {"field_artillery", "rifled_heavy", false},
      {"field_artillery", "musket", false},
      {"mountain_artillery", "rifled_mountain", true},
      {"machine_gun", "machine_gun", true},
      {"machine_gun", "magazine_rifle", false},
      {"transport", "musket", false},
      {"transport", "none", true},
      {"command_foot", "magazine_rifle", false},
      {"command_foot", "handheld", true},
  };
  for (const Arming& row : rows) {
    const StandType& type = Book().types[static_cast<std::size_t>(Book().TypeOf(row.kind))];
    EXPECT_EQ(MayCarry(Book(), type, Book().WeaponOf(row.weapon)), row.may)
        << row.kind << " " << row.weapon;
  }
  const std::string refused =
      Played({"", kInf + Unit("G", "Blue", "field_artillery", "E4", "weapon = \"musket\""), "show",
              "", ""},
             "");
  EXPECT_NE(refused.find("field artillery has no musket"), std::string::npos) << refused;
  EXPECT_NE(refused.find("`smoothbore_field`, `rifled_field`"), std::string::npos) << refused;
}

TEST(ColonialWords, ACombatShowsItsSum) {  // COL-7.4, COL-9.3
  const std::string back =
      Played({"", kInf + Red("E7"), Script("fire B at E7;dice 8 4"), "", ""}, "");
  EXPECT_NE(back.find("Regular infantry B 8 +3 = 11, Regular infantry R 4 +3 = 7: lower, but above "
                      "half: Regular infantry R must withdraw (COL-9.3)."),
            std::string::npos)
      << back;
  EXPECT_NE(back.find("Red chooses the square that Regular infantry R withdraws to: E8, "),
            std::string::npos)
      << back;
  const std::string lost =
      Played({"", kInf + Red("E7"), Script("fire B at E7;dice 12 1"), "", ""}, "");
  EXPECT_NE(lost.find("less than half of 15: Regular infantry R is destroyed (COL-9.4)."),
            std::string::npos)
      << lost;
  EXPECT_NE(lost.find("Regular infantry R is destroyed by fire (E7, COL-9.4)."), std::string::npos)
      << lost;
  EXPECT_EQ(Played({"", kInf, Script("turn B Q"), "", ""}, ""),
            "cannot be read: `Q` is not a facing; use N, NE, E, SE, S, SW, W or NW");
}

}  // namespace
}  // namespace fos::colonial::test
