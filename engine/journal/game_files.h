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

// The texts a game is made of: gathered when it begins, laid out again when it is replayed.
namespace fos {

// One file under the name the log knows it by.
// errors  kNotFound, kIo; kOutOfRange: larger than any text of a game (4 MB).
Result<GameFile> ReadGameFile(const std::filesystem::path& path, std::string role,
                              std::string name);

struct GameTexts {
  std::string name;  // of the scenario; its file's when it has none
  std::string ruleset;
  std::vector<GameFile> files;
};
// A scenario, the files beside it that it names, and its rule set's tables and settings as they are
// found now (roles "scenario", "beside", "rules").
// errors  as ReadGameFile's; kBadFormat: no TOML, or a file it names lies outside its folder.
Result<GameTexts> GatherGameFiles(const std::filesystem::path& scenario);
// Only the rule set's own.
Result<std::vector<GameFile>> GatherRules(std::string_view ruleset);

// The texts of a game laid out in a folder of its own, gone with it.
class GameFolder {
 public:
  // errors  kIo; kBadFormat: a name that would lead out of the folder.
  static Result<GameFolder> Unpack(const std::vector<GameFile>& files);
  GameFolder(GameFolder&& other) noexcept;
  GameFolder& operator=(GameFolder&&) = delete;
  ~GameFolder();

  // Where the first file of that role lies; empty when there is none.
  std::filesystem::path File(std::string_view role) const;
  // Below it lie the files of role "rules", as DataRootFirst wants them.
  std::filesystem::path Rules() const { return root_ / "data"; }

 private:
  explicit GameFolder(std::filesystem::path root) : root_(std::move(root)) {}
  std::filesystem::path root_;
  std::vector<std::pair<std::string, std::filesystem::path>> files_;
};

}  // namespace fos
