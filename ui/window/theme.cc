// SPDX-License-Identifier: MIT
#include "ui/window/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace fos {

ImU32 Faded(ImU32 colour, float alpha) {
  const auto a = static_cast<float>((colour >> IM_COL32_A_SHIFT) & 0xFFU);
  const auto faded = static_cast<ImU32>(std::clamp(a * alpha, 0.0F, 255.0F));
  return (colour & ~(0xFFU << IM_COL32_A_SHIFT)) | (faded << IM_COL32_A_SHIFT);
}

ImVec4 ToVec4(ImU32 colour) { return ImGui::ColorConvertU32ToFloat4(colour); }

Theme MakeTheme(bool light, bool safe_colours, float scale, bool large_controls) {
  Theme out;
  out.light = light;
  out.safe_colours = safe_colours;
  out.large_controls = large_controls;
  out.scale = scale;
  out.text = light ? Rgba(24, 28, 34) : Rgba(236, 239, 244);
  out.faint = light ? Rgba(92, 100, 112) : Rgba(152, 162, 178);
  out.panel = light ? Rgba(252, 252, 250) : Rgba(30, 34, 41);
  out.window = light ? Rgba(224, 226, 230) : Rgba(17, 19, 23);
  out.accent = light ? Rgba(20, 98, 168) : Rgba(104, 178, 255);
  out.cloth = light ? Rgba(214, 224, 202) : Rgba(45, 58, 46);
  out.cloth_line = light ? Rgba(150, 164, 140) : Rgba(86, 102, 86);
  return out;
}

void ApplyStyle(const Theme& theme) {
  ImGuiStyle style;
  if (theme.light) {
    ImGui::StyleColorsLight(&style);
  } else {
    ImGui::StyleColorsDark(&style);
  }
  style.WindowRounding = 6;
  style.ChildRounding = 6;
  style.FrameRounding = 5;
  style.GrabRounding = 5;
  style.ScrollbarRounding = 6;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.WindowPadding = {10, 8};
  // A line of letters is 20 high: 32 suits a mouse, 44 is the least a finger hits surely (WCAG 2.1,
  // 2.5.5).
  style.FramePadding = theme.large_controls ? ImVec2{14, 12} : ImVec2{9, 6};
  style.ItemSpacing = theme.large_controls ? ImVec2{10, 10} : ImVec2{8, 6};
  style.CellPadding = {6, 3};
  style.ScrollbarSize = theme.large_controls ? 28 : 14;
  style.ScaleAllSizes(theme.scale);
  style.Colors[ImGuiCol_Text] = ToVec4(theme.text);
  style.Colors[ImGuiCol_TextDisabled] = ToVec4(theme.faint);
  style.Colors[ImGuiCol_WindowBg] = ToVec4(theme.panel);
  style.Colors[ImGuiCol_ChildBg] = ToVec4(Faded(theme.panel, 0));
  style.Colors[ImGuiCol_PopupBg] = ToVec4(theme.panel);
  style.Colors[ImGuiCol_Border] = ToVec4(Faded(theme.faint, 0.35F));
  style.Colors[ImGuiCol_Button] = ToVec4(Faded(theme.accent, 0.22F));
  style.Colors[ImGuiCol_ButtonHovered] = ToVec4(Faded(theme.accent, 0.42F));
  style.Colors[ImGuiCol_ButtonActive] = ToVec4(Faded(theme.accent, 0.65F));
  style.Colors[ImGuiCol_Header] = ToVec4(Faded(theme.accent, 0.25F));
  style.Colors[ImGuiCol_HeaderHovered] = ToVec4(Faded(theme.accent, 0.35F));
  style.Colors[ImGuiCol_HeaderActive] = ToVec4(Faded(theme.accent, 0.5F));
  style.Colors[ImGuiCol_TableHeaderBg] = ToVec4(Faded(theme.faint, 0.18F));
  style.Colors[ImGuiCol_TableRowBgAlt] = ToVec4(Faded(theme.faint, 0.08F));
  ImGui::GetStyle() = style;
}

