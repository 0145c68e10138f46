// SPDX-License-Identifier: MIT
#include "ui/window/live_command.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/files/data_path.h"
#include "ui/cli/log_commands.h"
#include "ui/window/live_modes.h"
#include "ui/window/live_request.h"
#include "ui/window/preferences.h"

namespace fos {
namespace {

int RunLive(const std::vector<std::string>& arguments, Console& console) {
  const Result<Preferences> look = ReadPreferences(PreferencesFile());
  if (!look.ok()) return BadInput(console, look.error().message);
  if (arguments.empty()) return RunStartScreen(*look, console);
  ParsedLiveRequest parsed = ParseLiveRequest(arguments, *look, console);
  if (!parsed.request) return parsed.status;
  return RunLiveRequest(*std::move(parsed.request), console);
}

// `replay GAME --window` is `live --replay GAME`.
int RunReplayOrShow(const std::vector<std::string>& arguments, Console& console) {
  std::vector<std::string> rest = arguments;
  if (std::erase(rest, "--window") == 0) return RunReplay(arguments, console);
  const auto game = std::find_if(rest.begin(), rest.end(), [&](const std::string& word) {
    const std::string before = &word == &rest.front() ? std::string() : *(&word - 1);
    return word.rfind('-', 0) != 0 && before != "--db" && before != "--club" && before != "--until";
  });
  if (game == rest.end()) {
    return BadUsage(console, "replay", "no GAME given; `fallofshot games` lists them");
  }
  rest.insert(game, "--replay");
  return RunLive(rest, console);
}

}  // namespace

int StartFallofshot(const std::vector<std::string>& arguments, Console& console) {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  if (set("DISPLAY") || set("WAYLAND_DISPLAY")) return RunLive(arguments, console);
  const auto shipped = [](const char* file) {
    const Result<std::filesystem::path> path = FindData(file);
    return path.ok() ? *path : std::filesystem::path(file);
  };
  const std::filesystem::path clip = shipped("datasets/sets/open_qtip/table.toml").parent_path();
  const std::filesystem::path game = shipped("datasets/scenarios/skirmish.toml");
  console.out << fmt::format(
      "Fall of Shot, a camera referee for miniature wargames. Its window needs a display, and there\n"
      "is none here (neither DISPLAY nor WAYLAND_DISPLAY is set). These commands need none:\n\n"
      "  fallofshot judge {} --out verdicts\n"
      "  fallofshot play {} {} --seed 1\n"
      "  fallofshot doctor\n"
      "  fallofshot --help\n",
      clip.string(), game.string(),
      std::filesystem::path(game).replace_extension(".script").string());
  return kExitDone;
}

Command ReplayCommand() {
  return {"replay", "compute a game again from its log, or step through it in the window",
          &RunReplayOrShow};
}

Command LiveCommand() {
  return {"live", "the referee's window on a camera, a stream or a recording", &RunLive};
}

}  // namespace fos
