// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/query.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/rules/napoleonic/artillery.h"
#include "engine/rules/napoleonic/melee.h"
#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/musketry.h"
#include "engine/rules/napoleonic/retreat.h"
#include "engine/rules/sweet/asks.h"
#include "engine/squares/who_acts.h"
#include "engine/table/counted.h"

namespace fos::napoleonic {

std::string_view StepName(Step step) {
  constexpr std::array<std::string_view, 8> kNames = {"first attacker", "artillery",     "musketry",
                                                      "movement",       "held canister", "melee",
                                                      "end of turn",    "over"};
  return kNames[static_cast<std::size_t>(step)];
}

bool IsDiceAsk(PendingInput kind) {
  return kind == PendingInput::kFirstAttackerDice || kind == PendingInput::kCanisterDice ||
         kind == PendingInput::kFireDice || kind == PendingInput::kVolleyDice;
}

std::vector<int> SidesToAct(const State& s) {
  switch (s.step) {
    case Step::kMovement:
      return {s.attacker};
    case Step::kHeldCanister:
      return {s.Defender()};
    case Step::kMelee:
      for (const int side : {static_cast<int>(s.attacker), s.Defender()})
        if (!s.supports_done[static_cast<std::size_t>(side)]) return {side};
      return squares::SidesWithoutCard(s);
    default:
      return squares::SidesNotDone(s);
  }
}

namespace {

using squares::Either;

using sweet::ChoicesOf;

std::vector<std::string> GatheringSquares(const State& s, PieceNo unit) {
  std::vector<std::string> out;
  for (Cell cell = 0; cell < s.setup->board.Cells(); ++cell)
    if (!CheckRegroup(s, {unit, cell, Facing::kNorth})) out.push_back(CellName(s, cell));
  return out;
}

}  // namespace

std::string DescribeAsk(const State& s) {
  const Ask& ask = s.ask;
  switch (ask.kind) {
    case PendingInput::kShotStand:
      return fmt::format("choose the stand within the circle that {} removes: {}",
                         SideName(s, ask.side),
                         Either(squares::StandsAndKinds(s, JudgeShot(s, *s.shot).eligible)));
    case PendingInput::kCanisterDice:
      return fmt::format("throw {} for the canister of {}", Counted(ask.count, "die", "dice"),
                         EquipmentAndKind(s, ask.about));
    case PendingInput::kCanisterStands: {
      std::vector<std::string> choices;
      for (const Cell cell : CanisterSquares(s))
        choices.push_back(ChoicesOf(s, CanisterProblem(s, cell)));
      return fmt::format("choose the stands that the canister of {} removes: {}",
                         EquipmentAndKind(s, ask.about), Either(choices));
    }
    case PendingInput::kFireDice:
      return fmt::format("throw {} for the fire", Counted(ask.count, "die", "dice"));
    case PendingInput::kRegroup:
      return fmt::format("choose a facing for {} of the broken Square, in {}",
                         UnitAndKind(s, ask.about), Either(GatheringSquares(s, ask.about)));
    default:
      return sweet::DescribeCommonAsk(s);
  }
}

bool NextToContact(const State& s, Cell cell) {
  return std::any_of(s.contacts.begin(), s.contacts.end(), [&](Cell contact) {
    return squares::Adjacent(s.setup->board.Between(cell, contact));
  });
}

bool HeldByUnbrokenSquare(const State& s, int side, Cell cell) {
  bool held = false;
  ForStandsIn(s, side, cell, [&](PieceNo, const Stand& stand) {
    held = held || (stand.formation >= 0 &&
                    s.formations[static_cast<std::size_t>(stand.formation)].unbroken_at_move);
  });
  return held;
}

std::optional<PieceNo> UnitToGather(const State& s) {
  const auto falls_back = [&](PieceNo unit) {
    return std::any_of(s.retreats.begin(), s.retreats.end(), [&](const Retreat& retreat) {
      return retreat.reason == RetreatReason::kBurning &&
             std::any_of(retreat.stands.begin(), retreat.stands.end(),
                         [&](PieceNo i) { return s.StandAt(i).unit == unit; });
    });
  };
  for (const PieceNo unit : s.regroup)
    if (!falls_back(unit)) return unit;
  return std::nullopt;
}

bool SquareComplete(const State& s, int formation) {
  const Formation& f = s.formations[static_cast<std::size_t>(formation)];
  const SquareIndex corner = s.setup->board.IndexOf(f.corner);
  const int last = f.n - 1;
  const auto outward = [&](SquareIndex at, Facing facing) {
    const Cell cell = s.setup->board.At(at);
    return std::count_if(s.stands.begin(), s.stands.end(), [&](const Stand& stand) {
             return stand.formation == formation && OnBoard(stand) && stand.cell == cell &&
                    stand.facing == facing;
           }) >= s.Book().square_stands_per_side;
  };
  for (int i = 0; i < f.n; ++i) {
    if (!outward({corner.column + i, corner.row + last}, Facing::kNorth) ||
        !outward({corner.column + i, corner.row}, Facing::kSouth) ||
        !outward({corner.column + last, corner.row + i}, Facing::kEast) ||
        !outward({corner.column, corner.row + i}, Facing::kWest))
      return false;
  }
  return true;
}

bool Impassable(const State& s, Cell cell) {
  const auto c = static_cast<std::size_t>(cell);
  if (s.burning[c]) return true;
  const CellTerrain& t = s.setup->terrain[c];
  if (!s.burnt[c]) return t.Closed();
  // A burnt-up square is normal ground; for a bridge a setting decides.
  if (t.water && !s.Ruling().burnt_bridge_normal) return true;
  return t.impassable && !t.inflammable;
}
bool OverWater(const State& s, Cell cell) {
  const CellTerrain& t = s.setup->At(cell);
  const bool burnt = s.burnt[static_cast<std::size_t>(cell)];
  return t.water && (!t.bridge || (burnt && !s.Ruling().burnt_bridge_normal));
}
bool Protected(const State& s, Cell cell) {
  const auto c = static_cast<std::size_t>(cell);
  return s.setup->terrain[c].protection && !s.burnt[c];
}
int ExtraDiceAt(const State& s, Cell cell) {
  return s.burnt[static_cast<std::size_t>(cell)] ? 0 : s.setup->At(cell).extra_dice;
}
// NAP-6C: a bridge gives no protection, but it can burn (NAP-6D).
bool Inflammable(const State& s, Cell cell) {
  const auto c = static_cast<std::size_t>(cell);
  const CellTerrain& t = s.setup->terrain[c];
  return (t.inflammable || t.bridge) && !s.burnt[c] && !s.burning[c];
}

namespace {

struct Contents {
  PieceNo formed = -1;
  int formation = -1;
  bool two_formed = false;
  int guns = 0, wagons = 0, crew = 0, commanders = 0;

