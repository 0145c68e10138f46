// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

class TomlTable;

// The files that a scenario's [scenario] table names.
// folder  the scenario's folder.
ClubFiles ReadClubFiles(TomlTable& head, const std::filesystem::path& folder);
// Reads scenario.toml (contract, section 2.2) and checks it against its table.
// errors  kNotFound; kBadFormat (unknown key, wrong type, a unit whose side or kind is not listed;
//         with file, line and the nearest known key or name); kOutOfRange (an impossible number, a
//         square off the board).
Result<Scenario> ReadScenario(const std::filesystem::path& path, const TableFrame& frame);
// The same for a text; `name` stands for the file in messages.
Result<Scenario> ParseScenario(std::string_view text, const std::string& name,
                               const TableFrame& frame);
// The text that ReadScenario reads back; lengths are rounded to 1e-4 inch. Every unit's side and
// kind must be valid indices.
// added  further lines for its [scenario] table.
std::string ScenarioText(const Scenario& scenario, const std::string& added = {});
// The name that a scenario or game file gives itself; the file's own name without `.toml` if it
// gives none or cannot be read.
std::string ScenarioName(const std::filesystem::path& path);
// The lines of a scenario's [scenario] table that Scenario does not hold, such as a rule set's own
// keys.
// errors  those of TomlFile::Read.
Result<std::string> AddedToScenario(const std::filesystem::path& path);

}  // namespace fos
