// SPDX-License-Identifier: MIT
#include "ui/cli/doctor.h"
#include "ui/cli/doctor_mend.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <string>

#include "engine/files/event_log.h"
#include "engine/files/whole_file.h"
#include "engine/journal/journal.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using Health = Finding::Health;

int Count(const std::vector<Finding>& findings, Health health) {
  return static_cast<int>(std::count_if(findings.begin(), findings.end(),
                                        [&](const Finding& one) { return one.health == health; }));
}

TEST(Doctor, SaysWhatToDoAboutEveryFault) {
  const test::TempDir dir;
  DoctorOptions options;
  options.club = dir.path() / "club.db";
  options.devices = dir.path();
  options.now_unix_s = 1.8e9;
  const std::vector<Finding> findings = Examine(options);
  EXPECT_GE(findings.size(), 6u);
  for (const Finding& one : findings) {
    EXPECT_EQ(one.mend.empty(), one.health == Health::kGood) << one.what << ": " << one.how;
  }
  const std::string lines = InLines(findings);
  EXPECT_NE(lines.find("Close Fire & European Order rules"), std::string::npos) << lines;
  EXPECT_NE(lines.find("does not exist yet"), std::string::npos) << lines;
  EXPECT_NE(lines.find("none is plugged in"), std::string::npos) << lines;
  EXPECT_FALSE(fs::exists(options.club));  // a check changes nothing
  options.now_unix_s = 0;
  EXPECT_NE(InLines(Examine(options)).find("set the machine's clock"), std::string::npos);
}

TEST(Doctor, ChecksEveryRecordOfTheClubsFile) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  {
    Journal journal = Journal::Open(file).value();
    GameStart start;
    start.uid = "one";
    start.name = "Skirmish";
    ASSERT_TRUE(journal.Begin(start).ok());
    GameWriter writer = GameWriter::Of(journal, 1).value();
    Record line;
    line.text = "dice 6";
    ASSERT_TRUE(writer.Append(line, 1).ok());
  }
  const std::vector<Finding> well = ExamineClub(file);
  EXPECT_EQ(Count(well, Health::kMend), 0) << InLines(well);
  EXPECT_EQ(Count(well, Health::kNote), 1);  // it is unfinished
  EXPECT_NE(InLines(well).find("live --resume 1 --db " + file.string()), std::string::npos)
      << InLines(well);
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &raw), SQLITE_OK);
  sqlite3_exec(raw, "DROP TRIGGER record_stays; UPDATE record SET text = 'dice 1'", nullptr,
               nullptr, nullptr);
  sqlite3_close(raw);
  const std::vector<Finding> forged = ExamineClub(file);
  EXPECT_EQ(Count(forged, Health::kMend), 1) << InLines(forged);
  EXPECT_NE(InLines(forged).find("was changed after it was written"), std::string::npos);
  const std::vector<Finding> other = ExamineClub(dir.Write("text.db", std::string(9000, 'x')));
  EXPECT_EQ(Count(other, Health::kMend), 1) << InLines(other);
}

// A club's file of one game with that many records.
void WriteClub(const fs::path& file, int records) {
  Journal journal = Journal::Open(file).value();
  GameStart start;
  start.uid = "one";
  start.name = "Skirmish";
  start.sides = {"Blue"};
  start.seats = {{0, "Ada"}};
  ASSERT_TRUE(journal.Begin(start).ok());
  GameWriter writer = GameWriter::Of(journal, 1).value();
  for (int i = 1; i <= records; ++i) {
    Record line;
    line.text = "dice " + std::to_string(i);
    line.told = {"Dice."};
    ASSERT_TRUE(writer.Append(line, i).ok());
  }
}

void Execute(const fs::path& file, const std::string& sql) {
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &raw), SQLITE_OK);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
  char* why = nullptr;
  ASSERT_EQ(sqlite3_exec(raw, sql.c_str(), nullptr, nullptr, &why), SQLITE_OK) << why;
  ASSERT_EQ(sqlite3_close(raw), SQLITE_OK);
}

TEST(DoctorMends, AGameThatHasLostItsEnd) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  WriteClub(file, 5);
  Execute(file,
          "DROP TRIGGER record_is_kept; DROP TRIGGER told_is_kept;"
          "DELETE FROM told WHERE record > 3; DELETE FROM record WHERE number > 3");
  const std::vector<Finding> cut = ExamineClub(file);
  EXPECT_EQ(Count(cut, Health::kMend), 1) << InLines(cut);

  // Nothing is done that nobody agreed to.
  std::ostringstream out;
  std::istringstream no("n\n");
  EXPECT_EQ(Mend(cut, &no, out), 0);
  EXPECT_NE(out.str().find("without its last 2 records? A remark in it will say so"),
            std::string::npos)
      << out.str();
  EXPECT_EQ(Count(ExamineClub(file), Health::kMend), 1);
  std::istringstream silent;
  EXPECT_EQ(Mend(cut, &silent, out), 0);

  std::istringstream yes("y\n");
  EXPECT_EQ(Mend(cut, &yes, out), 1) << out.str();
  const std::vector<Finding> well = ExamineClub(file);
  EXPECT_EQ(Count(well, Health::kMend), 0) << InLines(well);
  Journal journal = Journal::Open(file).value();
  const GameLog log = journal.Read(1).value();
  ASSERT_EQ(log.records.size(), 4u);
  EXPECT_EQ(log.records[3].kind, RecordKind::kRemark);
  EXPECT_EQ(log.records[3].text,
            "the last 2 of 5 records were lost; the log goes on after record 3");
  // The game goes on.
  Record next;
  next.text = "dice 4";
  EXPECT_TRUE(GameWriter::Of(journal, 1).value().Append(next, 9).ok());
}

