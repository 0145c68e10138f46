// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/score/predictions.h"
#include "datasets/score/stand_errors.h"
#include "engine/table/result.h"

namespace fos {

// Where a board is found, at its worst corner.
struct BoardError {
  double off_in = 0;    // inches
  double sigma_in = 0;  // as stated, one sigma
};

// How well stands are found on made-up tables (datasets/render), one per seed. On most of them
// some of the stands that the scenario places are missing, and some stand where it places none. On
// wild tables a unit is moved then.
struct StandSweep {
  int tables = 0;
  int unread = 0;     // tables that were not found, left out of all that follows
  int stands = 0;     // with at least 40 % of the base in view
  int found = 0;      // of those
  int invented = 0;   // reported where there is none
  int absent = 0;     // placed by the scenario but not there
  int strangers = 0;  // there, at least 40 % in view, but not placed by the scenario
  int strangers_found = 0;
  int wrong_side = 0;
  int wrong_kind = 0;
  int moved = 0;           // stands of units that were moved, in view before and after
  int moves_told = 0;      // of those, told to where they went
  int moves_invented = 0;  // told of others, or to where they are not

  std::vector<BoardError> boards;       // of the tables that were found by their markers and lines
  std::vector<StandError> errors;       // of all that were found
  std::vector<Prediction> predictions;  // of all that were reported: confidence, and whether right
  double centre_median_in = 0;
  double centre_p95_in = 0;
  double bearing_p95_deg = 0;
  double inside_95 = 0;                // share of true centres inside the stated 95 % ellipse
  double heading_95 = 0;               // share of true headings within 1.96 stated sigmas
  std::vector<double> visible_errors;  // of the stated share in view
  double visible_off = 0;              // median error of the stated share in view
  // Each miss, invention and stand that is far off on a line, with its seed.
  std::vector<std::string> details;
};

enum class StandWorld {
  kPlain,  // clean tables drawn flat, whole boards of them (datasets/render/synthetic.h)
  kWild,   // twelve inches of other grounds, light, optics and things that lie about, with guns
           // (datasets/render/wild_table.h); the table is found as a referee finds it
};

// Tables first_seed .. first_seed + tables - 1.
// out     folder for a picture of each table on which anything is wrong, with its true stands in
//         green and those found in red, and of its move; empty: none
// errors  what the detector says when it refuses a table, and a picture that cannot be written: the
//         sweep ends there.
Result<StandSweep> SweepStands(int tables, int first_seed, StandWorld world = StandWorld::kPlain,
                               const std::filesystem::path& out = {});
std::string SweepText(const StandSweep& sweep, bool details);

}  // namespace fos
