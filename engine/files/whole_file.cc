// SPDX-License-Identifier: MIT
#include "engine/files/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>

#include <fmt/format.h>

namespace fos {

namespace {

// True when everything was written. Does not wait for somebody to read a pipe.
bool WriteToDevice(const std::filesystem::path& path, std::string_view text) {
  const int device = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (device < 0) return false;
  fcntl(device, F_SETFL, 0);  // from now on, wait for the reader
  while (!text.empty()) {
    const ssize_t written = write(device, text.data(), text.size());
    if (written <= 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return close(device) == 0 && text.empty();
}

}  // namespace

Status WriteWholeFile(const std::filesystem::path& name, std::string_view text) {
  std::error_code failed;
  std::filesystem::path path = name;
  if (std::filesystem::is_symlink(name, failed)) {
    path = std::filesystem::canonical(name, failed);
    if (failed) path = name;
  }
  const std::filesystem::file_status there = std::filesystem::status(path, failed);
  if (std::filesystem::is_other(there)) {
    if (WriteToDevice(path, text)) return Ok();
    return Error{ErrorCode::kIo,
                 fmt::format("{}: cannot be written to its end; choose a file", name.string())};
  }
  failed.clear();
  std::filesystem::path partial = path;
  partial += ".partial";
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
                           name.string())};
}

Result<std::string> ReadWholeFile(const std::filesystem::path& path, std::uintmax_t most_bytes) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) {
    const bool there = std::filesystem::exists(path, failed);
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: {}", path.string(),
                             there ? "is not a file; give one"
                                   : "cannot be read; check its name, and whether you may")};
  }
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed) {
    return Error{
        ErrorCode::kNotFound,
        fmt::format("{}: cannot be read; check its name, and whether you may", path.string())};
  }
  if (size > most_bytes) {
    return Error{ErrorCode::kOutOfRange, fmt::format("{}: is larger than {} bytes; it is not what "
                                                     "this program wrote",
                                                     path.string(), most_bytes)};
  }
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!in) {
    return Error{ErrorCode::kIo, fmt::format("{}: cannot be read to its end", path.string())};
  }
  return bytes;
}

}  // namespace fos
