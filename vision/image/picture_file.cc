// SPDX-License-Identifier: MIT
#include "vision/image/picture_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace fos {
namespace {

namespace fs = std::filesystem;

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

// Segment by segment to the marker that ends the picture (ITU-T T.81, B.1.1 and B.2.2). What
// follows it is another's: telephones append a short film or a second picture.
bool WholeAndSensibleJpeg(const Bytes& bytes) {
  const auto two = [&](std::size_t i) {
    return static_cast<std::uint32_t>(bytes[i]) << 8 | bytes[i + 1];
  };
  bool sensible = false;
  bool scan = false;  // coded data follow a start of scan: bytes up to the next marker
  std::size_t at = 2;
  while (at + 1 < bytes.size()) {
    if (bytes[at] != 0xff) {
      if (!scan) return false;
      ++at;
      continue;
    }
    const std::uint8_t marker = bytes[at + 1];
    if (marker == 0xff) {  // fill
      ++at;
      continue;
    }
    if (marker == 0xd9) return sensible;
    const bool alone = marker == 0 || marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (alone) {
      at += 2;
      continue;
    }
    if (at + 3 >= bytes.size()) return false;
    const bool frame =
        marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (frame) {
      if (at + 8 >= bytes.size() || !Sensible(two(at + 7), two(at + 5))) return false;
      sensible = true;
    }
    scan = marker == 0xda;
    at += 2 + std::max(2U, two(at + 2));
  }
  return false;
}

// A RIFF file whose first chunk states the size in one of three ways (RFC 9649, 2.5 to 2.7).
bool IsWebp(const Bytes& bytes) {
  const auto tells = [&](std::size_t i, std::string_view text) {
    return std::equal(text.begin(), text.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i),
                      [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
  };
  return bytes.size() >= 30 && tells(0, "RIFF") && tells(8, "WEBP");
}
bool WholeAndSensibleWebp(const Bytes& bytes) {
  const auto number = [&](std::size_t i, std::size_t count) {
    std::uint32_t out = 0;
    for (std::size_t k = count; k-- > 0;) out = out << 8 | bytes[i + k];
    return out;
  };
  if (std::uint64_t{number(4, 4)} + 8 > bytes.size()) return false;
  switch (bytes[15]) {
    case ' ':  // lossy
      return Sensible(number(26, 2) & 0x3fffU, number(28, 2) & 0x3fffU);
    case 'L':  // lossless
      return Sensible((number(21, 4) & 0x3fffU) + 1, (number(21, 4) >> 14 & 0x3fffU) + 1);
    case 'X':  // extended
      return Sensible(number(24, 3) + 1, number(27, 3) + 1);
    default:
      return false;
  }
}

constexpr std::array<std::string_view, 4> kRead = {".png", ".jpg", ".jpeg", ".webp"};
// What cameras and scanners write besides.
constexpr std::array<std::string_view, 12> kUnread = {".heic", ".heif", ".avif", ".bmp",
                                                      ".tif",  ".tiff", ".gif",  ".dng",
                                                      ".cr2",  ".cr3",  ".nef",  ".arw"};

bool EndsIn(const fs::path& file, std::span<const std::string_view> endings) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

std::vector<fs::path> FilesEndingIn(const fs::path& folder,
                                    std::span<const std::string_view> endings) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code unknown;
    if (EndsIn(it->path(), endings) && fs::is_regular_file(it->path(), unknown)) {
      out.push_back(it->path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

bool IsPictureName(const fs::path& file) { return EndsIn(file, kRead); }

std::vector<fs::path> PictureFiles(const fs::path& folder) { return FilesEndingIn(folder, kRead); }

std::vector<fs::path> UnreadPictureFiles(const fs::path& folder) {
  return FilesEndingIn(folder, kUnread);
}

cv::Mat PictureFrom(const Bytes& bytes, int flags) try {
  const bool png =
      bytes.size() >= kPng.size() && std::equal(kPng.begin(), kPng.end(), bytes.begin());
  const bool jpeg = bytes.size() >= 2 && bytes[0] == 0xff && bytes[1] == 0xd8;
  const bool whole = png             ? SensiblePng(bytes) && WholePng(bytes)
                     : jpeg          ? WholeAndSensibleJpeg(bytes)
                     : IsWebp(bytes) ? WholeAndSensibleWebp(bytes)
                                     : false;
  if (!whole) return {};
  return cv::imdecode(bytes, flags);
} catch (const cv::Exception&) {
  return {};
}

cv::Mat ReadPicture(const fs::path& file, int flags) {
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