void LoadFonts(Theme& theme) {
  constexpr float kBody_px = 17;  // at scale 1, on a laptop at arm's length
  constexpr float kTitle_px = 21;
  constexpr float kHuge_px = 96;
  constexpr float kMostHuge_px = 160;  // larger letters would fill the card's textures
  static constexpr ImWchar kAscii[] = {0x20, 0x7E, 0};
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  const auto load = [&](const char* file, float px, const ImWchar* letters) -> ImFont* {
    std::error_code ec;
    if (!std::filesystem::is_regular_file(file, ec)) return nullptr;
    return atlas.AddFontFromFileTTF(file, std::round(px), nullptr, letters);
  };
  theme.body =
      load("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", kBody_px * theme.scale, nullptr);
  const char* const bold = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf";
  theme.title = load(bold, kTitle_px * theme.scale, nullptr);
  theme.huge = load(bold, std::min(kHuge_px * theme.scale, kMostHuge_px), kAscii);
  if (theme.body == nullptr) {
    ImFontConfig config;
    config.SizePixels = std::round(kBody_px * theme.scale);
    theme.body = atlas.AddFontDefault(&config);
  }
  if (theme.title == nullptr) theme.title = theme.body;
  if (theme.huge == nullptr) theme.huge = theme.title;
}

ImU32 SideColour(const Theme& theme, const Scenario& scenario, int side) {
  constexpr std::array<ImU32, 6> kOkabeIto = {Rgba(86, 180, 233), Rgba(230, 159, 0),
                                              Rgba(0, 158, 115),  Rgba(204, 121, 167),
                                              Rgba(240, 228, 66), Rgba(213, 94, 0)};
  const auto index = static_cast<std::size_t>(std::max(side, 0));
  if (theme.safe_colours || index >= scenario.sides.size()) {
    return kOkabeIto[index % kOkabeIto.size()];
  }
  const Colour paint = scenario.sides[index].paint;
  float h = 0;
  float s = 0;
  float v = 0;
  ImGui::ColorConvertRGBtoHSV(static_cast<float>(paint.r) / 255, static_cast<float>(paint.g) / 255,
                              static_cast<float>(paint.b) / 255, h, s, v);
  constexpr float kLeastValue = 0.95F;      // dark paint vanishes on dark cloth
  constexpr float kMostSaturation = 0.72F;  // and so does pure blue
  v = std::max(v, kLeastValue);
  s = std::min(s, kMostSaturation);
  ImVec4 bright{0, 0, 0, 1};
  ImGui::ColorConvertHSVtoRGB(h, s, v, bright.x, bright.y, bright.z);
  return ImGui::ColorConvertFloat4ToU32(bright);
}

ImU32 CallColour(const Theme& theme, Call call) {
  switch (call) {
    case Call::kHit:
      return theme.safe_colours ? Rgba(213, 94, 0) : Rgba(238, 72, 68);
    case Call::kMiss:
      return theme.safe_colours ? Rgba(86, 180, 233) : Rgba(92, 196, 112);
    case Call::kTooClose:
      return theme.safe_colours ? Rgba(240, 228, 66) : Rgba(255, 190, 60);
  }
  return theme.text;
}

const char* CallWord(Call call) {
  switch (call) {
    case Call::kHit:
      return "HIT";
    case Call::kMiss:
      return "miss";
    case Call::kTooClose:
      return "TOO CLOSE";
  }
  return "";
}

ImU32 WarningColour(const Theme& theme) {
  // Amber cannot be read on white: use the brown that it darkens to.
  return theme.light ? Rgba(150, 84, 0) : CallColour(theme, Call::kTooClose);
}

ImU32 WatchingColour(const Theme& theme, Watching watching) {
  switch (watching) {
    case Watching::kWatching:
      return theme.safe_colours ? Rgba(0, 114, 178) : Rgba(38, 140, 72);
    case Watching::kHands:
    case Watching::kBlind:
    case Watching::kCameraMoved:
      return Rgba(214, 122, 0);
    case Watching::kLooking:
      // Watching is blue in safe colours.
      return theme.safe_colours ? Rgba(60, 66, 78) : Rgba(58, 104, 170);
    case Watching::kNoTable:
    case Watching::kReplay:
    case Watching::kEnded:
      return Rgba(92, 100, 114);
    case Watching::kNoCamera:
    case Watching::kFailed:
      return Rgba(186, 40, 40);
  }
  return theme.panel;
}

}  // namespace fos
