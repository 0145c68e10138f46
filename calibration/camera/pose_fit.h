// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/camera_model.h"
#include "engine/table/result.h"
#include "engine/table/vec2.h"

namespace fos {

// One thing seen: a table point lies on a straight line of the picture. Lines are straight only in
// undistorted coordinates, so the line is n . (X/Z, Y/Z) + offset = 0 in the camera's own frame.
// An edge of a marker, a grid line or (two of them) a corner all read as these.
struct LineSight {
  Vec2 at;  // inches
  bool on_paper =
      false;         // printed on a sheet that lies on the cloth, not drawn on the cloth itself
  cv::Vec2d normal;  // unit length; of a marker's edge, away from the marker
  double offset = 0;
  double px_per_unit = 1;  // pixels in the picture per unit across the line, there
  double sigma_px = 0.1;   // one standard deviation across the line
  // Shifts this sight shares with others: printing, blur before gamma and clipped whites move all
  // edges of one marker outward alike; a line drawn beside its mark is beside it all along.
  struct Share {
    int shift = -1;          // index into PosePriors::shift_sigma, -1 for none
    double px_per_unit = 0;  // what one unit of that shift does to the residual
  };
  std::array<Share, 3> shares{};
  // The same in the picture itself, for a lens that is in doubt (PosePriors::lens): a place on the
  // line and the unit normal there, the same way round.
  ImagePoint seen;
  cv::Vec2d across;
};
// Fills in `seen` and `across` of a line that passes `ray`.
void PutInPicture(LineSight& sight, const cv::Vec2d& ray, const CameraModel& lens);

// What is known of a lens before the table is seen: C = factor * factor^T, of the rank that the
// calibration left open. The camera file's own covariance, or what webcams commonly are.
struct LensPrior {
  CameraModel lens;
  LensMat factor = LensMat::zeros();
  LensMat standard = LensMat::zeros();  // its inverse: rows give the sigmas of a change
  int rank = 0;                         // columns of `factor` in use; 0: the lens is exact
};
LensPrior PriorOf(const CameraModel& lens);
// No lens file: a webcam of common make for pictures of that size, with the doubt that leaves.
CameraModel AssumedLens(cv::Size picture);

// The same lens with the doubt that any lens file leaves, where it states none. Thin lens: a webcam
// of 4 mm that was focused on a board 20 in away and now on a table has a focal length 0.6 %
// shorter, and the bend goes with it.
CameraModel WithDoubt(const CameraModel& lens);

// Height of the camera's eye above the cloth, measured by tape.
struct TapedHeight {
  double inches = 0;
  double sigma_in = 0.25;  // to the front of the lens: its eye lies a little behind
};

// What is known before anything is seen.
struct PosePriors {
  // One standard deviation of each shift, in its own unit.
  std::vector<double> shift_sigma;
  // How far the top of the sheets lies above the cloth: office paper is 0.004 in, stout card 0.02.
  // At the edge of a table under a camera 68 in up, 0.01 in of card is worth 0.004 in.
  double paper_in = 0.012;
  double paper_sigma_in = 0.006;
  LensPrior lens;
  // How far the focal length may lie from the prior's besides what the prior allows, one sigma, as
  // a share of it. It moves no estimate and only enters the covariances.
  double refocus_sigma = 0;
  std::optional<CameraModel> lens_now;  // where to start from, when not from the prior's own
  std::optional<TapedHeight> height;
};

struct PoseFit {
  cv::Vec3d rvec;
  cv::Vec3d tvec;
  // Of (rvec, tvec); already widened when the residuals are larger than the stated sigmas.
  cv::Matx66d covariance;
  CameraModel lens;  // as it suits the table best; only where PosePriors::lens is in doubt
  LensMat lens_covariance = LensMat::zeros();
  cv::Matx<double, 9, 6> lens_pose_covariance = cv::Matx<double, 9, 6>::zeros();
  std::vector<double> shifts;       // as PosePriors::shift_sigma
  double paper_in = 0;              // height of the sheets
  double cost = 0;                  // minus the log posterior, but for a constant
  double chi2_per_dof = 0;          // near 1 when the stated sigmas are right
  std::vector<double> residual_px;  // of each sight, shifts taken off
};

// The pose that meets all sights best: Levenberg-Marquardt on rotation, translation, paper
// height, shifts and what is open of the lens, with Huber's weights. A lens in doubt is fitted
// together with the pose, so that the doubt comes out where it belongs: a flat table straight below
// tells focal length over height, not either of them.
// rvec, tvec  where to start, within a few degrees and inches.
// errors      kDegenerate when the sights do not fix a pose.
// source      Hartley & Zisserman, 2nd ed., A6 (LM) and 5.2 (covariance of the estimate); Schmidt,
//             Application of State-Space Methods to Navigation Problems, 1966 (`refocus_sigma`: a
//             parameter that is considered but not estimated).
Result<PoseFit> FitPose(const std::vector<LineSight>& sights, const cv::Vec3d& rvec,
                        const cv::Vec3d& tvec, const PosePriors& priors);

}  // namespace fos
