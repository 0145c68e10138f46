// SPDX-License-Identifier: MIT
#pragma once

namespace fos {

// Contract, section 4: every stand within hit_radius + 1.5 in of the point is reported.
inline constexpr double kLookAround_in = 1.5;

}  // namespace fos
