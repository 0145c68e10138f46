// SPDX-License-Identifier: MIT
// How long after a projectile has come to rest its verdict is shown, with pictures that come in
// real time; by hand:
//   live_bench FPS CLIP...
// Plays each clip as a camera of so many pictures a second would deliver it, after five seconds in
// which the match begins: pictures that come while one is looked at are lost. Prints a line of
// comma-separated values for each verdict,
//   clip,shot,at_rest_frame,rest_to_verdict_s,pictures,judged
// `rest` is the first picture in which the projectile lies still; `pictures` came in all, `judged`
// of them were looked at. Then, of all clips together, the median and the 95th percentile, and the
// same without the settling time, for which a thing must lie still before it is looked at. Where
// hands are in view, the time until they are off counts too.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/table/quantile.h"
#include "tests/support/temp_dir.h"
#include "ui/session/live_session.h"
#include "ui/session/out_folder.h"
#include "ui/session/rig.h"
#include "vision/change/change_detector.h"
#include "vision/image/frame_source.h"

namespace fos {
namespace {

using Clock = std::chrono::steady_clock;

// When pictures come. Outlives their source, which ends with the recording.
struct Pace {
  double fps = 30;
  std::atomic<Clock::time_point> first{};  // the first picture came then
  std::atomic<int> count = 0;              // so many have come
  Clock::time_point DueAt(std::int64_t index) const {
    return first.load() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(static_cast<double>(index) / fps));
  }
};

// A recording as a camera that was on before it and stays on after it: picture N is handed out
// N / fps after the first. For as long as a match takes to begin, and at the end for as long as the
// last verdict takes, a fifth of a second of the recording is played to and fro, in which nothing
// happens: no picture comes twice running.
class PacedSource : public FrameSource {
 public:
  PacedSource(std::unique_ptr<FrameSource> source, std::shared_ptr<Pace> pace)
      : source_(std::move(source)), pace_(std::move(pace)) {}
  Result<std::optional<Frame>> Next() override {
    constexpr double kBefore_s = 5;
    constexpr double kAfter_s = 3;
    while (few_.size() < kFew && !ended_)
      if (Result<bool> read = Read(); !read.ok()) return read.error();
    const auto before = static_cast<std::int64_t>(kBefore_s * pace_->fps) / kRound * kRound;
    if (next_ < before) return Handed(few_[AtOf(next_)]);
    if (!ended_ && next_ >= before + static_cast<std::int64_t>(kFew)) {
      if (Result<bool> read = Read(); !read.ok()) return read.error();
      if (!ended_) return Handed(few_.back());
    }
    if (!ended_) return Handed(few_[static_cast<std::size_t>(next_ - before)]);
    if (static_cast<double>(after_) > kAfter_s * pace_->fps) return std::optional<Frame>();
    return Handed(few_[few_.size() - 1 - AtOf(++after_)]);
  }
  cv::Size Size() const override { return source_->Size(); }
  double FramesPerSecond() const override { return pace_->fps; }
  std::optional<int> FrameCount() const override { return std::nullopt; }

 private:
  static constexpr std::size_t kFew = 6;
  static constexpr std::int64_t kRound = 2 * (kFew - 1);  // to and fro
  // 0, 1, ... 5, 4, ... 1, 0, 1, ...
  static std::size_t AtOf(std::int64_t n) {
    const std::int64_t at = n % kRound;
    return static_cast<std::size_t>(std::min(at, kRound - at));
  }
  // Whether there was another picture.
  Result<bool> Read() {
    Result<std::optional<Frame>> next = source_->Next();
    if (!next.ok()) return next.error();
    ended_ = !next->has_value();
    if (ended_) return false;
    few_.push_back((**next).bgr);
    if (few_.size() > kFew) few_.erase(few_.begin());
    return true;
  }
  Result<std::optional<Frame>> Handed(const cv::Mat& bgr) {
    if (pace_->count++ == 0) pace_->first = Clock::now();
    Frame frame;
    frame.id.index = next_;
    frame.time_s = static_cast<double>(next_) / pace_->fps;
    frame.bgr = bgr;
    std::this_thread::sleep_until(pace_->DueAt(next_++));
    return std::optional<Frame>(std::move(frame));
  }

