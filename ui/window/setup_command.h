// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "engine/table/result.h"
#include "ui/cli/commands.h"
#include "ui/window/live_request.h"
#include "ui/window/window.h"

namespace fos {

// What the set-up begins with. An empty file: the one saved last time, else the clip's own.
struct SetupRequest {
  std::string source;  // camera number, file, clip's folder or URL; empty: chosen in the window
  std::string out = "out/setup";
  std::string table;
  std::string scenario;
  std::string camera;
  std::string rig;
  bool ask_rules = false;  // begin by asking which rules are played
  WindowOptions window;
};
// Opens the window on the set-up until it is closed. What was set up, when the players left it to
// referee that; else empty.
Result<std::optional<WatchRequest>> SetUp(const SetupRequest& request, Console& console);

// `fallofshot setup`: sets up camera, table, terrain and armies and saves them.
Command SetupCommand();

}  // namespace fos
