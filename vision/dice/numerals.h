// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "engine/table/vec2.h"

// The numbers on numbered dice, as shapes to compare with a face.
namespace fos {

// How a number may be drawn: a letter form, a weight of its strokes, and what tells six from nine.
struct NumeralForm {
  int number = 0;    // 1 to 12
  double prior = 1;  // share of the dice that draw this number so
};
// All forms of all numbers. The letter forms are Hershey's (OpenCV's), plain and with serifs.
const std::vector<NumeralForm>& NumeralForms();

// The usual height of a number's digits, in edges of a twelve-sided die: two of them must fit side
// by side.
inline double UsualDigitHeight(int number) { return number >= 10 ? 0.62 : 0.78; }

// How much of a blurred picture's ink is at a place of a number.
class NumeralInk {
 public:
  // blur  one sigma, in heights of a digit
  explicit NumeralInk(double blur);
  // form  index into NumeralForms()
  // at    from the number's middle, in heights of a digit; y grows upwards
  float operator()(std::size_t form, Vec2 at) const;

 private:
  std::size_t level_ = 0;  // of those that are kept blurred
};

}  // namespace fos
