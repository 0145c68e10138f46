// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/table/scenario.h"
#include "engine/table/vec2.h"

// A diagram as a list of marks, drawn alike in HTML (as SVG) and in the PDF.
// Units are the drawing's own; x points right and y down.
namespace fos {

// The report's text: the main colour, and that of notes.
inline constexpr Colour kInk{40, 36, 30};
inline constexpr Colour kFaint{130, 122, 106};

struct Ink {
  std::optional<Colour> fill;
  std::optional<Colour> stroke;
  double width = 1;
  double opacity = 1;
  double dash = 0;  // length of a dash and of a gap; 0: a solid line
};
struct Outline {
  std::vector<std::vector<Vec2>> lines;
  bool closed = false;
  Ink ink;
};
struct Disc {
  Vec2 centre;
  double radius = 1;
  Ink ink;
};
struct Label {
  enum class Anchor { kStart, kMiddle, kEnd };
  Vec2 at;  // of the baseline
  std::string text;
  double size = 10;
  Colour colour;
  Anchor anchor = Anchor::kMiddle;
  bool bold = false;
  bool halo = false;  // a light outline, readable on any background
};
using DrawnMark = std::variant<Outline, Disc, Label>;

struct Drawing {
  double width = 0;
  double height = 0;
  std::string title;             // for screen readers
  std::vector<DrawnMark> marks;  // later marks cover earlier ones

  void Line(Vec2 a, Vec2 b, const Ink& ink) { marks.push_back(Outline{{{a, b}}, false, ink}); }
  void Shape(std::vector<Vec2> corners, const Ink& ink) {
    marks.push_back(Outline{{std::move(corners)}, true, ink});
  }
  void Box(Vec2 corner, Vec2 size, const Ink& ink) {
    Shape({corner, corner + Vec2{size.x, 0}, corner + size, corner + Vec2{0, size.y}}, ink);
  }
};

// An <svg> element, for an HTML page or a file of its own.
std::string ToSvg(const Drawing& drawing);
// Replaces &, <, > and quotes by entities; what PlainText replaces, by U+FFFD.
std::string Escaped(const std::string& text);
// "#2f4fa8"
std::string HexOf(Colour colour);

}  // namespace fos
