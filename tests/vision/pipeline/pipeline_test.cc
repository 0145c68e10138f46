// SPDX-License-Identifier: MIT
#include "vision/pipeline/pipeline.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "datasets/render/synthetic.h"
#include "tests/support/plane_picture.h"
#include "tests/support/small_table.h"
#include "tests/support/watched_table.h"

namespace fos {
namespace {

using test::Carried;
using test::Darken;
using test::LayShell;
using test::Watched;
using test::WatchedTable;

CameraModel SmallLens() {
  CameraModel lens;
  lens.width_px = 320;
  lens.height_px = 240;
  lens.fx_px = lens.fy_px = 350;
  lens.cx_px = 159.5;
  lens.cy_px = 119.5;
  return lens;
}

Pipeline WithoutTable() {
  TableSpec table;
  table.frame = {6, 4, 4};
  Scenario scenario;
  scenario.ruleset = "napoleonic";
  return Pipeline(table, scenario, SmallLens(), 10);
}

Frame Grey(int index, cv::Size size = {320, 240}, int type = CV_8UC3, int grey = 90) {
  return {{index}, index / 10.0, cv::Mat(size, type, cv::Scalar::all(grey))};
}

TEST(Pipeline, RefusesAPictureOfAnotherSizeOrKind) {
  Pipeline pipeline = WithoutTable();
  const auto wrong = pipeline.Observe(Grey(3, {240, 320}));
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, ErrorCode::kBadFormat);
  EXPECT_NE(wrong.error().message.find("frame 3: is 240 x 320"), std::string::npos)
      << wrong.error().message;
  EXPECT_NE(wrong.error().message.find("320 x 240"), std::string::npos) << wrong.error().message;
  EXPECT_FALSE(pipeline.Observe(Grey(4, {320, 240}, CV_8UC1)).ok());
  EXPECT_FALSE(pipeline.Observe({{5}, 0.5, {}}).ok());
  EXPECT_TRUE(pipeline.Observe(Grey(6)).ok()) << "one bad frame does not spoil the next";
}

TEST(Pipeline, SaysWhyThereIsNoTableWithoutAnyFrame) {
  Pipeline pipeline = WithoutTable();
  EXPECT_FALSE(pipeline.Found());
  EXPECT_THROW(pipeline.Registration(), std::logic_error);
  const auto end = pipeline.Finish();
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().code, ErrorCode::kNotFound);
  EXPECT_NE(end.error().message.find("never lay still"), std::string::npos) << end.error().message;
}

TEST(Pipeline, SaysWhyAStillPictureShowsNoTable) {
  Pipeline pipeline = WithoutTable();
  for (int i = 0; i < 8; ++i) {
    const auto seen = pipeline.Observe(Grey(i));
    ASSERT_TRUE(seen.ok()) << seen.error().message;
    EXPECT_TRUE(seen->empty());
  }
  EXPECT_FALSE(pipeline.Found());
  EXPECT_FALSE(pipeline.WhyNotFound().empty());
  const auto end = pipeline.Finish();
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().message, pipeline.WhyNotFound());
}

TEST(Pipeline, DoesNotMeasureAMovingPicture) {
  Pipeline pipeline = WithoutTable();
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(pipeline.Observe(Grey(i, {320, 240}, CV_8UC3, i % 2 == 0 ? 60 : 120)).ok());
  }
  EXPECT_TRUE(pipeline.WhyNotFound().empty()) << "it has not even looked";
  EXPECT_FALSE(pipeline.Finish().ok());
}

// Somebody walks about beside the board from the first frame on, and never stands still.
TEST(Pipeline, OnlyTheBoardHasToLieStill) {
  const TableSpec table = test::MarkedTable(6, 4, 4.0);
  const TableCamera camera = test::Overhead(test::Webcam(640, 480), table.frame, 48, 0, 0, 0);
  const cv::Mat grey = test::PictureOfPlane(camera, test::PaintedTable(table), {0.7, 0.0, 3});
  cv::Mat still;
  cv::cvtColor(grey, still, cv::COLOR_GRAY2BGR);
  const auto watch = [&](const TableBox& at_rest) {
    cv::Mat beside(still.size(), CV_8UC1, cv::Scalar(0));
    for (int row = 0; row < still.rows; ++row) {
      for (int column = 0; column < still.cols; ++column) {
        const auto at =
            TableFromImage(camera, {static_cast<double>(column), static_cast<double>(row)}, 0, 0);
        if (at.ok() && !at_rest.Contains(at->at)) beside.at<std::uint8_t>(row, column) = 255;
      }
    }
    EXPECT_GT(cv::countNonZero(beside), 0.01 * static_cast<double>(beside.total()));
    Scenario scenario;
    scenario.ruleset = "napoleonic";
    Pipeline pipeline(table, scenario, camera.lens, 10);
    for (int i = 0; i < 20 && !pipeline.Found(); ++i) {
      cv::Mat picture = still.clone();
      picture.setTo(cv::Scalar::all(i % 2 == 0 ? 40 : 180), beside);
      EXPECT_TRUE(pipeline.Observe({{i}, i / 10.0, picture}).ok());
    }
    return pipeline.Found();
  };
  const TableBox with_markers{{-3, -3}, {table.frame.Width() + 3, table.frame.Depth() + 3}};
  EXPECT_TRUE(watch(with_markers));
  // On the board itself nothing may move.
  EXPECT_FALSE(watch({{-3, -3}, {table.frame.Width() - 4, table.frame.Depth() + 3}}));
}

