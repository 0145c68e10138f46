// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/table/result.h"
#include "ui/cli/tar_archive.h"

namespace fos {

// What a bug report needs, gathered into one archive.
struct BundleOptions {
  std::string version;                // what `fallofshot --version` prints
  std::string findings;               // what `fallofshot doctor` prints
  std::filesystem::path preferences;  // the window's settings; need not exist
  std::filesystem::path club;         // the club's file; need not exist
  std::optional<std::string> game;    // by number or name; empty: the newest, if there is one
  std::filesystem::path match;        // --out of `judge` or `live`; empty: none
  bool pictures = false;              // with the game's and the match's pictures
  bool names = false;                 // with the players' names
  std::filesystem::path home;         // written as ~ in texts; empty: nothing is replaced
};
struct Bundle {
  std::vector<TarFile> files;
  std::vector<std::string> contents;  // one for each file: what it holds
  std::vector<std::string> left_out;  // what is not in it, and why
};
// errors  kNotFound: the game or the match is named and not there; kIo, kBadFormat: it cannot be
//         read.
Result<Bundle> GatherBundle(const BundleOptions& options);

}  // namespace fos
