// SPDX-License-Identifier: MIT
#include "calibration/camera/sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "calibration/camera/bilinear.h"
#include "calibration/camera/response.h"

namespace fos {
std::optional<double> LightAt(const cv::Mat& grey, double x_px, double y_px) {
  const auto& light = LightOfSrgbCode();
  return GreyBilinearAt(grey, x_px, y_px, [&](std::uint8_t code) { return light[code]; });
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

RobustLine FitLine(const std::vector<double>& x, const std::vector<double>& y) {
  RobustLine line;
  line.middle = Median(y);
  constexpr int kRounds = 6;
  constexpr double kTukey = 4.685;          // 95 % efficient on normal noise
  constexpr double kSigmaFromMad = 1.4826;  // of a normal distribution
  constexpr double kFinest = 1e-6;          // keeps a perfect line from dividing by nothing
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> off;
    for (std::size_t i = 0; i < x.size(); ++i) {
      off.push_back(std::abs(y[i] - line.middle - line.slope * x[i]));
    }
    line.sigma = std::max(kFinest, kSigmaFromMad * Median(off));
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double r = off[i] / (kTukey * line.sigma);
      if (r >= 1) continue;
      const double k = (1 - r * r) * (1 - r * r);
      w += k;
      wx += k * x[i];
      wy += k * y[i];
      wxx += k * x[i] * x[i];
      wxy += k * x[i] * y[i];
    }
    const double det = w * wxx - wx * wx;
    if (!(det > 1e-12)) break;
    line.slope = (w * wxy - wx * wy) / det;
    line.middle = (wy - line.slope * wx) / w;
  }
  return line;
}

}  // namespace fos
