// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

// A camera that serves JPEG pictures over HTTP on 127.0.0.1, with the faults of real ones.
namespace fos::test {

class MjpegServer {
 public:
  enum class Mode {
    kPlay,
    kStall,    // keeps every connection and says nothing
    kGarbage,  // sends bytes that are no pictures
    kGone,     // closes every connection at once
  };
  explicit MjpegServer(std::vector<std::uint8_t> jpeg);
  ~MjpegServer();
  MjpegServer(const MjpegServer&) = delete;
  MjpegServer& operator=(const MjpegServer&) = delete;

  std::string Url() const;
  void Set(Mode mode) {
    if (mode == Mode::kGone) ++times_gone_;
    mode_ = mode;
  }
  // From now on, this picture.
  void Show(std::vector<std::uint8_t> jpeg);

 private:
  void Accept(const std::stop_token& stop);
  void Serve(int connection, const std::stop_token& stop);

  std::atomic<Mode> mode_ = Mode::kPlay;
  // A connection from before the camera was gone is closed, however soon it is back.
  std::atomic<int> times_gone_ = 0;
  std::mutex mutex_;
  std::vector<std::uint8_t> jpeg_;
  int listening_ = -1;
  int port_ = 0;
  std::vector<std::jthread> serving_;
  std::jthread accepting_;
};

}  // namespace fos::test
