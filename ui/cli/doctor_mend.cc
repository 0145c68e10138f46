// SPDX-License-Identifier: MIT
#include "ui/cli/doctor_mend.h"

#include <chrono>
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/files/event_log.h"
#include "engine/files/whole_file.h"
#include "ui/session/decision_record.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using Health = Finding::Health;

// A run that is under way writes to its folder more often than that.
constexpr double kInUse_s = 600;

bool MayBeInUse(const fs::path& path, double now_unix_s) {
  std::error_code ec;
  const auto written = fs::last_write_time(path, ec);
  if (ec) return true;
  const auto on_clock = std::chrono::file_clock::to_sys(written).time_since_epoch();
  return now_unix_s - std::chrono::duration<double>(on_clock).count() < kInUse_s;
}

Finding Leftover(const fs::path& path, const std::string& what, double now_unix_s) {
  if (MayBeInUse(path, now_unix_s)) {
    return {Health::kNote, what, path.string() + " is being written, or its run was killed",
            "look again in ten minutes"};
  }
  Finding out{Health::kMend, what, path.string() + " was left by a run that was killed",
              "remove it: add --mend to this command"};
  out.repair = Repair{fmt::format("Remove {}?", path.string()), [path]() -> Status {
                        std::error_code ec;
                        fs::remove_all(path, ec);
                        if (!ec) return Ok();
                        return Error{ErrorCode::kIo, fmt::format("{}: cannot be removed; {}",
                                                                 path.string(), ec.message())};
                      }};
  return out;
}

// A log whose last line is cut.
// good  whether a line can be read
void ExamineLines(const fs::path& file, const std::function<bool(const std::string&)>& good,
                  std::vector<Finding>& out) {
  std::error_code ec;
  if (!fs::exists(file, ec)) return;
  const std::string what = file.filename().string();
  const Result<std::string> text = ReadWholeFile(file);
  if (!text.ok()) {
    out.push_back({Health::kMend, what, text.error().message, "copy it from a backup"});
    return;
  }
  std::size_t whole = 0;  // bytes of whole lines
  int number = 1;
  for (std::size_t end = 0; (end = text->find('\n', whole)) != std::string::npos; ++number) {
    if (!good(text->substr(whole, end - whole))) {
      out.push_back({Health::kMend, what,
                     fmt::format("{}:{}: cannot be read", file.string(), number),
                     "copy it from a backup, or judge the recording again"});
      return;
    }
    whole = end + 1;
  }
  // The line's end alone may be missing.
  const std::string rest = text->substr(whole);
  if (rest.empty()) {
    out.push_back({Health::kGood, what, fmt::format("{} lines", number - 1), ""});
    return;
  }
  const std::string mended = good(rest) ? *text + '\n' : text->substr(0, whole);
  const int lines = good(rest) ? number : number - 1;
  Finding cut{Health::kMend, what,
              fmt::format("{}:{}: the last line is cut", file.string(), number),
              "end the file after its last whole line: add --mend to this command"};
  cut.repair =
      Repair{fmt::format("Keep the {} whole line{} of {}, and the file as it is in {}.cut?", lines,
                         lines == 1 ? "" : "s", file.string(), what),
             [file, text = *text, mended]() -> Status {
               const Status kept = WriteWholeFile(file.string() + ".cut", text);
               return kept.ok() ? WriteWholeFile(file, mended) : kept;
             }};
  out.push_back(std::move(cut));
}

bool Ends(const std::string& name, std::string_view with) { return name.ends_with(with); }

}  // namespace

std::vector<Finding> ExamineMatch(const fs::path& folder, double now_unix_s) {
  std::error_code ec;
  if (!fs::is_directory(folder, ec)) {
    return {{Health::kMend, "match", folder.string() + ": no such folder",
             "name the --out folder of a match"}};
  }
  std::vector<Finding> out;
  ExamineLines(
      folder / "events.jsonl", [](const std::string& line) { return ParseEventLine(line).ok(); },
      out);
  ExamineLines(
      folder / "session.jsonl",
      [](const std::string& line) { return ParseDecisionLine(line).has_value(); }, out);
  if (fs::exists(folder / ".unfinished", ec))
    out.push_back(Leftover(folder / ".unfinished", "match", now_unix_s));
  for (fs::recursive_directory_iterator at(folder, ec), end; !ec && at != end; at.increment(ec)) {
    if (at->path().filename() == ".unfinished") {
      at.disable_recursion_pending();
    } else if (Ends(at->path().filename().string(), ".partial")) {
      out.push_back(Leftover(at->path(), "match", now_unix_s));
    }
  }
  return out;
}

std::vector<Finding> ExaminePartials(const fs::path& club, double now_unix_s) {
  std::vector<Finding> out;
  std::error_code ec;
  const fs::path folder = club.parent_path().empty() ? fs::path(".") : club.parent_path();
  for (fs::directory_iterator at(folder, ec), end; !ec && at != end; at.increment(ec)) {
    const std::string name = at->path().filename().string();
    const bool partial = Ends(name, ".partial") || Ends(name, ".partial-wal") ||
                         Ends(name, ".partial-shm") || Ends(name, ".partial-journal");
    // Files of other programs are theirs.
    const bool ours = name.starts_with(club.filename().string());
    if (partial && ours) out.push_back(Leftover(at->path(), "club file", now_unix_s));
  }
  return out;
}

int Mend(const std::vector<Finding>& findings, std::istream* answers, std::ostream& out) {
  int mended = 0;
  for (const Finding& one : findings) {
    if (!one.repair) continue;
    out << one.repair->ask;
    std::string answer = "y";
    if (answers != nullptr) {
      out << " [y/N] " << std::flush;
      if (!std::getline(*answers, answer)) answer.clear();
    }
    if (answer != "y" && answer != "Y" && answer != "yes") {
      out << "  left as it is\n";
      continue;
    }
    const Status done = one.repair->run();
    mended += done.ok() ? 1 : 0;
    out << "  " << (done.ok() ? "mended" : "not mended: " + done.error().message) << '\n';
  }
  return mended;
}

}  // namespace fos
