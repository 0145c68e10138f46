// SPDX-License-Identifier: MIT
#include "calibration/print/print_sheets.h"

#include <gtest/gtest.h>
#include <opencv2/aruco/charuco.hpp>
#include <opencv2/imgcodecs.hpp>
#include <regex>

#include "tests/support/shell_run.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

bool Black(const std::vector<InkRect>& ink, double x, double y) {
  for (const InkRect& r : ink) {
    if (x >= r.x_in && y >= r.y_in && x < r.x_in + r.width_in && y < r.y_in + r.height_in) {
      return true;
    }
  }
  return false;
}

// What is printed is what the camera will look for: OpenCV's own drawing, cell by cell.
TEST(CharucoInk, IsOpenCvsBoard) {
  for (const auto& [columns, rows] : {std::pair{9, 6}, {5, 7}, {4, 4}}) {
    const CharucoSpec spec{columns, rows, 1.0, 0.75, "DICT_5X5_100"};
    const auto ink = CharucoInk(spec);
    ASSERT_TRUE(ink.ok()) << ink.error().message;
    const auto board = cv::aruco::CharucoBoard::create(
        columns, rows, 1.0F, 0.75F, cv::aruco::getPredefinedDictionary(cv::aruco::DICT_5X5_100));
    // 56 pixels a square make a module of the marker 6 pixels.
    constexpr int kSquare_px = 56;
    cv::Mat drawn;
    board->draw({columns * kSquare_px, rows * kSquare_px}, drawn, 0, 1);
    int black = 0;
    for (int y = 0; y < drawn.rows; y += 3) {
      for (int x = 0; x < drawn.cols; x += 3) {
        // Away from edges, where the drawing rounds to pixels.
        const cv::Rect about(std::max(0, x - 1), std::max(0, y - 1), 3, 3);
        const cv::Rect inside = about & cv::Rect({}, drawn.size());
        double low = 0, high = 0;
        cv::minMaxLoc(drawn(inside), &low, &high);
        if (low != high) continue;
        const bool expected = low == 0;
        black += expected ? 1 : 0;
        EXPECT_EQ(Black(*ink, (x + 0.5) / kSquare_px, (y + 0.5) / kSquare_px), expected)
            << x << ' ' << y;
      }
    }
    EXPECT_GT(black, 100);
  }
}

TEST(MarkerInk, HasABlackBorderAndTheRightSize) {
  const auto ink = MarkerInk("DICT_4X4_50", 7, 2.0);
  ASSERT_TRUE(ink.ok());
  for (double t = 0.01; t < 2; t += 0.1) {
    EXPECT_TRUE(Black(*ink, t, 0.1));
    EXPECT_TRUE(Black(*ink, t, 1.9));
    EXPECT_TRUE(Black(*ink, 0.1, t));
    EXPECT_TRUE(Black(*ink, 1.9, t));
  }
  for (const InkRect& r : *ink) {
    EXPECT_LE(r.x_in + r.width_in, 2.0 + 1e-9);
    EXPECT_LE(r.y_in + r.height_in, 2.0 + 1e-9);
  }
  EXPECT_FALSE(MarkerInk("DICT_4X4_50", 50, 2.0).ok());
  EXPECT_FALSE(MarkerInk("DICT_4X4_50", -1, 2.0).ok());
  EXPECT_FALSE(MarkerInk("DICT_4X4_50", 1, 0).ok());
  EXPECT_FALSE(MarkerInk("DICT", 1, 2.0).ok());
}

