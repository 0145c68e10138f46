// SPDX-License-Identifier: MIT
#include "vision/image/live_frames.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace fos {
namespace {

using namespace std::chrono_literals;

// A camera whose driver blocks until it is let go.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
  void Open() {
    const std::lock_guard lock(mutex);
    open = true;
    changed.notify_all();
  }
  void Wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return open; });
  }
};
class Blocking : public FrameSource {
 public:
  Blocking(int pictures, std::shared_ptr<Gate> gate)
      : pictures_(pictures), gate_(std::move(gate)) {}
  Result<std::optional<Frame>> Next() override {
    if (next_ == pictures_) gate_->Wait();
    return std::optional<Frame>{Frame{{next_++}, 0, cv::Mat(4, 4, CV_8UC3)}};
  }
  cv::Size Size() const override { return {4, 4}; }
  double FramesPerSecond() const override { return 30; }
  std::optional<int> FrameCount() const override { return std::nullopt; }

 private:
  int pictures_;
  std::shared_ptr<Gate> gate_;
  std::int64_t next_ = 0;
};

void WaitForNoThreads() {
  while (BlockedThreads() > 0) std::this_thread::sleep_for(1ms);
}

TEST(LiveFrames, NeverWaitLongerThanAsked) {
  const auto gate = std::make_shared<Gate>();
  {
    LiveFrames frames(std::make_unique<Blocking>(2, gate));
    for (std::int64_t seen = -1; seen < 1;) {  // the first may be taken over by the second
      const auto next = frames.Within(60s);
      ASSERT_TRUE(next.ok() && next->has_value());
      EXPECT_GT((**next).frame.id.index, seen);
      seen = (**next).frame.id.index;
    }
    for (int i = 0; i < 3; ++i) {
      const auto silent = frames.Within(1ms);
      ASSERT_TRUE(silent.ok());
      EXPECT_FALSE(silent->has_value());
    }
    EXPECT_EQ(BlockedThreads(), 1);
  }  // does not wait for the source
  EXPECT_EQ(BlockedThreads(), 1);
  gate->Open();
  WaitForNoThreads();
}

TEST(LiveFrames, APictureAfterSilenceComesFromTheSameSource) {
  const auto gate = std::make_shared<Gate>();
  {
    LiveFrames frames(std::make_unique<Blocking>(0, gate));
    EXPECT_FALSE(frames.Within(1ms)->has_value());
    gate->Open();
    EXPECT_TRUE(frames.Within(60s)->has_value());
  }
  WaitForNoThreads();
}

TEST(LiveOpening, TriesAgainWhileAnAttemptBlocks) {
  const auto gate = std::make_shared<Gate>();
  std::atomic<int> attempts = 0;
  {
    LiveOpening opening(
        [&attempts, gate]() -> Result<std::unique_ptr<FrameSource>> {
          if (++attempts == 1) gate->Wait();
          return std::unique_ptr<FrameSource>(std::make_unique<Blocking>(0, gate));
        },
        2);
    opening.Try();
    while (attempts < 1) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(opening.Take(), nullptr);
    std::unique_ptr<FrameSource> second;
    while (!second) {
      opening.Try();
      second = opening.Take();
    }
    EXPECT_EQ(attempts, 2) << "no more than two at once";
    gate->Open();
    WaitForNoThreads();
  }
}

}  // namespace
}  // namespace fos
