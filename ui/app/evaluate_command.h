#pragma once

#include "ui/app/commands.h"

namespace fos {

// `fallofshot evaluate DIR`: scores every labelled clip below DIR.
int RunEvaluate(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
