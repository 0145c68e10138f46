// SPDX-License-Identifier: MIT
#include "tests/fuzz/spoilt.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace fos::test {

std::string Spoilt(std::string_view text, std::mt19937& chance) {
  static constexpr std::string_view kPieces[] = {"nan",
                                                 "-inf",
                                                 "1e999",
                                                 "[",
                                                 "]",
                                                 "{",
                                                 "}",
                                                 "\"",
                                                 "'''",
                                                 "=",
                                                 ".",
                                                 "#",
                                                 "\n",
                                                 "\0\xff",
                                                 "\xef\xbb\xbf",
                                                 "99999999999999999999",
                                                 "-0",
                                                 "0x7fffffffffffffff",
                                                 "[[unit]]",
                                                 "[board]",
                                                 "true",
                                                 "1979-05-27T07:32:00Z",
                                                 "\\u0000",
                                                 ",",
                                                 "é",
                                                 "!!opencv-matrix",
                                                 "null",
                                                 "- -"};
  std::string out(text);
  const int edits = 1 + static_cast<int>(chance() % 4);
  for (int i = 0; i < edits && !out.empty(); ++i) {
    const std::size_t at = chance() % out.size();
    const std::size_t length = 1 + chance() % 12;
    switch (chance() % 6) {
      case 0:
        out[at] = static_cast<char>(chance() % 256);
        break;
      case 1:
        out.erase(at, length);
        break;
      case 2:
        out.insert(at, kPieces[chance() % std::size(kPieces)]);
        break;
      case 3:
        out.replace(at, std::min(length, out.size() - at), kPieces[chance() % std::size(kPieces)]);
        break;
      case 4: {  // another digit: what gets past the parser to the checks of ranges
        const std::size_t digit = out.find_first_of("0123456789", at);
        if (digit != std::string::npos) out[digit] = static_cast<char>('0' + chance() % 10);
        break;
      }
      default:
        out.insert(at, out.substr(at, length * 8));
    }
  }
  return out;
}

std::string SpoiltBytes(std::string_view bytes, std::mt19937& chance) {
  std::string out(bytes);
  const int edits = 1 + static_cast<int>(chance() % 4);
  for (int i = 0; i < edits && !out.empty(); ++i) {
    // Headers count for more than pictures.
    const std::size_t most =
        chance() % 2 == 0 ? std::min<std::size_t>(out.size(), 512) : out.size();
    const std::size_t at = chance() % most;
    const std::size_t length = 1 + chance() % 64;
    switch (chance() % 6) {
      case 0:
        out[at] = static_cast<char>(static_cast<unsigned char>(out[at]) ^ (1u << (chance() % 8)));
        break;
      case 1: {
        static constexpr std::uint8_t kLimits[] = {0x00, 0x7f, 0x80, 0xff};
        const std::uint8_t limit = kLimits[chance() % std::size(kLimits)];
        for (std::size_t k = at; k < std::min(out.size(), at + (1u << (chance() % 4))); ++k)
          out[k] = static_cast<char>(limit);
        break;
      }
      case 2:
        out.resize(at);
        break;
      case 3:
        out.erase(at, length);
        break;
      case 4:
        out.insert(at, out.substr(at, length));
        break;
      default: {
        const std::size_t from = chance() % out.size();
        const std::string part = out.substr(from, length);
        out.replace(at, std::min(part.size(), out.size() - at), part);
      }
    }
  }
  return out;
}

}  // namespace fos::test
