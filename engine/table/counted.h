// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace fos {

// A number with its noun: "1 stand", "2 stands", "1.5 points". An irregular plural is given in
// full: Counted(1, "die", "dice").
inline std::string Counted(double count, std::string_view one, std::string_view many = {}) {
  char number[32];
  std::snprintf(number, sizeof number, "%.12g", count);
  std::string out = number;
  out += ' ';
  if (count == 1 || many.empty()) {
    out += one;
    if (count != 1) out += 's';
  } else {
    out += many;
  }
  return out;
}

}  // namespace fos
