// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// The manual as installed with the program, made from what `--help` says.

// The page fallofshot(1), with all commands.
// date  "2026-01-31": of the release
std::string ProgramManPage(const std::vector<Command>& commands, const std::string& date);
// The page of one command, fallofshot-judge(1).
// pages  one for each of its forms
std::string CommandManPage(const Command& command, const std::vector<CommandPage>& pages,
                           const std::string& date);
// Completes commands, flags, files and folders in bash.
std::string BashCompletion(const std::vector<Command>& commands);

// `fallofshot --write-manual DIR DATE`: writes man1/*.1 and the completion to DIR. For packages.
int RunWriteManual(const std::vector<std::string>& arguments, const std::vector<Command>& commands,
                   Console& console);

}  // namespace fos
