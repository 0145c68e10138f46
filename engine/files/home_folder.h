// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace fos {

// The user's home folder: $HOME, or where that is unset or no absolute path the one in the password
// database. Empty: neither names one. Never relative, so that nothing is looked for in the folder
// that the program happens to be started in.
std::filesystem::path HomeFolder();

}  // namespace fos
