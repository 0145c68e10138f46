// SPDX-License-Identifier: MIT
#include "vision/dice/dice_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "tests/support/overhead_view.h"
#include "vision/dice/numerals.h"
#include "vision/dice/twelve_sided.h"

// Its own namespace: the tests of cubes draw theirs likewise.
namespace fos::twelve {
namespace {

constexpr double kPixelsPerInch = 36;
constexpr int kSide_px = 180;
constexpr int kTimes = 8;

TableCamera Overhead() { return test::Overhead(kPixelsPerInch, kSide_px); }

struct Drawn {
  Vec2 at{2.5, 2.5};
  int value = 1;
  double turn_rad = 0.3;  // of a corner of the upper face, towards which the number stands
  double across_in = 0.71;
};

class Drawing {
 public:
  explicit Drawing(const TableCamera& camera)
      : camera_(camera),
        large_(kSide_px * kTimes, kSide_px * kTimes, CV_8UC3, cv::Scalar(70, 110, 80)) {}

  void Add(const Drawn& die, const cv::Scalar& body, const cv::Scalar& ink) {
    const double edge = die.across_in / 2.2270;
    std::vector<cv::Point> upper;
    std::vector<cv::Point> waist;
    for (int k = 0; k < 10; ++k) {
      const double turn = die.turn_rad + k * M_PI / 5;
      const Vec2 way{std::cos(turn), std::sin(turn)};
      const double height = die.across_in / 2 + (k % 2 == 0 ? 0.2629 : -0.2629) * edge;
      waist.push_back(Pixel(die.at + 1.3764 * edge * way, height));
      if (k % 2 == 0) upper.push_back(Pixel(die.at + 0.8507 * edge * way, die.across_in));
    }
    const std::array<double, 5> light{0.55, 0.7, 0.8, 0.62, 0.5};
    for (std::size_t k = 0; k < 5; ++k) {
      const std::size_t next = (k + 1) % 5;
      const std::vector<cv::Point> side{upper[k], upper[next], waist[2 * next],
                                        waist[(2 * k + 1) % 10], waist[2 * k]};
      cv::fillConvexPoly(large_, side, light[k] * body, cv::LINE_AA);
    }
    cv::fillConvexPoly(large_, upper, body, cv::LINE_AA);
    Write(die, edge, ink);
  }

  // As a camera sees it: shrunk, blurred and with grain.
  cv::Mat Seen() const {
    cv::Mat out;
    cv::resize(large_, out, {kSide_px, kSide_px}, 0, 0, cv::INTER_AREA);
    cv::GaussianBlur(out, out, {}, 0.6);
    return test::WithGrain(out);
  }
  cv::Mat& Large() { return large_; }
  cv::Point Pixel(Vec2 at, double height) const {
    const ImagePoint p = ImageFromTable(camera_, at, height);
    return {static_cast<int>(std::lround((p.x_px + 0.5) * kTimes)),
            static_cast<int>(std::lround((p.y_px + 0.5) * kTimes))};
  }

 private:
  void Write(const Drawn& die, double edge, const cv::Scalar& ink) {
    // Upright on a sheet of its own, then turned onto the face.
    const double height_px = (die.value >= 10 ? 0.6 : 0.8) * edge * kPixelsPerInch * kTimes;
    const int side = static_cast<int>(4 * height_px);
    cv::Mat sheet(side, side, CV_8UC1, cv::Scalar(0));
    const std::string text =
        std::to_string(die.value) + (die.value == 6 || die.value == 9 ? "." : "");
    const double scale =
        cv::getFontScaleFromHeight(cv::FONT_HERSHEY_DUPLEX, static_cast<int>(height_px));
    int base = 0;
    const cv::Size box = cv::getTextSize(text, cv::FONT_HERSHEY_DUPLEX, scale, 1, &base);
    cv::putText(sheet, text, {(side - box.width) / 2, (side + box.height) / 2},
                cv::FONT_HERSHEY_DUPLEX, scale, cv::Scalar(255), static_cast<int>(0.17 * height_px),
                cv::LINE_AA);
    const cv::Point middle = Pixel(die.at, die.across_in);
    const double up_deg = die.turn_rad * 180 / M_PI - 90;  // y is up on the sheet
    cv::Mat turn = cv::getRotationMatrix2D(
        cv::Point2f(0.5F * static_cast<float>(side), 0.5F * static_cast<float>(side)), up_deg, 1);
    turn.at<double>(0, 2) += middle.x - side / 2.0;
    turn.at<double>(1, 2) += middle.y - side / 2.0;
    cv::Mat on_face;
    cv::warpAffine(sheet, on_face, turn, large_.size());
    large_.setTo(ink, on_face > 127);
  }

