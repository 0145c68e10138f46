#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot dispute`: a shot measured again from what was kept of it.
int RunDispute(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
