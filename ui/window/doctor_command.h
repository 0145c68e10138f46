// SPDX-License-Identifier: MIT
#pragma once

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot doctor`: the checks of ui/cli/doctor.h, and the display.
Command DoctorCommand();

}  // namespace fos
