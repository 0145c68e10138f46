// SPDX-License-Identifier: MIT
#include "datasets/render/wild_numerals.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

using Digits = NumeralLook::Digits;
using Mark = NumeralLook::Mark;

constexpr std::array<Digits, 7> kAll{Digits::kSans,      Digits::kSansBold, Digits::kSerif,
                                     Digits::kSerifBold, Digits::kMono,     Digits::kRound,
                                     Digits::kAngular};

NumeralLook LookOf(Digits digits) {
  NumeralLook look;
  look.digits = digits;
  look.line = digits == Digits::kRound || digits == Digits::kAngular ? 0.16 : 0.02;
  return look;
}

// The share of ink in which two pictures differ, when one is stretched over the other.
double Difference(const cv::Mat& a, cv::Mat b) {
  cv::resize(b, b, a.size(), 0, 0, cv::INTER_AREA);
  return cv::norm(a, b, cv::NORM_L1) / (255.0 * a.rows * a.cols);
}

TEST(Numerals, DifferFromNumberToNumber) {
  for (const Digits digits : kAll) {
    std::vector<cv::Mat> all;
    for (int number = 1; number <= 12; ++number) {
      const NumeralInk drawn = InkOf(LookOf(digits), number);
      ASSERT_FALSE(drawn.ink.empty());
      EXPECT_GT(drawn.digit_px, 100);
      const double inked = cv::sum(drawn.ink)[0] / (255.0 * drawn.ink.rows * drawn.ink.cols);
      EXPECT_GT(inked, 0.1) << number;
      EXPECT_LT(inked, 0.75) << number;
      for (const cv::Mat& other : all) EXPECT_GT(Difference(drawn.ink, other), 0.05) << number;
      all.push_back(drawn.ink);
    }
  }
}

TEST(Numerals, DifferFromFontToFont) {
  std::vector<cv::Mat> all;
  for (const Digits digits : kAll) {
    const NumeralInk drawn = InkOf(LookOf(digits), 10);
    for (const cv::Mat& other : all) EXPECT_GT(Difference(drawn.ink, other), 0.03);
    all.push_back(drawn.ink);
  }
}

// Without a mark a 9 of strokes is a 6 upside down.
TEST(Numerals, MarkTellsSixFromNine) {
  for (const Digits digits : {Digits::kRound, Digits::kAngular}) {
    for (const Mark mark : {Mark::kNone, Mark::kDot, Mark::kUnderline}) {
      NumeralLook look = LookOf(digits);
      look.mark = mark;
      cv::Mat turned;
      cv::rotate(InkOf(look, 9).ink, turned, cv::ROTATE_180);
      const double difference = Difference(InkOf(look, 6).ink, turned);
      if (mark == Mark::kNone) {
        EXPECT_LT(difference, 0.03);
      } else {
        EXPECT_GT(difference, 0.06);
      }
    }
  }
}

TEST(Numerals, MostMakesMarkSixAndNine) {
  int marked = 0;
  constexpr int kMakes = 400;
  for (std::uint32_t seed = 1; seed <= kMakes; ++seed) {
    Draws draws(seed);
    marked += DrawNumeralLook(draws).mark != Mark::kNone ? 1 : 0;
  }
  EXPECT_NEAR(marked, 0.85 * kMakes, 0.06 * kMakes);
}

}  // namespace
}  // namespace fos
