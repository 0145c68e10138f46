// SPDX-License-Identifier: MIT
#include "vision/stands/base_mixture.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "calibration/camera/response.h"
#include "vision/image/sampled.h"

namespace fos {
namespace {

// How much of an interval is seen at a place in the blurred picture, with its derivative by the
// place.
struct Interval {
  float share = 0, by_place = 0;
};
Interval Blurred(double place, double low, double high, double sigma) {
  static const Sampled<4096> density(
      -4, 4, [](double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * CV_PI); });
  const auto a = static_cast<float>((place - low) / sigma);
  const auto b = static_cast<float>((place - high) / sigma);
  return {BelowSigmas(a) - BelowSigmas(b), (density(a) - density(b)) / static_cast<float>(sigma)};
}

// A base and its walls along one axis: half the base's length and how far the foot is seen beside
// the top.
struct Axis {
  Interval top, foot;
};
Axis Along(double place, double half, double wall, double sigma) {
  return {Blurred(place, -half, half, sigma),
          Blurred(place, -half + std::min(wall, 0.0), half + std::max(wall, 0.0), sigma)};
}

}  // namespace

BaseMixer::BaseMixer(const TableCamera& camera, const KindSpec& kind, const Pose2& start,
                     double ground_in, const std::vector<OutlineNeighbour>& neighbours,
                     double sigma_px)
    : camera_(camera),
      box_(kind.footprint),
      bar_in_(kind.bar_depth_in),
      start_(start),
      top_in_(ground_in + kind.thickness_in),
      near_(neighbours.begin(), neighbours.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                         neighbours.size(), kMostNeighbours))) {
  const auto scale = [&](Vec2 way) {
    constexpr double kArm_in = 0.3;
    const ImagePoint a = ImageFromTable(camera, start.origin + kArm_in * way, top_in_);
    const ImagePoint b = ImageFromTable(camera, start.origin - kArm_in * way, top_in_);
    return std::max(4.0, std::hypot(a.x_px - b.x_px, a.y_px - b.y_px) / (2 * kArm_in));
  };
  const Vec2 right = Rotated({1, 0}, start.heading_rad);
  const double along_px = scale(right), across_px = scale(Perpendicular(right));
  sigma_x_in_ = sigma_px / along_px;
  sigma_y_in_ = sigma_px / across_px;
  ppi_ = std::sqrt(along_px * across_px);
  const cv::Vec3d eye = CameraCentre(camera);
  wall_ = Rotated(Vec2{eye[0] - start.origin.x, eye[1] - start.origin.y} *
                      (kind.thickness_in / std::max(1.0, eye[2] - ground_in)),
                  -start.heading_rad);
}

void BaseMixer::HeedNeighbours(BasePixel& pixel) const {
  float hidden = 0;
  for (std::size_t n = 0; n < near_.size(); ++n) {
    const OutlineNeighbour& other = near_[n];
    const Vec2 off = pixel.at - other.centre;
    const double half_x = other.footprint.width_in / 2, half_y = other.footprint.depth_in / 2;
    const double y = Cross(other.right, off);
    const float x = Blurred(Dot(off, other.right), -half_x, half_x, sigma_x_in_).share;
    const float all = x * Blurred(y, -half_y, half_y, sigma_y_in_).share;
    // Bars of one scenario are about equally deep.
    const float bar = x * Blurred(y, half_y - bar_in_, half_y, sigma_y_in_).share;
    pixel.near[2 * n] = bar;
    pixel.near[2 * n + 1] = std::max(0.0F, all - bar);
    hidden += all;
  }
  pixel.open = 1 - std::min(hidden, 1.0F);
}

