// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <opencv2/core.hpp>

namespace fos {

// What drawn lines may differ from the cloth in. Brown on green and white on tan are hardly lighter
// or darker than what they are drawn on, but of another colour; a chequered board has no lines at
// all, only edges.
enum class LineKind { kLightness, kRedGreen, kYellowBlue, kEdges };

// Those a picture can show, the likeliest first: a grey one has no colours.
std::vector<LineKind> LineKindsOf(const cv::Mat& picture);

// The picture as CV_8UC1 in which lines of that kind are lighter or darker than the cloth; edges
// come out as light lines.
// picture  CV_8UC1 or CV_8UC3 (blue, green, red).
cv::Mat LinePicture(const cv::Mat& picture, LineKind kind);

}  // namespace fos
