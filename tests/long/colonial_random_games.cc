// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/rules/colonial/game.h"
#include "engine/rules/colonial/json.h"
#include "engine/rules/colonial/legal.h"
#include "engine/rules/colonial/lines.h"
#include "engine/rules/colonial/query.h"
#include "engine/rules/colonial/random_play.h"
#include "tests/support/colonial_battles.h"
#include "tests/support/random_games.h"

// Plays random legal games to the end. Checked at every step: no legal action is refused, stands
// are conserved, no square breaks COL-1.3, no stand is on impassable ground, undo gives the state
// before, and events, actions and state survive being written and read.
//
//   colonial_random_games [GAMES [FIRST_SEED]]      (200 games from seed 1 when not given)
namespace fos::colonial {
namespace {

std::string Fault(const State& s) {
  std::vector<std::vector<PieceNo>> in(s.in_cell.size());
  for (std::size_t i = 0; i < s.stands.size(); ++i)
    if (OnTable(s.stands[i]))
      in[static_cast<std::size_t>(s.stands[i].cell)].push_back(static_cast<PieceNo>(i));
  for (std::size_t c = 0; c < in.size(); ++c) {
    const std::string where = s.setup->CellName(static_cast<Cell>(c));
    const auto kept = 2 - std::count(s.in_cell[c].begin(), s.in_cell[c].end(), kNoPiece);
    if (static_cast<long>(in[c].size()) != kept) return "the squares' stands are wrong in " + where;
    if (in[c].empty()) continue;
    if (s.At(s.in_cell[c][0]).rear) return "no front stand in " + where;
    if (s.setup->ground[c].impassable) return "somebody stands in impassable " + where;
    if (in[c].size() < 2) continue;
    const Stand& a = s.At(s.in_cell[c][0]);
    const Stand& b = s.At(s.in_cell[c][1]);
    if (!b.rear || a.side != b.side || a.facing != b.facing)
      return "two stands do not go together in " + where;
    if (s.Rulings().fit_by_depth &&
        s.TypeOf(a).depth_mm + s.TypeOf(b).depth_mm > s.Book().square_mm)
      return "two stands do not fit into " + where;
  }
  if (s.left < 0) return "fewer than no activations are left";
  return {};
}

// Plays one game and returns its number of actions. Throws std::runtime_error naming a broken
// invariant.
int PlayOne(int number, std::uint64_t seed, fos::test::Signature& signature) {
  Generator chance{seed};
  Game game(NewGame(test::SmallBattle(number), seed));
  int actions = 0;
  while (game.Now().phase != Phase::kOver) {
    if (++actions > fos::test::kMostActions) throw std::runtime_error("the game does not end");
    const State before = game.Now();
    const Action action = RandomAction(before, chance);
    const std::string line = ActionToLine(before, action);
    if (const auto refusal = game.Play(action))
      throw std::runtime_error(line + " is refused: " + refusal->because);
    const State& after = game.Now();
    if (const std::string fault = Fault(after); !fault.empty())
      throw std::runtime_error(fault + " after " + line);
    if (!(game.At(game.Entries().size() - 1) == before))
      throw std::runtime_error("undo gives another state after " + line);
    State folded = before;
    for (const Event& event : game.Entries().back().events) {
      const std::string written = EventToJson(event);
      signature.Add(written);
      ApplyTo(folded, EventFromJson(written).value());
    }
    if (!(folded == after)) throw std::runtime_error("the written events give another state");
    if (!(StateFromJson(StateToJson(after), after.setup).value() == after))
      throw std::runtime_error("the written state is another");
    if (ActionToJson(ParseLine(before, line)) != ActionToJson(action))
      throw std::runtime_error(line + " is read as something else");
  }
  return actions;
}

}  // namespace
}  // namespace fos::colonial

int main(int argc, char** argv) {
  return fos::test::RunRandomGames(argc, argv, 200, fos::colonial::PlayOne);
}
