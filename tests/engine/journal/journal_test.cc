// SPDX-License-Identifier: MIT
#include "engine/journal/journal.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/journal/head_key.h"
#include "engine/journal/schema.h"
#include "engine/journal/sha256.h"
#include "tests/support/clip_files.h"
#include "tests/support/faulty_vfs.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

GameStart SkirmishStart(const std::string& uid = "0123456789abcdef0123456789abcdef") {
  GameStart start;
  start.uid = uid;
  start.name = "Skirmish";
  start.ruleset = "napoleonic";
  start.started_unix_s = 1.7e9;
  start.program = "1.2.3";
  start.seed = std::numeric_limits<std::uint64_t>::max();
  start.files = {{"scenario", "skirmish.toml", "ruleset = \"napoleonic\"\n"},
                 {"rules", "engine/rules/napoleonic/tables.toml", std::string("a\0b", 3)}};
  start.sides = {"Blue", "Red"};
  start.seats = {{0, "Ada"}, {1, "Grace"}, {1, "Mary"}};
  return start;
}

Record Line(int number) {
  Record record;
  record.kind = RecordKind::kLine;
  record.text = "dice " + std::to_string(number);
  record.events = {R"({"event":"dice_thrown"})", "{}"};
  record.told = {"Dice: " + std::to_string(number) + "."};
  record.clauses = {"NAP-4", "NAP-5A"};
  record.source_line = number;
  return record;
}

Record Measured() {
  Record record;
  record.kind = RecordKind::kSeen;
  record.text = R"({"type":"verdict"})";
  record.frame = 41;
  record.time_s = 41 / 30.0;
  ShotMeasured m;
  m.shot.shot = {3};
  m.shot.projectile = Projectile::kShell;
  m.shot.point = {1.0 / 3, 0.1};
  m.shot.tail = {std::nextafter(0.1, 1.0), -0.0};
  m.shot.height_in = 1e-300;
  m.shot.point_cov = {1e-4, -2e-5, 3e-4};
  m.shot.visible = 0.7;
  m.shot.at_rest = {37};
  m.shot.seen = {FrameId{37}, FrameId{41}};
  m.spec = 1;
  m.doubt = 0.025;
  StandObservation stand;
  stand.stand = {"F-1L1#2"};
  stand.unit = "F-1L1";
  stand.side = 1;
  stand.kind = 2;
  stand.table_from_stand = {{10.1, 20.2}, -3.1};
  stand.footprint = {1.5, 0.75};
  stand.ground_in = 0.5;
  stand.centre_cov = {1e-3, 1e-5, 2e-3};
  stand.heading_sigma_rad = 0.02;
  stand.visible = 0.5;
  stand.confidence = 0.99;
  m.stands = {stand, stand};
  record.measured = m;
  return record;
}

Record Moved() {
  Record record = Measured();
  record.text = R"({"type":"stand_moved"})";
  StandsMeasured looked;
  looked.position = std::exchange(record.measured->stands, {});
  StandMoved moved = {looked.position.front(), looked.position.front()};
  moved.to.table_from_stand.origin.x = std::nextafter(12.0, 13.0);
  looked.moved = {moved, moved};
  record.measured.reset();
  record.stands = looked;
  return record;
}

Journal OpenOrDie(const fs::path& file, const JournalOptions& options = {}) {
  Result<Journal> journal = Journal::Open(file, options);
  if (!journal.ok()) throw std::runtime_error(journal.error().message);
  return std::move(journal).value();
}

