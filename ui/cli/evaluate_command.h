// SPDX-License-Identifier: MIT
#pragma once

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot evaluate DIR`: scores every labelled clip below DIR.
// `fallofshot evaluate --sweep N`: scores stand detection on N synthetic tables.
int RunEvaluate(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
