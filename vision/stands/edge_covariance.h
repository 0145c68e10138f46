#pragma once

#include <cstddef>
#include <vector>

#include "engine/table/pose2.h"
#include "engine/table/shapes.h"
#include "vision/stands/stand_outline.h"

// How unsure a stand's edges are, measured on the stand itself: by how far the readings along an
// edge scatter about its own middle. That tells of noise, blur, flock and coding; what these do
// over lengths greater than a profile's goes with it. The factors are what errors against the truth
// come to, alike on made-up tables (evaluate --sweep), flat and clean, and on path-traced clips,
// textured and coded, where the scatter is twice as large.
namespace fos {

// One place where an edge of a base was measured.
struct EdgeReading {
  std::size_t edge = 0;  // of the outline's, as FitStand counts them
  Vec2 at;               // where it was looked for, table frame
  Vec2 outward;          // unit normal
  double offset_in = 0;  // edge found that far outward
  bool sure = true;      // else what was found may be a figure's edge
  bool seam = false;     // the gap to a neighbour
};

// Root mean square of the readings about the middle of their edge, inches; where there are few it
// is nearer to what is usual. edges  how many edges there are ppi    pixels an inch
double Scatter(const std::vector<EdgeReading>& readings, std::size_t edges, double ppi);
// One reading's variance beside its edge's own, inches squared.
double ReadingVariance(const EdgeReading& reading, double scatter_in);
// By how much an edge as a whole lies off however many readings it has, variance, inches squared.
// top_ends_there  it is the rim of the top behind the bar
double EdgeVariance(bool top_ends_there, double scatter_in, double ppi);

// What an outline is worth as a measurement.
struct OutlineDoubt {
  Cov2 centre_cov;      // inches squared
  double turn_var = 0;  // radians squared
};
OutlineDoubt DoubtOf(const StandOutline& outline, Box2 footprint, double scatter_in, double ppi);

// Beside another base the two edges run into each other as the gap comes near what blur spreads
// them over: whose paint it is that is seen there, nothing tells. One sigma along the stand's
// width, inches.
double GapSigma(const Pose2& table_from_stand, Box2 footprint,
                const std::vector<OutlineNeighbour>& neighbours, double scatter_in, double ppi);

}  // namespace fos
