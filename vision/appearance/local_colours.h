#pragma once

#include <vector>

#include "vision/appearance/paint_model.h"

// Colours as they are about one stand: its paints just there, and the ground beside it. Densities
// are per unit of the three axes of PaintColour.
namespace fos {

// A figure's colour: any. One over the volume of colours that things have, 80 x 50 x 50.
constexpr float kAnyColour = 1.0F / (80 * 50 * 50);

// How likely a colour is under a paint, and under the same paint in some lamp's shadow.
float Density(const Paint& paint, PaintColour c);
float ShadeDensity(const Paint& paint, PaintColour c);
// The two together, and `others` (a share) of what stands on the paint or over it.
float DensityOn(const Paint& paint, float others, PaintColour c);

// What blur makes of the two where they meet: `share` of the one and the rest of the other. How
// much of each is never known to better than a fifth, and the spread says so.
Paint Mixed(const Paint& one, const Paint& other, float share);

// The paint as it is in one place: the middle of what there is near the paint as learnt, the gate
// drawn closer as the middle is found. `learnt` itself where too little of it is seen.
Paint LocalPaint(const Paint& learnt, const std::vector<PaintColour>& seen);

// What the ground beside a stand looks like: samples of it, each with some room about it, in light
// and in shade.
class Ground {
 public:
  explicit Ground(std::vector<PaintColour> samples);
  float operator()(PaintColour c) const;
  const Paint& Middle() const { return middle_; }  // of the samples

 private:
  std::vector<PaintColour> samples_;
  Paint middle_{};
};

}  // namespace fos
