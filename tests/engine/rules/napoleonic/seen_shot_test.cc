// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/rules/napoleonic/seen_move.h"
#include "engine/rules/napoleonic/seen_shot.h"
#include "engine/rules/rule_sets.h"
#include "tests/support/temp_dir.h"

// A measured shot and a seen move under the rules. Footprints as in EX-3F: 1.2 by 0.6 in.
namespace fos::napoleonic {
namespace {

struct Scene {
  Scenario scenario;
  TableFrame frame{12, 9, 4.0};
  std::vector<StandObservation> stands;
  Scene() {
    scenario.ruleset = "napoleonic";
    SideSpec blue;
    blue.name = "Blue";
    SideSpec red;
    red.name = "Red";
    red.baseline = Facing::kNorth;
    scenario.sides = {blue, red};
    ProjectileSpec swab;
    swab.hit_radius_in = 1.0;
    swab.touch_radius_in = 0.125;
    scenario.projectiles = {swab};
    for (const char* name : {"line_infantry", "foot_gun", "foot_crew"}) {
      KindSpec kind;
      kind.name = name;
      kind.footprint = {1.2, 0.6};
      kind.equipment = kind.name == "foot_gun";
      scenario.kinds.push_back(kind);
    }
  }
  void Unit(const char* id, int side, int kind, std::vector<Vec2> centres) {
    UnitSpec unit;
    unit.id = id;
    unit.side = side;
    unit.kind = kind;
    unit.stands = static_cast<int>(centres.size());
    unit.square = *frame.SquareAt(centres.front());
    scenario.units.push_back(unit);
    for (std::size_t i = 0; i < centres.size(); ++i) {
      StandObservation seen;
      seen.stand.text = std::string(id) + "#" + std::to_string(i + 1);
      seen.unit = id;
      seen.side = side;
      seen.kind = kind;
      seen.table_from_stand.origin = centres[i];
      seen.footprint = scenario.kinds[static_cast<std::size_t>(kind)].footprint;
      seen.confidence = 1;
      stands.push_back(seen);
    }
  }
  void Wood(Vec2 from, Vec2 to) {
    TerrainArea wood;
    wood.type = "wood";
    wood.polygon = {from, {to.x, from.y}, to, {from.x, to.y}};
    TerrainObject tree;
    tree.type = "tree";
    tree.circle = Circle{{to.x - 0.5, to.y - 0.5}, 0.4};
    wood.objects = {tree};
    scenario.terrain = {wood};
  }
  ShotRuling At(double x, double y) const {
    ShotObservation shot;
    shot.projectile = Projectile::kQtip;
    shot.point = shot.tail = {x, y};
    const auto verdict = JudgeSeenShot(shot, stands, scenario, frame, {});
    EXPECT_TRUE(verdict.ok()) << verdict.error().message;
    return verdict.value();
  }
};

std::vector<StandId> Ids(std::initializer_list<const char*> names) {
  std::vector<StandId> out;
  for (const char* name : names) out.push_back({name});
  return out;
}

TEST(NapoleonicSeenShot, TheFirerChoosesBetweenTwoInTheCircle) {  // EX-3F.1
  Scene scene;
  scene.Unit("R1", 1, 0, {{17.1, 22.3}, {18.9, 22.3}});
  EXPECT_EQ(scene.At(18.0, 21.4).eligible, Ids({"R1#1", "R1#2"}));
  EXPECT_TRUE(scene.At(18.0, 20.9).eligible.empty());  // EX-3F.2
}

TEST(NapoleonicSeenShot, ATouchedGunIsLostWithItsNearestCrew) {  // EX-3F.3
  Scene scene;
  scene.Unit("Rg", 1, 1, {{21.4, 25.5}});
  scene.Unit("Rc", 1, 2, {{23.0, 25.5}, {21.4, 26.4}});
  const ShotRuling touch = scene.At(21.4, 25.5);
  EXPECT_EQ(touch.equipment, Ids({"Rg#1"}));
  EXPECT_EQ(touch.crew, Ids({"Rc#2"}));
  EXPECT_TRUE(touch.eligible.empty());
  const ShotRuling beside = scene.At(21.4, 25.0);  // 0.2 in from the gun
  EXPECT_TRUE(beside.equipment.empty());
}

TEST(NapoleonicSeenShot, InWoodsThePointMustLieInTheSquare) {  // EX-6A.1
  Scene scene;
  scene.Wood({16, 20}, {20, 24});
  scene.Unit("R1", 1, 0, {{18.0, 20.6}});
  EXPECT_EQ(scene.At(18.0, 19.9).barred, Ids({"R1#1"}));
  EXPECT_TRUE(scene.At(18.0, 19.9).eligible.empty());
  EXPECT_EQ(scene.At(18.0, 20.0).eligible, Ids({"R1#1"}));
  EXPECT_EQ(scene.At(19.5, 23.0).fire_square, "E6");  // 0.1 in from the tree
  EXPECT_EQ(scene.At(18.0, 22.0).fire_square, "");
}

// A house burns where most of it stands, whatever corner its outline begins with.
TEST(NapoleonicSeenShot, TheSquareThatHoldsMostOfAModelBurns) {  // NAP-6D
  Scene scene;
  scene.Unit("R1", 1, 0, {{30.0, 30.0}});
  TerrainObject house;
  house.type = "house";
  house.polygon = {{17, 19.5}, {19, 19.5}, {19, 22}, {17, 22}};  // 0.5 in of it lie in E5
  TerrainArea village;
  village.type = "field";
  village.polygon = {{17, 19.5}, {19, 19.5}, {19, 22}, {17, 22}};
  village.objects = {house};
  scene.scenario.terrain = {village};
  EXPECT_EQ(scene.At(18.0, 19.4).fire_square, "E6");
  EXPECT_EQ(scene.At(18.0, 21.0).fire_square, "E6");
  // The same of a house or a bridge that is drawn as terrain alone.
  for (const char* type : {"house", "bridge"}) {
    scene.scenario.terrain[0].type = type;
    scene.scenario.terrain[0].objects.clear();
    EXPECT_EQ(scene.At(18.0, 19.4).fire_square, "E6") << type;
  }
}

TEST(NapoleonicSeenShot, AScenarioOfOtherRulesIsRefused) {
  Scene scene;
  scene.scenario.kinds[0].name = "war_elephants";
  scene.Unit("R1", 1, 0, {{18.0, 20.6}});
  ShotObservation shot;
  const auto verdict = JudgeSeenShot(shot, scene.stands, scene.scenario, scene.frame, {});
  ASSERT_FALSE(verdict.ok());
  EXPECT_EQ(verdict.error().code, ErrorCode::kBadFormat);
}

TEST(NapoleonicSeenShot, TheSentenceNamesTheClause) {  // NAP-3F
  Scene scene;
  scene.Unit("R1", 1, 0, {{17.1, 22.3}, {18.9, 22.3}});
  EXPECT_EQ(scene.At(18.0, 21.4).text,
            "The swab's tip lies in E6: the firer picks one of R1#1 at 0.67 in, R1#2 at 0.67 in "
            "(NAP-3F).");
  EXPECT_EQ(scene.At(18.0, 20.0).text, "The swab's tip lies in E6: no stand is hit.");
  EXPECT_EQ(scene.At(18.0, -1.0).clauses, std::vector<std::string>{"NAP-3F"});
  EXPECT_TRUE(scene.At(18.0, -1.0).no_effect);
}

// Window and log list the clauses beside the sentence: they must be the same ones.
TEST(NapoleonicSeenShot, AShellsRulingHoldsTheClausesOfItsSentence) {  // NAP-3F, NAP-3G
  Scene scene;
  scene.Unit("R1", 1, 0, {{17.1, 22.3}, {18.9, 22.3}});
  ProjectileSpec shell;
  shell.type = Projectile::kShell;
  shell.hit_radius_in = 1.0;
  shell.touch_radius_in = 0.25;
  scene.scenario.projectiles.push_back(shell);
  TerrainArea river;
  river.type = "river";
  river.polygon = {{0, 0}, {48, 0}, {48, 4}, {0, 4}};
  scene.scenario.terrain.push_back(river);
  for (const Vec2 point : {Vec2{18.0, 21.4}, Vec2{18.0, 2.0}}) {
    ShotObservation shot;
    shot.projectile = Projectile::kShell;
    shot.point = shot.tail = point;
    const auto ruling = JudgeSeenShot(shot, scene.stands, scene.scenario, scene.frame, {});
    ASSERT_TRUE(ruling.ok()) << ruling.error().message;
    EXPECT_NE(ruling->text.find("NAP-3F"), std::string::npos) << ruling->text;
    EXPECT_EQ(ruling->clauses, (std::vector<std::string>{"NAP-3G", "NAP-3F"})) << ruling->text;
  }
}

TEST(NapoleonicSeenShot, AppliesAClubsRulings) {  // NAP-3F
  Scene scene;
  scene.Unit("R1", 1, 0, {{17.1, 22.3}, {18.9, 22.3}});
  EXPECT_EQ(scene.At(17.9, 21.4).eligible, Ids({"R1#1", "R1#2"}));
  const fos::test::TempDir dir;
  dir.Write("club.toml",
            "schema = \"fall-of-shot/rules-settings/1\"\nruleset = \"napoleonic\"\n"
            "[artillery]\nchoice = \"nearest\"\n");
  scene.scenario.club = {dir.path(), {}, "club.toml"};
  EXPECT_EQ(scene.At(17.9, 21.4).eligible, Ids({"R1#1"}));
}

TEST(NapoleonicSeenShot, LeavesCloseCallsToThePlayers) {  // NAP-3F
  Scene scene;
  scene.Unit("R1", 1, 0, {{17.1, 22.3}});
  ShotObservation shot;
  shot.point = shot.tail = {17.1, 21.0};  // 1.000 in from the footprint
  shot.point_cov = {0.01 * 0.01, 0, 0.01 * 0.01};
  const auto ruling = JudgeSeenShot(shot, scene.stands, scene.scenario, scene.frame, {});
  ASSERT_TRUE(ruling.ok());
  EXPECT_EQ(ruling->doubtful, Ids({"R1#1"}));
  EXPECT_TRUE(ruling->eligible.empty());
  const fos::ShotVerdict verdict = JudgeShotUnderRules(
      shot, scene.stands, scene.scenario.projectiles[0], scene.scenario, scene.frame, {});
  ASSERT_TRUE(verdict.ruling);
  EXPECT_EQ(verdict.text, ruling->text);
}

// DEF-14: what the players settle is the rules' input, as if it had been measured.
TEST(NapoleonicSeenShot, TakesTheCallsThatThePlayersSettled) {  // NAP-3F, DEF-14
  Scene scene;
  scene.Unit("Rg", 1, 1, {{21.4, 25.5}});
  scene.Unit("Rc", 1, 2, {{23.2, 25.5}, {21.4, 27.1}});
  ShotObservation shot;
  shot.point = shot.tail = {22.125, 25.5};  // the touch of 0.125 in just reaches the gun
  shot.point_cov = {0.01 * 0.01, 0, 0.01 * 0.01};
  const auto with = [&](SettledCalls settled) {
    return JudgeSeenShot(shot, scene.stands, scene.scenario, scene.frame,
                         {.settled = std::move(settled)})
        .value();
  };
  EXPECT_EQ(with({}).doubtful, Ids({"Rg#1"}));
  EXPECT_EQ(with({}).eligible, Ids({"Rc#1"}));
  const ShotRuling hit = with({{"Rg#1", Call::kHit}});
  EXPECT_EQ(hit.equipment, Ids({"Rg#1"}));
  EXPECT_EQ(hit.crew, Ids({"Rc#1"}));
  EXPECT_TRUE(hit.eligible.empty());
  EXPECT_TRUE(hit.doubtful.empty());
  EXPECT_NE(hit.text.find("destroyed with Rc#1"), std::string::npos) << hit.text;
  const ShotRuling miss = with({{"Rg#1", Call::kMiss}});
  EXPECT_TRUE(miss.equipment.empty());
  EXPECT_TRUE(miss.doubtful.empty());
  EXPECT_EQ(miss.eligible, Ids({"Rc#1"}));
}

// A call is left to the players only where it decides something.
TEST(NapoleonicSeenShot, AsksOnlyAboutCloseCallsThatMatter) {  // NAP-3F, NAP-6A
  Scene scene;
  scene.Unit("Rg", 1, 1, {{21.4, 25.5}});
  scene.Unit("Rc", 1, 2, {{23.5, 25.5}, {21.4, 26.8}});
  scene.Unit("R1", 1, 0, {{21.4, 23.9}});
  const auto at = [&](Vec2 point) {
    ShotObservation shot;
    shot.point = shot.tail = point;
    shot.point_cov = {0.01 * 0.01, 0, 0.01 * 0.01};
    return JudgeSeenShot(shot, scene.stands, scene.scenario, scene.frame, {}).value();
  };
  // In the gun; its crew at 1.000 and 1.500 in, the infantry at 1.300 in.
  const ShotRuling touched = at({21.4, 25.5});
  EXPECT_EQ(touched.equipment, Ids({"Rg#1"}));
  EXPECT_EQ(touched.crew, Ids({"Rc#2"}));  // the nearest, however its own call goes
  EXPECT_TRUE(touched.doubtful.empty()) << touched.text;
  // Beside the gun the same distance is a matter of life and death.
  const ShotRuling beside = at({20.0, 25.5});  // 0.8 in from the gun
  EXPECT_TRUE(beside.equipment.empty());
  EXPECT_EQ(at({21.4, 22.6}).doubtful, Ids({"R1#1"}));
  // In a wood the tip does not lie in, no distance matters.
  scene.Wood({20, 20}, {24, 24});
  EXPECT_EQ(at({21.4, 22.6}).doubtful, Ids({"R1#1"}));
  EXPECT_TRUE(at({21.4, 25.2}).doubtful.empty()) << at({21.4, 25.2}).text;
}

TEST(NapoleonicSeenMove, GivesTheCostOrTheRefusingClause) {  // EX-1.2, NAP-2C, NAP-2F
  Scene scene;
  scene.Unit("B1", 0, 0, {{13.0, 13.5}, {15.0, 13.5}, {13.0, 12.5}, {15.0, 12.5}});
  scene.Unit("Bg", 0, 1, {{5.0, 5.0}, {6.0, 5.0}});
  scene.Unit("Bc", 0, 2, {{5.0, 6.0}});
  const auto judged = [&](std::vector<StandId> pieces, SquareIndex from, SquareIndex to) {
    const auto ruling = JudgeMoveUnderRules({std::move(pieces), from, to, 0.0}, scene.stands,
                                            scene.scenario, scene.frame);
    EXPECT_TRUE(ruling.ok()) << ruling.error().message;
    return ruling.value();
  };
  const auto all = Ids({"B1#1", "B1#2", "B1#3", "B1#4"});
  const auto legal = judged(all, {3, 3}, {4, 4});
  ASSERT_TRUE(legal);
  EXPECT_FALSE(legal->refused);
  EXPECT_EQ(legal->line, "move B1 via E5 facing N");
  EXPECT_EQ(legal->text, "B1#1, B1#2, B1#3, B1#4 from D4 to E5: 1.5 of 2 squares (NAP-1)");
  const auto too_far = judged(all, {3, 3}, {5, 5});
  ASSERT_TRUE(too_far && too_far->refused);
  EXPECT_EQ(too_far->refused->clause, "NAP-1");
  EXPECT_TRUE(too_far->refused->may_overrule);
  EXPECT_NE(too_far->text.find("may move 2 squares; this move takes 3; it gets to "),
            std::string::npos);
  // One after the other: not treated as separated.
  EXPECT_FALSE(judged(Ids({"B1#2"}), {3, 3}, {3, 4})->refused);
  // One crew stand moves one gun, not two. A gun alone gives no remark yet.
  EXPECT_FALSE(judged(Ids({"Bc#1", "Bg#1"}), {1, 1}, {1, 2})->refused);
  EXPECT_EQ(judged(Ids({"Bc#1", "Bg#1", "Bg#2"}), {1, 1}, {1, 2})->refused->clause, "NAP-2F");
  EXPECT_FALSE(judged(Ids({"Bg#1"}), {1, 1}, {1, 2}));
  // The same square, off the board, another rule set: no remark.
  EXPECT_FALSE(judged(all, {3, 3}, {3, 3}));
  EXPECT_FALSE(judged(all, {3, 3}, {30, 3}));
  scene.scenario.ruleset = "chess";
  EXPECT_FALSE(judged(all, {3, 3}, {4, 4}));
}

TEST(NapoleonicSeenMove, AGameUnderTheCameraAcceptsItsLine) {  // NAP-1
  Scene scene;
  scene.Unit("B1", 0, 0, {{13.0, 13.5}, {15.0, 13.5}});
  scene.Unit("R1", 1, 0, {{18.0, 30.0}});
  auto game = OpenSeenGame(scene.scenario, scene.frame, 1);
  ASSERT_TRUE(game.ok()) << game.error().message;
  EXPECT_EQ((*game)->Next().kind, PromptKind::kDice);
  EXPECT_TRUE((*game)->Play("dice 6 1").ok());
  for (const char* line : {"done Blue", "done Red", "done Blue", "done Red"})
    EXPECT_TRUE((*game)->Play(line).ok());
  const auto played = (*game)->Play("move B1 via E5 facing N");
  ASSERT_TRUE(played.ok());
  EXPECT_FALSE(played->refused);
}

TEST(NapoleonicSeenMove, ReportsAnIllegalDeployment) {  // NAP-2C, NAP-2G
  Scene scene;
  scene.Unit("B1", 0, 0, {{13.0, 13.5}, {15.0, 13.5}});
  scene.Unit("R1", 1, 0, {{18.0, 30.0}});
  const auto faults = [&] {
    return CheckSetupUnderRules(scene.stands, scene.scenario, scene.frame).value();
  };
  EXPECT_TRUE(faults().empty());
  scene.stands[0].table_from_stand.heading_rad = HeadingFromBearing(20);
  EXPECT_EQ(faults(), std::vector<std::string>{
                          "B1#1 faces 20 degrees off N: turn it to a clear facing (NAP-2G)"});
  scene.stands[0].table_from_stand.heading_rad = HeadingFromBearing(14);
  EXPECT_TRUE(faults().empty());
  scene.Unit("B2", 0, 0, {{13.0, 15.0}});
  EXPECT_EQ(faults(), std::vector<std::string>{"D4 would hold two units (NAP-2C)"});
}

}  // namespace
}  // namespace fos::napoleonic
