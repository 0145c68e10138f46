// SPDX-License-Identifier: MIT
#include "vision/dice/numerals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <string>

namespace fos {
namespace {

// Sixes and nines are marked on most dice.
enum class Mark { kNone, kDot, kLine };

struct Drawn {
  NumeralForm form;
  int font;
  double stroke;  // width, in heights of a digit
  double wide;    // of the letter form's width
  Mark mark;
};

// The letter forms and weights of numbers that makers engrave: thin to bold, and with serifs.
const std::vector<Drawn>& AllDrawn() {
  static const std::vector<Drawn> all = [] {
    struct Look {
      int font;
      double stroke;
      double wide;
    };
    constexpr std::array<Look, 5> kOneDigit{{{cv::FONT_HERSHEY_SIMPLEX, 0.12, 1},
                                             {cv::FONT_HERSHEY_SIMPLEX, 0.2, 1},
                                             {cv::FONT_HERSHEY_SIMPLEX, 0.28, 1},
                                             {cv::FONT_HERSHEY_TRIPLEX, 0.16, 1},
                                             {cv::FONT_HERSHEY_TRIPLEX, 0.26, 1}}};
    // Two digits are often set tight.
    constexpr std::array<Look, 5> kTwoDigits{{{cv::FONT_HERSHEY_SIMPLEX, 0.12, 0.85},
                                              {cv::FONT_HERSHEY_SIMPLEX, 0.2, 1},
                                              {cv::FONT_HERSHEY_SIMPLEX, 0.2, 0.75},
                                              {cv::FONT_HERSHEY_TRIPLEX, 0.16, 1},
                                              {cv::FONT_HERSHEY_TRIPLEX, 0.2, 0.8}}};
    std::vector<Drawn> out;
    for (int number = 1; number <= 12; ++number) {
      const auto& looks = number >= 10 ? kTwoDigits : kOneDigit;
      for (const Look& look : looks) {
        const auto add = [&](Mark mark, double prior) {
          out.push_back({{number, prior / static_cast<double>(looks.size())},
                         look.font,
                         look.stroke,
                         look.wide,
                         mark});
        };
        if (number != 6 && number != 9) {
          add(Mark::kNone, 1);
          continue;
        }
        add(Mark::kNone, 0.2);
        add(Mark::kDot, 0.4);
        add(Mark::kLine, 0.4);
      }
    }
    return out;
  }();
  return all;
}

// Pixels of the shapes as they are kept: a digit's height, and half the width and height of all.
constexpr double kHeight_px = 24;
constexpr int kHalfWide_px = 30;
constexpr int kHalfHigh_px = 27;
constexpr std::array<double, 7> kBlurs{0.04, 0.07, 0.11, 0.16, 0.22, 0.3, 0.4};

cv::Mat Shape(const Drawn& drawn) {
  constexpr int kFine = 4;
  const double height = kFine * kHeight_px;
  const int thick = std::max(1, static_cast<int>(std::lround(drawn.stroke * height)));
  const std::string text = std::to_string(drawn.form.number);
  // Strokes reach beyond their middles by half their width.
  const double scale = cv::getFontScaleFromHeight(drawn.font, static_cast<int>(height), 1) *
                       (height - thick) / height;
  const cv::Size size((2 * kHalfWide_px + 1) * kFine, (2 * kHalfHigh_px + 1) * kFine);
  int base = 0;
  const cv::Size box = cv::getTextSize(text, drawn.font, scale, 1, &base);
  cv::Mat out(size, CV_8UC1, cv::Scalar(0));
  const cv::Point at((size.width - box.width) / 2, (size.height + box.height) / 2);
  cv::putText(out, text, at, drawn.font, scale, cv::Scalar(255), thick, cv::LINE_8);
  // What lies to the left and the right of a number's ink is not the same.
  cv::resize(out(cv::boundingRect(out)), out, {}, drawn.wide, 1, cv::INTER_AREA);
  cv::Mat middled(size, CV_8UC1, cv::Scalar(0));
  const cv::Rect to(cv::Point((size.width - out.cols) / 2, (size.height - out.rows) / 2),
                    out.size());
  out.copyTo(middled(to));
  const int below = to.y + to.height + static_cast<int>(0.1 * height);
  if (drawn.mark == Mark::kDot)
    cv::circle(middled, {to.x + to.width + thick / 2, to.y + to.height - thick / 2},
               std::max(thick * 2 / 3, 1), cv::Scalar(255), cv::FILLED);
  if (drawn.mark == Mark::kLine)
    cv::line(middled, {to.x, below}, {to.x + to.width, below}, cv::Scalar(255),
             std::max(thick * 3 / 4, 1));
  cv::Mat small;
  cv::resize(middled, small, {}, 1.0 / kFine, 1.0 / kFine, cv::INTER_AREA);
  small.convertTo(small, CV_32F, 1.0 / 255);
  return small;
}

// By form, and by blur.
const std::vector<std::array<cv::Mat, kBlurs.size()>>& Shapes() {
  static const auto shapes = [] {
    std::vector<std::array<cv::Mat, kBlurs.size()>> out;
    for (const Drawn& drawn : AllDrawn()) {
      const cv::Mat sharp = Shape(drawn);
      auto& blurred = out.emplace_back();
      for (std::size_t i = 0; i < kBlurs.size(); ++i)
        cv::GaussianBlur(sharp, blurred[i], {}, kBlurs[i] * kHeight_px, 0, cv::BORDER_CONSTANT);
    }
    return out;
  }();
  return shapes;
}

}  // namespace

const std::vector<NumeralForm>& NumeralForms() {
  static const std::vector<NumeralForm> forms = [] {
    std::vector<NumeralForm> out;
    for (const Drawn& drawn : AllDrawn()) out.push_back(drawn.form);
    return out;
  }();
  return forms;
}

NumeralInk::NumeralInk(double blur) {
  while (level_ + 1 < kBlurs.size() && blur > std::sqrt(kBlurs[level_] * kBlurs[level_ + 1]))
    ++level_;
}

float NumeralInk::operator()(std::size_t form, Vec2 at) const {
  const cv::Mat& shape = Shapes()[form][level_];
  const auto x = static_cast<float>(kHeight_px * at.x + kHalfWide_px);
  const auto y = static_cast<float>(kHalfHigh_px - kHeight_px * at.y);
  const auto column = static_cast<int>(std::floor(x));
  const auto row = static_cast<int>(std::floor(y));
  if (column < 0 || row < 0 || column + 1 >= shape.cols || row + 1 >= shape.rows) return 0;
  const float u = x - static_cast<float>(column);
  const float v = y - static_cast<float>(row);
  const float* upper = shape.ptr<float>(row) + column;
  const float* lower = shape.ptr<float>(row + 1) + column;
  return (1 - v) * ((1 - u) * upper[0] + u * upper[1]) + v * ((1 - u) * lower[0] + u * lower[1]);
}

}  // namespace fos
