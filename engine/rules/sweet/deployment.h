// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/files/club_rules.h"
#include "engine/squares/field_reader.h"
#include "engine/squares/queries.h"
#include "engine/squares/terrain.h"
#include "engine/table/scenario.h"
#include "engine/table/table_frame.h"

// Checks the deployment before the first turn, and reads it from a clip's scenario. State as in
// queries.h.
namespace fos::sweet {

using namespace squares;

// NAP-2C, NAP-2E, ANC-V2, ANC-V4: squares that hold what they may not. apart, stacking, ground  the
// clauses to cite; empty for none. Needed beside the State: StackingFault, Impassable.
template <typename State>
std::vector<std::string> SquareFaults(const State& s, const std::string& apart,
                                      const std::string& stacking, const std::string& ground) {
  std::vector<std::string> faults;
  const auto by = [](const std::string& clause) {
    return clause.empty() ? clause : " (" + clause + ")";
  };
  for (Cell cell = 0; cell < s.setup->board.Cells(); ++cell) {
    const std::string where = CellName(s, cell);
    if (s.CountIn(0, cell) > 0 && s.CountIn(1, cell) > 0)
      faults.push_back("both sides stand in " + where + by(apart));
    for (int side = 0; side < 2; ++side) {
      const std::string fault = StackingFault(s, side, cell, {}, false);
      if (!fault.empty()) faults.push_back(fault + by(stacking));
      if (s.CountIn(side, cell) > 0 && Impassable(s, cell))
        faults.push_back(where + " is impassable: nothing can stand there" + by(ground));
    }
  }
  return faults;
}

// The setup of a clip's scenario without its pieces.
// rules  the rule set's name in messages, such as "Ancient".
template <typename Setup, typename Tables, typename Settings>
Result<Setup> SeenSetupHead(const Scenario& scenario, const TableFrame& frame, const char* rules,
                            Result<ClubRules<Tables, Settings>> played_by) {
  if (scenario.sides.size() != 2)
    return Error{ErrorCode::kBadFormat, fmt::format("the {} rules need exactly two sides", rules)};
  if (!played_by.ok()) return played_by.error();
  Setup setup;
  setup.name = scenario.name;
  setup.tables = std::move(played_by->tables);
  setup.settings = std::move(played_by->settings);
  setup.tables.square_in = frame.square_in;
  if (scenario.turns) setup.settings.turn_limit = *scenario.turns;
  setup.board = {frame.columns, frame.rows};
  setup.terrain = TerrainOf(scenario, frame);
  for (std::size_t i = 0; i < 2; ++i)
    setup.sides[i] = {scenario.sides[i].name, scenario.sides[i].baseline};
  return setup;
}

}  // namespace fos::sweet
