// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/legal.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/rules/napoleonic/artillery.h"
#include "engine/rules/napoleonic/melee.h"
#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/musketry.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/retreat.h"
#include "engine/rules/sweet/legal.h"

namespace fos::napoleonic {
namespace {

using sweet::kFacings;

// Every set of equipment in the square that the stands could take along.
std::vector<std::vector<PieceNo>> LoadsFor(const State& s, int side, Cell from,
                                           std::size_t stands) {
  std::vector<PieceNo> movable;
  for (const PieceNo i : EquipmentIn(s, side, from)) {
    const Equipment& e = s.EquipmentAt(i);
    const bool wagon = s.TypeOf(e).role == EquipmentRole::kWagon;
    if (!e.moved && (wagon || e.limbered || !s.Ruling().must_limber_to_move)) movable.push_back(i);
  }
  std::vector<std::vector<PieceNo>> loads;
  for (unsigned set = 0; set < 1u << movable.size(); ++set) {
    std::vector<PieceNo> load;
    for (std::size_t i = 0; i < movable.size(); ++i)
      if (set >> i & 1) load.push_back(movable[i]);
    if (!s.Ruling().one_stand_per_gun || load.size() <= stands) loads.push_back(load);
  }
  return loads;
}

// Adds to `form` each smallest set of these units, from the n-th on, that fills its block.
void AppendFormers(const State& s, const std::vector<PieceNo>& units, std::size_t n, int stands,
                   FormSquare& form, std::vector<Action>& out) {
  if (stands >= 4 * form.columns) {
    form.placements = StandardPlaces(s, form);
    if (!form.placements.empty() && !CheckFormSquare(s, form, /*strict=*/true))
      out.push_back({form});
    return;
  }
  if (static_cast<int>(form.units.size()) == form.columns) return;
  for (; n < units.size(); ++n) {
    form.units.push_back(units[n]);
    AppendFormers(s, units, n + 1, stands + CountStandsOf(s, units[n]), form, out);
    form.units.pop_back();
  }
}

// The standard Squares: of one unit in its own square, and of two or three units in every block
// that they can fill. Play accepts larger ones and other places too.
void AppendSquares(const State& s, int side, std::vector<Action>& out) {
  constexpr int kWidest = 3;
  std::vector<PieceNo> able;
  for (std::size_t u = 0; u < s.setup->units.size(); ++u) {
    const auto unit = static_cast<PieceNo>(u);
    if (s.setup->units[u].side != side || !TypeOfUnit(s, unit).may_form_square) continue;
    const std::vector<PieceNo> stands = StandsOf(s, unit);
    const bool free = std::none_of(stands.begin(), stands.end(), [&](PieceNo i) {
      return s.StandAt(i).moved || s.StandAt(i).formation >= 0;
    });
    if (free && !stands.empty()) able.push_back(unit);
  }
  const auto cell_of = [&](PieceNo unit) { return s.StandAt(StandsOf(s, unit).front()).cell; };
  for (const PieceNo unit : able) {
    FormSquare form{side, cell_of(unit), 1, 1, {unit}, {}};
    form.placements = StandardPlaces(s, form);
    if (!form.placements.empty() && !CheckFormSquare(s, form, /*strict=*/true))
      out.push_back({form});
  }
  const int reach = s.Ruling().square_form_from;
  for (int n = 2; n <= kWidest; ++n)
    for (Cell corner = 0; corner < s.setup->board.Cells(); ++corner) {
      const SquareIndex at = s.setup->board.IndexOf(corner);
      if (!s.setup->board.Contains({at.column + n - 1, at.row + n - 1})) continue;
      std::vector<PieceNo> near;
      std::copy_if(able.begin(), able.end(), std::back_inserter(near), [&](PieceNo unit) {
        const SquareIndex from = s.setup->board.IndexOf(cell_of(unit));
        return from.column >= at.column - reach && from.column < at.column + n + reach &&
               from.row >= at.row - reach && from.row < at.row + n + reach;
      });
      FormSquare form{side, corner, n, n, {}, {}};
      AppendFormers(s, near, 0, 0, form, out);
    }
}

void AppendBreaks(const State& s, int side, std::vector<Action>& out) {
  for (std::size_t f = 0; f < s.formations.size(); ++f) {
    if (!s.formations[f].formed || s.formations[f].side != side) continue;
    BreakSquare broken{side, -1, {}};
    for (const Stand& stand : s.stands) {
      if (stand.formation != static_cast<int>(f) || !OnBoard(stand)) continue;
      const bool known = std::any_of(broken.places.begin(), broken.places.end(),
                                     [&](const Regroup& p) { return p.unit == stand.unit; });
      if (known) continue;
      if (broken.unit < 0) broken.unit = stand.unit;
      // The first free square of the block, with the facing of the unit's first stand.
      Regroup place{stand.unit, stand.cell, stand.facing};
      const SquareIndex corner = s.setup->board.IndexOf(s.formations[f].corner);
      for (int k = 0; k < s.formations[f].n * s.formations[f].n; ++k) {
        const Cell cell = s.setup->board.At(
            {corner.column + k % s.formations[f].n, corner.row + k / s.formations[f].n});
        const bool taken = std::any_of(broken.places.begin(), broken.places.end(),
                                       [&](const Regroup& p) { return p.cell == cell; });
        if (taken) continue;
        place.cell = cell;
        break;
      }
      broken.places.push_back(place);
    }
    if (broken.unit >= 0 && !CheckBreakSquare(s, broken)) out.push_back({broken});
  }
}

void AppendShots(const State& s, int side, std::vector<Action>& out) {
  // List shots at enemies only; Play accepts other targets too.
  std::vector<Cell> targets;
  for (Cell cell = 0; cell < s.setup->board.Cells(); ++cell)
    if (s.CountIn(1 - side, cell) > 0) targets.push_back(cell);
  for (const GunRight& right : s.gun_rights) {
    if (s.battery_rights[static_cast<std::size_t>(right.battery_right)].side != side) continue;
    const Equipment& gun = s.EquipmentAt(right.gun);
    for (const ShotKind kind : {ShotKind::kField, ShotKind::kHowitzer, ShotKind::kHorse}) {
      if (CheckGun(s, side, right.gun, kind)) continue;
      const HoldCanister hold{side, right.gun, kind};
      if (!CheckHold(s, hold)) out.push_back({hold});
      for (const Cell target : targets) {
        // Skip obvious refusals early, without formatting their sentences.
        const squares::Offset to = s.setup->board.Between(gun.cell, target);
        const bool ahead = squares::Within45(gun.facing, to);
        for (const bool canister : {false, true}) {
          if (canister ? !ahead || !squares::Adjacent(to) : !ahead && s.Ruling().aim_declared)
            continue;
          const CallShot shot{side, right.gun, kind, target, canister};
          if (!CheckShot(s, shot)) out.push_back({shot});
        }
      }
    }
  }
}

void AppendHeldShots(const State& s, int side, std::vector<Action>& out) {
  for (const Held& held : s.held) {
    std::vector<FireHeld> known;
    for (const Passage& p : s.passages) {
      const FireHeld shot{side, held.gun, p.cell, s.StandAt(p.stand).unit};
      const bool listed = std::any_of(known.begin(), known.end(), [&](const FireHeld& k) {
        return k.target == shot.target && k.unit == shot.unit;
      });
      if (listed || CheckHeldShot(s, shot)) continue;
      known.push_back(shot);
      out.push_back({shot});
    }
  }
}

void AppendVolleys(const State& s, int side, std::vector<Action>& out) {
  std::vector<std::pair<PieceNo, Cell>> listed;  // unit and target
  for (const Group& group : GroupsOf(s, side)) {
    const UnitType& type = TypeOfUnit(s, group.unit);
    if (type.arc == Arc::kNone || type.range == 0) continue;
    // A Square fires as one unit from all its squares, so list each target once, from the first.
    const Stand& first = s.StandAt(StandsOf(s, group.unit).front());
    const bool square = first.formation >= 0;
    const Cell from = square ? first.cell : group.cell;
    sweet::ForTargetsAround(s, side, group.cell, type.range, [&](Cell target) {
      if (DistanceBetween(s, group.cell, target) > type.range) return;
      const CallVolley volley{side, group.unit, from, target};
      const std::pair call{group.unit, target};
      if (square && std::find(listed.begin(), listed.end(), call) != listed.end()) return;
      if (CheckVolley(s, volley, nullptr)) return;
      listed.push_back(call);
      out.push_back({volley});
    });
  }
}

void AppendMelee(const State& s, int side, bool everything, std::vector<Action>& out) {
  const bool declares =
      !s.supports_done[static_cast<std::size_t>(side)] &&
      (side == s.attacker || s.supports_done[static_cast<std::size_t>(s.attacker)]);
  if (declares) {
    sweet::AppendSupports(s, side, out);
    if (everything && side == s.attacker)
      for (std::vector<Cell>& contacts : sweet::MeleeOrders(s))
        out.push_back({OrderMelees{side, std::move(contacts)}});
    out.push_back({EndStep{side}});
    return;
  }
  sweet::AppendCards(s, side, out);
}

void AppendTurns(const State& s, int side, std::vector<Action>& out) {
  sweet::AppendUnitTurns(s, side, out);
  for (std::size_t i = 0; i < s.equipment.size(); ++i) {
    const auto e = static_cast<PieceNo>(i);
    sweet::AppendTurns(s, side, e, out);
    const Limber limber{side, e, !s.equipment[i].limbered};
    if (!CheckLimber(s, limber)) out.push_back({limber});
    for (std::size_t b = 0; b < s.setup->batteries.size(); ++b) {
      const Pool pool{side, e, static_cast<int>(b)};
      if (!CheckPool(s, pool)) out.push_back({pool});
    }
    if (s.step == Step::kEnd && OnBoard(s.equipment[i]) && s.equipment[i].owner == side)
      out.push_back({DestroyEquipment{side, e}});
  }
}

std::vector<Action> Answers(const State& s) {
  std::vector<Action> out;
  switch (s.ask.kind) {
    case PendingInput::kFirstAttackerDice:
    case PendingInput::kCanisterDice:
    case PendingInput::kFireDice:
    case PendingInput::kVolleyDice:
    case PendingInput::kMeleeCoin:
      out.push_back({Draw{}});
      break;
    case PendingInput::kShotStand:
      for (const PieceNo i : JudgeShot(s, *s.shot).eligible) out.push_back({ChooseStands{{i}}});
      break;
    case PendingInput::kCanisterStands: {
      for (const Cell cell : CanisterSquares(s)) {
        const FireProblem problem = CanisterProblem(s, cell);
        for (const auto& losses : squares::CompleteDistributions(problem.dice, problem.targets))
          out.push_back({ChooseStands{StandsFor(s, problem, losses)}});
      }
      break;
    }
    case PendingInput::kVolleyStands: {
      const FireProblem problem = VolleyProblem(s, static_cast<std::size_t>(s.ask.about));
      for (const auto& losses : squares::CompleteDistributions(problem.dice, problem.targets))
        out.push_back({ChooseStands{StandsFor(s, problem, losses)}});
      break;
    }
    case PendingInput::kRetreatSquare:
      sweet::AppendWaysBack(s, out);
      break;
    case PendingInput::kRegroup:
      for (Cell cell = 0; cell < s.setup->board.Cells(); ++cell)
        for (const Facing facing : kFacings) {
          const Regroup regroup{s.ask.about, cell, facing};
          if (!CheckRegroup(s, regroup)) out.push_back({regroup});
        }
      break;
    case PendingInput::kFallOfShot:
    case PendingInput::kNothing:
      break;
  }
  return out;
}

}  // namespace

std::vector<Action> SquareActions(const State& s, int side) {
  std::vector<Action> out;
  AppendSquares(s, side, out);
  AppendBreaks(s, side, out);
  return out;
}

void AppendMoves(const State& s, PieceNo unit, Cell from, bool strict, std::vector<Action>& out) {
  const int side = UnitOf(s, unit).side;
  const std::vector<PieceNo> stands = StandsOf(s, unit, from);
  if (stands.empty() || s.StandAt(stands.front()).formation >= 0) return;
  // The reach of a part of the group with its load depends only on its allowance.
  std::vector<std::pair<int, std::vector<std::vector<Cell>>>> reached;
  const auto reach =
      [&](const std::vector<PieceNo>& part,
          const std::vector<PieceNo>& load) -> const std::vector<std::vector<Cell>>& {
    const int allowance = AllowanceOf(s, part, load);
    for (const auto& known : reached)
      if (known.first == allowance) return known.second;
    return reached.emplace_back(allowance, Reach(s, part, load)).second;
  };
  for (const std::vector<PieceNo>& part : sweet::PartsOf(s, stands)) {
    if (std::any_of(part.begin(), part.end(), [&](PieceNo i) { return s.StandAt(i).moved; }))
      continue;
    for (const std::vector<PieceNo>& load : LoadsFor(s, side, from, part.size())) {
      for (const std::vector<Cell>& path : reach(part, load)) {
        Move move{side, part, load, path, std::nullopt};
        if (!CheckArrival(s, move, strict)) out.push_back({std::move(move)});
      }
    }
  }
}

std::vector<Action> LegalActions(const State& s, int side, bool everything) {
  std::vector<Action> out;
  if (s.step == Step::kOver) return out;
  if (s.Waiting()) return s.ask.side == kNobody || s.ask.side == side ? Answers(s) : out;
  const bool done = s.done[static_cast<std::size_t>(side)];
  switch (s.step) {
    case Step::kArtillery:
      if (!done) AppendShots(s, side, out);
      break;
    case Step::kMusketry:
      if (!done) AppendVolleys(s, side, out);
      break;
    case Step::kMovement:
      if (side != s.attacker || done) break;
      for (const Group& group : GroupsOf(s, side))
        AppendMoves(s, group.unit, group.cell, !everything, out);
      for (Action& action : SquareActions(s, side)) out.push_back(std::move(action));
      break;
    case Step::kHeldCanister:
      if (side == s.Defender()) AppendHeldShots(s, side, out);
      break;
    case Step::kMelee:
      AppendMelee(s, side, everything, out);
      break;
    default:
      break;
  }
  if (everything) AppendTurns(s, side, out);
  const bool may_end = s.step == Step::kArtillery || s.step == Step::kMusketry ||
                       s.step == Step::kEnd || (s.step == Step::kMovement && side == s.attacker) ||
                       (s.step == Step::kHeldCanister && side == s.Defender());
  if (may_end && !done) out.push_back({EndStep{side}});
  if (everything) out.push_back({Surrender{side}});
  return out;
}

}  // namespace fos::napoleonic
