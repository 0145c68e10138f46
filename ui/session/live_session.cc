// SPDX-License-Identifier: MIT
#include "ui/session/live_session.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ui/session/latest.h"
#include "ui/session/match.h"
#include "vision/image/live_frames.h"

namespace fos {

namespace {
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTick{50};
// A camera in the dark still delivers five pictures a second.
constexpr std::chrono::milliseconds kSilent{1200};
constexpr const char* kNoPictures =
    "The camera sends no pictures; check its cable, or a stream's phone and network. The game "
    "continues when it is back";
}  // namespace

struct LiveSession::Impl {
  Impl(Rig rig, OutFolder& out_folder, LiveOptions live_options)
      : options(std::move(live_options)),
        live(rig.live),
        out(out_folder),
        match(rig, out_folder, options.policy, options.journal),
        size(rig.source->Size()),
        reopens(static_cast<bool>(rig.reopen)),
        open_again(std::move(rig.again)) {
    if (reopens) {
      // A stream may take a connection and say nothing; a device is opened by one at a time.
      const bool stream = rig.pictures.find("://") != std::string::npos;
      camera = std::make_unique<LiveFrames>(std::move(rig.source));
      opening = std::make_unique<LiveOpening>(std::move(rig.reopen), stream ? 4 : 1);
    } else {
      source = Prefetched(std::move(rig.source), 4);
    }
    if (!options.notice.empty()) match.Warn(options.notice);
    Publish();
    thread = std::jthread([this](const std::stop_token& stop) { Run(stop); });
    if (reopens) watchdog = std::jthread([this](const std::stop_token& stop) { WatchStream(stop); });
  }
  ~Impl() {
    {
      const std::lock_guard lock(mutex);  // the thread must not be between its check and its wait
      thread.request_stop();
      watchdog.request_stop();
    }
    changed.notify_all();
  }

  // What the match knows, and how the recording plays.
  Snapshot MatchNow() const {
    Snapshot now = match.Now();
    now.films = recent.Films();
    if (options.paced && !live) {
      const std::lock_guard lock(mutex);
      now.playback = PlaybackShown{pace.paused || now.watching == Watching::kEnded,
                                   pace.Hurries() || pace.back_to.has_value(),
                                   pace.reviewed.has_value(), pace.speed, pace.judged};
    }
    return now;
  }
  // What was known when that picture had been judged, with what the players have said since.
  Snapshot AsOf(const Frame& frame) const {
    Snapshot shown = MatchNow();
    const auto after = std::upper_bound(
        moments.begin(), moments.end(), frame.id.index,
        [](std::int64_t index, const Moment& moment) { return index < moment.frame; });
    const Moment then = after == moments.begin() ? Moment{} : *(after - 1);
    const auto first = [](auto& all, std::size_t count) {
      all.resize(std::min(all.size(), count));
    };
    first(shown.shots, then.shots);
    first(shown.moves, then.moves);
    first(shown.doubts, then.doubts);
    if (shown.log->size() > then.lines) {
      shown.log = std::make_shared<const std::vector<LogLine>>(
          shown.log->begin(), shown.log->begin() + static_cast<std::ptrdiff_t>(then.lines));
    }
    shown.frame = frame;
    shown.watching = then.state.watching;
    shown.why = then.state.why;
    shown.found_again_s = then.state.found_again_s;
    shown.table = then.state.table;
    shown.stands = then.state.stands;
    shown.objects = then.state.objects;
    const std::lock_guard lock(mutex);
    shown.playback->paused = pace.paused;
    return shown;
  }
  // Notes what is known after a picture was judged, and keeps the film of its shots.
  void NoteMoment() {
    Snapshot now = match.Now();
    for (; filmed < now.shots.size(); ++filmed) recent.Keep(now.shots[filmed]->shot.shot.number);
    if (!open_again) return;  // a camera cannot go back
    Moment moment{now.frame.id.index, now.shots.size(), now.moves.size(), now.doubts.size(),
                  now.log->size(),    {}};
    moment.state.watching = now.watching;
    moment.state.why = now.why;
    moment.state.found_again_s = now.found_again_s;
    moment.state.table = now.table;
    moment.state.stands = now.stands;
    moment.state.objects = now.objects;
    const std::size_t shots_before = moments.empty() ? 0 : moments.back().shots;
    {
      const std::lock_guard lock(mutex);
      pace.judged = moment.frame;
      if (moment.shots > shots_before) pace.shot_pictures.push_back(moment.frame);
    }
    if (moments.empty() || !moment.SameAs(moments.back())) moments.push_back(std::move(moment));
  }
  void Publish() {
    Snapshot now = MatchNow();
    if (failed) {
      now.watching = Watching::kFailed;
      now.why = *failed;
    } else if (unplugged || Silent()) {
      now.watching = Watching::kNoCamera;
      now.why = unplugged.value_or(kNoPictures);
    }
    latest.Set(std::make_shared<const Snapshot>(std::move(now)));
    if (options.on_news) options.on_news();
  }
  // Shows a new picture at once, with what is known so far; its results follow.
  void PublishPicture(const Frame& frame) {
    Snapshot now = MatchNow();
    now.frame = frame;
    latest.Set(std::make_shared<const Snapshot>(std::move(now)));
    if (options.on_news) options.on_news();
  }
  // Most pictures change nothing else: then the window need not draw again.
  void PublishIfNew() {
    const std::shared_ptr<const Snapshot> shown = latest.Get();
    const Snapshot now = MatchNow();
    const bool same = now.watching == shown->watching && now.why == shown->why &&
                      now.table == shown->table && now.stands == shown->stands &&
                      now.shots == shown->shots && now.log == shown->log &&
                      now.found_again_s == shown->found_again_s && now.setup == shown->setup;
    if (!same) Publish();
  }

