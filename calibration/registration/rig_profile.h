// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "calibration/camera/learnt_projectile.h"
#include "calibration/camera/pose_fit.h"
#include "calibration/camera/table_camera.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// All that a club sets up once, in one file: the camera's lens, the table, where the camera hung
// over it when it was last found, a height measured by tape, and the paints as this lamp shows
// them. The table is found anew every evening; the file saves the pose to tell how far the camera
// has moved since.
struct RigProfile {
  CameraModel lens;
  TableSpec table;
  std::optional<TapedHeight> height;
  struct Pose {
    cv::Vec3d rvec;
    cv::Vec3d tvec;
    double worst_sigma_in = 0;
  };
  std::optional<Pose> pose;
  std::map<std::string, Colour> paints;  // of sides by name, as they were seen
  std::vector<LearntProjectile> projectiles;
  std::string made;     // date, "2026-11-21"
  std::string program;  // version that wrote it
};

// TOML that ReadRig reads back number for number, written whole or not at all (docs/files.md, "A
// rig").
// errors  kIo; those of ReadRig when it would refuse the file.
Status WriteRig(const RigProfile& rig, const std::filesystem::path& path);
// errors  kNotFound, kBadFormat (an unknown key, a later format: file and line), kOutOfRange.
Result<RigProfile> ReadRig(const std::filesystem::path& path);

}  // namespace fos
