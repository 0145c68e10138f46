// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "engine/table/result.h"
#include "vision/image/frame_source.h"

// Cameras and streams, read on threads of their own: a call into a decoder may block for as long as
// a stream is silent, and cannot be called back. Who waits here never waits longer than he says.
namespace fos {

struct LivePicture {
  Frame frame;
  std::chrono::steady_clock::time_point arrived;
};

class LiveFrames {
 public:
  explicit LiveFrames(std::unique_ptr<FrameSource> source);
  // Leaves a source that blocks to its thread, which ends when the source returns.
  ~LiveFrames();
  LiveFrames(const LiveFrames&) = delete;
  LiveFrames& operator=(const LiveFrames&) = delete;

  // The newest picture that was not taken yet; empty when none comes in that time.
  // errors  those of the source; kIo at its end: no more pictures will come.
  Result<std::optional<LivePicture>> Within(std::chrono::milliseconds time);
  // When the newest picture came, taken or not; before the first, when the reading began. Any
  // thread may ask.
  std::chrono::steady_clock::time_point NewestArrived() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

// Opens a source again and again until it is there. Several attempts may be under way: a stream
// that takes the connection and then says nothing blocks one of them.
class LiveOpening {
 public:
  using Open = std::function<Result<std::unique_ptr<FrameSource>>()>;
  // at_once  attempts under way at most.
  LiveOpening(Open open, int at_once);
  ~LiveOpening();
  LiveOpening(const LiveOpening&) = delete;
  LiveOpening& operator=(const LiveOpening&) = delete;

  // Starts an attempt, unless enough are under way.
  void Try();
  // The first that was opened; null while there is none.
  std::unique_ptr<FrameSource> Take();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  Open open_;
  int at_once_;
};

// Threads that were left in a call that blocks. The program must not destroy what they use.
int BlockedThreads();

}  // namespace fos
