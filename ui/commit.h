// SPDX-License-Identifier: MIT
#pragma once

namespace fos {

// The commit of the source the program was built from; empty where that is not known. CMake writes
// its definition (ui/commit.cmake).
extern const char* const kSourceCommit;

}  // namespace fos
