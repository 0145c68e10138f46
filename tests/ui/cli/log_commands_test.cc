// SPDX-License-Identifier: MIT
#include "ui/cli/log_commands.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "calibration/registration/rig_profile.h"
#include "engine/files/data_path.h"
#include "engine/files/whole_file.h"
#include "engine/journal/journal.h"
#include "engine/shots/seen.h"
#include "tests/support/console_run.h"
#include "tests/support/shell_run.h"
#include "tests/support/temp_dir.h"
#include "ui/cli/doctor.h"
#include "ui/play/watched_replay.h"
#include "ui/session/clip.h"
#include "ui/session/club_file.h"
#include "ui/session/judge.h"
#include "ui/session/match_journal.h"
#include "ui/session/sightings.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

using test::ConsoleRun;
using test::RunFallofshot;

class ClubFile : public ::testing::Test {
 protected:
  std::string Db(const char* name = "club.db") const { return (dir_.path() / name).string(); }
  std::string Source(const char* path) const { return fs::path(FOS_SOURCE_DIR) / path; }
  ConsoleRun Play(const std::string& seed) const {
    return RunFallofshot({"play", Source("datasets/scenarios/skirmish.toml"),
                          Source("datasets/scenarios/skirmish.script"), "--seed", seed, "--db",
                          Db(), "--players", "Blue=Ada,Red=Grace"});
  }
  test::TempDir dir_;
};

TEST_F(ClubFile, ListsReplaysExportsAndImportsAPlayedGame) {
  const ConsoleRun played = Play("7");
  ASSERT_EQ(played.status, kExitDone) << played.err;
  EXPECT_NE(RunFallofshot({"games", "--db", Db()}).out.find("Skirmish"), std::string::npos);
  const ConsoleRun replayed = RunFallofshot({"replay", "last", "--db", Db()});
  EXPECT_EQ(replayed.status, kExitDone) << replayed.err;
  EXPECT_NE(replayed.out.find("all the same"), std::string::npos);
  const std::string signature = RunFallofshot({"replay", "1", "--signature", "--db", Db()}).out;
  EXPECT_EQ(signature.size(), 65u);

  const std::string one = Db("one.fosgame");
  ASSERT_EQ(RunFallofshot({"export", "Skirmish", one, "--anonymous", "--db", Db()}).status,
            kExitDone);
  for (const std::string& taken : {one, Db()}) {  // nobody is told to remove the club's file
    const ConsoleRun refused = RunFallofshot({"export", "Skirmish", taken, "--db", Db()});
    EXPECT_EQ(refused.status, kExitBadInput);
    EXPECT_EQ(refused.err, "fallofshot: " + taken + ": already exists; choose another name\n");
  }
  EXPECT_FALSE(fs::exists(one + "-wal"));
  EXPECT_FALSE(fs::exists(Db() + "-wal"));  // readers clean up too
  ASSERT_EQ(RunFallofshot({"import", one, "--db", Db("other.db")}).status, kExitDone);
  EXPECT_EQ(RunFallofshot({"replay", "last", "--signature", "--db", Db("other.db")}).out,
            signature);
  EXPECT_EQ(RunFallofshot({"import", one, "--db", Db("other.db")}).status, kExitBadInput);
  std::ofstream(Db("empty.db")).close();
  const ConsoleRun nothing = RunFallofshot({"import", Db("empty.db"), "--db", Db("other.db")});
  EXPECT_EQ(nothing.status, kExitBadInput);
  EXPECT_NE(nothing.err.find("empty.db: holds no game"), std::string::npos) << nothing.err;

  const std::string lines = Db("one.jsonl");
  ASSERT_EQ(RunFallofshot({"export", "1", lines, "--jsonl", "--anonymous", "--db", Db()}).status,
            kExitDone);
  std::ostringstream text;
  text << std::ifstream(lines).rdbuf();
  EXPECT_NE(text.str().find(R"("name":"Player 1")"), std::string::npos);
  EXPECT_EQ(text.str().find("Ada"), std::string::npos);
}

// A side that the game lacks is wrong usage, and the line names the option.
TEST_F(ClubFile, RefusesAPlayerOfASideThatTheGameLacks) {
  const ConsoleRun run =
      RunFallofshot({"play", Source("datasets/scenarios/skirmish.toml"),
                     Source("datasets/scenarios/skirmish.script"), "--seed", "7", "--db", Db(),
                     "--players", "Green=Ada"});
  EXPECT_EQ(run.status, kExitBadUsage);
  EXPECT_NE(run.err.find("--players: no side `Green`"), std::string::npos) << run.err;
  EXPECT_TRUE(run.out.empty()) << run.out;
  EXPECT_FALSE(fs::exists(Db()));
  const ConsoleRun judged =
      RunFallofshot({"judge", Source("datasets/sets/open_qtip"), "--out", Db("out"), "--db", Db(),
                     "--players", "Green=Ada"});
  EXPECT_EQ(judged.status, kExitBadUsage);
  EXPECT_NE(judged.err.find("--players: no side `Green`"), std::string::npos) << judged.err;
  EXPECT_FALSE(fs::exists(Db()));
}

