// SPDX-License-Identifier: MIT
#include "engine/journal/logged_game.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "engine/journal/anonymise.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

const fs::path kScenarios = fs::path(FOS_SOURCE_DIR) / "datasets/scenarios";

GameStart StartOf(const fs::path& scenario, std::uint64_t seed) {
  const Result<GameTexts> texts = GatherGameFiles(scenario);
  if (!texts.ok()) throw std::runtime_error(texts.error().message);
  GameStart start;
  start.uid = "a game";
  start.name = texts->name;
  start.ruleset = texts->ruleset;
  start.program = "test";
  start.seed = seed;
  start.files = texts->files;
  start.sides = {"Blue", "Red"};
  start.seats = {{0, "Ann"}, {0, "Ann Lee"}, {1, "Grace"}};
  return start;
}

PlayIntoOptions At(double unix_s) {
  PlayIntoOptions options;
  options.clock = [unix_s] { return unix_s; };
  return options;
}

// Accepted and refused lines, one undone, one corrected, one removed.
constexpr const char* kScript = R"(
shoot B-gun field at E5
lands 18.0 17.4  stand R-line#1 0.4  stand R-line#2 0.6
take R-line#2
correct 3 take R-line#1
shoot B-gun howitzer at E5
done Blue
done Red
turn B-light NW
undo
turn B-light N
fire B-light at E5
remove 6
show
done Blue
done Red
)";

class LoggedGame : public ::testing::Test {
 protected:
  LoggedGame() : journal_(Journal::Open(dir_.path() / "club.db").value()) {
    game_ = journal_.Begin(StartOf(kScenarios / "skirmish.toml", 7)).value();
  }
  GameLog Log() const { return journal_.Read(game_).value(); }

  test::TempDir dir_;
  Journal journal_;
  std::int64_t game_ = 0;
};

TEST_F(LoggedGame, ReplaysPlayedRefusedUndoneAndCorrectedLines) {
  const Result<Played> played = PlayInto(journal_, game_, kScript, At(100));
  ASSERT_TRUE(played.ok()) << played.error().message;
  const GameLog log = Log();
  int by_kind[10] = {};
  for (const Record& record : log.records) ++by_kind[static_cast<std::size_t>(record.kind)];
  EXPECT_GT(by_kind[static_cast<std::size_t>(RecordKind::kLine)], 6);
  EXPECT_EQ(by_kind[static_cast<std::size_t>(RecordKind::kRefused)], 1);
  EXPECT_EQ(by_kind[static_cast<std::size_t>(RecordKind::kUndo)], 1);
  EXPECT_EQ(by_kind[static_cast<std::size_t>(RecordKind::kCorrected)], 2);
  const Result<Replayed> replayed = Replay(log, {});
  ASSERT_TRUE(replayed.ok()) << replayed.error().message;
  EXPECT_TRUE(replayed->differences.empty()) << replayed->differences.front().why;
  EXPECT_EQ(replayed->game->StateJson(), played->game->StateJson());
  ReplayOptions until;
  until.until = 3;
  const Result<Replayed> part = Replay(log, until);
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->records, 3);
  EXPECT_NE(part->signature, replayed->signature);
}

TEST_F(LoggedGame, ContinuesAfterAnInterruption) {
  const std::string script = std::string(kScript) + "random\n";
  const Result<Played> whole = PlayInto(journal_, game_, script, At(1));
  ASSERT_TRUE(whole.ok()) << whole.error().message;
  const GameLog log = Log();
  for (std::size_t kept = 0; kept < log.records.size(); kept += 7) {
    GameLog part = log;
    part.start.uid = "part " + std::to_string(kept);
    part.records.resize(kept);
    const std::int64_t game = journal_.Copy(part, journal_).value();
    const Result<Played> on = PlayInto(journal_, game, script, At(2));
    ASSERT_TRUE(on.ok()) << on.error().message;
    EXPECT_EQ(on->before, static_cast<std::int64_t>(kept));
    EXPECT_EQ(on->now, whole->now);
    EXPECT_EQ(Replay(journal_.Read(game).value(), {})->signature, Replay(log, {})->signature);
  }
}

TEST_F(LoggedGame, AScriptThatStopsEarlyEndsNoGame) {
  ASSERT_TRUE(PlayInto(journal_, game_, kScript, At(1)).ok());
  EXPECT_FALSE(Log().Ended());
  const Result<Played> over =
      PlayInto(journal_, game_, std::string(kScript) + "surrender Red\n", At(2));
  ASSERT_TRUE(over.ok()) << over.error().message;
  EXPECT_EQ(over->game->Next().kind, PromptKind::kOver);
  EXPECT_TRUE(Log().Ended());
}

