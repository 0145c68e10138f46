// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ui/cli/commands.h"

namespace fos {

// `fallofshot calibrate projectiles SOURCE`: what the club's swabs and shells look like, from
// several laid on the open table; kept in the rig's profile.
int RunCalibrateProjectiles(const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
