// SPDX-License-Identifier: MIT
// The clip that ships in datasets/sets, from its pictures to its verdict, whole and with one part
// broken.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "datasets/render/augmentation.h"
#include "datasets/score/score_set.h"
#include "tests/support/clip_files.h"
#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"
#include "ui/cli/commands.h"
#include "ui/session/judge.h"
#include "vision/image/frame_source.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

const fs::path kSets = fs::path(FOS_SOURCE_DIR) / "datasets/sets";
const fs::path kSample = kSets / "open_qtip";

std::string Contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

Result<std::vector<ClipScore>> ScoresOf(const fs::path& sets, const fs::path& out) {
  ScoreSetOptions options;
  options.out = out;
  return ScoreSet(sets, options, [](const fs::path& clip, const fs::path& to) {
    JudgeOptions judge;
    judge.out = to;
    const Result<Judged> judged = JudgeClip(clip, judge);
    return judged.ok() ? Ok() : Status(judged.error());
  });
}

TEST(SampleClip, FindsEveryShotAndMakesNoWrongCall) {
  const test::TempDir dir;
  const auto scores = ScoresOf(kSets, dir.path());
  ASSERT_TRUE(scores.ok()) << scores.error().message;
  const ClipScore all = Total(*scores);
  for (const ClipScore& score : *scores) EXPECT_EQ(score.error, "") << score.clip;
  EXPECT_EQ(all.shots_missed, 0);
  EXPECT_EQ(all.shots_invented, 0);
  ASSERT_FALSE(all.shot_errors_in.empty());
  EXPECT_LE(*Quantile(all.shot_errors_in, 0.5), 0.03);
  EXPECT_EQ(all.WrongFar(), 0);
  // 95 % of the stands that are at least half visible, with the right side.
  EXPECT_GE(all.half_visible.found * 20, all.half_visible.there * 19);
  EXPECT_EQ(static_cast<std::size_t>(all.side_right), all.centre_errors_in.size());
  EXPECT_LE(*Quantile(all.calibration_errors_in, 1), 0.03);
  for (const ClipScore& score : *scores) {
    for (int shot = 1; shot <= score.shots_found; ++shot) {
      const auto picture =
          dir.path() / score.clip / ("evidence/shot_0" + std::to_string(shot) + ".png");
      EXPECT_GT(fs::file_size(picture), 10000u);
    }
  }
}

// A lens against a window adds light to the whole picture.
TEST(SampleClip, IsJudgedAsWellBehindAVeil) {
  const test::TempDir dir;
  auto source = OpenVideo(kSample / "video.mkv");
  ASSERT_TRUE(source.ok());
  const Augmentation veiled = *AugmentationNamed("veiled");
  std::vector<cv::Mat> pictures;
  for (;;) {
    const auto next = (*source)->Next();
    ASSERT_TRUE(next.ok());
    if (!next->has_value()) break;
    pictures.push_back(Augmented(veiled, (*next)->bgr, pictures.size()));
  }
  const fs::path clip = dir.path() / "sets/veiled";
  fs::create_directories(clip);
  for (const char* file : {"table.toml", "scenario.toml", "camera.yaml", "truth.json"})
    fs::copy_file(kSample / file, clip / file);
  test::WriteRecording(clip / "video.mp4", pictures, (*source)->FramesPerSecond(), "avc1");
  const auto scores = ScoresOf(dir.path() / "sets", dir.path() / "out");
  ASSERT_TRUE(scores.ok()) << scores.error().message;
  const ClipScore all = Total(*scores);
  EXPECT_EQ(all.shots_found, 1);
  EXPECT_EQ(all.shots_invented, 0);
  EXPECT_EQ(all.WrongFar(), 0);
  EXPECT_EQ(all.half_visible.found, all.half_visible.there);
  EXPECT_EQ(all.stands_invented, 0);
}

// One part of the sample broken, and what the error line must name.
struct Broken {
  const char* name;
  void (*spoil)(const fs::path& clip);
  std::vector<std::string> says;
};

void Rewrite(const fs::path& file, const std::string& text) {
  fs::remove(file);
  std::ofstream(file, std::ios::binary) << text;
}
void Swap(const fs::path& file, const char* from, const char* to) {
  Rewrite(file, test::Replaced(Contents(file), from, to));
}

