#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/table/result.h"

namespace fos {

// How people like their window; kept from one evening to the next.
struct Preferences {
  bool light = false;
  bool safe_colours = false;
  bool full_screen = false;
  bool large_controls = false;  // buttons for fingers
  bool sound = false;           // a tone at every verdict
  double ui_scale = 0;          // 0: what the screen says of itself
  friend bool operator==(const Preferences&, const Preferences&) = default;
};
inline constexpr double kLeastUiScale = 0.6;
inline constexpr double kMostUiScale = 4.0;

// Where programs keep such things (XDG Base Directory Specification 0.8):
// $XDG_CONFIG_HOME/fallofshot/preferences.toml, below ~/.config where that is not set. Empty where
// there is no home either: then nothing is kept.
std::filesystem::path PreferencesFile();
// errors  none for a file that is not there (the defaults); those of TomlFile, naming line and
// mend.
Result<Preferences> ReadPreferences(const std::filesystem::path& file);
// Makes the folder where it lacks. errors  kIo
Status WritePreferences(const std::filesystem::path& file, const Preferences& preferences);

// A game or a clip that was open, so that it can be opened again in one go.
struct RecentGame {
  std::string name;                    // what people call it
  std::vector<std::string> arguments;  // of `live`, without the options of the window
  friend bool operator==(const RecentGame&, const RecentGame&) = default;
};
// $XDG_STATE_HOME/fallofshot/recent.json, below ~/.local/state. Empty as above.
std::filesystem::path RecentFile();
// Newest first. A file that is not there or not as it was written holds none: nothing is lost by
// it.
std::vector<RecentGame> ReadRecent(const std::filesystem::path& file);
// Puts it first, keeps the ten newest. errors  kIo
Status NoteRecent(const std::filesystem::path& file, const RecentGame& game);

}  // namespace fos
