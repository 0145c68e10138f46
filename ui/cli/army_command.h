// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot army`: shows army lists with their points, and writes a game of two armies.
int RunArmy(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
