// SPDX-License-Identifier: MIT
#pragma once

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot live`: the referee's window on a camera, a stream or a recording.
Command LiveCommand();
// `fallofshot` without a command: the start screen. Where there is no display it prints how to start
// without one.
int StartFallofshot(const std::vector<std::string>& arguments, Console& console);
// `replay`, which with --window is `live --replay`. Replaces the command without a window.
Command ReplayCommand();

}  // namespace fos
