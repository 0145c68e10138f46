// SPDX-License-Identifier: MIT
// What the set-up screen decides, without a window.
#include "ui/setup/setup_controller.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "engine/files/whole_file.h"
#include "engine/rules/rule_sets.h"
#include "tests/support/temp_dir.h"
#include "ui/session/find_table.h"
#include "ui/setup/drawn_up.h"
#include "ui/setup/setup_camera.h"
#include "ui/setup/setup_hand.h"

namespace fos {
namespace {

const Polygon kWood = {{12, 8}, {16, 8}, {16, 12}, {12, 12}};

std::size_t TroopNamed(const SetupController& controller, const std::string& id) {
  for (std::size_t i = 0; i < controller.Troops().size(); ++i) {
    if (controller.Troops()[i].id == id) return i;
  }
  ADD_FAILURE() << "no " << id;
  return 0;
}
bool Says(const SetupController& controller, const std::string& part) {
  for (const std::string& fault : controller.Faults()) {
    if (fault.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(SetupController, ANewBattleCanBeSavedAndRead) {
  const test::TempDir dir;
  SetupController controller;
  EXPECT_FALSE(controller.Unsaved());
  EXPECT_TRUE(controller.SavedIn().empty());  // nothing was changed, and nothing written
  ASSERT_TRUE(controller.Save(dir.path() / "new").ok());
  EXPECT_EQ(controller.SavedIn(), dir.path() / "new");
  const Result<TableSpec> table = ReadTable(dir.path() / "new/table.toml");
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_EQ(table->fiducials->markers.size(), 4u);
  const Result<Scenario> scenario = ReadScenario(dir.path() / "new/scenario.toml", table->frame);
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  EXPECT_EQ(scenario->sides.size(), 2u);
  EXPECT_EQ(scenario->projectiles.size(), 2u);
}

TEST(SetupController, ReadsBackWhatItSaved) {
  const test::TempDir dir;
  SetupController controller;
  ASSERT_TRUE(controller.AddTerrain("wood", kWood).ok());
  ASSERT_TRUE(controller.SetTerrainHeight(0, 0.75).ok());
  ASSERT_TRUE(controller.SetName("The \"ford\" at \\ Wavre").ok());
  ASSERT_TRUE(controller.SetTurns(12).ok());
  ASSERT_TRUE(controller.RenameSide(0, "French").ok());
  ASSERT_TRUE(controller.AddUnit(0, TroopNamed(controller, "line_infantry")).ok());
  ASSERT_TRUE(controller.AddUnit(1, TroopNamed(controller, "foot_gun"), SquareIndex{3, 7}).ok());
  ASSERT_TRUE(controller.TurnUnit(1, -1).ok());
  ASSERT_TRUE(controller.Unsaved());
  ASSERT_TRUE(controller.Save(dir.path()).ok());
  EXPECT_FALSE(controller.Unsaved());
  const Result<SetupController> again =
      SetupController::Open(dir.path() / "table.toml", dir.path() / "scenario.toml");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again->ScenarioFile(), *controller.ScenarioFile());
  EXPECT_EQ(TableText(again->Table()), TableText(controller.Table()));
  const Scenario& plan = again->Plan();
  EXPECT_EQ(plan.name, "The \"ford\" at \\ Wavre");
  ASSERT_EQ(plan.units.size(), 2u);
  EXPECT_EQ(plan.units[0].id, "F-LI1");
  EXPECT_EQ(plan.units[1].facing, Facing::kSouthEast);
  EXPECT_TRUE(plan.kinds[1].equipment);
  EXPECT_EQ(plan.terrain[0].height_in, 0.75);
  EXPECT_EQ(again->PointsOf(0), controller.PointsOf(0));
}

// The set-up keeps what it does not know: keys of a rule set, files of the club, comments.
TEST(SetupController, KeepsUnknownKeysClubFilesAndComments) {
  const test::TempDir dir;
  SetupController controller;
  ASSERT_TRUE(controller.Save(dir.path()).ok());
  const auto text = [](const std::filesystem::path& file) {
    const Result<std::string> read = ReadWholeFile(file);
    return read.ok() ? *read : std::string{};
  };
  const std::string plain = text(dir.path() / "scenario.toml");
  const std::string head = "[scenario]\n";
  const std::string mine = "# by Anna's \"map\"\nsettings = \"own/rulings.toml\"\n";
  const std::string more =
      "first_attacker = \"Red\"\n"
      "guests = { \"two words\" = [1, -2.5, \"a \\\"b\\\"\"], umpire = true }\n"
      "played = 1979-05-27\n";
  std::string written = plain;
  written.replace(written.find(head), head.size(), head + mine + more);
  dir.Write("scenario.toml", written);
  dir.Write("own/rulings.toml", "[settings]\nturn.limit = 3\n");
  Result<SetupController> opened =
      SetupController::Open(dir.path() / "table.toml", dir.path() / "scenario.toml");
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  // Into another folder, and into the same one.
  for (const auto& folder : {dir.path() / "saved", dir.path()}) {
    ASSERT_TRUE(opened->Save(folder).ok());
    EXPECT_NE(text(folder / "scenario.toml").find(more), std::string::npos)
        << text(folder / "scenario.toml");
    EXPECT_EQ(text(folder / "own/rulings.toml"), "[settings]\nturn.limit = 3\n");
  }
  EXPECT_EQ(text(dir.path() / "scenario.toml.before"), written);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "saved/scenario.toml.before"));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "table.toml.before"));
  // Another file of that name is neither overwritten nor used.
  dir.Write("theirs/own/rulings.toml", "[settings]\n");
  const Status refused = opened->Save(dir.path() / "theirs");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("theirs/own/rulings.toml: is another file"),
            std::string::npos)
      << refused.error().message;
  EXPECT_EQ(text(dir.path() / "theirs/own/rulings.toml"), "[settings]\n");
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "theirs/scenario.toml"));
  // Another rule set does not use these files.
  ASSERT_TRUE(opened->SetRuleset("colonial").ok());
  EXPECT_FALSE(opened->Plan().club.Named());
}

