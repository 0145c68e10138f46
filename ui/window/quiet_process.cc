// SPDX-License-Identifier: MIT
#include "ui/window/quiet_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fos {

int StartQuietly(std::vector<std::string> words) {
  if (words.empty()) return 0;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t started = 0;
  if (posix_spawn(&started, words[0].c_str(), &quiet, nullptr, arguments.data(), environ) != 0)
    started = 0;
  posix_spawn_file_actions_destroy(&quiet);
  return started;
}

bool StillRuns(int process) { return process > 0 && waitpid(process, nullptr, WNOHANG) == 0; }

}  // namespace fos
