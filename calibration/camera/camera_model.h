// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include <opencv2/core.hpp>

#include "engine/table/result.h"

namespace fos {

// A place in the picture as the camera delivers it, distortion in; the first pixel's centre is (0,
// 0), as OpenCV counts. Pixels and inches never share a type.
struct ImagePoint {
  double x_px = 0;
  double y_px = 0;
};

// A pinhole with Brown-Conrady distortion (k1 k2 p1 p2 k3), or OpenCV's fisheye polynomial
// (k1..k4). source  OpenCV, calib3d, "Camera Calibration and 3D Reconstruction" and "Fisheye camera
// model".
struct CameraModel {
  enum class Lens { kBrownConrady, kFisheye };

  int width_px = 0;
  int height_px = 0;
  double fx_px = 0;
  double fy_px = 0;
  double cx_px = 0;
  double cy_px = 0;
  Lens lens = Lens::kBrownConrady;
  std::array<double, 5> distortion{};  // k1 k2 p1 p2 k3; fisheye: k1 k2 k3 k4 0
  double rms_px = 0;                   // on views left out of the fit; 0 when unknown
  // Of (fx fy cx cy, distortion[0..4]), in the units of those; absent when the file does not say.
  std::optional<cv::Matx<double, 9, 9>> covariance;

  cv::Matx33d Matrix() const { return {fx_px, 0, cx_px, 0, fy_px, cy_px, 0, 0, 1}; }
};

// The nine numbers of a lens that a fit may change: fx fy cx cy and the distortion.
using LensVec = cv::Vec<double, 9>;
using LensMat = cv::Matx<double, 9, 9>;

LensVec NumbersOf(const CameraModel& camera);
// The same lens with its nine numbers moved by `change`.
CameraModel Moved(const CameraModel& camera, const LensVec& change);

// Where the ray (x, y, 1) of the camera's own frame (x right, y down, z into the scene) falls.
ImagePoint Distort(const CameraModel& camera, double x, double y);
// How that place changes: pixels for a unit of x and y, and for a unit of each of the nine numbers.
struct DistortDerivative {
  cv::Matx22d by_ray;
  cv::Matx<double, 2, 9> by_lens;
};
DistortDerivative DerivativeOf(const CameraModel& camera, double x, double y);
// The ray (x, y, 1) through a pixel. Empty where the lens folds over and no ray exists.
std::optional<cv::Vec2d> Undistort(const CameraModel& camera, ImagePoint at);

// camera.yaml: OpenCV FileStorage with image_width, image_height, camera_matrix,
// distortion_coefficients (4 or 5 numbers), and of ours: lens ("fisheye"), rms_px, covariance.
// errors  kNotFound, kBadFormat (missing or mistyped key), kOutOfRange (a number no lens has).
Result<CameraModel> ReadCamera(const std::filesystem::path& path);
// Numbers that a lens can have, from wherever they come.
// errors  kOutOfRange: which no lens has.
Status CheckCamera(const CameraModel& camera);
// Writes what ReadCamera reads back bit for bit, whole or not at all.
// errors  kIo; kOutOfRange when ReadCamera would refuse the file.
Status WriteCamera(const CameraModel& camera, const std::filesystem::path& path);

}  // namespace fos
