// SPDX-License-Identifier: MIT
#include "vision/stands/across_lights.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "calibration/camera/response.h"
#include "engine/table/quantile.h"

namespace fos {
namespace {

// How much lighter a channel is in one picture than in another, in linear light.
float Gained(std::uint8_t was, std::uint8_t now) {
  constexpr float kLift = 0.005F;  // a code's own rounding does not make black twice as light
  const auto& light = LightOfSrgbCode();
  return (light[now] + kLift) / (light[was] + kLift);
}

bool Differ(double a, double b) {
  constexpr double kOtherLight = 1.5;  // the sun's is two to ten times the shade's
  return std::max(a / b, b / a) > kOtherLight;
}

}  // namespace

AcrossLights::Gains AcrossLights::GainsAt(const StandObservation& o) const {
  constexpr double kStep_in = 0.1;
  const KindSpec& kind = scenario_.kinds[static_cast<std::size_t>(o.kind)];
  const Box2 box = kind.footprint;
  Gains out;
  for (double y = -box.depth_in / 2; y < box.depth_in / 2; y += kStep_in) {
    for (double x = -box.width_in / 2; x < box.width_in / 2; x += kStep_in) {
      const ImagePoint p =
          ImageFromTable(camera_, o.table_from_stand * Vec2{x, y}, o.ground_in + kind.thickness_in);
      const cv::Point at(cvRound(p.x_px), cvRound(p.y_px));
      if (!cv::Rect({}, as_it_is_.size()).contains(at)) continue;
      for (int c = 0; c < 3; ++c)
        out[static_cast<std::size_t>(c)].push_back(
            Gained(as_it_is_.at<cv::Vec3b>(at)[c], in_one_.at<cv::Vec3b>(at)[c]));
    }
  }
  return out;
}

double AcrossLights::GainedAt(const StandObservation& o) const {
  std::vector<float> green = GainsAt(o)[1];
  return green.empty() ? 1 : static_cast<double>(UpperMedian(green));
}

bool AcrossLights::AnyMayHaveGone(std::span<const StandObservation> lost,
                                  const cv::Mat& changed) const {
  if (changed.empty()) return true;
  constexpr int kEach_px = 4;
  std::vector<double> gains;
  for (int y = 0; y < changed.rows; y += kEach_px)
    for (int x = 0; x < changed.cols; x += kEach_px)
      if (changed.at<std::uint8_t>(y, x) != 0)
        gains.push_back(static_cast<double>(
            Gained(as_it_is_.at<cv::Vec3b>(y, x)[1], in_one_.at<cv::Vec3b>(y, x)[1])));
  return std::any_of(lost.begin(), lost.end(), [&](const StandObservation& from) {
    const double here = GainedAt(from);
    const Box2 box = from.footprint;
    const double per_in = PixelsPerInch(camera_, from.table_from_stand.origin, 0) / kEach_px;
    const auto other =
        std::count_if(gains.begin(), gains.end(), [&](double by) { return Differ(here, by); });
    return static_cast<double>(other) > 0.5 * box.width_in * box.depth_in * per_in * per_in;
  });
}

bool AcrossLights::AnyWent(std::span<const StandObservation> lost,
                           std::span<const StandObservation> moved) const {
  return std::any_of(moved.begin(), moved.end(), [&](const StandObservation& to) {
    return std::any_of(lost.begin(), lost.end(), [&](const StandObservation& from) {
      return from.side == to.side && from.kind == to.kind && Differ(GainedAt(from), GainedAt(to));
    });
  });
}

PaintModel AcrossLights::Relit(const PaintModel& paints,
                               std::span<const StandObservation> stands) const {
  const std::size_t kinds = scenario_.kinds.size();
  std::vector<Gains> of_side(scenario_.sides.size());
  std::vector<Gains> of_bar(scenario_.sides.size() * kinds);
  for (const StandObservation& o : stands) {
    const auto side = static_cast<std::size_t>(o.side);
    const Gains here = GainsAt(o);
    for (Gains* const of :
         {&of_side[side], &of_bar[side * kinds + static_cast<std::size_t>(o.kind)]})
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

}  // namespace fos
