// SPDX-License-Identifier: MIT
#include "ui/session/recordings.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

TEST(Recordings, AreFoundWithoutTheirNames) {
  const test::TempDir dir;
  const auto film = [&](const char* name, int hours_old) {
    std::ofstream(dir.path() / name) << "film";
    fs::last_write_time(dir.path() / name,
                        fs::file_time_type::clock::now() - std::chrono::hours(hours_old));
  };
  film("first_evening.mkv", 30);
  film("last.MP4", 1);  // as GoPros write it
  film("older.mov", 90);
  film("letter.txt", 2);
  fs::create_directory(dir.path() / "holiday");
  // A clip's folder, with the sample's files.
  const fs::path sample = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  fs::create_directory(dir.path() / "clip");
  for (const char* name : {"video.mkv", "camera.yaml", "table.toml", "scenario.toml"})
    fs::create_symlink(sample / name, dir.path() / "clip" / name);
  fs::last_write_time(dir.path() / "clip",
                      fs::file_time_type::clock::now() - std::chrono::hours(60));
  const auto found = RecordingsIn(dir.path(), 3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, "last");
  EXPECT_EQ(found[1].name, "first evening");
  EXPECT_FALSE(found[1].is_clip);
  EXPECT_EQ(found[2].name, "clip");
  EXPECT_TRUE(found[2].is_clip);
  EXPECT_TRUE(RecordingsIn(dir.path() / "nowhere", 3).empty());
}

TEST(Recordings, LieWhereTheDesktopKeepsFilms) {
  const test::TempDir dir;
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  const std::string config =
      std::getenv("XDG_CONFIG_HOME") != nullptr ? std::getenv("XDG_CONFIG_HOME") : "";
  setenv("HOME", dir.path().c_str(), 1);
  setenv("XDG_CONFIG_HOME", (dir.path() / "config").c_str(), 1);
  EXPECT_EQ(VideosFolder(), dir.path() / "Videos");
  fs::create_directory(dir.path() / "config");
  const auto kept = [&](const char* folder) {
    std::ofstream(dir.path() / "config/user-dirs.dirs")
        << "XDG_MUSIC_DIR=\"$HOME/Musik\"\nXDG_VIDEOS_DIR=\"" << folder << "\"\n";
    return VideosFolder();
  };
  EXPECT_EQ(kept("$HOME/Filme"), dir.path() / "Filme");
  EXPECT_EQ(kept("/srv/films"), "/srv/films");
  EXPECT_EQ(kept("films"), dir.path() / "Videos");  // not a place
  // The sample comes last, and is always there.
  const auto all = RecordingsAtHand();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back().name, "The sample recording");
  EXPECT_TRUE(all.back().is_clip);
  setenv("HOME", home.c_str(), 1);
  if (config.empty()) unsetenv("XDG_CONFIG_HOME");
  else setenv("XDG_CONFIG_HOME", config.c_str(), 1);
}

}  // namespace
}  // namespace fos
