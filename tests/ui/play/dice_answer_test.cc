// SPDX-License-Identifier: MIT
#include "ui/play/dice_answer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "engine/journal/logged_game.h"
#include "tests/support/temp_dir.h"
#include "ui/play/game_recorder.h"
#include "ui/session/dice_record.h"
#include "ui/session/replay.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using State = DiceOffer::State;

Prompt AskedForDice(int dice, int faces = 6) {
  Prompt out;
  out.faces = faces;
  out.kind = PromptKind::kDice;
  out.dice = dice;
  return out;
}

// A table under the camera with dice on it.
class DiceTable {
 public:
  // dice  the sides of those that the scenario throws
  explicit DiceTable(std::vector<int> dice = {6}) {
    shown_.watching = Watching::kWatching;
    MatchFacts facts;
    facts.scenario.dice = std::move(dice);
    shown_.facts = std::make_shared<const MatchFacts>(std::move(facts));
  }
  // Dice of one throw, from west to east.
  void Throw(double at_rest_s, std::initializer_list<int> faces, int sides = 6) {
    ++throws_;
    double x = 3;
    for (const int face : faces) {
      DieShown die;
      die.faces = sides;
      die.number = ++dice_;
      die.throw_number = throws_;
      die.centre = {x, 5};
      die.at_rest_s = at_rest_s;
      die.value = face;
      die.chance = 0.99;
      die.read = true;
      die.picture = "evidence/dice_0" + std::to_string(throws_) + ".png";
      shown_.dice.push_back(std::make_shared<const DieShown>(die));
      x += 2;
    }
  }
  template <typename Change>
  void ChangeLast(const Change& change) {
    DieShown die = *shown_.dice.back();
    change(die);
    shown_.dice.back() = std::make_shared<const DieShown>(die);
  }
  void PickUpLast() { shown_.dice.pop_back(); }
  void PickUpAll() { shown_.dice.clear(); }
  void Hands(bool over) { shown_.watching = over ? Watching::kHands : Watching::kWatching; }
  const Snapshot& At(double time_s) {
    shown_.frame.time_s = time_s;
    shown_.frame.id.index = static_cast<std::int64_t>(30 * time_s);
    return shown_;
  }

 private:
  Snapshot shown_;
  int throws_ = 0;
  int dice_ = 0;
};

TEST(DiceAnswer, IsOfferedAndTakenAfterTwoSeconds) {
  DiceTable table;
  DiceAnswer answer;
  answer.AskedAt(10);
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(11), false));
  EXPECT_EQ(answer.Offer().state, State::kNone);
  table.Throw(11.5, {4, 6});
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(12), false));
  EXPECT_EQ(answer.Offer().state, State::kOffered);
  EXPECT_EQ(answer.Offer().faces, (std::vector<int>{4, 6}));
  EXPECT_NEAR(answer.Offer().chance, 0.99 * 0.99, 1e-12);
  EXPECT_EQ(answer.Offer().sentence, "The camera reads 4 6 (98 %).");
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(13.99), false));
  EXPECT_TRUE(answer.Look(AskedForDice(2), table.At(14), false));
}

TEST(DiceAnswer, DiceThatLayThereBeforeAreNone) {
  DiceTable table;
  DiceAnswer answer;
  table.Throw(10, {4, 6});
  answer.AskedAt(10);
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(20), false));
  EXPECT_EQ(answer.Offer().state, State::kNone);
  // New ones are counted without them.
  table.Throw(20.5, {1, 2});
  answer.Look(AskedForDice(2), table.At(21), false);
  EXPECT_EQ(answer.Offer().faces, (std::vector<int>{1, 2}));
}

TEST(DiceAnswer, PickedUpDiceWithdrawTheOffer) {
  DiceTable table;
  DiceAnswer answer;
  table.Throw(1, {4, 6});
  answer.Look(AskedForDice(2), table.At(2), false);
  ASSERT_EQ(answer.Offer().state, State::kOffered);
  table.PickUpLast();
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(5), false));
  EXPECT_EQ(answer.Offer().state, State::kNot);
  EXPECT_EQ(answer.Offer().sentence,
            "The table shows one die; two are asked for: throw the rest, or type what they show.");
  table.PickUpAll();
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(9), false));
  EXPECT_EQ(answer.Offer().state, State::kNone);
}

