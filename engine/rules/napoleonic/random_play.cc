// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/random_play.h"

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

#include "engine/rules/napoleonic/legal.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/squares/random_moves.h"
#include "engine/table/result.h"

namespace fos::napoleonic {
namespace {

// A player ends the step instead of continuing once in this many times.
constexpr int kEndsOneIn = 6;
// A player turns a unit once in this many times.
constexpr int kTurnsOneIn = 12;
// He forms or breaks a Square, or destroys a piece at the end of a turn, once in this many times.
constexpr int kSquaresOneIn = 8;
constexpr int kDestroysOneIn = 40;

using squares::OneOf;

// Every piece in the square where a shot falls gets a random distance of up to two inches.
ShotFacts RandomFall(const State& s, Generator& chance) {
  ShotFacts facts;
  const auto landed = squares::RandomLanding(s, s.shot->target, facts, chance);
  if (!landed) return facts;
  const Cell cell = *landed;
  facts.over_water = OverWater(s, cell);
  for (int who = 0; who < 2; ++who)
    ForStandsIn(s, who, cell, [&](PieceNo i, const Stand&) {
      facts.stands.push_back({i, chance.Below(2000), chance.Below(2000)});
    });
  for (const PieceNo i : EquipmentIn(s, cell))
    facts.equipment.push_back({i, chance.Below(1000), chance.Below(1000)});
  if (Inflammable(s, cell)) facts.models.push_back({cell, chance.Below(500)});
  return facts;
}

// A Square to form or to break; a large one if there is any.
std::optional<Action> RandomSquare(const State& s, int side, Generator& chance) {
  std::vector<Action> squares = SquareActions(s, side);
  const auto large = [](const Action& action) {
    const auto* form = std::get_if<FormSquare>(&action.what);
    return form != nullptr && form->columns > 1;
  };
  if (std::any_of(squares.begin(), squares.end(), large))
    std::erase_if(squares, [&](const Action& action) { return !large(action); });
  if (squares.empty()) return std::nullopt;
  return OneOf(squares, chance);
}

// The side that declares next; a random one if both may.
int SideToAct(const State& s, Generator& chance) { return squares::OneSide(SidesToAct(s), chance); }

}  // namespace

Action RandomAction(const State& s, Generator& chance) {
  FOS_CHECK(s.step != Step::kOver);
  if (s.ask.kind == PendingInput::kFallOfShot) return {Land{RandomFall(s, chance)}};
  if (s.Waiting()) {
    const std::vector<Action> answers = LegalActions(s, s.ask.side == kNobody ? 0 : s.ask.side);
    return OneOf(answers, chance);
  }
  const int side = SideToAct(s, chance);
  const std::vector<squares::Group> groups = GroupsOf(s, side);
  if (!groups.empty() && chance.Below(kTurnsOneIn) == 0) {
    const Group group = OneOf(groups, chance);
    return {TurnUnit{side, group.unit, group.cell, static_cast<Facing>(chance.Below(8))}};
  }
  if (s.step == Step::kEnd && chance.Below(kDestroysOneIn) == 0 && !s.equipment.empty()) {
    const auto e = static_cast<PieceNo>(chance.Below(static_cast<int>(s.equipment.size())));
    return {DestroyEquipment{side, e}};
  }
  // A large army goes on longer, or it would never meet the enemy.
  const int ends_one_in =
      kEndsOneIn + (s.step == Step::kMovement ? squares::GroupsToMove(s, side) : 0);
  if (s.step == Step::kEnd || (s.step != Step::kMelee && chance.Below(ends_one_in) == 0))
    return AnyProgress(s, chance);
  if (s.step == Step::kMovement) {
    if (chance.Below(kSquaresOneIn) == 0)
      if (const auto square = RandomSquare(s, side, chance)) return *square;
    if (chance.Below(10) == 0 && !s.equipment.empty()) {
      const auto e = static_cast<PieceNo>(chance.Below(static_cast<int>(s.equipment.size())));
      return {Limber{side, e, !s.EquipmentAt(e).limbered}};
    }
    if (chance.Below(10) != 0) {
      const auto move =
          squares::RandomMove<Move, Action>(s, side, chance, [&](const Group& group, auto& moves) {
            AppendMoves(s, group.unit, group.cell, /*strict=*/true, moves);
          });
      return move ? *move : AnyProgress(s, chance);
    }
  }
  const std::vector<Action> actions = LegalActions(s, side, /*everything=*/false);
  return actions.empty() ? AnyProgress(s, chance) : OneOf(actions, chance);
}

Action AnyProgress(const State& s, Generator& chance) {
  if (s.Waiting()) return RandomAction(s, chance);
  if (s.step == Step::kMelee && s.supports_done[0] && s.supports_done[1])
    return OneOf(LegalActions(s, SideToAct(s, chance), /*everything=*/false), chance);  // a card
  return {EndStep{SideToAct(s, chance)}};
}

}  // namespace fos::napoleonic