TEST(SetupController, EveryRuleSetHasTroopsThatCanBeSaved) {
  for (const std::string& name : SetupController::Rulesets()) {
    const test::TempDir dir;
    SetupController controller;
    ASSERT_TRUE(controller.SetRuleset(name).ok());
    ASSERT_GE(controller.Troops().size(), 6u) << name;
    for (std::size_t i = 0; i < controller.Troops().size(); ++i) {
      ASSERT_TRUE(controller.AddUnit(static_cast<int>(i % 2), i).ok()) << name;
      EXPECT_GE(controller.Troops()[i].stands, 1);
      EXPECT_GT(controller.Troops()[i].footprint.width_in, 0);
    }
    EXPECT_EQ(controller.PointsOf(0) > 0, name != "closefire");
    EXPECT_FALSE(Says(controller, "rules do not have")) << name;
    ASSERT_TRUE(controller.Save(dir.path()).ok()) << name;
    EXPECT_TRUE(
        SetupController::Open(dir.path() / "table.toml", dir.path() / "scenario.toml").ok());
  }
}

TEST(SetupController, OutlinesCanBeDrawnMovedAndChanged) {
  SetupController controller;
  const Result<int> wood = controller.AddTerrain("wood", kWood);
  ASSERT_TRUE(wood.ok());
  ASSERT_TRUE(
      controller.InsertCorner(*wood, 3, {11, 10.004}).ok());  // between the last and the first
  EXPECT_EQ(controller.Plan().terrain[0].polygon[4], (Vec2{11, 10}));
  ASSERT_TRUE(controller.MoveCorner(*wood, 0, {12, 13}).ok());
  EXPECT_TRUE(Says(controller, "crosses itself"));
  ASSERT_TRUE(controller.MoveCorner(*wood, 0, {12, 8.5}).ok());
  EXPECT_FALSE(Says(controller, "crosses itself"));
  ASSERT_TRUE(controller.MoveTerrain(*wood, {1, -0.5}).ok());
  EXPECT_EQ(controller.Plan().terrain[0].polygon[0], (Vec2{13, 8}));
  ASSERT_TRUE(controller.SetTerrainType(*wood, "hill").ok());
  ASSERT_TRUE(controller.RemoveCorner(*wood, 4).ok());
  ASSERT_TRUE(controller.RemoveCorner(*wood, 3).ok());
  EXPECT_FALSE(controller.RemoveCorner(*wood, 0).ok());  // an outline keeps three corners
  ASSERT_TRUE(controller.RemoveTerrain(*wood).ok());
  EXPECT_TRUE(controller.Plan().terrain.empty());
}

