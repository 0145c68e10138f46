// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fos {

// SHA-256 of everything added, in order.
// source  FIPS 180-4, 6.2.
class Sha256 {
 public:
  Sha256& Add(std::string_view bytes);
  // Adds the length first, so that different lists of texts never give the same bytes.
  Sha256& AddText(std::string_view text);
  // 64 lower-case hexadecimal digits. More can be added afterwards.
  std::string Hex() const;

 private:
  using Block = std::array<std::uint8_t, 64>;
  void Mix(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                      0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  Block pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t bytes_ = 0;
};

inline std::string Sha256Hex(std::string_view bytes) { return Sha256().Add(bytes).Hex(); }

}  // namespace fos
