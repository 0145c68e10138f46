// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/rules/ancient/action.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/sweet/melee.h"

// ANC-H1 to H5, H8, ANC-P1 to P5.
namespace fos::ancient {

using squares::BySide, squares::kAttackers, squares::kDefenders, sweet::AccountOf, sweet::LossOrder,
    sweet::MeleeAt, sweet::MeleeSums;

// ANC-H1 to H4: may this group support there?
std::optional<Refusal> CheckSupport(const State& s, const Support& a);
std::optional<Refusal> CheckCard(const State& s, const PlayCard& a);

// The current value of a stand: charging (ANC-H5), phalanx by stands left (ANC-P5).
Sixteenths ValueOf(const State& s, const Stand& stand);
// ANC-P5: each stand falls at its value at the start of the melee.
inline Sixteenths LossValueOf(const State&, const Stand& stand) { return stand.value; }
// The strength of a side's (0 or 1) stands in a melee, at its start or now.
inline Sixteenths StrengthAtStart(const State& s, int melee, int side) {
  return sweet::StrengthOf(s, melee, side);
}
Sixteenths StrengthLeft(const State& s, int melee, int side);
inline BySide LeftIn(const State& s, int melee) {
  return {StrengthLeft(s, melee, s.attacker), StrengthLeft(s, melee, s.Defender())};
}

// ANC-H8: what is taken off the attackers' strength.
Sixteenths PenaltyAt(const State& s, Cell contact);
// The strengths by role, with ANC-H8 taken off the attackers'.
BySide Effective(const State& s, int melee, const BySide& values);
inline MeleeSums SumsOf(const State& s, int melee, const BySide& full) {
  return {full, Effective(s, melee, full), 0};
}

}  // namespace fos::ancient
