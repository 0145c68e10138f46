// SPDX-License-Identifier: MIT
#include "ui/window/widgets.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "calibration/camera/response.h"

namespace fos {

void DrawStroke(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float thickness,
                Stroke stroke) {
  if (stroke == Stroke::kSolid) {
    list.AddLine(from, to, colour, thickness);
    return;
  }
  const float dx = to.x - from.x;
  const float dy = to.y - from.y;
  const float length = std::hypot(dx, dy);
  constexpr float kAnyScreen_px = 1e5F;
  if (!(length < kAnyScreen_px)) return;  // far off, or not a number
  const float dash = thickness * (stroke == Stroke::kDashed ? 4.0F : 1.2F);
  const float step = dash + thickness * 2.2F;
  constexpr int kMostDashes = 400;  // a line far off the screen must not cost a thousand
  const int dashes = std::min(kMostDashes, static_cast<int>(length / std::max(step, 0.5F)) + 1);
  for (int i = 0; i < dashes && length > 0; ++i) {
    const float a = static_cast<float>(i) * step / length;
    const float b = std::min(1.0F, a + dash / length);
    list.AddLine({from.x + a * dx, from.y + a * dy}, {from.x + b * dx, from.y + b * dy}, colour,
                 thickness);
  }
}

namespace {

// Relative luminance of a colour, 0 to 1.
// source  W3C, Web Content Accessibility Guidelines 2.1, "relative luminance".
double Luminance(const ImVec4& colour) {
  const auto linear = [](float channel) {
    const auto code = static_cast<std::size_t>(std::lround(255 * channel));
    return static_cast<double>(LightOfSrgbCode()[code]);
  };
  return 0.2126 * linear(colour.x) + 0.7152 * linear(colour.y) + 0.0722 * linear(colour.z);
}

// `share` of the other colour in the one.
ImVec4 Mixed(const ImVec4& one, const ImVec4& other, float share) {
  const auto mix = [share](float a, float b) { return a + share * (b - a); };
  return {mix(one.x, other.x), mix(one.y, other.y), mix(one.z, other.z), one.w};
}

}  // namespace

ImU32 OnPlate(ImU32 colour) {
  constexpr double kLeastContrast = 4.5;  // WCAG 2.1, 1.4.3
  constexpr double kFlare = 0.05;         // light that the screen itself throws back
  const ImVec4 white{1, 1, 1, 1};
  const ImVec4 plate = ImGui::ColorConvertU32ToFloat4(kPlate);
  const double least = kLeastContrast * (Luminance(Mixed(white, plate, plate.w)) + kFlare) - kFlare;
  const ImVec4 given = ImGui::ColorConvertU32ToFloat4(colour);
  ImVec4 out = given;
  constexpr float kStep = 0.05F;
  for (float share = kStep; Luminance(out) < least && share <= 1; share += kStep) {
    out = Mixed(given, white, share);
  }
  return ImGui::ColorConvertFloat4ToU32(out);
}

ImVec2 PlateSize(const Theme& theme, const std::string& words, float size_px) {
  const ImFont* font = theme.body != nullptr ? theme.body : ImGui::GetFont();
  const ImVec2 size = font->CalcTextSizeA(size_px, 1e6F, 0, words.c_str());
  return {size.x + 0.6F * size_px, size.y + 0.2F * size_px};
}

void DrawPlate(ImDrawList& list, const Theme& theme, ImVec2 centre, const std::string& words,
               ImU32 colour, float size_px) {
  const ImVec2 size = PlateSize(theme, words, size_px);
  const ImVec2 low{std::round(centre.x - size.x / 2), std::round(centre.y - size.y / 2)};
  list.AddRectFilled(low, {low.x + size.x, low.y + size.y}, kPlate, size_px * 0.3F);
  const ImFont* font = theme.body != nullptr ? theme.body : ImGui::GetFont();
  list.AddText(font, size_px, {low.x + 0.3F * size_px, low.y + 0.1F * size_px}, OnPlate(colour),
               words.c_str());
}

void Chip(const Theme& theme, const char* word, ImU32 colour) {
  const ImVec2 text = ImGui::CalcTextSize(word);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float pad = theme.Px(6);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + text.x + 2 * pad, at.y + text.y + theme.Px(2)}, colour,
                     theme.Px(5));
  list.AddText({at.x + pad, at.y + theme.Px(1)}, Rgba(10, 12, 16), word);
  ImGui::Dummy({text.x + 2 * pad, text.y + theme.Px(2)});
}

