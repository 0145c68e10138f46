#pragma once

#include "ui/app/commands.h"

namespace fos {

// `fallofshot live`: the referee's window on a camera, a stream or a recording.
Command LiveCommand();

}  // namespace fos
