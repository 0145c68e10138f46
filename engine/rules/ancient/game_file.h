// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/rules/ancient/state.h"
#include "engine/table/scenario.h"

namespace fos::ancient {

// Reads a scenario to play without a camera (docs/scripts.md lists every key): board, terrain,
// sides, units one by one or whole army lists, objectives, turns.
// errors  as TomlFile's; kOutOfRange: a square off the board, an army whose deployment is illegal
//         (ANC-V2, ANC-V6) or on impassable ground; with line and remedy.
Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path);

// The setup of a clip's scenario (contract, section 2.2) with the shipped tables and settings.
// errors  kBadFormat: a kind that the tables lack, or not exactly two sides.
Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame);

// Faults of the deployment before the first turn: both sides in one square, ANC-V2 or ANC-V6
// broken, a unit on impassable ground. Empty if there are none.
std::vector<std::string> DeploymentFaults(const State& s);

}  // namespace fos::ancient
