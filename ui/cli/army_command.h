#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot army`: an army of a rule set's lists with its points, and a game of two of them.
int RunArmy(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
