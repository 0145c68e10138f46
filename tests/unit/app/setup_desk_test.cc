// The model behind the set-up screen: everything it decides, without a window.
#include "ui/app/setup_desk.h"

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
#include "ui/app/find_table.h"
#include "ui/app/setup_camera.h"
#include "ui/app/setup_hand.h"

namespace fos {
namespace {

const Polygon kWood = {{12, 8}, {16, 8}, {16, 12}, {12, 12}};

std::size_t TroopNamed(const SetupDesk& desk, const std::string& id) {
  for (std::size_t i = 0; i < desk.Troops().size(); ++i) {
    if (desk.Troops()[i].id == id) return i;
  }
  ADD_FAILURE() << "no " << id;
  return 0;
}
bool Says(const SetupDesk& desk, const std::string& part) {
  for (const std::string& fault : desk.Faults()) {
    if (fault.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(SetupDesk, ANewOneIsWhatTheReadersTake) {
  const test::TempDir dir;
  SetupDesk desk;
  EXPECT_FALSE(desk.Unsaved());
  ASSERT_TRUE(desk.Save(dir.path() / "new").ok());
  const Result<TableSpec> table = ReadTable(dir.path() / "new/table.toml");
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_EQ(table->fiducials->markers.size(), 4u);
  const Result<Scenario> scenario = ReadScenario(dir.path() / "new/scenario.toml", table->frame);
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  EXPECT_EQ(scenario->sides.size(), 2u);
  EXPECT_EQ(scenario->projectiles.size(), 2u);
}

TEST(SetupDesk, WhatWasSavedIsOpenedAgainAsItWas) {
  const test::TempDir dir;
  SetupDesk desk;
  ASSERT_TRUE(desk.AddTerrain("wood", kWood).ok());
  ASSERT_TRUE(desk.SetTerrainHeight(0, 0.75).ok());
  ASSERT_TRUE(desk.SetName("The \"ford\" at \\ Wavre").ok());
  ASSERT_TRUE(desk.SetTurns(12).ok());
  ASSERT_TRUE(desk.RenameSide(0, "French").ok());
  ASSERT_TRUE(desk.AddUnit(0, TroopNamed(desk, "line_infantry")).ok());
  ASSERT_TRUE(desk.AddUnit(1, TroopNamed(desk, "foot_gun"), SquareIndex{3, 7}).ok());
  ASSERT_TRUE(desk.TurnUnit(1, -1).ok());
  ASSERT_TRUE(desk.Unsaved());
  ASSERT_TRUE(desk.Save(dir.path()).ok());
  EXPECT_FALSE(desk.Unsaved());
  const Result<SetupDesk> again =
      SetupDesk::Open(dir.path() / "table.toml", dir.path() / "scenario.toml");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again->ScenarioFile(), *desk.ScenarioFile());
  EXPECT_EQ(TableText(again->Table()), TableText(desk.Table()));
  const Scenario& plan = again->Plan();
  EXPECT_EQ(plan.name, "The \"ford\" at \\ Wavre");
  ASSERT_EQ(plan.units.size(), 2u);
  EXPECT_EQ(plan.units[0].id, "F-LI1");
  EXPECT_EQ(plan.units[1].facing, Facing::kSouthEast);
  EXPECT_TRUE(plan.kinds[1].equipment);
  EXPECT_EQ(plan.terrain[0].height_in, 0.75);
  EXPECT_EQ(again->PointsOf(0), desk.PointsOf(0));
}

// What the set-up does not know it hands on: keys of a rule set's own, files of the club's own,
// words.
TEST(SetupDesk, WhatItDoesNotKnowIsSavedAgain) {
  const test::TempDir dir;
  SetupDesk desk;
  ASSERT_TRUE(desk.Save(dir.path()).ok());
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
  Result<SetupDesk> opened =
      SetupDesk::Open(dir.path() / "table.toml", dir.path() / "scenario.toml");
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  // Into another folder, and where it lay.
  for (const auto& folder : {dir.path() / "saved", dir.path()}) {
    ASSERT_TRUE(opened->Save(folder).ok());
    EXPECT_NE(text(folder / "scenario.toml").find(more), std::string::npos)
        << text(folder / "scenario.toml");
    EXPECT_EQ(text(folder / "own/rulings.toml"), "[settings]\nturn.limit = 3\n");
  }
  EXPECT_EQ(text(dir.path() / "scenario.toml.before"), written);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "saved/scenario.toml.before"));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "table.toml.before"));
  // Somebody else's rulings of that name are not written over, nor played by.
  dir.Write("theirs/own/rulings.toml", "[settings]\n");
  const Status refused = opened->Save(dir.path() / "theirs");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("theirs/own/rulings.toml: is another file"),
            std::string::npos)
      << refused.error().message;
  EXPECT_EQ(text(dir.path() / "theirs/own/rulings.toml"), "[settings]\n");
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "theirs/scenario.toml"));
  // Of another rule set's rulings they are none.
  ASSERT_TRUE(opened->SetRuleset("colonial").ok());
  EXPECT_FALSE(opened->Plan().club.Named());
}

