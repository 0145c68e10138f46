#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/game/rule_game.h"
#include "tests/support/temp_dir.h"

// A scenario, a club's settings and a script as files and lines, played the way `fallofshot play`
// does: what a ruling changes is seen from outside.
namespace fos::test {

// What became of the script's last line: "refused CLAUSE", or what was told, sentence after
// sentence; "not opened: ..." where the scenario itself is refused. Any earlier line that is
// refused says so, for then the script is not what it was meant to be.
// open      Result<std::unique_ptr<RuleGame>>(path of the scenario, seed)
// scenario  names its settings "club.toml"
// script    lines, apart by ';'; `show` gives the table and the points, as in a script
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

// Each row's line comes to what it says, as shipped and under the setting it is about.
// played(row, settings)  what the row's script came to
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
