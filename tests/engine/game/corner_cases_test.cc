// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/rule_sets.h"
#include "tests/support/clause_coverage.h"
#include "tests/support/played_script.h"

// Corners where clauses meet: small games worked out by hand from the
// catalogues and played through lines. A row states the result of its script's
// last line; no earlier line is refused.
namespace fos {
namespace {

struct CornerCase {
  std::string about;
  std::string pieces;  // "TABLE key=value ..." each, separated by ';'
  std::string script;
  std::vector<std::string> says;
};

bool IsNumber(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789.") == std::string::npos;
}
std::string AsToml(const std::string& value) {
  return IsNumber(value) || value == "true" || value == "false" ? value : '"' + value + '"';
}
std::vector<std::string> PartsOf(const std::string& text, char between) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string part; std::getline(in, part, between);) out.push_back(part);
  return out;
}
// A list where the key wants one; a polygon's corners are pairs.
std::string ListAsToml(const std::string& key, const std::string& value) {
  std::string out = "[";
  const std::vector<std::string> parts = PartsOf(value, ',');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool pair = key == "polygon";
    out += fmt::format("{}{}{}{}", i == 0 ? "" : ", ", pair && i % 2 == 0 ? "[" : "",
                       AsToml(parts[i]), pair && i % 2 == 1 ? "]" : "");
  }
  return out + "]";
}
std::string PiecesAsToml(const std::string& pieces) {
  std::string out;
  for (const std::string& piece : PartsOf(pieces, ';')) {
    const std::vector<std::string> words = test::WordsOf(piece);
    out += "[[" + words.front() + "]]\n";
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::size_t at = words[i].find('=');
      const std::string key = words[i].substr(0, at), value = words[i].substr(at + 1);
      const bool list =
          key == "squares" || key == "edges" || key == "parts" || key == "at" || key == "polygon";
      out += key + " = " + (list ? ListAsToml(key, value) : AsToml(value)) + '\n';
    }
  }
  return out;
}

// head   the scenario without its pieces
// begin  lines before those of the row
void ExpectCorners(const std::string& head, const std::string& begin,
                   const std::vector<CornerCase>& rows) {
  for (const CornerCase& row : rows) {
    const std::string told =
        test::LastLineOf(OpenGame, head + PiecesAsToml(row.pieces), "", begin + row.script);
    for (const std::string& part : row.says)
      EXPECT_NE(told.find(part), std::string::npos) << row.about << ": " << told;
  }
}

std::string GridHead(const std::string& ruleset, const std::string& scenario, int columns) {
  return fmt::format(
      "ruleset = \"{}\"\n[scenario]\nname = "
      "\"corners\"\n{}\n[board]\ncolumns = {}\nrows = 12\n"
      "[[side]]\nname = \"Blue\"\nbaseline = "
      "\"south\"\n[[side]]\nname = \"Red\"\n"
      "baseline = \"north\"\n",
      ruleset, scenario, columns);
}

