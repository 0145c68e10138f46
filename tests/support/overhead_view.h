// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"

// Small pictures of a table from straight above.
namespace fos::test {

constexpr double kEye_in = 60;

// Straight above the table's point (2.5, 2.5), which is the picture's middle.
inline TableCamera Overhead(double pixels_per_inch, int side_px) {
  CameraModel lens;
  lens.width_px = lens.height_px = side_px;
  lens.fx_px = lens.fy_px = pixels_per_inch * kEye_in;
  lens.cx_px = lens.cy_px = (side_px - 1) / 2.0;
  // The table's y runs up in the picture, and its z towards the camera.
  return MakeTableCamera(lens, {M_PI, 0, 0}, {-2.5, 2.5, kEye_in});
}

// A sensor's noise, the same in every run.
inline cv::Mat WithGrain(const cv::Mat& picture) {
  cv::Mat grain(picture.size(), CV_16SC3);
  cv::theRNG().state = 7;
  cv::randn(grain, cv::Scalar::all(0), cv::Scalar::all(1.2));
  cv::Mat out;
  cv::add(picture, grain, out, {}, CV_8UC3);
  return out;
}

}  // namespace fos::test
