// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "engine/rules/napoleonic/army.h"
#include "engine/rules/napoleonic/game_file.h"
#include "tests/support/napoleonic_game.h"
#include "tests/support/temp_dir.h"

// Worked examples EX-11, EX-12, EX-ORG and EX-BEA of the catalogue.
namespace fos::napoleonic::test {
namespace {

TEST(NapoleonicEnd, ADestroyedOwnGunCountsForNeitherSide) {  // EX-11.1
  Game g;
  g.Unit(kBlue, "line_infantry", 4, "A1");
  g.Unit(kRed, "line_infantry", 4, "L12");
  const PieceNo gun = g.Gun(kRed, "foot_gun", "E9");
  g.Start();
  EXPECT_EQ(g.Do(DestroyEquipment{kRed, gun}), "NAP-11");
  g.To(Step::kEnd);
  EXPECT_EQ(g.Do(DestroyEquipment{kBlue, gun}), "NAP-11");
  EXPECT_EQ(PointsOf(g.s, kRed), 16);
  EXPECT_EQ(g.Do(DestroyEquipment{kRed, gun}), "");
  EXPECT_EQ(PointsOf(g.s, kRed), 12);
  EXPECT_EQ(g.WhereIs(gun), "gone");
}

TEST(NapoleonicEnd, PointsOnAndOffTheBoardDecide) {  // EX-12.1
  // 97 points on the board and 12 off it against 101.
  Game g;
  g.setup.settings.turn_limit = 1;
  for (const char* square : {"A1", "B1", "C1"}) g.Unit(kBlue, "guards_cavalry", 4, square);
  g.Unit(kBlue, "line_infantry", 4, "D1");
  g.Unit(kBlue, "commander_in_chief", 1, "D1");
  g.Unit(kBlue, "mounted_crew", 1, "E1");
  const PieceNo away = g.Unit(kBlue, "line_infantry", 4, "F1");
  for (const char* square : {"A12", "B12", "C12", "D12"}) g.Unit(kRed, "guards_cavalry", 4, square);
  g.Unit(kRed, "division_commander", 1, "A12");
  g.Start();
  ApplyTo(g.s, Moved{g.Stands(away), {}, {kNowhere}, true});
  EXPECT_EQ(PointsOf(g.s, kBlue), 109);
  EXPECT_EQ(PointsOf(g.s, kRed), 101);
  g.To(Step::kEnd);
  g.Done(kBlue);
  g.Done(kRed);
  EXPECT_EQ(g.s.step, Step::kOver);
  EXPECT_EQ(g.s.ending.reason, EndReason::kTurnLimit);
  EXPECT_EQ(g.s.ending.winner, kBlue);
}

TEST(NapoleonicEnd, CapturedEquipmentCountsForItsCaptor) {  // EX-12.2
  const auto points = [](CapturedPoints captured) {
    Game g;
    g.setup.settings.captured = captured;
    g.Unit(kBlue, "line_infantry", 4, "A1");
    g.FootBattery(kRed, "E9");
    g.Start();
    const int blue = PointsOf(g.s, kBlue);
    const int red = PointsOf(g.s, kRed);
    for (PieceNo i = 0; i < 3; ++i) ApplyTo(g.s, EquipmentTaken{i, kBlue});
    return std::pair{PointsOf(g.s, kBlue) - blue, PointsOf(g.s, kRed) - red};
  };
  EXPECT_EQ(points(CapturedPoints::kCaptor), std::pair(10, -10));
  EXPECT_EQ(points(CapturedPoints::kOriginalOwner), std::pair(0, 0));
  EXPECT_EQ(points(CapturedPoints::kNeither), std::pair(0, -10));
}

TEST(NapoleonicEnd, ASideWithoutStandsHasLost) {  // NAP-12
  Game g;
  const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "D4");
  const PieceNo red = g.Unit(kRed, "line_infantry", 1, "D5");
  g.Gun(kRed, "foot_gun", "L12");
  g.Start();
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Fire(blue, "D5"), "");
  g.Done(kBlue);
  g.Done(kRed);
  EXPECT_EQ(g.Dice({1, 6, 6, 6}), "");
  EXPECT_EQ(g.Left(red), 0);
  EXPECT_EQ(g.s.step, Step::kOver);
  EXPECT_EQ(g.s.ending.reason, EndReason::kDestroyed);
  EXPECT_EQ(g.s.ending.winner, kBlue);
  EXPECT_EQ(g.Done(kBlue), "NAP-12");
}

