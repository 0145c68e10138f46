// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/table/result.h"

namespace fos {

struct TarFile {
  std::string name;  // in the archive: "bundle/doctor.txt"
  std::string bytes;
};

// The files as one tar archive, which every system can unpack.
// unix_s  time of every file, seconds since 1970
// source  POSIX.1-1988, the ustar format.
// errors  kOutOfRange: a name of more than 99 bytes, or a file of 8 GB or more.
Result<std::string> TarArchive(const std::vector<TarFile>& files, std::int64_t unix_s);

}  // namespace fos
