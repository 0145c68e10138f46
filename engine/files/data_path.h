#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/result.h"

namespace fos {

// A data file that ships with the program, by its path below the data root
// ("engine/rules/napoleonic/tables.toml"). Looked for, in this order: below the folder that the
// environment variable FOS_DATA_DIR names (a club's own tables), below share/fallofshot next to the
// program's folder (an installed copy), and in the source tree the program was built from.
// errors  kNotFound: names every place that was tried.
Result<std::filesystem::path> FindData(std::string_view below_root);

// The files of that ending in a folder below the data roots, by name; of two of one name the one
// FindData would take. Paths below the root, in alphabetical order.
std::vector<std::string> ListData(std::string_view folder_below_root, std::string_view ending);

// As long as it lives, on this thread, data files are looked for below `root` before anywhere else:
// a game of old is played again with the tables it was played with.
class DataRootFirst {
 public:
  explicit DataRootFirst(std::filesystem::path root);
  ~DataRootFirst();
  DataRootFirst(const DataRootFirst&) = delete;
  DataRootFirst& operator=(const DataRootFirst&) = delete;
};

}  // namespace fos
