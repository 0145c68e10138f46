// SPDX-License-Identifier: MIT
// What hands do while the camera is moved from its place, and is found again elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "datasets/render/synthetic.h"
#include "tests/support/watched_table.h"
#include "vision/pipeline/pipeline.h"

namespace fos {
namespace {

class MovedCamera : public ::testing::Test {
 protected:
  MovedCamera()
      : made_(RenderTable(test::WatchedTable())),
        placed_(test::Carried(made_)),
        carried_(RenderTable(test::WatchedTable(), placed_).bgr),
        camera_(made_) {
    camera_.See(made_.bgr, 12);
    EXPECT_TRUE(camera_.pipeline().Found()) << camera_.pipeline().WhyNotFound();
  }
  // The picture of a camera that was pushed further than the watch can follow.
  static cv::Mat Aside(const cv::Mat& bgr, int px = 14) {
    cv::Mat out;
    cv::copyMakeBorder(bgr.colRange(px, bgr.cols), out, 0, 0, 0, px, cv::BORDER_REPLICATE);
    return out;
  }
  // An arm from the picture's lower edge over the unit that is carried.
  cv::Mat WithArm(const cv::Mat& bgr) const {
    const Vec2 place = made_.stands.front().table_from_stand.origin;
    const ImagePoint at = ImageFromTable(made_.camera, place, 0);
    cv::Mat out = bgr.clone();
    const int top = cvRound(at.y_px) - 60;
    cv::rectangle(out, {cvRound(at.x_px) - 60, top, 120, out.rows - top}, cv::Scalar(90, 130, 190),
                  cv::FILLED);
    return out;
  }
  // The table lies still in another place, with the unit carried: every stand is known where it was
  // put, and nothing is told as an object.
  void ExpectCarriedUnitFoundAside() {
    camera_.See(Aside(carried_), 25);
    ASSERT_TRUE(camera_.pipeline().Finish().ok());
    ASSERT_EQ(camera_.Told<CameraMoved>().size(), 1U) << camera_.Story();
    const std::vector<StandObservation>& seen = camera_.pipeline().Scene().stands;
    const auto known = std::count_if(placed_.begin(), placed_.end(), [&](const auto& truth) {
      return std::any_of(seen.begin(), seen.end(), [&](const StandObservation& o) {
        constexpr double kNear_in = 0.1;
        return o.unit == truth.unit &&
               Distance(o.table_from_stand.origin, truth.table_from_stand.origin) < kNear_in;
      });
    });
    EXPECT_EQ(known, std::ssize(placed_)) << camera_.Story();
    EXPECT_TRUE(camera_.Told<ObjectSeen>().empty()) << camera_.Story();
  }

  SyntheticTable made_;
  std::vector<StandObservation> placed_;
  cv::Mat carried_;
  test::Watched camera_;
};

// Nobody saw the hands: the camera swung for two seconds.
TEST_F(MovedCamera, FindsWhatHandsMovedWhileItSwung) {
  for (int i = 0; i < 20; ++i) camera_.See(Aside(made_.bgr, i % 2 == 0 ? 14 : 24));
  ExpectCarriedUnitFoundAside();
}

// A hand that was seen before the camera was moved has gone when the table is found again.
TEST_F(MovedCamera, FindsWhatAHandMovedThatKnockedTheCamera) {
  camera_.See(WithArm(made_.bgr), 4);
  ExpectCarriedUnitFoundAside();
}

// The table is found again while a sleeve lies over it. It may end within the picture, so that
// nothing tells an arm until it moves.
class FoundWithASleeveOverIt : public MovedCamera, public ::testing::WithParamInterface<double> {};
TEST_P(FoundWithASleeveOverIt, FindsWhatHandsMovedBefore) {
  const auto with_sleeve = [&](const cv::Mat& bgr, double left_in) {
    const ImagePoint low = ImageFromTable(made_.camera, {12.4 - left_in, GetParam()}, 0);
    const ImagePoint high = ImageFromTable(made_.camera, {15.4 - left_in, 3.6}, 0);
    cv::Mat out = bgr.clone();
    cv::rectangle(out, cv::Point(cvRound(low.x_px), cvRound(low.y_px)),
                  cv::Point(cvRound(high.x_px), cvRound(high.y_px)), cv::Scalar(150, 140, 135),
                  cv::FILLED);
    return out;
  };
  camera_.See(Aside(with_sleeve(carried_, 0)), 12);
  for (const double left_in : {2.0, 3.5, 5.0}) camera_.See(Aside(with_sleeve(carried_, left_in)));
  ExpectCarriedUnitFoundAside();
}
INSTANTIATE_TEST_SUITE_P(ItsEnd_in, FoundWithASleeveOverIt, ::testing::Values(-2.0, -0.7, -0.4));

// A shell that lay there before the camera was moved is taken up after it: that is nothing new, and
// the next one on the same place is measured.
TEST_F(MovedCamera, TellsNothingNewWhereAProjectileIsTakenUp) {
  constexpr Vec2 kAt{6, 6};
  SyntheticTable made = made_;
  made.scenario.projectiles = {test::Shell()};
  cv::Mat with = made.bgr.clone();
  test::LayShell(with, made.camera, kAt, {39, 162, 201});
  test::Watched camera(made);
  camera.See(made.bgr, 12);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(with, 12);
  camera.See(Aside(with), 25);
  camera.See(Aside(made.bgr), 12);
  camera.See(Aside(with), 12);
  ASSERT_TRUE(camera.pipeline().Finish().ok());
  EXPECT_EQ(camera.Told<CameraMoved>().size(), 1U) << camera.Story();
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 2U) << camera.Story();
  for (const ShotSeen& shot : shots) {
    EXPECT_TRUE(shot.finding.measured) << shot.finding.how;
    EXPECT_LT(Distance(shot.finding.shot.point, kAt), 0.05);
  }
  EXPECT_TRUE(camera.Told<ObjectSeen>().empty()) << camera.Story();
}

// The view is clear when the hand has gone, not when the camera is moved.
TEST_F(MovedCamera, TellsTheViewClearOnlyWhenTheHandHasGone) {
  camera_.See(WithArm(made_.bgr), 4);
  const double knocked_s = camera_.Time();
  camera_.See(Aside(WithArm(made_.bgr)), 8);
  const double gone_s = camera_.Time();
  camera_.See(Aside(made_.bgr), 15);
  ASSERT_TRUE(camera_.pipeline().Finish().ok());
  for (const Sighting& view : camera_.When<ViewChanged>()) {
    const bool meanwhile = view.time_s >= knocked_s && view.time_s < gone_s;
    EXPECT_FALSE(meanwhile && !std::get<ViewChanged>(view.what).obstructed)
        << "clear at " << view.time_s << "\n"
        << camera_.Story();
  }
  EXPECT_FALSE(camera_.Told<ViewChanged>().back().obstructed);
}

}  // namespace
}  // namespace fos
