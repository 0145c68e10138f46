// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/camera_model.h"
#include "calibration/camera/pose_fit.h"
#include "engine/table/scenario.h"

namespace fos {

// One printed marker as seen: its four edges, measured to a few hundredths of a pixel.
// How far a printed marker lies beside its place, one sigma each way: printers feed paper unevenly,
// and paper stretches. 0.06 mm on the photographs of a printed board (evaluate, aruco_gridboard).
inline constexpr double kPrintSigma_in = 0.0025;

struct MarkerSighting {
  int id = 0;
  // Where the edges meet, undistorted (X/Z, Y/Z): top-left, top-right, bottom-right, bottom-left as
  // the marker itself has it.
  std::array<cv::Vec2d, 4> corner;
  std::array<ImagePoint, 4> corner_px;  // the same in the picture
  std::vector<LineSight> sights;        // two for each edge; `at` in the table frame
  // The paper about it is as bright as a picture can be: how much brighter it truly is, and with
  // that how far its blur eats into the border, is not to be seen.
  bool burnt = false;
};

// What to do about a picture in which markers are seen as in a mirror.
inline constexpr const char* kMirrored =
    "the picture is mirrored; switch mirroring off in the camera's settings";

// Every marker of the table that can be read in the picture. Corners come from straight lines
// fitted to the border's edges in undistorted coordinates and met: refined corner by corner they
// would be pulled inward on blurred prints. grey    CV_8UC1, the size of the lens. errors
// kBadFormat (an unknown dictionary).
Result<std::vector<MarkerSighting>> FindMarkers(const cv::Mat& grey, const CameraModel& lens,
                                                const FiducialSpec& spec);

// Table positions of a marker's corners, in the order of MarkerSighting::corner.
std::array<Vec2, 4> MarkerCorners(const FiducialMarker& marker, double size_in);

}  // namespace fos
