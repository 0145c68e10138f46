// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/table/clause.h"

namespace fos {

// A rule refuses the action, but the players may overrule it.
inline std::optional<Refusal> Refuse(std::string_view clause, std::string because) {
  return Refusal{std::string(clause), std::move(because), true};
}
// The game cannot represent the action, or it is not the time for it. Nobody may overrule that.
inline std::optional<Refusal> Impossible(std::string_view clause, std::string because) {
  return Refusal{std::string(clause), std::move(because), false};
}

}  // namespace fos
