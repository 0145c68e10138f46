// SPDX-License-Identifier: MIT
#include "engine/files/table_file.h"

#include <gtest/gtest.h>

#include "tests/support/clip_files.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

using test::kTableToml;
using test::Replaced;

Result<TableSpec> ReadTableText(const std::string& text) {
  const test::TempDir dir;
  return ReadTable(dir.Write("table.toml", text));
}

TEST(TableFile, ReadsEverything) {
  const Result<TableSpec> table = ReadTableText(std::string(kTableToml));
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_EQ(table->frame.columns, 12);
  EXPECT_EQ(table->frame.rows, 9);
  EXPECT_EQ(table->frame.square_in, 4.0);
  ASSERT_TRUE(table->fiducials);
  EXPECT_EQ(table->fiducials->dictionary, "DICT_4X4_50");
  EXPECT_EQ(table->fiducials->size_in, 2.0);
  ASSERT_EQ(table->fiducials->markers.size(), 4u);
  EXPECT_EQ(table->fiducials->markers[2].id, 2);
  EXPECT_EQ(table->fiducials->markers[2].centre, (Vec2{49.5, 37.5}));
  ASSERT_TRUE(table->charuco);
  EXPECT_EQ(table->charuco->squares_x, 9);
  EXPECT_EQ(table->charuco->squares_y, 6);
  EXPECT_EQ(table->charuco->square_length_in, 1.0);
  EXPECT_EQ(table->charuco->marker_length_in, 0.75);
  EXPECT_EQ(table->charuco->dictionary, "DICT_5X5_100");
}

TEST(TableFile, FiducialsAndCharucoAreOptional) {
  const Result<TableSpec> table =
      ReadTableText("[board]\ncolumns = 18\nrows = 12\nsquare = 1.9685\n");
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_FALSE(table->fiducials);
  EXPECT_FALSE(table->charuco);
}

struct BadEdit {
  const char* from;
  const char* to;
  ErrorCode code;
  const char* says;
};
class BadTable : public testing::TestWithParam<BadEdit> {};

TEST_P(BadTable, IsRefusedWithLineAndRemedy) {
  const Result<TableSpec> table =
      ReadTableText(Replaced(kTableToml, GetParam().from, GetParam().to));
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(table.error().code, GetParam().code);
  EXPECT_NE(table.error().message.find(GetParam().says), std::string::npos)
      << table.error().message;
  EXPECT_EQ(table.error().message.find('\n'), std::string::npos) << "one line";
}

INSTANTIATE_TEST_SUITE_P(
    All, BadTable,
    testing::Values(
        BadEdit{"[board]", "[bord]", ErrorCode::kBadFormat,
                "table.toml:1: unknown key `bord` in the file; the nearest known key is `board`"},
        BadEdit{
            "columns = 12", "colums = 12", ErrorCode::kBadFormat,
            "table.toml:2: unknown key `colums` in [board]; the nearest known key is `columns`"},
        BadEdit{"columns = 12\n", "", ErrorCode::kBadFormat,
                "table.toml:1: [board] lacks `columns`"},
        BadEdit{"columns = 12", "columns = 12.5", ErrorCode::kBadFormat, "want a whole number"},
        BadEdit{"columns = 12", "columns = 0", ErrorCode::kOutOfRange,
                "table.toml:2: `columns` of [board] is 0; want 1 to 200"},
        BadEdit{"columns = 12", "columns = 201", ErrorCode::kOutOfRange, "want 1 to 200"},
        BadEdit{"columns = 12\nrows = 9\nsquare = 4.0", "columns = 200\nrows = 200\nsquare = 1.0",
                ErrorCode::kOutOfRange,
                "table.toml:2: [board] has 200 x 200 squares, 40000 in all; want at most 10000"},
        BadEdit{"square = 4.0", "square = nan", ErrorCode::kOutOfRange,
                "`square` of [board] is nan"},
        BadEdit{"square = 4.0", "square = 45.0", ErrorCode::kOutOfRange,
                "table.toml:4: [board] is 540 in long"},
        BadEdit{"square = 4.0", "square = \"4\"", ErrorCode::kBadFormat,
                "is a string; want a number"},
        BadEdit{"[fiducials]", "[fiducial]", ErrorCode::kBadFormat, "unknown key `fiducial`"},
        BadEdit{"DICT_4X4_50", "DICT_4X4_51", ErrorCode::kBadFormat,
                "the nearest is `DICT_4X4_50`"},
        BadEdit{"size = 2.0", "size = 200", ErrorCode::kOutOfRange, "want 0.25 to 24"},
        BadEdit{"id = 3", "id = 50", ErrorCode::kOutOfRange,
                "`id` of [[marker]] is 50; want 0 to 49"},
        BadEdit{"id = 3", "id = -1", ErrorCode::kOutOfRange, "want 0 to 49"},
        BadEdit{"id = 3", "id = 2", ErrorCode::kBadFormat,
                "table.toml:19: marker 2 is listed twice"},
        BadEdit{"centre = [-1.5, 37.5]", "centre = [49.5, 36]", ErrorCode::kOutOfRange,
                "overlap (1.50 in apart)"},
        BadEdit{"centre = [-1.5, 37.5]", "centre = [-1.5]", ErrorCode::kBadFormat, "want [x, y]"},
        BadEdit{"centre = [-1.5, 37.5]", "centre = [-1.5, inf]", ErrorCode::kOutOfRange, "is inf"},
        BadEdit{"centre = [-1.5, 37.5]", "center = [-1.5, 37.5]", ErrorCode::kBadFormat,
                "unknown key `center` in [[marker]]; the nearest known key is `centre`"},
        BadEdit{"squares_x = 9", "squares_x = 1", ErrorCode::kOutOfRange, "want 2 to 60"},
        BadEdit{"squares_x = 9", "squares_x = 60", ErrorCode::kOutOfRange,
                "needs 180 markers and DICT_5X5_100 has 100"},
        BadEdit{"marker_length = 0.75", "marker_length = 1.0", ErrorCode::kOutOfRange,
                "want less than `square_length`"},
        BadEdit{"[charuco]", "[[charuco]]", ErrorCode::kBadFormat, "want a table [charuco]"},
        BadEdit{"rows = 9", "rows = 9\nrows = 9", ErrorCode::kBadFormat, "not TOML"}));

