// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/camera_model.h"
#include "calibration/targets/board_corners.h"
#include "engine/table/scenario.h"

namespace fos {

struct LensView {
  std::string name;  // file name or frame number, for messages
  cv::Mat grey;      // CV_8UC1
};

// What is known of a lens in one ninth of the picture.
struct LensRegion {
  std::size_t corners = 0;     // of left-out views seen there
  double held_out_rms_px = 0;  // over those; 0 where there are too few to say
  double doubt_px = 0;         // one sigma of the covariance at its worst place, pose taken off
};

// By the worst ninth of the picture, left-out corners and doubt alike, on a table of
// kCommonTable_in that fills the picture: good to 0.02 in, usable to 0.04 in.
enum class LensQuality { kGood, kUsable, kPoor };
const char* NameOf(LensQuality quality);
inline constexpr double kCommonTable_in = 48;

struct LensCalibration {
  CameraModel camera;          // rms_px (held out) and covariance filled in
  double fit_rms_px = 0;       // over the views of the fit
  double held_out_rms_px = 0;  // over all corners of all views, each left out of the fit once
  std::array<LensRegion, 9> regions;  // thirds of the picture, row by row from the top left
  std::string worst_region;           // "bottom left"
  LensQuality quality = LensQuality::kPoor;
  std::string advice;  // what would make it better; empty when it is good
  std::string model;   // "k1 k2 p1 p2 k3", or "fisheye k1 k2 k3 k4"
  std::vector<std::string> used;
  std::vector<std::string> left_out;  // "03.jpg: blurred", one line a view
};

// The lens from views of a ChArUco board, a plain chessboard or a board of markers. Bad views
// (blurred, hardly in the picture, not agreeing with the others) are left out and named. Whether
// the lens is a fisheye is decided on views left out of the fit. Parts of the picture in which the
// board was never seen leave doubt there, which the covariance states. errors  kNotFound (no board
// seen), kDegenerate (views that determine nothing: all parallel, too
//         few, all blurred), kBadFormat (views of different sizes). The sentence says what to do.
Result<LensCalibration> CalibrateLens(const std::vector<LensView>& views, const CharucoSpec& board);
Result<LensCalibration> CalibrateLens(const std::vector<LensView>& views,
                                      const ChessboardSpec& board);
Result<LensCalibration> CalibrateLens(const std::vector<LensView>& views,
                                      const MarkerGridSpec& board);

// The same from views whose corners have been found already, in pictures of that size.
Result<LensCalibration> CalibrateLens(const std::vector<BoardView>& views, cv::Size picture);

// What the lens's own covariance leaves wrong in each ninth of a table that fills the picture, once
// the pose found later has taken up what it can: one sigma at its worst place, pixels. 0 without a
// covariance.
std::array<double, 9> DoubtOfLens(const CameraModel& camera);
// The worst of them.
double TableErrorOfLens(const CameraModel& camera);

}  // namespace fos
