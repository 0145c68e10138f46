// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "engine/rules/napoleonic/legal.h"
#include "engine/rules/napoleonic/melee.h"
#include "tests/support/napoleonic_game.h"

// Worked examples EX-5A to EX-5F, EX-5I, EX-6A (melee), EX-6B, EX-7 and EX-MDI of the catalogue.
namespace fos::napoleonic::test {
namespace {

constexpr Card kLine = Card::kLine, kColumn = Card::kColumn, kSquare = Card::kSquare,
               kFlanking = Card::kFlanking, kPincers = Card::kPincers,
               kWithdrawal = Card::kWithdrawal;

// Blue's `attacker` in E4 enters E5, which Red's `defender` holds.
struct Clash {
  Game g;
  PieceNo blue = 0, red = 0;
  Clash(std::string_view attacker, int attackers, std::string_view defender, int defenders) {
    blue = g.Unit(kBlue, attacker, attackers, "E4");
    red = g.Unit(kRed, defender, defenders, "E5");
  }
  // Other pieces are placed in between.
  void Meet() {
    g.Unit(kBlue, "line_infantry", 4, "A1");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    ASSERT_EQ(g.MoveUnit(blue, "E5"), "") << g.because;
    g.To(Step::kMelee);
  }
};

TEST(NapoleonicMelee, ATurnOfFortyFiveDegreesBringsSupport) {  // EX-5A.1
  Clash c("line_infantry", 4, "line_infantry", 4);
  const PieceNo support = c.g.Unit(kRed, "line_infantry", 4, "D6", W);
  c.Meet();
  EXPECT_EQ(c.g.Back(support, "E5"), "NAP-5A");  // the attacker declares first
  EXPECT_EQ(c.g.Done(kBlue), "");
  EXPECT_EQ(c.g.Back(support, "E5"), "");
}

// May this Red unit next to E5 support what Red has there?
std::string MaySupport(std::string_view type, std::string_view square, Facing facing,
                       std::string_view contact_type, bool wheel_limit = true,
                       bool directional = true) {
  Clash c("line_infantry", 4, contact_type, 4);
  c.g.setup.settings.cavalry_wheel_limit = wheel_limit;
  c.g.setup.settings.directional_support = directional;
  const PieceNo unit = c.g.Unit(kRed, type, type == "division_commander" ? 1 : 3, square, facing);
  c.Meet();
  c.g.Done(kBlue);
  return c.g.Back(unit, "E5");
}

TEST(NapoleonicMelee, DefendingCavalryMayNotWheelForInfantry) {  // EX-5A.2
  EXPECT_EQ(MaySupport("line_cavalry", "D5", N, "line_infantry"), "");
  EXPECT_EQ(MaySupport("line_cavalry", "D5", NE, "line_infantry"), "NAP-5A");
  EXPECT_EQ(MaySupport("line_cavalry", "D5", NE, "line_cavalry"), "");
  EXPECT_EQ(MaySupport("line_cavalry", "D5", NE, "line_infantry", /*wheel_limit=*/false), "");
  // yes_no: the contact square must lie within 45 degrees of the facing.
  EXPECT_EQ(MaySupport("line_cavalry", "D5", NE, "line_infantry", true, false), "");
  EXPECT_EQ(MaySupport("line_cavalry", "D5", N, "line_infantry", true, false), "NAP-5A");
}

TEST(NapoleonicMelee, LightCavalryMayNotSupportFromBehindItself) {  // EX-5A.3
  EXPECT_EQ(MaySupport("light_cavalry", "E6", N, "line_infantry"), "NAP-5A");
  EXPECT_EQ(MaySupport("light_cavalry", "E6", NE, "line_infantry"), "");
}

TEST(NapoleonicMelee, AUnitFightsOneMeleeATurn) {  // EX-5A.4
  Game g;
  const PieceNo a = g.Unit(kBlue, "line_infantry", 4, "D3");
  const PieceNo b = g.Unit(kBlue, "line_infantry", 4, "E4");
  g.Unit(kRed, "line_infantry", 4, "D4");
  g.Unit(kRed, "line_infantry", 4, "E5");
  const PieceNo support = g.Unit(kRed, "line_infantry", 4, "D5");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(a, "D4"), "");
  EXPECT_EQ(g.MoveUnit(b, "E5"), "");
  g.To(Step::kMelee);
  g.Done(kBlue);
  EXPECT_EQ(g.Back(support, "D4"), "");
  EXPECT_EQ(g.Back(support, "E5"), "NAP-5A");
  // Players cannot overrule that, even if they allow support from a distance.
  EXPECT_EQ(g.Do(Support{kRed, support, g.At("D5"), g.At("E5")}, true), "NAP-5A");
  EXPECT_EQ(g.s.StandAt(g.Stand(support)).melee, MeleeAt(g.s, g.At("D4")));
}

TEST(NapoleonicMelee, CrewsNeverSupport) {  // EX-5A.5
  EXPECT_EQ(MaySupport("foot_crew", "D6", S, "line_infantry"), "NAP-5A");
}

TEST(NapoleonicMelee, TheAttackerOrdersTheMelees) {  // NAP-2A
  Game g;
  const PieceNo a = g.Unit(kBlue, "line_infantry", 4, "C4");
  const PieceNo b = g.Unit(kBlue, "line_infantry", 4, "G4");
  const PieceNo helper = g.Unit(kBlue, "line_infantry", 2, "H5", W);
  g.Unit(kRed, "line_infantry", 4, "C5");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "G5");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.Do(OrderMelees{kBlue, {g.At("G5")}}), "NAP-2A");  // not yet
  EXPECT_EQ(g.MoveUnit(a, "C5"), "");
  EXPECT_EQ(g.MoveUnit(b, "G5"), "");
  g.To(Step::kMelee);
  EXPECT_EQ(g.s.melees.front().contact, g.At("C5"));  // in the order they were entered
  EXPECT_EQ(g.Back(helper, "G5"), "");
  EXPECT_EQ(g.Do(OrderMelees{kRed, {g.At("G5")}}), "NAP-2A");
  EXPECT_EQ(g.Do(OrderMelees{kBlue, {g.At("G6")}}), "NAP-2A");
  EXPECT_EQ(g.Do(OrderMelees{kBlue, {g.At("G5"), g.At("G5")}}), "NAP-2A");
  EXPECT_EQ(g.Do(OrderMelees{kBlue, {g.At("G5")}}), "");
  EXPECT_EQ(g.s.melees.front().contact, g.At("G5"));
  EXPECT_EQ(g.s.melees.back().contact, g.At("C5"));
  // Units already in a melee stay in it.
  for (const PieceNo unit : {b, helper, red}) EXPECT_EQ(g.s.StandAt(g.Stand(unit)).melee, 0);
  EXPECT_EQ(g.s.StandAt(g.Stand(a)).melee, 1);
  g.NoMoreSupports();
  EXPECT_EQ(g.Do(OrderMelees{kBlue, {g.At("C5")}}), "NAP-2A");  // too late
  EXPECT_EQ(g.Cards("G5", Card::kLine, Card::kLine), "");
}

