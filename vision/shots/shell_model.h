// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "engine/table/scenario.h"
#include "vision/shots/shot_detector.h"

// A shell as a hypothesis that predicts pixels: top, sides, mark and shadow in linear light, and how
// well it explains a change compared with nothing, other light, or some unknown thing.
namespace fos {

// A square of plasticine lying flat. The contract gives its side only; it is cut half as thick as
// it is wide, and a different thickness moves the result by its parallax alone.
struct ShellShape {
  double size_in = 0.4;
  double thickness_in = 0.2;
};

// The best way a shell may lie, and how well it explains the picture. Pixels of the pictures given.
struct ShellExplanation {
  ImagePoint mark;          // the mark's middle
  ImagePoint centre;        // of the top face
  double px_per_in = 0;     // where it lies
  double size_in = 0.4;     // side of the top face
  double over_nothing = 0;  // ln of the likelihood ratio, its own parameters paid for
  double over_shadow = 0;   // what it explains beyond its shadow
  // As SwabExplanation::explained.
  double explained = 0;
  double mark_nats = 0;  // by how much the mark helps
  double over_other_shapes = 0;  // against a disc, a ball or an oblong block of any size
  // Against a thing that stood there and has been pushed by less than a shell's side.
  double over_pushed = 0;
  double mark_expected = 0;  // by how much a mark of the usual size would help
  bool may_be_shade = false;  // its top is only darker than what was there
  // It is darker or lighter than what was there by as much in each channel, or what lay there has
  // gone; no mark came, and other light explains it as well or its place looks as much like ground.
  bool may_be_light = false;
  // So too, but its place looked more like ground before: people are asked.
  bool like_light = false;
  // Share of the ground about it, its shadow left out, that has become another colour as plainly as
  // its top has: it may be a part of a longer thing.
  double beside = 0;
  double came = 0;  // as Alternatives::came
  // ln of how much likelier its colour is of the scenario's paint than of any other thing.
  double colour_odds = 0;
  double in_view = 1;  // share of its top
  double contrast = 0;  // how far the picture changed on its top, code values
  Cov2 place_cov_px2;  // of `mark`
  PredictedView predicted;
};

// Places where a shell may lie: as much changed there as a shell changes, and less about it. The six
// likeliest by their size first, then two of the others that changed most. Pixels of the pictures
// given.
// least_contrast  code values, of one that is looked for
std::vector<ImagePoint> ShellProposals(const ShotPictures& pictures, const TableBox& where,
                                       double level_in, double size_in, double least_contrast,
                                       const cv::Mat& unseen);

// A shell that is thought to lie with its top's centre there, within some pixels.
// level_in, ground_in  heights of its top and of what it lies on
// unseen               as for CutWindow
// least_explained      empty, too, where the search comes to one that will explain less than this
// worth_more           given all but its doubt, its picture and over_other_shapes: whether these are
//                      asked for. They take half of the time. Empty: always.
std::optional<ShellExplanation> ExplainAsShell(const ShotPictures& pictures, ImagePoint centre,
                                               double level_in, double ground_in,
                                               const ProjectileSpec& spec,
                                               const cv::Mat& unseen, double least_explained = 0,
                                               const std::function<bool(const ShellExplanation&)>&
                                                   worth_more = {});

}  // namespace fos
