// SPDX-License-Identifier: MIT
#include "ui/window/game_dialogs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/rule_sets.h"
#include "ui/window/canvas.h"
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
  PushDialogEdge();
  ImGui::Begin("Line", nullptr, kDialog);
  PopDialogEdge();
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

// A table of the rules. The case's rows are marked by an arrow and a ground, its cells by a frame.
void DrawRuleTable(const Theme& theme, const RuleTable& table) {
  ImGui::Spacing();
  ImGui::TextColored(ToVec4(theme.accent), "%s", table.title.c_str());
  const auto columns = static_cast<int>(table.head.size()) + 1;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_BordersOuter |
                                     ImGuiTableFlags_SizingStretchProp;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2{theme.Px(6), theme.Px(4)});
  if (ImGui::BeginTable(table.title.c_str(), columns, kFlags)) {
    ImGui::TableSetupColumn("##mark", ImGuiTableColumnFlags_WidthFixed, theme.Px(14));
    for (const std::string& head : table.head) ImGui::TableSetupColumn(head.c_str());
    ImGui::TableNextRow();
    for (std::size_t c = 0; c < table.head.size(); ++c) {
      ImGui::TableSetColumnIndex(static_cast<int>(c) + 1);
      FaintParagraph(theme, table.head[c]);
    }
    for (const RuleTable::Row& row : table.rows) {
      ImGui::TableNextRow();
      if (row.marked)
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, Faded(theme.accent, 0.22F));
      ImGui::TableSetColumnIndex(0);
      if (row.marked) {
        // Drawn: the font need not have an arrow.
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float high = ImGui::GetTextLineHeight();
        ImGui::GetWindowDrawList()->AddTriangleFilled({at.x, at.y + 0.15F * high},
                                                      {at.x, at.y + 0.85F * high},
                                                      {at.x + 0.6F * high, at.y + 0.5F * high},
                                                      theme.accent);
      }
      for (std::size_t c = 0; c < row.cells.size(); ++c) {
        ImGui::TableSetColumnIndex(static_cast<int>(c) + 1);
        const bool decides = row.marked && row.cell == c;
        if (decides) ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, Faded(theme.accent, 0.6F));
        Paragraph(row.cells[c]);
      }
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
  for (const std::string& said : table.said) Paragraph(said);
}

void DrawLastDice(const Theme& theme, const GameShown& game, GamePanelView& view) {
  const std::optional<ThrownDice> thrown = LastDice(game, view.clause_line);
  if (!thrown || thrown->faces.empty()) return;
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::TextColored(ToVec4(theme.accent), "The last dice");
  for (std::size_t i = 0; i < thrown->faces.size(); ++i) {
    if (i > 0) SameLineFor(theme.Px(44));
    Die(theme, fmt::format("{}", thrown->faces[i]), true);
  }
  for (const std::string& sentence : thrown->came_to) Paragraph(sentence);
  bool first = true;
  for (const std::string& clause : thrown->clauses) {
    const float wide = ImGui::CalcTextSize(clause.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (!first) SameLineFor(wide);
    first = false;
    if (ImGui::Button(clause.c_str())) ShowClause(view, clause, view.clause_line);
  }
}

void DrawClauses(const Theme& theme, GameController& controller, GamePanelView& view,
                 const ScreenRect& area) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  const RuleSet* set = FindRuleSet(game->ruleset);
  ImGui::SetNextWindowPos({0.5F * (area.low.x + area.high.x), 0.5F * (area.low.y + area.high.y)},
                          ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(0.8F * area.Width(), theme.Px(860)), 0.86F * area.Height()});
  ImGui::SetNextWindowFocus();
  PushDialogEdge();
  ImGui::Begin("Clauses", nullptr, kDialog);
  PopDialogEdge();
  Title(theme, "The rules in our words");
  if (KeyButton(theme, "close", "Esc")) view.show_clause = false;
  if (!view.clause.empty()) {
    ImGui::SameLine();
    if (ImGui::Button("all clauses")) ShowClause(view, "", 0);
  }
  ImGui::Separator();
  // A list of its own for each clause: none begins scrolled.
  ImGui::BeginChild(view.clause.empty() ? "list" : view.clause.c_str());
  if (set != nullptr) {
    for (const Clause& clause : set->clauses()) {
      const std::string id(clause.id);
      if (!view.clause.empty() && id != view.clause) continue;
      if (view.clause.empty()) {
        if (ImGui::Selectable(id.c_str(), false, 0, {theme.Px(100), 0})) ShowClause(view, id, 0);
      } else {
        ImGui::TextColored(ToVec4(theme.accent), "%s", id.c_str());
      }
      ImGui::SameLine(theme.Px(110));
      Paragraph(Capitalised(std::string(clause.gist)));
      ImGui::TextDisabled("%s", std::string(clause.where).c_str());
    }
  }
  if (!view.clause.empty()) {
    const std::string shown = view.clause;  // a button below may choose another
    for (const RuleTable& table : controller.TablesOf(shown, view.clause_line))
      DrawRuleTable(theme, table);
    DrawLastDice(theme, *game, view);
  }
  ImGui::EndChild();
  ImGui::End();
}

// What the chosen unit may do, on the table beside it: what needs no place first.
void DrawUnitMenu(const Theme& theme, const Snapshot& shown, GameController& controller,
                  ViewState& view, const ScreenRect& area) {
  GamePanelView& chosen = view.game_panel;
  std::vector<LineOption> options = controller.OptionsOf(chosen.piece);
  std::stable_partition(options.begin(), options.end(), [](const LineOption& option) {
    return option.squares.empty() && option.path_in.empty();
  });
  constexpr std::size_t kMost = 12;
  const std::size_t listed = std::min(options.size(), kMost);
  const float row = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
  const float high = row * static_cast<float>(listed + 2);
  ImGui::SetNextWindowPos({std::min(chosen.menu_at[0], area.high.x - theme.Px(340)),
                           std::clamp(chosen.menu_at[1], area.low.y,
                                      std::max(area.high.y - high, area.low.y))});
  ImGui::SetNextWindowFocus();
  PushDialogEdge();
  ImGui::Begin("Unit", nullptr, kDialog | ImGuiWindowFlags_AlwaysAutoResize);
  PopDialogEdge();
  Title(theme, Capitalised(WithKinds(*controller.Now(), {chosen.piece})).c_str());
  if (options.empty()) FaintParagraph(theme, "It can do nothing now.");
  std::optional<LineOption> taken;
  for (std::size_t i = 0; i < listed; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Button(options[i].label.c_str(), {theme.Px(300), 0})) taken = options[i];
    ImGui::PopID();
  }
  if (options.size() > listed) {
    ImGui::TextDisabled("%s", fmt::format("{} more beside the table, or click a place.",
                                          options.size() - listed)
                                  .c_str());
  }
  if (KeyButton(theme, "close", "Esc")) chosen.show_menu = false;
  ImGui::End();
  if (!taken) return;
  chosen.show_menu = false;
  TakeOption(shown, controller, chosen, *taken);
}

}  // namespace

void DrawGameDialogs(const Theme& theme, const Snapshot& shown, GameController& controller,
                     ViewState& view, const ScreenRect& area) {
  GamePanelView& chosen = view.game_panel;
  if (chosen.typing) DrawLineEditor(theme, shown, controller, chosen, area);
  if (chosen.show_clause) DrawClauses(theme, controller, chosen, area);
  if (chosen.show_menu && !chosen.piece.empty())
    DrawUnitMenu(theme, shown, controller, view, area);
}

}  // namespace fos
