// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/rules/ancient/melee.h"
#include "tests/support/ancient_clash.h"

// Worked examples EX-H1 to EX-H8 of the catalogue.
namespace fos::ancient::test {
namespace {

// Points as sixteenths.
Sixteenths P(double points) { return static_cast<Sixteenths>(points * 16); }

TEST(AncientCharge, ACommanderInTheContactSquareFights) {  // EX-H1.1
  Clash c("heavy_infantry", "heavy_infantry");
  c.g.Unit(kRed, "commander", "E5");
  c.Meet();
  EXPECT_EQ(StrengthAtStart(c.g.s, 0, kRed), P(6));
  EXPECT_EQ(StrengthAtStart(c.g.s, 0, kBlue), P(4));
}

TEST(AncientCharge, SupportersMustBeNextToIt) {  // ANC-H1
  Clash c("heavy_infantry", "heavy_infantry");
  const PieceNo far = c.g.Unit(kBlue, "heavy_infantry", "E3");
  c.Meet();
  EXPECT_EQ(c.g.Back(far, "E5"), "ANC-H1");
  EXPECT_EQ(c.g.Back(far, "E4"), "ANC-H1");
}

TEST(AncientCharge, ASupporterFacesTheContactSquare) {  // EX-H2.1
  Clash c("heavy_infantry", "heavy_infantry");
  const PieceNo support = c.g.Unit(kBlue, "heavy_infantry", "D5");
  c.Meet();
  EXPECT_EQ(c.g.Back(support, "E5"), "");
  EXPECT_EQ(c.g.FacingOf(support), E);
}

TEST(AncientCharge, TheAttackerDeclaresFirstAndAUnitFightsOnce) {  // ANC-H2
  Game g;
  const PieceNo a = g.Unit(kBlue, "heavy_infantry", "D3");
  const PieceNo b = g.Unit(kBlue, "heavy_infantry", "E4");
  g.Unit(kRed, "heavy_infantry", "D4");
  g.Unit(kRed, "heavy_infantry", "E5");
  const PieceNo support = g.Unit(kRed, "light_infantry", "D5");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(a, "D4"), "");
  EXPECT_EQ(g.MoveUnit(b, "E5"), "");
  g.To(Step::kAttackerSupport);
  EXPECT_EQ(g.Back(support, "D4"), "ANC-T");
  EXPECT_EQ(g.Done(kRed), "ANC-T");
  EXPECT_EQ(g.Done(kBlue), "");
  EXPECT_EQ(g.Back(support, "D4"), "");
  EXPECT_EQ(g.Back(support, "E5"), "ANC-H2");
}

// May this Red unit support what Red has in E5?
std::string MaySupport(std::string_view type, std::string_view square, Facing facing,
                       std::string_view contact_type = "heavy_infantry", bool beside = true) {
  Clash c("heavy_infantry", contact_type);
  c.g.setup.settings.beside_supported_unit = beside;
  const PieceNo unit = c.g.Unit(kRed, type, square, 0, facing);
  c.Meet();
  c.DefenderDeclares();
  return c.g.Back(unit, "E5");
}

TEST(AncientCharge, SupportUsesTheFacingBeforeTurning) {  // EX-H3.1
  EXPECT_EQ(MaySupport("heavy_infantry", "E6", N), "ANC-H3");
  Clash c("heavy_infantry", "heavy_infantry");
  const PieceNo unit = c.g.Unit(kRed, "heavy_infantry", "E6", 0, E);
  c.Meet();
  c.DefenderDeclares();
  EXPECT_EQ(c.g.Back(unit, "E5"), "");
  EXPECT_EQ(c.g.FacingOf(unit), S);
}

TEST(AncientCharge, TypeANeverSupportsDiagonally) {  // EX-H3.2
  Clash c("heavy_infantry", "heavy_infantry");
  const PieceNo support = c.g.Unit(kBlue, "heavy_infantry", "D4");
  c.Meet();
  EXPECT_EQ(c.g.Back(support, "E5"), "ANC-H3");
}

TEST(AncientCharge, TypeBSupportsExceptStraightBehind) {  // EX-H3.3
  Clash c("heavy_infantry", "heavy_infantry");
  const PieceNo light = c.g.Unit(kBlue, "light_infantry", "D4", 3, E);
  const PieceNo away = c.g.Unit(kBlue, "light_infantry", "F4", 3, SE);
  const PieceNo crew = c.g.Unit(kBlue, "foot_crew", "D5");
  c.Meet();
  EXPECT_EQ(c.g.Back(light, "E5"), "");
  EXPECT_EQ(c.g.FacingOf(light), NE);
  EXPECT_EQ(c.g.Back(away, "E5"), "ANC-H3");  // k = 4
  EXPECT_EQ(c.g.Back(crew, "E5"), "ANC-H3");  // type D
}

TEST(AncientCharge, ACommanderAloneSupportsAnyWay) {  // ANC-H3
  EXPECT_EQ(MaySupport("commander", "E6", N), "");
  Clash c("heavy_infantry", "heavy_infantry");
  c.g.Unit(kRed, "heavy_infantry", "E6", 0, N);
  const PieceNo commander = c.g.Unit(kRed, "commander", "E6", 0, S);
  c.g.Unit(kRed, "foot_crew", "D5");
  const PieceNo sub = c.g.Unit(kRed, "sub_commander", "D5", 0, E);
  c.Meet();
  c.DefenderDeclares();
  EXPECT_EQ(c.g.Back(commander, "E5"), "ANC-H3");
  EXPECT_EQ(c.g.Back(sub, "E5"), "ANC-H3");  // a crew cannot support
}

TEST(AncientCharge, ACommanderSupportsWithHisUnit) {  // ANC-H2, ANC-H3
  Clash c("heavy_infantry", "heavy_infantry");
  const PieceNo unit = c.g.Unit(kRed, "heavy_infantry", "D5", 0, S);
  const PieceNo commander = c.g.Unit(kRed, "commander", "D5", 0, W);
  c.Meet();
  c.DefenderDeclares();
  EXPECT_EQ(c.g.Back(unit, "E5"), "");
  EXPECT_EQ(c.g.Back(commander, "E5"), "");
  EXPECT_EQ(StrengthAtStart(c.g.s, 0, kRed), P(4 + 4 + 2));
}

TEST(AncientCharge, RidersSupportFootOnlyFromBeside) {  // EX-H4.1
  EXPECT_EQ(MaySupport("heavy_cavalry", "D5", S), "");
  EXPECT_EQ(MaySupport("heavy_cavalry", "E6", S), "ANC-H4");  // behind
  // The alternative setting: the contact square must be beside the supporter.
  EXPECT_EQ(MaySupport("heavy_cavalry", "E6", E, "heavy_infantry", /*beside=*/false), "");
  EXPECT_EQ(MaySupport("heavy_cavalry", "E6", S, "heavy_infantry", /*beside=*/false), "ANC-H4");
  // Crews count as foot here; chariots and elephants count as mounted.
  EXPECT_EQ(MaySupport("chariots", "E6", S, "foot_crew"), "ANC-H4");
  EXPECT_EQ(MaySupport("elephants", "F5", S, "foot_crew"), "");
}

TEST(AncientCharge, RidersSupportRidersAsTheirTypeDoes) {  // EX-H4.2
  EXPECT_EQ(MaySupport("heavy_cavalry", "E6", E, "heavy_cavalry"), "");
}

TEST(AncientCharge, TheAttackersFootIsSupportedFromBesideToo) {  // ANC-H4
  Clash c("heavy_infantry", "heavy_infantry");
  const PieceNo beside = c.g.Unit(kBlue, "heavy_cavalry", "F5");
  const PieceNo behind = c.g.Unit(kBlue, "light_cavalry", "E3");
  c.g.Bystanders();
  c.g.Start();
  c.g.To(Step::kMovement);
  ASSERT_EQ(c.g.MoveUnit(c.blue, "E5"), "");
  ASSERT_EQ(c.g.MoveUnit(behind, "E4"), "");
  c.g.To(Step::kAttackerSupport);
  EXPECT_EQ(c.g.Back(behind, "E5"), "ANC-H4");
  EXPECT_EQ(c.g.Back(beside, "E5"), "");
}

TEST(AncientCharge, ChariotsCountMoreWhenTheyCharge) {  // EX-H5.1
  Clash charge("light_chariots", "heavy_infantry");
  charge.Meet();
  EXPECT_EQ(StrengthAtStart(charge.g.s, 0, kBlue), P(6));
  Clash support("heavy_cavalry", "heavy_infantry");
  const PieceNo chariots = support.g.Unit(kBlue, "light_chariots", "D5");
  support.Meet();
  EXPECT_EQ(support.g.Back(chariots, "E5"), "");
  EXPECT_EQ(StrengthAtStart(support.g.s, 0, kBlue), P(4 + 4));
  Clash heavy("assyrian_heavy_chariots", "assyrian_heavy_chariots");
  heavy.Meet();
  EXPECT_EQ(StrengthAtStart(heavy.g.s, 0, kBlue), P(3));
  EXPECT_EQ(StrengthAtStart(heavy.g.s, 0, kRed), P(3));
}

TEST(AncientCharge, AnAttackedElephantCountsTwo) {  // EX-H5.2
  Clash c("elephants", "elephants");
  c.Meet();
  EXPECT_EQ(StrengthAtStart(c.g.s, 0, kBlue), P(4));
  EXPECT_EQ(StrengthAtStart(c.g.s, 0, kRed), P(2));
}

TEST(AncientCharge, AnElephantMustBeWilling) {  // EX-H6.1
  for (const int die : {4, 5}) {
    Game g;
    const PieceNo elephant = g.Unit(kBlue, "war_elephants", "E4");
    const PieceNo other = g.Unit(kBlue, "heavy_infantry", "C4");
    g.Unit(kRed, "heavy_infantry", "E5");
    g.Bystanders();
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Do(Rouse{kBlue, other}), "ANC-H6");
    EXPECT_EQ(g.Do(Rouse{kBlue, elephant}), "");
    EXPECT_EQ(g.MoveUnit(other, "C5"), "ANC-H6");  // it needs its die first
    EXPECT_EQ(g.Dice({die}), "");
    EXPECT_EQ(g.Do(Rouse{kBlue, elephant}), "ANC-H6");
    if (die == 5) {
      EXPECT_EQ(g.MoveUnit(elephant, "D4"), "ANC-H6");  // it refused to charge and may not move
      EXPECT_EQ(g.Turn(elephant, W), "");               // but it may turn
    }
    EXPECT_EQ(g.MoveUnit(elephant, "E5"), die == 5 ? "ANC-H6" : "");
  }
}

