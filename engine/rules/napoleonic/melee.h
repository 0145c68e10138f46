// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/rules/napoleonic/action.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/sweet/melee.h"

// NAP-5A to 5I, NAP-7, NAP-MDI.
namespace fos::napoleonic {

// NAP-5A, NAP-7, NAP-8B: may this group support there?
std::optional<Refusal> CheckSupport(const State& s, const Support& a);
// NAP-5A: can a unit in square `from` that faces this way support there? (Units of a Square:
// NAP-8B.)
bool SupportsFrom(const State& s, PieceNo unit, Cell from, Cell contact, Facing facing);
// NAP-5A: the facing that a group takes to support: the nearest to its own that will do, of two the
// clockwise one. Nothing if it need not turn.
std::optional<Facing> WheelOf(const State& s, const Support& a);
std::optional<Refusal> CheckCard(const State& s, const PlayCard& a);

using squares::BySide, squares::kAttackers, squares::kDefenders, squares::MeleeOutcome,
    sweet::AccountOf, sweet::LossOrder, sweet::MeleeAt, sweet::MeleeSums, sweet::StrengthOf;

// NAP-6A, 6B: what the contact square takes off the defender's loss.
Sixteenths ReductionAt(const State& s, Cell contact);

inline Sixteenths LossValueOf(const State& s, const Stand& stand) { return s.TypeOf(stand).melee; }
inline BySide LeftIn(const State& s, int melee) { return sweet::StrengthsOf(s, melee); }
inline MeleeSums SumsOf(const State& s, int melee, const BySide& full) {
  return {full, full, ReductionAt(s, s.melees[static_cast<std::size_t>(melee)].contact)};
}

}  // namespace fos::napoleonic
