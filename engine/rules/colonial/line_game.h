#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/rules/rule_game.h"

namespace fos::colonial {

// A colonial game from its scenario (game_file.h), as rule_sets.h lists it.
Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed);

}  // namespace fos::colonial
