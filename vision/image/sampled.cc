// SPDX-License-Identifier: MIT
#include "vision/image/sampled.h"

#include "calibration/camera/response.h"

namespace fos {

const Sampled<4096> kCodeOfRootOfLight(0, 1.05, [](double r) { return SrgbCodeOfLight(r * r); });
const Sampled<4096> kBelowSigmas(-4, 4, [](double z) { return 0.5 * std::erfc(-z * M_SQRT1_2); });

}  // namespace fos