TEST(Sha256, TheStandardsOwnExamples) {  // FIPS 180-4; NIST's example values
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 million;
  for (int i = 0; i < 10000; ++i) million.Add(std::string(100, 'a'));
  EXPECT_EQ(million.Hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Journal, ReadsBackWhatItWrote) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "below" / "club.db";
  std::string chain;
  {
    Journal journal = OpenOrDie(file);
    const Result<std::int64_t> game = journal.Begin(SkirmishStart());
    ASSERT_TRUE(game.ok()) << game.error().message;
    Result<GameWriter> writer = GameWriter::Of(journal, *game);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->Append(Line(1), 5.5).ok());
    ASSERT_TRUE(writer->Append(Measured(), 6.5).ok());
    ASSERT_TRUE(
        writer->Attach({3, "evidence", "shot_03.jpg", ""}, std::string("\xff\0x", 3), 7).ok());
    ASSERT_TRUE(writer->Append(Moved(), 8).ok());
    chain = writer->Chain();
  }
  const Journal journal = OpenOrDie(file, {.read_only = true, .vfs = "", .busy_ms = 100});
  EXPECT_EQ(journal.Check(), "ok");
  const Result<GameLog> log = journal.Read(1);
  ASSERT_TRUE(log.ok()) << log.error().message;
  const GameStart want = SkirmishStart();
  EXPECT_EQ(log->start.uid, want.uid);
  EXPECT_EQ(log->start.seed, want.seed);
  EXPECT_EQ(log->start.sides, want.sides);
  ASSERT_EQ(log->start.files.size(), 2u);
  EXPECT_EQ(log->start.files[1].bytes, want.files[1].bytes);
  ASSERT_EQ(log->start.seats.size(), 3u);
  EXPECT_EQ(log->start.seats[2].player, "Mary");
  ASSERT_EQ(log->records.size(), 4u);
  EXPECT_EQ(log->records[0].text, "dice 1");
  EXPECT_EQ(log->records[0].events, Line(1).events);
  EXPECT_EQ(log->records[0].told, Line(1).told);
  EXPECT_EQ(log->records[0].clauses, Line(1).clauses);
  EXPECT_EQ(log->records[0].source_line, 1);
  EXPECT_EQ(log->records[0].unix_s, 5.5);
  const Record measured = Measured();
  const Record& read = log->records[1];
  EXPECT_EQ(read.frame, measured.frame);
  EXPECT_EQ(read.time_s, measured.time_s);
  ASSERT_TRUE(read.measured.has_value());
  EXPECT_EQ(read.measured->shot.point, measured.measured->shot.point);
  EXPECT_EQ(read.measured->shot.tail.x, measured.measured->shot.tail.x);
  EXPECT_EQ(read.measured->shot.height_in, 1e-300);
  EXPECT_EQ(read.measured->shot.point_cov, measured.measured->shot.point_cov);
  EXPECT_EQ(read.measured->shot.seen[1].index, 41);
  ASSERT_EQ(read.measured->stands.size(), 2u);
  const StandObservation& stand = read.measured->stands[1];
  EXPECT_EQ(stand.stand.text, "F-1L1#2");
  EXPECT_EQ(stand.table_from_stand.heading_rad, -3.1);
  EXPECT_EQ(stand.centre_cov, measured.measured->stands[0].centre_cov);
  EXPECT_EQ(stand.confidence, 0.99);
  ASSERT_TRUE(log->records[2].attachment.has_value());
  const Result<std::string> picture = journal.Blob(log->records[2].attachment->hash);
  ASSERT_TRUE(picture.ok());
  EXPECT_EQ(*picture, std::string("\xff\0x", 3));
  const Record& moved = log->records[3];
  EXPECT_FALSE(read.stands.has_value());
  EXPECT_FALSE(moved.measured.has_value());
  ASSERT_TRUE(moved.stands.has_value());
  ASSERT_EQ(moved.stands->position.size(), 2u);
  EXPECT_EQ(moved.stands->position[1].unit, "F-1L1");
  ASSERT_EQ(moved.stands->moved.size(), 2u);
  const StandMoved& gone = moved.stands->moved[1];
  EXPECT_EQ(gone.from.table_from_stand.origin, stand.table_from_stand.origin);
  EXPECT_EQ(gone.to.table_from_stand.origin.x, std::nextafter(12.0, 13.0));
  EXPECT_EQ(gone.to.heading_sigma_rad, 0.02);
  EXPECT_EQ(moved.chain, chain);
}

// Where no home is known the default file has no name. SQLite would take that for a file of its own
// that is gone when it is closed.
TEST(Journal, WithoutAFileSaysWhatToSet) {
  for (const bool read_only : {false, true}) {
    JournalOptions options;
    options.read_only = read_only;
    const Result<Journal> none = Journal::Open({}, options);
    ASSERT_FALSE(none.ok());
    EXPECT_NE(none.error().message.find("set HOME or XDG_DATA_HOME"), std::string::npos)
        << none.error().message;
  }
}

