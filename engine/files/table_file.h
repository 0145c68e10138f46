// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// table.toml (contract, section 2.1).
// errors  kNotFound; kBadFormat (unknown key, wrong type; with file, line and the nearest known
//         key); kOutOfRange (an impossible number).
Result<TableSpec> ReadTable(const std::filesystem::path& path);

class TomlTable;
// The same keys from a larger file: [board], [fiducials] and [charuco] of its root.
TableSpec ReadTableSections(TomlTable& root);
// ReadTable reads it back number for number.
std::string TableText(const TableSpec& table);

}  // namespace fos
