// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <optional>

namespace fos {

// The median brightness ratio of two pictures over a mask, by channel; empty where the mask is.
// now, then  CV_8UC3; where  CV_8UC1
std::optional<cv::Scalar> MedianGain(const cv::Mat& now, const cv::Mat& then, const cv::Mat& where);

// How much more light than before falls on one place, by channel, as the pixels about it tell: the
// plane through the two pictures' ratios there, without what differs from most of them. CV_32FC3,
// of the pictures' size; empty where few pixels tell it.
// now, known  CV_8UC3, of one size
// gain        the exposure of the first over the second's: the ratios are 1 in unchanged light
// where       CV_8UC1, 255 where the light shows
std::optional<cv::Mat> GainsAbout(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain,
                                  const cv::Mat& where);

// How much more light than before falls on each place, by channel, where a part of a light falls: all
// of what falls about it, as most places tell that changed most, or less, as in its soft edge.
// CV_32FC3, of the pictures' size; nought where no such light is near.
// now, known, gain  as above
// where             CV_8UC1, not 0 where such light falls
// about_px          how far about
cv::Mat GainsOfLit(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain,
                   const cv::Mat& where, int about_px);

// How much more light than before falls where something hides the table: what falls on the lit places
// about, where it was as light before as they were. CV_32FC3, of the pictures' size, 1 elsewhere: where
// an edge of light has not come yet, and where it was past already.
// now, known, gain  as above
// lit               CV_8UC1, 255 where other light falls on the bare table
// under             CV_8UC1, not 0 where something hides it
// about_px          how far about
cv::Mat GainsUnder(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain,
                   const cv::Mat& lit, const cv::Mat& under, int about_px);

}  // namespace fos