TEST(SheetsPdf, IsAPdfForBothPapers) {
  TableSpec table;
  table.frame = {12, 9, 4.0};
  table.fiducials =
      FiducialSpec{"DICT_4X4_50",
                   2.0,
                   {{0, {-1.5, -1.5}}, {1, {49.5, -1.5}}, {2, {49.5, 37.5}}, {3, {-1.5, 37.5}}}};
  table.charuco = CharucoSpec{9, 6, 1.0, 0.75, "DICT_5X5_100"};
  Scenario scenario;
  scenario.sides.push_back({"French", {47, 79, 168}, Facing::kSouth});
  for (int i = 0; i < 20; ++i) {
    KindSpec kind;
    kind.name = "kind";
    kind.footprint = {1.5, 0.75};
    kind.bar_depth_in = 0.18;
    scenario.kinds.push_back(kind);
  }
  for (const Paper paper : {kA4, kLetter}) {
    const auto pdf = SheetsPdf(table, &scenario, paper);
    ASSERT_TRUE(pdf.ok()) << pdf.error().message;
    EXPECT_TRUE(pdf->starts_with("%PDF-"));
    EXPECT_NE(pdf->find("%%EOF"), std::string::npos);
  }
  // The board for the lens is printed for a table that describes none, too.
  const auto plain = SheetsPdf(TableSpec{{12, 9, 4.0}, {}, {}}, nullptr, kA4);
  ASSERT_TRUE(plain.ok()) << plain.error().message;
  EXPECT_NE(plain->find("/Count 2"), std::string::npos);  // the template is the other page
  table.charuco->square_length_in = 3;
  const auto large = SheetsPdf(table, nullptr, kA4);
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, ErrorCode::kOutOfRange);
}

// The rulers share the page's foot; the words of one lay on the other's last inch.
TEST(SheetsPdf, NoWordsTouchARuler) {
  if (test::RunInShell("command -v pdftoppm").status != 0) GTEST_SKIP() << "install poppler-utils";
  const test::TempDir dir;
  for (const auto& [paper, height_in] : {std::pair{kA4, 297 / 25.4}, {kLetter, 11.0}}) {
    const auto pdf = SheetsPdf(TableSpec{{12, 9, 4.0}, {}, {}}, nullptr, paper);
    ASSERT_TRUE(pdf.ok()) << pdf.error().message;
    const std::string file = dir.Write("sheets.pdf", *pdf);
    const std::string page = (dir.path() / "page").string();
    constexpr int kDotsPerInch = 200;
    // The last page is upright.
    const auto drawn =
        test::RunInShell("pdftoppm -gray -r 200 -f 2 -l 2 -singlefile " + file + " " + page);
    ASSERT_EQ(drawn.status, 0) << drawn;
    const cv::Mat ink = cv::imread(page + ".pgm", cv::IMREAD_GRAYSCALE);
    ASSERT_FALSE(ink.empty());
    // Around the mark of four inches, above it and below the other ruler.
    const cv::Rect2d above(4.4, height_in - 0.5 - 0.25, 0.2, 0.08);
    const cv::Mat part = ink(cv::Rect(above.tl() * kDotsPerInch, above.br() * kDotsPerInch));
    double darkest = 0;
    cv::minMaxLoc(part, &darkest, nullptr);
    EXPECT_GT(darkest, 200) << height_in;
  }
}

// A name may be wider than the base above it.
TEST(SheetsPdf, NamesOfSidesStandApart) {
  if (test::RunInShell("command -v pdftotext").status != 0) GTEST_SKIP() << "install poppler-utils";
  const test::TempDir dir;
  Scenario scenario;
  for (const char* name : {"Österreichisch-Kaiserliche", "Preußisch-Hannoversche", "Sachsen"})
    scenario.sides.push_back({name, {47, 79, 168}, Facing::kSouth});
  KindSpec kind;
  kind.name = "foot";
  kind.footprint = {0.6, 0.6};
  kind.bar_depth_in = 0.18;
  scenario.kinds.push_back(kind);
  const auto pdf = SheetsPdf(TableSpec{{12, 9, 4.0}, {}, {}}, &scenario, kA4);
  ASSERT_TRUE(pdf.ok()) << pdf.error().message;
  const std::string file = dir.Write("sheets.pdf", *pdf);
  const auto words = test::RunInShell("pdftotext -layout " + file + " -");
  ASSERT_EQ(words.status, 0) << words;
  EXPECT_TRUE(std::regex_search(
      words.out, std::regex("Österreichisch-Kaiserliche +Preußisch-Hannoversche +Sachsen")))
      << words;
}

}  // namespace
}  // namespace fos
