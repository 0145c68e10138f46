// SPDX-License-Identifier: MIT
#include "datasets/score/predictions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace fos {

std::vector<PredictionBin> BinsOf(const std::vector<Prediction>& predictions) {
  constexpr int kBins = 10;
  std::vector<PredictionBin> bins(kBins);
  for (const Prediction& one : predictions) {
    const int at = std::clamp(static_cast<int>(one.stated * kBins), 0, kBins - 1);
    PredictionBin& bin = bins[static_cast<std::size_t>(at)];
    ++bin.count;
    bin.weight += one.weight;
    bin.mean_stated += one.weight * one.stated;
    bin.share_true += one.came_true ? one.weight : 0;
  }
  for (PredictionBin& bin : bins) {
    if (bin.count == 0) continue;
    bin.mean_stated /= bin.weight;
    bin.share_true /= bin.weight;
  }
  return bins;
}

double CalibrationError(const std::vector<Prediction>& predictions) {
  if (predictions.empty()) return 0;
  double sum = 0;
  double all = 0;
  for (const PredictionBin& bin : BinsOf(predictions)) {
    sum += bin.weight * std::abs(bin.mean_stated - bin.share_true);
    all += bin.weight;
  }
  return sum / all;
}

std::string PredictionLines(const std::string& what, const std::string& came,
                            const std::vector<Prediction>& predictions) {
  if (predictions.empty()) return {};
  std::string out =
      fmt::format("{}: expected calibration error {:.4f}\n", what, CalibrationError(predictions));
  for (const PredictionBin& bin : BinsOf(predictions)) {
    if (bin.count == 0) continue;
    out += fmt::format("  said {:.2f}: {:.2f} {} of {}\n", bin.mean_stated, bin.share_true, came,
                       bin.count);
  }
  return out;
}

}  // namespace fos
