#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot setup`: camera, table, terrain and armies by picture, saved as a scenario.
Command SetupCommand();
// The same from a match: whether it was left to referee what was set up, which is done then, is
// said in `refereed`.
int SetUpFromMatch(const std::vector<std::string>& arguments, Console& console, bool& refereed);

}  // namespace fos
