#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/rules/rule_game.h"
#include "engine/table/scenario.h"

// The Napoleonic game as everything outside the rules sees it.
namespace fos::napoleonic {

// errors  as ReadGame's.
Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed);

// Of a clip's scenario, as SetupOf sets it up.
Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed);

}  // namespace fos::napoleonic
