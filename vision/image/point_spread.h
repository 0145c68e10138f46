// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"

namespace fos {

// How much lens, focus and the camera's processing blur a picture: a Gaussian's sigma, with its
// doubt, pixels. As here, until it was measured: webcams in focus blur by half a pixel to one and a
// half.
struct PointSpread {
  double sigma_px = 0.8;
  double doubt_px = 0.5;
};

// Measures the blur at the outlines of the printed markers: black on white paper, in linear light.
// The default where there are no markers, or too little of them is in view.
// bgr  CV_8UC3, the whole picture
PointSpread PointSpreadOf(const cv::Mat& bgr, const TableCamera& camera, const TableSpec& table);

}  // namespace fos
