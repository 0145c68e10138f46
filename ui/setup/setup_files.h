// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// Writes table.toml and scenario.toml into the folder, which is made if it is missing, and copies
// the club's own files that the scenario names. A file there that has comments is kept beside as
// NAME.before.
// errors  kIo: what could not be written. Neither file is then written.
Status WriteSetup(const std::filesystem::path& folder, const std::string& table,
                  const std::string& scenario, const ClubFiles& club);

// The set-ups that were begun without naming a folder lie side by side in `kept`: setup, setup-2
// and so on. The one that was saved last; empty: there is none.
std::filesystem::path LastSetup(const std::filesystem::path& kept);
// The next folder of that row that is not there yet, so that a new set-up replaces no other.
std::filesystem::path NewSetupFolder(const std::filesystem::path& kept);

}  // namespace fos
