#include "vision/image/picture_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <opencv2/imgcodecs.hpp>

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

}  // namespace

cv::Mat PictureFrom(const Bytes& bytes, int flags) try {
  const bool png =
      bytes.size() >= kPng.size() && std::equal(kPng.begin(), kPng.end(), bytes.begin());
  const bool jpeg = bytes.size() >= 2 && bytes[0] == 0xff && bytes[1] == 0xd8;
  if (bytes.empty() || (png && !WholePng(bytes)) || (jpeg && !WholeJpeg(bytes))) return {};
  return cv::imdecode(bytes, flags);
} catch (const cv::Exception&) {
  return {};
}

cv::Mat ReadPicture(const std::filesystem::path& file, int flags) {
  std::ifstream in(file, std::ios::binary);
  return PictureFrom(Bytes(std::istreambuf_iterator<char>(in), {}), flags);
}

}  // namespace fos
