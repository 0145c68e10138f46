// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace fos {

// What `fallofshot --version` prints: program and commit on the first line, libraries on the second.
// commit     of the source; empty: not known
// libraries  those that only the program with a window uses: "GLFW 3.3.8"
std::string VersionText(const std::string& commit, const std::vector<std::string>& libraries);

}  // namespace fos
