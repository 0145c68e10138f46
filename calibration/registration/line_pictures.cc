// SPDX-License-Identifier: MIT
#include "calibration/registration/line_pictures.h"

#include <array>

#include <opencv2/imgproc.hpp>

#include "engine/table/result.h"

namespace fos {

std::vector<LineKind> LineKindsOf(const cv::Mat& picture) {
  if (picture.channels() == 1) return {LineKind::kLightness, LineKind::kEdges};
  return {LineKind::kLightness, LineKind::kRedGreen, LineKind::kYellowBlue, LineKind::kEdges};
}

cv::Mat LinePicture(const cv::Mat& picture, LineKind kind) {
  FOS_CHECK(picture.type() == CV_8UC1 || picture.type() == CV_8UC3);
  cv::Mat grey = picture;
  if (picture.channels() == 3) cv::cvtColor(picture, grey, cv::COLOR_BGR2GRAY);
  switch (kind) {
    case LineKind::kLightness:
      return grey;
    case LineKind::kRedGreen:
    case LineKind::kYellowBlue: {
      FOS_CHECK(picture.channels() == 3);
      // Opponent colours. Doubled, because the colours of felt and pens differ by less than their
      // lightness can, and video halves the detail in them anyway.
      const cv::Matx13f mix = kind == LineKind::kRedGreen ? cv::Matx13f(0.0F, -2.0F, 2.0F)
                                                          : cv::Matx13f(-2.0F, 1.0F, 1.0F);
      cv::Mat mixed;
      cv::transform(picture, mixed, cv::Matx14f(mix(0), mix(1), mix(2), 128.0F));
      return mixed;
    }
    case LineKind::kEdges: {
      constexpr double kSoft_px = 1.0;  // sensor noise; an edge keeps its place
      cv::Mat soft, x, y, length, out;
      cv::GaussianBlur(grey, soft, {}, kSoft_px);
      cv::Scharr(soft, x, CV_32F, 1, 0, 1.0 / 16);
      cv::Scharr(soft, y, CV_32F, 0, 1, 1.0 / 16);
      cv::magnitude(x, y, length);
      length.convertTo(out, CV_8U);
      return out;
    }
  }
  throw std::logic_error("no such kind of line");
}

}  // namespace fos
