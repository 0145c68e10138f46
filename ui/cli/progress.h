// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace fos {

// A progress bar on one line of a terminal. With `shown` false it writes nothing.
class ProgressBar {
 public:
  // total  number of steps; empty when unknown: then only the count is shown.
  ProgressBar(std::ostream& out, bool shown, std::string label, std::optional<std::int64_t> total);
  // Clears the line.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Draws at most ten times a second, and always draws the last step.
  void Update(std::int64_t done);

 private:
  std::ostream& out_;
  bool shown_;
  std::string label_;
  std::optional<std::int64_t> total_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_drawn_;
};

// "[#####.....]  50 %  37/75"; with no total, "37".
std::string ProgressText(std::int64_t done, std::optional<std::int64_t> total);

}  // namespace fos