// The first look for stands takes a while, and the camera may be knocked meanwhile, so the result
// comes with its picture and camera.
TEST(Pipeline, ReportsTheFirstLookWithItsPictureAndCamera) {
  const TableSpec table = test::MarkedTable(6, 4, 4.0);
  const TableCamera camera = test::Overhead(test::Webcam(640, 480), table.frame, 34, 0, 0, 0);
  const cv::Mat grey = test::PictureOfPlane(camera, test::PaintedTable(table), {0.7, 0.0, 3});
  cv::Mat still;
  cv::cvtColor(grey, still, cv::COLOR_GRAY2BGR);
  cv::Mat knocked;
  constexpr int kAside_px = 9;
  cv::copyMakeBorder(still.colRange(kAside_px, still.cols), knocked, 0, 0, 0, kAside_px,
                     cv::BORDER_REPLICATE);
  Scenario scenario;
  scenario.ruleset = "napoleonic";
  Pipeline pipeline(table, scenario, camera.lens, 10);
  std::optional<StandsSeen> first;
  const auto take = [&](const Result<std::vector<Sighting>>& seen) {
    ASSERT_TRUE(seen.ok()) << seen.error().message;
    for (const Sighting& one : *seen) {
      const auto* stands = std::get_if<StandsSeen>(&one.what);
      if (stands && !first) first = *stands;
    }
  };
  int frame = 0;
  const auto watch = [&](const cv::Mat& picture) {
    take(pipeline.Observe({{frame}, frame / 10.0, picture}));
    ++frame;
  };
  while (!pipeline.Found() && frame < 20) watch(still.clone());
  ASSERT_TRUE(pipeline.Found()) << pipeline.WhyNotFound();
  for (int i = 0; i < 6; ++i) watch(knocked.clone());
  take(pipeline.Finish());
  ASSERT_TRUE(first);
  ASSERT_TRUE(first->camera);
  EXPECT_EQ(cv::norm(first->picture, still, cv::NORM_INF), 0);
  EXPECT_LT(Distance(TableFromImage(*first->camera, ImageFromTable(camera, {12, 8}, 0), 0, 0)->at,
                     {12, 8}),
            0.05);
}

// Counts the pictures that are made while it lives.
class PictureCount : public cv::MatAllocator {
 public:
  PictureCount() { cv::Mat::setDefaultAllocator(this); }
  ~PictureCount() override { cv::Mat::setDefaultAllocator(cv::Mat::getStdAllocator()); }
  PictureCount(const PictureCount&) = delete;
  PictureCount& operator=(const PictureCount&) = delete;

  cv::UMatData* allocate(int dims, const int* sizes, int type, void* data, size_t* step,
                         cv::AccessFlag flags, cv::UMatUsageFlags usage) const override {
    ++made_;
    return cv::Mat::getStdAllocator()->allocate(dims, sizes, type, data, step, flags, usage);
  }
  bool allocate(cv::UMatData* data, cv::AccessFlag flags, cv::UMatUsageFlags usage) const override {
    return cv::Mat::getStdAllocator()->allocate(data, flags, usage);
  }
  void deallocate(cv::UMatData* data) const override {
    cv::Mat::getStdAllocator()->deallocate(data);
  }
  int Made() const { return made_; }

 private:
  mutable std::atomic<int> made_{0};
};

TEST(Pipeline, MakesNoPictureOfMostFramesWhileNothingHappens) {
  const SyntheticTable made = RenderTable(WatchedTable());
  std::array<cv::Mat, 3> pictures;
  cv::RNG random(1);
  for (cv::Mat& picture : pictures) {
    cv::Mat grain(made.bgr.size(), CV_16SC3);
    random.fill(grain, cv::RNG::NORMAL, 0, 1.0);
    cv::add(made.bgr, grain, picture, cv::noArray(), CV_8UC3);
  }
  constexpr double kFps = 30;
  Pipeline pipeline(made.table, made.scenario, made.camera.lens, kFps);
  int frame = 0;
  const auto watch = [&] {
    const auto told = pipeline.Observe(
        {{frame}, frame / kFps, pictures[static_cast<std::size_t>(frame) % pictures.size()]});
    EXPECT_TRUE(told.ok());
    ++frame;
  };
  while (frame < 150) watch();  // until the background has settled
  ASSERT_TRUE(pipeline.Found());
  ASSERT_TRUE(pipeline.Finish().ok());  // waits for the first look, which makes pictures of its own
  const PictureCount count;
  int without = 0;
  constexpr int kFrames = 30;
  for (int i = 0; i < kFrames; ++i) {
    const int before = count.Made();
    watch();
    without += count.Made() == before ? 1 : 0;
  }
  EXPECT_GE(without, kFrames / 2);
}

