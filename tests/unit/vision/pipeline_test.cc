#include "vision/pipeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "datasets/synthetic.h"
#include "tests/support/plane_picture.h"

namespace fos {
namespace {

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

TEST(Pipeline, WithoutAFrameItSaysWhyThereIsNoTable) {
  Pipeline pipeline = WithoutTable();
  EXPECT_FALSE(pipeline.Found());
  EXPECT_THROW(pipeline.Registration(), std::logic_error);
  const auto end = pipeline.Finish();
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().code, ErrorCode::kNotFound);
  EXPECT_NE(end.error().message.find("never lay still"), std::string::npos) << end.error().message;
}

TEST(Pipeline, AStillPictureOfNoTableEndsWithAReason) {
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

TEST(Pipeline, NeverMeasuresWhatDoesNotLieStill) {
  Pipeline pipeline = WithoutTable();
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(pipeline.Observe(Grey(i, {320, 240}, CV_8UC3, i % 2 == 0 ? 60 : 120)).ok());
  }
  EXPECT_TRUE(pipeline.WhyNotFound().empty()) << "it has not even looked";
  EXPECT_FALSE(pipeline.Finish().ok());
}

// The first look for stands takes a while, and the camera may be knocked meanwhile: what they were
// seen in is told with them.
TEST(Pipeline, TheFirstLookIsToldWithThePictureItWasOf) {
  const TableSpec table = testing::MarkedTable(6, 4, 4.0);
  const TableCamera camera = testing::Overhead(testing::Webcam(640, 480), table.frame, 34, 0, 0, 0);
  const cv::Mat grey = testing::PictureOfPlane(camera, testing::PaintedTable(table), {0.7, 0.0, 3});
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

// An evening in front of the camera: the daylight goes, then a hand carries a unit. Returns who is
// where in the end.
std::vector<StandObservation> AtNightfall(const SyntheticOptions& options,
                                          const SyntheticTable& noon,
                                          const std::vector<StandObservation>& placed,
                                          const PipelineOptions& pipeline_options) {
  constexpr double kFps = 10;
  Pipeline pipeline(noon.table, noon.scenario, noon.camera.lens, kFps, pipeline_options);
  int frame = 0;
  cv::RNG noise(5);
  const auto watch = [&](const cv::Mat& picture) {
    cv::Mat grain(picture.size(), CV_16SC3);
    noise.fill(grain, cv::RNG::NORMAL, 0, 1.5);
    cv::Mat seen;
    cv::add(picture, grain, seen, cv::noArray(), CV_8UC3);
    const auto told = pipeline.Observe({{frame}, frame / kFps, seen});
    EXPECT_TRUE(told.ok());
    ++frame;
  };
  for (int i = 0; i < 10; ++i) watch(noon.bgr);
  EXPECT_TRUE(pipeline.Found()) << pipeline.WhyNotFound();
  SyntheticOptions light = options;
  cv::Mat was = noon.bgr;
  constexpr int kSteps = 8;
  constexpr std::array<double, 3> kEvening{0.16, 0.36, 0.62};  // a lamp of 2,700 K, half as bright
  for (int step = 1; step <= kSteps; ++step) {
    for (std::size_t c = 0; c < kEvening.size(); ++c)
      light.lamp[c] = std::pow(kEvening[c], static_cast<double>(step) / kSteps);
    const cv::Mat is = RenderTable(light).bgr;
    constexpr int kFrames = 20;
    for (int i = 1; i <= kFrames; ++i) {
      cv::Mat between;
      cv::addWeighted(was, 1 - static_cast<double>(i) / kFrames, is,
                      static_cast<double>(i) / kFrames, 0, between);
      watch(between);
    }
    was = is;
  }
  for (int i = 0; i < 10; ++i) watch(was);
  const cv::Mat moved = RenderTable(light, placed).bgr;
  for (int i = 0; i < 12; ++i) {
    cv::Mat arm = (i < 6 ? was : moved).clone();
    const int reach = arm.rows * std::min(i + 1, 12 - i) / 6;
    cv::rectangle(arm, {0, arm.rows - reach, arm.cols, reach}, cv::Scalar(40, 70, 110), cv::FILLED);
    watch(arm);
  }
  for (int i = 0; i < 30; ++i) watch(moved);
  EXPECT_TRUE(pipeline.Finish().ok());
  return pipeline.Scene().stands;
}

TEST(Pipeline, PaintsAreFollowedIntoTheEvening) {
  SyntheticOptions options;
  options.seed = 6;
  options.columns = 4;
  options.rows = 3;
  options.width_px = 800;
  options.height_px = 600;
  options.units_a_side = 3;
  options.noise_levels = 0;  // each frame has its own
  const SyntheticTable noon = RenderTable(options);
  std::vector<StandObservation> placed = noon.stands;
  for (StandObservation& s : placed) {
    if (s.unit == noon.stands.front().unit)
      s.table_from_stand.origin = s.table_from_stand.origin + Vec2{0.3, 4.2};
  }
  const auto found = [&](const std::vector<StandObservation>& seen) {
    return std::count_if(placed.begin(), placed.end(), [&](const StandObservation& truth) {
      return std::any_of(seen.begin(), seen.end(), [&](const StandObservation& o) {
        return o.unit == truth.unit &&
               Distance(o.table_from_stand.origin, truth.table_from_stand.origin) < 0.1;
      });
    });
  };
  EXPECT_EQ(found(AtNightfall(options, noon, placed, {})), std::ssize(placed));
  PipelineOptions unaware;
  unaware.paints_every_s = std::numeric_limits<double>::infinity();
  EXPECT_LT(found(AtNightfall(options, noon, placed, unaware)), std::ssize(placed));
}

}  // namespace
}  // namespace fos
