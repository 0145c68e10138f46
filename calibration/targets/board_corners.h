// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/camera_model.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"
#include "engine/table/vec2.h"

namespace fos {

// One view of a calibration board: where its inner corners lie, on the board and in the picture.
struct BoardView {
  std::string name;
  std::vector<Vec2> board_in;  // inches on the board, x right and y down
  std::vector<ImagePoint> seen;
  double blur_px = 0;    // one standard deviation of how far an edge is smeared, median
  double square_px = 0;  // how large the squares are, median
};

// The inner corners of a ChArUco board, each measured as the saddle of the brightness about it: a
// chessboard corner looks the same turned half round, so blur, gamma and contrast leave the saddle
// where it is. (OpenCV 4.6's own interpolation is half a pixel off; its corner refinement is not
// steady under blur.)
// grey    CV_8UC1.
// errors  kNotFound: no marker of the board is seen, or they do not lie as on this board;
// kBadFormat:
//         an unknown dictionary or a board that cannot be.
Result<BoardView> FindCharuco(const std::string& name, const cv::Mat& grey,
                              const CharucoSpec& board);

// A plain chessboard, by its inner corners.
struct ChessboardSpec {
  int corners_x = 9;
  int corners_y = 6;
  double square_length_in = 1.0;
};
// errors  kNotFound: the whole board is not in view.
Result<BoardView> FindChessboard(const std::string& name, const cv::Mat& grey,
                                 const ChessboardSpec& board);

// A board of ArUco markers in rows, ids from 0 along each row from the top left, corners measured
// as where their edges meet.
struct MarkerGridSpec {
  int markers_x = 4;
  int markers_y = 5;
  double marker_length_in = 1.0;
  double gap_in = 0.2;  // between two of them
  std::string dictionary = "DICT_6X6_1000";
};
// The same as markers on a table of which the lowest left corner of a marker is the origin.
FiducialSpec MarkersOf(const MarkerGridSpec& spec);
// errors  kNotFound: fewer than three markers can be read; kBadFormat: no such board.
Result<BoardView> FindMarkerGrid(const std::string& name, const cv::Mat& grey,
                                 const MarkerGridSpec& board);

// The saddle near `start`; empty when there is none within reach_px.
struct Saddle {
  ImagePoint at;
  double blur_px = 0;
};
std::optional<Saddle> FitSaddle(const cv::Mat& grey, ImagePoint start, double reach_px);

}  // namespace fos
