// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibration/camera/camera_model.h"
#include "calibration/camera/learnt_projectile.h"
#include "calibration/registration/table_registration.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"
#include "ui/session/match_journal.h"
#include "ui/session/out_folder.h"
#include "vision/image/frame_source.h"
#include "vision/shots/shot_trace.h"

namespace fos {

// Everything a match is watched with.
struct Rig {
  TableSpec table;
  Scenario scenario;
  CameraModel lens;
  std::unique_ptr<FrameSource> source;
  std::string pictures;  // the source of the pictures, for messages: a file, "camera 0", a URL
  std::string name;      // the clip's folder, or the same as `pictures`
  bool live = false;     // a camera or stream: it sets the pace and has no end of its own
  MatchFiles files{};    // the files of table, scenario and lens
  // Opens the same camera or stream again after it was unplugged. Empty for a recording.
  std::function<Result<std::unique_ptr<FrameSource>>()> reopen{};
  std::vector<LearntProjectile> projectiles{};  // of the rig's profile
  std::optional<KnownPose> hung{};  // the camera's pose when the rig's profile was made
  // Opens the same recording again at its start. Empty for a camera or stream.
  std::function<Result<std::unique_ptr<FrameSource>>()> again{};
  OnJudged on_judged{};  // as of ShotDetectorOptions
};

// From a clip's folder. A lens that must be calibrated first is written to out/camera.yaml.
// rig     a profile whose lens and table replace the clip's; empty: none.
// errors  those of OpenClip, of its pictures and of its lens; kBadFormat: the pictures have another
//         size than the lens.
Result<Rig> OpenRig(const std::filesystem::path& clip, OutFolder& out,
                    const std::filesystem::path& rig = {});

// From the options of `live`.
struct RigParts {
  std::string source;  // device number, file, folder or URL
  std::filesystem::path table;
  std::filesystem::path scenario;
  std::filesystem::path camera;  // empty: camera.yaml beside `table`
  std::filesystem::path rig;     // a profile instead of table and camera
};
// errors  as above.
Result<Rig> OpenRig(const RigParts& parts);

}  // namespace fos
