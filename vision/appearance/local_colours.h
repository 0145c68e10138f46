// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "vision/appearance/paint_model.h"

// Colours near one stand: its paints as they are there, and the ground beside it. Densities are per
// unit of the three axes of PaintColour.
namespace fos {

// Density of a figure's colour, which may be any: one over the volume of colours that objects have,
// 80 x 50 x 50.
constexpr float kAnyColour = 1.0F / (80 * 50 * 50);

// Density of a colour under a paint, and under the same paint in a lamp's shadow.
float Density(const Paint& paint, PaintColour c);
float ShadeDensity(const Paint& paint, PaintColour c);
// The mixture of both, with a share `others` of figures on or over the paint.
float DensityOn(const Paint& paint, float others, PaintColour c);
float MixedDensity(float lit, float shade, float others);

// Many colours, one row an axis: their densities are computed several at a time.
struct ColourRows {
  std::vector<float> lightness, red_green, yellow_blue;

  ColourRows() = default;
  explicit ColourRows(std::span<const PaintColour> colours);
  std::size_t size() const { return lightness.size(); }
};
// As the functions above, colour by colour. `out` is of the rows' size.
void Densities(const Paint& paint, const ColourRows& colours, std::span<float> out);
void ShadeDensities(const Paint& paint, const ColourRows& colours, std::span<float> out);
std::vector<float> DensitiesOn(const Paint& paint, float others, const ColourRows& colours);

// The colour that blur makes of two paints where they meet: `share` of the first and the rest of
// the second. The share is known to a fifth at best, which widens the spread.
Paint Mixed(const Paint& one, const Paint& other, float share);

// The paint as it is in one place: the median of the colours inside a gate around the paint as
// learnt, iterated. `learnt` itself where too few are inside.
Paint LocalPaint(const Paint& learnt, const std::vector<PaintColour>& seen);

// Density of the ground's colours beside a stand: a kernel density over samples of it, in light and
// in shade.
class Ground {
 public:
  explicit Ground(std::vector<PaintColour> samples);
  float operator()(PaintColour c) const;
  std::vector<float> operator()(const ColourRows& colours) const;
  const Paint& Middle() const { return middle_; }  // of the samples

 private:
  ColourRows samples_;
  std::vector<float> chroma_;  // one over the spread of each sample's two chroma axes
  std::vector<float> weights_;
  Paint middle_{};
};

}  // namespace fos
