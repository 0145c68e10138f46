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
  const std::string rules = TitleOfRules(after("--game"));
  std::string out = game.arguments.empty()                 ? std::string{}
                    : !game.arguments[0].starts_with("--") ? "a recording"
                    : !after("--source").empty()           ? "watched by the camera"
                                                           : "on the map, without a camera";
  if (!after("--game").empty() && !game.arguments[0].starts_with("--game")) out += ", with its game";
  return rules.empty() ? Capitalised(out) : fmt::format("{}, {}", rules, out);
}

}  // namespace

StartChoice ChoiceOf(const RecentGame& game, const std::string& group) {
  return {game.name, InPlayersWords(game), 0, group};
}

std::optional<std::size_t> DrawStart(const Theme& theme, const std::vector<StartChoice>& lines,
                                     ViewState& view) {
  const ImGuiIO& io = ImGui::GetIO();
  std::optional<std::size_t> chosen;
  if (ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) ||
      (io.KeyCtrl && ImGui::IsKeyPressed(GLFW_KEY_Q, false))) {
    view.quit = true;
  }
  for (const ImWchar letter : io.InputQueueCharacters) {
    if (letter >= '1' && letter <= '9' && static_cast<std::size_t>(letter - '1') < lines.size()) {
      chosen = static_cast<std::size_t>(letter - '1');
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].key != 0 && letter == static_cast<ImWchar>(lines[i].key)) chosen = i;
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
  ImGui::Separator();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (!lines[i].group.empty() && (i == 0 || lines[i].group != lines[i - 1].group))
      ImGui::TextColored(ToVec4(theme.accent), "%s", lines[i].group.c_str());
    const float high = 2 * ImGui::GetTextLineHeight() + theme.Px(16);
    const bool pointed = static_cast<int>(i) == view.start_row;
    if (ImGui::Selectable("##line", pointed, 0, {0, high})) chosen = i;
    if (pointed && view.start_row != before) ImGui::SetScrollHereY();
    const ImVec2 at = ImGui::GetItemRectMin();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (i < 9 || lines[i].key != 0) {
      list.AddText({at.x + theme.Px(8), at.y + theme.Px(8)}, theme.accent,
                   lines[i].key != 0
                       ? std::string(1, static_cast<char>(
                                            std::toupper(static_cast<unsigned char>(lines[i].key))))
                             .c_str()
                       : fmt::format("{}", i + 1).c_str());
    }
    list.AddText({at.x + theme.Px(40), at.y + theme.Px(6)}, theme.text, lines[i].name.c_str());
    list.AddText({at.x + theme.Px(40), at.y + theme.Px(8) + ImGui::GetTextLineHeight()},
                 theme.faint, lines[i].what.c_str());
    ImGui::PopID();
  }
  ImGui::End();
  if (theme.body != nullptr) ImGui::PopFont();
  return chosen;
}

}  // namespace fos
