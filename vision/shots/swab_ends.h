// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "vision/scene/terrain_map.h"

// Which end of a swab is the dipped one: the posterior over both, from the pixels of both ends.
namespace fos {

// What is assumed of swabs before one is seen. All priors of the swab's measurement stand here.
struct SwabPriors {
  // Players dip nearly always so that it shows. Of 300 swabs one has no dip that a camera can see.
  double no_visible_dip = 1.0 / 300;
  // A swab comes to rest with a given end under a figure, a tree or another swab.
  double end_hidden = 0.06;
  // Paint that soaks in, is thin or washed out is paler than the scenario says.
  double pale_dip = 0.15;
  // The club dips in another colour than the scenario says.
  double other_dip = 0.03;
  // How much of the axis is painted: a quarter to a half of an inch, seldom more or less.
  double dip_in = 0.3;
  double dip_sigma_in = 0.12;
  double least_dip_in = 0.05;
  double most_dip_in = 0.75;
  double hidden_in = 1.5;  // what hides an end hides up to this much of the swab
  // Length, where it was not learnt. Most scenarios give it as a ruler shows it (0.5 % of 3 in);
  // the others give the nominal 3 in for swabs of 2.9 to 3.1 in.
  double ruled_length = 0.7;
  double ruled_sigma_in = 0.015;
  double length_range_in = 0.1;  // half of it
  // A swab of a kind that was learnt is another kind's with this chance.
  double other_kind = 0.03;
  // How far the white of a cotton end reaches is read to this, one sigma: cotton ends are 0.4 to
  // 0.6 in long, and thickness is sampled every 0.03 in.
  double cotton_sigma_in = 0.1;
  // Cotton, paint and cloth differ from their predicted colour by this, one sigma, grey levels of
  // 255: weave, sharpening and coding, on top of the measured noise.
  double colour_sigma = 12;
  // Errors of the colour are alike within this distance along the axis: two blurred pixels.
  double correlation_in = 0.08;
  // A station shows something else with this chance: a glint, a speck, a figure's edge.
  double outlier = 0.05;
  // The right way round cannot be read with this chance: its cotton end looks too thin, or its
  // paint too long.
  double reading_fails = 0.05;
  // Its own shadow lies beyond a given end when the lamp stands within 45 degrees of its axis on
  // that side; and no further than a swab is thick, but for low lamps.
  double shaded_beyond = 0.25;
  double shade_in = 0.22;
  double shaded_further = 0.05;
  // The end is stated when it is at most this likely to be the other one; else people are asked.
  // A wrong end is 3 in off and makes every call wrong, and a call may be wrong in 2.5 % (contract,
  // section 4).
  double wrong_end = 0.02;
};
inline constexpr SwabPriors kSwabPriors;

// What is known of a swab's length before this one is measured: a mixture of a narrow and a wide
// normal distribution, both about SwabShape::length_in.
struct LengthPrior {
  double narrow_share = 0;
  double narrow_sigma_in = 0;
  double wide_sigma_in = 0;

  double Sigma() const;  // of the mixture, inches
};
LengthPrior LengthPriorOf(const SwabShape& shape, const SwabPriors& priors = kSwabPriors);
// By how much a whole swab may be shorter or longer than the shape says, inches.
double LengthRange(const SwabShape& shape, const SwabPriors& priors = kSwabPriors);

// A station of the axis as seen from one end of the white.
struct EndStation {
  double outward_in = 0;  // from that end of the white; negative is inside it
  cv::Vec3f before;       // linear light, 0 to 255
  cv::Vec3f after;
  bool own = true;  // false: another projectile lies there, which says nothing
};

// What is seen of one end.
struct SwabEnd {
  std::vector<EndStation> stations;      // in order, from inside outward, step_in apart
  double thick_in = 0;                   // how far inward its white is as thick as cotton
  bool thick_cut = false;                // at least: something hides the rest
  std::optional<double> length_edge_in;  // where the tip's end would be a length from the other end
};

struct SwabEndModel {
  cv::Vec3f white;         // linear light of this swab's cotton under this lamp
  Colour tip_paint;        // of the scenario, or as it was learnt
  double noise = 1;        // grey levels, one sigma of a sample
  double pixel_in = 0.04;  // of the picture
  double cotton_length_in = 0.5;
  double length_sigma_in = 0.05;  // how well the length is known
};

// ln P(pixels | the first end is dipped, the other bare) - ln P(pixels | the other way round).
// Errors of the model are correlated along the axis, so that a station counts for
// step / correlation of an independent one.
double LogOddsOfFirstEnd(const SwabEnd& first, const SwabEnd& second, const SwabEndModel& model,
                         const SwabPriors& priors = kSwabPriors);

// The light of a swab's two ends, without that of the ground in their pixels: linear, 0 to 1.
struct EndColours {
  cv::Vec3d tip;
  cv::Vec3d tail;
  cv::Vec3d sigma;  // of either, one sigma
};
// ln of the odds that the tip is the painted one of two cotton ends, by their colours alone: cotton of
// one make under one lamp looks alike at both ends.
// paint  of the scenario, as a share of the cotton's light
double LogOddsOfPaintedTip(const EndColours& ends, const cv::Vec3d& paint);

}  // namespace fos
