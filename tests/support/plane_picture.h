// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include <opencv2/aruco.hpp>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "calibration/camera/table_camera.h"
#include "calibration/targets/fiducials.h"
#include "engine/table/scenario.h"

// Pictures of a flat, painted plane through a real lens, for tests: light is gathered over each
// pixel, blurred as light, raised to 1/2.2 and given noise, as a camera does.
namespace fos::test {

struct Film {
  double blur_px = 0.7;
  double noise = 1.0;  // code values, one sigma
  std::uint64_t seed = 1;
};

// light  of a point of the plane z = 0, 0 to 1.
inline cv::Mat PictureOfPlane(const TableCamera& camera, const std::function<double(Vec2)>& light,
                              const Film& film = {}) {
  // Where pixels look is smooth: every fourth is computed, the others lie between.
  constexpr int kEvery = 4;
  constexpr int kSub = 2;
  const int width = camera.lens.width_px;
  const int height = camera.lens.height_px;
  const int columns = width / kEvery + 3;
  std::vector<Vec2> nodes;
  for (int j = -1; j <= height / kEvery + 1; ++j) {
    for (int i = -1; i <= width / kEvery + 1; ++i) {
      const auto at = TableFromImage(
          camera, {static_cast<double>(i * kEvery), static_cast<double>(j * kEvery)}, 0, 0);
      nodes.push_back(at.ok() ? at->at : Vec2{1e6, 1e6});
    }
  }
  cv::Mat_<float> seen(height, width);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (int k = 0; k < kSub * kSub; ++k) {
        const double u = (x + ((k % kSub) + 0.5) / kSub - 0.5) / kEvery + 1;
        const double v = (y + ((k / kSub) + 0.5) / kSub - 0.5) / kEvery + 1;
        const auto i = static_cast<int>(u);
        const auto j = static_cast<int>(v);
        const auto node = [&](int a, int b) {
          return nodes[static_cast<std::size_t>(b * columns + a)];
        };
        const Vec2 above = (1 - (u - i)) * node(i, j) + (u - i) * node(i + 1, j);
        const Vec2 below = (1 - (u - i)) * node(i, j + 1) + (u - i) * node(i + 1, j + 1);
        sum += light((1 - (v - j)) * above + (v - j) * below);
      }
      seen(y, x) = static_cast<float>(sum / (kSub * kSub));
    }
  }
  if (film.blur_px > 0) cv::GaussianBlur(seen, seen, {}, film.blur_px);
  cv::Mat_<float> code;
  cv::pow(cv::max(seen, 0.0), 1 / 2.2, code);
  cv::Mat_<float> noise(code.size());
  cv::RNG rng(film.seed);
  rng.fill(noise, cv::RNG::NORMAL, 0.0, film.noise);
  cv::Mat out;
  cv::Mat(code * 255 + noise).convertTo(out, CV_8UC1);
  return out;
}

// A printed marker: 0 black, 1 white; empty outside its white margin.
class PrintedMarker {
 public:
  PrintedMarker(const FiducialMarker& marker, const FiducialSpec& spec)
      : marker_(marker), size_in_(spec.size_in) {
    const auto dictionary = cv::aruco::getPredefinedDictionary(cv::aruco::DICT_4X4_50);
    cv::aruco::drawMarker(dictionary, marker.id, 6, bits_, 1);
  }
  std::optional<double> At(Vec2 p) const {
    const double module = size_in_ / 6;
    const double x = (p.x - marker_.centre.x + size_in_ / 2) / module;
    const double y = (marker_.centre.y + size_in_ / 2 - p.y) / module;
    if (x < -1 || y < -1 || x >= 7 || y >= 7) return std::nullopt;
    if (x < 0 || y < 0 || x >= 6 || y >= 6) return 1.0;
    return bits_.at<std::uint8_t>(static_cast<int>(y), static_cast<int>(x)) > 0 ? 1.0 : 0.0;
  }

 private:
  FiducialMarker marker_;
  double size_in_;
  cv::Mat bits_;
};

// A board of columns x rows squares with markers 1.5 in outside its corners.
inline TableSpec MarkedTable(int columns, int rows, double square_in) {
  TableSpec table;
  table.frame = {columns, rows, square_in};
  const double w = table.frame.Width() + 1.5;
  const double d = table.frame.Depth() + 1.5;
  table.fiducials = FiducialSpec{
      "DICT_4X4_50", 2.0, {{0, {-1.5, -1.5}}, {1, {w, -1.5}}, {2, {w, d}}, {3, {-1.5, d}}}};
  return table;
}

// Its light: cloth with drawn lines and markers. The lines stray as a hand does, by up to 0.03 in.
struct PaintedTable {
  TableSpec table;
  std::vector<PrintedMarker> markers;
  double cloth = 0.25;
  double line = 0.10;
  double line_width_in = 0.09;
  bool drawn = true;

  explicit PaintedTable(const TableSpec& spec) : table(spec) {
    if (!spec.fiducials) return;
    for (const FiducialMarker& m : spec.fiducials->markers)
      markers.emplace_back(m, *spec.fiducials);
  }
  double operator()(Vec2 p) const {
    for (const PrintedMarker& m : markers) {
      if (const auto print = m.At(p)) return 0.03 + 0.8 * *print;
    }
    const TableFrame& f = table.frame;
    const auto on = [&](double across, double along, double length, int count) {
      const double k = std::round(across / f.square_in);
      if (k < 0 || k > count || along < 0 || along > length) return false;
      const double stray = 0.02 * std::sin(0.7 * along + 2.1 * k) + 0.01 * std::sin(5 * k);
      return std::abs(across - k * f.square_in - stray) < line_width_in / 2;
    };
    if (drawn && (on(p.x, p.y, f.Depth(), f.columns) || on(p.y, p.x, f.Width(), f.rows)))
      return line;
    // Mottled cloth.
    return cloth * (1 + 0.1 * std::sin(1.3 * p.x) * std::cos(1.7 * p.y + 0.4 * p.x));
  }
};

// A webcam of a common sort, `width` pixels wide, hung over the middle of the board.
inline CameraModel Webcam(int width, int height) {
  CameraModel lens;
  lens.width_px = width;
  lens.height_px = height;
  lens.fx_px = lens.fy_px = 0.92 * width;
  lens.cx_px = 0.503 * width;
  lens.cy_px = 0.495 * height;
  lens.distortion = {-0.10, 0.03, 0.0005, -0.0004, 0};
  return lens;
}
// turn_deg   of the picture about the line of sight; 180 hangs it upside down.
// tilt_deg   off the vertical, leaning towards `lean_deg`.
inline TableCamera Overhead(const CameraModel& lens, const TableFrame& frame, double height_in,
                            double turn_deg, double tilt_deg, double lean_deg) {
  const double r = CV_PI / 180;
  cv::Matx33d turn, tilt, flip;
  cv::Rodrigues(cv::Vec3d(CV_PI, 0, 0), flip);  // looking down, north up in the picture
  cv::Rodrigues(cv::Vec3d(0, 0, turn_deg * r), turn);
  cv::Rodrigues(tilt_deg * r * cv::Vec3d(std::cos(lean_deg * r), std::sin(lean_deg * r), 0), tilt);
  const cv::Matx33d rotation = tilt * turn * flip;
  cv::Vec3d rvec;
  cv::Rodrigues(rotation, rvec);
  const cv::Vec3d middle(frame.Width() / 2, frame.Depth() / 2, 0);
  return MakeTableCamera(lens, rvec, cv::Vec3d(0, 0, height_in) - rotation * middle);
}

}  // namespace fos::test
