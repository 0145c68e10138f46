// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/legal.h"

#include <algorithm>
#include <set>

#include "engine/rules/ancient/catapults.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/missiles.h"
#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/ancient/retreat.h"
#include "engine/rules/sweet/legal.h"

namespace fos::ancient {
namespace {

// Stands that man a catapult come last, because they may not charge.
std::vector<std::vector<PieceNo>> PartsOf(const State& s, std::vector<PieceNo> stands) {
  if (!stands.empty() && s.TypeOf(s.StandAt(stands.front())).may_separate)
    std::stable_partition(stands.begin(), stands.end(),
                          [&](PieceNo i) { return !s.StandAt(i).busy; });
  return sweet::PartsOf(s, stands);
}

void AppendShots(const State& s, int side, std::vector<Action>& out) {
  for (std::size_t i = 0; i < s.equipment.size(); ++i) {
    const Equipment& e = s.equipment[i];
    if (e.may_fire_for != side || e.fired) continue;
    std::set<PieceNo> units;  // one stand of each unit, stands on the board first
    for (const bool alive : {true, false})
      for (std::size_t m = 0; m < s.stands.size(); ++m) {
        const Stand& man = s.stands[m];
        if (man.side != side || man.turn_cell != e.cell || man.busy || OnBoard(man) != alive ||
            units.contains(man.unit))
          continue;
        bool any = false;
        for (Cell target = 0; target < s.setup->board.Cells(); ++target) {
          if (s.CountIn(1 - side, target) == 0) continue;
          const CallShot shot{side, static_cast<PieceNo>(i), static_cast<PieceNo>(m), target};
          if (CheckShot(s, shot)) continue;
          out.push_back({shot});
          any = true;
        }
        if (any) units.insert(man.unit);
      }
  }
}

void AppendVolleys(const State& s, int side, std::vector<Action>& out) {
  for (const Group& group : GroupsOf(s, side)) {
    const UnitType& type = TypeOfUnit(s, group.unit);
    if (type.range == 0) continue;
    sweet::ForTargetsAround(s, side, group.cell, type.range, [&](Cell target) {
      const CallVolley volley{side, group.unit, group.cell, target};
      if (!CheckVolley(s, volley, nullptr)) out.push_back({volley});
    });
  }
}

void AppendRousing(const State& s, int side, std::vector<Action>& out) {
  for (std::size_t u = 0; u < s.setup->units.size(); ++u) {
    const Rouse rouse{side, static_cast<PieceNo>(u)};
    if (s.setup->units[u].side == side && !CheckRouse(s, rouse)) out.push_back({rouse});
  }
}

std::vector<Action> Answers(const State& s) {
  std::vector<Action> out;
  switch (s.ask.kind) {
    case PendingInput::kFirstAttackerDice:
    case PendingInput::kVolleyDice:
    case PendingInput::kElephantDie:
    case PendingInput::kMeleeCoin:
      out.push_back({Draw{}});
      break;
    case PendingInput::kShotPiece: {
      const ShotVerdict verdict = JudgeShot(s, *s.shot);
      for (const PieceNo i : verdict.stands) out.push_back({Choose{{i}, {}}});
      for (const PieceNo i : verdict.equipment) out.push_back({Choose{{}, {i}}});
      break;
    }
    case PendingInput::kVolleyStands: {
      const FireProblem problem = VolleyProblem(s, static_cast<std::size_t>(s.ask.about));
      for (const auto& losses : squares::CompleteDistributions(problem.dice, problem.targets))
        out.push_back({Choose{StandsFor(s, problem, losses), {}}});
      break;
    }
    case PendingInput::kRetreatSquare:
      sweet::AppendWaysBack(s, out);
      break;
    case PendingInput::kFallOfShot:
    case PendingInput::kNothing:
      break;
  }
  return out;
}

}  // namespace

void AppendMoves(const State& s, PieceNo unit, Cell from, bool strict, std::vector<Action>& out) {
  const int side = UnitOf(s, unit).side;
  for (const std::vector<PieceNo>& part : PartsOf(s, StandsOf(s, unit, from))) {
    if (std::any_of(part.begin(), part.end(), [&](PieceNo i) { return s.StandAt(i).moved; }))
      continue;
    std::vector<std::vector<PieceNo>> loads{{}};
    for (const PieceNo i : EquipmentIn(s, side, from))
      if (!s.EquipmentAt(i).moved) loads.push_back({i});
    const bool may_ride = MayRunDown(s, part);
    for (const std::vector<PieceNo>& load : loads) {
      std::set<Cell> reached;
      for (const bool riding : {false, true}) {
        if (riding && !may_ride) break;
        for (std::vector<Cell>& path : Reach(s, part, load, riding)) {
          const Cell to = path.back();
          if (!reached.insert(to).second) continue;
          Move move{side, part, load, std::move(path), false, std::nullopt};
          if (riding && CheckMove(s, move, nullptr)) continue;  // run_down.max_per_move
          if (!CheckArrival(s, move, strict)) out.push_back({move});
          if (!may_ride || s.CountIn(1 - side, to) == 0 || CheckRunDown(s, side, part, to))
            continue;
          move.run_down = true;
          if (!CheckMove(s, move, nullptr) && !CheckArrival(s, move, strict))
            out.push_back({std::move(move)});
        }
      }
    }
  }
}

std::vector<Action> LegalActions(const State& s, int side, bool everything) {
  std::vector<Action> out;
  if (s.step == Step::kOver) return out;
  if (s.Waiting()) return s.ask.side == kNobody || s.ask.side == side ? Answers(s) : out;
  const bool attacks = side == s.attacker;
  bool may_end = !s.done[static_cast<std::size_t>(side)];
  switch (s.step) {
    case Step::kCatapults:
      if (may_end) AppendShots(s, side, out);
      break;
    case Step::kMissiles:
      if (may_end) AppendVolleys(s, side, out);
      break;
    case Step::kMovement:
      may_end = may_end && attacks;
      if (!may_end) break;
      AppendRousing(s, side, out);
      for (const Group& group : GroupsOf(s, side))
        AppendMoves(s, group.unit, group.cell, /*strict=*/!everything, out);
      break;
    case Step::kAttackerSupport:
    case Step::kDefenderSupport:
      may_end = may_end && attacks == (s.step == Step::kAttackerSupport);
      if (may_end) sweet::AppendSupports(s, side, out);
      break;
    case Step::kMelee:
      may_end = false;
      sweet::AppendCards(s, side, out);
      break;
    case Step::kEnd:
      break;
    case Step::kFirstAttacker:
    case Step::kOver:
      may_end = false;
      break;
  }
  if (everything) {
    sweet::AppendUnitTurns(s, side, out);
    for (std::size_t i = 0; i < s.equipment.size(); ++i)
      sweet::AppendTurns(s, side, static_cast<PieceNo>(i), out);
  }
  if (may_end) out.push_back({EndStep{side}});
  if (everything) out.push_back({Concede{side}});
  return out;
}

}  // namespace fos::ancient
