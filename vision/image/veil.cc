// SPDX-License-Identifier: MIT
#include "vision/image/veil.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "calibration/camera/response.h"
#include "vision/image/paper_light.h"

namespace fos {
namespace {

// Light of a picture's channels; grain is averaged over four pixels.
struct Levels {
  cv::Vec3d dark;  // of what is darkest in all channels
  cv::Vec3d mean;
  double white = 0;  // a two-hundredth has a channel that is lighter
};
Levels LevelsOf(const cv::Mat& bgr) {
  constexpr double kDark = 0.0002;  // of the picture: figures and guns leave as much black
  constexpr double kWhite = 0.995;
  const auto& of_code = LightOfSrgbCode();
  cv::Mat light;
  cv::LUT(bgr, cv::Mat(std::vector<float>(of_code.begin(), of_code.end())).t(), light);
  cv::resize(light, light, {}, 0.5, 0.5, cv::INTER_AREA);
  // A vivid paint has a channel without light, however thick the veil: only black has none at all.
  std::vector<float> lightest;
  for (const cv::Vec3f& pixel : cv::Mat_<cv::Vec3f>(light))
    lightest.push_back(std::max({pixel[0], pixel[1], pixel[2]}));
  std::vector<float> sorted = lightest;
  const auto at = [&](double share) {
    const auto nth = sorted.begin() +
                     static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
    std::nth_element(sorted.begin(), nth, sorted.end());
    return double{*nth};
  };
  Levels out;
  out.mean = cv::Vec3d(cv::mean(light).val);
  out.white = at(kWhite);
  const double dark = at(kDark);
  int count = 0;
  auto one = lightest.begin();
  for (const cv::Vec3f& pixel : cv::Mat_<cv::Vec3f>(light)) {
    if (*one++ > dark) continue;
    out.dark += cv::Vec3d(pixel);
    ++count;
  }
  out.dark /= count;
  return out;
}

}  // namespace

Veil VeilOf(const cv::Mat& bgr, const TableCamera& camera, const TableSpec& table) {
  // Black sends back 0.003 to 0.05 of what white does (the clips' ink; toner on paper, matt paint).
  // More than that is a veil; the part of it that is taken for black's own lies between.
  constexpr double kBlackest = 0.05;
  constexpr double kOwn = 0.008;
  // Contrast of one to four: nobody plays in more, and the darkest is a bright table's own.
  constexpr double kMost = 0.25;
  constexpr double kAny = 1e-6;  // of a black channel
  // Burnt white tells no more how light the picture is, nor how much of the dark is black's own.
  constexpr double kBurnt = 0.95;
  const Levels seen = LevelsOf(bgr);
  const PaperLight paper = PaperLightOf(bgr, camera, table);
  const double white = paper.light > 0 ? paper.light : seen.white;
  if (white > kBurnt) return {};
  // Scattered light has the colour of the whole picture, as in the photographs of a real webcam; a
  // black set too high, or a window beside the picture, is grey.
  double scattered = kMost;
  double grey = kMost;
  for (int c = 0; c < 3; ++c) {
    const double black = paper.light > 0 ? std::min(seen.dark[c], paper.ink_bgr[c]) : seen.dark[c];
    if (black < kBlackest * (white - black)) return {};
    const double most = std::max(0.0, black - kOwn * (white - black));
    scattered = std::min(scattered, most / std::max({seen.mean[c], most, kAny}));
    grey = std::min(grey, most);
  }
  Veil out;
  out.light = scattered * seen.mean;
  if (const double sum = out.light[0] + out.light[1] + out.light[2]; sum < 3 * grey)
    out.light = cv::Vec3d::all(grey);
  return out;
}

cv::Mat WithoutVeil(const cv::Mat& bgr, const Veil& veil, FreePictures* room) {
  if (!veil.Any()) return bgr;
  // On the stack: a quiet frame takes no memory.
  std::array<cv::Vec3b, 256> codes;
  const cv::Mat curve(1, 256, CV_8UC3, codes.data());
  for (int code = 0; code < 256; ++code) {
    const double light = LightOfSrgbCode()[static_cast<std::size_t>(code)];
    for (int c = 0; c < 3; ++c) {
      const double own = (light - veil.light[c]) / (1 - veil.light[c]);
      codes[static_cast<std::size_t>(code)][c] =
          cv::saturate_cast<std::uint8_t>(SrgbCodeOfLight(own));
    }
  }
  cv::Mat out = room != nullptr ? room->Take(bgr.size(), CV_8UC3) : cv::Mat();
  cv::LUT(bgr, curve, out);
  return out;
}

}  // namespace fos
