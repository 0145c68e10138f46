// SPDX-License-Identifier: MIT
#include "vision/change/broken_blocks.h"

#include <gtest/gtest.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

constexpr double kNoise = 2;
const cv::Vec3d kSameLight{1, 1, 1};

// A table with grain and lines, and what is drawn on it as a lens sees it.
cv::Mat Picture(std::uint64_t seed, const std::function<void(cv::Mat&)>& draw) {
  cv::Mat out(160, 320, CV_8UC3, cv::Scalar(60, 110, 80));
  cv::line(out, {90, 0}, {92, 159}, {30, 60, 40}, 2, cv::LINE_AA);
  cv::rectangle(out, cv::Rect(230, 40, 41, 31), {150, 40, 30}, cv::FILLED);
  draw(out);
  cv::GaussianBlur(out, out, {}, 0.8);
  cv::RNG random(seed);
  cv::Mat grain(out.size(), CV_16SC3);
  random.fill(grain, cv::RNG::NORMAL, 0, kNoise);
  cv::add(out, grain, out, cv::noArray(), CV_8UC3);
  return out;
}

bool Broken(const cv::Mat& bgr, const cv::Rect& part) {
  return HasBrokenBlocks(bgr, Picture(1, [](cv::Mat&) {}), kSameLight, part, kNoise);
}

TEST(HasBrokenBlocks, WhereBlocksOfAnotherPlaceWereTaken) {
  cv::Mat bgr = Picture(2, [](cv::Mat&) {});
  bgr(cv::Rect(224, 48, 48, 16)).clone().copyTo(bgr(cv::Rect(128, 96, 48, 16)));
  EXPECT_TRUE(Broken(bgr, {134, 96, 41, 16}));
}

TEST(ShareOfConcealedBlocks, CountsWhatHasOneColourFromCornerToCorner) {
  const cv::Mat background = Picture(1, [](cv::Mat&) {});
  cv::Mat bgr = Picture(2, [](cv::Mat&) {});
  EXPECT_EQ(ShareOfConcealedBlocks(bgr, background), 0);
  bgr.rowRange(80, 160).setTo(cv::Scalar(130, 130, 130));
  EXPECT_NEAR(ShareOfConcealedBlocks(bgr, background), 0.5, 1e-9);
  EXPECT_EQ(ShareOfConcealedBlocks(bgr, bgr), 0) << "as it always was";
  bgr.rowRange(80, 160).setTo(cv::Scalar(255, 255, 255));
  EXPECT_EQ(ShareOfConcealedBlocks(bgr, background), 0) << "burnt out";
  for (int row = 80; row < 160; row += 16) {
    for (int column = 0; column < bgr.cols; column += 16)
      bgr({column, row, 16, 16}).setTo(cv::Scalar(20 + column / 2, 30 + row, 60));
  }
  EXPECT_LT(ShareOfConcealedBlocks(bgr, background), 0.02) << "a sleeve, coarsely coded";
}

// The table was found again in a damaged picture, and the stream is whole again.
TEST(HasBrokenBlocks, NotWhereTheBackgroundHasThem) {
  const cv::Mat bgr = Picture(2, [](cv::Mat&) {});
  cv::Mat background = Picture(1, [](cv::Mat&) {});
  background(cv::Rect(224, 48, 48, 16)).clone().copyTo(background(cv::Rect(128, 96, 48, 16)));
  EXPECT_FALSE(HasBrokenBlocks(bgr, background, kSameLight, {134, 96, 41, 16}, kNoise));
}

TEST(HasBrokenBlocks, AtThePicturesEdge) {
  cv::Mat bgr = Picture(2, [](cv::Mat&) {});
  bgr(cv::Rect(224, 48, 64, 16)).clone().copyTo(bgr(cv::Rect(0, 144, 64, 16)));
  bgr(cv::Rect(224, 48, 64, 16)).clone().copyTo(bgr(cv::Rect(256, 0, 64, 16)));
  EXPECT_FALSE(Broken(bgr, {0, 144, 64, 16})) << "only one border lies in the picture";
  EXPECT_NO_THROW(Broken(bgr, {256, 0, 64, 16}));
  EXPECT_FALSE(Broken(bgr, {}));
}

// Of any heading and place, whatever the codec does to it.
TEST(HasBrokenBlocks, NotWhereThingsLie) {
  for (int i = 0; i < 40; ++i) {
    cv::RNG random(static_cast<std::uint64_t>(7 + i));
    // Every other one lies along the picture's rows, as bases do on a board that is hung straight.
    const float turn_deg = i % 2 == 0 ? 0.0F : random.uniform(0.0F, 180.0F);
    const cv::Point2f at(random.uniform(60.0F, 180.0F), random.uniform(40.0F, 120.0F));
    const cv::Size2f size = i % 4 < 2 ? cv::Size2f(48, 32) : cv::Size2f(78, 6);
    cv::Mat bgr = Picture(static_cast<std::uint64_t>(100 + i), [&](cv::Mat& table) {
      cv::Point2f corners[4];
      cv::RotatedRect(at, size, turn_deg).points(corners);
      std::vector<cv::Point> outline;
      for (const cv::Point2f& c : corners) {
        outline.emplace_back(cvRound(16 * c.x), cvRound(16 * c.y));
      }
      cv::fillConvexPoly(table, outline, {220, 225, 230}, cv::LINE_AA, 4);
    });
    for (const int quality : {100, 80, 60}) {
      std::vector<std::uint8_t> bytes;
      ASSERT_TRUE(cv::imencode(".jpg", bgr, bytes, {cv::IMWRITE_JPEG_QUALITY, quality}));
      EXPECT_FALSE(Broken(cv::imdecode(bytes, cv::IMREAD_COLOR),
                          cv::RotatedRect(at, size, turn_deg).boundingRect()))
          << i << ' ' << quality;
    }
  }
}

// A whole base that lies exactly on the lines is still blurred.
TEST(HasBrokenBlocks, NotWhereABaseLiesOnTheLines) {
  const cv::Mat bgr = Picture(3, [](cv::Mat& table) {
    cv::rectangle(table, cv::Rect(128, 48, 48, 32), {220, 225, 230}, cv::FILLED);
  });
  EXPECT_FALSE(Broken(bgr, {128, 48, 48, 32}));
}

// A die of a block's size in a picture that was sharpened: two of its sides lie on lines, but not
// from corner to corner of a block.
TEST(HasBrokenBlocks, NotWhereADieOfABlocksSizeLies) {
  cv::Mat bgr = Picture(1, [](cv::Mat&) {});
  cv::Mat die = bgr(cv::Rect(128, 52, 16, 24));
  for (int row = 0; row < die.rows; ++row) {
    // As if blurred over its far sides alone.
    const double share = std::clamp(std::min(row, die.rows - 1 - row) / 9.0 - 0.4, 0.0, 0.6);
    cv::Mat line = die.row(row);
    cv::addWeighted(line, 1 - share, cv::Mat(line.size(), CV_8UC3, cv::Scalar(60, 120, 255)), share,
                    0, line);
  }
  EXPECT_FALSE(Broken(bgr, {128, 52, 16, 24}));
}

}  // namespace
}  // namespace fos
