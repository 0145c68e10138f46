// SPDX-License-Identifier: MIT
#include "vision/stands/army_spots.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <opencv2/imgproc.hpp>
#include <tuple>

#include "vision/appearance/paint_model.h"
#include "vision/image/rectify.h"
#include "vision/stands/paint_learning.h"

namespace fos {
namespace {

constexpr double kPixelsPerIn = 8;
constexpr double kTop_in = 0.1;          // of the usual base
constexpr float kLeastEvidence = 0.5F;   // nats for a paint against the table: odds of five to three

// The side whose paint each pixel is, plus one; 0: none. CV_8UC1.
cv::Mat PaintedBy(const TablePatch& patch, const TableFrame& frame, const PaintModel& paints,
                  std::size_t sides) {
  cv::Mat out(patch.bgr.size(), CV_8UC1, cv::Scalar(0));
  for (int r = 0; r < out.rows; ++r) {
    for (int c = 0; c < out.cols; ++c) {
      if (patch.seen.at<std::uint8_t>(r, c) == 0 || !frame.Contains(patch.TableFromPixel(c, r)))
        continue;
      const auto bin = static_cast<std::size_t>(PaintBin(patch.bgr.at<cv::Vec3b>(r, c)));
      float most = kLeastEvidence;
      for (std::size_t side = 0; side < sides; ++side) {
        const float here = paints.Evidence(static_cast<int>(side), 0).top[bin];
        if (here <= most) continue;
        most = here;
        out.at<std::uint8_t>(r, c) = static_cast<std::uint8_t>(side + 1);
      }
    }
  }
  return out;
}

}  // namespace

std::vector<ArmySpot> FindArmySpots(const cv::Mat& bgr, const TableCamera& camera,
                                    const TableFrame& frame, const Scenario& scenario) {
  // The side's paint is what all its bases share, whatever kind they are.
  Scenario sides;
  sides.sides = scenario.sides;
  KindSpec any;
  any.bar = {255, 255, 255};
  sides.kinds.push_back(any);
  PaintModel paints(sides);
  LearnBackground(paints, bgr, {}, camera, frame, {});
  const TablePatch patch =
      RectifyPatch(bgr, {}, camera, {frame.Width() / 2, frame.Depth() / 2},
                   0.5 * std::max(frame.Width(), frame.Depth()), kPixelsPerIn, kTop_in);
  const cv::Mat painted = PaintedBy(patch, frame, paints, sides.sides.size());

  std::map<std::tuple<int, int, int>, double> areas;  // by side, row from the north, column
  constexpr double kPixel_in2 = 1 / (kPixelsPerIn * kPixelsPerIn);
  const auto add = [&](int side, Vec2 at, double pixels) {
    if (const auto square = frame.SquareAt(at))
      areas[{side, -square->row, square->column}] += pixels * kPixel_in2;
  };
  for (std::size_t side = 0; side < sides.sides.size(); ++side) {
    const cv::Mat own = painted == static_cast<double>(side + 1);
    // Figures and bars part the paint of one base; bases of one unit nearly touch.
    constexpr double kTogether_in = 0.4;
    constexpr int kReach_px = static_cast<int>(kTogether_in * kPixelsPerIn);
    cv::Mat joined;
    cv::dilate(own, joined, cv::getStructuringElement(cv::MORPH_ELLIPSE, {kReach_px, kReach_px}));
    cv::Mat part;
    cv::Mat boxes;
    cv::Mat middles;
    const int parts = cv::connectedComponentsWithStats(joined, part, boxes, middles);
    const double square_px = frame.square_in * kPixelsPerIn;
    std::vector<cv::Point2d> sum(static_cast<std::size_t>(parts));
    std::vector<double> count(static_cast<std::size_t>(parts), 0.0);
    for (int r = 0; r < own.rows; ++r) {
      for (int c = 0; c < own.cols; ++c) {
        if (own.at<std::uint8_t>(r, c) == 0) continue;
        const int at = part.at<int>(r, c);
        constexpr double kUnit = 1.15;  // of a square: units lean a little out of theirs
        if (std::max(boxes.at<int>(at, cv::CC_STAT_WIDTH), boxes.at<int>(at, cv::CC_STAT_HEIGHT)) >
            kUnit * square_px) {
          add(static_cast<int>(side), patch.TableFromPixel(c, r), 1);
          continue;
        }
        sum[static_cast<std::size_t>(at)] += cv::Point2d(c, r);
        count[static_cast<std::size_t>(at)] += 1;
      }
    }
    for (std::size_t at = 1; at < count.size(); ++at) {
      if (count[at] > 0)
        add(static_cast<int>(side),
            patch.TableFromPixel(sum[at].x / count[at], sum[at].y / count[at]), count[at]);
    }
  }
  constexpr double kLeast_in2 = 0.35;  // half of the smallest base's, of 0.75 x 1 in
  std::vector<ArmySpot> out;
  for (const auto& [where, area] : areas) {
    const auto& [side, down, column] = where;
    if (area >= kLeast_in2) out.push_back({side, {column, -down}, area});
  }
  return out;
}

int BasesOf(double painted_in2, Box2 footprint) {
  constexpr double kInView = 0.3;
  const double base_in2 = kInView * footprint.width_in * footprint.depth_in;
  constexpr int kMost = 12;
  return base_in2 > 0
             ? std::clamp(static_cast<int>(std::lround(painted_in2 / base_in2)), 1, kMost)
             : 1;
}

}  // namespace fos