TEST(NapoleonicMelee, EveryOrderIsListedOnce) {  // NAP-2A
  for (const int melees : {2, 3, 4, 5}) {
    Game g;
    std::vector<PieceNo> blue;
    const std::vector<std::string> columns = {"A", "C", "E", "G", "I"};
    for (std::size_t n = 0; n < static_cast<std::size_t>(melees); ++n) {
      blue.push_back(g.Unit(kBlue, "line_infantry", 4, columns[n] + "4"));
      g.Unit(kRed, "line_infantry", 4, columns[n] + "5");
    }
    g.Start();
    g.To(Step::kMovement);
    for (std::size_t n = 0; n < blue.size(); ++n)
      EXPECT_EQ(g.MoveUnit(blue[n], columns[n] + "5"), "");
    g.To(Step::kMelee);
    std::set<std::vector<Cell>> orders;
    std::size_t listed = 0;
    for (const Action& action : LegalActions(g.s, kBlue)) {
      if (!std::holds_alternative<OrderMelees>(action.what)) continue;
      ++listed;
      State after = g.s;
      std::vector<Event> events;
      EXPECT_FALSE(Play(after, action, events));
      std::vector<Cell> order;
      for (const Melee& melee : after.melees) order.push_back(melee.contact);
      orders.insert(order);
    }
    // With more than four melees, one is brought forward at a time.
    const std::vector<std::size_t> expected = {1, 5, 23, 4};
    EXPECT_EQ(listed, expected[static_cast<std::size_t>(melees - 2)]) << melees;
    EXPECT_EQ(orders.size(), listed) << melees;
  }
}

TEST(NapoleonicMelee, OneStandDoesNotAttack) {  // EX-5B.1
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_infantry", 1, "E4");
  g.Unit(kRed, "line_infantry", 4, "E5");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(light, "E5"), "NAP-5B");
}

TEST(NapoleonicMelee, ACommanderAloneMayAttack) {  // EX-5B.2
  Clash c("division_commander", 1, "line_infantry", 4);
  c.Meet();
  EXPECT_EQ(StrengthOf(c.g.s, 0, kBlue), 24);  // sixteenths: 1.5
}

