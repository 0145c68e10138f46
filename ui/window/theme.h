// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include "engine/table/decision.h"
#include "engine/table/scenario.h"
#include "ui/session/snapshot.h"

namespace fos {

// Colours as the draw lists take them.
constexpr ImU32 Rgba(unsigned r, unsigned g, unsigned b, unsigned a = 255) {
  return (a << IM_COL32_A_SHIFT) | (b << IM_COL32_B_SHIFT) | (g << IM_COL32_G_SHIFT) |
         (r << IM_COL32_R_SHIFT);
}
// The same colour, `alpha` in [0, 1] as opaque.
ImU32 Faded(ImU32 colour, float alpha);
ImVec4 ToVec4(ImU32 colour);

// Everything the panels draw with; made anew when the theme or the scale changes.
struct Theme {
  bool light = false;
  bool safe_colours = false;
  bool large_controls = false;  // for fingers
  float scale = 1;
  ImFont* body = nullptr;   // null: ImGui's own
  ImFont* title = nullptr;  // larger, bold
  ImFont* huge = nullptr;   // to be read from across the table; letters of ASCII only

  ImU32 text = 0;
  ImU32 faint = 0;
  ImU32 panel = 0;
  ImU32 window = 0;
  ImU32 accent = 0;
  ImU32 cloth = 0;  // of the map
  ImU32 cloth_line = 0;
  float Px(float at_scale_one) const { return at_scale_one * scale; }
};
Theme MakeTheme(bool light, bool safe_colours, float scale, bool large_controls = false);
// Sizes and colours of ImGui's own widgets.
void ApplyStyle(const Theme& theme);
// Loads the fonts at the theme's scale into the current context's atlas, which must not be in use.
// Falls back to ImGui's own font where DejaVu is not installed.
void LoadFonts(Theme& theme);

// An army's paint, made bright enough to be seen on any cloth; with safe colours the side's own of
// Okabe and Ito's colours. source  Okabe & Ito, Color Universal Design, 2008.
ImU32 SideColour(const Theme& theme, const Scenario& scenario, int side);
// Hit red, miss green, too close amber; with safe colours vermilion, blue, yellow.
ImU32 CallColour(const Theme& theme, Call call);
const char* CallWord(Call call);          // "HIT", "miss", "TOO CLOSE"
ImU32 WarningColour(const Theme& theme);  // of text on a panel
ImU32 WatchingColour(const Theme& theme, Watching watching);

}  // namespace fos
