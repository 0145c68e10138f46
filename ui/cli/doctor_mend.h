// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <iosfwd>
#include <vector>

#include "ui/cli/doctor.h"

// What `doctor` can mend.
namespace fos {

// What a killed run or a torn copy left in a match's folder: half lines at the end of its logs, and
// files that were never finished. Changes nothing.
// now_unix_s  a file that was written to in the last minutes may still be in use.
std::vector<Finding> ExamineMatch(const std::filesystem::path& folder, double now_unix_s);

// Files beside the club's file that were never finished, such as of an export.
std::vector<Finding> ExaminePartials(const std::filesystem::path& club, double now_unix_s);

// Offers each repair among the findings, and makes those that are agreed to.
// answers  a line each; "y" or "yes" agrees. Null: agrees to all.
// Returns how many faults are mended.
int Mend(const std::vector<Finding>& findings, std::istream* answers, std::ostream& out);

}  // namespace fos
