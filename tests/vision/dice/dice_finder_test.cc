// SPDX-License-Identifier: MIT
#include "vision/dice/dice_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "calibration/camera/response.h"
#include "tests/support/overhead_view.h"
#include "vision/dice/die_model.h"
#include "vision/image/sampled.h"

namespace fos {
namespace {

constexpr double kPixelsPerInch = 26;
constexpr int kSide_px = 130;

TableCamera Overhead() { return test::Overhead(kPixelsPerInch, kSide_px); }

struct Drawn {
  Vec2 at;
  int value = 0;  // 0: a block without pips
  double turn_rad = 0.3;
  double side_in = 0.6;
  double pip = 0.09;  // radius, of the side
};

constexpr int kTimes = 8;

// Cloth, and dice on it: what the upper faces show, drawn eight times as large.
cv::Mat DrawnLarge(const TableCamera& camera, const std::vector<Drawn>& dice,
                   const cv::Scalar& body, const cv::Scalar& pips) {
  cv::Mat large(kSide_px * kTimes, kSide_px * kTimes, CV_8UC3, cv::Scalar(70, 110, 80));
  const auto pixel = [&](Vec2 at, double height) {
    const ImagePoint p = ImageFromTable(camera, at, height);
    return cv::Point(static_cast<int>(std::lround((p.x_px + 0.5) * kTimes)),
                     static_cast<int>(std::lround((p.y_px + 0.5) * kTimes)));
  };
  for (const Drawn& die : dice) {
    const auto on_face = [&](double u, double v) {
      return die.at + (die.side_in / 2) * Rotated(Vec2{u, v}, die.turn_rad);
    };
    std::vector<cv::Point> face;
    for (const Vec2 c : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}})
      face.push_back(pixel(on_face(c.x, c.y), die.side_in));
    cv::fillConvexPoly(large, face, body, cv::LINE_AA);
    for (const DiePattern& pattern : DiePatterns()) {
      if (pattern.value != die.value) continue;
      for (const Vec2 pip : pattern.pips)
        cv::circle(large, pixel(on_face(0.5 * pip.x, 0.5 * pip.y), die.side_in),
                   static_cast<int>(die.pip * die.side_in * kPixelsPerInch * kTimes), pips,
                   cv::FILLED, cv::LINE_AA);
      break;
    }
  }
  return large;
}

// That shrunk, blurred and with grain.
cv::Mat Table(const TableCamera& camera, const std::vector<Drawn>& dice, const cv::Scalar& body,
              const cv::Scalar& pips) {
  cv::Mat out;
  cv::resize(DrawnLarge(camera, dice, body, pips), out, {kSide_px, kSide_px}, 0, 0, cv::INTER_AREA);
  cv::GaussianBlur(out, out, {}, 0.6);
  return test::WithGrain(out);
}

// Likewise in so many times the light: the lens blurs it, and the sensor cuts off what is more than
// it holds.
cv::Mat TableInLight(const TableCamera& camera, const std::vector<Drawn>& dice, double times) {
  cv::Mat codes(1, 256, CV_32FC1);
  for (int i = 0; i < 256; ++i)
    codes.at<float>(i) = static_cast<float>(times) * LightOfSrgbCode()[static_cast<std::size_t>(i)];
  cv::Mat light;
  cv::LUT(DrawnLarge(camera, dice, cv::Scalar(225, 232, 235), cv::Scalar(25, 25, 25)), codes,
          light);
  cv::resize(light, light, {kSide_px, kSide_px}, 0, 0, cv::INTER_AREA);
  cv::GaussianBlur(light, light, {}, 0.9);
  cv::Mat out(light.size(), CV_8UC3);
  light.forEach<cv::Vec3f>([&](const cv::Vec3f& of, const int* at) {
    for (int c = 0; c < 3; ++c)
      out.at<cv::Vec3b>(at[0], at[1])[c] =
          cv::saturate_cast<std::uint8_t>(CodeOfLight(std::min(of[c], 1.F)));
  });
  return test::WithGrain(out);
}

