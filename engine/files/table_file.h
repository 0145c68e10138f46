// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// table.toml (contract, section 2.1).
// errors  kNotFound; kBadFormat (unknown key, wrong type; with file, line and the nearest known
//         key); kOutOfRange (an impossible number).
Result<TableSpec> ReadTable(const std::filesystem::path& path);

class TomlTable;
// The same keys from a larger file: [board], [fiducials], [charuco] and [[tray]] of its root.
TableSpec ReadTableSections(TomlTable& root);
// Why the table's trays for dice cannot lie as they do, a sentence; empty: they can.
std::optional<std::string> TrayFault(const TableSpec& table);
// ReadTable reads it back number for number.
std::string TableText(const TableSpec& table);

}  // namespace fos
