// SPDX-License-Identifier: MIT
#include "engine/journal/game_files.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "engine/rules/rule_sets.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// As the readers of TOML: no table or scenario comes near it.
constexpr std::uintmax_t kLargestText_bytes = 4u << 20;

// Every text of the file, whatever key it belongs to.
void AddTexts(const toml::node& node, std::set<std::string>& out) {
  if (const auto* text = node.as_string()) out.insert(text->get());
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table) AddTexts(value, out);
  }
  if (const auto* array = node.as_array()) {
    for (const auto& value : *array) AddTexts(value, out);
  }
}

// Below its folder and nowhere else, on every system.
bool StaysInside(const std::string& name) {
  if (name.empty() || name.find('\0') != std::string::npos ||
      name.find('\\') != std::string::npos) {
    return false;
  }
  const fs::path path = name;
  if (path.is_absolute() || path.has_root_name()) return false;
  return std::none_of(path.begin(), path.end(),
                      [](const fs::path& part) { return part == ".." || part.empty(); });
}

}  // namespace

Result<GameFile> ReadGameFile(const fs::path& path, std::string role, std::string name) {
  std::error_code ec;
  if (!fs::is_regular_file(path, ec)) {
    return Error{ErrorCode::kNotFound, path.string() + ": no such file"};
  }
  if (fs::file_size(path, ec) > kLargestText_bytes) {
    return Error{ErrorCode::kOutOfRange, path.string() + ": larger than any text of a game (4 MB)"};
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in) return Error{ErrorCode::kIo, path.string() + ": cannot be read; check its permissions"};
  return GameFile{std::move(role), std::move(name), bytes.str()};
}

Result<std::vector<GameFile>> GatherRules(std::string_view ruleset) {
  std::vector<GameFile> out;
  const RuleSet* set = FindRuleSet(ruleset);
  if (!set) return out;
  for (const std::string& name : ListData(set->data, ".toml")) {
    const Result<fs::path> path = FindData(name);
    if (!path.ok()) return path.error();
    Result<GameFile> file = ReadGameFile(*path, "rules", name);
    if (!file.ok()) return file.error();
    out.push_back(std::move(file).value());
  }
  return out;
}

Result<GameTexts> GatherGameFiles(const fs::path& scenario) {
  Result<GameFile> text = ReadGameFile(scenario, "scenario", scenario.filename().string());
  if (!text.ok()) return text.error();
  GameTexts texts;
  std::vector<GameFile>& out = texts.files;
  out.push_back(std::move(text).value());
  std::set<std::string> named;
  try {
    const toml::table parsed = toml::parse(out.front().bytes, scenario.string());
    AddTexts(parsed, named);
    if (parsed.contains("kind")) named.insert("table.toml");  // a clip's: the table lies beside it
    texts.ruleset = parsed["ruleset"].value_or(std::string());
    texts.name = parsed["scenario"]["name"].value_or(scenario.stem().string());
  } catch (const toml::parse_error& e) {
    return Error{ErrorCode::kBadFormat, fmt::format("{}:{}: {}", scenario.string(),
                                                    e.source().begin.line, e.description())};
  }
  for (const std::string& name : named) {
    if (!name.ends_with(".toml") || name == out.front().name) continue;
    const fs::path beside = scenario.parent_path() / name;
    std::error_code ec;
    if (!fs::is_regular_file(beside, ec)) continue;  // whoever reads the scenario says it
    if (!StaysInside(name)) {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("{}: `{}` lies outside the scenario's folder, and the log keeps what "
                      "is in it; copy it there",
                      scenario.string(), name)};
    }
    Result<GameFile> file = ReadGameFile(beside, "beside", name);
    if (!file.ok()) return file.error();
    out.push_back(std::move(file).value());
  }
  Result<std::vector<GameFile>> rules = GatherRules(texts.ruleset);
  if (!rules.ok()) return rules.error();
  out.insert(out.end(), rules->begin(), rules->end());
  return texts;
}

Result<GameFolder> GameFolder::Unpack(const std::vector<GameFile>& files) {
  std::error_code ec;
  std::string name = (fs::temp_directory_path(ec) / "fallofshot-XXXXXX").string();
  if (ec || !mkdtemp(name.data())) {
    return Error{ErrorCode::kIo,
                 "the folder for temporary files cannot be written; make room in it "
                 "or name another in TMPDIR"};
  }
  GameFolder out{fs::path(name)};
  for (const GameFile& file : files) {
    if (!StaysInside(file.name)) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("the log: `{}` is no name for a file of a game", file.name)};
    }
    const fs::path path = (file.role == "rules" ? out.Rules() : out.root_ / "game") / file.name;
    fs::create_directories(path.parent_path(), ec);
    std::ofstream to(path, std::ios::binary);
    to << file.bytes;
    to.close();
    if (!to) {
      return Error{
          ErrorCode::kIo,
          path.string() + ": cannot be written; make room in the folder for temporary files"};
    }
    out.files_.emplace_back(file.role, path);
  }
  return out;
}

GameFolder::GameFolder(GameFolder&& other) noexcept
    : root_(std::exchange(other.root_, {})), files_(std::move(other.files_)) {}

GameFolder::~GameFolder() {
  std::error_code ignored;
  if (!root_.empty()) fs::remove_all(root_, ignored);
}

Error GameFolder::ByName(Error error) const {
  for (const fs::path& folder : {root_ / "game" / "", Rules() / ""}) {
    for (std::size_t at; (at = error.message.find(folder.string())) != std::string::npos;) {
      error.message.erase(at, folder.string().size());
    }
  }
  return error;
}

fs::path GameFolder::File(std::string_view role) const {
  for (const auto& [its_role, path] : files_) {
    if (its_role == role) return path;
  }
  return {};
}

}  // namespace fos