// How many of them are found in their places under their units' names.
std::ptrdiff_t Found(const std::vector<StandObservation>& placed,
                     const std::vector<StandObservation>& seen) {
  return std::count_if(placed.begin(), placed.end(), [&](const StandObservation& truth) {
    return std::any_of(seen.begin(), seen.end(), [&](const StandObservation& o) {
      return o.unit == truth.unit &&
             Distance(o.table_from_stand.origin, truth.table_from_stand.origin) < 0.1;
    });
  });
}

// An evening in front of the camera: the daylight fades, then a hand carries a unit. Returns the
// stands at the end.
std::vector<StandObservation> AtNightfall(const SyntheticTable& noon,
                                          const std::vector<StandObservation>& placed,
                                          const PipelineOptions& options) {
  Watched camera(noon, options);
  camera.See(noon.bgr, 10);
  EXPECT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  SyntheticOptions light = WatchedTable();
  cv::Mat was = noon.bgr;
  constexpr int kSteps = 8;
  for (int step = 1; step <= kSteps; ++step) {
    Darken(light, static_cast<double>(step) / kSteps);
    const cv::Mat is = RenderTable(light).bgr;
    constexpr int kFrames = 20;
    for (int i = 1; i <= kFrames; ++i) {
      const double share = static_cast<double>(i) / kFrames;
      cv::Mat between;
      cv::addWeighted(was, 1 - share, is, share, 0, between);
      camera.See(between);
    }
    was = is;
  }
  camera.See(was, 10);
  const cv::Mat moved = RenderTable(light, placed).bgr;
  for (int i = 0; i < 12; ++i) {
    cv::Mat arm = (i < 6 ? was : moved).clone();
    const int reach = arm.rows * std::min(i + 1, 12 - i) / 6;
    cv::rectangle(arm, {0, arm.rows - reach, arm.cols, reach}, cv::Scalar(40, 70, 110), cv::FILLED);
    camera.See(arm);
  }
  camera.See(moved, 30);
  EXPECT_TRUE(camera.pipeline().Finish().ok());
  return camera.pipeline().Scene().stands;
}

TEST(Pipeline, FollowsThePaintsIntoTheEvening) {
  const SyntheticTable noon = RenderTable(WatchedTable());
  const std::vector<StandObservation> placed = Carried(noon);
  EXPECT_EQ(Found(placed, AtNightfall(noon, placed, {})), std::ssize(placed));
  PipelineOptions unaware;
  unaware.paints_every_s = std::numeric_limits<double>::infinity();
  EXPECT_LT(Found(placed, AtNightfall(noon, placed, unaware)), std::ssize(placed));
}

// An arm over the place of the unit that is carried, from the nearer edge of the picture.
cv::Mat WithArm(const cv::Mat& bgr, const SyntheticTable& made) {
  const Vec2 place = made.stands.front().table_from_stand.origin;
  const ImagePoint at = ImageFromTable(made.camera, place, 0);
  cv::Mat out = bgr.clone();
  const int x = static_cast<int>(at.x_px);
  const int y = static_cast<int>(at.y_px) - 60;
  cv::rectangle(out, {x - 60, y, 120, out.rows - y}, cv::Scalar(90, 130, 190), cv::FILLED);
  return out;
}

// A fly is over the table all the time and never sits still. What a hand carries is told soon after
// the hand has gone, not when the fly has: by then another hand may have been there.
TEST(Pipeline, TellsWhatAHandLeftAlthoughAFlyFliesOn) {
  const SyntheticTable made = RenderTable(WatchedTable());
  const std::vector<StandObservation> placed = Carried(made);
  const cv::Mat moved = RenderTable(WatchedTable(), placed).bgr;
  Watched camera(made);
  camera.See(made.bgr, 10);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  cv::RNG at(4);
  constexpr int kFly_px = 8;  // a fifth of an inch: larger than what counts as noise
  const auto see = [&](const cv::Mat& bgr, int frames) {
    for (int i = 0; i < frames; ++i) {
      cv::Mat with = bgr.clone();
      const cv::Point fly(at.uniform(bgr.cols / 4, bgr.cols * 3 / 4),
                          at.uniform(bgr.rows / 4, bgr.rows * 3 / 4));
      cv::circle(with, fly, kFly_px, cv::Scalar(25, 25, 30), cv::FILLED);
      camera.See(with);
    }
  };
  for (int i = 0; i < 12; ++i) {
    cv::Mat arm = (i < 6 ? made.bgr : moved).clone();
    const int reach = arm.rows * std::min(i + 1, 12 - i) / 6;
    cv::rectangle(arm, {0, arm.rows - reach, arm.cols, reach}, cv::Scalar(40, 70, 110), cv::FILLED);
    see(arm, 1);
  }
  constexpr int kASecond = 10;
  see(moved, kASecond);
  EXPECT_EQ(Found(placed, camera.pipeline().Scene().stands), std::ssize(placed));
  EXPECT_TRUE(camera.Told<ShotSeen>().empty());
}

