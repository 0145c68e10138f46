// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "datasets/render/wild_ground.h"
#include "datasets/render/wild_solid.h"

// The light of a wild table, linear and by lamp, so that lamps can change and shadows pass without
// rendering the solids again.
namespace fos {

struct WildLamp {
  cv::Vec3d towards;          // unit vector
  double size = 0.1;          // radius over distance: how soft its shadows are
  cv::Vec3f light;            // blue, green, red on a level white sheet at its brightest spot
  Vec2 brightest;             // that spot
  double falls_off_in = 1e6;  // distance from it at which a half is left
};

struct WildScene {
  WildGround ground;
  std::vector<WildSolid> solids;
  std::vector<WildLamp> lamps;  // two at most
  cv::Vec3f sky;                // from all sides
};

// What each pixel of a part of the picture gets: CV_32FC3, blue, green, red.
struct LightLayers {
  std::vector<cv::Mat> lamps;
  cv::Mat sky;
  cv::Mat at;  // the place that is seen, inches, table frame
};

// A pixel gets the same light in whatever part of the picture it is rendered.
LightLayers Rendered(const TableCamera& camera, const WildScene& scene, const cv::Rect& part);

// The share of points on solids' surfaces that the camera sees.
double ShareInView(const TableCamera& camera, const WildScene& scene,
                   std::span<const cv::Vec3d> points);
// Where a ray from outside first meets a solid, looking from `from` along `way`.
std::optional<cv::Vec3d> FirstMet(const WildSolid& solid, const cv::Vec3d& from,
                                  const cv::Vec3d& way);

// Sun through a window: what lies beyond a line on the table is in shade.
struct SunEdge {
  Vec2 towards_light;  // unit vector across the line
  double at_in = 0;    // the line: Dot(towards_light, place) == at_in
  double soft_in = 0.05;
};
// Someone between the lamps and the table.
struct Shade {
  Vec2 from;
  Vec2 to;
  double radius_in = 1;
  double soft_in = 0.3;
  double left = 0.5;  // of the lamps' light
};
struct LightMoment {
  std::vector<double> lamp_gains;  // one a lamp; empty: all 1
  std::optional<SunEdge> edge;     // of the first lamp
  std::optional<Shade> shade;
};
cv::Mat LightAt(const LightLayers& layers, const WildScene& scene, const LightMoment& moment);

}  // namespace fos
