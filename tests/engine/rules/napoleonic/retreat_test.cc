// SPDX-License-Identifier: MIT
#include <functional>

#include <gtest/gtest.h>

#include "engine/rules/napoleonic/melee.h"
#include "engine/rules/napoleonic/retreat.h"
#include "tests/support/napoleonic_game.h"

// Worked examples EX-5G, EX-5H, EX-9 and EX-10 of the catalogue.
namespace fos::napoleonic::test {
namespace {

// Where a unit ends that falls back two squares from `from`, with enemies and friends in these
// squares.
std::string EndsAt(int side, std::string_view from, const std::vector<std::string>& enemies,
                   const std::vector<std::string>& friends = {},
                   const std::function<void(Settings&)>& change = {}) {
  Game g;
  if (change) change(g.setup.settings);
  const PieceNo unit = g.Unit(side, "line_infantry", 4, from);
  for (const auto& square : enemies) g.Unit(1 - side, "line_infantry", 4, square);
  for (const auto& square : friends) g.Unit(side, "line_infantry", 4, square);
  g.Unit(1 - side, "line_infantry", 4, "L6");
  g.Start();
  Retreat retreat;
  retreat.side = static_cast<std::int8_t>(side);
  retreat.direction = g.setup.sides[static_cast<std::size_t>(side)].home;
  retreat.steps = 2;
  retreat.stands = g.Stands(unit);
  const auto ways = RetreatWays(g.s, retreat);
  std::string out;
  for (const auto& path : ways.paths) {
    if (!out.empty()) out += " or ";
    for (std::size_t n = 0; n < path.size(); ++n) {
      if (n > 0) out += ' ';
      out.append(path[n] == kNowhere ? "off" : CellName(g.s, path[n]));
    }
  }
  return out;
}

TEST(NapoleonicRetreat, TheDefenderRetreatsStraightHome) {  // EX-5G.1
  EXPECT_EQ(EndsAt(kRed, "E5", {}), "E6 E7");
}

// Blue moves from `start` along `path` into E5, is beaten and falls back.
std::string BackFrom(std::string_view start, std::string_view path, bool last_step = false) {
  Game g;
  g.setup.settings.origin_is_turn_start = !last_step;
  const PieceNo blue = g.Unit(kBlue, "guards_cavalry", 4, start);
  g.Unit(kRed, "guards_cavalry", 4, "E5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(blue, path), "") << g.because;
  g.To(Step::kMelee);
  EXPECT_EQ(g.Cards("E5", Card::kWithdrawal, Card::kLine), "");
  return g.Where(blue);
}

TEST(NapoleonicRetreat, TheAttackerRetreatsTheWayHeCame) {  // EX-5G.2
  EXPECT_EQ(BackFrom("D2", "D3 D4 E5"), "E3");
  EXPECT_EQ(BackFrom("C3", "D4 E5"), "C3");
  EXPECT_EQ(BackFrom("B4", "C4 D4 E5"), "C5");
  EXPECT_EQ(BackFrom("D2", "D3 D4 E5", /*last_step=*/true), "C3");  // SW, SW from E5
}

TEST(NapoleonicRetreat, AvoidingAnEnemyTurnsClockwise) {  // EX-5G.3
  EXPECT_EQ(EndsAt(kBlue, "E5", {"E4"}), "D4 D3 or F4 F3");
}

TEST(NapoleonicRetreat, TheSmallerDeviationComesFirst) {  // EX-5G.4
  EXPECT_EQ(EndsAt(kBlue, "E5", {"E3"}), "E4 D3 or E4 F3");
}

TEST(NapoleonicRetreat, DeviatesByNinetyDegreesIfNecessary) {  // EX-5G.5
  EXPECT_EQ(EndsAt(kBlue, "E5", {"D4", "E4", "F4"}), "D5 C4 or F5 G4");
  EXPECT_EQ(
      EndsAt(kBlue, "E5", {"D4", "E4", "F4"}, {}, [](Settings& s) { s.retreat_max_turns = 1; }),
      "");
}

TEST(NapoleonicRetreat, AUnitWithoutARetreatIsDestroyed) {  // EX-5G.6
  EXPECT_EQ(EndsAt(kBlue, "E5", {"D5", "D4", "E4", "F4", "F5"}), "");
  Game g;
  g.setup.first_attacker = kRed;
  const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "E5");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "E6");
  for (const char* square : {"D5", "D4", "E4", "F4", "F5"})
    g.Unit(kRed, "line_infantry", 4, square);
  g.Unit(kBlue, "line_infantry", 4, "A1");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(red, "E5"), "");
  g.To(Step::kMelee);
  EXPECT_EQ(g.Cards("E5", Card::kLine, Card::kWithdrawal), "");
  EXPECT_EQ(g.Where(blue), "gone");
}

