// SPDX-License-Identifier: MIT
#include "engine/files/home_folder.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace fos {
namespace {

TEST(HomeFolder, IsNeverRelative) {
  const char* const before = std::getenv("HOME");
  const std::string kept = before != nullptr ? before : "";
  setenv("HOME", "/somewhere/ada", 1);
  EXPECT_EQ(HomeFolder(), "/somewhere/ada");
  const passwd* const entry = getpwuid(getuid());
  const std::filesystem::path listed = entry != nullptr ? entry->pw_dir : "";
  for (const char* named : {"", "ada", "./ada"}) {
    setenv("HOME", named, 1);
    EXPECT_EQ(HomeFolder(), listed) << '`' << named << '`';
  }
  unsetenv("HOME");
  EXPECT_EQ(HomeFolder(), listed);
  if (before != nullptr) setenv("HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace fos
