// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/game/rule_game.h"
#include "engine/table/scenario.h"

namespace fos::colonial {

// Opens a colonial game from its scenario (game_file.h), for rule_sets.h.
Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed);

// Opens the game of a clip's scenario, set up by SetupOf (seen.h). errors  as SetupOf's;
// kOutOfRange if an army breaks a rule of setup, with the clause.
Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed);

}  // namespace fos::colonial
