// SPDX-License-Identifier: MIT
#include "vision/change/change_detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>

namespace fos {
namespace {

constexpr double kPpi = 20;
constexpr double kFps = 10;
const TableFrame kBoard{6, 4, 4};
const cv::Size kPicture(640, 400);
// Frames after which what fell into other light has settled: a second, and two that show motion.
constexpr int kLightStands = static_cast<int>(kFps) + 2;
const cv::Scalar kWhite(230, 232, 235);
const cv::Scalar kSkin(120, 150, 205);

// Straight down on a place of the table.
TableCamera Above(Vec2 place, double height_in, cv::Size picture, double focal_px) {
  CameraModel lens;
  lens.width_px = picture.width;
  lens.height_px = picture.height;
  lens.fx_px = lens.fy_px = focal_px;
  lens.cx_px = (picture.width - 1) / 2.0;
  lens.cy_px = (picture.height - 1) / 2.0;
  const cv::Matx33d rotation(1, 0, 0, 0, -1, 0, 0, 0, -1);
  cv::Vec3d rvec;
  cv::Rodrigues(rotation, rvec);
  return MakeTableCamera(lens, rvec, -(rotation * cv::Vec3d(place.x, place.y, height_in)));
}

// The board's middle, 20 pixels an inch: four inches of floor to the sides, two above and below.
TableCamera Overhead() { return Above({12, 8}, 50, kPicture, 1000); }

cv::Rect RectOf(Vec2 low, Vec2 high) {
  const TableCamera camera = Overhead();
  const ImagePoint a = ImageFromTable(camera, {low.x, high.y}, 0);
  const ImagePoint b = ImageFromTable(camera, {high.x, low.y}, 0);
  return {cv::Point(cvRound(a.x_px), cvRound(a.y_px)), cv::Point(cvRound(b.x_px), cvRound(b.y_px))};
}

// Felt with specks and grid lines, and a dozen stands with light and dark parts.
cv::Mat EmptyTable() {
  cv::Mat table(kPicture, CV_8UC3, cv::Scalar(58, 104, 92));
  cv::RNG rng(11);
  for (int i = 0; i < 900; ++i) {
    const cv::Point at(rng.uniform(0, kPicture.width), rng.uniform(0, kPicture.height));
    cv::circle(table, at, 2, cv::Scalar(58, 104, 92) * rng.uniform(0.8, 1.2), -1);
  }
  for (int c = 0; c <= kBoard.columns; ++c) {
    table(RectOf({4.0 * c - 0.04, 0}, {4.0 * c + 0.04, kBoard.Depth()}))
        .setTo(cv::Scalar(26, 47, 41));
  }
  for (int r = 0; r <= kBoard.rows; ++r) {
    table(RectOf({0, 4.0 * r - 0.04}, {kBoard.Width(), 4.0 * r + 0.04}))
        .setTo(cv::Scalar(26, 47, 41));
  }
  for (int i = 0; i < 12; ++i) {
    const Vec2 at{1 + 2.0 * (i % 6), i < 6 ? 13.5 : 15.0};
    table(RectOf(at, at + Vec2{1.5, 0.75})).setTo(cv::Scalar(168, 79, 47));
    table(RectOf(at, at + Vec2{1.5, 0.2})).setTo(kWhite);
  }
  return table;
}

// A watch of the empty table, and the frames it is shown.
class ChangeDetectorTest : public testing::Test {
 protected:
  ChangeDetectorTest() : watch_(Overhead(), kBoard, kPicture, kFps) {
    watch_.SetBackground(EmptyTable(), 1.5);
    // The pictures before the test begins.
    for (int i = 0; i < 4; ++i) Show([](cv::Mat&) {});
  }

  // The next frame: the table, changed by `draw`, with its own noise.
  WatchReport Show(const std::function<void(cv::Mat&)>& draw) {
    shown_ = EmptyTable();
    draw(shown_);
    cv::Mat noise(kPicture, CV_16SC3);
    cv::RNG(static_cast<std::uint64_t>(index_) + 1).fill(noise, cv::RNG::NORMAL, 0, 1.5);
    cv::Mat sum;
    cv::add(shown_, noise, sum, {}, CV_8UC3);
    shown_ = sum;
    const Frame frame{{index_}, static_cast<double>(index_) / kFps, shown_};
    ++index_;
    return watch_.Look(frame);
  }
  // Shows the same until something settles, `most` frames at the most.
  std::optional<WatchReport> ShowUntilSettled(const std::function<void(cv::Mat&)>& draw, int most) {
    for (int i = 0; i < most; ++i) {
      WatchReport report = Show(draw);
      if (!report.settled.empty()) return report;
    }
    return std::nullopt;
  }