TEST(NapoleonicMelee, OneStandMaySupport) {  // EX-5B.3
  Clash c("line_infantry", 4, "line_infantry", 4);
  const PieceNo one = c.g.Unit(kRed, "line_infantry", 1, "D6", S);
  c.Meet();
  c.g.Done(kBlue);
  EXPECT_EQ(c.g.Back(one, "E5"), "");
  EXPECT_EQ(StrengthOf(c.g.s, 0, kRed), 80);
}

// ---- the arithmetic of NAP-5C -----------------------------------------------------------------

// Points as sixteenths.
Sixteenths P(double points) { return static_cast<Sixteenths>(points * 16); }

CardResult ResultOf(const Tables& book, const Settings& ruling, Card attacker, Card defender) {
  return squares::ResultOf(book.cards, sweet::SumsRuling(ruling), attacker, defender);
}
BySide LossesOf(const Tables& book, const Settings& ruling, CardResult attacker_result,
                const BySide& totals, Sixteenths reduction) {
  return squares::LossesOf(book.melee, sweet::SumsRuling(ruling), attacker_result, totals, totals,
                           reduction);
}
MeleeOutcome OutcomeOf(const Tables& book, const Settings& ruling, CardResult attacker_result,
                       const BySide& before, const BySide& left) {
  return squares::OutcomeOf(book.melee, sweet::SumsRuling(ruling), attacker_result, before, left,
                            {left[0] > 0, left[1] > 0});
}

struct Row {
  double a, d;
  Card attacker, defender;
  double a_loses, d_loses;
  bool a_retreats, d_retreats, a_destroyed, d_destroyed;
};

TEST(NapoleonicMelee, TableOfWorkedResults) {  // NAP-5C
  const Row rows[] = {
      {8, 6, kLine, kLine, 3, 3, false, true, false, false},
      {14, 4, kColumn, kColumn, 2, 2, false, false, false, true},
      {4, 2, kLine, kLine, 1, 1, false, true, false, false},
      {4, 4, kSquare, kSquare, 2, 2, true, true, false, false},
      {8, 6, kLine, kColumn, 2.25, 4.5, false, false, false, true},
      {8, 6, kColumn, kLine, 3.5, 1.75, false, true, false, false},
      {3, 4, kColumn, kPincers, 1, 2, false, true, false, false},
      {4, 12, kFlanking, kLine, 1.25, 2.5, false, false, true, false},
      {2, 0.5, kColumn, kSquare, 0.5, 0.25, false, false, false, true},
      {12, 3, kPincers, kLine, 1.5, 3, false, false, false, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << row.a << " : " << row.d << " " << CardName(row.attacker)
                                    << "/" << CardName(row.defender));
    const BySide before{P(row.a), P(row.d)};
    const CardResult result = ResultOf(Book(), Rulings(), row.attacker, row.defender);
    const BySide losses = LossesOf(Book(), Rulings(), result, before, 0);
    EXPECT_EQ(losses, (BySide{P(row.a_loses), P(row.d_loses)}));
    const MeleeOutcome outcome = OutcomeOf(Book(), Rulings(), result, before,
                                           {before[0] - losses[0], before[1] - losses[1]});
    EXPECT_EQ(outcome.retreats, (std::array{row.a_retreats, row.d_retreats}));
    EXPECT_EQ(outcome.destroyed, (std::array{row.a_destroyed, row.d_destroyed}));
  }
}

TEST(NapoleonicMelee, FractionsMayBeWholeSteps) {  // NAP-5C
  Settings whole = Rulings();
  whole.whole_steps = true;
  EXPECT_EQ(LossesOf(Book(), whole, CardResult::kSuperior, {P(8), P(9)}, 0), (BySide{P(2), P(4)}));
  EXPECT_EQ(LossesOf(Book(), whole, CardResult::kSuperior, {P(0.5), P(9)}, 0), (BySide{0, 0}));
  EXPECT_EQ(LossesOf(Book(), whole, CardResult::kEqual, {P(3), P(9)}, 0), (BySide{P(1.5), P(1.5)}));
}

TEST(NapoleonicMelee, AnnihilationMayBeTestedBeforeLosses) {  // NAP-5C
  Settings early = Rulings();
  early.annihilation_after_losses = false;
  // 6 : 4 is not three times as strong; after losses 4 : 1 would be.
  EXPECT_TRUE(OutcomeOf(Book(), Rulings(), CardResult::kSuperior, {P(6), P(4)}, {P(4), P(1)})
                  .destroyed[kDefenders]);
  EXPECT_TRUE(OutcomeOf(Book(), early, CardResult::kSuperior, {P(6), P(4)}, {P(4), P(1)})
                  .retreats[kDefenders]);
}

