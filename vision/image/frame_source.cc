// SPDX-License-Identifier: MIT
#include "vision/image/frame_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/videoio.hpp>
#include <thread>

#include "engine/table/quantile.h"
#include "vision/image/frame_clock.h"
#include "vision/image/free_pictures.h"
#include "vision/image/picture_file.h"
#include "vision/image/recording_end.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// FFmpeg and OpenCV's own chatter would bury the one line that tells people what to mend.
void SilenceDecoders() {
  setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", 0);  // AV_LOG_QUIET
  setenv("OPENCV_LOG_LEVEL", "SILENT", 0);
}

// The rate of a recording whose container states none that a camera can have: Matroska gives 1000
// for some frames that come when they like. Frames looked at ahead; their median step is the rate.
constexpr int kLookAhead = 8;
constexpr double kMostStatedFps = 61;
constexpr double kUnknownFps = 30;

class VideoSource : public FrameSource {
 public:
  VideoSource(std::string name, cv::VideoCapture capture, bool live)
      : name_(std::move(name)), capture_(std::move(capture)), live_(live) {
    const double fps = capture_.get(cv::CAP_PROP_FPS);
    fps_ = std::isfinite(fps) && fps > 0 && fps < 1000 ? fps : kUnknownFps;
    const double count = capture_.get(cv::CAP_PROP_FRAME_COUNT);
    if (!live && std::isfinite(count) && count > 0 && count < 1e8) {
      count_ = static_cast<int>(std::lround(count));
    }
    size_ = {static_cast<int>(capture_.get(cv::CAP_PROP_FRAME_WIDTH)),
             static_cast<int>(capture_.get(cv::CAP_PROP_FRAME_HEIGHT))};
    if (!live && (fps_ != fps || fps_ > kMostStatedFps)) MeasureRate();
    if (!live) clock_.emplace(fps_);
  }

  Result<std::optional<Frame>> Next() override try {
    const Stamped next = Read();
    if (next.bgr.empty()) return End();
    if (next.bgr.type() != CV_8UC3 || next.bgr.size() != size_) {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("{}: frame {} is {} x {}, the first was {} x {}; record it at one size",
                      name_, next_, next.bgr.cols, next.bgr.rows, size_.width, size_.height)};
    }
    time_s_ = clock_ ? clock_->Next(next.stamp_s) : static_cast<double>(next_) / fps_;
    const Frame frame{{next_}, time_s_, next.bgr};
    ++next_;
    return std::optional<Frame>{frame};
  } catch (const cv::Exception& e) {
    return Error{ErrorCode::kIo, fmt::format("{}: frame {}: {}", name_, next_, e.what())};
  }

  cv::Size Size() const override { return size_; }
  double FramesPerSecond() const override { return fps_; }
  std::optional<int> FrameCount() const override { return count_; }

 private:
  struct Stamped {
    cv::Mat bgr;  // empty at the end
    double stamp_s = 0;
  };

  Stamped Read() {
    if (!ahead_.empty()) {
      Stamped first = std::move(ahead_.front());
      ahead_.pop_front();
      return first;
    }
    Stamped out;
    out.bgr = pictures_.Take(size_, CV_8UC3);
    if (!capture_.read(out.bgr)) return {};
    constexpr double kSecondsOfMs = 1e-3;
    out.stamp_s = kSecondsOfMs * capture_.get(cv::CAP_PROP_POS_MSEC);
    return out;
  }

  void MeasureRate() {
    std::deque<Stamped> read;
    std::vector<double> steps_s;
    for (int i = 0; i < kLookAhead; ++i) {
      read.push_back(Read());
      if (read.back().bgr.empty()) break;
      if (i > 0) steps_s.push_back(read[read.size() - 1].stamp_s - read[read.size() - 2].stamp_s);
    }
    ahead_ = std::move(read);
    const std::optional<double> step_s = Quantile(std::move(steps_s), 0.5);
    if (step_s && *step_s > 0 && 1 / *step_s < 1000) fps_ = 1 / *step_s;
  }

  Result<std::optional<Frame>> End() const {
    if (live_) return std::optional<Frame>{};
    // Damage inside ends the pictures early too. Frames may also be left out of a film: then its
    // time runs to the end all the same.
    constexpr int kSlack = 2;
    const bool short_of_count = count_ && CountsItsFrames(name_) && next_ + kSlack < *count_ &&
                                time_s_ + kSlack / fps_ < *count_ / fps_;
    if (EndOfRecording(name_) != RecordingEnd::kCut && !short_of_count) {
      return std::optional<Frame>{};
    }
    const std::string where = next_ == 0
                                  ? std::string("before its first frame")
                                  : fmt::format("after frame {}, at {:.1f} s", next_ - 1, time_s_);
    return Error{ErrorCode::kIo, fmt::format("{}: is cut off {}; copy it again", name_, where)};
  }

  std::string name_;
  cv::VideoCapture capture_;
  bool live_;
  cv::Size size_;
  double fps_ = kUnknownFps;
  std::optional<int> count_;
  std::optional<FrameClock> clock_;  // of a recording
  std::deque<Stamped> ahead_;
  FreePictures pictures_;
  int next_ = 0;
  double time_s_ = 0;
};