cv::Mat ChangedIn(const ShotPictures& pictures) {
  cv::Mat difference;
  cv::absdiff(pictures.before, pictures.after, difference);
  cv::transform(difference, difference, cv::Matx13f(1, 1, 1));
  return difference > 30;
}

ShotPictures PicturesOf(const std::vector<Drawn>& dice,
                        const cv::Scalar& body = cv::Scalar(225, 232, 235),
                        const cv::Scalar& pips = cv::Scalar(25, 25, 25)) {
  ShotPictures out;
  out.camera = Overhead();
  out.before = Table(out.camera, {}, body, pips);
  out.after = Table(out.camera, dice, body, pips);
  out.changed = ChangedIn(out);
  return out;
}

// What a mask covers on its way to the east, or for less than 0 to the west.
cv::Mat MovedEast(const cv::Mat& mask, int by_px) {
  cv::Mat out(mask.size(), CV_8UC1, cv::Scalar(0));
  for (int step = 1; step <= std::abs(by_px); ++step) {
    const int left = by_px < 0 ? step : 0;
    const cv::Rect from(left, 0, mask.cols - step, mask.rows);
    const cv::Rect to(step - left, 0, mask.cols - step, mask.rows);
    cv::bitwise_or(out(to), mask(from), out(to));
  }
  return out;
}

const TableBox kWhere{{0.5, 0.5}, {4.5, 4.5}};

TEST(FindDice, ReadsEveryValue) {
  const TerrainMap terrain{Scenario()};
  for (int value = 1; value <= 6; ++value) {
    const auto dice = FindDice(PicturesOf({{{2.3, 2.7}, value}}), terrain, kWhere);
    ASSERT_EQ(dice.size(), 1U) << value;
    EXPECT_EQ(dice[0].value, value);
    EXPECT_TRUE(IsRead(dice[0])) << value << ": " << ChanceOf(dice[0]);
    EXPECT_LT(Distance(dice[0].centre, {2.3, 2.7}), 0.05);
    EXPECT_NEAR(dice[0].side_in, 0.6, 0.06);
  }
}

// As where a swab has been measured: half of the picture is as the model expects it.
TEST(FindDice, FindsNoneInWhatIsKnownToLieThere) {
  const TerrainMap terrain{Scenario()};
  const ShotPictures pictures = PicturesOf({{{1.5, 2.7}, 5}, {{3.5, 2.7}, 3}});
  const cv::Rect half(0, 0, kSide_px / 2, kSide_px);
  const PredictedView view{half, pictures.after(half).clone()};
  const auto dice = FindDice(AlreadyThere(pictures, view), terrain, kWhere);
  ASSERT_EQ(dice.size(), 1U);
  EXPECT_EQ(FindDice(pictures, terrain, kWhere).size(), 2U) << "the pictures stay as they are";
}

TEST(FindDice, ReadsLightPipsOnADarkBody) {
  const TerrainMap terrain{Scenario()};
  const auto dice =
      FindDice(PicturesOf({{{2.3, 2.7}, 5}}, cv::Scalar(40, 35, 170), cv::Scalar(235, 235, 235)),
               terrain, kWhere);
  ASSERT_EQ(dice.size(), 1U);
  EXPECT_EQ(dice[0].value, 5);
  EXPECT_GT(dice[0].body.r, 120);
  EXPECT_LT(dice[0].body.g, 90);
}