TEST(NapoleonicRetreat, ARetreatMayLeaveTheBoard) {  // EX-5G.7
  EXPECT_EQ(EndsAt(kBlue, "E2", {}), "E1 off");
}

TEST(NapoleonicRetreat, ARetreatDoesNotEndOnAFriend) {  // EX-5G.8
  EXPECT_EQ(EndsAt(kBlue, "E5", {}, {"E3"}), "E4 D3 or E4 F3");
  // Friends may be passed. If every end square is taken, the retreat gets longer.
  EXPECT_EQ(EndsAt(kBlue, "E5", {}, {"E4"}), "E4 E3");
  const std::vector<std::string> wall = {"C3", "D3", "E3", "F3", "G3", "C4",
                                         "D4", "E4", "F4", "G4", "C5", "G5"};
  EXPECT_EQ(EndsAt(kBlue, "E5", {}, wall), "E4 E3 E2");
  EXPECT_EQ(EndsAt(kBlue, "E5", {}, wall, [](Settings& s) { s.retreat_extends = false; }), "");
}

TEST(NapoleonicRetreat, TheOwnerMayChooseBetweenEqualWays) {  // NAP-5G, DEF-13
  Game g;
  g.setup.settings.retreat_owner_choice = true;
  g.setup.first_attacker = kRed;
  const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "E5");
  g.Unit(kBlue, "line_infantry", 4, "A1");
  g.Unit(kRed, "line_infantry", 4, "E4");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "E6");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(red, "E5"), "");
  g.To(Step::kMelee);
  EXPECT_EQ(g.Cards("E5", Card::kLine, Card::kWithdrawal), "");
  EXPECT_EQ(g.s.ask.kind, PendingInput::kRetreatSquare);
  EXPECT_EQ(g.Do(ChooseRetreat{g.At("E3")}), "NAP-5G");
  EXPECT_EQ(g.Do(ChooseRetreat{g.At("F3")}), "");
  EXPECT_EQ(g.Where(blue), "F3");
}

TEST(NapoleonicRetreat, TheRearMayBeTheUnitsOwn) {  // NAP-5G
  Game g;
  g.setup.settings.rear_is_home_edge = false;
  const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "E4");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "E5", W);
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(blue, "E5"), "");
  g.To(Step::kMelee);
  EXPECT_EQ(g.Cards("E5", Card::kLine, Card::kWithdrawal), "");
  EXPECT_EQ(g.Where(red), "G5");
}

// ---- equipment --------------------------------------------------------------------------------

// Blue guards cavalry charges a complete Red battery in E5.
struct Battery {
  Game g;
  PieceNo cavalry, crew, mounted;
  explicit Battery(int foot_crew = 4) {
    cavalry = g.Unit(kBlue, "guards_cavalry", 4, "E4");
    crew = g.FootBattery(kRed, "E5");
    mounted = static_cast<PieceNo>(crew + 1);
    g.setup.units[static_cast<std::size_t>(crew)].stands = foot_crew;
    if (foot_crew == 1) g.setup.units[static_cast<std::size_t>(mounted)].cell = g.At("H12");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.MoveUnit(cavalry, "E5"), "");
    g.To(Step::kMelee);
  }
  bool BlueOwnsAll() const {
    return g.s.equipment[0].owner == kBlue && g.s.equipment[1].owner == kBlue &&
           g.s.equipment[2].owner == kBlue;
  }
};

TEST(NapoleonicRetreat, TheSuperiorCaptures) {  // EX-5H.1
  Battery b;
  EXPECT_EQ(b.g.Cards("E5", Card::kColumn, Card::kFlanking), "");
  EXPECT_EQ(b.g.Left(b.crew) + b.g.Left(b.mounted), 0);
  EXPECT_EQ(b.g.Left(b.cavalry), 3);
  EXPECT_TRUE(b.BlueOwnsAll());
}

TEST(NapoleonicRetreat, TheDestroyedSuperiorLosesHisGuns) {  // EX-5H.2
  Battery b;
  EXPECT_EQ(b.g.Cards("E5", Card::kFlanking, Card::kColumn), "");
  EXPECT_EQ(b.g.Left(b.cavalry), 3);
  EXPECT_EQ(b.g.Left(b.crew) + b.g.Left(b.mounted), 0);
  EXPECT_TRUE(b.BlueOwnsAll());
}

