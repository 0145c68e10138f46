// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/targets/board_corners.h"
#include "engine/table/result.h"

namespace fos {

// How well a lens fitted to some views predicts others, beside OpenCV's own fit
// (cv::calibrateCamera, all five terms) of the same views. All errors are distances of corners from
// where the lens and the view's best pose put them, rms over all corners, pixels.
struct LeftOutScore {
  std::string name;
  std::string error;  // why nothing could be scored
  int views = 0;      // good ones, each left out once
  int folds = 0;
  // Of the corners as the project measures them.
  double ours_px = 0;
  double opencv_px = 0;
  double worst_fold = 0;  // largest of ours over OpenCV's of one fold
  // Of the corners as cv::cornerSubPix measures them, to which OpenCV's lens is then fitted.
  double ours_on_theirs_px = 0;
  double opencv_on_theirs_px = 0;
  // What each fold's calibration prints beforehand (LensCalibration::held_out_rms_px), over folds.
  double printed_px = 0;
  double printed_least = 0;  // smallest and largest of ours over printed, of one fold
  double printed_most = 0;
  // The ninths of the picture, over folds: rms of ours over the rms that was printed of the same
  // ninths, by all corners that lie where a figure was printed.
  double ninths_ratio = 0;
};

// Views whose corners were found already, in pictures of that size. Every fourth view is left out,
// then the next fourth. A view that a calibration of all views rejects is neither fitted nor
// scored. grey  of each view, for cv::cornerSubPix; empty: those figures stay 0. errors  those of
// CalibrateLens.
Result<LeftOutScore> ScoreLeftOut(const std::vector<BoardView>& views,
                                  const std::vector<cv::Mat>& grey, cv::Size picture);

// Every lens set below root: folders that hold truth_camera.yaml and lens/, aruco_gridboard, and
// each camera of opencv_chessboard. In the order of paths; empty when there is none.
std::vector<LeftOutScore> ScoreLeftOutSets(const std::filesystem::path& root);

// As a table; empty of none.
std::string LeftOutTable(const std::vector<LeftOutScore>& scores);

}  // namespace fos
