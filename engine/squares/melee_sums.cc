// SPDX-License-Identifier: MIT
#include "engine/squares/melee_sums.h"

#include <algorithm>

namespace fos::squares {
namespace {

Sixteenths Share(Sixteenths value, Sixteenths share) { return value * share / kPoint; }

Sixteenths HalfOf(const MeleeNumbers& book, const MeleeRuling& ruling, Sixteenths loss) {
  const Sixteenths half = Share(loss, book.superior_share);
  return ruling.whole_steps ? half / kPoint * kPoint : half;
}

}  // namespace

std::string_view CardName(Card card) {
  constexpr std::array<std::string_view, kCardKinds> kNames = {"LINE",     "COLUMN",  "SQUARE",
                                                               "FLANKING", "PINCERS", "WITHDRAWAL"};
  return kNames[static_cast<std::size_t>(card)];
}

CardResult ResultOf(const CardTable& cards, const MeleeRuling& ruling, Card attacker,
                    Card defender) {
  const CardResult result =
      cards[static_cast<std::size_t>(attacker)][static_cast<std::size_t>(defender)];
  if (result == CardResult::kBothWithdraw && !ruling.both_withdraw) return CardResult::kEqual;
  return result;
}

Sixteenths SuperiorLossOf(const MeleeNumbers& book, const MeleeRuling& ruling,
                          Sixteenths inferior_loss, bool superior_defends, Sixteenths reduction) {
  const Sixteenths loss = HalfOf(book, ruling, inferior_loss);
  return superior_defends ? std::max(0, loss - reduction) : loss;
}

// NAP-5C, ANC-P2, ANC-P3.
BySide LossesOf(const MeleeNumbers& book, const MeleeRuling& ruling, CardResult attacker_result,
                const BySide& strength, const BySide& most, Sixteenths reduction) {
  if (attacker_result == CardResult::kEqual) {
    const Sixteenths loss = Share(std::min(strength[0], strength[1]), book.equal_share);
    return {loss, std::max(0, loss - reduction)};
  }
  if (attacker_result != CardResult::kSuperior && attacker_result != CardResult::kInferior)
    return {0, 0};
  const std::size_t superior = attacker_result == CardResult::kSuperior ? kAttackers : kDefenders;
  const std::size_t inferior = 1 - superior;
  const Sixteenths p = strength[superior];
  const Sixteenths base = book.unequal_base;
  Sixteenths loss = 0;
  if (ruling.whole_steps) {
    loss = p < base ? 0 : base + Share(p - base, book.unequal_share) / kPoint * kPoint;
  } else {
    loss = p <= base ? p : base + Share(p - base, book.unequal_share);
  }
  if (inferior == kDefenders) loss = std::max(0, loss - reduction);
  loss = std::min(loss, most[inferior]);
  BySide losses{};
  losses[inferior] = loss;
  losses[superior] = SuperiorLossOf(book, ruling, loss, superior == kDefenders, reduction);
  return losses;
}

// NAP-5C, ANC-P2, ANC-P3.
MeleeOutcome OutcomeOf(const MeleeNumbers& book, const MeleeRuling& ruling,
                       CardResult attacker_result, const BySide& before, const BySide& left,
                       const std::array<bool, 2>& alive) {
  MeleeOutcome out;
  const bool equal = attacker_result == CardResult::kEqual;
  const BySide& compared = equal ? before : left;
  const BySide& tested = ruling.annihilation_after_losses ? left : before;
  if (equal && before[0] == before[1]) {
    out.retreats = {true, true};
  } else {
    std::size_t weaker = compared[0] < compared[1] ? 0 : 1;
    if (!equal && compared[0] == compared[1])
      weaker = attacker_result == CardResult::kInferior ? kAttackers : kDefenders;
    const std::size_t stronger = 1 - weaker;
    const int ratio = equal ? book.equal_ratio : book.unequal_ratio;
    const bool strict = equal ? book.equal_strict : book.unequal_strict;
    const bool crushed = strict ? tested[stronger] > ratio * tested[weaker]
                                : tested[stronger] >= ratio * tested[weaker];
    (crushed && alive[stronger] ? out.destroyed : out.retreats)[weaker] = true;
  }
  for (std::size_t side = 0; side < 2; ++side) {
    const bool opponent_gone = !alive[1 - side] || out.destroyed[1 - side];
    if (ruling.last_side_stays && opponent_gone) out.retreats[side] = false;
    if (!alive[side]) out.retreats[side] = out.destroyed[side] = false;
  }
  return out;
}

}  // namespace fos::squares
