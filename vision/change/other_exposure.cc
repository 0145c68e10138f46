// SPDX-License-Identifier: MIT
#include "vision/change/other_exposure.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace fos {

cv::Mat TooBright(const cv::Mat& bgr) {
  cv::Mat channels[3];
  cv::split(bgr, channels);
  cv::Mat out = cv::max(cv::max(channels[0], channels[1]), channels[2]) >= kCutOff;
  cv::dilate(out, out, {});
  return out;
}

cv::Mat BurntChannels(const cv::Mat& bgr) {
  cv::Mat out;
  cv::threshold(bgr, out, kCutOff - 1, 255, cv::THRESH_BINARY);
  return out;
}

void LightAs(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain, cv::Mat& out) {
  cv::multiply(known, cv::Scalar(gain[0], gain[1], gain[2]), out);
  if (std::min({gain[0], gain[1], gain[2]}) >= 1) return;
  const cv::Mat too_bright = TooBright(known);
  if (cv::countNonZero(too_bright) == 0) return;
  cv::Mat as_bright;
  cv::max(out, cv::min(now, known), as_bright);
  as_bright.copyTo(out, too_bright);
}

}  // namespace fos
