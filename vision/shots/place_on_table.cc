// SPDX-License-Identifier: MIT
#include "vision/shots/place_on_table.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "vision/image/patch.h"
#include "vision/image/rectify.h"
#include "vision/shots/change_window.h"

namespace fos {

Vec2 AtHeight(const cv::Vec3d& eye, Vec2 at, double level_in, double height_in) {
  const Vec2 foot{eye[0], eye[1]};
  return foot + ((eye[2] - height_in) / (eye[2] - level_in)) * (at - foot);
}

Cov2 RegistrationCov(const TableCamera& camera, Vec2 at, double height_in) {
  const auto point = TableFromImage(camera, ImageFromTable(camera, at, height_in), height_in, 0);
  return point.ok() ? point->cov : Cov2{};
}

Cov2 HeightCov(const cv::Vec3d& eye, Vec2 at, double height_in, double sigma_height_in) {
  const Vec2 slope = (at - Vec2{eye[0], eye[1]}) / (eye[2] - height_in);
  const Vec2 shift = sigma_height_in * slope;
  return {shift.x * shift.x, shift.x * shift.y, shift.y * shift.y};
}

namespace {

constexpr double kHighest_in = 2.4;  // of trees and mounted standard bearers
constexpr double kAbout_in = 0.15;   // so near to a ray a thing may be in its way

// The place below a ray's point at a height, of the ray that meets the table at a point.
Vec2 BelowRay(const cv::Vec3d& eye, Vec2 at, double height_in) {
  return at + (height_in / eye[2]) * (Vec2{eye[0], eye[1]} - at);
}

// Whether something stands in the camera's way to a point on the table.
// stands  whether it stands at a place
template <typename Stands>
bool InTheWay(const cv::Vec3d& eye, Vec2 at, const Stands& stands) {
  constexpr int kSteps = 6;
  for (int k = 0; k <= kSteps; ++k) {
    const Vec2 on_ray = BelowRay(eye, at, kHighest_in * k / kSteps);
    for (const Vec2 d : {Vec2{0, 0}, Vec2{kAbout_in, 0}, Vec2{-kAbout_in, 0}, Vec2{0, kAbout_in},
                         Vec2{0, -kAbout_in}}) {
      if (stands(on_ray + d)) return true;
    }
  }
  return false;
}

}  // namespace

bool MayBeHidden(const TerrainMap& terrain, const cv::Vec3d& eye, Vec2 at) {
  return InTheWay(eye, at, [&](Vec2 place) { return terrain.ObstacleAt(place); });
}

bool MayBeInCover(const TerrainMap& terrain, const cv::Vec3d& eye, Vec2 at) {
  return InTheWay(eye, at, [&](Vec2 place) { return terrain.SceneryAt(place); });
}

cv::Mat HiddenMask(const TerrainMap& terrain, const TableCamera& camera, cv::Size size,
                   double level_in) {
  constexpr int kStep_px = 4;
  const cv::Vec3d eye = CameraCentre(camera);
  cv::Mat coarse((size.height + kStep_px - 1) / kStep_px, (size.width + kStep_px - 1) / kStep_px,
                 CV_8UC1, cv::Scalar(0));
  std::vector<Vec2> at;  // of each coarse pixel that shows the level
  std::vector<cv::Point> pixel;
  std::vector<Vec2> looked;  // the ends of their rays
  for (int row = 0; row < coarse.rows; ++row) {
    for (int column = 0; column < coarse.cols; ++column) {
      const auto there = TableFromImage(
          camera, {(column + 0.5) * kStep_px, (row + 0.5) * kStep_px}, level_in, 0);
      if (!there.ok()) continue;
      at.push_back(there->at);
      pixel.emplace_back(column, row);
      looked.push_back(there->at);
      looked.push_back(BelowRay(eye, there->at, kHighest_in));
    }
  }
  if (!at.empty()) {
    // A part of a picture shows few of the table's obstacles.
    constexpr double kRoom_in = 0.01;  // for what rounding may move
    const TerrainMap near = terrain.Within(Grown(BoundsOf(looked), kAbout_in + kRoom_in));
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (MayBeHidden(near, eye, at[i])) coarse.at<std::uint8_t>(pixel[i]) = 255;
    }
  }
  cv::Mat out;
  cv::resize(coarse, out, size, 0, 0, cv::INTER_NEAREST);
  return out;
}

cv::Mat MaskWithOthers(const cv::Mat& hidden, const std::vector<Polygon>& others,
                       const ShotPictures& pictures, double level_in) {
  if (others.empty()) return hidden;
  cv::Mat out =
      hidden.empty() ? cv::Mat(pictures.after.size(), CV_8UC1, cv::Scalar(0)) : hidden.clone();
  for (const Polygon& other : others) {
    cv::fillConvexPoly(out, PixelsAt(pictures.camera, other, level_in), cv::Scalar(kAnothers));
  }
  return out;
}

cv::Rect PixelsOf(const TableCamera& camera, const TableBox& box, double level_in) {
  const std::array<Vec2, 4> corners{box.low, {box.high.x, box.low.y}, box.high,
                                    {box.low.x, box.high.y}};
  return cv::boundingRect(PixelsAt(camera, corners, level_in));
}

Polygon StickOutline(Vec2 tip, Vec2 tail, double half_width_in) {
  const Vec2 along = Normalized(tail - tip);
  const Vec2 across = Perpendicular(along);
  const Vec2 a = tip - half_width_in * along;
  const Vec2 b = tail + half_width_in * along;
  return {a + half_width_in * across, b + half_width_in * across, b - half_width_in * across,
          a - half_width_in * across};
}

}  // namespace fos
