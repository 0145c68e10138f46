#include "calibration/camera/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace fos {
namespace {

const std::array<double, 256>& LightOfCode() {
  static const std::array<double, 256> table = [] {
    std::array<double, 256> t{};
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = std::pow(static_cast<double>(i) / 255, 2.2);
    return t;
  }();
  return table;
}

}  // namespace

std::optional<double> LightAt(const cv::Mat& grey, double x_px, double y_px) {
  if (!(x_px >= 0 && y_px >= 0 && x_px < grey.cols - 1 && y_px < grey.rows - 1)) {
    return std::nullopt;
  }
  const int x = static_cast<int>(x_px);
  const int y = static_cast<int>(y_px);
  const double u = x_px - x;
  const double v = y_px - y;
  const auto& light = LightOfCode();
  const std::uint8_t* above = grey.ptr<std::uint8_t>(y) + x;
  const std::uint8_t* below = grey.ptr<std::uint8_t>(y + 1) + x;
  return (1 - v) * ((1 - u) * light[above[0]] + u * light[above[1]]) +
         v * ((1 - u) * light[below[0]] + u * light[below[1]]);
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