class FolderSource : public FrameSource {
 public:
  FolderSource(std::vector<fs::path> files, cv::Size size, double fps)
      : files_(std::move(files)), size_(size), fps_(fps) {}

  Result<std::optional<Frame>> Next() override try {
    if (next_ >= files_.size()) return std::optional<Frame>{};
    const fs::path& file = files_[next_];
    cv::Mat bgr = ReadPicture(file, cv::IMREAD_COLOR);
    if (bgr.empty()) {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("{}: cannot be read as a picture; save it again as PNG", file.string())};
    }
    if (bgr.size() != size_) {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("{}: is {} x {}, the first was {} x {}; all frames must be of one size",
                      file.string(), bgr.cols, bgr.rows, size_.width, size_.height)};
    }
    const auto index = static_cast<std::int64_t>(next_++);
    return std::optional<Frame>{Frame{{index}, static_cast<double>(index) / fps_, bgr}};
  } catch (const cv::Exception& e) {
    return Error{ErrorCode::kIo, fmt::format("{}: {}", files_[next_].string(), e.what())};
  }

  cv::Size Size() const override { return size_; }
  double FramesPerSecond() const override { return fps_; }
  std::optional<int> FrameCount() const override { return static_cast<int>(files_.size()); }

 private:
  std::vector<fs::path> files_;
  cv::Size size_;
  double fps_;
  std::size_t next_ = 0;
};

// Decodes on its own thread. The queue holds finished results, a refusal or the end among them.
class PrefetchedSource : public FrameSource {
 public:
  PrefetchedSource(std::unique_ptr<FrameSource> source, int depth)
      : source_(std::move(source)), depth_(static_cast<std::size_t>(std::max(depth, 1))) {
    size_ = source_->Size();
    fps_ = source_->FramesPerSecond();
    count_ = source_->FrameCount();
    thread_ = std::jthread([this](const std::stop_token& stop) { Decode(stop); });
  }
  ~PrefetchedSource() override {
    thread_.request_stop();
    changed_.notify_all();
  }

  Result<std::optional<Frame>> Next() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty(); });
    Result<std::optional<Frame>> front = ready_.front();
    const bool last = !front.ok() || !front->has_value();
    if (!last) ready_.pop_front();  // the end stays, so that asking again answers the same
    lock.unlock();
    changed_.notify_all();
    return front;
  }
  cv::Size Size() const override { return size_; }
  double FramesPerSecond() const override { return fps_; }
  std::optional<int> FrameCount() const override { return count_; }

 private:
  void Decode(const std::stop_token& stop) {
    for (;;) {
      Result<std::optional<Frame>> next = source_->Next();
      const bool last = !next.ok() || !next->has_value();
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ready_.size() < depth_ || stop.stop_requested(); });
      if (stop.stop_requested()) return;
      ready_.push_back(std::move(next));
      lock.unlock();
      changed_.notify_all();
      if (last) return;
    }
  }

  std::unique_ptr<FrameSource> source_;
  std::size_t depth_;
  cv::Size size_;
  double fps_ = 30;
  std::optional<int> count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Result<std::optional<Frame>>> ready_;
  std::jthread thread_;  // last: it must end before what it uses
};

Result<std::unique_ptr<FrameSource>> Opened(const std::string& name, cv::VideoCapture capture,
                                            bool live) {
  auto source = std::make_unique<VideoSource>(name, std::move(capture), live);
  if (source->Size().width <= 0 || source->Size().height <= 0) {
    return Error{ErrorCode::kBadFormat, fmt::format("{}: holds no pictures; is it a video?", name)};
  }
  return Result<std::unique_ptr<FrameSource>>(std::move(source));
}

// The file that lacks between numbered frames; empty when the numbers run through, or the names are
// no numbers. A frame left out would shift the number and the time of every later one.
std::optional<fs::path> FirstGap(const std::vector<fs::path>& files) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string name = files[i].stem().string();
    const bool number = !name.empty() && name.size() < 10 &&
                        name.find_first_not_of("0123456789") == std::string::npos;
    if (!number) return std::nullopt;
    if (i == 0) first = std::stoul(name);
    const std::string next = fmt::format("{:0{}}", first + i, name.size());
    if (name != next) return files[i].parent_path() / (next + files[i].extension().string());
  }
  return std::nullopt;
}

}  // namespace

