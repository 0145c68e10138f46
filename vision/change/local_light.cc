// SPDX-License-Identifier: MIT
#include "vision/change/local_light.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "engine/table/quantile.h"

namespace fos {
namespace {

float RatioAt(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain, cv::Point at,
              int channel) {
  // One grey level more: black pixels have no ratio.
  return static_cast<float>((now.at<cv::Vec3b>(at)[channel] + 1.0) /
                            (known.at<cv::Vec3b>(at)[channel] * gain[channel] + 1.0));
}

// a + b x + c y through the values, without those that differ from most.
cv::Vec3d PlaneThrough(const std::vector<cv::Point>& places, const std::vector<double>& values) {
  std::vector<double> sorted = values;
  cv::Vec3d plane(UpperMedian(sorted), 0, 0);
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> off;
    for (std::size_t i = 0; i < places.size(); ++i)
      off.push_back(std::abs(values[i] - plane.dot({1.0, 1.0 * places[i].x, 1.0 * places[i].y})));
    sorted = off;
    constexpr double kMost = 2.5 * 1.4826;  // two and a half sigmas of a normal's median
    const double most = kMost * UpperMedian(sorted) + 1e-6;
    cv::Matx33d a = cv::Matx33d::eye() * 1e-9;
    cv::Vec3d b;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (off[i] > most) continue;
      const cv::Vec3d x(1, places[i].x, places[i].y);
      a += x * x.t();
      b += x * values[i];
    }
    plane = a.solve(b, cv::DECOMP_CHOLESKY);
  }
  return plane;
}

}  // namespace

std::optional<cv::Scalar> MedianGain(const cv::Mat& now, const cv::Mat& then,
                                     const cv::Mat& where) {
  std::array<std::vector<float>, 3> ratios;
  for (int row = 0; row < where.rows; ++row) {
    for (int column = 0; column < where.cols; ++column) {
      if (where.at<std::uint8_t>(row, column) == 0) continue;
      const cv::Vec3b a = now.at<cv::Vec3b>(row, column);
      const cv::Vec3b b = then.at<cv::Vec3b>(row, column);
      for (int c = 0; c < 3; ++c)
        ratios[static_cast<std::size_t>(c)].push_back((static_cast<float>(a[c]) + 1) /
                                                      (static_cast<float>(b[c]) + 1));
    }
  }
  cv::Scalar gain;
  for (std::size_t c = 0; c < ratios.size(); ++c) {
    if (ratios[c].empty()) return std::nullopt;
    gain[static_cast<int>(c)] = static_cast<double>(UpperMedian(ratios[c]));
  }
  return gain;
}

std::optional<cv::Mat> GainsAbout(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain,
                                  const cv::Mat& where) {
  std::vector<cv::Point> places;
  cv::findNonZero(where, places);
  constexpr std::size_t kEnough = 30;  // ten for each unknown
  if (places.size() < kEnough) return std::nullopt;
  cv::Mat out(now.size(), CV_32FC3);
  for (int c = 0; c < 3; ++c) {
    std::vector<double> ratios;
    for (const cv::Point at : places)
      ratios.push_back(static_cast<double>(RatioAt(now, known, gain, at, c)));
    const cv::Vec3d plane = PlaneThrough(places, ratios);
    for (int row = 0; row < out.rows; ++row) {
      for (int column = 0; column < out.cols; ++column) {
        out.at<cv::Vec3f>(row, column)[c] =
            static_cast<float>(std::max(plane.dot({1.0, 1.0 * column, 1.0 * row}), 0.0));
      }
    }
  }
  return out;
}

cv::Mat GainsOfLit(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain,
                   const cv::Mat& where, int about_px) {
  cv::Mat change(now.size(), CV_32FC3, cv::Scalar::all(0));  // gain less 1, by its own size
  cv::Mat weight(now.size(), CV_32FC1, cv::Scalar::all(0));
  const auto change_at = [&](cv::Point at) {
    return cv::Vec3f(RatioAt(now, known, gain, at, 0) - 1, RatioAt(now, known, gain, at, 1) - 1,
                     RatioAt(now, known, gain, at, 2) - 1);
  };
  std::vector<cv::Point> places;
  cv::findNonZero(where, places);
  for (const cv::Point at : places) {
    const cv::Vec3f by = change_at(at);
    const auto size = static_cast<float>(cv::norm(by));
    weight.at<float>(at) = size;
    change.at<cv::Vec3f>(at) = size * by;
  }
  const cv::Size about(2 * about_px + 1, 2 * about_px + 1);
  cv::blur(change, change, about, {-1, -1}, cv::BORDER_CONSTANT);
  cv::blur(weight, weight, about, {-1, -1}, cv::BORDER_CONSTANT);
  cv::Mat out(now.size(), CV_32FC3, cv::Scalar::all(0));
  for (int row = 0; row < now.rows; ++row) {
    for (int column = 0; column < now.cols; ++column) {
      const cv::Point at(column, row);
      const float sum = weight.at<float>(at);
      if (sum <= 0) continue;
      const cv::Vec3f whole = change.at<cv::Vec3f>(at) / sum;
      // At most half as much again as in the mean.
      constexpr float kMostOfMean = 1.5F;
      const float square = std::max(whole.dot(whole), 1e-6F);
      const float part = std::clamp(change_at(at).dot(whole) / square, 0.0F, kMostOfMean);
      out.at<cv::Vec3f>(at) = cv::Vec3f::all(1) + part * whole;
    }
  }
  return out;
}

cv::Mat GainsUnder(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain,
                   const cv::Mat& lit, const cv::Mat& under, int about_px) {
  const cv::Size about(2 * about_px + 1, 2 * about_px + 1);
  cv::Mat count;
  lit.convertTo(count, CV_32F, 1.0 / 255);
  cv::blur(count, count, about);
  const auto mean_of_lit = [&](const cv::Mat& bgr, const cv::Vec3d& times) {
    cv::Mat out;
    cv::multiply(bgr, cv::Scalar(times[0], times[1], times[2]), out, 1, CV_32F);
    out.setTo(0, ~lit);
    cv::blur(out, out, about);
    return out;
  };
  const cv::Mat was = mean_of_lit(known, gain);
  const cv::Mat is = mean_of_lit(now, {1, 1, 1});
  const auto sum = [](const cv::Vec3f& of) { return of[0] + of[1] + of[2]; };
  const cv::Vec3f one = cv::Vec3f::all(1);  // grey level: black pixels have no ratio
  cv::Mat out(now.size(), CV_32FC3, cv::Scalar::all(1));
  std::vector<cv::Point> places;
  cv::findNonZero(under, places);
  for (const cv::Point at : places) {
    const float n = count.at<float>(at);
    if (n <= 0) continue;
    const cv::Vec3f from = was.at<cv::Vec3f>(at) / n + one;
    const cv::Vec3f to = is.at<cv::Vec3f>(at) / n + one;
    const cv::Vec3b& here = known.at<cv::Vec3b>(at);
    const float level = sum(cv::Vec3f(cv::Vec3d(here).mul(gain)) + one);
    const bool nearer_to_lighter = level * level > sum(from) * sum(to);
    if (nearer_to_lighter == (sum(from) > sum(to)))
      out.at<cv::Vec3f>(at) = {to[0] / from[0], to[1] / from[1], to[2] / from[2]};
  }
  return out;
}

}  // namespace fos
