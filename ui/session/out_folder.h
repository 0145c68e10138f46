#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/table/result.h"

namespace fos {

// The folder a run writes to. Until Keep() is called everything is written beside its place, and it
// and every folder the run made are taken away again at the end: a run that failed leaves nothing
// half-written, and what an earlier one wrote as it was.
class OutFolder {
 public:
  explicit OutFolder(std::filesystem::path root) : root_(std::move(root)) {}
  ~OutFolder();
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

  // Makes the folder where it is not there.
  // errors  kIo
  Status Make();
  // Where a file of that name, relative to the folder ("evidence/shot_01.png"), is to be written;
  // its folder is there then. Another place after Keep().
  // errors  kIo
  Result<std::filesystem::path> FileFor(const std::string& name);
  // What was written so far goes to its place, and what follows is written there.
  // errors  kIo
  Status Keep();
  // What an earlier run logged here goes into a folder of its own, with its evidence, so that what
  // follows does not take its place. That folder; empty: nothing was there.
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

}  // namespace fos
