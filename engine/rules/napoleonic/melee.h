#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/rules/napoleonic/action.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/squares/melee_group.h"

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
using squares::LossPolicyOf;
using squares::MeleeAt;
using squares::SumsRuling;

using squares::BySide;
using squares::kAttackers;
using squares::kDefenders;
using squares::MeleeOutcome;

// The result of the attacker's card (NAP-MDI, with the ruling for two withdrawals).
CardResult ResultOf(const Tables& book, const Settings& ruling, Card attacker, Card defender);

// NAP-5C and 6A: each side's loss before it is turned into stands. `reduction` is what the contact
// square takes off the defender's loss.
BySide LossesOf(const Tables& book, const Settings& ruling, CardResult attacker_result,
                const BySide& totals, Sixteenths reduction);
// The superior side's loss when it is half of what the inferior side really lost.
Sixteenths SuperiorLossOf(const Tables& book, const Settings& ruling, Sixteenths inferior_loss,
                          bool superior_defends, Sixteenths reduction);
// NAP-5C: which sides fall back and which are destroyed. `left`: the values of the surviving
// stands.
MeleeOutcome OutcomeOf(const Tables& book, const Settings& ruling, CardResult attacker_result,
                       const BySide& before, const BySide& left);

// The sums of a melee whose cards are chosen, before and after its losses.
squares::MeleeAccount AccountOf(const State& s, int melee);
// The values of a side's (0 or 1) stands in a melee.
Sixteenths StrengthOf(const State& s, int melee, int side);
// DEF-11, step 1: a side's units in the melee, in the order in which they lose stands.
std::vector<squares::LossUnit> LossOrder(const State& s, int melee, int side);

// NAP-6A, 6B: what the contact square takes off the defender's loss.
Sixteenths ReductionAt(const State& s, Cell contact);

}  // namespace fos::napoleonic
