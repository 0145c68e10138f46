#pragma once

#include <string>

#include "engine/table/result.h"

namespace fos {

// How well stands are found on made-up tables (datasets/synthetic.h), one per seed.
struct StandSweep {
  int tables = 0;
  int stands = 0;    // with at least 40 % of the base in view
  int found = 0;     // of those
  int invented = 0;  // reported where none is
  int wrong_side = 0;
  int wrong_kind = 0;
  double centre_median_in = 0;
  double centre_p95_in = 0;
  double bearing_p95_deg = 0;
  double inside_95 = 0;  // share of true centres inside the stated 95 % ellipse
};

// Tables first_seed .. first_seed + tables - 1.
// errors  what the detector says when it refuses a table: the sweep ends there.
Result<StandSweep> SweepStands(int tables, int first_seed);
std::string SweepText(const StandSweep& sweep);

}  // namespace fos