void Die(const Theme& theme, const std::string& face, bool known) {
  const float side = theme.Px(44);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + side, at.y + side}, Rgba(244, 244, 238), theme.Px(8));
  const ImFont* font = theme.title != nullptr ? theme.title : ImGui::GetFont();
  const ImVec2 size = font->CalcTextSizeA(theme.Px(26), 1e6F, 0, face.c_str());
  list.AddText(font, theme.Px(26), {at.x + (side - size.x) / 2, at.y + (side - size.y) / 2},
               known ? Rgba(20, 22, 26) : Rgba(170, 170, 166), face.c_str());
  ImGui::Dummy({side, side});
}

void SameLineFor(float width) {
  const float next = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
  if (next < ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine();
}

bool KeyButton(const Theme& theme, const char* name, const char* key) {
  const std::string words = std::string(name) + "  " + key + "###" + name;
  const ImVec2 name_size = ImGui::CalcTextSize(name);
  ImGui::PushStyleColor(ImGuiCol_Text, Rgba(0, 0, 0, 0));
  const bool pressed = ImGui::Button(words.c_str());
  ImGui::PopStyleColor();
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 pad = ImGui::GetStyle().FramePadding;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText({low.x + pad.x, low.y + pad.y}, theme.text, name);
  list.AddText({low.x + pad.x + name_size.x + ImGui::CalcTextSize("  ").x, low.y + pad.y},
               theme.accent, key);
  return pressed;
}

bool KeyButtonRow::operator()(const char* name, const char* key) {
  if (std::exchange(beside_, true))
    SameLineFor(ImGui::CalcTextSize((std::string(name) + "  " + key).c_str()).x +
                2 * ImGui::GetStyle().FramePadding.x);
  return KeyButton(theme_, name, key);
}

void Title(const Theme& theme, const char* words) {
  if (theme.title != nullptr) ImGui::PushFont(theme.title);
  ImGui::TextUnformatted(words);
  if (theme.title != nullptr) ImGui::PopFont();
}

std::vector<std::string> ParagraphLines(const std::string& words, float width) {
  const ImFont* font = ImGui::GetFont();
  const float size = ImGui::GetFontSize();
  const auto wide = [&](const char* from, const char* to) {
    return font->CalcTextSizeA(size, 1e6F, 0, from, to).x;
  };
  std::vector<std::string> out;
  const char* from = words.c_str();
  const char* const end = from + words.size();
  while (from < end) {
    const char* const stop = std::find(from, end, '\n');
    if (from == stop) out.emplace_back();
    while (from < stop) {
      // As many whole words as there is room for.
      const char* to = from;
      float used = 0;
      while (to < stop) {
        const char* blank =
            std::find(std::find_if(to, stop, [](char c) { return c != ' '; }), stop, ' ');
        used += wide(to, blank);
        if (used > width && to > from) break;
        to = blank;
        if (used > width) break;
      }
      if (used > width && std::find(from, to, ' ') == to) {  // one word, such as a path
        to =
            std::max(font->CalcWordWrapPositionA(size / font->FontSize, from, to, width), from + 1);
      }
      out.emplace_back(from, to);
      from = std::find_if(to, stop, [](char c) { return c != ' '; });
    }
    if (from < end) ++from;  // the end of the line
  }
  return out;
}

void Paragraph(const std::string& words) {
  const float width = ImGui::GetContentRegionAvail().x;
  // A window that takes the size of its content has no width in its first frame.
  const bool unsized = width < 2 * ImGui::GetFontSize();
  if (unsized ||
      (words.find('\n') == std::string::npos && ImGui::CalcTextSize(words.c_str()).x <= width)) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopTextWrapPos();
    return;
  }
  ImGui::TextUnformatted(fmt::format("{}", fmt::join(ParagraphLines(words, width), "\n")).c_str());
}