TEST(SetupController, RefusesBadChangesAndKeepsTheSetUp) {
  SetupController controller;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ASSERT_TRUE(controller.AddTerrain("wood", kWood).ok());
  const std::size_t version = controller.Version();
  EXPECT_FALSE(controller.AddTerrain("swamp", kWood).ok());
  EXPECT_FALSE(controller.AddTerrain("wood", {{1, 1}, {2, 2}, {3, 3}}).ok());
  EXPECT_FALSE(controller.AddTerrain("wood", {{1, 1}, {2, 2}}).ok());
  EXPECT_FALSE(controller.MoveCorner(0, 0, {nan, 1}).ok());
  EXPECT_FALSE(controller.MoveCorner(0, 9, {1, 1}).ok());
  EXPECT_FALSE(controller.MoveCorner(-1, 0, {1, 1}).ok());
  EXPECT_FALSE(controller.MoveTerrain(0, {-60, 0}).ok());
  EXPECT_FALSE(controller.SetTerrainHeight(0, nan).ok());
  EXPECT_FALSE(controller.SetBoard(0, 9, 4).ok());
  EXPECT_FALSE(controller.SetBoard(12, 9, nan).ok());
  EXPECT_FALSE(controller.SetBoard(200, 200, 48).ok());
  EXPECT_FALSE(controller.SetBoard(101, 100, 1).ok()) << "more than 10,000 squares";
  EXPECT_FALSE(controller.SetRuleset("chess").ok());
  EXPECT_FALSE(controller.RenameSide(0, "").ok());
  EXPECT_FALSE(controller.RenameSide(0, "Red").ok());
  EXPECT_FALSE(controller.SetName("a\nb").ok());
  EXPECT_FALSE(controller.SetTurns(0).ok());
  EXPECT_FALSE(controller.AddUnit(2, 0).ok());
  EXPECT_FALSE(controller.AddUnit(0, 999).ok());
  EXPECT_FALSE(controller.AddUnit(0, 0, SquareIndex{12, 0}).ok());
  EXPECT_FALSE(controller.MoveUnit(0, {0, 0}).ok());
  EXPECT_EQ(controller.Version(), version);
}

TEST(SetupController, TheRuleSetChecksTheArmies) {
  SetupController controller;
  EXPECT_TRUE(Says(controller, "has no troops yet"));
  const std::size_t line = TroopNamed(controller, "line_infantry");
  const Result<int> blue = controller.AddUnit(0, line);
  const Result<int> red = controller.AddUnit(1, line);
  ASSERT_TRUE(blue.ok() && red.ok());
  EXPECT_TRUE(controller.Faults().empty()) << controller.Faults().front();
  EXPECT_EQ(controller.PointsOf(0), 4 * 3);
  EXPECT_EQ(controller.Plan().units[0].square.row, 0);
  EXPECT_EQ(controller.Plan().units[0].facing, Facing::kNorth);
  EXPECT_EQ(controller.Plan().units[1].square.row, 8);
  EXPECT_EQ(controller.Plan().units[1].facing, Facing::kSouth);
  ASSERT_TRUE(controller.MoveUnit(*blue, controller.Plan().units[1].square).ok());
  EXPECT_FALSE(controller.Faults().empty());
  ASSERT_TRUE(controller.Undo());
  EXPECT_TRUE(controller.Faults().empty());
  ASSERT_TRUE(controller.SetStands(*blue, 60).ok());
  EXPECT_TRUE(Says(controller, "more room"));
  ASSERT_TRUE(controller.SetRuleset("colonial").ok());
  EXPECT_TRUE(Says(controller, "the Colonial rules do not have"));
}

