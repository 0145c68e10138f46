// SPDX-License-Identifier: MIT
#include "ui/window/live_request.h"

#include <filesystem>
#include <ostream>
#include <system_error>
#include <utility>

#include "engine/files/scenario_file.h"
#include "ui/cli/club_file_option.h"
#include "ui/cli/options.h"

namespace fos {
namespace {

void DeclareOptions(Options& options, LiveRequest& request, std::string& screenshot) {
  WindowOptions& window = request.window;
  WatchRequest& watch = request.watch;
  GameRequest& game = request.game;
  options
      .OptionalArgument("CLIP", watch.clip, "folder of a recorded clip, instead of the next four")
      .Text("source", "S", watch.source, "camera number, file, folder of pictures or URL")
      .Text("table", "FILE", watch.table, "table.toml")
      .Text("scenario", "FILE", watch.scenario, "scenario.toml")
      .Text("game", "FILE", game.file,
            "play this game under its rules, with or without a camera: datasets/scenarios/*.toml")
      .Flag("play", game.as_watched, "play the scenario of CLIP or --scenario under its rules")
      .Flag("new", game.begin_anew, "start a new game even if an unfinished one is recorded")
      .Text("camera", "FILE", watch.camera, "camera.yaml; default: the one beside table.toml")
      .Text("rig", "FILE", watch.rig,
            "written by `calibrate table --rig`; replaces --table and --camera")
      .Text("out", "DIR", request.out_folder, "folder for events.jsonl, session.jsonl, evidence/")
      .Number("doubt", request.policy.doubt, 0.0, 0.5,
              "call a hit or a miss only if the other is at most this likely")
      .Flag("exit-at-end", window.exit_at_end, "exit when the recording has ended")
      .Flag("audience", window.audience,
            "open a second window for onlookers: the verdict or the table, large")
      .Flag("profile", request.profile, "print how long the frames took")
      .Text("players", "SIDE=NAME,...", game.players, "who plays; recorded in the club's file")
      .Text("resume", "GAME", game.resume, "continue an unfinished game of the club's file")
      .Text("replay", "GAME", game.replay, "step through a game of the club's file")
      .Integer("until", game.until, 0, 1000000000,
               "with --replay: begin after this many lines or steps")
      .Flag("no-log", game.no_log, "record nothing in the club's file");
  DeclareWindowOptions(options, window, screenshot);
  AddClubFileOption(options, game.club);
  AddClubToCopyTo(options, game.club);
}

// Why these options do not go together; empty: they do.
std::string Contradiction(const LiveRequest& request) {
  const WatchRequest& watch = request.watch;
  const GameRequest& game = request.game;
  const bool replay = !game.replay.empty();
  if (replay && (watch.Any() || !game.file.empty() || !game.resume.empty() ||
                 !game.players.empty() || game.begin_anew || game.no_log)) {
    return "--replay shows a recorded game; only --db and --until go with it";
  }
  const bool no_camera = replay || (!watch.Any() && !game.file.empty());
  const bool all_parts = !watch.source.empty() && !watch.scenario.empty() &&
                         !(watch.table.empty() && watch.rig.empty());
  if (!no_camera && watch.clip.empty() && !all_parts) {
    return "give a CLIP, or --source, --scenario and either --table or --rig, or --game alone";
  }
  if (!watch.clip.empty() && watch.HasParts()) {
    return "a CLIP brings its own --source, --table, --scenario and --camera; leave them out";
  }
  if (game.no_log && (!game.resume.empty() || !game.players.empty() || !game.club.file.empty() ||
                      !game.club.server.empty())) {
    return "--no-log records nothing; leave out --db, --club, --resume and --players";
  }
  if (game.as_watched && (no_camera || !game.file.empty())) {
    return "--play plays the scenario of a CLIP or of --scenario; give one of them, and no --game";
  }
  return {};
}

std::string Absolute(const std::string& path) {
  std::error_code ec;
  const std::filesystem::path out = std::filesystem::absolute(path, ec);
  return ec ? path : out.lexically_normal().string();
}

}  // namespace

void DeclareWindowOptions(Options& options, WindowOptions& window, std::string& screenshot) {
  options
      .Number("ui-scale", window.look.ui_scale, 0.0, kMostUiScale,
              "size of text and buttons; 0 uses the screen's own scale")
      .Integer("width", window.width, 320, 16384, "width of the window")
      .Integer("height", window.height, 240, 16384, "height of the window")
      .Flag("light", window.look.light, "dark text on a light background")
      .Flag("safe-colours", window.look.safe_colours,
            "colours that colour-blind players can tell apart")
      .Flag("full-screen", window.look.full_screen, "fill the screen")
      .Text("screenshot", "FILE", screenshot, "save the window to this PNG on exit");
}

std::string WatchRequest::ScenarioFile() const {
  return clip.empty() ? scenario : (std::filesystem::path(clip) / "scenario.toml").string();
}

ParsedLiveRequest ParseLiveRequest(const std::vector<std::string>& arguments,
                                   const Preferences& look, Console& console) {
  LiveRequest request;
  request.window.look = look;
  std::string screenshot;
  Options options(
      "live CLIP [options]\n       fallofshot live --source S --table T --scenario G "
      "[options]",
      "Opens the referee's window on a camera, a stream or a recording.");
  DeclareOptions(options, request, screenshot);
  if (const auto status = ReadArguments(options, "live", arguments, console)) return {{}, *status};
  if (const std::string why = Contradiction(request); !why.empty()) {
    return {{}, BadUsage(console, "live", why)};
  }
  request.window.screenshot = screenshot;
  return {std::move(request)};
}

namespace {

// The scenario's name, else that of the clip or the camera.
std::string NameOf(const LiveRequest& request) {
  const WatchRequest& watch = request.watch;
  if (!request.game.file.empty()) return ScenarioName(request.game.file);
  if (!watch.scenario.empty()) return ScenarioName(watch.scenario);
  if (watch.clip.empty()) return std::filesystem::path(watch.source).stem().string();
  const std::filesystem::path clip = std::filesystem::path(watch.clip).lexically_normal();
  std::error_code ec;
  if (std::filesystem::is_regular_file(clip / "scenario.toml", ec)) {
    const std::string name = ScenarioName(clip / "scenario.toml");
    if (name != "scenario") return name;
  }
  return (clip.has_filename() ? clip : clip.parent_path()).stem().string();
}

}  // namespace

RecentGame RecentOf(const LiveRequest& request) {
  const WatchRequest& watch = request.watch;
  RecentGame out;
  for (const auto& [flag, value] :
       {std::pair{"", &watch.clip}, std::pair{"--source", &watch.source},
        std::pair{"--table", &watch.table}, std::pair{"--scenario", &watch.scenario},
        std::pair{"--camera", &watch.camera}, std::pair{"--rig", &watch.rig},
        std::pair{"--game", &request.game.file}}) {
    if (value->empty()) continue;
    if (*flag != '\0') out.arguments.emplace_back(flag);
    // A camera's number and a stream's address are not paths.
    std::error_code ec;
    out.arguments.push_back(std::filesystem::exists(*value, ec) ? Absolute(*value) : *value);
  }
  out.name = NameOf(request);
  if (request.game.as_watched) out.arguments.emplace_back("--play");
  if (const std::string& club = request.game.club.file; !club.empty()) {
    out.arguments.insert(out.arguments.end(), {"--db", Absolute(club)});
  }
  if (const std::string& server = request.game.club.server; !server.empty())
    out.arguments.insert(out.arguments.end(), {"--club", server});
  return out;
}

}  // namespace fos
