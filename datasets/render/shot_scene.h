// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/pose2.h"
#include "engine/table/scenario.h"

// A small piece of a table in three dimensions, lit and seen through a real lens: rays are cast
// with solids, their sides, one lamp's soft shadow and the dimness of corners. What the camera
// makes of the light is webcam.h's.
namespace fos {

// A rod with round ends, inches; from == to is a ball.
struct ScenePill {
  cv::Vec3d from;  // the middles of its round ends
  cv::Vec3d to;
  double radius_in = 0.1;
  Colour colour;
  double rough = 0;  // how uneven its paint is: share of the light, one sigma or so
  // This much of it from its far end by `from` has the other colour, soaked in unevenly.
  double dipped_in = 0;
  Colour dip;
};

// A box, turned any way. Its top is its local +z face, its front its local +y edge.
struct SceneBox {
  cv::Vec3d centre;
  cv::Matx33d table_from_box = cv::Matx33d::eye();
  cv::Vec3d half;  // half sides, inches
  Colour colour;
  double rough = 0;
  double bar_depth_in = 0;  // of a strip along the top's front edge
  Colour bar;
  double mark_radius_in = 0;  // of a disc in the middle of the top
  Colour mark;
  bool cloth = false;  // is covered with the table's own felt: a hill
};
// One that stands upright on the level bottom_in.
SceneBox UprightBox(const Pose2& table_from_box, Box2 size, double bottom_in, double top_in,
                    Colour colour);

// A printed marker lying flat.
struct SceneMarker {
  Vec2 centre;
  double size_in = 2;
  cv::Mat cells;  // CV_8UC1, a cell a pixel, black border included, row 0 its top edge
};

// A stretch of road or river: painted on the cloth.
struct SceneStrip {
  Polygon outline;
  Colour colour;
};

// Someone's head or finger between a lamp and the table.
struct SceneShade {
  Vec2 from;
  Vec2 to;
  double radius_in = 0.3;
  double soft_in = 0.2;
  double light = 0.6;  // what is left of it
};

struct ShotScene {
  std::uint32_t seed = 1;  // of the felt's and the paints' unevenness
  Colour cloth{92, 104, 58};
  double fine_mottle = 0.08;    // of the felt's light, over hundredths of an inch
  double coarse_mottle = 0.10;  // over an inch
  double square_in = 4;
  int columns = 3;  // squares whose lines are drawn
  int rows = 3;
  double line_in = 0.08;       // how wide the lines are
  double line_stray_in = 0.0;  // how far the hand that drew them strayed
  std::vector<SceneStrip> strips;
  std::vector<SceneMarker> markers;
  std::vector<ScenePill> pills;
  std::vector<SceneBox> boxes;
  std::vector<SceneShade> shades;
  cv::Vec3d lamp{-0.55, 0.5, 0.75};  // towards it
  double lamp_size = 0.12;           // its radius over its distance
  double lamp_share = 0.6;           // of the light; the room gives the rest
};

// The light that arrives at each pixel of `part` of the camera's picture: CV_32FC3, linear, 1 is a
// white sheet in full light. The same pixel gets the same light however the picture is parted.
cv::Mat LightOf(const TableCamera& camera, const ShotScene& scene, const cv::Rect& part);

// The share of points that the camera sees of some that lie on the surface of things in the scene.
double ShareSeen(const TableCamera& camera, const ShotScene& scene,
                 const std::vector<cv::Vec3d>& points);

}  // namespace fos
