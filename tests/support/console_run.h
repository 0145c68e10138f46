// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "ui/cli/commands.h"

// Runs a command as `fallofshot` would, without a process of its own.
namespace fos::test {

struct ConsoleRun {
  int status = 0;
  std::string out;
  std::string err;
};

// For test messages.
inline std::ostream& operator<<(std::ostream& to, const ConsoleRun& run) {
  return to << "exit status " << run.status << "\n" << run.out << run.err;
}

inline ConsoleRun RunFallofshot(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{out, err, false};
  const int status = RunCommandLine(arguments, console);
  return {status, out.str(), err.str()};
}

}  // namespace fos::test
