// SPDX-License-Identifier: MIT
#include "vision/stands/stand_detector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "datasets/render/synthetic.h"
#include "datasets/score/stand_errors.h"
#include "tests/support/half_in_shade.h"
#include "tests/support/small_table.h"
#include "vision/image/rectify.h"
#include "vision/scene/terrain_view.h"
#include "vision/stands/paint_learning.h"
#include "vision/stands/stand_trace.h"

namespace fos {
namespace {

using test::Carried;
using test::Darken;
using test::HalfInShade;
using test::SmallTable;

// Every true stand is found once, in its place, and nothing else is.
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

// Cameras expose for a window, a pale cloth or a black one.
TEST(StandDetector, FindsAllStandsWhereTheExposureIsFarOff) {
  SyntheticOptions options = SmallTable(2);
  options.cloth = {150, 140, 120};
  options.paints = {Colour{70, 48, 35}, Colour{40, 60, 45}};
  const SyntheticTable made = RenderTable(options);
  for (const double light : {0.06, 4.0}) {
    cv::Mat bgr = made.bgr.clone();
    const double code = std::pow(light, 1 / 2.2);
    bgr.convertTo(bgr, CV_8UC3, code);
    StandDetector detector(made.table, made.scenario);
    const auto scene = detector.Start(bgr, made.camera, {});
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    SCOPED_TRACE(light);
    ExpectSeen(made, *scene);
  }
}

// Sun through a window lights one end of the table; the edge of its light crosses some stands.
TEST(StandDetector, FindsAllStandsWhereTheSunLightsAPartOfTheTable) {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    const SyntheticTable made = RenderTable(SmallTable(seed));
    for (const double east_in : {3.0, 7.0}) {
      SCOPED_TRACE(testing::Message() << seed << " " << east_in);
      StandDetector detector(made.table, made.scenario);
      const auto scene =
          detector.Start(HalfInShade(made.bgr, made.camera, east_in), made.camera, {});
      ASSERT_TRUE(scene.ok()) << scene.error().message;
      ExpectSeen(made, *scene);
    }
  }
}

// The sun wanders on, and a unit is carried out of it into the shade.
TEST(StandDetector, FollowsAUnitFromTheSunIntoTheShade) {
  const SyntheticTable made = RenderTable(SmallTable(1));
  StandDetector detector(made.table, made.scenario);
  const cv::Mat then = HalfInShade(made.bgr, made.camera, 6);
  const auto before = detector.Start(then, made.camera, {});
  ASSERT_TRUE(before.ok());
  const cv::Mat now = HalfInShade(made.bgr, made.camera, 4);
  ASSERT_TRUE(detector.FollowLight(then, now, made.camera, *before, {}).ok());
  const SyntheticTable moved = RenderTable(SmallTable(1), Carried(made));
  const cv::Mat after_move = HalfInShade(moved.bgr, made.camera, 4);
  const auto after =
      detector.Update(after_move, made.camera, *before, Changed(now, after_move), {});
  ASSERT_TRUE(after.ok());
  ExpectSeen(moved, *after);
}

TEST(StandDetector, FindsTheSameOnOneCoreAsOnMany) {
  const SyntheticTable made = RenderTable(SmallTable(2));
  const int threads = cv::getNumThreads();
  const auto look = [&](int cores) {
    cv::setNumThreads(cores);
    StandDetector detector(made.table, made.scenario);
    return detector.Start(made.bgr, made.camera, {});
  };
  const auto one = look(1);
  const auto many = look(4);
  cv::setNumThreads(threads);
  ASSERT_TRUE(one.ok() && many.ok());
  ASSERT_EQ(one->stands.size(), many->stands.size());
  for (std::size_t i = 0; i < one->stands.size(); ++i) {
    EXPECT_EQ(one->stands[i].stand, many->stands[i].stand);
    EXPECT_EQ(one->stands[i].table_from_stand.origin, many->stands[i].table_from_stand.origin);
    EXPECT_EQ(one->stands[i].centre_cov.xx, many->stands[i].centre_cov.xx);
    EXPECT_EQ(one->stands[i].confidence, many->stands[i].confidence);
    EXPECT_GT(one->stands[i].confidence, 0.9);
  }
}

// Over some tables in pictures of this width: the centres' errors in stated sigmas of an axis, and
// the stated sigma in inches; both root mean square.
struct StatedDoubt {
  double in_sigmas = 0;
  double sigma_in = 0;
};
StatedDoubt StatedOver(int width_px) {
  StatedDoubt out;
  int count = 0;
  for (const std::uint32_t seed : {11U, 12U, 13U, 14U}) {
    SyntheticOptions options = SmallTable(seed);
    options.width_px = width_px;
    options.height_px = width_px * 3 / 4;
    const SyntheticTable made = RenderTable(options);
    StandDetector detector(made.table, made.scenario);
    const auto scene = detector.Start(made.bgr, made.camera, {});
    if (!scene.ok()) continue;
    for (const StandObservation& seen : scene->stands) {
      for (const StandObservation& truth : made.stands) {
        const Vec2 off = seen.table_from_stand.origin - truth.table_from_stand.origin;
        if (Norm(off) > 0.3) continue;
        const double sigmas = InSigmas(off, seen.centre_cov);
        out.in_sigmas += sigmas * sigmas;
        out.sigma_in += RmsSigma(seen.centre_cov) * RmsSigma(seen.centre_cov);
        ++count;
      }
    }
  }
  EXPECT_GT(count, 30);
  return {std::sqrt(out.in_sigmas / count), std::sqrt(out.sigma_in / count)};
}

TEST(StandDetector, StatesTheSigmaOfThisPicture) {
  // No shadow, flock or coder displaces these edges, but the detector cannot know: it doubts them
  // by more than they are off. StandSweep's tests hold it to 0.6 where there are.
  constexpr double kLeast = 0.35, kMost = 1.4;
  const StatedDoubt coarse = StatedOver(800);
  EXPECT_GT(coarse.in_sigmas, kLeast);
  EXPECT_LT(coarse.in_sigmas, kMost);
  EXPECT_LT(coarse.sigma_in, 0.008);
  // Blur, mosaic and coding displace an edge by pixels, not inches.
  const StatedDoubt fine = StatedOver(1400);
  EXPECT_GT(fine.in_sigmas, kLeast);
  EXPECT_LT(fine.in_sigmas, kMost);
  EXPECT_LT(fine.sigma_in, 0.75 * coarse.sigma_in);
}

TEST(StandDetector, RemarksOnAMissingStand) {
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

TEST(StandDetector, DoesNotTakeAHillsEdgeForAStandOnAClothLikeThePaint) {
  // As a hill's dark brink crosses the square of a unit that is not there.
  for (const std::uint32_t seed : {3U, 4U}) {
    SyntheticOptions options = SmallTable(seed);
    options.paints[0] = {48, 104, 66};
    options.cloth = {70, 96, 62};
    std::vector<StandObservation> placed = LayOutTable(options).stands;
    const StandObservation gone = placed.front();
    std::erase_if(placed, [&](const StandObservation& s) { return s.unit == gone.unit; });
    SyntheticTable made = RenderTable(options, placed);
    const KindSpec& kind = made.scenario.kinds[static_cast<std::size_t>(gone.kind)];
    std::vector<cv::Point> brink;
    for (const Vec2 own : {Vec2{-1.8, 0.6}, Vec2{1.8, 0.6}, Vec2{1.8, 0.8}, Vec2{-1.8, 0.8}}) {
      const ImagePoint p = ImageFromTable(made.camera, gone.table_from_stand * own, 0);
      brink.emplace_back(cvRound(p.x_px), cvRound(p.y_px));
    }
    cv::fillConvexPoly(made.bgr, brink, cv::Scalar(kind.bar.b, kind.bar.g, kind.bar.r));
    StandDetector detector(made.table, made.scenario);
    const auto scene = detector.Start(made.bgr, made.camera, {});
    ASSERT_TRUE(scene.ok());
    ExpectSeen(made, *scene);
  }
}

TEST(StandDetector, DoesNotTakeARoadsEdgeForAStandOnAClothLikeThePaint) {
  // The road has the bar's colour and was once taken for a stand of the unit, so the true stand was
  // one too many.
  SyntheticOptions options = SmallTable(2);
  options.columns = 3;
  options.rows = 4;
  options.units_a_side = 2;
  options.paints[0] = {48, 104, 66};
  options.cloth = {70, 96, 62};
  SyntheticTable made = RenderTable(options);
  const StandObservation& first = made.stands.front();
  const UnitSpec unit = *std::find_if(made.scenario.units.begin(), made.scenario.units.end(),
                                      [&](const UnitSpec& u) { return u.id == first.unit; });
  const Pose2 square{made.table.frame.CentreOf(unit.square),
                     HeadingFromBearing(BearingOf(unit.facing))};
  const Colour bar = made.scenario.kinds[static_cast<std::size_t>(first.kind)].bar;
  for (const double ahead : {1.55, -1.75}) {
    std::vector<cv::Point> edge;
    for (const Vec2 own :
         {Vec2{-1.9, ahead}, Vec2{1.9, ahead}, Vec2{1.9, ahead + 0.2}, Vec2{-1.9, ahead + 0.2}}) {
      const ImagePoint p = ImageFromTable(made.camera, square * own, 0);
      edge.emplace_back(cvRound(p.x_px), cvRound(p.y_px));
    }
    cv::fillConvexPoly(made.bgr, edge, cv::Scalar(bar.b, bar.g, bar.r));
  }
  StandDetector detector(made.table, made.scenario);
  const auto scene = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(scene.ok());
  ExpectSeen(made, *scene);
}

// A river has a side's colour, and where lines of the grid cross it, a bar's colour along it:
// nobody stands there though each piece between looks painted.
TEST(StandDetector, DoesNotTakeALineOfTheGridForABar) {
  SyntheticTable made = RenderTable(SmallTable(2));
  const Colour paint = made.scenario.sides[1].paint;
  const KindSpec& kind = made.scenario.kinds[static_cast<std::size_t>(made.stands[0].kind)];
  const auto fill = [&](double west, double south, double east, double north, Colour colour) {
    const std::array<Vec2, 4> edge{{{west, south}, {east, south}, {east, north}, {west, north}}};
    cv::fillConvexPoly(made.bgr, PixelsAt(made.camera, edge, 0),
                       cv::Scalar(colour.b, colour.g, colour.r));
  };
  const double middle = made.table.frame.Depth() / 2;
  const double half = kind.footprint.width_in / 2;
  for (const double line : {4.0, 8.0, 12.0}) {
    const double front = line + kind.bar_depth_in / 2;
    fill(front - 0.8, middle - half, front, middle + half, paint);
    fill(front - kind.bar_depth_in, middle - half, front, middle + half, kind.bar);
  }
  StandDetector detector(made.table, made.scenario);
  const auto scene = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(scene.ok());
  ExpectSeen(made, *scene);
}

TEST(StandDetector, DoesNotTurnAStandRoundForAHiddenBar) {
  // Its bar has come off, and figures hide its rear. A bar might lie under them, but that is no
  // reason to turn the stand round.
  for (const std::uint32_t seed : {2U, 5U, 7U}) {
    SCOPED_TRACE(seed);
    SyntheticTable made = RenderTable(SmallTable(seed));
    const StandObservation bare = made.stands.front();
    const KindSpec& kind = made.scenario.kinds[static_cast<std::size_t>(bare.kind)];
    const Colour paint = made.scenario.sides[static_cast<std::size_t>(bare.side)].paint;
    const double w = kind.footprint.width_in;
    const double d = kind.footprint.depth_in;
    const auto cover = [&](double from, double to, const cv::Scalar& bgr) {
      std::vector<cv::Point> corners;
      for (const Vec2 own :
           {Vec2{-w / 2, from}, Vec2{w / 2, from}, Vec2{w / 2, to}, Vec2{-w / 2, to}}) {
        const ImagePoint p =
            ImageFromTable(made.camera, bare.table_from_stand * own, kind.thickness_in);
        corners.emplace_back(cvRound(p.x_px), cvRound(p.y_px));
      }
      cv::fillConvexPoly(made.bgr, corners, bgr);
    };
    cover(d / 2 - kind.bar_depth_in - 0.03, d / 2, cv::Scalar(paint.b, paint.g, paint.r));
    cover(-d / 2, -d / 2 + kind.bar_depth_in + 0.03, cv::Scalar(90, 20, 120));
    StandDetector detector(made.table, made.scenario);
    const auto scene = detector.Start(made.bgr, made.camera, {});
    ASSERT_TRUE(scene.ok());
    for (const StandObservation& seen : scene->stands) {
      if (Distance(seen.table_from_stand.origin, bare.table_from_stand.origin) > 0.3) continue;
      EXPECT_LT(std::abs(WrappedAngle(seen.table_from_stand.heading_rad -
                                      bare.table_from_stand.heading_rad)),
                1);
    }
  }
}

TEST(StandDetector, IsNotBiasedByBlurredColours) {
  // A webcam codes colour at half the picture's size or less, so a bright paint runs into the
  // cloth. The run was once taken for the paint in shade.
  double off2 = 0;
  int count = 0;
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    SyntheticOptions options = RandomTable(seed);
    options.columns = 3;
    options.rows = 4;
    options.units_a_side = 3;
    options.width_px = 800;
    options.height_px = 600;
    SyntheticTable made = RenderTable(options);
    cv::Mat coded;
    cv::cvtColor(made.bgr, coded, cv::COLOR_BGR2YCrCb);
    std::array<cv::Mat, 3> parts;
    cv::split(coded, parts.data());
    constexpr double kBlur_px = 2;
    for (const std::size_t colour : {1U, 2U})
      cv::GaussianBlur(parts[colour], parts[colour], {}, kBlur_px);
    cv::merge(parts.data(), parts.size(), coded);
    cv::cvtColor(coded, made.bgr, cv::COLOR_YCrCb2BGR);
    StandDetector detector(made.table, made.scenario);
    const auto scene = detector.Start(made.bgr, made.camera, {});
    ASSERT_TRUE(scene.ok());
    for (const StandObservation& seen : scene->stands) {
      for (const StandObservation& truth : made.stands) {
        const Vec2 off = seen.table_from_stand.origin - truth.table_from_stand.origin;
        if (Norm(off) > 0.3) continue;
        off2 += Dot(off, off) / 2;
        ++count;
      }
    }
  }
  ASSERT_GT(count, 80);
  EXPECT_LT(std::sqrt(off2 / count), 0.0088);  // inches; 0.0096 where blur was not reckoned with
}

TEST(StandDetector, FindsBothOfTwoTouchingStands) {
  // The halves that touch have a bar and paint, like one stand. In table 5027 one stand was found
  // in the middle, in 5105 further to one side.
  for (const std::uint32_t seed : {5027U, 5105U}) {
    SCOPED_TRACE(seed);
    const SyntheticTable made = RenderTable(RandomTable(seed));
    StandDetector detector(made.table, made.scenario);
    const auto scene = detector.Start(made.bgr, made.camera, {});
    ASSERT_TRUE(scene.ok());
    ExpectSeen(made, *scene);
  }
}

TEST(StandDetector, DoesNotCountCoatsLikeThePaintAsBaseInView) {
  SyntheticTable made = RenderTable(SmallTable(2));
  // Coats of the paint's hue, each a little lighter than the last, over half of every top. A model
  // with their common spread counted all but the lightest as base, 0.82 of it.
  const int side = made.stands.front().side;
  const Colour paint = made.scenario.sides[static_cast<std::size_t>(side)].paint;
  for (const StandObservation& s : made.stands) {
    if (s.side != side) continue;
    const double w = s.footprint.width_in;
    const double d = s.footprint.depth_in;
    for (int coat = 0; coat < 6; ++coat) {
      const double x = -0.45 + 0.16 * coat;
      std::vector<cv::Point> corners;
      for (const Vec2 own : {Vec2{x * w, -0.48 * d}, Vec2{(x + 0.1) * w, -0.48 * d},
                             Vec2{(x + 0.1) * w, 0.2 * d}, Vec2{x * w, 0.2 * d}}) {
        const ImagePoint p = ImageFromTable(made.camera, s.table_from_stand * own, 0.1);
        corners.emplace_back(cvRound(p.x_px), cvRound(p.y_px));
      }
      const double light = 1.15 + 0.1 * coat;
      cv::fillConvexPoly(made.bgr, corners,
                         cv::Scalar(light * paint.b, light * paint.g, light * paint.r));
    }
  }
  StandDetector detector(made.table, made.scenario);
  const auto scene = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(scene.ok());
  ASSERT_EQ(scene->stands.size(), made.stands.size());
  for (const StandObservation& seen : scene->stands) {
    if (seen.side != side) continue;
    EXPECT_LT(seen.visible, 0.8) << seen.stand.text;
  }
}

TEST(StandDetector, FindsAndNamesUnexpectedStandsAnywhere) {
  const SyntheticOptions options = SmallTable(6);
  const SyntheticTable laid = LayOutTable(options);
  std::vector<StandObservation> placed = laid.stands;
  const Vec2 middle = laid.table.frame.CentreOf({1, 1});
  StandObservation stranger = placed.back();
  stranger.unit.clear();
  stranger.table_from_stand = {middle, 0.6};
  placed.push_back(stranger);
  const SyntheticTable made = RenderTable(options, placed);
  StandDetector detector(made.table, made.scenario);
  const auto scene = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(scene.ok());
  ExpectSeen(made, *scene);
  ASSERT_EQ(scene->remarks.size(), 1U);
  const std::string& side = made.scenario.sides[static_cast<std::size_t>(stranger.side)].name;
  const std::string what = "one " + side + " stand (" +
                           made.scenario.kinds[static_cast<std::size_t>(stranger.kind)].name +
                           ") seen in B2 that the " + "scenario does not place";
  EXPECT_EQ(scene->remarks[0], what);
  // Where one of its kind is missing, it gets that one's id, with a remark on both.
  placed = laid.stands;
  placed.back().table_from_stand = {middle, 0.6};
  const std::string unit = placed.back().unit;
  const SyntheticTable strayed = RenderTable(options, placed);
  const auto again = detector.Start(strayed.bgr, strayed.camera, {});
  ASSERT_TRUE(again.ok());
  ExpectSeen(strayed, *again);
  ASSERT_EQ(again->remarks.size(), 2U);
  EXPECT_EQ(again->remarks[0].rfind(what + " there; taken for " + unit + "#", 0), 0U)
      << again->remarks[0];
  EXPECT_EQ(again->remarks[1].rfind(unit + ":", 0), 0U) << again->remarks[1];
}

TEST(StandDetector, GivesAnUnexpectedStandTheSideWithTheNearestPaint) {
  // A navy and a blue: in another light either could be the other.
  SyntheticOptions options = SmallTable(7);
  options.rows = 5;
  options.height_px = 800;
  options.paints = {Colour{35, 48, 92}, Colour{47, 79, 168}};
  for (const int side : {0, 1}) {
    std::vector<StandObservation> placed = LayOutTable(options).stands;
    StandObservation stranger = placed.front();
    stranger.side = side;
    stranger.table_from_stand = {{6, 10}, HeadingFromBearing(70)};
    stranger.unit.clear();
    placed.push_back(stranger);
    const SyntheticTable made = RenderTable(options, placed);
    StandDetector detector(made.table, made.scenario);
    const auto scene = detector.Start(made.bgr, made.camera, {});
    ASSERT_TRUE(scene.ok());
    const auto seen =
        std::find_if(scene->stands.begin(), scene->stands.end(), [&](const StandObservation& s) {
          return Distance(s.table_from_stand.origin, stranger.table_from_stand.origin) < 0.1;
        });
    ASSERT_NE(seen, scene->stands.end());
    EXPECT_EQ(seen->side, side);
  }
}

TEST(StandDetector, RemarksThatATreeMayHideAMissingStand) {
  const SyntheticOptions options = SmallTable(5);
  SyntheticTable made = LayOutTable(options);
  std::vector<StandObservation> placed = made.stands;
  const StandObservation gone = placed.front();
  const UnitSpec unit = *std::find_if(made.scenario.units.begin(), made.scenario.units.end(),
                                      [&](const UnitSpec& u) { return u.id == gone.unit; });
  placed.erase(placed.begin());
  made = RenderTable(options, placed);
  // The scenario's tree stands beside the missing stand's place, away from the rest of its unit.
  Vec2 mates;
  for (const StandObservation& s : placed) {
    if (s.unit == gone.unit)
      mates = mates + s.table_from_stand.origin / static_cast<double>(unit.stands - 1);
  }
  const Vec2 at =
      gone.table_from_stand.origin + 1.3 * Normalized(gone.table_from_stand.origin - mates);
  TerrainArea wood;
  wood.type = "wood";
  wood.objects = {{"tree", Circle{at, 1.8}, {}, 2.5}};
  made.scenario.terrain = {wood};
  StandDetector detector(made.table, made.scenario);
  const auto scene = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(scene.ok());
  // The neighbours were drawn without the tree: paint that is clearly visible counts, even where
  // the scenario's tree should hide it.
  ExpectSeen(made, *scene);
  ASSERT_EQ(scene->remarks.size(), 1U);
  EXPECT_EQ(scene->remarks[0], unit.id + ": " + std::to_string(unit.stands) +
                                   " stands expected in " + SquareName(unit.square) + ", " +
                                   std::to_string(unit.stands - 1) +
                                   " seen; a tree there may hide the rest");
}

TEST(StandDetector, KnowsThatTreesAndHousesHideStands) {
  SyntheticOptions options = SmallTable(13);
  options.trees = 8;
  options.houses = 2;
  const SyntheticTable made = RenderTable(options);
  ASSERT_FALSE(made.scenario.terrain.empty());
  StandDetector detector(made.table, made.scenario);
  const auto scene = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(scene.ok());
  const TerrainView terrain(made.scenario, made.camera);
  int partly_hidden = 0;
  for (const StandObservation& truth : made.stands) {
    if (terrain.HiddenShare(truth.table_from_stand, truth.footprint, 0.1) > 0.2) ++partly_hidden;
    if (truth.visible < 0.4) continue;
    EXPECT_TRUE(std::any_of(scene->stands.begin(), scene->stands.end(),
                            [&](const auto& s) {
                              return Distance(s.table_from_stand.origin,
                                              truth.table_from_stand.origin) < 0.15;
                            }))
        << truth.stand.text << ", visible " << truth.visible;
  }
  EXPECT_GT(partly_hidden, 0) << "no stand lies behind anything: the test shows nothing";
  EXPECT_LE(scene->stands.size(), made.stands.size());
}

TEST(StandDetector, DrawsATracedSearchStageByStage) {
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
  // Each side's paint is classed as its own: the middle of a stand shows its paint or bar.
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
  // The line in the bar's colour points to the front; no label covers it for a stand facing south.
  const auto south =
      std::find_if(scene->stands.begin(), scene->stands.end(), [](const StandObservation& s) {
        return Rotated({0, 1}, s.table_from_stand.heading_rad).y < -0.9;
      });
  ASSERT_NE(south, scene->stands.end());
  const KindSpec& kind = made.scenario.kinds[static_cast<std::size_t>(south->kind)];
  const ImagePoint ahead =
      ImageFromTable(made.camera, south->table_from_stand * Vec2{0, 0.2 * kind.footprint.depth_in},
                     kind.thickness_in);
  const cv::Vec3b line =
      stages.back().picture.at<cv::Vec3b>(cvRound(ahead.y_px), cvRound(ahead.x_px));
  EXPECT_LT(cv::norm(cv::Vec3d(line) - cv::Vec3d(kind.bar.b, kind.bar.g, kind.bar.r)), 60);
  // A tree of the scenario is drawn at its assumed place.
  Scenario wooded = made.scenario;
  TerrainArea wood;
  wood.type = "wood";
  wood.objects.push_back({"tree", Circle{made.table.frame.CentreOf({1, 1}), 0.7}, {}, 2.0});
  wooded.terrain.push_back(wood);
  const cv::Mat with_tree = DrawStages(trace, wooded, *scene).back().picture;
  EXPECT_GT(cv::norm(with_tree, stages.back().picture, cv::NORM_L1), 1000);
  detector.Trace(nullptr);
  ASSERT_TRUE(detector.Start(made.bgr, made.camera, {}).ok());
  EXPECT_EQ(StageWords(trace, made.scenario).empty(), trace.dropped.empty());
  // A line for each side's paint, and one for each kind's bar on its bases.
  const std::string paints = PaintWords(trace, made.scenario);
  EXPECT_EQ(static_cast<std::size_t>(std::count(paints.begin(), paints.end(), '\n')),
            made.scenario.sides.size() * (1 + made.scenario.kinds.size()));
}

// A base of its side's paint behind a bar of any colour.
void DrawBase(const SyntheticTable& made, const StandHypothesis& h, const cv::Scalar& bar,
              cv::Mat& bgr) {
  const KindSpec& spec = made.scenario.kinds[static_cast<std::size_t>(h.what.kind)];
  const auto fill = [&](double front, double rear, const cv::Scalar& colour) {
    std::vector<cv::Point> outline;
    for (const Vec2 own :
         {Vec2{-0.5, front}, Vec2{0.5, front}, Vec2{0.5, rear}, Vec2{-0.5, rear}}) {
      const Vec2 at{own.x * spec.footprint.width_in, own.y};
      const ImagePoint p = ImageFromTable(made.camera, h.table_from_stand * at, spec.thickness_in);
      outline.emplace_back(cvRound(p.x_px), cvRound(p.y_px));
    }
    cv::fillConvexPoly(bgr, outline, colour);
  };
  const double d = spec.footprint.depth_in;
  const Colour paint = made.scenario.sides[static_cast<std::size_t>(h.what.side)].paint;
  fill(d / 2, -d / 2, cv::Scalar(paint.b, paint.g, paint.r));
  fill(d / 2, d / 2 - spec.bar_depth_in, bar);
}

// As the camera sees them: a bar is tinted by its base.
TEST(PaintLearning, LearnsABarForEachSide) {
  const SyntheticTable made = LayOutTable(SmallTable(1));
  const int kind = made.stands.front().kind;
  const std::array<cv::Scalar, 2> tinted{cv::Scalar(70, 30, 20), cv::Scalar(20, 30, 70)};
  cv::Mat bgr(made.camera.lens.height_px, made.camera.lens.width_px, CV_8UC3, {90, 110, 60});
  std::vector<StandHypothesis> stands;
  for (int side = 0; side < 2; ++side) {
    const Pose2 pose{made.table.frame.CentreOf({1 + side, 1}), 0};
    stands.push_back({{side, kind}, pose, 0, false, 2, 1, 1});
    DrawBase(made, stands.back(), tinted[static_cast<std::size_t>(side)], bgr);
  }
  const auto off = [&](const PaintModel& paints, int side) {
    const cv::Scalar& is = tinted[static_cast<std::size_t>(side)];
    return DistanceSquared(
        paints.bar(side, kind),
        PaintColourOf(cv::Vec3b(static_cast<std::uint8_t>(is[0]), static_cast<std::uint8_t>(is[1]),
                                static_cast<std::uint8_t>(is[2]))));
  };
  // As if the lamp had been learnt already: only the bars' colours are tested.
  PaintModel paints(made.scenario);
  for (int side = 0; side < 2; ++side) paints.SetBar(side, kind, {{20, 0, 0}, {18, 20, 20}});
  PaintModel both = paints;
  LearnPaints(both, both, bgr, made.camera, made.scenario, stands);
  EXPECT_LT(off(both, 0), 1);
  EXPECT_LT(off(both, 1), 1);
  // Bars seen on one side's bases teach nothing about the other side's.
  PaintModel one = paints;
  LearnPaints(one, one, bgr, made.camera, made.scenario, std::span(stands).first(1));
  EXPECT_LT(off(one, 0), 1);
  EXPECT_EQ(one.bar(1, kind).mean.lightness, paints.bar(1, kind).mean.lightness);
}

// Stands of one side were laid on another kind's base: what they show as their bar is neither what
// the light makes of it nor what the other side's stands show.
TEST(PaintLearning, TakesAKindsBarFromTheOtherSide) {
  const SyntheticTable made = LayOutTable(SmallTable(1));
  const int kind = made.stands.front().kind;
  cv::Mat bgr(made.camera.lens.height_px, made.camera.lens.width_px, CV_8UC3, {90, 110, 60});
  const cv::Scalar bar(70, 150, 190), pink(120, 90, 160);
  std::vector<StandHypothesis> stands;
  for (int i = 0; i < 3; ++i) {
    const int side = i < 2 ? 0 : 1;
    const Pose2 pose{made.table.frame.CentreOf({i, 1}), 0};
    stands.push_back({{side, kind}, pose, 0, false, 2, 1, 1});
    DrawBase(made, stands.back(), side == 0 ? bar : pink, bgr);
  }
  const auto colour = [](const cv::Scalar& c) {
    return PaintColourOf(cv::Vec3b(cv::saturate_cast<uchar>(c[0]), cv::saturate_cast<uchar>(c[1]),
                                   cv::saturate_cast<uchar>(c[2])));
  };
  PaintModel expected(made.scenario);
  for (int side = 0; side < 2; ++side) expected.SetBar(side, kind, {colour(bar), kUsualSpread});
  PaintModel paints = expected;
  paints.SetBar(1, kind, {colour(pink), kUsualSpread});  // as a search before has learnt it
  LearnPaints(paints, expected, bgr, made.camera, made.scenario, stands);
  EXPECT_LT(DistanceSquared(paints.bar(1, kind), colour(bar)), 4);
  EXPECT_GT(DistanceSquared(paints.bar(1, kind), colour(pink)), 9);
  // What the light makes of it may be right, and the other side's wrong.
  for (PaintModel* model : {&expected, &paints})
    model->SetBar(1, kind, {colour(pink), kUsualSpread});
  LearnPaints(paints, expected, bgr, made.camera, made.scenario, stands);
  EXPECT_LT(DistanceSquared(paints.bar(1, kind), colour(pink)), 2);
}

// A bar as seen beside its base's paint, and back.
TEST(PaintModel, TakesTheBasesPaintOutOfABar) {
  const PaintColour paint = PaintColourOf({60, 40, 170});
  for (const cv::Vec3b& bgr : {cv::Vec3b(230, 240, 235), cv::Vec3b(40, 160, 90)}) {
    const PaintColour bar = PaintColourOf(bgr);
    const PaintColour seen = BarBeside(paint, bar);
    EXPECT_GT(cv::norm(LinearOf(seen) - LinearOf(bar)), 0.01);
    EXPECT_LT(cv::norm(LinearOf(BarAlone(paint, seen)) - LinearOf(bar)), 1e-3);
  }
  EXPECT_LE(LinearOf(BarAlone(paint, PaintColourOf({0, 0, 0})))[2], 1e-4);  // no light below none
}

// The shade lies where units stand and nowhere else. What the stands themselves cover is no table.
TEST(PaintLearning, KnowsTheTableWhereUnitsStand) {
  const SyntheticTable made = LayOutTable(SmallTable(1));
  const TableFrame& frame = made.table.frame;
  cv::Mat bgr(made.camera.lens.height_px, made.camera.lens.width_px, CV_8UC3,
              cv::Scalar(150, 160, 155));
  const cv::Vec3b shade(70, 55, 50);
  const cv::Vec3b paint(40, 120, 40);
  const Box2 base{2, 1};
  std::vector<CoveredPart> covered;  // a row of squares
  for (int column = 0; column < frame.columns; ++column) {
    const Pose2 centre{frame.CentreOf({column, 1}), 0};
    const auto square = Corners(centre, {frame.square_in, frame.square_in});
    cv::fillConvexPoly(bgr, PixelsAt(made.camera, square, 0), cv::Scalar(shade));
    cv::fillConvexPoly(bgr, PixelsAt(made.camera, Corners(centre, base), 0), cv::Scalar(paint));
    covered.push_back({ToPolygon(square), 2 * base.width_in * base.depth_in});
  }
  PaintModel paints(made.scenario);
  const auto share_of = [&](const cv::Vec3b& colour) {
    return paints.ShareOfTable({PaintColourOf(colour), kUsualSpread});
  };
  const double row = 1.0 / frame.rows;
  LearnBackground(paints, bgr, {}, made.camera, frame, covered);
  EXPECT_LT(share_of(shade), 0.2 * row);  // the open ground in a figure's shadow
  EXPECT_TRUE(LearnCoveredBackground(paints, bgr, {}, made.camera, frame, covered));
  EXPECT_GT(share_of(shade), 0.5 * row);
  EXPECT_LT(share_of(paint), 0.01);
  // There is nothing more to learn.
  EXPECT_FALSE(LearnCoveredBackground(paints, bgr, {}, made.camera, frame, covered));
}

// Bars lie about, and behind them bare table, which is lighter than the paint is expected to be.
TEST(PaintLearning, TakesNoPaintFromTheTable) {
  const SyntheticTable made = LayOutTable(SmallTable(1));
  const int kind = made.stands.front().kind;
  const KindSpec& spec = made.scenario.kinds[static_cast<std::size_t>(kind)];
  const cv::Vec3b cloth(150, 160, 155);
  const cv::Vec3b paint(90, 97, 93);
  cv::Mat bgr(made.camera.lens.height_px, made.camera.lens.width_px, CV_8UC3, cv::Scalar(cloth));
  const Pose2 pose{made.table.frame.CentreOf({1, 1}), 0};
  std::vector<StandHypothesis> stands{{{0, kind}, pose, 0, false, 2, 1, 1}};
  const auto learn = [&](const cv::Vec3b& expected) {
    PaintModel paints(made.scenario);
    paints.SetSide(0, {PaintColourOf(expected), {12, 5, 5}});
    paints.SetBar(0, kind, {PaintColourOf({20, 20, 20}), {12, 5, 5}});
    LearnBackground(paints, bgr, {}, made.camera, made.table.frame, {});
    LearnPaints(paints, paints, bgr, made.camera, made.scenario, stands);
    return LinearOf(paints.side(0).mean);
  };
  EXPECT_LT(cv::norm(learn(paint) - LinearOf(PaintColourOf(paint))), 0.01);
  // Where the paint is known to be like the cloth, it is learnt as ever.
  const cv::Vec3b like(cloth[0] - 8, cloth[1] - 8, cloth[2] - 8);
  EXPECT_LT(cv::norm(learn(like) - LinearOf(PaintColourOf(cloth))), 0.01);
  // A table that is not of its colour teaches it.
  cv::rectangle(bgr, cv::Rect({}, bgr.size()), cv::Scalar(40, 90, 40), cv::FILLED);
  cv::fillConvexPoly(bgr, PixelsAt(made.camera, Corners(pose, spec.footprint), spec.thickness_in),
                     cv::Scalar(cloth));
  EXPECT_LT(cv::norm(learn(paint) - LinearOf(PaintColourOf(cloth))), 0.01);
  // Nor are all bases of a side bare cloth: where many lie, their paint is like the table's.
  cv::rectangle(bgr, cv::Rect({}, bgr.size()), cv::Scalar(cloth), cv::FILLED);
  EXPECT_LT(cv::norm(learn(paint) - LinearOf(PaintColourOf(paint))), 0.01);
  for (double x = 1; x < made.table.frame.Width(); x += 2)
    for (double y = 1; y < made.table.frame.Depth(); y += 2)
      stands.push_back({{0, kind}, {{x, y}, 0}, 0, false, 2, 1, 1});
  EXPECT_LT(cv::norm(learn(paint) - LinearOf(PaintColourOf(cloth))), 0.01);
}

TEST(PaintModel, TintsADarkBarByThePaintBehindIt) {
  const PaintColour blue = PaintColourOf({168, 79, 47});
  const PaintColour black = PaintColourOf({21, 21, 21});
  const PaintColour seen = BarBeside(blue, black);
  EXPECT_GT(seen.lightness, black.lightness);
  EXPECT_LT(seen.yellow_blue, black.yellow_blue - 5);
  // White keeps its colour.
  const PaintColour white = PaintColourOf({235, 240, 240});
  EXPECT_NEAR(BarBeside(blue, white).yellow_blue, white.yellow_blue, 3);
}

// A strip of the bar's colour, with some of the side's paint behind it, lies in the square of a
// unit whose own bar is mostly hidden.
TEST(StandDetector, KeepsTheBestScoringOfSurplusStands) {
  for (const std::uint32_t seed : {2U, 8U, 12U, 13U, 16U}) {
    const SyntheticOptions options = SmallTable(seed);
    std::vector<StandObservation> placed = LayOutTable(options).stands;
    const StandObservation stays = placed.front();
    std::erase_if(placed, [&](const StandObservation& s) {
      return s.unit == stays.unit && s.stand != stays.stand;
    });
    SyntheticTable made = RenderTable(options, placed);
    for (UnitSpec& unit : made.scenario.units)
      if (unit.id == stays.unit) unit.stands = 1;
    const KindSpec& kind = made.scenario.kinds[static_cast<std::size_t>(stays.kind)];
    const double d = kind.footprint.depth_in;
    const double w = kind.footprint.width_in;
    const auto fill = [&](const Pose2& of, Vec2 low, Vec2 high, const cv::Scalar& colour) {
      std::vector<cv::Point> outline;
      for (const Vec2 own : {low, Vec2{high.x, low.y}, high, Vec2{low.x, high.y}}) {
        const ImagePoint p = ImageFromTable(made.camera, of * own, kind.thickness_in);
        outline.emplace_back(cvRound(p.x_px), cvRound(p.y_px));
      }
      cv::fillConvexPoly(made.bgr, outline, colour);
    };
    const Colour paint = options.paints[static_cast<std::size_t>(stays.side)];
    const Vec2 centre = made.table.frame.CentreOf(
        std::find_if(made.scenario.units.begin(), made.scenario.units.end(),
                     [&](const UnitSpec& u) { return u.id == stays.unit; })
            ->square);
    Pose2 strip = stays.table_from_stand;
    strip.origin = centre * 2 - strip.origin;
    if (Distance(strip.origin, stays.table_from_stand.origin) < 1.6) strip.origin.x += 1.6;
    fill(strip, {-w / 2, d / 2 - kind.bar_depth_in}, {w / 2, d / 2},
         cv::Scalar(kind.bar.b, kind.bar.g, kind.bar.r));
    fill(strip, {-w / 2, 0.05 * d}, {w / 2, d / 2 - kind.bar_depth_in},
         cv::Scalar(paint.b, paint.g, paint.r));
    // A grey cuff lies on most of its own bar.
    fill(stays.table_from_stand, {-w / 2, d / 2 - kind.bar_depth_in}, {0.3 * w, d / 2},
         cv::Scalar(120, 120, 120));
    StandDetector detector(made.table, made.scenario);
    const auto scene = detector.Start(made.bgr, made.camera, {});
    ASSERT_TRUE(scene.ok());
    const auto seen = std::find_if(scene->stands.begin(), scene->stands.end(),
                                   [&](const auto& s) { return s.unit == stays.unit; });
    ASSERT_NE(seen, scene->stands.end()) << seed;
    EXPECT_LT(Distance(seen->table_from_stand.origin, stays.table_from_stand.origin), 0.2) << seed;
  }
}

TEST(StandDetector, KeepsTheIdsOfAMovedUnit) {
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

TEST(StandDetector, ReportsOnlyTheRemovedStand) {
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

// A stand is taken from beside another that nobody has seen so far.
TEST(StandDetector, TellsNoStandAsMovedToWhereNothingChanged) {
  const SyntheticOptions options = SmallTable(7);
  const SyntheticTable first = RenderTable(options);
  StandDetector detector(first.table, first.scenario);
  auto before = detector.Start(first.bgr, first.camera, {});
  ASSERT_TRUE(before.ok());
  std::vector<StandObservation> placed = first.stands;
  const std::string unit = placed.back().unit;
  const Vec2 taken = placed.back().table_from_stand.origin;
  placed.pop_back();
  const std::size_t unseen = std::erase_if(before->stands, [&](const StandObservation& s) {
    return s.unit == unit && Distance(s.table_from_stand.origin, taken) > 0.3;
  });
  ASSERT_GE(unseen, 1U);
  const SyntheticTable second = RenderTable(options, placed);
  const auto after =
      detector.Update(second.bgr, second.camera, *before, Changed(first.bgr, second.bgr), {});
  ASSERT_TRUE(after.ok());
  const auto changes = DiffScenes(*before, *after);
  ASSERT_EQ(changes.size(), 1U);
  ASSERT_TRUE(changes[0].from && !changes[0].to);
  EXPECT_LT(Distance(changes[0].from->table_from_stand.origin, taken), 0.1);
}

TEST(StandDetector, KeepsStandsThatAHandHides) {
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

// A hat is put over a stand, another stand is taken meanwhile, then the one under the hat.
TEST(StandDetector, KeepsAStandThatSomethingCoversUntilItIsSeenToBeGone) {
  const SyntheticOptions options = SmallTable(7);
  const SyntheticTable made = RenderTable(options);
  StandDetector detector(made.table, made.scenario);
  const auto before = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(before.ok());
  const StandObservation& stand = made.stands.back();
  const auto with_hat = [&](const SyntheticTable& table) {
    constexpr double kHat_in = 1.8;
    const Vec2 at = stand.table_from_stand.origin;
    const ImagePoint p = ImageFromTable(made.camera, at, 0);
    cv::Mat out = table.bgr.clone();
    cv::circle(out, {cvRound(p.x_px), cvRound(p.y_px)},
               cvRound(kHat_in * PixelsPerInch(made.camera, at, 0)), cv::Scalar(52, 62, 88),
               cv::FILLED);
    return out;
  };
  const auto under_hat = [&](const StandScene& scene) {
    return std::any_of(scene.stands.begin(), scene.stands.end(), [&](const auto& s) {
      return Distance(s.table_from_stand.origin, stand.table_from_stand.origin) < 0.2;
    });
  };
  const cv::Mat hat = with_hat(made);
  const auto under = detector.Update(hat, made.camera, *before, Changed(made.bgr, hat), {});
  ASSERT_TRUE(under.ok());
  EXPECT_TRUE(under_hat(*under));
  ASSERT_EQ(under->covered.size(), 1U);
  const auto seen = detector.Update(made.bgr, made.camera, *under, Changed(hat, made.bgr), {});
  ASSERT_TRUE(seen.ok());
  EXPECT_TRUE(DiffScenes(*before, *seen).empty());
  EXPECT_TRUE(seen->covered.empty());

  std::vector<StandObservation> placed = made.stands;
  placed.erase(placed.begin());
  const cv::Mat other = with_hat(RenderTable(options, placed));
  const auto still = detector.Update(other, made.camera, *under, Changed(hat, other), {});
  ASSERT_TRUE(still.ok());
  EXPECT_TRUE(under_hat(*still));

  placed.pop_back();
  const cv::Mat bare = RenderTable(options, placed).bgr;
  const auto after = detector.Update(bare, made.camera, *still, Changed(other, bare), {});
  ASSERT_TRUE(after.ok());
  EXPECT_FALSE(under_hat(*after));
  EXPECT_EQ(after->stands.size(), placed.size());
  EXPECT_TRUE(after->covered.empty());
}

// A cup with a pale rim and a shadow is put over a stand, or over half of it, and is taken off
// again.
TEST(StandDetector, TellsNoStandAsMovedByACupThatIsPutOverIt) {
  const SyntheticTable made = RenderTable(SmallTable(7));
  StandDetector detector(made.table, made.scenario);
  const auto before = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(before.ok());
  const auto with_cup = [&](Vec2 at) {
    constexpr double kCup_in = 1.5, kInside_in = 1.3;
    cv::Mat out = made.bgr.clone();
    const double px = PixelsPerInch(made.camera, at, 0);
    const ImagePoint p = ImageFromTable(made.camera, at, 0);
    const cv::Point middle(cvRound(p.x_px), cvRound(p.y_px));
    cv::Mat shadow(out.size(), CV_8UC1, cv::Scalar(0));
    cv::circle(shadow, middle + cv::Point(cvRound(0.5 * px), cvRound(0.35 * px)),
               cvRound(kCup_in * px), cv::Scalar(255), cv::FILLED);
    cv::Mat dark;
    out.convertTo(dark, -1, 0.6);
    dark.copyTo(out, shadow);
    cv::circle(out, middle, cvRound(kCup_in * px), cv::Scalar(240, 244, 246), cv::FILLED);
    cv::circle(out, middle, cvRound(kInside_in * px), cv::Scalar(205, 210, 214), cv::FILLED);
    return out;
  };
  for (const std::size_t of : {0U, 5U}) {
    const Pose2& stand = before->stands.at(of).table_from_stand;
    for (const Vec2 aside : {Vec2{0, 0}, Vec2{1.3, 0.3}}) {
      SCOPED_TRACE(before->stands[of].stand.text);
      SCOPED_TRACE(aside.x);
      const cv::Mat cup = with_cup(stand * aside);
      const auto under = detector.Update(cup, made.camera, *before, Changed(made.bgr, cup), {});
      ASSERT_TRUE(under.ok());
      EXPECT_TRUE(DiffScenes(*before, *under).empty());
      const auto after = detector.Update(made.bgr, made.camera, *under, Changed(cup, made.bgr), {});
      ASSERT_TRUE(after.ok());
      EXPECT_TRUE(DiffScenes(*before, *after).empty());
      EXPECT_TRUE(after->covered.empty());
    }
  }
}

// A unit moved in the evening is recognised by its paint in that light.
TEST(StandDetector, FollowsThePaintsAsTheLightDrifts) {
  SyntheticOptions options = SmallTable(6);
  const SyntheticTable noon = RenderTable(options);
  StandDetector detector(noon.table, noon.scenario);
  StandDetector unaware(noon.table, noon.scenario);
  const auto before = detector.Start(noon.bgr, noon.camera, {});
  ASSERT_TRUE(before.ok());
  ASSERT_TRUE(unaware.Start(noon.bgr, noon.camera, {}).ok());
  cv::Mat known = noon.bgr;
  constexpr int kSteps = 4;
  for (int i = 1; i <= kSteps; ++i) {
    Darken(options, static_cast<double>(i) / kSteps);
    const cv::Mat now = RenderTable(options).bgr;
    ASSERT_TRUE(detector.FollowLight(known, now, noon.camera, *before, {}).ok());
    known = now;
  }
  const SyntheticTable moved = RenderTable(options, Carried(noon));
  const cv::Mat changed = Changed(known, moved.bgr);
  const auto after = detector.Update(moved.bgr, moved.camera, *before, changed, {});
  ASSERT_TRUE(after.ok());
  ExpectSeen(moved, *after);
  // With noon's colours they are not found: the light has changed by more than a paint's spread.
  const auto by_noon = unaware.Update(moved.bgr, moved.camera, *before, changed, {});
  ASSERT_TRUE(by_noon.ok());
  EXPECT_LT(by_noon->stands.size(), moved.stands.size());
}

TEST(StandDetector, LearnsNothingWhereNoPaintIsSeen) {
  const SyntheticTable made = RenderTable(SmallTable(6));
  StandDetector detector(made.table, made.scenario);
  const auto before = detector.Start(made.bgr, made.camera, {});
  ASSERT_TRUE(before.ok());
  // Somebody holds a rule sheet before the camera.
  const cv::Mat sheet(made.bgr.size(), CV_8UC3, cv::Scalar(225, 230, 235));
  ASSERT_TRUE(detector.FollowLight(sheet, made.bgr, made.camera, *before, {}).ok());
  const auto after = detector.Update(made.bgr, made.camera, *before, {}, {});
  ASSERT_TRUE(after.ok());
  ExpectSeen(made, *after);
  EXPECT_FALSE(detector.FollowLight({}, made.bgr, made.camera, *before, {}).ok());
}

TEST(StandDetector, FindsNothingOnAnEmptyTable) {
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
