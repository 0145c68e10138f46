// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot play SCENARIO SCRIPT`: a whole game without a camera.
int RunPlay(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
