// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/registration/grid_lines.h"
#include "calibration/registration/table_pose.h"

// The camera's pose from the drawn grid, with or without markers.
namespace fos::registration {

// Further out than this from where the pose has it, a line is something else.
inline constexpr double kStrayLine_in = 0.12;
// How far off the search for a grid may leave a line.
inline constexpr double kFirstPose_in = 0.35;

// Every fifth crossing, spread over the board, stays out of the fit and tells how good it is.
bool HeldOut(const GridSight& g);
// The crossing a stretch touches; none for those in the middle of a side.
std::optional<std::pair<int, int>> CrossingOf(const GridSight& g);
// So many stretches of line there are on the board.
std::size_t StretchesOf(const TableFrame& frame);

// A lens that is fitted with the table must stay one.
bool SaneLens(const CameraModel& lens);

struct GridFit {
  PoseFit fit;
  Evidence evidence;
  double share = 0;
  std::vector<GridSight> seen;  // about `camera`, from which the last round started
  TableCamera camera;
  cv::Mat lines;  // the picture in which they were seen
};

// The kind of line in which most of the grid is seen, from a pose within reach_in.
// markers  what else is known of the pose; there may be none.
std::optional<GridFit> FitClearestGrid(const cv::Mat& picture, const Pose& pose,
                                       const TableFrame& frame, const Evidence& markers,
                                       double reach_in);
// The pose that meets markers (there may be none) and drawn lines, from one near enough that every
// line lies within reach_in; the reach then shrinks to what a hand strays.
// lines  a picture of lines of one kind (line_pictures.h).
std::optional<GridFit> FitGrid(const cv::Mat& lines, Pose pose, const TableFrame& frame,
                               const Evidence& markers, double reach_in);
// The grid without any first idea of where it lies. What it is drawn in, whether what is near the
// picture's border may count, and a loose lens are tried in turn until it is plain.
std::optional<GridFit> SearchGrid(const cv::Mat& picture, const Known& known,
                                  const TableFrame& frame);
// Why a grid found by its lines alone may not lie where the fit has it, as the end of "the grid
// ..."; empty where what is seen tells. Compared are the board moved by a square each way and
// squares half or twice as large. Of a board whose outer lines and their surroundings are in view one in a
// hundred is doubted or placed wrongly by chance.
std::optional<std::string> DoubtfulPlacement(const GridFit& grid, const TableFrame& frame);
// Markers are laid by hand. Where they and the lines tell of different tables (the fit is then
// worse than either's own noise), the lines are what people measure from.
// apart_in  how far the two put the same place apart.
std::optional<GridFit> LinesAgainst(const GridFit& both, const Known& known,
                                    const TableFrame& frame, double& apart_in);

}  // namespace fos::registration
