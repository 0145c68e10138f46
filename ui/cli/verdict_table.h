// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/files/event_log.h"

namespace fos {

// The verdicts of a clip as text for a terminal: for each shot the projectile, its point with its
// uncertainty, and every stand near it with distance, chance of a hit and call; for each throw of
// dice what they show.
// out_folder  the folder that the evidence pictures' paths are relative to.
std::string VerdictTable(const std::vector<EventRecord>& events,
                         const std::filesystem::path& out_folder);

}  // namespace fos
