// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game/army.h"
#include "engine/game/rule_game.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

// The Napoleonic game behind the interface that the rest of the program uses.
namespace fos::napoleonic {

// errors  as ReadGame's.
Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed);

// The game of a clip's scenario, set up by SetupOf.
Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed);

// The army lists of the shipped tables (army.h), for rule_sets.h.
Result<std::vector<std::string>> ArmyLists();
Result<ArmyOffer> ArmyOf(std::string_view list, std::optional<int> points);

}  // namespace fos::napoleonic
