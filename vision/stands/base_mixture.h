// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/pose2.h"
#include "engine/table/scenario.h"
#include "vision/scene/terrain_view.h"
#include "vision/stands/stand_outline.h"

// The picture that a base makes: of what each pixel about it is a mixture, once the camera has
// blurred it.
namespace fos {

// What lies there. Walls are what the camera sees of the base below its top; Y: on its front or
// rear, X: on its left or right. The base's own shadow is no part of it: it was fitted, too, and
// found in all directions under one lamp. The ground has a colour on each
// side, a neighbour one of its bar and one of the rest.
enum BaseRegion : std::uint8_t {
  kBarRegion,
  kTopRegion,
  kWallYRegion,
  kWallXRegion,
  kGroundRegion,  // and three more: front, rear, left, right
  kNearRegion = kGroundRegion + 4,
};
constexpr std::size_t kMostNeighbours = 4;  // the others' pixels are taken for ground that fits ill

struct BasePixel {
  Vec2 at;                                        // table frame, at the height of the base's top
  std::array<float, 3> light{};                   // linear: blue, green, red
  std::array<float, 3> slope{};                   // grey levels per light
  std::array<bool, 3> full{};                     // as light as the picture can show
  int side = 0;                                   // the ground beside it
  float open = 1;                                 // share that no neighbour hides
  std::array<float, 2 * kMostNeighbours> near{};  // shares of the neighbours' bars and tops
};

// A region's share of a pixel, with its derivatives by the pixel's place in the stand's frame, per
// inch.
struct BaseShare {
  std::size_t region = 0;
  float share = 0;
  float by_x = 0, by_y = 0;
};
struct BaseMixture {
  std::array<BaseShare, kNearRegion - 3 + 2 * kMostNeighbours> shares;
  std::size_t count = 0;
};

// Where a base lies: a pose, its turn worked out once for all pixels.
struct BasePlace {
  explicit BasePlace(const Pose2& table_from_stand)
      : centre(table_from_stand.origin), right(Rotated({1, 0}, table_from_stand.heading_rad)) {}
  // Where the pixel lies in the stand's frame.
  Vec2 Own(const BasePixel& pixel) const {
    const Vec2 off = pixel.at - centre;
    return {Dot(right, off), Cross(right, off)};
  }
  Vec2 centre, right;
};

class BaseMixer {
 public:
  // sigma_px  the picture's blur
  BaseMixer(const TableCamera& camera, const KindSpec& kind, const Pose2& start, double ground_in,
            const std::vector<OutlineNeighbour>& neighbours, double sigma_px);
  std::size_t Regions() const { return kNearRegion + 2 * near_.size(); }
  double PixelsPerInch() const { return ppi_; }
  // How far the base's foot is seen beside its top, stand's frame.
  Vec2 Wall() const { return wall_; }
  // All pixels about the start that nothing of the terrain hides, some pixels beyond the base.
  std::vector<BasePixel> PixelsAbout(const cv::Mat& bgr, const TerrainView& terrain) const;
  BaseMixture At(const BasePlace& place, const BasePixel& pixel) const;
  // Which edge is nearest to a place in the stand's frame: front, rear, the bar's rear, left,
  // right.
  std::size_t NearestEdge(Vec2 own) const;

 private:
  void HeedNeighbours(BasePixel& pixel) const;
  // How far each edge's line is from a place in the stand's frame, inches, as NearestEdge has them.
  std::array<double, 5> FromEdges(Vec2 own) const;
  double FromNearestEdge(Vec2 own) const;
  void LeaveOutTheUnseen(BaseMixture& mixture) const;

  const TableCamera& camera_;
  Box2 box_;
  double bar_in_;
  Pose2 start_;
  double top_in_;
  std::vector<OutlineNeighbour> near_;
  double ppi_ = 0;
  double sigma_x_in_ = 0, sigma_y_in_ = 0;
  Vec2 wall_;
};

}  // namespace fos
