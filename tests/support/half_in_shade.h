// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

#include "calibration/camera/response.h"
#include "calibration/camera/table_camera.h"

namespace fos::test {

// What the sky alone leaves of sunlight: a fifth of the red and a third of the blue.
inline const cv::Vec3f kSkyAlone{0.34F, 0.26F, 0.2F};

// A picture whose table lies in the sun up to a line from south to north, and in the shade east of
// it.
// bgr      CV_8UC3, all of it in the sun
// east_in  where the line meets the table's south edge; it leans by a third
// left     what is left of the sunlight there, linear, of blue, green and red
inline cv::Mat HalfInShade(const cv::Mat& bgr, const TableCamera& camera, double east_in,
                           const cv::Vec3f& left = kSkyAlone) {
  cv::Mat out = bgr.clone();
  for (int r = 0; r < bgr.rows; ++r) {
    for (int c = 0; c < bgr.cols; ++c) {
      const auto at =
          TableFromImage(camera, {static_cast<double>(c), static_cast<double>(r)}, 0, 0);
      if (!at.ok() || at->at.x - at->at.y / 3 < east_in) continue;
      auto& pixel = out.at<cv::Vec3b>(r, c);
      for (int k = 0; k < 3; ++k) {
        const double light = static_cast<double>(left[k] * LightOfSrgbCode()[pixel[k]]);
        pixel[k] = cv::saturate_cast<uchar>(SrgbCodeOfLight(light));
      }
    }
  }
  return out;
}

}  // namespace fos::test
