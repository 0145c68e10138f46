#include "ui/session/live_session.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "ui/session/match.h"

namespace fos {

namespace {
using Clock = std::chrono::steady_clock;
}  // namespace

struct LiveSession::Impl {
  Impl(Rig rig, OutFolder& out_folder, LiveOptions live_options)
      : options(std::move(live_options)),
        live(rig.live),
        out(out_folder),
        match(rig, out_folder, options.policy, options.journal),
        size(rig.source->Size()),
        reopen(std::move(rig.reopen)),
        // A camera is shown with as little delay as possible: prefetch one picture only.
        source(Prefetched(std::move(rig.source), rig.live ? 1 : 4)) {
    if (!options.notice.empty()) match.Warn(options.notice);
    Publish();
    thread = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  }
  ~Impl() {
    {
      const std::lock_guard lock(mutex);  // the thread must not be between its check and its wait
      thread.request_stop();
    }
    changed.notify_all();
  }

  void Publish() {
    Snapshot now = match.Now();
    if (failed) {
      now.watching = Watching::kFailed;
      now.why = *failed;
    } else if (unplugged) {
      now.watching = Watching::kNoCamera;
      now.why = *unplugged;
    }
    latest.Set(std::make_shared<const Snapshot>(std::move(now)));
    if (options.on_news) options.on_news();
  }
  // Shows a new picture at once, with what is known so far; its results follow.
  void PublishPicture(const Frame& frame) {
    Snapshot now = match.Now();
    now.frame = frame;
    latest.Set(std::make_shared<const Snapshot>(std::move(now)));
    if (options.on_news) options.on_news();
  }
  // Most pictures change nothing else: then the window need not draw again.
  void PublishIfNew() {
    const std::shared_ptr<const Snapshot> shown = latest.Get();
    const Snapshot now = match.Now();
    const bool same = now.watching == shown->watching && now.why == shown->why &&
                      now.table == shown->table && now.stands == shown->stands &&
                      now.shots == shown->shots && now.log == shown->log &&
                      now.found_again_s == shown->found_again_s;
    if (!same) Publish();
  }

  // Waits until the camera is back. False: the session was stopped.
  bool Reopened(const std::stop_token& stop, const std::string& why) {
    unplugged = why;
    match.Warn(why);
    Publish();
    source.reset();  // frees the device
    while (!stop.stop_requested()) {
      {
        std::unique_lock lock(mutex);
        changed.wait_for(lock, std::chrono::duration<double>(options.reopen_every_s),
                         [&] { return stop.stop_requested(); });
      }
      if (stop.stop_requested() || !TakeDecisions().ok()) break;
      Result<std::unique_ptr<FrameSource>> again = reopen();
      // A camera with another picture size has another lens.
      if (!again.ok() || (*again)->Size() != size) continue;
      source = Prefetched(std::move(*again), 1);
      first_index = last_index + 1;
      first_s = last_s;
      unplugged.reset();
      match.Warn("The camera is back");
      return true;
    }
    return false;
  }