// A lamp goes out for a second. When it is on again a hand is over the table and moves a unit: the
// light is new until the hand is off.
TEST(Pipeline, TellsWhatAHandMovedWhileTheLightChanged) {
  const SyntheticTable made = RenderTable(WatchedTable());
  const std::vector<StandObservation> placed = Carried(made);
  const cv::Mat moved = RenderTable(WatchedTable(), placed).bgr;
  const Vec2 place = made.stands.front().table_from_stand.origin;
  const int x = cvRound(ImageFromTable(made.camera, place, 0).x_px);
  Watched camera(made);
  camera.See(made.bgr, 10);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(0.4 * made.bgr, 10);
  for (int i = 0; i < 12; ++i) {
    cv::Mat arm = (i < 6 ? made.bgr : moved).clone();
    const int reach = arm.rows * std::min(i + 1, 12 - i) / 6;
    cv::rectangle(arm, {x - 80, arm.rows - reach, 160, reach}, cv::Scalar(90, 130, 190),
                  cv::FILLED);
    camera.See(arm);
  }
  camera.See(moved, 15);
  EXPECT_EQ(Found(placed, camera.pipeline().Scene().stands), std::ssize(placed)) << camera.Story();
  EXPECT_TRUE(camera.Told<ShotSeen>().empty()) << camera.Story();
}

// A hand takes a unit up while the picture is out of focus, and puts it down just after. That is
// one move, not a unit that is taken off and another that comes.
TEST(Pipeline, TellsAMoveAsOneThoughTheLastOfItCameAfterABlur) {
  const SyntheticTable made = RenderTable(WatchedTable());
  const std::vector<StandObservation> placed = Carried(made);
  std::vector<StandObservation> left = placed;
  std::erase_if(left, [&](const StandObservation& stand) {
    return std::any_of(made.stands.begin(), made.stands.end(), [&](const StandObservation& was) {
      return was.stand == stand.stand &&
             Distance(was.table_from_stand.origin, stand.table_from_stand.origin) > 1;
    });
  });
  ASSERT_LT(left.size(), placed.size());
  const cv::Mat gone = RenderTable(WatchedTable(), left).bgr;
  const cv::Mat moved = RenderTable(WatchedTable(), placed).bgr;
  const auto blurred = [](const cv::Mat& bgr) {
    cv::Mat out;
    cv::GaussianBlur(bgr, out, {}, 4);
    return out;
  };
  Watched camera(made);
  camera.See(made.bgr, 10);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  for (int i = 0; i < 12; ++i) {
    cv::Mat arm = (i < 6 ? made.bgr : gone).clone();
    const int reach = arm.rows * std::min(i + 1, 12 - i) / 6;
    cv::rectangle(arm, {0, arm.rows - reach, arm.cols, reach}, cv::Scalar(40, 70, 110), cv::FILLED);
    camera.See(blurred(arm));
  }
  camera.See(blurred(gone), 10);
  camera.See(gone);
  camera.See(moved, 10);
  EXPECT_EQ(Found(placed, camera.pipeline().Scene().stands), std::ssize(placed));
  const auto changes = camera.Told<StandChange>();
  EXPECT_EQ(changes.size(), placed.size() - left.size()) << camera.Story();
  for (const StandChange& change : changes) EXPECT_TRUE(change.from && change.to);
}

// Somebody holds a sheet between camera and table; when it is gone, a unit has moved.
TEST(Pipeline, LooksOverATableThatWasHiddenAndHasNotMoved) {
  const SyntheticTable first = RenderTable(WatchedTable());
  const std::vector<StandObservation> placed = Carried(first);
  Watched camera(first);
  camera.See(first.bgr, 12);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  // As light as the table, so that it is no lamp.
  cv::Mat sheet;
  cv::GaussianBlur(first.bgr, sheet, {}, 40);
  camera.See(sheet, 10);
  camera.See(RenderTable(WatchedTable(), placed).bgr, 25);
  ASSERT_TRUE(camera.pipeline().Finish().ok());
  EXPECT_TRUE(camera.Told<CameraMoved>().empty());
  EXPECT_FALSE(camera.pipeline().Lost());
  const auto views = camera.Told<ViewChanged>();
  ASSERT_EQ(views.size(), 2U);
  EXPECT_TRUE(views[0].obstructed);
  EXPECT_FALSE(views[1].obstructed);
  EXPECT_EQ(Found(placed, camera.pipeline().Scene().stands), std::ssize(placed));
}

// The sheet is gone, but an arm rests there, so the view was never clear.
TEST(Pipeline, ReportsAnArmAtRestAfterTheTableWasHidden) {
  const SyntheticTable made = RenderTable(WatchedTable());
  Watched camera(made);
  camera.See(made.bgr, 12);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  cv::Mat sheet;
  cv::GaussianBlur(made.bgr, sheet, {}, 40);
  camera.See(sheet, 10);
  ASSERT_TRUE(camera.pipeline().Lost());
  camera.See(WithArm(made.bgr, made), 10);
  EXPECT_FALSE(camera.pipeline().Lost());
  ASSERT_EQ(camera.Told<ViewChanged>().size(), 1U);
  EXPECT_TRUE(camera.Told<ViewChanged>().back().obstructed);
  camera.See(made.bgr, 5);
  EXPECT_FALSE(camera.Told<ViewChanged>().back().obstructed);
}

