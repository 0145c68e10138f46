// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/shapes.h"
#include "vision/scene/terrain_map.h"
#include "vision/shots/shot_detector.h"

// From what a picture shows on one level to places on the table at their own heights, with what
// registration and heights add to their doubt. Inches.
namespace fos {

// A point seen on a level, where it lies at another height. eye: the camera's centre.
Vec2 AtHeight(const cv::Vec3d& eye, Vec2 at, double level_in, double height_in);
// Registration error at that place, without the picture's noise.
Cov2 RegistrationCov(const TableCamera& camera, Vec2 at, double height_in);
// What not knowing the height does: a shift away from the camera's foot point.
Cov2 HeightCov(const cv::Vec3d& eye, Vec2 at, double height_in, double sigma_height_in);

// Whether something may stand in the camera's way to a point: a figure, a tree, a house, a base
// that it lies under or that is as light as it is.
bool MayBeHidden(const TerrainMap& terrain, const cv::Vec3d& eye, Vec2 at);
// Whether a tree, a house or a hedge may.
bool MayBeInCover(const TerrainMap& terrain, const cv::Vec3d& eye, Vec2 at);
// The same for all that a picture shows of a level. CV_8UC1 of the picture's size, 255 where it may
// be hidden.
cv::Mat HiddenMask(const TerrainMap& terrain, const TableCamera& camera, cv::Size size,
                   double level_in);

// Such a mask, or none, with the places of other new things: kAnothers.
cv::Mat MaskWithOthers(const cv::Mat& hidden, const std::vector<Polygon>& others,
                       const ShotPictures& pictures, double level_in);

// What of a picture shows a part of the table at a height: the rectangle about its corners, which may
// reach out of the picture.
cv::Rect PixelsOf(const TableCamera& camera, const TableBox& box, double level_in);

// A strip about a stick, longer by half_width_in at both ends.
Polygon StickOutline(Vec2 tip, Vec2 tail, double half_width_in);

}  // namespace fos
