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

}  // namespace fos
