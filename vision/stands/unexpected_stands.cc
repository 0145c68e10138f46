// SPDX-License-Identifier: MIT
#include "vision/stands/unexpected_stands.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <span>
#include <utility>

#include "vision/image/in_parallel.h"
#include "vision/image/rectify.h"
#include "vision/stands/stand_candidates.h"
#include "vision/stands/stand_groups.h"
#include "vision/stands/stand_measurement.h"

namespace fos {
namespace {

std::vector<Vec2> PaintedSpots(const StandLook& look, int side,
                               std::span<const StandHypothesis> known) {
  constexpr double kPixelsPerIn = 7;  // a dozen of the smallest base's top
  constexpr double kTop_in = 0.1;     // of the usual base; a spot is right to half an inch
  const TableFrame& frame = look.table.frame;
  const TablePatch patch =
      RectifyPatch(look.bgr, look.blind, look.camera, {frame.Width() / 2, frame.Depth() / 2},
                   0.5 * std::max(frame.Width(), frame.Depth()), kPixelsPerIn, kTop_in);
  std::vector<float> of_bin(kPaintBins, -1e9F);
  for (std::size_t kind = 0; kind < look.scenario.kinds.size(); ++kind) {
    const StandEvidence& evidence = look.paints.Evidence(side, static_cast<int>(kind));
    for (std::size_t b = 0; b < of_bin.size(); ++b)
      of_bin[b] = std::max(of_bin[b], evidence.top[b]);
  }
  cv::Mat taken(patch.bgr.size(), CV_8UC1, cv::Scalar(0));
  for (const StandHypothesis& h : known) {
    constexpr double kBeside_in = 0.1;
    const Box2 box = look.KindOf(h).footprint;
    std::vector<cv::Point> outline;
    for (const Vec2 corner : Corners(
             h.table_from_stand, {box.width_in + 2 * kBeside_in, box.depth_in + 2 * kBeside_in})) {
      const cv::Point2d p = patch.PixelFromTable(corner);
      outline.emplace_back(cvRound(p.x), cvRound(p.y));
    }
    cv::fillConvexPoly(taken, outline, cv::Scalar(255));
  }
  cv::Mat evidence(patch.bgr.size(), CV_32FC1, cv::Scalar(0));
  cv::Mat painted(patch.bgr.size(), CV_32FC1, cv::Scalar(0));
  for (int r = 0; r < evidence.rows; ++r) {
    for (int c = 0; c < evidence.cols; ++c) {
      if (patch.seen.at<std::uint8_t>(r, c) == 0 || taken.at<std::uint8_t>(r, c) != 0 ||
          !frame.Contains(patch.TableFromPixel(c, r)))
        continue;
      const float e = of_bin[static_cast<std::size_t>(PaintBin(patch.bgr.at<cv::Vec3b>(r, c)))];
      evidence.at<float>(r, c) =
          std::clamp(e, -0.6F, 1.5F);  // figures say little, as in the search
      painted.at<float>(r, c) = e > 0 ? 1.0F : 0.0F;
    }
  }
  // Means over the smallest base's top, and over a whole unit: a river or a roof is larger.
  const auto odd = [](double inches) {
    return 2 * static_cast<int>(std::lround(inches * kPixelsPerIn / 2)) + 1;
  };
  constexpr double kSpot_in = 0.6;
  constexpr double kUnit_in = 4.4;
  constexpr double kApart_in = 0.9;
  const auto mean_over = [&](const cv::Mat& of, double inches) {
    cv::Mat out;
    cv::boxFilter(of, out, -1, {odd(inches), odd(inches)}, {-1, -1}, true, cv::BORDER_REPLICATE);
    return out;
  };
  const cv::Mat spot = mean_over(evidence, kSpot_in);
  const cv::Mat about = mean_over(painted, kUnit_in);
  cv::Mat highest;
  cv::dilate(spot, highest,
             cv::getStructuringElement(cv::MORPH_RECT, {odd(kApart_in), odd(kApart_in)}));
  std::vector<std::pair<float, Vec2>> found;
  constexpr float kLeastSpot = 0.3F;   // nats a pixel, figures counted in
  constexpr float kMostAbout = 0.45F;  // four bases in contact cover a quarter
  for (int r = 0; r < spot.rows; ++r) {
    for (int c = 0; c < spot.cols; ++c) {
      const float here = spot.at<float>(r, c);
      if (here < kLeastSpot || here < highest.at<float>(r, c) || about.at<float>(r, c) > kMostAbout)
        continue;
      found.emplace_back(here, patch.TableFromPixel(c, r));
    }
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Vec2> out;
  constexpr std::size_t kMost = 10;  // a twentieth of a second each
  for (const auto& [strength, at] : found) {
    if (out.size() == kMost) break;
    out.push_back(at);
  }
  return out;
}

}  // namespace

void FindUnexpectedStands(const StandLook& look, std::vector<StandHypothesis>& stands) {
  constexpr double kMostHidden = 0.3;  // what is seen there is terrain
  constexpr double kHalf_in = 1.7;     // of the piece searched: the longest base and its rim
  std::vector<double> headings;
  AddHeadings(headings, 0, CV_PI, 10 * kDegree);
  for (std::size_t side = 0; side < look.scenario.sides.size(); ++side) {
    std::vector<StandClass> classes;
    for (std::size_t kind = 0; kind < look.scenario.kinds.size(); ++kind)
      classes.push_back({static_cast<int>(side), static_cast<int>(kind)});
    const std::vector<Vec2> spots = PaintedSpots(look, static_cast<int>(side), stands);
    std::vector<std::vector<StandHypothesis>> found(spots.size());
    if (!spots.empty()) PreparePaints(look, classes);
    InParallel(spots.size(), [&](std::size_t i) {
      found[i] = SearchPaints(look, spots[i], kHalf_in, classes, headings, stands,
                              look.options.least_score);
    });
    for (std::vector<StandHypothesis>& here : found) {
      SettleStands(look, here, stands);
      for (const StandHypothesis& h : here) {
        if (h.score < kLeastStrangerScore) continue;
        const Box2 box = look.KindOf(h).footprint;
        const double top = h.ground_in + look.KindOf(h).thickness_in;
        if (look.terrain.Fills(h.table_from_stand, box) ||
            look.terrain.HiddenShare(h.table_from_stand, box, top) > kMostHidden)
          continue;
        std::vector<StandHypothesis> others = stands;
        others.insert(others.end(), here.begin(), here.end());
        std::erase_if(others, [&](const StandHypothesis& o) {
          return o.table_from_stand.origin == h.table_from_stand.origin;
        });
        const MeasuredStand m = MeasureStand(look, h, others);
        if (!IsBelievableAnywhere(look, h, m, others)) continue;
        // If it is also a stand by another side's paint, it belongs to the side whose paint had to
        // change less from what was learnt.
        StandHypothesis best = h;
        double least_off = m.paint_off;
        for (std::size_t other = 0; other < look.scenario.sides.size(); ++other) {
          if (other == side) continue;
          StandHypothesis rival = h;
          rival.what.side = static_cast<int>(other);
          rival = RefineStand(look, rival, others);
          const MeasuredStand as_rival = MeasureStand(look, rival, others);
          if (as_rival.paint_off >= least_off || !IsBelievableAnywhere(look, rival, as_rival, others))
            continue;
          best = rival;
          least_off = as_rival.paint_off;
        }
        stands.push_back(best);
      }
    }
  }
}

}  // namespace fos
