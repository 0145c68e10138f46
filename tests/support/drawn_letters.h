// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <utility>

#include <imgui.h>

namespace fos::test {

// Every letter drawn, in the order of the draw lists, recovered from the atlas positions of its
// quads. Blanks are not drawn.
inline std::string DrawnLetters() {
  std::map<std::pair<float, float>, ImWchar> letters;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    for (const ImFontGlyph& glyph : font->Glyphs) {
      if (glyph.Visible != 0) letters[{glyph.U0, glyph.V0}] = static_cast<ImWchar>(glyph.Codepoint);
    }
  }
  std::string out;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      // A letter's quad has six indices, the first of them its upper left corner. Triangles of
      // other shapes lie between.
      for (unsigned at = 0; at + 6 <= command.ElemCount;) {
        const ImDrawIdx* index = &list.IdxBuffer[static_cast<int>(command.IdxOffset + at)];
        const ImDrawVert& corner = list.VtxBuffer[static_cast<int>(command.VtxOffset + index[0])];
        const auto letter = letters.find({corner.uv.x, corner.uv.y});
        if (letter == letters.end()) {
          at += 3;
          continue;
        }
        if (letter->second < 128) out += static_cast<char>(letter->second);
        at += 6;
      }
    }
  }
  return out;
}

}  // namespace fos::test
