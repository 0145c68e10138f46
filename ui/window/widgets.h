// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <imgui.h>

#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// A press that is held so long is a long press: a finger cannot click with the right button.
inline constexpr float kLongPress_s = 0.6F;

enum class Stroke { kSolid, kDashed, kDotted };

// Draws a line. Strokes differ so that nothing is told by colour alone.
void DrawStroke(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float thickness,
                Stroke stroke);
// What text over picture and map is written on.
inline constexpr ImU32 kPlate = Rgba(8, 10, 14, 215);
// The colour as it is written on a plate: as much lighter as it takes to be read there on white.
ImU32 OnPlate(ImU32 colour);
// Draws text on a dark plate, readable over any picture, centred on `centre`.
void DrawPlate(ImDrawList& list, const Theme& theme, ImVec2 centre, const std::string& words,
               ImU32 colour, float size_px);
ImVec2 PlateSize(const Theme& theme, const std::string& words, float size_px);
// A word on a coloured ground, as a widget at the cursor.
void Chip(const Theme& theme, const char* word, ImU32 colour);
// A die with that face ("?" for none yet), as a widget at the cursor.
void Die(const Theme& theme, const std::string& face, bool known);
// Goes on in the same line for a widget of that width where it fits into the window.
void SameLineFor(float width);
// A button with its name and the key that does the same.
bool KeyButton(const Theme& theme, const char* name, const char* key);
// Such buttons side by side, as many in a row as there is room for.
class KeyButtonRow {
 public:
  // beside  the first one goes on in the line of what was drawn last
  explicit KeyButtonRow(const Theme& theme, bool beside = false) : theme_(theme), beside_(beside) {}
  bool operator()(const char* name, const char* key);

 private:
  const Theme& theme_;
  bool beside_;
};
void Title(const Theme& theme, const char* words);
// The text in lines of at most that width in the current font, broken between words: ImGui also
// breaks numbers at their points. A word that is wider is broken where ImGui would.
std::vector<std::string> ParagraphLines(const std::string& words, float width);
// Text that wraps at the panel's edge. Empty text draws nothing but in Paragraph(words).
void Paragraph(const std::string& words);
void Paragraph(const std::string& words, ImU32 colour);
void FaintParagraph(const Theme& theme, const std::string& words);
// Faint and struck through.
void StruckParagraph(const Theme& theme, const std::string& words);
void WarningParagraph(const Theme& theme, const std::string& words);
// With a capital first letter.
std::string Capitalised(std::string words);
// "1 stand", "2 stands".
std::string Counted(std::size_t count, const char* thing);
// Controls of a replay: buttons forward and back by one `unit` ("line"), by one `leap` ("turn") and
// to either end, each with its key, and a slider from 0 to `last`.
struct ReplayWidget {
  const char* leap;
  const char* unit;
  std::size_t at = 0;
  std::size_t last = 0;
};
void DrawReplayWidget(const Theme& theme, const ReplayWidget& shown,
                      const std::function<void(int key)>& press,
                      const std::function<void(std::size_t place)>& go, ReplayPlay& play);

}  // namespace fos