  ChangeDetector watch_;
  std::int64_t index_ = 0;
  cv::Mat shown_;
};

// A white bar of a swab's size.
void LayWhite(cv::Mat& picture, Vec2 at) { picture(RectOf(at, at + Vec2{3, 0.2})).setTo(kWhite); }
// The sun from the left to an edge, in a part of the picture that is as wide as it.
void SunTo(cv::Mat part, double edge_in, double soft_in) {
  for (int column = 0; column < part.cols; ++column) {
    const double lit = std::clamp((edge_in - (column / kPpi - 4)) / soft_in, 0.0, 1.0);
    cv::Mat of_part = part.col(column);
    of_part *= 1 + 0.8 * lit;
  }
}
// The sky's light alone from the left to an edge, the sun beyond it.
void ShadeTo(cv::Mat& picture, double edge_in) {
  cv::Mat shade = picture(RectOf({-4, -2}, {edge_in, 18}) & cv::Rect({}, picture.size()));
  cv::multiply(shade, cv::Scalar(0.5, 0.4, 0.36), shade);
}
// An arm from the picture's lower edge to 6 in into the board; its hand moves.
void ReachIn(cv::Mat& picture, double sway_in) {
  picture(RectOf({9 + sway_in, -3}, {11.5 + sway_in, 6}) & cv::Rect({}, picture.size()))
      .setTo(kSkin);
}

TEST_F(ChangeDetectorTest, ReportsNothingOnAStillTable) {
  for (int i = 0; i < 12; ++i) {
    const WatchReport report = Show([](cv::Mat&) {});
    EXPECT_TRUE(report.settled.empty());
    EXPECT_FALSE(report.moving || report.obstructed || report.light_changed ||
                 report.picture_shifted);
    EXPECT_NEAR(report.gain[1], 1, 0.01);
  }
}

TEST_F(ChangeDetectorTest, ReportsAnObjectOnceItHasLainStill) {
  const std::int64_t came = index_;
  const auto draw = [](cv::Mat& p) { LayWhite(p, {6.5, 5.5}); };
  for (int i = 0; i < watch_.SettleFrames(); ++i) {
    const WatchReport report = Show(draw);
    EXPECT_TRUE(report.settled.empty()) << i;
    EXPECT_TRUE(report.moving) << i;
  }
  const auto report = ShowUntilSettled(draw, 2);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->settled.size(), 1u);
  const SettledRegion& thing = report->settled[0];
  // Motion is judged against two frames ago, so the first still frame may still count as moving.
  EXPECT_GE(thing.at_rest.index, came);
  EXPECT_LE(thing.at_rest.index, came + 1);
  EXPECT_TRUE(thing.on_board);
  EXPECT_FALSE(thing.was_under_hand);
  EXPECT_FALSE(report->moving || report->obstructed);
  EXPECT_TRUE(thing.box.Contains({6.6, 5.6}) && thing.box.Contains({9.4, 5.6}));
  EXPECT_TRUE(Grown({{6.5, 5.5}, {9.5, 5.7}}, 0.35).Contains(thing.box.low));
  EXPECT_TRUE(Grown({{6.5, 5.5}, {9.5, 5.7}}, 0.35).Contains(thing.box.high));
  EXPECT_GT(thing.area_in2, 0.5);
  EXPECT_LT(thing.area_in2, 1.5);
  // In the picture's own pixels it is where it was drawn, and nowhere else.
  const cv::Mat full = watch_.FullMask(thing, cv::Rect({}, kPicture));
  const cv::Rect drawn = RectOf({6.5, 5.5}, {9.5, 5.7});
  EXPECT_EQ(cv::countNonZero(full(drawn)), drawn.area());
  EXPECT_LT(cv::countNonZero(full), 3 * drawn.area());
  const cv::Rect part(100, 150, 200, 120);
  EXPECT_EQ(cv::norm(watch_.FullMask(thing, part), full(part), cv::NORM_INF), 0);
}

TEST_F(ChangeDetectorTest, SettlesAnObjectOnlyWhenItStops) {
  Vec2 at{3, 9};
  for (int i = 0; i < 10; ++i) {
    at = at + Vec2{0.3, 0.1};
    const WatchReport report = Show([&](cv::Mat& p) { LayWhite(p, at); });
    EXPECT_TRUE(report.settled.empty()) << i;
    EXPECT_TRUE(report.moving) << i;
  }
  const std::int64_t stopped = index_ - 1;
  const auto report = ShowUntilSettled([&](cv::Mat& p) { LayWhite(p, at); }, 8);
  ASSERT_TRUE(report);
  EXPECT_GE(report->settled[0].at_rest.index, stopped);
  EXPECT_LE(report->settled[0].at_rest.index, stopped + 1);
}

TEST_F(ChangeDetectorTest, SeesSlowRollingAsMotion) {
  // A pixel a frame: hardly visible from one frame to the next.
  for (int i = 0; i < 14; ++i) {
    const WatchReport report = Show([&](cv::Mat& p) {
      p(RectOf({6, 5.5}, {6.4, 5.9}) + cv::Point(2 * i, 0)).setTo(kWhite);
    });
    EXPECT_TRUE(report.settled.empty()) << i;
  }
}

TEST_F(ChangeDetectorTest, ReportsAnArmUntilItIsGone) {
  for (int i = 0; i < 10; ++i) {
    const WatchReport report = Show([&](cv::Mat& p) { ReachIn(p, 0.1 * (i % 3)); });
    EXPECT_TRUE(report.obstructed) << i;
    EXPECT_TRUE(report.settled.empty()) << i;
    EXPECT_FALSE(report.picture_shifted) << i;
  }
  EXPECT_GT(cv::countNonZero(watch_.HandMask()), 0);
  for (int i = 0; i < 8; ++i) {
    const WatchReport report = Show([](cv::Mat&) {});
    EXPECT_FALSE(report.obstructed) << i;
    EXPECT_TRUE(report.settled.empty()) << i;
  }
  EXPECT_EQ(cv::countNonZero(watch_.HandMask()), 0);
}

TEST_F(ChangeDetectorTest, ReportsAHandHeldStill) {
  for (int i = 0; i < 12; ++i) {
    EXPECT_TRUE(Show([](cv::Mat& p) { ReachIn(p, 0); }).obstructed) << i;
  }
}

// A finger near the camera: its edge is so soft that at the picture's edge hardly anything changes.
cv::Mat OverTheSoftFinger(const cv::Mat& table, const cv::Scalar& skin, double in,
                          int off_edge_px = 40) {
  cv::Mat share(table.size(), CV_32FC3, cv::Scalar::all(0));
  constexpr int kFade_px = 61;
  const int tip = cvRound(in * 200);
  share(cv::Rect(240, table.rows - off_edge_px - tip, 90, tip)).setTo(cv::Scalar::all(1));
  cv::GaussianBlur(share, share, {kFade_px, kFade_px}, 10);
  cv::Mat from;
  table.convertTo(from, CV_32FC3);
  const cv::Mat over = from + share.mul(cv::Mat(table.size(), CV_32FC3, skin) - from);
  cv::Mat out;
  over.convertTo(out, CV_8UC3);
  return out;
}

TEST_F(ChangeDetectorTest, ReportsASoftFingerThatRests) {
  for (const double in : {0.5, 0.8, 1.0}) {
    EXPECT_TRUE(Show([&](cv::Mat& p) { p = OverTheSoftFinger(p, kSkin, in); }).obstructed);
  }
  // Longer than a light takes to be the new normal.
  for (int i = 0; i < 2 * kFps; ++i) {
    const WatchReport report = Show([](cv::Mat& p) { p = OverTheSoftFinger(p, kSkin, 1); });
    EXPECT_TRUE(report.obstructed) << i;
    EXPECT_TRUE(report.settled.empty()) << i;
  }
  EXPECT_FALSE(Show([](cv::Mat&) {}).obstructed);
}

// A sleeve of the cloth's colour hides a unit: when it rests, only what it hides tells it.
TEST_F(ChangeDetectorTest, ReportsASleeveOfTheClothsColourThatRests) {
  const auto reach = [](cv::Mat& p, double in) {
    cv::flip(p, p, 0);
    p = OverTheSoftFinger(p, cv::Scalar(78, 136, 120), in, 10);
    cv::flip(p, p, 0);
  };
  for (const double in : {0.6, 0.8, 1.0}) {
    EXPECT_TRUE(Show([&](cv::Mat& p) { reach(p, in); }).obstructed) << in;
  }
  for (int i = 0; i < 2 * kFps; ++i) {
    const WatchReport report = Show([&](cv::Mat& p) { reach(p, 1); });
    EXPECT_TRUE(report.obstructed) << i;
    EXPECT_TRUE(report.settled.empty()) << i;
  }
  EXPECT_FALSE(Show([](cv::Mat&) {}).obstructed);
}

// What an arm leaves behind is small beside it. A finger that rests was left by no other arm.
TEST_F(ChangeDetectorTest, ReportsAFingerThatRestsWhileAnArmMovesElsewhere) {
  const auto finger = [](cv::Mat& p) {
    p(RectOf({3, -3}, {4.9, 1}) & cv::Rect({}, p.size())).setTo(kSkin);
  };
  for (int i = 0; i < 2 * kFps; ++i) {
    const WatchReport report = Show([&](cv::Mat& p) {
      ReachIn(p, 0.1 * (i % 3));
      finger(p);
    });
    EXPECT_TRUE(report.obstructed) << i;
    EXPECT_TRUE(report.settled.empty()) << i;
  }
  for (int i = 0; i < 2 * kFps; ++i) {
    const WatchReport report = Show(finger);
    EXPECT_TRUE(report.obstructed) << i;
    EXPECT_TRUE(report.settled.empty()) << i;
  }
}

// Somebody leans in over the edge, and something falls into his shade.
TEST_F(ChangeDetectorTest, TakesAShadeThatCameFromOutsideForNoRestingHand) {
  const auto lean = [](cv::Mat& p, double to) {
    cv::Mat part = p(RectOf({2, -1.5}, {14, to}));
    part *= 0.6;
  };
  for (const double to : {4.0, 7.0, 10.0}) Show([&](cv::Mat& p) { lean(p, to); });
  const auto fallen = ShowUntilSettled(
      [&](cv::Mat& p) {
        lean(p, 10);
        p(RectOf({9, 6.5}, {9.4, 6.9})).setTo(cv::Scalar(40, 45, 150));
      },
      kLightStands);
  ASSERT_TRUE(fallen.has_value());
  EXPECT_TRUE(fallen->settled[0].box.Contains({9.2, 6.7}));
}

// A shade comes in from the side and stays. Its edge is so soft that it slopes across many tiles of
// plain cloth: eight seconds long it was taken for a resting arm.
TEST_F(ChangeDetectorTest, TakesAShadeWithAWideSoftEdgeForLight) {
  cv::Mat shade(kPicture, CV_32FC1, cv::Scalar(1));
  const auto show = [&](double to_in) {
    return Show([&](cv::Mat& p) {
      shade.setTo(1);
      shade(RectOf({-4, 1}, {to_in, 13}) & cv::Rect({}, kPicture)).setTo(0.25);
      constexpr double kSoft_in = 0.3;
      cv::GaussianBlur(shade, shade, {}, kSoft_in * kPpi);
      cv::Mat left;
      cv::merge(std::vector<cv::Mat>(3, shade), left);
      cv::multiply(p, left, p, 1, CV_8UC3);
    });
  };
  for (const double to_in : {2.0, 5.0, 8.0}) show(to_in);
  for (int i = 0; i < 2 * kLightStands; ++i) EXPECT_FALSE(show(8).obstructed) << i;
}

TEST_F(ChangeDetectorTest, TellsAPlacedObjectFromAThrownOne) {
  for (int i = 0; i < 5; ++i) Show([&](cv::Mat& p) { ReachIn(p, 0.1 * (i % 3)); });
  const auto laid = ShowUntilSettled([](cv::Mat& p) { LayWhite(p, {8.5, 4}); }, 8);
  ASSERT_TRUE(laid);
  EXPECT_TRUE(laid->settled[0].was_under_hand);
  watch_.Absorb(laid->settled[0], shown_);
  watch_.ForgetHands();
  const auto thrown = ShowUntilSettled(
      [](cv::Mat& p) {
        LayWhite(p, {8.5, 4});
        LayWhite(p, {9, 2});
      },
      8);
  ASSERT_TRUE(thrown);
  ASSERT_EQ(thrown->settled.size(), 1u);
  EXPECT_FALSE(thrown->settled[0].was_under_hand);
  EXPECT_LT(thrown->settled[0].box.high.y, 2.6);
}

// Where the table looks as it did before it was out of sight, no hand has changed it.
TEST_F(ChangeDetectorTest, SuspectsHandsWhereTheTableHasChangedOutOfSight) {
  ASSERT_FALSE(ShowUntilSettled([](cv::Mat&) {}, 8));
  const auto one = [](cv::Mat& p) { LayWhite(p, {8.5, 4}); };
  cv::Mat changed = shown_.clone();
  one(changed);
  watch_.SuspectHands(changed);
  const auto put = ShowUntilSettled(one, 8);
  ASSERT_TRUE(put);
  ASSERT_EQ(put->settled.size(), 1U);
  EXPECT_TRUE(put->settled[0].was_under_hand && put->settled[0].was_unseen);
  watch_.Absorb(put->settled[0], shown_);
  const auto thrown = ShowUntilSettled(
      [&](cv::Mat& p) {
        one(p);
        LayWhite(p, {2, 9});
      },
      8);
  ASSERT_TRUE(thrown);
  ASSERT_EQ(thrown->settled.size(), 1U);
  EXPECT_FALSE(thrown->settled[0].was_under_hand);
}

TEST_F(ChangeDetectorTest, MarksAnObjectBesideTheBoard) {
  const auto report = ShowUntilSettled([](cv::Mat& p) { LayWhite(p, {-3.5, 6}); }, 8);
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->settled[0].on_board);
}

