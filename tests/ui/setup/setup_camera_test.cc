// SPDX-License-Identifier: MIT
// The camera while it is set up, on the sample clip.
#include "ui/setup/setup_camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <set>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "calibration/registration/rig_profile.h"
#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "tests/support/temp_dir.h"
#include "ui/setup/new_battle.h"

namespace fos {
namespace {

const std::filesystem::path kClip =
    std::filesystem::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";

// Waits until `done`; the limit is reached only when something is wrong.
bool Until(const SetupCamera& camera, const std::function<bool(const CameraSeen&)>& holds) {
  for (int i = 0; i < 6000; ++i) {
    if (holds(*camera.Now())) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

TEST(SetupCamera, SaysWhatIsMissingBeforeACameraIsOpen) {
  const test::TempDir dir;
  SetupCamera camera(std::nullopt, {});
  camera.Post(FindTheTable{});
  camera.Post(LearnColours{});
  camera.Post(CollectLens{{9, 6, 1.0, 0.75, "DICT_5X5_100"}});
  camera.Post(SaveRig{dir.path() / "rig.toml", {}});
  camera.Post(OpenCamera{(dir.path() / "none.mkv").string()});
  ASSERT_TRUE(Until(camera, [](const CameraSeen& seen) { return !seen.why.empty(); }));
  const auto seen = camera.Now();
  EXPECT_NE(seen->why.find("none.mkv"), std::string::npos) << seen->why;
  EXPECT_FALSE(seen->saved.empty());
  EXPECT_FALSE(seen->lens_said.empty());
  EXPECT_FALSE(seen->collecting);
  EXPECT_EQ(seen->found, nullptr);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "rig.toml"));
}

// Where the armies stand and whose they are is seen by the paints of a new battle, before a unit is
// known.
TEST(SetupCamera, ReadsOffThePictureWhereTheArmiesStand) {
  const Result<TableSpec> table = ReadTable(kClip / "table.toml");
  ASSERT_TRUE(table.ok());
  const Result<Scenario> truth = ReadScenario(kClip / "scenario.toml", table->frame);
  ASSERT_TRUE(truth.ok());
  const Result<CameraModel> lens = ReadCamera(kClip / "camera.yaml");
  ASSERT_TRUE(lens.ok());
  Scenario plan = NewScenario();
  ASSERT_EQ(plan.sides.size(), 2u);
  SetupCamera camera(*lens, {});
  camera.Post(ReadArmies{*table, plan});
  ASSERT_TRUE(Until(camera, [](const CameraSeen& seen) { return !seen.armies_said.empty(); }));
  EXPECT_EQ(camera.Now()->armies, nullptr);  // there is no picture yet
  camera.Post(OpenCamera{kClip.string()});
  camera.Post(FindTheTable{*table, {}});
  camera.Post(ReadArmies{*table, plan});
  ASSERT_TRUE(Until(camera, [](const CameraSeen& seen) { return seen.armies != nullptr; }));
  const std::vector<ArmySpot> spots = *camera.Now()->armies;
  std::set<std::tuple<int, int, int>> wanted;
  for (const UnitSpec& unit : truth->units)
    wanted.insert({unit.side, unit.square.column, unit.square.row});
  std::set<std::tuple<int, int, int>> seen;
  for (const ArmySpot& spot : spots) seen.insert({spot.side, spot.square.column, spot.square.row});
  std::vector<std::tuple<int, int, int>> lost;
  std::set_difference(wanted.begin(), wanted.end(), seen.begin(), seen.end(),
                      std::back_inserter(lost));
  EXPECT_TRUE(lost.empty()) << lost.size() << " places are missed";
  EXPECT_LE(seen.size(), wanted.size() + 3);  // roofs and tilled earth, which players pass over
  // About as many bases as there are; figures and bars differ.
  int near = 0;
  int units = 0;
  for (const UnitSpec& unit : truth->units) {
    const auto alone = std::count_if(
        truth->units.begin(), truth->units.end(),
        [&](const UnitSpec& other) { return other.square == unit.square; });
    if (unit.stands < 2 || alone != 1) continue;
    ++units;
    for (const ArmySpot& spot : spots) {
      if (spot.side != unit.side || spot.square != unit.square) continue;
      const Box2 base = truth->kinds[static_cast<std::size_t>(unit.kind)].footprint;
      constexpr int kFull = 4;  // of a unit
      near += std::abs(std::min(BasesOf(spot.painted_in2, base), kFull) - unit.stands) <= 1 ? 1 : 0;
    }
  }
  EXPECT_GE(units, 10);
  EXPECT_GE(near, units - 2);
}

TEST(SetupCamera, FindsTheTableOfTheSampleClipAndSavesItsRig) {
  const test::TempDir dir;
  const Result<TableSpec> table = ReadTable(kClip / "table.toml");
  ASSERT_TRUE(table.ok());
  const Result<Scenario> scenario = ReadScenario(kClip / "scenario.toml", table->frame);
  ASSERT_TRUE(scenario.ok());
  const Result<CameraModel> lens = ReadCamera(kClip / "camera.yaml");
  ASSERT_TRUE(lens.ok());
  TableRegistration by_markers;
  {
    SetupCamera camera(*lens, {});
    camera.Post(OpenCamera{kClip.string()});
    camera.Post(FindTheTable{*table, {}});
    ASSERT_TRUE(Until(camera, [](const CameraSeen& seen) {
      return seen.found != nullptr || !seen.table_said.empty();
    }));
    ASSERT_NE(camera.Now()->found, nullptr) << camera.Now()->table_said;
    by_markers = camera.Now()->found->table;
    EXPECT_EQ(by_markers.method, TableRegistration::Method::kFiducials);
    // The clip's camera is set well: no hint is poor.
    ASSERT_TRUE(Until(camera, [](const CameraSeen& seen) { return seen.hints.size() >= 5; }));
    for (const Hint& hint : camera.Now()->hints) {
      EXPECT_NE(hint.tone, Hint::Tone::kMust) << hint.text;
    }
    camera.Post(LearnColours{*table, *scenario});
    ASSERT_TRUE(Until(camera, [](const CameraSeen& seen) { return !seen.colours_said.empty(); }));
    ASSERT_NE(camera.Now()->colours, nullptr) << camera.Now()->colours_said;
    EXPECT_GE(camera.Now()->colours->stands, 60u);
    EXPECT_EQ(camera.Now()->colours->paints.size(), 2u);
    // Requested as the window closes: saved nevertheless.
    camera.Post(SaveRig{dir.path() / "rig.toml", *table});
  }
  const Result<RigProfile> rig = ReadRig(dir.path() / "rig.toml");
  ASSERT_TRUE(rig.ok()) << rig.error().message;
  EXPECT_EQ(rig->paints.size(), 2u);
  ASSERT_TRUE(rig->pose.has_value());
  EXPECT_EQ(rig->lens.width_px, lens->width_px);

  // Four clicks a few pixels off give the same table.
  const auto corner = [&](double x, double y, double off_x, double off_y) {
    const ImagePoint at = ImageFromTable(by_markers.camera, {x, y}, 0);
    return ImagePoint{at.x_px + off_x, at.y_px + off_y};
  };
  const Result<std::vector<Click>> clicks = CornerClicks(
      {corner(48, 36, 4, -3), corner(0, 0, -5, 2), corner(48, 0, 3, 4), corner(0, 36, -2, -5)},
      PictureNorth::kUp, table->frame);
  ASSERT_TRUE(clicks.ok());
  SetupCamera camera(*lens, {});
  camera.Post(OpenCamera{kClip.string()});
  TableWays ways;
  ways.clicks = *clicks;
  camera.Post(FindTheTable{*table, std::move(ways)});
  ASSERT_TRUE(Until(camera, [](const CameraSeen& seen) { return !seen.table_said.empty(); }));
  ASSERT_NE(camera.Now()->found, nullptr) << camera.Now()->table_said;
  const TableRegistration& by_hand = camera.Now()->found->table;
  EXPECT_EQ(by_hand.method, TableRegistration::Method::kManual);
  for (const Vec2 at : {Vec2{0, 0}, Vec2{48, 0}, Vec2{48, 36}, Vec2{0, 36}, Vec2{24, 18}}) {
    const Result<TablePoint> there =
        TableFromImage(by_hand.camera, ImageFromTable(by_markers.camera, at, 0), 0, 1);
    ASSERT_TRUE(there.ok());
    EXPECT_LT(Distance(there->at, at), 0.1) << at.x << ' ' << at.y;
  }
}

}  // namespace
}  // namespace fos
