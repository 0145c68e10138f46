// SPDX-License-Identifier: MIT
#include "ui/window/settings_panel.h"

#include <fmt/format.h>

#include "ui/window/canvas.h"
#include "ui/window/keys.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

void Line(const Theme& theme, const char* key, const char* words, bool& on) {
  ImGui::PushID(key);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(ToVec4(theme.accent), "%s", key);
  ImGui::SameLine(theme.Px(56));
  ImGui::Checkbox(words, &on);
  ImGui::PopID();
}

}  // namespace

void DrawSettings(const Theme& theme, ViewState& view, const ScreenRect& area) {
  BeginDialog("Settings", area);
  Title(theme, "Settings");
  ImGui::Separator();
  Line(theme, "T", "light theme", view.light_theme);
  Line(theme, "B", "colour-blind safe colours", view.safe_colours);
  Line(theme, "K", "large buttons, for fingers", view.large_controls);
  Line(theme, "F11", "full screen", view.full_screen);
  Line(theme, "O", "sound at every verdict", view.sound);
  Line(theme, "F6", "every verdict fills the screen", view.verdict_by_itself);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(ToVec4(theme.accent), "[  ]");
  ImGui::SameLine(theme.Px(56));
  if (ImGui::Button(" - ")) Rescale(view, -1);
  ImGui::SameLine();
  if (ImGui::Button(" + ")) Rescale(view, +1);
  ImGui::SameLine();
  ImGui::TextUnformatted(
      fmt::format("text size: {:.0f} %", 100 * static_cast<double>(view.ui_scale)).c_str());
  ImGui::Separator();
  if (view.may_play) {
    if (KeyButton(theme, "play a game", "F9")) view.play = view.quit = true;
    ImGui::SameLine();
  }
  if (view.may_set_up) {
    if (KeyButton(theme, "set-up", "F10")) view.set_up = view.quit = true;
    ImGui::SameLine();
  }
  if (KeyButton(theme, "close", "Esc")) view.show_settings = false;
  ImGui::End();
}

}  // namespace fos
