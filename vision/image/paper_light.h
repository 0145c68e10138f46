// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"

namespace fos {

// What the white paper of the printed markers tells of the light. Cotton is as white as paper: what
// is much darker than paper would be in its place is no cotton.
struct PaperLight {
  double light = 0;   // of the brightest marker's paper, 0 to 1; 0: no marker shows
  double ground = 1;  // how light the ground beside a marker is, of its paper; median over markers
  cv::Vec3d ground_bgr{0, 0, 0};  // the same, channel by channel; 0 where it is not known
  cv::Vec3d ink_bgr{1, 1, 1};     // light of the darkest marker's black, channel by channel
};

// bgr  CV_8UC3, the whole picture
PaperLight PaperLightOf(const cv::Mat& bgr, const TableCamera& camera, const TableSpec& table);

}  // namespace fos