TEST(Journal, FindsGamesByNumberNameAndLast) {
  const test::TempDir dir;
  Journal journal = OpenOrDie(dir.path() / "club.db");
  EXPECT_NE(journal.Find("last").error().message.find("no games yet"), std::string::npos);
  GameStart second = SkirmishStart("ffff");
  second.name = "Beattenburg";
  ASSERT_TRUE(journal.Begin(SkirmishStart()).ok());
  ASSERT_TRUE(journal.Begin(second).ok());
  EXPECT_EQ(*journal.Find("1"), 1);
  EXPECT_EQ(*journal.Find("Skirmish"), 1);
  EXPECT_EQ(*journal.Find("last"), 2);
  EXPECT_EQ(*journal.Find("ffff"), 2);
  EXPECT_EQ(journal.Find("3").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(journal.Begin(second).error().code, ErrorCode::kOutOfRange);  // the same game twice
}

TEST(Journal, FindsTheLastGameOfAKind) {
  const test::TempDir dir;
  Journal journal = OpenOrDie(dir.path() / "club.db");
  constexpr auto kPlayed = GameStart::Kind::kPlayed;
  constexpr auto kWatched = GameStart::Kind::kWatched;
  ASSERT_TRUE(journal.Begin(SkirmishStart()).ok());
  EXPECT_EQ(*journal.Find("last", kWatched), 1);  // there is no other
  // The camera's record of the evening on which that game is played.
  GameStart match = SkirmishStart("ffff");
  match.kind = kWatched;
  ASSERT_TRUE(journal.Begin(match).ok());
  EXPECT_EQ(*journal.Find("last"), 2);
  EXPECT_EQ(*journal.Find("last", kPlayed), 1);
  EXPECT_EQ(*journal.Find("last", kWatched), 2);
}

void Execute(const fs::path& file, const std::string& sql, bool wants_success = true) {
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &raw), SQLITE_OK);
  const int status = sqlite3_exec(raw, sql.c_str(), nullptr, nullptr, nullptr);
  EXPECT_EQ(status == SQLITE_OK, wants_success) << sql << ": " << sqlite3_errmsg(raw);
  sqlite3_close(raw);
}

// What version 3 added.
constexpr const char* kDropHeads =
    "DROP TABLE head; DROP TABLE roll; ALTER TABLE game DROP COLUMN form; ";

TEST(Journal, IsAppendOnlyAndDetectsTampering) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  {
    Journal journal = OpenOrDie(file);
    ASSERT_TRUE(journal.Begin(SkirmishStart()).ok());
    GameWriter writer = GameWriter::Of(journal, 1).value();
    for (int i = 1; i <= 3; ++i) ASSERT_TRUE(writer.Append(Line(i), i).ok());
    ASSERT_TRUE(writer.Append(Measured(), 4).ok());
  }
  Execute(file, "UPDATE record SET text = 'dice 6' WHERE number = 2", false);
  Execute(file, "DELETE FROM record WHERE number = 3", false);
  Execute(file, "DELETE FROM game", false);
  const char* const kForged[] = {
      "DROP TRIGGER record_stays; UPDATE record SET text = 'dice 6' WHERE number = 2",
      "DROP TRIGGER event_is_kept; DELETE FROM event WHERE record = 1 AND number = 1",
      "DROP TRIGGER measured_stand_stays; UPDATE measured_stand SET x = x + 1e-9",
      "DROP TRIGGER game_stays; UPDATE game SET seed = '1'",
      "DROP TRIGGER record_is_kept; PRAGMA foreign_keys = OFF; DELETE FROM record WHERE number = "
      "1"};
  for (const char* forged : kForged) {
    const fs::path copy = dir.path() / "forged.db";
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
    Execute(copy, forged);
    const Journal journal = OpenOrDie(copy);
    const Result<GameLog> log = journal.Read(1);
    ASSERT_FALSE(log.ok()) << forged;
    EXPECT_NE(log.error().message.find("was changed after it was written"), std::string::npos)
        << log.error().message;
  }
}

TEST(Journal, RefusesNumbersThatAreNotFinite) {
  const test::TempDir dir;
  Journal journal = OpenOrDie(dir.path() / "club.db");
  ASSERT_TRUE(journal.Begin(SkirmishStart()).ok());
  GameWriter writer = GameWriter::Of(journal, 1).value();
  Record record = Measured();
  record.measured->stands[1].centre_cov.xy = std::nan("");
  EXPECT_EQ(writer.Append(record, 0).error().code, ErrorCode::kOutOfRange);
  EXPECT_EQ(journal.Read(1)->records.size(), 0u);
}