TEST(SetupController, TheDiceAreThoseOfTheRules) {
  SetupController controller;
  ASSERT_TRUE(controller.SetRuleset("colonial").ok());
  EXPECT_EQ(controller.Plan().dice, (std::vector<int>{6, 12}));
  ASSERT_TRUE(controller.SetRuleset("ancient").ok());
  EXPECT_EQ(controller.Plan().dice, std::vector<int>{6});
  ASSERT_TRUE(controller.Undo());
  EXPECT_EQ(controller.Plan().dice, (std::vector<int>{6, 12}));
}

TEST(SetupController, AncientArmiesAreCheckedToo) {
  SetupController controller;
  ASSERT_TRUE(controller.SetRuleset("ancient").ok());
  const std::size_t heavy = TroopNamed(controller, "heavy_infantry");
  ASSERT_TRUE(controller.AddUnit(0, heavy).ok());
  ASSERT_TRUE(controller.AddUnit(1, heavy).ok());
  EXPECT_TRUE(controller.Faults().empty()) << controller.Faults().front();
  ASSERT_TRUE(controller.MoveUnit(1, controller.Plan().units[0].square).ok());
  EXPECT_TRUE(Says(controller, "both sides stand in"));
}

TEST(SetupController, UndoesAStrokeAtOnce) {
  SetupController controller;
  ASSERT_TRUE(controller.AddTerrain("wood", kWood).ok());
  controller.NewStroke();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(controller.MoveCorner(0, 0, {12 - 0.1 * i, 8}).ok());
  controller.NewStroke();
  ASSERT_TRUE(controller.MoveCorner(0, 0, {10, 8}).ok());
  ASSERT_TRUE(controller.Undo());
  EXPECT_NEAR(controller.Plan().terrain[0].polygon[0].x, 11.1, 1e-9);
  ASSERT_TRUE(controller.Undo());
  EXPECT_EQ(controller.Plan().terrain[0].polygon[0].x, 12);
  ASSERT_TRUE(controller.Redo());
  EXPECT_NEAR(controller.Plan().terrain[0].polygon[0].x, 11.1, 1e-9);
  ASSERT_TRUE(controller.Undo() && controller.Undo());
  EXPECT_FALSE(controller.Undo());
  EXPECT_TRUE(controller.Plan().terrain.empty());
}

TEST(SetupController, AnotherBoardKeepsWhatFits) {
  SetupController controller;
  ASSERT_TRUE(controller.AddUnit(1, 0).ok());
  ASSERT_TRUE(controller.SetBoard(6, 6, 3).ok());
  EXPECT_EQ(controller.Plan().units[0].square.row, 5);
  EXPECT_LE(controller.Plan().units[0].square.column, 5);
  EXPECT_EQ(controller.Table().fiducials->markers[2].centre, (Vec2{19.5, 19.5}));
  ASSERT_TRUE(controller.SetMarkers(false).ok());
  EXPECT_FALSE(controller.Table().fiducials.has_value());
}

TEST(SetupController, DrawsUpStandsInTheirSquares) {
  Scenario scenario;
  KindSpec line;
  line.footprint = {1.5, 0.75};
  scenario.kinds = {line};
  for (const Facing facing : {Facing::kNorth, Facing::kSouthEast}) {
    scenario.units = {{"A", 0, 0, 4, {2, 3}, facing}, {"B", 0, 0, 3, {2, 3}, facing}};
    const TableFrame frame{12, 9, 4.0};
    const std::vector<StandObservation> stands = DrawnUp(scenario, frame);
    ASSERT_EQ(stands.size(), 7u);
    for (std::size_t i = 0; i < stands.size(); ++i) {
      EXPECT_EQ(frame.SquareAt(stands[i].table_from_stand.origin), (SquareIndex{2, 3}));
      for (std::size_t k = 0; k < i; ++k) {
        EXPECT_GE(Distance(stands[i].table_from_stand.origin, stands[k].table_from_stand.origin),
                  0.75);
      }
    }
    EXPECT_EQ(stands[0].stand.text, "A#1");
    EXPECT_EQ(stands[6].unit, "B");
  }
}