TEST(NapoleonicEnd, ASideThatSurrendersHasLost) {  // NAP-12
  Game g;
  g.Unit(kBlue, "guards_infantry", 4, "A1");
  g.Unit(kRed, "line_infantry", 1, "L12");
  g.Start();
  EXPECT_EQ(g.Do(Surrender{kBlue}), "");
  EXPECT_EQ(g.s.ending.winner, kRed);
}

TEST(NapoleonicEnd, ADivisionHasThirtyTwoStands) {  // EX-ORG.1
  const Result<Muster> division = MusterOf(Book(), "division");
  ASSERT_TRUE(division.ok()) << division.error().message;
  EXPECT_EQ(division->points, 180);
  int troops = 0, crew = 0, commanders = 0, guns = 0, wagons = 0, horse_guns = 0;
  for (const MusterUnit& unit : division->units) {
    const bool commander = Book().types[static_cast<std::size_t>(unit.type)].arm == Arm::kCommander;
    (commander ? commanders : troops) += unit.stands;
  }
  for (const MusterBattery& battery : division->batteries) {
    for (const MusterUnit& part : battery.crews) crew += part.stands;
    for (const int piece : battery.equipment) {
      const EquipmentRole role = Book().equipment[static_cast<std::size_t>(piece)].role;
      guns += role == EquipmentRole::kFootGun;
      wagons += role == EquipmentRole::kWagon;
      horse_guns += role == EquipmentRole::kHorseGun;
    }
  }
  EXPECT_EQ(troops, 32);
  EXPECT_EQ(crew, 11);
  EXPECT_EQ(guns, 4);
  EXPECT_EQ(wagons, 2);
  EXPECT_EQ(horse_guns, 1);
  EXPECT_EQ(commanders, 1);
  EXPECT_EQ(MusterOf(Book(), "army headquarters")->points, 40);
  EXPECT_EQ(MusterOf(Book(), "divison").error().message,
            "no organisation `divison`; the nearest is `division`");
}

TEST(NapoleonicEnd, AnArmyForAnyNumberOfPoints) {  // NAP-ORG
  for (const int points : {1, 2, 9, 40, 100, 179, 180, 333, 360, 580, 10000}) {
    const auto army = BuildArmy(Book(), "division", points);
    if (points < 5) {
      EXPECT_EQ(army.ok(), false) << points;  // no unit is that cheap
      continue;
    }
    ASSERT_TRUE(army.ok()) << points << " " << army.error().message;
    EXPECT_LE(army->points, points);
    EXPECT_GE(army->points, points - 4) << points;
    int sum = 0, commanders = 0;
    for (const MusterUnit& unit : army->units) {
      const UnitType& type = Book().types[static_cast<std::size_t>(unit.type)];
      sum += type.points * unit.stands;
      commanders += type.arm == Arm::kCommander;
    }
    for (const MusterBattery& battery : army->batteries) {
      for (const MusterUnit& crew : battery.crews)
        sum += Book().types[static_cast<std::size_t>(crew.type)].points * crew.stands;
      for (const int piece : battery.equipment)
        sum += Book().equipment[static_cast<std::size_t>(piece)].points;
    }
    EXPECT_EQ(sum, army->points);
    EXPECT_EQ(commanders, std::max(1, points / 180)) << points;
  }
  // The points of a whole division give the whole division.
  EXPECT_EQ(BuildArmy(Book(), "division", 180)->Squares(), MusterOf(Book(), "division")->Squares());
  EXPECT_FALSE(BuildArmy(Book(), "division", 0).ok());
  EXPECT_FALSE(BuildArmy(Book(), "legion", 100).ok());
}

std::shared_ptr<const Setup> Beattenburg() {
  const auto setup = ReadGame(std::string(FOS_SOURCE_DIR) + "/datasets/scenarios/beattenburg.toml");
  EXPECT_TRUE(setup.ok()) << setup.error().message;
  return setup.value();
}

TEST(NapoleonicEnd, BeattenburgFieldsFiveHundredAndEightyPointsASide) {  // NAP-BEA
  const auto setup = Beattenburg();
  const State s = NewGame(setup, 1);
  EXPECT_EQ(TroopPointsOf(s, 0), 580);
  EXPECT_EQ(TroopPointsOf(s, 1), 580);
  EXPECT_EQ(setup->settings.turn_limit, 8);
  ASSERT_EQ(setup->objectives.size(), 3u);
  EXPECT_EQ(setup->objectives[2].points, 35);
}

TEST(NapoleonicEnd, LossesComeOffTheDivision) {  // EX-ORG.2
  State s = NewGame(Beattenburg(), 1);
  for (std::size_t i = 0; i < s.stands.size(); ++i)
    if (UnitName(s, s.stands[i].unit) == "F1-3")
      ApplyTo(s, StandLost{static_cast<PieceNo>(i), LossCause::kMelee});
  for (std::size_t i = 0; i < s.equipment.size(); ++i)
    if (EquipmentName(s, static_cast<PieceNo>(i)) == "F1-11e1")
      ApplyTo(s, EquipmentLost{static_cast<PieceNo>(i), LossCause::kShot});
  EXPECT_EQ(180 - (580 - TroopPointsOf(s, 0)), 164);
}

