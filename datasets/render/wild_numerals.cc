// SPDX-License-Identifier: MIT
#include "datasets/render/wild_numerals.h"

#include <cairo.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "engine/table/shapes.h"

namespace fos {
namespace {

using Digits = NumeralLook::Digits;
using Mark = NumeralLook::Mark;

struct CloseSurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ClosePen {
  void operator()(cairo_t* pen) const { cairo_destroy(pen); }
};

// Numbers are drawn at this size, and made smaller for the dice.
constexpr double kDigit_px = 120;
constexpr int kWide_px = 480;
constexpr int kHigh_px = 320;
constexpr double kLeft_px = 80;
constexpr double kBase_px = 220;  // of the line the digits stand on

bool OfStrokes(Digits digits) { return digits == Digits::kRound || digits == Digits::kAngular; }

// The middle lines of a digit: x to the right in units of its height, y downwards from its top at 0
// to its foot at 1. A corner given twice stays sharp when the strokes are rounded.
struct Skeleton {
  double width;
  std::vector<std::vector<Vec2>> strokes;
};

Skeleton SkeletonOf(int digit, const NumeralLook& look) {
  const std::vector<Vec2> six{{0.5, 0},    {0.3, 0.08},  {0.08, 0.32}, {0, 0.6},
                              {0, 0.82},   {0.18, 1},    {0.42, 1},    {0.6, 0.82},
                              {0.6, 0.62}, {0.42, 0.44}, {0.18, 0.44}, {0.08, 0.55}};
  switch (digit) {
    case 0:
      return {0.6,
              {{{0.3, 0},
                {0.42, 0},
                {0.6, 0.2},
                {0.6, 0.8},
                {0.42, 1},
                {0.18, 1},
                {0, 0.8},
                {0, 0.2},
                {0.18, 0},
                {0.3, 0}}}};
    case 1:
      if (look.foot_of_one)
        return {0.44, {{{0, 0.22}, {0.22, 0}, {0.22, 0}, {0.22, 1}}, {{0, 1}, {0.44, 1}}}};
      return {0.26, {{{0, 0.22}, {0.26, 0}, {0.26, 0}, {0.26, 1}}}};
    case 2:
      return {0.6,
              {{{0, 0.25},
                {0.02, 0.12},
                {0.18, 0},
                {0.42, 0},
                {0.6, 0.14},
                {0.6, 0.34},
                {0.5, 0.5},
                {0, 1},
                {0, 1},
                {0.6, 1}}}};
    case 3:
      return {0.6,
              {{{0, 0.14},
                {0.16, 0},
                {0.42, 0},
                {0.58, 0.12},
                {0.58, 0.36},
                {0.42, 0.48},
                {0.22, 0.48}},
               {{0.22, 0.48},
                {0.42, 0.48},
                {0.6, 0.62},
                {0.6, 0.86},
                {0.42, 1},
                {0.16, 1},
                {0, 0.86}}}};
    case 4:
      if (look.open_four)
        return {0.6, {{{0.06, 0}, {0, 0.62}, {0, 0.62}, {0.6, 0.62}}, {{0.44, 0.3}, {0.44, 1}}}};
      return {0.62, {{{0.44, 1}, {0.44, 0}, {0.44, 0}, {0, 0.7}, {0, 0.7}, {0.62, 0.7}}}};
    case 5:
      return {0.6,
              {{{0.56, 0},
                {0.08, 0},
                {0.08, 0},
                {0.03, 0.45},
                {0.03, 0.45},
                {0.18, 0.38},
                {0.42, 0.38},
                {0.6, 0.54},
                {0.6, 0.84},
                {0.42, 1},
                {0.14, 1},
                {0, 0.88}}}};
    case 6:
      return {0.6, {six}};
    case 7:
      return {0.58, {{{0, 0}, {0.58, 0}, {0.58, 0}, {0.2, 1}}}};
    case 8:
      return {0.6,
              {{{0.3, 0},
                {0.42, 0},
                {0.56, 0.12},
                {0.56, 0.35},
                {0.42, 0.47},
                {0.18, 0.47},
                {0.04, 0.35},
                {0.04, 0.12},
                {0.18, 0},
                {0.3, 0}},
               {{0.3, 0.47},
                {0.42, 0.47},
                {0.6, 0.62},
                {0.6, 0.86},
                {0.42, 1},
                {0.18, 1},
                {0, 0.86},
                {0, 0.62},
                {0.18, 0.47},
                {0.3, 0.47}}}};
    default: {
      std::vector<Vec2> nine;
      for (const Vec2 p : six) nine.push_back({0.6 - p.x, 1 - p.y});
      return {0.6, {nine}};
    }
  }
}

// Cuts the corners of a line; its ends stay. source  Chaikin 1974
std::vector<Vec2> Rounded(std::vector<Vec2> line) {
  constexpr int kTimes = 3;
  for (int k = 0; k < kTimes; ++k) {
    std::vector<Vec2> next{line.front()};
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      next.push_back(0.75 * line[i] + 0.25 * line[i + 1]);
      next.push_back(0.25 * line[i] + 0.75 * line[i + 1]);
    }
    next.push_back(line.back());
    line = std::move(next);
  }
  return line;
}

// Adds a number in strokes of our own, from the pen's place at its foot. Returns its width.
double AddStrokes(cairo_t* pen, const NumeralLook& look, const std::string& number) {
  double x = 0;
  for (const char c : number) {
    const Skeleton digit = SkeletonOf(c - '0', look);
    if (x > 0) x += 0.16 + look.line;
    for (const std::vector<Vec2>& stroke : digit.strokes) {
      cairo_new_sub_path(pen);
      for (const Vec2 p : look.digits == Digits::kRound ? Rounded(stroke) : stroke)
        cairo_line_to(pen, kDigit_px * (x + p.x), kDigit_px * (p.y - 1));
    }
    x += digit.width;
  }
  return kDigit_px * x;
}

double AddLetters(cairo_t* pen, const NumeralLook& look, const std::string& number) {
  const char* const name = look.digits == Digits::kMono ? "DejaVu Sans Mono"
                           : look.digits == Digits::kSerif || look.digits == Digits::kSerifBold
                               ? "DejaVu Serif"
                               : "DejaVu Sans";
  const bool bold = look.digits == Digits::kSansBold || look.digits == Digits::kSerifBold;
  cairo_select_font_face(pen, name, CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  constexpr double kDigitOfEm = 0.729;  // the height of DejaVu's digits
  cairo_set_font_size(pen, kDigit_px / kDigitOfEm);
  cairo_move_to(pen, 0, 0);
  cairo_text_path(pen, number.c_str());
  cairo_text_extents_t size;
  cairo_text_extents(pen, number.c_str(), &size);
  return size.x_bearing + size.width;
}

// A dot at its foot, or a line below it, tells a 6 from a 9.
void AddMark(cairo_t* pen, const NumeralLook& look, double width_px) {
  const double thick = kDigit_px * (OfStrokes(look.digits) ? look.line : 0.11 + look.line);
  cairo_new_path(pen);
  if (look.mark == Mark::kDot) {
    const double radius = 0.6 * thick;
    cairo_arc(pen, width_px + 0.1 * kDigit_px + 1.2 * radius, -radius, radius, 0, 2 * CV_PI);
  } else {
    const double high = 0.75 * thick;
    cairo_rectangle(pen, 0, 0.1 * kDigit_px + 0.5 * thick, width_px, high);
  }
  cairo_fill(pen);
}

// A number on a sheet of kWide_px by kHigh_px.
cv::Mat Sheet(const NumeralLook& look, const std::string& number, bool marked) {
  const std::unique_ptr<cairo_surface_t, CloseSurface> surface(
      cairo_image_surface_create(CAIRO_FORMAT_A8, kWide_px, kHigh_px));
  {
    const std::unique_ptr<cairo_t, ClosePen> pen(cairo_create(surface.get()));
    cairo_matrix_t matrix;
    cairo_matrix_init(&matrix, look.wide, 0, -look.slant, 1, kLeft_px, kBase_px);
    cairo_set_matrix(pen.get(), &matrix);
    const bool round = look.digits == Digits::kRound;
    cairo_set_line_join(pen.get(), round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
    cairo_set_line_cap(pen.get(), round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_SQUARE);
    cairo_set_line_width(pen.get(), kDigit_px * look.line);
    const bool strokes = OfStrokes(look.digits);
    const double width =
        strokes ? AddStrokes(pen.get(), look, number) : AddLetters(pen.get(), look, number);
    if (!strokes) cairo_fill_preserve(pen.get());
    if (strokes || look.line > 0) cairo_stroke(pen.get());
    if (marked) AddMark(pen.get(), look, width);
  }
  cairo_surface_flush(surface.get());
  return cv::Mat(kHigh_px, kWide_px, CV_8UC1, cairo_image_surface_get_data(surface.get()),
                 static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get())))
      .clone();
}

}  // namespace

