// SPDX-License-Identifier: MIT
#include "ui/report/drawing.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/files/plain_text.h"

namespace fos {
namespace {

// A tenth of a unit is less than a pixel. NaN would break the whole picture.
std::string Num(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.1f}", value == 0 ? 0.0 : value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string Style(const Ink& ink) {
  std::string out = ink.fill ? fmt::format(" fill=\"{}\"", HexOf(*ink.fill)) : " fill=\"none\"";
  if (ink.stroke) {
    out += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", HexOf(*ink.stroke), Num(ink.width));
    if (ink.dash > 0) out += fmt::format(" stroke-dasharray=\"{0} {0}\"", Num(ink.dash));
    out += " stroke-linejoin=\"round\" stroke-linecap=\"round\"";
  }
  if (ink.opacity < 1) out += fmt::format(" opacity=\"{:.2f}\"", ink.opacity);
  return out;
}

struct Writer {
  std::string& out;

  void operator()(const Outline& shape) const {
    out += "<path d=\"";
    for (const auto& line : shape.lines) {
      char move = 'M';
      for (const Vec2 p : line) {
        out += fmt::format("{}{} {}", move, Num(p.x), Num(p.y));
        move = 'L';
      }
      if (shape.closed) out += 'Z';
    }
    out += fmt::format("\"{}/>", Style(shape.ink));
  }
  void operator()(const Disc& disc) const {
    out += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>", Num(disc.centre.x),
                       Num(disc.centre.y), Num(disc.radius), Style(disc.ink));
  }
  void operator()(const Label& label) const {
    const char* anchor = label.anchor == Label::Anchor::kStart    ? "start"
                         : label.anchor == Label::Anchor::kMiddle ? "middle"
                                                                  : "end";
    out += fmt::format(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}{}>{}"
        "</text>",
        Num(label.at.x), Num(label.at.y), Num(label.size), anchor, HexOf(label.colour),
        label.bold ? " font-weight=\"700\"" : "",
        label.halo ? fmt::format(" stroke=\"#fffdf6\" stroke-width=\"{}\" "
                                 "stroke-linejoin=\"round\" paint-order=\"stroke\"",
                                 Num(label.size * 0.28))
                   : "",
        Escaped(label.text));
  }
};

}  // namespace

std::string HexOf(Colour colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b);
}

std::string Escaped(const std::string& text) {
  std::string out;
  for (const char c : PlainText(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string ToSvg(const Drawing& drawing) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "font-family=\"'Source Sans 3','Noto Sans','DejaVu Sans',Helvetica,Arial,sans-serif\">"
      "<title>{}</title>",
      Num(drawing.width), Num(drawing.height), Escaped(drawing.title));
  for (const DrawnMark& mark : drawing.marks) std::visit(Writer{out}, mark);
  return out + "</svg>";
}

}  // namespace fos