TEST(DiceAnswer, HandsTypingAndNewDiceBeginTheTwoSecondsAnew) {
  DiceTable table;
  DiceAnswer answer;
  const Prompt prompt = AskedForDice(2);
  table.Throw(1, {4});
  answer.Look(prompt, table.At(2), false);
  table.Throw(2.5, {6});
  EXPECT_FALSE(answer.Look(prompt, table.At(3.9), false));
  EXPECT_FALSE(answer.Look(prompt, table.At(5.8), false)) << "the second die is new";
  table.Hands(true);
  EXPECT_FALSE(answer.Look(prompt, table.At(6), false));
  table.Hands(false);
  EXPECT_FALSE(answer.Look(prompt, table.At(7.9), false));
  EXPECT_FALSE(answer.Look(prompt, table.At(8.5), true)) << "a player types";
  EXPECT_FALSE(answer.Look(prompt, table.At(10.4), false));
  EXPECT_TRUE(answer.Look(prompt, table.At(10.5), false));
}

TEST(DiceAnswer, SaysTheWrongNumber) {
  DiceTable table;
  DiceAnswer answer;
  table.Throw(1, {4, 6, 1});
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(9), false));
  EXPECT_EQ(answer.Offer().sentence,
            "The table shows three dice; two are asked for: pick up what is no part of the throw, "
            "or type what counts.");
  EXPECT_TRUE(answer.Offer().faces.empty());
}

TEST(DiceAnswer, TwelveSidedDiceAnswerWhereTheyAreAskedFor) {
  DiceTable table({6, 12});
  DiceAnswer answer;
  table.Throw(1, {11}, 12);
  const Prompt activations = AskedForDice(1, 12);
  EXPECT_FALSE(answer.Look(activations, table.At(1.5), false));
  EXPECT_EQ(answer.Offer().faces, std::vector<int>{11});
  EXPECT_EQ(answer.Offer().sentence, "The camera reads 11 (99 %).");
  EXPECT_TRUE(answer.Look(activations, table.At(3.5), false));
  // Initiative: each side throws one.
  table.Throw(4, {3}, 12);
  Prompt initiative = AskedForDice(2, 12);
  initiative.one_each = true;
  answer.Look(initiative, table.At(4.5), false);
  EXPECT_EQ(answer.Offer().faces, (std::vector<int>{11, 3}));
}

TEST(DiceAnswer, DiceOfOtherSidesAreNoAnswer) {
  const auto said = [](DiceTable& table, const Prompt& prompt) {
    DiceAnswer answer;
    EXPECT_FALSE(answer.Look(prompt, table.At(10), false));
    EXPECT_FALSE(answer.Look(prompt, table.At(20), false)) << "never taken by itself";
    EXPECT_EQ(answer.Offer().state, State::kNot);
    EXPECT_TRUE(answer.Offer().faces.empty());
    return answer.Offer().sentence;
  };
  DiceTable pipped({6, 12});
  pipped.Throw(1, {4, 6, 1});
  EXPECT_EQ(said(pipped, AskedForDice(3, 12)),
            "The table shows three six-sided dice; D12 are asked for: throw those instead, or type "
            "what they show.");
  EXPECT_EQ(said(pipped, AskedForDice(1, 12)),
            "The table shows three six-sided dice; a D12 is asked for: throw that instead, or type "
            "what it shows.");
  EXPECT_EQ(said(pipped, AskedForDice(3, 20)),
            "The table shows three six-sided dice; D20 are asked for, which the camera does not "
            "read: type what they show.");
  // A scenario of the club's own leaves D12 to the players.
  DiceTable unread;
  unread.Throw(1, {4});
  EXPECT_EQ(said(unread, AskedForDice(1, 12)),
            "The table shows one six-sided die; a D12 is asked for, which the camera does not "
            "read: type what it shows.");
  DiceTable numbered({6, 12});
  numbered.Throw(1, {4}, 12);
  EXPECT_EQ(said(numbered, AskedForDice(8)),
            "The table shows one twelve-sided die; D6 are asked for: throw those instead, or type "
            "what they show.");
}

