// SPDX-License-Identifier: MIT
#include "ui/window/preferences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <system_error>

#include "engine/club/pg_connection.h"
#include "engine/files/home_folder.h"
#include "engine/files/json.h"
#include "engine/files/toml_reader.h"
#include "engine/files/whole_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

fs::path Below(const char* variable, const char* below_home, const char* name) {
  const char* base = std::getenv(variable);
  // The specification has relative paths ignored.
  if (base != nullptr && fs::path(base).is_absolute()) return fs::path(base) / "fallofshot" / name;
  const fs::path home = HomeFolder();
  if (home.empty()) return {};
  return home / below_home / "fallofshot" / name;
}

Status MakeFolderOf(const fs::path& file) {
  std::error_code ec;
  fs::create_directories(file.parent_path(), ec);
  if (ec) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: cannot be made: {}", file.parent_path().string(), ec.message())};
  }
  return Ok();
}

const std::vector<std::string>& NamesOfUnitNames() {
  static const std::vector<std::string> kNames = {"where_room", "all", "none"};
  return kNames;
}

void ReadLayers(TomlTable& root, Layers& layers) {
  layers.grid = root.Flag("show_grid", layers.grid);
  layers.stands = root.Flag("show_stands", layers.stands);
  layers.circles = root.Flag("show_circles", layers.circles);
  layers.reach = root.Flag("show_reach", layers.reach);
  layers.log = root.Flag("show_log", layers.log);
  if (!root.Has("show_names")) return;
  const int names = root.Choice("show_names", "way to show names", NamesOfUnitNames());
  if (names >= 0) layers.names = static_cast<UnitNames>(names);
}

}  // namespace

fs::path PreferencesFile() { return Below("XDG_CONFIG_HOME", ".config", "preferences.toml"); }
fs::path RecentFile() { return Below("XDG_STATE_HOME", ".local/state", "recent.json"); }

fs::path PictureOf(const std::vector<std::string>& arguments) {
  const fs::path recent = RecentFile();
  if (recent.empty()) return {};
  std::uint64_t digest = 0xcbf29ce484222325;  // FNV-1a
  for (const std::string& word : arguments) {
    for (const char c : word + '\n')
      digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return recent.parent_path() / "pictures" / fmt::format("{:016x}.jpg", digest);
}

Result<Preferences> ReadPreferences(const fs::path& file) {
  Preferences out;
  std::error_code ec;
  if (file.empty() || !fs::exists(file, ec)) return out;
  Result<TomlFile> read = TomlFile::Read(file);
  if (!read.ok()) return read.error();
  TomlFile toml = std::move(read).value();
  TomlTable root = toml.Root();
  out.light = root.Flag("light", out.light);
  out.safe_colours = root.Flag("safe_colours", out.safe_colours);
  out.full_screen = root.Flag("full_screen", out.full_screen);
  out.large_controls = root.Flag("large_controls", out.large_controls);
  out.sound = root.Flag("sound", out.sound);
  out.speech = root.Flag("speech", out.speech);
  out.verdict = root.Flag("verdict", out.verdict);
  out.dice = root.Flag("dice", out.dice);
  out.ui_scale = root.Number("ui_scale", {0, kMostUiScale}, out.ui_scale);
  out.audience = root.Flag("audience", out.audience);
  ReadLayers(root, out.layers);
  const auto share = [&](const char* key, float& value) {
    value = static_cast<float>(root.Number(key, {0, 1}, static_cast<double>(value)));
  };
  share("column_share", out.panels.column);
  share("map_share", out.panels.map);
  share("log_share", out.panels.log);
  if (root.Has("club")) {
    out.club = root.Text("club");
    const Result<PgAddress> address = PgAddress::Parse(out.club);
    if (!out.club.empty() && !address.ok()) {
      root.Refuse("club", ErrorCode::kBadFormat, address.error().message);
    }
  }
  root.NoOtherKeys();
  const Status problem = toml.Problem();
  if (!problem.ok()) return problem.error();
  if (out.ui_scale > 0) out.ui_scale = std::max(out.ui_scale, kLeastUiScale);
  return out;
}

Status WritePreferences(const fs::path& file, const Preferences& preferences) {
  if (file.empty()) return Ok();
  const Status made = MakeFolderOf(file);
  if (!made.ok()) return made;
  std::string text = fmt::format(
      "# Fall of Shot: how the window looks. Written by the window itself.\n"
      "light = {}\nsafe_colours = {}\nfull_screen = {}\nlarge_controls = {}\n"
      "sound = {}\nspeech = {}\nverdict = {}\ndice = {}\n"
      "ui_scale = {:.2f}  # 0: what the screen says of itself\n",
      preferences.light, preferences.safe_colours, preferences.full_screen,
      preferences.large_controls, preferences.sound, preferences.speech, preferences.verdict,
      preferences.dice, preferences.ui_scale);
  const Layers& layers = preferences.layers;
  const PanelShares& panels = preferences.panels;
  text += fmt::format(
      "audience = {}\n"
      "show_grid = {}\nshow_stands = {}\nshow_names = \"{}\"\nshow_circles = {}\n"
      "show_reach = {}\nshow_log = {}\n"
      "column_share = {:.4f}  # of the window's width; 0: as the window chooses\n"
      "map_share = {:.4f}\nlog_share = {:.4f}\n",
      preferences.audience, layers.grid, layers.stands,
      NamesOfUnitNames().at(static_cast<std::size_t>(layers.names)), layers.circles, layers.reach,
      layers.log, panels.column, panels.map, panels.log);
  if (!preferences.club.empty()) {
    text += fmt::format("club = {}  # the server that matches are copied to (docs/club.md)\n",
                        TomlString(preferences.club));
  }
  return WriteWholeFile(file, text);
}

std::vector<RecentGame> ReadRecent(const fs::path& file) {
  constexpr std::uintmax_t kLargest_bytes = 1u << 20;
  const Result<std::string> text = ReadWholeFile(file, kLargest_bytes);
  if (!text.ok()) return {};
  const Json json = Json::parse_or(*text, Json());
  std::vector<RecentGame> out;
  if (!json.is_array()) return out;
  for (const auto& entry : json) {
    if (!entry.is_object() || !entry.contains("name") || !entry.at("name").is_string() ||
        !entry.contains("arguments") || !entry.at("arguments").is_array()) {
      continue;
    }
    RecentGame game{entry.at("name").get<std::string>(), {}};
    for (const auto& argument : entry.at("arguments")) {
      if (argument.is_string()) game.arguments.push_back(argument.get<std::string>());
    }
    if (!game.arguments.empty()) out.push_back(std::move(game));
  }
  return out;
}

Status NoteRecent(const fs::path& file, const RecentGame& game) {
  if (file.empty()) return Ok();
  constexpr std::size_t kKept = 10;
  std::vector<RecentGame> games = ReadRecent(file);
  std::erase_if(games, [&](const RecentGame& one) { return one.arguments == game.arguments; });
  games.insert(games.begin(), game);
  if (games.size() > kKept) games.resize(kKept);
  Json json = Json::array();
  for (const RecentGame& one : games) {
    json.push_back({{"name", one.name}, {"arguments", one.arguments}});
  }
  const Status made = MakeFolderOf(file);
  if (!made.ok()) return made;
  return WriteWholeFile(file, json.dump(1) + '\n');
}

}  // namespace fos
