// SPDX-License-Identifier: MIT
#include "ui/report/report.h"

#include <cairo-pdf.h>
#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <opencv2/imgcodecs.hpp>

#include "engine/files/plain_text.h"
#include "engine/rules/rule_sets.h"
#include "engine/table/sentence.h"
#include "ui/report/battle_map.h"
#include "ui/report/drawing.h"

namespace fos {
namespace {

// A4 in points, and the margin that printers need.
constexpr double kPageWidth = 595.28, kPageHeight = 841.89, kEdge = 48;
constexpr double kText = kPageWidth - 2 * kEdge;
constexpr const char* kSerif = "DejaVu Serif";
constexpr const char* kSans = "DejaVu Sans";

struct CloseSurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ClosePen {
  void operator()(cairo_t* pen) const { cairo_destroy(pen); }
};
using Surface = std::unique_ptr<cairo_surface_t, CloseSurface>;

cairo_status_t Append(void* into, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(into)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void SetColour(cairo_t* pen, Colour c, double opacity = 1) {
  cairo_set_source_rgba(pen, c.r / 255.0, c.g / 255.0, c.b / 255.0, opacity);
}

// Cairo needs valid UTF-8.
std::string Clean(const std::string& text) {
  std::string out;
  const std::string escaped = Escaped(text);
  // Escaped() repairs the bytes; its entities are reverted.
  static const std::pair<const char*, const char*> kEntities[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (std::size_t at = 0; at < escaped.size();) {
    bool entity = false;
    for (const auto& [from, to] : kEntities) {
      if (escaped.compare(at, std::strlen(from), from) != 0) continue;
      out += to;
      at += std::strlen(from);
      entity = true;
      break;
    }
    if (!entity) out += escaped[at++];
  }
  return out;
}

// The text as the font that is set can show it. Cairo draws an empty box for each letter that the
// font lacks (an emoji, Chinese): its number in Unicode is written instead.
std::string InFontOf(cairo_t* pen, const std::string& text) {
  const std::string clean = Clean(text);
  cairo_scaled_font_t* const font = cairo_get_scaled_font(pen);
  std::string out;
  for (std::size_t at = 0; at < clean.size();) {
    const std::size_t length = std::max<std::size_t>(Utf8SequenceAt(clean, at), 1);
    const std::string letter = clean.substr(at, length);
    at += length;
    cairo_glyph_t* glyphs = nullptr;
    int count = 0;
    // Letters of ASCII are in every font.
    const bool lacks = length > 1 &&
                       cairo_scaled_font_text_to_glyphs(
                           font, 0, 0, letter.data(), static_cast<int>(length), &glyphs, &count,
                           nullptr, nullptr, nullptr) == CAIRO_STATUS_SUCCESS &&
                       count > 0 && glyphs[0].index == 0;
    cairo_glyph_free(glyphs);
    out += lacks ? fmt::format("[U+{:04X}]", static_cast<unsigned>(CharacterOf(letter))) : letter;
  }
  return out;
}

struct Painter {
  cairo_t* pen;

  void operator()(const Outline& shape) const {
    cairo_new_path(pen);
    for (const auto& line : shape.lines) {
      cairo_new_sub_path(pen);
      for (const Vec2 p : line) cairo_line_to(pen, p.x, p.y);
      if (shape.closed) cairo_close_path(pen);
    }
    Paint(shape.ink);
  }
  void operator()(const Disc& disc) const {
    cairo_new_path(pen);
    cairo_arc(pen, disc.centre.x, disc.centre.y, std::max(disc.radius, 0.1), 0, 6.283185307179586);
    Paint(disc.ink);
  }
  void operator()(const Label& label) const {
    cairo_select_font_face(pen, kSans, CAIRO_FONT_SLANT_NORMAL,
                           label.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(pen, label.size * 0.94);
    const std::string text = InFontOf(pen, label.text);
    cairo_text_extents_t size;
    cairo_text_extents(pen, text.c_str(), &size);
    const double shift = label.anchor == Label::Anchor::kStart    ? 0
                         : label.anchor == Label::Anchor::kMiddle ? size.x_advance / 2
                                                                  : size.x_advance;
    cairo_move_to(pen, label.at.x - shift, label.at.y);
    if (label.halo) {
      cairo_text_path(pen, text.c_str());
      SetColour(pen, {255, 253, 246});
      cairo_set_line_width(pen, label.size * 0.28);
      cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND);
      cairo_set_dash(pen, nullptr, 0, 0);
      cairo_stroke(pen);
      cairo_move_to(pen, label.at.x - shift, label.at.y);
    }
    SetColour(pen, label.colour);
    cairo_show_text(pen, text.c_str());
  }
  void Paint(const Ink& ink) const {
    if (ink.fill) {
      SetColour(pen, *ink.fill, ink.opacity);
      ink.stroke ? cairo_fill_preserve(pen) : cairo_fill(pen);
    }
    if (!ink.stroke) return;
    SetColour(pen, *ink.stroke, ink.opacity);
    cairo_set_line_width(pen, ink.width);
    cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(pen, CAIRO_LINE_CAP_ROUND);
    cairo_set_dash(pen, &ink.dash, ink.dash > 0 ? 1 : 0, 0);
    cairo_stroke(pen);
  }
};

// Writes pages from top to bottom, and starts a new page when one is full.
class Sheets {
 public:
  explicit Sheets(std::string title)
      : surface_(cairo_pdf_surface_create_for_stream(&Append, &bytes_, kPageWidth, kPageHeight)),
        pen_(cairo_create(surface_.get())),
        title_(std::move(title)) {
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_TITLE, Clean(title_).c_str());
  }

  double Left() const { return kPageHeight - kEdge - y_; }
  void Need(double height) {
    if (y_ > kEdge && Left() < height) Turn();
  }
  void Gap(double height) { y_ += height; }

  void Heading(const std::string& text, double keep_with = 120) {
    Gap(y_ > kEdge ? 16 : 0);
    Need(30 + keep_with);
    Font(kSerif, 16, true);
    SetColour(pen_.get(), kInk);
    Put(kEdge, y_ + 14, text);
    y_ += 21;
    Rule(1.2, kInk);
    y_ += 8;
  }
  void Rule(double width, Colour colour) {
    SetColour(pen_.get(), colour);
    cairo_set_line_width(pen_.get(), width);
    cairo_set_dash(pen_.get(), nullptr, 0, 0);
    cairo_move_to(pen_.get(), kEdge, y_);
    cairo_line_to(pen_.get(), kPageWidth - kEdge, y_);
    cairo_stroke(pen_.get());
  }
  void Paragraph(const std::string& text, double size, Colour colour = kInk, bool bold = false,
                 double indent = 0, const char* face = kSerif) {
    for (const std::string& line : Lines(text, size, bold, indent, face)) {
      Need(size * kLine);
      Font(face, size, bold);
      SetColour(pen_.get(), colour);
      Put(kEdge + indent, y_ + size, line);
      y_ += size * kLine;
    }
  }
  double HeightOf(const std::string& text, double size, bool bold = false,
                  const char* face = kSerif) {
    return size * kLine * static_cast<double>(Lines(text, size, bold, 0, face).size());
  }
  // Columns at these distances from the left edge. A text that reaches into the next loses its end.
  void Row(const std::vector<std::pair<double, std::string>>& cells, double size, Colour colour,
           bool bold = false) {
    Need(size * 1.6);
    Font(kSans, size, bold);
    SetColour(pen_.get(), colour);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto& [x, text] = cells[i];
      const double next = i + 1 < cells.size() ? cells[i + 1].first - 6 : kText;
      Put(kEdge + x, y_ + size, Within(text, next - x));
    }
    y_ += size * 1.6;
  }
  static double ScaleOf(const Drawing& drawing, double width) {
    const double most = kPageHeight - 2 * kEdge - 40;
    return std::min(width / std::max(drawing.width, 1.0), most / std::max(drawing.height, 1.0));
  }
  // The least height that Draw takes of a page.
  static double LeastHeight(const Drawing& drawing, double width) {
    return kLegible * drawing.height * ScaleOf(drawing, width) + 4;
  }
  // below  the height of what should fit on the same page beneath it: the drawing becomes smaller
  //        for that, and in order to fit the page itself, but stays legible.
  void Draw(const Drawing& drawing, double width, double below = 0) {
    double scale = ScaleOf(drawing, width);
    const double room = (Left() - 4 - below) / std::max(drawing.height, 1.0);
    if (room < scale && room >= kLegible * scale) scale = room;
    Need(drawing.height * scale + 4);
    cairo_save(pen_.get());
    cairo_translate(pen_.get(), kEdge + (kText - drawing.width * scale) / 2, y_);
    cairo_scale(pen_.get(), scale, scale);
    cairo_rectangle(pen_.get(), 0, 0, drawing.width, drawing.height);
    cairo_clip(pen_.get());
    for (const DrawnMark& mark : drawing.marks) std::visit(Painter{pen_.get()}, mark);
    cairo_restore(pen_.get());
    y_ += drawing.height * scale + 4;
  }
  // Embeds a JPEG without decoding it.
  void Picture(const std::string& jpeg) {
    const cv::Mat size =
        cv::imdecode(std::vector<unsigned char>(jpeg.begin(), jpeg.end()), cv::IMREAD_COLOR);
    if (size.empty()) return;
    const Surface image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, size.cols, size.rows));
    if (cairo_surface_status(image.get()) != CAIRO_STATUS_SUCCESS) return;
    auto* kept = static_cast<unsigned char*>(std::malloc(jpeg.size()));
    if (!kept) return;
    std::memcpy(kept, jpeg.data(), jpeg.size());
    cairo_surface_set_mime_data(image.get(), CAIRO_MIME_TYPE_JPEG, kept, jpeg.size(), &std::free,
                                kept);
    double scale = kText / size.cols;
    scale = std::min(scale, (kPageHeight - 2 * kEdge - 60) / size.rows);
    Need(size.rows * scale + 6);
    cairo_save(pen_.get());
    cairo_translate(pen_.get(), kEdge, y_);
    cairo_scale(pen_.get(), scale, scale);
    cairo_set_source_surface(pen_.get(), image.get(), 0, 0);
    cairo_paint(pen_.get());
    cairo_restore(pen_.get());
    y_ += size.rows * scale + 6;
  }
  void Bar(double x, double width, double height, Colour colour) {
    SetColour(pen_.get(), colour);
    cairo_rectangle(pen_.get(), kEdge + x, y_, width, height);
    cairo_fill(pen_.get());
  }
  void Turn() {
    Foot();
    cairo_show_page(pen_.get());
    y_ = kEdge;
    ++page_;
  }

