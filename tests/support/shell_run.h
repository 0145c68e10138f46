// SPDX-License-Identifier: MIT
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <ostream>
#include <string>

namespace fos::test {

// What a command of the shell printed, on standard output and standard error together.
struct ShellRun {
  int status = -1;  // exit status; -1: it did not end by itself
  std::string out;
};

// For test messages.
inline std::ostream& operator<<(std::ostream& to, const ShellRun& run) {
  return to << "exit status " << run.status << "\n" << run.out;
}

inline ShellRun RunInShell(const std::string& command) {
  ShellRun run;
  FILE* const program = popen(("exec 2>&1\n" + command).c_str(), "r");
  if (program == nullptr) return run;
  std::array<char, 4096> part{};
  while (const std::size_t read = fread(part.data(), 1, part.size(), program)) {
    run.out.append(part.data(), read);
  }
  const int ended = pclose(program);
  if (WIFEXITED(ended)) run.status = WEXITSTATUS(ended);
  return run;
}

}  // namespace fos::test
