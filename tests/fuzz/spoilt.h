// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace fos::test {

// A few bytes changed, cut, doubled, or replaced by text that TOML, YAML and JSON give a meaning
// to.
std::string Spoilt(std::string_view text, std::mt19937& chance);

// The same for files of numbers: bits turned, sizes and offsets at their limits, parts cut, doubled
// or exchanged.
std::string SpoiltBytes(std::string_view bytes, std::mt19937& chance);

}  // namespace fos::test