// Whatever is changed with another program shows, though the triggers are gone and the hashes that
// need no key are written anew.
TEST(Journal, NoticesEveryChangeCutAndDeletion) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  constexpr int kRecords = 14;
  GameHead cut;
  {
    Journal journal = OpenOrDie(file);
    for (const char* uid : {"one", "two", "three"}) {
      const Result<std::int64_t> game = journal.Begin(SkirmishStart(uid));
      ASSERT_TRUE(game.ok());
      GameWriter writer = GameWriter::Of(journal, *game).value();
      for (int i = 1; i <= kRecords; ++i) ASSERT_TRUE(writer.Append(Line(i), i).ok());
    }
    const GameLog log = journal.Read(1).value();
    cut = HeadOf(log.start, 4, log.records[3].chain);
    EXPECT_TRUE(journal.CheckGames().ok());
    const std::vector<StoredHead> heads = journal.Heads().value();
    ASSERT_EQ(heads.size(), 3u);
    EXPECT_EQ(heads[0].signature, StoredHead::Signature::kGood);
    EXPECT_EQ(heads[0].head.records, kRecords);
    EXPECT_EQ(heads[0].head.chain, log.records.back().chain);
  }
  const std::string drop_triggers = [&] {
    std::string sql;
    for (const char* table : {"game", "side", "seat", "record", "event", "told"})
      sql += fmt::format("DROP TRIGGER {0}_stays; DROP TRIGGER {0}_is_kept; ", table);
    return sql + "PRAGMA foreign_keys = OFF; ";
  }();
  const auto delete_records = [](const std::string& where) {
    return "DELETE FROM event WHERE " + where + "; DELETE FROM told WHERE " + where +
           "; DELETE FROM record WHERE " + test::Replaced(where, "record", "number") + "; ";
  };
  const auto delete_game = [](int game) {
    std::string sql;
    for (const char* table : {"event", "told", "record", "seat", "side", "game_file", "head"})
      sql += fmt::format("DELETE FROM {} WHERE game = {}; ", table, game);
    return "DROP TRIGGER game_file_is_kept; " + sql +
           fmt::format("DELETE FROM game WHERE id = {}; ", game);
  };
  struct Forgery {
    std::string sql;
    const char* says;
  };
  const Forgery kForgeries[] = {
      {"UPDATE seat SET player = (SELECT id FROM player WHERE name = 'Grace') WHERE side = 0 AND "
       "game = 1",
       "its beginning was changed"},
      {"UPDATE game SET started_unix_s = started_unix_s + 86400 WHERE id = 1",
       "its beginning was changed"},
      {"UPDATE game SET name = 'Waterloo' WHERE id = 1", "its beginning was changed"},
      {"UPDATE game SET form = 1 WHERE id = 1", "its beginning was changed"},
      {"UPDATE side SET name = 'Green' WHERE number = 0 AND game = 1", "its beginning was changed"},
      {"UPDATE record SET unix_s = 0 WHERE number = 3 AND game = 1", "record 3 was changed"},
      {"UPDATE told SET sentence = 'x' WHERE record = 3 AND game = 1", "record 3 was changed"},
      {delete_records("game = 1 AND record > 4"), "the last 10 of 14 records are missing"},
      {delete_records("game = 1 AND record > 13"), "the last 1 of 14 record is missing"},
      {delete_records("game = 1 AND record > 4") +
           fmt::format("UPDATE head SET records = 4, chain = '{}' WHERE game = 1", cut.chain),
       "its head was changed"},
      {"DELETE FROM head WHERE game = 1", "its head was changed"},
      {delete_game(1), "game 1 is gone"},
      {delete_game(2), "game 2 is gone"},
      {delete_game(3), "the last game is gone"},
      {delete_game(3) + "UPDATE roll SET games = 2", "its list of games was changed"},
      {"DELETE FROM roll", "its list of games is gone"},
  };
  for (const Forgery& forgery : kForgeries) {
    const fs::path copy = dir.path() / "forged.db";
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
    fs::copy_file(file.string() + ".key", copy.string() + ".key",
                  fs::copy_options::overwrite_existing);
    Execute(copy, drop_triggers + forgery.sql);
    const Journal journal = OpenOrDie(copy);
    const Result<GameLog> log = journal.Read(1);
    const Status games = journal.CheckGames();
    const std::string said =
        (log.ok() ? "" : log.error().message) + (games.ok() ? "" : games.error().message);
    EXPECT_NE(said.find(forgery.says), std::string::npos) << forgery.sql << ": " << said;
  }
  // With another key, or none, the games open; their signatures are not ours.
  for (const char* key : {"", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}) {
    dir.Write("club.db.key", key);
    const Journal journal = OpenOrDie(file, {.read_only = true});
    EXPECT_TRUE(journal.Read(1).ok());
    EXPECT_EQ(journal.Heads()->at(0).signature, StoredHead::Signature::kOtherKey);
  }
}

