// SPDX-License-Identifier: MIT
#include "engine/club/club_server.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/club/club_accounts.h"
#include "engine/club/club_mirror.h"
#include "engine/club/club_schema.h"
#include "engine/club/record_json.h"
#include "tests/support/club_games.h"
#include "tests/support/club_night.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using test::ClubNight;

PgAddress At(const std::string& text) { return PgAddress::Parse(text).value(); }

TEST(PgAddress, NeverHoldsOrShowsAPassword) {
  for (const char* text : {"postgresql://ada:hunter2@host/club",
                           "postgresql://host/club?password=hunter2",
                           "postgresql://host/club?sslpassword=hunter2", "host=x password=hunter2",
                           "postgresql://ada:hunter2@host/club?nonsense=1"}) {
    const Result<PgAddress> address = PgAddress::Parse(text);
    ASSERT_FALSE(address.ok()) << text;
    EXPECT_EQ(address.error().message.find("hunter2"), std::string::npos) << text;
  }
  const PgAddress plain = At("postgresql://ada@club.example:5433/games");
  EXPECT_EQ(plain.Name(), "postgresql://club.example:5433/games");
  EXPECT_EQ(plain.Field("user"), "ada");
  EXPECT_EQ(plain.WithUser("grace").Field("user"), "grace");
}

TEST(PgConnection, GivesUpOnAServerThatDoesNotAnswer) {
  const Result<ClubServer> none = ClubServer::Open(At("postgresql://127.0.0.1:1/club"));
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kIo);
}

TEST(ServerText, CarriesEveryByte) {
  for (const std::string& text :
       {std::string("plain"), std::string(), std::string("a\0b", 3), std::string("\xff\xfe"),
        std::string("\xef\xbf\xbf" "6162"), std::string("\xe2\x80\x9c")}) {
    const std::string there = ToServerText(text);
    EXPECT_EQ(there.find('\0'), std::string::npos);
    EXPECT_EQ(FromServerText(there), text);
  }
  EXPECT_EQ(ToServerText("plain"), "plain");
}

class ClubDatabase : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = test::PgServer::WhyNot(); !why.empty()) GTEST_SKIP() << why;
    night_.emplace();
  }
  std::optional<ClubNight> night_;
};

TEST_F(ClubDatabase, IsPreparedOnceAndUpgraded) {
  const PgAddress owner = At(night_->server.Owner("other"));
  EXPECT_EQ(ClubServer::Open(owner).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ClubServer::Init(owner).value(), 0);
  EXPECT_EQ(ClubServer::Init(owner).value(), ClubVersion());
  EXPECT_EQ(ClubServer::Open(owner)->Version(), ClubVersion());
  // As the first version's program left it.
  night_->server.Ask(
      "DROP INDEX fallofshot.game_started, fallofshot.game_account, fallofshot.seat_player, "
      "fallofshot.head_changed, fallofshot.record_word, fallofshot.record_attached; DELETE FROM "
      "fallofshot.version WHERE version > 1",
      "other");
  EXPECT_NE(ClubServer::Open(owner).error().message.find("older"), std::string::npos);
  EXPECT_EQ(ClubServer::Init(owner).value(), 1);
  EXPECT_TRUE(ClubServer::Open(owner).ok());
  night_->server.Ask("INSERT INTO fallofshot.version VALUES (99)", "other");
  EXPECT_EQ(ClubServer::Open(owner).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ClubServer::Init(owner).error().code, ErrorCode::kUnsupported);
}

TEST_F(ClubDatabase, HoldsWhatTheFileHolds) {
  const test::TempDir dir;
  Journal journal = Journal::Open(dir.path() / "club.db").value();
  test::WriteClubGame(journal, "aa", 60);
  test::WriteClubGame(journal, "bb", 0);
  ClubServer table = night_->Table("table-1");
  JournalMirror mirror;
  const Result<MirrorRound> round = mirror.Round(journal, table);
  ASSERT_TRUE(round.ok()) << round.error().message;
  EXPECT_EQ(round->sent, 60);
  EXPECT_TRUE(mirror.Faults().empty()) << mirror.Faults().begin()->second;
  const ClubServer reader = night_->Reader();
  EXPECT_EQ(test::Difference(journal, reader), "");
  EXPECT_EQ(reader.Find("last").value(), 2);
  EXPECT_EQ(reader.Find("aa").value(), 1);
  EXPECT_EQ(reader.Games().value()[1].table, "table-1");
  EXPECT_EQ(mirror.Round(journal, table)->sent, 0);
  mirror.Forget();
  EXPECT_EQ(mirror.Round(journal, table)->sent, 0);
}