// At ten frames a second one frame without the hand is enough.
TEST(Pipeline, ReportsAClearViewAFifteenthOfASecondAfterAHand) {
  const SyntheticTable made = RenderTable(WatchedTable());
  Watched camera(made);
  camera.See(made.bgr, 12);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(WithArm(made.bgr, made), 3);
  ASSERT_EQ(camera.Told<ViewChanged>().size(), 1U);
  camera.See(made.bgr);
  EXPECT_FALSE(camera.Told<ViewChanged>().back().obstructed);
}

// A shell on something of its own colour, such as the end of a bar, is picked up. The place it
// bares is not another shell.
TEST(Pipeline, DoesNotTakeThePlaceOfARemovedFaintShellForAShell) {
  SyntheticTable made = RenderTable(WatchedTable());
  made.scenario.projectiles = {test::Shell()};
  const Vec2 place{6, 6};
  cv::Mat bare = made.bgr.clone();
  LayShell(bare, made.camera, place, {50, 150, 175}, false);
  cv::Mat with = made.bgr.clone();
  LayShell(with, made.camera, place, {78, 150, 175});
  Watched camera(made);
  camera.See(bare, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(with, 15);
  EXPECT_EQ(camera.Told<ShotSeen>().size(), 1U);
  camera.See(bare, 15);
  EXPECT_EQ(camera.Told<ShotSeen>().size(), 1U);
}

// Under a low lamp its shadow lies aside. Where it was is nothing new when the shell is picked up, nor
// a lump that the next one may lie on.
TEST(Pipeline, TellsNothingNewWhereAShadowLayBesideAPickedUpShell) {
  SyntheticTable made = RenderTable(WatchedTable());
  made.scenario.projectiles = {test::Shell()};
  constexpr Vec2 kAt{6, 6};
  cv::Mat share(made.bgr.size(), CV_32FC3, cv::Scalar::all(1));
  std::vector<cv::Point> shadow;
  for (const Vec2 d : {Vec2{0, -0.2}, Vec2{0.8, -0.2}, Vec2{0.8, 0.2}, Vec2{0, 0.2}}) {
    const ImagePoint at = ImageFromTable(made.camera, kAt + d, 0);
    shadow.emplace_back(cvRound(at.x_px), cvRound(at.y_px));
  }
  cv::fillConvexPoly(share, shadow, cv::Scalar::all(0.7));
  cv::GaussianBlur(share, share, {}, 1.5);
  cv::Mat with;
  cv::multiply(made.bgr, share, with, 1, CV_8U);
  LayShell(with, made.camera, kAt, {39, 162, 201});
  Watched camera(made);
  camera.See(made.bgr, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  for (int shot = 0; shot < 2; ++shot) {
    camera.See(with, 15);
    camera.See(made.bgr, 15);
  }
  const std::vector<ShotSeen> shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 2U) << camera.Story();
  EXPECT_TRUE(shots[0].finding.measured && shots[1].finding.measured) << camera.Story();
  EXPECT_DOUBLE_EQ(shots[1].finding.shot.height_in, shots[0].finding.shot.height_in);
  EXPECT_TRUE(camera.Told<ObjectSeen>().empty()) << camera.Story();
}

// A die that shows a five: its sides in shade, and its upper face.
void LayFive(cv::Mat& picture, const TableCamera& camera, Vec2 middle) {
  constexpr double kSide_in = 0.6;
  constexpr int kFine = 4;  // bits of a pixel
  const auto pixel = [&](Vec2 at, double height_in) {
    const ImagePoint p = ImageFromTable(camera, at, height_in);
    return cv::Point(cvRound(p.x_px * (1 << kFine)), cvRound(p.y_px * (1 << kFine)));
  };
  std::vector<cv::Point> top;
  std::vector<cv::Point> all;
  for (const Vec2 d : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}}) {
    top.push_back(pixel(middle + 0.5 * kSide_in * d, kSide_in));
    all.push_back(top.back());
    all.push_back(pixel(middle + 0.5 * kSide_in * d, 0));
  }
  std::vector<cv::Point> outline;
  cv::convexHull(all, outline);
  cv::fillConvexPoly(picture, outline, cv::Scalar(140, 146, 150), cv::LINE_AA, kFine);
  cv::fillConvexPoly(picture, top, cv::Scalar(225, 230, 232), cv::LINE_AA, kFine);
  const int radius =
      cvRound(0.09 * kSide_in * PixelsPerInch(camera, middle, kSide_in) * (1 << kFine));
  for (const Vec2 d : {Vec2{0, 0}, Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}})
    cv::circle(picture, pixel(middle + 0.25 * kSide_in * d, kSide_in), radius,
               cv::Scalar(20, 20, 20), cv::FILLED, cv::LINE_AA, kFine);
}

