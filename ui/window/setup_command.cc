// SPDX-License-Identifier: MIT
#include "ui/window/setup_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>
#include <utility>

#include "calibration/registration/rig_profile.h"
#include "engine/rules/rule_sets.h"
#include "ui/cli/options.h"
#include "ui/session/recordings.h"
#include "ui/setup/setup_camera.h"
#include "ui/setup/setup_controller.h"
#include "ui/setup/setup_hand.h"
#include "ui/window/live_modes.h"
#include "ui/window/preferences.h"
#include "ui/window/setup_screen.h"
#include "ui/window/window.h"
#include "vision/image/frame_source.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

bool IsFile(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec);
}

// The named file, else the one saved last time, else the clip's own; empty: there is none.
fs::path FileOf(const std::string& named, const SetupRequest& asked, const char* name) {
  if (!named.empty()) return named;
  if (IsFile(fs::path(asked.out) / name)) return fs::path(asked.out) / name;
  // Without a source, what lies in the folder one happens to be in is not meant.
  if (!asked.source.empty() && IsFile(fs::path(asked.source) / name))
    return fs::path(asked.source) / name;
  return {};
}

// The set-up and the lens that are known at the start.
struct Begun {
  SetupController controller;
  std::optional<CameraModel> lens;
};
Result<Begun> Begin(const SetupRequest& asked) {
  Begun out;
  std::optional<RigProfile> rig;
  const fs::path rig_file = FileOf(asked.rig, asked, "rig.toml");
  if (!rig_file.empty()) {
    Result<RigProfile> read = ReadRig(rig_file);
    if (!read.ok()) return read.error();
    rig = std::move(read).value();
    out.lens = rig->lens;
  }
  const fs::path camera = FileOf(asked.camera, asked, "camera.yaml");
  if (!camera.empty() && (!asked.camera.empty() || !rig)) {
    const Result<CameraModel> read = ReadCamera(camera);
    if (!read.ok()) return read.error();
    out.lens = *read;
  }
  const fs::path table = FileOf(asked.table, asked, "table.toml");
  const fs::path scenario = FileOf(asked.scenario, asked, "scenario.toml");
  if (table.empty() && !scenario.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: there is no table.toml beside it; name the table with --table",
                             scenario.string())};
  }
  Result<SetupController> controller = SetupController::Open(table, scenario);
  if (!controller.ok()) return controller.error();
  out.controller = std::move(controller).value();
  return out;
}

// Set-up and camera as the overlay draws them, made anew when either changed.
class Drawn {
 public:
  std::shared_ptr<const Snapshot> Now(const SetupController& controller,
                                      const std::shared_ptr<const CameraSeen>& seen) {
    if (controller.Version() != version_ || facts_ == nullptr) {
      version_ = controller.Version();
      MatchFacts facts;
      facts.table = controller.Table().frame;
      facts.scenario = controller.Plan();
      facts.name = controller.Plan().name;
      // The rule set reads its tables for them.
      const bool same_kinds =
          facts_ != nullptr && facts_->scenario.ruleset == facts.scenario.ruleset &&
          std::equal(facts_->scenario.kinds.begin(), facts_->scenario.kinds.end(),
                     facts.scenario.kinds.begin(), facts.scenario.kinds.end(),
                     [](const KindSpec& a, const KindSpec& b) { return a.name == b.name; });
      facts.troops = same_kinds ? facts_->troops : TroopsOf(facts.scenario);
      facts_ = std::make_shared<const MatchFacts>(std::move(facts));
      shown_ = nullptr;
    }
    if (seen != seen_ || shown_ == nullptr) {
      seen_ = seen;
      auto shown = std::make_shared<Snapshot>();
      shown->facts = facts_;
      shown->frame = seen->frame;
      shown->watching = Watching::kNoTable;
      shown->stands = controller.Stands();
      if (seen->found != nullptr) {
        shown->table = std::shared_ptr<const TableRegistration>(seen->found, &seen->found->table);
      }
      shown_ = std::move(shown);
    }
    return shown_;
  }