TEST_F(ClubDatabase, TakesEachRecordOnce) {
  ClubServer table = night_->Table("table-1");
  const test::TempDir dir;
  Journal journal = Journal::Open(dir.path() / "club.db").value();
  test::WriteClubGame(journal, "aa", 9);
  const GameLog log = journal.Read(1).value();
  const ServerHead begun = table.Begin(log.start).value();
  EXPECT_EQ(table.Begin(log.start).value(), begun);
  const std::vector<Record> first(log.records.begin(), log.records.begin() + 4);
  const ServerHead four = table.Append("aa", begun, first).value();
  EXPECT_EQ(four, (ServerHead{4, log.records[3].chain}));
  // The answer was lost, and the batch is sent again.
  EXPECT_EQ(table.Append("aa", begun, first).value(), four);
  // A gap, and records out of order.
  const std::vector<Record> gap(log.records.begin() + 5, log.records.end());
  EXPECT_EQ(table.Append("aa", four, gap).error().code, ErrorCode::kBadFormat);
  EXPECT_EQ(night_->server.Ask("SELECT count(*) FROM fallofshot.record"), "4\n");
  GameStart other = log.start;
  other.name = "Otherwise";
  EXPECT_EQ(table.Begin(other).error().code, ErrorCode::kUnsupported);
}

TEST_F(ClubDatabase, ATableAppendsItsOwnAndDoesNothingElse) {
  ClubServer one = night_->Table("table-1");
  ClubServer two = night_->Table("table-2");
  const GameStart start = test::ClubGameStart("aa");
  const ServerHead begun = one.Begin(start).value();
  EXPECT_EQ(two.Begin(start).error().code, ErrorCode::kUnsupported);
  Record record = test::ClubRecord(0);
  record.number = 1;
  record.chain = ChainAfter(begun.chain, record);
  EXPECT_EQ(two.Append("aa", begun, {record}).error().code, ErrorCode::kUnsupported);
  EXPECT_TRUE(two.OwnHeads()->empty());
  for (const char* sql :
       {"SELECT * FROM record", "SELECT * FROM game", "SELECT * FROM blob", "DELETE FROM record",
        "INSERT INTO record SELECT * FROM record", "UPDATE head SET records = 0",
        "INSERT INTO account VALUES ('x', 'table', '', '')", "CREATE TABLE fallofshot.x(a int)",
        "CREATE TABLE public.x(a int)", "CREATE TEMP TABLE game(a int)", "DROP FUNCTION own_heads()",
        "ALTER FUNCTION own_heads() SECURITY INVOKER", "SELECT must_be_table()",
        "CREATE ROLE x", "SET ROLE owner", "SELECT pg_read_file('/etc/passwd')",
        "COPY version TO PROGRAM 'true'"}) {
    EXPECT_FALSE(two.Connection().Run(sql).ok()) << sql;
  }
  // A reader reads, and changes nothing; its account appends no game.
  ClubServer reader = night_->Reader();
  EXPECT_TRUE(reader.Connection().Run("SELECT * FROM record").ok());
  EXPECT_FALSE(reader.Connection().Run("DELETE FROM game").ok());
  EXPECT_EQ(reader.Begin(test::ClubGameStart("bb")).error().code, ErrorCode::kUnsupported);
  // An account of the table's role that belongs to another club of the same server.
  night_->server.Ask("DELETE FROM fallofshot.account WHERE name = 'table-2'");
  EXPECT_EQ(two.OwnHeads().error().code, ErrorCode::kUnsupported);
}

TEST_F(ClubDatabase, ItsOwnerChangesNothingUnnoticed) {
  const test::TempDir dir;
  Journal journal = Journal::Open(dir.path() / "club.db").value();
  test::WriteClubGame(journal, "aa", 12);
  ClubServer table = night_->Table("table-1");
  ASSERT_EQ(JournalMirror().Round(journal, table)->sent, 12);
  for (const char* sql : {"DELETE FROM fallofshot.record", "UPDATE fallofshot.game SET name = 'x'",
                          "TRUNCATE fallofshot.blob CASCADE"}) {
    EXPECT_NE(night_->server.Ask(sql).find("append-only"), std::string::npos) << sql;
  }
  const std::string off = "ALTER TABLE fallofshot.record DISABLE TRIGGER USER; "
                          "ALTER TABLE fallofshot.game DISABLE TRIGGER USER; "
                          "ALTER TABLE fallofshot.seat DISABLE TRIGGER USER; ";
  const ClubServer reader = night_->Reader();
  const auto read = [&] {
    const Result<GameLog> log = reader.Read(1);
    return log.ok() ? std::string("fine") : log.error().message;
  };
  EXPECT_EQ(read(), "fine");
  night_->server.Ask(off + "UPDATE fallofshot.record SET told = '{changed}' WHERE number = 5");
  EXPECT_NE(read().find("record 5 was changed"), std::string::npos) << read();
  night_->server.Ask("DELETE FROM fallofshot.record WHERE number >= 5");
  EXPECT_NE(read().find("the last 8 of 12 records are missing"), std::string::npos) << read();
  night_->server.Ask("UPDATE fallofshot.seat SET player = 'Eve' WHERE player = 'Ada'");
  EXPECT_NE(read().find("beginning was changed"), std::string::npos) << read();
}

