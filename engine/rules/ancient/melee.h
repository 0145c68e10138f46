#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/rules/ancient/action.h"
#include "engine/rules/ancient/query.h"
#include "engine/squares/melee_group.h"

// ANC-H1 to H5, H8, ANC-P1 to P5.
namespace fos::ancient {

using squares::BySide;
using squares::kAttackers;
using squares::kDefenders;

// ANC-H1 to H4: may this group support there?
std::optional<Refusal> CheckSupport(const State& s, const Support& a);
std::optional<Refusal> CheckCard(const State& s, const PlayCard& a);
using squares::LossPolicyOf;
using squares::MeleeAt;
using squares::SumsRuling;

// The current value of a stand: charging (ANC-H5), phalanx by stands left (ANC-P5).
Sixteenths ValueOf(const State& s, const Stand& stand);
// The strength of a side's (0 or 1) stands in a melee, at its start or now.
Sixteenths StrengthAtStart(const State& s, int melee, int side);
Sixteenths StrengthLeft(const State& s, int melee, int side);

// ANC-H8: what is taken off the attackers' strength.
Sixteenths PenaltyAt(const State& s, Cell contact);
// The strengths by role, with ANC-H8 taken off the attackers'.
BySide Effective(const State& s, int melee, const BySide& values);

// DEF-11, step 1: a side's units in the melee, in the order in which they lose stands.
std::vector<squares::LossUnit> LossOrder(const State& s, int melee, int side);

// The sums of a melee whose cards are chosen, before and after its losses.
squares::MeleeAccount AccountOf(const State& s, int melee);

}  // namespace fos::ancient