// A hand puts a casualty back. What looks like a die is of its figures, and a dark base is not that
// die's shadow: the stand is told, not the die.
TEST(Pipeline, TellsAStandThatIsPutBackAndNoDieOnIt) {
  SyntheticOptions options = WatchedTable();
  options.cloth = {150, 160, 140};
  options.paints = {Colour{40, 50, 80}, Colour{90, 30, 25}};
  const SyntheticTable made = RenderTable(options);
  std::vector<StandObservation> left = made.stands;
  const StandObservation back = left.front();
  left.erase(left.begin());
  const cv::Mat without = RenderTable(options, left).bgr;
  cv::Mat with = made.bgr.clone();
  const Pose2& pose = back.table_from_stand;
  LayFive(with, made.camera, pose * Vec2{0.4, -0.3});
  Watched camera(made);
  camera.See(made.bgr, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(WithArm(made.bgr, made), 5);
  camera.See(without, 15);
  camera.See(WithArm(without, made), 5);
  camera.See(with, 20);
  const std::vector<StandChange> changes = camera.Told<StandChange>();
  ASSERT_EQ(changes.size(), 2U) << camera.Story();
  EXPECT_TRUE(changes[0].from && !changes[0].to);
  EXPECT_TRUE(!changes[1].from && changes[1].to);
  EXPECT_TRUE(camera.Told<DiceSeen>().empty()) << camera.Story();
}

// A table before and after its first stand is carried elsewhere.
struct OneCarried {
  explicit OneCarried(const SyntheticOptions& options) : made(RenderTable(options)) {
    std::vector<StandObservation> placed = made.stands;
    Pose2& there = placed.front().table_from_stand;
    there.origin = there.origin + Vec2{0.3, 4.2};
    pose = there;
    carried = RenderTable(options, placed);
  }
  SyntheticTable made;
  SyntheticTable carried;
  Pose2 pose;  // of that stand then
};
// An arm carries it and leaves what `moved` shows.
void SeeCarried(const OneCarried& one, const cv::Mat& moved, Watched& camera) {
  camera.See(one.made.bgr, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(WithArm(one.made.bgr, one.carried), 5);
  camera.See(moved, 30);
}

// The same of a stand that is carried elsewhere: it is missed where it stood, not where it stands.
TEST(Pipeline, TellsAStandThatIsMovedAndNoDieOnIt) {
  SyntheticOptions options = WatchedTable();
  options.cloth = {150, 160, 140};
  options.paints = {Colour{40, 50, 80}, Colour{90, 30, 25}};
  const OneCarried one(options);
  cv::Mat moved = one.carried.bgr.clone();
  LayFive(moved, one.made.camera, one.pose * Vec2{0.75, -0.3});
  Watched camera(one.made);
  SeeCarried(one, moved, camera);
  const std::vector<StandChange> changes = camera.Told<StandChange>();
  ASSERT_EQ(changes.size(), 1U) << camera.Story();
  ASSERT_TRUE(changes[0].from && changes[0].to) << camera.Story();
  EXPECT_LT(Distance(changes[0].to->table_from_stand.origin, one.pose.origin), 0.15);
  EXPECT_TRUE(camera.Told<DiceSeen>().empty()) << camera.Story();
}

// A crate on its base may look like a shell and is none; a shell that lies beside it is one.
TEST(Pipeline, TellsAStandThatIsMovedAndTheShellBesideIt) {
  OneCarried one(WatchedTable());
  one.made.scenario.projectiles = {test::Shell()};
  cv::Mat moved = one.carried.bgr.clone();
  LayShell(moved, one.made.camera, one.pose * Vec2{0.45, -0.1}, {60, 170, 200});
  const Vec2 beside = one.pose * Vec2{1.5, 0.1};
  LayShell(moved, one.made.camera, beside, {60, 170, 200});
  Watched camera(one.made);
  SeeCarried(one, moved, camera);
  EXPECT_EQ(camera.Told<StandChange>().size(), 1U) << camera.Story();
  const std::vector<ShotSeen> shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  EXPECT_TRUE(shots[0].finding.measured) << camera.Story();
  EXPECT_LT(Distance(shots[0].finding.shot.point, beside), 0.1);
}

// A die that hands left beside the stand is told with it: only what the stand covers is its own.
TEST(Pipeline, TellsAStandThatIsMovedAndTheDieBesideIt) {
  const OneCarried one(WatchedTable());
  cv::Mat moved = one.carried.bgr.clone();
  const Vec2 beside = one.pose * Vec2{1.35, 0.1};
  LayFive(moved, one.made.camera, beside);
  Watched camera(one.made);
  SeeCarried(one, moved, camera);
  EXPECT_EQ(camera.Told<StandChange>().size(), 1U) << camera.Story();
  const std::vector<DiceSeen> thrown = camera.Told<DiceSeen>();
  ASSERT_EQ(thrown.size(), 1U) << camera.Story();
  ASSERT_EQ(thrown[0].dice.size(), 1U) << camera.Story();
  EXPECT_EQ(thrown[0].dice[0].value, 5);
  EXPECT_LT(Distance(thrown[0].dice[0].centre, beside), 0.15);
}

// What looks like a shell, and would be told as one, is none in a tray for dice; a die is read.
TEST(Pipeline, LooksForNothingButDiceInATray) {
  SyntheticTable made = RenderTable(WatchedTable());
  made.scenario.projectiles = {test::Shell()};
  const Vec2 place{6, 6};
  cv::Mat with = made.bgr.clone();
  LayShell(with, made.camera, place, {78, 150, 175}, /*marked=*/false);
  cv::Mat die = with.clone();
  LayFive(die, made.camera, place + Vec2{1.2, 0});
  {
    Watched camera(made);
    camera.See(made.bgr, 15);
    camera.See(with, 15);
    ASSERT_EQ(camera.Told<ShotSeen>().size(), 1U) << camera.Story();
  }
  made.table.trays = {{place, {4, 4}}};
  Watched camera(made);
  camera.See(made.bgr, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(with, 15);
  camera.See(die, 20);
  EXPECT_TRUE(camera.Told<ShotSeen>().empty()) << camera.Story();
  EXPECT_TRUE(camera.Told<ObjectSeen>().empty()) << camera.Story();
  EXPECT_TRUE(camera.Told<StandChange>().empty()) << camera.Story();
  const std::vector<DiceSeen> thrown = camera.Told<DiceSeen>();
  ASSERT_EQ(thrown.size(), 1U) << camera.Story();
  ASSERT_EQ(thrown[0].dice.size(), 1U);
  EXPECT_EQ(thrown[0].dice[0].value, 5);
  ASSERT_EQ(thrown[0].outlines.size(), 1U);
  const cv::Rect outline = cv::boundingRect(thrown[0].outlines[0]);
  const cv::Size shown = thrown[0].pictures.at(0).size();
  EXPECT_NEAR(outline.x + outline.width / 2.0, shown.width / 2.0, 3) << "it lies in the middle";
  EXPECT_NEAR(outline.y + outline.height / 2.0, shown.height / 2.0, 3);
  ASSERT_EQ(thrown[0].at_rest_s.size(), 1U);
  EXPECT_GE(thrown[0].at_rest_s[0], 2.9) << "it came after three seconds";
}

TEST(Pipeline, TellsDiceThatAreTakenUpAfterTheCameraWasMoved) {
  const SyntheticTable made = RenderTable(WatchedTable());
  cv::Mat die = made.bgr.clone();
  LayFive(die, made.camera, {7, 6});
  const auto aside = [](const cv::Mat& bgr) {
    constexpr int kPushed_px = 14;
    cv::Mat out;
    cv::copyMakeBorder(bgr.colRange(kPushed_px, bgr.cols), out, 0, 0, 0, kPushed_px,
                       cv::BORDER_REPLICATE);
    return out;
  };
  Watched camera(made);
  camera.See(made.bgr, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(die, 20);
  EXPECT_EQ(camera.Told<DiceSeen>().size(), 1U) << camera.Story();
  camera.See(aside(die), 25);
  camera.See(aside(made.bgr), 15);
  ASSERT_TRUE(camera.pipeline().Finish().ok());
  EXPECT_EQ(camera.Told<CameraMoved>().size(), 1U) << camera.Story();
  EXPECT_EQ(camera.Told<DiceTaken>().size(), 1U) << camera.Story();
  EXPECT_TRUE(camera.Told<ObjectSeen>().empty()) << camera.Story();
}

// A shot comes alone; dice whose pips are hardly to be seen look like shells, and come together.
TEST(Pipeline, AsksAboutShellsThatComeTogetherOrWithADie) {
  SyntheticTable made = RenderTable(WatchedTable());
  made.scenario.projectiles = {test::Shell()};
  const Vec2 place{6, 6};
  const Vec2 beside{9, 6};
  cv::Mat one = made.bgr.clone();
  LayShell(one, made.camera, place, {60, 170, 200});
  cv::Mat two = one.clone();
  LayShell(two, made.camera, beside, {60, 170, 200});
  cv::Mat with_die = one.clone();
  LayFive(with_die, made.camera, beside);
  // Of so many seen, how many are measured, and how often they say that they came with others.
  const auto expect = [&](const std::vector<cv::Mat>& pictures, std::size_t seen,
                          std::size_t measured, std::size_t with_others) {
    Watched camera(made);
    camera.See(made.bgr, 15);
    ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
    for (const cv::Mat& picture : pictures) camera.See(picture, 15);
    const std::vector<ShotSeen> shots = camera.Told<ShotSeen>();
    EXPECT_EQ(shots.size(), seen) << camera.Story();
    std::size_t are_measured = 0;
    std::size_t say_so = 0;
    for (const ShotSeen& shot : shots) {
      are_measured += shot.finding.measured ? 1 : 0;
      say_so += shot.finding.how.find("came with others") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(are_measured, measured) << camera.Story();
    EXPECT_EQ(say_so, with_others) << camera.Story();
  };
  expect({one}, 1, 1, 0);
  expect({two}, 2, 0, 2);
  expect({with_die}, 1, 0, 1);
  expect({one, two}, 2, 2, 0);
}

// A webcam searches for its focus: every edge in the picture changes, but the camera has not moved.
TEST(Pipeline, DoesNotTakeAPictureOutOfFocusForAKnock) {
  const SyntheticTable made = RenderTable(WatchedTable());
  Watched camera(made);
  camera.See(made.bgr, 12);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  for (const double blur_px : {1.5, 3.0, 4.5, 4.5, 4.5, 4.5, 3.0, 1.5}) {
    cv::Mat soft;
    cv::GaussianBlur(made.bgr, soft, {}, blur_px);
    camera.See(soft);
  }
  camera.See(made.bgr, 3);
  EXPECT_FALSE(camera.pipeline().Lost());
  camera.See(made.bgr, 17);
  EXPECT_TRUE(camera.Told<CameraMoved>().empty());
  EXPECT_FALSE(camera.pipeline().Lost());
}

// A hand is reported while a knocked camera searches for its table; the camera's swinging is not
// taken for one.
TEST(Pipeline, ReportsAHandWhileTheTableIsLost) {
  const TableSpec table = test::MarkedTable(6, 4, 4.0);
  const TableCamera camera = test::Overhead(test::Webcam(640, 480), table.frame, 34, 0, 0, 0);
  const cv::Mat grey = test::PictureOfPlane(camera, test::PaintedTable(table), {0.7, 0.0, 3});
  cv::Mat still;
  cv::cvtColor(grey, still, cv::COLOR_GRAY2BGR);
  const auto aside = [&](int px) {
    cv::Mat out;
    cv::copyMakeBorder(still.colRange(px, still.cols), out, 0, 0, 0, px, cv::BORDER_REPLICATE);
    return out;
  };
  Scenario scenario;
  scenario.ruleset = "napoleonic";
  Pipeline pipeline(table, scenario, camera.lens, 10);
  int frame = 0;
  int obstructed = 0;
  const auto watch = [&](const cv::Mat& picture) {
    const auto seen = pipeline.Observe({{frame}, frame / 10.0, picture});
    ASSERT_TRUE(seen.ok()) << seen.error().message;
    for (const Sighting& one : *seen) {
      const auto* view = std::get_if<ViewChanged>(&one.what);
      if (view != nullptr && view->obstructed) ++obstructed;
    }
    ++frame;
  };
  while (!pipeline.Found() && frame < 20) watch(still.clone());
  ASSERT_TRUE(pipeline.Found()) << pipeline.WhyNotFound();
  while (!pipeline.Lost() && frame < 30) watch(aside(24));
  ASSERT_TRUE(pipeline.Lost());
  for (const int swing : {36, 20, 32, 24}) watch(aside(swing));
  ASSERT_TRUE(pipeline.Lost());
  EXPECT_EQ(obstructed, 0);
  cv::Mat hand = aside(24);
  watch(hand.clone());
  cv::rectangle(hand, {250, 150, 90, 330}, cv::Scalar(120, 150, 200), cv::FILLED);
  watch(hand);
  EXPECT_EQ(obstructed, 1);
}

// The camera is knocked while an arm lies over the table, and the table is found again. What the
// arm hides is looked at when it has gone.
TEST(Pipeline, ReportsAnArmAtRestWhenTheTableIsFoundAgain) {
  const SyntheticTable first = RenderTable(WatchedTable());
  const std::vector<StandObservation> placed = Carried(first);
  constexpr int kAside_px = 14;
  const auto aside = [](const cv::Mat& bgr) {
    cv::Mat out;
    cv::copyMakeBorder(bgr.colRange(kAside_px, bgr.cols), out, 0, 0, 0, kAside_px,
                       cv::BORDER_REPLICATE);
    return out;
  };
  const auto with_arm = [&](const cv::Mat& bgr) { return WithArm(bgr, first); };
  Watched camera(first);
  camera.See(first.bgr, 12);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(with_arm(first.bgr), 3);
  const cv::Mat knocked = with_arm(aside(first.bgr));
  for (int i = 0; i < 60 && camera.Told<CameraMoved>().empty(); ++i) camera.See(knocked);
  ASSERT_EQ(camera.Told<CameraMoved>().size(), 1U);
  camera.See(knocked, 5);
  ASSERT_FALSE(camera.Told<ViewChanged>().empty());
  EXPECT_TRUE(camera.Told<ViewChanged>().back().obstructed);
  // The change it made is found, too.
  camera.See(aside(RenderTable(WatchedTable(), placed).bgr), 25);
  ASSERT_TRUE(camera.pipeline().Finish().ok());
  EXPECT_FALSE(camera.Told<ViewChanged>().back().obstructed);
  EXPECT_EQ(Found(placed, camera.pipeline().Scene().stands), std::ssize(placed));
}

}  // namespace
}  // namespace fos