// A shadow under a warm lamp is lit by the sky: bluer than the cloth beside it, and no part of the
// die.
TEST(FindDice, ReadsDiceBesideABlueShadow) {
  const TerrainMap terrain{Scenario()};
  for (int value = 1; value <= 6; ++value) {
    const Drawn die{{2.3, 2.7}, value, 0.3, 0.5, 0.1};
    ShotPictures pictures = PicturesOf({});
    const cv::Scalar cloth(150, 180, 200);
    pictures.before.setTo(cloth);
    // The die's shadow falls to the east, as long as the die is high.
    const ShotPictures drawn =
        PicturesOf({die}, cv::Scalar(120, 45, 30), cv::Scalar(235, 235, 235));
    cv::Mat after = pictures.before.clone();
    after.setTo(cv::Scalar(120, 110, 95), MovedEast(drawn.changed, 11));
    drawn.after.copyTo(after, drawn.changed);
    cv::GaussianBlur(after, after, {}, 0.6);
    pictures.after = after;
    pictures.changed = ChangedIn(pictures);
    const auto dice = FindDice(pictures, terrain, kWhere);
    ASSERT_EQ(dice.size(), 1U) << value;
    EXPECT_EQ(dice[0].value, value);
    EXPECT_TRUE(IsRead(dice[0])) << value << ": " << ChanceOf(dice[0]);
    EXPECT_LT(Distance(dice[0].centre, {2.3, 2.7}), 0.08);
  }
}

// Dice of ten millimetres: a pip is as wide as a pixel and a half.
TEST(FindDice, ReadsSmallDice) {
  const TerrainMap terrain{Scenario()};
  constexpr double kTenMillimetres_in = 0.394;
  for (int value = 1; value <= 6; ++value) {
    const Drawn die{{2.3, 2.7}, value, 0.8, kTenMillimetres_in, 0.09};
    for (const bool light : {true, false}) {
      const cv::Scalar body = light ? cv::Scalar(215, 225, 228) : cv::Scalar(75, 30, 90);
      const cv::Scalar pips = light ? cv::Scalar(30, 30, 30) : cv::Scalar(235, 235, 235);
      const auto dice = FindDice(PicturesOf({die}, body, pips), terrain, kWhere);
      ASSERT_EQ(dice.size(), 1U) << value << light;
      EXPECT_EQ(dice[0].value, value);
      EXPECT_TRUE(IsRead(dice[0])) << value << light << ": " << ChanceOf(dice[0]);
    }
  }
}

TEST(FindDice, TellsTwoDiceThatTouch) {
  const TerrainMap terrain{Scenario()};
  const auto dice =
      FindDice(PicturesOf({{{2.0, 2.5}, 4, 0}, {{2.61, 2.5}, 3, 0}}), terrain, kWhere);
  ASSERT_EQ(dice.size(), 2U);
  const bool first_is_left = dice[0].centre.x < dice[1].centre.x;
  EXPECT_EQ(dice[first_is_left ? 0 : 1].value, 4);
  EXPECT_EQ(dice[first_is_left ? 1 : 0].value, 3);
}

TEST(FindDice, TakesNoBlankBlockForADie) {
  const TerrainMap terrain{Scenario()};
  EXPECT_TRUE(FindDice(PicturesOf({{{2.3, 2.7}, 0}}), terrain, kWhere).empty());
}

// The side of a die that lies in shade looks like more of its face, with a pip in the middle.
TEST(FindDice, ReadsNoNumberFromAFaceThatLiesElsewhere) {
  const TerrainMap terrain{Scenario()};
  for (int value = 1; value <= 6; ++value) {
    for (const int deep_px : {3, 5, 7}) {
      ShotPictures pictures = PicturesOf({});
      const ShotPictures drawn = PicturesOf({{{2.3, 2.7}, value, 0.3, 0.5, 0.1}},
                                            cv::Scalar(120, 45, 30), cv::Scalar(235, 235, 235));
      const cv::Mat side = MovedEast(drawn.changed, -deep_px);
      cv::Mat after = pictures.before.clone();
      after.setTo(cv::Scalar(95, 40, 28), side);
      drawn.after.copyTo(after, drawn.changed);
      cv::GaussianBlur(after, after, {}, 0.7);
      pictures.after = after;
      cv::bitwise_or(drawn.changed, side, pictures.changed);
      pictures.blur.sigma_px = 0.9;
      for (const DieFound& die : FindDice(pictures, terrain, kWhere))
        EXPECT_TRUE(!IsRead(die) || die.value == value)
            << "a " << value << " beside a side of " << deep_px << " px: " << die.value << ", "
            << ChanceOf(die);
    }
  }
}

