// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot judge CLIP`: judges a recorded clip without a window.
int RunJudge(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
