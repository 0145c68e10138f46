#pragma once

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot evaluate DIR`: scores every labelled clip below DIR.
// `fallofshot evaluate --sweep N`: scores the finding of stands on N made-up tables.
int RunEvaluate(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
