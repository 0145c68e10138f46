// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/table/result.h"

namespace fos {

// What the program can do itself about a fault.
struct Repair {
  std::string ask;              // one question for the players
  std::function<Status()> run;  // once they agreed
};

// The result of one check: its state, and what to do about a fault.
struct Finding {
  enum class Health { kGood, kNote, kMend };
  Health health = Health::kGood;
  std::string what;  // "club file", "camera 0"
  std::string how;   // its state, in a few words
  std::string mend;  // what to do; empty when all is well
  std::optional<Repair> repair = {};
};

// Checks everything a game needs except the display: program and libraries, the club's file and
// its disk, temporary files, cameras, the clock. Changes nothing.
struct DoctorOptions {
  std::filesystem::path club;
  std::filesystem::path match;             // the --out folder of a match; empty: none
  std::string server = {};  // the address of the club's server; empty: none
  std::filesystem::path devices = "/dev";  // folder of the camera devices
  double now_unix_s = 0;
};
std::vector<Finding> Examine(const DoctorOptions& options);

std::vector<Finding> ExamineProgram();
std::vector<Finding> ExamineClub(const std::filesystem::path& club);
// Every game of the club's server, with its chain and pictures, and what it does not have yet of
// the club's file.
std::vector<Finding> ExamineServer(const std::string& address, const std::filesystem::path& club);
// Free space on the disk of `file`, which need not exist.
// what  the check's name
Finding ExamineDisk(const std::filesystem::path& file, const std::string& what);
std::vector<Finding> ExamineCameras(const std::filesystem::path& devices);
// Warns when OpenGL runs on the processor (software rendering), which is slow.
Finding ExamineRenderer(const std::string& renderer, const std::string& version);

// "ok    club file     3 games, whole"; a fault has a second line that says what to do.
std::string InLines(const std::vector<Finding>& findings);

}  // namespace fos
