// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <opencv2/core.hpp>

namespace fos {

// From here on a picture is as bright as it can be: coding and shrinking take some levels off 255.
inline constexpr double kCutOff = 250;

// CV_8UC1, 255 where a picture is as bright as it can be, and beside it. bgr: CV_8UC3.
cv::Mat TooBright(const cv::Mat& bgr);

// CV_8UC3, 255 in each channel that is as bright as it can be. bgr: CV_8UC3.
cv::Mat BurntChannels(const cv::Mat& bgr);

// A level of 8 bits in another exposure, as LightAs has it.
inline double InLight(double known, double gain, double now) {
  const double lit = known * gain;
  return known >= kCutOff && gain < 1 ? std::clamp(now, lit, known) : lit;
}

// A known picture as it would look in another exposure. What is as bright as a picture can be may
// be brighter still: in less light it stays as bright, or darkens, as it does in `now`.
// now, known  CV_8UC3, of one size
// gain        that exposure over the known picture's, by channel
// out         CV_8UC3; written over where it has the size already
void LightAs(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain, cv::Mat& out);

}  // namespace fos
