// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/army.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/rules/ancient/game_file.h"
#include "tests/support/ancient_game.h"
#include "tests/support/temp_dir.h"

// Worked examples EX-L of the catalogue, and the army builder.
namespace fos::ancient::test {
namespace {

TEST(AncientArmies, ReportsThatTheRomanListDoesNotAddUp) {  // EX-L.1
  const auto roman = MusterOf(Book(), "Roman");
  ASSERT_TRUE(roman.ok());
  EXPECT_EQ(roman->points, 184);
  EXPECT_EQ(NoticeOf(Book(), Book().armies.at(4)),
            "army list `Roman` adds up to 184 points, 200 are stated: 16 fewer");
}

TEST(AncientArmies, SevenListsAddedUp) {  // ANC-L
  struct Row {
    const char* name;
    int computed, stated;
  };
  const std::vector<Row> rows = {{"Egyptian", 229, 200},   {"Assyrian", 198, 200},
                                 {"Macedonian", 179, 200}, {"Indian", 201, 201},
                                 {"Roman", 184, 200},      {"Carthaginian", 203, 200},
                                 {"Generic", 200, 200}};
  ASSERT_EQ(Book().armies.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ArmyList& list = Book().armies[i];
    EXPECT_EQ(list.name, rows[i].name);
    EXPECT_EQ(list.stated_points, rows[i].stated);
    EXPECT_EQ(list.computed_points, rows[i].computed);
    const auto muster = MusterOf(Book(), list.name);
    ASSERT_TRUE(muster.ok());
    EXPECT_EQ(muster->points, rows[i].computed) << list.name;
    EXPECT_EQ(NoticeOf(Book(), list).empty(), rows[i].computed == rows[i].stated) << list.name;
  }
  const auto none = MusterOf(Book(), "Romans");
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message.find("`Roman`"), std::string::npos);
}

// A game scenario with a whole list, its squares row by row from A1.
std::string ScenarioOf(const std::string& army, std::size_t squares, const std::string& more = "") {
  std::string list;
  for (std::size_t i = 0; i < squares; ++i)
    list += (i ? ", \"" : "\"") + std::string(1, static_cast<char>('A' + i % 12)) +
            std::to_string(1 + i / 12) + "\"";
  return "ruleset = \"ancient\"\n[scenario]\nname = \"lists\"\nfirst_attacker = \"Blue\"\n" + more +
         "[board]\ncolumns = 12\nrows = 12\nsquare = 5.0\n"
         "[[side]]\nname = \"Blue\"\nbaseline = \"south\"\n"
         "[[side]]\nname = \"Red\"\nbaseline = \"north\"\n"
         "[[unit]]\nid = \"r\"\nside = \"Red\"\nkind = \"heavy_infantry\"\nsquare = \"L12\"\n"
         "[[army]]\nid = \"b\"\nside = \"Blue\"\n" +
         army + "\nsquares = [" + list + "]\n";
}

Result<std::shared_ptr<const Setup>> Read(const std::string& text) {
  const fos::test::TempDir dir;
  const auto path = dir.path() / "game.toml";
  std::ofstream(path) << text;
  return ReadGame(path);
}

TEST(AncientArmies, PointsOnTheBoardAndOff) {  // EX-L.2
  const auto generic = MusterOf(Book(), "Generic");
  ASSERT_TRUE(generic.ok());
  const auto setup = Read(ScenarioOf("army = \"Generic\"", generic->Squares()));
  ASSERT_TRUE(setup.ok()) << setup.error().message;
  EXPECT_TRUE(setup.value()->notices.empty());
  EXPECT_EQ(setup.value()->tables.square_in, 5.0);
  State s = NewGame(setup.value(), 1);
  EXPECT_EQ(PointsOf(s, kBlue), 200);
  PieceNo heavy = -1, light = -1;
  for (std::size_t i = 0; i < s.stands.size(); ++i) {
    if (s.stands[i].side != kBlue) continue;
    if (s.TypeOf(s.stands[i]).id == "heavy_infantry") heavy = static_cast<PieceNo>(i);
    if (s.TypeOf(s.stands[i]).id == "light_cavalry") light = s.stands[i].unit;
  }
  ApplyTo(s, StandLost{heavy, LossCause::kShot});
  ApplyTo(s, Moved{StandsOf(s, light), {}, {kNowhere}, true});
  EXPECT_EQ(PointsOf(s, kBlue), 197);
}

TEST(AncientArmies, ALoadedListThatDoesNotAddUpIsANotice) {  // EX-L.1
  const auto roman = MusterOf(Book(), "Roman");
  const std::string text = ScenarioOf("army = \"Roman\"", roman->Squares());
  const auto setup = Read(text);
  ASSERT_TRUE(setup.ok()) << setup.error().message;
  ASSERT_EQ(setup.value()->notices.size(), 1u);
  EXPECT_NE(setup.value()->notices[0].find("184"), std::string::npos);
  EXPECT_FALSE(Read(ScenarioOf("army = \"Roman\"", 3)).ok());  // too few squares
}

TEST(AncientArmies, AnArmyForAnyNumberOfPoints) {  // ANC-L
  for (const ArmyList& list : Book().armies)
    for (const int points : {60, 100, 150, 200, 250, 300, 500}) {
      const auto built = BuildArmy(Book(), list.name, points);
      ASSERT_TRUE(built.ok()) << built.error().message;
      EXPECT_LE(built->points, points) << list.name;
      EXPECT_GT(built->points, points - 12) << list.name;  // closer than any list's cheapest unit
      int sum = 0;
      int commanders = 0;
      for (const MusterUnit& unit : built->units) {
        const UnitType& type = Book().types[static_cast<std::size_t>(unit.type)];
        sum += type.points * unit.stands;
        commanders += type.id == "commander";
      }
      for (const MusterCatapult& catapult : built->catapults)
        sum += Book().equipment[static_cast<std::size_t>(catapult.type)].points +
               Book().types[static_cast<std::size_t>(catapult.crew.type)].points *
                   catapult.crew.stands;
      EXPECT_EQ(sum, built->points) << list.name;
      EXPECT_EQ(commanders, 1) << list.name;
    }
  // For its own total, a list that adds up stays unchanged.
  EXPECT_EQ(BuildArmy(Book(), "Generic", 200)->Squares(), MusterOf(Book(), "Generic")->Squares());
  EXPECT_FALSE(BuildArmy(Book(), "Generic", 0).ok());
  EXPECT_FALSE(BuildArmy(Book(), "Generic", 2).ok());
  EXPECT_FALSE(BuildArmy(Book(), "Nobody", 200).ok());
}

TEST(AncientArmies, DescribesTheList) {  // ANC-L
  const auto roman = MusterOf(Book(), "Roman");
  const std::string told = Describe(Book(), "Roman", *roman);
  EXPECT_NE(told.find("Roman, 184 points"), std::string::npos);
  EXPECT_NE(told.find("Heavy catapult with Foot crew"), std::string::npos);
}

TEST(AncientArmies, MatchesTheTableOfTheRules) {  // ANC-F5, ANC-L
  const auto type = [](const char* id) {
    return Book().types.at(static_cast<std::size_t>(Book().TypeOf(id)));
  };
  EXPECT_EQ(Book().types.size(), 24u);
  EXPECT_EQ(type("numidian_light_cavalry").move, 600);
  EXPECT_EQ(type("macedonian_peltasts").melee, 12);
  EXPECT_EQ(type("war_elephants").melee_charging, 64);
  EXPECT_EQ(type("assyrian_heavy_chariots").dice_per_stand, 2);
  EXPECT_TRUE(type("assyrian_heavy_archers").shielded);
  EXPECT_TRUE(type("guard_infantry").special);
  EXPECT_EQ(Book().equipment[static_cast<std::size_t>(Book().EquipmentOf("heavy_catapult"))].range,
            600);
}

TEST(AncientArmies, RefusesAnIllegalDeployment) {  // ANC-V2, ANC-V6
  const auto with = [](const std::string& unit) {
    return Read(ScenarioOf("army = \"Generic\"", MusterOf(Book(), "Generic")->Squares()) +
                "[[unit]]\nid = \"x\"\nside = \"Blue\"\n" + unit);
  };
  EXPECT_FALSE(with("kind = \"heavy_infantry\"\nsquare = \"B1\"\n").ok());
  EXPECT_FALSE(with("kind = \"heavy_infantry\"\nsquare = \"A9\"\nfacing = \"NE\"\n").ok());
  EXPECT_FALSE(with("kind = \"light_infantry\"\nsquare = \"L12\"\n").ok());
  EXPECT_FALSE(with("kind = \"light_infantry\"\nsquare = \"Z99\"\n").ok());
  EXPECT_FALSE(with("kind = \"lite_infantry\"\nsquare = \"A9\"\n").ok());
  EXPECT_TRUE(with("kind = \"light_infantry\"\nsquare = \"A9\"\nfacing = \"NE\"\n").ok());
}

// The shipped tables without the given tables, plus `more`.
std::string Without(const char* shipped, const std::vector<std::string>& tables) {
  std::ifstream in(std::string(FOS_SOURCE_DIR) + shipped);
  std::string out;
  bool left_out = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("["))
      left_out = std::any_of(tables.begin(), tables.end(), [&](const std::string& table) {
        return line.starts_with("[" + table + "]") || line.starts_with("[[" + table + "]]");
      });
    if (!left_out) out += line + "\n";
  }
  return out;
}