  // Tells the players why there are no pictures; the reason may change while there are none.
  void TellNoPictures(const std::string& why) {
    if (unplugged == why) return;
    if (!unplugged) match.Warn(why);
    unplugged = why;
    Publish();
  }

  bool Silent() const { return camera && Clock::now() - camera->NewestArrived() > kSilent; }
  // Says that no pictures come while a look at the whole table takes its seconds, in which nobody
  // asks for the next picture.
  void WatchStream(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      changed.wait_for(lock, kTick, [&] { return stop.stop_requested(); });
      if (!looking || !Silent()) continue;
      Snapshot silent = *latest.Get();
      if (silent.watching == Watching::kNoCamera) continue;
      silent.watching = Watching::kNoCamera;
      silent.why = kNoPictures;
      latest.Set(std::make_shared<const Snapshot>(std::move(silent)));
      lock.unlock();
      if (options.on_news) options.on_news();
      lock.lock();
    }
  }
  // One look at a picture. The next is asked for when it is over.
  Status Look(const Frame& frame) {
    {
      const std::lock_guard lock(mutex);
      looking = true;
    }
    Status status = match.Step(frame);
    const std::lock_guard lock(mutex);
    looking = false;
    return status;
  }
  void SetCamera(std::unique_ptr<LiveFrames> other) {
    {
      const std::lock_guard lock(mutex);
      camera.swap(other);
    }  // the old one is closed outside the lock
  }

  // The camera's next picture, however long that takes; the time since the first picture is the
  // clock on the wall's, since a stream's own stops with the stream. Empty: the session was
  // stopped.
  Result<std::optional<Frame>> NextLive(const std::stop_token& stop) {
    Clock::time_point tried{};
    while (!stop.stop_requested()) {
      if (const Status said = TakeDecisions(); !said.ok()) return said.error();
      if (!camera) {
        std::unique_ptr<FrameSource> again = opening->Take();
        if (again && again->Size() == size) {
          SetCamera(std::make_unique<LiveFrames>(std::move(again)));
          first_index = last_index + 1;
        } else {
          if (again) TellNoPictures(OtherSize(again->Size()));
          if (Clock::now() - tried >= std::chrono::duration<double>(options.reopen_every_s)) {
            opening->Try();
            tried = Clock::now();
          }
          std::unique_lock lock(mutex);
          changed.wait_for(
              lock,
              std::chrono::duration<double>(
                  std::min(options.reopen_every_s, std::chrono::duration<double>(kTick).count())),
              [&] { return stop.stop_requested() || !decisions.empty(); });
          continue;
        }
      }
      Result<std::optional<LivePicture>> next = camera->Within(kTick);
      if (!next.ok()) {
        TellNoPictures(next.error().code == ErrorCode::kBadFormat
                           ? "The camera's pictures cannot be used: " + next.error().message
                           : kNoPictures);
        SetCamera(nullptr);  // frees the device
        continue;
      }
      if (next->has_value()) {
        if (unplugged) match.Warn("The camera is back");
        unplugged.reset();
        Frame frame = std::move((**next).frame);
        frame.id.index += first_index;
        last_index = frame.id.index;
        if (!first_picture) first_picture = (**next).arrived;
        frame.time_s = std::chrono::duration<double>((**next).arrived - *first_picture).count();
        return std::optional<Frame>{std::move(frame)};
      }
      if (Silent()) TellNoPictures(kNoPictures);
    }
    return std::optional<Frame>{};
  }

