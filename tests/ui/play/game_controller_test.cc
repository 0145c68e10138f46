// SPDX-License-Identifier: MIT
#include "ui/play/game_controller.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <fstream>
#include <optional>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/support/temp_dir.h"
#include "ui/play/game_recorder.h"
#include "ui/session/game_map.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

fs::path Skirmish() { return fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml"; }

std::unique_ptr<GameController> Desk(std::vector<Record>* written = nullptr) {
  GameController::Setup setup;
  setup.open = [] { return OpenGame(Skirmish(), 7); };
  setup.name = "Skirmish";
  setup.board = ReadGameMap(Skirmish())->board;
  if (written != nullptr) {
    setup.record = [written](Record record) {
      written->push_back(std::move(record));
      return Ok();
    };
  }
  Result<std::unique_ptr<GameController>> controller = GameController::Open(std::move(setup));
  EXPECT_TRUE(controller.ok());
  return std::move(controller).value();
}

TEST(GameController, ReadsTheBoardOfItsScenario) {
  const Result<GameMap> grid = ReadGameMap(Skirmish());
  ASSERT_TRUE(grid.ok());
  EXPECT_TRUE(grid->gridded);
  EXPECT_EQ(grid->board.columns, 9);
  EXPECT_EQ(grid->board.square_in, 4.0);
  EXPECT_FALSE(ReadGameMap("no/such.toml").ok());
  const Result<GameMap> open =
      ReadGameMap(fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/kirchheim.toml");
  ASSERT_TRUE(open.ok()) << open.error().message;  // 72 x 48 in, without squares
  EXPECT_FALSE(open->gridded);
  EXPECT_EQ(open->board.columns, 6);
  EXPECT_EQ(open->board.Depth(), 48);
}

TEST(GameController, PlaysRefusesUndoesAndRedoesLines) {
  std::vector<Record> written;
  const auto controller = Desk(&written);
  const auto start = controller->Now();
  EXPECT_EQ(start->prompt.kind, PromptKind::kDeclare);
  EXPECT_EQ(start->prompt.phase, "artillery");
  EXPECT_FALSE(controller->OptionsOf("B-gun").empty());
  EXPECT_FALSE(controller->Stands().empty());

  controller->Say("shoot B-gun field at E5", 1.5);
  EXPECT_EQ(controller->Now()->prompt.kind, PromptKind::kShot);
  EXPECT_EQ(start->prompt.kind, PromptKind::kDeclare);  // old snapshots do not change
  controller->Say("lands 18 17.4 stand R-line#1 0.4 stand R-line#2 0.6", 3);
  EXPECT_EQ(controller->Now()->prompt.kind, PromptKind::kChoice);
  controller->Say("take R-line#2", 4);
  EXPECT_EQ(controller->Now()->played, 3u);
  controller->Say("shoot B-gun howitzer at E5", 5);
  EXPECT_TRUE(controller->Now()->refused);
  EXPECT_FALSE(controller->Now()->clause.empty());
  EXPECT_EQ(controller->Now()->log.back().number, 0);
  controller->Say("shot B-gun at E5", 5);
  EXPECT_TRUE(controller->Now()->refused);
  EXPECT_EQ(controller->Now()->played, 3u);

  controller->Undo(6);
  EXPECT_EQ(controller->Now()->played, 2u);
  EXPECT_EQ(controller->Now()->prompt.kind, PromptKind::kChoice);
  EXPECT_EQ(controller->Now()->to_redo, 1u);
  controller->Redo(7);
  EXPECT_EQ(controller->Now()->played, 3u);
  EXPECT_EQ(controller->Now()->to_redo, 0u);
  controller->Redo(7);
  EXPECT_TRUE(controller->Now()->refused);
  controller->Say("undo 99", 8);
  EXPECT_EQ(controller->Now()->played, 0u);
  controller->Undo(8);
  EXPECT_TRUE(controller->Now()->refused);
  controller->Say("undo some", 8);
  EXPECT_TRUE(controller->Now()->refused);

  ASSERT_EQ(written.size(), 7u);
  EXPECT_EQ(written[0].kind, RecordKind::kLine);
  EXPECT_EQ(written[3].kind, RecordKind::kRefused);
  EXPECT_EQ(written[4].kind, RecordKind::kUndo);
  EXPECT_EQ(written[6].text, "3");
}

TEST(GameController, ARefusalNamesTheNearestLegalLine) {
  const auto controller = Desk();
  controller->Say("shoot B-gun field at A1", 1);
  ASSERT_TRUE(controller->Now()->refused);
  const std::string head = "\nNearest that is allowed: ";
  const auto legal_in = [&](const std::string& text) {
    const std::size_t at = text.find(head);
    return at == std::string::npos ? std::string() : text.substr(at + head.size());
  };
  const std::string shot = legal_in(controller->Now()->notice);
  EXPECT_TRUE(shot.starts_with("shoot B-gun field at ")) << controller->Now()->notice;
  EXPECT_EQ(controller->Now()->log.back().refused.find(head), std::string::npos);
  controller->Say(shot, 2);
  EXPECT_FALSE(controller->Now()->refused) << controller->Now()->notice;

  // No legal line begins so.
  controller->Say("move B-line to D5", 3);
  EXPECT_TRUE(controller->Now()->refused);
  EXPECT_EQ(legal_in(controller->Now()->notice), "");

  // A click on a square that is too far.
  controller->Undo(4);
  for (const char* line : {"done Blue", "done Red", "done Blue", "done Red"})
    controller->Say(line, 5);
  const std::string why = controller->WhyNot("B-line", "D9");
  EXPECT_TRUE(legal_in(why).starts_with("move B-line ")) << why;
  controller->Say(legal_in(why), 6);
  EXPECT_FALSE(controller->Now()->refused) << controller->Now()->notice;
}

// The window's buttons say what the prompt says, and no prompt asks for words that a script has.
TEST(GameController, PromptsCallTheEndOfAStepWhatItsButtonDoes) {
  for (const char* name : {"skirmish", "ancient_indian", "tamanieb", "kirchheim"}) {
    const fs::path file =
        fs::path(FOS_SOURCE_DIR) / "datasets/scenarios" / (std::string(name) + ".toml");
    Result<std::unique_ptr<RuleGame>> game = OpenGame(file.string(), 3);
    ASSERT_TRUE(game.ok()) << game.error().message;
    Generator chance(3);
    int ends = 0;
    for (int i = 0; i < 120 && (*game)->Next().kind != PromptKind::kOver; ++i) {
      const Prompt prompt = (*game)->Next();
      EXPECT_EQ(prompt.sentence.find('`'), std::string::npos) << prompt.sentence;
      for (const int side : prompt.sides) {
        for (const LineOption& option : (*game)->Options(side)) {
          if (prompt.kind != PromptKind::kDeclare || !option.line.starts_with("done ")) continue;
          ++ends;
          EXPECT_EQ(option.label, "End this step") << name;
          EXPECT_NE(prompt.sentence.find("end this step"), std::string::npos) << prompt.sentence;
        }
      }
      ASSERT_TRUE((*game)->Play((*game)->RandomLine(chance)).ok()) << name;
    }
    EXPECT_GT(ends, 5) << name;
  }
}

TEST(GameController, ACorrectionRebuildsTheLog) {
  const auto controller = Desk();
  controller->Say("shoot B-gun field at E5", 1);
  controller->Say("lands 18 17.4 stand R-line#1 0.4 stand R-line#2 0.6", 2, 4);
  controller->Say("take R-line#2", 3);
  controller->Say("correct 3 take R-line#1", 9);
  ASSERT_FALSE(controller->Now()->refused) << controller->Now()->notice;
  EXPECT_EQ(controller->Now()->log[2].line, "take R-line#1");
  EXPECT_EQ(controller->Now()->log[1].shot, 4);  // the evidence stays with its line
  const auto& pieces = controller->Now()->view.pieces;
  const auto one = std::find_if(pieces.begin(), pieces.end(),
                                [](const PieceView& piece) { return piece.id == "R-line#1"; });
  ASSERT_NE(one, pieces.end());
  EXPECT_FALSE(one->on_table);
  controller->Say("remove 3", 9);
  EXPECT_EQ(controller->Now()->played, 2u);
  controller->Say("correct", 9);
  EXPECT_TRUE(controller->Now()->refused);
  controller->Say("correct 77 done Blue", 9);
  EXPECT_TRUE(controller->Now()->refused);
}

TEST(GameController, ALineKeepsItsShotWhenAnotherIsRemoved) {
  const auto controller = Desk();
  controller->Say("turn B-line NE", 1);
  controller->Say("shoot B-gun field at E5", 1);
  controller->Say("lands 18 17.4 stand R-line#1 0.4 stand R-line#2 0.6", 2, 4);
  ASSERT_EQ(controller->Now()->played, 3u) << controller->Now()->notice;
  controller->Say("remove 1", 9);
  ASSERT_FALSE(controller->Now()->refused) << controller->Now()->notice;
  ASSERT_EQ(controller->Now()->played, 2u);
  EXPECT_EQ(controller->Now()->log[1].shot, 4);
}

// Plays up to the choice of cards in the melee of docs/scripts.md's script.
void ToTheCards(GameController& controller) {
  for (const char* line :
       {"done Blue", "done Red", "done Blue", "done Red", "move B-line via D4 D5", "done Blue",
        "done Blue", "done Red", "done Red", "done Blue", "done Red", "done Blue",
        "move R-horse via D6 D5"}) {
    controller.Say(line, 1);
  }
}

TEST(GameController, HidesSecretsUntilBothSidesHaveChosen) {
  const auto controller = Desk();
  ToTheCards(*controller);
  for (int i = 0; i < 6 && controller->Now()->prompt.kind == PromptKind::kDeclare; ++i) {
    const int side = controller->Now()->prompt.sides.front();
    controller->Say("done " + controller->Now()->view.sides[static_cast<std::size_t>(side)], 2);
  }
  ASSERT_EQ(controller->Now()->prompt.kind, PromptKind::kSecret)
      << controller->Now()->prompt.sentence;
  ASSERT_EQ(controller->Now()->prompt.sides.size(), 2u);
  const auto options = controller->Now()->options;
  ASSERT_GE(options[0].size(), 2u);
  ASSERT_GE(options[1].size(), 2u);
  const std::size_t played = controller->Now()->played;
  controller->Choose(0, options[0][0].line, 3);
  EXPECT_EQ(controller->Now()->played, played);
  EXPECT_TRUE(controller->Now()->chosen[0]);
  EXPECT_EQ(controller->Now()->notice.find(options[0][0].line), std::string::npos);
  for (const GameLogEntry& entry : controller->Now()->log)
    EXPECT_NE(entry.line, options[0][0].line);
  controller->Choose(0, options[0][1].line, 3);  // chooses again
  controller->Choose(5, options[0][1].line, 3);
  controller->Choose(1, options[1][0].line, 3);
  EXPECT_EQ(controller->Now()->played, played + 2);
  EXPECT_NE(controller->Now()->prompt.kind, PromptKind::kSecret);
}

ShotShown ShotOnStand(Vec2 at, const std::string& id, int kind, double gap, Call call) {
  ShotShown shot;
  shot.shot.shot = {1};
  shot.shot.point = at;
  StandVerdict stand;
  stand.stand.stand = {id};
  stand.stand.kind = kind;
  stand.limit_in = 1;
  stand.measured.gap = {gap, 0.02};
  stand.call = call;
  shot.verdict.stands = {stand};
  shot.verdict.ground.square = "E5";
  return shot;
}

TEST(GameController, TurnsAMeasuredShotIntoTheLineTheGameAwaits) {
  const auto controller = Desk();
  Scenario scenario;
  scenario.kinds.resize(2);
  scenario.kinds[1].equipment = true;
  const ShotShown hit = ShotOnStand({18, 17.4}, "R-line#1", 0, 0.4, Call::kHit);
  EXPECT_EQ(*controller->FallOf(hit, scenario), "lands 18.000 17.400 dry stand R-line#1 0.400");
  const ShotShown gun = ShotOnStand({18, 17.4}, "B-gun#1", 1, 0.9, Call::kMiss);
  EXPECT_EQ(*controller->FallOf(gun, scenario), "lands 18.000 17.400 dry gun B-gun 1.001");
  ShotShown open = ShotOnStand({18, 17.4}, "R-line#1", 0, 1.01, Call::kTooClose);
  ASSERT_FALSE(controller->FallOf(open, scenario).ok());
  EXPECT_NE(controller->FallOf(open, scenario).error().message.find("R-line#1"), std::string::npos);
  open.decisions = {{PlayerDecision::What::kSettle, 1, "R-line#1", Call::kHit, {}}};
  EXPECT_EQ(*controller->FallOf(open, scenario), "lands 18.000 17.400 dry stand R-line#1 1.000");
  EXPECT_EQ(*controller->FallOf(ShotOnStand({-3, 4}, "R-line#1", 0, 9, Call::kMiss), scenario),
            "lands off");
  controller->Say("shoot B-gun field at E5", 1);
  controller->Say(*controller->FallOf(hit, scenario), 2, 1);
  EXPECT_FALSE(controller->Now()->refused) << controller->Now()->notice;
  EXPECT_EQ(controller->LastShotUsed(), 1);
  EXPECT_EQ(controller->Now()->log.back().shot, 1);
}

// The game of a clip's scenario calls a gun by the name that the camera gives it.
TEST(GameController, TellsTheGameOfAClipAboutAGunBesideTheShot) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip/scenario.toml";
  GameController::Setup setup;
  setup.open = [clip] { return OpenGame(clip, 7); };
  setup.board = {12, 9, 4.0};
  const auto controller = GameController::Open(std::move(setup)).value();
  controller->Say("draw", 0);
  controller->Say("shoot F-1A1#1 field at B5", 1);
  ASSERT_EQ(controller->Now()->prompt.kind, PromptKind::kShot) << controller->Now()->notice;
  Scenario scenario;
  scenario.kinds.resize(2);
  scenario.kinds[1].equipment = true;
  const ShotShown shot = ShotOnStand({10, 5}, "F-1A2#1", 1, 0.9, Call::kMiss);
  const std::string line = *controller->FallOf(shot, scenario);
  EXPECT_EQ(line, "lands 10.000 5.000 dry gun F-1A2#1 1.001");
  controller->Say(line, 2, 1);
  EXPECT_FALSE(controller->Now()->refused) << controller->Now()->notice;
  EXPECT_EQ(controller->LastShotUsed(), 1);
}

// NAP-6D: the square of the touched model burns, which need not be the shot's own.
TEST(GameController, SetsTheSquareOfTheRulingAlight) {
  const auto controller = Desk();
  Scenario scenario;
  scenario.kinds.resize(1);
  ShotShown shot = ShotOnStand({18, 15.9}, "R-line#1", 0, 1.5, Call::kMiss);
  shot.verdict.ground.square = "E4";
  shot.verdict.ground.burning_tests = {"house"};
  shot.verdict.ruling = ShotRuling{};
  shot.verdict.ruling->fire_square = "E5";
  EXPECT_EQ(*controller->FallOf(shot, scenario),
            "lands 18.000 15.900 dry stand R-line#1 1.500 model E5 0");
  shot.verdict.ruling->fire_square.clear();  // it cannot burn
  EXPECT_EQ(*controller->FallOf(shot, scenario), "lands 18.000 15.900 dry stand R-line#1 1.500");
}

// What players settled was about the point as it lay then.
TEST(GameController, AMovedPointIsJudgedAnew) {
  const auto controller = Desk();
  Scenario scenario;
  scenario.kinds.resize(1);
  ShotShown moved = ShotOnStand({18, 15.4}, "R-line#1", 0, 2.4, Call::kMiss);
  PlayerDecision move;
  move.what = PlayerDecision::What::kMove;
  move.shot = 1;
  moved.decisions = {{PlayerDecision::What::kSettle, 1, "R-line#1", Call::kHit, {}}, move};
  EXPECT_EQ(*controller->FallOf(moved, scenario), "lands 18.000 15.400 dry stand R-line#1 2.400");
  moved.decisions.push_back({PlayerDecision::What::kSettle, 1, "R-line#1", Call::kHit, {}});
  EXPECT_EQ(*controller->FallOf(moved, scenario), "lands 18.000 15.400 dry stand R-line#1 1.000");
}

// An undone fall waits for the game again, and a redone one keeps its shot.
TEST(GameController, AnUndoneFallGivesItsShotBack) {
  const auto controller = Desk();
  Scenario scenario;
  scenario.kinds.resize(1);
  ShotShown hit = ShotOnStand({18, 17.4}, "R-line#1", 0, 0.4, Call::kHit);
  controller->Say("shoot B-gun field at E5", 1);
  controller->Say(*controller->FallOf(hit, scenario), 2, 1);
  ASSERT_EQ(controller->LastShotUsed(), 1);
  controller->Undo(3);
  EXPECT_EQ(controller->Now()->prompt.kind, PromptKind::kShot);
  EXPECT_EQ(controller->LastShotUsed(), 0);
  controller->Redo(4);
  EXPECT_EQ(controller->LastShotUsed(), 1);
  EXPECT_EQ(controller->Now()->log.back().shot, 1);
  hit.by_players = hit.withdrawn = true;  // it never fell
  EXPECT_FALSE(controller->FallOf(hit, scenario).ok());
}

TEST(GameRecorder, ContinuesAnUnfinishedGame) {
  const test::TempDir dir;
  GameRecorder::Wanted wanted;
  wanted.club = dir.path() / "club.db";
  wanted.scenario = Skirmish();
  const auto open = [&](std::unique_ptr<GameRecorder>& log) {
    Result<std::unique_ptr<GameRecorder>> opened = GameRecorder::Open(wanted);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    log = std::move(opened).value();
    Result<GameController::Setup> setup = log->Setup();
    EXPECT_TRUE(setup.ok());
    return std::move(GameController::Open(std::move(setup).value())).value();
  };
  std::string state;
  {
    std::unique_ptr<GameRecorder> log;
    const auto controller = open(log);
    EXPECT_EQ(controller->Now()->name, "Skirmish");
    controller->Say("shoot B-gun field at E5", 1);
    controller->Say("lands off", 2);
    controller->Say("shoot B-gun howitzer at E5", 3);  // refused
    controller->Say("done Blue", 4);
    controller->Undo(5);
    controller->Say("done Red", 6);
  }
  {
    std::unique_ptr<GameRecorder> log;
    const auto controller = open(log);
    EXPECT_EQ(controller->Now()->played, 3u);
    EXPECT_NE(controller->Now()->notice.find("continues"), std::string::npos);
    EXPECT_EQ(controller->Now()->log[0].line, "shoot B-gun field at E5");
    controller->Say("done Blue", 7);
    EXPECT_EQ(controller->Now()->prompt.phase, "musketry");
    ASSERT_TRUE(log->End().ok());
  }
  std::unique_ptr<GameRecorder> log;
  EXPECT_EQ(open(log)->Now()->played, 0u);  // the first game has ended: this is a new one
  wanted.resume = "1";
  EXPECT_EQ(open(log)->Now()->played, 4u);
  wanted.resume = "99";
  EXPECT_FALSE(GameRecorder::Open(wanted).ok());
}

TEST(GameController, StepsThroughAReplayWithoutChangingIt) {
  std::vector<Record> written;
  const auto played = Desk(&written);
  for (const char* line :
       {"shoot B-gun field at E5", "lands 18 17.4 stand R-line#1 0.4", "done Blue", "done Red"}) {
    played->Say(line, 1);
    ASSERT_FALSE(played->Now()->refused) << played->Now()->notice;
  }
  played->Undo(2);
  played->Redo(2);
  GameController::Setup setup;
  setup.open = [] { return OpenGame(Skirmish(), 7); };
  setup.board = ReadGameMap(Skirmish())->board;
  setup.before = written;
  setup.replay = true;
  bool wrote = false;
  setup.record = [&wrote](const Record&) {
    wrote = true;
    return Ok();
  };
  const Result<std::unique_ptr<GameController>> opened = GameController::Open(std::move(setup));
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  GameController& replay = **opened;
  const std::size_t lines = played->Now()->played;
  ASSERT_EQ(replay.Now()->replay_turns.size(), lines + 1);
  EXPECT_EQ(replay.Now()->played, 0u);
  EXPECT_TRUE(replay.Now()->log.empty());
  replay.StepTo(1);
  EXPECT_EQ(replay.Now()->prompt.kind, PromptKind::kShot);
  ASSERT_EQ(replay.Now()->log.size(), 1u);
  EXPECT_EQ(replay.Now()->log.back().line, "shoot B-gun field at E5");
  replay.StepTo(1000);
  EXPECT_EQ(replay.Now()->played, lines);
  EXPECT_EQ(replay.Now()->prompt.sentence, played->Now()->prompt.sentence);
  EXPECT_EQ(replay.Now()->log.back().line, "done Red");
  for (const char* said : {"undo", "done Blue", "correct 1 done Blue"}) {
    replay.Say(said, 3);
    EXPECT_TRUE(replay.Now()->refused) << said;
  }
  EXPECT_EQ(replay.Now()->played, lines);
  replay.StepTo(0);
  EXPECT_EQ(replay.Now()->prompt.phase, "artillery");
  EXPECT_FALSE(wrote);
}

// For every roll of a volley the losses are those that the forecast gives for it.
TEST(Forecast, MatchesTheResultOfEveryVolley) {
  const std::filesystem::path scenario =
      std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml";
  Result<std::unique_ptr<RuleGame>> opened = OpenGame(scenario, 5);
  ASSERT_TRUE(opened.ok());
  RuleGame& game = **opened;
  for (const char* line : {"done Blue", "done Red", "turn B-light NW"})
    ASSERT_FALSE(game.Play(line)->refused) << line;
  const std::optional<Forecast> said = game.ForecastOf("fire B-light at E5");
  ASSERT_TRUE(said.has_value());
  EXPECT_EQ(said->unit, "dice");
  EXPECT_EQ(said->totals[0], 2);  // three stands, one die less into the house
  EXPECT_EQ(said->items.size(), 2u);
  EXPECT_FALSE(game.ForecastOf("fire B-light at C1").has_value());
  for (const char* line : {"fire B-light at E5", "done Blue", "done Red"})
    ASSERT_FALSE(game.Play(line)->refused) << line;
  ASSERT_EQ(game.Next().kind, PromptKind::kDice);
  const std::optional<Forecast> awaited = game.Awaited();
  ASSERT_TRUE(awaited.has_value());
  EXPECT_EQ(awaited->chances, said->chances);
  EXPECT_EQ(awaited->totals, said->totals);
  const auto standing = [&] {
    const GameView view = game.View();
    return std::count_if(view.pieces.begin(), view.pieces.end(),
                         [](const PieceView& piece) { return piece.on_table; });
  };
  const auto before = standing();
  const std::size_t played = game.Played();
  std::vector<double> came(said->chances.size());
  for (int a = 1; a <= 6; ++a) {
    for (int b = 1; b <= 6; ++b) {
      ASSERT_FALSE(game.Play("dice " + std::to_string(a) + ' ' + std::to_string(b))->refused);
      if (game.Next().kind == PromptKind::kChoice) {
        ASSERT_FALSE(game.Play(game.Options(game.Next().sides.front()).front().line)->refused);
      }
      const auto lost = static_cast<std::size_t>(before - standing());
      ASSERT_LT(lost, came.size());
      came[lost] += 1 / 36.0;
      while (game.Played() > played) game.Undo();
    }
  }
  for (std::size_t lost = 0; lost < came.size(); ++lost)
    EXPECT_NEAR(came[lost], said->chances[lost].second, 1e-9) << said->chances[lost].first;
  EXPECT_GT(came[0], 0);
  EXPECT_LT(came[0], 1);
}

// In the games that ship, the forecast's sums equal those the ruling states afterwards.
TEST(Forecast, ShowsTheSumsOfTheRuling) {
  for (const char* name : {"skirmish", "beattenburg", "ancient_roman"}) {
    const std::filesystem::path folder =
        std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios";
    Result<std::unique_ptr<RuleGame>> opened = OpenGame(folder / (std::string(name) + ".toml"), 5);
    ASSERT_TRUE(opened.ok()) << name;
    int dice = 0;
    int melees = 0;
    int ruled = 0;  // melees whose losses were compared
    RuleGame& game = **opened;
    const auto look = [&](const Forecast& awaited) {
      double items[2] = {0, 0};
      double own = 0;
      for (const SumItem& item : awaited.items) {
        items[item.who] += item.amount;
        if (item.what.find("thrown together") == std::string::npos) own += item.amount;
      }
      EXPECT_NEAR(items[0], awaited.totals[0], 1e-9) << awaited.sentence;
      EXPECT_NEAR(items[1], awaited.totals[1], 1e-9) << awaited.sentence;
      double chances = awaited.chances.empty() ? 1 : 0;
      for (const auto& [what, chance] : awaited.chances) chances += chance;
      EXPECT_NEAR(chances, 1, 1e-9);
      if (awaited.unit == "dice") {
        ++dice;
        EXPECT_EQ(own, game.Next().dice) << awaited.sentence;
      } else {
        ++melees;
        EXPECT_EQ(awaited.outcomes.size(), 3u);
      }
    };
    std::ifstream script(folder / (std::string(name) + ".script"));
    std::string line;
    while (std::getline(script, line) && dice + melees < 12) {
      // A comment; the numbers of stands have one too.
      line = line.starts_with('#') ? "" : line.substr(0, line.find(" #"));
      line.erase(line.find_last_not_of(' ') + 1);
      if (line.empty() || line == "show" || line == "legal" || line.starts_with("undo")) continue;
      if (line.starts_with("correct") || line.starts_with("remove")) break;
      const std::optional<Forecast> awaited = game.Awaited();
      if (awaited && game.Next().kind != PromptKind::kDeclare) look(*awaited);
      const GameView before = game.View();
      const Result<LineOutcome> outcome = game.Play(line);
      if (!outcome.ok()) break;
      if (!awaited || awaited->unit != "points") continue;
      // The results of several melees come together, after the last card.
      const auto contacts =
          std::count_if(before.square_marks.begin(), before.square_marks.end(),
                        [](const auto& mark) { return mark.second == "contact"; });
      if (contacts != 1) continue;
      // The losses are those of one of the outcomes, unless a coin or a retreat takes more.
      std::array<int, 2> fell{};
      const GameView after = game.View();
      for (std::size_t i = 0; i < before.pieces.size(); ++i) {
        const std::string& side = before.sides[static_cast<std::size_t>(before.pieces[i].side)];
        if (before.pieces[i].on_table && !after.pieces[i].on_table)
          ++fell[side == awaited->sides[0] ? 0 : 1];
      }
      if (fell[0] + fell[1] > 0 && game.Next().kind != PromptKind::kCoin) {
        const auto count = [](int n) {
          return n == 0 ? std::string("no stand") : fmt::format("{} stand{}", n, n == 1 ? "" : "s");
        };
        const std::string said = fmt::format("{} loses {}", awaited->sides[0], count(fell[0]));
        const std::string other = fmt::format(", {} {}", awaited->sides[1], count(fell[1]));
        EXPECT_TRUE(std::any_of(awaited->outcomes.begin(), awaited->outcomes.end(),
                                [&](const std::string& one) {
                                  return one.find(said) != std::string::npos &&
                                         one.find(other) != std::string::npos;
                                }))
            << said << other << ": " << awaited->sentence << " after " << line << ": "
            << fmt::format("{}", fmt::join(outcome->told, " // "));
        ++ruled;
      }
      // "Deployments for F4: ... Carthaginian counts 2.25, Roman 6."
      for (const std::string& told : outcome->told) {
        const std::size_t at = told.find(" counts ");
        if (at == std::string::npos) continue;
        double plain = 0;  // without what the ground takes off
        for (const SumItem& item : awaited->items)
          if (item.who == 0 && item.amount > 0) plain += item.amount;
        EXPECT_NEAR(std::stod(told.substr(at + 8)), plain, 1e-9) << told;
        EXPECT_NEAR(std::stod(told.substr(told.rfind(' ') + 1)), awaited->totals[1], 1e-9) << told;
      }
    }
    EXPECT_GT(dice, 0) << name;
    EXPECT_EQ(melees > 0, std::string(name) != "skirmish") << name;
    if (std::string(name) == "skirmish") {
      EXPECT_EQ(ruled, 0);
    }
  }
}

TEST(GameController, MarksLinesThatEndTheGameAsFinal) {
  for (const char* name : {"skirmish", "ancient_roman", "tamanieb", "kirchheim"}) {
    const std::filesystem::path scenario = std::filesystem::path(FOS_SOURCE_DIR) /
                                           "datasets/scenarios" / (std::string(name) + ".toml");
    Result<std::unique_ptr<RuleGame>> game = OpenGame(scenario, 5);
    ASSERT_TRUE(game.ok()) << name;
    // Until the first declaration: some games begin with dice and choices.
    Generator chance{3};
    const auto initiative = [&] {
      return (*game)->Next().phase.find("nitiative") != std::string::npos;
    };
    for (int i = 0; i < 200 && ((*game)->Next().kind != PromptKind::kDeclare || initiative());
         ++i) {
      ASSERT_TRUE((*game)->Play((*game)->RandomLine(chance)).ok());
    }
    int for_good = 0;
    for (const int side : {0, 1}) {
      for (const LineOption& option : (*game)->Options(side)) {
        if (!option.pieces.empty()) continue;
        ASSERT_TRUE((*game)->Play(option.line).ok()) << option.line;
        const bool over = (*game)->Next().kind == PromptKind::kOver;
        EXPECT_EQ(over, !option.for_good.empty()) << name << ": " << option.line;
        for_good += over ? 1 : 0;
        EXPECT_TRUE((*game)->Undo());
      }
    }
    // Colonial games end only by their number of turns.
    EXPECT_EQ(for_good > 0, std::string(name) != "tamanieb") << name;
  }
}

TEST(GameController, ReportsAFallInTheRuleSetsOwnWords) {
  const auto controller = Desk();
  EXPECT_EQ(controller->FallAt({18, 17.4}, {"R-line#1"}),
            "lands 18.000 17.400 stand R-line#1 0.000");
  EXPECT_EQ(controller->FallAt({18, 17.4}, {"B-gun"}), "lands 18.000 17.400 gun B-gun 0.000");
  GameController::Setup setup;
  const fs::path ancient = fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/ancient_roman.toml";
  setup.open = [ancient] { return OpenGame(ancient, 7); };
  setup.board = ReadGameMap(ancient)->board;
  const Result<std::unique_ptr<GameController>> other = GameController::Open(std::move(setup));
  ASSERT_TRUE(other.ok()) << other.error().message;
  EXPECT_EQ((*other)->FallAt({29, 14}, {"C-16", "R-6#1"}),
            "lands 29.000 14.000 catapult C-16 0.000 stand R-6#1 0.000");
}

// Every piece of the shipped games is drawn as what the rule set says of its troops; only a
// messenger is no troops.
TEST(GameController, KnowsWhatThePiecesAreDrawnAs) {
  int games = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(FOS_SOURCE_DIR) / "datasets/scenarios")) {
    if (entry.path().extension() != ".toml") continue;
    GameController::Setup setup;
    setup.open = [file = entry.path()] { return OpenGame(file, 7); };
    setup.board = ReadGameMap(entry.path())->board;
    const Result<std::unique_ptr<GameController>> controller =
        GameController::Open(std::move(setup));
    ASSERT_TRUE(controller.ok()) << controller.error().message;
    const GameShown& game = *(*controller)->Now();
    ASSERT_EQ(game.kinds.size(), game.troops.size());
    ASSERT_FALSE(game.kinds.empty());
    for (std::size_t kind = 0; kind < game.kinds.size(); ++kind) {
      if (game.kinds[kind].name == "messenger") continue;
      ASSERT_TRUE(game.troops[kind].has_value()) << entry.path() << ' ' << game.kinds[kind].name;
      EXPECT_NE(game.troops[kind]->symbol, TroopSymbol::kNone) << game.kinds[kind].name;
    }
    for (const StandObservation& stand : (*controller)->Stands())
      EXPECT_LT(static_cast<std::size_t>(stand.kind), game.kinds.size()) << stand.stand.text;
    ++games;
  }
  EXPECT_GT(games, 8);
}

}  // namespace
}  // namespace fos
