// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/game/rule_game.h"
#include "tests/support/temp_dir.h"

// Plays a scenario, a club's settings and a script from files as `fallofshot play` does, to see the
// effect of a ruling from outside.
namespace fos::test {

// The result of the script's last line: "refused CLAUSE", or the sentences told; "not opened: ..."
// if the scenario is refused. If an earlier line is refused, the result says so.
// open      Result<std::unique_ptr<RuleGame>>(path of the scenario, seed)
// scenario  names its settings "club.toml"
// script    lines separated by ';'; `show` gives the table and the points, as in a script
template <typename Open>
std::string LastLineOf(Open open, const std::string& scenario, const std::string& settings,
                       const std::string& script) {
  const TempDir dir;
  dir.Write("club.toml", settings);
  auto game = open(dir.Write("game.toml", scenario), 7);
  if (!game.ok()) return "not opened: " + game.error().message;
  std::istringstream lines(script);
  std::string out;
  for (std::string line; std::getline(lines, line, ';');) {
    if (out.starts_with("refused")) return "an earlier line was " + out;
    if (line == "show") {
      out = game.value()->DescribeTable();
      continue;
    }
    const auto outcome = game.value()->Play(line);
    if (!outcome.ok()) return "cannot be read: " + outcome.error().message;
    out = outcome->refused ? "refused " + outcome->refused->clause : std::string();
    for (const std::string& sentence : outcome->told) out += sentence + ' ';
  }
  return out;
}

// Checks that each row's script has the stated result, with the shipped and with the changed
// setting.
// played(row, settings)  the result of the row's script
template <typename Row, typename Played>
void ExpectEachChangesWhatItSays(const std::vector<std::vector<Row>>& groups, Played played) {
  for (const std::vector<Row>& rows : groups)
    for (const Row& row : rows) {
      const std::string shipped = played(row, "");
      const std::string changed = played(row, row.setting);
      EXPECT_NE(shipped.find(row.shipped), std::string::npos) << row.setting << ": " << shipped;
      EXPECT_NE(changed.find(row.changed), std::string::npos) << row.setting << ": " << changed;
      EXPECT_NE(shipped, changed) << row.setting;
    }
}

}  // namespace fos::test
