// SPDX-License-Identifier: MIT
#include "ui/window/plain_snapshot.h"

#include <array>
#include <utility>

namespace fos {

std::shared_ptr<const Snapshot> PlainSnapshot(const GameController& controller, double time_s) {
  const GameShown& game = *controller.Now();
  MatchFacts facts;
  facts.table = game.board;
  facts.name = game.replay_turns.empty() ? game.name : "replay of " + game.name;
  facts.scenario.name = game.name;
  facts.scenario.ruleset = game.ruleset;
  // The game's files name no paints: use blue and red, as maps do, then two more.
  constexpr std::array<Colour, 4> kPaints = {Colour{47, 79, 168}, Colour{176, 48, 40},
                                             Colour{60, 140, 70}, Colour{200, 160, 40}};
  for (std::size_t side = 0; side < game.view.sides.size(); ++side) {
    SideSpec spec;
    spec.name = game.view.sides[side];
    spec.paint = kPaints[side % kPaints.size()];
    facts.scenario.sides.push_back(spec);
  }
  facts.scenario.kinds = game.kinds;
  facts.troops = game.troops;
  facts.scenario.terrain = game.terrain;
  Snapshot out;
  out.facts = std::make_shared<const MatchFacts>(std::move(facts));
  out.watching = Watching::kNoTable;
  out.frame.time_s = time_s;
  out.stands = std::make_shared<const std::vector<StandObservation>>(controller.Stands());
  out.log = std::make_shared<const std::vector<LogLine>>();
  return std::make_shared<const Snapshot>(std::move(out));
}

}  // namespace fos
