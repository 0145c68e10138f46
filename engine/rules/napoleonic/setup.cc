#include "engine/rules/napoleonic/setup.h"

#include "engine/data_path.h"

namespace fos::napoleonic {

Result<Tables> ShippedTables() {
  const auto path = FindData("engine/rules/napoleonic/tables.toml");
  if (!path.ok()) return path.error();
  return ReadTables(path.value());
}

Result<Settings> ShippedSettings() {
  const auto path = FindData("engine/rules/napoleonic/settings.toml");
  if (!path.ok()) return path.error();
  return ReadSettings(path.value(), Settings{});
}

}  // namespace fos::napoleonic
