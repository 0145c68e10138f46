// SPDX-License-Identifier: MIT
#include "calibration/print/print_sheets.h"

#include <cairo-pdf.h>
#include <cairo.h>

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <opencv2/aruco.hpp>

#include "calibration/targets/dictionary.h"

namespace fos {
namespace {

constexpr double kPointsPerInch = 72;  // of a PDF
constexpr double kMargin_in = 0.5;     // printers leave some 0.25 in unprinted
constexpr double kRulers_in = 0.9;     // at the foot of each page

struct CloseSurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ClosePen {
  void operator()(cairo_t* pen) const { cairo_destroy(pen); }
};

cairo_status_t Append(void* into, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(into)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

// One PDF in the making; inches from the page's top left.
class Document {
 public:
  explicit Document(Paper paper)
      : paper_(paper),
        surface_(cairo_pdf_surface_create_for_stream(
            &Append, &bytes_, paper.width_in * kPointsPerInch, paper.height_in * kPointsPerInch)),
        pen_(cairo_create(surface_.get())) {
    cairo_scale(pen_.get(), kPointsPerInch, kPointsPerInch);
    cairo_select_font_face(pen_.get(), "sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  }

  // Starts a page; upright or on its side.
  void Page(const std::string& title, bool on_its_side) {
    if (pages_++ > 0) cairo_show_page(pen_.get());
    width_in_ = on_its_side ? paper_.height_in : paper_.width_in;
    height_in_ = on_its_side ? paper_.width_in : paper_.height_in;
    cairo_pdf_surface_set_size(surface_.get(), width_in_ * kPointsPerInch,
                               height_in_ * kPointsPerInch);
    Text(kMargin_in, kMargin_in, 0.14, title);
    Rulers();
  }
  double Width() const { return width_in_; }
  double Height() const { return height_in_; }
  double Foot() const { return height_in_ - kRulers_in; }  // what the rulers leave

  void Ink(double x, double y, const std::vector<InkRect>& ink) {
    cairo_set_source_rgb(pen_.get(), 0, 0, 0);
    // One path and one fill: rectangles that touch leave no hairline between them.
    for (const InkRect& r : ink) {
      cairo_rectangle(pen_.get(), x + r.x_in, y + r.y_in, r.width_in, r.height_in);
    }
    cairo_fill(pen_.get());
  }
  void Box(double x, double y, double width, double height, Colour c) {
    cairo_set_source_rgb(pen_.get(), c.r / 255.0, c.g / 255.0, c.b / 255.0);
    cairo_rectangle(pen_.get(), x, y, width, height);
    cairo_fill(pen_.get());
  }
  void Line(double x0, double y0, double x1, double y1) {
    Thin();
    cairo_move_to(pen_.get(), x0, y0);
    cairo_line_to(pen_.get(), x1, y1);
    cairo_stroke(pen_.get());
  }
  void Frame(double x, double y, double width, double height) {
    Thin();
    cairo_rectangle(pen_.get(), x, y, width, height);
    cairo_stroke(pen_.get());
  }
  void Circle(double x, double y, double radius) {
    Thin();
    cairo_new_sub_path(pen_.get());
    cairo_arc(pen_.get(), x, y, radius, 0, 6.283185307179586);
    cairo_stroke(pen_.get());
  }
  void Text(double x, double y, double size, const std::string& text) {
    cairo_set_source_rgb(pen_.get(), 0, 0, 0);
    cairo_set_font_size(pen_.get(), size);
    cairo_move_to(pen_.get(), x, y);
    cairo_show_text(pen_.get(), text.c_str());
  }

  // Ends at x.
  void TextTo(double x, double y, double size, const std::string& text) {
    Text(x - Across(size, text), y, size, text);
  }
  double Across(double size, const std::string& text) {
    cairo_set_font_size(pen_.get(), size);
    cairo_text_extents_t extents;
    cairo_text_extents(pen_.get(), text.c_str(), &extents);
    return extents.x_advance;
  }

  Result<std::string> Finish() {
    cairo_surface_finish(surface_.get());
    const cairo_status_t pen = cairo_status(pen_.get());
    const cairo_status_t surface = cairo_surface_status(surface_.get());
    if (pen != CAIRO_STATUS_SUCCESS || surface != CAIRO_STATUS_SUCCESS) {
      return Error{
          ErrorCode::kIo,
          fmt::format("the sheets cannot be drawn: {}",
                      cairo_status_to_string(pen != CAIRO_STATUS_SUCCESS ? pen : surface))};
    }
    return bytes_;
  }

 private:
  void Thin() {
    constexpr double kHairline_in = 0.008;
    cairo_set_source_rgb(pen_.get(), 0, 0, 0);
    cairo_set_line_width(pen_.get(), kHairline_in);
  }
  // Four inches and ten centimetres: a printer that fits to the page shrinks both by some percent.
  void Rulers() {
    const double y = height_in_ - kMargin_in;
    const double x = kMargin_in;
    Line(x, y, x + 4, y);
    for (int i = 0; i <= 16; ++i)
      Line(x + 0.25 * i, y, x + 0.25 * i, y - (i % 4 == 0 ? 0.15 : 0.08));
    Text(x, y + 0.15, 0.1, "exactly 4 inches; if it is not, print at 100 %");
    const double left = width_in_ - kMargin_in - 100 / 25.4;
    Line(left, y - 0.3, left + 100 / 25.4, y - 0.3);
    for (int i = 0; i <= 10; ++i) {
      Line(left + i / 2.54, y - 0.3, left + i / 2.54, y - (i % 5 == 0 ? 0.42 : 0.37));
    }
    // At its right end: the left end lies over the other ruler on an upright page.
    TextTo(left + 100 / 25.4, y - 0.15, 0.1, "exactly 100 mm");
  }

  Paper paper_;
  std::string bytes_;  // before the surface, which writes to it until it is destroyed
  std::unique_ptr<cairo_surface_t, CloseSurface> surface_;
  std::unique_ptr<cairo_t, ClosePen> pen_;
  double width_in_ = 0;
  double height_in_ = 0;
  int pages_ = 0;
};

Status MarkerPages(const FiducialSpec& spec, Document& pdf) {
  // White as wide as two modules all round, and a little to cut in.
  const double white = spec.size_in / 3;
  const double cell = spec.size_in + 2 * white + 0.3;
  double x = kMargin_in;
  double y = 0;
  bool page = false;
  for (const FiducialMarker& marker : spec.markers) {
    const auto ink = MarkerInk(spec.dictionary, marker.id, spec.size_in);
    if (!ink.ok()) return ink.error();
    if (page && x + cell > pdf.Width() - kMargin_in) {
      x = kMargin_in;
      y += cell + 0.2;
    }
    if (!page || y + cell > pdf.Foot()) {
      pdf.Page("Corner markers: cut along the lines, lay them flat, top edge to the north", false);
      page = true;
      x = kMargin_in;
      y = 2 * kMargin_in;
      if (x + cell > pdf.Width() || y + cell > pdf.Foot()) {
        return Error{ErrorCode::kOutOfRange,
                     fmt::format("a marker of {:g} in does not fit the paper; make size in "
                                 "table.toml smaller",
                                 spec.size_in)};
      }
    }
    pdf.Frame(x, y, spec.size_in + 2 * white, spec.size_in + 2 * white);
    pdf.Ink(x + white, y + white, *ink);
    pdf.Text(x, y + spec.size_in + 2 * white + 0.15, 0.11,
             fmt::format("marker {}: centre at ({:g}, {:g}) in", marker.id, marker.centre.x,
                         marker.centre.y));
    x += cell;
  }
  return Ok();
}

Status CharucoPage(const CharucoSpec& board, Document& pdf, Paper paper) {
  const auto ink = CharucoInk(board);
  if (!ink.ok()) return ink.error();
  const double width = board.squares_x * board.square_length_in;
  const double height = board.squares_y * board.square_length_in;
  const auto fits = [&](double across, double down) {
    return width <= across - kMargin_in && height <= down - kRulers_in - 0.7;
  };
  const bool upright = fits(paper.width_in, paper.height_in);
  if (!upright && !fits(paper.height_in, paper.width_in)) {
    return Error{ErrorCode::kOutOfRange,
                 fmt::format("the ChArUco board of {:g} x {:g} in does not fit the paper; make "
                             "square_length in table.toml smaller",
                             width, height)};
  }
  pdf.Page("ChArUco board: glue it to something flat and stiff", !upright);
  pdf.Ink((pdf.Width() - width) / 2, 0.65, *ink);
  return Ok();
}

void TemplatePage(const TableSpec& table, const Scenario* scenario, Document& pdf) {
  pdf.Page("Grid template and hit circle", false);
  const double side = table.frame.square_in;
  const double x = kMargin_in + 0.5;
  const double y = 2 * kMargin_in + 0.5;
  const double square = std::min({side, pdf.Width() - 2 * x, pdf.Foot() - y - 3.2});
  // Corners to prick through, with arms that line up with what is drawn already.
  if (square >= side) {
    for (const double cx : {x, x + side}) {
      for (const double cy : {y, y + side}) {
        pdf.Line(cx - 0.4, cy, cx + 0.4, cy);
        pdf.Line(cx, cy - 0.4, cx, cy + 0.4);
      }
    }
    pdf.Frame(x, y, side, side);
    pdf.Text(x + 0.2, y + side / 2, 0.12, fmt::format("one square: {:g} in", side));
  } else {
    pdf.Text(
        x, y + 0.3, 0.12,
        fmt::format("a square of {:g} in does not fit this paper: use a carpenter's square", side));
  }
  double radius = 1;
  if (scenario != nullptr && !scenario->projectiles.empty()) {
    radius = scenario->projectiles.front().hit_radius_in;
  }
  const double cy = pdf.Foot() - 0.3 - radius;
  const double cx = kMargin_in + 0.3 + radius;
  if (radius < 1.6) {
    pdf.Circle(cx, cy, radius);
    pdf.Line(cx - 0.1, cy, cx + 0.1, cy);
    pdf.Line(cx, cy - 0.1, cx, cy + 0.1);
    pdf.Text(cx + radius + 0.2, cy, 0.12, fmt::format("hit circle: radius {:g} in", radius));
  }
}

// The sides' paints, then every kind's base as each side has it: the bar along its front edge, true
// to size, so that a painted base can be laid on its patch.
void PaintPages(const Scenario& scenario, Document& pdf) {
  const char* kTitle = "Paints and bars: hold a base beside its patch under the table's light";
  pdf.Page(kTitle, false);
  double y = 2 * kMargin_in + 0.2;
  const auto room = [&](double height) {
    if (y + height <= pdf.Foot()) return;
    pdf.Page(kTitle, false);
    y = 2 * kMargin_in + 0.2;
  };
  const auto code = [](Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); };
  for (const SideSpec& side : scenario.sides) {
    room(0.7);
    pdf.Box(kMargin_in, y, 1.2, 0.5, side.paint);
    pdf.Text(kMargin_in + 1.4, y + 0.3, 0.13,
             fmt::format("paint of {}: {}", side.name, code(side.paint)));
    y += 0.7;
  }
  std::vector<SideSpec> sides = scenario.sides;
  if (sides.empty()) sides.push_back({"", {128, 128, 128}, Facing::kSouth});
  constexpr double kGap_in = 0.2;
  constexpr double kName_in = 0.1;
  const double across = pdf.Width() - 2 * kMargin_in;
  double widest = 0;
  for (const SideSpec& side : sides) widest = std::max(widest, pdf.Across(kName_in, side.name));
  for (const KindSpec& kind : scenario.kinds) {
    const double width = std::min(kind.footprint.width_in, across);
    const double depth = std::min(kind.footprint.depth_in, 4.0);
    constexpr double kLine_in = 0.2;  // of text below each base
    const double step = std::max(width, widest) + kGap_in;
    const auto in_a_row =
        std::max<std::size_t>(1, static_cast<std::size_t>((across + kGap_in) / step));
    room(depth + 2 * kLine_in);
    pdf.Text(
        kMargin_in, y + 0.13, 0.12,
        fmt::format("{}: {:g} x {:g} in, bar {:g} in deep, {}", kind.name, kind.footprint.width_in,
                    kind.footprint.depth_in, kind.bar_depth_in, code(kind.bar)));
    y += kLine_in;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (i > 0 && i % in_a_row == 0) {
        y += depth + 2 * kLine_in;
        room(depth + kLine_in);
      }
      const double x = kMargin_in + static_cast<double>(i % in_a_row) * step;
      pdf.Box(x, y, width, depth, sides[i].paint);
      pdf.Box(x, y, width, std::min(kind.bar_depth_in, depth), kind.bar);
      pdf.Frame(x, y, width, depth);
      pdf.Text(x, y + depth + 0.13, kName_in, sides[i].name);
    }
    y += depth + 2 * kLine_in;
  }
}

}  // namespace

Result<std::vector<InkRect>> MarkerInk(const std::string& dictionary, int id, double size_in) {
  const auto found = DictionaryNamed(dictionary);
  if (!found.ok()) return found.error();
  if (id < 0 || id >= found.value()->bytesList.rows) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{} has no marker {}; ids go from 0 to {}", dictionary, id,
                             found.value()->bytesList.rows - 1)};
  }
  if (!(size_in > 0)) return Error{ErrorCode::kBadFormat, "a marker's size must be above 0"};
  const int modules = found.value()->markerSize + 2;
  cv::Mat bits;
  cv::aruco::drawMarker(found.value(), id, modules, bits, 1);
  const double module = size_in / modules;
  std::vector<InkRect> ink;
  for (int y = 0; y < modules; ++y) {
    for (int x = 0; x < modules; ++x) {
      if (bits.at<std::uint8_t>(y, x) > 0) continue;
      int end = x;
      while (end < modules && bits.at<std::uint8_t>(y, end) == 0) ++end;
      ink.push_back({x * module, y * module, (end - x) * module, module});
      x = end;
    }
  }
  return ink;
}

