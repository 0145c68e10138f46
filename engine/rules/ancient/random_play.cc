#include "engine/rules/ancient/random_play.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/rules/ancient/legal.h"
#include "engine/rules/ancient/query.h"
#include "engine/table/result.h"

namespace fos::ancient {
namespace {

// How often a player ends the step instead of going on: one in so many.
constexpr int kEndsOneIn = 6;
// And how often he turns a unit about.
constexpr int kTurnsOneIn = 12;

template <typename T>
const T& OneOf(const std::vector<T>& list, Generator& chance) {
  return list[static_cast<std::size_t>(chance.Below(static_cast<int>(list.size())))];
}

// A shot falls within a square or so of its target; everything in that square is measured as if it
// lay at some distance up to two inches.
ShotFacts RandomFall(const State& s, Generator& chance) {
  ShotFacts facts;
  if (chance.Below(12) == 0) {
    facts.off_board = true;
    return facts;
  }
  const Board& board = s.setup->board;
  Cell cell = s.shot->target;
  if (chance.Below(2) == 0) {
    const Cell near = board.Step(cell, static_cast<Facing>(chance.Below(8)));
    if (near != kNowhere) cell = near;
  }
  const auto side = static_cast<int>(s.Book().square_in * 1000);
  const SquareIndex at = board.IndexOf(cell);
  facts.x_milli_in = at.column * side + chance.Below(side);
  facts.y_milli_in = at.row * side + chance.Below(side);
  for (int who = 0; who < 2; ++who)
    ForStandsIn(s, who, cell, [&](PieceNo i, const Stand&) {
      facts.stands.push_back({i, chance.Below(2000)});
    });
  for (const PieceNo i : EquipmentIn(s, cell)) facts.equipment.push_back({i, chance.Below(2000)});
  return facts;
}

// The side whose declaration comes next; either where both may.
int SideToAct(const State& s, Generator& chance) {
  switch (s.step) {
    case Step::kMovement:
    case Step::kAttackerSupport:
      return s.attacker;
    case Step::kDefenderSupport:
      return s.Defender();
    case Step::kMelee:
      for (const Melee& melee : s.melees) {
        if (melee.stage != MeleeStage::kCards) continue;
        if (melee.card[0] != kNoCard) return 1;
        if (melee.card[1] != kNoCard) return 0;
        break;
      }
      return chance.Below(2);
    default:
      if (s.done[0]) return 1;
      if (s.done[1]) return 0;
      return chance.Below(2);
  }
}

// A move of one group, all of it or a part; none when the group has nowhere to go.
std::optional<Action> RandomMove(const State& s, int side, Generator& chance) {
  std::vector<Group> groups = GroupsOf(s, side);
  std::erase_if(groups, [&](const Group& group) {
    bool all_moved = true;
    ForStandsIn(s, side, group.cell, [&](PieceNo, const Stand& stand) {
      if (stand.unit == group.unit) all_moved = all_moved && stand.moved;
    });
    return all_moved;
  });
  if (groups.empty()) return std::nullopt;
  const Group group = OneOf(groups, chance);
  std::vector<Action> moves;
  AppendMoves(s, group.unit, group.cell, /*strict=*/true, moves);
  if (moves.empty()) return std::nullopt;
  // Players who never meet never fight: of two moves the one that ends nearer to an enemy.
  const auto nearness = [&](const Action& action) {
    const Cell to = std::get<Move>(action.what).path.back();
    int best = 1000;
    for (const Stand& stand : s.stands)
      if (stand.side != side && OnBoard(stand))
        best = std::min(best, squares::StepsBetween(s.setup->board.Between(to, stand.cell)));
    return best;
  };
  const Action& a = OneOf(moves, chance);
  const Action& b = OneOf(moves, chance);
  return nearness(a) <= nearness(b) ? a : b;
}

}  // namespace

Action RandomAction(const State& s, Generator& chance) {
  FOS_CHECK(s.step != Step::kOver);
  if (s.ask.kind == AskKind::kFallOfShot) return {Land{RandomFall(s, chance)}};
  if (s.Waiting()) {
    const std::vector<Action> answers = LegalActions(s, s.ask.side == kNobody ? 0 : s.ask.side);
    return OneOf(answers, chance);
  }
  const int side = SideToAct(s, chance);
  if (chance.Below(kTurnsOneIn) == 0) {
    const Group group = OneOf(GroupsOf(s, side), chance);
    return {TurnUnit{side, group.unit, group.cell, static_cast<Facing>(chance.Below(8))}};
  }
  if (s.step == Step::kEnd || (s.step != Step::kMelee && chance.Below(kEndsOneIn) == 0))
    return AnyProgress(s, chance);
  if (s.step == Step::kMovement && chance.Below(10) != 0 && (s.moving || chance.Below(3) != 0)) {
    const std::optional<Action> move = RandomMove(s, side, chance);
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
