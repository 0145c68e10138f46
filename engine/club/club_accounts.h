// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "engine/club/pg_connection.h"
#include "engine/table/result.h"

namespace fos {

// A login of the club's server: one for each laptop that writes, and for those who read.
struct ClubAccount {
  enum class Role { kTable, kReader } role = Role::kTable;
  std::string name;   // 1 to 50 of a-z, 0-9, _ and -
  std::string club;   // the club's name, for a league's lists
  std::string title;  // what people call the table; empty: the name
};

// Makes the account with a new password of 256 random bits, which is written to `passfile` and
// nowhere else: a new file that only its owner may read, in the form of libpq's password file. The
// server receives the password's SCRAM hash. After an error neither is there.
// errors  kOutOfRange: a bad name; kIo: the file exists or cannot be written; those of
//         PgConnection; kUnsupported: this account may not make others.
Status AddClubAccount(const PgAddress& address, const ClubAccount& account,
                      const std::filesystem::path& passfile);

}  // namespace fos