// A green die on green cloth: its pips and a change of shade are all that there is to see.
TEST(FindDice, ReadsDiceOfAboutTheGroundsColour) {
  const TerrainMap terrain{Scenario()};
  for (int value = 4; value <= 6; ++value) {
    const auto dice = FindDice(
        PicturesOf({{{2.3, 2.7}, value}}, cv::Scalar(52, 88, 60), cv::Scalar(225, 235, 235)),
        terrain, kWhere);
    ASSERT_EQ(dice.size(), 1U) << value;
    EXPECT_EQ(dice[0].value, value);
    EXPECT_TRUE(IsRead(dice[0])) << value << ": " << ChanceOf(dice[0]);
  }
}

// The light of a white body that fills the sensor drowns most of a small pip.
TEST(FindDice, ReadsDiceThatFillTheSensor) {
  const TerrainMap terrain{Scenario()};
  for (const int value : {2, 3, 4, 5, 6}) {
    ShotPictures pictures;
    pictures.camera = Overhead();
    constexpr double kLight = 2;
    pictures.before = TableInLight(pictures.camera, {}, kLight);
    pictures.after = TableInLight(pictures.camera, {{{2.5, 2.5}, value, 0.3, 0.6, 0.075}}, kLight);
    pictures.changed = ChangedIn(pictures);
    const std::vector<DieFound> found = FindDice(pictures, terrain, kWhere);
    ASSERT_EQ(found.size(), 1U) << value;
    EXPECT_EQ(found[0].value, value);
    EXPECT_TRUE(IsRead(found[0])) << value << " " << ChanceOf(found[0]);
  }
}

// Where one of its pips is hardly to be seen, a four may be a three, or no die at all.
TEST(FindDice, AsksAboutAPipThatHardlyShows) {
  const TerrainMap terrain{Scenario()};
  ShotPictures pictures = PicturesOf({{{2.3, 2.7}, 4}});
  const Vec2 pip = Vec2{2.3, 2.7} + 0.3 * Rotated(Vec2{0.5, 0.5}, 0.3);
  const ImagePoint at = ImageFromTable(pictures.camera, pip, 0.6);
  cv::Mat faint = pictures.after.clone();
  cv::circle(faint, cv::Point(cvRound(at.x_px), cvRound(at.y_px)), 3, cv::Scalar(225, 232, 235),
             cv::FILLED);
  cv::addWeighted(faint, 0.7, pictures.after, 0.3, 0, pictures.after);
  for (const DieFound& die : FindDice(pictures, terrain, kWhere))
    EXPECT_FALSE(IsRead(die)) << die.value << ": " << ChanceOf(die);
}

TEST(FindDice, FindsTheLargestDice) {
  const TerrainMap terrain{Scenario()};
  constexpr double kNineteenMillimetres_in = 0.748;
  for (int value = 1; value <= 6; ++value) {
    const auto dice =
        FindDice(PicturesOf({{{2.3, 2.7}, value, 0.3, kNineteenMillimetres_in}}), terrain, kWhere);
    ASSERT_EQ(dice.size(), 1U) << value;
    EXPECT_NEAR(dice[0].side_in, kNineteenMillimetres_in, 0.05);
  }
}

TEST(FindDice, TakesNoBlockLargerThanAnyForADie) {
  const TerrainMap terrain{Scenario()};
  EXPECT_TRUE(FindDice(PicturesOf({{{2.3, 2.7}, 1, 0.3, 1.0}}), terrain, kWhere).empty());
}

