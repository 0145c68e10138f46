// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/rules/colonial/reading.h"
#include "tests/support/colonial_game.h"

namespace fos::colonial::test {
namespace {

// A legal setup: a Command stand on each side.
Game WithGenerals(int columns = 18, int rows = 12) {
  Game g(columns, rows);
  g.idle_wagons = false;
  g.General(kBlue, Rating::kAverage, {1, 1});
  g.General(kRed, Rating::kAverage, {9, 9});
  return g;
}
std::string Refused(const Game& g) {
  const auto why = WhyNoStart(g.setup);
  return why ? why->clause : "";
}
std::string ClauseNoted(const Game& g) {
  std::string out;
  for (const Note& note : NotesAtStart(g.setup)) out += (out.empty() ? "" : " ") + note.clause;
  return out;
}
void Add(Game& g, int side, std::string_view type, int count, int row) {
  for (int i = 0; i < count; ++i) g.Stand(side, type, {2 + i, row});
}

TEST(ColonialEquipment, RefusesImpossibleFaces) {  // EX-1.1.1, EX-1.1.2
  Game g;
  g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Stand(kRed, "regular_infantry", {4, 9});
  g.setup.stands[0].type = g.setup.tables.TypeOf("command_foot");
  g.setup.stands[0].rating.reset();
  g.Open();
  const State before = g.s;
  EXPECT_EQ(g.Dice({0}), "COL-1.1");  // the General's D6
  EXPECT_EQ(g.Dice({7}), "COL-1.1");
  EXPECT_EQ(g.s, before);
  EXPECT_EQ(g.Dice({6}), "");
  const State initiative = g.s;
  EXPECT_EQ(g.Dice({13, 4}), "COL-1.1");
  EXPECT_EQ(g.Dice({0, 4}), "COL-1.1");
  EXPECT_EQ(g.Dice({13}), "COL-1.1");  // even if the number of dice is wrong too
  EXPECT_EQ(g.s, initiative);
  EXPECT_EQ(g.Dice({12, 1}), "");
}

TEST(ColonialEquipment, TableIsAtLeastTwelveByTwelve) {  // EX-1.2.1, EX-1.2.2
  EXPECT_EQ(Refused(WithGenerals(11, 12)), "COL-1.2");
  EXPECT_EQ(Refused(WithGenerals(12, 11)), "COL-1.2");
  EXPECT_EQ(Refused(WithGenerals(12, 12)), "");
  EXPECT_EQ(ClauseNoted(WithGenerals(12, 12)), "COL-1.2");
  EXPECT_EQ(ClauseNoted(WithGenerals(18, 12)), "");
  EXPECT_EQ(ClauseNoted(WithGenerals(12, 18)), "");
  Game g = WithGenerals(12, 12);
  g.Open();
  g.Dice({3, 2});
  EXPECT_EQ(g.Count<Noted>(), 1);  // reported with the first action
}

TEST(ColonialEquipment, CentreDecidesTheSquare) {  // EX-1.2.3
  const Board board{18, 12};
  const SquareReading square = ReadSquare(Book(), Rulings(), board, 512, 263);
  ASSERT_TRUE(square.cell.has_value());
  EXPECT_EQ(board.IndexOf(*square.cell), (SquareIndex{10, 5}));  // (11,6)
  EXPECT_FALSE(square.doubtful);
  // Within 2 mm of a line the players must decide.
  EXPECT_TRUE(ReadSquare(Book(), Rulings(), board, 501.9, 263).doubtful);
  EXPECT_TRUE(ReadSquare(Book(), Rulings(), board, 498, 263).doubtful);
  EXPECT_FALSE(ReadSquare(Book(), Rulings(), board, 502.1, 263).doubtful);
  EXPECT_TRUE(ReadSquare(Book(), Rulings(), board, 512, 298.5).doubtful);
  EXPECT_FALSE(ReadSquare(Book(), Rulings(), board, -1, 263).cell.has_value());
  EXPECT_FALSE(ReadSquare(Book(), Rulings(), board, 512, 600.5).cell.has_value());
  EXPECT_TRUE(ReadSquare(Book(), Rulings(), board, 900, 600).cell.has_value());
}

TEST(ColonialEquipment, TwoStandsToASquare) {  // EX-1.3.1, EX-1.3.2, EX-1.3.3, EX-1.3.4
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
  const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {4, 2});
  g.Stand(kBlue, "field_artillery", {5, 3});
  const PieceNo other = g.Stand(kBlue, "irregular_infantry", {4, 3});
  const PieceNo east = g.Stand(kBlue, "regular_infantry", {3, 4}, E);
  const PieceNo third = g.Stand(kBlue, "irregular_infantry", {5, 4});
  g.Start();
  EXPECT_EQ(g.MoveTo(other, {5, 3}), "COL-1.3");  // 40 + 20 mm
  EXPECT_EQ(g.MoveTo(east, {4, 4}), "COL-1.3");   // another facing
  EXPECT_EQ(g.MoveTo(east, {4, 4}, N), "");       // it turned on the way: a pair of 40 mm
  EXPECT_FALSE(g.s.At(inf).rear);
  EXPECT_TRUE(g.s.At(east).rear);
  EXPECT_EQ(g.MoveTo(third, {4, 4}), "COL-1.3");  // the third
  EXPECT_EQ(g.MoveTo(third, {3, 4}), "");         // past all of them
  EXPECT_EQ(g.MoveTo(cav, {5, 4}), "");
  Game h;
  const PieceNo front = h.Stand(kBlue, "regular_infantry", {4, 4});
  const PieceNo rider = h.Stand(kBlue, "regular_cavalry", {4, 2});
  const PieceNo second = h.Stand(kBlue, "native_cavalry", {6, 2});
  h.Stand(kBlue, "regular_cavalry", {6, 4});
  h.Start();
  EXPECT_EQ(h.MoveTo(rider, {4, 4}), "");  // 20 + 30 mm, exactly the square
  EXPECT_FALSE(h.s.At(front).rear);
  EXPECT_TRUE(h.s.At(rider).rear);
  EXPECT_EQ(h.MoveTo(second, {6, 4}), "COL-1.3");  // 30 + 30 mm
}

TEST(ColonialEquipment, SettingLetsAnyTwoFit) {  // COL-1.3
  Game g;
  g.setup.settings.fit_by_depth = false;
  const PieceNo first = g.Stand(kBlue, "field_artillery", {4, 4});
  const PieceNo second = g.Stand(kBlue, "field_artillery", {4, 3});
  g.Start();
  EXPECT_EQ(g.MoveTo(second, {4, 4}), "");
  EXPECT_TRUE(g.s.At(second).rear);
  EXPECT_FALSE(g.s.At(first).rear);
}

TEST(ColonialEquipment, RefusesAnIllegalSetup) {  // COL-1.3
  Game g = WithGenerals();
  Add(g, kBlue, "regular_infantry", 1, 4);
  Add(g, kBlue, "regular_infantry", 1, 4);
  EXPECT_EQ(Refused(g), "");
  g.setup.stands.back().facing = E;
  EXPECT_EQ(Refused(g), "COL-1.3");
  g.setup.stands.back().facing = N;
  g.setup.stands.back().type = g.setup.tables.TypeOf("field_artillery");
  EXPECT_EQ(Refused(g), "COL-1.3");
  g.setup.stands.back().side = kRed;
  EXPECT_EQ(Refused(g), "COL-1.3");
  g.setup.stands.pop_back();
  g.setup.stands.back().facing = NE;
  EXPECT_EQ(Refused(g), "COL-1.6");
}

TEST(ColonialEquipment, TerrainCoversWholeSquares) {  // EX-1.4.1, EX-1.4.2
  const Board board{18, 12};
  // A mat of 2 by 3 squares: six squares, fully covered.
  const Polygon mat = {{100, 100}, {200, 100}, {200, 250}, {100, 250}};
  std::vector<Cell> covered = CellsTaken(Book(), Rulings(), board, mat);
  EXPECT_EQ(covered.size(), 6u);
  EXPECT_EQ(covered.front(), board.At({2, 2}));
  // 60 % of (7,6) and 20 % of (8,6).
  const Polygon wood = {{320, 250}, {360, 250}, {360, 300}, {320, 300}};
  covered = CellsTaken(Book(), Rulings(), board, wood);
  ASSERT_EQ(covered.size(), 1u);
  EXPECT_EQ(covered.front(), board.At({6, 5}));
  // Exactly half is enough.
  const Polygon half = {{325, 250}, {350, 250}, {350, 300}, {325, 300}};
  EXPECT_EQ(CellsTaken(Book(), Rulings(), board, half).size(), 1u);
  // The same in inches to three decimals: 12.795 to 13.78 in and 9.843 to 11.811 in.
  Polygon inches = {{12.796, 9.843}, {13.780, 9.843}, {13.780, 11.811}, {12.796, 11.811}};
  for (Vec2& corner : inches) corner = corner * 25.4;
  EXPECT_EQ(CellsTaken(Book(), Rulings(), board, inches).size(), 1u);
  const Polygon less = {{326, 250}, {350, 250}, {350, 300}, {326, 300}};
  EXPECT_TRUE(CellsTaken(Book(), Rulings(), board, less).empty());
}

TEST(ColonialEquipment, WarnsWhenASizeFitsAnotherType) {  // EX-1.5.1, EX-1.5.2
  const auto note = [](const char* type, double width, double depth) {
    return FootprintNote(Book(), Rulings(), Book().TypeOf(type), width, depth);
  };
  EXPECT_NE(note("regular_infantry", 40, 31).find("looks like cavalry"), std::string::npos);
  EXPECT_EQ(note("transport", 40, 38), "");
  EXPECT_EQ(note("regular_infantry", 40, 23), "");
  EXPECT_NE(note("regular_infantry", 40, 23.1), "");
  EXPECT_NE(note("regular_cavalry", 44, 30), "");
  EXPECT_EQ(note("dismounted_cavalry", 40, 20), "");
  EXPECT_EQ(note("dismounted_cavalry", 40, 30), "");  // still on the cavalry's stand
  EXPECT_NE(note("dismounted_cavalry", 40, 40), "");
}

TEST(ColonialEquipment, BearingsSnapToFacings) {  // EX-1.6.1, EX-1.6.2, EX-1.6.3
  const auto read = [](double bearing) { return ReadFacing(Rulings(), bearing); };
  EXPECT_EQ(read(100).facing, E);
  EXPECT_FALSE(read(100).doubtful);
  EXPECT_EQ(read(300).facing, W);
  EXPECT_FALSE(read(300).doubtful);
  EXPECT_TRUE(read(317).doubtful);
  EXPECT_EQ(read(317).facing, N);
  EXPECT_EQ(read(317).other, W);
  EXPECT_FALSE(read(320).doubtful);  // 5 degrees off: just sure
  EXPECT_TRUE(read(319.9).doubtful);
  EXPECT_EQ(read(-10).facing, N);
  EXPECT_EQ(read(44).facing, N);
  EXPECT_EQ(read(44).other, E);
  Settings eight = Rulings();
  eight.facing_steps = 8;
  EXPECT_EQ(ReadFacing(eight, 317).facing, NW);
  EXPECT_FALSE(ReadFacing(eight, 317).doubtful);
  EXPECT_TRUE(ReadFacing(eight, 23).doubtful);
  EXPECT_EQ(ReadFacing(eight, 23).facing, NE);
}

TEST(ColonialEquipment, SettingAllowsEightFacings) {  // COL-1.6
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Start();
  EXPECT_EQ(g.Turn(inf, NE), "COL-1.6");
  Game h;
  h.setup.settings.facing_steps = 8;
  const PieceNo other = h.Stand(kBlue, "regular_infantry", {4, 4});
  h.Start();
  EXPECT_EQ(h.Turn(other, NE), "");
  EXPECT_TRUE(InFrontArc(h.s, h.s.At(other), h.Square({4, 5})));
  EXPECT_TRUE(InFrontArc(h.s, h.s.At(other), h.Square({5, 4})));
  EXPECT_FALSE(InFrontArc(h.s, h.s.At(other), h.Square({5, 3})));
  EXPECT_EQ(h.Ways(other), "3,3 3,4 4,3");
}

TEST(ColonialArmy, StandValues) {  // EX-2.1.1, EX-2.1.2
  Game g;
  const std::vector<std::pair<const char*, int>> values = {
      {"guard_infantry", 4},  {"regular_infantry", 3},   {"irregular_infantry", 2},
      {"native_infantry", 2}, {"regular_cavalry", 3},    {"irregular_cavalry", 2},
      {"native_cavalry", 2},  {"dismounted_cavalry", 3}, {"heavy_artillery", 3},
      {"field_artillery", 2}, {"mountain_artillery", 2}, {"machine_gun", 2},
      {"transport", 1}};
  int column = 1;
  std::vector<PieceNo> stands;
  for (const auto& [type, value] : values) stands.push_back(g.Stand(kBlue, type, {column++, 2}));
  const PieceNo poor = g.General(kBlue, Rating::kPoor, {1, 4});
  const PieceNo average = g.General(kBlue, Rating::kAverage, {2, 4});
  const PieceNo great = g.General(kBlue, Rating::kExceptional, {3, 4});
  g.Start();
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(g.s.At(stands[i]).value, values[i].second) << values[i].first;
  EXPECT_EQ(g.s.At(poor).value, 1);
  EXPECT_EQ(g.s.At(average).value, 2);
  EXPECT_EQ(g.s.At(great).value, 3);
}

TEST(ColonialArmy, AgreedArmyHasThirtySixPoints) {  // EX-2.2.1, EX-2.2.2, EX-2.4.2
  Game g = WithGenerals();
  g.setup.army = ArmyBy::kAgreed;
  g.setup.agreed_points = 36;
  g.setup.stands[0].rating = Rating::kExceptional;
  Add(g, kBlue, "guard_infantry", 3, 4);
  Add(g, kBlue, "regular_infantry", 8, 5);
  EXPECT_EQ(CountArmy(g.setup, kBlue).hundredths, 3600);
  EXPECT_EQ(ClauseNoted(g), "");
  Add(g, kBlue, "transport", 1, 6);
  EXPECT_EQ(ClauseNoted(g), "COL-2.2");
  EXPECT_EQ(Refused(g), "");

  Game h = WithGenerals();
  h.setup.army = ArmyBy::kAgreed;
  h.setup.agreed_points = 36;
  Add(h, kBlue, "guard_infantry", 4, 4);
  Add(h, kBlue, "regular_infantry", 6, 5);
  Add(h, kBlue, "field_artillery", 1, 6);
  EXPECT_EQ(CountArmy(h.setup, kBlue).hundredths, 3600);
  EXPECT_EQ(ClauseNoted(h), "COL-2.2");  // 16 > 12 on four-point stands
  h.setup.settings.points_enforcement = Enforcement::kRefuse;
  EXPECT_EQ(Refused(h), "COL-2.2");
  h.setup.settings.points_enforcement = Enforcement::kOff;
  EXPECT_EQ(Refused(h) + ClauseNoted(h), "");
  h.setup.settings.points_enforcement = Enforcement::kWarn;
  h.setup.army = ArmyBy::kCampaign;  // not checked
  EXPECT_EQ(ClauseNoted(h), "");
}

TEST(ColonialArmy, ArmyByDice) {  // EX-2.3.1, EX-2.3.2
  Game g = WithGenerals();
  g.setup.army = ArmyBy::kDice;
  Add(g, kBlue, "guard_infantry", 3, 4);    // 12 points
  Add(g, kBlue, "regular_infantry", 5, 5);  // 15
  g.setup.settings.points_enforcement = Enforcement::kRefuse;
  g.Open();
  EXPECT_EQ(g.s.ask.what, Want::kArmyDice);
  EXPECT_EQ(g.Dice({3, 5, 2, 6, 1, 4, 4}), "COL-2.3");  // eight dice are needed
  EXPECT_EQ(g.Dice({3, 5, 2, 6, 1, 4, 4, 6}), "");
  EXPECT_EQ(g.s.army_points[kBlue], 31);
  EXPECT_EQ(g.Dice({6, 6, 6, 6, 6, 3, 2, 2}), "");
  EXPECT_EQ(g.s.army_points[kRed], 37);
  EXPECT_EQ(g.Done(kBlue), "COL-2.3");  // 12 > 10.23 on four-point stands
  EXPECT_NE(g.because.find("10.23"), std::string::npos) << g.because;
  EXPECT_EQ(g.Do(LeaveOut{0}), "COL-2.4");  // the Command stand cannot be left out
  EXPECT_EQ(g.Do(LeaveOut{2}), "");         // one guard stand left out: 8 points
  EXPECT_EQ(g.Do(LeaveOut{2}), "COL-2.3");
  EXPECT_EQ(g.Done(kBlue), "");
  EXPECT_EQ(g.Done(kBlue), "COL-2.3");
  EXPECT_EQ(g.Done(kRed), "");
  EXPECT_EQ(g.s.ask.what, Want::kInitiativeDice);
  EXPECT_EQ(g.Where(2), "gone");
  EXPECT_EQ(LossesOf(g.s, kBlue).stands, 0);  // a stand left out is not a loss
  EXPECT_EQ(g.Do(LeaveOut{3}), "COL-3.2");

  // With 37 points three guard stands are allowed, with 36 two.
  const ArmyCount guards{1200, 12};
  EXPECT_TRUE(ArmyFaults(g.setup, kBlue, guards, 37, true).empty());
  EXPECT_EQ(ArmyFaults(g.setup, kBlue, guards, 36, true).size(), 1u);
  EXPECT_TRUE(ArmyFaults(g.setup, kBlue, guards, 36, false).empty());
}

TEST(ColonialArmy, ReportsABreachOfThrownPoints) {  // COL-2.3
  Game g = WithGenerals();
  g.setup.army = ArmyBy::kDice;
  Add(g, kBlue, "regular_infantry", 4, 4);
  g.Open();
  g.Dice({1, 1, 1, 1, 1, 1, 1, 1});
  g.Dice({1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(g.Done(kBlue), "");  // 12 points of 8: reported, and the game goes on
  EXPECT_EQ(g.Count<Noted>(), 1);
}

TEST(ColonialArmy, ArmyNeedsACommandStand) {  // EX-2.4.1
  Game g = WithGenerals();
  EXPECT_EQ(Refused(g), "");
  g.setup.stands.pop_back();
  EXPECT_EQ(Refused(g), "COL-2.4");
  g.setup.settings.command_stands = 0;
  EXPECT_EQ(Refused(g), "COL-2.4");  // Blue still has one
}

TEST(ColonialArmy, ArmyFightsOnWithoutItsGeneral) {  // COL-2.4
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {5, 4});
  const PieceNo general = g.General(kRed, Rating::kPoor, {5, 6});
  const PieceNo other = g.Stand(kRed, "regular_infantry", {9, 9});
  g.Start();
  EXPECT_EQ(g.Fire(inf, {5, 6}), "");
  EXPECT_EQ(g.Dice({12, 1}), "");
  EXPECT_EQ(g.Where(general), "gone");
  g.Pass();
  EXPECT_EQ(g.MoveTo(other, {9, 8}), "");
  EXPECT_FALSE(g.s.ending.has_value());
}

TEST(ColonialArmy, EntrenchmentsCostHalfAPoint) {              // EX-2.5.1, EX-2.5.2
  EXPECT_EQ(EntrenchmentPoints(Book(), Rulings(), 300), 300);  // 3 points
  EXPECT_EQ(EntrenchmentPoints(Book(), Rulings(), 75), 100);   // 2 sections, 1 point
  EXPECT_EQ(EntrenchmentPoints(Book(), Rulings(), 50), 50);
  EXPECT_EQ(EntrenchmentPoints(Book(), Rulings(), 51), 100);
  EXPECT_EQ(EntrenchmentPoints(Book(), Rulings(), 0), 0);
  Settings exact = Rulings();
  exact.sections_up = false;
  EXPECT_EQ(EntrenchmentPoints(Book(), exact, 75), 75);
  Game g = WithGenerals();
  g.setup.entrenchment_hundredths[kBlue] = 50;
  Add(g, kBlue, "regular_infantry", 1, 4);
  EXPECT_EQ(CountArmy(g.setup, kBlue).hundredths, 350);
}

TEST(ColonialArmy, RatesTheGeneralByADie) {  // EX-2.6.1, EX-2.6.2, EX-2.6.3
  const auto rated = [](RollTwo two, const std::vector<int>& dice) {
    Game g = WithGenerals();
    g.setup.settings.roll_two = two;
    g.setup.stands[0].rating.reset();
    g.Open();
    for (const int die : dice) {
      EXPECT_EQ(g.s.ask.what, Want::kGeneralDie);
      EXPECT_EQ(g.Dice({die}), "");
    }
    EXPECT_EQ(g.s.ask.what, Want::kInitiativeDice);
    return static_cast<int>(g.s.At(0).value);
  };
  EXPECT_EQ(rated(RollTwo::kPoor, {6}), 3);
  EXPECT_EQ(rated(RollTwo::kPoor, {2}), 1);
  EXPECT_EQ(rated(RollTwo::kAverage, {2}), 2);
  EXPECT_EQ(rated(RollTwo::kReroll, {2, 4}), 2);
  EXPECT_EQ(rated(RollTwo::kReroll, {2, 2, 1}), 1);
  for (const int die : {3, 4, 5}) EXPECT_EQ(rated(RollTwo::kPoor, {die}), 2);
  EXPECT_EQ(rated(RollTwo::kPoor, {1}), 1);
}

}  // namespace
}  // namespace fos::colonial::test
