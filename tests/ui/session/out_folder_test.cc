// SPDX-License-Identifier: MIT
#include "ui/session/out_folder.h"

#include <gtest/gtest.h>

#include "engine/files/whole_file.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

std::string TextOf(const fs::path& file) {
  const Result<std::string> text = ReadWholeFile(file);
  return text.ok() ? *text : "(none)";
}

void Put(OutFolder& out, const std::string& name, const std::string& text) {
  const Result<fs::path> file = out.FileFor(name);
  ASSERT_TRUE(file.ok()) << file.error().message;
  ASSERT_TRUE(WriteWholeFile(*file, text).ok());
}

TEST(OutFolder, AFailedRunLeavesEarlierFilesUnchanged) {
  const test::TempDir dir;
  const fs::path root = dir.path() / "made/out";
  {
    OutFolder out(root);
    Put(out, "evidence/shot_01.png", "first");
    Put(out, "events.jsonl", "first");
    EXPECT_EQ(TextOf(root / "events.jsonl"), "(none)");
    ASSERT_TRUE(out.Keep().ok());
    EXPECT_EQ(TextOf(root / "evidence/shot_01.png"), "first");
    Put(out, "session.jsonl", "a word");  // now written to its final place
    EXPECT_EQ(TextOf(root / "session.jsonl"), "a word");
  }
  dir.Write("made/out/.unfinished/evidence/shot_07.png", "of a run that was killed");
  {
    OutFolder out(root);
    Put(out, "evidence/shot_01.png", "second");
    Put(out, "evidence/shot_02.png", "second");
  }
  EXPECT_EQ(TextOf(root / "evidence/shot_01.png"), "first");
  EXPECT_EQ(TextOf(root / "events.jsonl"), "first");
  EXPECT_FALSE(fs::exists(root / "evidence/shot_02.png"));
  EXPECT_FALSE(fs::exists(root / ".unfinished"));
  {
    OutFolder out(root);
    Put(out, "evidence/shot_01.png", "third");
    ASSERT_TRUE(out.Keep().ok());
  }
  EXPECT_EQ(TextOf(root / "evidence/shot_01.png"), "third");
  EXPECT_FALSE(fs::exists(root / "evidence/shot_07.png"));
  OutFolder(dir.path() / "made/none");
  EXPECT_FALSE(fs::exists(dir.path() / "made/none"));
}

TEST(OutFolder, MovesAnEarlierLogAsideWithItsEvidence) {
  const test::TempDir dir;
  OutFolder out(dir.path());
  dir.Write("evidence/stray.png", "of no log");
  ASSERT_TRUE(out.SetEarlierAside().ok());
  EXPECT_TRUE(out.SetEarlierAside()->empty());
  dir.Write("camera.yaml", "of the camera, whatever it watches");
  for (const char* name : {"earlier_01", "earlier_02"}) {
    dir.Write("events.jsonl", name);
    dir.Write("evidence/shot_01.png", name);
    const Result<fs::path> aside = out.SetEarlierAside();
    ASSERT_TRUE(aside.ok()) << aside.error().message;
    EXPECT_EQ(*aside, dir.path() / name);
    EXPECT_EQ(TextOf(*aside / "events.jsonl"), name);
    EXPECT_EQ(TextOf(*aside / "evidence/shot_01.png"), name);
    EXPECT_FALSE(fs::exists(dir.path() / "events.jsonl"));
    EXPECT_FALSE(fs::exists(dir.path() / "evidence"));
  }
  EXPECT_TRUE(fs::exists(dir.path() / "camera.yaml"));
}

}  // namespace
}  // namespace fos
