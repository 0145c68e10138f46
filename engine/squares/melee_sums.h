#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/squares/casualties.h"

// The arithmetic of melees in the de Gre/Sweet rules: deployment cards, what each side loses, who
// falls back and who is destroyed. Every quantity is a whole number of sixteenths (DEF-8).
namespace fos::squares {

// How the first card fares against the second.
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
using CardTable = std::array<std::array<CardResult, kCardKinds>, kCardKinds>;  // row against column

// "LINE"
std::string_view CardName(Card card);

// The book's numbers. Shares are rationals in sixteenths: a half is 8.
struct MeleeNumbers {
  int least_stands = 0;  // that may attack
  Sixteenths equal_share = 0, unequal_base = 0, unequal_share = 0, superior_share = 0;
  int retreat = 0, withdrawal = 0;                   // squares
  int equal_ratio = 3, unequal_ratio = 3;            // so many times as strong destroys
  bool equal_strict = true, unequal_strict = false;  // more than, or exactly too
};
// What clubs may differ on.
struct MeleeRuling {
  bool whole_steps = false;
  bool superior_loss_computed = true;     // else of what was really lost
  bool annihilation_after_losses = true;  // else before
  bool last_side_stays = true;
  bool both_withdraw = true;  // else an equal melee
};

// Attackers first.
using BySide = std::array<Sixteenths, 2>;
constexpr std::size_t kAttackers = 0;
constexpr std::size_t kDefenders = 1;

// How the attacker's card fares, with the ruling for two withdrawals.
CardResult ResultOf(const CardTable& cards, const MeleeRuling& ruling, Card attacker,
                    Card defender);

// What each side loses, before stands are counted.
// strength   what each side counts for.
// most       what each side can lose at most: the full value of its stands.
// reduction  taken off the defender's loss by the contact square.
BySide LossesOf(const MeleeNumbers& book, const MeleeRuling& ruling, CardResult attacker_result,
                const BySide& strength, const BySide& most, Sixteenths reduction);
// The superior side's loss when it is half of what the inferior side really lost.
Sixteenths SuperiorLossOf(const MeleeNumbers& book, const MeleeRuling& ruling,
                          Sixteenths inferior_loss, bool superior_defends, Sixteenths reduction);

struct MeleeOutcome {
  std::array<bool, 2> retreats{};   // attackers, defenders
  std::array<bool, 2> destroyed{};  // what is left of them
};
// Who goes back and who is destroyed.
// before, left  what each side counts for before and after the losses.
// alive         has it a stand left?
MeleeOutcome OutcomeOf(const MeleeNumbers& book, const MeleeRuling& ruling,
                       CardResult attacker_result, const BySide& before, const BySide& left,
                       const std::array<bool, 2>& alive);

}  // namespace fos::squares
