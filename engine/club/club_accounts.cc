// SPDX-License-Identifier: MIT
#include "engine/club/club_accounts.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "engine/club/club_schema.h"
#include "engine/files/plain_text.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

std::string NewPassword() {
  std::random_device chance;
  std::string out;
  while (out.size() < 64) out += fmt::format("{:08x}", chance());
  return out;
}

// A field of a password file. source  PostgreSQL 15 manual, 34.16 (the password file).
std::string PassField(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string SqlText(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

Status CheckAccount(const ClubAccount& account) {
  const bool named = !account.name.empty() && account.name.size() <= 50 &&
                     account.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") ==
                         std::string::npos &&
                     !account.name.starts_with("pg_");
  if (!named) {
    return Error{ErrorCode::kOutOfRange,
                 fmt::format("`{}` is no name for an account; use 1 to 50 of a-z, 0-9, _ and -",
                             account.name.substr(0, 100))};
  }
  for (const std::string& text : {account.club, account.title}) {
    if (text.size() > 100 || !IsPlainLine(text)) {
      return Error{ErrorCode::kOutOfRange,
                   "a club's or table's name has at most 100 bytes and no control characters"};
    }
  }
  return Ok();
}

}  // namespace

Status AddClubAccount(const PgAddress& address, const ClubAccount& account,
                      const fs::path& passfile) {
  if (const Status good = CheckAccount(account); !good.ok()) return good;
  Result<PgConnection> connection = PgConnection::Open(address);
  if (!connection.ok()) return connection.error();
  const std::string password = NewPassword();
  const Result<std::string> hash = connection->Encrypted(password, account.name);
  if (!hash.ok()) return hash.error();
  const int file =
      open(passfile.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) {
    return Error{ErrorCode::kIo, passfile.string() +
                                     ": exists or cannot be written; name a new file in a folder "
                                     "that exists"};
  }
  const auto field = [&](const char* key, const char* otherwise) {
    const std::string text = address.Field(key);
    return PassField(text.empty() ? otherwise : text);
  };
  const std::string host = address.Field("host").starts_with('/') ? "localhost"
                                                                  : field("host", "localhost");
  const std::string line = fmt::format("{}:{}:{}:{}:{}\n", host, field("port", "5432"),
                                       field("dbname", "*"), account.name, password);
  bool kept = write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
              fsync(file) == 0;
  kept = close(file) == 0 && kept;
  const bool table = account.role == ClubAccount::Role::kTable;
  const Status made =
      !kept ? Status(Error{ErrorCode::kIo, passfile.string() + ": cannot be written"})
            : connection->Script(fmt::format(
                  "BEGIN; CREATE ROLE \"{0}\" LOGIN CONNECTION LIMIT 50 PASSWORD {1}; "
                  "GRANT {2} TO \"{0}\"; "
                  "INSERT INTO fallofshot.account(name, role, club, title) VALUES ({3}, {4}, {5}, "
                  "{6}); COMMIT;",
                  account.name, SqlText(*hash), table ? kTableRole : kReaderRole,
                  SqlText(account.name), table ? "'table'" : "'reader'", SqlText(account.club),
                  SqlText(account.title.empty() ? account.name : account.title)));
  if (made.ok()) return made;
  std::error_code ignored;
  fs::remove(passfile, ignored);
  return made;
}

}  // namespace fos
