// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <opencv2/core.hpp>

#include "calibration/camera/camera_model.h"

namespace fos {

// The crossing of two drawn lines (or the corner where the squares of a chequered board meet)
// nearest to where somebody pointed; empty when there is none within reach_px.
// grey      CV_8UC1.
// reach_px  how far a click may be off: a fingertip on a trackpad manages some 10 pixels.
std::optional<ImagePoint> SnapToCrossing(const cv::Mat& grey, ImagePoint near, double reach_px);

}  // namespace fos
