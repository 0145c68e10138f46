#pragma once

#include <filesystem>

#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// table.toml (contract, section 2.1).
// errors  kNotFound, kBadFormat (unknown key, wrong type: file, line and the nearest known key),
//         kOutOfRange (a number no table has).
Result<TableSpec> ReadTable(const std::filesystem::path& path);

}  // namespace fos
