// SPDX-License-Identifier: MIT
#include "calibration/watch/camera_watch.h"

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

#include "tests/support/plane_picture.h"

namespace fos {
namespace {

using test::MarkedTable;
using test::Overhead;
using test::PaintedTable;
using test::PictureOfPlane;
using test::Webcam;
using State = WatchReading::State;

class Watch : public ::testing::TestWithParam<bool> {
 protected:
  Watch() : table_(MarkedTable(8, 6, 4.0)) {
    if (!GetParam()) table_.fiducials.reset();
    camera_ = Overhead(Webcam(640, 480), table_.frame, 46, 0, 4, 40);
    registration_.camera = camera_;
    if (table_.fiducials) registration_.markers_used = {0, 1, 2, 3};
    first_ = Picture(camera_, 1);
  }
  cv::Mat Picture(const TableCamera& camera, std::uint64_t seed) const {
    return PictureOfPlane(camera, PaintedTable(table_), {0.7, 1.5, seed});
  }
  // The camera pushed sideways, so that the picture shifts by so much at the table.
  TableCamera Pushed(double inches) const {
    return MakeTableCamera(camera_.lens, camera_.rvec, camera_.tvec + cv::Vec3d(0, inches, 0));
  }

  TableSpec table_;
  TableCamera camera_;
  TableRegistration registration_;
  cv::Mat first_;
};

TEST_P(Watch, NoiseIsNoBump) {
  CameraWatch watch(first_, registration_, table_);
  ASSERT_GE(watch.patches(), 12U);
  for (std::uint64_t frame = 2; frame < 8; ++frame) {
    const WatchReading reading = watch(Picture(camera_, frame));
    EXPECT_EQ(reading.state, State::kSteady);
    EXPECT_LT(reading.shift_in, 0.005);
    EXPECT_TRUE(reading.at_rest);
  }
}

TEST_P(Watch, ABumpOfThreeHundredthsIsNoticed) {
  CameraWatch watch(first_, registration_, table_);
  const TableCamera bumped = Pushed(0.03);
  WatchReading reading;
  for (std::uint64_t frame = 2; frame < 7; ++frame) reading = watch(Picture(bumped, frame));
  EXPECT_EQ(reading.state, State::kMoved);
  EXPECT_NEAR(reading.shift_in, 0.03, 0.006);
  EXPECT_TRUE(reading.at_rest);
}

TEST_P(Watch, AThirdOfThatIsLetPass) {
  CameraWatch watch(first_, registration_, table_);
  const TableCamera bumped = Pushed(0.008);
  for (std::uint64_t frame = 2; frame < 7; ++frame) {
    EXPECT_EQ(watch(Picture(bumped, frame)).state, State::kSteady);
  }
}

TEST_P(Watch, AKnockOfHalfAnInchIsFollowed) {
  CameraWatch watch(first_, registration_, table_);
  const TableCamera knocked = Pushed(0.5);
  WatchReading reading;
  for (std::uint64_t frame = 2; frame < 9; ++frame) reading = watch(Picture(knocked, frame));
  EXPECT_EQ(reading.state, State::kMoved);
  EXPECT_NEAR(reading.shift_in, 0.5, 0.05);
  EXPECT_TRUE(reading.at_rest);
}

// Where a pixel is now is known well enough to put the picture back in its place.
TEST_P(Watch, ATremblingCameraIsFollowedAndNotAtRest) {
  CameraWatch watch(first_, registration_, table_);
  std::uint64_t frame = 2;
  for (const double inches : {0.05, -0.06, 0.08, -0.03, 0.06}) {
    const TableCamera pushed = Pushed(inches);
    const WatchReading reading = watch(Picture(pushed, frame++));
    EXPECT_FALSE(reading.at_rest);
    ASSERT_TRUE(reading.now_from_reference);
    for (const Vec2 at : {Vec2{2, 2}, Vec2{16, 12}, Vec2{30, 4}}) {
      const ImagePoint was = ImageFromTable(camera_, at, 0);
      const ImagePoint is = ImageFromTable(pushed, at, 0);
      const cv::Vec3d found = *reading.now_from_reference * cv::Vec3d(was.x_px, was.y_px, 1);
      constexpr double kNear_px = 0.15;  // a hundredth of an inch here
      EXPECT_NEAR(found[0] / found[2], is.x_px, kNear_px);
      EXPECT_NEAR(found[1] / found[2], is.y_px, kNear_px);
    }
  }
}

TEST_P(Watch, ACreepingCameraIsNotAtRest) {
  CameraWatch watch(first_, registration_, table_);
  const double px_per_in = PixelsPerInch(camera_, {16, 12}, 0);
  WatchReading reading;
  for (int frame = 1; frame < 20; ++frame)
    reading = watch(Picture(Pushed(0.15 * frame / px_per_in), static_cast<std::uint64_t>(frame)));
  EXPECT_EQ(reading.state, State::kMoved);
  EXPECT_FALSE(reading.at_rest);
}

TEST_P(Watch, ABlurredPictureIsNotSharp) {
  CameraWatch watch(first_, registration_, table_);
  const cv::Mat sharp = Picture(camera_, 2);
  EXPECT_GT(watch(sharp).sharpness, 0.9);
  cv::Mat soft;
  cv::GaussianBlur(sharp, soft, {}, 1.5);
  const WatchReading reading = watch(soft);
  EXPECT_NE(reading.state, State::kCannotTell);
  EXPECT_LT(reading.sharpness, 0.7);
}

TEST_P(Watch, LampsAndExposureAreNoBump) {
  CameraWatch watch(first_, registration_, table_);
  for (const double gain : {0.6, 0.8, 1.15}) {
    cv::Mat lit;
    Picture(camera_, 9).convertTo(lit, CV_8UC1, gain, 5);
    for (int i = 0; i < 4; ++i) {
      const WatchReading reading = watch(lit);
      EXPECT_EQ(reading.state, State::kSteady) << gain;
      EXPECT_LT(reading.shift_in, 0.005) << gain;
    }
  }
}

TEST_P(Watch, AHandOverAllIsNotATable) {
  CameraWatch watch(first_, registration_, table_);
  cv::Mat covered(first_.size(), CV_8UC1, cv::Scalar(120));
  const WatchReading reading = watch(covered);
  EXPECT_EQ(reading.state, State::kCannotTell);
  // And when it has gone all is well again.
  EXPECT_EQ(watch(Picture(camera_, 4)).state, State::kSteady);
}

TEST_P(Watch, AHandOverHalfLeavesTheRest) {
  CameraWatch watch(first_, registration_, table_);
  cv::Mat covered = Picture(camera_, 4);
  covered(cv::Rect(0, 0, covered.cols / 2, covered.rows)) = 120;
  for (int i = 0; i < 4; ++i) {
    const WatchReading reading = watch(covered);
    EXPECT_EQ(reading.state, State::kSteady);
    EXPECT_LT(reading.in_view, 0.8);
  }
}

TEST_P(Watch, OtherPicturesCannotTell) {
  CameraWatch watch(first_, registration_, table_);
  EXPECT_EQ(watch(cv::Mat()).state, State::kCannotTell);
  EXPECT_EQ(watch(cv::Mat(100, 100, CV_8UC1, cv::Scalar(0))).state, State::kCannotTell);
  EXPECT_EQ(watch(cv::Mat(480, 640, CV_8UC3, cv::Scalar())).state, State::kCannotTell);
}

// Lines of another colour than the cloth and no lighter or darker: red goes down by as much of the
// lightness as green goes up.
class ColouredLines : public ::testing::Test {
 protected:
  ColouredLines() : table_({{8, 6, 4.0}, {}, {}}) {
    camera_ = Overhead(Webcam(640, 480), table_.frame, 46, 0, 4, 40);
    registration_.camera = camera_;
  }
  // push_in  of the camera, sideways.
  cv::Mat Picture(double push_in, std::uint64_t seed) const {
    const TableCamera pushed =
        MakeTableCamera(camera_.lens, camera_.rvec, camera_.tvec + cv::Vec3d(0, push_in, 0));
    PaintedTable paint(table_);
    paint.line_width_in = 0.12;
    std::vector<cv::Mat> channels;
    for (const double line : {paint.cloth, 0.356, 0.10}) {  // blue, green, red
      paint.line = line;
      channels.push_back(PictureOfPlane(pushed, paint, {0.7, 1.5, seed++}));
    }
    cv::Mat bgr;
    cv::merge(channels, bgr);
    return bgr;
  }

