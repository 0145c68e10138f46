// SPDX-License-Identifier: MIT
#include "ui/window/start_panel.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

#include "engine/files/toml_reader.h"
#include "engine/rules/rule_sets.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

// The rule set of a game's scenario, as players know it; empty where the file cannot be read.
std::string TitleOfRules(const std::filesystem::path& scenario) {
  Result<TomlFile> file = TomlFile::Read(scenario);
  if (!file.ok()) return {};
  TomlTable root = file->Root();
  return root.Has("ruleset") ? std::string(RuleSetTitle(root.Text("ruleset"))) : std::string{};
}

// What is opened, in a player's words: no path, no option.
std::string InPlayersWords(const RecentGame& game) {
  const auto after = [&](const char* flag) -> std::string {
    const auto at = std::find(game.arguments.begin(), game.arguments.end(), flag);
    return at == game.arguments.end() || at + 1 == game.arguments.end() ? "" : *(at + 1);
  };
  if (!after("--replay").empty()) return "Step through it again";
  if (!after("--report").empty()) return "Write its report and open it";
  if (!after(kSetupOption).empty()) return "A film: set up its table, then referee it";
  const bool clip = !game.arguments.empty() && !game.arguments[0].starts_with("--");
  const std::string rules =
      TitleOfRules(clip && after("--game").empty()
                       ? std::filesystem::path(game.arguments[0]) / "scenario.toml"
                       : std::filesystem::path(after("--game")));
  std::string out = game.arguments.empty()                 ? std::string{}
                    : clip                           ? "a recording"
                    : !after("--source").empty()           ? "watched by the camera"
                                                           : "on the map, without a camera";
  if (!after("--game").empty() && !game.arguments[0].starts_with("--game")) out += ", with its game";
  return rules.empty() ? Capitalised(out) : fmt::format("{}, {}", rules, out);
}

// The digit that opens a line; 0: none. Lines with a letter have no digit.
char DigitOf(const std::vector<StartChoice>& lines, std::size_t index) {
  std::size_t place = 1;
  for (std::size_t i = 0; i < index; ++i) place += lines[i].key == 0 ? 1 : 0;
  return lines[index].key == 0 && place <= 9 ? static_cast<char>('0' + place) : '\0';
}

// One line with its key, and the picture of its game where there is one. True when it is clicked.
bool DrawStartLine(const Theme& theme, const StartChoice& line, std::size_t index, char digit,
                   const ShownPicture& picture, bool pointed) {
  const bool shows = picture.texture != ImTextureID{} && picture.height > 0;
  const float text = ImGui::GetTextLineHeight();
  const float high = 2 * text + theme.Px(shows ? 44.0F : 14.0F);
  ImGui::PushID(static_cast<int>(index));
  const bool clicked = ImGui::Selectable("##line", pointed, 0, {0, high});
  ImGui::PopID();
  const ImVec2 at = ImGui::GetItemRectMin();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = at.y + (high - 2 * text) / 2 - theme.Px(1);
  const std::string key =
      line.key != 0
          ? std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(line.key))))
      : digit != '\0' ? std::string(1, digit)
                      : std::string();
  list.AddText({at.x + theme.Px(8), top}, theme.accent, key.c_str());
  float left = at.x + theme.Px(34);
  if (shows) {
    const float room_wide = theme.Px(128);
    const float room_high = high - theme.Px(8);
    const float scale = std::min(room_wide / picture.width, room_high / picture.height);
    const ImVec2 half{0.5F * scale * picture.width, 0.5F * scale * picture.height};
    const ImVec2 middle{left + room_wide / 2, at.y + high / 2};
    list.AddImage(picture.texture, {middle.x - half.x, middle.y - half.y},
                  {middle.x + half.x, middle.y + half.y});
    left += room_wide + theme.Px(12);
  }
  list.AddText({left, top}, theme.text, line.name.c_str());
  list.AddText({left, top + text + theme.Px(2)}, theme.faint, line.what.c_str());
  return clicked;
}

}  // namespace

StartChoice ChoiceOf(const RecentGame& game, const std::string& group) {
  StartChoice out{game.name, InPlayersWords(game), 0, group, group == kNewGames,
                  PictureOf(game.arguments)};
  // The heading says the rest.
  if (const std::size_t comma = out.what.find(", "); out.new_game && comma != std::string::npos)
    out.what.erase(comma);
  return out;
}

std::optional<std::size_t> DrawStart(const Theme& theme, const std::vector<StartChoice>& lines,
                                     ViewState& view, const std::vector<ShownPicture>& pictures,
                                     const std::string& notice) {
  const ImGuiIO& io = ImGui::GetIO();
  std::optional<std::size_t> chosen;
  if (ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) ||
      (io.KeyCtrl && ImGui::IsKeyPressed(GLFW_KEY_Q, false))) {
    view.quit = true;
  }
  for (const ImWchar letter : io.InputQueueCharacters) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const char key = lines[i].key != 0 ? lines[i].key : DigitOf(lines, i);
      if (key != '\0' && letter == static_cast<ImWchar>(key)) chosen = i;
    }
  }
  const int last = static_cast<int>(lines.size()) - 1;
  const int before = view.start_row;
  if (ImGui::IsKeyPressed(GLFW_KEY_DOWN)) view.start_row = std::min(view.start_row + 1, last);
  if (ImGui::IsKeyPressed(GLFW_KEY_UP)) view.start_row = std::max(view.start_row - 1, 0);
  const bool enter =
      ImGui::IsKeyPressed(GLFW_KEY_ENTER, false) || ImGui::IsKeyPressed(GLFW_KEY_KP_ENTER, false);
  if (enter && view.start_row >= 0 && view.start_row <= last) {
    chosen = static_cast<std::size_t>(view.start_row);
  }
  if (theme.body != nullptr) ImGui::PushFont(theme.body);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::Begin("Start", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
  Title(theme, "Fall of Shot");
  ImGui::TextDisabled("Press its digit or letter, use the arrows and Enter, or click. Esc leaves.");
  Paragraph(notice, theme.accent);
  ImGui::Separator();
  const bool moved = view.start_row != before;
  const bool beside = std::any_of(lines.begin(), lines.end(),
                                  [](const StartChoice& line) { return line.new_game; });
  const float wide = ImGui::GetContentRegionAvail().x;
  for (const bool right : {false, true}) {
    if (right && !beside) break;
    if (right) ImGui::SameLine();
    ImGui::BeginChild(right ? "new" : "left", {beside && !right ? 0.52F * wide : 0, 0});
    std::string group;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].new_game != right) continue;
      if (!lines[i].group.empty() && lines[i].group != group) {
        if (!group.empty()) ImGui::Spacing();
        ImGui::TextColored(ToVec4(theme.accent), "%s", lines[i].group.c_str());
      }
      group = lines[i].group;
      const ShownPicture picture = i < pictures.size() ? pictures[i] : ShownPicture{};
      const bool pointed = static_cast<int>(i) == view.start_row;
      if (DrawStartLine(theme, lines[i], i, DigitOf(lines, i), picture, pointed)) chosen = i;
      if (pointed && moved) ImGui::SetScrollHereY();
    }
    ImGui::EndChild();
  }
  ImGui::End();
  if (theme.body != nullptr) ImGui::PopFont();
  return chosen;
}

}  // namespace fos
