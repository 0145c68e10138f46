// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/rules/napoleonic/state.h"
#include "engine/table/scenario.h"

namespace fos::napoleonic {

// Reads a scenario to play without a camera (docs/scripts.md lists every key): board, terrain,
// sides, units one by one or whole organisations, objectives, turns.
// errors  as TomlFile's; kOutOfRange: a square off the board, an army whose deployment is illegal
//         (NAP-2C) or on impassable ground; with line and remedy.
Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path);

// The setup of a clip's scenario (contract, section 2.2) with the shipped tables and settings.
// Equipment and crews that start in one square are one battery. A terrain polygon counts for the
// squares whose centre it covers; one that covers none, for the square its middle lies in.
// errors  kBadFormat: a kind that the tables lack, or not exactly two sides.
Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame);

// Faults of the deployment before the first turn: both sides in one square, NAP-2C broken, a unit
// on impassable ground. Empty if there are none.
std::vector<std::string> DeploymentFaults(const State& s);

using squares::UsualTerrain;

}  // namespace fos::napoleonic
