// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <opencv2/core.hpp>

#include "engine/table/result.h"
#include "engine/table/scenario.h"

// A labelled clip as it would look with another light, camera or paint: the truth of where all lies
// stays, so that the same labels score the referee on tables it was not built on.
namespace fos {

struct Augmentation {
  cv::Vec3d light{1, 1, 1};  // gain of b, g, r in linear light: a lamp, an exposure
  double saturation = 1;     // of the colours, lightness kept
  double hue_deg = 0;  // all colours turned by it, lightness kept; the scenario's paints with them
  double sun = 1;      // how many times the light of the rest a slanted patch has; it creeps
  double veil = 0;     // light that the lens scatters over the whole picture, of full light
  double blur_px = 0;  // one sigma
  double sharpened = 0;     // how much of what is finer than two pixels the camera adds
  double noise_levels = 0;  // one sigma of a pixel, grey levels of 255
  double fewer_pixels =
      1;  // pixels an inch that are left of one, coded as JPEG like a cheap webcam's
};
// What `AugmentationNamed` knows, for messages: "dark, warm, ...".
std::string AugmentationNames();
// "dark", "warm" and so on, or "hue" and degrees, 0 to 359: "hue120".
// errors  kNotFound, with the names
Result<Augmentation> AugmentationNamed(std::string_view name);

// The picture (CV_8UC3) of that number in a recording, in that look.
cv::Mat Augmented(const Augmentation& look, const cv::Mat& bgr, std::uint64_t frame);
// Sides' paints, bars and projectiles as people would have to write them then.
Scenario Augmented(const Augmentation& look, Scenario scenario);

}  // namespace fos
