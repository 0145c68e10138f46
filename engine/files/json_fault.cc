// SPDX-License-Identifier: MIT
#include "engine/files/json_fault.h"

#include <algorithm>

#include <fmt/format.h>

namespace fos {

std::string JsonFaultInWords(std::string_view what) {
  constexpr std::string_view kTag = "[json.exception.";
  const std::size_t tag = what.find(kTag);
  if (tag == std::string_view::npos) return std::string(what);
  const std::size_t end = std::min(what.find("] ", tag), what.size() - 2);
  const std::string_view said = what.substr(end + 2);
  if (!what.substr(tag + kTag.size()).starts_with("parse_error"))
    return std::string(what.substr(0, tag)) + std::string(said);
  constexpr std::string_view kColumn = "column ";
  const std::size_t column = said.find(kColumn);
  const std::size_t from = column == std::string_view::npos ? said.size() : column + kColumn.size();
  const std::string_view digits =
      said.substr(from, said.find_first_not_of("0123456789", from) - from);
  return fmt::format("{}it is cut off or damaged{}{}", what.substr(0, tag),
                     digits.empty() ? "" : " at character ", digits);
}

}  // namespace fos