TEST(DiceAnswer, DiceOfOtherSidesAmongTheRightOnesArePickedUp) {
  DiceTable table({6, 12});
  DiceAnswer answer;
  const Prompt prompt = AskedForDice(1, 12);
  table.Throw(1, {11}, 12);
  table.Throw(2, {4, 6});
  EXPECT_FALSE(answer.Look(prompt, table.At(10), false));
  EXPECT_EQ(answer.Offer().state, State::kNot);
  EXPECT_EQ(answer.Offer().sentence,
            "The table shows one twelve-sided die and two six-sided dice; a D12 is asked for: pick "
            "up the others, or type what counts.");
  table.PickUpLast();
  table.PickUpLast();
  answer.Look(prompt, table.At(11), false);
  EXPECT_EQ(answer.Offer().faces, std::vector<int>{11});
}

TEST(DiceAnswer, CockedAndDoubtfulDiceAreAskedAboutAndNeverTaken) {
  DiceTable table;
  DiceAnswer answer;
  table.Throw(1, {4, 6});
  table.ChangeLast([](DieShown& die) { die.read = false, die.chance = 0.7; });
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(2), false));
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(60), false));
  EXPECT_EQ(answer.Offer().state, State::kNot);
  EXPECT_NE(answer.Offer().sentence.find("Does it show 6 (70 %)?"), std::string::npos);
  table.ChangeLast([](DieShown& die) { die.cocked = true; });
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(61), false));
  EXPECT_EQ(answer.Offer().sentence, "A die is cocked: throw it again.");
  // It is thrown again, and the other one counts.
  table.PickUpLast();
  table.Throw(62, {2});
  answer.Look(AskedForDice(2), table.At(63), false);
  EXPECT_EQ(answer.Offer().faces, (std::vector<int>{4, 2}));
}

TEST(DiceAnswer, DismissedDiceStayDismissed) {
  DiceTable table;
  DiceAnswer answer;
  table.Throw(1, {4, 6});
  answer.Look(AskedForDice(2), table.At(2), false);
  answer.Dismiss();
  EXPECT_FALSE(answer.Look(AskedForDice(2), table.At(9), false));
  EXPECT_EQ(answer.Offer().state, State::kNone);
  table.Throw(9.5, {3, 3});
  answer.Look(AskedForDice(2), table.At(10), false);
  EXPECT_EQ(answer.Offer().faces, (std::vector<int>{3, 3}));
}

TEST(DiceAnswer, DiceOfTwoSidesAreThrownOneAfterTheOther) {
  Prompt prompt = AskedForDice(2);
  prompt.one_each = true;
  DiceTable together;
  DiceAnswer answer;
  together.Throw(1, {5, 2});
  EXPECT_FALSE(answer.Look(prompt, together.At(9), false));
  EXPECT_EQ(answer.Offer().state, State::kNot);
  DiceTable apart;
  apart.Throw(1, {5});
  apart.Throw(2, {2});
  answer.Look(prompt, apart.At(3), false);
  EXPECT_EQ(answer.Offer().faces, (std::vector<int>{5, 2}));
  DiceTable alike;  // equal ones may be anybody's
  alike.Throw(1, {5, 5});
  answer.Look(prompt, alike.At(3), false);
  EXPECT_EQ(answer.Offer().faces, (std::vector<int>{5, 5}));
}

