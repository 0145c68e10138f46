// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/pose2.h"
#include "engine/table/scenario.h"
#include "vision/image/point_spread.h"
#include "vision/scene/terrain_view.h"
#include "vision/stands/stand_outline.h"

// A stand's pose by the whole picture that its base makes (base_mixture.h). The pose is
// fitted by least squares; all colours are fitted to the same pixels (variable projection: Golub &
// Pereyra, SIAM J. Numer. Anal. 10, 1973). Light that the picture cannot show counts as at least
// that light: a bar that is burnt out is wider in the picture than it is. Pixels that fit none of
// it, such as figures, lose their weight.
namespace fos {

// The colours a base is expected to have: linear light of blue, green, red, with one sigma.
struct BasePaints {
  cv::Vec3f bar, bar_sigma;
  cv::Vec3f top, top_sigma;
};

struct BaseFit {
  Pose2 table_from_stand;
  // Inches squared: from how much the pull on the pose differs from piece to piece of the picture
  // (a "sandwich" of curvatures and scatter: White, Econometrica 50, 1982). It knows nothing of
  // what is wrong all along an edge.
  Cov2 centre_cov;
  double heading_sigma_rad = 0;
  // How far single edges lie from where this pose puts them: root mean square.
  double edges_off_in = 0;
};

// How far edges lie from where a pose of two motions puts them, inches: root mean square. An edge
// that is not known to an inch, all but covered, says nothing; with fewer than three others it is
// an inch.
// pull   of each edge's pixels outward, 1 / in
// stiff  how surely they know its place, 1 / in^2
double RootMeanSquareOff_in(std::span<const double> pull, std::span<const double> stiff);

// bgr      CV_8UC3 as the camera gives it
// outline  where its outline is most likely: the start
// Empty where too little of it is in the picture.
std::optional<BaseFit> FitBase(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                               const StandOutline& outline, double ground_in,
                               const std::vector<OutlineNeighbour>& neighbours,
                               const BasePaints& paints, const PointSpread& blur,
                               const TerrainView& terrain = {});

}  // namespace fos