void WriteOneLineGame(const fs::path& file) {
  Journal journal = OpenOrDie(file);
  GameStart start = SkirmishStart();
  start.form = 1;
  ASSERT_TRUE(journal.Begin(start).ok());
  ASSERT_TRUE(GameWriter::Of(journal, 1)->Append(Line(1), 1).ok());
}
// The same of version 2, which signed nothing.
void WriteOlderClub(const fs::path& file) {
  WriteOneLineGame(file);
  Execute(file, std::string(kDropHeads) + "PRAGMA user_version = 2");
}

// A file that a program left when it was killed in its first moments.
TEST(Journal, AnEmptyFileHasNoGames) {
  const test::TempDir dir;
  const fs::path file = dir.Write("club.db", "");
  const Journal journal = OpenOrDie(file, {.read_only = true});
  EXPECT_TRUE(journal.Games()->empty());
  EXPECT_TRUE(journal.CheckGames().ok());
  EXPECT_EQ(fs::file_size(file), 0u) << "reading changes nothing";
  Journal writing = OpenOrDie(file);
  EXPECT_TRUE(writing.Begin(SkirmishStart()).ok());
}

// As a child without rights, since root may write everywhere. Returns what reading the first game
// says.
std::string ReadWithoutRights(const fs::path& file) {
  int pipe_ends[2] = {};
  if (pipe(pipe_ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    std::string said = "no rights to give up";
    if (geteuid() != 0 || setuid(kNobody) == 0) {
      const Result<Journal> journal = Journal::Open(file, {.read_only = true});
      const Result<GameLog> log = journal.ok() ? journal->Read(1) : journal.error();
      said = log.ok() ? fmt::format("{} records", log->records.size()) : log.error().message;
    }
    (void)!write(pipe_ends[1], said.data(), said.size());
    _exit(0);
  }
  close(pipe_ends[1]);
  std::string said(4096, '\0');
  const ssize_t read_bytes = read(pipe_ends[0], said.data(), said.size());
  close(pipe_ends[0]);
  waitpid(child, nullptr, 0);
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(read_bytes, 0)));
  return said;
}

TEST(Journal, ReadsFromReadOnlyMedia) {
  const test::TempDir dir;
  const fs::path folder = dir.path() / "disc";
  fs::create_directory(folder);
  const fs::path file = folder / "cl%b#1?.db";
  const fs::path old = folder / "old.db";
  WriteOneLineGame(file);
  WriteOlderClub(old);
  const auto all = fs::perms::owner_all | fs::perms::group_all | fs::perms::others_all;
  const auto write = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  for (const fs::path& one : {file, old, folder}) {
    fs::permissions(one, all);
    fs::permissions(one, write, fs::perm_options::remove);
  }
  EXPECT_EQ(ReadWithoutRights(file), "1 records");
  EXPECT_EQ(ReadWithoutRights(old), "1 records") << "of an older program";
  fs::permissions(folder, all);
  std::ofstream(file.string() + "-wal") << "records";
  fs::permissions(folder, write, fs::perm_options::remove);
  EXPECT_NE(ReadWithoutRights(file).find("copy both to a folder that can be written"),
            std::string::npos);
  fs::permissions(folder, all);
}

// What is read as it was at one moment says so: who follows a file must open it again.
TEST(Journal, TellsACopyFromTheFile) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  dir.Write("club.db", "");
  JournalOptions read_only;
  read_only.read_only = true;
  const Result<Journal> being_made = Journal::Open(file, read_only);
  ASSERT_TRUE(being_made.ok()) << being_made.error().message;
  EXPECT_TRUE(being_made->IsCopy());
  { const Journal journal = OpenOrDie(file); }
  const Result<Journal> made = Journal::Open(file, read_only);
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_FALSE(made->IsCopy());
}

