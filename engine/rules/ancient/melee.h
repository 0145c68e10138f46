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

// What a stand is worth as it stands now: charging (ANC-H5), phalanx by stands left (ANC-P5).
Sixteenths ValueOf(const State& s, const Stand& stand);
// The stands involved on a side (0 or 1) of a melee: what they were worth at its start, or are now.
Sixteenths StrengthAtStart(const State& s, int melee, int side);
Sixteenths StrengthLeft(const State& s, int melee, int side);

// ANC-H8: what the attackers count for less.
Sixteenths PenaltyAt(const State& s, Cell contact);
// By attackers and defenders: the values with ANC-H8 taken off the attackers'.
BySide Effective(const State& s, int melee, const BySide& values);

// DEF-11, 1: the involved units of a side in the order in which they lose stands.
std::vector<squares::LossUnit> LossOrder(const State& s, int melee, int side);

}  // namespace fos::ancient