TEST(SetupDesk, EveryRuleSetHasListsAndItsArmiesAreSaved) {
  for (const std::string& name : SetupDesk::Rulesets()) {
    const test::TempDir dir;
    SetupDesk desk;
    ASSERT_TRUE(desk.SetRuleset(name).ok());
    ASSERT_GE(desk.Troops().size(), 6u) << name;
    for (std::size_t i = 0; i < desk.Troops().size(); ++i) {
      ASSERT_TRUE(desk.AddUnit(static_cast<int>(i % 2), i).ok()) << name;
      EXPECT_GE(desk.Troops()[i].stands, 1);
      EXPECT_GT(desk.Troops()[i].footprint.width_in, 0);
    }
    EXPECT_EQ(desk.PointsOf(0) > 0, name != "closefire");
    EXPECT_FALSE(Says(desk, "have none")) << name;
    ASSERT_TRUE(desk.Save(dir.path()).ok()) << name;
    EXPECT_TRUE(SetupDesk::Open(dir.path() / "table.toml", dir.path() / "scenario.toml").ok());
  }
}

TEST(SetupDesk, OutlinesAreDrawnMovedAndMended) {
  SetupDesk desk;
  const Result<int> wood = desk.AddTerrain("wood", kWood);
  ASSERT_TRUE(wood.ok());
  ASSERT_TRUE(desk.InsertCorner(*wood, 3, {11, 10.004}).ok());  // between the last and the first
  EXPECT_EQ(desk.Plan().terrain[0].polygon[4], (Vec2{11, 10}));
  ASSERT_TRUE(desk.MoveCorner(*wood, 0, {12, 13}).ok());
  EXPECT_TRUE(Says(desk, "crosses itself"));
  ASSERT_TRUE(desk.MoveCorner(*wood, 0, {12, 8.5}).ok());
  EXPECT_FALSE(Says(desk, "crosses itself"));
  ASSERT_TRUE(desk.MoveTerrain(*wood, {1, -0.5}).ok());
  EXPECT_EQ(desk.Plan().terrain[0].polygon[0], (Vec2{13, 8}));
  ASSERT_TRUE(desk.SetTerrainType(*wood, "hill").ok());
  ASSERT_TRUE(desk.RemoveCorner(*wood, 4).ok());
  ASSERT_TRUE(desk.RemoveCorner(*wood, 3).ok());
  EXPECT_FALSE(desk.RemoveCorner(*wood, 0).ok());  // a triangle is the least
  ASSERT_TRUE(desk.RemoveTerrain(*wood).ok());
  EXPECT_TRUE(desk.Plan().terrain.empty());
}

TEST(SetupDesk, WhatCannotBeIsRefusedAndChangesNothing) {
  SetupDesk desk;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ASSERT_TRUE(desk.AddTerrain("wood", kWood).ok());
  const std::size_t version = desk.Version();
  EXPECT_FALSE(desk.AddTerrain("swamp", kWood).ok());
  EXPECT_FALSE(desk.AddTerrain("wood", {{1, 1}, {2, 2}, {3, 3}}).ok());
  EXPECT_FALSE(desk.AddTerrain("wood", {{1, 1}, {2, 2}}).ok());
  EXPECT_FALSE(desk.MoveCorner(0, 0, {nan, 1}).ok());
  EXPECT_FALSE(desk.MoveCorner(0, 9, {1, 1}).ok());
  EXPECT_FALSE(desk.MoveCorner(-1, 0, {1, 1}).ok());
  EXPECT_FALSE(desk.MoveTerrain(0, {-60, 0}).ok());
  EXPECT_FALSE(desk.SetTerrainHeight(0, nan).ok());
  EXPECT_FALSE(desk.SetBoard(0, 9, 4).ok());
  EXPECT_FALSE(desk.SetBoard(12, 9, nan).ok());
  EXPECT_FALSE(desk.SetBoard(200, 200, 48).ok());
  EXPECT_FALSE(desk.SetRuleset("chess").ok());
  EXPECT_FALSE(desk.RenameSide(0, "").ok());
  EXPECT_FALSE(desk.RenameSide(0, "Red").ok());
  EXPECT_FALSE(desk.SetName("a\nb").ok());
  EXPECT_FALSE(desk.SetTurns(0).ok());
  EXPECT_FALSE(desk.AddUnit(2, 0).ok());
  EXPECT_FALSE(desk.AddUnit(0, 999).ok());
  EXPECT_FALSE(desk.AddUnit(0, 0, SquareIndex{12, 0}).ok());
  EXPECT_FALSE(desk.MoveUnit(0, {0, 0}).ok());
  EXPECT_EQ(desk.Version(), version);
}

