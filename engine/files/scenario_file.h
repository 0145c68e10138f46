#pragma once

#include <filesystem>

#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// scenario.toml (contract, section 2.2), checked against the table it is played on.
// errors  kNotFound, kBadFormat (unknown key, wrong type, a unit of a side or kind that is not
// listed:
//         file, line and the nearest known key or name), kOutOfRange (a number no table has, a
//         square off the board).
Result<Scenario> ReadScenario(const std::filesystem::path& path, const TableFrame& frame);

}  // namespace fos
