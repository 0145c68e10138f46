// SPDX-License-Identifier: MIT
// Recordings of phones, webcams and recorders, whole, cut off and damaged, as OpenVideo reads them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <opencv2/imgproc.hpp>
#include <sstream>
#include <stdexcept>

#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"
#include "vision/image/frame_source.h"
#include "vision/image/recording_end.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

const cv::Size kSize{64, 48};
constexpr int kRecorded = 40;

// A frame whose number can be told from its brightness.
cv::Mat Numbered(int number) {
  cv::Mat out(kSize, CV_8UC3, cv::Scalar::all(20 + 5 * number));
  cv::rectangle(out, {0, 0, 16, 12}, cv::Scalar::all(255), cv::FILLED);  // its top left corner
  return out;
}
std::vector<cv::Mat> Numbered() {
  std::vector<cv::Mat> out;
  for (int i = 0; i < kRecorded; ++i) out.push_back(Numbered(i));
  return out;
}
int NumberOf(const cv::Mat& bgr) {
  return cvRound((cv::mean(bgr(cv::Rect(bgr.cols / 2 - 4, bgr.rows / 2 - 4, 8, 8)))[0] - 20) / 5);
}

std::string Contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

struct ReadRecording {
  std::vector<int> numbers;
  std::vector<double> times_s;
  double fps = 0;
  std::string error;  // empty at a good end
};
ReadRecording Read(const fs::path& file) {
  ReadRecording out;
  auto source = OpenVideo(file);
  if (!source.ok()) return {{}, {}, 0, "not opened: " + source.error().message};
  out.fps = (*source)->FramesPerSecond();
  for (;;) {
    const auto next = (*source)->Next();
    if (!next.ok()) out.error = next.error().message;
    if (!next.ok() || !next->has_value()) return out;
    out.numbers.push_back(NumberOf((*next)->bgr));
    out.times_s.push_back((*next)->time_s);
  }
}

// stamp_s  gives the stamp of each frame
std::string StampedMatroska(const std::function<double(int)>& stamp_s,
                            test::MatroskaOptions options = {}) {
  std::vector<test::StampedPicture> pictures;
  for (int i = 0; i < kRecorded; ++i) pictures.push_back(test::Stamped(stamp_s(i), Numbered(i)));
  if (!options.duration_s) options.duration_s = pictures.back().stamp_s + 1.0 / 30;
  return test::Matroska(pictures, kSize, options);
}

void ExpectAllFrames(const ReadRecording& read, const std::string& what) {
  EXPECT_EQ(read.error, "") << what;
  ASSERT_EQ(read.numbers.size(), kRecorded) << what;
  // Some encoders shift all greys alike.
  for (int i = 0; i < kRecorded; ++i) {
    EXPECT_EQ(read.numbers[static_cast<std::size_t>(i)] - read.numbers[0], i) << what;
  }
}

TEST(Recording, WithAStartOffsetIsReadToItsEnd) {
  const test::TempDir dir;
  for (const double offset_s : {0.0, 1.0, 60.0}) {
    const ReadRecording read =
        Read(dir.Write("a.mkv", StampedMatroska([&](int i) { return offset_s + i / 30.0; })));
    ExpectAllFrames(read, "offset " + std::to_string(offset_s));
    EXPECT_EQ(read.times_s.front(), 0);
    EXPECT_NEAR(read.times_s.back(), (kRecorded - 1) / 30.0, 1e-9) << "time counts from the first";
  }
}

TEST(Recording, OfAVariableRateWithDropsKeepsItsTimes) {
  const test::TempDir dir;
  // Every seventh frame comes late, and after the twentieth 0.4 s are missing.
  const auto stamp_s = [](int i) {
    return i / 30.0 + (i % 7 > 4 ? 0.012 : 0) + (i > 20 ? 0.4 : 0);
  };
  const ReadRecording read = Read(dir.Write("a.mkv", StampedMatroska(stamp_s)));
  ExpectAllFrames(read, "variable rate");
  for (int i = 0; i < kRecorded; ++i) {
    EXPECT_NEAR(read.times_s[static_cast<std::size_t>(i)], stamp_s(i), 0.5 / 30) << i;
  }
}