TEST(AncientCharge, WithoutARollAnElephantDoesNotCharge) {  // EX-H6.2
  Game g;
  const PieceNo elephant = g.Unit(kBlue, "elephants", "E4");
  const PieceNo late = g.Unit(kBlue, "elephants", "C4");
  g.Unit(kRed, "heavy_infantry", "E5", 1);
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(elephant, "E5"), "ANC-H6");
  EXPECT_EQ(g.MoveUnit(elephant, "E5 E6"), "ANC-V4");  // it may not run down stands either
  EXPECT_EQ(g.MoveUnit(elephant, "E5", {}, /*down=*/true), "ANC-H6");
  EXPECT_EQ(g.MoveUnit(elephant, "D4 D5 D6 D7"), "");
  EXPECT_EQ(g.Do(Rouse{kBlue, late}), "ANC-H6");  // only before any unit moves
}

TEST(AncientCharge, TheStationaryFacesAreASetting) {  // ANC-H6
  Game g;
  g.setup.settings.stationary_faces = 1 << 0 | 1 << 1;
  const PieceNo elephant = g.Unit(kBlue, "elephants", "E4");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  g.Do(Rouse{kBlue, elephant});
  g.Dice({6});
  EXPECT_EQ(g.s.StandAt(g.Stand(elephant)).will, Will::kWilling);
}

