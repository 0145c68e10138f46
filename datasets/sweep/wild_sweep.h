// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "datasets/odds/labelled_things.h"
#include "datasets/score/score.h"
#include "engine/table/result.h"

namespace fos {

// What became of the shots and other things of one class: of ground, light, look of the projectile,
// junk, event.
struct WildTally {
  int times = 0;  // steps: a shot, a piece of junk or an event without either
  int shots = 0;  // of them in view: at least 30 % of the tip or top
  int measured = 0;
  int asked = 0;             // of the shots, the players are asked
  int told = 0;              // of the shots, shown as new things that one tap makes shots
  int silent = 0;            // of the shots, nothing is said
  int late = 0;              // told in a later step, after silence
  int wrong_end = 0;         // of those measured: from the swab's other end
  int invented = 0;          // measured where no projectile of the kind came to rest
  int asked_of_nothing = 0;  // questions about what is no shot
  int calls = 0;
  int wrong_calls = 0;  // hit for miss or miss for hit
  int too_close = 0;
  int inside_95 = 0;              // of those measured: the true point in the stated ellipse
  std::vector<double> errors_in;  // of the point, wrong ends left out
};

struct WildSweep {
  int tables = 0;
  int unread_tables = 0;  // never found
  WildTally all;
  std::map<std::string, WildTally> by;  // "ground: snow", "junk: coin", ...
  std::vector<ScoredCall> calls;        // for stands truly within hit_radius + 1.5 in
  std::vector<LabelledThing> judged;    // where it is kept
  std::vector<std::string> details;     // what went wrong, one line each
};

struct WildSweepOptions {
  int shots = 1000;  // at least
  int seed = 1;
  bool unseen = false;  // junk of the classes for measuring only, instead of the others
  std::string out;      // where pictures of what went wrong go; none when empty
  bool terms = false;   // keep what was judged and its truth
  std::function<void(int)> progress;  // shots so far
};

// Shots on wild tables (datasets/render/wild_table.h) through the whole of vision and the calls.
// errors  kIo where a picture cannot be written.
Result<WildSweep> SweepWildShots(const WildSweepOptions& options);
// details: by class, and every failure with its seed
std::string SweepText(const WildSweep& sweep, bool details);

}  // namespace fos