TEST(NapoleonicMelee, TheLastSideMayHaveToRetreatToo) {  // NAP-5C
  Settings strict = Rulings();
  strict.last_side_stays = false;
  const BySide even{P(4), P(4)};
  EXPECT_FALSE(OutcomeOf(Book(), Rulings(), CardResult::kEqual, even, {P(2), 0}).retreats[0]);
  EXPECT_TRUE(OutcomeOf(Book(), strict, CardResult::kEqual, even, {P(2), 0}).retreats[0]);
}

// ---- whole melees with stands -----------------------------------------------------------------

TEST(NapoleonicMelee, LineAndLightAgainstLine) {  // EX-5C.1
  Clash c("line_infantry", 4, "line_infantry", 4);
  const PieceNo light = c.g.Unit(kBlue, "light_infantry", 3, "D4");
  c.Meet();
  EXPECT_EQ(c.g.Back(light, "E5"), "");
  EXPECT_EQ(c.g.Cards("E5", kLine, kLine), "");
  EXPECT_EQ(c.g.Left(c.blue), 3);
  EXPECT_EQ(c.g.Left(light), 1);
  EXPECT_EQ(c.g.Left(c.red), 2);
  EXPECT_EQ(c.g.Where(c.red), "E7");
  EXPECT_EQ(c.g.Where(c.blue), "E5");
}

TEST(NapoleonicMelee, MoreThanThreeTimesDestroys) {  // EX-5C.2
  Clash c("guards_cavalry", 4, "line_infantry", 4);
  const PieceNo guards = c.g.Unit(kBlue, "guards_infantry", 4, "D4");
  c.Meet();
  EXPECT_EQ(c.g.Back(guards, "E5"), "");
  EXPECT_EQ(c.g.Cards("E5", kColumn, kColumn), "");
  EXPECT_EQ(c.g.Left(c.blue), 3);
  EXPECT_EQ(c.g.Left(guards), 4);
  EXPECT_EQ(c.g.Where(c.red), "gone");
}

TEST(NapoleonicMelee, ACoinForTheLastHalf) {  // EX-5C.3
  for (const bool heads : {true, false}) {
    Clash c("guards_infantry", 4, "line_infantry", 4);
    const PieceNo cavalry = c.g.Unit(kRed, "light_cavalry", 3, "D5", N);
    c.Meet();
    c.g.Done(kBlue);
    EXPECT_EQ(c.g.Back(cavalry, "E5"), "");
    EXPECT_EQ(c.g.Cards("E5", kFlanking, kLine), "");
    ASSERT_EQ(c.g.s.ask.kind, PendingInput::kMeleeCoin);
    EXPECT_EQ(c.g.s.ask.side, kRed);
    EXPECT_EQ(c.g.Do(GiveCoin{heads}), "");
    EXPECT_EQ(c.g.Left(c.red), 2);
    EXPECT_EQ(c.g.Left(cavalry), heads ? 1 : 2);
    EXPECT_EQ(c.g.Left(c.blue), 3);
    EXPECT_EQ(c.g.Where(c.red), "E7");
    EXPECT_EQ(c.g.Where(cavalry), "D7");  // supporters fall back too
  }
}

TEST(NapoleonicMelee, TheSuperiorDeploymentMayHaveToRetreat) {  // EX-5C.4
  Clash c("line_cavalry", 3, "guards_infantry", 4);
  const PieceNo line = c.g.Unit(kRed, "line_infantry", 4, "D5", N);
  c.Meet();
  c.g.Done(kBlue);
  EXPECT_EQ(c.g.Back(line, "E5"), "");
  EXPECT_EQ(c.g.Cards("E5", kFlanking, kLine), "");
  EXPECT_EQ(c.g.Left(c.red), 3);
  EXPECT_EQ(c.g.Left(line), 3);
  EXPECT_EQ(c.g.Left(c.blue), 2);
  EXPECT_EQ(c.g.Where(c.blue), "E3");
  EXPECT_EQ(c.g.Where(c.red), "E5");
}

TEST(NapoleonicMelee, ThreeTimesDestroysWhenDeploymentsDiffer) {  // EX-5C.5
  Clash c("guards_infantry", 3, "line_infantry", 4);
  c.Meet();
  EXPECT_EQ(c.g.Cards("E5", kPincers, kLine), "");
  EXPECT_EQ(c.g.Left(c.blue), 2);
  EXPECT_EQ(c.g.Where(c.red), "gone");
}

