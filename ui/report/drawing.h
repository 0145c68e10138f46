#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/table/scenario.h"
#include "engine/table/vec2.h"

// A diagram as a list of marks, drawn the same on a page of HTML (SVG) and on one of a PDF.
// Units are the drawing's own; x runs right and y down.
namespace fos {

struct Ink {
  std::optional<Colour> fill;
  std::optional<Colour> stroke;
  double width = 1;
  double opacity = 1;
  double dash = 0;  // length of a dash and of a gap; 0: a full line
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
  bool halo = false;  // light behind the letters, to be read on anything
};
using DrawnMark = std::variant<Outline, Disc, Label>;

struct Drawing {
  double width = 0;
  double height = 0;
  std::string title;             // for people who hear the page read
  std::vector<DrawnMark> marks;  // the later over the earlier

  void Line(Vec2 a, Vec2 b, const Ink& ink) { marks.push_back(Outline{{{a, b}}, false, ink}); }
  void Shape(std::vector<Vec2> corners, const Ink& ink) {
    marks.push_back(Outline{{std::move(corners)}, true, ink});
  }
  void Box(Vec2 corner, Vec2 size, const Ink& ink) {
    Shape({corner, corner + Vec2{size.x, 0}, corner + size, corner + Vec2{0, size.y}}, ink);
  }
};

// The text of an element <svg>, for an HTML page or a file of its own.
std::string ToSvg(const Drawing& drawing);
// &, <, >, quotes as entities; bytes that are no UTF-8 and control characters as U+FFFD.
std::string Escaped(const std::string& text);
// "#2f4fa8"
std::string HexOf(Colour colour);

}  // namespace fos
