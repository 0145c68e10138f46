// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace fos {

// What a JsonError says (json.h), for players: without the library's tag and its grammar.
std::string JsonFaultInWords(std::string_view what);

}  // namespace fos
