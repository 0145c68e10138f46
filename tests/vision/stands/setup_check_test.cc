// SPDX-License-Identifier: MIT
#include "vision/stands/setup_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "datasets/render/synthetic.h"
#include "tests/support/small_table.h"
#include "vision/stands/stand_detector.h"

namespace fos {
namespace {

// What the check says of a table with these stands, seen as they stand.
std::optional<SetupDoubt> Checked(const SyntheticTable& made,
                                  const std::vector<StandObservation>& stands) {
  const cv::Mat picture(made.camera.lens.height_px, made.camera.lens.width_px, CV_8UC3,
                        cv::Scalar(0, 0, 0));
  const cv::Mat blind;
  const StandDetectorOptions options;
  const PaintModel paints(made.scenario);
  const StandLook look{picture,    blind,         made.camera,
                       made.table, made.scenario, options,
                       paints,     nullptr,       TerrainView(made.scenario, made.camera)};
  return CheckSetup(look, stands);
}

// The board was turned round on the table: everything is seen at the other end.
std::vector<StandObservation> TurnedRound(const SyntheticTable& made) {
  std::vector<StandObservation> out = made.stands;
  const Vec2 size{made.table.frame.Width(), made.table.frame.Depth()};
  for (StandObservation& stand : out) {
    const Pose2 pose = stand.table_from_stand;
    stand.table_from_stand = {size - pose.origin, WrappedAngle(pose.heading_rad + CV_PI)};
  }
  return out;
}

TEST(SetupCheck, NeverDoubtsTheRightTableForAFewStandsThatAreNotSeen) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const SyntheticTable made = LayOutTable(RandomTable(seed));
    std::vector<StandObservation> seen = made.stands;
    std::mt19937 random(seed);
    for (int i = 0; i < 3 && seen.size() > 6; ++i) {
      const auto one = static_cast<std::ptrdiff_t>(random() % seen.size());
      seen.erase(seen.begin() + one);
    }
    const auto doubt = Checked(made, seen);
    EXPECT_FALSE(doubt) << "seed " << seed << ": " << SetupQuestion(*doubt, made.scenario);
  }
}

TEST(SetupCheck, AlwaysDoubtsABoardThatIsTurnedRound) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const SyntheticTable made = LayOutTable(RandomTable(seed));
    EXPECT_TRUE(Checked(made, TurnedRound(made))) << "seed " << seed;
  }
}

TEST(SetupCheck, AlwaysDoubtsAnotherScenario) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const SyntheticTable made = LayOutTable(RandomTable(seed));
    std::vector<StandObservation> seen = made.stands;
    for (StandObservation& stand : seen) stand.side = 1 - stand.side;
    EXPECT_TRUE(Checked(made, seen)) << "seed " << seed;
  }
}

TEST(SetupCheck, DoubtsATableWithoutAWholeUnit) {
  int units = 0;
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    const SyntheticTable made = LayOutTable(RandomTable(seed));
    if (!made.scenario.terrain.empty()) continue;  // a unit may stand behind a tree
    for (const UnitSpec& unit : made.scenario.units) {
      if (unit.stands < 4) continue;
      std::vector<StandObservation> seen = made.stands;
      std::erase_if(seen, [&](const StandObservation& s) { return s.unit == unit.id; });
      ++units;
      const auto doubt = Checked(made, seen);
      ASSERT_TRUE(doubt) << "seed " << seed << ", " << unit.id;
      ASSERT_EQ(doubt->missing.size(), 1U);
      EXPECT_EQ(made.scenario.units[doubt->missing[0].unit].id, unit.id);
    }
  }
  EXPECT_GT(units, 20);
}

TEST(SetupCheck, AsksWhatIsNotThere) {
  const SyntheticTable made = LayOutTable(test::SmallTable(3));
  const UnitSpec& unit = made.scenario.units[0];
  const SetupDoubt doubt{{{0, 0}}, {{"?Red#1"}}, 0.001};
  const std::string text = SetupQuestion(doubt, made.scenario);
  EXPECT_NE(text.find(unit.id), std::string::npos) << text;
  EXPECT_NE(text.find(SquareName(unit.square)), std::string::npos) << text;
  EXPECT_NE(text.find("1 stand where the scenario places none of its kind"), std::string::npos)
      << text;
}

// Ten units of four, six of two and six of one.
std::vector<UnitSeen> Army() {
  std::vector<UnitSeen> out(22, {1, 1, 0});
  std::fill_n(out.begin(), 10, UnitSeen{4, 4, 0});
  std::fill_n(out.begin() + 10, 6, UnitSeen{2, 2, 0});
  return out;
}

constexpr double kStops = 0.01;

TEST(ChanceThatSetupFits, FallsWithAWholeUnitAndNotWithThreeHiddenStands) {
  std::vector<UnitSeen> army = Army();
  EXPECT_GT(ChanceThatSetupFits(army, 0), 0.99);
  army[0].seen = 1;  // three of one unit
  EXPECT_GT(ChanceThatSetupFits(army, 0), 0.1);
  army[0].seen = 0;
  EXPECT_LT(ChanceThatSetupFits(army, 0), kStops);
  army[0].hidden = 0.3;  // it may be behind the trees
  EXPECT_GT(ChanceThatSetupFits(army, 0), 0.5);
  army = Army();
  for (const std::size_t u : {19U, 20U, 21U}) army[u].seen = 0;  // three guns
  EXPECT_GT(ChanceThatSetupFits(army, 0), 0.1);
  army = Army();
  army[10].seen = 0;  // both of a squadron
  EXPECT_GT(ChanceThatSetupFits(army, 0), 0.05);
}

TEST(ChanceThatSetupFits, FallsWithAUnitOfStrangers) {
  const std::vector<UnitSeen> army = Army();
  EXPECT_GT(ChanceThatSetupFits(army, 1), 0.9);
  EXPECT_GT(ChanceThatSetupFits(army, 3), 0.05);
  EXPECT_LT(ChanceThatSetupFits(army, 4), kStops);
  EXPECT_LT(ChanceThatSetupFits(army, 40), kStops);
}

TEST(ChanceThatSetupFits, KnowsASmallTableFromHugeOnes) {
  EXPECT_GT(ChanceThatSetupFits({}, 0), 0.9);
  const std::vector<UnitSeen> none(200, {40, 0, 0});
  EXPECT_LT(ChanceThatSetupFits(none, 0), 1e-6);
  const std::vector<UnitSeen> all(200, {40, 40, 0});
  EXPECT_GT(ChanceThatSetupFits(all, 0), 0.9);
}

}  // namespace
}  // namespace fos
