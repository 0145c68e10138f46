// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "engine/table/pose2.h"
#include "engine/table/shapes.h"
#include "vision/stands/stand_outline.h"

// How uncertain a stand's edges are, measured on the stand itself by how far the measurements along
// an edge scatter around its median. That covers noise, blur, flock and coding; what these do over
// more than a profile's length grows with it. The factors are fitted to errors against the truth,
// on made-up tables (evaluate --sweep), flat and clean, and on path-traced clips, textured and
// coded, where the scatter is twice as large. They agree on both.
namespace fos {

// One place where an edge of a base was measured.
struct EdgeMeasurement {
  std::size_t edge = 0;     // index into BaseEdges
  Vec2 at;                  // where it was looked for, table frame
  Vec2 outward;             // unit normal
  double offset_in = 0;     // edge found that far outward
  double chroma_share = 0;  // as of the crossing
  double burnt = 0;         // likewise
  bool reliable = true;     // false: it may be a figure's edge
  bool seam = false;        // the gap to a neighbour
};

// Root mean square of the measurements around the median of their edge, inches; shrunk towards the
// usual noise where they are few.
// edges  how many edges there are
// ppi    pixels an inch
double EdgeNoise(const std::vector<EdgeMeasurement>& measured, std::size_t edges, double ppi);
// How much of the edges' contrast is burnt out, 0 to 1; and one sigma of how far an edge lies from
// where it is seen then, inches.
double BurntShare(const std::vector<EdgeMeasurement>& measured);
double BloomSigma(double burnt, double ppi);
// Variance of one measurement around its edge, inches squared.
double MeasurementVariance(const EdgeMeasurement& measurement, double noise_in);
// Variance of an edge as a whole, however many measurements it has, inches squared.
// top_ends_there       it is the rim of the top behind the bar
// chroma_share, burnt  the means over its measurements
double EdgeVariance(bool top_ends_there, double chroma_share, double burnt, double noise_in,
                    double ppi);

struct PoseVariance {
  Cov2 centre_cov;         // inches squared
  double heading_var = 0;  // radians squared
};
// How far to trust an outline's pose.
// burnt  BurntShare of its edges
PoseVariance OutlineVariance(const StandOutline& outline, Box2 footprint, double burnt,
                             double noise_in, double ppi);

// Beside another base the two edges run into each other as the gap nears the width of the blur, and
// the picture does not tell whose paint is seen there. One sigma along the stand's width, inches.
double ContactSigma(const Pose2& table_from_stand, Box2 footprint,
                    const std::vector<OutlineNeighbour>& neighbours, double noise_in, double ppi);

}  // namespace fos
