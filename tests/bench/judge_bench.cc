// SPDX-License-Identifier: MIT
// What judging costs over merely decoding the same pictures, start-up included; by hand:
//   judge_bench quiet|busy SECONDS CLIP...
// Makes so many seconds of each clip by looping it. `quiet` loops its first 0.4 s, in which no
// labelled clip has anything happen; the seam is then no more than noise. `busy` loops all of it:
// at the seam the pictures stop for three seconds, in which hands may have put everything back.
// Prints a line of comma-separated values for each clip, in the same run:
//   clip,kind,width,height,frames,stands,shots,decode_wall_s,decode_cpu_s,judge_wall_s,judge_cpu_s,
//   wall_ratio,cpu_ratio,ready_s,peak_mb
// cpu is the processor time of all threads; ready_s runs from the first frame until the stands are
// known; peak_mb is the most memory that the whole process has held, all earlier clips included.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <opencv2/videoio.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/temp_dir.h"
#include "ui/session/match.h"
#include "ui/session/out_folder.h"
#include "ui/session/rig.h"
#include "vision/image/frame_source.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr double kQuiet_s = 0.4;
constexpr double kSeam_s = 3;

double Wall_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double Seconds(const timeval& t) {
  constexpr double kMicro = 1e-6;
  return static_cast<double>(t.tv_sec) + kMicro * static_cast<double>(t.tv_usec);
}
rusage Usage() {
  rusage out{};
  getrusage(RUSAGE_SELF, &out);
  return out;
}
double Cpu_s() {
  const rusage used = Usage();
  return Seconds(used.ru_utime) + Seconds(used.ru_stime);
}

// Wall and processor seconds since its making.
class Stopwatch {
 public:
  double Wall() const { return Wall_s() - wall_s_; }
  double Cpu() const { return Cpu_s() - cpu_s_; }

 private:
  double wall_s_ = Wall_s();
  double cpu_s_ = Cpu_s();
};

// The first frames of a recording again and again, decoded anew each time.
class LoopedSource : public FrameSource {
 public:
  // loop    frames of the recording; those after them are left out
  // frames  in all
  // seam_s  how much longer than a frame the step from the last to the first one takes
  LoopedSource(const fs::path& recording, double fps, cv::Size size, int loop, int frames,
               double seam_s)
      : capture_(recording.string(), cv::CAP_FFMPEG),
        fps_(fps),
        size_(size),
        loop_(loop),
        frames_(frames),
        seam_s_(seam_s) {
    capture_.set(cv::CAP_PROP_ORIENTATION_AUTO, 0);
  }

  Result<std::optional<Frame>> Next() override {
    if (next_ == frames_) return std::optional<Frame>{};
    const auto rewind = [&] {
      capture_.set(cv::CAP_PROP_POS_FRAMES, 0);
      in_loop_ = 0;
      time_s_ += seam_s_;
    };
    if (in_loop_ == loop_) rewind();
    cv::Mat bgr;
    if (!capture_.read(bgr) && in_loop_ > 0) {  // the container promised more frames
      rewind();
      capture_.read(bgr);
    }
    if (bgr.empty()) return Error{ErrorCode::kIo, "the recording cannot be read again"};
    const Frame frame{{next_++}, time_s_, bgr};
    ++in_loop_;
    time_s_ += 1 / fps_;
    return std::optional<Frame>{frame};
  }
  cv::Size Size() const override { return size_; }
  double FramesPerSecond() const override { return fps_; }
  std::optional<int> FrameCount() const override { return frames_; }

 private:
  cv::VideoCapture capture_;
  double fps_;
  cv::Size size_;
  int loop_;
  int frames_;
  double seam_s_;
  int in_loop_ = 0;
  std::int64_t next_ = 0;
  double time_s_ = 0;
};