TEST(SetupController, PlacesAndUndoesAnArmyAtOnce) {
  for (const char* rules : {"napoleonic", "ancient"}) {
    SetupController controller;
    ASSERT_TRUE(controller.SetRuleset(rules).ok());
    ASSERT_TRUE(controller.SetBoard(26, 12, 4).ok());
    ASSERT_FALSE(controller.Armies().empty());
    const std::string list = controller.Armies().front();
    const Result<ArmyOffer> army = FindRuleSet(rules)->army(list, std::nullopt);
    ASSERT_TRUE(army.ok());
    ASSERT_TRUE(controller.AddArmy(0, list).ok());
    EXPECT_EQ(controller.PointsOf(0), army->points) << list;
    EXPECT_EQ(army->blocks.size(), army->squares);
    std::set<std::string> squares;
    for (const UnitSpec& unit : controller.Plan().units) {
      EXPECT_EQ(unit.side, 0);
      squares.insert(SquareName(unit.square));
    }
    EXPECT_GE(squares.size(), army->squares);
    EXPECT_FALSE(Says(controller, "more room"));
    // The other side is placed at its own edge and faces this one.
    ASSERT_TRUE(controller.AddArmy(1, controller.Armies().back()).ok());
    ASSERT_EQ(controller.Plan().sides[1].baseline, Facing::kNorth);
    EXPECT_EQ(controller.Plan().units.back().facing, Facing::kSouth);
    ASSERT_TRUE(controller.ScenarioFile().ok());
    EXPECT_TRUE(controller.Undo());
    EXPECT_TRUE(controller.Undo());
    EXPECT_TRUE(controller.Plan().units.empty());
    EXPECT_FALSE(controller.AddArmy(0, "no such list").ok());
    EXPECT_FALSE(controller.AddArmy(7, list).ok());
    ASSERT_TRUE(controller.SetBoard(1, 1, 4).ok());
    (void)controller.AddArmy(0, list);  // a list of one unit fits
    const std::size_t there = controller.Plan().units.size();
    EXPECT_FALSE(controller.AddArmy(0, list).ok());
    EXPECT_EQ(controller.Plan().units.size(), there);
  }
  SetupController colonial;
  ASSERT_TRUE(colonial.SetRuleset("colonial").ok());
  EXPECT_TRUE(colonial.Armies().empty());
  EXPECT_FALSE(colonial.AddArmy(0, "Roman").ok());
}

TEST(SetupController, ATreeStandsInTerrainOrGetsItsOwnWood) {
  SetupController controller;
  ASSERT_TRUE(controller.AddTerrain("wood", kWood).ok());
  const Result<int> inside = controller.AddTree({14, 10}, 0.7, 2.2);
  ASSERT_TRUE(inside.ok());
  EXPECT_EQ(*inside, 0);
  const Result<int> alone = controller.AddTree({30, 20}, 0.7, 2.2);
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(*alone, 1);
  ASSERT_TRUE(controller.SetTreeHeight(1, 4).ok());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(controller.SetTreeHeight(1, nan).ok());
  EXPECT_FALSE(controller.SetTreeHeight(9, 2).ok());
  EXPECT_FALSE(controller.AddTree({30, 20}, nan, 2).ok());
  EXPECT_FALSE(controller.AddTree({nan, 20}, 0.7, 2).ok());
  const Result<std::string> text = controller.ScenarioFile();
  ASSERT_TRUE(text.ok()) << text.error().message;
  const Result<Scenario> again = ParseScenario(*text, "scenario.toml", controller.Table().frame);
  ASSERT_TRUE(again.ok());
  ASSERT_EQ(again->terrain.size(), 2u);
  ASSERT_EQ(again->terrain[0].objects.size(), 1u);
  EXPECT_EQ(again->terrain[0].objects[0].type, "tree");
  EXPECT_EQ(again->terrain[1].type, "wood");
  EXPECT_NEAR(again->terrain[1].objects[0].height_in, 4, 1e-9);
  EXPECT_NEAR(again->terrain[1].objects[0].circle->radius_in, 0.7, 1e-9);
}

