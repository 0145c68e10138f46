// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/club/pg_connection.h"

namespace fos {

struct MirrorOptions {
  std::chrono::milliseconds look_every{100};   // at the club's file
  std::chrono::milliseconds retry_least{200};  // after a lost connection; doubles each time
  std::chrono::milliseconds retry_most{5000};
  int quiet_ms = 10000;  // a server that is silent for so long is lost
};

// How the mirror is doing.
struct MirrorNews {
  bool connected = false;
  bool complete = false;     // the server had everything when the file was last looked at
  std::int64_t sent = 0;     // records, since the start
  std::int64_t waiting = 0;  // records that the server does not have yet
  std::string trouble;       // why it is not complete, in a sentence; empty: nothing is wrong
  std::vector<std::string> faults;  // games that the server does not take, a sentence each
};

// Copies the club's file to the club's server while games are played. It has a thread, a connection
// to the file and one to the server of its own: whoever writes the file never waits for it, and a
// server that is away costs nothing but time.
class BackgroundMirror {
 public:
  BackgroundMirror(std::filesystem::path club, PgAddress server, MirrorOptions options = {});
  // Stops at once; what was not sent is sent by the next program.
  ~BackgroundMirror();
  BackgroundMirror(const BackgroundMirror&) = delete;
  BackgroundMirror& operator=(const BackgroundMirror&) = delete;

  MirrorNews News() const;
  // Waits until the server has everything that the file had when this was called. False: it took
  // longer, or the server refuses.
  bool Flush(std::chrono::milliseconds longest);

 private:
  void Work(const std::stop_token& stop);
  void Say(const MirrorNews& news);

  std::filesystem::path club_;
  PgAddress server_;
  MirrorOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  MirrorNews news_;
  std::uint64_t wanted_ = 0;  // flushes asked for
  std::uint64_t done_ = 0;    // flushes that were complete
  std::jthread thread_;
};

// What a command says of the mirror when it ends: empty when the server has everything.
std::string MirrorSentence(const MirrorNews& news);

}  // namespace fos
