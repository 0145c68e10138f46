// SPDX-License-Identifier: MIT
#include "engine/club/pg_connection.h"

#include <poll.h>
#include <postgresql/libpq-fe.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace fos {
namespace {

// How long one wait for the socket lasts before `stopped` is asked again.
constexpr int kSlice_ms = 50;

// libpq's messages have several lines and end in a line break.
std::string FirstLine(const char* text) {
  std::string out = text ? text : "";
  if (const std::size_t end = out.find('\n'); end != std::string::npos) out.resize(end);
  for (const char* head : {"ERROR:  ", "FATAL:  "}) {
    if (out.starts_with(head)) out.erase(0, std::string_view(head).size());
  }
  return out;
}

bool IsLocal(const std::string& host) {
  return host.empty() || host.starts_with('/') || host == "localhost" || host == "127.0.0.1" ||
         host == "::1";
}

const PGresult* Raw(const std::shared_ptr<void>& result) {
  return static_cast<const PGresult*>(result.get());
}

// source  PostgreSQL 15 manual, appendix A (error codes).
ErrorCode CodeOfState(std::string_view state) {
  if (state.empty() || state.starts_with("08") || state.starts_with("57P") ||
      state.starts_with("53"))
    return ErrorCode::kIo;
  if (state == "42501" || state.starts_with("28")) return ErrorCode::kUnsupported;
  if (state == "3F000" || state == "42P01" || state == "42883") return ErrorCode::kNotFound;
  return ErrorCode::kBadFormat;
}

}  // namespace

Result<PgAddress> PgAddress::Parse(const std::string& text) {
  const std::string mend = "; write it as postgresql://HOST/DATABASE";
  if (!text.starts_with("postgresql://") && !text.starts_with("postgres://")) {
    return Error{ErrorCode::kBadFormat, "the address of the club's server is not one" + mend};
  }
  char* fault = nullptr;
  PQconninfoOption* const parsed = PQconninfoParse(text.c_str(), &fault);
  // The fault may quote the address, and with it a password.
  if (fault) PQfreemem(fault);
  if (!parsed) {
    return Error{ErrorCode::kBadFormat, "the address of the club's server cannot be read" + mend};
  }
  PgAddress out;
  bool secret = false;
  for (const PQconninfoOption* one = parsed; one->keyword; ++one) {
    if (!one->val) continue;
    const std::string key = one->keyword;
    secret = secret || key == "password" || key == "sslpassword";
    out.words_.push_back({key, one->val});
  }
  PQconninfoFree(parsed);
  if (secret) {
    return Error{ErrorCode::kBadFormat,
                 "the address of the club's server holds a password, which others on this machine "
                 "could read; leave it out, and keep it in ~/.pgpass or the file that PGPASSFILE "
                 "names"};
  }
  const std::string host = out.Field("host");
  const std::string service = out.Field("service");
  out.name_ = service.empty()
                  ? fmt::format("postgresql://{}{}{}/{}", host.starts_with('/') ? "" : host,
                                out.Field("port").empty() ? "" : ":", out.Field("port"),
                                out.Field("dbname"))
                  : "postgresql:///?service=" + service;
  return out;
}

std::string PgAddress::Field(std::string_view key) const {
  const auto found = std::find_if(words_.begin(), words_.end(),
                                  [&](const Word& word) { return word.key == key; });
  return found == words_.end() ? std::string() : found->value;
}

PgAddress PgAddress::WithUser(const std::string& user) const {
  PgAddress out = *this;
  std::erase_if(out.words_, [](const Word& word) { return word.key == "user"; });
  out.words_.push_back({"user", user});
  return out;
}

std::size_t PgRows::size() const { return static_cast<std::size_t>(PQntuples(Raw(result_))); }
bool PgRows::IsNull(std::size_t row, int column) const {
  return PQgetisnull(Raw(result_), static_cast<int>(row), column) != 0;
}
std::string PgRows::Text(std::size_t row, int column) const {
  const int at = static_cast<int>(row);
  return std::string(PQgetvalue(Raw(result_), at, column),
                     static_cast<std::size_t>(PQgetlength(Raw(result_), at, column)));
}
std::int64_t PgRows::Int(std::size_t row, int column) const {
  const std::string text = Text(row, column);
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}
double PgRows::Real(std::size_t row, int column) const {
  return std::strtod(Text(row, column).c_str(), nullptr);
}
bool PgRows::Flag(std::size_t row, int column) const { return Text(row, column) == "t"; }

struct PgConnection::Handle {
  PGconn* connection = nullptr;
  std::string name;
  PgOptions options;
  ~Handle() { PQfinish(connection); }

  // Waits until the socket can be read or written. False: silent for too long, or stopped.
  bool Wait(short events) const {
    for (int quiet_ms = 0; quiet_ms < options.quiet_ms; quiet_ms += kSlice_ms) {
      if (options.stopped && options.stopped()) return false;
      pollfd socket{PQsocket(connection), events, 0};
      if (socket.fd < 0) return true;  // libpq says what is wrong
      if (poll(&socket, 1, kSlice_ms) != 0) return true;
    }
    return false;
  }
};