TEST(Recording, WithAJumpOfItsStampsIsReadToItsEnd) {
  const test::TempDir dir;
  for (const double jump_s : {5.0, 7200.0, -1.0}) {
    const ReadRecording read = Read(dir.Write(
        "a.mkv", StampedMatroska([&](int i) { return 2 + i / 30.0 + (i > 20 ? jump_s : 0); })));
    ExpectAllFrames(read, "jump " + std::to_string(jump_s));
    for (std::size_t i = 1; i < read.times_s.size(); ++i) {
      EXPECT_GT(read.times_s[i], read.times_s[i - 1]) << jump_s << ' ' << i;
    }
    EXPECT_LT(read.times_s.back(), 10) << jump_s;
  }
}

TEST(Recording, ThatStatesNoRateIsMeasured) {
  const test::TempDir dir;
  // A step of 17 and 16 ms now and then makes a decoder guess a rate of a thousand.
  const auto stamp_s = [](int i) { return std::round(i * 1000 / 15.0 + (i % 3)) / 1000; };
  const ReadRecording read =
      Read(dir.Write("a.mkv", StampedMatroska(stamp_s, {std::nullopt, std::nullopt})));
  ExpectAllFrames(read, "no rate");
  EXPECT_NEAR(read.fps, 15, 1);
  EXPECT_NEAR(read.times_s.back(), stamp_s(kRecorded - 1), 0.05);
}

TEST(Recording, IsReadFromEveryContainer) {
  const test::TempDir dir;
  for (const auto& [name, fourcc] :
       {std::pair{"a.avi", "MJPG"}, std::pair{"a.mkv", "MJPG"}, std::pair{"a.mp4", "mp4v"},
        std::pair{"a.mov", "mp4v"}, std::pair{"a.ts", "MPEG"}, std::pair{"b.mkv", "X264"},
        std::pair{"b.mp4", "avc1"}}) {
    test::WriteRecording(dir.path() / name, Numbered(), 25, fourcc);
    const ReadRecording read = Read(dir.path() / name);
    ExpectAllFrames(read, name);
    EXPECT_NEAR(read.fps, 25, 0.1) << name;
    EXPECT_NEAR(read.times_s.back(), (kRecorded - 1) / 25.0, 0.02) << name;
  }
}

// HEVC and AV1, as newer phones and OBS record; an OpenCV whose FFmpeg lacks them is told by the skip.
TEST(Recording, OfNewerCodecsIsReadWhereOpenCvReadsThem) {
  const test::TempDir dir;
  int read_codecs = 0;
  for (const auto& [name, fourcc] :
       {std::pair{"a.mp4", "hvc1"}, std::pair{"b.mp4", "av01"}, std::pair{"b.mkv", "AV01"}}) {
    try {
      test::WriteRecording(dir.path() / name, Numbered(), 25, fourcc);
    } catch (const std::runtime_error&) {
      continue;  // no encoder to test with
    }
    const ReadRecording read = Read(dir.path() / name);
    EXPECT_EQ(read.error, "") << name;
    EXPECT_EQ(read.numbers.size(), static_cast<std::size_t>(kRecorded)) << name;
    EXPECT_NEAR(read.fps, 25, 0.1) << name;
    EXPECT_NEAR(read.times_s.back(), (kRecorded - 1) / 25.0, 0.02) << name;
    // In order, as far as these codecs keep greys.
    EXPECT_TRUE(std::is_sorted(read.numbers.begin(), read.numbers.end())) << name;
    EXPECT_NEAR(read.numbers.back() - read.numbers.front(), kRecorded - 1, 2) << name;
    ++read_codecs;
  }
  RecordProperty("recordings read", read_codecs);
  if (read_codecs == 0) GTEST_SKIP() << "OpenCV's FFmpeg here encodes neither HEVC nor AV1";
}

