// SPDX-License-Identifier: MIT
#include "ui/window/settings_panel.h"

#include <fmt/format.h>

#include "ui/window/canvas.h"
#include "ui/window/keys.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

// True when the player changed it.
bool Line(const Theme& theme, const char* key, const char* words, bool& on) {
  ImGui::PushID(words);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(ToVec4(theme.accent), "%s", key);
  ImGui::SameLine(theme.Px(56));
  const bool changed = ImGui::Checkbox(words, &on);
  ImGui::PopID();
  return changed;
}

// How the window looks and sounds.
void DrawLookLines(const Theme& theme, ViewState& view) {
  Line(theme, "T", "light theme", view.light_theme);
  Line(theme, "B", "colour-blind safe colours", view.safe_colours);
  Line(theme, "K", "large buttons, for fingers", view.large_controls);
  Line(theme, "F11", "full screen", view.full_screen);
  Line(theme, "O", "sound at every verdict", view.sound);
  Line(theme, "", view.may_speak ? "speak every verdict" : "speak every verdict (needs espeak-ng)",
       view.speech);
  Line(theme, "F6", "every verdict fills the screen", view.verdict_by_itself);
  Line(theme, "", "dice that the camera reads count after 2 s", view.dice_by_itself);
  if (view.may_audience) Line(theme, "", "a second window, for onlookers", view.audience);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(ToVec4(theme.accent), "[  ]");
  ImGui::SameLine(theme.Px(56));
  if (ImGui::Button(" - ")) Rescale(view, -1);
  ImGui::SameLine();
  if (ImGui::Button(" + ")) Rescale(view, +1);
  ImGui::SameLine();
  ImGui::TextUnformatted(
      fmt::format("text size: {:.0f} %", 100 * static_cast<double>(view.ui_scale)).c_str());
}

// What is drawn on picture and map.
void DrawLayerLines(const Theme& theme, ViewState& view) {
  ImGui::TextDisabled("On picture and map");
  Line(theme, "G", "grid and terrain", view.show_grid);
  Line(theme, "S", "stands", view.show_stands);
  bool names = view.names != UnitNames::kNone;
  if (Line(theme, "Q", "names of units", names))
    view.names = names ? UnitNames::kWhereRoom : UnitNames::kNone;
  Line(theme, "C", "circles and distances", view.show_circles);
  Line(theme, "F", "reach and sight", view.show_reach);
  Line(theme, "L", "the log", view.show_log);
  if (view.panels != PanelShares{}) {
    if (ImGui::Button("panels at their own sizes")) view.panels = {};
  }
}

}  // namespace

ViewLook LookOf(const ViewState& view) {
  ViewLook out;
  out.light_theme = view.light_theme;
  out.safe_colours = view.safe_colours;
  out.large_controls = view.large_controls;
  out.full_screen = view.full_screen;
  out.sound = view.sound;
  out.speech = view.speech;
  out.verdict_by_itself = view.verdict_by_itself;
  out.dice_by_itself = view.dice_by_itself;
  out.ui_scale = view.ui_scale;
  out.audience = view.audience;
  out.layers = {view.show_grid,    view.show_stands, view.names,
                view.show_circles, view.show_reach,  view.show_log};
  out.panels = view.panels;
  return out;
}

void TakeLayers(const Layers& layers, ViewState& view) {
  view.show_grid = layers.grid;
  view.show_stands = layers.stands;
  view.names = layers.names;
  view.show_circles = layers.circles;
  view.show_reach = layers.reach;
  view.show_log = layers.log;
}

void TakeLook(const ViewLook& look, ViewState& view) {
  view.light_theme = look.light_theme;
  view.safe_colours = look.safe_colours;
  view.large_controls = look.large_controls;
  view.full_screen = look.full_screen;
  view.sound = look.sound;
  view.speech = look.speech;
  view.verdict_by_itself = look.verdict_by_itself;
  view.dice_by_itself = look.dice_by_itself;
  view.ui_scale = look.ui_scale;
  view.audience = look.audience;
  TakeLayers(look.layers, view);
  view.panels = look.panels;
}

void DrawSettings(const Theme& theme, ViewState& view, const ScreenRect& area) {
  if (!view.look_before) view.look_before = LookOf(view);
  BeginDialog("Settings", area);
  Title(theme, "Settings");
  ImGui::Separator();
  // What is drawn stands below the rest, or beside it where the window is too low for both.
  // Of both, with the buttons and the room about them, each as high as a button.
  const float lines = view.panels == PanelShares{} ? 20.5F : 21.5F;
  const bool beside = lines * ImGui::GetFrameHeightWithSpacing() > area.Height();
  ImGui::BeginGroup();
  DrawLookLines(theme, view);
  ImGui::EndGroup();
  if (beside) {
    ImGui::SameLine(0, theme.Px(30));
  } else {
    ImGui::Separator();
  }
  ImGui::BeginGroup();
  DrawLayerLines(theme, view);
  ImGui::EndGroup();
  ImGui::Separator();
  if (ImGui::Button("as they were")) TakeLook(*view.look_before, view);
  ImGui::SameLine();
  if (ImGui::Button("as first installed")) {
    ViewLook first;
    first.ui_scale = view.screen_scale;
    TakeLook(first, view);
  }
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
