// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <imgui.h>

#include "ui/window/projection.h"
#include "ui/window/theme.h"

// Text that fills a place, for what is read from across the table.
namespace fos {

// Height of a capital letter over the font's size from ascent to descent, of DejaVu Sans Bold.
inline constexpr float kCapitalShare = 0.626F;

ImFont* HugeFont(const Theme& theme);
// The text in lines of at most that width, broken between words only: ImGui also breaks numbers at
// their points.
std::vector<std::string> LinesOf(ImFont* font, float size, const std::string& text, float width);
ImVec2 ExtentOf(ImFont* font, float size, const std::vector<std::string>& lines);
// The largest size up to `most` at which the text fits into `room`, wrapped between words.
float FittingSize(ImFont* font, const std::string& text, ImVec2 room, float most);
// Writes text that fits into the area, from its upper left corner. Returns its height.
float WriteFitting(ImDrawList& list, ImFont* font, const std::string& text, const ScreenRect& area,
                   float most, ImU32 colour);

}  // namespace fos