// Light pips bloom on a full sensor.
TEST(FindDice, ReadsPipsThatAreLargerThanUsual) {
  const TerrainMap terrain{Scenario()};
  for (const int value : {2, 4, 5}) {
    const Drawn die{{2.3, 2.7}, value, 0.8, 0.7, 0.14};
    const auto dice = FindDice(
        PicturesOf({die}, cv::Scalar(40, 35, 170), cv::Scalar(250, 250, 250)), terrain, kWhere);
    ASSERT_EQ(dice.size(), 1U) << value;
    EXPECT_EQ(dice[0].value, value);
    EXPECT_TRUE(IsRead(dice[0])) << value << ": " << ChanceOf(dice[0]);
    EXPECT_NEAR(dice[0].side_in, 0.7, 0.06);
  }
}

// One box about all of them, or a tilted one, explains more than each of them does.
TEST(FindDice, TellsThreeDiceInARow) {
  const TerrainMap terrain{Scenario()};
  constexpr double kSide_in = 0.5;
  const std::vector<Drawn> row{
      {{1.8, 2.5}, 5, 0, kSide_in}, {{2.32, 2.5}, 3, 0, kSide_in}, {{2.84, 2.5}, 4, 0, kSide_in}};
  const auto dice = FindDice(PicturesOf(row), terrain, kWhere);
  ASSERT_EQ(dice.size(), row.size());
  for (const Drawn& die : row) {
    const auto found = std::find_if(dice.begin(), dice.end(), [&](const DieFound& one) {
      return Distance(one.centre, die.at) < 0.1;
    });
    ASSERT_NE(found, dice.end()) << die.value;
    EXPECT_EQ(found->value, die.value);
  }
}

// Three dots of its length in a row, but nothing about them.
TEST(FindDice, TakesNoStickForAThree) {
  const TerrainMap terrain{Scenario()};
  ShotPictures pictures = PicturesOf({});
  cv::line(pictures.after, {30, 55}, {105, 71}, cv::Scalar(225, 235, 238), 2, cv::LINE_AA);
  cv::GaussianBlur(pictures.after, pictures.after, {}, 0.6);
  cv::Mat difference;
  cv::absdiff(pictures.before, pictures.after, difference);
  cv::transform(difference, difference, cv::Matx13f(1, 1, 1));
  pictures.changed = difference > 30;
  EXPECT_TRUE(FindDice(pictures, terrain, kWhere).empty());
}

// Spots on the cloth where no block lies.
TEST(FindDice, TakesNoSpotsForADie) {
  const TerrainMap terrain{Scenario()};
  EXPECT_TRUE(
      FindDice(PicturesOf({{{2.3, 2.7}, 5}}, cv::Scalar(70, 110, 80)), terrain, kWhere).empty());
}

TEST(FindDice, FindsNothingWhereNothingCame) {
  const TerrainMap terrain{Scenario()};
  EXPECT_TRUE(FindDice(PicturesOf({}), terrain, kWhere).empty());
}

// A line on the cloth where a shadow has left it: white spots in a row on a square that is new.
TEST(FindDice, TakesNoShadowThatHasLeftForADie) {
  const TerrainMap terrain{Scenario()};
  ShotPictures pictures = PicturesOf({});
  for (cv::Mat* picture : {&pictures.before, &pictures.after}) {
    for (const int x : {57, 62, 67})
      cv::circle(*picture, {x, 60}, 1, cv::Scalar(190, 215, 205), cv::FILLED, cv::LINE_AA);
  }
  const cv::Rect shaded(54, 52, 17, 17);
  cv::Mat before = pictures.before(shaded);
  before *= 0.75;
  pictures.changed(shaded) = 255;
  EXPECT_TRUE(FindDice(pictures, terrain, kWhere).empty());
}

