// SPDX-License-Identifier: MIT
#include "ui/cli/output_file.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <string>
#include <system_error>

#include "engine/files/whole_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

bool IsSqlite(const fs::path& file) {
  // https://www.sqlite.org/fileformat.html, 1.3.1; the zero behind it counts too.
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::error_code ec;
  if (!fs::is_regular_file(file, ec)) return false;
  std::array<char, kMagic.size()> begins{};
  std::ifstream(file, std::ios::binary).read(begins.data(), begins.size());
  return std::string_view(begins.data(), begins.size()) == kMagic;
}

// Also of a file that is not there yet.
bool SameFile(const fs::path& a, const fs::path& b) {
  std::error_code ec;
  if (fs::equivalent(a, b, ec)) return true;
  const fs::path whole_a = fs::weakly_canonical(a, ec);
  const fs::path whole_b = ec ? fs::path() : fs::weakly_canonical(b, ec);
  return !ec && whole_a == whole_b;
}

}  // namespace

Status MayReplace(const fs::path& file, std::string_view option,
                  const std::vector<fs::path>& kept) {
  if (IsSqlite(file)) {
    return Error{ErrorCode::kIo, fmt::format("{}: is a club's file; choose another with {}",
                                             file.string(), option)};
  }
  std::error_code ec;
  for (const fs::path& one : kept) {
    // A device takes whatever comes.
    if (one.empty() || !SameFile(file, one) || fs::is_character_file(file, ec)) continue;
    return Error{ErrorCode::kIo,
                 fmt::format("{}: is read or written by this command already; choose another "
                             "with {}",
                             file.string(), option)};
  }
  return Ok();
}

Status MakeFolderOf(const fs::path& file) {
  if (!file.has_parent_path()) return Ok();
  const fs::path folder = file.parent_path();
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (fs::is_directory(folder, ec)) return Ok();
  return Error{ErrorCode::kIo,
               fmt::format("{}: cannot be written: its folder cannot be made; choose another",
                           file.string())};
}

Status WriteOutput(const fs::path& file, std::string_view text) {
  const Status made = MakeFolderOf(file);
  return made.ok() ? WriteWholeFile(file, text) : made;
}

}  // namespace fos
