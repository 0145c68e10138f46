// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "engine/rules/colonial/setup.h"

namespace fos::colonial {

// Reads a game's scenario (docs/scripts.md).
// errors  as TomlFile's; kOutOfRange if an army breaks a rule of setup, with the clause.
Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path);

}  // namespace fos::colonial
