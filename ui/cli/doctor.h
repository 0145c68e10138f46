#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fos {

// One thing that was looked at: how it is, and what to mend where it is not well.
struct Finding {
  enum class Health { kGood, kNote, kMend };
  Health health = Health::kGood;
  std::string what;  // "club file", "camera 0"
  std::string how;   // how it is, in a few words
  std::string mend;  // what to do; empty when all is well
};

// Looks at everything that an evening needs and no window: program and libraries, the club's file
// and its disk, temporary files, cameras, the clock. Changes nothing.
struct DoctorOptions {
  std::filesystem::path club;
  std::filesystem::path devices = "/dev";  // where cameras are
  double now_unix_s = 0;
};
std::vector<Finding> Examine(const DoctorOptions& options);

std::vector<Finding> ExamineProgram();
std::vector<Finding> ExamineClub(const std::filesystem::path& club);
// Free room where this file is or would be; needed_for says for what.
Finding ExamineDisk(const std::filesystem::path& file, const std::string& what);
std::vector<Finding> ExamineCameras(const std::filesystem::path& devices);
// What OpenGL says of itself. A processor that draws for a missing driver is slow.
Finding ExamineRenderer(const std::string& renderer, const std::string& version);

// "ok    club file     3 games, whole" and below it what to mend.
std::string InLines(const std::vector<Finding>& findings);

}  // namespace fos
