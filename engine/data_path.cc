#include "engine/data_path.h"

#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

namespace fos {

Result<std::filesystem::path> FindData(std::string_view below_root) {
  namespace fs = std::filesystem;
  std::vector<fs::path> roots;
  if (const char* own = std::getenv("FOS_DATA_DIR"); own && *own) roots.emplace_back(own);
  std::error_code ec;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", ec); !ec)
    roots.push_back(program.parent_path().parent_path() / "share" / "fallofshot");
  roots.emplace_back(FOS_DATA_ROOT);
  std::string tried;
  for (const fs::path& root : roots) {
    const fs::path path = root / below_root;
    if (fs::is_regular_file(path, ec)) return path;
    tried += (tried.empty() ? "" : ", ") + path.string();
  }
  return Error{ErrorCode::kNotFound, "no " + std::string(below_root) + " (tried " + tried +
                                         "): set FOS_DATA_DIR to the folder that holds it"};
}

}  // namespace fos
