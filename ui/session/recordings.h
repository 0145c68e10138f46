// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fos {

// A recording that players can choose without typing where it is.
struct RecordingAtHand {
  std::filesystem::path path;  // a clip's folder, or a film
  std::string name;            // for players
  bool is_clip = false;        // its folder says what the table and the battle are
};

// The folder of the player's own films: XDG_VIDEOS_DIR, as the desktop keeps it in user-dirs.dirs,
// or ~/Videos. Empty where there is no home. source  xdg-user-dirs 0.18
std::filesystem::path VideosFolder();

// The clips and films in a folder, newest first, at most `most`. Empty where there is none.
std::vector<RecordingAtHand> RecordingsIn(const std::filesystem::path& folder, std::size_t most);

// What to offer: the player's own films first, then the sample that ships with the program.
std::vector<RecordingAtHand> RecordingsAtHand();

}  // namespace fos
