// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "datasets/score/predictions.h"
#include "datasets/score/stand_errors.h"
#include "engine/table/result.h"

namespace fos {

// How well stands are found on made-up tables (datasets/synthetic.h), one per seed. On most of them
// some of the stands that the scenario places are missing, and some stand where it places none.
struct StandSweep {
  int tables = 0;
  int stands = 0;     // with at least 40 % of the base in view
  int found = 0;      // of those
  int invented = 0;   // reported where there is none
  int absent = 0;     // placed by the scenario but not there
  int strangers = 0;  // there, at least 40 % in view, but not placed by the scenario
  int strangers_found = 0;
  int wrong_side = 0;
  int wrong_kind = 0;
  std::vector<StandError> errors;       // of all that were found
  std::vector<Prediction> predictions;  // of all that were reported: confidence, and whether right
  double centre_median_in = 0;
  double centre_p95_in = 0;
  double bearing_p95_deg = 0;
  double inside_95 = 0;              // share of true centres inside the stated 95 % ellipse
  double heading_95 = 0;             // share of true headings within 1.96 stated sigmas
  double visible_off = 0;            // median error of the stated share in view
  std::vector<std::string> details;  // each miss and invention on a line, with its seed
};

// Tables first_seed .. first_seed + tables - 1.
// errors  what the detector says when it refuses a table: the sweep ends there.
Result<StandSweep> SweepStands(int tables, int first_seed);
std::string SweepText(const StandSweep& sweep, bool details);

}  // namespace fos