// Players and dates of an older program's games were in no hash; from the upgrade on they are.
TEST(Journal, SignsTheGamesOfOlderPrograms) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  WriteOlderClub(file);
  {
    Journal journal = OpenOrDie(file);
    ASSERT_TRUE(journal.CheckGames().ok());
    EXPECT_EQ(journal.Heads()->at(0).signature, StoredHead::Signature::kGood);
    Result<GameWriter> writer = GameWriter::Of(journal, 1);
    ASSERT_TRUE(writer.ok()) << writer.error().message;
    ASSERT_TRUE(writer->Append(Line(2), 2).ok());
    EXPECT_TRUE(journal.Read(1).ok());
  }
  Execute(file, "DROP TRIGGER game_stays; UPDATE game SET started_unix_s = 5");
  EXPECT_NE(OpenOrDie(file).Read(1).error().message.find("its players or its date was changed"),
            std::string::npos);
}

// A kill while the file is made or upgraded leaves either what was there before or all of it: a
// file of this program's version without a list of its games would be refused as changed.
TEST(Journal, IsMadeAndUpgradedInOneStep) {
  for (const bool older : {false, true}) {
    int cut_short = 0;
    for (std::int64_t good = 0;; ++good) {
      const test::TempDir dir;
      const fs::path file = dir.path() / "club.db";
      test::SetFaults({});
      if (older) WriteOlderClub(file);
      test::SetFaults({good, -1, SQLITE_IOERR_WRITE, false, -1});
      const bool made =
          Journal::Open(file, {.read_only = false, .vfs = test::FaultyVfs(), .busy_ms = 100}).ok();
      cut_short += !made;
      test::SetFaults({});
      SCOPED_TRACE(fmt::format("{} after {} writes", older ? "upgraded" : "made", good));
      {
        const Journal reading = OpenOrDie(file, {.read_only = true});
        EXPECT_TRUE(reading.CheckGames().ok()) << reading.CheckGames().error().message;
        EXPECT_EQ(reading.Games()->size(), older ? 1u : 0u);
        EXPECT_TRUE(!older || reading.Read(1).ok()) << reading.Read(1).error().message;
      }
      Journal writing = OpenOrDie(file);
      GameStart next = SkirmishStart();
      next.uid = "the next game";
      EXPECT_TRUE(writing.Begin(next).ok());
      EXPECT_TRUE(writing.CheckGames().ok());
      if (made) break;
      ASSERT_LT(good, 1000);
    }
    EXPECT_GE(cut_short, 3);
  }
}

// Programs that open a new club at once sign with one key.
TEST(Journal, HasOneKeyHoweverManyProgramsMakeIt) {
  const test::TempDir dir;
  for (int club = 0; club < 50; ++club) {
    const fs::path file = dir.path() / fmt::format("{}.db", club);
    std::vector<std::future<std::string>> names;
    for (int program = 0; program < 4; ++program) {
      names.push_back(std::async(std::launch::async,
                                 [&file] { return HeadKey::MadeBeside(file).Name(); }));
    }
    const std::string key = names.front().get();
    EXPECT_FALSE(key.empty());
    for (std::size_t i = 1; i < names.size(); ++i) EXPECT_EQ(names[i].get(), key);
  }
  const auto files = std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator());
  EXPECT_EQ(files, 50) << "nothing else is left";
}

// Version 1 did not store the measurements that moves were judged from.
TEST(Journal, UpgradesAnOlderFileEvenForReading) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  {
    Journal journal = OpenOrDie(file);
    GameStart start = SkirmishStart();
    start.form = 1;
    const Result<std::int64_t> game = journal.Begin(start);
    ASSERT_TRUE(game.ok());
    ASSERT_TRUE(GameWriter::Of(journal, *game)->Append(Measured(), 1).ok());
  }
  Execute(file, std::string(kDropHeads) + "DROP TABLE seen_stand; PRAGMA user_version = 1");
  {
    const Journal journal = OpenOrDie(file, {.read_only = true, .vfs = "", .busy_ms = 100});
    const Result<GameLog> log = journal.Read(1);
    ASSERT_TRUE(log.ok()) << log.error().message;
    ASSERT_EQ(log->records.size(), 1u);
    EXPECT_TRUE(log->records[0].measured.has_value());
    EXPECT_FALSE(log->records[0].stands.has_value());
  }
  EXPECT_TRUE(fs::exists(file.string() + ".version-1"));
  Journal journal = OpenOrDie(file);
  EXPECT_EQ(journal.Check(), "ok");
  Result<GameWriter> writer = GameWriter::Of(journal, 1);
  ASSERT_TRUE(writer.ok()) << writer.error().message;
  EXPECT_TRUE(writer->Append(Moved(), 2).ok());
}

