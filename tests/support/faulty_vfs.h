#pragma once

#include <cstdint>
#include <string>

// A disk that fails: SQLite's own file layer with faults put in between.
namespace fos::test {

struct Faults {
  // Writes and synchronisations that still go well; negative: all.
  std::int64_t good_writes = -1;
  // How many fail after that, then the disk is well again; negative: all.
  std::int64_t bad_writes = -1;
  int error = 0;      // SQLITE_FULL, SQLITE_IOERR_WRITE, ...
  bool torn = false;  // half of what should be written is, before the error is given
  // Room left for the files to grow, bytes; negative: no end of it. Beyond it: SQLITE_FULL.
  std::int64_t room = -1;
};

// Registers the layer once; its name for JournalOptions::vfs.
std::string FaultyVfs();
// What happens from now on, in every file of that layer.
void SetFaults(const Faults& faults);
// Writes since SetFaults that failed.
std::int64_t FailedWrites();

}  // namespace fos::test
