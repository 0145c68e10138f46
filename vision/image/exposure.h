// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"

// A camera in a dim room shows the whole table in a few grey levels. How far two colours may differ
// and be one paint is told in the levels of a picture that is light enough.
namespace fos {

// How many times as light a picture must be to be light enough; 1 where it is. What is lightest in
// it, or the markers' paper where that is lighter, is then nearly as light as the camera can show:
// it keeps its colour, and so does what is a little lighter later.
// bgr  CV_8UC3, the whole picture
double LightLacking(const cv::Mat& bgr, const TableCamera& camera, const TableSpec& table);

// The picture as it would be in that many times the light. The same picture for 1.
// bgr  CV_8UC3
cv::Mat Brightened(const cv::Mat& bgr, double times);

}  // namespace fos
