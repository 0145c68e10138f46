// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <opencv2/core.hpp>

namespace fos {

// Light (not code value) at a place of a grey picture, 0 to 1, bilinear between pixels; empty out
// of the picture. Lenses blur light, and cameras bend its curve afterwards (response.h): an
// edge's middle lies half-way in light, not in code values.
std::optional<double> LightAt(const cv::Mat& grey, double x_px, double y_px);

// Of a copy; 0 for none.
double Median(std::vector<double> values);

// y = middle + slope * x, by least squares with the strays thrown out (Tukey's biweight).
struct RobustLine {
  double middle = 0;
  double slope = 0;
  double sigma = 0;  // robust spread of one value about the line
};
RobustLine FitLine(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace fos