TEST(Recording, CutOffGivesItsFramesAndSaysSo) {
  const test::TempDir dir;
  test::WriteRecording(dir.path() / "whole.avi", Numbered(), 25, "MJPG");
  test::WriteRecording(dir.path() / "whole.ts", Numbered(), 25, "MPEG");
  dir.Write("whole.mkv", StampedMatroska([](int i) { return i / 30.0; }));
  // As a recorder leaves it that was killed: no duration.
  dir.Write("open.mkv", StampedMatroska([](int i) { return i / 30.0; }, {0.0, 1.0 / 30}));
  for (const char* name : {"whole.avi", "whole.ts", "whole.mkv", "open.mkv"}) {
    const std::string whole = Contents(dir.path() / name);
    const fs::path cut =
        dir.Write(std::string("cut_") + name, whole.substr(0, whole.size() / 2 + 1));
    EXPECT_EQ(EndOfRecording(cut), RecordingEnd::kCut) << name;
    const ReadRecording read = Read(cut);
    EXPECT_NE(read.error.find(cut.string() + ": is cut off after frame "), std::string::npos)
        << name << ": " << read.error;
    EXPECT_GT(read.numbers.size(), kRecorded / 5u) << name;
    EXPECT_LT(read.numbers.size(), static_cast<std::size_t>(kRecorded)) << name;
  }
}

TEST(Recording, WithALostEndOfTheRightLengthSaysSo) {
  const test::TempDir dir;
  // A file system that lost power leaves zeros.
  std::string mkv = StampedMatroska([](int i) { return i / 30.0; });
  std::fill(mkv.begin() + static_cast<std::ptrdiff_t>(mkv.size() / 2), mkv.end(), '\0');
  EXPECT_NE(Read(dir.Write("a.mkv", mkv)).error.find("is cut off after frame"), std::string::npos);
  test::WriteRecording(dir.path() / "whole.mp4", Numbered(), 25, "mp4v");
  std::string mp4 = Contents(dir.path() / "whole.mp4");
  const std::size_t index = mp4.find("moov");
  ASSERT_NE(index, std::string::npos);
  std::fill(mp4.begin() + static_cast<std::ptrdiff_t>(index / 2),
            mp4.begin() + static_cast<std::ptrdiff_t>(index - 8), '\0');
  const ReadRecording read = Read(dir.Write("a.mp4", mp4));
  EXPECT_TRUE(read.numbers.size() == kRecorded ||
              read.error.find("is cut off after frame") != std::string::npos)
      << read.numbers.size() << read.error;
}

// A recorder that changes its mode, and back: every picture has the first one's size. The library
// repeats the last picture while the others last, which the match tells as a frozen picture.
TEST(Recording, OfChangingSizesComesInOneSizeAndGoesOn) {
  const test::TempDir dir;
  std::vector<test::StampedPicture> pictures;
  for (int i = 0; i < kRecorded; ++i) {
    cv::Mat picture = Numbered(i);
    if (i >= 10 && i < 20) cv::resize(picture, picture, {2 * kSize.width, 2 * kSize.height});
    if (i >= 25 && i < 30) cv::resize(picture, picture, {kSize.width, kSize.height / 2});
    pictures.push_back(test::Stamped(i / 30.0, picture));
  }
  const fs::path file =
      dir.Write("changing.mkv", test::Matroska(pictures, kSize, {kRecorded / 30.0}));
  auto source = OpenVideo(file);
  ASSERT_TRUE(source.ok());
  for (int i = 0; i < kRecorded; ++i) {
    const auto next = (*source)->Next();
    ASSERT_TRUE(next.ok() && next->has_value()) << i;
    EXPECT_EQ((*next)->bgr.size(), kSize) << i;
    if (i < 10 || i >= 30) {
      EXPECT_EQ(NumberOf((*next)->bgr), i);
    }
  }
  const auto end = (*source)->Next();
  EXPECT_TRUE(end.ok() && !end->has_value());
}

