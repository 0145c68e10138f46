// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "tests/support/temp_dir.h"

// A PostgreSQL of the test's own, in a temporary folder, on a free port of 127.0.0.1.
namespace fos::test {

class PgServer {
 public:
  // Empty when this machine can run one; else why not, for GTEST_SKIP.
  static std::string WhyNot();

  // Makes a cluster whose owner is `owner` and starts it; throws when it does not start. Over its
  // socket everybody may be the owner; over TCP accounts need their passwords.
  // settings  more of them: "-c max_connections=300"
  explicit PgServer(std::string settings = {});
  ~PgServer();
  PgServer(const PgServer&) = delete;
  PgServer& operator=(const PgServer&) = delete;

  // SIGKILL, for all of its processes at once.
  void Kill();
  // After a kill. Returns when it takes connections.
  void Start();
  int Port() const { return port_; }
  const std::filesystem::path& Folder() const { return dir_.path(); }
  // The owner's address, over the socket; the database is made on the first use of its name.
  std::string Owner(const std::string& database = "club");
  // An account's address over TCP.
  // port  0: the server's own; else that of a proxy
  std::string Address(const std::string& account, const std::string& database = "club",
                      int port = 0) const;
  // What psql prints for a statement of the owner, without headings.
  std::string Ask(const std::string& sql, const std::string& database = "club") const;

 private:
  bool Answers() const;
  std::string settings_;
  TempDir dir_;
  int port_ = 0;
  pid_t process_ = -1;
};

// A port of 127.0.0.1 that nobody listens on now.
int FreePort();

}  // namespace fos::test