// Rows of a lost record would be taken for the next one's; a change is no loss.
TEST(DoctorMends, NoGameThatWasChanged) {
  for (const char* change :
       {"DROP TRIGGER record_is_kept; DELETE FROM record WHERE number > 3",
        "DROP TRIGGER record_is_kept; DROP TRIGGER told_is_kept;"
        "DELETE FROM told WHERE record = 2; DELETE FROM record WHERE number = 2",
        "UPDATE head SET records = 7"}) {
    const test::TempDir dir;
    const fs::path file = dir.path() / "club.db";
    WriteClub(file, 5);
    Execute(file, change);
    std::ostringstream out;
    EXPECT_EQ(Mend(ExamineClub(file), nullptr, out), 0) << change << out.str();
    EXPECT_GE(Count(ExamineClub(file), Health::kMend), 1) << change;
  }
}

TEST(Doctor, DoesNotSendToItselfAboutAFileThatIsCut) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  WriteClub(file, 2);
  fs::resize_file(file, fs::file_size(file) / 2);
  const std::string found = InLines(ExamineClub(file));
  EXPECT_NE(found.find("is damaged"), std::string::npos) << found;
  EXPECT_NE(found.find("restore the file from a backup"), std::string::npos) << found;
  EXPECT_EQ(found.find("fallofshot doctor"), std::string::npos) << found;
}

TEST(DoctorMends, AnIndexThatMissesRows) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  WriteClub(file, 2);
  // Each of two indexes has the other's rows.
  Execute(file,
          "PRAGMA writable_schema = ON;"
          "CREATE TEMP TABLE roots AS SELECT name, rootpage FROM sqlite_schema;"
          "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM roots WHERE name = "
          "'sqlite_autoindex_game_1') WHERE name = 'sqlite_autoindex_player_1';"
          "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM roots WHERE name = "
          "'sqlite_autoindex_player_1') WHERE name = 'sqlite_autoindex_game_1';"
          "PRAGMA writable_schema = RESET");
  const std::vector<Finding> damaged = ExamineClub(file);
  ASSERT_EQ(Count(damaged, Health::kMend), 1) << InLines(damaged);
  EXPECT_NE(InLines(damaged).find("missing from index"), std::string::npos) << InLines(damaged);
  std::ostringstream out;
  EXPECT_EQ(Mend(damaged, nullptr, out), 1) << out.str();
  const std::vector<Finding> well = ExamineClub(file);
  EXPECT_EQ(Count(well, Health::kMend), 0) << InLines(well);
}

TEST(DoctorMends, AMatchThatWasKilled) {
  const test::TempDir dir;
  const fs::path match = dir.path() / "out";
  fs::create_directories(match / "evidence");
  fs::create_directories(match / ".unfinished" / "evidence");
  const std::string line = R"({"type":"view","frame":1,"time":0.1,"state":"clear"})";
  const auto write = [&](const char* name, const std::string& text) {
    ASSERT_TRUE(WriteWholeFile(match / name, text).ok());
  };
  write("events.jsonl", line + '\n' + line + '\n' + line.substr(0, 20));
  write("session.jsonl", "{\"broken\n");
  write("evidence/shot_01.png.partial", "x");
  const auto examine = [&](double later_s) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return ExamineMatch(match, std::chrono::duration<double>(now).count() + later_s);
  };
  // What is young may still be written to.
  EXPECT_EQ(Count(examine(0), Health::kNote), 2) << InLines(examine(0));
  const std::vector<Finding> found = examine(3600);
  EXPECT_EQ(Count(found, Health::kMend), 4) << InLines(found);
  std::ostringstream out;
  EXPECT_EQ(Mend(found, nullptr, out), 3) << out.str();
  const Result<std::vector<EventRecord>> events = ReadEventLog(match / "events.jsonl");
  ASSERT_TRUE(events.ok()) << events.error().message;
  EXPECT_EQ(events->size(), 2u);
  EXPECT_TRUE(fs::exists(match / "events.jsonl.cut"));
  EXPECT_FALSE(fs::exists(match / ".unfinished"));
  EXPECT_FALSE(fs::exists(match / "evidence/shot_01.png.partial"));
  // A whole line that says nothing is not the program's to mend.
  EXPECT_EQ(Count(examine(3600), Health::kMend), 1) << InLines(examine(3600));
}

TEST(Doctor, ReportsDevicesThatAreNotCameras) {
  const test::TempDir dir;
  dir.Write("video0", "no camera");
  dir.Write("video12", "no camera");
  dir.Write("videotape", "x");
  const std::vector<Finding> cameras = ExamineCameras(dir.path());
  ASSERT_EQ(cameras.size(), 2u);
  EXPECT_EQ(cameras[0].what, "camera 0");
  EXPECT_EQ(cameras[1].what, "camera 12");
  EXPECT_EQ(Count(cameras, Health::kMend), 2);
}

TEST(Doctor, NotesSoftwareRendering) {
  EXPECT_EQ(ExamineRenderer("llvmpipe (LLVM 15.0.6, 256 bits)", "4.5").health, Health::kNote);
  EXPECT_EQ(ExamineRenderer("Mesa Intel(R) UHD Graphics 620", "4.6").health, Health::kGood);
}

}  // namespace
}  // namespace fos
