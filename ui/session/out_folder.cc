// SPDX-License-Identifier: MIT
#include "ui/session/out_folder.h"

#include <fmt/format.h>

#include <iterator>
#include <system_error>

namespace fos {

namespace fs = std::filesystem;

namespace {
// The files of one match.
constexpr const char* kLogged[] = {"events.jsonl", "session.jsonl", "placement.script", "evidence",
                                   "debug"};
constexpr int kMostEarlier = 9999;
}  // namespace

OutFolder::~OutFolder() {
  if (kept_) return;
  std::error_code ec;
  if (!names_.empty()) fs::remove_all(Unkept(), ec);
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder)
    fs::remove(*folder, ec);
}

Status OutFolder::MakeFolder(const fs::path& folder) {
  std::error_code ec;
  std::vector<fs::path> missing;
  for (fs::path at = fs::absolute(folder, ec);
       !at.empty() && !fs::exists(at, ec) && at != at.parent_path(); at = at.parent_path()) {
    missing.push_back(at);
  }
  fs::create_directories(folder, ec);
  if (ec || !fs::is_directory(folder, ec)) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: cannot be created as a folder; choose another with --out",
                             folder.string())};
  }
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) folders_.push_back(*at);
  return Ok();
}

Status OutFolder::Make() { return MakeFolder(root_); }

Result<fs::path> OutFolder::FileFor(const std::string& name) {
  std::error_code ec;
  // Left behind by a run that was killed.
  if (!kept_ && names_.empty()) fs::remove_all(Unkept(), ec);
  const fs::path file = (kept_ ? root_ : Unkept()) / name;
  const Status folder = MakeFolder(file.parent_path());
  if (!folder.ok()) return folder.error();
  if (!kept_) names_.push_back(name);
  return file;
}

Status OutFolder::Keep() {
  if (kept_) return Ok();
  std::error_code ec;
  for (const std::string& name : names_) {
    const fs::path written = Unkept() / name;
    if (!fs::exists(written, ec)) continue;  // the same name twice, or it was never written
    const fs::path place = root_ / name;
    if (Status folder = MakeFolder(place.parent_path()); !folder.ok()) return folder;
    fs::rename(written, place, ec);
    if (ec) {
      return Error{ErrorCode::kIo,
                   fmt::format("{}: cannot be written; remove what is in its place, or choose "
                               "another folder with --out",
                               place.string())};
    }
  }
  if (!names_.empty()) fs::remove_all(Unkept(), ec);
  kept_ = true;
  return Ok();
}

Result<fs::path> OutFolder::SetEarlierAside() {
  std::error_code ec;
  // Evidence without a log cannot be read again.
  if (!fs::exists(root_ / kLogged[0], ec) && !fs::exists(root_ / kLogged[1], ec)) return fs::path();
  fs::path aside;
  for (int i = 1; i <= kMostEarlier; ++i) {
    aside = root_ / fmt::format("earlier_{:02}", i);
    if (!fs::exists(aside, ec)) break;
  }
  bool moved = !fs::exists(aside, ec) && fs::create_directory(aside, ec);
  // The logs last: until then a failed move can be repeated.
  for (std::size_t i = std::size(kLogged); moved && i-- > 0;) {
    if (!fs::exists(root_ / kLogged[i], ec)) continue;
    fs::rename(root_ / kLogged[i], aside / kLogged[i], ec);
    moved = !ec;
  }
  if (moved) return aside;
  return Error{ErrorCode::kIo,
               fmt::format("{}: the earlier log cannot be moved to {}; choose another folder with "
                           "--out",
                           root_.string(), aside.filename().string())};
}

}  // namespace fos
