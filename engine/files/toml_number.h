// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <fmt/format.h>

namespace fos {

// A number of TOML with the digits that reading needs to give the same double again. Minus zero
// becomes zero: TOML reads "-0" as an integer, which has none. `number` is finite.
inline std::string TomlNumber(double number) { return fmt::format("{}", number + 0.0); }

}  // namespace fos