  Result<std::string> Finished() && {
    Foot();
    pen_.reset();
    cairo_surface_finish(surface_.get());
    if (cairo_surface_status(surface_.get()) != CAIRO_STATUS_SUCCESS) {
      return Error{ErrorCode::kIo, "the report could not be drawn; free some memory"};
    }
    surface_.reset();
    return std::move(bytes_);
  }

 private:
  static constexpr double kLine = 1.45;    // of a letter's size, from line to line
  static constexpr double kLegible = 0.7;  // of a drawing's usual size

  // The lines that a text takes.
  std::vector<std::string> Lines(const std::string& text, double size, bool bold, double indent,
                                 const char* face) {
    Font(face, size, bold);
    std::istringstream words(InFontOf(pen_.get(), text));
    std::vector<std::string> out;
    for (std::string word; words >> word;) {
      const std::string longer = out.empty() ? word : out.back() + ' ' + word;
      if (out.empty() || Width(longer) > kText - indent) {
        out.push_back(word);
      } else {
        out.back() = longer;
      }
    }
    return out;
  }
  // The text, or its beginning and an ellipsis, in the font that is set.
  std::string Within(const std::string& text, double width) {
    std::string out = InFontOf(pen_.get(), text);
    if (Width(out) <= width) return out;
    const std::string ellipsis = "\u2026";
    while (!out.empty() && Width(out + ellipsis) > width) {
      while (out.size() > 1 && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80)
        out.pop_back();
      out.pop_back();
    }
    return out + ellipsis;
  }
  void Font(const char* face, double size, bool bold) {
    cairo_select_font_face(pen_.get(), face, CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(pen_.get(), size);
  }
  double Width(const std::string& text) {
    cairo_text_extents_t size;
    cairo_text_extents(pen_.get(), text.c_str(), &size);
    return size.x_advance;
  }
  void Put(double x, double y, const std::string& text) {
    cairo_move_to(pen_.get(), x, y);
    cairo_show_text(pen_.get(), InFontOf(pen_.get(), text).c_str());
  }
  void Foot() {
    Font(kSans, 8, false);
    SetColour(pen_.get(), kFaint);
    Put(kEdge, kPageHeight - 24, title_);
    const std::string number = fmt::format("{}", page_);
    Put(kPageWidth - kEdge - Width(number), kPageHeight - 24, number);
  }

  std::string bytes_;
  Surface surface_;
  std::unique_ptr<cairo_t, ClosePen> pen_;
  std::string title_;
  double y_ = kEdge;
  int page_ = 1;
};

void Armies(Sheets& sheets, const Battle& battle) {
  sheets.Heading("Order of battle");
  for (std::size_t i = 0; i < battle.sides.size(); ++i) {
    sheets.Need(60);
    sheets.Row({{0, battle.sides[i].name}}, 10, battle.sides[i].colour, true);
    sheets.Row({{0, "unit"}, {130, "kind"}, {340, "start"}, {400, "left"}}, 8, kFaint);
    for (const UnitLine& unit : ShortOrder(battle, static_cast<int>(i))) {
      sheets.Row({{0, unit.unit},
                  {130, KeyInWords(unit.kind)},
                  {340, fmt::format("{}", unit.start)},
                  {400, fmt::format("{}", unit.left)}},
                 8.5, unit.left == 0 ? kFaint : kInk);
    }
    sheets.Gap(6);
  }
}

}  // namespace

