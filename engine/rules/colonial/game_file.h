#pragma once

#include <filesystem>
#include <memory>

#include "engine/rules/colonial/setup.h"

namespace fos::colonial {

// A game's scenario (docs/scripts.md).
// errors  as TomlFile's; kOutOfRange: an army that does not stand as the rules say, with the
// clause.
Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path);

}  // namespace fos::colonial
