// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/squares/casualties.h"

// The arithmetic of melees in the de Gre/Sweet rules: deployment cards, losses, retreats and
// destruction. All quantities are whole sixteenths of a point (DEF-8).
namespace fos::squares {

// The result of the first card against the second.
enum class CardResult : std::uint8_t {
  kEqual,
  kSuperior,
  kInferior,
  kWithdraws,
  kEnemyWithdraws,
  kBothWithdraw
};
enum class Card : std::uint8_t { kLine, kColumn, kSquare, kFlanking, kPincers, kWithdrawal };
constexpr int kCardKinds = 6;
using CardTable =
    std::array<std::array<CardResult, kCardKinds>, kCardKinds>;  // [own card][enemy card]

// "LINE"
std::string_view CardName(Card card);

// The rule book's numbers. Shares are in sixteenths: a half is 8.
struct MeleeNumbers {
  int least_stands = 0;  // fewest stands of a unit that may attack
  Sixteenths equal_share = 0, unequal_base = 0, unequal_share = 0, superior_share = 0;
  int retreat = 0, withdrawal = 0;                   // squares
  int equal_ratio = 3, unequal_ratio = 3;            // times as strong to destroy the enemy
  bool equal_strict = true, unequal_strict = false;  // true: more than; false: at least
};
// The club rulings used here.
struct MeleeRuling {
  bool whole_steps = false;
  bool superior_loss_computed = true;     // false: of what was really lost
  bool annihilation_after_losses = true;  // false: before losses
  bool last_side_stays = true;
  bool both_withdraw = true;  // false: an equal melee
};

// Indexed by role, attackers first.
using BySide = std::array<Sixteenths, 2>;
constexpr std::size_t kAttackers = 0;
constexpr std::size_t kDefenders = 1;

// The result of the attacker's card, with the ruling for two withdrawals.
CardResult ResultOf(const CardTable& cards, const MeleeRuling& ruling, Card attacker,
                    Card defender);

// Each side's loss before it is turned into stands.
// strength   what each side counts for.
// most       the most each side can lose: the full value of its stands.
// reduction  what the contact square takes off the defender's loss.
BySide LossesOf(const MeleeNumbers& book, const MeleeRuling& ruling, CardResult attacker_result,
                const BySide& strength, const BySide& most, Sixteenths reduction);
// The superior side's loss when it is half of what the inferior side really lost.
Sixteenths SuperiorLossOf(const MeleeNumbers& book, const MeleeRuling& ruling,
                          Sixteenths inferior_loss, bool superior_defends, Sixteenths reduction);

struct MeleeOutcome {
  std::array<bool, 2> retreats{};   // by role
  std::array<bool, 2> destroyed{};  // by role: the survivors too
};
// Which sides fall back and which are destroyed.
// before, left  each side's strength before and after the losses.
// alive         does it have a stand left?
MeleeOutcome OutcomeOf(const MeleeNumbers& book, const MeleeRuling& ruling,
                       CardResult attacker_result, const BySide& before, const BySide& left,
                       const std::array<bool, 2>& alive);

}  // namespace fos::squares