// The default file is never looked for in the folder the program happens to be started in.
TEST_F(ClubFile, IsInTheHomeFolderOfThePasswordDatabaseWhereHomeIsUnset) {
  const std::string said =
      test::RunInShell("cd '" + dir_.path().string() + "' && env -u HOME -u XDG_DATA_HOME '" +
                       std::string(FOS_PROGRAM) + "' games")
          .out;
  EXPECT_EQ(said.find("./.local"), std::string::npos) << said;
  EXPECT_EQ(said.find("fallofshot: .local"), std::string::npos) << said;
  EXPECT_FALSE(fs::exists(dir_.path() / ".local"));
}

// The club's games are nowhere else: no output of a command goes over them, nor over another
// output.
TEST_F(ClubFile, IsNotReplacedByWhatACommandWrites) {
  ASSERT_EQ(Play("7").status, kExitDone);
  const std::string other = Db("other.db");
  fs::copy_file(Db(), other);
  const auto bytes = [](const std::string& file) {
    std::ostringstream out;
    out << std::ifstream(file, std::ios::binary).rdbuf();
    return out.str();
  };
  const std::string before = bytes(Db());
  for (const std::string& file : {Db(), other}) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"report", "1", "--out", file},
             {"report", "1", "--out", Db("a.html"), "--pdf", file},
             {"stats", "--csv", file},
             {"stats", "--html", file},
             {"export", "1", file, "--jsonl"},
             {"print", Source("datasets/sets/open_qtip"), "--out", file}}) {
      std::vector<std::string> asked = words;
      if (words[0] != "print") asked.insert(asked.end(), {"--db", Db()});
      const ConsoleRun ran = RunFallofshot(asked);
      EXPECT_EQ(ran.status, kExitBadInput) << words[0];
      EXPECT_NE(ran.err.find("is a club's file"), std::string::npos) << ran.err;
      EXPECT_EQ(bytes(file), before) << words[0];
    }
  }
  const std::string same = Db("b.html");
  EXPECT_EQ(RunFallofshot({"report", "1", "--out", same, "--pdf", same, "--db", Db()}).status,
            kExitBadInput);
  EXPECT_EQ(RunFallofshot({"stats", "--html", same, "--csv", same, "--db", Db()}).status,
            kExitBadInput);
  EXPECT_FALSE(fs::exists(same));
  const std::string table = Db("table.toml");
  fs::copy_file(Source("datasets/sets/open_qtip/table.toml"), table);
  EXPECT_EQ(RunFallofshot({"print", table, "--out", table}).status, kExitBadInput);
  EXPECT_EQ(bytes(table), bytes(Source("datasets/sets/open_qtip/table.toml")));
  // A device takes both.
  EXPECT_EQ(
      RunFallofshot({"stats", "--html", "/dev/null", "--csv", "/dev/null", "--db", Db()}).status,
      kExitDone);
}

TEST_F(ClubFile, HeadsKeptElsewhereShowWhatWasChanged) {
  ASSERT_EQ(Play("7").status, kExitDone);
  const ConsoleRun heads = RunFallofshot({"games", "--heads", "--db", Db()});
  ASSERT_EQ(heads.status, kExitDone) << heads;
  const std::string pinned = dir_.Write("heads.txt", heads.out).string();
  const auto compared = [&] { return RunFallofshot({"games", "--compare", pinned, "--db", Db()}); };
  EXPECT_EQ(compared().status, kExitDone);
  ASSERT_EQ(Play("8").status, kExitDone);
  EXPECT_EQ(compared().status, kExitDone) << "a new game changes no other";
  // A file with other games, as a forger with the key might write it.
  fs::remove(Db());
  ASSERT_EQ(Play("7").status, kExitDone);
  const ConsoleRun other = compared();
  EXPECT_EQ(other.status, kExitBadInput);
  EXPECT_NE(other.out.find("Skirmish is gone"), std::string::npos) << other;
  dir_.Write("heads.txt", "not a head\n");
  EXPECT_EQ(compared().status, kExitBadInput);
}

