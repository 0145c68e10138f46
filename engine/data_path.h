#pragma once

#include <filesystem>
#include <string_view>

#include "engine/table/result.h"

namespace fos {

// A data file that ships with the program, by its path below the data root
// ("engine/rules/napoleonic/tables.toml"). Looked for, in this order: below the folder that the
// environment variable FOS_DATA_DIR names (a club's own tables), below share/fallofshot next to the
// program's folder (an installed copy), and in the source tree the program was built from.
// errors  kNotFound: names every place that was tried.
Result<std::filesystem::path> FindData(std::string_view below_root);

}  // namespace fos
