// SPDX-License-Identifier: MIT
#include "ui/session/recordings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/files/data_path.h"
#include "engine/files/home_folder.h"
#include "engine/table/sentence.h"
#include "ui/session/clip.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// What phones, webcams and OBS write.
constexpr std::array<std::string_view, 7> kFilms = {".mkv",  ".mp4", ".mov", ".m4v",
                                                    ".webm", ".avi", ".mts"};

fs::path FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string NameOfRecording(const fs::path& path) {
  return KeyInWords(path.stem().string());
}

}  // namespace

fs::path VideosFolder() {
  const fs::path home = HomeFolder();
  if (home.empty()) return {};
  fs::path config = FromEnvironment("XDG_CONFIG_HOME");
  if (!config.is_absolute()) config = home / ".config";
  std::ifstream in(config / "user-dirs.dirs");
  constexpr std::string_view kKey = "XDG_VIDEOS_DIR=\"";
  constexpr std::string_view kHome = "$HOME/";
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(kKey)) continue;
    const std::string value = line.substr(kKey.size(), line.rfind('"') - kKey.size());
    if (value.starts_with(kHome)) return home / value.substr(kHome.size());
    if (fs::path(value).is_absolute()) return value;
  }
  return home / "Videos";
}

std::vector<RecordingAtHand> RecordingsIn(const fs::path& folder, std::size_t most) {
  std::vector<std::pair<fs::file_time_type, RecordingAtHand>> found;
  std::error_code ec;
  for (fs::directory_iterator at(folder, ec), end; !ec && at != end; at.increment(ec)) {
    std::error_code gone;
    const fs::path& path = at->path();
    std::string ending = path.extension().string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool film = at->is_regular_file(gone) &&
                      std::find(kFilms.begin(), kFilms.end(), ending) != kFilms.end();
    const bool clip = at->is_directory(gone) && FindClip(path).ok();
    if (!film && !clip) continue;
    found.emplace_back(at->last_write_time(gone),
                       RecordingAtHand{path, NameOfRecording(path), clip});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second.path < b.second.path;
  });
  std::vector<RecordingAtHand> out;
  for (auto& [time, recording] : found)
    if (out.size() < most) out.push_back(std::move(recording));
  return out;
}

std::vector<RecordingAtHand> RecordingsAtHand() {
  constexpr std::size_t kMost = 4;  // each has a digit
  std::vector<RecordingAtHand> out;
  if (const fs::path own = VideosFolder(); !own.empty()) out = RecordingsIn(own, kMost);
  const Result<fs::path> sample = FindData("datasets/sets/open_qtip/table.toml");
  if (sample.ok()) out.push_back({sample->parent_path(), "The sample recording", true});
  return out;
}

}  // namespace fos
