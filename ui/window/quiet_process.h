// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace fos {

// Starts a program without a shell and without its words on the terminal.
// words   its path, then its arguments.
// returns its process; 0 where it cannot be started.
int StartQuietly(std::vector<std::string> words);
// Whether the process still runs; one that has ended is cleared away. 0: no process.
bool StillRuns(int process);

}  // namespace fos
