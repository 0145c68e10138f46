// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/result.h"

namespace fos {

// Finds a data file that ships with the program by its path below the data root
// ("engine/rules/napoleonic/tables.toml"). Looks, in this order: below the folder named by the
// environment variable FOS_DATA_DIR (a club's own tables), and below share/fallofshot beside the
// program or beside a folder above it: /usr/share/fallofshot for /usr/bin/fallofshot. No path of the
// machine that built the program is in it; CMake links share/fallofshot in the build folder to the
// source tree. errors kNotFound: lists every place that was tried.
Result<std::filesystem::path> FindData(std::string_view below_root);

// The files with that ending in a folder below the data roots, as paths below the root in
// alphabetical order. If two have the same name, the one FindData would find.
std::vector<std::string> ListData(std::string_view folder_below_root, std::string_view ending);

// While it exists, and on this thread, data files are looked up below `root` first: an old game is
// replayed with the tables it was played with.
class DataRootFirst {
 public:
  explicit DataRootFirst(std::filesystem::path root);
  ~DataRootFirst();
  DataRootFirst(const DataRootFirst&) = delete;
  DataRootFirst& operator=(const DataRootFirst&) = delete;
};

}  // namespace fos
