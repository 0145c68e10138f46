// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/table/result.h"

namespace fos {

// Writes a new file and moves it into place when complete, so that readers see the old one or the
// new one, never half of it. A link keeps pointing where it does; a device or a pipe that somebody
// reads is written to, not replaced.
// errors  kIo; the partial file is removed.
Status WriteWholeFile(const std::filesystem::path& path, std::string_view text);

// Reads a whole file. Waits for no pipe or device: those, and folders, are not found.
// errors  kNotFound, kIo; kOutOfRange if it is larger than most_bytes.
Result<std::string> ReadWholeFile(const std::filesystem::path& path,
                                  std::uintmax_t most_bytes = 64 << 20);

}  // namespace fos
