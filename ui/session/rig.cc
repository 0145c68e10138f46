// SPDX-License-Identifier: MIT
#include "ui/session/rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <opencv2/core.hpp>
#include <system_error>

#include "calibration/registration/rig_profile.h"
#include "engine/files/table_file.h"
#include "engine/rules/rule_sets.h"
#include "ui/session/clip.h"
#include "ui/session/lens_views.h"
#include "vision/shots/shot_detector.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// Assumed frame rate of a folder of pictures, which does not record one.
constexpr double kFolderFps = 30;

// The lens of the clip: its camera.yaml, or calibrated from its views of the board. The latter is
// written to the output folder, so that the next clip of this camera can use it.
Result<CameraModel> LensOf(const Clip& clip, OutFolder& out) {
  if (clip.camera) return *clip.camera;
  const Result<LensCalibration> lens =
      CalibrateFromPictures(clip.paths.lens_views, *clip.table.charuco);
  if (!lens.ok()) return lens.error();
  const Result<fs::path> file = out.FileFor("camera.yaml");
  if (!file.ok()) return file.error();
  const Status written = WriteCamera(lens->camera, *file);
  if (!written.ok()) return written.error();
  return lens->camera;
}

Status SameSize(const FrameSource& source, const CameraModel& lens, const std::string& pictures,
                const fs::path& lens_name) {
  if (source.Size() == cv::Size(lens.width_px, lens.height_px)) return Ok();
  return Error{
      ErrorCode::kBadFormat,
      fmt::format("{}: its pictures are {} x {}, but {} is for {} x {}; give the camera file of "
                  "this camera and picture size",
                  pictures, source.Size().width, source.Size().height, lens_name.string(),
                  lens.width_px, lens.height_px)};
}

// A phone's recording as its sensor sees it; turned as its flag says where the lens was calibrated
// on turned pictures.
Result<std::unique_ptr<FrameSource>> OpenVideoFor(const CameraModel& lens, const fs::path& file) {
  Result<std::unique_ptr<FrameSource>> stored = OpenVideo(file);
  const cv::Size wanted(lens.width_px, lens.height_px);
  if (!stored.ok() || (*stored)->Size() == wanted) return stored;
  Result<std::unique_ptr<FrameSource>> turned = OpenVideo(file, Turn::kAsFlagged);
  if (turned.ok() && (*turned)->Size() == wanted) return turned;
  return stored;
}

// The paints as seen under this light when the rig was made are a better prior than nominal ones.
void UseSeenPaints(const RigProfile& profile, Scenario& scenario) {
  for (SideSpec& side : scenario.sides) {
    if (const auto seen = profile.paints.find(side.name); seen != profile.paints.end()) {
      side.paint = seen->second;
    }
  }
}

std::optional<KnownPose> HungAt(const RigProfile& profile) {
  if (!profile.pose) return std::nullopt;
  return KnownPose{profile.pose->rvec, profile.pose->tvec};
}

}  // namespace