TEST(NapoleonicMelee, AnnihilationCountsStandsNotArithmetic) {  // EX-5C.6
  Clash c("guards_cavalry", 4, "guards_infantry", 4);
  c.Meet();
  EXPECT_EQ(c.g.Cards("E5", kColumn, kLine), "");
  EXPECT_EQ(c.g.Left(c.blue), 2);
  EXPECT_EQ(c.g.Left(c.red), 3);
  EXPECT_EQ(c.g.Where(c.blue), "E3");
}

TEST(NapoleonicMelee, TheSuperiorsLossMayFollowTheRealLoss) {  // NAP-5C
  for (const bool computed : {true, false}) {
    Clash c("guards_infantry", 4, "guards_infantry", 4);
    c.g.setup.settings.superior_loss_computed = computed;
    const PieceNo light = c.g.Unit(kBlue, "light_infantry", 3, "D4");
    c.Meet();
    EXPECT_EQ(c.g.Back(light, "E5"), "");
    EXPECT_EQ(c.g.Cards("E5", kFlanking, kLine), "");
    // P = 7.5, so L = 4.25: Red loses 1.5, 1.5; r = 1.25, and the third overshoots by 0.25: 4.5 are
    // lost. Computed 2.125: 1.5, 0.5, and r = 0.125 remains. Actual 2.25: 1.5, 0.5, r = 0.25: the
    // next light stand is an exact half, so a coin decides.
    EXPECT_EQ(c.g.s.ask.kind, computed ? PendingInput::kNothing : PendingInput::kMeleeCoin);
    if (computed) {
      EXPECT_EQ(c.g.Left(light), 2);
      EXPECT_EQ(c.g.Left(c.red), 0);  // 5.5 is more than three times 1.5
    }
  }
}

// ---- withdrawal -------------------------------------------------------------------------------

TEST(NapoleonicMelee, AWithdrawalSucceedsAgainstSquare) {  // EX-5D.1
  Clash c("guards_infantry", 4, "line_infantry", 4);
  c.Meet();
  EXPECT_EQ(c.g.Cards("E5", kSquare, kWithdrawal), "");
  EXPECT_EQ(c.g.Where(c.red), "E7");
  EXPECT_EQ(c.g.Left(c.red), 4);
  EXPECT_EQ(c.g.Left(c.blue), 4);
  EXPECT_EQ(c.g.Where(c.blue), "E5");
}

TEST(NapoleonicMelee, AFailedWithdrawalIsInferior) {  // EX-5D.2
  for (const bool heads : {true, false}) {
    Clash c("guards_infantry", 4, "line_infantry", 4);
    c.Meet();
    EXPECT_EQ(c.g.Cards("E5", kFlanking, kWithdrawal), "");
    EXPECT_EQ(c.g.Do(GiveCoin{heads}), "");
    EXPECT_EQ(c.g.Left(c.blue), 3);
    EXPECT_EQ(c.g.Where(c.red), "gone");
  }
}

TEST(NapoleonicMelee, BothWithdraw) {  // NAP-5D
  Clash c("guards_infantry", 4, "line_infantry", 4);
  c.Meet();
  EXPECT_EQ(c.g.Cards("E5", kWithdrawal, kWithdrawal), "");
  EXPECT_EQ(c.g.Where(c.blue), "E3");
  EXPECT_EQ(c.g.Where(c.red), "E7");
  Clash equal("guards_infantry", 4, "line_infantry", 4);
  equal.g.setup.settings.both_withdraw = false;
  equal.Meet();
  EXPECT_EQ(equal.g.Cards("E5", kWithdrawal, kWithdrawal), "");
  EXPECT_EQ(equal.g.Left(equal.red), 2);
}

// ---- whose stands fall ------------------------------------------------------------------------

squares::LossUnit Stands(int first, int count, double value, bool contact) {
  squares::LossUnit unit;
  unit.in_contact = contact;
  for (int i = 0; i < count; ++i) unit.stands.push_back({first + i, P(value)});
  return unit;
}

TEST(NapoleonicMelee, LossesRotateClockwise) {  // EX-5E.1
  Clash c("guards_infantry", 4, "line_infantry", 4);
  const PieceNo north = c.g.Unit(kRed, "line_infantry", 4, "E6");
  const PieceNo west = c.g.Unit(kRed, "light_infantry", 3, "D5");
  c.Meet();
  c.g.Done(kBlue);
  EXPECT_EQ(c.g.Back(west, "E5"), "");
  EXPECT_EQ(c.g.Back(north, "E5"), "");
  const auto answer = squares::ChooseLosses(LossOrder(c.g.s, 0, kRed), P(3), {});
  std::vector<PieceNo> units;
  for (const int stand : answer.stands)
    units.push_back(c.g.s.StandAt(static_cast<PieceNo>(stand)).unit);
  EXPECT_EQ(units, (std::vector<PieceNo>{c.red, north, west, west}));
  EXPECT_FALSE(answer.coin);
}

