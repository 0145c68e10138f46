// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ui/session/players_names.h"
#include "ui/session/snapshot.h"

namespace fos {

// A verdict as it is spoken: "Shot 3. Hit. British line infantry, stand 1 falls."
std::string SpokenVerdict(const ShotShown& shot, const PlayersNames& names);

// Speaks with espeak-ng in a process of its own; silent where it is not installed. Never waits.
class Speech {
 public:
  Speech();
  // Stops what is being said.
  ~Speech();
  Speech(const Speech&) = delete;
  Speech& operator=(const Speech&) = delete;

  bool Installed() const { return !program_.empty(); }
  // Says it as soon as what is being said is over. What waits is replaced.
  void Say(std::string words);
  // Begins what waits, once it can. To be called every frame.
  void Go();

 private:
  std::string program_;
  std::string waiting_;
  int speaking_ = 0;  // its process; 0: silent
};

}  // namespace fos