 private:
  std::size_t version_ = 0;
  std::shared_ptr<const MatchFacts> facts_;
  std::shared_ptr<const CameraSeen> seen_;
  std::shared_ptr<const Snapshot> shown_;
};

// What the referee's window watches of a set-up saved in `folder`.
WatchRequest RefereeOf(std::string source, const fs::path& folder) {
  constexpr std::string_view kDevice = "camera ";
  if (source.rfind(kDevice, 0) == 0) source = source.substr(kDevice.size());
  if (const fs::path file = RecordingIn(source); !file.empty()) source = file.string();
  WatchRequest out;
  out.source = source;
  out.rig = (folder / "rig.toml").string();
  out.scenario = (folder / "scenario.toml").string();
  return out;
}

int RunSetup(const std::vector<std::string>& arguments, Console& console) {
  SetupRequest request;
  std::string screenshot;
  const Result<Preferences> preferences = ReadPreferences(PreferencesFile());
  if (!preferences.ok()) return BadInput(console, preferences.error().message);
  WindowOptions& window = request.window;
  window.look = *preferences;
  Options options("setup [SOURCE] [options]",
                  "Sets up a table and a battle on the camera's picture: camera, lens, table, "
                  "colours, terrain and armies. Saves table.toml, scenario.toml and rig.toml.");
  options
      .OptionalArgument("SOURCE", request.source,
                        "camera number, file, clip's folder or URL; can be chosen in the window")
      .Text("out", "DIR", request.out, "folder to save to; what is there already is opened again")
      .Text("table", "FILE", request.table, "table.toml to begin with")
      .Text("scenario", "FILE", request.scenario, "scenario.toml to begin with")
      .Text("camera", "FILE", request.camera, "the lens, written by `calibrate lens`")
      .Text("rig", "FILE", request.rig, "written by `calibrate table --rig`: its lens is used");
  DeclareWindowOptions(options, window, screenshot);
  if (const auto status = ReadArguments(options, "setup", arguments, console)) return *status;
  window.screenshot = screenshot;
  return RunSetupRequest(std::move(request), console);
}

}  // namespace

Result<std::optional<WatchRequest>> SetUp(const SetupRequest& request, Console& console) {
  Result<Begun> begun = Begin(request);
  if (!begun.ok()) return begun.error();
  SetupController& controller = begun.value().controller;
  SetupHand hand(controller);
  SetupView setup;
  setup.ask_rules = request.ask_rules;
  SetupPlace place{request.out, CameraDevices()};
  // Recordings are chosen like cameras.
  place.cameras = place.devices.size();
  for (const RecordingAtHand& one : RecordingsAtHand())
    place.devices.push_back({one.path.string(), one.name});
  std::string source;
  {
    Result<std::unique_ptr<Window>> window = Window::Open(request.window);
    if (!window.ok()) return window.error();
    SetupCamera camera(begun->lens, [] { Window::Wake(); });
    if (!request.source.empty()) {
      camera.Post(OpenCamera{request.source});
      camera.Post(FindTheTable{controller.Table(), {}});
    } else {
      setup.step = SetupStep::kCamera;
    }
    Drawn drawn;
    std::shared_ptr<const CameraSeen> seen;
    const Status ended = (*window)->Show(
        [&] {
          seen = camera.Now();
          return drawn.Now(controller, seen);
        },
        [&](const Theme& theme, const Snapshot& shown, const ScreenPictures& pictures,
            ViewState& view) {
          DrawSetup(theme, shown, *seen, pictures.frame, controller, hand, camera, place, view,
                    setup);
          if (setup.play) view.quit = true;
        });
    if (!ended.ok()) return ended.error();
    source = camera.Now()->source;
  }
  if (!controller.Unsaved() && !controller.SavedIn().empty()) {
    console.out << "The set-up is saved in " << controller.SavedIn().string() << '\n';
  }
  if (!setup.play) return std::optional<WatchRequest>();
  return std::optional<WatchRequest>(RefereeOf(std::move(source), request.out));
}

Command SetupCommand() {
  return {"setup", "set up camera, table, terrain and armies", &RunSetup};
}

}  // namespace fos