TEST(NapoleonicMelee, TheRotationMayStartAtTheAttackersEntry) {  // NAP-5E
  Clash c("guards_infantry", 4, "line_infantry", 4);
  c.g.setup.settings.clockwise_from_entry = true;
  const PieceNo north = c.g.Unit(kRed, "line_infantry", 4, "E6");
  const PieceNo west = c.g.Unit(kRed, "light_infantry", 3, "D5");
  c.Meet();
  c.g.Done(kBlue);
  EXPECT_EQ(c.g.Back(west, "E5"), "");
  EXPECT_EQ(c.g.Back(north, "E5"), "");
  const auto order = LossOrder(c.g.s, 0, kRed);  // from the south, so west comes before north
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(c.g.s.StandAt(static_cast<PieceNo>(order[1].stands[0].stand)).unit, west);
  EXPECT_EQ(c.g.s.StandAt(static_cast<PieceNo>(order[2].stands[0].stand)).unit, north);
}

TEST(NapoleonicMelee, TheFirstStandIsFromTheContactSquare) {  // EX-5E.2
  const std::vector<squares::LossUnit> units{Stands(0, 4, 2, true), Stands(10, 3, 0.5, false)};
  const auto strict = squares::ChooseLosses(units, P(0.75), {true, false});
  EXPECT_TRUE(strict.stands.empty());
  EXPECT_FALSE(strict.coin);
  const auto preferred = squares::ChooseLosses(units, P(0.75), {false, false});
  EXPECT_EQ(preferred.stands, std::vector<int>{10});
  EXPECT_EQ(preferred.coin, 11);
}

TEST(NapoleonicMelee, TheRuleTextsExample) {  // EX-5F.1
  const auto line_first =
      squares::ChooseLosses({Stands(0, 2, 1, true), Stands(10, 2, 2, false)}, P(3.5), {});
  EXPECT_EQ(line_first.stands, (std::vector<int>{0, 10}));
  EXPECT_EQ(line_first.coin, 1);
  const auto cavalry_first =
      squares::ChooseLosses({Stands(10, 2, 2, true), Stands(0, 2, 1, false)}, P(3.5), {});
  EXPECT_EQ(cavalry_first.stands, (std::vector<int>{10, 0}));
  EXPECT_EQ(cavalry_first.coin, 1);
}

TEST(NapoleonicMelee, AnOvershootLargerThanTheRestIsKept) {  // EX-5F.2
  const auto answer = squares::ChooseLosses({Stands(0, 4, 1.5, true)}, P(2), {});
  EXPECT_EQ(answer.stands, std::vector<int>{0});
  EXPECT_FALSE(answer.coin);
  EXPECT_EQ(squares::ChooseLosses({Stands(0, 4, 1.5, true)}, P(2), {true, true}).coin, 1);
}

TEST(NapoleonicMelee, AnExactHalfIsACoin) {  // EX-5F.3
  const auto answer = squares::ChooseLosses({Stands(0, 3, 1.5, true)}, P(2.25), {});
  EXPECT_EQ(answer.stands, std::vector<int>{0});
  EXPECT_EQ(answer.coin, 1);
}

TEST(NapoleonicMelee, ACommanderMayBeLostLast) {  // NAP-5E
  for (const bool last : {false, true}) {
    Clash c("guards_infantry", 4, "line_infantry", 2);
    c.g.setup.settings.commander_last = last;
    const PieceNo commander = c.g.Unit(kRed, "division_commander", 1, "E5");
    c.Meet();
    const auto answer = squares::ChooseLosses(LossOrder(c.g.s, 0, kRed), P(2.5), {});
    ASSERT_EQ(answer.stands.size(), 2u);
    const PieceNo second = static_cast<PieceNo>(answer.stands[1]);
    EXPECT_EQ(c.g.s.StandAt(second).unit == commander, !last);
  }
}

