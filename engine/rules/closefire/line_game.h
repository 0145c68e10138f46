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

// CF-*, in the order of the catalogue.
std::span<const Clause> Clauses();

// For rule_sets.cc.
Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed);

// Of a clip's scenario, for rule_sets.cc as well.
Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed);

}  // namespace fos::closefire
