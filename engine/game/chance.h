// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fos {

// A seeded source of dice and coins (splitmix64: Steele, Lea, Flood 2014). Its whole state is one
// number stored with the game, so a game replays bit for bit on every machine.
struct Generator {
  std::uint64_t state = 0;

  constexpr std::uint64_t Next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In [0, limit), limit > 0, unbiased: numbers that would favour a face are drawn again.
  constexpr int Below(int limit) {
    const std::uint64_t span = static_cast<std::uint64_t>(limit);
    const std::uint64_t fair = UINT64_MAX - UINT64_MAX % span;
    std::uint64_t drawn = Next();
    while (drawn >= fair) drawn = Next();
    return static_cast<int>(drawn % span);
  }
  constexpr int Die(int faces = 6) { return 1 + Below(faces); }
  constexpr bool Heads() { return Below(2) == 1; }

  friend constexpr bool operator==(Generator a, Generator b) = default;
};

}  // namespace fos
