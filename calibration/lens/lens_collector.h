// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/lens/lens_calibration.h"
#include "calibration/targets/board_corners.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// How far the collecting of views has come: all that a terminal or a window shows of it.
struct LensCollection {
  int views = 0;                  // taken
  int wanted = 0;                 // at least
  std::array<bool, 9> covered{};  // thirds of the picture, row by row from the top left
  std::array<bool, 4> tilted{};   // left, right, top, bottom side of the board towards the camera
  bool near_and_far = false;
  std::string last;                 // what became of the last picture
  bool taken = false;               // the last picture was taken as a view
  std::vector<ImagePoint> corners;  // seen in the last picture
  std::string next;                 // which view to show next, in words; empty when done
  bool done = false;
};
// One line: "5 of 12 views  picture ##./#../...  tilts left right".
std::string CollectionText(const LensCollection& collection);

// Collects views of a calibration board from a running camera: takes a picture when the board is
// held still, is sharp and shows something new, says which view is lacking, and stops by itself
// when the lens is fixed. Remembers the views and the last picture's corners.
class LensCollector {
 public:
  using Board = std::variant<CharucoSpec, ChessboardSpec, MarkerGridSpec>;
  struct Options {
    int views = 12;  // at least: nine thirds of the picture and four tilts leave some double
    int most = 40;   // then what there is must do
    // Movement between one picture and the next below which the board counts as held still, pixels
    // at 1000 pixels across: a rolling shutter and an exposure of 1/30 s then smear a corner by
    // less than the saddle's own error.
    double still_px = 1.0;
  };
  LensCollector(Board board, Options options) : board_(std::move(board)), options_(options) {}
  explicit LensCollector(Board board) : LensCollector(std::move(board), Options()) {}

  // The next picture, CV_8UC1. One of another size than the first counts as no view.
  const LensCollection& operator()(const std::string& name, const cv::Mat& grey);
  const LensCollection& Now() const { return now_; }

  // The lens, from what was collected so far.
  // errors  those of CalibrateLens, and which view lacks.
  Result<LensCalibration> Lens() const;

 private:
  // What a view adds, by a common lens.
  struct Look {
    cv::Point2d middle;  // of the corners, shares of the picture
    double size_px = 0;
    cv::Vec3d normal;
  };
  Result<BoardView> Find(const std::string& name, const cv::Mat& grey) const;
  bool Still(const BoardView& view) const;
  std::optional<Look> LookOf(const BoardView& view) const;
  bool Adds(const BoardView& view, const Look& look) const;
  void Count(const BoardView& view, const Look& look);
  std::string Lacking() const;

  Board board_;
  Options options_;
  cv::Size picture_;
  std::optional<BoardView> before_;
  std::vector<BoardView> views_;
  std::vector<Look> looks_;
  std::optional<LensCalibration> lens_;
  LensCollection now_;
};

}  // namespace fos