  std::unique_ptr<FrameSource> source_;
  std::shared_ptr<Pace> pace_;
  std::vector<cv::Mat> few_;  // the newest, or at the start the first, pictures of the recording
  std::int64_t next_ = 0;
  std::int64_t after_ = 0;
  bool ended_ = false;
};

struct Verdict {
  int shot = 0;
  std::int64_t at_rest = 0;
  Clock::time_point shown;
};

// False after an error, which it prints.
bool Measure(const std::filesystem::path& clip, double fps, std::vector<double>& all_s) {
  const test::TempDir dir;
  OutFolder out(dir.path() / "out");
  Result<Rig> rig = OpenRig(clip, out);
  if (!rig.ok()) {
    std::cerr << clip.string() << ": " << rig.error().message << '\n';
    return false;
  }
  const auto pace = std::make_shared<Pace>();
  pace->fps = fps;
  rig->source = std::make_unique<PacedSource>(std::move(rig->source), pace);
  rig->live = true;
  rig->again = {};
  rig->reopen = [] { return Error{ErrorCode::kNotFound, "the recording has ended"}; };

  std::mutex mutex;
  std::vector<Verdict> verdicts;
  std::int64_t judged = 0;
  std::optional<std::int64_t> last;
  LiveOptions options;
  LiveSession* running = nullptr;
  const auto look = [&] {
    const Clock::time_point now = Clock::now();
    const std::lock_guard lock(mutex);
    if (running == nullptr) return;
    const std::shared_ptr<const Snapshot> shown = running->Now();
    if (last != shown->frame.id.index) ++judged;
    last = shown->frame.id.index;
    for (std::size_t i = verdicts.size(); i < shown->shots.size(); ++i) {
      const ShotObservation& shot = shown->shots[i]->shot;
      verdicts.push_back({shot.shot.number, shot.at_rest.index, now});
    }
  };
  options.on_news = look;
  {
    LiveSession session(std::move(*rig), out, std::move(options));
    {
      const std::lock_guard lock(mutex);
      running = &session;
    }
    // Until the recording's end is taken for a camera that was unplugged.
    while (session.Now()->watching != Watching::kNoCamera &&
           session.Now()->watching != Watching::kFailed) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const std::lock_guard lock(mutex);
    running = nullptr;
    for (const Verdict& verdict : verdicts) {
      const double late_s =
          std::chrono::duration<double>(verdict.shown - pace->DueAt(verdict.at_rest)).count();
      all_s.push_back(late_s);
      std::cout << fmt::format("{},{},{},{:.3f},{},{}\n", clip.filename().string(), verdict.shot,
                               verdict.at_rest, late_s, pace->count.load(), judged);
    }
  }
  if (verdicts.empty()) {
    std::cerr << clip.string() << ": no verdict was told\n";
    return false;
  }
  return true;
}

}  // namespace
}  // namespace fos

int main(int count, char** arguments) {
  using namespace fos;
  const double fps = count > 1 ? std::atof(arguments[1]) : 0;
  if (count < 3 || !(fps > 0)) {
    std::cerr << "usage: live_bench FPS CLIP...\n";
    return 2;
  }
  std::cout << "clip,shot,at_rest_frame,rest_to_verdict_s,pictures,judged\n";
  std::vector<double> all_s;
  bool good = true;
  for (int i = 2; i < count; ++i) good = Measure(arguments[i], fps, all_s) && good;
  if (all_s.empty()) return 1;
  const double settling_s = ChangeDetectorOptions().settle_s;
  const double median_s = *Quantile(all_s, 0.5);
  const double p95_s = *Quantile(all_s, 0.95);
  std::cout << fmt::format(
      "# {} verdicts, rest to verdict: median {:.3f} s, p95 {:.3f} s; without settling for {:.3f} "
      "s: {:.3f} s, {:.3f} s\n",
      all_s.size(), median_s, p95_s, settling_s, median_s - settling_s, p95_s - settling_s);
  return good ? 0 : 1;
}