TEST_F(ChangeDetectorTest, DoesNotReportASwitchedLampAsAnObject) {
  for (const double gain : {0.7, 1.3}) {
    watch_.SetBackground(EmptyTable(), 1.5);
    // Until the light has lasted long enough for the detector to accept it.
    for (int i = 1; i <= watch_.SettleFrames(); ++i) {
      const WatchReport report = Show([&](cv::Mat& p) { p *= gain; });
      const bool stands = i == watch_.SettleFrames();
      EXPECT_EQ(report.light_changed, !stands) << gain << ", " << i;
      EXPECT_EQ(report.new_exposure, stands) << gain << ", " << i;
      EXPECT_TRUE(report.settled.empty()) << gain << ", " << i;
      EXPECT_FALSE(report.obstructed) << gain << ", " << i;
      EXPECT_NEAR(report.gain[1], stands ? 1 : gain, 0.02);
    }
    // From now on it is how the table looks.
    for (int i = 0; i < 5; ++i) {
      const WatchReport report = Show([&](cv::Mat& p) { p *= gain; });
      EXPECT_FALSE(report.light_changed || report.new_exposure || report.moving) << gain;
      EXPECT_TRUE(report.settled.empty()) << gain;
    }
  }
  // Taken as the new background, it is how the table looks.
  watch_.SetBackground(shown_, 1.5);
  for (int i = 0; i < 5; ++i) {
    const WatchReport report = Show([](cv::Mat& p) { p *= 1.3; });
    EXPECT_FALSE(report.light_changed || report.moving);
    EXPECT_TRUE(report.settled.empty());
  }
}

// A dark finger rests over bare cloth in a dim and noisy picture. It darkens all channels alike, as
// a shadow does, but hides the weave, which no pixel shows by itself.
TEST(ChangeDetector, TellsADarkFingerFromAShadowByTheWeave) {
  constexpr double kDimNoise = 2.5;
  cv::Mat cloth(kPicture, CV_8UC3);
  cv::RNG rng(5);
  constexpr int kThread_px = 4;
  for (int y = 0; y < kPicture.height; y += kThread_px) {
    for (int x = 0; x < kPicture.width; x += kThread_px)
      cloth(cv::Rect(x, y, kThread_px, kThread_px) & cv::Rect({}, kPicture))
          .setTo(cv::Scalar(58, 104, 92) * rng.uniform(0.95, 1.05));
  }
  // Both are soft, as what is near the lens is, and a shadow of somebody who leans over.
  cv::Mat dark(kPicture, CV_32FC1, cv::Scalar(0));
  dark(RectOf({6, -3}, {15, 9}) & cv::Rect({}, kPicture)).setTo(1);
  constexpr double kSoft_px = 8;
  cv::GaussianBlur(dark, dark, {}, kSoft_px);
  cv::merge(std::vector<cv::Mat>(3, dark), dark);
  for (const bool finger : {true, false}) {
    ChangeDetector watch(Overhead(), kBoard, kPicture, kFps);
    watch.SetBackground(cloth, kDimNoise);
    int obstructed = 0;
    int settled = 0;
    constexpr int kFrames = 30;
    for (int i = -8; i < kFrames; ++i) {
      cv::Mat shown = cloth.clone();
      if (i >= 0) {
        constexpr double kDarker = 0.6;
        cv::Mat over(kPicture, CV_32FC3, kDarker * cv::mean(cloth));
        if (!finger) cloth.convertTo(over, CV_32FC3, kDarker);
        cv::Mat table;
        cloth.convertTo(table, CV_32FC3);
        cv::Mat mixed = over.mul(dark) + table - table.mul(dark);
        mixed.convertTo(shown, CV_8UC3);
      }
      cv::Mat noise(kPicture, CV_16SC3);
      cv::RNG(static_cast<std::uint64_t>(i + 100)).fill(noise, cv::RNG::NORMAL, 0, kDimNoise);
      cv::add(shown, noise, shown, {}, CV_8UC3);
      const WatchReport report = watch.Look({{i + 8}, (i + 8) / kFps, shown});
      if (i < 0) continue;
      obstructed += report.obstructed ? 1 : 0;
      settled += static_cast<int>(report.settled.size());
    }
    EXPECT_EQ(obstructed, finger ? kFrames : 0) << finger;
    EXPECT_EQ(settled, 0) << finger;
  }
}