TEST(SetupController, AMarkerCanBePlacedAnywhereNearTheBoard) {
  const test::TempDir dir;
  SetupController controller;
  ASSERT_TRUE(controller.SetMarker(2, {50.25, 33}).ok());
  EXPECT_FALSE(controller.SetMarker(9, {0, 0}).ok());
  EXPECT_FALSE(controller.SetMarker(2, {std::numeric_limits<double>::quiet_NaN(), 0}).ok());
  EXPECT_FALSE(controller.SetMarker(2, {500, 0}).ok());
  ASSERT_TRUE(controller.Save(dir.path() / "set").ok());
  const Result<TableSpec> table = ReadTable(dir.path() / "set/table.toml");
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_NEAR(table->fiducials->markers[2].centre.x, 50.25, 1e-9);
  EXPECT_NEAR(table->fiducials->markers[2].centre.y, 33, 1e-9);
  ASSERT_TRUE(controller.SetMarkers(false).ok());
  EXPECT_FALSE(controller.SetMarker(2, {50, 33}).ok());
}

TEST(SetupController, KeepsTraysForDiceClearOfTheMarkers) {
  const test::TempDir dir;
  ASSERT_TRUE(SetupController().Save(dir.path()).ok());
  Result<TableSpec> table = ReadTable(dir.path() / "table.toml");
  ASSERT_TRUE(table.ok()) << table.error().message;
  const double width_in = table->frame.Width();
  table->trays = {{{width_in + 8, 12}, {10, 8}}};
  dir.Write("table.toml", TableText(*table));
  Result<SetupController> opened =
      SetupController::Open(dir.path() / "table.toml", dir.path() / "scenario.toml");
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  EXPECT_EQ(opened->Table().trays, table->trays);
  EXPECT_FALSE(opened->SetMarker(2, {width_in + 5, 12}).ok());
  // With a wider board the tray stays beside it.
  const TableFrame& frame = table->frame;
  ASSERT_TRUE(opened->SetBoard(frame.columns + 1, frame.rows, frame.square_in).ok());
  ASSERT_TRUE(opened->Save(dir.path()).ok());
  table = ReadTable(dir.path() / "table.toml");
  ASSERT_TRUE(table.ok()) << table.error().message;
  ASSERT_EQ(table->trays.size(), 1u);
  EXPECT_NEAR(table->trays[0].centre.x, table->frame.Width() + 8, 1e-9);
}

TEST(SetupHand, ClicksDrawAnOutlineAndTheFirstCornerClosesIt) {
  SetupController controller;
  SetupHand hand(controller);
  hand.SetType("house");
  hand.StartOutline();
  for (const Vec2 at : {Vec2{10, 10}, Vec2{14, 10}, Vec2{14.01, 10}, Vec2{14, 13}}) {
    EXPECT_FALSE(hand.PressTerrain(at, 0.5));
    hand.ClickTerrain(at, 0.3);
  }
  EXPECT_EQ(hand.Outline().size(), 3u);  // two clicks in one place count once
  EXPECT_TRUE(controller.Plan().terrain.empty());
  hand.ClickTerrain({10.1, 10.1}, 0.3);
  ASSERT_EQ(controller.Plan().terrain.size(), 1u);
  EXPECT_FALSE(hand.Drawing());
  EXPECT_EQ(hand.Area(), 0);
  EXPECT_EQ(controller.Plan().terrain[0].type, "house");
  // The same by keys, at the cursor.
  hand.StartOutline();
  hand.PutCorner(hand.Cursor());
  hand.CloseOutline();
  EXPECT_FALSE(hand.Refused().empty());  // one corner makes no outline
  EXPECT_TRUE(hand.Drawing());
  hand.TakeBackCorner();
  hand.TakeBackCorner();
  EXPECT_FALSE(hand.Drawing());
  for (const Vec2 by : {Vec2{4, 0}, Vec2{0, 4}, Vec2{-4, 0}}) {
    hand.PutCorner(hand.Cursor());
    hand.Nudge(by);
  }
  hand.CloseOutline();
  EXPECT_EQ(controller.Plan().terrain.size(), 2u);
}

