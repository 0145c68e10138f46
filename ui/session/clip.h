// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "calibration/camera/camera_model.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

struct RigProfile;

// The files of a clip (docs/files.md).
struct ClipPaths {
  std::filesystem::path root;
  std::filesystem::path pictures;  // video.mkv, .mp4, ..., or the folder frames/
  bool is_video = true;
  std::filesystem::path table;
  std::filesystem::path scenario;
  std::filesystem::path camera;                   // empty when the lens comes from lens_views
  std::vector<std::filesystem::path> lens_views;  // of the ChArUco board, by name
};

// An opened clip: its text files are read and checked, its pictures are not.
struct Clip {
  ClipPaths paths;
  TableSpec table;
  Scenario scenario;
  std::optional<CameraModel> camera;  // empty: to be calibrated from paths.lens_views
};

// Looks for the clip's files in its folder.
// has_rig  a rig has lens and table: the clip needs none.
// errors   kNotFound: the first missing part.
Result<ClipPaths> FindClip(const std::filesystem::path& root, bool has_rig = false);
// rig      its lens and table replace the clip's, which are not read; null: the clip's own.
// errors   those of FindClip, ReadTable, ReadScenarioUnderRules and ReadCamera; kBadFormat: the
//          lens must come from lens/, but table.toml does not describe the board.
Result<Clip> OpenClip(const std::filesystem::path& root, const RigProfile* rig = nullptr);

// The file that an option names, else the one of its usual name beside the source.
// source  a picture, a recording, or a folder of them
// option  names another: "--table"
// errors  kNotFound: none is named, and none lies there.
Result<std::filesystem::path> NamedOrBeside(const std::string& named,
                                            const std::filesystem::path& source,
                                            const std::string& usual, const std::string& option);

}  // namespace fos
