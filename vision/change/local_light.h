// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <optional>

namespace fos {

// How much more light than before falls on one place, by channel, as the pixels about it tell: the
// plane through the two pictures' ratios there, without what differs from most of them. CV_32FC3,
// of the pictures' size; empty where few pixels tell it.
// now, known  CV_8UC3, of one size
// gain        the exposure of the first over the second's: the ratios are 1 in unchanged light
// where       CV_8UC1, 255 where the light shows
std::optional<cv::Mat> GainsAbout(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain,
                                  const cv::Mat& where);

}  // namespace fos
