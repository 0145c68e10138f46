// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <opencv2/aruco/charuco.hpp>

#include "calibration/lens/lens_calibration.h"
#include "tests/support/plane_picture.h"

// Made-up views of a ChArUco board held before a camera.
namespace fos::test {

inline const CharucoSpec kCharuco{9, 6, 1.0, 0.75, "DICT_5X5_100"};

inline cv::Mat PrintedBoard(int square_px) {
  const auto board = cv::aruco::CharucoBoard::create(
      9, 6, 1.0F, 0.75F, cv::aruco::getPredefinedDictionary(cv::aruco::DICT_5X5_100));
  cv::Mat print;
  board->draw({9 * square_px, 6 * square_px}, print, 0, 1);
  return print;
}

struct Held {  // how the board is held before the camera
  double distance_in, turn_deg, tilt_deg, lean_deg;
};

inline std::vector<LensView> Views(const CameraModel& lens, const std::vector<Held>& held,
                                   const std::function<double(Vec2)>& light) {
  std::vector<LensView> views;
  const TableFrame frame{9, 6, 1.0};
  for (const Held& h : held) {
    const TableCamera camera =
        Overhead(lens, frame, h.distance_in, h.turn_deg, h.tilt_deg, h.lean_deg);
    const Film film{0.7, 1.0, views.size() + 1};
    views.push_back({std::to_string(views.size()) + ".png", PictureOfPlane(camera, light, film)});
  }
  return views;
}

inline std::vector<LensView> CharucoViews(const CameraModel& lens, const std::vector<Held>& held) {
  constexpr int kPrint_px = 64;  // of a square
  const cv::Mat print = PrintedBoard(kPrint_px);
  return Views(lens, held, [&](Vec2 p) {
    const double x = p.x * kPrint_px;
    const double y = (6 - p.y) * kPrint_px;
    if (x < 0 || y < 0 || x >= print.cols || y >= print.rows) return 0.3;
    return print.at<std::uint8_t>(static_cast<int>(y), static_cast<int>(x)) > 0 ? 0.75 : 0.03;
  });
}

}  // namespace fos::test
