// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <opencv2/core.hpp>

#include "engine/table/scenario.h"

// What the sides' paints, the kinds' bars and the rest of the table look like to this camera under
// this light, and how much a pixel speaks for one of them.
namespace fos {

// A colour with chroma that does not depend on brightness: CIE lightness, and a*, b* over (L* +
// 16), which stay the same when the light on a paint is scaled (source: CIE 15, the cube-root law).
struct PaintColour {
  float lightness = 0;
  float red_green = 0;
  float yellow_blue = 0;
};
PaintColour PaintColourOf(const cv::Vec3b& bgr);
// The same of linear light (b, g, r), 0 to 1, and back.
PaintColour PaintColourOfLinear(const cv::Vec3f& bgr);
cv::Vec3f LinearOf(PaintColour colour);

// The colour of a bar as a camera sees it on a base: lens, mosaic and chroma subsampling mix in
// some of the paint behind it. BarAlone is the inverse, except for black.
PaintColour BarBeside(PaintColour paint, PaintColour bar);
PaintColour BarAlone(PaintColour paint, PaintColour seen);

// One paint: centre and spread in PaintColour.
struct Paint {
  PaintColour mean;
  PaintColour sigma;
};
// squared distance in sigmas
float DistanceSquared(const Paint& paint, PaintColour c);

// Of anything painted, and of the table beside stands, this much lies in the shadow of figures.
constexpr float kInShade = 0.25F;

// Colours are binned in cells of 8 grey levels a channel.
constexpr int kPaintBins = 32 * 32 * 32;
inline int PaintBin(const cv::Vec3b& bgr) {
  return (bgr[0] >> 3) << 10 | (bgr[1] >> 3) << 5 | (bgr[2] >> 3);
}

// Log likelihood ratio of each bin for one kind of stand of one side against its rivals. Figures,
// shadows and glints are equally likely anywhere and carry no evidence.
struct StandEvidence {
  std::vector<float> bar;      // in the bar, against the bare table and the side's own paint
  std::vector<float> top;      // behind the bar, against the bare table and the bar's paint
  std::vector<float> outside;  // beside the base: bare table against both paints
};

class PaintModel {
 public:
  // Starts from the nominal paints, before any picture has been seen.
  explicit PaintModel(const Scenario& scenario);

  // What the table looks like where no stand is placed; counts, any total.
  void SetBackground(const std::vector<float>& counts_by_bin);
  // From now on a colour is as common as in these counts where it was rarer, if a tenth of them is
  // as new as that. Returns whether it is.
  bool AddBackground(const std::vector<float>& counts_by_bin);
  // Share of the table that looks like a paint: within two sigmas of it.
  double ShareOfTable(const Paint& paint) const;
  void SetSide(int side, const Paint& paint);
  void SetBar(int side, int kind, const Paint& paint);
  const Paint& side(int i) const { return sides_.at(static_cast<std::size_t>(i)).paint; }
  // A camera's chroma is coarse, so the same bar has another colour on each side's bases, most of
  // all a dark one.
  const Paint& bar(int side, int kind) const { return bars_.at(Index(side, kind)).paint; }

  // Computed on first use, cached until a paint changes.
  const StandEvidence& Evidence(int side, int kind) const;
  // After this, threads may ask for the evidence of different sides and kinds at once, and for
  // evidence that has been asked for before.
  void PrepareSides() const;

 private:
  struct Known {
    Paint paint;
    std::vector<float> chance;  // of each bin; empty until needed
  };
  static const std::vector<float>& Chance(Known& known);
  // Makes background_ from table_.
  void ShadeBackground();
  std::size_t Index(int side, int kind) const {
    return static_cast<std::size_t>(side) * (bars_.size() / sides_.size()) +
           static_cast<std::size_t>(kind);
  }

  mutable std::vector<Known> sides_;
  mutable std::vector<Known> bars_;  // side * kinds + kind
  std::vector<float> table_;       // share of each bin, as the table was learnt
  std::vector<float> background_;  // with shadows on it
  mutable std::vector<StandEvidence> evidence_;  // side * kinds + kind
};

}  // namespace fos
