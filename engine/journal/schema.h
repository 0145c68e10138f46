// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

// The tables of the club's file (docs/log.md says what is in them).
namespace fos {

// Stored in the file's header to tell our databases from other programs': "FoSj".
inline constexpr int kJournalApplicationId = 0x466f536a;

// Step i upgrades a file of version i to version i + 1; version 0 is an empty file. Steps are only
// ever added, so a file of any older program can be upgraded.
const std::vector<std::string>& JournalMigrations();
inline int JournalVersion() { return static_cast<int>(JournalMigrations().size()); }

}  // namespace fos
