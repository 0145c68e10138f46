// SPDX-License-Identifier: MIT
#include "ui/setup/setup_files.h"

#include <string>
#include <system_error>

#include <fmt/format.h>

#include "engine/files/whole_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// Whether the TOML has comments. (A `#` in quotes, as of a colour, is none.)
bool HasComments(const std::string& toml) {
  char quote = 0;
  for (const char c : toml) {
    if (c == '\n') {
      quote = 0;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      return true;
    }
  }
  return false;
}

// Comments are not written again, so the file that has them is kept beside.
Status KeepComments(const fs::path& file) {
  const Result<std::string> was = ReadWholeFile(file);
  if (!was.ok() || !HasComments(*was)) return Ok();
  return WriteWholeFile(file.string() + ".before", *was);
}

// Copies a file of the club's own tables or settings that the scenario names.
Status CopyClubFile(const ClubFiles& club, const std::string& name, const fs::path& folder) {
  const fs::path named(name);
  if (name.empty() || named.is_absolute()) return Ok();
  const fs::path from = club.folder / named;
  const fs::path to = folder / named;
  std::error_code ec;
  if (fs::equivalent(from, to, ec)) return Ok();
  const Result<std::string> text = ReadWholeFile(from);
  if (!text.ok()) return text.error();
  const Result<std::string> there = ReadWholeFile(to);
  if (there.ok() && *there == *text) return Ok();
  const bool outside = *named.lexically_normal().begin() == "..";
  if (fs::exists(to, ec) || outside) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: {}. The scenario uses {}; copy that file there yourself, or save "
                             "to another folder",
                             to.string(), outside ? "is outside the folder" : "is another file",
                             from.string())};
  }
  fs::create_directories(to.parent_path(), ec);
  return WriteWholeFile(to, *text);
}

}  // namespace

Status WriteSetup(const fs::path& folder, const std::string& table, const std::string& scenario,
                  const ClubFiles& club) {
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec) {
    return Error{ErrorCode::kIo, fmt::format("{}: cannot be made ({}); choose another folder",
                                             folder.string(), ec.message())};
  }
  for (const std::string* name : {&club.tables, &club.settings}) {
    if (Status copied = CopyClubFile(club, *name, folder); !copied.ok()) return copied;
  }
  for (const char* name : {"table.toml", "scenario.toml"}) {
    if (Status kept = KeepComments(folder / name); !kept.ok()) return kept;
  }
  if (Status written = WriteWholeFile(folder / "table.toml", table); !written.ok()) return written;
  return WriteWholeFile(folder / "scenario.toml", scenario);
}

namespace {

fs::path SetupFolder(const fs::path& kept, int number) {
  return kept / (number == 1 ? std::string("setup") : fmt::format("setup-{}", number));
}

}  // namespace

fs::path LastSetup(const fs::path& kept) {
  fs::path last;
  fs::file_time_type newest;
  std::error_code ec;
  for (int number = 1; fs::exists(SetupFolder(kept, number), ec); ++number) {
    const fs::path folder = SetupFolder(kept, number);
    if (!fs::is_regular_file(folder / "table.toml", ec)) continue;
    const fs::file_time_type saved = fs::last_write_time(folder / "scenario.toml", ec);
    if (ec || (!last.empty() && saved < newest)) continue;
    newest = saved;
    last = folder;
  }
  return last;
}

fs::path NewSetupFolder(const fs::path& kept) {
  std::error_code ec;
  int number = 1;
  while (fs::exists(SetupFolder(kept, number), ec)) ++number;
  return SetupFolder(kept, number);
}

}  // namespace fos
