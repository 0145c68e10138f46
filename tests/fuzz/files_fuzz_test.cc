// Spoilt table.toml and scenario.toml: whatever comes, the readers answer, and what they accept
// keeps the promises of the words it is read into.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "tests/support/clip_files.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

constexpr int kRounds = 1500;

// A few bytes changed, cut, doubled, or replaced by text that TOML gives a meaning to.
std::string Spoilt(std::string_view text, std::mt19937& chance) {
  static constexpr std::string_view kPieces[] = {"nan",
                                                 "-inf",
                                                 "1e999",
                                                 "[",
                                                 "]",
                                                 "{",
                                                 "}",
                                                 "\"",
                                                 "'''",
                                                 "=",
                                                 ".",
                                                 "#",
                                                 "\n",
                                                 "\0\xff",
                                                 "\xef\xbb\xbf",
                                                 "99999999999999999999",
                                                 "-0",
                                                 "0x7fffffffffffffff",
                                                 "[[unit]]",
                                                 "[board]",
                                                 "true",
                                                 "1979-05-27T07:32:00Z",
                                                 "\\u0000",
                                                 ",",
                                                 "é"};
  std::string out(text);
  const int edits = 1 + static_cast<int>(chance() % 4);
  for (int i = 0; i < edits && !out.empty(); ++i) {
    const std::size_t at = chance() % out.size();
    const std::size_t length = 1 + chance() % 12;
    switch (chance() % 6) {
      case 0:
        out[at] = static_cast<char>(chance() % 256);
        break;
      case 1:
        out.erase(at, length);
        break;
      case 2:
        out.insert(at, kPieces[chance() % std::size(kPieces)]);
        break;
      case 3:
        out.replace(at, std::min(length, out.size() - at), kPieces[chance() % std::size(kPieces)]);
        break;
      case 4: {  // another digit: what gets past the parser to the checks of ranges
        const std::size_t digit = out.find_first_of("0123456789", at);
        if (digit != std::string::npos) out[digit] = static_cast<char>('0' + chance() % 10);
        break;
      }
      default:
        out.insert(at, out.substr(at, length * 8));
    }
  }
  return out;
}

TEST(FilesFuzz, SpoiltTables) {
  const test::TempDir dir;
  std::mt19937 chance(20240501);
  int accepted = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = Spoilt(test::kTableToml, chance);
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
    const std::string text = Spoilt(test::kScenarioToml, chance);
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
  }
  EXPECT_GT(accepted, kRounds / 100);
  EXPECT_LT(accepted, kRounds / 2);
}

TEST(FilesFuzz, DeepAndEndlessNesting) {
  const test::TempDir dir;
  for (const char* bracket : {"[", "{a=", "[[", "a.", "(", "\"\"\"", "[a."}) {
    std::string text = "k = ";
    for (int i = 0; i < 200000 && text.size() < 1000000; ++i) text += bracket;
    EXPECT_FALSE(ReadTable(dir.Write("table.toml", text)).ok()) << bracket;
  }
}

}  // namespace
}  // namespace fos