TEST(AncientCharge, CavalryDoesNotChargePikes) {  // EX-H7.1
  for (const int stands : {3, 4})
    for (const auto* type : {"roman_legionary", "macedonian_phalanx"})
      for (const auto* rider : {"light_cavalry", "chariots"}) {
        Game g;
        const PieceNo riders = g.Unit(kBlue, rider, "E4");
        g.Unit(kRed, type, "E5", stands);
        g.Bystanders();
        g.Start();
        g.To(Step::kMovement);
        const bool may = stands == 3 || std::string_view(rider) == "chariots";
        EXPECT_EQ(g.MoveUnit(riders, "E5"), may ? "" : "ANC-H7");
      }
}

TEST(AncientCharge, PikesAreCountedOnEntry) {  // EX-H7.1
  Game g;
  const PieceNo riders = g.Unit(kBlue, "light_cavalry", "G4");
  const PieceNo archers = g.Unit(kBlue, "light_infantry", "E3", 3, N);
  const PieceNo legion = g.Unit(kRed, "roman_legionary", "F5");
  g.Bystanders();
  g.Start();
  g.To(Step::kMissiles);
  EXPECT_EQ(g.Fire(archers, "F5"), "");
  g.Done(kBlue);
  g.Done(kRed);
  EXPECT_EQ(g.Dice({1, 1, 4}), "");  // far: a pair
  EXPECT_EQ(g.Left(legion), 3);
  EXPECT_EQ(g.MoveUnit(riders, "F5"), "");
}

