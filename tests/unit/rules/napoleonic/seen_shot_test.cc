#include <gtest/gtest.h>

#include "engine/rules/napoleonic/seen_shot.h"

// A measured shot under the rules. Footprints as in EX-3F: 1.2 by 0.6 in.
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
  SeenShotVerdict At(double x, double y) const {
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

TEST(NapoleonicSeenShot, ATouchedGunAndItsNearestCrew) {  // EX-3F.3
  Scene scene;
  scene.Unit("Rg", 1, 1, {{21.4, 25.5}});
  scene.Unit("Rc", 1, 2, {{23.0, 25.5}, {21.4, 26.4}});
  const SeenShotVerdict touch = scene.At(21.4, 25.5);
  EXPECT_EQ(touch.equipment, Ids({"Rg#1"}));
  EXPECT_EQ(touch.crew, Ids({"Rc#2"}));
  EXPECT_TRUE(touch.eligible.empty());
  const SeenShotVerdict beside = scene.At(21.4, 25.0);  // 0.2 in from the gun
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

TEST(NapoleonicSeenShot, AScenarioOfOtherRulesIsRefused) {
  Scene scene;
  scene.scenario.kinds[0].name = "war_elephants";
  scene.Unit("R1", 1, 0, {{18.0, 20.6}});
  ShotObservation shot;
  const auto verdict = JudgeSeenShot(shot, scene.stands, scene.scenario, scene.frame, {});
  ASSERT_FALSE(verdict.ok());
  EXPECT_EQ(verdict.error().code, ErrorCode::kBadFormat);
}

}  // namespace
}  // namespace fos::napoleonic