TEST(NapoleonicEnd, GarrisonsCountAtTheEnd) {  // EX-BEA.1
  // 310 points and Badburg against 290 with Scrubenspitz and Schloss Beatten: 340 : 355.
  Game g;
  g.setup.objectives = {{"Scrubenspitz", 30, {g.At("C8")}},
                        {"Badburg", 30, {g.At("J7")}},
                        {"Schloss Beatten", 35, {g.At("G7"), g.At("G8")}}};
  g.Unit(kBlue, "line_infantry", 4, "J7");
  g.Unit(kRed, "line_infantry", 4, "C8");
  g.Unit(kRed, "line_infantry", 4, "G8");
  g.Start();
  const int blue_rest = 310 - TroopPointsOf(g.s, kBlue);
  const int red_rest = 290 - TroopPointsOf(g.s, kRed);
  EXPECT_EQ(PointsOf(g.s, kBlue) + blue_rest, 340);
  EXPECT_EQ(PointsOf(g.s, kRed) + red_rest, 355);
}

TEST(NapoleonicEnd, RefusesAnIllegalDeployment) {  // NAP-2C
  const auto broken = ReadGame(std::string(FOS_SOURCE_DIR) + "/datasets/scenarios/none.toml");
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, ErrorCode::kNotFound);
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

TEST(NapoleonicEnd, ReadsAClubsFilesInTheCataloguesForm) {  // NAP-12, NAP-5C
  const fos::test::TempDir dir;
  const auto written = [&](const std::string& text) {
    std::ofstream(dir.path() / "club.toml") << text;
    return dir.path() / "club.toml";
  };
  // The catalogue's tables omit the numbers that its clauses give.
  const auto tables = ReadTables(written(
      Without("/engine/rules/napoleonic/tables.toml",
              {"stacking", "turning", "musketry", "canister", "melee", "burning", "square"})));
  ASSERT_TRUE(tables.ok()) << tables.error().message;
  EXPECT_EQ(tables->stacking.crew, Book().stacking.crew);
  EXPECT_EQ(tables->melee.least_stands, 2);
  EXPECT_EQ(tables->burning.dice, 2);
  // Its settings are one table with dotted keys.
  const auto settings =
      ReadSettings(written("[settings]\nturn.limit = 3\nmelee.fraction = \"whole_steps\"\n"
                           "points.captured_equipment = \"nobody\"\npoints.objectives = []\n"),
                   Rulings());
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  EXPECT_EQ(settings->turn_limit, 3);
  EXPECT_TRUE(settings->whole_steps);
  EXPECT_EQ(settings->captured, CapturedPoints::kNeither);
  for (const char* wrong : {"[settings]\nturn.limits = 3\n", "turn.limit = 3\n",
                            "[settings]\npoints.objectives = [{ name = \"x\" }]\n",
                            "ruleset = \"ancient\"\n[settings]\n"})
    EXPECT_FALSE(ReadSettings(written(wrong), Rulings()).ok()) << wrong;
}

TEST(NapoleonicEnd, AShotDueAtTheSameTimeIsStillFired) {  // NAP-3A, NAP-12
  Game g;
  const PieceNo blue_gun = g.Gun(kBlue, "foot_gun", "E3");
  const PieceNo blue = g.Unit(kBlue, "foot_crew", 2, "E3");
  const PieceNo red_gun = g.Gun(kRed, "foot_gun", "E9");
  const PieceNo red = g.Unit(kRed, "foot_crew", 1, "E9");
  g.Start();
  EXPECT_EQ(g.Shoot(blue_gun, ShotKind::kField, "E9"), "");
  EXPECT_EQ(g.Lands(18, 34, {{g.Stand(red), 300, 0}}), "");
  EXPECT_EQ(g.Left(red), 0);
  EXPECT_EQ(g.s.step, Step::kArtillery);
  EXPECT_EQ(g.Shoot(red_gun, ShotKind::kField, "E3"), "") << g.because;
  EXPECT_EQ(g.Lands(18, 10, {{g.Stand(blue), 300, 0}}), "");
  EXPECT_EQ(g.Left(blue), 1);
  EXPECT_EQ(g.s.step, Step::kOver);  // no other shot is due
  EXPECT_EQ(g.s.ending.winner, kBlue);
}

}  // namespace
}  // namespace fos::napoleonic::test
