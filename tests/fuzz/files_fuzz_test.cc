// SPDX-License-Identifier: MIT
// Spoilt table.toml, scenario.toml and events.jsonl: whatever comes, the readers answer, and what
// they accept keeps the promises of the words it is read into.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "engine/files/event_log.h"
#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "engine/game/rule_game.h"
#include "tests/fuzz/spoilt.h"
#include "tests/support/clip_files.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

constexpr int kRounds = 800;

TEST(FilesFuzz, SpoiltTables) {
  const test::TempDir dir;
  std::mt19937 chance(20240501);
  int accepted = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = test::Spoilt(test::kTableToml, chance);
    const Result<TableSpec> table = ReadTable(dir.Write("table.toml", text));
    if (!table.ok()) {
      EXPECT_EQ(table.error().message.find('\n'), std::string::npos) << table.error().message;
      continue;
    }
    ++accepted;
    EXPECT_TRUE(table->frame.Width() > 0 && table->frame.Width() <= 480) << text;
    EXPECT_TRUE(table->frame.Depth() > 0 && table->frame.Depth() <= 480) << text;
    if (table->fiducials) {
      for (const FiducialMarker& marker : table->fiducials->markers) {
        EXPECT_TRUE(std::isfinite(marker.centre.x) && std::isfinite(marker.centre.y)) << text;
        EXPECT_GE(marker.id, 0);
      }
    }
  }
  // Changed comments, spaces and digits leave a valid file now and then: the test does spoil
  // lightly enough to get past the parser.
  EXPECT_GT(accepted, kRounds / 100);
  EXPECT_LT(accepted, kRounds / 2);
}

TEST(FilesFuzz, SpoiltScenarios) {
  const test::TempDir dir;
  const TableFrame frame{12, 9, 4.0};
  std::mt19937 chance(20240502);
  int accepted = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = test::Spoilt(test::kScenarioToml, chance);
    const Result<Scenario> s = ReadScenario(dir.Write("scenario.toml", text), frame);
    if (!s.ok()) {
      EXPECT_EQ(s.error().message.find('\n'), std::string::npos) << s.error().message;
      continue;
    }
    ++accepted;
    EXPECT_FALSE(s->sides.empty() || s->kinds.empty()) << text;
    for (const UnitSpec& unit : s->units) {
      EXPECT_TRUE(unit.side >= 0 && unit.side < static_cast<int>(s->sides.size())) << text;
      EXPECT_TRUE(unit.kind >= 0 && unit.kind < static_cast<int>(s->kinds.size())) << text;
      EXPECT_TRUE(frame.Contains(unit.square)) << text;
    }
    for (const TerrainArea& area : s->terrain) EXPECT_GE(area.polygon.size(), 3u) << text;
    // What was accepted can be written, and reads as the same again. (Sizes below a ten-thousandth
    // of an inch are written as none, which a reader may refuse.)
    const std::string written = ScenarioText(*s);
    const Result<Scenario> again = ParseScenario(written, "again", frame);
    if (again.ok()) {
      EXPECT_EQ(ScenarioText(*again), written) << text;
    } else {
      EXPECT_EQ(again.error().code, ErrorCode::kOutOfRange) << again.error().message << '\n'
                                                            << text;
    }
  }
  EXPECT_GT(accepted, kRounds / 100);
  EXPECT_LT(accepted, kRounds / 2);
}

// What was read from a spoilt line can be written, and reads as the same line again.
TEST(FilesFuzz, SpoiltEvents) {
  const std::string_view kLines[] = {
      R"({"type":"stands","frame":0,"time":0.0,"stands":[{"id":"F-1L1#3","unit":"F-1L1","side":"French","kind":"line","square":"C2","x":10.0,"y":6.5,"bearing":0.0,"polygon":[[9.25,6.875],[10.75,6.875],[10.75,6.125],[9.25,6.125]],"sigma":0.0123,"visible":0.61}]})",
      R"({"type":"verdict","frame":7,"time":0.0,"shot":1,"stands":[{"id":"F-1L1#3","side":"French","kind":"line","rule":"circle","distance":0.5,"sigma":0.02,"p_hit":1.0,"call":"hit"}],"casualties":["F-1L1#3"],"choice":true,"terrain":{"square":"C2","lies_on":["wood"],"protected":true,"water":false,"burning_test":["tree"]},"text":"A swab in C2."})",
      R"({"type":"stand_moved","frame":8,"time":0.2,"id":"a","from":{"square":"C2","x":1.0,"y":2.0,"bearing":0.0},"to":{"square":"C2","x":1.0,"y":2.0,"bearing":0.0}})",
      R"({"type":"dice","frame":9,"time":0.3,"values":[4,11],"centres":[[1.0,2.0],[3.0,4.0]],"faces":[6,12],"chances":[0.99,0.98],"asked":[{"centre":[5.0,6.0],"cocked":false,"values":[9,6],"chances":[0.6,0.4],"faces":12}]})",
      R"({"type":"end","frame":12,"time":0.4,"frames":13,"seconds_of_work":2.5,"stage_ms":{"decode":{"median":1.5,"p99":3.25}}})"};
  std::mt19937 chance(20240503);
  int accepted = 0;
  for (int round = 0; round < 4 * kRounds; ++round) {
    const Result<std::optional<EventRecord>> read =
        ParseEventLine(test::Spoilt(kLines[chance() % std::size(kLines)], chance));
    if (!read.ok() || !read->has_value()) continue;
    ++accepted;
    const Result<std::string> line = EventLine(**read);
    if (!line.ok()) continue;  // a number too large to round
    const Result<std::optional<EventRecord>> again = ParseEventLine(*line);
    ASSERT_TRUE(again.ok() && again->has_value()) << *line;
    if (const auto* dice = std::get_if<DiceEvent>(&(**read).body)) (void)DiceText(*dice);
    EXPECT_EQ(*EventLine(**again), *line);
  }
  EXPECT_GT(accepted, kRounds / 20);
}

TEST(FilesFuzz, DeepAndEndlessNesting) {
  const test::TempDir dir;
  for (const char* bracket : {"[", "{a=", "[[", "a.", "(", "\"\"\"", "[a."}) {
    std::string text = "k = ";
    for (int i = 0; i < 200000 && text.size() < 1000000; ++i) text += bracket;
    EXPECT_FALSE(ReadTable(dir.Write("table.toml", text)).ok()) << bracket;
    EXPECT_FALSE(ParseEventLine(text.substr(4)).ok()) << bracket;
  }
}

// Every table of every game misspelt, and left out: what reads the rest must not take it for there.
TEST(FilesFuzz, GamesWithATableMisspeltOrLeftOut) {
  const test::TempDir dir;
  int refused = 0;
  for (const auto& one : std::filesystem::directory_iterator(
           std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios")) {
    if (one.path().extension() != ".toml") continue;
    std::ifstream in(one.path());
    std::ostringstream all;
    all << in.rdbuf();
    const std::string text = "\n" + all.str();
    for (std::size_t at = 0; (at = text.find("\n[", at)) != std::string::npos; ++at) {
      const std::size_t name = text.find_first_not_of("[", at + 1);
      std::string misspelt = text;
      misspelt[name] = 'q';
      const std::size_t next = std::min(text.find("\n[", at + 1), text.size());
      const std::string without = text.substr(0, at) + text.substr(next);
      for (const std::string& spoilt : {misspelt, without}) {
        const auto game = OpenGame(dir.Write("game.toml", spoilt), 5);
        if (game.ok()) continue;
        ++refused;
        EXPECT_EQ(game.error().message.find('\n'), std::string::npos) << game.error().message;
      }
    }
  }
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace fos