fs::path RecordingIn(const fs::path& folder) {
  for (const char* ending : {"mkv", "mp4", "mov", "m4v", "webm", "avi", "ts", "mts", "mjpeg"}) {
    // Many cameras write the ending in capital letters.
    std::string capitals = ending;
    for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (const std::string& written : {std::string(ending), capitals}) {
      const fs::path file = folder / ("video." + written);
      std::error_code ec;
      if (fs::is_regular_file(file, ec)) return file;
    }
  }
  return {};
}

Result<std::unique_ptr<FrameSource>> OpenVideo(const fs::path& file, Turn turn) try {
  SilenceDecoders();
  std::error_code ec;
  if (!fs::is_regular_file(file, ec)) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: no such file; give a recording that is there", file.string())};
  }
  // FFmpeg would follow a playlist to other files and addresses, and wait for them.
  cv::VideoCapture capture;
  if (HoldsPictures(file)) capture.open(file.string(), cv::CAP_FFMPEG);
  if (!capture.isOpened()) {
    return Error{
        ErrorCode::kBadFormat,
        fmt::format("{}: cannot be read as a video; H.264 or MJPEG in a .mkv is what works",
                    file.string())};
  }
  capture.set(cv::CAP_PROP_ORIENTATION_AUTO, turn == Turn::kAsFlagged ? 1 : 0);
  return Opened(file.string(), std::move(capture), /*live=*/false);
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kBadFormat, fmt::format("{}: {}", file.string(), e.what())};
}

Result<std::unique_ptr<FrameSource>> OpenPictureFolder(const fs::path& folder, double fps) try {
  SilenceDecoders();
  std::vector<fs::path> files;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(folder, ec)) {
    if (IsPictureName(entry.path())) files.push_back(entry.path());
  }
  if (ec || files.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: holds no pictures named 000000.png and so on", folder.string())};
  }
  std::sort(files.begin(), files.end());
  if (const std::optional<fs::path> gap = FirstGap(files)) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: no such file, though later frames are there; copy it again, or "
                             "number the frames anew",
                             gap->string())};
  }
  for (const fs::path& file : files) {
    if (!fs::is_regular_file(file, ec)) {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("{}: is a folder, pipe or device; put the picture there", file.string())};
    }
  }
  const cv::Mat first = ReadPicture(files.front(), cv::IMREAD_COLOR);
  if (first.empty()) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: cannot be read as a picture; save it again as PNG",
                             files.front().string())};
  }
  return Result<std::unique_ptr<FrameSource>>(
      std::make_unique<FolderSource>(std::move(files), first.size(), fps));
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kBadFormat, fmt::format("{}: {}", folder.string(), e.what())};
}

Result<std::unique_ptr<FrameSource>> OpenCameraOrUrl(const std::string& source) try {
  SilenceDecoders();
  const bool device =
      !source.empty() && source.size() <= 3 &&
      std::all_of(source.begin(), source.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (device) {
    cv::VideoCapture capture(std::stoi(source), cv::CAP_V4L2);
    if (!capture.isOpened()) {
      return Error{
          ErrorCode::kNotFound,
          fmt::format("camera {}: cannot be opened; is it plugged in, and does no other program "
                      "use it?",
                      source)};
    }
    return Opened("camera " + source, std::move(capture), /*live=*/true);
  }
  std::error_code ec;
  if (fs::is_directory(source, ec)) return OpenPictureFolder(source, 30.0);
  if (source.find("://") == std::string::npos) return OpenVideo(source);
  // A stream that is silent for longer is opened again.
  constexpr int kOpening_ms = 5000;
  constexpr int kReading_ms = 3000;
  cv::VideoCapture capture(
      source, cv::CAP_FFMPEG,
      {cv::CAP_PROP_OPEN_TIMEOUT_MSEC, kOpening_ms, cv::CAP_PROP_READ_TIMEOUT_MSEC, kReading_ms});
  if (!capture.isOpened()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: cannot be opened; check the address in another player", source)};
  }
  return Opened(source, std::move(capture), /*live=*/true);
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kNotFound, fmt::format("{}: {}", source, e.what())};
}

std::unique_ptr<FrameSource> Prefetched(std::unique_ptr<FrameSource> source, int depth) {
  return std::make_unique<PrefetchedSource>(std::move(source), depth);
}

std::optional<double> DecodeSeconds(const fs::path& clip) try {
  const auto start = std::chrono::steady_clock::now();
  cv::Mat picture;
  int pictures = 0;
  if (const fs::path recording = RecordingIn(clip); !recording.empty()) {
    cv::VideoCapture video(recording.string(), cv::CAP_FFMPEG);
    while (video.read(picture)) ++pictures;
  } else {
    while (true) {
      const fs::path file = clip / fmt::format("frames/{:06d}.png", pictures);
      if (!fs::is_regular_file(file)) break;
      picture = cv::imread(file.string());
      ++pictures;
    }
  }
  if (pictures == 0) return std::nullopt;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
} catch (const cv::Exception&) {
  return std::nullopt;
}

}  // namespace fos
