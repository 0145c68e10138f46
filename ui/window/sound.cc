// SPDX-License-Identifier: MIT
#include "ui/window/sound.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "engine/files/whole_file.h"
#include "ui/window/tone.h"

namespace fos {

Sound::Sound() {
  const char* path = std::getenv("PATH");
  player_ = FindPlayer(path != nullptr ? path : "");
}

Sound::~Sound() {
  if (playing_ > 0) waitpid(playing_, nullptr, 0);  // a tone is over in half a second
  std::error_code ec;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ec);
}

void Sound::Play(Call call) {
  if (player_.empty()) return;
  if (playing_ > 0 && waitpid(playing_, nullptr, WNOHANG) == 0) return;
  playing_ = 0;
  if (folder_.empty()) {
    std::error_code ec;
    std::string name = (std::filesystem::temp_directory_path(ec) / "fallofshot-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return;
    folder_ = name;
  }
  const std::filesystem::path file = folder_ / std::string(CallName(call)).append(".wav");
  if (!WriteWholeFile(file, WaveFile(ToneOf(call))).ok()) return;
  std::vector<std::string> words = player_;
  words.push_back(file.string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t started = 0;
  if (posix_spawn(&started, words[0].c_str(), &quiet, nullptr, arguments.data(), environ) == 0) {
    playing_ = started;
  }
  posix_spawn_file_actions_destroy(&quiet);
}

}  // namespace fos
