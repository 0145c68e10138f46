// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/melee.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/ancient/query.h"

namespace fos::ancient {
namespace {

const SupportType& SupportOf(const State& s, const UnitType& type) {
  return s.Book().supports[static_cast<std::size_t>(type.support)];
}

// ANC-H3: the facing before turning: the attacker's after his move, the defender's at the start of
// the turn.
Facing FacingToJudge(const State& s, const Stand& stand) {
  return stand.side == s.attacker ? stand.facing : stand.turn_facing;
}

// The side's formed unit in a square, else its crew there; -1 if only a commander is there.
PieceNo LeadingUnitIn(const State& s, int side, Cell cell) {
  const PieceNo formed = FormedUnitIn(s, side, cell);
  if (formed >= 0) return formed;
  PieceNo crew = -1;
  ForStandsIn(s, side, cell, [&](PieceNo, const Stand& stand) {
    if (crew < 0 && s.TypeOf(stand).arm == Arm::kCrew) crew = stand.unit;
  });
  return crew;
}

// ANC-H4: mounted troops support infantry and crews only from directly beside.
std::optional<Refusal> CheckBeside(const State& s, int side, Cell from, Cell contact, int k,
                                   const std::string& name) {
  const PieceNo unit = LeadingUnitIn(s, side, contact);
  if (unit < 0) return std::nullopt;
  const Arm arm = TypeOfUnit(s, unit).arm;
  if (arm != Arm::kInfantry && arm != Arm::kCrew) return std::nullopt;
  bool beside = k == 2 || k == 6;
  if (s.Ruling().beside_supported_unit) {
    const Stand& supported = s.StandAt(StandsOf(s, unit, contact).front());
    const int way = squares::RelativeDirection(FacingToJudge(s, supported),
                                               s.setup->board.Between(contact, from));
    beside = way == 2 || way == 6;
  }
  if (beside) return std::nullopt;
  return Refuse("ANC-H4", fmt::format("{} is mounted and can support {} only from directly beside",
                                      name, UnitAndKind(s, unit)));
}

std::optional<Refusal> CheckDirection(const State& s, int side, PieceNo unit, Cell from,
                                      Cell contact) {
  const UnitType& type = TypeOfUnit(s, unit);
  const SupportType& support = SupportOf(s, type);
  const std::string name = UnitAndKind(s, unit);
  if (!support.Any()) return Refuse("ANC-H3", fmt::format("{} cannot support", type.name));
  const Stand& stand = s.StandAt(StandsOf(s, unit, from).front());
  const Facing facing = FacingToJudge(s, stand);
  const int k = squares::RelativeDirection(facing, s.setup->board.Between(from, contact));
  // A type that faces sides only could never turn to a diagonal neighbour.
  const Facing towards = squares::NearestDirection(s.setup->board.Between(from, contact));
  if (!support.allowed[static_cast<std::size_t>(k)] || !MayFace(s, type, towards))
    return Refuse("ANC-H3", fmt::format("{} faces {} and cannot support towards {}", name,
                                        FacingName(facing), FacingName(towards)));
  if (IsMounted(type.arm)) return CheckBeside(s, side, from, contact, k, name);
  return std::nullopt;
}

}  // namespace

// ANC-H1, ANC-H2.
std::optional<Refusal> CheckSupport(const State& s, const Support& a) {
  const Step his = a.side == s.attacker ? Step::kAttackerSupport : Step::kDefenderSupport;
  if (s.step != his)
    return Impossible("ANC-T", fmt::format("{} declares supports in the {} step; this is the {} "
                                           "step",
                                           SideName(s, a.side), StepName(his), StepName(s.step)));
  const int melee = MeleeAt(s, a.contact);
  if (melee < 0)
    return Impossible("ANC-H1", fmt::format("{} is not a contact square", CellName(s, a.contact)));
  const std::vector<PieceNo> stands = StandsOf(s, a.unit, a.from);
  const std::string name = UnitAndKind(s, a.unit);
  if (stands.empty() || UnitOf(s, a.unit).side != a.side)
    return Impossible("ANC-H2", fmt::format("{} has no stand of {} in {}", SideName(s, a.side),
                                            name, CellName(s, a.from)));
  for (const PieceNo i : stands)
    if (s.StandAt(i).melee >= 0)
      return Impossible("ANC-H2", fmt::format("{} is already involved in a melee", name));
  if (!squares::Adjacent(s.setup->board.Between(a.from, a.contact)))
    return Refuse("ANC-H1",
                  fmt::format("{} is not next to {}", CellName(s, a.from), CellName(s, a.contact)));
  if (std::all_of(stands.begin(), stands.end(), [&](PieceNo i) { return s.StandAt(i).busy; }))
    return Refuse("ANC-C1", fmt::format("{} mans a catapult this turn", name));
  if (TypeOfUnit(s, a.unit).arm == Arm::kCommander) {
    // A commander supports as his unit does; alone, as the table says. A crew is a unit too
    // (DEF-7).
    const PieceNo companion = LeadingUnitIn(s, a.side, a.from);
    if (companion >= 0) {
      for (const PieceNo i : StandsOf(s, companion, a.from)) {
        const int his_melee = s.StandAt(i).melee;
        if (his_melee == melee) return std::nullopt;
        if (his_melee >= 0)
          return Refuse("ANC-H3", fmt::format("{} can support only together with {}", name,
                                              UnitAndKind(s, companion)));
      }
      return CheckDirection(s, a.side, companion, a.from, a.contact);
    }
  }
  return CheckDirection(s, a.side, a.unit, a.from, a.contact);
}

std::optional<Refusal> CheckCard(const State& s, const PlayCard& a) {
  if (s.step != Step::kMelee)
    return Impossible("ANC-P1", "cards are chosen after the supports are declared");
  return sweet::WhyNoCard(s, a, "ANC-P1");
}

// ANC-H5, ANC-P5.
Sixteenths ValueOf(const State& s, const Stand& stand) {
  const UnitType& type = s.TypeOf(stand);
  if (type.melee_reduced_at > 0 && CountStandsOf(s, stand.unit) <= type.melee_reduced_at)
    return type.melee_reduced;
  // A unit whose enemy others ran down may support elsewhere, but does not charge there.
  const bool supports =
      stand.melee >= 0 && s.melees[static_cast<std::size_t>(stand.melee)].contact != stand.cell;
  return stand.charged && stand.side == s.attacker && !supports ? type.melee_charging : type.melee;
}

// ANC-P5: the survivors are revalued at once, or in the next melee.
Sixteenths StrengthLeft(const State& s, int melee, int side) {
  if (!s.Ruling().revalue_at_once) return StrengthAtStart(s, melee, side);
  Sixteenths strength = 0;
  for (const Stand& stand : s.stands)
    if (stand.melee == melee && stand.side == side && OnBoard(stand)) strength += ValueOf(s, stand);
  return strength;
}

Sixteenths PenaltyAt(const State& s, Cell contact) {
  // The players' agreement about this feature comes first.
  return s.setup->At(contact).melee_reduction.value_or(
      Protected(s, contact) ? s.Ruling().protected_attack_penalty : 0);
}

// ANC-H8: one point in all, not per stand.
BySide Effective(const State& s, int melee, const BySide& values) {
  const Cell contact = s.melees[static_cast<std::size_t>(melee)].contact;
  return {std::max(0, values[kAttackers] - PenaltyAt(s, contact)), values[kDefenders]};
}

}  // namespace fos::ancient
