// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/table_frame.h"

// A table of which a part lies in another light: sun through a window falls on one end, the other
// lies in the shade. The same paint has two colours there, and the ground, too; the ground covers
// most of the table, so that it tells the two lights.
namespace fos {

// Of blue, green and red each, in logs of linear light (0: the camera's white).
struct TwoLights {
  cv::Vec3f darker;       // what most of the ground sends to the camera in the darker light
  cv::Vec3f brighter;     // the same in the brighter one
  cv::Vec3f brighter_by;  // what every paint gains, measured beside the edge between the two
  // How many colours of the ground gain as much: the other colour of a printed mat, a road.
  int grounds = 1;
};

// The pairs of colours that large parts of the table have and that may be one ground in two lights;
// those of the largest parts first, two at most. A river or a field of another colour is such a
// pair, too: which it is, the paints must tell.
// bgr    CV_8UC3, the size of the camera's lens
// blind  CV_8UC1 of that size, non-zero where something covers the table; or empty
std::vector<TwoLights> FindTwoLights(const cv::Mat& bgr, const cv::Mat& blind,
                                     const TableCamera& camera, const TableFrame& frame);

// The picture as if all of the table lay in one of the two lights: the brighter, unless the ground
// itself is too bright in it for the camera. On a stand, which hides the ground, each place is
// taken to lie in the light of the ground around. CV_8UC3.
cv::Mat InOneLight(const cv::Mat& bgr, const cv::Mat& blind, const TableCamera& camera,
                   const TableFrame& frame, const TwoLights& lights);

}  // namespace fos
