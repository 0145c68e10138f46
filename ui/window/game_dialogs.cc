// SPDX-License-Identifier: MIT
#include "ui/window/game_dialogs.h"

#include <algorithm>
#include <string>

#include "engine/rules/rule_sets.h"
#include "ui/window/game_answers.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

constexpr ImGuiWindowFlags kDialog =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

void DrawLineEditor(const Theme& theme, const Snapshot& shown, GameController& controller,
                    GamePanelView& view, const ScreenRect& area) {
  ImGui::SetNextWindowPos({0.5F * (area.low.x + area.high.x), area.high.y - theme.Px(20)},
                          ImGuiCond_Always, {0.5F, 1.0F});
  ImGui::SetNextWindowSize({0.7F * area.Width(), 0});
  ImGui::SetNextWindowFocus();
  ImGui::Begin("Line", nullptr, kDialog);
  ImGui::TextUnformatted("Type a line of the game (docs/scripts.md). Enter plays it, Esc cancels.");
  if (view.focus_line) {
    ImGui::SetKeyboardFocusHere();
    view.focus_line = false;
  }
  ImGui::SetNextItemWidth(-1);
  // Put the cursor behind the text that is there: ImGui would select it, to be typed over.
  const auto to_end = [](ImGuiInputTextCallbackData* data) {
    bool& at_end = *static_cast<bool*>(data->UserData);
    if (at_end) return 0;
    at_end = true;
    data->ClearSelection();
    data->CursorPos = data->BufTextLen;
    return 0;
  };
  if (ImGui::InputText("##line", view.line.data(), view.line.size(),
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways,
                       to_end, &view.at_line_end)) {
    const std::string line = view.line.data();
    view.typing = false;
    if (!line.empty()) PlayLine(shown, controller, line);
  }
  ImGui::End();
}

void DrawClauses(const Theme& theme, const std::string& ruleset, GamePanelView& view,
                 const ScreenRect& area) {
  ImGui::SetNextWindowPos({0.5F * (area.low.x + area.high.x), 0.5F * (area.low.y + area.high.y)},
                          ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(0.8F * area.Width(), theme.Px(760)), 0.8F * area.Height()});
  ImGui::SetNextWindowFocus();
  ImGui::Begin("Clauses", nullptr, kDialog);
  Title(theme, "The rules in our words");
  if (KeyButton(theme, "close", "Esc")) view.show_clause = false;
  ImGui::SameLine();
  if (!view.clause.empty() && ImGui::Button("all clauses")) view.clause.clear();
  ImGui::Separator();
  ImGui::BeginChild("list");
  if (const RuleSet* set = FindRuleSet(ruleset)) {
    for (const Clause& clause : set->clauses()) {
      if (!view.clause.empty() && clause.id != view.clause) continue;
      ImGui::TextColored(ToVec4(theme.accent), "%s", std::string(clause.id).c_str());
      ImGui::SameLine(theme.Px(110));
      Paragraph(Capitalised(std::string(clause.gist)));
      ImGui::TextDisabled("%s", std::string(clause.where).c_str());
    }
  }
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace

void DrawGameDialogs(const Theme& theme, const Snapshot& shown, GameController& controller,
                     ViewState& view, const ScreenRect& area) {
  GamePanelView& chosen = view.game_panel;
  if (chosen.typing) DrawLineEditor(theme, shown, controller, chosen, area);
  if (chosen.show_clause) DrawClauses(theme, controller.Now()->ruleset, chosen, area);
}

}  // namespace fos
