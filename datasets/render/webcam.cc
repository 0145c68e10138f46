// SPDX-License-Identifier: MIT
#include "datasets/render/webcam.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

constexpr int kFull = 16383;  // a 14-bit sensor

// Linear light to grey levels, 0 to 255, by sensor value.
const std::vector<float>& Gamma() {
  static const std::vector<float> kCurve = [] {
    std::vector<float> curve(kFull + 1);
    for (int i = 0; i <= kFull; ++i) {
      curve[static_cast<std::size_t>(i)] = 255 * std::pow(static_cast<float>(i) / kFull, 1 / 2.2F);
    }
    return curve;
  }();
  return kCurve;
}

cv::Mat Shifted(const cv::Mat& channel, double dx, double dy) {
  cv::Mat out;
  const cv::Matx23d shift(1, 0, dx, 0, 1, dy);
  cv::warpAffine(channel, out, shift, channel.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  return out;
}

}  // namespace

cv::Mat ThroughLens(const Webcam& webcam, const cv::Mat& light) {
  cv::Mat out;
  cv::GaussianBlur(light, out, {}, webcam.blur_px);
  std::vector<cv::Mat> channels;
  cv::split(out, channels);
  channels[2] = Shifted(channels[2], webcam.fringe_px[0], webcam.fringe_px[1]);
  channels[0] = Shifted(channels[0], -0.5 * webcam.fringe_px[0], -0.5 * webcam.fringe_px[1]);
  cv::merge(channels, out);
  for (int row = 0; row < out.rows; ++row) {
    auto* line = out.ptr<cv::Vec3f>(row);
    for (int column = 0; column < out.cols; ++column) {
      const double light_here = webcam.exposure * (1 - webcam.falloff[0] * column / out.cols) *
                                (1 - webcam.falloff[1] * row / out.rows);
      for (int c = 0; c < 3; ++c)
        line[column][c] *=
            static_cast<float>(light_here * webcam.white[static_cast<std::size_t>(c)]);
    }
  }
  return out;
}

cv::Mat Delivered(const Webcam& webcam, const cv::Mat& behind_lens, std::uint64_t seed,
                  const CameraMoment& moment) {
  cv::Mat grain(behind_lens.size(), CV_32FC1);
  cv::RNG(seed).fill(grain, cv::RNG::NORMAL, 0, 1);
  cv::Mat mosaic(behind_lens.size(), CV_16UC1);
  for (int row = 0; row < mosaic.rows; ++row) {
    const auto* light = behind_lens.ptr<cv::Vec3f>(row);
    const auto* noise = grain.ptr<float>(row);
    auto* out = mosaic.ptr<std::uint16_t>(row);
    const double bands =
        1 + moment.band * std::sin(2 * CV_PI * (row / moment.band_rows + moment.band_from));
    const double light_now = moment.exposure * bands;
    for (int column = 0; column < mosaic.cols; ++column) {
      // OpenCV's "BG": blue where row and column are odd, red where they are even.
      const int channel = (row % 2 == 0) && (column % 2 == 0)   ? 2
                          : (row % 2 == 1) && (column % 2 == 1) ? 0
                                                                : 1;
      const double v =
          light[column][channel] * light_now * moment.white[static_cast<std::size_t>(channel)];
      const double sigma =
          std::sqrt(webcam.read_noise * webcam.read_noise + webcam.shot_noise * std::max(v, 0.0));
      const double noisy = v + sigma * noise[column];
      out[column] = static_cast<std::uint16_t>(std::clamp(noisy, 0.0, 1.0) * kFull);
    }
  }
  cv::Mat colour;
  cv::cvtColor(mosaic, colour, cv::COLOR_BayerBG2BGR);
  cv::Mat grey(colour.size(), CV_32FC3);
  const std::vector<float>& gamma = Gamma();
  for (int row = 0; row < colour.rows; ++row) {
    const auto* in = colour.ptr<cv::Vec3w>(row);
    auto* out = grey.ptr<cv::Vec3f>(row);
    for (int column = 0; column < colour.cols; ++column) {
      for (int c = 0; c < 3; ++c)
        out[column][c] = gamma[std::min<std::size_t>(in[column][c], kFull)];
    }
  }
  cv::Mat soft;
  cv::GaussianBlur(grey, soft, {}, 1.0);
  cv::addWeighted(grey, 1 + webcam.sharpen, soft, -webcam.sharpen, 0, grey);
  cv::Mat out;
  grey.convertTo(out, CV_8UC3);
  std::vector<std::uint8_t> coded;
  cv::imencode(".jpg", out, coded, {cv::IMWRITE_JPEG_QUALITY, webcam.jpeg_quality});
  return cv::imdecode(coded, cv::IMREAD_COLOR);
}

}  // namespace fos
