// SPDX-License-Identifier: MIT
#include "vision/image/picture_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <system_error>

namespace fos {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The check sum of a PNG's chunks (PNG specification, annex D).
std::uint32_t CheckSum(const std::uint8_t* begin, const std::uint8_t* end) {
  static const auto kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t n = 0; n < table.size(); ++n) {
      std::uint32_t c = n;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xedb88320U ^ (c >> 1) : c >> 1;
      table[n] = c;
    }
    return table;
  }();
  std::uint32_t c = 0xffffffffU;
  for (; begin != end; ++begin) c = kTable[(c ^ *begin) & 0xffU] ^ (c >> 8);
  return c ^ 0xffffffffU;
}

std::uint32_t Number(const std::uint8_t* at) {
  return static_cast<std::uint32_t>(at[0]) << 24 | static_cast<std::uint32_t>(at[1]) << 16 |
         static_cast<std::uint32_t>(at[2]) << 8 | static_cast<std::uint32_t>(at[3]);
}

constexpr std::array<std::uint8_t, 8> kPng = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

// Chunk by chunk: length, name, data, check sum, until the one that ends it.
bool WholePng(const Bytes& bytes) {
  constexpr std::size_t kAround = 12;  // of a chunk's data
  std::size_t at = kPng.size();
  while (bytes.size() - at >= kAround) {
    const std::uint8_t* chunk = bytes.data() + at;
    const std::size_t length = Number(chunk);
    if (length > bytes.size() - at - kAround) return false;
    const std::uint8_t* data = chunk + 8;
    if (CheckSum(chunk + 4, data + length) != Number(data + length)) return false;
    if (std::equal(chunk + 4, data, "IEND")) return true;
    at += length + kAround;
  }
  return false;
}

// Ends as it should, or a little before: some cameras pad their files.
bool WholeJpeg(const Bytes& bytes) {
  constexpr std::size_t kPadding = 1024;
  constexpr std::array<std::uint8_t, 2> kEnd = {0xff, 0xd9};
  const auto from = bytes.end() - static_cast<std::ptrdiff_t>(std::min(kPadding, bytes.size()));
  return std::search(from, bytes.end(), kEnd.begin(), kEnd.end()) != bytes.end();
}

constexpr std::uintmax_t kLargestFile_bytes = 256u << 20;
constexpr std::uint32_t kLongestSide_px = 20'000;
// Some 100 megapixels are the largest that a camera delivers. A small file can state far more, and
// would fill the memory before its data ends.
constexpr std::uint64_t kMostPixels = 200'000'000;

bool Sensible(std::uint32_t width, std::uint32_t height) {
  return width > 0 && height > 0 && width <= kLongestSide_px && height <= kLongestSide_px &&
         std::uint64_t{width} * height <= kMostPixels;
}

// The header comes first (PNG specification, 11.2.2).
bool SensiblePng(const Bytes& bytes) {
  constexpr std::size_t kSize = 16;  // from the file's start
  return bytes.size() >= kSize + 8 && Sensible(Number(&bytes[kSize]), Number(&bytes[kSize + 4]));
}

// Segment by segment up to the one that states the size (ITU-T T.81, B.2.2).
bool SensibleJpeg(const Bytes& bytes) {
  std::size_t at = 2;
  while (at + 9 < bytes.size()) {
    if (bytes[at] != 0xff) return false;
    const std::uint8_t marker = bytes[at + 1];
    if (marker == 0xff) {  // fill
      ++at;
      continue;
    }
    const auto two = [&](std::size_t i) {
      return static_cast<std::uint32_t>(bytes[i]) << 8 | bytes[i + 1];
    };
    const bool frame =
        marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (frame) return Sensible(two(at + 7), two(at + 5));
    const bool alone = marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += 2 + (alone ? 0 : two(at + 2));
  }
  return false;
}

}  // namespace

cv::Mat PictureFrom(const Bytes& bytes, int flags) try {
  const bool png =
      bytes.size() >= kPng.size() && std::equal(kPng.begin(), kPng.end(), bytes.begin());
  const bool jpeg = bytes.size() >= 2 && bytes[0] == 0xff && bytes[1] == 0xd8;
  if (png ? !SensiblePng(bytes) || !WholePng(bytes)
          : !jpeg || !SensibleJpeg(bytes) || !WholeJpeg(bytes)) {
    return {};
  }
  return cv::imdecode(bytes, flags);
} catch (const cv::Exception&) {
  return {};
}

cv::Mat ReadPicture(const std::filesystem::path& file, int flags) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return {};
  const std::uintmax_t size = fs::file_size(file, failed);
  if (failed || size > kLargestFile_bytes) return {};
  Bytes bytes(static_cast<std::size_t>(size));
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!in) return {};
  return PictureFrom(bytes, flags);
}

}  // namespace fos
