// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <opencv2/core.hpp>
#include <vector>

#include "vision/dice/die_model.h"

namespace fos {

// A place where the pips of a number explain what an upper face would show.
struct FaceProposal {
  DiePose pose;
  std::size_t pattern = 0;  // of DiePatterns()
  double score = 0;         // nats over a face without pips
};

// Looks for upper faces by their pips alone: whatever the outline, the shadow and the neighbours
// are taken for, dots of one colour in the order of a number on another colour are rare. A face is
// sampled once for each place, turn and size; every number then costs one sum.
// places   middles of faces to look at, pixels of the window
// most     how many to return at the most, the best first; few of them at one place
// source   normalised template matching by least squares (Lewis, 1995), log likelihood of the
//          residuals with unknown variance
std::vector<FaceProposal> FacesByPips(const DieModel& model, const std::vector<cv::Point2d>& places,
                                      double psf_px, std::size_t most);

}  // namespace fos
