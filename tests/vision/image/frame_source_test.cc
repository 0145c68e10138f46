// SPDX-License-Identifier: MIT
#include "vision/image/frame_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include <opencv2/imgcodecs.hpp>

#include "tests/support/temp_dir.h"
#include "vision/image/picture_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// Frames of one grey each, so that their order can be told.
void WriteFrame(const fs::path& file, int grey, cv::Size size = {16, 8}) {
  fs::create_directories(file.parent_path());
  cv::imwrite(file.string(), cv::Mat(size, CV_8UC3, cv::Scalar::all(grey)));
}

std::string OpenError(const fs::path& folder) {
  const auto source = OpenPictureFolder(folder, 10);
  return source.ok() ? "none" : source.error().message;
}

TEST(PictureFolder, ReadsItsFramesInOrder) {
  const test::TempDir dir;
  for (const int i : {2, 0, 1}) WriteFrame(dir.path() / ("00000" + std::to_string(i) + ".png"), i);
  auto source = OpenPictureFolder(dir.path(), 10);
  ASSERT_TRUE(source.ok()) << source.error().message;
  EXPECT_EQ((*source)->Size(), cv::Size(16, 8));
  EXPECT_EQ((*source)->FrameCount(), 3);
  for (int i = 0; i < 3; ++i) {
    const auto frame = (*source)->Next();
    ASSERT_TRUE(frame.ok() && frame->has_value());
    EXPECT_EQ((*frame)->id.index, i);
    EXPECT_EQ((*frame)->time_s, i / 10.0);
    EXPECT_EQ((*frame)->bgr.at<cv::Vec3b>(0, 0)[0], i);
  }
  const auto end = (*source)->Next();
  ASSERT_TRUE(end.ok());
  EXPECT_FALSE(end->has_value());
}

TEST(PictureFolder, NamesAMissingFrame) {
  const test::TempDir dir;
  for (const char* name : {"000001.png", "000002.png", "000004.png"}) {
    WriteFrame(dir.path() / name, 0);
  }
  EXPECT_EQ(OpenError(dir.path()).find((dir.path() / "000003.png").string()), 0u)
      << OpenError(dir.path());
  WriteFrame(dir.path() / "000003.png", 0);
  EXPECT_EQ(OpenError(dir.path()), "none") << "counting may begin at one";
  WriteFrame(dir.path() / "title.png", 0);
  EXPECT_EQ(OpenError(dir.path()), "none") << "names need not be numbers";
}

TEST(PictureFolder, RejectsANonPictureAndAnotherSize) {
  const test::TempDir dir;
  EXPECT_NE(OpenError(dir.path()), "none") << "empty";
  EXPECT_NE(OpenError(dir.path() / "none"), "none");
  dir.Write("bad/000000.png", "junk");
  EXPECT_NE(OpenError(dir.path() / "bad").find("000000.png"), std::string::npos);
  WriteFrame(dir.path() / "mixed/000000.png", 0);
  WriteFrame(dir.path() / "mixed/000001.png", 0, {8, 8});
  auto source = OpenPictureFolder(dir.path() / "mixed", 10);
  ASSERT_TRUE(source.ok());
  EXPECT_TRUE((*source)->Next().ok());
  const auto other = (*source)->Next();
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("000001.png: is 8 x 8, the first was 16 x 8"),
            std::string::npos)
      << other.error().message;
}

