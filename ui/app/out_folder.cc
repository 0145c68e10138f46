#include "ui/app/out_folder.h"

#include <fmt/format.h>

#include <system_error>

namespace fos {

namespace fs = std::filesystem;

OutFolder::~OutFolder() {
  if (kept_) return;
  std::error_code ec;
  for (const fs::path& file : files_) fs::remove(file, ec);
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
    return Error{
        ErrorCode::kIo,
        fmt::format("{}: cannot be made a folder; choose another with --out", folder.string())};
  }
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) folders_.push_back(*at);
  return Ok();
}

Status OutFolder::Make() { return MakeFolder(root_); }

Result<fs::path> OutFolder::FileFor(const std::string& name) {
  const fs::path file = root_ / name;
  const Status folder = MakeFolder(file.parent_path());
  if (!folder.ok()) return folder.error();
  files_.push_back(file);
  return file;
}

}  // namespace fos
