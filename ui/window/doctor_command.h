#pragma once

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot doctor`: everything ui/app/doctor.h looks at, and the display.
Command DoctorCommand();

}  // namespace fos
