#pragma once

#include "ui/app/commands.h"

namespace fos {

// `fallofshot setup`: camera, table, terrain and armies by picture, saved as a scenario.
Command SetupCommand();

}  // namespace fos