// What a camera in a dim room shows: each picture with grain of its own.
class InGrain {
 public:
  explicit InGrain(double grain) : grain_(grain), watch_(Overhead(), kBoard, kPicture, kFps) {
    watch_.SetBackground(cloth_, grain);
    for (int i = 0; i < 15; ++i) Show([](cv::Mat&) {});
  }
  WatchReport Show(const std::function<void(cv::Mat&)>& draw) {
    cv::Mat shown = cloth_.clone();
    draw(shown);
    cv::Mat noise(kPicture, CV_16SC3);
    cv::RNG(static_cast<std::uint64_t>(index_) + 1).fill(noise, cv::RNG::NORMAL, 0, grain_);
    cv::add(shown, noise, shown, {}, CV_8UC3);
    WatchReport report = watch_.Look({{index_}, static_cast<double>(index_) / kFps, shown});
    ++index_;
    return report;
  }
  // The settled regions that hold a place, in so many pictures.
  int Settled(Vec2 place, int pictures, const std::function<void(cv::Mat&)>& draw) {
    int count = 0;
    for (int i = 0; i < pictures; ++i) {
      for (const SettledRegion& region : Show(draw).settled)
        count += region.box.Contains(place) ? 1 : 0;
    }
    return count;
  }

 private:
  double grain_;
  cv::Mat cloth_{kPicture, CV_8UC3, cv::Scalar(58, 104, 92)};
  ChangeDetector watch_;
  std::int64_t index_ = 0;
};

constexpr double kGrain = 3.5;
constexpr Vec2 kFell{10, 10};
void LayFaintShell(cv::Mat& picture) {
  picture(RectOf(kFell - Vec2{0.25, 0.25}, kFell + Vec2{0.25, 0.25})) += cv::Scalar(17, 17, 17);
}

TEST(ChangeDetectorInGrain, FindsWhatStandsOutFromTheMeanOfAFewPixels) {
  InGrain table(kGrain);
  EXPECT_EQ(table.Settled(kFell, 10, [](cv::Mat&) {}), 0);
  EXPECT_GT(table.Settled(kFell, 6, LayFaintShell), 0);
}

// Grain moves pixels now and then; a shade that stands becomes the table's light all the same.
// Before, it never did, and what fell into it was taken for a part of it.
TEST(ChangeDetectorInGrain, FindsWhatFallsIntoAShadeThatStands) {
  InGrain table(kGrain);
  cv::Mat left(kPicture, CV_32FC1, cv::Scalar(1));
  left(RectOf({5, 5}, {15, 13})).setTo(0.6);
  cv::GaussianBlur(left, left, {}, 8);
  cv::merge(std::vector<cv::Mat>(3, left), left);
  const auto shade = [&](cv::Mat& picture) { cv::multiply(picture, left, picture, 1, CV_8UC3); };
  table.Settled(kFell, 2 * kLightStands, shade);
  EXPECT_EQ(table.Settled(kFell, 10, shade), 0);
  EXPECT_GT(table.Settled(kFell, 6,
                          [&](cv::Mat& picture) {
                            shade(picture);
                            LayFaintShell(picture);
                          }),
            0);
}

// A lamp goes out, and the others throw a shade that was not there: one exposure for the whole
// picture would not make the table what it was.
TEST_F(ChangeDetectorTest, TakesALampThatLeavesALargeShadeForNoNewExposure) {
  for (int i = 0; i < 2 * watch_.SettleFrames(); ++i) {
    const WatchReport report = Show([](cv::Mat& p) {
      p *= 0.8;
      cv::Mat part = p(RectOf({4, 2}, {14, 12}));
      part *= 0.8;
    });
    EXPECT_FALSE(report.new_exposure) << i;
    EXPECT_TRUE(report.settled.empty()) << i;
  }
}

// Somebody leans over the table and stays; a red piece falls into the shade. Light changes all
// colours alike, and the piece does not.
TEST_F(ChangeDetectorTest, ReportsAnObjectThatFallsIntoAShadeThatStays) {
  const auto lean = [](cv::Mat& p) {
    cv::Mat part = p(RectOf({4, 2}, {14, 12}));
    part *= 0.75;
  };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Show(lean).settled.empty()) << "a shade is no object";
  const auto fallen = ShowUntilSettled(
      [&](cv::Mat& p) {
        lean(p);
        p(RectOf({9, 6.5}, {9.4, 6.9})).setTo(cv::Scalar(40, 45, 150));
      },
      kLightStands);
  ASSERT_TRUE(fallen.has_value());
  ASSERT_EQ(fallen->settled.size(), 1U);
  EXPECT_TRUE(fallen->settled[0].box.Contains({9.2, 6.7}));
  EXPECT_LT(fallen->settled[0].area_in2, 1) << "the piece, without the shade about it";
}

TEST_F(ChangeDetectorTest, ReportsAnObjectThatFallsAsTheExposureJumps) {
  for (const double gain : {0.7, 1.1}) {
    watch_.SetBackground(EmptyTable(), 1.5);
    for (int i = 0; i < 4; ++i) Show([](cv::Mat&) {});
    const auto fallen = ShowUntilSettled(
        [&](cv::Mat& p) {
          LayWhite(p, {10, 8});
          p *= gain;
        },
        2 * watch_.SettleFrames());
    ASSERT_TRUE(fallen.has_value()) << gain;
    ASSERT_EQ(fallen->settled.size(), 1U) << gain;
    EXPECT_TRUE(fallen->settled[0].box.Contains({11.5, 8.1}));
    // In what it is compared with nothing but it is new.
    EXPECT_NEAR(watch_.Background().at<cv::Vec3b>(300, 100)[1], 104 * gain, 12) << gain;
  }
}

TEST_F(ChangeDetectorTest, SettlesAnObjectWithFlickeringPixels) {
  // White cloth; in every frame the coder darkens one of two blocks in turn.
  const cv::Rect place = RectOf({10, 8}, {13.4, 9});
  std::optional<int> settled;
  for (int i = 0; i < 12 && !settled; ++i) {
    const WatchReport report = Show([&](cv::Mat& p) {
      p(place).setTo(kWhite);
      for (int j = 0; j <= i; j += 2) p(cv::Rect(place.x / 2 * 2 + 6 + 5 * j, 190, 4, 2)).setTo(0);
    });
    if (!report.settled.empty()) {
      settled = i;
      EXPECT_LE(std::abs(report.settled[0].at_rest.index - (index_ - 1 - i)), 3);
    }
  }
  ASSERT_TRUE(settled.has_value());
  EXPECT_LE(*settled, watch_.SettleFrames() + 2);
}

TEST_F(ChangeDetectorTest, TakesManyChangesAtOnceForLight) {
  bool light = false;
  for (int i = 0; i < 8; ++i) {
    const WatchReport report = Show([](cv::Mat& p) {
      for (int k = 0; k < 70; ++k) {
        const Vec2 at{1 + 2.1 * (k % 10), 1 + 1.5 * (k / 10)};
        p(RectOf(at, at + Vec2{0.3, 0.3})).setTo(cv::Scalar(90, 140, 130));
      }
    });
    light = light || report.light_changed;
    EXPECT_TRUE(report.settled.empty()) << i;
  }
  EXPECT_TRUE(light);
}

// Somebody walks past a lamp: a soft shade of a fifth glides over the table.
TEST_F(ChangeDetectorTest, ReportsNothingUnderAShadowThatGlidesPast) {
  constexpr double kWide_in = 4;
  for (double middle = -10; middle < 40; middle += 1.2) {
    const WatchReport report = Show([&](cv::Mat& p) {
      for (int column = 0; column < p.cols; ++column) {
        const double off = (column / kPpi - 4 - middle) / kWide_in;
        cv::Mat part = p.col(column);
        part *= 1 - 0.35 * std::exp(-0.5 * off * off);
      }
    });
    EXPECT_TRUE(report.settled.empty()) << middle;
    if (index_ % watch_.SettleFrames() == 0) watch_.Follow(shown_);
  }
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(Show([](cv::Mat&) {}).settled.empty()) << i;
}