// Neither a folder, nor a pipe that nobody writes to, nor a device without end is waited for.
TEST(PictureFolder, RefusesWhatIsNoFile) {
  const test::TempDir dir;
  const auto folder = [&](const char* name) {
    WriteFrame(dir.path() / name / "000000.png", 0);
    WriteFrame(dir.path() / name / "000002.png", 0);
    return dir.path() / name / "000001.png";
  };
  fs::create_directory(folder("folder"));
  ASSERT_EQ(mkfifo(folder("pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder("device"));
  for (const char* name : {"folder", "pipe", "device"}) {
    const fs::path file = dir.path() / name / "000001.png";
    EXPECT_EQ(OpenError(dir.path() / name),
              file.string() + ": is a folder, pipe or device; put the picture there");
    EXPECT_TRUE(ReadPicture(file, cv::IMREAD_COLOR).empty()) << name;
  }
}

// A few bytes may state a picture that fills the memory.
TEST(PictureFolder, RefusesHugeAndOtherPictures) {
  std::vector<std::uint8_t> bytes;
  for (const char* end : {".png", ".jpg"}) {  // WebP has no place for so large a size
    ASSERT_TRUE(cv::imencode(end, cv::Mat::zeros(1, 30'000, CV_8UC1), bytes));
    EXPECT_TRUE(PictureFrom(bytes, cv::IMREAD_COLOR).empty()) << end;
    ASSERT_TRUE(cv::imencode(end, cv::Mat::zeros(1, 10'000, CV_8UC1), bytes));
    EXPECT_FALSE(PictureFrom(bytes, cv::IMREAD_COLOR).empty()) << end;
  }
  ASSERT_TRUE(cv::imencode(".bmp", cv::Mat::zeros(8, 8, CV_8UC3), bytes));
  EXPECT_TRUE(PictureFrom(bytes, cv::IMREAD_COLOR).empty()) << "only PNG, JPEG and WebP are read";
}

// Telephones append a film of what happened around the picture.
TEST(PictureFile, ReadsAJpegWithSomethingAppended) {
  std::vector<std::uint8_t> bytes;
  for (const int progressive : {0, 1}) {
    ASSERT_TRUE(cv::imencode(".jpg", cv::Mat(48, 64, CV_8UC3, cv::Scalar(9, 90, 200)), bytes,
                             {cv::IMWRITE_JPEG_PROGRESSIVE, progressive}));
    bytes.insert(bytes.end(), 5000, 0x42);
    EXPECT_EQ(PictureFrom(bytes, cv::IMREAD_COLOR).size(), cv::Size(64, 48)) << progressive;
  }
}

// Cameras name their pictures in capital letters.
TEST(PictureFile, KnowsPicturesByTheirNames) {
  const test::TempDir dir;
  for (const char* name : {"b.JPG", "a ü.Png", "c.jpeg", "d.webp", "e.HEIC", "f.txt", "g.bmp"}) {
    std::ofstream(dir.path() / name) << "x";
  }
  std::filesystem::create_directory(dir.path() / "h.jpg");
  const auto names = [](const std::vector<std::filesystem::path>& files) {
    std::string out;
    for (const std::filesystem::path& file : files) out += file.filename().string() + ' ';
    return out;
  };
  EXPECT_EQ(names(PictureFiles(dir.path())), "a ü.Png b.JPG c.jpeg d.webp ");
  EXPECT_EQ(names(UnreadPictureFiles(dir.path())), "e.HEIC g.bmp ");
  EXPECT_TRUE(PictureFiles(dir.path() / "none").empty());
}

// The decoders print nothing of their own.
TEST(PictureFolder, RejectsATruncatedPictureSilently) {
  const test::TempDir dir;
  cv::Mat picture(48, 64, CV_8UC3);
  cv::randu(picture, 0, 255);
  for (const char* end : {".png", ".jpg", ".webp"}) {
    std::vector<std::uint8_t> bytes;
    ASSERT_TRUE(cv::imencode(end, picture, bytes));
    EXPECT_EQ(PictureFrom(bytes, cv::IMREAD_COLOR).size(), picture.size()) << end;
    bytes.insert(bytes.end(), 100, 0);  // as some cameras pad theirs
    EXPECT_EQ(PictureFrom(bytes, cv::IMREAD_COLOR).size(), picture.size()) << end;
    testing::internal::CaptureStderr();
    for (std::size_t size = 0; size < bytes.size() - 102; size += 7) {
      const std::vector<std::uint8_t> part(bytes.begin(),
                                           bytes.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_TRUE(PictureFrom(part, cv::IMREAD_COLOR).empty()) << end << ' ' << size;
    }
    dir.Write(std::string("half") + end + "/000000" + end,
              std::string(bytes.begin(), bytes.begin() + 2000));
    EXPECT_NE(OpenError(dir.path() / (std::string("half") + end)).find("save it again"),
              std::string::npos);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << end;
  }
  // One changed byte.
  std::vector<std::uint8_t> bytes;
  ASSERT_TRUE(cv::imencode(".png", picture, bytes));
  bytes[bytes.size() / 2] ^= 1;
  testing::internal::CaptureStderr();
  EXPECT_TRUE(PictureFrom(bytes, cv::IMREAD_COLOR).empty());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(PictureFrom({}, cv::IMREAD_COLOR).empty());
}

TEST(PictureFolder, PrefetchedGivesTheSameFramesAndErrors) {
  const test::TempDir dir;
  for (int i = 0; i < 9; ++i) {
    WriteFrame(dir.path() / ("00000" + std::to_string(i) + ".png"), i);
  }
  dir.Write("000009.png", "junk");
  auto opened = OpenPictureFolder(dir.path(), 10);
  ASSERT_TRUE(opened.ok());
  const auto source = Prefetched(std::move(*opened), 2);
  for (int i = 0; i < 9; ++i) {
    const auto frame = source->Next();
    ASSERT_TRUE(frame.ok() && frame->has_value());
    EXPECT_EQ((*frame)->bgr.at<cv::Vec3b>(0, 0)[0], i);
  }
  EXPECT_FALSE(source->Next().ok());
}

TEST(PictureFolder, PrefetchedRepeatsItsEnd) {
  const test::TempDir dir;
  WriteFrame(dir.path() / "000000.png", 5);
  auto opened = OpenPictureFolder(dir.path(), 25);
  ASSERT_TRUE(opened.ok());
  const auto source = Prefetched(std::move(*opened));
  EXPECT_EQ(source->Size(), cv::Size(16, 8));
  EXPECT_EQ(source->FramesPerSecond(), 25);
  EXPECT_EQ(source->FrameCount(), 1);
  ASSERT_TRUE((*source->Next()).has_value());
  for (int i = 0; i < 3; ++i) {
    const auto end = source->Next();
    ASSERT_TRUE(end.ok());
    EXPECT_FALSE(end->has_value()) << i;
  }
}

TEST(PictureFolder, PrefetchedCanBeDestroyedMidWay) {
  const test::TempDir dir;
  for (int i = 0; i < 9; ++i) {
    WriteFrame(dir.path() / ("00000" + std::to_string(i) + ".png"), i);
  }
  // Before the first picture was asked for, with the queue full and after one was taken: each ends.
  for (int taken = 0; taken < 3; ++taken) {
    auto opened = OpenPictureFolder(dir.path(), 10);
    ASSERT_TRUE(opened.ok());
    const auto source = Prefetched(std::move(*opened), 1);
    for (int i = 0; i < taken; ++i) ASSERT_TRUE(source->Next().ok());
  }
}

TEST(Video, NamesAFileThatIsNoVideo) {
  const test::TempDir dir;
  const auto missing = OpenVideo(dir.path() / "none.mkv");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message.find("none.mkv"), std::string::npos);
  const auto text = OpenVideo(dir.Write("text.mkv", "these are words, not pictures\n"));
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().code, ErrorCode::kBadFormat);
  EXPECT_NE(text.error().message.find("text.mkv"), std::string::npos);
  EXPECT_FALSE(OpenVideo(dir.Write("empty.mkv", "")).ok());
  EXPECT_FALSE(OpenVideo(dir.path()).ok()) << "a folder is no file";
}

// A decoder would follow them, over the network too, and wait for what does not answer.
TEST(Video, FollowsNoPlaylist) {
  const test::TempDir dir;
  for (const char* playlist :
       {"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nhttp://127.0.0.1:9/a.ts\n",
        "ffconcat version 1.0\nfile /dev/zero\n",
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>",
        "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nm=video 5004 RTP/AVP 96\r\n"}) {
    const auto video = OpenVideo(dir.Write("video.mkv", playlist));
    ASSERT_FALSE(video.ok());
    EXPECT_EQ(video.error().code, ErrorCode::kBadFormat);
  }
}

TEST(CameraOrUrl, OpensFoldersAndFiles) {
  const test::TempDir dir;
  WriteFrame(dir.path() / "000000.png", 5);
  EXPECT_TRUE(OpenCameraOrUrl(dir.path().string()).ok());
  EXPECT_FALSE(OpenCameraOrUrl((dir.path() / "none.mkv").string()).ok());
  EXPECT_FALSE(OpenCameraOrUrl("").ok());
}

TEST(DecodeSeconds, MeasuresAFolderOfPictures) {
  const test::TempDir dir;
  EXPECT_FALSE(DecodeSeconds(dir.path()));
  fs::create_directory(dir.path() / "frames");
  cv::imwrite((dir.path() / "frames/000000.png").string(), cv::Mat::zeros(8, 8, CV_8UC3));
  EXPECT_TRUE(DecodeSeconds(dir.path()));
  dir.Write("video.mkv", "no video");
  EXPECT_FALSE(DecodeSeconds(dir.path()));
}

}  // namespace
}  // namespace fos
