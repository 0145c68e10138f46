// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/table/decision.h"
#include "ui/cli/commands.h"
#include "ui/session/club_file.h"
#include "ui/window/preferences.h"
#include "ui/window/window.h"

namespace fos {

// What the camera watches: a recorded clip, or the parts of a rig. All empty: no camera.
struct WatchRequest {
  std::string clip;      // a clip's folder; it stands for the next four
  std::string source;    // camera number, file, folder of pictures or URL
  std::string table;     // table.toml
  std::string scenario;  // scenario.toml
  std::string camera;    // camera.yaml; empty: the one beside table.toml
  std::string rig;       // a rig's profile, instead of table and camera

  bool HasParts() const {
    return !source.empty() || !table.empty() || !scenario.empty() || !camera.empty();
  }
  bool Any() const { return !clip.empty() || HasParts() || !rig.empty(); }
  // The scenario of what is watched.
  std::string ScenarioFile() const;
};

// The game that is played under its rules, and where it is recorded.
struct GameRequest {
  std::string file;         // a scenario to play; empty: none
  bool as_watched = false;  // play the scenario that the camera watches
  bool begin_anew = false;  // although one of the same scenario was broken off
  ClubFileOption club;
  std::string players;  // as SeatsFrom reads them
  std::string resume;   // a game of the club's file, by number or name
  bool no_log = false;  // record nothing in the club's file
  std::string replay;   // a recorded game to step through, instead of `file`
  int until = 0;        // the line or step a replay begins after

  std::string FileToPlay(const WatchRequest& watch) const {
    return as_watched ? watch.ScenarioFile() : file;
  }
};

// Everything `fallofshot live` can be asked for.
struct LiveRequest {
  WatchRequest watch;
  GameRequest game;
  std::string out_folder = "out/live";
  DecisionPolicy policy;
  WindowOptions window;
  bool profile = false;  // print how long the frames took
};

// A request, or, where there is none to run (help was printed, the arguments were refused), the
// exit status.
struct ParsedLiveRequest {
  std::optional<LiveRequest> request;
  int status = kExitDone;
};
// Reads the arguments of `live`. Messages and help go to the console.
// look  the preferences that the arguments may override.
ParsedLiveRequest ParseLiveRequest(const std::vector<std::string>& arguments,
                                   const Preferences& look, Console& console);

// The options of every command that opens a window: look, size and screenshot.
void DeclareWindowOptions(Options& options, WindowOptions& window, std::string& screenshot);

// The request as the list of recent games keeps it: absolute paths, no options of the window.
RecentGame RecentOf(const LiveRequest& request);

}  // namespace fos
