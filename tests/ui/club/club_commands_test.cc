// SPDX-License-Identifier: MIT
// The club's server as people set it up and use it, from the first command to the last.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/club/pg_connection.h"
#include "tests/support/console_run.h"
#include "tests/support/pg_server.h"
#include "tests/support/shell_run.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using test::ConsoleRun;
using test::RunFallofshot;

std::string TextOf(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

class ClubCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = test::PgServer::WhyNot(); !why.empty()) GTEST_SKIP() << why;
    server_.emplace();
  }
  std::string In(const char* name) const { return (dir_.path() / name).string(); }
  static std::string Source(const char* path) { return fs::path(FOS_SOURCE_DIR) / path; }
  // Makes an account as docs/club.md says, and puts its password where libpq looks.
  void AddAccount(const std::string& name, const std::string& role) {
    const std::string pass = In((name + ".pgpass").c_str());
    const ConsoleRun made = RunFallofshot({"club", "account", name, server_->Owner(), "--as", role,
                                           "--passfile", pass, "--title", "Table by the window"});
    ASSERT_EQ(made.status, kExitDone) << made;
    const std::string line = TextOf(pass);
    const std::string password = line.substr(line.rfind(':') + 1, 64);
    EXPECT_EQ((made.out + made.err).find(password), std::string::npos);
    // The owner came over a socket, the accounts come over TCP.
    std::ofstream(In("pgpass"), std::ios::app) << "*:*:*:" << name << ':' << password << '\n';
    fs::permissions(In("pgpass"), fs::perms::owner_read | fs::perms::owner_write);
    setenv("PGPASSFILE", In("pgpass").c_str(), 1);
  }
  test::TempDir dir_;
  std::optional<test::PgServer> server_;
};

TEST_F(ClubCommands, AGameGoesToTheServerAndIsReadFromThere) {
  const ConsoleRun init = RunFallofshot({"club", "init", server_->Owner()});
  ASSERT_EQ(init.status, kExitDone) << init;
  EXPECT_NE(RunFallofshot({"club", "init", server_->Owner()}).out.find("already"),
            std::string::npos);
  AddAccount("table-1", "table");
  AddAccount("ada", "reader");
  const std::string table = server_->Address("table-1");
  const std::string reader = server_->Address("ada");

  const ConsoleRun played =
      RunFallofshot({"play", Source("datasets/scenarios/skirmish.toml"),
                     Source("datasets/scenarios/skirmish.script"), "--seed", "7", "--db",
                     In("club.db"), "--players", "Blue=Ada,Red=Grace", "--club", table});
  ASSERT_EQ(played.status, kExitDone) << played;
  EXPECT_EQ(played.err, "");
  const ConsoleRun games = RunFallofshot({"games", "--club", reader});
  ASSERT_EQ(games.status, kExitDone) << games;
  EXPECT_NE(games.out.find("Skirmish  Ada against Grace  at table-1"), std::string::npos) << games;

  // What the file says and what the server says.
  const auto both = [&](std::vector<std::string> arguments) {
    std::vector<std::string> other = arguments;
    arguments.insert(arguments.end(), {"--db", In("club.db")});
    other.insert(other.end(), {"--club", reader});
    const ConsoleRun file = RunFallofshot(arguments);
    const ConsoleRun there = RunFallofshot(other);
    EXPECT_EQ(file.status, kExitDone) << file;
    EXPECT_EQ(there.status, kExitDone) << there;
    EXPECT_EQ(file.out, there.out);
    return there.out;
  };
  EXPECT_NE(both({"replay", "last"}).find("all the same"), std::string::npos);
  both({"stats", "--guns"});
  both({"report", "1", "--out", In("report.html")});
  EXPECT_NE(TextOf(In("report.html")).find("Ada"), std::string::npos);

  ASSERT_EQ(RunFallofshot({"export", "last", In("one.fosgame"), "--club", reader}).status,
            kExitDone);
  ASSERT_EQ(RunFallofshot({"import", In("one.fosgame"), "--db", In("other.db")}).status, kExitDone);
  EXPECT_EQ(RunFallofshot({"replay", "1", "--signature", "--db", In("other.db")}).out,
            RunFallofshot({"replay", "1", "--signature", "--db", In("club.db")}).out);

  const ConsoleRun season = RunFallofshot({"stats", "--club", reader, "--html", In("season.html"),
                                           "--csv", In("season.csv"), "--at", "table-1"});
  ASSERT_EQ(season.status, kExitDone) << season;
  EXPECT_NE(TextOf(In("season.html")).find("<svg"), std::string::npos);
  EXPECT_NE(TextOf(In("season.csv")).find("dice,"), std::string::npos);
  EXPECT_NE(RunFallofshot({"stats", "--club", reader, "--player", "Nobody"}).err.find("no player"),
            std::string::npos);

  // Again, as a laptop does that was switched off: nothing is sent twice.
  const ConsoleRun again = RunFallofshot({"club", "mirror", table, "--db", In("club.db")});
  EXPECT_EQ(again.status, kExitDone) << again;
  EXPECT_NE(again.out.find("0 records sent"), std::string::npos) << again;
  const ConsoleRun other = RunFallofshot({"club", "mirror", table, "--db", In("other.db")});
  EXPECT_EQ(other.status, kExitDone) << "the same game from an export: " << other;
}