TEST(SetupDesk, ArmiesAreCheckedByTheRuleSet) {
  SetupDesk desk;
  EXPECT_TRUE(Says(desk, "has no troops yet"));
  const std::size_t line = TroopNamed(desk, "line_infantry");
  const Result<int> blue = desk.AddUnit(0, line);
  const Result<int> red = desk.AddUnit(1, line);
  ASSERT_TRUE(blue.ok() && red.ok());
  EXPECT_TRUE(desk.Faults().empty()) << desk.Faults().front();
  EXPECT_EQ(desk.PointsOf(0), 4 * 3);
  EXPECT_EQ(desk.Plan().units[0].square.row, 0);
  EXPECT_EQ(desk.Plan().units[0].facing, Facing::kNorth);
  EXPECT_EQ(desk.Plan().units[1].square.row, 8);
  EXPECT_EQ(desk.Plan().units[1].facing, Facing::kSouth);
  ASSERT_TRUE(desk.MoveUnit(*blue, desk.Plan().units[1].square).ok());
  EXPECT_FALSE(desk.Faults().empty());
  ASSERT_TRUE(desk.Undo());
  EXPECT_TRUE(desk.Faults().empty());
  ASSERT_TRUE(desk.SetStands(*blue, 60).ok());
  EXPECT_TRUE(Says(desk, "more room"));
  ASSERT_TRUE(desk.SetRuleset("colonial").ok());
  EXPECT_TRUE(Says(desk, "the colonial rules have none"));
}

TEST(SetupDesk, TheAncientSetupIsCheckedToo) {
  SetupDesk desk;
  ASSERT_TRUE(desk.SetRuleset("ancient").ok());
  const std::size_t heavy = TroopNamed(desk, "heavy_infantry");
  ASSERT_TRUE(desk.AddUnit(0, heavy).ok());
  ASSERT_TRUE(desk.AddUnit(1, heavy).ok());
  EXPECT_TRUE(desk.Faults().empty()) << desk.Faults().front();
  ASSERT_TRUE(desk.MoveUnit(1, desk.Plan().units[0].square).ok());
  EXPECT_TRUE(Says(desk, "both sides stand in"));
}

TEST(SetupDesk, OneMoveOfOneThingIsTakenBackAsOne) {
  SetupDesk desk;
  ASSERT_TRUE(desk.AddTerrain("wood", kWood).ok());
  desk.NewStroke();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(desk.MoveCorner(0, 0, {12 - 0.1 * i, 8}).ok());
  desk.NewStroke();
  ASSERT_TRUE(desk.MoveCorner(0, 0, {10, 8}).ok());
  ASSERT_TRUE(desk.Undo());
  EXPECT_NEAR(desk.Plan().terrain[0].polygon[0].x, 11.1, 1e-9);
  ASSERT_TRUE(desk.Undo());
  EXPECT_EQ(desk.Plan().terrain[0].polygon[0].x, 12);
  ASSERT_TRUE(desk.Redo());
  EXPECT_NEAR(desk.Plan().terrain[0].polygon[0].x, 11.1, 1e-9);
  ASSERT_TRUE(desk.Undo() && desk.Undo());
  EXPECT_FALSE(desk.Undo());
  EXPECT_TRUE(desk.Plan().terrain.empty());
}

