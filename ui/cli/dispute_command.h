// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot dispute`: measures a shot again from its archive.
int RunDispute(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
