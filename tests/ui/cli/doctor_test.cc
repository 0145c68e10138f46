// SPDX-License-Identifier: MIT
#include "ui/cli/doctor.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <string>

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
  EXPECT_NE(InLines(well).find("live --resume 1"), std::string::npos);
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
