#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/game/rule_game.h"
#include "engine/table/scenario.h"

namespace fos::colonial {

// A colonial game from its scenario (game_file.h), as rule_sets.h lists it.
Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed);

// Of a clip's scenario, as SetupOf (seen.h) sets it up. errors  SetupOf's; kOutOfRange: an army
// that does not stand as the rules say, with the clause.
Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed);

}  // namespace fos::colonial
