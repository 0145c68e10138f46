// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

namespace fos::test {

struct DrawnLetter {
  ImWchar letter = 0;
  ImVec2 at;       // its upper left corner
  float size = 0;  // of its font as drawn, from ascent to descent, pixels
  bool cut = false;  // by the right edge of what it is drawn in
};
// Every letter drawn, in the order of the draw lists, recovered from the atlas positions of its
// quads. Blanks are not drawn.
inline std::vector<DrawnLetter> DrawnLetterList() {
  struct Known {
    ImWchar letter = 0;
    float size_by_height = 0;  // of the font's size to the letter's quad
  };
  std::map<std::pair<float, float>, Known> letters;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    for (const ImFontGlyph& glyph : font->Glyphs) {
      if (glyph.Visible != 0)
        letters[{glyph.U0, glyph.V0}] = {static_cast<ImWchar>(glyph.Codepoint),
                                         font->FontSize / (glyph.Y1 - glyph.Y0)};
    }
  }
  std::vector<DrawnLetter> out;
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
        const ImDrawVert& opposite = list.VtxBuffer[static_cast<int>(command.VtxOffset + index[2])];
        out.push_back({letter->second.letter, corner.pos,
                       letter->second.size_by_height * (opposite.pos.y - corner.pos.y),
                       opposite.pos.x > command.ClipRect.z});
        at += 6;
      }
    }
  }
  return out;
}
// Those of ASCII, as text.
inline std::string DrawnLetters() {
  std::string out;
  for (const DrawnLetter& drawn : DrawnLetterList())
    if (drawn.letter < 128) out += static_cast<char>(drawn.letter);
  return out;
}

// The size of the smallest letter drawn, from ascent to descent, pixels; 0: no letter is drawn.
inline float SmallestLetter() {
  struct Letter {
    float high = 0;  // of its quad at the font's own size
    float size = 0;  // of the font
  };
  std::map<std::pair<float, float>, Letter> letters;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    for (const ImFontGlyph& glyph : font->Glyphs)
      if (glyph.Visible != 0) letters[{glyph.U0, glyph.V0}] = {glyph.Y1 - glyph.Y0, font->FontSize};
  }
  float smallest = 0;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (int at = 0; at + 3 < list.VtxBuffer.Size; ++at) {
      // A letter's quad: its upper left corner, and its lower right one two vertices later.
      const auto letter = letters.find({list.VtxBuffer[at].uv.x, list.VtxBuffer[at].uv.y});
      if (letter == letters.end() || !(letter->second.high > 0)) continue;
      const float high = list.VtxBuffer[at + 2].pos.y - list.VtxBuffer[at].pos.y;
      const float size = letter->second.size * high / letter->second.high;
      if (high > 0 && (smallest == 0 || size < smallest)) smallest = size;
    }
  }
  return smallest;
}

}  // namespace fos::test