  const TableCamera& camera_;
  cv::Mat large_;
};

ShotPictures PicturesOf(const std::vector<Drawn>& dice, const cv::Scalar& body,
                        const cv::Scalar& ink) {
  ShotPictures out;
  out.camera = Overhead();
  out.before = Drawing(out.camera).Seen();
  Drawing after(out.camera);
  for (const Drawn& die : dice) after.Add(die, body, ink);
  out.after = after.Seen();
  cv::Mat difference;
  cv::absdiff(out.before, out.after, difference);
  cv::transform(difference, difference, cv::Matx13f(1, 1, 1));
  out.changed = difference > 30;
  return out;
}

const TableBox kWhere{{0.5, 0.5}, {4.5, 4.5}};
const cv::Scalar kRed(40, 35, 190);
const cv::Scalar kWhite(235, 235, 235);
const cv::Scalar kBlack(25, 25, 25);

TEST(TwelveSided, ReadsEveryNumber) {
  const TerrainMap terrain{Scenario()};
  int read = 0;
  for (int value = 1; value <= 12; ++value) {
    const Drawn die{{2.3, 2.7}, value, 0.2 + 0.5 * value};
    const auto dice = FindDice(PicturesOf({die}, kRed, kWhite), terrain, kWhere, {12});
    ASSERT_EQ(dice.size(), 1U) << value;
    EXPECT_EQ(dice[0].faces, 12);
    EXPECT_EQ(dice[0].value, value);
    EXPECT_NEAR(dice[0].centre.x, 2.3, 0.03);
    EXPECT_NEAR(dice[0].centre.y, 2.7, 0.03);
    EXPECT_NEAR(dice[0].side_in, 0.71, 0.03);
    EXPECT_EQ(dice[0].top.size(), 5U);
    EXPECT_GT(dice[0].p_die, 0.9);
    read += IsRead(dice[0]) ? 1 : 0;
  }
  EXPECT_GE(read, 9);
}

TEST(TwelveSided, ReadsDarkNumbersOnALightDieOfAnySize) {
  const TerrainMap terrain{Scenario()};
  for (const double across : {0.6, 0.86}) {
    const Drawn die{{2.6, 2.4}, 4, 1.1, across};
    const auto dice = FindDice(PicturesOf({die}, kWhite, kBlack), terrain, kWhere, {12});
    ASSERT_EQ(dice.size(), 1U) << across;
    EXPECT_EQ(dice[0].value, 4);
    EXPECT_NEAR(dice[0].side_in, across, 0.04);
  }
}

TEST(TwelveSided, PartsDiceThatTouch) {
  const TerrainMap terrain{Scenario()};
  const std::vector<Drawn> two{{{2.1, 2.5}, 7, 0.4}, {{2.97, 2.5}, 5, 2.0}};
  auto dice = FindDice(PicturesOf(two, kRed, kWhite), terrain, kWhere, {12});
  ASSERT_EQ(dice.size(), 2U);
  std::sort(dice.begin(), dice.end(),
            [](const auto& a, const auto& b) { return a.centre.x < b.centre.x; });
  EXPECT_EQ(dice[0].value, 7);
  EXPECT_EQ(dice[1].value, 5);
}

TEST(TwelveSided, AreLookedForWhereTheyAreThrown) {
  const TerrainMap terrain{Scenario()};
  const ShotPictures pictures = PicturesOf({Drawn{{2.3, 2.7}, 4, 0.9}}, kRed, kWhite);
  for (const DieFound& die : FindDice(pictures, terrain, kWhere, {6})) EXPECT_EQ(die.faces, 6);
  const auto numbered = FindDice(pictures, terrain, kWhere, {12});
  ASSERT_EQ(numbered.size(), 1U);
  EXPECT_EQ(numbered[0].faces, 12);
  const auto both = FindDice(pictures, terrain, kWhere, {6, 12});
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both[0].faces, 12);
  EXPECT_EQ(both[0].value, 4);
}

// Neither bare cloth, nor a disc, nor a block is one.
TEST(TwelveSided, TakesNothingElseForOne) {
  const TerrainMap terrain{Scenario()};
  EXPECT_TRUE(FindDice(PicturesOf({}, kRed, kWhite), terrain, kWhere, {12}).empty());
  for (const bool round : {true, false}) {
    ShotPictures pictures = PicturesOf({}, kRed, kWhite);
    Drawing after(pictures.camera);
    const cv::Point at = after.Pixel({2.5, 2.5}, 0);
    const int half = static_cast<int>(0.4 * kPixelsPerInch * kTimes);
    if (round) {
      cv::circle(after.Large(), at, half, kWhite, cv::FILLED, cv::LINE_AA);
    } else {
      cv::rectangle(after.Large(), at - cv::Point(half, half), at + cv::Point(half, half), kWhite,
                    cv::FILLED);
    }
    pictures.after = after.Seen();
    cv::Mat difference;
    cv::absdiff(pictures.before, pictures.after, difference);
    cv::transform(difference, difference, cv::Matx13f(1, 1, 1));
    pictures.changed = difference > 30;
    EXPECT_TRUE(FindDice(pictures, terrain, kWhere, {12}).empty()) << round;
  }
}

// Each number has forms whose shares add up to one; only six and nine have marks.
TEST(Numerals, HaveFormsOfEveryNumber) {
  std::array<double, 13> shares{};
  std::array<int, 13> forms{};
  for (const NumeralForm& form : NumeralForms()) {
    ASSERT_GE(form.number, 1);
    ASSERT_LE(form.number, 12);
    shares[static_cast<std::size_t>(form.number)] += form.prior;
    ++forms[static_cast<std::size_t>(form.number)];
  }
  for (std::size_t n = 1; n <= 12; ++n) {
    EXPECT_NEAR(shares[n], 1, 1e-9) << n;
    EXPECT_EQ(forms[n], n == 6 || n == 9 ? 3 * forms[1] : forms[1]) << n;
  }
}

// A one has its ink in its middle and none beside it, a blurred one less.
TEST(Numerals, SayWhereTheInkIs) {
  const NumeralInk sharp(0.04);
  const NumeralInk blurred(0.3);
  EXPECT_GT(sharp(0, {0, 0}) + sharp(0, {0.1, 0}), 0.8F);
  EXPECT_LT(sharp(0, {0.6, 0}), 0.05F);
  EXPECT_LT(blurred(0, {0, 0}), sharp(0, {0, 0}) + 0.1F);
  EXPECT_GT(blurred(0, {0.3, 0}), sharp(0, {0.3, 0}));
  EXPECT_EQ(sharp(0, {5, 5}), 0);
}

}  // namespace
}  // namespace fos::twelve
