// SPDX-License-Identifier: MIT
#pragma once

namespace fos {

inline double Square(double x) { return x * x; }

}  // namespace fos
