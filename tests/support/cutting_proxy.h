// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace fos::test {

// A network that fails: passes bytes on between 127.0.0.1 and a server there.
class CuttingProxy {
 public:
  enum class Mode {
    kPass,
    kRefuse,  // closes every new connection at once
    kStall,   // keeps every connection and passes nothing on
  };
  explicit CuttingProxy(int server_port);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  int Port() const { return port_; }
  void Set(Mode mode) { mode_ = mode; }
  // Cuts every connection there is.
  void Cut() { ++cuts_; }
  // Cuts each connection after so many more bytes from the server; below 0: never.
  void CutAfter(long bytes) { left_ = bytes; }

 private:
  void Accept(const std::stop_token& stop);
  void Pass(int client, const std::stop_token& stop);

  int server_port_;
  int listening_ = -1;
  int port_ = 0;
  std::atomic<Mode> mode_ = Mode::kPass;
  std::atomic<int> cuts_ = 0;
  std::atomic<long> left_ = -1;
  std::mutex mutex_;
  std::vector<std::jthread> passing_;
  std::jthread accepting_;
};

}  // namespace fos::test