TEST(Journal, RefusesOtherFiles) {
  const test::TempDir dir;
  const auto why = [&](const fs::path& file, bool read_only = false) {
    const Result<Journal> journal =
        Journal::Open(file, {.read_only = read_only, .vfs = "", .busy_ms = 10});
    return journal.ok() ? "opened" : journal.error().message;
  };
  EXPECT_NE(why(dir.path() / "none.db", true).find("no such club file"), std::string::npos);
  EXPECT_NE(why(dir.path()).find("is not a file"), std::string::npos);
  EXPECT_NE(why(dir.Write("text.db", std::string(5000, 'x'))).find("is not a club file"),
            std::string::npos);
  const fs::path other = dir.path() / "other.db";
  Execute(other, "CREATE TABLE theirs(x)");
  EXPECT_NE(why(other).find("belongs to another program"), std::string::npos);
  const fs::path newer = dir.path() / "newer.db";
  { OpenOrDie(newer); }
  Execute(newer, "PRAGMA user_version = 1000");
  EXPECT_NE(why(newer).find("update the program"), std::string::npos);
  // One bit of the header.
  Execute(newer, "PRAGMA user_version = -2147483644");
  EXPECT_NE(why(newer).find("restore a copy"), std::string::npos);
  // A torn or forged page is reported and does not crash the program.
  const fs::path broken = dir.path() / "broken.db";
  {
    Journal journal = OpenOrDie(broken);
    ASSERT_TRUE(journal.Begin(SkirmishStart()).ok());
  }
  {
    std::fstream bytes(broken, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(4096);
    bytes << std::string(16384, '\x5a');
  }
  const Result<Journal> opened = Journal::Open(broken, {});
  if (opened.ok()) {
    EXPECT_NE(opened->Check(), "ok");
    EXPECT_FALSE(opened->Read(1).ok());
  }
}

// Two programs use one file: each continues its own game, and neither loses a record.
TEST(Journal, TwoProgramsMayUseOneFile) {
  constexpr int kRecords = 60;
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  const auto play = [&](const std::string& uid) -> bool {
    Result<Journal> journal = Journal::Open(file, {});
    if (!journal.ok()) return false;
    const Result<std::int64_t> game = journal->Begin(SkirmishStart(uid));
    if (!game.ok()) return false;
    Result<GameWriter> writer = GameWriter::Of(*journal, *game);
    for (int i = 1; writer.ok() && i <= kRecords; ++i) {
      if (!writer->Append(Line(i), i).ok()) return false;
    }
    return writer.ok();
  };
  const pid_t other = fork();
  ASSERT_GE(other, 0);
  if (other == 0) _exit(play("other") ? 0 : 1);
  EXPECT_TRUE(play("this"));
  int status = 0;
  ASSERT_EQ(waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
  const Journal journal = OpenOrDie(file);
  EXPECT_EQ(journal.Check(), "ok");
  for (const std::int64_t game : {1, 2}) {
    const Result<GameLog> log = journal.Read(game);
    ASSERT_TRUE(log.ok()) << log.error().message;
    EXPECT_EQ(log->records.size(), static_cast<std::size_t>(kRecords));
  }
}

TEST(Journal, RefusesASecondWriterOfTheSameGame) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  Journal first = OpenOrDie(file);
  ASSERT_TRUE(first.Begin(SkirmishStart()).ok());
  Journal second = OpenOrDie(file);
  GameWriter one = GameWriter::Of(first, 1).value();
  GameWriter two = GameWriter::Of(second, 1).value();
  ASSERT_TRUE(one.Append(Line(1), 1).ok());
  const Result<Record> refused = two.Append(Line(2), 2);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("another program has appended"), std::string::npos);
  ASSERT_TRUE(one.Append(Line(2), 3).ok());
  EXPECT_EQ(first.Read(1)->records.size(), 2u);
}