TEST(Recording, OfAPhoneComesAsItsSensorSeesUnlessTurned) {
  const test::TempDir dir;
  test::WriteRecording(dir.path() / "whole.mp4", Numbered(), 25, "mp4v");
  const std::string whole = Contents(dir.path() / "whole.mp4");
  const auto corner = [](const cv::Mat& bgr, bool right, bool bottom) {
    return bgr.at<cv::Vec3b>(bottom ? bgr.rows - 4 : 4, right ? bgr.cols - 4 : 4)[0] > 200;
  };
  for (const int degrees : {90, 180, 270}) {
    const fs::path file = dir.Write("turned.mp4", test::TurnedBy(degrees, whole));
    auto stored = OpenVideo(file);
    ASSERT_TRUE(stored.ok());
    EXPECT_EQ((*stored)->Size(), kSize) << degrees;
    EXPECT_TRUE(corner((*(*stored)->Next())->bgr, false, false)) << degrees;
    auto turned = OpenVideo(file, Turn::kAsFlagged);
    ASSERT_TRUE(turned.ok());
    EXPECT_EQ((*turned)->Size(), degrees == 180 ? kSize : cv::Size(48, 64)) << degrees;
    const cv::Mat seen = (*(*turned)->Next())->bgr;
    // OpenCV 4.6 takes 90 degrees for 270. A table is found either way.
    EXPECT_TRUE(degrees == 180 ? corner(seen, true, true)
                               : corner(seen, true, false) || corner(seen, false, true))
        << degrees;
  }
}

TEST(Recording, OfAClipMayHaveAnyContainer) {
  const test::TempDir dir;
  EXPECT_EQ(RecordingIn(dir.path()), fs::path());
  // As GoPros and iPhones write it.
  const fs::path capitals = dir.Write("video.MP4", "");
  EXPECT_EQ(RecordingIn(dir.path()), capitals);
  fs::remove(capitals);
  const fs::path mov = dir.Write("video.mov", "");
  dir.Write("video.txt", "");
  EXPECT_EQ(RecordingIn(dir.path()), mov);
  const fs::path mkv = dir.Write("video.mkv", "");
  EXPECT_EQ(RecordingIn(dir.path()), mkv);
}

// Every byte that a container's sizes are read from may be anything.
TEST(RecordingEnd, ReadsAnyBytes) {
  const test::TempDir dir;
  test::WriteRecording(dir.path() / "whole.avi", Numbered(), 25, "MJPG");
  test::WriteRecording(dir.path() / "whole.mp4", Numbered(), 25, "mp4v");
  const std::vector<std::string> wholes = {Contents(dir.path() / "whole.avi"),
                                           Contents(dir.path() / "whole.mp4"),
                                           StampedMatroska([](int i) { return i / 30.0; })};
  cv::RNG chance(7);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = wholes[static_cast<std::size_t>(i) % wholes.size()];
    bytes.resize(static_cast<std::size_t>(chance.uniform(0, static_cast<int>(bytes.size()))));
    for (int k = 0; k < 8 && !bytes.empty(); ++k) {
      const int most = std::min(static_cast<int>(bytes.size()), 400);
      bytes[static_cast<std::size_t>(chance.uniform(0, most))] =
          static_cast<char>(chance.uniform(0, 256));
    }
    (void)EndOfRecording(dir.Write("any", bytes));
  }
  EXPECT_EQ(EndOfRecording(dir.path() / "whole.avi"), RecordingEnd::kWhole);
  EXPECT_EQ(EndOfRecording(dir.path() / "whole.mp4"), RecordingEnd::kWhole);
  EXPECT_EQ(EndOfRecording(dir.path() / "none"), RecordingEnd::kUnknown);
  EXPECT_EQ(EndOfRecording(dir.Write("text", "words that are no recording")),
            RecordingEnd::kUnknown);
}

}  // namespace
}  // namespace fos
