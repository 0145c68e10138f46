// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/table/decision.h"

namespace fos {

// Plays a sound for a verdict with whatever player the machine has; silent where it has none.
class Sound {
 public:
  Sound();
  ~Sound();
  Sound(const Sound&) = delete;
  Sound& operator=(const Sound&) = delete;

  // Never waits. While a sound is playing a new one is skipped.
  void Play(Call call);

 private:
  std::vector<std::string> player_;
  std::filesystem::path folder_;  // of the tones, made when the first is played
  int playing_ = 0;               // the player's process; 0: none
};

}  // namespace fos