// After every fault, all acknowledged records are there, the file is intact, and the game continues
// in the same connection once the disk works again.
TEST(Journal, WriteErrorsLoseNoAcknowledgedRecord) {
  struct Kind {
    int error;
    bool torn;
  };
  for (const Kind kind : {Kind{SQLITE_FULL, false}, Kind{SQLITE_IOERR_WRITE, true}}) {
    int faults_met = 0;
    for (int good = 0; good < 40; good += 4) {
      const test::TempDir dir;
      const fs::path file = dir.path() / "club.db";
      test::SetFaults({});
      std::size_t acknowledged = 0;
      {
        Journal journal =
            OpenOrDie(file, {.read_only = false, .vfs = test::FaultyVfs(), .busy_ms = 100});
        ASSERT_TRUE(journal.Begin(SkirmishStart()).ok());
        GameWriter writer = GameWriter::Of(journal, 1).value();
        test::SetFaults({good, 2, kind.error, kind.torn, -1});
        bool failed = false;
        for (int i = 1; i <= 12; ++i) {
          Result<Record> written = writer.Append(Line(i), i);
          for (int again = 0; !written.ok() && again < 5; ++again) {  // someone frees disk space
            failed = true;
            EXPECT_EQ(written.error().code, ErrorCode::kIo) << written.error().message;
            written = writer.Append(Line(i), i);
          }
          ASSERT_TRUE(written.ok()) << written.error().message;
          ++acknowledged;
        }
        faults_met += failed;
        test::SetFaults({});
      }
      const Journal journal = OpenOrDie(file);
      EXPECT_EQ(journal.Check(), "ok");
      const Result<GameLog> log = journal.Read(1);
      ASSERT_TRUE(log.ok()) << log.error().message;
      EXPECT_EQ(log->records.size(), acknowledged);
    }
    EXPECT_GE(faults_met, 5);
  }
}

TEST(Journal, AFullDiskKeepsAllEarlierRecords) {
  for (const std::int64_t room : {0, 100, 5000, 20000, 60000, 150000, 300000}) {
    const test::TempDir dir;
    const fs::path file = dir.path() / "club.db";
    test::SetFaults({});
    std::size_t acknowledged = 0;
    {
      Journal journal =
          OpenOrDie(file, {.read_only = false, .vfs = test::FaultyVfs(), .busy_ms = 100});
      ASSERT_TRUE(journal.Begin(SkirmishStart()).ok());
      GameWriter writer = GameWriter::Of(journal, 1).value();
      test::Faults full;
      full.room = room;
      test::SetFaults(full);
      for (;;) {
        const Result<Record> written = writer.Attach(
            {1, "evidence", "shot.jpg", ""},
            std::string(3000, static_cast<char>('a' + static_cast<int>(acknowledged) % 26)) +
                std::to_string(acknowledged),
            0);
        if (!written.ok()) {
          EXPECT_NE(written.error().message.find("disk is full"), std::string::npos)
              << written.error().message;
          break;
        }
        ASSERT_LT(++acknowledged, 1000u);
      }
      // The power fails now, so nothing is closed: the files stay as they are.
      fs::create_directories(dir.path() / "after");
      for (const char* end : {"", "-wal"}) {
        const fs::path from = file.string() + end;
        if (fs::exists(from))
          fs::copy_file(from, dir.path() / "after" / ("club.db" + std::string(end)));
      }
      test::SetFaults({});
    }
    const Journal journal = OpenOrDie(dir.path() / "after" / "club.db");
    EXPECT_EQ(journal.Check(), "ok");
    const Result<GameLog> log = journal.Read(1);
    ASSERT_TRUE(log.ok()) << log.error().message;
    EXPECT_EQ(log->records.size(), acknowledged) << "room " << room;
  }
}

TEST(Journal, CopiesAGameWhole) {
  const test::TempDir dir;
  Journal from = OpenOrDie(dir.path() / "club.db");
  ASSERT_TRUE(from.Begin(SkirmishStart("another")).ok());
  ASSERT_TRUE(from.Begin(SkirmishStart()).ok());
  {
    GameWriter writer = GameWriter::Of(from, 2).value();
    ASSERT_TRUE(writer.Append(Measured(), 1).ok());
    ASSERT_TRUE(writer.Attach({3, "frames", "shot_03.mkv", ""}, "frames", 2).ok());
  }
  Journal to = OpenOrDie(dir.path() / "one.fosgame");
  const GameLog log = from.Read(2).value();
  const Result<std::int64_t> game = to.Copy(log, from);
  ASSERT_TRUE(game.ok()) << game.error().message;
  EXPECT_EQ(*game, 1);
  const GameLog copy = to.Read(1).value();
  EXPECT_EQ(copy.records.back().chain, log.records.back().chain);
  EXPECT_EQ(*to.Blob(copy.records[1].attachment->hash), "frames");
  EXPECT_FALSE(to.Copy(log, from).ok());
}

}  // namespace
}  // namespace fos
