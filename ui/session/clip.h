#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "calibration/camera/camera_model.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// Where the parts of a clip lie (contract, section 2).
struct ClipPaths {
  std::filesystem::path root;
  std::filesystem::path pictures;  // video.mkv, or the folder frames/
  bool is_video = true;
  std::filesystem::path table;
  std::filesystem::path scenario;
  std::filesystem::path camera;                   // empty when the lens comes from lens_views
  std::vector<std::filesystem::path> lens_views;  // of the ChArUco board, by name
};

// A clip opened: its text files read and checked, its pictures not yet.
struct Clip {
  ClipPaths paths;
  TableSpec table;
  Scenario scenario;
  std::optional<CameraModel> camera;  // absent: to be calibrated from paths.lens_views
};

// What lies in the folder.
// errors  kNotFound: the first part that lacks, and what would do.
Result<ClipPaths> FindClip(const std::filesystem::path& root);
// errors  as FindClip, ReadTable, ReadScenario and ReadCamera; kBadFormat when the lens must come
//         from lens/ and table.toml does not say what board it shows.
Result<Clip> OpenClip(const std::filesystem::path& root);

}  // namespace fos