TEST_F(ClubDatabase, AnotherCopyOfAGameIsNeverMixedIn) {
  const test::TempDir dir;
  Journal journal = Journal::Open(dir.path() / "club.db").value();
  test::WriteClubGame(journal, "aa", 5);
  fs::copy_file(dir.path() / "club.db", dir.path() / "old.db");
  ASSERT_TRUE(journal.Seal().ok());
  fs::copy_file(dir.path() / "club.db", dir.path() / "old.db",
                fs::copy_options::overwrite_existing);
  Journal old = Journal::Open(dir.path() / "old.db").value();
  {
    GameWriter writer = GameWriter::Of(journal, 1).value();
    ASSERT_TRUE(writer.Append(test::ClubRecord(0), 1).ok());
    ASSERT_TRUE(writer.Append(test::ClubRecord(5), 2).ok());
  }
  ClubServer table = night_->Table("table-1");
  ASSERT_EQ(JournalMirror().Round(journal, table)->sent, 7);
  JournalMirror other;
  ASSERT_TRUE(other.Round(old, table).ok());
  EXPECT_NE(other.Faults().at("aa").find("an old copy"), std::string::npos);
  {
    GameWriter writer = GameWriter::Of(old, 1).value();
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(writer.Append(test::ClubRecord(4), 3 + i).ok());
  }
  other.Forget();
  ASSERT_TRUE(other.Round(old, table).ok());
  EXPECT_EQ(other.Faults().size(), 1u);
  EXPECT_EQ(test::Difference(journal, night_->Reader()), "");
}

TEST_F(ClubDatabase, AnImportedGameStaysTheOtherTables) {
  const test::TempDir dir;
  Journal journal = Journal::Open(dir.path() / "club.db").value();
  test::WriteClubGame(journal, "aa", 4);
  ClubServer one = night_->Table("table-1");
  ASSERT_EQ(JournalMirror().Round(journal, one)->sent, 4);
  test::WriteClubGame(journal, "bb", 3);
  ClubServer two = night_->Table("table-2");
  JournalMirror mirror;
  const Result<MirrorRound> round = mirror.Round(journal, two);
  ASSERT_TRUE(round.ok()) << round.error().message;
  EXPECT_EQ(round->sent, 3);
  EXPECT_FALSE(round->more);
  EXPECT_TRUE(mirror.Faults().empty());
  EXPECT_EQ(mirror.Others(), std::set<std::string>{"aa"});
  EXPECT_EQ(test::Difference(journal, night_->Reader()), "");
}

TEST_F(ClubDatabase, AccountsHaveTheirPasswordInTheirFileAlone) {
  const fs::path pass = night_->server.Folder() / "new.pgpass";
  const PgAddress owner = At(night_->server.Owner());
  ClubAccount account{ClubAccount::Role::kTable, "table-9", "Club", "Table 9"};
  ASSERT_TRUE(AddClubAccount(owner, account, pass).ok());
  EXPECT_EQ(fs::status(pass).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  std::string line;
  std::ifstream in(pass);
  std::getline(in, line);
  const std::string password = line.substr(line.rfind(':') + 1);
  EXPECT_EQ(password.size(), 64u);
  EXPECT_NE(night_->server.Ask("SELECT rolpassword FROM pg_authid WHERE rolname = 'table-9'")
                .find("SCRAM-SHA-256$"),
            std::string::npos);
  std::ostringstream log;
  log << std::ifstream(night_->server.Folder() / "server.log").rdbuf();
  EXPECT_EQ(log.str().find(password), std::string::npos);
  // The same name again, and a bad one: nothing is left behind.
  const fs::path again = night_->server.Folder() / "again.pgpass";
  EXPECT_FALSE(AddClubAccount(owner, account, again).ok());
  account.name = "x\"; DROP SCHEMA fallofshot;";
  EXPECT_EQ(AddClubAccount(owner, account, again).error().code, ErrorCode::kOutOfRange);
  EXPECT_FALSE(fs::exists(again));
  account.name = "table-10";
  EXPECT_EQ(AddClubAccount(owner, account, pass).error().code, ErrorCode::kIo);
  EXPECT_EQ(night_->server.Ask("SELECT count(*) FROM pg_roles WHERE rolname = 'table-10'"), "0\n");
}

}  // namespace
}  // namespace fos