TEST(SetupDesk, AnotherBoardKeepsWhatFits) {
  SetupDesk desk;
  ASSERT_TRUE(desk.AddUnit(1, 0).ok());
  ASSERT_TRUE(desk.SetBoard(6, 6, 3).ok());
  EXPECT_EQ(desk.Plan().units[0].square.row, 5);
  EXPECT_LE(desk.Plan().units[0].square.column, 5);
  EXPECT_EQ(desk.Table().fiducials->markers[2].centre, (Vec2{19.5, 19.5}));
  ASSERT_TRUE(desk.SetMarkers(false).ok());
  EXPECT_FALSE(desk.Table().fiducials.has_value());
}

TEST(SetupDesk, StandsAreDrawnUpInTheirSquares) {
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

TEST(SetupDesk, AWholeArmyIsPlacedAtOnceAndTakenBackAtOnce) {
  for (const char* rules : {"napoleonic", "ancient"}) {
    SetupDesk desk;
    ASSERT_TRUE(desk.SetRuleset(rules).ok());
    ASSERT_TRUE(desk.SetBoard(26, 12, 4).ok());
    ASSERT_FALSE(desk.Armies().empty());
    const std::string list = desk.Armies().front();
    const Result<ArmyOffer> army = FindRuleSet(rules)->army(list, std::nullopt);
    ASSERT_TRUE(army.ok());
    ASSERT_TRUE(desk.AddArmy(0, list).ok());
    EXPECT_EQ(desk.PointsOf(0), army->points) << list;
    EXPECT_EQ(army->blocks.size(), army->squares);
    std::set<std::string> squares;
    for (const UnitSpec& unit : desk.Plan().units) {
      EXPECT_EQ(unit.side, 0);
      squares.insert(SquareName(unit.square));
    }
    EXPECT_GE(squares.size(), army->squares);
    EXPECT_FALSE(Says(desk, "more room"));
    // The other side draws up at its own edge, facing this one.
    ASSERT_TRUE(desk.AddArmy(1, desk.Armies().back()).ok());
    ASSERT_EQ(desk.Plan().sides[1].baseline, Facing::kNorth);
    EXPECT_EQ(desk.Plan().units.back().facing, Facing::kSouth);
    ASSERT_TRUE(desk.ScenarioFile().ok());
    EXPECT_TRUE(desk.Undo());
    EXPECT_TRUE(desk.Undo());
    EXPECT_TRUE(desk.Plan().units.empty());
    EXPECT_FALSE(desk.AddArmy(0, "no such list").ok());
    EXPECT_FALSE(desk.AddArmy(7, list).ok());
    ASSERT_TRUE(desk.SetBoard(1, 1, 4).ok());
    (void)desk.AddArmy(0, list);  // a list of one unit has room
    const std::size_t there = desk.Plan().units.size();
    EXPECT_FALSE(desk.AddArmy(0, list).ok());
    EXPECT_EQ(desk.Plan().units.size(), there);
  }
  SetupDesk colonial;
  ASSERT_TRUE(colonial.SetRuleset("colonial").ok());
  EXPECT_TRUE(colonial.Armies().empty());
  EXPECT_FALSE(colonial.AddArmy(0, "Roman").ok());
}

TEST(SetupDesk, TreesStandInWoodsOrByThemselves) {
  SetupDesk desk;
  ASSERT_TRUE(desk.AddTerrain("wood", kWood).ok());
  const Result<int> inside = desk.AddTree({14, 10}, 0.7, 2.2);
  ASSERT_TRUE(inside.ok());
  EXPECT_EQ(*inside, 0);
  const Result<int> alone = desk.AddTree({30, 20}, 0.7, 2.2);
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(*alone, 1);
  ASSERT_TRUE(desk.SetTreeHeight(1, 4).ok());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(desk.SetTreeHeight(1, nan).ok());
  EXPECT_FALSE(desk.SetTreeHeight(9, 2).ok());
  EXPECT_FALSE(desk.AddTree({30, 20}, nan, 2).ok());
  EXPECT_FALSE(desk.AddTree({nan, 20}, 0.7, 2).ok());
  const Result<std::string> text = desk.ScenarioFile();
  ASSERT_TRUE(text.ok()) << text.error().message;
  const Result<Scenario> again = ParseScenario(*text, "scenario.toml", desk.Table().frame);
  ASSERT_TRUE(again.ok());
  ASSERT_EQ(again->terrain.size(), 2u);
  ASSERT_EQ(again->terrain[0].objects.size(), 1u);
  EXPECT_EQ(again->terrain[0].objects[0].type, "tree");
  EXPECT_EQ(again->terrain[1].type, "wood");
  EXPECT_NEAR(again->terrain[1].objects[0].height_in, 4, 1e-9);
  EXPECT_NEAR(again->terrain[1].objects[0].circle->radius_in, 0.7, 1e-9);
}

TEST(SetupDesk, AMarkerMayLieWhereItHadTo) {
  const test::TempDir dir;
  SetupDesk desk;
  ASSERT_TRUE(desk.SetMarker(2, {50.25, 33}).ok());
  EXPECT_FALSE(desk.SetMarker(9, {0, 0}).ok());
  EXPECT_FALSE(desk.SetMarker(2, {std::numeric_limits<double>::quiet_NaN(), 0}).ok());
  EXPECT_FALSE(desk.SetMarker(2, {500, 0}).ok());
  ASSERT_TRUE(desk.Save(dir.path() / "set").ok());
  const Result<TableSpec> table = ReadTable(dir.path() / "set/table.toml");
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_NEAR(table->fiducials->markers[2].centre.x, 50.25, 1e-9);
  EXPECT_NEAR(table->fiducials->markers[2].centre.y, 33, 1e-9);
  ASSERT_TRUE(desk.SetMarkers(false).ok());
  EXPECT_FALSE(desk.SetMarker(2, {50, 33}).ok());
}

TEST(SetupHand, AnOutlineIsDrawnWithClicksAndClosedOnItsFirstCorner) {
  SetupDesk desk;
  SetupHand hand(desk);
  hand.SetType("house");
  hand.StartOutline();
  for (const Vec2 at : {Vec2{10, 10}, Vec2{14, 10}, Vec2{14.01, 10}, Vec2{14, 13}}) {
    EXPECT_FALSE(hand.PressTerrain(at, 0.5));
    hand.ClickTerrain(at, 0.3);
  }
  EXPECT_EQ(hand.Outline().size(), 3u);  // a click twice in one place is one
  EXPECT_TRUE(desk.Plan().terrain.empty());
  hand.ClickTerrain({10.1, 10.1}, 0.3);
  ASSERT_EQ(desk.Plan().terrain.size(), 1u);
  EXPECT_FALSE(hand.Drawing());
  EXPECT_EQ(hand.Area(), 0);
  EXPECT_EQ(desk.Plan().terrain[0].type, "house");
  // By keys: the same, at the cursor.
  hand.StartOutline();
  hand.PutCorner(hand.Cursor());
  hand.CloseOutline();
  EXPECT_FALSE(hand.Refused().empty());  // one corner is no outline
  EXPECT_TRUE(hand.Drawing());
  hand.TakeBackCorner();
  hand.TakeBackCorner();
  EXPECT_FALSE(hand.Drawing());
  for (const Vec2 by : {Vec2{4, 0}, Vec2{0, 4}, Vec2{-4, 0}}) {
    hand.PutCorner(hand.Cursor());
    hand.Nudge(by);
  }
  hand.CloseOutline();
  EXPECT_EQ(desk.Plan().terrain.size(), 2u);
}

TEST(SetupHand, CornersAndAreasAreDraggedAndNudged) {
  SetupDesk desk;
  SetupHand hand(desk);
  ASSERT_TRUE(desk.AddTerrain("wood", kWood).ok());
  hand.ClickTerrain({13, 9}, 0.3);
  ASSERT_EQ(hand.Area(), 0);
  ASSERT_TRUE(hand.PressTerrain({12.1, 8.1}, 0.3));
  hand.Drag({11, 7});
  hand.Drag({10, 7});
  hand.Release();
  EXPECT_EQ(desk.Plan().terrain[0].polygon[0], (Vec2{10, 7}));
  ASSERT_TRUE(hand.PressTerrain({14, 10}, 0.3));  // within it: the whole
  hand.Drag({15, 10});
  hand.Release();
  EXPECT_EQ(desk.Plan().terrain[0].polygon[0], (Vec2{11, 7}));
  EXPECT_FALSE(hand.PressTerrain({40, 30}, 0.3));
  hand.Drag({41, 30});
  EXPECT_EQ(desk.Plan().terrain[0].polygon[0], (Vec2{11, 7}));
  ASSERT_TRUE(desk.Undo() && desk.Undo());  // one drag, one change
  hand.Follow();
  EXPECT_EQ(desk.Plan().terrain[0].polygon[0], (Vec2{12, 8}));
  hand.NextCorner(1);
  ASSERT_EQ(hand.Corner(), 0);
  hand.Nudge({0.25, 0});
  EXPECT_EQ(desk.Plan().terrain[0].polygon[0], (Vec2{12.25, 8}));
  hand.InsertCorner();
  EXPECT_EQ(desk.Plan().terrain[0].polygon.size(), 5u);
  hand.Remove();
  EXPECT_EQ(desk.Plan().terrain[0].polygon.size(), 4u);
  hand.Raise(0.5);
  hand.Raise(-2);
  EXPECT_EQ(desk.Plan().terrain[0].height_in, 0);
  hand.NextType(-1);
  EXPECT_EQ(desk.Plan().terrain[0].type, SetupDesk::TerrainTypes().back());
  hand.Remove();
  EXPECT_TRUE(desk.Plan().terrain.empty());
  EXPECT_EQ(hand.Area(), -1);
  hand.NextArea(1);  // nothing there: nothing chosen
  EXPECT_EQ(hand.Area(), -1);
}

TEST(SetupHand, UnitsAreAddedDraggedTurnedAndTakenOff) {
  SetupDesk desk;
  SetupHand hand(desk);
  hand.NextRow(-1);
  EXPECT_EQ(hand.Row(), desk.Troops().size() - 1);
  hand.ChooseRow(1);
  hand.Add();
  ASSERT_EQ(hand.Unit(), 0);
  hand.NextSide();
  hand.Add(SquareIndex{5, 7});
  ASSERT_EQ(hand.Unit(), 1);
  ASSERT_TRUE(hand.PressArmies(desk.Table().frame.CentreOf({5, 7})));
  hand.Drag(desk.Table().frame.CentreOf({4, 6}));
  hand.Drag(desk.Table().frame.CentreOf({3, 5}));
  hand.Drag({-3, 5});  // off the board: it stays
  hand.Release();
  EXPECT_EQ(desk.Plan().units[1].square, (SquareIndex{3, 5}));
  hand.StepUnit(-4, 0);
  EXPECT_FALSE(hand.Refused().empty());
  hand.StepUnit(-3, 1);
  EXPECT_EQ(desk.Plan().units[1].square, (SquareIndex{0, 6}));
  hand.Turn(9);
  EXPECT_EQ(desk.Plan().units[1].facing, Facing::kSouthWest);
  hand.MoreStands(-1);
  EXPECT_EQ(desk.Plan().units[1].stands, 3);
  hand.NextUnit(1);
  EXPECT_EQ(hand.Unit(), -1);
  hand.NextUnit(1);
  EXPECT_EQ(hand.Unit(), 0);
  EXPECT_EQ(hand.Side(), 0);
  hand.RemoveUnit();
  EXPECT_EQ(desk.Plan().units.size(), 1u);
  EXPECT_FALSE(hand.PressArmies({40, 2}));
  const Colour before = desk.Plan().sides[0].paint;
  for (int i = 0; i < 20; ++i) {
    hand.NextPaint();
    EXPECT_FALSE(desk.Plan().sides[0].paint == desk.Plan().sides[1].paint);
  }
  EXPECT_FALSE(before == desk.Plan().sides[1].paint);
  hand.NextRuleset(-1);
  EXPECT_EQ(desk.Plan().ruleset, "closefire");
}

TEST(FindTable, FourClicksInAnyOrderAreTheCornersOnceNorthIsSaid) {
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
    // North down: what lies lower is north, and east is to the left.
    EXPECT_EQ((*down)[0].at.x_px, top_right.x_px);
    EXPECT_EQ((*down)[1].at.x_px, top_left.x_px);
    EXPECT_EQ((*down)[1].crossing_in, (Vec2{48, 0}));
    EXPECT_EQ((*down)[2].at.x_px, bottom_left.x_px);
    EXPECT_EQ((*down)[3].at.x_px, bottom_right.x_px);
    const Result<std::vector<Click>> right = CornerClicks(clicks, PictureNorth::kRight, frame);
    ASSERT_TRUE(right.ok());
    // North to the right: what lies left is south, and west is up.
    EXPECT_EQ((*right)[0].at.x_px, top_left.x_px);
    EXPECT_EQ((*right)[3].at.x_px, top_right.x_px);
  }
  EXPECT_FALSE(
      CornerClicks({top_left, top_left, bottom_right, bottom_left}, PictureNorth::kUp, frame).ok());
  EXPECT_FALSE(
      CornerClicks({top_left, {400, 400}, {500, 650}, bottom_right}, PictureNorth::kUp, frame)
          .ok());
}

TEST(CameraDevices, AreListedInOrderWithTheirNames) {
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
