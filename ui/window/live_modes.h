// SPDX-License-Identifier: MIT
#pragma once

#include "ui/cli/commands.h"
#include "ui/window/live_request.h"
#include "ui/window/setup_command.h"

namespace fos {

// The window is always in one of these modes; F9, F10 and the start screen lead from one to
// another (see kTransitions in the .cc).
enum class LiveMode {
  kStartScreen,  // offers recent games, recorded games and the games that ship
  kReplay,       // steps through a recorded game
  kGame,         // plays a game without a camera
  kMatch,        // watches a camera, a stream or a recording, with or without a game
  kSetup,        // sets up a table and a battle
  kMatchSetup,   // the same, and goes back to the match that was left for it
  kLeave,
};

// The mode in which a request is carried out.
LiveMode ModeOf(const LiveRequest& request);

// Each runs mode after mode until the window is closed; the exit status.
int RunStartScreen(const Preferences& look, Console& console);
int RunLiveRequest(LiveRequest request, Console& console);
int RunSetupRequest(SetupRequest request, Console& console);

}  // namespace fos
