// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "vision/scene/terrain_map.h"
#include "vision/shots/shot_detector.h"

// A swab as a hypothesis that predicts pixels: cotton, dip, stick and shadow in linear light, and
// how well it explains a change compared with nothing, other light, or some unknown thing.
namespace fos {

// One way a swab may lie, and how well it explains the picture. Pixels of the pictures given.
struct SwabExplanation {
  ImagePoint tip;            // the dipped end's far point
  ImagePoint tail;           // the other end's
  double along_px = 0;       // how far its curvature leaves the tip's place open, one sigma
  double across_px = 0;
  double px_per_in = 0;      // where it lies
  double psf_px = 0.8;       // one sigma of the picture's blur
  double longer_in = 0;      // by how much it is longer than expected, lying flat
  double dip_in = 0.25;      // how much of the cotton is painted
  double cotton_in = 0.11;   // radius of the cotton ends
  double bend_px = 0;        // of its middle off the straight line between its ends
  double over_nothing = 0;   // ln of the likelihood ratio, its own parameters paid for
  double over_other_end = 0;  // against the same swab with its ends exchanged
  double unlike_dip = 0;  // nats by which its dip's colour departs from the scenario's
  // ln of the odds that its tip is the painted end, by the ends' colours alone: the mean of those
  // with long and thin dips and shorter swabs. And whichever of them says least of the end that the
  // evidence alone takes for the tip, 0 where they disagree.
  double painted_tip = 0;
  double painted_tip_least = 0;
  double over_rod = 0;        // against a rod of one thickness: a pencil, a match, a strip
  double dip_nats = 0;  // by which its dip explains its pixels better than bare ground there
  // What the swab explains of what the best other hypothesis does: an unknown thing of five colours
  // and any outline, or other light, which pay for their outlines. 1: all of it, or more. No model
  // is exact, and the misfit grows with the contrast as the evidence does; so it is their ratio
  // that tells a swab from other things, not their difference.
  double explained = 0;
  double came = 0;  // nats by which its place looked more like ground before: something has come
  double goes_on = 0;       // how much changed beyond its ends, of what changed along it
  double in_view = 1;       // share of it that nothing may hide
  double tip_contrast = 0;  // code values of the dip against what was there
  // As thick as a search goes, or its white is no cotton's. What is thinner, or blurred otherwise,
  // is less likely by the priors of its shape alone.
  bool no_cotton = false;
  // How light its white is, of paper in the same place: by the ground under it, if that is the ground
  // beside the markers, or by the brightest marker, whichever is more. 1 where no marker shows.
  double of_paper = 1;
  double over_ground = 1;  // how light its white is, of the ground under it (linear light)
  PredictedView predicted;
};

// The best explanation of what is new in `where` by one swab. Empty where nothing new is as long
// and thin as a swab.
// level_in  height of the swab's axis where it lies flat.
// unseen    CV_8UC1 of the pictures' size, not 0 where something may hide the swab; or empty.
// least_explained  empty, too, where the search comes to one that will explain less than this
std::optional<SwabExplanation> ExplainBySwab(const ShotPictures& pictures, const TableBox& where,
                                             double level_in, const SwabShape& shape,
                                             const cv::Mat& unseen, double least_explained = 0);

// The same for a swab that is thought to lie with its ends there, within two pixels, or the other
// way round.
std::optional<SwabExplanation> ExplainAsSwab(const ShotPictures& pictures, ImagePoint tip,
                                             ImagePoint tail, double level_in,
                                             const SwabShape& shape, const cv::Mat& unseen,
                                             double least_explained = 0);

}  // namespace fos
