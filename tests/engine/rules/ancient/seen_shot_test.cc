// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/seen_shot.h"

#include <cmath>

#include <gtest/gtest.h>

#include "engine/rules/rule_sets.h"
#include "tests/support/ancient_game.h"
#include "tests/support/temp_dir.h"

// Camera measurements under ANC-C4: chariots are hit by their axle, elephants by a leg, catapults
// by the circle like other pieces; protected squares; the shooter's choice.
namespace fos::ancient::test {
namespace {

// A table of 12 by 9 squares of 4 inches and one kind of stand for each way of being hit.
struct Table {
  Scenario scenario;
  TableFrame frame{12, 9, 4.0};
  std::vector<StandObservation> stands;
  Table() {
    scenario.ruleset = "ancient";
    scenario.sides = {{"Blue", {}, Facing::kSouth}, {"Red", {}, Facing::kNorth}};
    ProjectileSpec shell;
    shell.type = Projectile::kShell;
    shell.hit_radius_in = 1.0;
    shell.touch_radius_in = 0.25;
    scenario.projectiles = {shell};
    Kind("heavy_infantry", {1.5, 0.75}, {}, false);
    Kind("chariots", {1.0, 2.5}, {{-0.5, 0.5}, {0.5, 0.5}}, false);
    Kind("elephants", {1.5, 2.5}, {{-0.5, 0.9}, {0.5, 0.9}}, false);
    Kind("heavy_catapult", {1.0, 1.5}, {{-0.4, 0.3}, {0.4, 0.3}}, true);
  }
  void Kind(const char* name, Box2 footprint, std::vector<Vec2> target, bool equipment) {
    KindSpec kind;
    kind.name = name;
    kind.footprint = footprint;
    kind.target = std::move(target);
    kind.target_points = std::string_view(name) == "elephants";
    kind.equipment = equipment;
    scenario.kinds.push_back(kind);
  }
  // One stand of a kind with its footprint's centre there, facing north.
  void Stand(const char* id, int side, int kind, Vec2 centre) {
    UnitSpec unit;
    unit.id = id;
    unit.side = side;
    unit.kind = kind;
    unit.stands = 1;
    unit.square = *frame.SquareAt(centre);
    scenario.units.push_back(unit);
    StandObservation seen;
    seen.stand = {std::string(id) + "#1"};
    seen.kind = kind;
    seen.side = side;
    seen.table_from_stand = {centre, 0};
    seen.footprint = scenario.kinds[static_cast<std::size_t>(kind)].footprint;
    stands.push_back(seen);
  }
  ShotRuling Judge(Vec2 point) const {
    ShotObservation shot;
    shot.projectile = Projectile::kShell;
    shot.point = point;
    const auto verdict = JudgeSeenShot(shot, stands, scenario, frame, {});
    EXPECT_TRUE(verdict.ok()) << verdict.error().message;
    return verdict.value();
  }
};

std::vector<std::string> Names(const std::vector<StandId>& ids) {
  std::vector<std::string> out;
  for (const StandId& id : ids) out.push_back(id.text);
  return out;
}
using List = std::vector<std::string>;

TEST(AncientSeenShot, AChariotIsHitOnlyByItsAxle) {  // ANC-C4
  Table t;
  t.Stand("ch", 1, 1, {18.5, 20.5});  // axle from (18, 21) to (19, 21)
  EXPECT_EQ(Names(t.Judge({18.5, 22.5}).eligible), List{});
  EXPECT_EQ(Names(t.Judge({18.5, 19.4}).eligible), List{});  // on the body
  EXPECT_EQ(Names(t.Judge({18.5, 21.9}).eligible), List{"ch#1"});
  EXPECT_EQ(Names(t.Judge({19.6, 21.0}).eligible), List{"ch#1"});
}

TEST(AncientSeenShot, AppliesAClubsRulings) {  // ANC-C4
  Table t;
  t.Stand("cat", 1, 3, {18.0, 22.0});  // axle from (17.6, 22.3) to (18.4, 22.3)
  EXPECT_EQ(Names(t.Judge({18.9, 23.0}).eligible), List{"cat#1"});
  const fos::test::TempDir dir;
  dir.Write("club.toml",
            "schema = \"fall-of-shot/rules-settings/1\"\nruleset = \"ancient\"\n"
            "[catapult]\naxle_measure = \"midpoint\"\n");
  t.scenario.club = {dir.path(), {}, "club.toml"};
  EXPECT_EQ(Names(t.Judge({18.9, 23.0}).eligible), List{});
  // The distance and the call beside the ruling are measured likewise.
  ShotObservation shot;
  shot.projectile = Projectile::kShell;
  shot.point = {18.9, 23.0};
  const auto verdict =
      JudgeShotUnderRules(shot, t.stands, t.scenario.projectiles[0], t.scenario, t.frame, {});
  ASSERT_EQ(verdict.stands.size(), 1u);
  EXPECT_NEAR(verdict.stands[0].measured.gap.inches, std::hypot(0.9, 0.7), 1e-3);
  EXPECT_EQ(verdict.stands[0].call, Call::kMiss);
  EXPECT_TRUE(verdict.casualties.empty());
}

TEST(AncientSeenShot, AnElephantIsHitByALegAndNotBetweenThem) {  // ANC-C4
  Table t;
  t.Stand("el", 1, 2, {26.5, 29.1});  // legs (26, 30) and (27, 30)
  EXPECT_EQ(Names(t.Judge({27.8, 30.59}).eligible), List{"el#1"});
  EXPECT_EQ(Names(t.Judge({26.5, 29.0}).eligible), List{});
  // The plain verdict of the contract agrees.
  ShotObservation shot;
  shot.point = {26.5, 29.0};
  const auto plain =
      JudgeShot(shot, t.stands, t.scenario.projectiles[0], t.scenario, t.frame, {}, kShotEffects);
  ASSERT_EQ(plain.stands.size(), 1u);
  EXPECT_EQ(plain.stands[0].call, Call::kMiss);
  EXPECT_NEAR(plain.stands[0].measured.gap.inches, 1.118, 1e-3);
}

TEST(AncientSeenShot, ACatapultIsHitByTheCircleAndTheShooterChooses) {  // ANC-C4
  Table t;
  t.Stand("cat", 1, 3, {18.0, 22.0});  // axle at y = 22.3
  t.Stand("hi", 0, 0, {18.0, 24.0});   // a friend of the shooter's
  const auto verdict = t.Judge({18.0, 23.1});
  EXPECT_EQ(Names(verdict.eligible), (List{"hi#1", "cat#1"}));
  EXPECT_TRUE(verdict.equipment.empty());
  ShotObservation shot;
  shot.point = {18.0, 23.1};
  const auto plain =
      JudgeShot(shot, t.stands, t.scenario.projectiles[0], t.scenario, t.frame, {}, kShotEffects);
  EXPECT_TRUE(plain.choice);
  EXPECT_EQ(plain.casualties.size(), 2u);
}

TEST(AncientSeenShot, InAWoodTheMarkMustLieInTheSquare) {  // ANC-C4
  Table t;
  t.Stand("hi", 1, 0, {18.0, 20.5});
  TerrainArea wood;
  wood.type = "wood";
  wood.polygon = {{16, 20}, {20, 20}, {20, 24}, {16, 24}};
  t.scenario.terrain.push_back(wood);
  EXPECT_EQ(Names(t.Judge({18.0, 19.8}).barred), List{"hi#1"});
  EXPECT_EQ(Names(t.Judge({18.0, 20.0}).eligible), List{"hi#1"});
  ShotObservation shot;
  shot.point = {18.0, 19.8};
  const auto plain =
      JudgeShot(shot, t.stands, t.scenario.projectiles[0], t.scenario, t.frame, {}, kShotEffects);
  EXPECT_EQ(plain.stands[0].call, Call::kHit);  // within the inch, as measured
}

// A stand that is protected where it stands is no question, however near the inch it is.
TEST(AncientSeenShot, AsksOnlyAboutCloseCallsThatMatter) {  // ANC-C4
  Table t;
  t.Stand("hi", 1, 0, {18.0, 20.5});   // its rear edge at y = 20.125
  t.Stand("cat", 1, 3, {22.0, 20.5});  // axle at y = 20.8
  const auto at = [&](Vec2 point) {
    ShotObservation shot;
    shot.projectile = Projectile::kShell;
    shot.point = point;
    shot.point_cov = {0.01 * 0.01, 0, 0.01 * 0.01};
    return Names(JudgeSeenShot(shot, t.stands, t.scenario, t.frame, {})->doubtful);
  };
  EXPECT_EQ(at({18.0, 19.125}), List{"hi#1"});
  EXPECT_EQ(at({22.0, 19.8}), List{"cat#1"});
  TerrainArea wood;
  wood.type = "wood";
  wood.polygon = {{16, 20}, {24, 20}, {24, 24}, {16, 24}};
  t.scenario.terrain.push_back(wood);
  EXPECT_EQ(at({18.0, 19.125}), List{});
  EXPECT_EQ(at({22.0, 19.8}), List{});
}

TEST(AncientSeenShot, WaterHasNoEffectAndDoubtIsReported) {  // ANC-C4
  Table t;
  t.Stand("hi", 1, 0, {18.0, 22.0});
  TerrainArea river;
  river.type = "river";
  river.polygon = {{16, 16}, {20, 16}, {20, 24}, {16, 24}};
  t.scenario.terrain.push_back(river);
  EXPECT_EQ(Names(t.Judge({18.0, 21.0}).eligible), List{"hi#1"});
  EXPECT_TRUE(t.Judge({-1.0, 21.0}).no_effect);
  t.stands[0].centre_cov = {0.01, 0, 0.01};
  EXPECT_EQ(Names(t.Judge({18.0, 20.65}).doubtful), List{"hi#1"});
}

TEST(AncientSeenShot, AScenarioOfOtherTroopsIsRefused) {
  Table t;
  t.Kind("grenadiers", {1, 1}, {}, false);
  t.Stand("g", 0, 4, {2, 2});
  EXPECT_FALSE(JudgeSeenShot({}, t.stands, t.scenario, t.frame, {}).ok());
}

// ---- moves ----

// The ruling on stands that moved together from one square to another, facing north.
MoveRuling Moved(const Table& t, std::vector<StandId> pieces, const char* from, const char* to,
                 double bearing_deg = 0) {
  const auto ruling =
      JudgeMoveUnderRules({std::move(pieces), *ParseSquare(from), *ParseSquare(to), bearing_deg},
                          t.stands, t.scenario, t.frame);
  EXPECT_TRUE(ruling.ok()) << ruling.error().message;
  EXPECT_TRUE(ruling.value());
  return ruling.value().value_or(MoveRuling{});
}

TEST(AncientSeenMove, GivesTheCostOrTheRefusingClause) {  // EX-V1.1, ANC-V1, V5, V6
  Table t;
  t.Stand("h", 0, 0, {14.0, 14.0});
  t.Stand("c", 0, 3, {5.0, 5.0});
  t.Stand("g", 0, 0, {6.5, 5.0});
  const MoveRuling step = Moved(t, {{"h#1"}}, "D4", "E5");
  EXPECT_FALSE(step.refused);
  EXPECT_EQ(step.text, "h#1 from D4 to E5: 1.5 of 2 squares (ANC-V1)");
  EXPECT_EQ(step.line, "move \"h\" via E5 facing N");
  const MoveRuling too_far = Moved(t, {{"h#1"}}, "D4", "F6");
  ASSERT_TRUE(too_far.refused);
  EXPECT_EQ(too_far.refused->clause, "ANC-V1");
  EXPECT_TRUE(too_far.refused->may_overrule);
  // Type A faces sides only; a catapult goes with a stand, at the slower rate.
  EXPECT_EQ(Moved(t, {{"h#1"}}, "D4", "D5", 45).refused->clause, "ANC-V6");
  EXPECT_EQ(Moved(t, {{"g#1"}, {"c#1"}}, "B2", "B4").text,
            "g#1, c#1 from B2 to B4: 2 of 2 squares (ANC-V5)");
  EXPECT_TRUE(Moved(t, {{"g#1"}, {"c#1"}}, "B2", "B5").refused);
  const auto alone =
      JudgeMoveUnderRules({{{"c#1"}}, {1, 1}, {1, 2}, 0}, t.stands, t.scenario, t.frame);
  ASSERT_TRUE(alone.ok());
  EXPECT_FALSE(alone.value());  // a catapult alone gives no remark yet
}

TEST(AncientSeenMove, AnElephantCountsAsWilling) {  // ANC-H6, ANC-V4
  Table t;
  t.Stand("el", 0, 2, {18.0, 10.0});
  t.Stand("r1", 1, 0, {18.0, 18.0});
  EXPECT_FALSE(Moved(t, {{"el#1"}}, "E3", "E5").refused);  // into the enemy
  t.Stand("r2", 1, 0, {17.0, 19.0});                       // two stands are in the way
  EXPECT_FALSE(Moved(t, {{"el#1"}}, "E3", "E6").refused);  // around them
  EXPECT_EQ(Moved(t, {{"el#1"}}, "E3", "E7").refused->clause, "ANC-V4");
}

TEST(AncientSeenMove, ReportsAnIllegalDeployment) {  // ANC-V2
  Table t;
  t.Stand("a", 0, 0, {14.0, 14.0});
  const auto faults = [&] { return CheckSetupUnderRules(t.stands, t.scenario, t.frame).value(); };
  EXPECT_TRUE(faults().empty());
  t.Stand("b", 0, 0, {14.0, 15.0});
  EXPECT_EQ(faults(), std::vector<std::string>{"D4 would hold two units (ANC-V2)"});
}

}  // namespace
}  // namespace fos::ancient::test