// The sun's edge creeps over the table, from beyond one edge of the picture to beyond the other,
// and what falls touches what it has lit: as one it would be as large as an arm, and come in over
// the picture's edge.
TEST_F(ChangeDetectorTest, TellsWhatFallsBesideASunsEdgeThatCreepsFromAnArm) {
  double edge_in = 8;
  const auto sun = [&](cv::Mat& p) { SunTo(p, edge_in, 0.1); };
  shown_ = EmptyTable();
  sun(shown_);
  watch_.SetBackground(shown_, 1.5);
  constexpr double kCreeps_in = 0.02;  // a frame
  const auto watch = [&](const std::function<void(cv::Mat&)>& draw) {
    edge_in += kCreeps_in;
    WatchReport report = Show(draw);
    EXPECT_FALSE(report.obstructed) << edge_in;
    return report;
  };
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(watch(sun).settled.empty()) << i;
  const double touched_in = edge_in;
  const auto fallen = [&](cv::Mat& p) {
    sun(p);
    p(RectOf({touched_in, 6}, {touched_in + 1.5, 9})).setTo(cv::Scalar(200, 190, 40));
  };
  int settled = 0;
  for (int i = 0; i < kLightStands + 4; ++i) {
    for (const SettledRegion& region : watch(fallen).settled) {
      EXPECT_TRUE(region.box.Contains({touched_in + 1.2, 7.5})) << i;
      EXPECT_LT(region.area_in2, 5.5) << i;  // the block, and what the edge crept over
      ++settled;
      watch_.Absorb(region, shown_);
    }
  }
  EXPECT_EQ(settled, 1);
}

// The sun's edge has jumped by more than a finger's width, from one edge of the picture to the other,
// and the shade that it left was blue.
TEST_F(ChangeDetectorTest, TakesTheStripThatASunsEdgeHasLeftForNoArm) {
  shown_ = EmptyTable();
  ShadeTo(shown_, 8);
  watch_.SetBackground(shown_, 1.5);
  for (int i = 0; i < 4; ++i) Show([&](cv::Mat& p) { ShadeTo(p, 8); });
  for (int i = 0; i < kFps / 2; ++i)
    EXPECT_FALSE(Show([&](cv::Mat& p) { ShadeTo(p, 7.3); }).obstructed) << i;
  const auto fallen = ShowUntilSettled(
      [&](cv::Mat& p) {
        ShadeTo(p, 7.3);
        LayWhite(p, {8.5, 6});
      },
      kLightStands);
  ASSERT_TRUE(fallen);
  ASSERT_EQ(fallen->settled.size(), 1);
  EXPECT_TRUE(fallen->settled[0].box.Contains({9, 6.1}));
  EXPECT_FALSE(fallen->settled[0].was_under_hand);
}

// What a strong light's edge has left is lit otherwise in the picture from before, too: what lies
// there is compared with the table as it looks in the light of now.
TEST_F(ChangeDetectorTest, ShowsTheTableBeforeInTheLightOfNow) {
  shown_ = EmptyTable();
  ShadeTo(shown_, 8);
  watch_.SetBackground(shown_, 1.5);
  for (int i = 0; i < 4; ++i) Show([&](cv::Mat& p) { ShadeTo(p, 8); });
  const auto lit = [&](cv::Mat& p) { ShadeTo(p, 7.3); };
  WatchReport report;
  for (int i = 0; i < 3; ++i) report = Show(lit);
  for (int i = 0; i < 3; ++i)
    report = Show([&](cv::Mat& p) {
      lit(p);
      LayWhite(p, {5.5, 6});
    });
  cv::Mat bare = EmptyTable();
  lit(bare);
  const cv::Mat known = watch_.BackgroundAs(shown_, {{}, kPicture}, report.gain);
  const cv::Rect strip = RectOf({7.3, 5}, {8, 7});
  cv::Mat off;
  cv::absdiff(known(strip), bare(strip), off);
  const cv::Scalar mean = cv::mean(off);
  EXPECT_LT(std::max({mean[0], mean[1], mean[2]}), 6) << "in the old light it is darker by half";
}

// The edge of a window's light creeps on, so slowly that no frame shows it, until something falls
// across it: that has come now, and the rest has not.
TEST_F(ChangeDetectorTest, TellsWhatCameFromAnEdgeThatCreptUnseen) {
  double edge_in = 8;
  const auto sun = [&](cv::Mat& p) {
    SunTo(p(RectOf({-4, 4}, {23, 7}) & cv::Rect({}, p.size())), edge_in, 0.5);
  };
  shown_ = EmptyTable();
  sun(shown_);
  watch_.SetBackground(shown_, 1.5);
  for (int i = 0; i < 40; ++i) {
    if (i >= 25) edge_in += 0.015;
    Show(sun);
  }
  const std::int64_t came = index_;
  const auto report = ShowUntilSettled(
      [&](cv::Mat& p) {
        sun(p);
        LayWhite(p, {7, 5.5});
      },
      watch_.SettleFrames() + 2);
  ASSERT_TRUE(report);
  const auto thing = std::find_if(
      report->settled.begin(), report->settled.end(),
      [](const SettledRegion& region) { return region.box.Contains({9.5, 5.6}); });
  ASSERT_NE(thing, report->settled.end());
  EXPECT_GE(thing->at_rest.index, came) << "it was taken for drift";
  EXPECT_TRUE(Grown({{7, 5.5}, {10, 5.7}}, 0.6).Contains(thing->box.low));
  EXPECT_TRUE(Grown({{7, 5.5}, {10, 5.7}}, 0.6).Contains(thing->box.high));
}

// Of a swab in the shade an end alone is plain, and light that moves beside it holds the verdict up.
// Until then the rest, too faint to be told from the cloth, stays out of the background.
TEST_F(ChangeDetectorTest, KeepsTheFaintPartOfWhatWaitsOutOfTheBackground) {
  double edge_in = 8;
  const auto sun = [&](cv::Mat& p) { ShadeTo(p, edge_in); };
  shown_ = EmptyTable();
  sun(shown_);
  watch_.SetBackground(shown_, 1.5);
  for (int i = 0; i < 4; ++i) Show(sun);
  const cv::Rect faint = RectOf({4.3, 6}, {6.9, 6.2});
  const auto lay = [&](cv::Mat& p) {
    sun(p);
    p(RectOf({7, 6}, {7.4, 6.2})).setTo(kWhite);
    p(faint) += cv::Scalar(8, 8, 8);
  };
  std::optional<WatchReport> settled;
  int waited = 0;
  for (int i = 0; i < 20 && !settled; ++i, ++waited) {
    edge_in += i < 6 ? 0.25 : 0;
    WatchReport report = Show(lay);
    if (!report.settled.empty()) settled = std::move(report);
    if (index_ % watch_.SettleFrames() == 0) watch_.Follow(shown_);
  }
  ASSERT_TRUE(settled);
  EXPECT_GT(waited, watch_.SettleFrames() + 3) << "nothing held it up";
  const cv::Mat known = watch_.BackgroundAs(shown_, {{}, kPicture}, settled->gain);
  cv::Mat bare = EmptyTable();
  sun(bare);
  EXPECT_LT(cv::mean(known(faint))[1] - cv::mean(bare(faint))[1], 4) << "of 8";
}

// A ruler slides in from beside the board. Nothing at it is as wide as a hand.
TEST_F(ChangeDetectorTest, TakesARodThatCameFromBesideTheBoardForNoArm) {
  const auto lay = [](cv::Mat& p, double to) {
    p(RectOf({to - 9.5, 6}, {to, 6.8})).setTo(cv::Scalar(60, 190, 230));
  };
  for (const double to : {5.8, 6.1, 6.4})
    EXPECT_FALSE(Show([&](cv::Mat& p) { lay(p, to); }).obstructed) << to;
  const auto settled = ShowUntilSettled([&](cv::Mat& p) { lay(p, 6.4); }, 8);
  ASSERT_TRUE(settled);
  EXPECT_TRUE(settled->settled[0].on_board);
}