  Status Watch(const std::stop_token& stop) {
    const Clock::time_point start = Clock::now();
    std::size_t logged = 0;
    bool refused = false;
    double paced_s = 0;    // time of the frame that was waited for last
    double skipped_s = 0;  // of the recording's time, in its gaps
    while (!stop.stop_requested()) {
      const Result<std::optional<Frame>> next = source->Next();
      if (reopen && (!next.ok() || !next->has_value())) {
        if (!Reopened(stop,
                      "The camera sends no pictures; check that it is plugged in. The game "
                      "continues when it is back")) {
          break;
        }
        continue;
      }
      if (!next.ok()) {
        if (match.Frames() == 0) return next.error();
        if (Status told = match.CutOff(next.error().message); !told.ok()) return told;
        break;
      }
      if (!next->has_value()) break;
      Frame frame = **next;
      frame.id.index += first_index;
      frame.time_s += first_s;
      last_index = frame.id.index;
      last_s = frame.time_s;
      if (options.paced && !live) {
        // Where the recording has a gap, nobody waits for its end.
        constexpr double kLongestWait_s = 2;
        const double gap_s = frame.time_s - paced_s;
        paced_s = frame.time_s;
        if (gap_s > kLongestWait_s) skipped_s += gap_s - kLongestWait_s;
        const auto due = start + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(frame.time_s - skipped_s));
        std::unique_lock lock(mutex);
        // A word of the players does not wait for the next picture.
        while (!stop.stop_requested() && changed.wait_until(lock, due) != std::cv_status::timeout) {
          lock.unlock();
          const Status said = TakeDecisions();
          if (!said.ok()) return said;
          lock.lock();
        }
      }
      PublishPicture(frame);
      Status status = match.Step(frame);
      if (status.ok()) status = TakeDecisions();
      if (!status.ok()) return status;
      if (match.Now().table != nullptr) status = out.Keep();
      if (!status.ok()) return status;
      if (match.Events().size() != logged) {
        // A disk that is full does not stop the match.
        status = match.WriteLog();
        if (status.ok()) {
          logged = match.Events().size();
        } else if (!refused) {
          match.Warn(status.error().message + "; the program keeps trying");
        }
        refused = !status.ok();
      }
      PublishIfNew();
    }
    Status status = match.Finish();
    if (status.ok()) {
      status = match.End(std::chrono::duration<double>(Clock::now() - start).count());
    }
    if (status.ok()) status = match.WriteLog();
    if (status.ok() && !live) status = match.EndJournal();
    return status;
  }

  // Applies the decisions that came since the last call.
  Status TakeDecisions() {
    std::deque<PlayerDecision> said;
    {
      const std::lock_guard lock(mutex);
      said.swap(decisions);
    }
    for (const PlayerDecision& decision : said) {
      const Status status = match.Decide(decision);
      if (!status.ok()) return status;
    }
    if (!said.empty()) Publish();
    return Ok();
  }

  void Run(const std::stop_token& stop) {
    try {
      Status status = Watch(stop);
      if (!status.ok()) {
        failed = status.error().message;
        (void)match.WriteLog();  // the events so far
      }
      Publish();
      // Players may still settle calls after the end.
      while (!stop.stop_requested()) {
        {
          std::unique_lock lock(mutex);
          changed.wait(lock, [&] { return !decisions.empty() || stop.stop_requested(); });
        }
        status = TakeDecisions();
        if (!status.ok()) {
          failed = status.error().message;
          Publish();
        }
      }
      (void)TakeDecisions();
    } catch (const std::exception& e) {
      failed = std::string("internal error, please report it: ") + e.what();
      Publish();
    }
  }

  LiveOptions options;
  bool live;
  OutFolder& out;
  Match match;  // used only by the thread once it runs
  cv::Size size;
  std::function<Result<std::unique_ptr<FrameSource>>()> reopen;
  std::unique_ptr<FrameSource> source;
  // Also used only by the thread. A reopened source counts from 0; these offsets are added.
  std::int64_t first_index = 0;
  std::int64_t last_index = 0;
  double first_s = 0;
  double last_s = 0;
  std::optional<std::string> unplugged;
  std::optional<std::string> failed;
  Latest<Snapshot> latest;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<PlayerDecision> decisions;
  std::jthread thread;  // last, so that it ends before the members it uses
};

LiveSession::LiveSession(Rig rig, OutFolder& out, LiveOptions options)
    : impl_(std::make_unique<Impl>(std::move(rig), out, std::move(options))) {}

LiveSession::~LiveSession() = default;

std::shared_ptr<const Snapshot> LiveSession::Now() const { return impl_->latest.Get(); }

void LiveSession::Post(PlayerDecision decision) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->decisions.push_back(std::move(decision));
  }
  impl_->changed.notify_all();
}

}  // namespace fos