TEST(AncientArmies, ReadsAClubsFilesInTheCataloguesForm) {  // ANC-L, ANC-C1, ANC-H7
  const fos::test::TempDir dir;
  const auto written = [&](const std::string& text) {
    std::ofstream(dir.path() / "club.toml") << text;
    return dir.path() / "club.toml";
  };
  const auto tables = ReadTables(written(
      Without("/engine/rules/ancient/tables.toml",
              {"melee", "separating", "stacking", "missiles", "cavalry", "catapult", "army"}) +
      "[catapult]\ncircle_in = 1.5\n"));
  ASSERT_TRUE(tables.ok()) << tables.error().message;
  EXPECT_EQ(tables->circle_milli_in, 1500);
  EXPECT_EQ(tables->may_man, Book().may_man);
  EXPECT_EQ(tables->armies.size(), Book().armies.size());
  EXPECT_EQ(tables->stacking.crew, 6);
  for (std::size_t i = 0; i < tables->types.size(); ++i) {
    EXPECT_EQ(tables->types[i].may_separate, Book().types[i].may_separate);
    EXPECT_EQ(tables->types[i].bars_cavalry, Book().types[i].bars_cavalry);
  }
  const auto settings = ReadSettings(
      written("[settings]\nrun_down.max_per_move = 2\nelephant.stationary_faces = [1, 2]\n"),
      Rulings());
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  EXPECT_EQ(settings->run_down_max, 2);
  EXPECT_EQ(settings->stationary_faces, 3);
}

