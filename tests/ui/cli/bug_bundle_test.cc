// SPDX-License-Identifier: MIT
#include "ui/cli/bug_bundle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/support/console_run.h"
#include "tests/support/shell_run.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using test::RunFallofshot;

class BugBundle : public ::testing::Test {
 protected:
  // A game of two players with uncommon names, in a club's file.
  std::string Played() const {
    const fs::path scenarios = fs::path(FOS_SOURCE_DIR) / "datasets/scenarios";
    const std::string club = (dir_.path() / "club.db").string();
    const auto run = RunFallofshot({"play", (scenarios / "skirmish.toml").string(),
                                    (scenarios / "skirmish.script").string(), "--seed", "7", "--db",
                                    club, "--players", "Blue=Zenobia,Red=Aurelian"});
    EXPECT_EQ(run.status, kExitDone) << run;
    return club;
  }
  BundleOptions Options() const {
    BundleOptions out;
    out.version = "fallofshot 0\n";
    out.findings = "ok club file " + dir_.path().string() + "/club.db\n";
    out.preferences = dir_.path() / "preferences.toml";
    out.club = dir_.path() / "club.db";
    return out;
  }
  static const std::string* Find(const Bundle& bundle, const std::string& name) {
    for (const TarFile& file : bundle.files) {
      if (file.name == "fallofshot-bundle/" + name) return &file.bytes;
    }
    return nullptr;
  }
  test::TempDir dir_;
};

TEST_F(BugBundle, WithoutAnythingHoldsTheChecksAndSaysWhatIsMissing) {
  const Result<Bundle> bundle = GatherBundle(Options());
  ASSERT_TRUE(bundle.ok()) << bundle.error().message;
  EXPECT_EQ(bundle->files.size(), 3u);
  EXPECT_EQ(bundle->contents.size(), bundle->files.size());
  ASSERT_NE(Find(*bundle, "doctor.txt"), nullptr);
  ASSERT_NE(Find(*bundle, "system.txt"), nullptr);
  EXPECT_NE(Find(*bundle, "system.txt")->find("Linux"), std::string::npos);
  std::string left_out;
  for (const std::string& one : bundle->left_out) left_out += one + '\n';
  for (const char* word : {"settings", "a game", "--match", "--pictures", "--names"}) {
    EXPECT_NE(left_out.find(word), std::string::npos) << word << " is not in\n" << left_out;
  }
}

TEST_F(BugBundle, IsUnpackedByTarAndItsGameIsReplayed) {
  BundleOptions options = Options();
  options.club = Played();
  dir_.Write("preferences.toml", "light = true\n");
  const Result<Bundle> bundle = GatherBundle(options);
  ASSERT_TRUE(bundle.ok()) << bundle.error().message;
  const Result<std::string> archive = TarArchive(bundle->files, 1800000000);
  ASSERT_TRUE(archive.ok()) << archive.error().message;
  EXPECT_EQ(archive->size() % 512, 0u);
  const fs::path file = dir_.Write("bundle.tar", *archive);
  const test::ShellRun unpacked =
      test::RunInShell("cd '" + dir_.path().string() + "' && tar -xvf '" + file.string() + "'");
  ASSERT_EQ(unpacked.status, 0) << unpacked;
  for (const TarFile& one : bundle->files) {
    EXPECT_EQ(fs::file_size(dir_.path() / one.name), one.bytes.size()) << one.name;
  }
  const std::string game = (dir_.path() / "fallofshot-bundle/game.fosgame").string();
  const std::string other = (dir_.path() / "other.db").string();
  EXPECT_EQ(RunFallofshot({"import", game, "--db", other}).status, kExitDone);
  const auto replayed = RunFallofshot({"replay", "last", "--db", other});
  EXPECT_EQ(replayed.status, kExitDone) << replayed;
  EXPECT_NE(replayed.out.find("all the same"), std::string::npos) << replayed;
}

TEST_F(BugBundle, NamesNobodyUnlessAsked) {
  BundleOptions options = Options();
  options.club = Played();
  options.home = dir_.path();
  const auto names_in = [](const Bundle& bundle) {
    return std::count_if(bundle.files.begin(), bundle.files.end(), [](const TarFile& file) {
      return file.bytes.find("Zenobia") != std::string::npos;
    });
  };
  const Result<Bundle> bundle = GatherBundle(options);
  ASSERT_TRUE(bundle.ok()) << bundle.error().message;
  ASSERT_NE(Find(*bundle, "game.fosgame"), nullptr);
  EXPECT_EQ(names_in(*bundle), 0);
  EXPECT_EQ(*Find(*bundle, "doctor.txt"), "ok club file ~/club.db\n");
  options.names = true;
  const Result<Bundle> named = GatherBundle(options);
  ASSERT_TRUE(named.ok()) << named.error().message;
  EXPECT_EQ(names_in(*named), 1);
}

TEST_F(BugBundle, HoldsThePicturesOfAMatchOnlyIfAsked) {
  dir_.Write("out/events.jsonl", "{\"type\": \"end\"}\n");
  dir_.Write("out/session.jsonl", "{}\n");
  dir_.Write("out/evidence/shot_01.png", "picture");
  BundleOptions options = Options();
  options.match = dir_.path() / "out";
  const Result<Bundle> bundle = GatherBundle(options);
  ASSERT_TRUE(bundle.ok()) << bundle.error().message;
  EXPECT_NE(Find(*bundle, "match/events.jsonl"), nullptr);
  EXPECT_NE(Find(*bundle, "match/session.jsonl"), nullptr);
  EXPECT_EQ(Find(*bundle, "match/evidence/shot_01.png"), nullptr);
  options.pictures = true;
  const Result<Bundle> pictures = GatherBundle(options);
  ASSERT_TRUE(pictures.ok()) << pictures.error().message;
  EXPECT_NE(Find(*pictures, "match/evidence/shot_01.png"), nullptr);
}

TEST_F(BugBundle, SaysWhatIsNotThere) {
  BundleOptions options = Options();
  options.match = dir_.path();
  const Result<Bundle> no_match = GatherBundle(options);
  ASSERT_FALSE(no_match.ok());
  EXPECT_NE(no_match.error().message.find("events.jsonl"), std::string::npos);
  options.match.clear();
  options.game = "7";
  EXPECT_FALSE(GatherBundle(options).ok());
  // Nobody asked for the game of a damaged file: the rest is worth sending.
  options.game.reset();
  dir_.Write("club.db", "no database, but long enough to be taken for one");
  const Result<Bundle> damaged = GatherBundle(options);
  ASSERT_TRUE(damaged.ok()) << damaged.error().message;
  EXPECT_EQ(Find(*damaged, "game.fosgame"), nullptr);
  EXPECT_NE(damaged->left_out.front().find("settings"), std::string::npos);
  EXPECT_NE(damaged->left_out[1].find("the newest game"), std::string::npos);
}

TEST(TarArchive, RefusesWhatTheFormatCannotHold) {
  EXPECT_TRUE(TarArchive({{std::string(99, 'n'), ""}}, 0).ok());
  EXPECT_FALSE(TarArchive({{std::string(100, 'n'), ""}}, 0).ok());
  EXPECT_FALSE(TarArchive({{"", "x"}}, 0).ok());
}

}  // namespace
}  // namespace fos