TEST(NapoleonicRetreat, AWithdrawalTakesTheBatteryAlong) {  // EX-5H.3
  Battery b(1);
  EXPECT_EQ(b.g.Cards("E5", Card::kLine, Card::kWithdrawal), "");
  EXPECT_EQ(b.g.Where(b.crew), "E7");
  for (PieceNo i = 0; i < 3; ++i) EXPECT_EQ(b.g.WhereIs(i), "E7");
  EXPECT_EQ(b.g.s.equipment[0].owner, kRed);
}

TEST(NapoleonicRetreat, ARetreatingSuperiorCarriesOrLeaves) {  // NAP-5H
  for (const bool carries : {true, false}) {
    Game g;
    g.setup.settings.superior_carries = carries;
    const PieceNo blue = g.Unit(kBlue, "line_cavalry", 3, "E4");
    g.Unit(kRed, "guards_infantry", 4, "E5");
    const PieceNo gun = g.Gun(kRed, "foot_gun", "E5");
    const PieceNo line = g.Unit(kRed, "line_infantry", 4, "D5", N);
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.MoveUnit(blue, "E5"), "");
    g.To(Step::kMelee);
    g.Done(kBlue);
    EXPECT_EQ(g.Back(line, "E5"), "");
    EXPECT_EQ(g.Cards("E5", Card::kFlanking, Card::kLine), "");  // EX-5C.4
    EXPECT_EQ(g.Where(blue), "E3");
    EXPECT_EQ(g.WhereIs(gun), carries ? "E3" : "E5");
    EXPECT_EQ(g.s.EquipmentAt(gun).owner, carries ? kBlue : kRed);
  }
}

TEST(NapoleonicRetreat, AnEqualMeleeKeepsEquipment) {  // NAP-5H
  for (const bool keep : {true, false}) {
    Game g;
    g.setup.settings.equal_keeps_own = keep;
    const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "E4");
    g.Unit(kRed, "line_infantry", 4, "E5");
    const PieceNo gun = g.Gun(kRed, "foot_gun", "E5");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.MoveUnit(blue, "E5"), "");
    g.To(Step::kMelee);
    EXPECT_EQ(g.Cards("E5", Card::kLine, Card::kLine), "");
    EXPECT_EQ(g.Where(blue), "E3");
    EXPECT_EQ(g.WhereIs(gun), keep ? "E7" : "E5");
    EXPECT_EQ(g.s.EquipmentAt(gun).owner, keep ? kRed : kNobody);
  }
}

TEST(NapoleonicRetreat, EnteringASquareTakesUnmannedGuns) {  // NAP-5A, NAP-5H
  Game g;
  const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "E4");
  const PieceNo gun = g.Gun(kRed, "foot_gun", "E5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(blue, "E5"), "");
  EXPECT_EQ(g.s.EquipmentAt(gun).owner, kBlue);
  g.To(Step::kEnd);  // without a melee
}

// ---- down to one stand ------------------------------------------------------------------------

TEST(NapoleonicRetreat, OneLineStandGoesHome) {  // EX-9.1
  Game g;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 1, "E5");
  g.Unit(kBlue, "line_infantry", 4, "A1");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.Where(line), "E3");
  EXPECT_EQ(g.MoveUnit(line, "E4"), "NAP-9");  // it may only go home
  g.NextTurn();
  g.To(Step::kMovement);  // Red's turn: it stays
  EXPECT_EQ(g.Where(line), "E3");
  g.NextTurn();
  g.To(Step::kMovement);
  EXPECT_EQ(g.Where(line), "E1");
  g.NextTurn();
  g.NextTurn();
  g.To(Step::kMovement);
  EXPECT_EQ(g.Where(line), "off");
}

TEST(NapoleonicRetreat, OneCavalryStandRidesFourSquares) {  // EX-9.2
  for (const bool exempt : {false, true}) {
    Game g;
    g.setup.settings.all_cavalry_exempt = exempt;
    const PieceNo cavalry = g.Unit(kBlue, "line_cavalry", 1, "E5");
    g.Unit(kBlue, "line_infantry", 4, "A1");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Where(cavalry), exempt ? "E5" : "E1");
  }
}

