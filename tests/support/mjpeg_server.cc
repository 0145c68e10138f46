// SPDX-License-Identifier: MIT
#include "tests/support/mjpeg_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>

namespace fos::test {
namespace {

constexpr std::chrono::milliseconds kBetween{50};  // pictures

bool Send(int connection, const std::string& bytes) {
  return send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

}  // namespace

MjpegServer::MjpegServer(std::vector<std::uint8_t> jpeg) : jpeg_(std::move(jpeg)) {
  listening_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(at);
  if (bind(listening_, reinterpret_cast<sockaddr*>(&at), size) != 0 ||
      listen(listening_, 16) != 0 ||
      getsockname(listening_, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    throw std::runtime_error("no port on 127.0.0.1");
  }
  port_ = ntohs(at.sin_port);
  accepting_ = std::jthread([this](const std::stop_token& stop) { Accept(stop); });
}

MjpegServer::~MjpegServer() {
  accepting_.request_stop();
  accepting_.join();
  for (std::jthread& one : serving_) one.request_stop();
  serving_.clear();
  close(listening_);
}

std::string MjpegServer::Url() const {
  return "http://127.0.0.1:" + std::to_string(port_) + "/camera.mjpg";
}

void MjpegServer::Show(std::vector<std::uint8_t> jpeg) {
  const std::lock_guard lock(mutex_);
  jpeg_ = std::move(jpeg);
}

void MjpegServer::Accept(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    pollfd ready{listening_, POLLIN, 0};
    if (poll(&ready, 1, 20) <= 0) continue;
    const int connection = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    serving_.emplace_back([this, connection](const std::stop_token& own) {
      Serve(connection, own);
      close(connection);
    });
  }
}

void MjpegServer::Serve(int connection, const std::stop_token& stop) {
  const auto pause = [&] { std::this_thread::sleep_for(kBetween); };
  const int born = times_gone_;
  const auto is_gone = [&] { return mode_ == Mode::kGone || times_gone_ != born; };
  // A connection that was taken while the camera is silent gets no answer until it speaks.
  while (mode_ == Mode::kStall && times_gone_ == born && !stop.stop_requested()) pause();
  if (is_gone()) return;
  if (!Send(connection,
            "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n")) {
    return;
  }
  while (!stop.stop_requested() && !is_gone()) {
    if (mode_ != Mode::kStall) {
      std::string body;
      {
        const std::lock_guard lock(mutex_);
        body.assign(jpeg_.begin(), jpeg_.end());
      }
      if (mode_ == Mode::kGarbage) body.assign(body.size(), '\x5a');
      if (!Send(connection, "--b\r\nContent-Type: image/jpeg\r\nContent-Length: " +
                                std::to_string(body.size()) + "\r\n\r\n" + body + "\r\n")) {
        return;
      }
    }
    pause();
  }
}

}  // namespace fos::test
