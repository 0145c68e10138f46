#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/rules/napoleonic/state.h"
#include "engine/table/scenario.h"

namespace fos::napoleonic {

// A scenario to be played without a camera (docs/scripts.md says every key): board, terrain, sides,
// units one by one or whole organisations, objectives, turns.
// errors  as TomlFile's; kOutOfRange: a square off the board, an army that does not stand legally
//         (NAP-2C) or on impassable ground: line and mend.
Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path);

// The setup of a clip's scenario (contract, section 2.2) under the shipped tables and settings.
// Equipment and crews that start in one square are one battery. A terrain polygon counts for the
// squares whose centre it covers; one that covers none, for the square its middle lies in.
// errors  kBadFormat: a kind the tables have not, fewer or more than two sides.
Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame);

// What is wrong with how the armies stand before the first turn: both sides in one square, NAP-2C
// broken, somebody on impassable ground. Empty when all is well.
std::vector<std::string> DeploymentFaults(const State& s);

using squares::UsualTerrain;

}  // namespace fos::napoleonic
