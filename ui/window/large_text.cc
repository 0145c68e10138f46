// SPDX-License-Identifier: MIT
#include "ui/window/large_text.h"

#include <algorithm>
#include <sstream>

namespace fos {

ImFont* HugeFont(const Theme& theme) {
  return theme.huge != nullptr ? theme.huge : ImGui::GetFont();
}

std::vector<std::string> LinesOf(ImFont* font, float size, const std::string& text, float width) {
  std::vector<std::string> out;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string longer = out.empty() ? word : out.back() + ' ' + word;
    if (!out.empty() && font->CalcTextSizeA(size, 1e6F, 0, longer.c_str()).x <= width) {
      out.back() = longer;
    } else {
      out.push_back(word);
    }
  }
  return out;
}

ImVec2 ExtentOf(ImFont* font, float size, const std::vector<std::string>& lines) {
  float widest = 0;
  for (const std::string& line : lines)
    widest = std::max(widest, font->CalcTextSizeA(size, 1e6F, 0, line.c_str()).x);
  return {widest, size * static_cast<float>(lines.size())};
}

float FittingSize(ImFont* font, const std::string& text, ImVec2 room, float most) {
  constexpr float kStep = 0.95F;
  float size = most;
  for (int i = 0; i < 60; ++i, size *= kStep) {
    const ImVec2 extent = ExtentOf(font, size, LinesOf(font, size, text, room.x));
    if (extent.y <= room.y && extent.x <= room.x) break;
  }
  return size;
}

float WriteFitting(ImDrawList& list, ImFont* font, const std::string& text, const ScreenRect& area,
                   float most, ImU32 colour) {
  if (text.empty()) return 0;
  const ImVec2 room{area.Width(), area.Height()};
  const float size = FittingSize(font, text, room, most);
  float y = area.low.y;
  for (const std::string& line : LinesOf(font, size, text, room.x)) {
    list.AddText(font, size, {area.low.x, y}, colour, line.c_str());
    y += size;
  }
  return y - area.low.y;
}

}  // namespace fos
