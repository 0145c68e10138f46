// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot calibrate lens VIEWS` and `fallofshot calibrate table PICTURE`.
int RunCalibrate(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
