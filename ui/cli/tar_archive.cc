// SPDX-License-Identifier: MIT
#include "ui/cli/tar_archive.h"

#include <cstddef>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

namespace fos {
namespace {

constexpr std::size_t kTarBlock_bytes = 512;
constexpr std::size_t kLongestTarName = 99;
constexpr std::uint64_t kLargestTarFile_bytes = 077777777777;  // eleven octal digits

// One field of the header: where it begins, and its text.
void PutTarField(std::string& header, std::size_t at, std::string_view text) {
  header.replace(at, text.size(), text);
}

std::string TarHeader(const TarFile& file, std::int64_t unix_s) {
  std::string out(kTarBlock_bytes, '\0');
  PutTarField(out, 0, file.name);
  PutTarField(out, 100, "0000644");  // mode, owner, group
  PutTarField(out, 108, "0000000");
  PutTarField(out, 116, "0000000");
  PutTarField(out, 124, fmt::format("{:011o}", file.bytes.size()));
  PutTarField(out, 136, fmt::format("{:011o}", unix_s));
  PutTarField(out, 148, "        ");  // the sum below counts itself as spaces
  PutTarField(out, 156, "0");         // a regular file
  PutTarField(out, 257, std::string_view("ustar\00000", 8));
  const unsigned sum = std::accumulate(out.begin(), out.end(), 0u, [](unsigned all, char c) {
    return all + static_cast<unsigned char>(c);
  });
  PutTarField(out, 148, fmt::format("{:06o}", sum));
  out[154] = '\0';
  return out;
}

}  // namespace

Result<std::string> TarArchive(const std::vector<TarFile>& files, std::int64_t unix_s) {
  std::string out;
  for (const TarFile& file : files) {
    if (file.name.empty() || file.name.size() > kLongestTarName) {
      return Error{ErrorCode::kOutOfRange,
                   fmt::format("`{}`: the name is too long for an archive; rename the file",
                               file.name)};
    }
    if (file.bytes.size() > kLargestTarFile_bytes) {
      return Error{ErrorCode::kOutOfRange,
                   fmt::format("{}: too large for an archive; leave it out", file.name)};
    }
    out += TarHeader(file, unix_s);
    out += file.bytes;
    out.append((kTarBlock_bytes - file.bytes.size() % kTarBlock_bytes) % kTarBlock_bytes, '\0');
  }
  return out.append(2 * kTarBlock_bytes, '\0');  // the end
}

}  // namespace fos
