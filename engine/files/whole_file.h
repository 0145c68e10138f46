#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/table/result.h"

namespace fos {

// Writes the file beside its place and moves it there when complete: whoever reads it sees the old
// one or the new one, never half of it.
// errors  kIo; nothing is left beside it then.
Status WriteWholeFile(const std::filesystem::path& path, std::string_view text);

// The whole of a file, as it is.
// errors  kNotFound, kIo; kOutOfRange when it is larger than most_bytes.
Result<std::string> ReadWholeFile(const std::filesystem::path& path,
                                  std::uintmax_t most_bytes = 64 << 20);

}  // namespace fos
