// SPDX-License-Identifier: MIT
#include "vision/stands/across_lights.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "calibration/camera/response.h"
#include "engine/table/quantile.h"
#include "vision/stands/moved_stands.h"

namespace fos {
namespace {

// How much lighter a channel is in one picture than in another, in linear light.
float Gained(std::uint8_t was, std::uint8_t now) {
  constexpr float kLift = 0.005F;  // a code's own rounding does not make black twice as light
  const auto& light = LightOfSrgbCode();
  return (light[now] + kLift) / (light[was] + kLift);
}

// The same of each pixel of a stand's place, of blue, green and red.
using Gains = std::array<std::vector<float>, 3>;
Gains GainsAt(const cv::Mat& was, const cv::Mat& now, const TableCamera& camera,
              const KindSpec& kind, const StandHypothesis& h) {
  constexpr double kStep_in = 0.1;
  const Box2 box = kind.footprint;
  Gains out;
  for (double y = -box.depth_in / 2; y < box.depth_in / 2; y += kStep_in) {
    for (double x = -box.width_in / 2; x < box.width_in / 2; x += kStep_in) {
      const ImagePoint p =
          ImageFromTable(camera, h.table_from_stand * Vec2{x, y}, h.ground_in + kind.thickness_in);
      const cv::Point at(cvRound(p.x_px), cvRound(p.y_px));
      if (!cv::Rect({}, was.size()).contains(at)) continue;
      for (int c = 0; c < 3; ++c)
        out[static_cast<std::size_t>(c)].push_back(
            Gained(was.at<cv::Vec3b>(at)[c], now.at<cv::Vec3b>(at)[c]));
    }
  }
  return out;
}

bool Differ(double a, double b) {
  constexpr double kOtherLight = 1.5;  // the sun's is two to ten times the shade's
  return std::max(a / b, b / a) > kOtherLight;
}

}  // namespace

PaintModel Relit(const PaintModel& paints, const cv::Mat& was, const cv::Mat& now,
                 const TableCamera& camera, const Scenario& scenario,
                 std::span<const StandHypothesis> stands) {
  const std::size_t kinds = scenario.kinds.size();
  std::vector<Gains> of_side(scenario.sides.size());
  std::vector<Gains> of_bar(scenario.sides.size() * kinds);
  for (const StandHypothesis& h : stands) {
    const auto side = static_cast<std::size_t>(h.what.side);
    const auto kind = static_cast<std::size_t>(h.what.kind);
    const Gains here = GainsAt(was, now, camera, scenario.kinds[kind], h);
    for (Gains* const of : {&of_side[side], &of_bar[side * kinds + kind]})
      for (std::size_t c = 0; c < here.size(); ++c)
        (*of)[c].insert((*of)[c].end(), here[c].begin(), here[c].end());
  }
  const auto relit = [](const Paint& paint, Gains& gains) {
    cv::Vec3f light = LinearOf(paint.mean);
    for (int c = 0; c < 3; ++c) {
      std::vector<float>& one = gains[static_cast<std::size_t>(c)];
      if (!one.empty()) light[c] = std::min(1.0F, light[c] * UpperMedian(one));
    }
    return Paint{PaintColourOfLinear(light), paint.sigma};
  };
  PaintModel out = paints;
  for (std::size_t s = 0; s < of_side.size(); ++s) {
    const int side = static_cast<int>(s);
    out.SetSide(side, relit(paints.side(side), of_side[s]));
    for (std::size_t k = 0; k < kinds; ++k) {
      const int kind = static_cast<int>(k);
      out.SetBar(side, kind, relit(paints.bar(side, kind), of_bar[s * kinds + k]));
    }
  }
  return out;
}

double AcrossLights::GainedAt(const StandObservation& o) const {
  const StandHypothesis h = AsHypothesis(o);
  std::vector<float> green =
      GainsAt(as_it_is_, in_one_.bgr, in_one_.camera, in_one_.KindOf(h), h)[1];
  return green.empty() ? 1 : static_cast<double>(UpperMedian(green));
}

bool AcrossLights::AnyWent(std::span<const StandObservation> moved) const {
  return std::any_of(moved.begin(), moved.end(), [&](const StandObservation& to) {
    return std::any_of(lost_.begin(), lost_.end(), [&](const StandObservation& from) {
      return from.side == to.side && from.kind == to.kind && Differ(GainedAt(from), GainedAt(to));
    });
  });
}

bool AcrossLights::AnyMayHaveGone(const cv::Mat& changed) const {
  if (changed.empty()) return true;
  constexpr int kEach_px = 4;
  std::vector<double> gains;
  for (int y = 0; y < changed.rows; y += kEach_px)
    for (int x = 0; x < changed.cols; x += kEach_px)
      if (changed.at<std::uint8_t>(y, x) != 0)
        gains.push_back(static_cast<double>(
            Gained(as_it_is_.at<cv::Vec3b>(y, x)[1], in_one_.bgr.at<cv::Vec3b>(y, x)[1])));
  return std::any_of(lost_.begin(), lost_.end(), [&](const StandObservation& from) {
    const double here = GainedAt(from);
    const Box2 box = from.footprint;
    const double per_in = PixelsPerInch(in_one_.camera, from.table_from_stand.origin, 0) / kEach_px;
    const auto other =
        std::count_if(gains.begin(), gains.end(), [&](double by) { return Differ(here, by); });
    return static_cast<double>(other) > 0.5 * box.width_in * box.depth_in * per_in * per_in;
  });
}

}  // namespace fos
