// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "calibration/lens/lens_calibration.h"
#include "calibration/registration/table_registration.h"
#include "engine/table/result.h"

namespace fos {

// Scores the calibration on real photographs of printed boards. Nothing is known of their cameras:
// lenses come from the photographs themselves, never from those that are scored.
struct BoardSetScore {
  std::string name;   // folder below the root
  std::string what;   // "16 markers from the 4 at the corners", "left-out views", "corners"
  std::string unit;   // of the errors: "mm", "px"
  std::string error;  // why it could not be scored
  int pictures = 0;
  int found = 0;  // in which the board was found
  std::vector<double> errors;
  std::vector<std::string> details;  // one line for a picture, if there is something to say
};

// Scores, in the order of paths, every folder below root (or root itself) that is
//   aruco_gridboard     4 x 5 markers DICT_6X6_1000, 37.5 mm with gaps of 5 mm: the pose from the
//                       four corner markers alone, error at the others' corners on the board;
//   opencv_chessboard   9 x 6 inner corners of 25 mm, one camera for each letter in the names:
//                       lenses fitted to three views of four, error of the corners of the others;
//   anything that holds truth_corners.json: boards of 8 x 8 squares, no lens known, found by their
//                       squares alone: error of the outermost corners in the picture.
// Empty when there is none.
std::vector<BoardSetScore> ScoreBoardSets(const std::filesystem::path& root);

// The board of aruco_gridboard, and its photographs in two halves, each with the lens that was
// fitted to the other half.
MarkerGridSpec MarkerBoardSpec();
struct MarkerBoardFold {
  LensCalibration lens;
  std::vector<LensView> scored;
};
// errors  those of CalibrateLens.
Result<std::vector<MarkerBoardFold>> MarkerBoardFolds(const std::filesystem::path& folder);

// The boards of opencv_chessboard, and its photographs by the camera that took them: the letters
// that their names begin with.
ChessboardSpec ChessboardPhotoSpec();
std::map<std::string, std::vector<LensView>> ChessboardCameras(const std::filesystem::path& folder);

// The board's pose from its four corner markers, and where it puts the corners of the others.
struct MarkerBoardPose {
  TableRegistration table;
  struct Corner {
    Vec2 truth;       // inches on the board
    TablePoint seen;  // with the noise of measuring this corner, and of printing it
  };
  std::vector<Corner> corners;
};
// errors  those of RegisterTable and FindMarkers.
Result<MarkerBoardPose> PoseByCornerMarkers(const LensView& view, const CameraModel& lens);

// As a table; empty of none.
std::string BoardTable(const std::vector<BoardSetScore>& scores, bool details);

}  // namespace fos