TEST(SetupHand, CornersAndAreasCanBeDraggedAndNudged) {
  SetupController controller;
  SetupHand hand(controller);
  ASSERT_TRUE(controller.AddTerrain("wood", kWood).ok());
  hand.ClickTerrain({13, 9}, 0.3);
  ASSERT_EQ(hand.Area(), 0);
  ASSERT_TRUE(hand.PressTerrain({12.1, 8.1}, 0.3));
  hand.Drag({11, 7});
  hand.Drag({10, 7});
  hand.Release();
  EXPECT_EQ(controller.Plan().terrain[0].polygon[0], (Vec2{10, 7}));
  ASSERT_TRUE(hand.PressTerrain({14, 10}, 0.3));  // inside: grips the whole area
  hand.Drag({15, 10});
  hand.Release();
  EXPECT_EQ(controller.Plan().terrain[0].polygon[0], (Vec2{11, 7}));
  EXPECT_FALSE(hand.PressTerrain({40, 30}, 0.3));
  hand.Drag({41, 30});
  EXPECT_EQ(controller.Plan().terrain[0].polygon[0], (Vec2{11, 7}));
  ASSERT_TRUE(controller.Undo() && controller.Undo());  // one drag, one change
  hand.Follow();
  EXPECT_EQ(controller.Plan().terrain[0].polygon[0], (Vec2{12, 8}));
  hand.NextCorner(1);
  ASSERT_EQ(hand.Corner(), 0);
  hand.Nudge({0.25, 0});
  EXPECT_EQ(controller.Plan().terrain[0].polygon[0], (Vec2{12.25, 8}));
  hand.InsertCorner();
  EXPECT_EQ(controller.Plan().terrain[0].polygon.size(), 5u);
  hand.Remove();
  EXPECT_EQ(controller.Plan().terrain[0].polygon.size(), 4u);
  hand.Raise(0.5);
  hand.Raise(-2);
  EXPECT_EQ(controller.Plan().terrain[0].height_in, 0);
  hand.NextType(-1);
  EXPECT_EQ(controller.Plan().terrain[0].type, SetupController::TerrainTypes().back());
  hand.Remove();
  EXPECT_TRUE(controller.Plan().terrain.empty());
  EXPECT_EQ(hand.Area(), -1);
  hand.NextArea(1);  // there is none
  EXPECT_EQ(hand.Area(), -1);
}