TEST(FindDice, TakesNoBareGroundForADie) {
  // Four stones lie on the cloth, and so do others; what stood on four of them has been moved away.
  ShotPictures pictures = PicturesOf({});
  const auto stone = [&](Vec2 at) {
    const ImagePoint p = ImageFromTable(pictures.camera, at, 0);
    for (cv::Mat* picture : {&pictures.before, &pictures.after})
      cv::circle(*picture, cv::Point(cvRound(p.x_px), cvRound(p.y_px)), 1, cv::Scalar(20, 30, 25),
                 cv::FILLED);
  };
  for (double x = 1; x < 4; x += 0.3) {
    for (double y = 1; y < 4; y += 0.3) stone({x, y});
  }
  const ImagePoint middle = ImageFromTable(pictures.camera, {2.35, 2.35}, 0);
  const cv::Rect base(cvRound(middle.x_px) - 9, cvRound(middle.y_px) - 9, 18, 18);
  pictures.before(base).setTo(cv::Scalar(60, 70, 170));
  pictures.changed = cv::Mat(pictures.after.size(), CV_8UC1, cv::Scalar(0));
  pictures.changed(base).setTo(255);
  for (const DieFound& die : FindDice(pictures, TerrainMap({}), kWhere))
    ADD_FAILURE() << "a " << die.value << ", " << ChanceOf(die);
}

// The pips of a row run into one another: each place for itself tells little.
TEST(FindDice, ReadsPipsThatRunTogether) {
  const TerrainMap terrain{Scenario()};
  constexpr double kBlur_px = 1.05;
  for (int value = 1; value <= 6; ++value) {
    ShotPictures pictures = PicturesOf({{{2.3, 2.7}, value, 0.3, 0.46}});
    cv::GaussianBlur(pictures.after, pictures.after, {}, kBlur_px);
    pictures.blur.sigma_px = std::hypot(0.6, kBlur_px);
    const auto dice = FindDice(pictures, terrain, kWhere);
    ASSERT_EQ(dice.size(), 1U) << value;
    EXPECT_EQ(dice[0].value, value);
    EXPECT_TRUE(IsRead(dice[0])) << value << ": " << ChanceOf(dice[0]);
  }
}

// Blur makes a die look larger by half a pixel at each edge: the largest are still dice.
TEST(FindDice, ReadsTheLargestDiceInABlurredPicture) {
  const TerrainMap terrain{Scenario()};
  constexpr double kBlur_px = 0.8;
  for (int value = 1; value <= 6; ++value) {
    ShotPictures pictures = PicturesOf({{{2.3, 2.7}, value, 0.3, 0.75}}, cv::Scalar(52, 88, 60),
                                       cv::Scalar(225, 235, 235));
    cv::GaussianBlur(pictures.after, pictures.after, {}, kBlur_px);
    pictures.blur.sigma_px = std::hypot(0.6, kBlur_px);
    const auto dice = FindDice(pictures, terrain, kWhere);
    ASSERT_EQ(dice.size(), 1U) << value;
    EXPECT_EQ(dice[0].value, value);
    EXPECT_TRUE(IsRead(dice[0])) << value << ": " << ChanceOf(dice[0]);
  }
}

// What lies in the edge of a face is the ground beside something turned.
TEST(DieModel, KeepsPipsOnTheFlatOfAFace) {
  const ShotPictures pictures = PicturesOf({{{2.5, 2.5}, 4, 0}});
  const ChangeWindow window = CutWindow(pictures, cv::Rect({}, pictures.after.size()), {});
  const DieModel model(window, pictures.camera, {2.5, 2.5}, 0, pictures.blur);
  DiePose pose;
  pose.middle = {64, 64};
  constexpr std::size_t kFour = 6;
  const double usual = model.Evaluate(pose, DiePatterns()[kFour]).score;
  pose.pip_off = 0.63;
  pose.pip_radius = 0.3;
  EXPECT_LT(model.Evaluate(pose, DiePatterns()[kFour]).score, -1e5);
  EXPECT_GT(usual, 0);
}

