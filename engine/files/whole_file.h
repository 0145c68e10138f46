#pragma once

#include <filesystem>
#include <string_view>

#include "engine/table/result.h"

namespace fos {

// Writes the file beside its place and moves it there when complete: whoever reads it sees the old
// one or the new one, never half of it.
// errors  kIo; nothing is left beside it then.
Status WriteWholeFile(const std::filesystem::path& path, std::string_view text);

}  // namespace fos