std::string WithTray(const std::string& tray) { return std::string(kTableToml) + "\n" + tray; }

TEST(TableFile, ReadsTraysAndWritesThemBack) {
  const Result<TableSpec> table = ReadTableText(
      WithTray("[[tray]]\ncentre = [56, 12.25]\nsize = [10, 8]\n"
               "[[tray]]\ncentre = [4, 4]\nsize = [4, 4]\n"));
  ASSERT_TRUE(table.ok()) << table.error().message;
  const std::vector<TraySpec> wanted = {{{56, 12.25}, {10, 8}}, {{4, 4}, {4, 4}}};
  EXPECT_EQ(table->trays, wanted);
  const Result<TableSpec> again = ReadTableText(TableText(*table));
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->trays, wanted);
  EXPECT_EQ(TableText(*again), TableText(*table));
}

TEST(TableFile, RefusesTraysThatCannotBe) {
  const auto said = [](const std::string& tray) {
    const Result<TableSpec> table = ReadTableText(WithTray(tray));
    return table.ok() ? std::string("read") : table.error().message;
  };
  const auto expect = [&](const std::string& tray, const char* words) {
    const std::string message = said(tray);
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << "one line";
  };
  expect("[[tray]]\ncentre = [56, 12]\n", "lacks `size`");
  expect("[[tray]]\ncentre = [56, 12]\nsize = [10]\n", "want [x, y]");
  expect("[[tray]]\ncentre = [56, 12]\nsize = [10, 1]\n", "table.toml:31: ");
  expect("[[tray]]\ncentre = [400, 12]\nsize = [10, 8]\n", "`centre` of [[tray]]");
  expect("[[tray]]\ncenter = [56, 12]\nsize = [10, 8]\n", "the nearest known key is `centre`");
  expect("[[tray]]\ncentre = [48, 0]\nsize = [4, 4]\n", "the tray lies on marker 1");
  expect(
      "[[tray]]\ncentre = [56, 12]\nsize = [10, 8]\n[[tray]]\ncentre = [60, 15]\nsize = [4, 4]\n",
      "two trays overlap");
  expect("[[tray]]\ncentre = [24, 18]\nsize = [40, 30]\n", "covers more than half of the board");
  std::string many;
  for (int i = 0; i < 9; ++i)
    many += "[[tray]]\ncentre = [" + std::to_string(4 + 3 * i) + ", 10]\nsize = [2, 2]\n";
  expect(many, "more than 8 trays");
}

TEST(TableFile, RefusesFiducialsWithoutMarkers) {
  const auto table = ReadTableText(
      "[board]\ncolumns = 12\nrows = 9\nsquare = 4.0\n[fiducials]\ndictionary = \"DICT_4X4_50\"\n"
      "size = 2.0\n");
  ASSERT_FALSE(table.ok());
  EXPECT_NE(table.error().message.find("table.toml:5: [fiducials] lists no [[fiducials.marker]]"),
            std::string::npos)
      << table.error().message;
}

}  // namespace
}  // namespace fos
