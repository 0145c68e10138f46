#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/rules/ancient/state.h"
#include "engine/table/scenario.h"

namespace fos::ancient {

// A scenario to be played without a camera (docs/scripts.md says every key): board, terrain, sides,
// units one by one or whole army lists, objectives, turns.
// errors  as TomlFile's; kOutOfRange: a square off the board, an army that does not stand legally
//         (ANC-V2, ANC-V6) or on impassable ground: line and mend.
Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path);

// The setup of a clip's scenario (contract, section 2.2) under the shipped tables and settings.
// errors  kBadFormat: a kind the tables have not, fewer or more than two sides.
Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame);

// What is wrong with how the armies stand before the first turn: both sides in one square, ANC-V2
// or ANC-V6 broken, somebody on impassable ground. Empty when all is well.
std::vector<std::string> DeploymentFaults(const State& s);

}  // namespace fos::ancient