  std::string OtherSize(cv::Size other) const {
    return fmt::format(
        "The camera sends pictures of {} x {}, not {} x {}; set it back. The game continues then",
        other.width, other.height, size.width, size.height);
  }

  // Waits until the recording's next picture is due. Decisions and wishes do not wait for it.
  Status WaitForTurn(const std::stop_token& stop, const Frame& frame) {
    std::unique_lock lock(mutex);
    // Where the recording has a gap, nobody waits for its end.
    constexpr double kLongestWait_s = 2;
    const double gap_s = frame.time_s - pace.shown_s;
    if (gap_s > kLongestWait_s) pace.since_s += gap_s - kLongestWait_s;
    while (!stop.stop_requested()) {
      if (!decisions.empty() || std::exchange(pace.changed, false)) {
        lock.unlock();
        const Status said = TakeDecisions();
        if (!said.ok()) return said;
        Publish();
        lock.lock();
        continue;
      }
      if (pace.back_to) {
        lock.unlock();
        const Status shown = Review(stop);
        if (!shown.ok()) return shown;
        lock.lock();
        continue;
      }
      if ((pace.to_frame && frame.id.index > *pace.to_frame) ||
          (pace.from_shots && ShotsJudged() > *pace.from_shots)) {
        pace.StopHurrying();
        pace.paused = pace.changed = true;
        continue;
      }
      if (pace.to_next_shot && !pace.from_shots) pace.from_shots = ShotsJudged();
      const bool hurries = pace.Hurries();
      if (!hurries && pace.paused && pace.steps == 0) {
        changed.wait(lock);
        continue;
      }
      if (!hurries && !pace.paused) {
        const auto due =
            pace.since + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                             (frame.time_s - pace.since_s) / pace.speed));
        if (changed.wait_until(lock, due) != std::cv_status::timeout) continue;
        break;
      }
      if (!hurries) --pace.steps;
      pace.since = Clock::now();
      pace.since_s = frame.time_s;
      break;
    }
    pace.shown_s = frame.time_s;
    return Ok();
  }
  std::size_t ShotsJudged() const { return match.Now().shots.size(); }

  // Shows again what was judged, from picture `back_to` on, until the players go on from the newest
  // picture. Nothing is judged.
  Status Review(const std::stop_token& stop) {
    std::unique_ptr<FrameSource> from;
    std::int64_t next = 0;  // the index of the picture that `from` hands out next
    Frame frame;
    double since_s = 0;
    Clock::time_point since = Clock::now();
    const auto show = [&] {
      latest.Set(std::make_shared<const Snapshot>(AsOf(frame)));
      if (options.on_news) options.on_news();
    };
    // False where there is no further picture.
    const auto read = [&]() -> Result<bool> {
      Result<std::optional<Frame>> picture = from->Next();
      if (!picture.ok()) return picture.error();
      if (!picture->has_value()) return false;
      frame = **picture;
      next = frame.id.index + 1;
      return true;
    };
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      if (!decisions.empty()) {
        lock.unlock();
        if (const Status said = TakeDecisions(); !said.ok()) return said;
        show();
        lock.lock();
        continue;
      }
      if (pace.Hurries()) break;  // past what was judged
      const std::optional<std::int64_t> to = std::exchange(pace.back_to, std::nullopt);
      if (!to && next > pace.judged) break;
      if (std::exchange(pace.changed, false)) {
        since = Clock::now();
        since_s = frame.time_s;
      }
      if (!to && pace.paused && pace.steps == 0) {
        changed.wait(lock);
        lock.unlock();
        show();  // how it plays may have changed
        lock.lock();
        continue;
      }
      const bool step = !to && pace.paused;
      if (step) --pace.steps;
      lock.unlock();
      if (to && (from == nullptr || next > *to)) {
        Result<std::unique_ptr<FrameSource>> opened = open_again();
        if (!opened.ok()) return opened.error();
        from = std::move(*opened);
        next = 0;
      }
      Result<bool> more = read();
      while (more.ok() && *more && to && frame.id.index < *to && !stop.stop_requested())
        more = read();
      if (!more.ok()) return more.error();
      lock.lock();
      if (!*more) break;
      if (!to && !step) {
        const auto due = since + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>((frame.time_s - since_s) /
                                                                   pace.speed));
        changed.wait_until(lock, due, [&] { return stop.stop_requested() || pace.back_to; });
      } else {
        pace.changed = true;
      }
      pace.reviewed = frame.id.index;
      lock.unlock();
      show();
      lock.lock();
    }
    pace.reviewed.reset();
    pace.since = Clock::now();
    pace.since_s = pace.shown_s;
    lock.unlock();
    Publish();
    return Ok();
  }

  void Take(const PlaybackWish& wish) {
    const std::lock_guard lock(mutex);
    using What = PlaybackWish::What;
    // Wishes follow each other faster than pictures are read.
    const std::int64_t at = pace.back_to.value_or(pace.reviewed.value_or(pace.judged));
    const std::vector<std::int64_t>& shots = pace.shot_pictures;
    // Shows that picture again.
    const auto go_back_to = [&](std::int64_t index) {
      if (!open_again) return;
      pace.back_to = std::max<std::int64_t>(index, 0);
      pace.paused = true;
    };
    constexpr double kSlowest = 0.05;
    constexpr double kFastest = 64;
    switch (wish.what) {
      case What::kPause:
        pace.paused = !pace.paused;
        break;
      case What::kStep:
        pace.paused = true;
        ++pace.steps;
        break;
      case What::kSpeed:
        if (wish.speed >= kSlowest && wish.speed <= kFastest) pace.speed = wish.speed;
        break;
      case What::kNextShot: {
        const auto later = std::upper_bound(shots.begin(), shots.end(), at);
        if (pace.reviewed && later != shots.end()) {
          go_back_to(*later);
        } else {
          pace.to_next_shot = true;
        }
        break;
      }
      case What::kPreviousShot:
        if (const auto here = std::lower_bound(shots.begin(), shots.end(), at);
            here != shots.begin()) {
          go_back_to(*(here - 1));
        }
        break;
      case What::kStepBack:
        go_back_to(at - 1);
        break;
      case What::kFrame:
        if (open_again && wish.frame <= pace.judged) {
          go_back_to(wish.frame);
        } else {
          pace.to_frame = wish.frame;
        }
        break;
    }
    if (wish.what != What::kNextShot && wish.what != What::kFrame && wish.what != What::kSpeed) {
      pace.StopHurrying();
    }
    pace.since = Clock::now();
    pace.since_s = pace.shown_s;
    pace.changed = true;
  }

  Status Watch(const std::stop_token& stop) {
    const Clock::time_point start = Clock::now();
    pace.since = start;
    std::size_t logged = 0;
    bool refused = false;
    while (!stop.stop_requested()) {
      const Result<std::optional<Frame>> next = reopens ? NextLive(stop) : source->Next();
      if (!next.ok()) {
        if (reopens || match.Frames() == 0) return next.error();
        if (Status told = match.CutOff(next.error().message); !told.ok()) return told;
        break;
      }
      if (!next->has_value()) break;
      Frame frame = **next;
      if (options.paced && !live) {
        const Status waited = WaitForTurn(stop, frame);
        if (!waited.ok()) return waited;
      }
      PublishPicture(frame);
      recent.Add(frame);
      Status status = Look(frame);
      if (status.ok()) NoteMoment();
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

  bool Reviews() const {
    const std::lock_guard lock(mutex);
    return pace.reviewed.has_value();
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
    if (!said.empty() && !Reviews()) Publish();
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
      // Players may still settle calls after the end, and look at the recording again.
      while (!stop.stop_requested()) {
        bool back = false;
        {
          std::unique_lock lock(mutex);
          changed.wait(lock, [&] {
            return !decisions.empty() || pace.back_to.has_value() || stop.stop_requested();
          });
          pace.StopHurrying();
          back = pace.back_to.has_value();
        }
        status = back ? Review(stop) : TakeDecisions();
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
  bool reopens;                         // a camera or stream
  std::function<Result<std::unique_ptr<FrameSource>>()> open_again;  // not of a camera or stream
  std::unique_ptr<FrameSource> source;  // of a recording
  std::unique_ptr<LiveFrames> camera;   // null while it is being opened again; see SetCamera
  std::unique_ptr<LiveOpening> opening;
  // Also used only by the thread. A reopened source counts from 0; this is added.
  std::int64_t first_index = 0;
  std::int64_t last_index = 0;
  std::optional<Clock::time_point> first_picture;
  std::optional<std::string> unplugged;
  std::optional<std::string> failed;
  RecentPictures recent;
  std::size_t filmed = 0;  // shots whose film is kept
  // What was known from a picture on, for looking at a recording again: the present snapshot holds
  // the values, of which the first were known then.
  struct Moment {
    std::int64_t frame = 0;
    std::size_t shots = 0;
    std::size_t moves = 0;
    std::size_t doubts = 0;
    std::size_t lines = 0;  // of the log
    Snapshot state;         // what is replaced as it changes
    bool SameAs(const Moment& other) const {
      return shots == other.shots && moves == other.moves && doubts == other.doubts &&
             lines == other.lines && state.watching == other.state.watching &&
             state.why == other.state.why && state.found_again_s == other.state.found_again_s &&
             state.table == other.state.table && state.stands == other.state.stands &&
             state.objects == other.state.objects;
    }
  };
  std::vector<Moment> moments;  // in order
  Latest<Snapshot> latest;
  // How a recording plays; guarded by `mutex`.
  struct Pace {
    bool paused = false;
    bool changed = false;  // not published yet
    int steps = 0;         // pictures to show while paused
    double speed = 1;
    std::optional<std::int64_t> back_to;    // shows what was judged again from there
    std::optional<std::int64_t> reviewed;   // the picture that is shown again
    std::int64_t judged = -1;               // the last picture that was judged
    std::vector<std::int64_t> shot_pictures;  // after which a shot was known
    std::optional<std::int64_t> to_frame;   // hurries there
    bool to_next_shot = false;              // hurries until there are more shots
    std::optional<std::size_t> from_shots;  // than these
    // The picture of time `since_s` was due at `since`; `shown_s` is the last one's.
    Clock::time_point since;
    double since_s = 0;
    double shown_s = 0;
    bool Hurries() const { return to_frame || to_next_shot; }
    void StopHurrying() {
      to_frame.reset();
      from_shots.reset();
      to_next_shot = false;
    }
  } pace;
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<PlayerDecision> decisions;
  bool looking = false;  // a picture is being looked at; guarded by `mutex`
  // Last, so that they end before the members they use.
  std::jthread watchdog;  // of a camera or stream
  std::jthread thread;
};

LiveSession::LiveSession(Rig rig, OutFolder& out, LiveOptions options)
    : impl_(std::make_unique<Impl>(std::move(rig), out, std::move(options))) {}

LiveSession::~LiveSession() = default;

std::shared_ptr<const Snapshot> LiveSession::Now() const { return impl_->latest.Get(); }

void LiveSession::Drive(PlaybackWish wish) {
  impl_->Take(wish);
  impl_->changed.notify_all();
}

void LiveSession::Post(PlayerDecision decision) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->decisions.push_back(std::move(decision));
  }
  impl_->changed.notify_all();
}

}  // namespace fos