Result<std::vector<InkRect>> CharucoInk(const CharucoSpec& board) {
  const auto dictionary = DictionaryNamed(board.dictionary);
  if (!dictionary.ok()) return dictionary.error();
  constexpr int kMostSquares = 100;
  if (board.squares_x < 2 || board.squares_y < 2 || board.squares_x > kMostSquares ||
      board.squares_y > kMostSquares || !(board.marker_length_in > 0) ||
      !(board.square_length_in > board.marker_length_in) ||
      board.squares_x * board.squares_y / 2 > dictionary.value()->bytesList.rows) {
    return Error{ErrorCode::kBadFormat,
                 "[charuco] is no board that can be: check squares, lengths and dictionary"};
  }
  const double side = board.square_length_in;
  const double inset = (side - board.marker_length_in) / 2;
  std::vector<InkRect> ink;
  int id = 0;
  for (int y = 0; y < board.squares_y; ++y) {
    for (int x = 0; x < board.squares_x; ++x) {
      if ((x + y) % 2 == 0) {
        ink.push_back({x * side, y * side, side, side});
        continue;
      }
      const auto marker = MarkerInk(board.dictionary, id++, board.marker_length_in);
      if (!marker.ok()) return marker.error();
      for (InkRect r : *marker) {
        r.x_in += x * side + inset;
        r.y_in += y * side + inset;
        ink.push_back(r);
      }
    }
  }
  return ink;
}

Result<std::string> SheetsPdf(const TableSpec& table, const Scenario* scenario, Paper paper) {
  Document pdf(paper);
  if (table.fiducials) {
    const Status markers = MarkerPages(*table.fiducials, pdf);
    if (!markers.ok()) return markers.error();
  }
  const Status board = CharucoPage(table.charuco.value_or(UsualCharuco()), pdf, paper);
  if (!board.ok()) return board.error();
  TemplatePage(table, scenario, pdf);
  if (scenario != nullptr) PaintPages(*scenario, pdf);
  return pdf.Finish();
}

}  // namespace fos
