// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/lines.h"

#include <gtest/gtest.h>

#include "engine/rules/napoleonic/game.h"
#include "engine/rules/napoleonic/json.h"
#include "engine/rules/napoleonic/line_game.h"
#include "engine/rules/napoleonic/random_play.h"
#include "tests/support/napoleonic_battles.h"
#include "tests/support/napoleonic_game.h"
#include "tests/support/played_script.h"

namespace fos::napoleonic::test {
namespace {

// In random games, each accepted action is written as a line and read back as the same action.
TEST(NapoleonicLines, AreReadBackAsTheSameAction) {
  std::array<int, std::variant_size_v<Declaration>> seen{};
  for (int number = 1; number <= 60; ++number) {
    Generator chance{static_cast<std::uint64_t>(number)};
    napoleonic::Game game(NewGame(SmallBattle(number), 1));
    while (game.Now().step != Step::kOver) {
      const State before = game.Now();
      Action action = RandomAction(before, chance);
      if (game.Play(action)) {
        action = AnyProgress(before, chance);
        ASSERT_FALSE(game.Play(action));
      }
      ++seen[action.what.index()];
      for (const Action& said : {action, Rules::AsThrown(action, game.Entries().back().events)}) {
        const std::string line = ActionToLine(before, said);
        const auto read = ParseAction(before, line);
        ASSERT_TRUE(read.ok()) << line << ": " << read.error().message;
        ASSERT_EQ(ActionToJson(*read), ActionToJson(said)) << line;
      }
    }
  }
  // Random players do nearly everything, except surrendering and typing dice.
  int kinds = 0;
  for (const int count : seen) kinds += count > 0;
  EXPECT_GE(kinds, 14);
}

TEST(NapoleonicLines, RareActionsAreReadBackToo) {
  const State s = NewGame(SmallBattle(5), 1);
  const PieceNo gun = 0;
  std::vector<Action> actions = {
      {GiveDice{{3, 5}, {}}},
      {GiveDice{{6}, 0xfedcba9876543210u}},
      {GiveCoin{true, 17}},
      {GiveCoin{false, {}}},
      {ChooseRetreat{kNowhere}},
      {ChooseStands{{}}},
      {ChooseStands{{0, 3}}},
      {Surrender{1}, true},
      {DestroyEquipment{s.EquipmentAt(gun).owner, gun}},
      {Limber{s.EquipmentAt(gun).owner, gun, false}, true},
      {CallShot{s.EquipmentAt(gun).owner, gun, ShotKind::kHowitzer, kNowhere, false}},
      {Land{{false, 12345, 7, true, {{0, 0, 0}, {1, 1500, 3}}, {{gun, 1, 2}}, {{5, 40}}}}},
      {Land{{true, 0, 0, false, {}, {}, {}}}},
  };
  for (const Action& action : actions) {
    const std::string line = ActionToLine(s, action);
    const auto read = ParseAction(s, line);
    ASSERT_TRUE(read.ok()) << line << ": " << read.error().message;
    EXPECT_EQ(ActionToJson(*read), ActionToJson(action)) << line;
  }
}

// The sentences of a script's last line. Blue attacks; B is in E4 and R in E5, 4 line stands each.
std::string Told(const std::string& script, const std::string& more = "") {
  const auto unit = [](const char* id, const char* side, const char* square) {
    return std::string("[[unit]]\nid = \"") + id + "\"\nside = \"" + side +
           "\"\nkind = \"line_infantry\"\nsquare = \"" + square + "\"\n";
  };
  const std::string scenario =
      "ruleset = \"napoleonic\"\n[scenario]\nname = \"words\"\nfirst_attacker = \"Blue\"\n"
      "[board]\ncolumns = 12\nrows = 12\n[[side]]\nname = \"Blue\"\nbaseline = \"south\"\n"
      "[[side]]\nname = \"Red\"\nbaseline = \"north\"\n"
      "[[objective]]\nname = \"the farm\"\npoints = 1\nsquares = [\"E5\"]\n" +
      unit("B", "Blue", "E4") + unit("R", "Red", "E5") + more;
  return fos::test::LastLineOf(OpenGame, scenario, "", script);
}
const std::string kToMelee =
    "done Blue;done Red;done Blue;done Red;move B to E5;done Blue;done Blue;done Red;";

TEST(NapoleonicWords, AMeleeShowsItsSum) {  // NAP-5C, NAP-5E
  const std::string equal = Told(kToMelee + "card Blue LINE at E5;card Red LINE at E5");
  EXPECT_NE(equal.find("Deployments for E5: Blue LINE, Red LINE; Blue 4, Red 4."),
            std::string::npos)
      << equal;
  EXPECT_NE(equal.find("Melee in E5: Blue 4, Red 4, equal deployments. Blue must lose 2 and loses "
                       "2 stands (2). Red must lose 2 and loses 2 stands (2). Left: Blue 2, Red 2. "
                       "Blue falls back 2 squares. Red falls back 2 squares (NAP-5C)."),
            std::string::npos)
      << equal;
  EXPECT_NE(equal.find("Line infantry B#1 is destroyed in the melee (E5, NAP-5E)."),
            std::string::npos)
      << equal;
  const std::string beaten =
      Told(kToMelee + "card Blue FLANKING at E5;card Red LINE at E5;coin heads");
  EXPECT_NE(beaten.find("Red must lose 2.5 and loses 3 stands (3). Left: Blue 3, Red 1. Blue is at "
                        "least 3 times as strong: the rest of Red is destroyed (NAP-5C)."),
            std::string::npos)
      << beaten;
  const std::string back = Told(kToMelee + "card Blue LINE at E5;card Red WITHDRAWAL at E5");
  EXPECT_NE(back.find("Melee in E5: Blue 4, Red 4. Red withdraws 2 squares (NAP-5D)."),
            std::string::npos)
      << back;
}

TEST(NapoleonicWords, ACoinNamesWhatIsAtStake) {  // NAP-5F
  const std::string cards = kToMelee + "card Blue FLANKING at E5;card Red LINE at E5";
  EXPECT_NE(Told(cards).find("toss a coin for Line infantry R#3 in E5, of Red in the melee in E5"),
            std::string::npos)
      << Told(cards);
  EXPECT_NE(Told(cards + ";coin heads").find("Coin toss: heads, Line infantry R#3 in E5 is lost."),
            std::string::npos)
      << Told(cards + ";coin heads");
  EXPECT_NE(Told(cards + ";coin tails").find("Coin toss: tails, Line infantry R#3 in E5 stays."),
            std::string::npos);
}

TEST(NapoleonicWords, AVolleyThatHitsNothingSaysSo) {  // NAP-4D
  const std::string fired = "done Blue;done Red;fire B at E5;done Blue;done Red;";
  const std::string missed = Told(fired + "dice 6 6 6 3");
  EXPECT_NE(missed.find("Line infantry B at E5: 6 6 6 3, no hit."), std::string::npos) << missed;
  const std::string hit = Told(fired + "dice 6 1 2 6");
  EXPECT_NE(hit.find("Line infantry B at E5: 6 1 2 6, 2 hits: Line infantry R#1, R#2."),
            std::string::npos)
      << hit;
  EXPECT_NE(hit.find("Line infantry R#1 is destroyed by musketry (E5, NAP-4E)."), std::string::npos)
      << hit;
}

// Red has three units of line infantry: R, N-2 and N-3.
TEST(NapoleonicWords, UnitsOfAKindAreNumbered) {
  const std::string others =
      "[[unit]]\nid = \"N-2\"\nside = \"Red\"\nkind = \"line_infantry\"\nsquare = \"D8\"\n"
      "[[unit]]\nid = \"N-3\"\nside = \"Red\"\nkind = \"line_infantry\"\nsquare = \"F8\"\n";
  const std::string turned = Told(
      "done Blue;done Red;done Blue;done Red;done Blue;done Blue;"
      "done Red;turn N-3 E",
      others);
  EXPECT_NE(turned.find("3rd line infantry, N-3 (4) faces E."), std::string::npos) << turned;
  const std::string fell = Told(kToMelee + "card Blue LINE at E5;card Red LINE at E5", others);
  EXPECT_NE(fell.find("1st line infantry, R (2) falls back to E6, E7 (NAP-5G)."), std::string::npos)
      << fell;
  EXPECT_NE(fell.find("Line infantry B (2) falls back to E4, E3 (NAP-5G)."), std::string::npos)
      << fell;
}

TEST(NapoleonicWords, TheFallOfAShotNamesItsAnswers) {
  const std::string gun =
      "[[unit]]\nid = \"C\"\nside = \"Blue\"\nkind = \"foot_crew\"\nsquare = \"E2\"\n"
      "[[equipment]]\nid = \"G\"\nside = \"Blue\"\nkind = \"foot_gun\"\nsquare = \"E2\"\n";
  const std::string asked = Told("shoot G howitzer at E5", gun);
  EXPECT_NE(
      asked.find("say where the shot of Foot gun G came to rest, in inches, or that it left the "
                 "board"),
      std::string::npos)
      << asked;
}

TEST(NapoleonicWords, RefusalsSayWhatWouldDo) {
  EXPECT_EQ(Told("turn B Q"),
            "cannot be read: `Q` is not a facing; use N, NE, E, SE, S, SW, W or NW");
  EXPECT_EQ(Told("limber a"), "cannot be read: no equipment `a`: this game has none");
}

TEST(NapoleonicWords, ShowListsLossesObjectivesAndSquares) {  // NAP-8A, NAP-12
  const std::string shown = Told("done Blue;done Red;done Blue;done Red;square B at E4;show");
  EXPECT_NE(shown.find("Blue has lost 0 stands."), std::string::npos) << shown;
  EXPECT_NE(shown.find("the farm (1 point): held by Red."), std::string::npos) << shown;
  EXPECT_NE(shown.find("Square of Blue in E4: B"), std::string::npos) << shown;
}

}  // namespace
}  // namespace fos::napoleonic::test
