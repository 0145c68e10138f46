#pragma once

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot live`: the referee's window on a camera, a stream or a recording.
Command LiveCommand();
// `replay`, which with --window is `live --replay`. Replaces the command without a window.
Command ReplayCommand();

}  // namespace fos