TEST(CornerCases, Napoleonic) {
  const std::vector<CornerCase> rows = {
      {"a commander lost in step 1 brings no die in step 2 (NAP-4C, NAP-3A)",
       "unit id=G side=Blue kind=guards_infantry stands=4 square=E4;unit id=C side=Blue "
       "kind=division_commander stands=1 square=E4;unit id=R side=Red kind=line_infantry "
       "stands=4 square=E5;unit id=X side=Red kind=foot_crew stands=2 square=E9 battery=b;"
       "equipment id=XG side=Red kind=foot_gun square=E9 battery=b",
       "shoot XG field at E4;lands 18 14 stand C#1 0.2;done Blue;done Red;fire G at E5",
       {"Guards infantry G in E4 fires at E5 with 5 dice, +1 guards."}},
      {"each canister shot into a wood loses a die, the howitzer's too (NAP-3H, NAP-6A)",
       "unit id=C side=Blue kind=foot_crew stands=4 square=E4 battery=b;unit id=R side=Red "
       "kind=light_infantry stands=3 square=E5;equipment id=G1 side=Blue kind=foot_gun "
       "square=E4 battery=b;equipment id=G2 side=Blue kind=foot_gun square=E4 battery=b;"
       "equipment id=W side=Blue kind=supply_wagon square=E4 battery=b;terrain type=wood "
       "squares=E5",
       "canister G1 field at E5;dice 1 2;canister G2 howitzer at E5",
       {"canister shot (2 dice)"}},
      {"a touched gun without a crew goes, and a stand in the circle too (NAP-3F)",
       "unit id=R side=Red kind=guards_infantry stands=4 square=E6;unit id=C side=Blue "
       "kind=foot_crew stands=4 square=E2 battery=b;equipment id=G1 side=Blue kind=foot_gun "
       "square=E2 battery=b;equipment id=RG side=Red kind=foot_gun square=E6",
       "shoot G1 field at E6;lands 18 22 stand R#1 0.4 gun RG 0.05",
       {"Foot gun RG is destroyed", "Guards infantry R#1 is destroyed by a shot (E6, NAP-3F)"}},
      {"both fall back, and a friend bends the way clockwise (NAP-5G, DEF-13)",
       "unit id=B side=Blue kind=line_infantry stands=4 square=E4;unit id=R side=Red "
       "kind=line_infantry stands=4 square=E5;unit id=R2 side=Red kind=line_infantry stands=4 "
       "square=E7",
       "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;done Blue;done Red;card "
       "Blue LINE at E5;card Red LINE at E5",
       {"Line infantry B (2) falls back to E4, E3 (NAP-5G).",
        "1st line infantry, R (2) falls back to E6, F7 (NAP-5G)."}},
      {"unit, crew and commander of the contact square are lost in turn (NAP-5E, NAP-5F)",
       "unit id=B side=Blue kind=guards_cavalry stands=4 square=E3;unit id=R side=Red "
       "kind=line_infantry stands=1 square=E5;unit id=RC side=Red kind=foot_crew stands=2 "
       "square=E5;unit id=RD side=Red kind=division_commander stands=1 square=E5",
       "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;done Blue;done Red;card "
       "Blue COLUMN at E5;card Red FLANKING at E5",
       {"Blue must lose 1.75 and loses 1 stand (2). Red must lose 3.5 and loses 4 stands (3.5). "
        "Left: Blue 6, Red 0 (NAP-5C)."}},
      {"the last crew takes its gun home at the slower rate (NAP-9)",
       "unit id=C side=Blue kind=foot_crew stands=1 square=E5;unit id=B side=Blue "
       "kind=line_infantry stands=4 square=A1;unit id=Z side=Red kind=line_infantry stands=4 "
       "square=L12;equipment id=G side=Blue kind=foot_gun square=E5",
       "done Blue;done Red;done Blue;done Red",
       {"Foot artillery crew C (1) with Foot gun G is down to its last stand and falls back to E4, "
        "E3 "
        "(NAP-9)."}},
      {"a single stand that is cut off is destroyed (NAP-9)",
       "unit id=B side=Blue kind=line_infantry stands=1 square=E5;unit id=B2 side=Blue "
       "kind=line_infantry stands=4 square=A1;unit id=R1 side=Red kind=line_infantry stands=1 "
       "square=D5;unit id=R2 side=Red kind=line_infantry stands=1 square=D4;unit id=R3 side=Red "
       "kind=line_infantry stands=1 square=E4;unit id=R4 side=Red kind=line_infantry stands=1 "
       "square=F4;unit id=R5 side=Red kind=line_infantry stands=1 square=F5",
       "done Blue;done Red;done Blue;done Red",
       {"1st line infantry, B#1 is destroyed: it is cut off and cannot fall back"}},
      {"a limbered horse gun goes at its foot crew's pace (NAP-2F)",
       "unit id=C side=Blue kind=foot_crew stands=1 square=E5;unit id=C2 side=Blue "
       "kind=foot_crew stands=2 square=H1;unit id=Z side=Red kind=line_infantry stands=4 "
       "square=L12;equipment id=H side=Blue kind=horse_gun square=H1",
       "done Blue;done Red;done Blue;done Red;limber H;move C2 with H to H4",
       {"refused NAP-1"}},
      {"an unlimbered gun does not move (NAP-2F)",
       "unit id=C side=Blue kind=foot_crew stands=1 square=E5;unit id=C2 side=Blue "
       "kind=foot_crew stands=2 square=H1;unit id=Z side=Red kind=line_infantry stands=4 "
       "square=L12;equipment id=H side=Blue kind=horse_gun square=H1",
       "done Blue;done Red;done Blue;done Red;move C2 with H to H3",
       {"refused NAP-2F"}},
      {"a commander and a crew close a gap (NAP-2E)",
       "unit id=B side=Blue kind=light_infantry stands=3 square=E5;unit id=RD side=Red "
       "kind=division_commander stands=1 square=E6;unit id=RC side=Red kind=foot_crew stands=1 "
       "square=F5;unit id=Z side=Red kind=line_infantry stands=4 square=L12",
       "done Blue;done Red;done Blue;done Red;move B via F6",
       {"refused NAP-2E"}},
      {"a gun without stands does not (NAP-2E)",
       "unit id=B side=Blue kind=light_infantry stands=3 square=E5;unit id=RD side=Red "
       "kind=division_commander stands=1 square=E6;unit id=Z side=Red kind=line_infantry "
       "stands=4 square=L12;equipment id=RG side=Red kind=foot_gun square=F5",
       "done Blue;done Red;done Blue;done Red;move B via F6",
       {"Light infantry B (3) moves to F6."}},
      {"detachments of one unit bring each other no die, another unit does (NAP-4C)",
       "unit id=L side=Blue kind=light_infantry stands=3 square=E4;unit id=R side=Red "
       "kind=line_infantry stands=4 square=E6;unit id=L2 side=Blue kind=light_infantry stands=3 "
       "square=G6 facing=W",
       "done Blue;done Red;done Blue;done Red;move L#1 via D5;move L#2 via F5;done Blue;done "
       "Blue;done Red;done Blue;done Red;fire L in D5 at E6;fire L in F5 at E6;fire L2 at E6",
       {"fires at E6 with 4 dice, +1 another unit fires at the same square."}},
      {"held canister is fired into a square that was passed (NAP-3H)",
       "unit id=C side=Blue kind=foot_crew stands=2 square=E9 battery=b;unit id=B side=Blue "
       "kind=line_cavalry stands=3 square=E4;unit id=RC side=Red kind=foot_crew stands=4 "
       "square=E7 battery=r;unit id=R side=Red kind=line_infantry stands=4 square=D6;equipment "
       "id=RG side=Red kind=foot_gun square=E7 battery=r",
       "hold RG field;done Red;done Blue;done Blue;done Red;move B via E5 E6 E7;done Blue;"
       "release RG at E6 on B;dice 1 1 2",
       {"Line cavalry B#2 is destroyed by canister (E7, NAP-3H).",
        "Melee in E7: Line cavalry B (1), Foot artillery crew RC (4)."}},
      {"held canister is lost with the gun's last crew stand (NAP-3H, NAP-3B)",
       "unit id=B side=Blue kind=light_infantry stands=3 square=E5;unit id=B2 side=Blue "
       "kind=line_cavalry stands=3 square=H4;unit id=RC side=Red kind=foot_crew stands=1 "
       "square=E7 battery=r;unit id=RC2 side=Red kind=foot_crew stands=2 square=A12;unit id=Z "
       "side=Red kind=line_infantry stands=4 square=L12;equipment id=RG side=Red kind=foot_gun "
       "square=E7 battery=r",
       "hold RG field;done Red;done Blue;fire B at E7;done Blue;done Red;dice 1 5 6;move B2 via "
       "G5 F6;done Blue;release RG at F6 on B2",
       {"refused NAP-3B"}},
      {"a superior side that must fall back takes the captured gun along (NAP-5H, NAP-5C)",
       "unit id=B side=Blue kind=line_cavalry stands=3 square=E3;unit id=R side=Red "
       "kind=guards_infantry stands=4 square=E5;unit id=RC side=Red kind=foot_crew stands=2 "
       "square=E5;unit id=R2 side=Red kind=line_infantry stands=4 square=E6 facing=W;unit id=Z "
       "side=Red kind=line_infantry stands=4 square=L12;equipment id=RG side=Red kind=foot_gun "
       "square=E5",
       "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;done Blue;support R2 at E5;"
       "done Red;card Blue FLANKING at E5;card Red LINE at E5",
       {"Red must lose 2.75 and loses 3 stands (2.5). Left: Blue 3, Red 8.5. Blue falls back 2 "
        "squares (NAP-5C).",
        "Line cavalry B (2) with Foot gun RG falls back to E4, E3 (NAP-5G)."}},
      {"a unit that fire drove out faces as its owner likes and fires (NAP-6D)",
       "unit id=C side=Blue kind=foot_crew stands=2 square=E1 battery=b;unit id=B side=Blue "
       "kind=line_infantry stands=4 square=D7;unit id=R side=Red kind=line_infantry stands=4 "
       "square=E6;unit id=Z side=Red kind=line_infantry stands=4 square=L12;equipment id=G "
       "side=Blue kind=foot_gun square=E1 battery=b;terrain type=wood squares=E6",
       "shoot G field at E6;lands 18 22 model E6 0.05 stand R#1 1.5;dice 1 4;done Blue;done Red;"
       "turn R W;fire R at D7",
       {"1st line infantry, R in E7 fires at D7 with 4 dice."}},
      {"a wood takes a point off before the cap and the superior's half (NAP-6A, NAP-5F)",
       "unit id=B side=Blue kind=guards_infantry stands=4 square=E4;unit id=R side=Red "
       "kind=light_infantry stands=3 square=E5;unit id=Z side=Red kind=line_infantry stands=4 "
       "square=L12;terrain type=wood squares=E5",
       "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;done Blue;done Red;card "
       "Blue COLUMN at E5;card Red PINCERS at E5",
       {"toss a coin for Guards infantry B#1 in E5"}},
      {"a withdrawal without a way back destroys the unit (NAP-5D)",
       "unit id=B side=Blue kind=line_infantry stands=4 square=E4;unit id=B1 side=Blue "
       "kind=light_infantry stands=3 square=D6;unit id=B2 side=Blue kind=light_infantry "
       "stands=3 square=E6;unit id=B3 side=Blue kind=light_infantry stands=3 square=F6;unit "
       "id=B4 side=Blue kind=light_infantry stands=3 square=D5;unit id=B5 side=Blue "
       "kind=light_infantry stands=3 square=F5;unit id=R side=Red kind=line_infantry stands=4 "
       "square=E5;unit id=Z side=Red kind=line_infantry stands=4 square=L12",
       "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;done Blue;done Red;card "
       "Blue LINE at E5;card Red WITHDRAWAL at E5",
       {"1st line infantry, R#4 is destroyed: it is cut off"}},
      {"two commanders never share a square (NAP-2C)",
       "unit id=BD side=Blue kind=division_commander stands=1 square=E3;unit id=D2 side=Blue "
       "kind=division_commander stands=1 square=D3;unit id=B side=Blue kind=line_infantry "
       "stands=4 square=E5;unit id=Z side=Red kind=line_infantry stands=4 square=L12",
       "done Blue;done Red;done Blue;done Red;move BD to E5;move D2 to E5",
       {"refused NAP-2C"}},
      {"the cards of all melees are chosen before any result is known (NAP-2A)",
       "unit id=B side=Blue kind=line_infantry stands=4 square=E4;unit id=Bx side=Blue "
       "kind=line_infantry stands=4 square=H4;unit id=R side=Red kind=line_infantry stands=4 "
       "square=E5;unit id=Rx side=Red kind=line_infantry stands=4 square=H5",
       "done Blue;done Red;done Blue;done Red;move B to E5;move Bx to H5;done Blue;done Blue;"
       "done Red;card Blue LINE at E5;card Red COLUMN at E5",
       {"Red has chosen its deployment for E5."}},
  };
  ExpectCorners(GridHead("napoleonic", "first_attacker = \"Blue\"", 12), "", rows);
}

