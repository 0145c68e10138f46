// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

// A camera that serves a picture as H.264 over RTSP on 127.0.0.1: GStreamer's server, in a process of
// its own (rtsp_camera.py).
namespace fos::test {

class RtspCamera {
 public:
  // Empty when this machine can run one; else why not, for GTEST_SKIP.
  static std::string WhyNot();

  // picture  a PNG, which must stay
  // throws   std::runtime_error when it does not start
  explicit RtspCamera(std::filesystem::path picture);
  ~RtspCamera();
  RtspCamera(const RtspCamera&) = delete;
  RtspCamera& operator=(const RtspCamera&) = delete;

  std::string Url() const;
  // Keeps every connection and sends nothing, until it goes on.
  void Stall();
  void GoOn();
  // Ends the process and with it every connection.
  void Kill();
  // After a kill, at the same address.
  void Start();

 private:
  std::filesystem::path picture_;
  pid_t process_ = -1;
  int port_ = 0;
};

}  // namespace fos::test
