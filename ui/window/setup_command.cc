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
#include "ui/cli/options.h"
#include "ui/setup/setup_camera.h"
#include "ui/setup/setup_controller.h"
#include "ui/setup/setup_hand.h"
#include "ui/window/live_command.h"
#include "ui/window/preferences.h"
#include "ui/window/setup_screen.h"
#include "ui/window/window.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

struct Asked {
  std::string source;
  std::string out = "out/setup";
  std::string table;
  std::string scenario;
  std::string camera;
  std::string rig;
};

bool IsFile(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec);
}

// What was named, else what was saved the last time, else the clip's own; empty: there is none.
fs::path FileOf(const std::string& named, const Asked& asked, const char* name) {
  if (!named.empty()) return named;
  if (IsFile(fs::path(asked.out) / name)) return fs::path(asked.out) / name;
  if (IsFile(fs::path(asked.source) / name)) return fs::path(asked.source) / name;
  return {};
}

// What is on the table and what is known of the camera before anything is looked at.
struct Begun {
  SetupController controller;
  std::optional<CameraModel> lens;
};
Result<Begun> Begin(const Asked& asked) {
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
                 fmt::format("{}: no table.toml beside it; give the board it is played on with "
                             "--table",
                             scenario.string())};
  }
  Result<SetupController> controller = SetupController::Open(table, scenario);
  if (!controller.ok()) return controller.error();
  out.controller = std::move(controller).value();
  return out;
}

// The plan and what the camera sees of it as the overlay draws them; made anew when either changed.
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

int RunSetup(const std::vector<std::string>& arguments, Console& console, bool& refereed) {
  refereed = false;
  Asked asked;
  std::string screenshot;
  WindowOptions window_options;
  const fs::path settings = PreferencesFile();
  const Result<Preferences> preferences = ReadPreferences(settings);
  if (!preferences.ok()) return BadInput(console, preferences.error().message);
  Preferences& look = window_options.look;
  look = *preferences;
  Options options("setup [SOURCE] [options]",
                  "Sets up a table and a battle by picture: camera, lens, table, colours, terrain "
                  "and armies, saved as table.toml, scenario.toml and rig.toml.");
  options
      .OptionalArgument("SOURCE", asked.source,
                        "camera number, file, clip's folder or URL; can be chosen in the window")
      .Text("out", "DIR", asked.out, "where it is saved; what is there already is opened again")
      .Text("table", "FILE", asked.table, "table.toml to begin with")
      .Text("scenario", "FILE", asked.scenario, "scenario.toml to begin with")
      .Text("camera", "FILE", asked.camera, "the lens, of `calibrate lens`")
      .Text("rig", "FILE", asked.rig, "of `calibrate table --rig`: its lens is used")
      .Number("ui-scale", look.ui_scale, 0.0, kMostUiScale,
              "size of letters and buttons; 0 takes the screen's own")
      .Integer("width", window_options.width, 320, 16384, "of the window")
      .Integer("height", window_options.height, 240, 16384, "of the window")
      .Flag("light", look.light, "dark letters on light ground")
      .Flag("safe-colours", look.safe_colours, "sides told apart by every kind of eye")
      .Flag("full-screen", look.full_screen, "fill the screen")
      .Text("screenshot", "FILE", screenshot, "write the window to this PNG when it is left");
  const Result<bool> parsed = options.Parse(arguments);
  if (!parsed.ok()) return BadUsage(console, "setup", parsed.error().message);
  if (*parsed) {
    console.out << options.Help();
    return kExitDone;
  }
  window_options.screenshot = screenshot;
  window_options.keep = [&](const Preferences& now) { (void)WritePreferences(settings, now); };
  Result<Begun> begun = Begin(asked);
  if (!begun.ok()) return BadInput(console, begun.error().message);
  SetupController& controller = begun.value().controller;
  SetupHand hand(controller);
  SetupView setup;
  SetupPlace place{asked.out, CameraDevices()};
  std::string source;
  {
    Result<std::unique_ptr<Window>> window = Window::Open(window_options);
    if (!window.ok()) return BadInput(console, window.error().message);
    SetupCamera camera(begun->lens, [] { Window::Wake(); });
    if (!asked.source.empty()) {
      camera.Post(OpenCamera{asked.source});
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
    if (!ended.ok()) return BadInput(console, ended.error().message);
    source = camera.Now()->source;
  }
  if (!controller.Unsaved()) console.out << "set up in " << asked.out << '\n';
  if (!setup.play) return kExitDone;
  refereed = true;
  constexpr std::string_view kDevice = "camera ";
  if (source.rfind(kDevice, 0) == 0) source = source.substr(kDevice.size());
  if (IsFile(fs::path(source) / "video.mkv")) source = (fs::path(source) / "video.mkv").string();
  const fs::path folder(asked.out);
  return LiveCommand().run({"--source", source, "--rig", (folder / "rig.toml").string(),
                            "--scenario", (folder / "scenario.toml").string()},
                           console);
}

}  // namespace

int SetUpFromMatch(const std::vector<std::string>& arguments, Console& console, bool& refereed) {
  return RunSetup(arguments, console, refereed);
}

Command SetupCommand() {
  return {"setup", "camera, table, terrain and armies set up by picture",
          [](const std::vector<std::string>& arguments, Console& console) {
            bool refereed = false;
            return RunSetup(arguments, console, refereed);
          }};
}

}  // namespace fos
