#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "engine/table/scenario.h"
#include "vision/shots/shell_fit.h"
#include "vision/shots/shot_detector.h"

// A shell as a hypothesis that predicts pixels: top, sides, mark and shadow in linear light, and how
// well it explains a change compared with nothing, other light, or some unknown thing.
namespace fos {

// The best way a shell may lie, and how well it explains the picture. Pixels of the pictures given.
struct ShellExplanation {
  ImagePoint mark;          // the mark's middle
  ImagePoint centre;        // of the top face
  double size_in = 0.4;     // side of the top face
  double mark_in = 0.06;    // radius
  double over_nothing = 0;  // ln of the likelihood ratio, its own parameters paid for
  double over_shadow = 0;   // what it explains beyond its shadow
  // As SwabExplanation::explained.
  double explained = 0;
  double relit = 0;      // ln of the likelihood ratio of other light within any outline
  double mark_nats = 0;  // by how much the mark helps
};

// A shell that is thought to lie with its top's centre there, within some pixels.
// level_in, ground_in  heights of its top and of what it lies on
// unseen               as for CutWindow
std::optional<ShellExplanation> ExplainAsShell(const ShotPictures& pictures, ImagePoint centre,
                                               double level_in, double ground_in,
                                               const ProjectileSpec& spec,
                                               const cv::Mat& unseen);

}  // namespace fos