const Broken kBroken[] = {
    {"NoVideo", [](const fs::path& c) { fs::remove(c / "video.mkv"); }, {"video.mkv"}},
    {"EmptyVideo", [](const fs::path& c) { Rewrite(c / "video.mkv", ""); }, {"video.mkv"}},
    {"TextForVideo",
     [](const fs::path& c) { Rewrite(c / "video.mkv", "no video"); },
     {"video.mkv"}},
    {"VideoStopsAtOnce",
     [](const fs::path& c) {
       const std::string whole = Contents(c / "video.mkv");
       Rewrite(c / "video.mkv", whole.substr(0, whole.size() / 10));
     },
     {"video.mkv", "is cut off before its first frame"}},
    {"NoTable", [](const fs::path& c) { fs::remove(c / "table.toml"); }, {"table.toml"}},
    {"UnknownKey",
     [](const fs::path& c) { Swap(c / "table.toml", "columns", "colums"); },
     {"table.toml:2", "`columns`"}},
    {"AbsurdNumber",
     [](const fs::path& c) { Swap(c / "table.toml", "square = 4.0", "square = 4e9"); },
     {"table.toml:4", "0.25 to 48"}},
    {"OffTheBoard",
     [](const fs::path& c) { Swap(c / "scenario.toml", "square = \"B3\"", "square = \"Z3\""); },
     {"scenario.toml", "off the board"}},
    {"NoLens", [](const fs::path& c) { fs::remove(c / "camera.yaml"); }, {"camera.yaml"}},
    {"BrokenLens",
     [](const fs::path& c) { Rewrite(c / "camera.yaml", "%YAML:1.0\n---\n{"); },
     {"camera.yaml"}},
    {"OtherPictureSize",
     [](const fs::path& c) {
       Swap(c / "camera.yaml", "image_width: 1920", "image_width: 1280");
       Swap(c / "camera.yaml", "image_height: 1080", "image_height: 720");
     },
     {"1920 x 1080", "1280 x 720"}},
};

class BrokenClip : public testing::TestWithParam<Broken> {};

TEST_P(BrokenClip, PrintsOneLineExitsWithOneAndLeavesNoFiles) {
  const test::TempDir dir;
  const fs::path clip = dir.path() / "clip";
  fs::create_directory(clip);
  for (const char* file : {"table.toml", "scenario.toml", "camera.yaml", "video.mkv"}) {
    fs::copy_file(kSample / file, clip / file);
    fs::permissions(clip / file, fs::perms::owner_write, fs::perm_options::add);
  }
  GetParam().spoil(clip);
  // Once into a new folder, once over an older log.
  const fs::path fresh = dir.path() / "fresh";
  const fs::path older = dir.path() / "older";
  fs::create_directory(older);
  dir.Write("older/events.jsonl", "what was\n");
  for (const fs::path& out : {fresh, older}) {
    std::ostringstream told;
    std::ostringstream complained;
    Console console{told, complained};
    EXPECT_EQ(RunCommandLine({"judge", clip.string(), "--out", out.string()}, console),
              kExitBadInput);
    const std::string line = complained.str();
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line: " << line;
    EXPECT_EQ(line.find("fault of the program"), std::string::npos) << line;
    for (const std::string& part : GetParam().says) {
      EXPECT_NE(line.find(part), std::string::npos) << line << " names no " << part;
    }
    EXPECT_EQ(told.str(), "");
  }
  EXPECT_FALSE(fs::exists(fresh));
  EXPECT_EQ(Contents(older / "events.jsonl"), "what was\n");
  EXPECT_EQ(std::distance(fs::recursive_directory_iterator(older), {}), 1);
}

INSTANTIATE_TEST_SUITE_P(All, BrokenClip, testing::ValuesIn(kBroken),
                         [](const auto& tested) { return tested.param.name; });

// The sample as it is, except for its recording.
fs::path SampleWithout(const test::TempDir& dir, const std::string& name) {
  const fs::path clip = dir.path() / name;
  fs::create_directory(clip);
  for (const char* file : {"table.toml", "scenario.toml", "camera.yaml"}) {
    fs::copy_file(kSample / file, clip / file);
  }
  return clip;
}

std::vector<ShotEvent> ShotsOf(const std::vector<EventRecord>& events) {
  std::vector<ShotEvent> out;
  for (const EventRecord& event : events) {
    if (const auto* shot = std::get_if<ShotEvent>(&event.body)) out.push_back(*shot);
  }
  return out;
}

