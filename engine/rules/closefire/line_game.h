// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "engine/game/rule_game.h"
#include "engine/shots/seen.h"
#include "engine/table/clause.h"

namespace fos::closefire {

// The clauses CF-*, in the order of the catalogue.
std::span<const Clause> Clauses();

// Opens a game file, for rule_sets.cc.
Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed);

// Opens the game of a clip's scenario, for rule_sets.cc.
Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed);

}  // namespace fos::closefire