TEST_F(LoggedGame, RefusesToContinueWithAnotherScript) {
  ASSERT_TRUE(PlayInto(journal_, game_, "shoot B-gun field at E5\n", At(1)).ok());
  const Result<Played> other = PlayInto(journal_, game_, "done Blue\n", At(2));
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("line 1 of the script is not"), std::string::npos)
      << other.error().message;
  const Result<Played> shorter = PlayInto(journal_, game_, "show\n", At(2));
  ASSERT_FALSE(shorter.ok());
  EXPECT_NE(shorter.error().message.find("ends before record 1"), std::string::npos);
}

// With a newer program or other tables, replay lists each different result with the reason.
TEST_F(LoggedGame, ListsDifferences) {
  ASSERT_TRUE(PlayInto(journal_, game_, kScript, At(1)).ok());
  GameLog log = Log();
  ASSERT_EQ(log.records[2].kind, RecordKind::kLine);
  log.records[2].told = {"R-line#4 is destroyed by a shot."};
  log.records[2].events.back() = "{\"event\":\"stand_lost\",\"stand\":99}";
  const Result<Replayed> told = Replay(log, {});
  ASSERT_EQ(told->differences.size(), 1u);
  EXPECT_EQ(told->differences[0].record, 3);
  EXPECT_NE(told->differences[0].why.find("then: R-line#4"), std::string::npos)
      << told->differences[0].why;

  log = Log();
  log.records[2].kind = RecordKind::kRefused;  // an older program refused it
  log.records[2].told = {"it is too far"};
  EXPECT_NE(Replay(log, {})->differences.at(0).why.find("then: refused: it is too far"),
            std::string::npos);
  log = Log();
  log.records[0].text = "shoot nobody field at E5";
  EXPECT_NE(Replay(log, {})->differences.at(0).why.find("can no longer be read"),
            std::string::npos);
}

// An older program told the same rulings in other words: the game replays, with one signature.
TEST_F(LoggedGame, OtherWordsAreNoDifference) {
  const std::string script =
      std::string(kScript) + "overrule move B-light via E5 E6 E7 E8\nshoot B-gun field at E5\n";
  ASSERT_TRUE(PlayInto(journal_, game_, script, At(1)).ok());
  GameLog log = Log();
  const std::string signature = Replay(log, {})->signature;
  int notes = 0, refused = 0, corrected = 0;
  for (Record& record : log.records) {
    if (record.kind == RecordKind::kLine || record.kind == RecordKind::kRefused ||
        record.kind == RecordKind::kCorrected)
      record.told = {"The same, as it was said before."};
    if (record.kind == RecordKind::kLine) record.clauses.push_back("NAP-1");
    refused += record.kind == RecordKind::kRefused;
    corrected += record.kind == RecordKind::kCorrected;
    for (std::string& event : record.events) {
      const std::size_t from = event.find("\"because\":\"");
      if (from == std::string::npos) continue;
      event.insert(from + 11, "in other words ");
      ++notes;
    }
  }
  EXPECT_GT(notes, 0);
  EXPECT_GT(refused, 0);
  EXPECT_GT(corrected, 0);
  const Result<Replayed> replayed = Replay(log, {});
  ASSERT_TRUE(replayed.ok());
  EXPECT_TRUE(replayed->differences.empty()) << replayed->differences.front().why;
  EXPECT_EQ(replayed->signature, signature);
  // Another clause or another loss is one.
  for (Record& record : log.records)
    if (record.kind == RecordKind::kRefused) record.clauses = {"NAP-12"};
  EXPECT_EQ(Replay(log, {})->differences.size(), static_cast<std::size_t>(refused));
}

TEST_F(LoggedGame, ReplaysWithTheTablesItWasPlayedWith) {
  GameStart start = StartOf(kScenarios / "skirmish.toml", 7);
  start.uid = "old";
  bool changed = false;
  for (GameFile& file : start.files) {
    const std::string from = "range";
    if (file.role != "rules" || !file.name.ends_with("tables.toml")) continue;
    file.bytes += "\n[no_such_table]\nx = 1\n";
    changed = true;
  }
  ASSERT_TRUE(changed);
  // Replay reads the log's tables, not the program's: this one is refused with its own line.
  const auto opened = OpenLogged(start, RulesOf::kLog);
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().message.find("no_such_table"), std::string::npos)
      << opened.error().message;
  EXPECT_TRUE(OpenLogged(start, RulesOf::kProgram).ok());
}