// A disk that fills up while the game is written, at any size.
TEST_F(ClubFile, AFailedExportLeavesNoFile) {
  ASSERT_EQ(Play("7").status, kExitDone);
  const fs::path folder = dir_.path() / "out";
  fs::create_directory(folder);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  for (const rlim_t most_bytes : {0, 3000, 20'000, 60'000}) {
    const rlimit limit{most_bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    const ConsoleRun exported =
        RunFallofshot({"export", "last", (folder / "one.fosgame").string(), "--db", Db()});
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(exported.status, kExitBadInput) << most_bytes << exported;
    EXPECT_TRUE(fs::is_empty(folder))
        << most_bytes << ": " << fs::directory_iterator(folder)->path();
  }
  std::signal(SIGXFSZ, ignored);
}

TEST_F(ClubFile, PlaysAScriptWithAByteOrderMark) {
  const std::string script = dir_.Write("marked.script",
                                        "\xef\xbb\xbf"
                                        "show\n")
                                 .string();
  const ConsoleRun played =
      RunFallofshot({"play", Source("datasets/scenarios/skirmish.toml"), script});
  EXPECT_EQ(played.status, kExitDone) << played;
}

TEST_F(ClubFile, FindsAGameByItsPlayersAndItsName) {
  const std::string script = dir_.Write("end.script", "surrender Red\n").string();
  const std::string other = dir_.Write("stopped.script", "dice 6 1\n").string();
  const auto play = [&](const char* scenario, const std::string& lines, const char* players) {
    return RunFallofshot({"play", Source(scenario), lines, "--db", Db(), "--players", players});
  };
  const ConsoleRun over =
      play("datasets/scenarios/skirmish.toml", script, "Red=Grace,Blue=Ann and Bob");
  ASSERT_EQ(over.status, kExitDone) << over;
  const ConsoleRun stopped = play("datasets/scenarios/ancient_roman.toml", other, "Roman=Ada");
  ASSERT_EQ(stopped.status, kExitDone) << stopped;
  EXPECT_NE(stopped.out.find("it is not over; `fallofshot resume 2 --db " + Db() + "`"),
            std::string::npos)
      << stopped;
  // Lines by hand take back those of the script.
  const test::ShellRun by_hand = test::RunInShell(
      std::string("printf 'undo 2\\nundo\\ndice 1 6\\n' | '") + FOS_PROGRAM +
      "' resume 2 --db '" + Db() + "'");
  EXPECT_NE(by_hand.out.find("Ctrl+D leaves"), std::string::npos) << by_hand;
  EXPECT_NE(by_hand.out.find("is `2`; give 1 to 1"), std::string::npos) << by_hand;
  EXPECT_NE(by_hand.out.find("The last action is taken back"), std::string::npos) << by_hand;
  EXPECT_EQ(RunFallofshot({"replay", "2", "--db", Db()}).status, kExitDone);
  const ConsoleRun games = RunFallofshot({"games", "--db", Db()});
  EXPECT_NE(games.out.find("Skirmish  Ann and Bob against Grace\n"), std::string::npos) << games;
  EXPECT_NE(games.out.find("  Ada  (unfinished)\n"), std::string::npos) << games;
  const ConsoleRun unknown = RunFallofshot({"replay", "skirm", "--db", Db()});
  EXPECT_NE(unknown.err.find("no game `skirm`; the nearest is 1 (`Skirmish`)"), std::string::npos)
      << unknown;
}

TEST_F(ClubFile, ResumesUnfinishedGamesOnly) {
  ASSERT_EQ(Play("3").status, kExitDone);
  EXPECT_NE(RunFallofshot({"resume", "last", "--db", Db()}).err.find("has ended"),
            std::string::npos);
  {
    Journal journal = Journal::Open(Db()).value();
    GameLog log = journal.Read(1).value();
    log.start.uid = "unfinished";
    log.records.resize(20);
    ASSERT_TRUE(journal.Copy(log, journal).ok());
  }
  EXPECT_NE(RunFallofshot({"games", "--db", Db()}).out.find("(unfinished)"), std::string::npos);
  const ConsoleRun resumed =
      RunFallofshot({"resume", "2", Source("datasets/scenarios/skirmish.script"), "--db", Db()});
  ASSERT_EQ(resumed.status, kExitDone) << resumed.err;
  EXPECT_NE(resumed.out.find("had 20 records"), std::string::npos) << resumed.out;
  EXPECT_EQ(RunFallofshot({"replay", "1", "--signature", "--db", Db()}).out,
            RunFallofshot({"replay", "2", "--signature", "--db", Db()}).out);
}

// A club brings its laptops' files together again and again.
TEST_F(ClubFile, ImportsTheGamesThatAreNotThereYet) {
  ASSERT_EQ(Play("7").status, kExitDone);
  ASSERT_EQ(Play("8").status, kExitDone);
  const std::string first = Db("first.fosgame");
  ASSERT_EQ(RunFallofshot({"export", "1", first, "--db", Db()}).status, kExitDone);
  ASSERT_EQ(RunFallofshot({"import", first, "--db", Db("all.db")}).status, kExitDone);
  const ConsoleRun more = RunFallofshot({"import", Db(), "--db", Db("all.db")});
  EXPECT_EQ(more.status, kExitDone) << more.err;
  EXPECT_NE(more.out.find("Skirmish is game 1 already"), std::string::npos) << more.out;
  EXPECT_NE(more.out.find("Skirmish is now game 2"), std::string::npos) << more.out;
  const ConsoleRun again = RunFallofshot({"import", Db(), "--db", Db("all.db")});
  EXPECT_EQ(again.status, kExitBadInput);
  EXPECT_NE(again.err.find("already holds every game of"), std::string::npos) << again.err;

  const std::string lines = Db("one.jsonl");
  ASSERT_EQ(RunFallofshot({"export", "1", lines, "--jsonl", "--db", Db()}).status, kExitDone);
  const ConsoleRun other = RunFallofshot({"import", lines, "--db", Db("all.db")});
  EXPECT_EQ(other.status, kExitBadInput);
  EXPECT_NE(other.err.find("one.jsonl: holds no games; give a .fosgame"), std::string::npos)
      << other.err;
  const std::string folder = dir_.path().string();
  EXPECT_NE(RunFallofshot({"import", folder, "--db", Db("all.db")})
                .err.find(folder + ": holds no games; give a .fosgame"),
            std::string::npos);
}

// Commands that a message advises can be typed as they stand.
TEST_F(ClubFile, QuotesTheFileInTheCommandsItAdvises) {
  ASSERT_EQ(Play("7").status, kExitDone);
  const std::string file = Db("the club's file.db");
  fs::copy_file(Db(), file);
  const ConsoleRun ended = RunFallofshot({"resume", "1", "--db", file});
  EXPECT_EQ(ended.status, kExitBadInput);
  EXPECT_NE(ended.err.find("--db '" + (dir_.path() / "the club'\\''s file.db").string() + "'`"),
            std::string::npos)
      << ended.err;
  const ConsoleRun none = RunFallofshot({"report", "9", "--db", file});
  EXPECT_NE(none.err.find("`fallofshot games --db '"), std::string::npos) << none.err;
}

// As `export` does for a game of its own.
TEST_F(ClubFile, MakesTheFoldersOfWhatItWrites) {
  ASSERT_EQ(Play("7").status, kExitDone);
  const auto in = [&](const char* name) { return (dir_.path() / "2026/June" / name).string(); };
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"report", "1", "--out", in("a/game.html"), "--pdf",
                                 in("b/game.pdf")},
        {"stats", "--html", in("c/season.html"), "--csv", in("d/season.csv")},
        {"export", "1", in("e/game.jsonl"), "--jsonl"},
        {"export", "1", in("f/game.fosgame")}}) {
    std::vector<std::string> whole = arguments;
    whole.insert(whole.end(), {"--db", Db()});
    const ConsoleRun run = RunFallofshot(whole);
    EXPECT_EQ(run.status, kExitDone) << run.err;
  }
  for (const char* name : {"a/game.html", "b/game.pdf", "c/season.html", "d/season.csv",
                           "e/game.jsonl", "f/game.fosgame"})
    EXPECT_TRUE(fs::is_regular_file(in(name))) << name;
}

