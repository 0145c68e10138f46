// SPDX-License-Identifier: MIT
#include "ui/window/sound.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>
#include <utility>

#include "engine/files/whole_file.h"
#include "ui/window/quiet_process.h"
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
  if (StillRuns(playing_)) return;
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
  playing_ = StartQuietly(std::move(words));
}

}  // namespace fos