std::vector<BasePixel> BaseMixer::PixelsAbout(const cv::Mat& bgr,
                                              const TerrainView& terrain) const {
  constexpr double kArm_in = 0.7;  // close to affine: a base is small
  constexpr double kBeyond_px = 5;
  const auto at = [&](Vec2 off) { return ImageFromTable(camera_, start_.origin + off, top_in_); };
  const ImagePoint e = at({kArm_in, 0}), w = at({-kArm_in, 0});
  const ImagePoint n = at({0, kArm_in}), s = at({0, -kArm_in});
  const cv::Point2d middle(0.25 * (e.x_px + w.x_px + n.x_px + s.x_px),
                           0.25 * (e.y_px + w.y_px + n.y_px + s.y_px));
  const cv::Matx22d px_from_in((e.x_px - w.x_px) / (2 * kArm_in), (n.x_px - s.x_px) / (2 * kArm_in),
                               (e.y_px - w.y_px) / (2 * kArm_in),
                               (n.y_px - s.y_px) / (2 * kArm_in));
  const cv::Matx22d in_from_px = px_from_in.inv();
  const double half_x = box_.width_in / 2, half_y = box_.depth_in / 2;
  const double beyond = kBeyond_px / ppi_;
  // No edge is blurred as far, wherever the pose moves.
  constexpr double kMoves_px = 1.5;
  const double plain = 3 * std::max(sigma_x_in_, sigma_y_in_) + kMoves_px / ppi_ + Norm(wall_);
  const double reach = std::hypot(half_x + beyond, half_y + beyond) * cv::norm(px_from_in);
  const auto& light = LightOfSrgbCode();
  std::vector<BasePixel> out;
  const int last_x = std::min(bgr.cols - 1, static_cast<int>(middle.x + reach));
  const int last_y = std::min(bgr.rows - 1, static_cast<int>(middle.y + reach));
  for (int y = std::max(0, static_cast<int>(middle.y - reach)); y <= last_y; ++y) {
    for (int x = std::max(0, static_cast<int>(middle.x - reach)); x <= last_x; ++x) {
      const cv::Vec2d off = in_from_px * cv::Vec2d(x - middle.x, y - middle.y);
      const Vec2 own = Rotated({off[0], off[1]}, -start_.heading_rad);
      const double out_x = std::abs(own.x) - half_x, out_y = std::abs(own.y) - half_y;
      if (std::max(out_x, out_y) > beyond) continue;
      // Within one paint a third of the pixels tells its colour.
      if (FromNearestEdge(own) > plain && (x + y) % 3 != 0) continue;
      BasePixel p;
      p.at = start_.origin + Vec2{off[0], off[1]};
      if (terrain.Hides(p.at, top_in_)) continue;
      p.side = out_y > out_x ? (own.y > 0 ? 0 : 1) : (own.x < 0 ? 2 : 3);
      const auto& codes = bgr.at<cv::Vec3b>(y, x);
      for (std::size_t c = 0; c < 3; ++c) {
        constexpr int kFull = 250;  // sharpening and coding leave some levels below 255
        constexpr int kDark = 8;    // below it the curve's slope says nothing of the noise
        const int code = codes[static_cast<int>(c)];
        const auto mid = static_cast<std::size_t>(std::clamp(code, kDark, 254));
        p.light[c] = light[static_cast<std::size_t>(code)];
        p.slope[c] = 2 / (light[mid + 1] - light[mid - 1]);
        p.full[c] = code >= kFull;
      }
      HeedNeighbours(p);
      out.push_back(p);
    }
  }
  return out;
}

std::array<double, 5> BaseMixer::FromEdges(Vec2 own) const {
  const double half_x = box_.width_in / 2, half_y = box_.depth_in / 2;
  return {std::abs(own.y - half_y), std::abs(own.y + half_y), std::abs(own.y - half_y + bar_in_),
          std::abs(own.x + half_x), std::abs(own.x - half_x)};
}

std::size_t BaseMixer::NearestEdge(Vec2 own) const {
  const std::array<double, 5> off = FromEdges(own);
  return static_cast<std::size_t>(std::min_element(off.begin(), off.end()) - off.begin());
}

double BaseMixer::FromNearestEdge(Vec2 own) const {
  const std::array<double, 5> off = FromEdges(own);
  return *std::min_element(off.begin(), off.end());
}

void BaseMixer::LeaveOutTheUnseen(BaseMixture& mixture) const {
  constexpr float kUnseen = 1e-4F;  // a fortieth of a grey level
  const auto sigma = static_cast<float>(std::max(sigma_x_in_, sigma_y_in_));
  const auto seen = [&](const BaseShare& s) {
    return std::max(std::abs(s.share), sigma * std::max(std::abs(s.by_x), std::abs(s.by_y))) >
           kUnseen;
  };
  const auto end = mixture.shares.begin() + static_cast<std::ptrdiff_t>(mixture.count);
  mixture.count = static_cast<std::size_t>(
      std::remove_if(mixture.shares.begin(), end, std::not_fn(seen)) - mixture.shares.begin());
}

BaseMixture BaseMixer::At(const BasePlace& place, const BasePixel& pixel) const {
  const Vec2 own = place.Own(pixel);
  const double half_y = box_.depth_in / 2;
  const Axis x = Along(own.x, box_.width_in / 2, wall_.x, sigma_x_in_);
  const Axis y = Along(own.y, half_y, wall_.y, sigma_y_in_);
  const Interval bar = Blurred(own.y, half_y - bar_in_, half_y, sigma_y_in_);
  BaseMixture out;
  const auto add = [&](std::size_t region, const Interval& in_x, const Interval& in_y,
                       float times) {
    out.shares[out.count++] = {region, times * in_x.share * in_y.share,
                               times * in_x.by_place * in_y.share,
                               times * in_x.share * in_y.by_place};
  };
  const auto without = [](const Interval& a, const Interval& b) {
    return Interval{a.share - b.share, a.by_place - b.by_place};
  };
  add(kBarRegion, x.top, bar, 1);
  add(kTopRegion, x.top, without(y.top, bar), 1);
  // Neighbours hide the walls and the ground; the base hides them.
  const float base = x.top.share * y.top.share;
  for (std::size_t n = 0; n < 2 * near_.size(); ++n) {
    if (pixel.near[n] <= 0) continue;
    add(kNearRegion + n, x.top, y.top, -pixel.near[n]);
    out.shares[out.count - 1].share = pixel.near[n] * (1 - base);
  }
  if (pixel.open > 0) {
    add(kWallYRegion, x.top, without(y.foot, y.top), pixel.open);
    add(kWallXRegion, without(x.foot, x.top), y.foot, pixel.open);
    add(kGroundRegion + static_cast<std::size_t>(pixel.side), x.foot, y.foot, -pixel.open);
    out.shares[out.count - 1].share += pixel.open;
  }
  LeaveOutTheUnseen(out);
  return out;
}

}  // namespace fos
