#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

class TomlTable;

// The files that a scenario's table [scenario] names beside it. folder  the scenario's.
ClubFiles ReadClubFiles(TomlTable& head, const std::filesystem::path& folder);
// scenario.toml (contract, section 2.2), checked against the table it is played on.
// errors  kNotFound, kBadFormat (unknown key, wrong type, a unit of a side or kind that is not
// listed:
//         file, line and the nearest known key or name), kOutOfRange (a number no table has, a
//         square off the board).
Result<Scenario> ReadScenario(const std::filesystem::path& path, const TableFrame& frame);
// The same of a text; `name` stands for the file in messages.
Result<Scenario> ParseScenario(std::string_view text, const std::string& name,
                               const TableFrame& frame);
// As ReadScenario reads it again: lengths to a ten-thousandth of an inch. Every unit's side and
// kind must be an index of the scenario's own.
// added  lines of its table [scenario] that are none of the Scenario's.
std::string ScenarioText(const Scenario& scenario, const std::string& added = {});
// What else a scenario's table [scenario] says, as lines of TOML: a rule set's own keys, which no
// camera asks for. errors  those of TomlFile::Read.
Result<std::string> AddedToScenario(const std::filesystem::path& path);

}  // namespace fos