TEST(GameFiles, KeepNamedFilesAndRefuseThoseOutsideTheFolder) {
  const test::TempDir dir;
  dir.Write("house/tables.toml", "a = 1\n");
  const fs::path game = dir.Write("game.toml",
                                  "ruleset = \"napoleonic\"\n[scenario]\nname = \"Hill\"\n"
                                  "tables = \"house/tables.toml\"\n");
  const Result<GameTexts> texts = GatherGameFiles(game);
  ASSERT_TRUE(texts.ok()) << texts.error().message;
  EXPECT_EQ(texts->name, "Hill");
  ASSERT_GE(texts->files.size(), 4u);
  EXPECT_EQ(texts->files[1].name, "house/tables.toml");
  EXPECT_EQ(texts->files[1].role, "beside");
  EXPECT_EQ(texts->files[2].role, "rules");

  dir.Write("outside.toml", "a = 1\n");
  const fs::path leaving =
      dir.Write("in/game.toml", "ruleset = \"napoleonic\"\ntables = \"../outside.toml\"\n");
  EXPECT_NE(GatherGameFiles(leaving).error().message.find("outside the scenario's folder"),
            std::string::npos);
  EXPECT_EQ(GatherGameFiles(dir.path() / "none.toml").error().code, ErrorCode::kNotFound);
}

TEST(GameFiles, KeepTheTableOfAClipsScenario) {
  const Result<GameTexts> texts =
      GatherGameFiles(fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip/scenario.toml");
  ASSERT_TRUE(texts.ok()) << texts.error().message;
  const Result<GameFolder> folder = GameFolder::Unpack(texts->files);
  ASSERT_TRUE(folder.ok()) << folder.error().message;
  EXPECT_TRUE(OpenGame(folder->File("scenario"), 1).ok());
}

TEST(GameFiles, NoNameLeadsOutOfTheFolder) {
  for (const char* name : {"../x", "/etc/x", "a/../../x", "", "a\\..\\x", "a/./../../x"}) {
    EXPECT_FALSE(GameFolder::Unpack({{"scenario", name, "x"}}).ok()) << name;
  }
  fs::path root;
  {
    const GameFolder folder =
        GameFolder::Unpack({{"scenario", "a/b.toml", "x"}, {"rules", "c/d.toml", "y"}}).value();
    EXPECT_TRUE(fs::is_regular_file(folder.File("scenario")));
    EXPECT_TRUE(fs::is_regular_file(folder.Rules() / "c/d.toml"));
    EXPECT_TRUE(folder.File("table").empty());
    root = folder.Rules().parent_path();
  }
  EXPECT_FALSE(fs::exists(root));
}

TEST_F(LoggedGame, AnAnonymousGameReplaysTheSame) {
  ASSERT_TRUE(PlayInto(journal_, game_, kScript, At(100000)).ok());
  GameLog log = Log();
  Record word;
  word.kind = RecordKind::kWord;
  word.text = R"({"reason":"Ann says Ann Lee's Annex stands clear, Grace: no"})";
  log.records.push_back(word);
  const GameLog anonymous = Anonymised(log);
  EXPECT_EQ(anonymous.records.back().text,
            R"({"reason":"Player 1 says Player 2's Annex stands clear, Player 3: no"})");
  EXPECT_EQ(anonymous.start.seats[2].player, "Player 3");
  EXPECT_NE(anonymous.start.uid, log.start.uid);
  EXPECT_EQ(anonymous.records.front().unix_s, 86400);
  log.records.pop_back();
  EXPECT_EQ(Replay(anonymous, {})->signature, Replay(log, {})->signature);
  std::string all;
  for (const Record& record : anonymous.records) all += record.text;
  for (const char* name : {"Ann ", "Ann Lee", "Grace"}) {
    EXPECT_EQ(all.find(name), std::string::npos) << name;
  }
  GameLog pictures = log;
  Record picture;
  picture.kind = RecordKind::kAttached;
  pictures.records.push_back(picture);
  EXPECT_EQ(WithoutPictures(pictures).records.size(), log.records.size());
}

}  // namespace
}  // namespace fos
