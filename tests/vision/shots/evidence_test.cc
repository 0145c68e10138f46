// SPDX-License-Identifier: MIT
#include "vision/shots/evidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "tests/support/temp_dir.h"

namespace fos {
namespace {

// Straight down from 40 in, 16 pixels an inch, x right and y up.
TableCamera OverheadCamera() {
  CameraModel lens;
  lens.width_px = 320;
  lens.height_px = 240;
  lens.fx_px = lens.fy_px = 640;
  lens.cx_px = 159.5;
  lens.cy_px = 119.5;
  const cv::Matx33d rotation(1, 0, 0, 0, -1, 0, 0, 0, -1);
  cv::Vec3d rvec;
  cv::Rodrigues(rotation, rvec);
  return MakeTableCamera(lens, rvec, -(rotation * cv::Vec3d(10, 8, 40)));
}

EvidenceRequest OneShot() {
  EvidenceRequest request;
  request.camera = OverheadCamera();
  request.before = cv::Mat(240, 320, CV_8UC3, cv::Scalar(60, 100, 90));
  request.after = request.before.clone();
  request.shot.point = {10, 8};
  request.shot.tail = {13, 8};
  request.shot.height_in = 0.11;
  request.shot.point_cov = IsotropicCov(0.01);
  request.lines = {"shot 1 at (10.00, 8.00)"};
  return request;
}

EvidenceStand StandNorth() {
  EvidenceStand stand;
  stand.name = "F-1L1#2";
  stand.corners = {Vec2{9.25, 8.75}, {10.75, 8.75}, {10.75, 9.5}, {9.25, 9.5}};
  stand.top_in = 0.1;
  stand.nearest = {10, 8.75};
  stand.distance_in = 0.75;
  stand.label = "F-1L1#2: 0.75 in, hit";
  stand.colour = EvidenceStand::Colour::kHit;
  return stand;
}

int PixelsChanged(const cv::Mat& a, const cv::Mat& b) {
  cv::Mat differs;
  cv::absdiff(a, b, differs);
  cv::Mat any;
  cv::cvtColor(differs, any, cv::COLOR_BGR2GRAY);
  return cv::countNonZero(any);
}

TEST(Evidence, ShowsBothPanelsSideBySideAboveTheNumbers) {
  const EvidenceRequest request = OneShot();
  const EvidencePanels panels = DrawEvidencePanels(request);
  ASSERT_EQ(panels.before.type(), CV_8UC3);
  ASSERT_EQ(panels.before.size(), panels.after.size());
  EXPECT_EQ(panels.before.cols, panels.before.rows) << "as far to every side";
  const cv::Mat whole = DrawEvidence(request, panels);
  EXPECT_GE(whole.cols, 2 * panels.before.cols);
  EXPECT_LT(whole.cols, 2 * panels.before.cols + 50);
  EXPECT_GT(whole.rows, panels.before.rows);
  EXPECT_EQ(PixelsChanged(whole(cv::Rect({0, 0}, panels.before.size())), panels.before), 0);
  cv::Mat spread;
  cv::Mat mean;
  cv::meanStdDev(whole.rowRange(panels.before.rows, whole.rows), mean, spread);
  EXPECT_GT(spread.at<double>(0), 5) << "words stand below the pictures";
}

TEST(Evidence, ShowsWhatWasPredictedAndWhatThatLeaves) {
  EvidenceRequest request = OneShot();
  const int without = DrawEvidence(request).cols;
  // In the middle of both pictures something lies there; half of it was predicted.
  request.after(cv::Rect(150, 110, 20, 20)).setTo(cv::Scalar::all(240));
  PredictedView predicted{{140, 100, 40, 40}, request.before(cv::Rect(140, 100, 40, 40)).clone()};
  predicted.bgr(cv::Rect(10, 10, 10, 20)).setTo(cv::Scalar::all(240));
  request.predicted = std::make_shared<const PredictedView>(predicted);
  const EvidencePanels panels = DrawEvidencePanels(request);
  ASSERT_EQ(panels.predicted.size(), panels.unexplained.size());
  const int half = panels.predicted.cols / 2;
  const auto at = [&](const cv::Mat& panel, int right_px) {
    return panel.at<cv::Vec3b>(half, half + right_px);
  };
  constexpr int kAside_px = 15;  // 0.3 in of the 0.6 that the thing reaches to either side
  EXPECT_GT(at(panels.predicted, -kAside_px)[0], 200);
  EXPECT_LT(at(panels.predicted, kAside_px)[0], 100);
  EXPECT_NEAR(at(panels.unexplained, -kAside_px)[0], 128, 3) << "grey where it fits";
  EXPECT_EQ(at(panels.unexplained, kAside_px)[0], 255) << "lighter than predicted";
  const cv::Mat whole = DrawEvidence(request, panels);
  EXPECT_GT(whole.cols, without + panels.predicted.cols);
  EXPECT_LE(panels.predicted.rows + panels.unexplained.rows, panels.before.rows);
}

// A stand in the upper left corner has its name beside the title, not on it.
TEST(Evidence, NoNameIsWrittenOverTheTitle) {
  EvidenceRequest request = OneShot();
  EvidenceStand stand = StandNorth();
  for (Vec2& corner : stand.corners) corner = corner + Vec2{-1.74, 1.35};
  stand.nearest = stand.corners[2];
  stand.name.clear();
  request.stands = {stand};
  const EvidencePanels plain = DrawEvidencePanels(request);
  request.stands[0].name = "F-1L1#2";
  const EvidencePanels named = DrawEvidencePanels(request);
  const auto title = [](const char* words) {
    int below = 0;
    const cv::Size size = cv::getTextSize(words, cv::FONT_HERSHEY_SIMPLEX, 0.6, 1, &below);
    return cv::Rect(0, 0, 10 + size.width, 22 + below);
  };
  const cv::Rect before = title("before");
  const cv::Rect after = title("after");
  EXPECT_GT(PixelsChanged(plain.before, named.before), 0);
  EXPECT_EQ(PixelsChanged(plain.before(before), named.before(before)), 0);
  EXPECT_EQ(PixelsChanged(plain.after(after), named.after(after)), 0);
}

TEST(Evidence, TheCircleIsDrawnAtItsTrueSize) {
  EvidenceRequest request = OneShot();
  const EvidencePanels panels = DrawEvidencePanels(request);
  // The panel's scale follows from what it must show: white a circle's radius from the middle, and
  // the cloth left alone half-way there.
  const double middle = 0.5 * (panels.after.cols - 1);
  request.circle_in = 0.5;
  const EvidencePanels small = DrawEvidencePanels(request);
  const auto ring_at = [&](const cv::Mat& panel) {
    // Towards the south-east, clear of the title and of the cross.
    for (int r = 25; r < panel.cols / 2; ++r) {
      const cv::Point at(cvRound(middle + r * std::sqrt(0.5)),
                         cvRound(middle + r * std::sqrt(0.5)));
      if (panel.at<cv::Vec3b>(at)[0] > 180 && panel.at<cv::Vec3b>(at)[2] > 180) return r;
    }
    return 0;
  };
  const int whole_inch = ring_at(panels.after);
  ASSERT_GT(whole_inch, 50);
  EXPECT_NEAR(ring_at(small.after), whole_inch / 2.0, 2);
}

TEST(Evidence, AStandIsOutlinedInBothAndItsDistanceInTheSecond) {
  EvidenceRequest request = OneShot();
  const EvidencePanels without = DrawEvidencePanels(request);
  const int rows = DrawEvidence(request).rows;
  request.stands = {StandNorth()};
  const EvidencePanels with = DrawEvidencePanels(request);
  const int outlined = PixelsChanged(with.before, without.before);
  EXPECT_GT(outlined, 300);
  EXPECT_GT(PixelsChanged(with.after, without.after), outlined);
  EXPECT_GT(DrawEvidence(request).rows, rows) << "its label has a line of its own";
}

TEST(Evidence, AStandIsNamedInBoth) {
  EvidenceRequest request = OneShot();
  request.stands = {StandNorth()};
  const EvidencePanels named = DrawEvidencePanels(request);
  request.stands[0].name.clear();
  const EvidencePanels nameless = DrawEvidencePanels(request);
  EXPECT_GT(PixelsChanged(named.before, nameless.before), 100);
  EXPECT_GT(PixelsChanged(named.after, nameless.after), 100);
}

// The names of a crowd do not cover each other.
TEST(Evidence, LabelsDoNotCoverEachOther) {
  const cv::Size picture(570, 570);
  const cv::Size label(70, 20);
  std::vector<cv::Rect> taken = {{270, 270, 32, 32}};
  for (int i = 0; i < 30; ++i) {
    // Around the middle, as close as small stands; some beside the picture's edge.
    const cv::Point wanted(i < 24 ? 255 + 12 * (i % 6) : 565, 240 + 14 * (i / 6));
    const cv::Rect place = PlaceLabel(label, wanted, picture, taken);
    EXPECT_EQ(place & cv::Rect({}, picture), place) << i;
    for (const cv::Rect& other : taken) EXPECT_EQ((place & other).area(), 0) << i;
    taken.push_back(place);
  }
  // Where there is no room at all it still has a place.
  EXPECT_EQ(PlaceLabel(label, {5, 5}, {10, 10}, taken).size(), label);
}

// A number with another's line through it cannot be read, nor a point with a line over it.
TEST(Evidence, NoLabelsLineCrossesAnotherLabelOrThePoint) {
  const cv::Size picture(570, 570);
  const cv::Rect point(257, 257, 56, 56);
  std::vector<cv::Rect> taken = {point};
  std::vector<LabelLeader> leaders;
  // "0.00" of a stand under the point and three distances near it, then the names of a crowd.
  for (int i = 0; i < 14; ++i) {
    const cv::Size label(i < 4 ? 44 : 70, 20);
    const cv::Point wanted = i == 0  ? cv::Point(285, 285)
                             : i < 4 ? cv::Point(285 + 16 * i, 270)
                                     : cv::Point(210 + 50 * (i % 4), 200 + 45 * (i / 4));
    const cv::Rect place = PlaceLabel(label, wanted, picture, taken, leaders);
    const auto leader = LeaderTo(place, wanted, taken);
    for (const cv::Rect& other : taken) {
      EXPECT_EQ((place & other).area(), 0) << i;
      if (!leader || other.contains(wanted)) continue;
      cv::Point from = leader->from;
      cv::Point to = leader->to;
      EXPECT_FALSE(cv::clipLine(other, from, to)) << i << " crosses " << other;
    }
    for (const LabelLeader& other : leaders) {
      cv::Point from = other.from;
      cv::Point to = other.to;
      EXPECT_FALSE(cv::clipLine(place, from, to)) << i << " covers a line";
    }
    if (leader) {
      cv::Rect inner(point.x + 2, point.y + 2, point.width - 4, point.height - 4);
      cv::Point from = leader->from;
      cv::Point to = leader->to;
      EXPECT_FALSE(cv::clipLine(inner, from, to)) << i << " crosses the point";
      leaders.push_back(*leader);
    }
    taken.push_back(place);
  }
  EXPECT_GT(leaders.size(), 2u);
}

TEST(Evidence, ALineIsThickWhereItEndsNineteenTimesInTwenty) {
  EvidenceRequest request = OneShot();
  request.stands = {StandNorth()};
  request.stands[0].name.clear();
  const EvidencePanels sure = DrawEvidencePanels(request);
  constexpr double kSigma_in = 0.1;
  request.stands[0].sigma_in = kSigma_in;
  const EvidencePanels doubtful = DrawEvidencePanels(request);
  cv::Mat differs;
  cv::absdiff(sure.after, doubtful.after, differs);
  cv::cvtColor(differs, differs, cv::COLOR_BGR2GRAY);
  const cv::Rect where = cv::boundingRect(differs);
  // Due north of the middle, two sigma to both sides of the stand's near edge.
  const double middle = 0.5 * (sure.after.cols - 1);
  const double px_per_in = sure.after.cols / 5.2;
  constexpr double kLine_px = 6;  // how thick it is, with its rim
  EXPECT_NEAR(where.y, middle - (0.75 + 2 * kSigma_in) * px_per_in, kLine_px);
  EXPECT_NEAR(where.br().y, middle - (0.75 - 2 * kSigma_in) * px_per_in, kLine_px);
  EXPECT_NEAR(where.x + where.width / 2.0, middle, 2);
}

TEST(Evidence, TheCircleOfTouchIsDrawnForWhatIsHitByTouch) {
  EvidenceRequest request = OneShot();
  request.stands = {StandNorth()};
  request.stands[0].limit_in = request.circle_in;
  const EvidencePanels by_circle = DrawEvidencePanels(request);
  request.stands[0].limit_in = 0.25;
  const EvidencePanels by_touch = DrawEvidencePanels(request);
  EXPECT_GT(PixelsChanged(by_circle.after, by_touch.after), 100);
}

TEST(Evidence, AShotAtThePicturesEdgeIsDrawnToo) {
  EvidenceRequest request = OneShot();
  request.shot.point = {0.1, 0.1};
  const cv::Mat whole = DrawEvidence(request);
  EXPECT_FALSE(whole.empty());
}

TEST(WritePicture, WritesWhatCanBeReadBack) {
  const test::TempDir dir;
  const cv::Mat picture = DrawEvidence(OneShot());
  const auto file = dir.path() / "new folder" / "shot.png";
  ASSERT_TRUE(WritePicture(picture, file).ok());
  const cv::Mat back = cv::imread(file.string());
  ASSERT_EQ(back.size(), picture.size());
  EXPECT_EQ(PixelsChanged(back, picture), 0);
}

TEST(WritePicture, NamesTheFileItCannotWrite) {
  const test::TempDir dir;
  const auto file = dir.Write("file", "not a folder") / "shot.png";
  const Status status = WritePicture(cv::Mat(4, 4, CV_8UC3, cv::Scalar(0, 0, 0)), file);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_NE(status.error().message.find(file.string()), std::string::npos);
  EXPECT_FALSE(
      WritePicture(cv::Mat(4, 4, CV_8UC3, cv::Scalar(0, 0, 0)), dir.path() / "a.nopicture").ok());
  EXPECT_FALSE(WritePicture({}, dir.path() / "empty.png").ok());
}

}  // namespace
}  // namespace fos
