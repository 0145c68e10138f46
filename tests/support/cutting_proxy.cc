// SPDX-License-Identifier: MIT
#include "tests/support/cutting_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace fos::test {
namespace {

constexpr int kProxySlice_ms = 20;

sockaddr_in LoopbackAt(int port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  return at;
}

}  // namespace

CuttingProxy::CuttingProxy(int server_port) : server_port_(server_port) {
  listening_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at = LoopbackAt(0);
  socklen_t size = sizeof(at);
  if (bind(listening_, reinterpret_cast<sockaddr*>(&at), size) != 0 || listen(listening_, 64) != 0 ||
      getsockname(listening_, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    throw std::runtime_error("no port for the proxy");
  }
  port_ = ntohs(at.sin_port);
  accepting_ = std::jthread([this](const std::stop_token& stop) { Accept(stop); });
}

CuttingProxy::~CuttingProxy() {
  accepting_.request_stop();
  accepting_.join();
  passing_.clear();
  close(listening_);
}

void CuttingProxy::Accept(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    pollfd wait{listening_, POLLIN, 0};
    if (poll(&wait, 1, kProxySlice_ms) <= 0) continue;
    const int client = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    if (mode_ == Mode::kRefuse) {
      close(client);
      continue;
    }
    const std::scoped_lock lock(mutex_);
    passing_.emplace_back([this, client](const std::stop_token& end) { Pass(client, end); });
  }
}

void CuttingProxy::Pass(int client, const std::stop_token& stop) {
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in at = LoopbackAt(server_port_);
  const int cuts = cuts_;
  bool open = connect(server, reinterpret_cast<const sockaddr*>(&at), sizeof(at)) == 0;
  std::array<char, 16384> part{};
  while (open && !stop.stop_requested() && cuts == cuts_) {
    if (mode_ == Mode::kStall) {
      poll(nullptr, 0, kProxySlice_ms);
      continue;
    }
    std::array<pollfd, 2> wait = {pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
    if (poll(wait.data(), wait.size(), kProxySlice_ms) <= 0) continue;
    for (int i = 0; i < 2 && open; ++i) {
      if (wait[static_cast<std::size_t>(i)].revents == 0) continue;
      const int from = i == 0 ? client : server;
      const int to = i == 0 ? server : client;
      const ssize_t got = recv(from, part.data(), part.size(), 0);
      open = got > 0;
      // The answer to a commit may be what is cut off.
      if (open && i == 1 && left_ >= 0 && (left_ -= got) < 0) {
        left_ = -1;
        open = false;
      }
      for (ssize_t sent = 0; open && sent < got;) {
        const ssize_t now = send(to, part.data() + sent, static_cast<std::size_t>(got - sent),
                                 MSG_NOSIGNAL);
        open = now > 0;
        sent += now;
      }
    }
  }
  close(server);
  close(client);
}

}  // namespace fos::test
