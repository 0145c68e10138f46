#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "engine/table/scenario.h"
#include "vision/image/patch_pair.h"

namespace fos {

// A square of plasticine lying flat. The contract gives its side only; it is cut half as thick as
// it is wide, and a different thickness moves the result by its parallax alone.
struct ShellShape {
  double size_in = 0.4;
  double thickness_in = 0.2;
};

// A shell's top in a patch whose level is the height of that top.
struct ShellFit {
  Vec2 centre;            // of the top face, inches
  bool by_mark = false;   // from the dark mark; else from the outline
  bool faint = false;     // so dim or small that its mark may be there and not be seen
  bool hued = true;       // its colour alone tells it from dice, wool and paper
  bool square = true;     // about as long as it is wide
  bool runs_out = false;  // more of its colour lies about it than a block's outline leaves there
  double tip_disagreement_in = 0;  // mark against outline, inches; 0 without a mark
  double contrast = 0;             // grey levels against what was there
  double visible = 1;              // seen area over the expected one, at most 1
};

// The shell that is new in a patch, if there is one: by size, colour and compactness.
// eye  the camera's centre in the table frame, inches: what the sides show depends on it.
std::optional<ShellFit> FitShell(const PatchPair& patch, const ProjectileSpec& spec,
                                 const ShellShape& shape, const cv::Vec3d& eye, double ground_in);

}  // namespace fos