TEST(DiceAnswer, AverageDiceComeBeforeTheOrdinaryOneAndShowNoSix) {
  Prompt prompt = AskedForDice(2);
  prompt.kinds = {DieFaces::kAverage, DieFaces::kOrdinary};
  const auto offer = [&](std::initializer_list<int> faces) {
    DiceTable table;
    DiceAnswer answer;
    table.Throw(1, faces);
    answer.Look(prompt, table.At(2), false);
    return answer.Offer();
  };
  EXPECT_EQ(offer({6, 3}).faces, (std::vector<int>{3, 6}));
  EXPECT_EQ(offer({1, 5}).faces, (std::vector<int>{5, 1}));
  EXPECT_EQ(offer({4, 4}).faces, (std::vector<int>{4, 4}));
  EXPECT_EQ(offer({4, 3}).state, State::kNot);
  EXPECT_EQ(offer({6, 1}).sentence,
            "The table shows at least two ordinary dice; one average die and one ordinary die are "
            "asked for.");
  prompt.kinds = {DieFaces::kAverage, DieFaces::kAverage};
  EXPECT_EQ(offer({3, 2}).faces, (std::vector<int>{3, 2}));
  EXPECT_EQ(offer({3, 6}).state, State::kNot);
}

// ---- In a game, with its record ----

fs::path VolleyBattle() { return fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml"; }
constexpr const char* kBeforeTheVolley[] = {"done Blue",          "done Red",  "turn B-light NW",
                                            "fire B-light at E5", "done Blue", "done Red"};

struct PlayedVolley {
  test::TempDir dir;
  fs::path scenario = VolleyBattle();
  std::unique_ptr<GameRecorder> recorder;
  std::unique_ptr<GameController> controller;

  void Open() {
    controller.reset();
    recorder.reset();
    GameRecorder::Wanted wanted;
    wanted.club = dir.path() / "club.db";
    wanted.scenario = scenario;
    wanted.seed = 7;
    recorder = GameRecorder::Open(wanted).value();
    controller = GameController::Open(recorder->Setup().value()).value();
  }
  void PlayToTheVolley(double time_s) {
    Open();
    for (const char* line : kBeforeTheVolley) controller->Say(line, time_s);
    ASSERT_EQ(controller->Now()->prompt.kind, PromptKind::kDice);
    ASSERT_EQ(controller->Now()->prompt.dice, 2);
  }
  GameLog Log() const {
    JournalOptions options;
    options.read_only = true;
    const Journal journal = Journal::Open(dir.path() / "club.db", options).value();
    return journal.Read(recorder->Game()).value();
  }
};

TEST(DiceInAGame, AreTakenAndRecordedWithChanceAndPicture) {
  PlayedVolley game;
  game.PlayToTheVolley(10);
  DiceTable table;
  table.Throw(10.5, {1, 3});
  game.controller->SeeDice(table.At(11.1), true, false);
  EXPECT_EQ(game.controller->Now()->prompt.kind, PromptKind::kDice);
  game.controller->SeeDice(table.At(13.2), true, false);
  EXPECT_NE(game.controller->Now()->prompt.kind, PromptKind::kDice);
  EXPECT_EQ(game.controller->Now()->log.back().line, "dice 1 3");
  EXPECT_EQ(game.controller->Now()->log.back().dice_read, "Read by the camera: 1 3.");
  EXPECT_EQ(game.controller->OfferedDice().faces, (std::vector<int>{1, 3}))
      << "until the next look";
  game.controller->SeeDice(table.At(13.3), true, false);
  EXPECT_EQ(game.controller->OfferedDice().state, State::kNone);

  const GameLog log = game.Log();
  ASSERT_GE(log.records.size(), 2u);
  const Record& line = log.records[log.records.size() - 2];
  EXPECT_EQ(line.text, "dice 1 3");
  const auto read = ParseDiceReadLine(log.records.back().text);
  ASSERT_TRUE(read.has_value()) << log.records.back().text;
  EXPECT_TRUE(read->by_camera);
  EXPECT_EQ(read->line, 7);
  EXPECT_EQ(read->values, (std::vector<int>{1, 3}));
  EXPECT_EQ(read->chances, (std::vector<double>{0.99, 0.99}));
  EXPECT_EQ(read->pictures, std::vector<std::string>{"evidence/dice_01.png"});
  EXPECT_EQ(read->frame, 396);

  // Played again from its lines the game is the same, and it goes on after the program's end.
  const Result<Replayed> again = Replay(log, {});
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->differences.empty());
  const std::string phase = game.controller->Now()->prompt.sentence;
  game.Open();
  EXPECT_EQ(game.controller->Now()->prompt.sentence, phase);
  EXPECT_EQ(game.controller->Now()->played, 7u);
}

