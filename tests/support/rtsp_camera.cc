// SPDX-License-Identifier: MIT
#include "tests/support/rtsp_camera.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "tests/support/shell_run.h"

namespace fos::test {
namespace {

// Debian's own: the packages for GStreamer belong to it.
constexpr const char* kPython = "/usr/bin/python3";
constexpr const char* kRtspScript = FOS_SOURCE_DIR "/tests/support/rtsp_camera.py";

}  // namespace

std::string RtspCamera::WhyNot() {
  if (RunInShell(fmt::format("{} '{}'", kPython, kRtspScript)).status == 0) return {};
  return "GStreamer's RTSP server is not installed (apt-get install python3-gi "
         "gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly)";
}

RtspCamera::RtspCamera(std::filesystem::path picture) : picture_(std::move(picture)) { Start(); }

RtspCamera::~RtspCamera() { Kill(); }

std::string RtspCamera::Url() const {
  return "rtsp://127.0.0.1:" + std::to_string(port_) + "/camera";
}

void RtspCamera::Stall() { kill(process_, SIGSTOP); }
void RtspCamera::GoOn() { kill(process_, SIGCONT); }

void RtspCamera::Kill() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

void RtspCamera::Start() {
  std::array<int, 2> said{};
  if (pipe2(said.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe for the camera");
  const std::string port = std::to_string(port_);
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no camera behind
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(nothing, 2);
    dup2(said[1], 1);
    execl(kPython, kPython, kRtspScript, picture_.c_str(), port.c_str(), nullptr);
    _exit(127);
  }
  close(said[1]);
  std::string line;
  for (char c = 0; c != '\n' && read(said[0], &c, 1) == 1;) line += c;
  close(said[0]);
  port_ = std::atoi(line.c_str());
  if (port_ == 0) {
    Kill();
    throw std::runtime_error("the camera does not start");
  }
}

}  // namespace fos::test
