// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

// The tables, functions and rights of the club's server (docs/club.md says what is in them).
namespace fos {

// The roles that hold the rights. Nobody logs in as one; accounts are members.
inline constexpr const char* kTableRole = "fallofshot_table";    // may append its own games
inline constexpr const char* kReaderRole = "fallofshot_reader";  // may read everything

// Step i upgrades a server of version i to version i + 1; version 0 has no tables. Steps are only
// ever added, so the server of any older program can be upgraded.
const std::vector<std::string>& ClubMigrations();
inline int ClubVersion() { return static_cast<int>(ClubMigrations().size()); }

// The server's own error codes, raised by its functions.
inline constexpr const char* kStateNotATable = "FS001";    // the account may append nothing
inline constexpr const char* kStateOtherTable = "FS002";   // the game is another account's
inline constexpr const char* kStateOtherStart = "FS003";   // a game of this uid began otherwise
inline constexpr const char* kStateBadRecords = "FS004";   // numbers that do not follow each other
inline constexpr const char* kStateAppendOnly = "FS005";   // rows are never changed or deleted

}  // namespace fos