PgConnection::PgConnection(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
PgConnection::PgConnection(PgConnection&&) noexcept = default;
PgConnection& PgConnection::operator=(PgConnection&&) noexcept = default;
PgConnection::~PgConnection() = default;

Result<PgConnection> PgConnection::Open(const PgAddress& address, const PgOptions& options) {
  std::vector<const char*> keys;
  std::vector<const char*> values;
  const auto add = [&](const char* key, const char* value) {
    keys.push_back(key);
    values.push_back(value);
  };
  // What the address says comes later and counts.
  add("application_name", "fallofshot");
  if (!IsLocal(address.Field("host")) && address.Field("service").empty()) {
    add("sslmode", "require");
  }
  for (const PgAddress::Word& word : address.words_) add(word.key.c_str(), word.value.c_str());
  // Ours: texts are UTF-8, numbers come bit for bit.
  add("client_encoding", "UTF8");
  add("options", "-c extra_float_digits=3 -c statement_timeout=60000");
  keys.push_back(nullptr);
  values.push_back(nullptr);
  auto handle = std::make_unique<Handle>();
  handle->name = address.Name();
  handle->options = options;
  handle->connection = PQconnectStartParams(keys.data(), values.data(), /*expand_dbname=*/0);
  PgConnection out(std::move(handle));
  PGconn* const connection = out.handle_->connection;
  if (!connection) return out.Lost("out of memory");
  PQsetNoticeProcessor(
      connection, [](void*, const char*) {}, nullptr);
  for (PostgresPollingStatusType next = PGRES_POLLING_WRITING; next != PGRES_POLLING_OK;
       next = PQconnectPoll(connection)) {
    if (PQstatus(connection) == CONNECTION_BAD || next == PGRES_POLLING_FAILED) {
      const std::string why = FirstLine(PQerrorMessage(connection));
      if (PQconnectionNeedsPassword(connection) != 0 ||
          why.find("authentication failed") != std::string::npos ||
          why.find("does not exist") != std::string::npos ||
          why.find("permission denied") != std::string::npos) {
        return Error{ErrorCode::kUnsupported,
                     fmt::format("{}: {}; check the account and ~/.pgpass (PGPASSFILE)",
                                 address.Name(), why)};
      }
      return out.Lost(why);
    }
    if (!out.handle_->Wait(next == PGRES_POLLING_READING ? POLLIN : POLLOUT)) {
      return out.Lost("it does not answer");
    }
  }
  PQsetnonblocking(connection, 1);
  return out;
}

bool PgConnection::Alive() const { return PQstatus(handle_->connection) == CONNECTION_OK; }
std::string PgConnection::User() const {
  const char* user = PQuser(handle_->connection);
  return user ? user : "";
}

Error PgConnection::Lost(const std::string& why) {
  state_.clear();
  return {ErrorCode::kIo,
          fmt::format("{}: {}; check the server and the network", handle_->name, why)};
}

Result<PgRows> PgConnection::Await() {
  PGconn* const connection = handle_->connection;
  while (const int left = PQflush(connection)) {
    if (left < 0) return Lost(FirstLine(PQerrorMessage(connection)));
    if (!handle_->Wait(POLLIN | POLLOUT)) return Lost("it does not answer");
    if (PQconsumeInput(connection) == 0) return Lost(FirstLine(PQerrorMessage(connection)));
  }
  PgRows out;
  std::optional<Error> refused;
  for (;;) {
    while (PQisBusy(connection) != 0) {
      if (!handle_->Wait(POLLIN)) {
        // What the server does with the statement is not known: never use this session again.
        PQfinish(std::exchange(handle_->connection, nullptr));
        return Lost("it does not answer");
      }
      if (PQconsumeInput(connection) == 0) return Lost(FirstLine(PQerrorMessage(connection)));
    }
    PGresult* const result = PQgetResult(connection);
    if (!result) break;
    std::shared_ptr<void> owned(result, [](void* one) { PQclear(static_cast<PGresult*>(one)); });
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
      if (!refused) out.result_ = std::move(owned);
      continue;
    }
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char* what = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    state_ = state ? state : "";
    if (state_.empty()) return Lost(FirstLine(PQresultErrorMessage(result)));
    refused = Error{CodeOfState(state_), fmt::format("{}: {}", handle_->name, what ? what : "")};
  }
  if (refused) return *refused;
  if (!Alive() || !out.result_) return Lost("the connection was closed");
  return out;
}

Result<PgRows> PgConnection::Run(const std::string& sql, const std::vector<PgValue>& values,
                                 bool binary) {
  state_.clear();
  if (!handle_->connection || !Alive()) return Lost("the connection was closed");
  std::vector<const char*> texts;
  std::vector<int> lengths;
  std::vector<int> formats;
  for (const PgValue& value : values) {
    texts.push_back(value.text ? value.text->c_str() : nullptr);
    lengths.push_back(value.text ? static_cast<int>(value.text->size()) : 0);
    formats.push_back(value.bytes ? 1 : 0);
  }
  if (PQsendQueryParams(handle_->connection, sql.c_str(), static_cast<int>(values.size()), nullptr,
                        texts.data(), lengths.data(), formats.data(), binary ? 1 : 0) == 0) {
    return Lost(FirstLine(PQerrorMessage(handle_->connection)));
  }
  return Await();
}

Status PgConnection::Script(const std::string& sql) {
  state_.clear();
  if (!handle_->connection || !Alive()) return Lost("the connection was closed");
  if (PQsendQuery(handle_->connection, sql.c_str()) == 0) {
    return Lost(FirstLine(PQerrorMessage(handle_->connection)));
  }
  const Result<PgRows> rows = Await();
  return rows.ok() ? Ok() : Status(rows.error());
}

Result<std::string> PgConnection::Encrypted(const std::string& password, const std::string& user) {
  char* const hash = PQencryptPasswordConn(handle_->connection, password.c_str(), user.c_str(),
                                           "scram-sha-256");
  if (!hash) return Lost(FirstLine(PQerrorMessage(handle_->connection)));
  std::string out = hash;
  PQfreemem(hash);
  return out;
}

}  // namespace fos
