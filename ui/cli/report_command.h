// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot report` and `fallofshot stats` (docs/log.md).
int RunReport(const std::vector<std::string>& arguments, Console& console);
int RunStats(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
