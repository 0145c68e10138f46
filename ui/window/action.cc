// SPDX-License-Identifier: MIT
#include "ui/window/action.h"

#include <algorithm>
#include <iterator>

#include "ui/window/widgets.h"

namespace fos {
namespace {

float WidthOf(const Action& action) {
  return ImGui::CalcTextSize((action.name + "  ").c_str()).x +
         ImGui::CalcTextSize(action.key_name).x + 2 * ImGui::GetStyle().FramePadding.x;
}

}  // namespace

int ButtonRows(const Actions& actions, float width) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  int rows = 1;
  float used = 0;
  for (const Action& action : actions) {
    const float wide = WidthOf(action);
    if (used > 0 && used + gap + wide >= width) {
      ++rows;
      used = 0;
    }
    used += (used > 0 ? gap : 0) + wide;
  }
  return rows;
}

void DrawButtons(const Theme& theme, const Actions& all) {
  Actions actions;
  std::copy_if(all.begin(), all.end(), std::back_inserter(actions),
               [](const Action& action) { return action.button; });
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const Action& action = actions[i];
    if (action.on) ImGui::PushStyleColor(ImGuiCol_Button, ToVec4(Faded(theme.accent, 0.45F)));
    const bool pressed = KeyButton(theme, action.name.c_str(), action.key_name);
    if (action.on) ImGui::PopStyleColor();
    if (pressed) action.act();
    ImGui::PopID();
    if (i + 1 < actions.size() &&
        ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + WidthOf(actions[i + 1]) <
            right) {
      ImGui::SameLine();
    }
  }
}

}  // namespace fos
