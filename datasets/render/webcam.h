// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include <opencv2/core.hpp>

namespace fos {

// What a cheap camera makes of the light that reaches it: a soft lens with coloured fringes, a
// mosaic of noisy pixels, a gamma, too much sharpening, and a coder that throws away what it thinks
// nobody sees.
struct Webcam {
  double blur_px = 0.7;                   // one sigma
  std::array<double, 2> fringe_px{0, 0};  // red against green; blue goes the other way half as far
  std::array<double, 3> white{1, 1, 1};   // gain of b, g, r: lamp and white balance together
  double exposure = 0.8;                  // gain of all three
  std::array<double, 2> falloff{0, 0};    // of the light from edge to edge, across and down
  double read_noise = 0.004;              // of a pixel of the mosaic, one sigma; 1 is full scale
  double shot_noise = 0.0003;             // variance for each full scale
  double sharpen = 0.5;                   // share of what a blur of one pixel takes away
  int jpeg_quality = 90;
};

// What differs from one frame to the next though nothing on the table does.
struct CameraMoment {
  double exposure = 1;                   // automatic, over the webcam's own
  std::array<double, 3> white{1, 1, 1};  // automatic white balance likewise: b, g, r
  // Lamps on the mains under a shutter that rolls: bands of more and of less light.
  double band = 0;         // share of the light, peak
  double band_rows = 300;  // from one to the next
  double band_from = 0;    // where between two the first row is, [0, 1)
};

// The light behind the lens: blurred, tinted, uneven, of the same size. light: CV_32FC3, linear.
cv::Mat ThroughLens(const Webcam& webcam, const cv::Mat& light);
// One frame of it as delivered, CV_8UC3. seed: of the noise.
cv::Mat Delivered(const Webcam& webcam, const cv::Mat& behind_lens, std::uint64_t seed,
                  const CameraMoment& moment = {});

}  // namespace fos
