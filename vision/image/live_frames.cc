// SPDX-License-Identifier: MIT
#include "vision/image/live_frames.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace fos {
namespace {

std::atomic<int> running_threads = 0;

// Runs `work` on a thread that nobody joins.
template <typename Work>
void OnItsOwn(Work work) {
  ++running_threads;
  std::thread([work = std::move(work)]() mutable {
    work();
    {
      // What it shares ends before it is counted out.
      const Work done = std::move(work);
    }
    --running_threads;
  }).detach();
}

// Long enough for a camera to deliver its next picture, and to be closed in order.
constexpr std::chrono::milliseconds kParting{200};

}  // namespace

int BlockedThreads() { return running_threads; }

struct LiveFrames::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Result<std::optional<LivePicture>>> ready;
  bool stopped = false;  // by who reads
  bool ended = false;    // the thread
  std::chrono::steady_clock::time_point newest = std::chrono::steady_clock::now();
};

LiveFrames::LiveFrames(std::unique_ptr<FrameSource> source) : shared_(std::make_shared<Shared>()) {
  OnItsOwn([shared = shared_, source = std::move(source)]() mutable {
    for (bool more = true; more;) {
      Result<std::optional<Frame>> next = [&]() -> Result<std::optional<Frame>> {
        try {
          return source->Next();
        } catch (const std::exception& e) {
          return Error{ErrorCode::kIo, e.what()};
        }
      }();
      more = next.ok() && next->has_value();
      std::unique_lock lock(shared->mutex);
      // A newer picture takes the place of one that nobody has taken: what is shown is never old.
      // The end waits until the last picture is taken.
      shared->changed.wait(lock, [&] { return more || !shared->ready || shared->stopped; });
      if (shared->stopped) break;
      if (more) {
        shared->newest = std::chrono::steady_clock::now();
        shared->ready = std::optional<LivePicture>{LivePicture{std::move(**next), shared->newest}};
      } else {
        shared->ready = next.ok() ? Error{ErrorCode::kIo, "the stream has ended"} : next.error();
      }
      lock.unlock();
      shared->changed.notify_all();
    }
    source.reset();
    {
      const std::lock_guard lock(shared->mutex);
      shared->ended = true;
    }
    shared->changed.notify_all();
  });
}

LiveFrames::~LiveFrames() {
  std::unique_lock lock(shared_->mutex);
  shared_->stopped = true;
  shared_->changed.notify_all();
  shared_->changed.wait_for(lock, kParting, [this] { return shared_->ended; });
}

Result<std::optional<LivePicture>> LiveFrames::Within(std::chrono::milliseconds time) {
  std::unique_lock lock(shared_->mutex);
  if (!shared_->changed.wait_for(lock, time, [this] { return shared_->ready.has_value(); })) {
    return std::optional<LivePicture>{};
  }
  Result<std::optional<LivePicture>> out = *shared_->ready;
  if (out.ok()) shared_->ready.reset();  // an error stays
  lock.unlock();
  shared_->changed.notify_all();
  return out;
}

std::chrono::steady_clock::time_point LiveFrames::NewestArrived() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->newest;
}

struct LiveOpening::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  int under_way = 0;
  bool stopped = false;
  std::unique_ptr<FrameSource> opened;
};

LiveOpening::LiveOpening(Open open, int at_once)
    : shared_(std::make_shared<Shared>()), open_(std::move(open)), at_once_(at_once) {}

LiveOpening::~LiveOpening() {
  std::unique_lock lock(shared_->mutex);
  shared_->stopped = true;
  shared_->changed.wait_for(lock, kParting, [this] { return shared_->under_way == 0; });
}

void LiveOpening::Try() {
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->opened || shared_->under_way >= at_once_) return;
    ++shared_->under_way;
  }
  OnItsOwn([shared = shared_, open = open_] {
    std::unique_ptr<FrameSource> mine;
    try {
      Result<std::unique_ptr<FrameSource>> source = open();
      if (source.ok()) mine = std::move(source).value();
    } catch (const std::exception&) {
      // Not there yet; the next attempt follows.
    }
    const std::lock_guard lock(shared->mutex);
    --shared->under_way;
    if (!shared->stopped && !shared->opened) shared->opened = std::move(mine);
    shared->changed.notify_all();
  });
}

std::unique_ptr<FrameSource> LiveOpening::Take() {
  const std::lock_guard lock(shared_->mutex);
  return std::move(shared_->opened);
}

}  // namespace fos
