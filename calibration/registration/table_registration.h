// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/pose_fit.h"
#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"

namespace fos {

// How far verdicts from a registered table can be trusted.
enum class TableTrust {
  kTrusted,   // lens and pose explain what was measured; the stated covariance holds
  kDoubtful,  // verdicts need a warning: the error is large, or grown to cover unexplained
              // residuals
  kUntrusted  // give no verdicts: the error is too large, or lens and pose do not explain the table
};

// Where the camera hangs over the table, found from one picture, and how far to trust it.
struct TableRegistration {
  TableCamera camera;
  enum class Method { kFiducials, kGrid, kManual } method = Method::kFiducials;
  double rms_px = 0;  // of what was fitted
  double rms_in = 0;  // the same on the table
  struct Residual {   // of grid crossings (or marker corners) left out of the fit
    Vec2 at;
    Vec2 error_in;
  };
  std::vector<Residual> held_out;
  std::vector<int> markers_used;
  double grid_share = 0;      // of the drawn lines' length that was seen where it should be
  double worst_sigma_in = 0;  // one sigma of TableFromImage at the worst corner of the board
  // How much further measured places lie from where lens and pose put them than their own noise
  // explains, rms in the worst ninth of the picture. The covariance has grown to cover it.
  double unexplained_in = 0;
  // How far each marker's edges lay inward of where they belong, in the order of `markers_used`:
  // blur and clipped whites do that. Measured and taken off.
  std::vector<double> marker_shift_px;
  // How well the table itself tells the focal length, with the pose free: one sigma, as a share of
  // it; infinite where it tells nothing, and without a lens file.
  double focal_sigma = INFINITY;
  std::string relies_on;  // what the camera's height is known from, and what that leaves open
  TableTrust trust = TableTrust::kTrusted;
  std::string reason;  // of a trust below kTrusted: one sentence with what to do; else empty
  std::string
      sentence;  // good, usable, doubtful or not to be trusted, with the figures and `reason`
};

// Where the camera hung over the table when it was last found.
struct KnownPose {
  cv::Vec3d rvec;
  cv::Vec3d tvec;
  bool in_this_game = false;  // since then it was knocked at most; of another evening: hung anew
};

struct RegistrationOptions {
  std::optional<TapedHeight> height;  // of the camera's eye above the cloth
  // Tells which of the placements that look alike to the lines is the table's, and where the lines
  // are when they cannot be found by themselves.
  std::optional<KnownPose> before;
};

// From the corner markers, refined by the drawn grid where it is seen. Any markers will do; with
// one or two the grid must be seen too for a pose that can be trusted.
// picture  CV_8UC1, or CV_8UC3 where lines may differ from the cloth in colour alone; the size of
//          the lens. Several frames averaged are better than one.
// lens     where it has a covariance it is fitted along with the pose, and what stays in doubt goes
//          into the camera's covariance. Without a lens file, AssumedLens.
// errors   kBadFormat (another kind or size of picture, or one that is mirrored), kNotFound when no
//          marker is seen.
Result<TableRegistration> RegisterTable(const cv::Mat& picture, const CameraModel& lens,
                                        const TableSpec& table,
                                        const RegistrationOptions& options = {});

// Says in its sentence that a table with markers was found by its lines, as no marker was read.
void TellMarkersUnread(TableRegistration& by_lines, const FiducialSpec& spec);

// From the drawn grid alone. Lines cannot tell north: all placements that look alike are returned,
// two for an oblong board and four for a square one, each a turn of the first.
// errors  kBadFormat, kNotFound when no grid of the board's size stands out.
Result<std::vector<TableRegistration>> RegisterFromGrid(const cv::Mat& picture,
                                                        const CameraModel& lens,
                                                        const TableFrame& frame,
                                                        const RegistrationOptions& options = {});

// From the drawn grid where it was seen before: the camera has moved by no more than shifts lines
// by a third of an inch.
// errors  kBadFormat, kNotFound when fewer than half of the lines are seen there.
Result<TableRegistration> RegisterFromPose(const cv::Mat& picture, const CameraModel& lens,
                                           const TableFrame& frame, const KnownPose& before,
                                           const RegistrationOptions& options = {});

// A crossing of the drawn grid that somebody pointed at.
struct Click {
  ImagePoint at;
  Vec2 crossing_in;  // where it is on the table
};
// From at least four clicks, not in one row: each snapped to the nearest crossing, the pose refined
// by the drawn grid where it is seen. For tables on which nothing is found by itself.
// errors  kBadFormat (another kind or size of picture), kOutOfRange (fewer than four),
//         kDegenerate: the clicks do not lie as those crossings of a flat board do; which is off.
Result<TableRegistration> RegisterFromClicks(const cv::Mat& picture, const CameraModel& lens,
                                             const TableFrame& frame,
                                             const std::vector<Click>& clicks,
                                             const RegistrationOptions& options = {});

}  // namespace fos
