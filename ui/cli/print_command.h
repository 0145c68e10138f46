// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot print TABLE`: markers, board, template and charts as a PDF at true scale.
int RunPrint(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
