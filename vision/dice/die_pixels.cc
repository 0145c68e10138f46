// SPDX-License-Identifier: MIT
#include "vision/dice/die_pixels.h"

#include <cmath>
#include <opencv2/imgproc.hpp>

#include "engine/table/quantile.h"
#include "vision/image/mask_shapes.h"
#include "vision/image/square.h"
#include "vision/shots/place_on_table.h"

namespace fos {
Colour ColourOf(const cv::Vec3d& light) {
  const auto code = [](double l) {
    return static_cast<std::uint8_t>(std::lround(CodeOfLight(std::clamp(l, 0.0, 1.0))));
  };
  return {code(light[2]), code(light[1]), code(light[0])};
}

double LogDieNoise(const cv::Vec3f& off, const cv::Vec3d& variance, double& square) {
  double product = 1;
  double sigmas = 1;
  for (int c = 0; c < 3; ++c) {
    const double part = Square(off[c]) / variance[c];
    square += part / 3;
    product *= 1 + part / 4;
    sigmas *= variance[c];
  }
  const double p2 = product * product;
  return -0.5 * std::log(p2 * p2 * product * sigmas);
}

std::optional<DicePart> PartWithDice(const ShotPictures& pictures, const TerrainMap& terrain,
                                     const TableBox& where) {
  const Vec2 middle = 0.5 * (where.low + where.high);
  const double level = terrain.GroundAt(middle);
  constexpr double kRoom_in = 1;  // a die leans away from the camera by its height
  const cv::Rect rect = PixelsOf(pictures.camera, Grown(where, kRoom_in), level) &
                        cv::Rect({}, pictures.after.size());
  if (rect.empty()) return std::nullopt;
  return DicePart{middle, level, CutWindow(pictures, rect, {})};
}

cv::Mat ChangedPixels(const ChangeWindow& window, const ShotPictures& pictures, double ppi) {
  constexpr double kLeast = 16;  // code values: coding changes less where nothing happened
  const cv::Mat change = window.Change() > std::max(kLeast, 3.0 * window.noise);
  const int grow = std::max(1, static_cast<int>(std::lround(0.15 * ppi)));
  const cv::Mat seen = Grown(pictures.changed(window.rect), grow);
  cv::Mat out;
  cv::bitwise_and(change, seen, out);
  return out;
}

std::vector<cv::Point2d> ChangedPlaces(const cv::Mat& changed, int reach_px, int gap_px,
                                       double step_px) {
  cv::Mat filled;
  cv::morphologyEx(changed, filled, cv::MORPH_CLOSE, Disc(gap_px));
  cv::Mat sums;
  cv::integral(filled / 255, sums, CV_32S);
  constexpr double kMostlyNew = 0.6;
  const int side = 2 * reach_px + 1;
  std::vector<cv::Point2d> out;
  for (double y = reach_px; y < changed.rows - reach_px - 1; y += step_px) {
    for (double x = reach_px; x < changed.cols - reach_px - 1; x += step_px) {
      const int row = static_cast<int>(y);
      const int column = static_cast<int>(x);
      const int area = sums.at<int>(row + reach_px + 1, column + reach_px + 1) -
                       sums.at<int>(row - reach_px, column + reach_px + 1) -
                       sums.at<int>(row + reach_px + 1, column - reach_px) +
                       sums.at<int>(row - reach_px, column - reach_px);
      if (area >= kMostlyNew * side * side) out.emplace_back(x, y);
    }
  }
  return out;
}

DiePixels::DiePixels(const ChangeWindow& window, const TableCamera& camera, Vec2 at,
                     double height_in)
    : window_(window), noise_(Square(window.noise) + Square(kDieLooks.coding)) {
  constexpr double kStep_in = 0.25;
  const auto pixel = [&](Vec2 off, double up) {
    const ImagePoint p = ImageFromTable(camera, at + off, height_in + up);
    return cv::Point2d(p.x_px, p.y_px);
  };
  const std::array<cv::Point2d, 3> by{pixel({kStep_in, 0}, 0) - pixel({-kStep_in, 0}, 0),
                                      pixel({0, kStep_in}, 0) - pixel({0, -kStep_in}, 0),
                                      pixel({}, kStep_in) - pixel({}, -kStep_in)};
  for (int k = 0; k < 3; ++k) {
    pixel_from_inch_(0, k) = by[static_cast<std::size_t>(k)].x / (2 * kStep_in);
    pixel_from_inch_(1, k) = by[static_cast<std::size_t>(k)].y / (2 * kStep_in);
  }
  const cv::Vec3d eye = CameraCentre(camera);
  towards_camera_ = cv::normalize(eye - cv::Vec3d(at.x, at.y, height_in));
  ppi_ = fos::PixelsPerInch(camera, at, height_in);

  pixels_.reserve(window.pixels.size());
  for (const ChangeWindow::Pixel& p : window.pixels) {
    PixelData d;
    d.seen = LumaChroma(p.code);
    d.before = CodesOf(p.before);
    pixels_.push_back(d);
  }
  shadow_ = TintOf(TintOfShadows());
  for (std::size_t i = 0; i < pixels_.size(); ++i) SetUndisturbed(window.pixels[i], pixels_[i]);
  for (int c = 0; c < 3; ++c) {
    std::vector<float> values;
    values.reserve(pixels_.size());
    for (const PixelData& d : pixels_) values.push_back(d.before[c]);
    if (!values.empty()) ground_[c] = UpperMedian(values);
  }
}

// The tint that most of the darkened pixels have in common.
double DiePixels::TintOfShadows() const {
  std::array<int, kTints.size()> fits{};
  for (std::size_t i = 0; i < pixels_.size(); ++i) {
    const ChangeWindow::Pixel& p = window_.pixels[i];
    const PixelData& d = pixels_[i];
    // Grey levels by which a shadow darkens at the least, to show its tint.
    constexpr float kDarker = 20;
    if (d.seen[0] > d.before[0] - kDarker) continue;
    double best = -1e9;
    std::size_t best_tint = 0;
    for (std::size_t t = 0; t < kTints.size(); ++t) {
      for (const double shade : {0.85, 0.75, 0.66, 0.58, 0.5, 0.42, 0.35, 0.28, 0.2}) {
        const cv::Vec3f expected = CodesOf((cv::Vec3d(p.before) * shade).mul(TintOf(kTints[t])));
        const double of_chroma = noise_ + Square(kDieLooks.tinted * double{expected[0]});
        double square = 0;
        const double log =
            LogDieNoise(d.seen - expected,
                        {noise_ + Square(0.1 * double{expected[0]}), of_chroma, of_chroma}, square);
        if (log <= best || square > 2) continue;
        best = log;
        best_tint = t;
      }
    }
    if (best > -1e9) ++fits[best_tint];
  }
  return kTints[static_cast<std::size_t>(std::max_element(fits.begin(), fits.end()) -
                                         fits.begin())];
}

// The likelihood of a pixel where no die lies.
void DiePixels::SetUndisturbed(const ChangeWindow::Pixel& p, PixelData& d) const {
  // What shows no die shows what was there, in its own light or in the die's shadow.
  // Or a shadow that lay there has left it.
  constexpr std::array<double, 17> kShades{1,   0.96, 0.91, 0.85, 0.78, 0.7,  0.61, 0.51, 0.41,
                                           0.3, 0.2,  1.05, 1.12, 1.22, 1.36, 1.6,  2};
  // Shadows have few edges: most pixels are lit, or as dark, as the one before them.
  constexpr double kLit = 0.6;
  constexpr double kShaded = 0.2;
  // Ground that fills the sensor may be brighter in shade than the code says.
  const bool full = std::max({p.before[0], p.before[1], p.before[2]}) > kFull;
  double sum = 0;
  const auto add = [&](double shade, double beyond, const cv::Vec3d& tint) {
    cv::Vec3d light = (cv::Vec3d(p.before) * shade).mul(tint);
    for (int c = 0; c < 3; ++c)
      if (p.before[c] > kFull) light[c] = std::min(light[c] * beyond, 1.0);
    const cv::Vec3f expected = CodesOf(light);
    const double own = shade < 1 || shade > 1 ? 1 : 0;
    const double luma = expected[0];
    double square = 0;
    const double log = LogDieNoise(d.seen - expected,
                                   {noise_ + own * Square(kDieLooks.uneven_ground * luma),
                                    noise_ + own * Square(kDieLooks.tinted * luma),
                                    noise_ + own * Square(kDieLooks.tinted * luma)},
                                   square);
    sum += (own > 0 ? kShaded : kLit) * std::exp(log);
  };
  constexpr double kDark = 0.9;
  const bool tinted = shadow_ != cv::Vec3d(1, 1, 1);
  for (const double shade : kShades) {
    for (const double beyond : kBeyondFull) {
      if (beyond > 1 && (!full || shade >= 1)) continue;
      add(shade, beyond, {1, 1, 1});
      if (tinted && shade < kDark) add(shade, beyond, shadow_);
    }
  }
  d.no_die = d.own_before = static_cast<float>(std::log(std::max(sum, 1e-300)));
}

cv::Mat DiePixels::SeenLumaChroma() const {
  cv::Mat out(window_.rect.size(), CV_32FC3);
  for (int row = 0; row < out.rows; ++row) {
    for (int column = 0; column < out.cols; ++column)
      out.at<cv::Vec3f>(row, column) = pixels_[window_.Index(row, column)].seen;
  }
  return out;
}

}  // namespace fos