TEST(CornerCases, Ancient) {
  const std::vector<CornerCase> rows = {
      {"charging chariots count 3 each, a wood takes one point (ANC-H5, ANC-H8)",
       "unit id=B side=Blue kind=light_chariots stands=2 square=E4;unit id=R side=Red "
       "kind=heavy_infantry stands=4 square=E5;terrain type=wood squares=E5",
       "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;done Blue;done Red;card "
       "Blue LINE at E5;card Red COLUMN at E5;coin tails",
       {"Blue must lose 1.5 and loses no stand. Red must lose 3 and loses 3 stands (3). Left: "
        "Blue 5, Red 1. Blue is at least 3 times as strong: the rest of Red is destroyed "
        "(ANC-P3)."}},
      {"a phalanx pays its first value and is then worth less (ANC-P5)",
       "unit id=B side=Blue kind=macedonian_phalanx stands=3 square=E4;unit id=R side=Red "
       "kind=heavy_infantry stands=3 square=E5",
       "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;done Blue;done Red;card "
       "Blue LINE at E5;card Red LINE at E5;coin tails",
       {"Blue must lose 1.5 and loses 1 stand (1.5).",
        "Left: Blue 2, Red 2. Red falls back 2 squares (ANC-P2)."}},
      {"a stand that mans a catapult may not charge (ANC-C1)",
       "unit id=B side=Blue kind=light_infantry stands=3 square=E4;unit id=R side=Red "
       "kind=heavy_infantry stands=2 square=E5;equipment id=K side=Blue kind=light_catapult "
       "square=E4",
       "shoot K by B#1 at E7;lands 18 26;done Blue;done Red;done Blue;done Red;move B to E5",
       {"refused ANC-C1"}},
      {"the others of its unit may (ANC-C1)",
       "unit id=B side=Blue kind=light_infantry stands=3 square=E4;unit id=R side=Red "
       "kind=heavy_infantry stands=2 square=E5;equipment id=K side=Blue kind=light_catapult "
       "square=E4",
       "shoot K by B#1 at E7;lands 18 26;done Blue;done Red;done Blue;done Red;move B#2 B#3 to "
       "E5",
       {"Light infantry B (2) moves to E5."}},
      {"an unwilling elephant may still turn, and supports foot only from beside (ANC-H6, "
       "ANC-H4)",
       "unit id=B side=Blue kind=war_elephants stands=1 square=E4 facing=E;unit id=C side=Blue "
       "kind=heavy_infantry stands=4 square=D5;unit id=R side=Red kind=heavy_infantry stands=4 "
       "square=E5",
       "done Blue;done Red;done Blue;done Red;charge B;dice 5;move C via E5;turn B N;done Blue;"
       "support B at E5",
       {"refused ANC-H4"}},
      {"riders run down two single stands and fight at the end of the move (ANC-M3)",
       "unit id=B side=Blue kind=light_cavalry stands=3 square=E2;unit id=S1 side=Red "
       "kind=light_infantry stands=1 square=E3;unit id=S2 side=Red kind=light_infantry stands=1 "
       "square=E4;unit id=R side=Red kind=heavy_infantry stands=4 square=E6",
       "done Blue;done Red;done Blue;done Red;move B via E3 E4 E5 E6;done Blue",
       {"Melee in E6: Light cavalry B (3), Heavy infantry R (4)."}},
      {"nobody is run down in a wood (ANC-M3)",
       "unit id=B side=Blue kind=light_cavalry stands=3 square=E2;unit id=S1 side=Red "
       "kind=light_infantry stands=1 square=E4;unit id=R side=Red kind=heavy_infantry stands=4 "
       "square=L6;terrain type=wood squares=E4",
       "done Blue;done Red;done Blue;done Red;move B via E3 E4 E5",
       {"refused ANC-V4"}},
      {"a horse crew is not run down (ANC-M3)",
       "unit id=B side=Blue kind=light_cavalry stands=3 square=E2;unit id=S1 side=Red "
       "kind=horse_crew stands=1 square=E3;unit id=R side=Red kind=heavy_infantry stands=4 "
       "square=L6",
       "done Blue;done Red;done Blue;done Red;move B via E3 E4",
       {"refused ANC-V4"}},
      {"cavalry supports a chariot against pikes it may not charge (ANC-H7)",
       "unit id=B side=Blue kind=macedonian_companions stands=4 square=E4;unit id=C side=Blue "
       "kind=chariots stands=1 square=D4;unit id=R side=Red kind=macedonian_phalanx stands=4 "
       "square=E5",
       "done Blue;done Red;done Blue;done Red;move C via D5 E5;done Blue;support B at E5",
       {"Macedonian companions B (4) supports in E5."}},
      {"the attacker's foot is beside riders by its facing after the move (ANC-H4)",
       "unit id=B side=Blue kind=heavy_infantry stands=4 square=E4;unit id=H side=Blue "
       "kind=heavy_cavalry stands=4 square=D5 facing=E;unit id=R side=Red kind=heavy_infantry "
       "stands=4 square=E5",
       "done Blue;done Red;done Blue;done Red;move B via E5 facing E;done Blue;support H at E5",
       {"refused ANC-H4"}},
      {"a sub-commander supports as the heavy infantry with him: not diagonally (ANC-H3)",
       "unit id=B side=Blue kind=light_infantry stands=3 square=E4;unit id=H side=Blue "
       "kind=heavy_infantry stands=4 square=D4;unit id=S side=Blue kind=sub_commander stands=1 "
       "square=D4;unit id=R side=Red kind=heavy_infantry stands=2 square=E5",
       "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;support S at E5",
       {"refused ANC-H3"}},
      {"a heavy chariot throws two dice, one more as the later unit, one less into a wood "
       "(ANC-F3)",
       "unit id=B side=Blue kind=light_infantry stands=3 square=E3;unit id=C side=Blue "
       "kind=assyrian_heavy_chariots stands=1 square=D3;unit id=R side=Red kind=light_infantry "
       "stands=3 square=E5;terrain type=wood squares=E5",
       "done Blue;done Red;fire B at E5;fire C at E5",
       {"with 2 dice, one added because another unit shoots there, one taken off for protection"}},
      {"exactly three times as strong destroys with equal cards too (ANC-P2)",
       "unit id=B side=Blue kind=heavy_infantry stands=4 square=E4;unit id=R side=Red "
       "kind=heavy_infantry stands=2 square=E5",
       "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;done Blue;done Red;card "
       "Blue SQUARE at E5;card Red SQUARE at E5",
       {"Heavy infantry R#2 is destroyed with the rest of its side, which is outnumbered (E5, "
        "ANC-P2).",
        "Left: Blue 3, Red 1. Blue is at least 3 times as strong: the rest of Red is destroyed "
        "(ANC-P2)."}},
      {"two withdrawals both succeed (ANC-P4)",
       "unit id=B side=Blue kind=heavy_infantry stands=4 square=E4;unit id=R side=Red "
       "kind=heavy_infantry stands=2 square=E5",
       "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;done Blue;done Red;card "
       "Blue WITHDRAWAL at E5;card Red WITHDRAWAL at E5",
       {"Heavy infantry B (4) falls back to E4, E3 (ANC-P4).",
        "Heavy infantry R (2) falls back to E6, E7 (ANC-P4)."}},
      {"shields and a wood together cost one die (ANC-F4)",
       "unit id=B side=Blue kind=light_infantry stands=3 square=E3;unit id=R side=Red "
       "kind=assyrian_heavy_archers stands=3 square=E5;terrain type=wood squares=E5",
       "done Blue;done Red;fire B at E5",
       {"with 2 dice"}},
      {"light cavalry rides home alone, Numidians do not (ANC-M1)",
       "unit id=B side=Blue kind=numidian_light_cavalry stands=1 square=E5;unit id=C side=Blue "
       "kind=light_cavalry stands=1 square=G6;unit id=R side=Red kind=heavy_infantry stands=4 "
       "square=L6",
       "done Blue;done Red;done Blue;done Red",
       {"Light cavalry C (1) is down to its last stand and falls back to G5, G4, G3, G2, G1 "
        "(ANC-M1)."}},
      {"a catapult removed in step 1 takes its own shot (ANC-T)",
       "unit id=KC side=Blue kind=foot_crew stands=2 square=E3;unit id=RC side=Red "
       "kind=foot_crew stands=2 square=E8;equipment id=K side=Blue kind=heavy_catapult "
       "square=E3;equipment id=RK1 side=Red kind=heavy_catapult square=E8",
       "shoot K by KC#1 at E8;lands 18 30 catapult RK1 0.9 stand RC#1 0.8;take RK1;shoot RK1 by "
       "RC#1 at E3;lands 18 10 catapult K 0.5",
       {"Heavy catapult K is removed by a catapult"}},
      {"dice are shared between archers and a sub-commander (ANC-F6)",
       "unit id=B side=Blue kind=light_infantry stands=3 square=E4;unit id=R side=Red "
       "kind=indian_medium_archers stands=4 square=E5;unit id=S side=Red kind=sub_commander "
       "stands=1 square=E5",
       "done Blue;done Red;fire B at E5;done Blue;done Red;dice 3 1 1;take R#1 S#1",
       {"Sub-commander S#1 is removed by missiles (E5, ANC-F6)."}},
  };
  const std::string commanders = PiecesAsToml(
      "unit id=BK side=Blue kind=commander stands=1 square=A1;unit id=RK side=Red "
      "kind=commander stands=1 square=L12");
  ExpectCorners(GridHead("ancient", "first_attacker = \"Blue\"", 12) + commanders, "", rows);
}

