// SPDX-License-Identifier: MIT
#include "ui/window/preferences.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"
#include "ui/window/tone.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

void Write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

TEST(Preferences, ReadBackWhatWasWritten) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "deep/below/preferences.toml";
  const Result<Preferences> none = ReadPreferences(file);
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(*none, Preferences{});
  Preferences wanted;
  wanted.light = true;
  wanted.sound = true;
  wanted.dice = false;
  wanted.large_controls = true;
  wanted.ui_scale = 1.75;
  wanted.audience = true;
  wanted.layers = {false, true, UnitNames::kAll, false, true, false};
  wanted.panels = {0.42F, 0.25F, 0.125F};
  wanted.club = "postgresql://table-1@server/club?sslmode=verify-full";
  ASSERT_TRUE(WritePreferences(file, wanted).ok());
  const Result<Preferences> read = ReadPreferences(file);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, wanted);
}

TEST(Preferences, HoldNoPasswordOfTheClubsServer) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "preferences.toml";
  Write(file, "club = \"postgresql://ada:hunter2@server/club\"\n");
  const Result<Preferences> read = ReadPreferences(file);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("preferences.toml:1"), std::string::npos);
  EXPECT_EQ(read.error().message.find("hunter2"), std::string::npos) << read.error().message;
}

TEST(Preferences, NamesTheBadKey) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "preferences.toml";
  const auto said = [&](const std::string& text) {
    Write(file, text);
    const Result<Preferences> read = ReadPreferences(file);
    return read.ok() ? std::string{} : read.error().message;
  };
  EXPECT_NE(said("lihgt = true\n").find("light"), std::string::npos);
  EXPECT_NE(said("ui_scale = 9\n").find("ui_scale"), std::string::npos);
  EXPECT_NE(said("column_share = 1.5\n").find("column_share"), std::string::npos);
  EXPECT_NE(said("show_names = \"al\"\n").find("all"), std::string::npos);
  EXPECT_NE(said("ui_scale = nan\n"), "");
  EXPECT_NE(said("light = [\n").find("preferences.toml"), std::string::npos);
  EXPECT_EQ(said("ui_scale = 0.1\n"), "");
  EXPECT_EQ(ReadPreferences(file)->ui_scale, kLeastUiScale);
}

TEST(Preferences, ListsTheNewestGamesFirstAndOnce) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "recent.json";
  EXPECT_TRUE(ReadRecent(file).empty());
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(NoteRecent(file, {"game " + std::to_string(i), {"clip" + std::to_string(i)}}).ok());
  }
  ASSERT_TRUE(NoteRecent(file, {"game 5", {"clip5"}}).ok());
  const std::vector<RecentGame> games = ReadRecent(file);
  ASSERT_EQ(games.size(), 10u);
  EXPECT_EQ(games[0].name, "game 5");
  EXPECT_EQ(games[1].name, "game 11");
  for (const char* text : {"", "{}", "[1, {\"name\": 3}]", "[{\"name\":\"a\",\"arguments\":[]}]"}) {
    Write(file, text);
    EXPECT_TRUE(ReadRecent(file).empty()) << text;
  }
}

TEST(Tone, IsAWaveFileOfTheRightLength) {
  const std::string hit = WaveFile(ToneOf(Call::kHit));
  ASSERT_GT(hit.size(), 44u);
  EXPECT_EQ(hit.substr(0, 4), "RIFF");
  EXPECT_EQ(hit.substr(8, 8), "WAVEfmt ");
  const auto number = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(hit[at])) |
           static_cast<std::size_t>(static_cast<unsigned char>(hit[at + 1])) << 8 |
           static_cast<std::size_t>(static_cast<unsigned char>(hit[at + 2])) << 16;
  };
  EXPECT_EQ(number(4) + 8, hit.size());
  EXPECT_EQ(number(40) + 44, hit.size());
  EXPECT_NE(hit, WaveFile(ToneOf(Call::kMiss)));
}

TEST(Tone, FindsThePlayerInThePath) {
  const test::TempDir dir;
  const fs::path bin = dir.path() / "bin";
  fs::create_directories(bin);
  EXPECT_TRUE(FindPlayer("").empty());
  EXPECT_TRUE(FindPlayer(bin.string()).empty());
  Write(bin / "aplay", "#!/bin/sh\n");
  EXPECT_TRUE(FindPlayer(bin.string()).empty());  // not executable
  fs::permissions(bin / "aplay", fs::perms::owner_all);
  const std::vector<std::string> player = FindPlayer("/nowhere::" + bin.string());
  ASSERT_EQ(player.size(), 2u);
  EXPECT_EQ(player[0], (bin / "aplay").string());
}

}  // namespace
}  // namespace fos
