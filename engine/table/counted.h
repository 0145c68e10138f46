#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace fos {

// A number with its noun: "1 stand", "2 stands", "1.5 points". An irregular plural is given in
// full: Counted(1, "die", "dice").
inline std::string Counted(double count, std::string_view one, std::string_view many = {}) {
  if (count == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{:.12g} {}s", count, one)
                      : fmt::format("{:.12g} {}", count, many);
}

}  // namespace fos