TEST(CornerCases, Colonial) {
  const std::vector<CornerCase> rows = {
      {"stands of the type beside and behind support both sides (COL-8.4)",
       "unit id=B side=Blue kind=regular_infantry square=E5;unit id=Bx side=Blue "
       "kind=regular_infantry square=D5;unit id=By side=Blue kind=regular_infantry square=D4;"
       "unit id=R side=Red kind=native_infantry square=E6 stands=2",
       "attack B at R#1",
       {"1st regular infantry, B (+5), then one for Native infantry R#1 (+4)"}},
      {"exactly abeam the attacker chooses (COL-6.2)",
       "unit id=B side=Blue kind=regular_infantry square=D6;unit id=R side=Red "
       "kind=native_infantry square=E6 stands=2",
       "attack B at E6",
       {"refused COL-6.2"}},
      {"the rear stand is beaten from the flank and goes alone (COL-6.2, COL-5.11)",
       "unit id=B side=Blue kind=regular_infantry square=D6;unit id=R side=Red "
       "kind=native_infantry square=E6 stands=2",
       "attack B at R#2;dice 5 5",
       {"Native infantry R#2 withdraws to F7 (COL-5.11)."}},
      {"a diagonal attack meets a wall on either edge of the corner (COL-8.8)",
       "unit id=B side=Blue kind=regular_infantry square=D5;unit id=R side=Red "
       "kind=native_infantry square=E6;terrain type=wall edges=E5|E6",
       "attack B at E6",
       {"-2 wall or entrenchment (COL-8.8)"}},
      {"a hedge at the corner is no open country (COL-8.6)",
       "unit id=B side=Blue kind=regular_cavalry square=D5;unit id=R side=Red "
       "kind=native_infantry square=E6 facing=W;terrain type=hedge edges=D5|D6",
       "attack B at E6",
       {"B: D12, +3 value (COL-8.2); R:"}},
      {"the attacker who loses a tie leaves the table and is destroyed (COL-9.2, COL-5.12)",
       "unit id=B side=Blue kind=regular_infantry square=E1;unit id=R side=Red "
       "kind=guard_infantry square=E2",
       "attack B at E2;dice 6 5;dice 3 9",
       {"Regular infantry B is destroyed because it had no way to withdraw (E1, COL-5.12)."}},
      {"a rear stand fires once the front stand has moved out (COL-6.1)",
       "unit id=B side=Blue kind=regular_infantry square=E5 stands=2;unit id=R side=Red "
       "kind=native_infantry square=E7",
       "activate B#1 B#2;move B#1 to F5;fire B#2 at E7",
       {"Regular infantry B#2 fires at Native infantry R"}},
      {"friends at both sides of a corner block sight (COL-7.1)",
       "unit id=B side=Blue kind=regular_infantry square=E5 weapon=magazine_rifle;unit id=F "
       "side=Blue kind=regular_infantry square=E6;unit id=Fx side=Blue kind=regular_infantry "
       "square=F5;unit id=R side=Red kind=native_infantry square=G7",
       "fire B at G7",
       {"refused COL-7.1"}},
      {"a friend at one side does not (COL-7.1)",
       "unit id=B side=Blue kind=regular_infantry square=E5 weapon=magazine_rifle;unit id=F "
       "side=Blue kind=regular_infantry square=E6;unit id=R side=Red kind=native_infantry "
       "square=G7",
       "fire B at G7",
       {"1st regular infantry, B fires at Native infantry R"}},
      {"two contours are too much for guards, not for natives (COL-5.8)",
       "unit id=B side=Blue kind=guard_infantry square=E5;unit id=N side=Blue "
       "kind=native_infantry square=D5;unit id=R side=Red kind=native_infantry square=R7;"
       "terrain type=hill squares=E6,D6 level=2",
       "move B to E6",
       {"refused COL-5.8"}},
      {"natives climb them and stop (COL-5.8)",
       "unit id=B side=Blue kind=guard_infantry square=E5;unit id=N side=Blue "
       "kind=native_infantry square=D5;unit id=R side=Red kind=native_infantry square=R7;"
       "terrain type=hill squares=E6,D6 level=2",
       "move N to D6",
       {"Native infantry N moves to D6 (3 squares)"}},
      {"the road's square pays for a contour (COL-5.7, COL-5.8)",
       "unit id=B side=Blue kind=regular_infantry square=C1;unit id=R side=Red "
       "kind=native_infantry square=R7;terrain type=hill squares=C2,C3,C4 level=1;terrain "
       "type=road squares=C1,C2,C3,C4",
       "move B to C3",
       {"(3 squares, by road)"}},
      {"a gun next to its target adds 1, a Command stand counts once (COL-7.6, COL-7.5)",
       "unit id=B side=Blue kind=field_artillery square=E5;unit id=R side=Red kind=command_foot "
       "square=E6 rating=exceptional;unit id=X side=Red kind=native_infantry square=R9",
       "fire B at E6;dice 7 6",
       {"Field artillery B 7 +3 = 10, Command on foot R 6 +3 = 9"}},
      {"artillery beside an enemy may leave only for squares that are clear (COL-5.5)",
       "unit id=B side=Blue kind=field_artillery square=E5;unit id=R side=Red "
       "kind=native_infantry square=E6",
       "move B to D5",
       {"refused COL-5.5"}},
      {"artillery leaves (COL-5.5)",
       "unit id=B side=Blue kind=field_artillery square=E5;unit id=R side=Red "
       "kind=native_infantry square=E6",
       "move B to E4",
       {"Field artillery B moves to E4"}},
      {"transport attacks but does not fire (COL-8.1, COL-7.3)",
       "unit id=B side=Blue kind=transport square=E5;unit id=Bx side=Blue kind=transport "
       "square=D5;unit id=R side=Red kind=native_infantry square=E6",
       "attack B at E6;dice 12 1",
       {"Native infantry R is destroyed in close combat (E6, COL-9.4)."}},
      {"mounted command and infantry fit one square (COL-1.3)",
       "unit id=B side=Blue kind=command_mounted square=E5 rating=poor;unit id=I side=Blue "
       "kind=regular_infantry square=E4;unit id=R side=Red kind=native_infantry square=R6",
       "move I to E5",
       {"Regular infantry I moves to E5"}},
      {"dismounting takes the whole move (COL-5.13)",
       "unit id=K side=Blue kind=regular_cavalry square=F5;unit id=R side=Red "
       "kind=native_infantry square=F7",
       "dismount K;move K to F6",
       {"refused COL-5.13"}},
  };
  // Each side needs a General; a row that has its own leaves this one out.
  for (const CornerCase& row : rows) {
    std::string head = GridHead("colonial", "turns = 3", 18);
    for (const char* general :
         {"Blue kind=command_foot square=A1", "Red kind=command_foot square=R12"}) {
      const std::string side(general, std::string(general).find(' '));
      if (row.pieces.find("side=" + side + " kind=command") == std::string::npos)
        head += PiecesAsToml(fmt::format("unit id={}G rating=average side={}", side[0], general));
    }
    ExpectCorners(head, "dice 9 3;dice 12;", {row});
  }
}

