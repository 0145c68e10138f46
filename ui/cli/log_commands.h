// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

// The commands that work on the club's file (docs/log.md).
namespace fos {

int RunGames(const std::vector<std::string>& arguments, Console& console);
int RunReplay(const std::vector<std::string>& arguments, Console& console);
int RunResume(const std::vector<std::string>& arguments, Console& console);
int RunExport(const std::vector<std::string>& arguments, Console& console);
int RunImport(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
