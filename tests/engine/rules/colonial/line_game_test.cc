// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/line_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#include "engine/game/chance.h"
#include "engine/game/script_runner.h"
#include "engine/rules/colonial/game_file.h"
#include "engine/rules/colonial/seen.h"
#include "engine/rules/rule_sets.h"
#include "tests/support/temp_dir.h"

// The game as the window sees it: prompts, options and forecasts.
namespace fos::colonial::test {
namespace {

namespace fs = std::filesystem;

fs::path Sample(const char* name) { return fs::path(FOS_SOURCE_DIR) / "datasets/scenarios" / name; }

std::unique_ptr<RuleGame> Opened(std::uint64_t seed = 7) {
  auto game = OpenGame(Sample("tamanieb.toml"), seed);
  EXPECT_TRUE(game.ok()) << game.error().message;
  return std::move(game).value();
}

TEST(ColonialLineGame, PlaysATurnFromItsOptions) {
  const auto game = Opened();
  EXPECT_EQ(game->Ruleset(), "colonial");
  int fights = 0, moves = 0, choices = 0;
  std::string sums;
  Generator chance{5};
  while (game->Next().turn < 2 && game->Next().kind != PromptKind::kOver) {
    const Prompt prompt = game->Next();
    ASSERT_FALSE(prompt.sides.empty());
    EXPECT_FALSE(prompt.sentence.empty());
    EXPECT_EQ(prompt.clause.rfind("COL-", 0), 0u) << prompt.sentence;
    if (prompt.kind == PromptKind::kDice) {
      std::ostringstream line;
      line << "dice";
      for (int n = 0; n < prompt.dice; ++n) line << ' ' << 1 + chance.Below(prompt.faces);
      ASSERT_FALSE(game->Play(line.str()).value().refused) << line.str();
      continue;
    }
    const std::vector<LineOption> options = game->Options(prompt.sides.front());
    ASSERT_FALSE(options.empty());
    for (const LineOption& option : options) {
      EXPECT_FALSE(option.label.empty());
      EXPECT_EQ(option.clause.rfind("COL-", 0), 0u) << option.line;
    }
    // Fight if possible, else move, else end.
    const auto kind = [&](const char* verb) {
      return std::find_if(options.begin(), options.end(), [&](const LineOption& option) {
        return option.line.rfind(verb, 0) == 0;
      });
    };
    auto pick = kind("back");
    choices += pick != options.end();
    if (pick == options.end()) pick = kind("attack");
    if (pick == options.end()) pick = kind("fire");
    if (pick != options.end() && pick->line.rfind("back", 0) != 0) {
      ++fights;
      ASSERT_TRUE(pick->forecast.has_value());
      double sum = 0;
      for (const auto& [what, share] : pick->forecast->chances) sum += share;
      EXPECT_NEAR(sum, 1, 1e-12);
      double total = 0;
      for (const SumItem& item : pick->forecast->items) total += item.who == 0 ? item.amount : 0;
      EXPECT_EQ(total, pick->forecast->totals[0]);
      EXPECT_EQ(pick->pieces.size(), 2u);
      sums = pick->forecast->sentence;
    }
    if (pick == options.end()) {
      pick = kind("move");
      moves += pick != options.end();
    }
    if (pick == options.end()) pick = kind("done");
    ASSERT_NE(pick, options.end());
    const auto outcome = game->Play(pick->line).value();
    ASSERT_FALSE(outcome.refused) << pick->line << ": " << outcome.refused->because;
    EXPECT_FALSE(outcome.told.empty());
    // The prompt for the dice repeats the sums.
    EXPECT_NE(game->Next().sentence.find(sums), std::string::npos);
    sums.clear();
  }
  EXPECT_GT(moves, 3);
  EXPECT_GT(fights + choices, 0);
}

TEST(ColonialLineGame, EveryOptionIsAccepted) {
  const auto game = Opened();
  Generator chance{3};
  for (int n = 0; n < 60 && game->Next().kind != PromptKind::kOver; ++n) {
    ASSERT_FALSE(game->Play(game->RandomLine(chance)).value().refused);
    if (n % 12 != 0 || game->Next().kind == PromptKind::kOver) continue;
    for (const int side : game->Next().sides)
      for (const LineOption& option : game->Options(side)) {
        const std::string before = game->StateJson();
        const auto outcome = game->Play(option.line).value();
        ASSERT_FALSE(outcome.refused) << option.line << ": " << outcome.refused->because;
        ASSERT_TRUE(game->Undo());
        ASSERT_EQ(game->StateJson(), before);
      }
  }
}

TEST(ColonialLineGame, ReplaysFromItsLines) {
  const auto game = Opened();
  Generator chance{11};
  while (game->Next().kind != PromptKind::kOver)
    ASSERT_FALSE(game->Play(game->RandomLine(chance)).value().refused);
  const auto again = Opened();
  for (const std::string& line : game->Lines()) ASSERT_FALSE(again->Play(line).value().refused);
  EXPECT_EQ(again->StateJson(), game->StateJson());
  EXPECT_FALSE(game->View().result.empty());
  for (const PieceView& piece : game->View().pieces) EXPECT_EQ(piece.on_table, piece.fate.empty());
}

TEST(ColonialLineGame, ReachForTheOverlay) {
  const auto game = Opened();
  for (const char* line : {"dice 6", "dice 9 4", "dice 12"})
    ASSERT_FALSE(game->Play(line).value().refused) << line;
  const PieceReach gun = game->ReachOf("I-Gun");
  EXPECT_EQ(gun.allowance, 2);
  EXPECT_EQ(gun.range, 6);
  EXPECT_NE(std::find(gun.arc.begin(), gun.arc.end(), "K9"), gun.arc.end());
  EXPECT_EQ(std::find(gun.arc.begin(), gun.arc.end(), "A3"), gun.arc.end());
  const auto rifles = std::find_if(gun.sights.begin(), gun.sights.end(), [](const SightLine& line) {
    return line.target == "M-Rifles1";
  });
  ASSERT_NE(rifles, gun.sights.end());
  EXPECT_TRUE(rifles->clear) << rifles->because;
  const auto moved = std::find_if(gun.moves.begin(), gun.moves.end(),
                                  [](const auto& move) { return move.first == "L5"; });
  EXPECT_EQ(moved == gun.moves.end() ? 0 : moved->second, 2);
  EXPECT_TRUE(game->ReachOf("nobody").moves.empty());
  // Two stands in a square are drawn one behind the other.
  const GameView view = game->View();
  const auto piece = [&](const char* id) {
    return *std::find_if(view.pieces.begin(), view.pieces.end(),
                         [&](const PieceView& p) { return p.id == id; });
  };
  EXPECT_EQ(piece("M-Foot1#1").square, piece("M-Foot1#2").square);
  EXPECT_LT(piece("M-Foot1#1").at_in.y, piece("M-Foot1#2").at_in.y);  // it faces south
}

TEST(ColonialLineGame, PlaysTheSampleScript) {
  const auto game = Opened();
  std::ostringstream script;
  script << std::ifstream(Sample("tamanieb.script")).rdbuf();
  int refused = 0;
  ScriptOptions options;
  options.seed = 7;
  options.report = [&](const ScriptStep& step) { refused += step.outcome.refused.has_value(); };
  const Status played = RunScript(*game, script.str(), options);
  ASSERT_TRUE(played.ok()) << played.error().message;
  EXPECT_EQ(game->Next().kind, PromptKind::kOver);
  EXPECT_EQ(refused, 5);  // as the script says
}

TEST(ColonialGameFile, ReadsArmiesByDiceAndRatings) {  // COL-2.3, COL-2.6
  fos::test::TempDir dir;
  std::ostringstream text;
  text << std::ifstream(Sample("tamanieb.toml")).rdbuf();
  std::string scenario = text.str();
  const auto replace = [&](const std::string& from, const std::string& to) {
    scenario.replace(scenario.find(from), from.size(), to);
  };
  replace("by = \"agreed\"\npoints = 36", "by = \"dice\"");
  const fs::path path = dir.path() / "game.toml";
  std::ofstream(path) << scenario;
  auto game = OpenGame(path, 1);
  ASSERT_TRUE(game.ok()) << game.error().message;
  EXPECT_EQ((*game)->Next().dice, 8);
  EXPECT_EQ((*game)->Next().faces, 6);
}

TEST(ColonialLineGame, TableOfGeneralsShowsTheRulingOnATwo) {  // COL-2.6
  fos::test::TempDir dir;
  std::ostringstream text;
  text << std::ifstream(Sample("tamanieb.toml")).rdbuf();
  std::string scenario = text.str();
  scenario.insert(scenario.find("turns = 12"), "settings = \"club.toml\"\n");
  const auto two = [&](const std::string& ruling) {
    dir.Write("club.toml", "[settings]\ngeneral_roll_2 = \"" + ruling + "\"\n");
    auto game = OpenGame(dir.Write("game.toml", scenario), 1);
    EXPECT_TRUE(game.ok()) << game.error().message;
    for (const RuleTable& table : (*game)->TablesOf("COL-2.6", 0))
      if (table.name == "generals") return table.rows.at(1).cells;
    return std::vector<std::string>();
  };
  EXPECT_EQ(two("poor"), (std::vector<std::string>{"2", "poor", "1"}));
  EXPECT_EQ(two("average"), (std::vector<std::string>{"2", "average", "2"}));
  EXPECT_EQ(two("reroll"), (std::vector<std::string>{"2", "throw again", "-"}));
}

TEST(ColonialGameFile, OutlinedWallLiesAlongTheEdges) {  // COL-1.4, COL-5.6
  fos::test::TempDir dir;
  std::ostringstream text;
  text << std::ifstream(Sample("tamanieb.toml")).rdbuf();
  // 6 mm wide, along the border of rows 3 and 4 from B to C, and half a square of D.
  text << "[[terrain]]\ntype = \"wall\"\npolygon = [[1.9685, 5.79], [6.9, 5.79], [6.9, 6.02], "
          "[1.9685, 6.02]]\n";
  const auto game = ReadGame(dir.Write("game.toml", text.str()));
  ASSERT_TRUE(game.ok()) << game.error().message;
  const colonial::Setup& setup = *game.value();
  const auto across = [&](int column) {
    return setup.Edge(setup.board.At({column, 2}), setup.board.At({column, 3}));
  };
  EXPECT_EQ(across(0), 0);
  EXPECT_EQ(across(1), kWall);
  EXPECT_EQ(across(2), kWall);
  EXPECT_EQ(across(3), kWall);
  EXPECT_EQ(across(4), 0);
}

TEST(ColonialGameFile, TheHigherOfTwoHillsCounts) {  // COL-1.4, COL-5.8
  fos::test::TempDir dir;
  std::ostringstream text;
  text << std::ifstream(Sample("tamanieb.toml")).rdbuf();
  text << "[[terrain]]\ntype = \"hill\"\nlevel = 2\nsquares = [\"C4\"]\n"
          "[[terrain]]\ntype = \"hill\"\nsquares = [\"B4\", \"C4\"]\n";
  const auto game = ReadGame(dir.Write("game.toml", text.str()));
  ASSERT_TRUE(game.ok()) << game.error().message;
  const colonial::Setup& setup = *game.value();
  EXPECT_EQ(setup.At(setup.board.At({1, 3})).level, 1);
  EXPECT_EQ(setup.At(setup.board.At({2, 3})).level, 2);
}

TEST(ColonialGameFile, RefusesFaultyFiles) {  // COL-1.2, COL-1.3, COL-2.2, COL-2.4
  fos::test::TempDir dir;
  std::ostringstream text;
  text << std::ifstream(Sample("tamanieb.toml")).rdbuf();
  const auto opened = [&](const std::function<void(std::string&)>& change) -> std::string {
    std::string scenario = text.str();
    change(scenario);
    const fs::path path = dir.path() / "game.toml";
    std::ofstream(path) << scenario;
    const auto game = ReadGame(path);
    return game.ok() ? "" : game.error().message;
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    return opened([&](std::string& s) {
      const std::size_t at = s.find(from);
      ASSERT_NE(at, std::string::npos) << from;
      s.replace(at, from.size(), to);
    });
  };
  EXPECT_EQ(opened([](std::string&) {}), "");
  EXPECT_NE(with("kind = \"command_mounted\"", "kind = \"transport\""), "");
  EXPECT_EQ(with("rows = 12", "rows = 12\nsquare = 1.9685"), "");
  EXPECT_NE(with("rows = 12", "rows = 12\nsquare = 4.0").find("1.9685"), std::string::npos);
  EXPECT_NE(with("rows = 12", "rows = 11"), "");
  EXPECT_NE(with("\"E5|E6\"", "\"E5|E8\"").find("not an edge"), std::string::npos);
  // A pond by its outline; under a stand it is refused.
  EXPECT_EQ(
      with("[[terrain]]\ntype = \"wood\"",
           "[[terrain]]\ntype = \"water\"\npolygon = [[3.937, 13.78], [7.874, 13.78], [7.874, "
           "15.748], [3.937, 15.748]]\n[[terrain]]\ntype = \"wood\""),
      "");
  EXPECT_NE(
      with("[[terrain]]\ntype = \"wood\"",
           "[[terrain]]\ntype = \"water\"\npolygon = [[1.9685, 3.937], [3.937, 3.937], [3.937, "
           "5.9055], [1.9685, 5.9055]]\n[[terrain]]\ntype = \"wood\"")
          .find("COL-5.10"),
      std::string::npos);
  const std::string trench = "edges = [\"K3|K4\", \"L3|L4\"]";
  EXPECT_EQ(with(trench, trench + "\nlength_mm = 51"), "");
  EXPECT_NE(with(trench, trench + "\nlength_mm = 50").find("too short"), std::string::npos);
  EXPECT_NE(with("type = \"stream\"", "type = \"streem\"").find("`stream`"), std::string::npos);
  EXPECT_NE(with("\"guard_infantry\"", "\"gard_infantry\"").find("`guard_infantry`"),
            std::string::npos);
  EXPECT_NE(with("id = \"I-Gun\"", "id = \"K4\"").find("also the name of a square"),
            std::string::npos);
  EXPECT_NE(with("turns = 12", "turns = 13").find("turns"), std::string::npos);
  EXPECT_NE(with("square = \"I4\"", "square = \"K3\"").find("COL-1.3"), std::string::npos);
  EXPECT_NE(
      opened([](std::string& s) { s.resize(s.find("[[unit]]\nid = \"M-Emir\"")); }).find("COL-2.4"),
      std::string::npos);
}

// ---- Under the camera ----

// A table of 18 by 12 squares of 50 mm with a General on each side.
struct Table {
  Scenario scenario;
  TableFrame frame{18, 12, 50 / 25.4};
  std::vector<StandObservation> stands;
  Table() {
    scenario.ruleset = "colonial";
    scenario.sides = {{"Blue", {}, Facing::kSouth}, {"Red", {}, Facing::kNorth}};
    for (const auto& [name, depth_mm] : {std::pair<const char*, double>{"regular_infantry", 20},
                                         {"regular_cavalry", 30},
                                         {"field_artillery", 40},
                                         {"command_foot", 20}}) {
      KindSpec kind;
      kind.name = name;
      kind.footprint = {40 / 25.4, depth_mm / 25.4};
      scenario.kinds.push_back(kind);
    }
    Stand("BG", 0, 3, "A1");
    Stand("RG", 1, 3, "R12");
  }
  // In the middle of its square or `back_mm` behind it.
  void Stand(const char* id, int side, int kind, const char* square, double back_mm = 0) {
    UnitSpec unit;
    unit.id = id;
    unit.side = side;
    unit.kind = kind;
    unit.stands = 1;
    unit.square = *ParseSquare(square);
    unit.facing = side == 0 ? Facing::kNorth : Facing::kSouth;
    scenario.units.push_back(unit);
    StandObservation seen;
    seen.stand = {std::string(id) + "#1"};
    seen.kind = kind;
    seen.side = side;
    const double heading = HeadingFromBearing(side == 0 ? 0 : 180);
    seen.table_from_stand = {frame.CentreOf(unit.square), heading};
    seen.table_from_stand.origin.y += (side == 0 ? -1 : 1) * back_mm / 25.4;
    stands.push_back(seen);
  }
  MoveRuling Moved(std::vector<StandId> pieces, const char* from, const char* to,
                   double bearing_deg = 0) const {
    const auto ruling =
        JudgeMoveUnderRules({std::move(pieces), *ParseSquare(from), *ParseSquare(to), bearing_deg},
                            stands, scenario, frame);
    EXPECT_TRUE(ruling.ok()) << ruling.error().message;
    EXPECT_TRUE(ruling.value());
    return ruling.value().value_or(MoveRuling{});
  }
};

TEST(ColonialSeen, StandJoiningAFriendIsPlacedAsSeen) {  // COL-1.3
  for (const double ahead_mm : {20.0, -20.0}) {
    Table t;
    t.Stand("B1", 0, 0, "D4");
    t.Stand("B2", 0, 0, "D5");
    SeenMove seen{{{"B1#1"}}, *ParseSquare("D4"), *ParseSquare("D5"), 0};
    StandObservation now = t.stands.back();
    now.stand = {"B1#1"};
    now.table_from_stand.origin.y += ahead_mm / 25.4;
    seen.after = {now};
    const auto ruling = JudgeMoveUnderRules(seen, t.stands, t.scenario, t.frame);
    ASSERT_TRUE(ruling.ok());
    EXPECT_EQ(ruling.value()->line,
              ahead_mm > 0 ? "move B1 via D5 facing N ahead" : "move B1 via D5 facing N");
  }
}

TEST(ColonialSeen, ReportsTheCostOrTheRefusingClause) {  // COL-5.1, 5.3, 5.5, 5.6, 1.3
  Table t;
  t.Stand("B1", 0, 0, "D4");
  t.Stand("B2", 0, 2, "H4");
  t.Stand("B3", 0, 1, "L4");
  t.Stand("R1", 1, 0, "H7");
  EXPECT_EQ(t.Moved({{"B1#1"}}, "D4", "F6").text, "B1#1 from D4 to F6: 2 of 2 squares (COL-5.1)");
  EXPECT_EQ(t.Moved({{"B1#1"}}, "D4", "F6").line, "move B1 via E5 F6 facing N");
  const MoveRuling too_far = t.Moved({{"B1#1"}}, "D4", "D7");
  ASSERT_TRUE(too_far.refused);
  EXPECT_EQ(too_far.refused->clause, "COL-5.1");
  EXPECT_TRUE(too_far.refused->may_overrule);
  EXPECT_EQ(t.Moved({{"B2#1"}}, "H4", "H6").refused->clause, "COL-5.5");
  // Into the square of a gun: no room.
  EXPECT_EQ(t.Moved({{"B3#1"}}, "L4", "H4").refused->clause, "COL-1.3");
  TerrainArea wood;
  wood.type = "wood";
  const double side = t.frame.square_in;
  wood.polygon = {
      {11 * side, 4 * side}, {12 * side, 4 * side}, {12 * side, 5 * side}, {11 * side, 5 * side}};
  t.scenario.terrain = {wood};  // L5
  EXPECT_EQ(t.Moved({{"B3#1"}}, "L4", "L5").refused->clause, "COL-5.6");
  EXPECT_FALSE(t.Moved({{"B3#1"}}, "L4", "L6").refused);  // around it
}

TEST(ColonialSeen, BeatenStandMayWithdrawBeyondItsMove) {  // COL-5.11
  Table t;
  t.Stand("B1", 0, 0, "D4");
  t.Stand("R1", 1, 0, "D5");
  t.Stand("R2", 1, 0, "D2");  // and behind: only the fourth square back would be clear
  const MoveRuling back = t.Moved({{"R1#1"}}, "D5", "D6", 180);
  EXPECT_FALSE(back.refused);
  t.Stand("B2", 0, 0, "D8");
  t.Stand("B3", 0, 0, "A8");
  t.Stand("B4", 0, 0, "G8");
  const MoveRuling far = t.Moved({{"R1#1"}}, "D5", "C9", 180);
  EXPECT_TRUE(far.refused || far.text.find("COL-5.11") != std::string::npos) << far.text;
}

TEST(ColonialSeen, PairMovesTogetherFrontStandAhead) {  // COL-1.3, COL-3.4
  Table t;
  t.Stand("B2", 0, 0, "D4", 12);
  t.Stand("B1", 0, 0, "D4", -12);
  const MoveRuling pair = t.Moved({{"B2#1"}, {"B1#1"}}, "D4", "D6");
  EXPECT_FALSE(pair.refused);
  EXPECT_EQ(pair.line, "move B1 B2 via D5 D6 facing N");
}

TEST(ColonialSeen, ReadsWallsAndHillsFromOutlines) {  // COL-1.4, COL-5.6, COL-5.8
  Table t;
  t.Stand("B3", 0, 1, "D4");
  t.Stand("B1", 0, 0, "J4");
  const double side = t.frame.square_in;
  TerrainArea wall;
  wall.type = "wall";  // along the edge between D4 and D5, and beyond it on both sides
  wall.polygon = {{2 * side, 4 * side - 0.1},
                  {5 * side, 4 * side - 0.1},
                  {5 * side, 4 * side + 0.1},
                  {2 * side, 4 * side + 0.1}};
  TerrainArea hill;
  hill.type = "hill";
  hill.polygon = {
      {9 * side, 4 * side}, {10 * side, 4 * side}, {10 * side, 6 * side}, {9 * side, 6 * side}};
  t.scenario.terrain = {wall, hill, hill};
  // Cavalry can reach it around the wall; it cannot go straight over the wall.
  EXPECT_EQ(t.Moved({{"B3#1"}}, "D4", "D5").text, "B3#1 from D4 to D5: 4 of 4 squares (COL-5.1)");
  EXPECT_EQ(t.Moved({{"B1#1"}}, "J4", "J5").refused->clause, "COL-5.8");  // two contours
}

TEST(ColonialSeen, RemarksOnTheArmyAndDoubtfulPlaces) {  // COL-2.4, COL-1.2, COL-1.6, COL-1.5
  Table t;
  const auto remarks = [&] { return CheckSetupUnderRules(t.stands, t.scenario, t.frame).value(); };
  EXPECT_TRUE(remarks().empty());
  t.stands[1].table_from_stand.heading_rad = HeadingFromBearing(137);
  ASSERT_EQ(remarks().size(), 1u);
  EXPECT_EQ(remarks()[0], "RG#1 faces between S and E: say which it faces (COL-1.6)");
  t.stands[1].table_from_stand.heading_rad = HeadingFromBearing(180);
  t.stands[1].table_from_stand.origin.x = 17 * t.frame.square_in + 0.04;
  EXPECT_EQ(remarks()[0], "RG#1 stands on a grid line: say which square it is in (COL-1.2)");
  // A club may change the limits of doubt in its settings.
  const fos::test::TempDir dir;
  dir.Write("club.toml",
            "schema = \"fall-of-shot/rules-settings/1\"\nruleset = \"colonial\"\n"
            "[settings]\ngrid_line_doubt_mm = 1\n");
  t.scenario.club = {dir.path(), {}, "club.toml"};
  EXPECT_TRUE(remarks().empty());
  t.scenario.club = {};
  t.scenario.kinds[0].footprint = {40 / 25.4, 31 / 25.4};
  EXPECT_NE(remarks()[1].find("looks like cavalry (COL-1.5)"), std::string::npos) << remarks()[1];
  t.stands.pop_back();
  EXPECT_NE(remarks()[0].find("Command stands"), std::string::npos);
}

TEST(ColonialSeen, ADismountedUnitKeepsTheValueOfWhatItRides) {  // COL-2.1
  Table t;
  t.Stand("B1", 0, 0, "D4");
  t.scenario.kinds[0].name = "dismounted_cavalry";
  const auto points = [&] {
    const auto setup = SetupOf(t.scenario, t.frame);
    EXPECT_TRUE(setup.ok()) << setup.error().message;
    return PointsOf(**setup, setup.value()->stands.back());
  };
  EXPECT_EQ(points(), 0);
  t.scenario.units.back().mounted = "regular_cavalry";
  EXPECT_EQ(points(), 3);
  t.scenario.units.back().mounted = "native_cavalry";
  EXPECT_EQ(points(), 2);
  for (const char* none : {"regular_infantry", "camels"}) {
    t.scenario.units.back().mounted = none;
    EXPECT_FALSE(SetupOf(t.scenario, t.frame).ok()) << none;
  }
  t.scenario.kinds[0].name = "regular_infantry";
  t.scenario.units.back().mounted = "regular_cavalry";
  EXPECT_FALSE(SetupOf(t.scenario, t.frame).ok());
}

TEST(ColonialSeen, PlaysTheProposedLine) {  // COL-3.3
  Table t;
  t.Stand("B1", 0, 0, "D4");
  auto game = fos::OpenSeenGame(t.scenario, t.frame, 1);
  ASSERT_TRUE(game.ok()) << game.error().message;
  // Generals, initiative, activations.
  for (const char* line : {"dice 6", "dice 3", "dice 9 2", "dice 5"})
    EXPECT_FALSE((*game)->Play(line).value().refused) << line;
  EXPECT_FALSE((*game)->Play(t.Moved({{"B1#1"}}, "D4", "F6").line).value().refused);
  ShotObservation shot;
  shot.point = t.frame.CentreOf(*ParseSquare("D4"));
  ProjectileSpec swab;
  const auto verdict = JudgeShotUnderRules(shot, t.stands, swab, t.scenario, t.frame, {});
  ASSERT_TRUE(verdict.ruling);
  EXPECT_TRUE(verdict.ruling->no_effect);
}

}  // namespace
}  // namespace fos::colonial::test