TEST_F(ClubCommands, AServerThatIsAwayCostsTheGameNothing) {
  const std::string nowhere = "postgresql://table-1@127.0.0.1:1/club";
  const ConsoleRun played = RunFallofshot(
      {"play", Source("datasets/scenarios/skirmish.toml"),
       Source("datasets/scenarios/skirmish.script"), "--seed", "7", "--db", In("club.db"), "--club",
       nowhere});
  EXPECT_EQ(played.status, kExitDone) << played;
  EXPECT_NE(played.err.find("Note: the club's server: "), std::string::npos) << played.err;
  EXPECT_EQ(RunFallofshot({"replay", "last", "--db", In("club.db")}).status, kExitDone);
}

TEST_F(ClubCommands, RefuseWhatIsWrongInOneLine) {
  const auto refused = [](const std::vector<std::string>& arguments, int status,
                          const std::string& part) {
    const ConsoleRun run = RunFallofshot(arguments);
    EXPECT_EQ(run.status, status) << run;
    EXPECT_NE(run.err.find(part), std::string::npos) << run;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run;
    EXPECT_EQ(run.err.find("hunter2"), std::string::npos) << run;
  };
  const std::string secret = "postgresql://ada:hunter2@host/club";
  for (const char* command : {"init", "mirror", "serve"}) {
    refused({"club", command, secret}, kExitBadUsage, "holds a password");
    refused({"club", command, "mysql://host"}, kExitBadUsage, "postgresql://HOST/DATABASE");
  }
  for (const char* command : {"games", "stats"}) {
    refused({command, "--club", secret}, kExitBadInput, "holds a password");
  }
  refused({"games", "--club", server_->Owner("empty")}, kExitBadInput, "club init");
  refused({"games", "--club", server_->Owner(), "--db", "x"}, kExitBadInput, "leave one of them");
  refused({"games", "--club", server_->Owner(), "--heads"}, kExitBadUsage, "leave out --club");
  refused({"play", "a", "b", "--club", server_->Owner()}, kExitBadUsage, "give --db too");
  refused({"judge", "a", "--club", server_->Owner()}, kExitBadUsage, "give --db too");
  refused({"club"}, kExitBadUsage, "club init");
  refused({"club", "drop"}, kExitBadUsage, "`drop`");
  refused({"club", "account", "x", server_->Owner()}, kExitBadUsage, "--passfile");
  refused({"club", "account", "x", server_->Owner(), "--passfile", In("p"), "--as", "king"},
          kExitBadUsage, "table or reader");
  refused({"club", "serve", server_->Owner(), "--bind", "0.0.0.0"}, kExitBadUsage, "--token-file");
}

TEST_F(ClubCommands, DoctorChecksTheServerAndTheMirror) {
  ASSERT_EQ(RunFallofshot({"club", "init", server_->Owner()}).status, kExitDone);
  AddAccount("table-1", "table");
  AddAccount("ada", "reader");
  ASSERT_EQ(RunFallofshot({"play", Source("datasets/scenarios/skirmish.toml"),
                           Source("datasets/scenarios/skirmish.script"), "--seed", "7", "--db",
                           In("club.db")})
                .status,
            kExitDone);
  const std::string doctor = std::string(FOS_PROGRAM) + " doctor --db " + In("club.db") +
                             " --club " + server_->Address("ada");
  EXPECT_NE(test::RunInShell(doctor).out.find("of this machine are not on the server yet"),
            std::string::npos);
  ASSERT_EQ(RunFallofshot({"club", "mirror", server_->Address("table-1"), "--db", In("club.db")})
                .status,
            kExitDone);
  const test::ShellRun whole = test::RunInShell(doctor);
  EXPECT_NE(whole.out.find("1 game, every record whole"), std::string::npos) << whole;
  EXPECT_EQ(whole.out.find("not on the server yet"), std::string::npos) << whole;
  server_->Ask("ALTER TABLE fallofshot.record DISABLE TRIGGER USER; UPDATE fallofshot.record SET "
               "text = 'x' WHERE number = 3");
  EXPECT_NE(test::RunInShell(doctor).out.find("record 3 was changed"), std::string::npos);
}

}  // namespace
}  // namespace fos
