#pragma once

#include "ui/app/commands.h"

namespace fos {

// `fallofshot doctor`: everything ui/app/doctor.h looks at, and the display.
Command DoctorCommand();

}  // namespace fos
