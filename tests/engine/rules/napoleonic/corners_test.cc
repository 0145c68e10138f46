// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "engine/rules/napoleonic/cite.h"
#include "engine/rules/napoleonic/legal.h"
#include "engine/rules/napoleonic/lines.h"
#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/musketry.h"
#include "tests/support/napoleonic_game.h"

// Corners of the clauses that no worked example of the catalogue reaches.
namespace fos::napoleonic::test {
namespace {

FormSquare Around(const Game& g, PieceNo unit, std::string_view square) {
  FormSquare form{kBlue, g.At(square), 1, 1, {unit}, {}};
  form.placements = StandardPlaces(g.s, form);
  return form;
}

// The two squares that Blue's attacker falls back to from E5 hold what Red left behind.
TEST(NapoleonicCorners, WhoFallsBackOntoUnguardedGunsTakesThem) {  // NAP-5A, NAP-5H
  Game g;
  const PieceNo blue = g.Unit(kBlue, "guards_infantry", 4, "E4");
  g.Unit(kRed, "line_infantry", 4, "E5");
  const PieceNo passed = g.Gun(kRed, "horse_gun", "E4");
  const PieceNo reached = g.Gun(kRed, "horse_gun", "E3");
  g.Start();
  g.To(Step::kMovement);
  ASSERT_EQ(g.MoveUnit(blue, "E5"), "");
  g.To(Step::kMelee);
  ASSERT_EQ(g.Cards("E5", Card::kWithdrawal, Card::kLine), "");
  EXPECT_EQ(g.Where(blue), "E3");
  EXPECT_EQ(g.s.EquipmentAt(reached).owner, kBlue);
  EXPECT_EQ(g.s.EquipmentAt(passed).owner, kRed);
}

TEST(NapoleonicCorners, ASquareTakesTheGunsItFormsAround) {  // NAP-5A, NAP-8A
  Game g;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E4");
  const PieceNo gun = g.Gun(kRed, "horse_gun", "E5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  ASSERT_EQ(g.Do(Around(g, line, "E5")), "") << g.because;
  EXPECT_EQ(g.s.EquipmentAt(gun).owner, kBlue);
}

TEST(NapoleonicCorners, ASquareMayFormWhereAFriendMakesRoom) {  // NAP-2C, NAP-8A
  for (const bool leaves : {true, false}) {
    Game g;
    const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E4");
    const PieceNo light = g.Unit(kBlue, "light_cavalry", 3, "E5");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    ASSERT_EQ(g.Do(Around(g, line, "E5")), "") << g.because;
    if (leaves) {
      ASSERT_EQ(g.MoveUnit(light, "E6"), "");
    }
    EXPECT_EQ(g.Done(kBlue), leaves ? "" : "NAP-2C");
  }
}

// A Blue gun with its crew in E4 holds canister against the attacking Red side.
struct HeldGun {
  Game g;
  PieceNo gun;
  HeldGun() {
    g.setup.first_attacker = kRed;
    const int battery = g.Battery(kBlue);
    g.Unit(kBlue, "foot_crew", 4, "E4");
    g.setup.units.back().battery = battery;
    gun = g.Gun(kBlue, "foot_gun", "E4", battery);
  }
  void Hold() {
    g.Start();
    ASSERT_EQ(g.Do(HoldCanister{kBlue, gun, ShotKind::kField}), "");
    g.To(Step::kMovement);
  }
};

TEST(NapoleonicCorners, HeldCanisterHitsTheDetachmentThatPassed) {  // NAP-3H, NAP-2B
  HeldGun h;
  const PieceNo light = h.g.Unit(kRed, "light_cavalry", 3, "E8");
  h.Hold();
  const auto stands = h.g.Stands(light);
  ASSERT_EQ(h.g.MoveStands({stands[0]}, "E7 E6 E5"), "");
  ASSERT_EQ(h.g.MoveStands({stands[1], stands[2]}, "F7 F6"), "");
  h.g.To(Step::kHeldCanister);
  ASSERT_EQ(h.g.Do(FireHeld{kBlue, h.gun, h.g.At("E5"), light}), "") << h.g.because;
  ASSERT_EQ(h.g.Dice({1, 1, 2}), "");
  EXPECT_EQ(h.g.Left(light), 2);
  EXPECT_EQ(CellName(h.g.s, h.g.s.StandAt(stands[1]).cell), "F6");
}

TEST(NapoleonicCorners, FriendsInTheSquareForbidHeldCanister) {  // NAP-3H
  HeldGun h;
  h.g.Unit(kBlue, "line_infantry", 4, "E5");
  const PieceNo red = h.g.Unit(kRed, "line_infantry", 4, "E6");
  h.Hold();
  ASSERT_EQ(h.g.MoveUnit(red, "E5"), "");
  h.g.To(Step::kHeldCanister);
  EXPECT_EQ(h.g.Do(FireHeld{kBlue, h.gun, h.g.At("E5"), red}), "NAP-3H");
}

TEST(NapoleonicCorners, ACommanderLostToArtilleryAddsNoDie) {  // NAP-4C
  for (const bool dies : {false, true}) {
    Game g;
    const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E5");
    const PieceNo general = g.Unit(kBlue, "division_commander", 1, "E5");
    g.Unit(kRed, "line_infantry", 4, "E6");
    g.Start();
    if (dies) ApplyTo(g.s, StandLost{g.Stand(general), LossCause::kShot});
    g.To(Step::kMusketry);
    ASSERT_EQ(g.Fire(line, "E6"), "");
    EXPECT_EQ(g.s.volleys.back().dice, dies ? 4 : 5);
  }
}

// The block of nine needs twelve stands. It fires at each enemy from the side that faces him.
TEST(NapoleonicCorners, ASquareOfNineIsOfferedTargetsOnAllSides) {  // NAP-8B
  Game g;
  std::vector<PieceNo> units;
  for (const char* square : {"E5", "F5", "G5"})
    units.push_back(g.Unit(kBlue, "line_infantry", 4, square));
  for (const char* square : {"E9", "G9", "I7", "E2"}) g.Unit(kRed, "line_infantry", 4, square);
  g.setup.settings.square_form_from = 3;
  g.Start();
  g.To(Step::kMovement);
  FormSquare form{kBlue, g.At("E5"), 3, 3, units, {}};
  form.placements = StandardPlaces(g.s, form);
  ASSERT_EQ(g.Do(form), "") << g.because;
  g.NextTurn();
  g.To(Step::kMusketry);
  std::set<std::string> offered;
  for (const Action& action : LegalActions(g.s, kBlue, /*everything=*/false))
    if (const auto* volley = std::get_if<CallVolley>(&action.what))
      offered.insert(CellName(g.s, volley->target));
  EXPECT_EQ(offered, (std::set<std::string>{"E9", "G9", "I7"}));  // E2 is three squares away
}

TEST(NapoleonicCorners, AnObjectiveOfTwoSquaresIsContestedByOneEnemy) {  // NAP-12
  for (const bool contested : {false, true}) {
    Game g;
    g.setup.objectives.push_back({"Farm", 30, {g.At("E5"), g.At("E6")}});
    g.Unit(kBlue, "line_infantry", 4, "E5");
    g.Unit(kRed, "line_infantry", 4, contested ? "E6" : "E7");
    g.Start();
    EXPECT_EQ(PointsOf(g.s, kBlue), contested ? 12 : 42);
  }
}

TEST(NapoleonicCorners, AGunKeepsTheRoadsBonusAtTheSlowerRate) {  // NAP-2D, NAP-2F
  Game g;
  const PieceNo crew = g.Unit(kBlue, "mounted_crew", 1, "E3");
  const PieceNo gun = g.Gun(kBlue, "foot_gun", "E3", -1, true);
  g.Road("E3 E4 E5 E6 E7 E8");
  g.Unit(kBlue, "line_infantry", 4, "A1");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Unit(kBlue, "foot_crew", 2, "A2");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(crew, "E4 E5 E6 E7 E8", {gun}), "NAP-2F");
  EXPECT_EQ(g.MoveUnit(crew, "E4 E5 E6 E7", {gun}), "");
}

TEST(NapoleonicCorners, ADetachmentOfOneJoinsItsUnitInTheMelee) {  // NAP-5B, NAP-2B
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_cavalry", 3, "E3");
  g.Unit(kRed, "line_infantry", 4, "E6");
  g.Start();
  g.To(Step::kMovement);
  const auto s = g.Stands(light);
  EXPECT_EQ(g.MoveStands({s[2]}, "E4 E5 E6"), "NAP-5B");
  EXPECT_EQ(g.MoveStands({s[0], s[1]}, "E4 E5 E6"), "");
  EXPECT_EQ(g.MoveStands({s[2]}, "E4 E5 E6"), "");
}

TEST(NapoleonicCorners, AUnitGoesBackToWhereMostOfItCameFrom) {  // NAP-5G, NAP-2B
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_cavalry", 3, "C5");
  g.Unit(kRed, "line_infantry", 4, "E5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  const auto s = g.Stands(light);
  ASSERT_EQ(g.MoveStands({s[2]}, "D4 E3"), "");
  g.NextTurn();
  g.NextTurn();
  g.To(Step::kMovement);
  ASSERT_EQ(g.MoveStands({s[0], s[1]}, "D5 E5"), "") << g.because;
  ASSERT_EQ(g.MoveStands({s[2]}, "E4 E5"), "") << g.because;
  g.To(Step::kMelee);
  ASSERT_EQ(g.Cards("E5", Card::kWithdrawal, Card::kLine), "");
  EXPECT_EQ(g.Where(light), "C5");
}

// Blue's line infantry and a gun of its own in a wood that a Red shot sets on fire.
struct OnFire {
  Game g;
  PieceNo line, own, gun;
  explicit OnFire(std::string_view square) {
    g.Wood(square);
    line = g.Unit(kBlue, "line_infantry", 4, square);
    own = g.Gun(kBlue, "horse_gun", square);
    const int battery = g.Battery(kRed);
    g.Unit(kRed, "foot_crew", 4, "E9");
    g.setup.units.back().battery = battery;
    gun = g.Gun(kRed, "foot_gun", "E9", battery);
    g.Unit(kBlue, "line_infantry", 4, "A1");
  }
  void Burn(std::string_view square) {
    g.Start();
    ASSERT_EQ(g.Shoot(gun, ShotKind::kField, square), "");
    ASSERT_EQ(g.Lands(18, 2, {}, {}, {{g.At(square), 0}}), "");
    ASSERT_EQ(g.Dice({1, 4}), "");
  }
};

TEST(NapoleonicCorners, AUnitDrivenOffTheBoardByFireStillCounts) {  // NAP-6D, NAP-10
  OnFire f("E1");
  f.Burn("E1");
  EXPECT_EQ(f.g.Where(f.line), "off");
  EXPECT_EQ(f.g.WhereIs(f.own), "off");
  EXPECT_EQ(PointsOf(f.g.s, kBlue), 24 + 6);
}

TEST(NapoleonicCorners, ABurningSquareDestroysWhoHasNoWayOut) {  // NAP-6D, NAP-5G
  OnFire f("E5");
  for (const char* square : {"D5", "D4", "E4", "F4", "F5"})
    f.g.Unit(kRed, "line_infantry", 4, square);
  f.Burn("E5");
  EXPECT_EQ(f.g.Where(f.line), "gone");
  EXPECT_EQ(f.g.WhereIs(f.own), "gone");
}

TEST(NapoleonicCorners, ACommanderAloneWithAGunTakesItAlong) {  // NAP-5G
  Game g;
  const PieceNo general = g.Unit(kBlue, "division_commander", 1, "E4");
  const PieceNo gun = g.Gun(kBlue, "horse_gun", "E4", -1, true);
  g.Unit(kRed, "line_infantry", 4, "E5");
  g.Unit(kBlue, "line_infantry", 4, "A1");
  g.Start();
  g.To(Step::kMovement);
  ASSERT_EQ(g.MoveUnit(general, "E5", {gun}), "") << g.because;
  g.To(Step::kMelee);
  ASSERT_EQ(g.Cards("E5", Card::kWithdrawal, Card::kSquare), "");
  EXPECT_EQ(g.Where(general), "E3");
  EXPECT_EQ(g.WhereIs(gun), "E3");
}

TEST(NapoleonicCorners, TheFirerPicksWhichStandsCanisterRemoves) {  // NAP-3H, NAP-4E
  Game g;
  g.FootBattery(kBlue, "E4");
  const PieceNo line = g.Unit(kRed, "line_infantry", 4, "E5");
  const PieceNo crew = g.Unit(kRed, "foot_crew", 3, "E5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  ASSERT_EQ(g.Shoot(0, ShotKind::kField, "E5", /*canister=*/true), "") << g.because;
  ASSERT_EQ(g.Dice({1, 2, 6}), "");
  ASSERT_EQ(g.s.ask.kind, PendingInput::kCanisterStands);
  const PieceNo third = g.Stand(line, 2);
  const PieceNo last = g.Stand(crew, 2);
  ASSERT_EQ(g.Do(ChooseStands{{third, last}}), "") << g.because;
  EXPECT_FALSE(OnBoard(g.s.StandAt(third)));
  EXPECT_FALSE(OnBoard(g.s.StandAt(last)));
  EXPECT_EQ(g.Left(line), 3);
  EXPECT_EQ(g.Left(crew), 2);
}

TEST(NapoleonicCorners, EndedCanisterSparesADetachmentThatOnlyPassed) {  // NAP-3H, NAP-2B
  HeldGun h;
  h.g.setup.settings.held_if_passed = false;
  const PieceNo light = h.g.Unit(kRed, "light_cavalry", 3, "E7");
  h.g.Unit(kBlue, "line_infantry", 4, "A1");
  h.Hold();
  const auto stands = h.g.Stands(light);
  ASSERT_EQ(h.g.MoveStands({stands[0], stands[1]}, "E6 E5 D6"), "");
  ASSERT_EQ(h.g.MoveStands({stands[2]}, "E6 E5"), "");
  h.g.To(Step::kHeldCanister);
  ASSERT_EQ(h.g.Do(FireHeld{kBlue, h.gun, h.g.At("E5"), light}), "") << h.g.because;
  ASSERT_EQ(h.g.Dice({1, 1, 2}), "");
  EXPECT_EQ(h.g.Stands(light), (std::vector<PieceNo>{stands[0], stands[1]}));
}

// Red's crew brings its gun along into the contact square, and canister removes all who came.
TEST(NapoleonicCorners, WhatAWipedOutAttackBroughtIsTaken) {  // NAP-3H, NAP-5H
  HeldGun h;
  const PieceNo crew = h.g.Unit(kRed, "foot_crew", 2, "E6");
  const PieceNo brought = h.g.Gun(kRed, "foot_gun", "E6", -1, /*limbered=*/true);
  h.g.Unit(kRed, "line_infantry", 4, "L12");
  h.Hold();
  ASSERT_EQ(h.g.MoveUnit(crew, "E5 E4", {brought}), "") << h.g.because;
  h.g.To(Step::kHeldCanister);
  ASSERT_EQ(h.g.Do(FireHeld{kBlue, h.gun, h.g.At("E5"), crew}), "") << h.g.because;
  ASSERT_EQ(h.g.Dice({1, 2, 6}), "");
  EXPECT_EQ(h.g.Where(crew), "gone");
  EXPECT_EQ(h.g.s.step, Step::kEnd);  // without a melee
  EXPECT_EQ(h.g.WhereIs(brought), "E4");
  EXPECT_EQ(h.g.s.EquipmentAt(brought).owner, kBlue);
}

TEST(NapoleonicCorners, TheAttackerAimsAGunThatIsLostInTheStep) {  // NAP-3A, NAP-2G
  Game g;
  const PieceNo blue = g.Gun(kBlue, "foot_gun", "E3", -1, /*limbered=*/true);
  g.setup.equipment.back().facing = W;
  const PieceNo crew = g.Unit(kBlue, "foot_crew", 2, "E3");
  const PieceNo red = g.Gun(kRed, "horse_gun", "E8");
  g.Unit(kRed, "mounted_crew", 2, "E8");
  g.Start();
  ASSERT_EQ(g.Shoot(red, ShotKind::kHorse, "E3"), "");
  ASSERT_EQ(g.Lands(18, 10, {{g.Stand(crew), 300, 0}}, {{blue, 0, 0}}), "");
  ASSERT_EQ(g.WhereIs(blue), "gone");
  EXPECT_EQ(g.Shoot(blue, ShotKind::kField, "E8"), "NAP-3B");
  EXPECT_EQ(g.Do(Limber{kBlue, blue, false}), "") << g.because;
  EXPECT_EQ(g.Do(TurnEquipment{kBlue, blue, N}), "") << g.because;
  EXPECT_EQ(g.Shoot(blue, ShotKind::kField, "E8"), "") << g.because;
  ASSERT_EQ(g.Lands(1, 1, {}), "");
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Do(TurnEquipment{kBlue, blue, E}), "NAP-2G");
  // The defender may no more aim a lost gun than any other.
  Game other;
  const PieceNo gun = other.Gun(kRed, "foot_gun", "E8", -1, /*limbered=*/true);
  other.Unit(kRed, "foot_crew", 2, "E8");
  const PieceNo shooter = other.Gun(kBlue, "horse_gun", "E3");
  other.Unit(kBlue, "mounted_crew", 2, "E3");
  other.Start();
  ASSERT_EQ(other.Shoot(shooter, ShotKind::kHorse, "E8"), "");
  ASSERT_EQ(other.Lands(18, 30, {}, {{gun, 0, 0}}), "");
  EXPECT_EQ(other.Do(Limber{kRed, gun, false}), "NAP-2G");
}

TEST(NapoleonicCorners, ABurntBridgeMayLeaveWaterForShots) {  // NAP-6D, NAP-3F
  for (const bool normal : {true, false}) {
    Game g;
    g.setup.settings.burnt_bridge_normal = normal;
    g.Terrain("E6").water = g.Terrain("E6").bridge = true;
    const PieceNo gun = g.Gun(kBlue, "foot_gun", "E2");
    g.Unit(kBlue, "foot_crew", 2, "E2");
    const PieceNo red = g.Unit(kRed, "line_infantry", 4, "E7");
    g.Start();
    ApplyTo(g.s, BurntUp{g.At("E6")});
    ASSERT_EQ(g.Shoot(gun, ShotKind::kField, "E6"), "");
    const auto landing = ParseAction(g.s, "lands 18 23.5 stand R2#1 0.6");
    ASSERT_TRUE(landing.ok()) << landing.error().message;
    ASSERT_EQ(g.Do(landing->what), "");
    EXPECT_EQ(g.Left(red), normal ? 3 : 4);
  }
}

TEST(NapoleonicCorners, AgreedDiceCiteTheAgreement) {  // NAP-6B
  Game g;
  g.Terrain("D6").extra_dice = 2;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "D4");
  g.Unit(kRed, "line_infantry", 4, "D6");
  g.Start();
  const auto items = VolleyDice(g.s, line, 0, 4, g.At("D6"));
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items.back().clause, "NAP-6B");
}

// Stands of one Square that fire into a wood from two distances are still one unit.
TEST(NapoleonicCorners, AWoodTakesOneDieFromAWholeSquare) {  // NAP-6A, NAP-8B
  Game g;
  g.setup.first_attacker = kBlue;
  g.Wood("E8");
  const PieceNo a = g.Unit(kBlue, "guards_infantry", 4, "E6");
  const PieceNo b = g.Unit(kBlue, "guards_infantry", 4, "F6");
  g.Unit(kRed, "line_infantry", 4, "E8");
  g.setup.settings.square_form_from = 2;
  g.Start();
  g.To(Step::kMovement);
  const auto s = g.Stands(a);
  const auto t = g.Stands(b);
  ASSERT_EQ(g.Do(FormSquare{kBlue,
                            g.At("E6"),
                            2,
                            2,
                            {a, b},
                            {{s[0], g.At("E7"), N},
                             {s[1], g.At("E7"), W},
                             {s[2], g.At("F7"), N},
                             {s[3], g.At("F7"), E},
                             {t[0], g.At("E6"), S},
                             {t[1], g.At("E6"), W},
                             {t[2], g.At("F6"), S},
                             {t[3], g.At("F6"), E}}}),
            "")
      << g.because;
  g.NextTurn();
  g.To(Step::kMusketry);
  ASSERT_EQ(g.Fire(a, "E8"), "") << g.because;
  EXPECT_EQ(g.s.volleys.back().dice, 1);  // 1 + guards - wood
  ASSERT_EQ(g.Fire(a, "E8"), "") << g.because;
  EXPECT_EQ(g.s.volleys.back().dice, 1);  // the stand at 1.5
}

// The clause of the first event of this kind since the last line, as of the state it led to.
template <typename T>
std::string ClauseIn(State before, const std::vector<Event>& events) {
  for (const Event& event : events) {
    ApplyTo(before, event);
    if (std::holds_alternative<T>(event)) return ClauseOf(before, event);
  }
  return "none";
}

TEST(NapoleonicCorners, AFailedWithdrawalFallsBackAsABeatenSide) {  // NAP-5D, NAP-5G
  for (const Card blue : {Card::kLine, Card::kPincers}) {
    Game g;
    const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E4");
    g.Unit(kRed, "line_cavalry", 3, "E5");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    ASSERT_EQ(g.MoveUnit(line, "E5"), "");
    g.To(Step::kMelee);
    g.NoMoreSupports();
    ASSERT_EQ(g.Do(PlayCard{kBlue, g.At("E5"), blue}), "");
    const State before = g.s;
    ASSERT_EQ(g.Do(PlayCard{kRed, g.At("E5"), Card::kWithdrawal}), "");
    ASSERT_FALSE(g.s.Waiting());
    EXPECT_EQ(ClauseIn<Moved>(before, g.events), blue == Card::kLine ? "NAP-5D" : "NAP-5G");
  }
}

TEST(NapoleonicCorners, WhoCannotGoHomeIsLostByItsOwnClause) {  // NAP-9, NAP-6D
  Game g;
  const PieceNo one = g.Unit(kBlue, "line_infantry", 1, "E5");
  g.Unit(kBlue, "line_infantry", 4, "A1");
  for (const char* square : {"D5", "D4", "E4", "F4", "F5"})
    g.Unit(kRed, "line_infantry", 4, square);
  g.Start();
  g.To(Step::kMusketry);
  g.Done(kBlue);
  const State before = g.s;
  g.Done(kRed);
  EXPECT_EQ(g.Where(one), "gone");
  EXPECT_EQ(ClauseIn<StandLost>(before, g.events), "NAP-9");
}

// Two halves of one light cavalry unit enter two squares, and both are driven out.
TEST(NapoleonicCorners, EachDetachmentFallsBackFromItsOwnMelee) {  // NAP-2B, NAP-5D
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_cavalry", 4, "F3");
  g.Unit(kRed, "line_infantry", 4, "E5");
  g.Unit(kRed, "line_infantry", 4, "G5");
  g.Start();
  g.To(Step::kMovement);
  const auto s = g.Stands(light);
  ASSERT_EQ(g.MoveStands({s[0], s[1]}, "E4 E5"), "") << g.because;
  ASSERT_EQ(g.MoveStands({s[2], s[3]}, "G4 G5"), "") << g.because;
  g.To(Step::kMelee);
  ASSERT_EQ(g.Cards("E5", Card::kWithdrawal, Card::kLine), "");
  ASSERT_EQ(g.Cards("G5", Card::kWithdrawal, Card::kLine), "");
  EXPECT_EQ(StandsIn(g.s, kBlue, g.At("G3")), (std::vector<PieceNo>{s[0], s[1]}));
  EXPECT_EQ(StandsIn(g.s, kBlue, g.At("E3")), (std::vector<PieceNo>{s[2], s[3]}));
}

TEST(NapoleonicCorners, ARejoinedUnitFacesOneWay) {  // NAP-2B, NAP-2G
  for (const bool stated : {false, true}) {
    Game g;
    const PieceNo light = g.Unit(kBlue, "light_infantry", 3, "E5");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    const auto s = g.Stands(light);
    const Move away{kBlue, {s[1], s[2]}, {}, g.Path("F5"), E};
    ASSERT_EQ(g.Do(away), "");
    g.NextTurn();
    g.NextTurn();
    g.To(Step::kMovement);
    Move back{kBlue, {s[0]}, {}, g.Path("F5"), {}};
    if (stated) back.facing = S;
    ASSERT_EQ(g.Do(back), "");
    for (const PieceNo i : s) EXPECT_EQ(g.s.StandAt(i).facing, stated ? S : E);
  }
}

// Both halves of a light cavalry unit pass E5, and go on to two squares.
TEST(NapoleonicCorners, HeldCanisterHitsOneOfTwoDetachments) {  // NAP-3H, NAP-2B
  HeldGun h;
  const PieceNo light = h.g.Unit(kRed, "light_cavalry", 4, "E7");
  h.g.Unit(kBlue, "line_infantry", 4, "A1");
  h.Hold();
  const auto s = h.g.Stands(light);
  ASSERT_EQ(h.g.MoveStands({s[0], s[1]}, "E6 E5 D6"), "");
  ASSERT_EQ(h.g.MoveStands({s[2], s[3]}, "E6 E5 F6"), "");
  h.g.To(Step::kHeldCanister);
  ASSERT_EQ(h.g.Do(FireHeld{kBlue, h.gun, h.g.At("E5"), light}), "") << h.g.because;
  ASSERT_EQ(h.g.Dice({1, 1, 2}), "");
  ASSERT_EQ(h.g.s.ask.kind, PendingInput::kCanisterStands);
  EXPECT_EQ(LegalActions(h.g.s, kBlue).size(), 2u);
  EXPECT_EQ(h.g.Do(ChooseStands{{s[1], s[2], s[3]}}), "NAP-4E");
  EXPECT_EQ(h.g.Do(ChooseStands{{s[2]}}), "NAP-4E");
  EXPECT_EQ(h.g.Do(ChooseStands{}), "NAP-4E");
  EXPECT_EQ(h.g.Do(ChooseStands{{s[2], s[3]}}), "") << h.g.because;  // the third hit is lost
  EXPECT_EQ(h.g.Stands(light), (std::vector<PieceNo>{s[0], s[1]}));
}

}  // namespace
}  // namespace fos::napoleonic::test
