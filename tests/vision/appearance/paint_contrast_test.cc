// SPDX-License-Identifier: MIT
#include "vision/appearance/paint_contrast.h"

#include <gtest/gtest.h>

#include "datasets/render/synthetic.h"

namespace fos {
namespace {

PaintContrast ContrastOf(const SyntheticOptions& options) {
  const SyntheticTable made = RenderTable(options);
  return ComparePaints(made.bgr, made.camera, made.table.frame, made.stands, made.scenario);
}

TEST(ComparePaints, AcceptsPaintsThatDiffer) {
  const PaintContrast contrast = ContrastOf({});
  EXPECT_EQ(contrast.seen.size(), 3U);
  EXPECT_TRUE(contrast.doubts.empty()) << ContrastText(contrast);
  EXPECT_TRUE(contrast.unseen.empty());
  EXPECT_TRUE(ContrastText(contrast).empty());
  for (const PaintSeen& seen : contrast.seen) EXPECT_GT(seen.stands, 0) << seen.name;
}

// A warm lamp at one end and a window at the other change both paints alike from west to east: at
// any one place they differ as they did.
TEST(ComparePaints, AcceptsDifferentPaintsUnderUnevenLight) {
  SyntheticTable made = RenderTable({.paints = {Colour{116, 112, 112}, Colour{140, 99, 97}}});
  for (int x = 0; x < made.bgr.cols; ++x) {
    const double east = static_cast<double>(x) / made.bgr.cols;
    cv::Mat column = made.bgr.col(x);
    // Levels, not light: what a camera makes of a lamp of 2,700 K at one end.
    cv::multiply(column, cv::Scalar(1.4 - 0.9 * east, 1.05 - 0.1 * east, 0.6 + 0.8 * east), column);
  }
  const PaintContrast contrast =
      ComparePaints(made.bgr, made.camera, made.table.frame, made.stands, made.scenario);
  EXPECT_TRUE(contrast.doubts.empty()) << ContrastText(contrast);
}

TEST(ComparePaints, DoubtsTwoBlues) {
  SyntheticOptions options;
  options.paints = {Colour{47, 79, 168}, Colour{50, 82, 171}};
  const PaintContrast contrast = ContrastOf(options);
  ASSERT_EQ(contrast.doubts.size(), 1U);
  EXPECT_EQ(contrast.doubts[0].a, 0U);
  EXPECT_EQ(contrast.doubts[0].b, 1U);
  const std::string text = ContrastText(contrast);
  EXPECT_NE(text.find("can hardly be told from that of"), std::string::npos) << text;
  const cv::Mat picture = DrawContrast(contrast);
  EXPECT_EQ(picture.type(), CV_8UC3);
  EXPECT_GT(picture.rows, 100);
}

TEST(ComparePaints, NamesAPaintLikeTheCloth) {
  SyntheticOptions options;
  options.paints[1] = options.cloth;
  const PaintContrast contrast = ContrastOf(options);
  ASSERT_FALSE(contrast.doubts.empty());
  EXPECT_EQ(contrast.doubts[0].a, 1U);
  EXPECT_EQ(contrast.seen[contrast.doubts[0].b].name, "the cloth");
}

TEST(ComparePaints, NamesASideThatIsNotSeen) {
  SyntheticTable made = RenderTable({});
  std::erase_if(made.stands, [](const StandObservation& s) { return s.side == 1; });
  const PaintContrast contrast =
      ComparePaints(made.bgr, made.camera, made.table.frame, made.stands, made.scenario);
  EXPECT_EQ(contrast.unseen, std::vector<std::size_t>{1});
  EXPECT_NE(ContrastText(contrast).find("no stand of"), std::string::npos);
}

}  // namespace
}  // namespace fos