TEST(NapoleonicMelee, EveryoneInvolvedMayTurnAfterwards) {  // EX-5I.1
  Clash c("line_infantry", 4, "line_infantry", 4);
  const PieceNo supporter = c.g.Unit(kRed, "guards_infantry", 4, "D5", S);
  const PieceNo other = c.g.Unit(kRed, "guards_infantry", 4, "F6", S);
  c.Meet();
  c.g.Done(kBlue);
  EXPECT_EQ(c.g.Do(TurnUnit{kRed, supporter, c.g.At("D5"), E}), "");
  EXPECT_EQ(c.g.Back(supporter, "E5"), "");
  EXPECT_EQ(c.g.Cards("E5", kLine, kLine), "");
  ASSERT_EQ(c.g.s.step, Step::kEnd);
  EXPECT_EQ(c.g.Do(TurnUnit{kRed, supporter, c.g.At("D5"), W}), "");
  EXPECT_EQ(c.g.Do(TurnUnit{kRed, supporter, c.g.At("D5"), S}), "");
  EXPECT_EQ(c.g.Do(TurnUnit{kRed, other, c.g.At("F6"), W}), "NAP-2G");
}

// ---- protected contact squares ----------------------------------------------------------------

TEST(NapoleonicMelee, AHouseReducesTheDefendersLoss) {  // EX-6A.2
  Clash c("guards_infantry", 4, "line_infantry", 4);
  c.g.Wood("E5");
  c.Meet();
  EXPECT_EQ(c.g.Cards("E5", kSquare, kSquare), "");
  EXPECT_EQ(c.g.Left(c.red), 3);
  EXPECT_EQ(c.g.Left(c.blue), 3);
  EXPECT_EQ(c.g.Where(c.red), "E7");
}

// Blue guards and line infantry against Red line and light infantry in woods.
struct InWoods : Clash {
  PieceNo line, light;
  InWoods() : Clash("guards_infantry", 4, "line_infantry", 4) {
    g.Wood("E5");
    line = g.Unit(kBlue, "line_infantry", 4, "D4");
    light = g.Unit(kRed, "light_infantry", 3, "E6");
    Meet();
    EXPECT_EQ(g.Back(line, "E5"), "");
    g.Done(kBlue);
    EXPECT_EQ(g.Back(light, "E5"), "");
  }
};

TEST(NapoleonicMelee, ReductionBeforeTheCap) {  // EX-6A.3
  InWoods w;
  EXPECT_EQ(w.g.Cards("E5", kColumn, kFlanking), "");
  EXPECT_EQ(w.g.Left(w.blue), 3);
  EXPECT_EQ(w.g.Left(w.line), 3);
  EXPECT_EQ(w.g.Where(w.red), "gone");
  EXPECT_EQ(w.g.Where(w.light), "gone");
}

TEST(NapoleonicMelee, ReductionOfTheSuperiorDefender) {  // EX-6A.4
  const BySide losses = LossesOf(Book(), Rulings(), CardResult::kInferior, {P(10), P(5.5)}, P(1));
  EXPECT_EQ(losses, (BySide{P(3.25), P(0.625)}));
  InWoods w;
  EXPECT_EQ(w.g.Cards("E5", kFlanking, kColumn), "");
  EXPECT_EQ(w.g.Left(w.red), 3);
  EXPECT_EQ(w.g.Left(w.light), 3);
  EXPECT_EQ(StandsOf(w.g.s, w.blue).size() * 3 + StandsOf(w.g.s, w.line).size() * 2, 13u);  // 6.5
  EXPECT_EQ(w.g.Where(w.red), "E7");
}

TEST(NapoleonicMelee, AFortMayTakeOffTwo) {  // EX-6B.1
  Clash c("guards_infantry", 4, "line_infantry", 4);
  c.g.Terrain("E5").protection = true;
  c.g.Terrain("E5").melee_reduction = P(2);
  c.Meet();
  EXPECT_EQ(c.g.Cards("E5", kLine, kLine), "");
  EXPECT_EQ(c.g.Left(c.red), 4);
}

// ---- commanders -------------------------------------------------------------------------------

TEST(NapoleonicMelee, ACommanderAloneSupportsInAnyDirection) {  // EX-7.1
  EXPECT_EQ(MaySupport("division_commander", "E6", N, "line_infantry"), "");
}

TEST(NapoleonicMelee, ACommanderSupportsAsHisUnitDoes) {  // EX-7.2
  Clash c("line_infantry", 4, "line_infantry", 4);
  const PieceNo cavalry = c.g.Unit(kRed, "line_cavalry", 3, "E6", NW);
  const PieceNo commander = c.g.Unit(kRed, "division_commander", 1, "E6", N);
  c.Meet();
  c.g.Done(kBlue);
  EXPECT_EQ(c.g.Back(cavalry, "E5"), "NAP-5A");
  EXPECT_EQ(c.g.Back(commander, "E5"), "NAP-7");
}

