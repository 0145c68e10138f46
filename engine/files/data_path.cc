// SPDX-License-Identifier: MIT
#include "engine/files/data_path.h"

#include <cstdlib>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace fos {
namespace {

namespace fs = std::filesystem;

thread_local std::vector<fs::path> first_roots;

std::vector<fs::path> Roots() {
  std::vector<fs::path> roots(first_roots.rbegin(), first_roots.rend());
  if (const char* own = std::getenv("FOS_DATA_DIR"); own && *own) roots.emplace_back(own);
  std::error_code ec;
  fs::path folder = fs::read_symlink("/proc/self/exe", ec).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path())
    roots.push_back(folder / "share" / "fallofshot");
  return roots;
}

}  // namespace

Result<std::filesystem::path> FindData(std::string_view below_root) {
  std::error_code ec;
  std::string tried;
  for (const fs::path& root : Roots()) {
    const fs::path path = root / below_root;
    if (fs::is_regular_file(path, ec)) return path;
    tried += (tried.empty() ? "" : ", ") + path.string();
  }
  return Error{ErrorCode::kNotFound, "no " + std::string(below_root) + " (tried " + tried +
                                         "): set FOS_DATA_DIR to the folder that holds it"};
}

std::vector<std::string> ListData(std::string_view folder_below_root, std::string_view ending) {
  std::set<std::string> names;
  for (const fs::path& root : Roots()) {
    std::error_code ec;
    for (fs::directory_iterator at(root / folder_below_root, ec), end; !ec && at != end;
         at.increment(ec)) {
      const std::string name = at->path().filename().string();
      if (name.ends_with(ending) && at->is_regular_file(ec)) {
        names.insert((fs::path(folder_below_root) / name).generic_string());
      }
    }
  }
  return {names.begin(), names.end()};
}

DataRootFirst::DataRootFirst(fs::path root) { first_roots.push_back(std::move(root)); }
DataRootFirst::~DataRootFirst() { first_roots.pop_back(); }

}  // namespace fos
