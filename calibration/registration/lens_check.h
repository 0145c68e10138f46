// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "calibration/camera/pose_fit.h"
#include "calibration/registration/table_pose.h"

// Whether lens and pose explain what is seen of the table, and what to make of it if not.
namespace fos::registration {

// What is known of a lens from its file, which leaves some doubt even where it states none.
Known KnownOf(const CameraModel& lens, const std::optional<TapedHeight>& height);

// Whether the lens is known well enough for the table to contradict it: a lens file, not a webcam
// of common make.
bool IsCalibrated(const LensPrior& lens);

// The same lens, known no better than a webcam of common make, so that the table can correct it as
// far as it determines it.
Known Loosened(const Known& known);
// The same with the focal length alone so loose, as of another focus.
Known WithLooseFocal(const Known& known);

// What the table says of the lens.
struct LensCheck {
  bool contradicted = false;
  bool focal_explains = false;  // another focal length alone settles it: another focus
  // How well markers and lines alone tell the focal length when pose and shifts are free and the
  // rest of the lens is as its file states: one sigma, as a share of it. Infinite where they tell
  // nothing: straight above a flat table only focal length over height shows.
  double focal_sigma = INFINITY;
};

// Whether the table contradicts the lens: likelihood-ratio tests of the fit with the lens as it is
// stated against one with the focal length loosened and one with the whole lens loosened. The noise
// of markers and of drawn lines is measured on this table. One right lens in a hundred is
// contradicted by chance. Of a lens without a file nothing is said.
// fit  of `evidence`.
LensCheck CheckLens(const PoseFit& fit, const Evidence& evidence, const Known& known);

// How much further measured places lie from where the fit puts them than their stated noise
// explains, in the worst ninth of the picture: one sigma by the median, inches on the table.
double Unexplained_in(const PoseFit& fit, const Evidence& evidence, const TableCamera& camera);

// How far the markers lie from where table.toml has them beyond what printing explains, one sigma
// of a place on the board, inches; 0 where printing explains it. The fit gives each marker a shift
// of its own, so that its residuals do not show it: the shifts do.
double MarkersAstray_in(const PoseFit& fit, const Evidence& evidence);

}  // namespace fos::registration
