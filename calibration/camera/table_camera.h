// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "calibration/camera/camera_model.h"
#include "engine/table/table_frame.h"
#include "engine/table/vec2.h"

namespace fos {

// A lens and where it hangs over the table: x_camera = R(rvec) * (x, y, z)_table + tvec, inches.
struct TableCamera {
  CameraModel lens;
  cv::Vec3d rvec;
  cv::Vec3d tvec;
  // Of (rvec, tvec), radians and inches; zero for a camera known exactly.
  cv::Matx66d pose_covariance = cv::Matx66d::zeros();
  // Of the lens's nine numbers (CameraModel::covariance's) after the table was fitted, and of them
  // with (rvec, tvec): on the cloth the two make up for each other, above it they do not. Zero for
  // a lens known exactly.
  LensMat lens_covariance = LensMat::zeros();
  cv::Matx<double, 9, 6> lens_pose_covariance = cv::Matx<double, 9, 6>::zeros();
  cv::Matx33d rotation = cv::Matx33d::eye();  // R(rvec), kept because every projection needs it
};
TableCamera MakeTableCamera(const CameraModel& lens, const cv::Vec3d& rvec, const cv::Vec3d& tvec,
                            const cv::Matx66d& pose_covariance = cv::Matx66d::zeros());

// The same camera, delivering only `part` of its picture: for work on a crop, without copying the
// rest.
TableCamera Cropped(const TableCamera& camera, const cv::Rect& part);

// Where the camera's eye is in the table frame, inches; z is its height above the cloth.
cv::Vec3d CameraCentre(const TableCamera& camera);

// Pixel of a table point at height_in above the cloth. FOS_CHECKs that the point is before the
// camera.
ImagePoint ImageFromTable(const TableCamera& camera, Vec2 at, double height_in);

// Pixels an inch at that place and height: root of the area scale of ImageFromTable.
double PixelsPerInch(const TableCamera& camera, Vec2 at, double height_in);

struct TablePoint {
  Vec2 at;   // inches
  Cov2 cov;  // inches squared: the pixel's own noise, the pose's and the lens's covariance
};
// The table point seen at `at`, on the level height_in above the table top, with its uncertainty.
// at         pixels, distortion still in; the first pixel's centre is (0, 0), as OpenCV counts.
// height_in  0 for the cloth, the top face for a base: a tall piece leans away from the camera.
// sigma_px   one standard deviation of `at`, the same both ways.
// errors     kDegenerate when the ray runs along that level or meets it behind the camera.
// source     Hartley & Zisserman, Multiple View Geometry, 2nd ed., 5.2 (forward propagation).
Result<TablePoint> TableFromImage(const TableCamera& camera, ImagePoint at, double height_in,
                                  double sigma_px);

// How far two cameras put the same pixel apart, at the worst corner of the board, inches; infinite
// where the other does not see a corner's pixel on the table.
double CornersApart(const TableCamera& one, const TableCamera& other, const TableFrame& frame);

}  // namespace fos