// Returns false after an error, which it prints.
bool Measure(const fs::path& clip, bool quiet, double seconds) {
  const auto refuse = [&](const std::string& why) {
    std::cerr << clip.string() << ": " << why << '\n';
    return false;
  };
  const test::TempDir dir;
  OutFolder out(dir.path() / "out");
  Result<Rig> rig = OpenRig(clip, out);
  if (!rig.ok()) return refuse(rig.error().message);
  const fs::path recording = RecordingIn(clip);
  const std::optional<int> count = rig->source->FrameCount();
  if (recording.empty() || !count) return refuse("holds no recording that states its length");
  const double fps = rig->source->FramesPerSecond();
  const cv::Size size = rig->source->Size();
  const int loop = quiet ? static_cast<int>(std::lround(kQuiet_s * fps)) : *count;
  const int frames = static_cast<int>(std::lround(seconds * fps));
  const auto source = [&] {
    return std::make_unique<LoopedSource>(recording, fps, size, loop, frames,
                                          quiet ? 0 : kSeam_s);
  };

  const Stopwatch decoding;
  for (const auto decoded = source();;) {
    const Result<std::optional<Frame>> next = decoded->Next();
    if (!next.ok()) return refuse(next.error().message);
    if (!next->has_value()) break;
  }
  const double decode_wall_s = decoding.Wall();
  const double decode_cpu_s = decoding.Cpu();

  const Stopwatch judging;
  std::optional<double> ready_s;
  Match match(*rig, out, DecisionPolicy{});
  const std::unique_ptr<FrameSource> ahead = Prefetched(source());
  for (;;) {
    const Result<std::optional<Frame>> next = ahead->Next();
    if (!next.ok()) return refuse(next.error().message);
    if (!next->has_value()) break;
    const Status status = match.Step(**next);
    if (!status.ok()) return refuse(status.error().message);
    if (!ready_s && match.Now().stands != nullptr) ready_s = judging.Wall();
  }
  Status status = match.Finish();
  if (status.ok()) status = match.End(judging.Wall());
  if (status.ok()) status = match.WriteLog();
  if (!status.ok()) return refuse(status.error().message);
  const double judge_wall_s = judging.Wall();
  const double judge_cpu_s = judging.Cpu();

  int shots = 0;
  for (const EventRecord& event : match.Events())
    shots += std::holds_alternative<ShotEvent>(event.body) ? 1 : 0;
  // A quiet table on which a shot is seen is not watched as one: then the figures mean nothing.
  if (quiet && shots > 0) return refuse("a shot was seen while nothing happened");
  const Snapshot now = match.Now();
  const std::size_t stands = now.stands != nullptr ? now.stands->size() : 0;
  if (stands == 0) return refuse("no stand was found");
  constexpr double kMB_of_KiB = 1024e-6;
  std::cout << fmt::format(
                   "{},{},{},{},{},{},{},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.0f}\n",
                   clip.filename().string(), quiet ? "quiet" : "busy", size.width, size.height,
                   frames, stands, shots, decode_wall_s, decode_cpu_s, judge_wall_s, judge_cpu_s,
                   judge_wall_s / decode_wall_s, judge_cpu_s / decode_cpu_s, ready_s.value_or(0),
                   kMB_of_KiB * static_cast<double>(Usage().ru_maxrss))
            << std::flush;
  return true;
}

}  // namespace
}  // namespace fos

int main(int count, char** arguments) {
  using namespace fos;
  const std::string kind = count > 1 ? arguments[1] : "";
  const double seconds = count > 2 ? std::atof(arguments[2]) : 0;
  if (count < 4 || (kind != "quiet" && kind != "busy") || !(seconds > 0)) {
    std::cerr << "usage: judge_bench quiet|busy SECONDS CLIP...\n";
    return 2;
  }
  std::cout << "clip,kind,width,height,frames,stands,shots,decode_wall_s,decode_cpu_s,judge_wall_s,"
               "judge_cpu_s,wall_ratio,cpu_ratio,ready_s,peak_mb\n";
  bool good = true;
  for (int i = 3; i < count; ++i) good = Measure(arguments[i], kind == "quiet", seconds) && good;
  return good ? 0 : 1;
}