TEST(NapoleonicMelee, ACommanderWithGunnersDoesNotSupport) {  // NAP-7
  Clash c("line_infantry", 4, "line_infantry", 4);
  c.g.Unit(kRed, "foot_crew", 2, "E6", N);
  const PieceNo commander = c.g.Unit(kRed, "division_commander", 1, "E6", N);
  c.Meet();
  c.g.Done(kBlue);
  EXPECT_EQ(c.g.Back(commander, "E5"), "NAP-7");
}

TEST(NapoleonicMelee, AHillMayReduceTheLossWithoutProtecting) {  // NAP-6B
  Clash c("guards_infantry", 4, "line_infantry", 4);
  c.g.Terrain("E5").melee_reduction = P(1);
  c.Meet();
  EXPECT_EQ(c.g.Cards("E5", kLine, kLine), "");
  EXPECT_EQ(c.g.Left(c.red), 3);
}

// ---- the cards --------------------------------------------------------------------------------

CardResult Result(Card row, Card column) { return ResultOf(Book(), Rulings(), row, column); }

TEST(NapoleonicMelee, PincersBeatFlanking) {  // EX-MDI.1
  EXPECT_EQ(Result(kPincers, kFlanking), CardResult::kSuperior);
}
TEST(NapoleonicMelee, WithdrawalFailsAgainstFlanking) {  // EX-MDI.2
  EXPECT_EQ(Result(kWithdrawal, kFlanking), CardResult::kInferior);
}
TEST(NapoleonicMelee, SquareLetsTheOtherSideWithdraw) {  // EX-MDI.3
  EXPECT_EQ(Result(kSquare, kWithdrawal), CardResult::kEnemyWithdraws);
}
TEST(NapoleonicMelee, EveryPairOfCardsHasOneResult) {  // NAP-MDI
  const Card fighting[] = {kLine, kColumn, kSquare, kFlanking, kPincers};
  for (const Card row : fighting) {
    int beats = 0;
    for (const Card column : fighting) {
      const CardResult result = Result(row, column);
      const CardResult mirrored = Result(column, row);
      if (row == column) {
        EXPECT_EQ(result, CardResult::kEqual);
        continue;
      }
      EXPECT_NE(result, mirrored);
      EXPECT_TRUE(result == CardResult::kSuperior || result == CardResult::kInferior);
      beats += result == CardResult::kSuperior;
    }
    EXPECT_EQ(beats, 2);
  }
}

TEST(NapoleonicMelee, CardsAreChosenOnceAndAfterTheSupports) {  // NAP-5C
  Clash c("line_infantry", 4, "line_infantry", 4);
  c.Meet();
  EXPECT_EQ(c.g.Do(PlayCard{kBlue, c.g.At("E5"), kLine}), "NAP-5C");
  c.g.NoMoreSupports();
  EXPECT_EQ(c.g.Do(PlayCard{kBlue, c.g.At("E5"), kLine}), "");
  EXPECT_EQ(c.g.Do(PlayCard{kBlue, c.g.At("E5"), kColumn}), "NAP-5C");
}

TEST(NapoleonicMelee, ASupporterWheels) {  // NAP-5A
  Game g;
  const PieceNo attacker = g.Unit(kBlue, "line_infantry", 4, "E4");
  const PieceNo ahead = g.Unit(kBlue, "line_infantry", 4, "D5");    // E5 on its side
  const PieceNo oblique = g.Unit(kBlue, "line_infantry", 4, "D4");  // E5 obliquely before it
  g.Unit(kRed, "line_infantry", 4, "E5");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "D6", W);
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(attacker, "E5"), "");
  g.To(Step::kMelee);
  EXPECT_EQ(g.Back(ahead, "E5"), "");
  EXPECT_EQ(g.Count<Turned>(), 0);
  EXPECT_EQ(g.FacingOf(ahead), N);
  EXPECT_EQ(g.Back(oblique, "E5"), "");
  EXPECT_EQ(g.FacingOf(oblique), NE);
  g.Done(kBlue);
  EXPECT_EQ(g.Back(red, "E5"), "");
  EXPECT_EQ(g.Count<Turned>(), 1);
  EXPECT_EQ(g.FacingOf(red), SW);  // 45 degrees, as in EX-5A.1
  // While it supports it may only take a facing from which it does.
  EXPECT_EQ(g.Turn(red, W), "NAP-5A");
  EXPECT_EQ(g.Turn(oblique, N), "NAP-5A");
  EXPECT_EQ(g.Turn(oblique, SE), "");
  EXPECT_EQ(g.Cards("E5", Card::kLine, Card::kLine), "");
  EXPECT_EQ(g.Turn(red, W), "");  // NAP-5I
}

}  // namespace
}  // namespace fos::napoleonic::test