// The cloth is dark and changes too little to be noticed; white paint in the same shade does.
TEST_F(ChangeDetectorTest, TakesWhitePaintInAFaintShadeForNoObject) {
  const auto shade = [](cv::Mat& p) {
    cv::Mat part = p(RectOf({0, 8}, {13, 16}));
    part *= 0.92;
  };
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(Show(shade).settled.empty()) << i;
  // What falls there is one.
  const auto fallen = ShowUntilSettled(
      [&](cv::Mat& p) {
        shade(p);
        LayWhite(p, {6, 12});
      },
      8);
  ASSERT_TRUE(fallen);
  ASSERT_EQ(fallen->settled.size(), 1U);
  EXPECT_TRUE(fallen->settled[0].box.Contains({7.5, 12.1}));
}

TEST_F(ChangeDetectorTest, FollowsADriftingExposure) {
  for (int i = 0; i < 100; ++i) {
    const WatchReport report = Show([&](cv::Mat& p) { p *= 1 - 0.001 * i; });
    EXPECT_FALSE(report.light_changed) << i;
    EXPECT_TRUE(report.settled.empty()) << i;
    if (i % watch_.SettleFrames() == 0) watch_.Follow(shown_);
  }
}

TEST_F(ChangeDetectorTest, TakesWhatIsBurntWhiteForNothingNewAsTheExposureDrifts) {
  constexpr double kPaper = 400;  // code values: more than the camera can show
  const auto lit = [](double light, bool fallen) {
    return [=](cv::Mat& p) {
      p *= light;
      const cv::Scalar paper = cv::Scalar::all(std::min(255.0, kPaper * light));
      p(RectOf({5, 10}, {8, 10.3})) = paper;
      if (fallen) p(RectOf({6, 12}, {9, 12.2})) = paper;
    };
  };
  cv::Mat table = EmptyTable();
  lit(1, false)(table);
  watch_.SetBackground(table, 1.5);
  const auto drift = [&](double from, double to, bool fallen, bool followed) {
    constexpr int kFrames = 120;
    for (int i = 0; i <= kFrames; ++i) {
      const WatchReport report = Show(lit(from + (to - from) * i / kFrames, fallen));
      EXPECT_FALSE(report.light_changed) << to << " " << i;
      EXPECT_TRUE(report.settled.empty()) << to << " " << i;
      if (followed && i % watch_.SettleFrames() == 0) watch_.Follow(shown_);
    }
  };
  drift(1, 0.9, false, true);
  drift(0.9, 1.1, false, true);
  const cv::Mat known = watch_.BackgroundAs(shown_, {{}, kPicture}, {0.9, 0.9, 0.9});
  EXPECT_GT(cv::mean(known(RectOf({5.1, 10.1}, {7.9, 10.2})))[1], 250);
  // So is what has been taken into the background.
  const auto came = ShowUntilSettled(lit(1.1, true), 8);
  ASSERT_TRUE(came);
  ASSERT_EQ(came->settled.size(), 1U);
  watch_.Absorb(came->settled[0], shown_);
  drift(1.1, 0.9, true, false);
}

TEST_F(ChangeDetectorTest, SuspectsNoHandsOnBurntWhiteInLessLight) {
  constexpr double kPaper = 400;  // code values: more than the camera can show
  const auto lit = [](double light) {
    return [=](cv::Mat& p) {
      p *= light;
      p(RectOf({5, 10}, {11, 14})) = cv::Scalar::all(std::min(255.0, kPaper * light));
    };
  };
  cv::Mat table = EmptyTable();
  lit(1)(table);
  watch_.SetBackground(table, 1.5);
  Show(lit(1));
  cv::Mat darker = EmptyTable();
  lit(0.8)(darker);
  watch_.SuspectHands(darker);
  EXPECT_FALSE(watch_.SuspectsHands());
}

TEST_F(ChangeDetectorTest, FollowsAPlaceThatSlowlyDarkens) {
  // An inch of drying cloth, or the edge of a patch of sun, looks like an object if not followed.
  const auto darken = [](int i) {
    return [i](cv::Mat& p) {
      cv::Mat part = p(RectOf({6, 6}, {7, 7}));
      part *= 1 - 0.005 * i;
    };
  };
  for (int i = 0; i < 60; ++i) {
    EXPECT_TRUE(Show(darken(i)).settled.empty()) << i;
    if (i % watch_.SettleFrames() == 0) watch_.Follow(shown_);
  }
  watch_.SetBackground(EmptyTable(), 1.5);
  bool thing = false;
  for (int i = 0; i < 60; ++i) thing = !Show(darken(i)).settled.empty() || thing;
  EXPECT_TRUE(thing) << "it was following that kept it quiet";
}

TEST_F(ChangeDetectorTest, LeavesASettledBackgroundAsItIsWhereNothingDrifts) {
  for (int i = 0; i < 20; ++i) {
    Show([](cv::Mat&) {});
    watch_.Follow(shown_);
  }
  const cv::Mat settled = watch_.Background().clone();
  Show([](cv::Mat&) {});
  watch_.Follow(shown_);
  EXPECT_EQ(cv::norm(settled, watch_.Background(), cv::NORM_INF), 0);
  // A patch of sun creeps in: the background follows there, and stays where it was elsewhere.
  const cv::Rect sunny = RectOf({4.5, 4.5}, {7.5, 7.5});
  for (int i = 0; i < 10; ++i) {
    Show([&](cv::Mat& p) { p(sunny) *= 1.06; });
    watch_.Follow(shown_);
  }
  const cv::Rect middle = RectOf({5, 5}, {7, 7});
  EXPECT_GT(cv::mean(watch_.Background()(middle))[1], 1.035 * cv::mean(settled(middle))[1]);
  const cv::Rect far = RectOf({18, 6}, {22, 12});
  EXPECT_EQ(cv::norm(settled(far), watch_.Background()(far), cv::NORM_INF), 0);
}

TEST_F(ChangeDetectorTest, ReportsTheRemovalOfAnAbsorbedObject) {
  const auto draw = [](cv::Mat& p) { LayWhite(p, {6.5, 5.5}); };
  const auto came = ShowUntilSettled(draw, 8);
  ASSERT_TRUE(came);
  watch_.Absorb(came->settled[0], shown_);
  for (int i = 0; i < 8; ++i) {
    const WatchReport report = Show(draw);
    EXPECT_TRUE(report.settled.empty()) << i;
    EXPECT_FALSE(report.moving) << i;
  }
  const auto went = ShowUntilSettled([](cv::Mat&) {}, 8);
  ASSERT_TRUE(went);
  EXPECT_EQ(went->settled.size(), 1u);
}

