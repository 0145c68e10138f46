#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "calibration/camera/camera_model.h"
#include "calibration/registration/table_registration.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"
#include "ui/session/match_journal.h"
#include "ui/session/out_folder.h"
#include "vision/image/frame_source.h"

namespace fos {

// What one match is watched with.
struct Rig {
  TableSpec table;
  Scenario scenario;
  CameraModel lens;
  std::unique_ptr<FrameSource> source;
  std::string pictures;  // what the pictures come from, for messages: a file, "camera 0", a URL
  std::string name;      // the clip's folder, or the same as `pictures`
  bool live = false;     // a camera or a stream: comes at its own pace, has no end of its own
  MatchFiles files{};    // what table, scenario and lens were read from
  // Opens the same camera or stream once more, after it was unplugged. Empty for a recording.
  std::function<Result<std::unique_ptr<FrameSource>>()> reopen{};
  std::optional<KnownPose> hung{};  // the camera, when the rig's profile was made
};

// From the folder of a clip. A lens that has to be calibrated first is written to out/camera.yaml.
// errors  those of OpenClip, of its pictures and of its lens; kBadFormat when the pictures are of
//         another size than the lens's.
//         With a `rig`, its lens and table are used instead of the clip's own.
Result<Rig> OpenRig(const std::filesystem::path& clip, OutFolder& out,
                    const std::filesystem::path& rig = {});

// From its parts, as `live` takes them.
struct RigParts {
  std::string source;  // device number, file, folder or URL
  std::filesystem::path table;
  std::filesystem::path scenario;
  std::filesystem::path camera;  // empty: camera.yaml beside the table's file
  std::filesystem::path rig;     // a profile instead of table and camera
};
// errors  those of the parts, as above.
Result<Rig> OpenRig(const RigParts& parts);

}  // namespace fos