Result<std::string> ReportPdf(const Battle& battle,
                              const std::vector<ShooterRecord>& shooters) try {
  Sheets sheets(battle.name + ", " + LongDay(battle.day));
  sheets.Paragraph(battle.name, 30, kInk, true);
  sheets.Paragraph(fmt::format("A battle report, {}, {} rules", LongDay(battle.day),
                               RuleSetTitle(battle.ruleset)),
                   11, kFaint);
  sheets.Gap(8);
  sheets.Paragraph(fmt::format("{}", fmt::join(Summary(battle), " ")), 12.5);
  sheets.Gap(10);
  for (std::size_t i = 0; i < battle.sides.size(); ++i) {
    const BattleSide& side = battle.sides[i];
    const bool counted = !battle.strength.empty() && i < battle.strength.back().lost.size();
    sheets.Bar(0, 5, 15, side.colour);
    std::string line = side.name;
    if (!side.players.empty()) line += fmt::format(" ({})", fmt::join(side.players, ", "));
    std::vector<std::string> counts;
    if (i < battle.points.size()) counts.push_back(fmt::format("{:g} points", battle.points[i]));
    if (counted) counts.push_back(fmt::format("{} lost", battle.strength.back().lost[i]));
    if (!counts.empty()) line += fmt::format(": {}", fmt::join(counts, ", "));
    sheets.Paragraph(line, 11, kInk, true, 14, kSans);
    sheets.Gap(2);
  }
  if (!battle.turns.empty()) {
    const Drawing key = MapKey(battle);
    const Drawing map = StartMap(battle);
    sheets.Heading("The deployment",
                   Sheets::LeastHeight(key, kText) + Sheets::LeastHeight(map, kText) + 20);
    sheets.Draw(key, kText);
    sheets.Draw(map, kText);
  }
  if (!battle.order.empty()) Armies(sheets, battle);
  for (const BattleTurn& turn : battle.turns) {
    sheets.Turn();
    sheets.Heading(turn.title, 0);
    const std::string cost = CostOf(battle, turn);
    const auto told = [](const BattlePhase& phase) {
      return fmt::format("{}", fmt::join(phase.sentences, " "));
    };
    double below = 6 + sheets.HeightOf(cost, 10, true);
    for (const BattlePhase& phase : turn.phases) {
      below += sheets.HeightOf(phase.name, 9, true, kSans) + sheets.HeightOf(told(phase), 10) + 3;
    }
    sheets.Draw(TurnMap(battle, turn), kText, below);
    sheets.Gap(6);
    for (const BattlePhase& phase : turn.phases) {
      if (!phase.name.empty()) {
        sheets.Need(9 * 1.45 + sheets.HeightOf("one line", 10));
        sheets.Paragraph(phase.name, 9, kFaint, true, 0, kSans);
      }
      sheets.Paragraph(told(phase), 10);
      sheets.Gap(3);
    }
    if (!cost.empty()) sheets.Paragraph(cost, 10, {150, 20, 20}, true);
  }
  if (AnyLosses(battle)) {
    sheets.Heading("Losses over time", 220);
    sheets.Draw(LossPlot(battle), kText);
  }
  if (!shooters.empty()) {
    sheets.Heading("The shooting");
    sheets.Row({{0, "player"},
                {110, "gun"},
                {210, "shots"},
                {250, "hits"},
                {290, "hits a shot"},
                {355, "from the centre"},
                {440, "in square"}},
               8, kFaint);
    for (const ShooterRecord& one : shooters) {
      sheets.Row(
          {{0, one.player},
           {110, one.gun},
           {210, fmt::format("{}", one.shots)},
           {250, fmt::format("{}", one.hits)},
           {290, fmt::format("{:.2f}", static_cast<double>(one.hits) / std::max(1, one.shots))},
           {355, one.measured > 0 ? fmt::format("{:.1f} in", one.error_in) : ""},
           {440, one.measured > 0 ? fmt::format("{:.0f} %", 100 * one.in_square) : ""}},
          8.5, kInk);
    }
  }
  if (!battle.disputes.empty()) {
    sheets.Heading("Disputed calls");
    for (const Dispute& dispute : battle.disputes) {
      sheets.Paragraph(dispute.what, 10.5, kInk, true);
      for (const std::string& word : dispute.decisions)
        sheets.Paragraph(word, 10.5, kInk, false, 14);
      if (!dispute.picture.empty()) sheets.Picture(dispute.picture);
      sheets.Gap(8);
    }
  }
  if (!battle.corrections.empty()) {
    sheets.Heading("Undone and corrected");
    for (const std::string& one : battle.corrections) sheets.Paragraph(one, 10);
  }
  sheets.Gap(14);
  sheets.Paragraph(LogSentence(battle), 8, kFaint, false, 0, kSans);
  return std::move(sheets).Finished();
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kBadFormat, std::string("a picture of the log: ") + e.what()};
}

std::string CairoVersion() { return cairo_version_string(); }

}  // namespace fos
