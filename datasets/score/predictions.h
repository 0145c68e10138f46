// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

// How honest stated probabilities are.
namespace fos {

struct Prediction {
  double stated = 0;  // [0, 1]
  bool came_true = false;
  double weight = 1;
};

// Predictions in ten equal bins of the stated probability. Means are weighted.
struct PredictionBin {
  int count = 0;
  double weight = 0;  // of all of them
  double mean_stated = 0;
  double share_true = 0;
};
std::vector<PredictionBin> BinsOf(const std::vector<Prediction>& predictions);

// The mean distance between a bin's stated probability and its share that came true, weighted by
// the predictions in it. 0 of none.
// source  expected calibration error: Naeini, Cooper, Hauskrecht, AAAI 2015.
double CalibrationError(const std::vector<Prediction>& predictions);

// Both, for a terminal; empty of none.
// what  "p_hit over 120 calls"
// came  what came true: "hits"
std::string PredictionLines(const std::string& what, const std::string& came,
                            const std::vector<Prediction>& predictions);

}  // namespace fos