TEST(CornerCases, CloseFire) {
  const std::vector<CornerCase> rows = {
      {"exactly 120 yd is close range (CF-16.2)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,22 facing=0;unit "
       "side=Red commander=RM id=G arm=gun gun=field at=28,28 facing=200",
       "done Blue;fire G at B1;dice 4",
       {"die 4, new target -1 = 3; 1 DP (CF-16.2)"}},
      {"a DP from guns takes a die from the volley of the same turn (CF-15.6, CF-17.1)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,22 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,27 facing=180;unit side=Red "
       "commander=RM id=G arm=gun gun=field at=28,28 facing=200",
       "done Blue;fire G at B1;dice 4;done Red;fire B1 at R1",
       {"stands 4, disorder -1 = 3 (CF-17.1)"}},
      {"an enemy within 40 yd ahead stops all musketry (CF-15.2)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,22 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,23.75 facing=180;unit "
       "side=Red commander=RM id=H arm=horse grade=C parts=1,1,1 at=28,26.5 facing=180",
       "done Blue;done Red;fire B1 at H",
       {"refused CF-15.2"}},
      {"the second shot at the same range adds 1 (CF-16.3)",
       "unit side=Blue commander=BM id=G arm=gun gun=heavy at=25,20 facing=0;unit side=Red "
       "commander=RM id=R1 arm=foot grade=C parts=4 at=25,35 facing=180",
       "fire G at R1;dice 4;done Blue;done Red;done Blue;done Red;done Blue;done Red;done Blue;"
       "done Red;done Blue;done Red;initiative;dice 6 1;choose \"first\";fire G at R1;dice 4",
       {"die 4, heavy gun +1, same target and range +1 = 6; 1 DP (CF-16.2)"}},
      {"three dice after none are too many, though two were moved this turn (CF-12.9)",
       "unit side=Blue commander=BM id=H arm=horse grade=C parts=1,1,1 at=25,22 style=new "
       "facing=0;unit side=Red commander=RM id=R1 arm=horse grade=C parts=1,1,1 at=25,35 "
       "facing=180",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;roll H avd+avd;dice 3 3;ahead "
       "H 60;done Blue;done Red;charge H at R1 avd+avd+d6",
       {"refused CF-12.9"}},
      {"an incline goes no farther sideways than forward (CF-14.8)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,20 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,45 facing=180",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;roll B1 avd+d6;dice 4 3;"
       "incline B1 right 40 30",
       {"refused CF-14.8"}},
      {"E grade does not incline (CF-14.8)",
       "unit side=Blue commander=BM id=E1 arm=foot grade=E parts=4 at=25,20 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,45 facing=180",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;roll E1 avd+d6;dice 4 3;"
       "incline E1 right 10 20",
       {"refused CF-14.8"}},
      {"foot that fired does not move (CF-11.1)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,22 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,27 facing=180",
       "done Blue;done Red;fire B1 at R1;dice 1 1 1 1;done Blue;done Red;done Blue;done Red;"
       "dice 3;roll B1 avd",
       {"refused CF-11.1"}},
      {"steadied foot does not move (CF-4.4)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,22 facing=0;unit "
       "side=Red commander=RM id=G arm=gun gun=field at=28,28 facing=200;unit side=Red "
       "commander=RM id=R9 arm=foot grade=C parts=4 at=25,39 facing=180",
       "done Blue;fire G at B1;dice 4;done Red;done Blue;done Red;attach BM to B1;steady BM;"
       "done Blue;done Red;dice 3;choose +0;roll B1 avd",
       {"refused CF-4.4"}},
      {"an inspiring leader brings 10 yd a die (CF-12.3)",
       "unit side=Blue commander=BM id=H arm=horse grade=C parts=1,1,1 at=25,22 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,39 facing=180",
       "done Blue;done Red;done Blue;done Red;attach BM to H;inspire BM;done Blue;done Red;roll "
       "H avd+avd;dice 2 4",
       {"Horse H has 80 yd"}},
      {"a road column goes 240 yd and no farther (CF-12.5)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,20 formation=march "
       "facing=0;unit side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,45 facing=180;"
       "terrain type=road polygon=24.5,5,25.5,5,25.5,45,24.5,45",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;road B1 to 500 640",
       {"refused CF-12.5"}},
      {"a doubled move stops 120 yd from the enemy (CF-11.7)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,20 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,28.5 facing=180",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;dice 3;roll B1 avd+d6 double;"
       "dice 4 3;ahead B1 60",
       {"refused CF-11.7"}},
      {"a doubled move goes up to 120 yd from the enemy (CF-11.7)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,20 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,28.5 facing=180",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;dice 3;roll B1 avd+d6 double;"
       "dice 4 3;ahead B1 50",
       {"Foot B1 moves 50 yd ahead"}},
      {"horse that turns about near the enemy takes a DP (CF-14.7)",
       "unit side=Blue commander=BM id=H arm=horse grade=C parts=1,1,1 at=25,22 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,27.5 facing=180",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;dice 3;roll H avd+avd;dice 3 3;"
       "about H",
       {"Horse H takes 1 DP (turning about): 1 now (CF-14.7)."}},
      {"hussars face all round and do not turn about (CF-14.14)",
       "unit side=Blue commander=BM id=H arm=hussars grade=D parts=1,1,1 at=25,22 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,27.5 facing=180",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;dice 3;roll H avd+avd;dice 3 3;"
       "about H",
       {"refused CF-14.7"}},
      {"a wheel of 30 degrees costs an 80 yd front 41.9 yd (CF-14.1)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,20 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,45 facing=180",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;roll B1 avd+d6;dice 4 3;wheel "
       "B1 right 30",
       {"28.1 yd left"}},
      {"no enemy to the front is nearer than 20 yd after a move (CF-11.4)",
       "unit side=Blue commander=BM id=B1 arm=foot grade=C parts=4 at=25,22 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,24.75 facing=180",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;dice 3;roll B1 avd+d6;dice 3 2;"
       "ahead B1 36",
       {"refused CF-11.4"}},
      {"horse in a swamp (CF-12.4)",
       "unit side=Blue commander=BM id=H arm=horse grade=C parts=1,1,1 at=25,20 facing=0;unit "
       "side=Red commander=RM id=R1 arm=foot grade=C parts=4 at=25,45 facing=180;terrain "
       "type=swamp polygon=20,21,30,21,30,24,20,24",
       "done Blue;done Red;done Blue;done Red;done Blue;done Red;roll H avd+avd;dice 3 3;ahead "
       "H 60",
       {"refused CF-12.4"}},
  };
  const std::string head =
      "ruleset = \"closefire\"\n[scenario]\nname = \"corners\"\nbattle = "
      "\"meeting\"\nagreed_positions = true\n[table]\nlength = 60.0\nwidth = "
      "48.0\n[[side]]\nname = \"Blue\"\n[[side]]\nname = \"Red\"\n";
  const std::string marshals = PiecesAsToml(
      "leader id=BM side=Blue rank=marshal at=25.0,20.0;leader id=RM side=Red rank=marshal "
      "at=25.0,40.0");
  ExpectCorners(head + marshals, "initiative;dice 6 1;choose \"first\";", rows);
}

}  // namespace
}  // namespace fos
