// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "datasets/odds/labelled_things.h"
#include "datasets/score/predictions.h"
#include "engine/table/result.h"

namespace fos {

// What became of the dice of one class: by pixels an inch, or by what was the matter with them.
struct DiceTally {
  int dice = 0;  // that lie flat and whose pips or number stand out on the sensor
  int right = 0;
  int wrong = 0;
  int asked = 0;   // the players are asked, cocked by mistake included
  int missed = 0;  // nothing is said
};

struct DiceSweep {
  int faces = 6;
  int throws = 0;
  int tables = 0;
  std::map<int, DiceTally> by_ppi;  // from 15, 20, 25, 30 pixels an inch on
  DiceTally washed_out;             // glare or a full sensor leaves no pips, or no number
  int cocked = 0;
  int cocked_read = 0;  // as if they lay flat
  int invented = 0;     // values where no die lies
  int told = 0;         // swabs and shells that are measured
  int asked = 0;        // swabs and shells that are asked about
  std::vector<Prediction> chances;  // that the likeliest value is right
  std::vector<LabelledThing> judged;  // as shots, where it is kept
  std::vector<std::string> details;
};

struct DiceSweepOptions {
  int throws = 200;
  int faces = 6;  // of the dice: 6, pipped cubes, or 12, numbered dodecahedra
  int seed = 1;
  std::string out;     // where pictures of what went wrong go; none when empty
  bool terms = false;  // keep what was judged as a shot
  std::function<void(int)> progress;  // throws so far
};

// Throws of dice on wild tables (datasets/render/wild_dice.h, wild_d12.h), frame by frame through
// the whole of vision: of 15 to 40 pixels an inch for cubes, 26 to 45 for dice with twelve faces.
// errors  kIo where a picture cannot be written.
Result<DiceSweep> SweepDice(const DiceSweepOptions& options);
std::string SweepText(const DiceSweep& sweep, bool details);

}  // namespace fos