TEST_F(ChangeDetectorTest, DoesNotReportAKnockAsAnObject) {
  bool shifted = false;
  for (int i = 0; i < 6; ++i) {
    const WatchReport report = Show([](cv::Mat& p) {
      const cv::Matx23d move(1, 0, 7, 0, 1, -8);
      cv::warpAffine(p.clone(), p, move, p.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    });
    shifted = shifted || report.picture_shifted;
    EXPECT_TRUE(report.settled.empty()) << i;
  }
  EXPECT_TRUE(shifted);
}

TEST(ChangeDetector, KeepsAnAbsorbedObjectInAPictureOfAnySize) {
  // Fifty pixels an inch are watched at a fifth of the scale, and 504 x 304 is not a multiple of
  // five. Squeezing the rest in would shift things far from the corner.
  const cv::Size size(504, 304);
  const TableFrame board{2, 1, 4};
  const TableCamera camera = Above({4, 2}, 40, size, 2000);
  ChangeDetector watch(camera, board, size, kFps);
  ASSERT_EQ(watch.Scale(), 5);
  const cv::Mat cloth(size, CV_8UC3, cv::Scalar(58, 104, 92));
  watch.SetBackground(cloth, 1.5);
  cv::Mat with = cloth.clone();
  const ImagePoint from = ImageFromTable(camera, {7.5, 0.5}, 0);
  const ImagePoint to = ImageFromTable(camera, {7.1, 3.4}, 0);
  cv::line(with, {cvRound(from.x_px), cvRound(from.y_px)}, {cvRound(to.x_px), cvRound(to.y_px)},
           kWhite, 8);
  int index = 0;
  const auto show = [&](const cv::Mat& picture) {
    const Frame frame{{index}, index / kFps, picture};
    ++index;
    return watch.Look(frame);
  };
  for (int i = 0; i < 4; ++i) show(cloth);
  WatchReport report;
  for (int i = 0; i < 12 && report.settled.empty(); ++i) report = show(with);
  ASSERT_EQ(report.settled.size(), 1u);
  watch.Absorb(report.settled[0], with);
  for (int i = 0; i < 12; ++i) EXPECT_TRUE(show(with).settled.empty()) << i;
}

// A stand is taken away at the edge of a board that fills the picture. The change is cut off by the
// edge, as an arm is, but an arm is ten times larger.
TEST(ChangeDetector, TellsAnObjectLeftAtThePicturesEdgeFromAHand) {
  const cv::Size size(640, 400);
  const TableCamera camera = Above({12, 8}, 50, size, 2000);
  ChangeDetector watch(camera, kBoard, size, kFps);
  cv::Mat bare(size, CV_8UC3, cv::Scalar(58, 104, 92));
  for (int x = 20; x < size.width; x += 80) bare.colRange(x, x + 4).setTo(cv::Scalar(26, 47, 41));
  cv::Mat with = bare.clone();
  cv::rectangle(with, {300, 300, 90, 100}, cv::Scalar(60, 60, 190),
                cv::FILLED);  // 5.6 square inches
  watch.SetBackground(with, 1.5);
  int index = 0;
  const auto look = [&](const cv::Mat& picture) {
    const Frame frame{{index}, index / kFps, picture};
    ++index;
    return watch.Look(frame);
  };
  const auto arm = [&](const cv::Mat& table, int up) {
    cv::Mat picture = table.clone();
    cv::rectangle(picture, {270, size.height - up, 150, up}, cv::Scalar(120, 150, 200), cv::FILLED);
    return picture;
  };
  for (int i = 0; i < 5; ++i) look(with);
  WatchReport report;
  for (const int up : {120, 240, 320, 330}) report = look(arm(with, up));
  EXPECT_TRUE(report.obstructed);
  // It rests there for two seconds, hand and all.
  for (int i = 0; i < 20; ++i) {
    report = look(arm(bare, 330));
    EXPECT_TRUE(report.obstructed) << i;
  }
  for (const int up : {240, 120}) report = look(arm(bare, up));
  EXPECT_TRUE(report.obstructed);
  int clear = 0;
  bool settled = false;
  for (int i = 0; i < 15; ++i) {
    report = look(bare);
    clear += report.obstructed ? 0 : 1;
    for (const SettledRegion& region : report.settled) settled = settled || region.was_under_hand;
  }
  EXPECT_GE(clear, 6) << "half a second after it has gone, and from then on";
  EXPECT_TRUE(settled);
}

// A board that fills the picture to its edge, 40 pixels an inch.
class BoardToTheEdge : public ::testing::Test {
 protected:
  WatchReport Look(const cv::Mat& picture) {
    const Frame frame{{index_}, index_ / kFps, picture};
    ++index_;
    return watch_.Look(frame);
  }
  cv::Mat WithArm(const cv::Mat& table, int up_px) const {
    cv::Mat picture = table.clone();
    cv::rectangle(picture, {270, size_.height - up_px, 150, up_px}, kSkin, cv::FILLED);
    return picture;
  }
  // 3.9 square inches, 1.5 in wide.
  cv::Mat WithTallThing(const cv::Mat& table) const {
    cv::Mat picture = table.clone();
    cv::rectangle(picture, {300, 296, 60, 104}, cv::Scalar(60, 60, 190), cv::FILLED);
    return picture;
  }
  cv::Mat Bare() const {
    cv::Mat bare(size_, CV_8UC3, cv::Scalar(58, 104, 92));
    for (int x = 20; x < size_.width; x += 80) {
      bare.colRange(x, x + 4).setTo(cv::Scalar(26, 47, 41));
    }
    return bare;
  }
  const cv::Size size_{640, 400};
  const cv::Mat all_{size_, CV_8UC1, cv::Scalar(255)};
  ChangeDetector watch_{Above({12, 8}, 50, size_, 2000), kBoard, size_, kFps};
  int index_ = 0;
};

// An object that a hand puts down there is narrower than an arm, so it settles without a wait.
TEST_F(BoardToTheEdge, DoesNotTakeAnObjectNarrowerThanAWristForAnArm) {
  const cv::Mat bare = Bare();
  watch_.SetBackground(bare, 1.5);
  for (int i = 0; i < 5; ++i) Look(bare);
  for (const int up : {120, 240, 120}) EXPECT_TRUE(Look(WithArm(bare, up)).obstructed) << up;
  const cv::Mat with = WithTallThing(bare);
  // Motion shows for two frames more.
  for (int i = 0; i < watch_.SettleFrames() + 1; ++i) Look(with);
  EXPECT_FALSE(Look(with).obstructed);
}

// The table is found again, and an arm rests over it.
TEST_F(BoardToTheEdge, FindsAnArmInANewBackgroundByTheOldOne) {
  const cv::Mat bare = Bare();
  const cv::Mat arm = WithArm(bare, 240);
  watch_.SetBackground(arm, 1.5);
  EXPECT_FALSE(Look(arm).obstructed) << "by itself it is the table";
  watch_.SetBackground(arm, 1.5);
  watch_.KeepWhatIsNew(0.8 * bare, all_);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(Look(arm).obstructed) << i;
  Look(bare);
  for (int i = 0; i < 5; ++i) {
    const WatchReport report = Look(bare);
    EXPECT_FALSE(report.obstructed) << i;
    EXPECT_TRUE(report.settled.empty()) << i;
  }
}

// What came while the table was lost is new when it is found again.
TEST_F(BoardToTheEdge, FindsAnObjectInANewBackgroundByTheOldOne) {
  const cv::Mat bare = Bare();
  cv::Mat with = bare.clone();
  with(cv::Rect(300, 150, 16, 16)).setTo(kWhite);  // as large as a shell
  watch_.SetBackground(with, 1.5);
  EXPECT_TRUE(watch_.KeepWhatIsNew(0.9 * bare, all_));
  WatchReport report = Look(with);
  EXPECT_TRUE(report.settled.empty()) << "it may still be rolling";
  for (int i = 0; i < 6; ++i) report = Look(with);
  ASSERT_EQ(report.settled.size(), 1U);
  EXPECT_FALSE(report.obstructed);
  EXPECT_FALSE(report.settled[0].was_under_hand);
  // Displaced by two pixels nothing is new.
  cv::Mat aside;
  cv::copyMakeBorder(bare.colRange(2, bare.cols), aside, 0, 0, 0, 2, cv::BORDER_REPLICATE);
  watch_.SetBackground(aside, 1.5);
  EXPECT_TRUE(watch_.KeepWhatIsNew(bare, all_));
  EXPECT_EQ(cv::norm(watch_.Background(), aside, cv::NORM_INF), 0);
  // Where all of it differs, nothing can be said.
  cv::Mat other(size_, CV_8UC3, cv::Scalar(58, 104, 92));
  for (int y = 15; y < size_.height; y += 60) other.rowRange(y, y + 20).setTo(kWhite);
  watch_.SetBackground(other, 1.5);
  EXPECT_FALSE(watch_.KeepWhatIsNew(bare, all_));
}

TEST_F(BoardToTheEdge, TakesNothingFromAPictureThatDoesNotShowTheTable) {
  const cv::Mat bare = Bare();
  const cv::Mat arm = WithArm(bare, 240);
  watch_.SetBackground(arm, 1.5);
  watch_.KeepWhatIsNew(bare, 0 * all_);
  EXPECT_FALSE(Look(arm).obstructed);
}

// An object as wide as an arm is accepted after a while.
TEST_F(BoardToTheEdge, TakesAWideObjectThatNeverMovesForNoArm) {
  const cv::Mat bare = Bare();
  const cv::Mat box = WithArm(bare, 240);
  watch_.SetBackground(box, 1.5);
  watch_.KeepWhatIsNew(bare, all_);
  EXPECT_TRUE(Look(box).obstructed);
  const ChangeDetectorOptions options;
  WatchReport report;
  for (int i = 0; i < options.still_hand_s * kFps + 5; ++i) report = Look(box);
  EXPECT_FALSE(report.obstructed);
  ASSERT_EQ(report.settled.size(), 1U);
  EXPECT_TRUE(report.settled[0].was_under_hand);
}

// A figure's head or plume is seen before another part of its base when the camera has been moved:
// a pixel or two that the known picture does not show, at 17 pixels an inch on any table of many
// stands. That is nothing new, and a shell among them is.
TEST(ChangeDetector, KeepsNoSpecksOfFiguresThatAreSeenFromElsewhere) {
  const cv::Size size{680, 440};
  const TableFrame board{9, 6, 4};
  ChangeDetector watch(Above({18, 12}, 50, size, 850), board, size, kFps);
  ASSERT_EQ(watch.Scale(), 1);
  const cv::Mat known(size, CV_8UC3, cv::Scalar(58, 104, 92));
  cv::Mat now = known.clone();
  for (int i = 0; i < 40; ++i)
    now(cv::Rect(90 + 50 * (i % 10), 80 + 70 * (i / 10), 2, 1)).setTo(kWhite);
  now(cv::Rect(340, 260, 7, 7)).setTo(kWhite);  // as large as a shell
  watch.SetBackground(now, 1.5);
  EXPECT_TRUE(watch.KeepWhatIsNew(known, cv::Mat(size, CV_8UC1, cv::Scalar(255))));
  WatchReport report;
  for (int i = 0; i < 8; ++i) report = watch.Look({{i}, i / kFps, now});
  ASSERT_EQ(report.settled.size(), 1U);
  EXPECT_TRUE(report.settled[0].rect.contains({343, 263}));
}

// A lamp that was switched changes a bright base by more than the cloth about it. What came
// meanwhile is new all the same.
TEST_F(ChangeDetectorTest, KeepsWhatIsNewInANewLightAndNotWhatItLights) {
  const auto lit = [](cv::Mat& p) {
    constexpr double kMore = 1.2;
    cv::Mat part = p(RectOf({0, 12.5}, {3.4, 15}));
    part *= kMore;
  };
  const auto look = [&](const std::function<void(cv::Mat&)>& draw) {
    cv::Mat now = EmptyTable();
    draw(now);
    watch_.SetBackground(now, 1.5);
    EXPECT_TRUE(watch_.KeepWhatIsNew(EmptyTable(), cv::Mat(kPicture, CV_8UC1, cv::Scalar(255))));
    return ShowUntilSettled(draw, 8);
  };
  EXPECT_FALSE(look(lit));
  const auto report = look([&](cv::Mat& p) {
    LayWhite(p, {15, 14});
    lit(p);
  });
  ASSERT_TRUE(report);
  ASSERT_EQ(report->settled.size(), 1U);
  EXPECT_TRUE(report->settled[0].box.Contains({16.5, 14.1}));
}

TEST_F(ChangeDetectorTest, TakesWhatWasBurntWhiteForNothingNewInLessLight) {
  const auto table = [](double light) {
    cv::Mat p = EmptyTable() * light;
    constexpr double kPaper = 400;  // more than the camera can show
    p(RectOf({5, 10}, {8, 10.3})) = cv::Scalar::all(std::min(255.0, kPaper * light));
    return p;
  };
  constexpr double kDimmed = 0.45;
  const auto draw = [&](cv::Mat& p) { table(kDimmed).copyTo(p); };
  watch_.SetBackground(table(kDimmed), 1.5);
  EXPECT_TRUE(watch_.KeepWhatIsNew(table(1), cv::Mat(kPicture, CV_8UC1, cv::Scalar(255))));
  EXPECT_FALSE(ShowUntilSettled(draw, 8));
}

TEST(ChangeDetector, RequiresABackgroundOfItsOwnSizeAndType) {
  ChangeDetector watch(Overhead(), kBoard, kPicture, kFps);
  EXPECT_THROW(watch.Look({{0}, 0, EmptyTable()}), std::logic_error);
  EXPECT_THROW(watch.SetBackground(cv::Mat(kPicture, CV_8UC1), 1), std::logic_error);
  EXPECT_THROW(watch.SetBackground(cv::Mat(100, 100, CV_8UC3), 1), std::logic_error);
}

TEST(ChangeDetector, SettlesInAFifthOfASecondAtAnyRate) {
  EXPECT_EQ(ChangeDetector(Overhead(), kBoard, kPicture, 30).SettleFrames(), 6);
  EXPECT_EQ(ChangeDetector(Overhead(), kBoard, kPicture, 60).SettleFrames(), 12);
  EXPECT_EQ(ChangeDetector(Overhead(), kBoard, kPicture, 5).SettleFrames(), 3) << "at the least";
}

// In the dark a webcam of 30 pictures a second delivers five.
TEST(ChangeDetector, SettlesInTwoMorePicturesWherePicturesAreRare) {
  for (const double promised_fps : {5.0, 15.0, 30.0}) {
    ChangeDetector watch(Overhead(), kBoard, kPicture, promised_fps);
    watch.SetBackground(EmptyTable(), 1.5);
    std::int64_t index = 0;
    const auto look = [&](const cv::Mat& picture) {
      const double time_s = 0.2 * static_cast<double>(index);
      return watch.Look({{index++}, time_s, picture});
    };
    for (int i = 0; i < 4; ++i) look(EmptyTable());
    cv::Mat with = EmptyTable();
    LayWhite(with, {6.5, 5.5});
    const std::int64_t came = index;
    EXPECT_TRUE(look(with).settled.empty());
    EXPECT_TRUE(look(with).settled.empty());
    const WatchReport report = look(with);
    ASSERT_EQ(report.settled.size(), 1U) << promised_fps;
    EXPECT_EQ(report.settled[0].at_rest.index, came);
    EXPECT_DOUBLE_EQ(report.settled[0].at_rest_s, 0.2 * static_cast<double>(came));
  }
}

TEST(NoiseOf, IsOneSigmaAndIgnoresMotion) {
  const auto noisy = [](std::uint64_t seed, double sigma) {
    cv::Mat noise(kPicture, CV_16SC3);
    cv::RNG(seed).fill(noise, cv::RNG::NORMAL, 0, sigma);
    cv::Mat out;
    cv::add(cv::Mat(kPicture, CV_8UC3, cv::Scalar(100, 100, 100)), noise, out, {}, CV_8UC3);
    return out;
  };
  for (const double sigma : {1.0, 3.0, 8.0}) {
    const cv::Mat a = noisy(1, sigma);
    cv::Mat b = noisy(2, sigma);
    EXPECT_NEAR(NoiseOf(a, b), sigma, 0.15 * sigma);
    b(cv::Rect(0, 0, 64, 400)).setTo(cv::Scalar(250, 250, 250));
    EXPECT_NEAR(NoiseOf(a, b), sigma, 0.3 * sigma) << "a tenth of the picture moved";
  }
  const cv::Mat same = noisy(1, 2);
  EXPECT_NEAR(NoiseOf(same, same), 0.3, 1e-9) << "whole levels are noise enough";
}

}  // namespace
}  // namespace fos