// What `tell` says of a die of 0.6 in, in the middle of the pictures.
template <typename Tell>
double AtMiddle(const ShotPictures& pictures, const Tell& tell) {
  const ChangeWindow window = CutWindow(pictures, cv::Rect({}, pictures.after.size()), {});
  const DieModel model(window, pictures.camera, {2.5, 2.5}, 0, pictures.blur);
  DiePose pose;
  const ImagePoint middle = ImageFromTable(pictures.camera, {2.5, 2.5}, 0.3);
  pose.middle = {middle.x_px, middle.y_px};
  pose.side_in = 0.6;
  return tell(model, pose);
}

// Mottled stone in a shadow that deepens: its spots are where they were. A die hides them.
TEST(DieModel, KnowsGroundInAShadowByItsSpots) {
  const auto wins = [&](const std::vector<Drawn>& dice) {
    ShotPictures pictures = PicturesOf(dice);
    cv::Mat mottled(pictures.before.size(), CV_8UC1);
    cv::theRNG().state = 11;
    cv::randn(mottled, cv::Scalar::all(60), cv::Scalar::all(50));
    cv::GaussianBlur(mottled, mottled, {}, 1);
    cv::cvtColor(mottled, mottled, cv::COLOR_GRAY2BGR);
    cv::Mat on_ground = cv::Mat(pictures.before.size(), CV_8UC1, cv::Scalar(255));
    if (!dice.empty()) on_ground.setTo(0, pictures.changed);
    cv::add(pictures.before, mottled, pictures.before);
    cv::add(pictures.after, mottled, pictures.after, on_ground);
    for (int column = 0; column < pictures.after.cols; ++column) {
      cv::Mat shaded = pictures.after.col(column);
      shaded *= 0.9 - 0.002 * column;
    }
    constexpr std::size_t kOne = 1;
    return AtMiddle(pictures, [](const DieModel& model, const DiePose& pose) {
      return model.RelitGround(pose) - model.Evaluate(pose, DiePatterns()[kOne]).score;
    });
  };
  EXPECT_GT(wins({}), 0);
  EXPECT_LT(wins({{{2.5, 2.5}, 1, 0}}), -40);
}

// Two spots where a blue shadow is deepest lie as a two's pips do. A die's colours are its own.
TEST(DieModel, KnowsACastShadowByItsLight) {
  const auto wins = [&](const ShotPictures& pictures) {
    constexpr std::size_t kTwo = 2;
    return AtMiddle(pictures, [](const DieModel& model, const DiePose& pose) {
      return model.CastShadow(pose, DiePatterns()[kTwo]) -
             model.Evaluate(pose, DiePatterns()[kTwo]).score;
    });
  };
  ShotPictures shadow = PicturesOf({});
  cv::Mat depth(shadow.after.size(), CV_32F, cv::Scalar(0));
  cv::rectangle(depth, cv::Rect(56, 56, 18, 18), cv::Scalar(0.5), cv::FILLED);
  for (const cv::Point spot : {cv::Point(61, 69), cv::Point(69, 61)})
    cv::circle(depth, spot, 2, cv::Scalar(1), cv::FILLED);
  cv::GaussianBlur(depth, depth, {}, 0.8);
  const cv::Vec3d umbra(0.4, 0.2, 0.15);
  const ChangeWindow lit = CutWindow(shadow, cv::Rect({}, shadow.after.size()), {});
  for (int row = 0; row < depth.rows; ++row) {
    for (int column = 0; column < depth.cols; ++column) {
      auto& pixel = shadow.after.at<cv::Vec3b>(row, column);
      const double shaded = depth.at<float>(row, column);
      for (int c = 0; c < 3; ++c) {
        const double light = lit.At(row, column).after[c] * (1 - shaded + shaded * umbra[c]);
        pixel[c] = cv::saturate_cast<std::uint8_t>(CodeOfLight(light));
      }
    }
  }
  EXPECT_GT(wins(shadow), 0);
  EXPECT_LT(wins(PicturesOf({{{2.5, 2.5}, 2, 0}})), -40);
  EXPECT_LT(
      wins(PicturesOf({{{2.5, 2.5}, 2, 0}}, cv::Scalar(40, 35, 90), cv::Scalar(235, 235, 235))),
      -40);
}