// A game begun on one laptop, continued on another and brought back.
TEST_F(ClubFile, ImportsWhatAGameWasContinuedByElsewhere) {
  const std::string scenario = Source("datasets/scenarios/skirmish.toml");
  const std::string script = Source("datasets/scenarios/skirmish.script");
  const std::string whole = ReadWholeFile(script, 1 << 20).value();
  const auto part = [&](const char* name, const char* until) {
    dir_.Write(name, whole.substr(0, whole.find(until)));
    return (dir_.path() / name).string();
  };
  const std::string half = part("half.script", "# Movement");
  const std::string more = part("more.script", "# Turn 2");
  const auto run = [](std::vector<std::string> arguments) {
    const ConsoleRun done = RunFallofshot(arguments);
    EXPECT_EQ(done.status, kExitDone) << done.err << done.out;
    return done.out;
  };
  run({"play", scenario, half, "--seed", "7", "--db", Db()});
  const std::string away = Db("away.fosgame");
  run({"export", "last", away, "--db", Db()});
  run({"import", away, "--db", Db("other.db")});
  run({"resume", "last", more, "--db", Db("other.db")});
  const std::string back = Db("back.fosgame");
  run({"export", "last", back, "--db", Db("other.db")});
  const std::string joined = run({"import", back, "--db", Db()});
  EXPECT_NE(joined.find("Skirmish was continued elsewhere: game 1 had"), std::string::npos)
      << joined;
  EXPECT_EQ(run({"games", "--heads", "--db", Db()}),
            run({"games", "--heads", "--db", Db("other.db")}));
  EXPECT_EQ(run({"replay", "1", "--signature", "--db", Db()}),
            run({"replay", "1", "--signature", "--db", Db("other.db")}));
  EXPECT_EQ(RunFallofshot({"import", back, "--db", Db()}).status, kExitBadInput);
  // Here and there again: neither is taken for the other.
  run({"resume", "last", script, "--db", Db()});
  dir_.Write("otherwise.script", ReadWholeFile(more, 1 << 20).value() + "done Red\nundo\n");
  run({"resume", "last", (dir_.path() / "otherwise.script").string(), "--db", Db("other.db")});
  const ConsoleRun both = RunFallofshot({"import", Db("other.db"), "--db", Db()});
  EXPECT_EQ(both.status, kExitBadInput);
  EXPECT_NE(both.out.find("differs from record "), std::string::npos) << both.out;
}

// What the doctor advises for a game that was changed: a file that has it does not take it again.
TEST_F(ClubFile, ADamagedGameIsTakenFromABackupIntoANewFile) {
  ASSERT_EQ(Play("7").status, kExitDone);
  fs::copy_file(Db(), Db("backup.db"));
  ASSERT_EQ(Play("8").status, kExitDone);
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(Db().c_str(), &raw), SQLITE_OK);
  sqlite3_exec(raw,
               "DROP TRIGGER record_stays; UPDATE record SET text = 'dice 1' WHERE game = 1 AND "
               "number = 5",
               nullptr, nullptr, nullptr);
  sqlite3_close(raw);
  const std::vector<Finding> sick = ExamineClub(Db());
  EXPECT_TRUE(std::any_of(sick.begin(), sick.end(), [](const Finding& one) {
    return one.mend.find("fallofshot import BACKUP --db new.db") != std::string::npos;
  }));
  ASSERT_EQ(RunFallofshot({"import", Db("backup.db"), "--db", Db("new.db")}).status, kExitDone);
  const ConsoleRun rest = RunFallofshot({"import", Db(), "--db", Db("new.db")});
  EXPECT_EQ(rest.status, kExitDone) << rest.err;
  EXPECT_NE(rest.out.find("Skirmish is now game 2"), std::string::npos) << rest.out;
  EXPECT_EQ(RunFallofshot({"replay", "1", "--db", Db("new.db")}).status, kExitDone);
  // Without a backup the whole games are saved all the same, and the other is named.
  const ConsoleRun saved = RunFallofshot({"import", Db(), "--db", Db("saved.db")});
  EXPECT_EQ(saved.status, kExitBadInput);
  EXPECT_NE(saved.out.find("Skirmish was not copied"), std::string::npos) << saved.out;
  EXPECT_NE(saved.out.find("Skirmish is now game 1"), std::string::npos) << saved.out;
}

