#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/table/clause.h"

namespace fos {

// A rule says no; the players may let it stand all the same.
inline std::optional<Refusal> Refuse(std::string_view clause, std::string because) {
  return Refusal{std::string(clause), std::move(because), true};
}
// The game cannot represent it, or it is not the time for it: nobody may waive that.
inline std::optional<Refusal> Impossible(std::string_view clause, std::string because) {
  return Refusal{std::string(clause), std::move(because), false};
}

}  // namespace fos
