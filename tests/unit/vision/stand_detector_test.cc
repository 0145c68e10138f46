#include "vision/stand_detector.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "datasets/synthetic.h"

namespace fos {
namespace {

SyntheticOptions SmallTable(std::uint32_t seed) {
  SyntheticOptions o;
  o.seed = seed;
  o.columns = 4;
  o.rows = 3;
  o.width_px = 800;
  o.height_px = 600;
  o.units_a_side = 3;
  return o;
}

// Every true stand is seen, where it is, once, and nothing else is.
void ExpectSeen(const SyntheticTable& made, const StandScene& scene) {
  ASSERT_EQ(scene.stands.size(), made.stands.size());
  for (const StandObservation& truth : made.stands) {
    const auto nearest = std::min_element(
        scene.stands.begin(), scene.stands.end(), [&](const auto& a, const auto& b) {
          return Distance(a.table_from_stand.origin, truth.table_from_stand.origin) <
                 Distance(b.table_from_stand.origin, truth.table_from_stand.origin);
        });
    EXPECT_LT(Distance(nearest->table_from_stand.origin, truth.table_from_stand.origin), 0.1)
        << truth.stand.text;
    EXPECT_LT(std::abs(WrappedAngle(nearest->table_from_stand.heading_rad -
                                    truth.table_from_stand.heading_rad)),
              0.06)
        << truth.stand.text;
    EXPECT_EQ(nearest->side, truth.side);
    EXPECT_EQ(nearest->kind, truth.kind);
    EXPECT_EQ(nearest->unit, truth.unit);
  }
}

cv::Mat Changed(const cv::Mat& before, const cv::Mat& after) {
  cv::Mat difference;
  cv::absdiff(before, after, difference);
  cv::Mat grey;
  cv::cvtColor(difference, grey, cv::COLOR_BGR2GRAY);
  cv::Mat changed;
  cv::threshold(grey, changed, 20, 255, cv::THRESH_BINARY);
  return changed;
}

std::map<StandId, const StandObservation*> ById(const StandScene& scene) {
  std::map<StandId, const StandObservation*> out;
  for (const StandObservation& o : scene.stands) out[o.stand] = &o;
  return out;
}

class StandDetectorOnTables : public testing::TestWithParam<std::uint32_t> {};

TEST_P(StandDetectorOnTables, FindsAllStandsAndNoOthers) {
  const SyntheticTable made = RenderTable(SmallTable(GetParam()));
  StandDetector detector(made.table, made.scenario);
  const auto scene = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  ExpectSeen(made, *scene);
  EXPECT_TRUE(scene->remarks.empty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, StandDetectorOnTables, testing::Values(1U, 2U, 3U, 4U));

TEST(StandDetector, AStandThatIsNotThereIsMissedInWords) {
  const SyntheticOptions options = SmallTable(5);
  std::vector<StandObservation> placed = RenderTable(options).stands;
  const std::string unit = placed.front().unit;
  placed.erase(placed.begin());
  const SyntheticTable made = RenderTable(options, placed);
  StandDetector detector(made.table, made.scenario);
  const auto scene = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(scene.ok());
  ExpectSeen(made, *scene);
  ASSERT_EQ(scene->remarks.size(), 1U);
  EXPECT_EQ(scene->remarks[0].rfind(unit + ":", 0), 0U) << scene->remarks[0];
}

TEST(StandDetector, ALookThatIsTracedIsDrawnStageByStage) {
  const SyntheticTable made = RenderTable(SmallTable(5));
  StandDetector detector(made.table, made.scenario);
  StandTrace trace;
  detector.Trace(&trace);
  const auto scene = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(scene.ok());
  const std::vector<StagePicture> stages = DrawStages(trace, made.scenario, *scene);
  ASSERT_GE(stages.size(), 5U);
  EXPECT_EQ(stages[0].name, "1_picture");
  EXPECT_EQ(stages[1].name, "2_paints");
  EXPECT_EQ(stages.back().name.substr(1), "_measured");
  for (const StagePicture& stage : stages) EXPECT_EQ(stage.picture.size(), made.bgr.size());
  // A side's paint is read as itself: in the middle of a stand stands the scenario's paint or bar.
  const ImagePoint at = ImageFromTable(
      made.camera, scene->stands[0].table_from_stand.origin,
      made.scenario.kinds[static_cast<std::size_t>(scene->stands[0].kind)].thickness_in);
  const cv::Rect near(static_cast<int>(at.x_px) - 8, static_cast<int>(at.y_px) - 8, 16, 16);
  const Colour paint = made.scenario.sides[static_cast<std::size_t>(scene->stands[0].side)].paint;
  cv::Mat read;
  const cv::Scalar bgr(paint.b, paint.g, paint.r);
  cv::inRange(stages[1].picture(near), bgr, bgr, read);
  EXPECT_GT(cv::countNonZero(read), 20);
  EXPECT_GT(cv::norm(stages.back().picture, stages[0].picture, cv::NORM_L1), 1000);
  detector.Trace(nullptr);
  ASSERT_TRUE(detector.Start(made.bgr, made.camera, {}).ok());
  EXPECT_EQ(StageWords(trace, made.scenario).empty(), trace.dropped.empty());
}

TEST(StandDetector, AMovedUnitKeepsItsNamesAndTheRestStay) {
  const SyntheticOptions options = SmallTable(6);
  const SyntheticTable first = RenderTable(options);
  StandDetector detector(first.table, first.scenario);
  const auto before = detector.Start(first.bgr, first.camera, {});
  ASSERT_TRUE(before.ok());
  const std::string unit = first.stands.front().unit;
  std::vector<StandObservation> placed = first.stands;
  for (StandObservation& s : placed) {
    if (s.unit == unit) s.table_from_stand.origin = s.table_from_stand.origin + Vec2{0.3, 4.2};
  }
  const SyntheticTable second = RenderTable(options, placed);
  const auto after =
      detector.Update(second.bgr, second.camera, *before, Changed(first.bgr, second.bgr), {});
  ASSERT_TRUE(after.ok());
  ExpectSeen(second, *after);
  const auto was = ById(*before);
  for (const StandChange& change : DiffScenes(*before, *after)) {
    ASSERT_TRUE(change.from && change.to) << change.stand.text;
    EXPECT_EQ(change.to->unit, unit);
    const Vec2 way = change.to->table_from_stand.origin - change.from->table_from_stand.origin;
    EXPECT_LT(Distance(way, {0.3, 4.2}), 0.1) << change.stand.text;
    EXPECT_TRUE(was.contains(change.stand));
  }
  EXPECT_EQ(
      static_cast<std::ptrdiff_t>(DiffScenes(*before, *after).size()),
      std::count_if(placed.begin(), placed.end(), [&](const auto& s) { return s.unit == unit; }));
}

TEST(StandDetector, ATakenStandIsTheOnlyChange) {
  const SyntheticOptions options = SmallTable(7);
  const SyntheticTable first = RenderTable(options);
  StandDetector detector(first.table, first.scenario);
  const auto before = detector.Start(first.bgr, first.camera, {});
  ASSERT_TRUE(before.ok());
  std::vector<StandObservation> placed = first.stands;
  const Vec2 taken = placed.back().table_from_stand.origin;
  placed.pop_back();
  const SyntheticTable second = RenderTable(options, placed);
  const auto after =
      detector.Update(second.bgr, second.camera, *before, Changed(first.bgr, second.bgr), {});
  ASSERT_TRUE(after.ok());
  const auto changes = DiffScenes(*before, *after);
  ASSERT_EQ(changes.size(), 1U);
  ASSERT_TRUE(changes[0].from && !changes[0].to);
  EXPECT_LT(Distance(changes[0].from->table_from_stand.origin, taken), 0.1);
}

TEST(StandDetector, WhatAHandHidesStaysAsItWas) {
  const SyntheticTable made = RenderTable(SmallTable(8));
  StandDetector detector(made.table, made.scenario);
  const auto before = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(before.ok());
  cv::Mat hidden = made.bgr.clone();
  cv::Mat blind(hidden.size(), CV_8UC1, cv::Scalar(0));
  const cv::Rect hand(0, hidden.rows / 2, hidden.cols, hidden.rows / 2);
  hidden(hand) = cv::Scalar(150, 170, 220);
  blind(hand) = 255;
  const auto after =
      detector.Update(hidden, made.camera, *before, Changed(made.bgr, hidden), blind);
  ASSERT_TRUE(after.ok());
  EXPECT_TRUE(DiffScenes(*before, *after).empty());
}

TEST(StandDetector, AnEmptyTableHasNoStands) {
  const SyntheticTable made = RenderTable(SmallTable(9));
  cv::Mat bare(made.bgr.size(), CV_8UC3);
  cv::RNG(3).fill(bare, cv::RNG::UNIFORM, cv::Scalar(50, 90, 80), cv::Scalar(70, 115, 100));
  StandDetector detector(made.table, made.scenario);
  const auto scene = detector.Start(bare, made.camera, {});
  ASSERT_TRUE(scene.ok());
  EXPECT_TRUE(scene->stands.empty());
  EXPECT_EQ(scene->remarks.size(), made.scenario.units.size());
}

TEST(StandDetector, RefusesPicturesOfAnotherSize) {
  const SyntheticTable made = RenderTable(SmallTable(9));
  StandDetector detector(made.table, made.scenario);
  EXPECT_FALSE(detector.Start({}, made.camera, {}).ok());
  EXPECT_FALSE(detector.Start(cv::Mat(10, 10, CV_8UC3), made.camera, {}).ok());
  EXPECT_FALSE(detector.Start(made.bgr, made.camera, cv::Mat(3, 3, CV_8UC1)).ok());
}

}  // namespace
}  // namespace fos