TEST_F(ClubFile, NamesTheNearestPlayerForOneWhoNeverPlayed) {
  ASSERT_EQ(Play("7").status, kExitDone);
  EXPECT_EQ(RunFallofshot({"stats", "--player", "Ada", "--db", Db()}).status, kExitDone);
  const ConsoleRun wrong = RunFallofshot({"stats", "--player", "ada", "--db", Db()});
  EXPECT_EQ(wrong.status, kExitBadInput);
  EXPECT_NE(wrong.err.find("no player `ada`; the nearest is `Ada`"), std::string::npos)
      << wrong.err;
}

TEST_F(ClubFile, RefusalsSayWhatToDo) {
  EXPECT_NE(RunFallofshot({"replay", "1", "--db", Db("none.db")}).err.find("no such club file"),
            std::string::npos);
  // Looking for a game does not create a file.
  EXPECT_NE(RunFallofshot({"resume", "1", "--db", Db("none.db")}).err.find("no such club file"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(Db("none.db")));
  EXPECT_NE(RunFallofshot({"import", Db("none.fosgame"), "--db", Db("none.db")})
                .err.find("`fallofshot export`"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(Db("none.db")));
  ASSERT_EQ(Play("1").status, kExitDone);
  EXPECT_NE(RunFallofshot({"replay", "9", "--db", Db()}).err.find("no game `9`; the newest is 1 ("),
            std::string::npos);
  EXPECT_NE(RunFallofshot({"play", Source("datasets/scenarios/skirmish.toml"),
                           Source("datasets/scenarios/skirmish.script"), "--db", Db(), "--players",
                           "Bleu=Ada"})
                .err.find("the nearest is `Blue`"),
            std::string::npos);
  EXPECT_EQ(RunFallofshot({"games", "--db", Source("README.md")}).status, kExitBadInput);
  for (const char* no_day : {"2026-13-01", "2026-02-30", "yesterday"}) {
    const ConsoleRun ran = RunFallofshot({"stats", "--since", no_day, "--db", Db()});
    EXPECT_EQ(ran.status, kExitBadUsage) << no_day;
    EXPECT_NE(ran.err.find("is not a date"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(RunFallofshot({"stats", "--since", "2024-02-29", "--db", Db()}).status, kExitDone);
  const auto says = [&](std::vector<std::string> words, const char* part) {
    words.insert(words.end(), {"--db", Db()});
    const ConsoleRun ran = RunFallofshot(words);
    EXPECT_NE(ran.status, kExitDone) << part;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
  };
  says({"stats", "--since", "2026-02-01", "--until", "2026-01-01"}, "swap them");
  says({"stats", "--at", "north"}, "give --club too");
  const std::string skirmish = Source("datasets/scenarios/skirmish.toml");
  const std::string script = Db("one.script");
  std::ofstream(script) << "correct 1 done Blue\n";
  says({"play", skirmish, script, "--players", "Blue=Ada,Blue=Grace"}, "Blue has two players");
  says({"play", skirmish, script, "--players", "Blue=" + std::string(101, 'a')}, "at most 100");
  says({"play", skirmish, script}, "nothing has been played yet");
  says({"play", skirmish, dir_.path().string()}, "is not a file; give a script");
}

StandRecord StandAt(const std::string& id, Vec2 at) {
  StandRecord stand;
  stand.id = id;
  stand.unit = id.substr(0, id.find('#'));
  stand.side = "French";
  stand.kind = "line_infantry";
  stand.centre = at;
  stand.sigma_in = 0.02;
  return stand;
}

TEST(MovedSince, IgnoresStandsThatSwappedPlaces) {
  const std::vector<StandRecord> before = {StandAt("A#1", {5, 5}), StandAt("A#2", {7, 5}),
                                           StandAt("B#1", {20, 5})};
  EXPECT_EQ(MovedSince(before, before), "");
  EXPECT_EQ(MovedSince(before, {StandAt("A#2", {5.1, 5}), StandAt("A#1", {7, 5.2}),
                                StandAt("B#1", {20, 5})}),
            "");
  EXPECT_EQ(
      MovedSince(before, {StandAt("A#1", {5, 7}), StandAt("A#2", {7, 5}), StandAt("B#1", {22, 5})}),
      "2 stands have moved since: A#1, B#1");
  EXPECT_EQ(MovedSince(before, {StandAt("A#1", {5, 5}), StandAt("C#1", {1, 1})}),
            "2 stands are missing: A#2, B#1; 1 stand is new: C#1");
}

// Every verdict of a watched match follows from its stored measurement, bit for bit.
TEST_F(ClubFile, ReplaysAJudgedClipFromItsMeasurements) {
  const ConsoleRun judged = RunFallofshot({"judge", Source("datasets/sets/open_qtip"), "--out",
                                           Db("out"), "--db", Db(), "--players", "French=Ada",
                                           "--profile"});
  ASSERT_EQ(judged.status, kExitDone) << judged.err;
  EXPECT_NE(judged.out.find("  watch    "), std::string::npos) << judged.out;
  EXPECT_NE(judged.out.find("decoding alone takes"), std::string::npos) << judged.out;
  const ConsoleRun replayed = RunFallofshot({"replay", "last", "--db", Db()});
  ASSERT_EQ(replayed.status, kExitDone) << replayed.out << replayed.err;
  EXPECT_EQ(replayed.out.find(" 0 verdicts"), std::string::npos) << replayed.out;
  const Journal journal = Journal::Open(Db()).value();
  const GameLog log = journal.Read(1).value();
  EXPECT_TRUE(log.Ended());
  bool evidence = false;
  bool measured = false;
  for (const Record& record : log.records) {
    measured = measured || record.measured.has_value();
    if (!record.attachment || record.attachment->role != "evidence") continue;
    evidence = true;
    const std::string bytes = journal.Blob(record.attachment->hash).value();
    EXPECT_EQ(bytes.substr(0, 2), "\xff\xd8");  // JPEG
  }
  EXPECT_TRUE(evidence);
  EXPECT_TRUE(measured);
  auto replay = WatchedReplay::Open(OpenGameLog({Db()}, "1").value());
  ASSERT_TRUE(replay.ok()) << replay.error().message;
  (*replay)->StepTo((*replay)->Steps());
  const Snapshot& end = *(*replay)->Now();
  ASSERT_EQ(end.shots.size(), 1u);
  EXPECT_EQ(end.replay->shots.size(), 1u);
  EXPECT_EQ(end.shots[0]->verdict.ground.square, "K5");
  EXPECT_EQ(end.shots[0]->projectile, "cotton swab");
  EXPECT_NE(end.shots[0]->panels, nullptr);
  (*replay)->StepTo(0);
  EXPECT_TRUE((*replay)->Now()->shots.empty());
  EXPECT_FALSE(StandsInLog(log).empty());
  EXPECT_NE(RunFallofshot({"resume", "1", "--db", Db()}).err.find("live"), std::string::npos);
  EXPECT_FALSE(MatchJournal::Resume(Db(), "1").ok());  // it has ended
}

// The stands of a unit in a square, as a camera would observe them.
std::vector<StandObservation> InSquare(const Scenario& scenario, const TableFrame& frame,
                                       std::size_t unit, SquareIndex square) {
  const UnitSpec& spec = scenario.units.at(unit);
  std::vector<StandObservation> out;
  for (int i = 0; i < spec.stands; ++i) {
    StandObservation stand;
    stand.stand = {spec.id + "#" + std::to_string(i + 1)};
    stand.unit = spec.id;
    stand.side = spec.side;
    stand.kind = spec.kind;
    stand.footprint = scenario.kinds.at(static_cast<std::size_t>(spec.kind)).footprint;
    const Vec2 off = {i % 2 == 0 ? 1.0 / 3 : 7.0 / 3, 1.0 + i / 2};
    stand.table_from_stand = {frame.CentreOf(square) + off - Vec2{4.0 / 3, 1.5},
                              std::numbers::pi / 2};
    stand.centre_cov = {1e-4, 1e-6, 1e-4};
    out.push_back(stand);
  }
  return out;
}

// A match whose first unit moves from B3 to B4, which is legal, and on to B8, which is too far for
// line infantry (NAP-1). Its deployment is checked first.
void WatchTwoMoves(const fs::path& club, const fs::path& clip, bool doubted = false) {
  const Result<Clip> opened = OpenClip(clip);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  const Scenario& scenario = opened->scenario;
  const TableFrame& frame = opened->table.frame;
  auto begun = MatchJournal::Begin(club, {clip / "table.toml", clip / "scenario.toml", {}, {}},
                                   scenario, "by hand", "");
  ASSERT_TRUE(begun.ok()) << begun.error().message;
  MatchJournal& journal = **begun;
  std::vector<StandObservation> position;
  std::vector<StandObservation> beside = InSquare(scenario, frame, 1, scenario.units.at(1).square);
  beside.front().table_from_stand.heading_rad += 0.35;  // 20 degrees off north (NAP-2G)
  const auto set = [&](std::vector<StandObservation> first) {
    position = std::move(first);
    position.insert(position.end(), beside.begin(), beside.end());
  };
  const auto told = [&](std::int64_t number) {
    StandScene scene;
    scene.stands = position;
    return EventRecord{number, static_cast<double>(number), StandsRecord(scene, scenario, frame)};
  };
  SquareIndex at = scenario.units.at(0).square;
  set(InSquare(scenario, frame, 0, at));
  const auto faults = CheckSetupUnderRules(position, scenario, frame);
  ASSERT_TRUE(faults.ok()) << faults.error().message;
  EXPECT_FALSE(faults->empty());
  journal.Seen(told(0), {.shot = {}, .stands = StandsMeasured{position, {}}, .told = *faults});
  for (const int squares : {1, 4}) {
    const SquareIndex to = {at.column, at.row + squares};
    const auto before = InSquare(scenario, frame, 0, at);
    const auto after = InSquare(scenario, frame, 0, to);
    StandsMeasured looked{position, {}};
    for (std::size_t i = 0; i < after.size(); ++i) looked.moved.push_back({before[i], after[i]});
    const RuledMoves ruled = JudgeMovesUnderRules(looked.moved, looked.position, scenario, frame);
    for (const StandMoved& one : looked.moved) {
      JudgedFrom from;
      if (&one == looked.moved.data()) from.stands = looked;
      journal.Seen(
          {squares, 1.0 * squares, ChangeRecord({one.to.stand, one.from, one.to}, frame, ruled)},
          from);
    }
    set(after);
    journal.Seen(told(squares));
    at = to;
  }
  if (doubted) {
    journal.Seen({5, 5.0,
                  IdentityDoubtedEvent{
                      1, {{"F-1L1#1", "F-1L2#1"}, {"F-1L2#1", "F-1L1#1"}}, "they look alike"}});
    journal.Seen({5, 5.0, IdentityDoubtedEvent{2, {{"F-1L1#1", "F-1L3#1"}}, "so do these"}});
    journal.Decision(R"({"type":"players","doubt":1,"say":"identify","changed":true})", 6.0);
    journal.Seen({6, 6.0, IdentitySettledEvent{2, false, "so they do", true}});
  }
  journal.End();
  const Status written = journal.Flush();
  ASSERT_TRUE(written.ok()) << written.error().message;
}

// Rulings on moves and on the deployment follow from the measurements, bit for bit; with other
// tables the replay says what they would rule instead.
TEST_F(ClubFile, ReplaysWatchedMovesFromTheirMeasurements) {
  WatchTwoMoves(Db(), Source("datasets/sets/open_qtip"));
  const ConsoleRun replayed = RunFallofshot({"replay", "last", "--db", Db()});
  EXPECT_EQ(replayed.status, kExitDone) << replayed.out << replayed.err;
  EXPECT_NE(replayed.out.find("2 moves computed again; all the same"), std::string::npos)
      << replayed.out;
  const ConsoleRun once_more = RunFallofshot({"replay", "last", "--signature", "--db", Db()});

  // A program whose line infantry moves further.
  std::string tables = ReadWholeFile(Source("engine/rules/napoleonic/tables.toml")).value();
  const std::size_t line = tables.find("move = ", tables.find("[unit.line_infantry]"));
  tables.replace(line, std::string("move = 2.0").size(), "move = 6.0");
  dir_.Write("other/engine/rules/napoleonic/tables.toml", tables);
  const DataRootFirst other(dir_.path() / "other");
  EXPECT_EQ(RunFallofshot({"replay", "last", "--signature", "--db", Db()}).out, once_more.out);
  const ConsoleRun changed =
      RunFallofshot({"replay", "last", "--this-programs-tables", "--db", Db()});
  EXPECT_EQ(changed.status, kExitBadInput);
  EXPECT_NE(changed.out.find("F-1L1#1 moved: then: F-1L1#1, F-1L1#2, F-1L1#3, F-1L1#4 from B4 to "
                             "B8: "),
            std::string::npos)
      << changed.out;
  EXPECT_NE(changed.out.find("4 of 6 squares (NAP-1), legal"), std::string::npos) << changed.out;
  // A unit's stands make one move, reported once. The legal move's ruling changes too.
  EXPECT_NE(changed.out.find("; 2 differ"), std::string::npos) << changed.out;
}

// A ruling that was changed in the file is found even if its hash chain was repaired.
TEST_F(ClubFile, ReplayReportsAForgedRulingOnAMove) {
  WatchTwoMoves(Db("true.db"), Source("datasets/sets/open_qtip"));
  const Journal honest = Journal::Open(Db("true.db")).value();
  GameLog log = honest.Read(1).value();
  int changed = 0;
  for (Record& record : log.records) {
    const std::size_t at = record.text.find("(NAP-1)\",\"refused_by");
    if (at != std::string::npos) {
      record.text.resize(at);
      record.text += "(NAP-1)\"}";
      ++changed;
    }
    if (!record.told.empty()) record.told.pop_back();
  }
  ASSERT_GT(changed, 0);
  {
    Journal forged = Journal::Open(Db()).value();
    ASSERT_TRUE(forged.Copy(log, honest).ok());
  }
  const ConsoleRun replayed = RunFallofshot({"replay", "last", "--db", Db()});
  EXPECT_EQ(replayed.status, kExitBadInput);
  EXPECT_NE(replayed.out.find("how the armies are deployed: then: "), std::string::npos)
      << replayed.out;
  EXPECT_NE(replayed.out.find(", legal | now: "), std::string::npos) << replayed.out;
}

TEST_F(ClubFile, StepsThroughAWatchedGameForwardAndBack) {
  WatchTwoMoves(Db(), Source("datasets/sets/open_qtip"));
  auto opened = OpenGameLog({Db()}, "last");
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  auto replay = WatchedReplay::Open(std::move(opened).value());
  ASSERT_TRUE(replay.ok()) << replay.error().message;
  WatchedReplay& game = **replay;
  const auto row = [&](const char* id) {
    for (const StandObservation& stand : *game.Now()->stands) {
      if (stand.stand.text == id)
        return game.Now()->facts->table.SquareAt(stand.table_from_stand.origin)->row;
    }
    return -1;
  };
  EXPECT_EQ(game.Steps(), 3u);  // the stands, a legal move, one that is refused
  EXPECT_EQ(game.Now()->replay->step, 0u);
  EXPECT_TRUE(game.Now()->stands->empty());
  EXPECT_EQ(game.Now()->watching, Watching::kReplay);
  game.StepTo(1);
  const int start = row("F-1L1#1");
  EXPECT_TRUE(game.Now()->moves.empty());
  game.StepTo(99);
  EXPECT_EQ(game.Now()->replay->step, 3u);
  EXPECT_EQ(row("F-1L1#1"), start + 5);
  EXPECT_EQ(row("F-1L1#4"), start + 5);
  ASSERT_EQ(game.Now()->moves.size(), 2u);
  EXPECT_EQ(game.Now()->moves[1]->refused_by, "NAP-1");
  EXPECT_TRUE(MayOverrule(*game.Now()->moves[1]));
  game.StepTo(2);
  EXPECT_EQ(row("F-1L1#1"), start + 1);
  EXPECT_EQ(game.Now()->moves.size(), 1u);
  game.Post({});  // changes nothing
  EXPECT_EQ(game.Now()->replay->step, 2u);
  EXPECT_EQ(Journal::Open(Db()).value().Games().value().size(), 1u);
}

TEST_F(ClubFile, ReplayShowsIdentityDoubtsAndTheirAnswers) {
  WatchTwoMoves(Db(), Source("datasets/sets/open_qtip"), /*doubted=*/true);
  EXPECT_EQ(RunFallofshot({"replay", "last", "--db", Db()}).status, kExitDone);
  auto opened = OpenGameLog({Db()}, "last");
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  auto replay = WatchedReplay::Open(std::move(opened).value());
  ASSERT_TRUE(replay.ok()) << replay.error().message;
  WatchedReplay& game = **replay;
  EXPECT_EQ(game.Steps(), 6u);
  game.StepTo(3);
  EXPECT_TRUE(game.Now()->doubts.empty());
  game.StepTo(4);
  ASSERT_EQ(game.Now()->doubts.size(), 1u);
  EXPECT_EQ(game.Now()->doubts[0]->text, "they look alike");
  EXPECT_FALSE(game.Now()->doubts[0]->changed);
  game.StepTo(5);
  ASSERT_EQ(game.Now()->doubts.size(), 2u);
  EXPECT_FALSE(game.Now()->doubts[1]->changed);
  game.StepTo(6);
  EXPECT_EQ(game.Now()->doubts[0]->changed, true);
  EXPECT_EQ(game.Now()->doubts[1]->changed, false) << "it was withdrawn";
}

// The rig is the one `calibrate table` writes.
TEST_F(ClubFile, ReplaysAndResumesAMatchFromItsRecordedRig) {
  const Result<Clip> clip = OpenClip(Source("datasets/sets/open_qtip"));
  ASSERT_TRUE(clip.ok()) << clip.error().message;
  const std::string rig_file = Db("club_rig.toml");
  const ConsoleRun found =
      RunFallofshot({"calibrate", "table", Source("datasets/sets/open_qtip"), "--rig", rig_file,
                     "--height", "72", "--height-sigma", "0.25"});
  ASSERT_EQ(found.status, kExitDone) << found.err;
  EXPECT_NE(found.out.find("rig written to " + rig_file), std::string::npos) << found.out;
  const Result<RigProfile> rig = ReadRig(rig_file);
  ASSERT_TRUE(rig.ok()) << rig.error().message;
  // The table itself refines the lens that it was given, by less than its file leaves open.
  EXPECT_NEAR(rig->lens.fx_px, clip->camera->fx_px, 0.003 * clip->camera->fx_px);
  EXPECT_EQ(rig->table.frame.columns, clip->table.frame.columns);
  EXPECT_TRUE(rig->pose);
  ASSERT_TRUE(rig->height);
  EXPECT_EQ(rig->height->sigma_in, 0.25);
  EXPECT_EQ(rig->paints.size(), 2u);  // of both sides
  const ConsoleRun judged = RunFallofshot({"judge", Source("datasets/sets/open_qtip"), "--out",
                                           Db("out"), "--db", Db(), "--rig", rig_file});
  ASSERT_EQ(judged.status, kExitDone) << judged.err;
  fs::remove(rig_file);
  const ConsoleRun replayed = RunFallofshot({"replay", "last", "--db", Db()});
  EXPECT_EQ(replayed.status, kExitDone) << replayed.out << replayed.err;
  EXPECT_EQ(replayed.out.find(" 0 verdicts"), std::string::npos) << replayed.out;
  const ConsoleRun reported =
      RunFallofshot({"report", "last", "--out", Db("report.html"), "--db", Db()});
  EXPECT_EQ(reported.status, kExitDone) << reported.out << reported.err;
  {
    Journal journal = Journal::Open(Db()).value();
    GameLog log = journal.Read(1).value();
    ASSERT_NE(log.FileOf("rig"), nullptr);
    EXPECT_EQ(log.FileOf("table"), nullptr);  // the rig replaced it
    log.start.uid = "unfinished";
    ASSERT_TRUE(log.Ended());
    log.records.pop_back();
    ASSERT_FALSE(log.Ended());
    ASSERT_TRUE(journal.Copy(log, journal).ok());
  }
  {
    const auto continued = MatchJournal::Resume(Db(), "2");
    ASSERT_TRUE(continued.ok()) << continued.error().message;
    EXPECT_EQ((*continued)->ShotsBefore(), 1);
    EXPECT_FALSE((*continued)->StandsBefore().empty());
    EXPECT_EQ(MovedSince((*continued)->StandsBefore(), (*continued)->StandsBefore()), "");
    (*continued)->End();
    ASSERT_TRUE((*continued)->Flush().ok());
  }
  const ConsoleRun again = RunFallofshot({"replay", "2", "--db", Db()});
  EXPECT_EQ(again.status, kExitDone) << again.out << again.err;
  EXPECT_EQ(again.out.find(" 0 verdicts"), std::string::npos) << again.out;
  const GameLog log = Journal::Open(Db()).value().Read(2).value();
  EXPECT_TRUE(log.Ended());
  EXPECT_NE(log.FileOf("rig"), nullptr);
}

}  // namespace
}  // namespace fos
