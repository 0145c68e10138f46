#include "engine/files/whole_file.h"

#include <fstream>

#include <fmt/format.h>

namespace fos {

Status WriteWholeFile(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::path partial = path;
  partial += ".partial";
  std::error_code failed;
  {
    std::ofstream out(partial, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.flush();
    if (!out) failed = std::make_error_code(std::errc::io_error);
  }
  if (!failed) std::filesystem::rename(partial, path, failed);
  if (!failed) return Ok();
  std::error_code ignored;
  std::filesystem::remove(partial, ignored);
  return Error{ErrorCode::kIo,
               fmt::format("{}: cannot be written; choose a folder that exists, may be written to "
                           "and has room",
                           path.string())};
}

}  // namespace fos