// Colonial: a D6 rates a General, a D12 of each side gives the initiative.
TEST(DiceInAGame, AreOfTheSidesThatItAsksFor) {
  PlayedVolley game;
  game.scenario = fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/tamanieb.toml";
  game.Open();
  ASSERT_EQ(game.controller->Now()->prompt.faces, 6) << game.controller->Now()->prompt.sentence;
  DiceTable table({6, 12});
  table.Throw(1, {6}, 12);
  game.controller->SeeDice(table.At(2), true, false);
  game.controller->SeeDice(table.At(9), true, false);
  ASSERT_EQ(game.controller->Now()->prompt.faces, 6) << "a D12 is no answer";
  EXPECT_EQ(game.controller->OfferedDice().state, State::kNot);
  table.PickUpAll();
  table.Throw(10, {6});
  game.controller->SeeDice(table.At(11), true, false);
  game.controller->SeeDice(table.At(14), true, false);
  EXPECT_EQ(game.controller->Now()->log.back().line, "dice 6");
  ASSERT_EQ(game.controller->Now()->prompt.faces, 12) << game.controller->Now()->prompt.sentence;
  ASSERT_EQ(game.controller->Now()->prompt.dice, 2);
  table.PickUpAll();
  table.Throw(15, {9}, 12);
  table.Throw(16, {12}, 12);
  game.controller->SeeDice(table.At(17), true, false);
  game.controller->SeeDice(table.At(20), true, false);
  EXPECT_EQ(game.controller->Now()->log.back().line, "dice 9 12");
  EXPECT_EQ(game.controller->Now()->log.back().dice_read, "Read by the camera: 9 12.");
}

TEST(DiceInAGame, TypedValuesWinAndTheLogSaysSo) {
  PlayedVolley game;
  game.PlayToTheVolley(10);
  DiceTable table;
  table.Throw(10.5, {1, 3});
  game.controller->SeeDice(table.At(11), true, true);
  game.controller->Say("dice 6 3", 11.5);
  EXPECT_EQ(game.controller->Now()->log.back().line, "dice 6 3");
  EXPECT_EQ(game.controller->Now()->log.back().dice_read,
            "Typed by the players; the camera had read 1 3.");
  const GameLog log = game.Log();
  const auto read = ParseDiceReadLine(log.records.back().text);
  ASSERT_TRUE(read.has_value());
  EXPECT_FALSE(read->by_camera);
  EXPECT_EQ(read->values, (std::vector<int>{1, 3}));
  EXPECT_EQ(log.records[log.records.size() - 2].text, "dice 6 3");
}

TEST(DiceInAGame, OneTapTakesThemAndTheSwitchLeavesThemToThePlayers) {
  PlayedVolley game;
  game.PlayToTheVolley(10);
  DiceTable table;
  table.Throw(10.5, {1, 3});
  for (double time_s = 11; time_s < 30; time_s += 0.5)
    game.controller->SeeDice(table.At(time_s), false, false);
  ASSERT_EQ(game.controller->Now()->prompt.kind, PromptKind::kDice);
  game.controller->TakeDice();
  EXPECT_EQ(game.controller->Now()->log.back().line, "dice 1 3");
  // Taken back, the game asks anew: those dice have had their turn.
  game.controller->Undo(31);
  ASSERT_EQ(game.controller->Now()->prompt.kind, PromptKind::kDice);
  game.controller->SeeDice(table.At(40), true, false);
  EXPECT_EQ(game.controller->OfferedDice().state, State::kNone);
  game.controller->TakeDice();
  EXPECT_EQ(game.controller->Now()->prompt.kind, PromptKind::kDice);
}

TEST(DiceInAGame, OfAnEarlierMatchSayNothingOfTheTimesOfThisOne) {
  PlayedVolley game;
  game.PlayToTheVolley(5000);
  game.Open();
  DiceTable table;
  table.Throw(3, {1, 3});
  game.controller->SeeDice(table.At(4), true, false);
  EXPECT_EQ(game.controller->OfferedDice().state, State::kOffered);
}

}  // namespace
}  // namespace fos