void Paragraph(const std::string& words, ImU32 colour) {
  if (words.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, ToVec4(colour));
  Paragraph(words);
  ImGui::PopStyleColor();
}

void FaintParagraph(const Theme& theme, const std::string& words) { Paragraph(words, theme.faint); }

void StruckParagraph(const Theme& theme, const std::string& words) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  FaintParagraph(theme, words);
  ImFont* font = ImGui::GetFont();
  const float size = ImGui::GetFontSize();
  float y = at.y + 0.55F * size;
  for (const std::string& line : ParagraphLines(words, std::max(room, 1.0F))) {
    const float wide = font->CalcTextSizeA(size, 1e6F, 0, line.c_str()).x;
    ImGui::GetWindowDrawList()->AddLine({at.x, y}, {at.x + wide, y}, theme.faint, theme.Px(1.5F));
    y += size;
  }
}

void WarningParagraph(const Theme& theme, const std::string& words) {
  Paragraph(words, WarningColour(theme));
}

std::string Capitalised(std::string words) {
  if (!words.empty()) {
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  }
  return words;
}

std::string Counted(std::size_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

void DrawReplayWidget(const Theme& theme, const ReplayWidget& shown,
                      const std::function<void(int key)>& press,
                      const std::function<void(std::size_t place)>& go, ReplayPlay& play) {
  const auto button = [&](const std::string& name, const char* key, int does) {
    if (KeyButton(theme, name.c_str(), key)) press(does);
  };
  const std::string leap = shown.leap;
  button("back", "Backspace", GLFW_KEY_BACKSPACE);
  ImGui::SameLine();
  button("forward", "Enter", GLFW_KEY_ENTER);
  button("previous " + leap, "PgUp", GLFW_KEY_PAGE_UP);
  ImGui::SameLine();
  button("next " + leap, "PgDn", GLFW_KEY_PAGE_DOWN);
  button("start", "Home", GLFW_KEY_HOME);
  ImGui::SameLine();
  button("end", "End", GLFW_KEY_END);
  const auto toggled = [&](const std::string& name, const char* key, int pressed) {
    return KeyButton(theme, name.c_str(), key) || ImGui::IsKeyPressed(pressed, false);
  };
  if (toggled(play.plays ? "pause" : "play", "F7", GLFW_KEY_F7)) {
    play.plays = !play.plays && shown.at < shown.last;
    play.next_s = ImGui::GetTime() + 1 / play.per_s;
  }
  ImGui::SameLine();
  // The window draws twice a second when nothing else happens.
  constexpr double kFastest = 2;
  constexpr double kSlowest = 0.5;
  if (toggled(fmt::format("{:g} a second", play.per_s), "F5", GLFW_KEY_F5))
    play.per_s = play.per_s < kFastest ? 2 * play.per_s : kSlowest;
  if (play.plays && ImGui::GetTime() >= play.next_s) {
    play.next_s = ImGui::GetTime() + 1 / play.per_s;
    play.plays = shown.at + 1 < shown.last;
    if (shown.at < shown.last) go(shown.at + 1);
  }
  int place = static_cast<int>(shown.at);
  ImGui::SetNextItemWidth(-1);
  if (ImGui::SliderInt("##step", &place, 0, static_cast<int>(shown.last),
                       fmt::format("{} %d of {}", shown.unit, shown.last).c_str(),
                       ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput)) {
    go(static_cast<std::size_t>(std::max(place, 0)));
  }
}

}  // namespace fos
