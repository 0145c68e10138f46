// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/data_path.h"
#include "engine/journal/record.h"
#include "engine/table/result.h"

// The texts a game is made of: collected when it begins, unpacked when it is replayed.
namespace fos {

// Reads one file under the name the log uses for it.
// errors  kNotFound, kIo; kOutOfRange: larger than 4 MB.
Result<GameFile> ReadGameFile(const std::filesystem::path& path, std::string role,
                              std::string name);

struct GameTexts {
  std::string name;  // the scenario's name, or its file name if it has none
  std::string ruleset;
  std::vector<GameFile> files;
};
// A scenario, the files it names, and its rule set's tables and settings as they are now (roles
// "scenario", "beside", "rules").
// errors  as ReadGameFile's; kBadFormat: not TOML, or a file it names lies outside its folder.
Result<GameTexts> GatherGameFiles(const std::filesystem::path& scenario);
// Only the rule set's own files.
Result<std::vector<GameFile>> GatherRules(std::string_view ruleset);

// The texts of a game unpacked in a temporary folder, which is deleted with this object.
class GameFolder {
 public:
  // errors  kIo; kBadFormat: a name that would lead out of the folder.
  static Result<GameFolder> Unpack(const std::vector<GameFile>& files);
  GameFolder(GameFolder&& other) noexcept;
  GameFolder& operator=(GameFolder&&) = delete;
  ~GameFolder();

  // The path of the first file of that role; empty if there is none.
  std::filesystem::path File(std::string_view role) const;
  // What is wrong with one of its files, by the name in the log: the folder is gone when people read
  // it, and its place is nobody's business.
  Error ByName(Error error) const;
  // The folder of the files of role "rules", as DataRootFirst needs it.
  std::filesystem::path Rules() const { return root_ / "data"; }

 private:
  explicit GameFolder(std::filesystem::path root) : root_(std::move(root)) {}
  std::filesystem::path root_;
  std::vector<std::pair<std::string, std::filesystem::path>> files_;
};

}  // namespace fos
