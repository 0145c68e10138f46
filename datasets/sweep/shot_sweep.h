// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "datasets/score/score.h"
#include "engine/table/result.h"

namespace fos {

// How well shots are found, measured and called on made-up tables (datasets/shot_table.h). The
// frames go through all of vision and the calls, as a camera's do.
struct ShotSweep {
  int tables = 0;
  int unread_tables = 0;  // never found, or without their stands
  struct Count {
    int there = 0;
    int found = 0;
    int asked = 0;  // seen, but the players are asked for the point
  };
  std::map<std::string, Count> shots;  // by how much of the tip or top is in view
  // By what else happened ("rolled in", "as one is picked up", "after the lamp was switched", ...),
  // and by the camera's fault.
  struct Scene {
    int times = 0;
    Count shots;
    int invented = 0;
  };
  std::map<std::string, Scene> scenes;
  int invented = 0;         // measured where no projectile came to rest
  int others = 0;           // dropped things that are not projectiles
  int asked_of_others = 0;  // the players are asked about them
  std::vector<double> errors_in;
  std::map<std::string, std::vector<double>> errors_by;  // how it lies, the picture's size
  int inside_95 = 0;                                     // of those found: in the stated ellipse
  std::vector<double> delays;                            // frames from at rest to the verdict
  std::vector<ScoredCall> calls;         // for stands truly within hit_radius + 1.5 in
  int uncalled = 0;                      // such stands that the verdict does not name
  std::vector<double> gap_errors_in;     // of the distances to those stands
  std::vector<double> gap_errors_sigma;  // the same, in stated sigmas
  std::vector<std::string> details;      // what went wrong, one line each
};

struct ShotSweepOptions {
  int shots = 1000;  // at least
  int seed = 1;
  bool faults = false;                // each table's camera has one fault of real webcams
  std::string out;                    // where pictures of what went wrong go; none when empty
  std::function<void(int)> progress;  // shots so far
};

// errors  kIo where a picture cannot be written.
Result<ShotSweep> SweepShots(const ShotSweepOptions& options);
// Draws the share of hits against the stated probability of a hit: one point for each tenth, its
// size by the number of calls. An honest referee's points lie on the diagonal.
// errors  kIo
Status WriteReliability(const std::vector<ScoredCall>& calls, const std::filesystem::path& file);
std::string SweepText(const ShotSweep& sweep, bool details);

}  // namespace fos
