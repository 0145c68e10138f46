// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/table/shapes.h"
#include "engine/table/vec2.h"

// How honest the stated sigmas of stands are, class by class: where they are too wide calls are too
// close that need not be, where they are too narrow calls are wrong.
namespace fos {

// One stand that was found, beside the truth.
struct StandError {
  std::string kind;
  double in_view = 0;    // true share of the base's top, [0, 1]
  double px_per_in = 0;  // of the picture, there
  bool beside = false;   // another base lies within a tenth of an inch
  double error_in = 0;   // of the centre
  double sigma_in = 0;   // as stated: root of the mean variance of the two axes
  double sigmas = 0;     // the error in stated sigmas: root of half of e' C^-1 e; 1 in the mean of
                         // squares where they are honest
  double bearing_deg = 0;      // error
  double bearing_sigmas = -1;  // the same in stated sigmas; below 0: none was stated
};

// The error in sigmas of one axis, from the covariance that was stated; infinite where there is
// none.
double InSigmas(Vec2 error, const Cov2& stated);
// Whether `stand` lies within a tenth of an inch of any other of them: `stand` itself may be one.
bool IsBeside(const Polygon& stand, const std::vector<Polygon>& all);
// Whether it lies inside the ellipse that the stated covariance gives 95 % to.
bool Inside95(const StandError& error);

// All stands of one class.
struct StandErrorClass {
  std::string what;  // "beside another"
  int stands = 0;
  double error_rms_in = 0;
  double sigma_rms_in = 0;
  double sigmas_rms = 0;  // 1 where the stated sigmas are honest, less where they are too wide
  double inside_95 = 0;   // share
  double bearing_p95_deg = 0;
  double bearing_sigmas_rms = -1;  // below 0: no sigma was stated
};
// All of them, then by share in view, by pixels an inch, by kind, by what lies beside them and by
// the sigma itself. Classes without a stand are left out.
std::vector<StandErrorClass> ByClass(const std::vector<StandError>& errors);
// The same as a table for a terminal; empty of none.
std::string ClassTable(const std::vector<StandError>& errors);

}  // namespace fos
