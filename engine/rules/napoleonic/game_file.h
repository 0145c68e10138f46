#pragma once

#include <filesystem>
#include <memory>

#include "engine/rules/napoleonic/setup.h"
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

using squares::UsualTerrain;

}  // namespace fos::napoleonic
