// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"
#include "vision/image/free_pictures.h"

namespace fos {

// Light that does not come from where it is seen: a lens and the dust on it scatter some of what
// falls on them over the whole picture (veiling glare, ISO 9358), and a camera may set its black
// too high. Paint times light explains a picture only without it.
struct Veil {
  cv::Vec3d light{0, 0, 0};  // blue, green and red, of full light, 0 to 1
  bool Any() const { return light != cv::Vec3d(0, 0, 0); }
};

// What even the darkest of the picture has, markers' ink included where it shows. None where the
// darkest is as dark as tables without a veil have it.
// bgr  CV_8UC3, the whole picture
Veil VeilOf(const cv::Mat& bgr, const TableCamera& camera, const TableSpec& table);

// The picture as it would be without it; full light stays full light. The same picture
// where there is none.
// bgr   CV_8UC3
// room  where to take memory for it from; null: from the system
cv::Mat WithoutVeil(const cv::Mat& bgr, const Veil& veil, FreePictures* room = nullptr);

}  // namespace fos
