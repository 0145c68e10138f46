#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot judge CLIP`: a recorded clip to verdicts, headless.
int RunJudge(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
