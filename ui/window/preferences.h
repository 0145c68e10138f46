// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/table/result.h"
#include "ui/window/look.h"

namespace fos {

// The window's settings, kept between runs.
struct Preferences {
  bool light = false;
  bool safe_colours = false;
  bool full_screen = false;
  bool large_controls = false;  // buttons for fingers
  bool sound = false;           // a sound at every verdict
  bool speech = false;          // every verdict is spoken
  bool verdict = true;          // every verdict fills the screen
  bool dice = true;             // dice that the camera reads count if nobody objects
  double ui_scale = 0;          // 0: the screen's own scale
  bool audience = false;        // a second window for onlookers
  Layers layers = {};
  PanelShares panels = {};
  std::string club = {};        // the club's server that matches are copied to; empty: none
  friend bool operator==(const Preferences&, const Preferences&) = default;
};
inline constexpr double kLeastUiScale = 0.6;
inline constexpr double kMostUiScale = 4.0;

// $XDG_CONFIG_HOME/fallofshot/preferences.toml, or below ~/.config where that is not set. Empty
// where there is no home either: then nothing is kept. source  XDG Base Directory Specification
// 0.8.
std::filesystem::path PreferencesFile();
// errors  those of TomlFile, with the line and what to do. A missing file gives the defaults.
Result<Preferences> ReadPreferences(const std::filesystem::path& file);
// Makes the folder if it is missing. errors  kIo
Status WritePreferences(const std::filesystem::path& file, const Preferences& preferences);

// A game or clip that was open lately, to be opened again.
struct RecentGame {
  std::string name;                    // as players know it
  std::vector<std::string> arguments;  // of `live`, without the options of the window
  friend bool operator==(const RecentGame&, const RecentGame&) = default;
};
// $XDG_STATE_HOME/fallofshot/recent.json, below ~/.local/state. Empty as above.
std::filesystem::path RecentFile();
// The small picture that is kept of a game opened with these arguments, beside RecentFile. Empty as
// above.
std::filesystem::path PictureOf(const std::vector<std::string>& arguments);
// Newest first. Empty where the file is missing or damaged.
std::vector<RecentGame> ReadRecent(const std::filesystem::path& file);
// Puts the game first and keeps the ten newest. errors  kIo
Status NoteRecent(const std::filesystem::path& file, const RecentGame& game);

}  // namespace fos
