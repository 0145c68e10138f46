// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/table/result.h"

namespace fos {

// The folder a run writes to. Until Keep() is called, files go to a temporary folder, which is
// removed at the end: a run that fails leaves nothing behind, and the files of an earlier run stay
// as they were.
class OutFolder {
 public:
  explicit OutFolder(std::filesystem::path root) : root_(std::move(root)) {}
  ~OutFolder();
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

  // Creates the folder if it does not exist.
  // errors  kIo
  Status Make();
  // The path to write a file of that name to ("evidence/shot_01.png", relative to the folder). Its
  // folder exists then. The path changes with Keep().
  // errors  kIo
  Result<std::filesystem::path> FileFor(const std::string& name);
  // Where a file of that name lies: after Keep(), and before.
  std::vector<std::filesystem::path> PlacesOf(const std::string& name) const {
    return {root_ / name, Unkept() / name};
  }
  // Moves the files written so far to their final place; later files are written there directly.
  // errors  kIo
  Status Keep();
  // Moves the log and evidence of an earlier run into a folder of its own, so that they are not
  // overwritten. Returns that folder; empty: there was no earlier run.
  // errors  kIo
  Result<std::filesystem::path> SetEarlierAside();

 private:
  std::filesystem::path Unkept() const { return root_ / ".unfinished"; }
  Status MakeFolder(const std::filesystem::path& folder);

  std::filesystem::path root_;
  std::vector<std::string> names_;  // of files, as long as nothing is kept
  std::vector<std::filesystem::path> folders_;
  bool kept_ = false;
};

// The name of the picture of a thing that people are asked about: beside its archive, `kept`.
inline std::string AskedPicture(const std::string& kept) { return kept + "_asked.png"; }

}  // namespace fos
