#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/files/event_log.h"

namespace fos {

// What a judged clip comes to, as a player reads it in a terminal: for each shot what was fired,
// where it lies, how sure that is, and every stand near it with distance, chance and call.
// out_folder  what the evidence pictures' paths are relative to.
std::string VerdictTable(const std::vector<EventRecord>& events,
                         const std::filesystem::path& out_folder);

}  // namespace fos
