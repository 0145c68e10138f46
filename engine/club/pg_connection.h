// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/result.h"

// A connection to PostgreSQL that never blocks for longer than it is told to.
namespace fos {

// Where a club's server is: "postgresql://HOST:PORT/DATABASE", as libpq reads it. A password does
// not belong in it, because every user of the machine can read a command line: libpq takes it from
// ~/.pgpass, the file in PGPASSFILE, or a service (PGSERVICE, ?service=NAME).
class PgAddress {
 public:
  // errors  kBadFormat: not such an address, or it holds a password. The message never quotes it.
  static Result<PgAddress> Parse(const std::string& text);
  // For messages: host, port and database; no account.
  std::string Name() const { return name_; }
  // The same server with another account or database.
  PgAddress WithUser(const std::string& user) const;
  // A field of the address; empty: not given. "host", "port", "dbname", "user"
  std::string Field(std::string_view key) const;

 private:
  friend class PgConnection;
  struct Word {
    std::string key, value;
  };
  std::vector<Word> words_;
  std::string name_;
};

struct PgOptions {
  int quiet_ms = 10000;  // give up when the server has been silent for this long
  // Asked about twenty times a second while waiting; true: give up.
  std::function<bool()> stopped = {};
};

// A value of a statement: text, bytes, or NULL.
struct PgValue {
  std::optional<std::string> text;
  bool bytes = false;
  PgValue(std::string value) : text(std::move(value)) {}  // NOLINT: implicit on purpose
  PgValue(const char* value) : text(value) {}             // NOLINT
  PgValue(std::nullopt_t) {}                              // NOLINT
  static PgValue Bytes(std::string value) {
    PgValue out(std::move(value));
    out.bytes = true;
    return out;
  }
};

// The rows of a result. Values are in PostgreSQL's text format, or binary where that was asked for.
class PgRows {
 public:
  std::size_t size() const;
  bool IsNull(std::size_t row, int column) const;
  std::string Text(std::size_t row, int column) const;
  std::int64_t Int(std::size_t row, int column) const;
  double Real(std::size_t row, int column) const;
  bool Flag(std::size_t row, int column) const;

 private:
  friend class PgConnection;
  std::shared_ptr<void> result_;
};

// One session; used by one thread at a time.
class PgConnection {
 public:
  // errors  kIo: the server does not answer; kUnsupported: it refuses the account.
  static Result<PgConnection> Open(const PgAddress& address, const PgOptions& options = {});
  PgConnection(PgConnection&&) noexcept;
  PgConnection& operator=(PgConnection&&) noexcept;
  ~PgConnection();

  // Runs one statement. $1, $2, ... stand for the values.
  // binary  the result's values come as bytes
  // errors  kIo: the connection is lost, or the server is going down: open another; kUnsupported:
  //         no permission; kNotFound: there is no such table or schema; kBadFormat: anything else
  //         that the server refuses.
  Result<PgRows> Run(const std::string& sql, const std::vector<PgValue>& values = {},
                     bool binary = false);
  // Runs several statements without values, all of them or, in a transaction, none.
  Status Script(const std::string& sql);
  // After an error: the server's five-letter code; empty when the connection was lost.
  const std::string& SqlState() const { return state_; }
  // False once the connection is lost.
  bool Alive() const;
  std::string User() const;
  // The password as the server stores it, so that it never sees the password itself.
  // source  RFC 5802 (SCRAM-SHA-256).
  Result<std::string> Encrypted(const std::string& password, const std::string& user);

 private:
  struct Handle;
  explicit PgConnection(std::unique_ptr<Handle> handle);
  Result<PgRows> Await();
  Error Lost(const std::string& why);

  std::unique_ptr<Handle> handle_;
  std::string state_;
};

}  // namespace fos