NumeralLook DrawNumeralLook(Draws& draws) {
  constexpr std::array<Digits, 9> kDigits{Digits::kSans,  Digits::kSansBold,  Digits::kSansBold,
                                          Digits::kSerif, Digits::kSerifBold, Digits::kMono,
                                          Digits::kRound, Digits::kRound,     Digits::kAngular};
  NumeralLook look;
  look.digits = draws.OneOf(kDigits);
  look.line = OfStrokes(look.digits) ? draws.Uniform(0.12, 0.24) : draws.Uniform(0, 0.06);
  look.wide = draws.Uniform(0.75, 1.08);
  look.slant = draws.Happens(0.15) ? draws.Uniform(0.05, 0.22) : 0;
  look.open_four = draws.Happens(0.3);
  look.foot_of_one = draws.Happens(0.3);
  constexpr double kMarked = 0.85;
  const bool dot = draws.Happens(0.5);
  look.mark = !draws.Happens(kMarked) ? Mark::kNone : dot ? Mark::kDot : Mark::kUnderline;
  return look;
}

NumeralInk InkOf(const NumeralLook& look, int number) {
  const bool marked = (number == 6 || number == 9) && look.mark != Mark::kNone;
  const cv::Mat sheet = Sheet(look, std::to_string(number), marked);
  return {sheet(cv::boundingRect(sheet)).clone(),
          static_cast<double>(cv::boundingRect(Sheet(look, "8", false)).height)};
}

}  // namespace fos
