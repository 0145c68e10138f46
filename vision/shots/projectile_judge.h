// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "vision/shots/shot_detector.h"
#include "vision/shots/shot_odds.h"

// Which of the projectiles that the detectors propose are ones, by the odds of the image model
// (vision/shots/shot_odds.h).
namespace fos {

inline constexpr const char* kMayBeAnotherThing = "nothing: it may be another thing";

// A place along a line as two measured it.
struct PutTogether {
  double at = 0;  // from the first's, inches
  double variance = 0;
};
// Puts the detector's place of a tip and the image model's together, each by its own doubt. The
// detector's may be narrower than it is: now and then a shadow that it takes for an end, or a
// length other than stated, puts it further off. How far the model's lies from it makes that more
// or less likely; the answer is the mixture of both.
//
// apart_in    of the model's place from the detector's
// wide_share  how often the detector's place is worse than it says,
// wide_in     and by how much, one sigma, inches
PutTogether Together(double apart_in, double own_variance, double model_variance, double wide_share,
                     double wide_in);

// Turns what may be something else into a question, measures what the detector saw without being
// able to tell its ends, and takes away what neither of them can measure.
// hidden  as of HiddenMask
void JudgeSwabs(std::vector<ProjectileFinding>& swabs, const ShotPictures& pictures,
                const TerrainMap& terrain, double level_in, const SwabShape& shape,
                const cv::Mat& hidden, const OnJudged& on_judged = {});

// What a change of the picture that no projectile and no stand explains is.
ThingChange ChangeOfThings(const ShotPictures& pictures);

// A swab in `where` that the detector has not proposed: one that is hardly told from the ground by
// its colour, but has its shadow, its dip and its shape. Not measured where its ends are not told.
std::optional<ProjectileFinding> FindSwabByModel(const ShotPictures& pictures,
                                                 const TerrainMap& terrain, const TableBox& where,
                                                 double level_in, const SwabShape& shape,
                                                 const cv::Mat& hidden,
                                                 const OnJudged& on_judged = {});

}  // namespace fos
