// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/random_play.h"

#include <vector>

#include "engine/rules/ancient/legal.h"
#include "engine/rules/ancient/query.h"
#include "engine/squares/random_moves.h"
#include "engine/table/result.h"

namespace fos::ancient {
namespace {

// A player ends the step instead of continuing once in this many times.
constexpr int kEndsOneIn = 6;
// A player turns a unit once in this many times.
constexpr int kTurnsOneIn = 12;

using squares::OneOf;

// Every piece in the square where a shot falls gets a random distance of up to two inches.
ShotFacts RandomFall(const State& s, Generator& chance) {
  ShotFacts facts;
  const auto landed = squares::RandomLanding(s, s.shot->target, facts, chance);
  if (!landed) return facts;
  const Cell cell = *landed;
  for (int who = 0; who < 2; ++who)
    ForStandsIn(s, who, cell, [&](PieceNo i, const Stand&) {
      facts.stands.push_back({i, chance.Below(2000)});
    });
  for (const PieceNo i : EquipmentIn(s, cell)) facts.equipment.push_back({i, chance.Below(2000)});
  return facts;
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
  const std::vector<Group> groups = GroupsOf(s, side);
  if (!groups.empty() && chance.Below(kTurnsOneIn) == 0) {
    const Group group = OneOf(groups, chance);
    return {TurnUnit{side, group.unit, group.cell, static_cast<Facing>(chance.Below(8))}};
  }
  // A large army goes on longer, or it would never meet the enemy.
  const int ends_one_in =
      kEndsOneIn + (s.step == Step::kMovement ? squares::GroupsToMove(s, side) : 0);
  if (s.step == Step::kEnd || (s.step != Step::kMelee && chance.Below(ends_one_in) == 0))
    return AnyProgress(s, chance);
  if (s.step == Step::kMovement && chance.Below(10) != 0 && (s.moving || chance.Below(3) != 0)) {
    const auto move =
        squares::RandomMove<Move, Action>(s, side, chance, [&](const Group& group, auto& moves) {
          AppendMoves(s, group.unit, group.cell, /*strict=*/true, moves);
        });
    return move ? *move : AnyProgress(s, chance);
  }
  const std::vector<Action> actions = LegalActions(s, side, /*everything=*/false);
  return actions.empty() ? AnyProgress(s, chance) : OneOf(actions, chance);
}

Action AnyProgress(const State& s, Generator& chance) {
  if (s.Waiting()) return RandomAction(s, chance);
  const int side = SideToAct(s, chance);
  if (s.step == Step::kMelee) return OneOf(LegalActions(s, side, /*everything=*/false), chance);
  return {EndStep{side}};
}

}  // namespace fos::ancient