  TableSpec table_;
  TableCamera camera_;
  TableRegistration registration_;
};

TEST_F(ColouredLines, AreWatchedByTheirColour) {
  const cv::Mat first = Picture(0, 1);
  cv::Mat grey;
  cv::cvtColor(first, grey, cv::COLOR_BGR2GRAY);
  EXPECT_LT(CameraWatch(grey, registration_, table_).patches(), 4U);  // what it is all about
  CameraWatch watch(first, registration_, table_);
  ASSERT_TRUE(watch.by_colour());
  ASSERT_GE(watch.patches(), 12U);
  const cv::Mat same = Picture(0, 11);
  for (const double gain : {1.0, 0.8, 1.15}) {  // lamps
    cv::Mat lit;
    same.convertTo(lit, CV_8UC3, gain);
    const WatchReading reading = watch(lit);
    EXPECT_EQ(reading.state, State::kSteady) << gain;
    EXPECT_LT(reading.shift_in, 0.008) << gain;
  }
  const cv::Mat bumped = Picture(0.03, 21);
  WatchReading reading;
  for (int i = 0; i < 4; ++i) reading = watch(bumped);
  EXPECT_EQ(reading.state, State::kMoved);
  EXPECT_NEAR(reading.shift_in, 0.03, 0.008);
  EXPECT_EQ(watch(grey).state, State::kCannotTell);  // of another type than it was made with
}

TEST_P(Watch, LinesThatAreDarkerAreWatchedByLightness) {
  cv::Mat bgr;
  cv::merge(std::vector<cv::Mat>{first_, first_, first_}, bgr);
  const CameraWatch watch(bgr, registration_, table_);
  EXPECT_FALSE(watch.by_colour());
  EXPECT_EQ(watch.patches(), CameraWatch(first_, registration_, table_).patches());
}

INSTANTIATE_TEST_SUITE_P(Tables, Watch, ::testing::Bool(),
                         [](const auto& p) { return p.param ? "markers" : "lines_only"; });

}  // namespace
}  // namespace fos
