// SPDX-License-Identifier: MIT
#include "ui/session/clip.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "calibration/registration/rig_profile.h"
#include "engine/files/plain_text.h"
#include "engine/files/table_file.h"
#include "engine/rules/rule_sets.h"
#include "vision/image/frame_source.h"
#include "vision/image/picture_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

bool IsFile(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

bool IsFolder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

// A video in the folder that is not named as a clip's, such as a phone's; empty when there is none.
fs::path RecordingOfAnotherName(const fs::path& folder) {
  const std::vector<fs::path> pictures = PictureFiles(folder);
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const fs::path& file = entry.path();
    const bool text = file.extension() == ".toml" || file.extension() == ".yaml";
    if (text || !entry.is_regular_file(failed)) continue;
    if (std::find(pictures.begin(), pictures.end(), file) != pictures.end()) continue;
    if (OpenVideo(file).ok()) return file;
  }
  return {};
}

}  // namespace

Result<ClipPaths> FindClip(const fs::path& root, bool has_rig) {
  if (!IsFolder(root)) {
    const std::string setup = IsFile(root) ? fmt::format(
                                                 "; `fallofshot setup {}` writes the last "
                                                 "two on a film's picture",
                                                 ShellWord(root.string()))
                                           : std::string();
    return Error{
        ErrorCode::kNotFound,
        fmt::format("{}: {}; give the folder of a clip, with video.mkv, table.toml and "
                    "scenario.toml{}",
                    root.string(), IsFile(root) ? "is not a folder" : "no such folder", setup)};
  }
  ClipPaths out;
  out.root = root;
  out.table = root / "table.toml";
  out.scenario = root / "scenario.toml";
  for (const fs::path& needed : {out.table, out.scenario}) {
    if (has_rig && needed == out.table) continue;
    if (!IsFile(needed)) {
      return Error{
          ErrorCode::kNotFound,
          fmt::format("{}: no such file; a clip needs one, see docs/files.md", needed.string())};
    }
  }
  out.pictures = RecordingIn(root);
  if (out.pictures.empty()) {
    out.pictures = root / "frames";
    out.is_video = false;
    if (PictureFiles(out.pictures).empty()) {
      const fs::path other = RecordingOfAnotherName(root);
      const std::string mend = other.empty()
                                   ? "put the recording there"
                                   : fmt::format("rename {} to video{}", other.filename().string(),
                                                 other.extension().string());
      return Error{
          ErrorCode::kNotFound,
          fmt::format("{}: neither video.mkv nor frames/000000.png; {}", root.string(), mend)};
    }
  }
  if (has_rig) return out;
  if (IsFile(root / "camera.yaml")) {
    out.camera = root / "camera.yaml";
  } else {
    out.lens_views = PictureFiles(root / "lens");
    if (out.lens_views.empty()) {
      return Error{ErrorCode::kNotFound,
                   fmt::format("{}: neither camera.yaml nor pictures in lens/; calibrate the lens "
                               "or copy the views of the board there. To do without, save a rig "
                               "with `fallofshot calibrate table --rig` and give it with --rig",
                               root.string())};
    }
  }
  return out;
}

Result<Clip> OpenClip(const fs::path& root, const RigProfile* rig) {
  Result<ClipPaths> paths = FindClip(root, rig != nullptr);
  if (!paths.ok()) return paths.error();
  Clip clip;
  clip.paths = std::move(paths).value();
  Result<TableSpec> table = rig != nullptr ? rig->table : ReadTable(clip.paths.table);
  if (!table.ok()) return table.error();
  clip.table = std::move(table).value();
  Result<Scenario> scenario = ReadScenarioUnderRules(clip.paths.scenario, clip.table.frame);
  if (!scenario.ok()) return scenario.error();
  if (Status fit = CheckClubFiles(*scenario); !fit.ok()) return fit.error();
  clip.scenario = std::move(scenario).value();
  if (rig != nullptr) {
    clip.camera = rig->lens;
  } else if (!clip.paths.camera.empty()) {
    Result<CameraModel> camera = ReadCamera(clip.paths.camera);
    if (!camera.ok()) return camera.error();
    clip.camera = std::move(camera).value();
  } else if (!clip.table.charuco) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: no [charuco], so the views in lens/ cannot be used; describe "
                             "their board there, or add camera.yaml",
                             clip.paths.table.string())};
  }
  return clip;
}

Result<fs::path> NamedOrBeside(const std::string& named, const fs::path& source,
                               const std::string& usual, const std::string& option) {
  if (!named.empty()) return fs::path(named);
  std::error_code ec;
  const fs::path beside =
      (fs::is_directory(source, ec) ? source : source.parent_path()) / usual;
  if (fs::exists(beside, ec)) return beside;
  return Error{ErrorCode::kNotFound,
               fmt::format("{}: no such file; name it with {}", beside.string(), option)};
}

}  // namespace fos