// A red die darkens what is green and blue of white cloth. No lamp's shadow is so red.
TEST(DieModel, TakesNoRedDieForAShadow) {
  ShotPictures pictures = PicturesOf({{{2.5, 2.5}, 2, 0}}, cv::Scalar(45, 40, 170));
  pictures.before.setTo(cv::Scalar::all(230));
  const cv::Mat cloth = pictures.changed == 0;
  pictures.after.setTo(cv::Scalar::all(230), cloth);
  EXPECT_EQ(AtMiddle(pictures,
                     [](const DieModel& model, const DiePose& pose) {
                       return model.CastShadow(pose, DiePatterns()[2]);
                     }),
            0);
}

// A stick under a face along its diagonal shows a stripe, and a die a three.
TEST(DieModel, TellsAStickFromAThree) {
  const auto stripe_wins = [](const ShotPictures& pictures) {
    return AtMiddle(pictures, [](const DieModel& model, const DiePose& pose) {
      double three = -1e18;
      double stripe = -1e18;
      for (const DiePattern& pattern : DiePatterns())
        if (pattern.value == 3) three = std::max(three, model.Evaluate(pose, pattern).score);
      for (const DiePattern& pattern : StripePatterns())
        stripe = std::max(stripe, model.Evaluate(pose, pattern).score);
      return stripe - three;
    });
  };
  ShotPictures stick = PicturesOf({});
  cv::line(stick.after, {45, 45}, {84, 84}, cv::Scalar(225, 235, 238), 3, cv::LINE_AA);
  stick.changed = ChangedIn(stick);
  EXPECT_GT(stripe_wins(stick), 5);
  EXPECT_LT(stripe_wins(PicturesOf({{{2.5, 2.5}, 3, 0}})), -40);
}

TEST(ChanceOf, IsThatOfTheValueOnADieThatLiesFlat) {
  DieFound die;
  die.value = 4;
  die.p_right = 0.99;
  EXPECT_TRUE(IsRead(die));
  die.p_cocked = 0.1;
  EXPECT_NEAR(ChanceOf(die), 0.9 * 0.99, 1e-12);
  EXPECT_FALSE(IsRead(die));
  EXPECT_FALSE(IsCocked(die));
}

// A die that leans is searched for about the upper face that is seen.
TEST(DieModel, TiltsAboutTheUpperFace) {
  const ShotPictures pictures = PicturesOf({});
  const ChangeWindow window = CutWindow(pictures, cv::Rect({}, pictures.after.size()), {});
  const DieModel model(window, pictures.camera, {2.5, 2.5}, 0, pictures.blur);
  DiePose pose;
  pose.middle = {60, 60};
  pose.tilt_rad = 0.2;
  const cv::Point2d seen = model.Upper(pose).centre;
  for (const std::size_t way : {4U, 5U})
    EXPECT_LT(cv::norm(model.Upper(model.Moved(pose, way, 2)).centre - seen), 1e-6) << way;
}

TEST(HideDice, LeavesNoChange) {
  const TerrainMap terrain{Scenario()};
  ShotPictures pictures = PicturesOf({{{2.3, 2.7}, 5}});
  const auto dice = FindDice(pictures, terrain, kWhere);
  ASSERT_EQ(dice.size(), 1U);
  HideDice(dice, pictures);
  EXPECT_EQ(cv::countNonZero(pictures.changed), 0);
  cv::Mat difference;
  cv::absdiff(pictures.before, pictures.after, difference);
  EXPECT_LT(cv::norm(difference, cv::NORM_INF), 40);
}

}  // namespace
}  // namespace fos