TEST(RecordedBy, APhoneWithAStartOffsetAndDropsIsJudgedAlike) {
  const test::TempDir dir;
  auto source = OpenVideo(kSample / "video.mkv");
  ASSERT_TRUE(source.ok());
  std::vector<test::StampedPicture> pictures;
  double stamp_s = 60;
  for (;;) {
    const auto next = (*source)->Next();
    ASSERT_TRUE(next.ok());
    if (!next->has_value()) break;
    pictures.push_back(test::Stamped(stamp_s, (*next)->bgr));
    stamp_s += 1 / 30.0 + (pictures.size() % 9 == 0 ? 0.014 : 0);
    if (pictures.size() == 50) stamp_s += 0.3;
  }
  const fs::path clip = SampleWithout(dir, "clip");
  dir.Write("clip/video.mkv", test::Matroska(pictures, (*source)->Size(), {stamp_s, 1 / 30.0}));
  JudgeOptions judge;
  judge.out = dir.path() / "out";
  const Result<Judged> judged = JudgeClip(clip, judge);
  ASSERT_TRUE(judged.ok()) << judged.error().message;
  EXPECT_EQ(judged->frames, static_cast<std::int64_t>(pictures.size()));
  ASSERT_EQ(ShotsOf(judged->events).size(), 1u);
  const auto& end = std::get<EndEvent>(judged->events.back().body);
  EXPECT_EQ(end.cut_off, "");
  EXPECT_NEAR(judged->events.back().time_s, stamp_s - 60 - 1 / 30.0, 0.02);
}

TEST(RecordedBy, ARecorderThatWasKilledIsJudgedUpToThere) {
  const test::TempDir dir;
  const fs::path clip = SampleWithout(dir, "clip");
  const std::string whole = Contents(kSample / "video.mkv");
  const fs::path cut = dir.Write("clip/video.mkv", whole.substr(0, whole.size() * 9 / 10));
  const fs::path club = dir.path() / "club.db";
  std::ostringstream told;
  std::ostringstream complained;
  Console console{told, complained};
  EXPECT_EQ(RunCommandLine({"judge", clip.string(), "--out", (dir.path() / "out").string(), "--db",
                            club.string()},
                           console),
            kExitDone)
      << complained.str();
  EXPECT_NE(told.str().find(cut.string() + ": is cut off after frame "), std::string::npos)
      << told.str();
  EXPECT_NE(told.str().find("Everything before that was judged"), std::string::npos) << told.str();
  const auto events = ReadEventLog(dir.path() / "out/events.jsonl");
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(ShotsOf(*events).size(), 1u) << "the shot fell before the cut";
  const auto* end = std::get_if<EndEvent>(&events->back().body);
  ASSERT_NE(end, nullptr);
  EXPECT_NE(end->cut_off.find("is cut off after frame"), std::string::npos);
  EXPECT_GT(end->frames, 50);
}

TEST(RecordedBy, APhoneHeldUprightIsJudgedAsItsSensorSees) {
  const test::TempDir dir;
  auto source = OpenVideo(kSample / "video.mkv");
  ASSERT_TRUE(source.ok());
  std::vector<cv::Mat> pictures;
  for (int i = 0; i < 15; ++i) {
    const auto next = (*source)->Next();
    ASSERT_TRUE(next.ok() && next->has_value());
    pictures.push_back((*next)->bgr);
  }
  const fs::path clip = SampleWithout(dir, "clip");
  test::WriteRecording(dir.path() / "plain.mp4", pictures, 30, "avc1");
  dir.Write("clip/video.mp4", test::TurnedBy(90, Contents(dir.path() / "plain.mp4")));
  JudgeOptions judge;
  judge.out = dir.path() / "out";
  const Result<Judged> judged = JudgeClip(clip, judge);
  ASSERT_TRUE(judged.ok()) << judged.error().message;
  EXPECT_EQ(judged->frames, 15);
}

TEST(JudgeCommand, RefusesAnImpossibleOutputFolder) {
  const test::TempDir dir;
  dir.Write("file", "x");
  std::ostringstream told;
  std::ostringstream complained;
  Console console{told, complained};
  const std::string out = (dir.path() / "file").string();
  EXPECT_EQ(RunCommandLine({"judge", kSample.string(), "--out", out}, console), kExitBadInput);
  EXPECT_NE(complained.str().find(out), std::string::npos) << complained.str();
  EXPECT_EQ(Contents(dir.path() / "file"), "x");
}

}  // namespace
}  // namespace fos
