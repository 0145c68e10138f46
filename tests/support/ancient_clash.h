// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "tests/support/ancient_game.h"

namespace fos::ancient::test {

// Blue's attacker in E4 enters E5, which Red's defender holds. Other pieces are placed in between.
struct Clash {
  Game g;
  PieceNo blue = 0, red = 0;
  Clash(std::string_view attacker, std::string_view defender, int attackers = 0,
        int defenders = 0) {
    blue = g.Unit(kBlue, attacker, "E4", attackers);
    red = g.Unit(kRed, defender, "E5", defenders);
  }
  void Meet() {
    g.Bystanders();
    g.Start();
    g.To(Step::kMovement);
    if (TypeOfUnit(g.s, blue).arm == Arm::kElephant) {
      ASSERT_EQ(g.Do(Rouse{kBlue, blue}), "");
      ASSERT_EQ(g.Dice({1}), "");
    }
    ASSERT_EQ(g.MoveUnit(blue, "E5"), "") << g.because;
    g.To(Step::kAttackerSupport);
  }
  void DefenderDeclares() { g.To(Step::kDefenderSupport); }
  void Fight(Card attacker, Card defender) {
    ASSERT_EQ(g.Cards("E5", attacker, defender), "") << g.because;
  }
};

}  // namespace fos::ancient::test
