#pragma once

#include <string>
#include <vector>

// The tables of the club's file (docs/log.md says what is in them).
namespace fos {

// In the file's header, so that no other program's database is taken for ours: "FoSj".
inline constexpr int kJournalApplicationId = 0x466f536a;

// Step i brings a file of version i to version i + 1; version 0 is an empty file. Steps are only
// ever added: a file of any older program can be brought up to date.
const std::vector<std::string>& JournalMigrations();
inline int JournalVersion() { return static_cast<int>(JournalMigrations().size()); }

}  // namespace fos
