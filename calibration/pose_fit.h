#pragma once

#include <vector>

#include <opencv2/core.hpp>

#include "engine/table/result.h"
#include "engine/table/vec2.h"

namespace fos {

// One thing seen: a table point lies on a straight line of the picture. Lines are straight only in
// undistorted coordinates, so the line is n . (X/Z, Y/Z) + offset = 0 in the camera's own frame.
// An edge of a marker, a grid line or (two of them) a corner all read as these.
struct LineSight {
  Vec2 at;           // inches, on the cloth
  cv::Vec2d normal;  // unit length; of a marker's edge, away from the marker
  double offset = 0;
  double px_per_unit = 1;  // pixels in the picture per unit across the line, there
  double sigma_px = 0.1;   // one standard deviation across the line
  // Share of the common print bias this edge carries: 1 for a marker's edge, 0 for a grid line.
  // Printing, blur before gamma and clipped whites shift all edges from black to white alike.
  double bias = 0;
};

struct PoseFit {
  cv::Vec3d rvec;
  cv::Vec3d tvec;
  // Of (rvec, tvec); already widened when the residuals are larger than the stated sigmas.
  cv::Matx66d covariance;
  double print_bias_px = 0;         // outward shift of all marker edges
  double chi2_per_dof = 0;          // near 1 when the stated sigmas are right
  std::vector<double> residual_px;  // of each sight, bias removed
};

// The pose that meets all sights best: Levenberg-Marquardt on rotation, translation and the common
// print bias, with Huber's weights.
// rvec, tvec     where to start, within a few degrees and inches.
// bias_prior_px  one standard deviation of the print bias before anything is seen.
// errors         kDegenerate when the sights do not fix a pose.
// source         Hartley & Zisserman, 2nd ed., A6 (LM) and 5.2 (covariance of the estimate).
Result<PoseFit> FitPose(const std::vector<LineSight>& sights, const cv::Vec3d& rvec,
                        const cv::Vec3d& tvec, double bias_prior_px);

}  // namespace fos
