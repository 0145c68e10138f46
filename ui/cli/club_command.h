// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot club init|account|mirror|serve`: the club's server (docs/club.md).
int RunClub(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
