#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/table/result.h"

namespace fos {

// The folder a run writes to. Until Keep() is called, everything the run wrote and every folder it
// made is taken away again at the end: a run that failed leaves nothing half-written.
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
  // its folder is there then.
  // errors  kIo
  Result<std::filesystem::path> FileFor(const std::string& name);
  void Keep() { kept_ = true; }
  const std::filesystem::path& Root() const { return root_; }

 private:
  Status MakeFolder(const std::filesystem::path& folder);

  std::filesystem::path root_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::filesystem::path> folders_;
  bool kept_ = false;
};

}  // namespace fos
