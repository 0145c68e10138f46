// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "vision/image/patch_pair.h"
#include "vision/scene/terrain_map.h"

namespace fos {

// What a swab looks like whose ends are both seen, inches. Colours are shares of the cotton's
// light, each channel by itself.
struct SwabLooks {
  double cotton_length_in = 0;
  double cotton_thickness_in = 0;
  double dip_in = 0;
  cv::Vec3f stick;
  cv::Vec3f dip;
};

// A colour as it looks where cotton sends back 85 % of the light, from its share of the cotton's,
// and back.
Colour ColourBesideCotton(const cv::Vec3f& share);
cv::Vec3f ShareOfCotton(Colour colour);

// A swab's axis in a patch; all positions as they look on the patch's level, inches. Where its two
// edges are more than half the cotton's thickness from a length apart, one of them is no end of it.
struct SwabFit {
  Vec2 toward_tail;  // unit vector from the tip to the other end
  Vec2 foot;         // a point on the axis; stations count from here along toward_tail
  std::optional<double> tip_edge;   // station of the painted tip's far end, from its own edge
  std::optional<double> tail_edge;  // station of the white end
  double white_from = 0;            // stations between which white is seen
  double white_to = 0;
  double tip_visible = 0;   // share of the painted end that is seen, [0, 1]
  double paint_in = 0;      // how much of its end is painted
  double bend_in = 0;       // by how much its bend moves an end off the axis
  double tip_contrast = 0;  // grey levels of the tip against what was there
  double tail_contrast = 0;
  double white = 255;  // grey level of the cotton's weakest channel
  std::optional<SwabLooks> looks;
  bool longer = false;  // than any swab, and as thin all along: a straw, no swab

  Vec2 At(double station) const { return foot + station * toward_tail; }
};

// The swab that is new in a patch, if there is one. Independent of where its ends' heights put it.
// Neither edge is given when a swab lies there whose ends cannot be told.
// Nothing is returned for pencils, dice, paper, shadows or a hand: length, width and whiteness must
// fit.
std::optional<SwabFit> FitSwab(const PatchPair& patch, const SwabShape& shape);

}  // namespace fos