TEST(SetupHand, UnitsCanBeAddedDraggedTurnedAndRemoved) {
  SetupController controller;
  SetupHand hand(controller);
  hand.NextRow(-1);
  EXPECT_EQ(hand.Row(), controller.Troops().size() - 1);
  hand.ChooseRow(1);
  hand.Add();
  ASSERT_EQ(hand.Unit(), 0);
  hand.NextSide();
  hand.Add(SquareIndex{5, 7});
  ASSERT_EQ(hand.Unit(), 1);
  ASSERT_TRUE(hand.PressArmies(controller.Table().frame.CentreOf({5, 7})));
  hand.Drag(controller.Table().frame.CentreOf({4, 6}));
  hand.Drag(controller.Table().frame.CentreOf({3, 5}));
  hand.Drag({-3, 5});  // off the board: the unit stays
  hand.Release();
  EXPECT_EQ(controller.Plan().units[1].square, (SquareIndex{3, 5}));
  hand.StepUnit(-4, 0);
  EXPECT_FALSE(hand.Refused().empty());
  hand.StepUnit(-3, 1);
  EXPECT_EQ(controller.Plan().units[1].square, (SquareIndex{0, 6}));
  hand.Turn(9);
  EXPECT_EQ(controller.Plan().units[1].facing, Facing::kSouthWest);
  hand.MoreStands(-1);
  EXPECT_EQ(controller.Plan().units[1].stands, 3);
  hand.NextUnit(1);
  EXPECT_EQ(hand.Unit(), -1);
  hand.NextUnit(1);
  EXPECT_EQ(hand.Unit(), 0);
  EXPECT_EQ(hand.Side(), 0);
  hand.RemoveUnit();
  EXPECT_EQ(controller.Plan().units.size(), 1u);
  EXPECT_FALSE(hand.PressArmies({40, 2}));
  const Colour before = controller.Plan().sides[0].paint;
  for (int i = 0; i < 20; ++i) {
    hand.NextPaint();
    EXPECT_FALSE(controller.Plan().sides[0].paint == controller.Plan().sides[1].paint);
  }
  EXPECT_FALSE(before == controller.Plan().sides[1].paint);
  hand.NextRuleset(-1);
  EXPECT_EQ(controller.Plan().ruleset, SetupController::Rulesets().back());
}

TEST(FindTable, FourClicksInAnyOrderAndNorthGiveTheCorners) {
  const TableFrame frame{12, 9, 4.0};
  // As the picture shows them: top left, bottom left, bottom right, top right.
  const ImagePoint top_left{300, 150};
  const ImagePoint bottom_left{310, 900};
  const ImagePoint bottom_right{1500, 950};
  const ImagePoint top_right{1520, 120};
  for (const auto& clicks : {std::array{top_left, top_right, bottom_right, bottom_left},
                             std::array{bottom_right, top_left, bottom_left, top_right}}) {
    const Result<std::vector<Click>> down = CornerClicks(clicks, PictureNorth::kDown, frame);
    ASSERT_TRUE(down.ok());
    // North is down in the picture, so east is to the left.
    EXPECT_EQ((*down)[0].at.x_px, top_right.x_px);
    EXPECT_EQ((*down)[1].at.x_px, top_left.x_px);
    EXPECT_EQ((*down)[1].crossing_in, (Vec2{48, 0}));
    EXPECT_EQ((*down)[2].at.x_px, bottom_left.x_px);
    EXPECT_EQ((*down)[3].at.x_px, bottom_right.x_px);
    const Result<std::vector<Click>> right = CornerClicks(clicks, PictureNorth::kRight, frame);
    ASSERT_TRUE(right.ok());
    // North is to the right, so west is up.
    EXPECT_EQ((*right)[0].at.x_px, top_left.x_px);
    EXPECT_EQ((*right)[3].at.x_px, top_right.x_px);
  }
  EXPECT_FALSE(
      CornerClicks({top_left, top_left, bottom_right, bottom_left}, PictureNorth::kUp, frame).ok());
  EXPECT_FALSE(
      CornerClicks({top_left, {400, 400}, {500, 650}, bottom_right}, PictureNorth::kUp, frame)
          .ok());
}

TEST(CameraDevices, ListsThemInOrderWithTheirNames) {
  const test::TempDir dir;
  for (const char* file : {"dev/video10", "dev/video2", "dev/videox", "dev/null"}) {
    std::filesystem::create_directories((dir.path() / file).parent_path());
    dir.Write(file, "");
  }
  std::filesystem::create_directories(dir.path() / "sys/video2");
  dir.Write("sys/video2/name", "A webcam\n");
  const std::vector<CameraDevice> found = CameraDevices(dir.path() / "dev", dir.path() / "sys");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].source, "2");
  EXPECT_EQ(found[0].name, "A webcam");
  EXPECT_EQ(found[1].source, "10");
  EXPECT_TRUE(CameraDevices(dir.path() / "none", dir.path() / "none").empty());
}

}  // namespace
}  // namespace fos
