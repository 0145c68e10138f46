#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <imgui.h>

#include "ui/window/theme.h"

namespace fos {

enum class Stroke { kSolid, kDashed, kDotted };

// A line of the given stroke: what a colour says is said by the stroke too.
void DrawStroke(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float thickness,
                Stroke stroke);
// Words on a dark plate, readable over any picture; `centre` is the plate's middle.
void DrawPlate(ImDrawList& list, const Theme& theme, ImVec2 centre, const std::string& words,
               ImU32 colour, float size_px);
ImVec2 PlateSize(const Theme& theme, const std::string& words, float size_px);
// A word on a coloured lozenge, as a widget at the cursor.
void Chip(const Theme& theme, const char* word, ImU32 colour);
// A button with the key that does the same beside its name.
bool KeyButton(const Theme& theme, const char* name, const char* key);
void Title(const Theme& theme, const char* words);
// A game stepped through: buttons on and back, by one, by `leap` ("turn") and to either end, each
// with its key, and a slider that counts in `unit`s ("line") from 0 to last.
struct ReplayWidget {
  const char* leap;
  const char* unit;
  std::size_t at = 0;
  std::size_t last = 0;
};
void DrawReplayWidget(const Theme& theme, const ReplayWidget& shown,
                      const std::function<void(int key)>& press,
                      const std::function<void(std::size_t place)>& go);

}  // namespace fos