TEST(AncientArmies, ASmallerIndianArmyKeepsItsCatapults) {  // ANC-L
  const auto built = BuildArmy(Book(), "Indian", 200);
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(built->catapults.size(), 2u);
  EXPECT_EQ(built->points, 200);
}

TEST(AncientArmies, AScenarioMarksGuards) {  // ANC-M1
  const std::string text =
      "ruleset = \"ancient\"\n[scenario]\nname = \"guards\"\nfirst_attacker = \"Blue\"\n"
      "[board]\ncolumns = 12\nrows = 12\n"
      "[[side]]\nname = \"Blue\"\nbaseline = \"south\"\n"
      "[[side]]\nname = \"Red\"\nbaseline = \"north\"\n"
      "[[unit]]\nid = \"r\"\nside = \"Red\"\nkind = \"heavy_cavalry\"\nsquare = \"L12\"\n"
      "[[unit]]\nid = \"b\"\nside = \"Blue\"\nkind = \"heavy_cavalry\"\nsquare = \"A1\"\n"
      "guards = true\n";
  const auto setup = Read(text);
  ASSERT_TRUE(setup.ok()) << setup.error().message;
  EXPECT_FALSE(setup.value()->units[0].guards);
  EXPECT_TRUE(setup.value()->units[1].guards);
}

}  // namespace
}  // namespace fos::ancient::test
