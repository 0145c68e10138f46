// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/club/pg_connection.h"
#include "engine/table/result.h"

// The club's page: every table and game, live, in a browser. Read-only.
namespace fos {

struct ClubPageOptions {
  std::string host = "127.0.0.1";  // address of this machine to listen at
  int port = 8080;                 // 0: any that is free
  // What visitors must bring, as `?token=` once or in an Authorization header. Empty: nothing; then
  // only addresses of this machine are answered.
  std::string token = {};
  // Requests a second that one visitor may send for long, and at once.
  double requests_per_s = 30;
  double burst = 120;
  int most_streams = 48;  // visitors that are told of changes at once; others look by themselves
};

// "127.0.0.1", "::1", "localhost".
bool IsLoopback(const std::string& host);

// The token in a file; a missing file is made with a new one of 128 random bits, readable by its
// owner alone.
// errors  kIo; kBadFormat: shorter than 16 characters, or with others than letters and digits.
Result<std::string> ReadOrMakeToken(const std::filesystem::path& file);

class ClubPageServer {
 public:
  // Listens, and serves on threads of its own until this object is gone.
  // errors  kIo: the port is taken; those of ClubServer::Open.
  static Result<std::unique_ptr<ClubPageServer>> Start(const PgAddress& server,
                                                       const ClubPageOptions& options);
  ~ClubPageServer();
  ClubPageServer(const ClubPageServer&) = delete;
  ClubPageServer& operator=(const ClubPageServer&) = delete;

  int Port() const;

 private:
  struct Impl;
  explicit ClubPageServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fos
