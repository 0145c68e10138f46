// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/melee.h"

#include <gtest/gtest.h>

#include "engine/rules/ancient/lines.h"
#include "tests/support/ancient_clash.h"

// Worked examples EX-P1 to EX-P8 of the catalogue.
namespace fos::ancient::test {
namespace {

constexpr Card kLine = Card::kLine, kColumn = Card::kColumn, kSquare = Card::kSquare,
               kFlanking = Card::kFlanking, kPincers = Card::kPincers,
               kWithdrawal = Card::kWithdrawal;

TEST(AncientMelee, SquareBeatsPincersAndPincersHoldAWithdrawal) {  // EX-P1.1
  const squares::MeleeRuling ruling = sweet::SumsRuling(Rulings());
  EXPECT_EQ(squares::ResultOf(Book().cards, ruling, kSquare, kPincers), CardResult::kSuperior);
  EXPECT_EQ(squares::ResultOf(Book().cards, ruling, kWithdrawal, kPincers), CardResult::kInferior);
}

TEST(AncientMelee, EveryPairOfCards) {  // ANC-P1
  // Rows against columns: = equal, + superior, - inferior, w withdraws, e enemy withdraws, b both.
  const char* rows[] = {"=++--e", "-=-+++", "-+=-+e", "+-+=-+", "+--+=+", "w-w--b"};
  const std::string marks = "=+-web";
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t d = 0; d < 6; ++d)
      EXPECT_EQ(static_cast<std::size_t>(Book().cards[a][d]), marks.find(rows[a][d]))
          << a << " " << d;
}

TEST(AncientMelee, CardsAreChosenOnceAndAfterTheSupports) {  // ANC-P1
  Clash c("heavy_infantry", "heavy_infantry");
  c.Meet();
  EXPECT_EQ(c.g.Do(PlayCard{kBlue, c.g.At("E5"), kLine}), "ANC-P1");
  c.g.To(Step::kMelee);
  EXPECT_EQ(c.g.Do(PlayCard{kBlue, c.g.At("D5"), kLine}), "ANC-P1");
  EXPECT_EQ(c.g.Do(PlayCard{kBlue, c.g.At("E5"), kLine}), "");
  EXPECT_EQ(c.g.Do(PlayCard{kBlue, c.g.At("E5"), kColumn}), "ANC-P1");
  EXPECT_EQ(c.g.Done(kBlue), "ANC-T");
}

TEST(AncientMelee, EqualDeploymentsCostHalfTheWeaker) {  // EX-P2.1
  for (const bool heads : {false, true}) {
    Clash c("roman_legionary", "heavy_infantry");
    c.Meet();
    c.Fight(kLine, kLine);
    EXPECT_EQ(c.g.Left(c.red), 4);  // nothing is removed before all losses are known
    ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
    EXPECT_EQ(c.g.s.ask.side, kBlue);
    EXPECT_EQ(c.g.Coin(heads), "");
    EXPECT_EQ(c.g.Left(c.red), 2);
    EXPECT_EQ(c.g.Left(c.blue), heads ? 2 : 3);
    EXPECT_EQ(c.g.Where(c.red), "E7");
    EXPECT_EQ(c.g.Where(c.blue), "E5");
  }
}

TEST(AncientMelee, ThreeTimesAsStrongDestroys) {  // EX-P2.2
  Clash c("heavy_infantry", "heavy_infantry", 4, 2);
  c.Meet();
  c.Fight(kLine, kLine);
  EXPECT_EQ(c.g.Left(c.blue), 3);
  EXPECT_EQ(c.g.Where(c.red), "gone");
}

TEST(AncientMelee, BothRetreatWhenEverythingIsEqual) {  // ANC-P2
  Clash c("heavy_infantry", "heavy_infantry");
  c.Meet();
  c.Fight(kColumn, kColumn);
  EXPECT_EQ(c.g.Where(c.blue), "E3");
  EXPECT_EQ(c.g.Where(c.red), "E7");
  EXPECT_EQ(c.g.Left(c.blue), 2);
}

TEST(AncientMelee, AnElephantAndLightInfantryWithPincers) {  // EX-P3.1
  for (const bool heads : {false, true}) {
    Clash c("elephants", "heavy_infantry");
    const PieceNo light = c.g.Unit(kBlue, "light_infantry", "D4");
    c.Meet();
    ASSERT_EQ(c.g.Back(light, "E5"), "");
    c.Fight(kPincers, kLine);
    // L = 3.25: three stands and a coin on the fourth.
    ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
    EXPECT_EQ(c.g.s.ask.side, kRed);
    EXPECT_EQ(c.g.Coin(false), "");
    // Blue loses 1.625, from the contact square first, where the elephant of 4 does not fit.
    ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
    EXPECT_EQ(c.g.s.ask.side, kBlue);
    EXPECT_EQ(c.g.Coin(heads), "");
    EXPECT_EQ(c.g.Left(light), 3);
    EXPECT_EQ(c.g.Left(c.blue), heads ? 0 : 1);
    EXPECT_EQ(c.g.Where(c.red), heads ? "E7" : "gone");  // 1.5 : 1, or 5.5 : 1
  }
}

TEST(AncientMelee, WoodsCountAgainWhenSurvivorsAreCompared) {  // EX-P3.2
  Clash c("roman_legionary", "heavy_infantry");
  c.g.Wood("E5");
  c.Meet();
  c.Fight(kFlanking, kSquare);
  // 5 effective: L = 3, Blue 1.5. Left 4.5, effective 3.5 : 1.
  EXPECT_EQ(c.g.Left(c.blue), 3);
  EXPECT_EQ(c.g.Where(c.red), "gone");
}

TEST(AncientMelee, TheInferiorRetreatsWhenSurvivorsAreEqual) {  // ANC-P3
  Clash c("heavy_infantry", "heavy_infantry", 3, 4);
  c.Meet();
  c.Fight(kColumn, kFlanking);  // P = 3: Red loses 2, Blue 1
  EXPECT_EQ(c.g.Left(c.blue), 2);
  EXPECT_EQ(c.g.Left(c.red), 2);
  EXPECT_EQ(c.g.Where(c.red), "E7");
  EXPECT_EQ(c.g.Where(c.blue), "E5");
}

TEST(AncientMelee, AFailedWithdrawalIsInferior) {  // EX-P4.1
  Clash c("light_cavalry", "heavy_cavalry");
  c.Meet();
  c.Fight(kWithdrawal, kColumn);
  // L = 2.5 capped at 1.5: Blue is gone; Red loses 0.75: a coin on one stand.
  ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
  EXPECT_EQ(c.g.s.ask.side, kRed);
  EXPECT_EQ(c.g.Coin(false), "");
  EXPECT_EQ(c.g.Where(c.blue), "gone");
  EXPECT_EQ(c.g.Left(c.red), 4);
  EXPECT_EQ(c.g.Where(c.red), "E5");
}

TEST(AncientMelee, AWithdrawalThatSucceedsCostsNothing) {  // ANC-P4
  Clash c("heavy_infantry", "foot_crew");
  const PieceNo catapult = c.g.Catapult(kRed, "heavy_catapult", "E5");
  c.Meet();
  c.Fight(kLine, kWithdrawal);
  EXPECT_EQ(c.g.Where(c.red), "E7");
  EXPECT_EQ(c.g.Left(c.red), 2);
  EXPECT_EQ(c.g.WhereIs(catapult), "E7");
  EXPECT_EQ(c.g.s.EquipmentAt(catapult).owner, kRed);
  EXPECT_EQ(c.g.Where(c.blue), "E5");
}

TEST(AncientMelee, TwoWithdrawalsBothSucceed) {  // ANC-P4
  for (const bool both : {true, false}) {
    Clash c("heavy_infantry", "heavy_infantry");
    c.g.setup.settings.both_withdraw = both;
    c.Meet();
    c.Fight(kWithdrawal, kWithdrawal);
    EXPECT_EQ(c.g.Left(c.blue), both ? 4 : 2);
    EXPECT_EQ(c.g.Where(c.blue), "E3");
    EXPECT_EQ(c.g.Where(c.red), "E7");
  }
}

TEST(AncientMelee, APhalanxIsRevalued) {  // EX-P5.1
  for (const bool at_once : {true, false}) {
    Clash c("macedonian_phalanx", "roman_legionary");
    c.g.setup.settings.revalue_at_once = at_once;
    c.Meet();
    c.Fight(kColumn, kLine);
    ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
    EXPECT_EQ(c.g.s.ask.side, kBlue);
    EXPECT_EQ(c.g.Coin(false), "");
    ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
    EXPECT_EQ(c.g.s.ask.side, kRed);
    EXPECT_EQ(c.g.Coin(false), "");
    EXPECT_EQ(c.g.Left(c.blue), 2);  // worth 1 each now: 2 against 4.5
    EXPECT_EQ(c.g.Left(c.red), 3);
    EXPECT_EQ(StrengthLeft(c.g.s, 0, kBlue), at_once ? 32 : 48);
    EXPECT_EQ(c.g.Where(c.blue), "E3");
    EXPECT_EQ(c.g.Where(c.red), "E5");
  }
}

TEST(AncientMelee, ACoinOnTheChariot) {  // EX-P5.2
  // R = 1 for the chariot of 3: Red's two stands make W = 2.
  Clash c("chariots", "heavy_infantry", 1, 2);
  c.Meet();
  EXPECT_EQ(StrengthAtStart(c.g.s, 0, kBlue), 48);
  c.Fight(kLine, kLine);
  ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
  EXPECT_EQ(c.g.s.ask.side, kBlue);
  EXPECT_EQ(c.g.Coin(true), "");
  EXPECT_EQ(c.g.Where(c.blue), "gone");
  EXPECT_EQ(c.g.Left(c.red), 1);
  EXPECT_EQ(c.g.Where(c.red), "E5");  // no attacker is left to drive it back
}

TEST(AncientMelee, TheRemainderMayBeTheNearest) {  // ANC-P5
  Clash c("roman_legionary", "heavy_infantry");
  c.g.setup.settings.coin_always = false;
  c.Meet();
  c.Fight(kLine, kLine);
  EXPECT_FALSE(c.g.Asks(PendingInput::kMeleeCoin));
  EXPECT_EQ(c.g.Left(c.blue), 3);  // 0.5 of 1.5 is less than half
}

TEST(AncientMelee, AUnitWithoutARetreatIsDestroyed) {  // EX-P6.1
  Game g;
  const PieceNo blue = g.Unit(kBlue, "heavy_infantry", "E5");
  for (const char* square : {"D5", "D4", "E4", "F4", "F5"}) g.Unit(kRed, "light_infantry", square);
  const PieceNo red = g.Unit(kRed, "roman_legionary", "E7");
  g.Unit(kBlue, "heavy_infantry", "A1");
  g.setup.first_attacker = kRed;
  g.Start();
  g.To(Step::kMovement);
  ASSERT_EQ(g.MoveUnit(red, "E6 E5"), "");
  ASSERT_EQ(g.Cards("E5", kLine, kWithdrawal), "");
  EXPECT_EQ(g.Where(blue), "gone");
}

TEST(AncientMelee, TheAttackerRetreatsTheWayHeCame) {  // ANC-P6
  Game g;
  const PieceNo blue = g.Unit(kBlue, "macedonian_hypaspists", "C3");
  const PieceNo red = g.Unit(kRed, "roman_legionary", "E5");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  ASSERT_EQ(g.MoveUnit(blue, "D4 E5"), "") << g.because;
  ASSERT_EQ(g.Cards("E5", kLine, kLine), "");
  ASSERT_TRUE(g.Asks(PendingInput::kMeleeCoin));
  g.Coin(false);
  EXPECT_EQ(g.Where(red), "E5");  // 4.5 against 2
  EXPECT_EQ(g.Where(blue), "C3");
}

TEST(AncientMelee, ARetreatingCrewTakesItsCatapult) {  // EX-P7.1
  Clash c("light_cavalry", "foot_crew");
  const PieceNo catapult = c.g.Catapult(kRed, "heavy_catapult", "E5");
  c.Meet();
  c.Fight(kSquare, kSquare);
  EXPECT_EQ(c.g.Left(c.red), 1);
  EXPECT_EQ(c.g.Left(c.blue), 2);
  EXPECT_EQ(c.g.Where(c.red), "E7");
  EXPECT_EQ(c.g.WhereIs(catapult), "E7");
  EXPECT_EQ(c.g.s.EquipmentAt(catapult).owner, kRed);
}

TEST(AncientMelee, ADeadCrewsCatapultIsCaptured) {  // EX-P7.2
  Clash c("light_cavalry", "foot_crew");
  const PieceNo catapult = c.g.Catapult(kRed, "heavy_catapult", "E5");
  c.Meet();
  c.Fight(kColumn, kFlanking);
  EXPECT_EQ(c.g.Where(c.red), "gone");
  EXPECT_EQ(c.g.Left(c.blue), 2);
  EXPECT_EQ(c.g.WhereIs(catapult), "E5");
  EXPECT_EQ(c.g.s.EquipmentAt(catapult).owner, kBlue);
}

TEST(AncientMelee, AnAbandonedCatapultBelongsToWhoeverMovesIn) {  // ANC-P7
  Clash c("light_infantry", "foot_crew", 1, 1);
  const PieceNo catapult = c.g.Catapult(kRed, "light_catapult", "E5");
  const PieceNo next = c.g.Unit(kRed, "light_cavalry", "E8");
  c.Meet();
  c.Fight(kLine, kLine);  // 0.5 each: a quarter, a coin each
  EXPECT_EQ(c.g.Coin(true), "");
  EXPECT_EQ(c.g.Coin(true), "");
  EXPECT_EQ(c.g.s.EquipmentAt(catapult).owner, kNobody);
  c.g.NextTurn();
  c.g.To(Step::kMovement);
  EXPECT_EQ(c.g.MoveUnit(next, "E7 E6 E5"), "");
  EXPECT_EQ(c.g.s.EquipmentAt(catapult).owner, kRed);
}

TEST(AncientMelee, UnitsThatFoughtMayTurnAfterwards) {  // EX-P8.1
  Clash c("heavy_infantry", "heavy_infantry");
  const PieceNo support = c.g.Unit(kRed, "heavy_infantry", "D5", 0, S);
  const PieceNo other = c.g.Unit(kRed, "heavy_infantry", "H5", 0, S);
  c.Meet();
  c.g.To(Step::kDefenderSupport);
  ASSERT_EQ(c.g.Back(support, "E5"), "");
  EXPECT_EQ(c.g.FacingOf(support), E);
  EXPECT_EQ(c.g.Turn(support, S), "ANC-V6");  // not yet
  c.Fight(kWithdrawal, kLine);
  EXPECT_EQ(c.g.Turn(support, SW), "ANC-V6");
  EXPECT_EQ(c.g.Turn(support, S), "");
  EXPECT_EQ(c.g.FacingOf(support), S);
  EXPECT_EQ(c.g.Turn(other, E), "ANC-V6");
}

TEST(AncientMelee, AppliesTheMeleeSettings) {  // ANC-P2, ANC-P3, ANC-P5
  {
    Clash c("roman_legionary", "roman_legionary", 3, 4);  // 4.5 against 6, Blue superior
    c.g.setup.settings.whole_steps = true;
    c.Meet();
    c.Fight(kFlanking, kLine);  // 1 + 3.5/2 = 2.75: whole steps make 2, Blue loses 1
    ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
    c.g.Coin(false);
    ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
    c.g.Coin(false);
    EXPECT_EQ(c.g.Left(c.red), 3);
    EXPECT_EQ(c.g.Left(c.blue), 3);
  }
  {
    // 6 is not three times 3, but 4.5 is three times 1.5.
    for (const bool after : {true, false}) {
      Clash c("roman_legionary", "roman_legionary", 4, 2);
      c.g.setup.settings.annihilation_after_losses = after;
      c.Meet();
      c.Fight(kLine, kLine);
      EXPECT_EQ(c.g.Where(c.red), after ? "gone" : "E7");
      EXPECT_EQ(c.g.Left(c.blue), 3);
    }
  }
  {
    Clash c("elephants", "heavy_infantry");
    c.g.setup.settings.contact_first_strict = false;
    const PieceNo light = c.g.Unit(kBlue, "light_infantry", "D4");
    c.Meet();
    ASSERT_EQ(c.g.Back(light, "E5"), "");
    c.Fight(kPincers, kLine);
    c.g.Coin(false);
    if (c.g.Asks(PendingInput::kMeleeCoin)) c.g.Coin(false);
    EXPECT_EQ(c.g.Left(light), 0);  // 1.625: the elephant is skipped, three times 0.5 fit
  }
}

TEST(AncientMelee, CardsOfAllMeleesComeBeforeAnyResult) {  // ANC-T, ANC-P1
  Game g;
  const PieceNo left = g.Unit(kBlue, "heavy_infantry", "C4");
  const PieceNo right = g.Unit(kBlue, "heavy_infantry", "G4");
  g.Unit(kRed, "heavy_infantry", "C5");
  g.Unit(kRed, "heavy_infantry", "G5");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(left, "C5"), "");
  EXPECT_EQ(g.MoveUnit(right, "G5"), "");
  EXPECT_EQ(g.Do(OrderMelees{kBlue, {g.At("G5")}}), "ANC-T");  // not yet
  g.To(Step::kAttackerSupport);
  // The attacker orders the melees (NAP-2A).
  const auto order = ParseAction(g.s, "order G5");
  ASSERT_TRUE(order.ok()) << order.error().message;
  EXPECT_EQ(ActionToLine(g.s, *order), "order G5");
  EXPECT_EQ(g.Do(order->what), "");
  EXPECT_EQ(g.s.melees.front().contact, g.At("G5"));
  EXPECT_EQ(g.Do(OrderMelees{kRed, {g.At("C5")}}), "ANC-T");
  EXPECT_EQ(g.Cards("G5", Card::kLine, Card::kLine), "");
  EXPECT_EQ(g.Count<MeleeDecided>(), 0);
  EXPECT_EQ(g.Do(OrderMelees{kBlue, {g.At("C5")}}), "ANC-T");  // too late
  EXPECT_EQ(g.Cards("C5", Card::kLine, Card::kLine), "");
  EXPECT_EQ(g.Count<MeleeDecided>(), 2);
}

}  // namespace
}  // namespace fos::ancient::test
