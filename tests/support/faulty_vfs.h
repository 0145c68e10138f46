// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

// A failing disk: SQLite's own file layer with injected faults.
namespace fos::test {

struct Faults {
  // Writes and synchronisations that still succeed; negative: all.
  std::int64_t good_writes = -1;
  // How many fail after that before the disk works again; negative: all.
  std::int64_t bad_writes = -1;
  int error = 0;      // SQLITE_FULL, SQLITE_IOERR_WRITE, ...
  bool torn = false;  // writes half the data before the error
  // Space left for the files to grow, bytes; negative: unlimited. Beyond it: SQLITE_FULL.
  std::int64_t room = -1;
};

// Registers the layer once; returns its name for JournalOptions::vfs.
std::string FaultyVfs();
// Sets the faults from now on, for every file of that layer.
void SetFaults(const Faults& faults);
// Failed writes since SetFaults.
std::int64_t FailedWrites();

}  // namespace fos::test