TEST(AncientCharge, InWoodsTheAttackersCountOneLess) {  // EX-H8.1
  for (const bool heads : {false, true}) {
    Clash c("heavy_infantry", "heavy_infantry");
    c.g.Unit(kBlue, "commander", "E4");
    c.g.Wood("E5");
    const PieceNo more = c.g.Unit(kRed, "heavy_infantry", "D5", 1, E);
    c.g.Bystanders();
    c.g.Start();
    c.g.To(Step::kMovement);
    std::vector<PieceNo> all = c.g.Stands(c.blue);
    all.push_back(StandsIn(c.g.s, kBlue, c.g.At("E4")).back());
    ASSERT_EQ(c.g.MoveStands(all, "E5"), "") << c.g.because;
    c.g.To(Step::kDefenderSupport);
    ASSERT_EQ(c.g.Back(more, "E5"), "") << c.g.because;
    EXPECT_EQ(Effective(c.g.s, 0, {StrengthAtStart(c.g.s, 0, kBlue), P(5)})[0], P(5));
    EXPECT_EQ(c.g.Cards("E5", Card::kLine, Card::kLine), "");
    // 2.5 each: two stands and a coin.
    ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
    EXPECT_EQ(c.g.Coin(heads), "");
    ASSERT_TRUE(c.g.Asks(PendingInput::kMeleeCoin));
    EXPECT_EQ(c.g.Coin(!heads), "");
    EXPECT_EQ(c.g.Where(c.blue), "E3");
    EXPECT_EQ(c.g.Where(c.red), "E7");
    EXPECT_EQ(c.g.Where(more), c.g.Left(more) > 0 ? "D7" : "gone");
  }
}

TEST(AncientCharge, AnUnaskedElephantSaysWhatToDo) {  // ANC-H6
  Game g;
  const PieceNo elephant = g.Unit(kBlue, "elephants", "E4");
  g.Unit(kRed, "heavy_infantry", "E5");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(elephant, "E5"), "ANC-H6");
  EXPECT_NE(g.because.find("roll for " + UnitAndKind(g.s, elephant) + " before any unit moves: "),
            std::string::npos)
      << g.because;
  EXPECT_NE(g.because.find("`charge " + UnitName(g.s, elephant) + "`"), std::string::npos)
      << g.because;
  EXPECT_EQ(g.Do(Rouse{kBlue, elephant}), "");
  EXPECT_EQ(g.Dice({6}), "");
  EXPECT_EQ(g.MoveUnit(elephant, "E5"), "ANC-H6");
  EXPECT_EQ(g.because.find("`charge"), std::string::npos) << g.because;  // it stays
}

}  // namespace
}  // namespace fos::ancient::test