TEST(NapoleonicRetreat, OneGuardsStandIsFreeButMayNotAttack) {  // EX-9.3
  Game g;
  const PieceNo guards = g.Unit(kBlue, "guards_infantry", 1, "E5");
  g.Unit(kRed, "line_infantry", 4, "E7");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.Where(guards), "E5");
  EXPECT_EQ(g.MoveUnit(guards, "E6 E7"), "NAP-5B");
  EXPECT_EQ(g.MoveUnit(guards, "E6"), "");
}

TEST(NapoleonicRetreat, AllArtilleryIsOneUnit) {  // EX-9.4
  for (const bool by_side : {true, false}) {
    Game g;
    g.setup.settings.artillery_by_side = by_side;
    const int first = g.Battery(kBlue);
    const PieceNo a = g.Unit(kBlue, "foot_crew", 1, "E5");
    g.setup.units.back().battery = first;
    const PieceNo gun = g.Gun(kBlue, "foot_gun", "E5", first);
    const int second = g.Battery(kBlue);
    const PieceNo b = g.Unit(kBlue, "foot_crew", 1, "G5");
    g.setup.units.back().battery = second;
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Where(a), by_side ? "E5" : "E3");
    ApplyTo(g.s, StandLost{g.Stand(b), LossCause::kShot});
    g.NextTurn();
    g.NextTurn();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Where(a), by_side ? "E3" : "E1");
    EXPECT_EQ(g.WhereIs(gun), by_side ? "E3" : "E1");  // the last crew takes a gun along
    EXPECT_TRUE(g.s.EquipmentAt(gun).limbered);
  }
}

TEST(NapoleonicRetreat, ACommanderDoesNotPreventTheRetreatOfOneStand) {  // NAP-9
  for (const bool exempts : {false, true}) {
    Game g;
    g.setup.settings.commander_exempts = exempts;
    const PieceNo line = g.Unit(kBlue, "line_infantry", 1, "E5");
    g.Unit(kBlue, "division_commander", 1, "E5");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Where(line), exempts ? "E5" : "E3");
  }
  for (const bool destroyed : {true, false}) {
    Game g;
    g.setup.settings.cut_off_destroyed = destroyed;
    const PieceNo line = g.Unit(kBlue, "line_infantry", 1, "E5");
    g.Unit(kBlue, "line_infantry", 4, "A1");
    for (const char* square : {"D5", "D4", "E4", "F4", "F5"})
      g.Unit(kRed, "line_infantry", 4, square);
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Where(line), destroyed ? "gone" : "E5");
    if (!destroyed) {
      EXPECT_EQ(g.MoveUnit(line, "E6"), "NAP-9");
    }
  }
}

TEST(NapoleonicRetreat, OffTheBoardStillCounts) {  // EX-10.1
  Game g;
  g.setup.first_attacker = kRed;
  const PieceNo cavalry = g.Unit(kBlue, "light_cavalry", 2, "E2");
  const PieceNo red = g.Unit(kRed, "line_cavalry", 3, "E3");
  g.Unit(kBlue, "line_infantry", 4, "A1");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(red, "E2"), "");
  g.To(Step::kMelee);
  EXPECT_EQ(g.Cards("E2", Card::kSquare, Card::kWithdrawal), "");
  EXPECT_EQ(g.Where(cavalry), "off");
  EXPECT_EQ(PointsOf(g.s, kBlue), 10 + 12);
}

TEST(NapoleonicRetreat, TheUnitsDirectionCountsNotItsCompanions) {  // NAP-5G
  // Two line cavalry stands came from E4, a commander and two crew stands from D4 and C5.
  Game g;
  const PieceNo cavalry = g.Unit(kBlue, "line_cavalry", 2, "E2");
  const PieceNo commander = g.Unit(kBlue, "division_commander", 1, "C5");
  const PieceNo crew = g.Unit(kBlue, "mounted_crew", 3, "C5");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "E5");
  g.Unit(kBlue, "line_infantry", 4, "A1");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(cavalry, "E3 E4 E5"), "") << g.because;
  EXPECT_EQ(g.MoveUnit(commander, "D5 E5"), "") << g.because;
  EXPECT_EQ(g.MoveUnit(crew, "D5 E5"), "") << g.because;
  std::vector<PieceNo> all = StandsIn(g.s, kBlue, g.At("E5"));
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(sweet::GroupRetreatDirection(g.s, kBlue, all), S);
  EXPECT_GT(g.Left(red), 0);
}

}  // namespace
}  // namespace fos::napoleonic::test
