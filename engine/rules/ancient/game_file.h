#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/rules/ancient/setup.h"
#include "engine/table/observation.h"
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

// What is wrong with the position the camera sees before the first turn: both sides in one square,
// ANC-V2 or ANC-V6 broken, somebody on impassable ground; the first of it. A unit is where its
// first seen stand is. Empty when all is well. errors  those of SetupOf.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

}  // namespace fos::ancient
