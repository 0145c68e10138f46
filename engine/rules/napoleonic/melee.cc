// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/melee.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/napoleonic/query.h"

namespace fos::napoleonic {
namespace {

const SupportType& SupportOf(const State& s, const UnitType& type) {
  return s.Book().supports[static_cast<std::size_t>(type.support)];
}

// NAP-5A, 4: may the defender turn to a facing from which this direction is allowed?
bool AllowedAfterTurn(const State& s, const SupportType& support, int k) {
  if (!s.Ruling().directional_support) return support.Any();
  const int turns = s.Book().defender_turns;
  for (int turn = -turns; turn <= turns; ++turn)
    if (support.allowed[static_cast<std::size_t>(((k - turn) % 8 + 8) % 8)]) return true;
  return false;
}

// NAP-5A, 5: without any turn.
bool AllowedAsItStands(const State& s, const SupportType& support, int k) {
  if (!s.Ruling().directional_support) return support.Any() && (k == 0 || k == 1 || k == 7);
  return support.allowed[static_cast<std::size_t>(k)];
}

// NAP-5A, 5: does the defender have infantry or artillery in the contact square?
bool CavalryMayNotWheel(const State& s, Cell contact) {
  if (!s.Ruling().cavalry_wheel_limit) return false;
  const PieceNo formed = FormedUnitIn(s, s.Defender(), contact);
  if (formed >= 0) return TypeOfUnit(s, formed).arm == Arm::kInfantry;
  return CrewIn(s, s.Defender(), contact);
}

std::optional<Refusal> CheckDirection(const State& s, const Support& a,
                                      const std::vector<PieceNo>& stands) {
  const UnitType& type = TypeOfUnit(s, a.unit);
  const SupportType& support = SupportOf(s, type);
  const std::string name = UnitAndKind(s, a.unit);
  if (!support.Any()) return Refuse("NAP-5A", fmt::format("{} cannot support", type.name));
  const squares::Offset to = s.setup->board.Between(a.from, a.contact);
  const Stand& stand = s.StandAt(stands.front());
  if (stand.formation >= 0) {  // NAP-8B: by the facings of its stands
    for (const PieceNo i : stands)
      if (AllowedAsItStands(s, support, squares::RelativeDirection(s.StandAt(i).facing, to)))
        return std::nullopt;
    return Refuse("NAP-8B",
                  fmt::format("no stand of the Square in {} faces the right way to support",
                              CellName(s, a.from)));
  }
  if (a.side == s.attacker) return std::nullopt;  // NAP-5A, 3: the attacker turns freely
  const int k = squares::RelativeDirection(stand.turn_facing, to);
  if (type.arm == Arm::kCavalry && CavalryMayNotWheel(s, a.contact)) {
    if (AllowedAsItStands(s, support, k)) return std::nullopt;
    return Refuse("NAP-5A",
                  fmt::format("{} would have to wheel to support infantry or artillery", name));
  }
  if (AllowedAfterTurn(s, support, k)) return std::nullopt;
  return Refuse("NAP-5A", fmt::format("{} cannot turn far enough to support", name));
}

}  // namespace

std::optional<Refusal> CheckSupport(const State& s, const Support& a) {
  if (s.step != Step::kMelee)
    return Impossible("NAP-2A", fmt::format("support is declared in the melee step; this is the {} "
                                            "step",
                                            StepName(s.step)));
  const bool attackers = a.side == s.attacker;
  if (s.supports_done[static_cast<std::size_t>(a.side)] ||
      (!attackers && !s.supports_done[static_cast<std::size_t>(s.attacker)]))
    return Impossible("NAP-5A", attackers ? "the attacker has already declared his supports"
                                          : "the attacker declares his supports first");
  const int melee = MeleeAt(s, a.contact);
  if (melee < 0)
    return Impossible("NAP-5A", fmt::format("{} is not a contact square", CellName(s, a.contact)));
  const std::vector<PieceNo> stands = StandsOf(s, a.unit, a.from);
  if (stands.empty() || UnitOf(s, a.unit).side != a.side)
    return Impossible("NAP-5A", fmt::format("{} has no stand of {} in {}", SideName(s, a.side),
                                            UnitAndKind(s, a.unit), CellName(s, a.from)));
  if (s.StandAt(stands.front()).melee >= 0)
    return Impossible("NAP-5A",
                      fmt::format("{} is already involved in a melee", UnitAndKind(s, a.unit)));
  if (!squares::Adjacent(s.setup->board.Between(a.from, a.contact)))
    return Refuse("NAP-5A",
                  fmt::format("{} is not next to {}", CellName(s, a.from), CellName(s, a.contact)));
  const UnitType& type = TypeOfUnit(s, a.unit);
  if (type.arm == Arm::kCavalry && HeldByUnbrokenSquare(s, 1 - a.side, a.contact))
    return Refuse("NAP-8B", "cavalry may not fight an unbroken Square");
  if (type.arm == Arm::kCommander) {
    // NAP-7: a commander supports as his unit does; alone, as the table says. A crew group is a
    // unit (DEF-7) that cannot support.
    const PieceNo companion = FormedUnitIn(s, a.side, a.from);
    if (companion < 0 && CrewIn(s, a.side, a.from))
      return Refuse("NAP-7", fmt::format("{} is with artillerymen, who cannot support",
                                         UnitAndKind(s, a.unit)));
    if (companion >= 0) {
      const PieceNo stand = StandsOf(s, companion, a.from).front();
      if (s.StandAt(stand).melee == melee) return std::nullopt;
      return Refuse("NAP-7", fmt::format("{} can support only together with {}",
                                         UnitAndKind(s, a.unit), UnitAndKind(s, companion)));
    }
  }
  return CheckDirection(s, a, stands);
}

bool SupportsFrom(const State& s, PieceNo unit, Cell from, Cell contact, Facing facing) {
  if (!s.Ruling().directional_support) return true;
  // NAP-7: a commander supports as the unit with him does.
  const PieceNo companion = TypeOfUnit(s, unit).arm == Arm::kCommander
                                ? FormedUnitIn(s, UnitOf(s, unit).side, from)
                                : PieceNo{-1};
  const SupportType& support = SupportOf(s, TypeOfUnit(s, companion >= 0 ? companion : unit));
  const int k = squares::RelativeDirection(facing, s.setup->board.Between(from, contact));
  return support.allowed[static_cast<std::size_t>(k)];
}

std::optional<Facing> WheelOf(const State& s, const Support& a) {
  const Stand& stand = s.StandAt(StandsOf(s, a.unit, a.from).front());
  if (stand.formation >= 0) return std::nullopt;
  for (const int turn : {0, 1, -1, 2, -2, 3, -3, 4}) {
    const Facing facing = squares::Turned(stand.facing, turn);
    const bool too_far = a.side != s.attacker &&
                         squares::TurnBetween(stand.turn_facing, facing) > s.Book().defender_turns;
    if (too_far || !SupportsFrom(s, a.unit, a.from, a.contact, facing)) continue;
    return turn == 0 ? std::nullopt : std::optional(facing);
  }
  return std::nullopt;
}

std::optional<Refusal> CheckCard(const State& s, const PlayCard& a) {
  if (s.step != Step::kMelee || !s.supports_done[0] || !s.supports_done[1])
    return Impossible("NAP-5C", "cards are chosen after the supports are declared");
  return sweet::WhyNoCard(s, a, "NAP-5C");
}

Sixteenths ReductionAt(const State& s, Cell contact) {
  const CellTerrain& terrain = s.setup->At(contact);
  const bool burnt = s.burnt[static_cast<std::size_t>(contact)];
  if (terrain.melee_reduction && !burnt) return *terrain.melee_reduction;  // NAP-6B
  return Protected(s, contact) ? s.Ruling().protected_reduction : 0;
}

}  // namespace fos::napoleonic