  void Add(const State& s, const Stand& stand) {
    const UnitType& type = s.TypeOf(stand);
    if (type.arm == Arm::kArtillery) {
      ++crew;
    } else if (type.arm == Arm::kCommander) {
      ++commanders;
    } else if (formed < 0) {
      formed = stand.unit;
      formation = stand.formation;
    } else if (formed != stand.unit && (formation < 0 || formation != stand.formation)) {
      two_formed = true;  // units of one Square share its squares (NAP-8A)
    }
  }
  void Add(const State& s, const Equipment& e) {
    (s.TypeOf(e).role == EquipmentRole::kWagon ? wagons : guns) += 1;
  }
};

}  // namespace

std::string StackingFault(const State& s, int side, Cell cell, const Stacked& arriving,
                          bool ignore_unmoved) {
  Contents in;
  ForStandsIn(s, side, cell, [&](PieceNo i, const Stand& stand) {
    if (std::find(arriving.stands.begin(), arriving.stands.end(), i) != arriving.stands.end())
      return;
    if (ignore_unmoved && !stand.moved) return;
    in.Add(s, stand);
  });
  for (std::size_t i = 0; i < s.equipment.size(); ++i) {
    const Equipment& e = s.equipment[i];
    if (!OnBoard(e) || e.cell != cell || e.owner != side) continue;
    if (ignore_unmoved && !e.moved) continue;
    if (std::find(arriving.equipment.begin(), arriving.equipment.end(), static_cast<PieceNo>(i)) ==
        arriving.equipment.end())
      in.Add(s, e);
  }
  for (const PieceNo i : arriving.stands) in.Add(s, s.StandAt(i));
  for (const PieceNo i : arriving.equipment) in.Add(s, s.EquipmentAt(i));

  const auto& most = s.Book().stacking;
  const bool mixed =
      !s.Ruling().artillery_with_unit && in.formed >= 0 && in.guns + in.wagons + in.crew > 0;
  if (!in.two_formed && !mixed && in.guns <= most.guns && in.wagons <= most.wagons &&
      in.crew <= most.crew && in.commanders <= most.commanders)
    return {};
  const auto where = [&] { return CellName(s, cell); };
  if (in.two_formed) return fmt::format("{} would hold two units", where());
  if (in.guns > most.guns)
    return fmt::format("{} would hold {} guns; the limit is {}", where(), in.guns, most.guns);
  if (in.wagons > most.wagons)
    return fmt::format("{} would hold {} wagons; the limit is {}", where(), in.wagons, most.wagons);
  if (in.crew > most.crew)
    return fmt::format("{} would hold {} crew stands; the limit is {}", where(), in.crew,
                       most.crew);
  if (in.commanders > most.commanders)
    return fmt::format("{} would hold {} commanders; the limit is {}", where(), in.commanders,
                       most.commanders);
  return fmt::format("{} would hold artillery and another unit", where());
}

}  // namespace fos::napoleonic
