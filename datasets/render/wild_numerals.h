// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

#include "datasets/render/wild_draws.h"

// The numbers on made-up dice, as ink. Letters come from the DejaVu fonts, or from strokes of our
// own, so that no two makes of dice need look alike.
namespace fos {

// How one make of dice writes its numbers.
struct NumeralLook {
  enum class Digits { kSans, kSansBold, kSerif, kSerifBold, kMono, kRound, kAngular };
  Digits digits = Digits::kSans;
  // Of letters how much thicker they are than the font has them, of strokes how thick they are: a
  // share of a digit's height.
  double line = 0;
  double wide = 1;           // width over the usual one
  double slant = 0;          // tangent of the angle that uprights lean to the right
  bool open_four = false;    // of strokes
  bool foot_of_one = false;  // of strokes
  enum class Mark { kNone, kDot, kUnderline } mark = Mark::kDot;  // of 6 and 9
};
NumeralLook DrawNumeralLook(Draws& draws);

// A number as ink, upright and cut to what is inked: CV_8UC1, 255 is full ink.
struct NumeralInk {
  cv::Mat ink;
  double digit_px = 0;  // height of a digit; the whole is higher where an underline is
};
NumeralInk InkOf(const NumeralLook& look, int number);

}  // namespace fos
