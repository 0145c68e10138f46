// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/files/data_path.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// The tables and settings that a game is played by.
template <typename Tables, typename Settings>
struct ClubRules {
  Tables tables;
  Settings settings;
};

// Reads the shipped ones of the rule set, or a club's own.
// rule_set  such as "napoleonic".
// errors    the readers' own; kNotFound: a file does not exist.
template <typename Tables, typename Settings>
Result<ClubRules<Tables, Settings>> ReadClubRules(
    const ClubFiles& club, std::string_view rule_set,
    Result<Tables> (*read_tables)(const std::filesystem::path&),
    Result<Settings> (*read_settings)(const std::filesystem::path&, const Settings& base)) {
  const std::string shipped = "engine/rules/" + std::string(rule_set);
  const Result<std::filesystem::path> tables_path =
      club.tables.empty() ? FindData(shipped + "/tables.toml") : club.folder / club.tables;
  if (!tables_path.ok()) return tables_path.error();
  auto tables = read_tables(*tables_path);
  if (!tables.ok()) return tables.error();
  const auto settings_path = FindData(shipped + "/settings.toml");
  if (!settings_path.ok()) return settings_path.error();
  auto settings = read_settings(*settings_path, Settings{});
  // A club's file needs only the settings that differ.
  if (settings.ok() && !club.settings.empty())
    settings = read_settings(club.folder / club.settings, settings.value());
  if (!settings.ok()) return settings.error();
  return ClubRules<Tables, Settings>{std::move(tables).value(), std::move(settings).value()};
}

}  // namespace fos
