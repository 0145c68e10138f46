// SPDX-License-Identifier: MIT
#include "engine/files/home_folder.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace fos {

std::filesystem::path HomeFolder() {
  if (const char* named = std::getenv("HOME")) {
    if (std::filesystem::path home = named; home.is_absolute()) return home;
  }
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 16384> room{};  // for the strings that the entry points to
  if (getpwuid_r(getuid(), &entry, room.data(), room.size(), &found) != 0 || found == nullptr)
    return {};
  if (found->pw_dir == nullptr) return {};
  std::filesystem::path home = found->pw_dir;
  return home.is_absolute() ? home : std::filesystem::path();
}

}  // namespace fos