Result<Rig> OpenRig(const fs::path& path, OutFolder& out, const fs::path& rig) {
  std::optional<RigProfile> profile;
  if (!rig.empty()) {
    Result<RigProfile> read = ReadRig(rig);
    if (!read.ok()) return read.error();
    profile = std::move(read).value();
  }
  Result<Clip> clip = OpenClip(path, profile ? &*profile : nullptr);
  if (!clip.ok()) return clip.error();
  std::optional<KnownPose> hung;
  std::vector<LearntProjectile> learnt;
  if (profile) {
    clip->paths.camera = rig;  // for messages
    UseSeenPaints(*profile, clip->scenario);
    TakeLearnt(profile->projectiles, clip->scenario);
    learnt = profile->projectiles;
    hung = HungAt(*profile);
  }
  const ClipPaths& paths = clip->paths;
  const auto open = [is_video = paths.is_video, pictures = paths.pictures,
                     camera = clip->camera]() -> Result<std::unique_ptr<FrameSource>> {
    if (!is_video) return OpenPictureFolder(pictures, kFolderFps);
    return camera ? OpenVideoFor(*camera, pictures) : OpenVideo(pictures);
  };
  Result<std::unique_ptr<FrameSource>> source = open();
  if (!source.ok()) return source.error();
  const Status made = out.Make();
  if (!made.ok()) return made.error();
  const Result<CameraModel> lens = LensOf(*clip, out);
  if (!lens.ok()) return lens.error();
  const Status same = SameSize(**source, *lens, paths.pictures.string(),
                               clip->camera ? paths.camera : path / "lens");
  if (!same.ok()) return same.error();
  return Rig{std::move(clip->table),
             std::move(clip->scenario),
             *lens,
             std::move(*source),
             paths.pictures.string(),
             path.string(),
             /*live=*/false,
             rig.empty() ? MatchFiles{paths.table, paths.scenario, paths.camera, {}}
                         : MatchFiles{{}, paths.scenario, {}, rig},
             /*reopen=*/{},
             std::move(learnt),
             hung,
             open};
}

Result<Rig> OpenRig(const RigParts& parts) {
  std::optional<RigProfile> profile;
  if (!parts.rig.empty()) {
    Result<RigProfile> read = ReadRig(parts.rig);
    if (!read.ok()) return read.error();
    profile = std::move(read).value();
  }
  Result<TableSpec> table =
      parts.table.empty() && profile ? Result<TableSpec>(profile->table) : ReadTable(parts.table);
  if (!table.ok()) return table.error();
  Result<Scenario> scenario = ReadScenarioUnderRules(parts.scenario, table->frame);
  if (!scenario.ok()) return scenario.error();
  if (Status fit = CheckClubFiles(*scenario); !fit.ok()) return fit.error();
  if (profile) {
    UseSeenPaints(*profile, scenario.value());
    TakeLearnt(profile->projectiles, scenario.value());
  }
  std::error_code ec;
  fs::path camera = parts.camera;
  if (camera.empty() && profile) {
    camera = parts.rig;
  } else if (camera.empty()) {
    camera = parts.table.parent_path() / "camera.yaml";
    if (!fs::is_regular_file(camera, ec)) {
      return Error{ErrorCode::kNotFound,
                   fmt::format("{}: no such file; give the lens of this camera with --camera, or a "
                               "rig of `fallofshot calibrate table --rig` with --rig",
                               camera.string())};
    }
  }
  const Result<CameraModel> lens =
      parts.camera.empty() && profile ? Result<CameraModel>(profile->lens) : ReadCamera(camera);
  if (!lens.ok()) return lens.error();
  const bool recording = fs::is_regular_file(parts.source, ec);
  const auto open = [recording, lens = *lens, name = parts.source] {
    return recording ? OpenVideoFor(lens, name) : OpenCameraOrUrl(name);
  };
  Result<std::unique_ptr<FrameSource>> source = open();
  if (!source.ok()) return source.error();
  const Status same = SameSize(**source, *lens, parts.source, camera);
  if (!same.ok()) return same.error();
  const bool device = std::all_of(parts.source.begin(), parts.source.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  const std::string pictures = device ? "camera " + parts.source : parts.source;
  const bool live = device || parts.source.find("://") != std::string::npos;
  Rig rig{std::move(table).value(),
          std::move(scenario).value(),
          *lens,
          std::move(*source),
          pictures,
          pictures,
          live,
          {parts.table, parts.scenario, camera == parts.rig ? fs::path() : camera, parts.rig}};
  if (profile) rig.projectiles = profile->projectiles;
  // The pose holds only for the profile's own board.
  if (profile && parts.table.empty()) rig.hung = HungAt(*profile);
  (live ? rig.reopen : rig.again) = open;
  return rig;
}

}  // namespace fos
