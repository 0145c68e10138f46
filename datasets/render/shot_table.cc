// SPDX-License-Identifier: MIT
#include "datasets/render/shot_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <opencv2/aruco.hpp>
#include <opencv2/calib3d.hpp>

#include "datasets/render/random.h"
#include "engine/table/shapes.h"

namespace fos {
namespace {

Colour Toned(Colour c, double light) {
  const auto tone = [&](int v) {
    return static_cast<std::uint8_t>(std::clamp(v * light, 0.0, 255.0));
  };
  return {tone(c.r), tone(c.g), tone(c.b)};
}
cv::Vec3d At(Vec2 p, double z) { return {p.x, p.y, z}; }

constexpr double kThickness_in = 0.1;
constexpr double kCottonRadius_in = 0.11;
constexpr double kCottonLength_in = 0.5;
constexpr double kStickRadius_in = 0.05;
constexpr double kSwabLength_in = 3.0;
constexpr double kShell_in = 0.4;

std::vector<KindSpec> Kinds() {
  const auto kind = [](const char* name, Box2 box, Colour bar, double high, bool equipment) {
    KindSpec k;
    k.name = name;
    k.footprint = box;
    k.thickness_in = kThickness_in;
    k.bar = bar;
    k.bar_depth_in = 0.18;
    k.figures_height_in = high;
    k.equipment = equipment;
    return k;
  };
  return {kind("line_infantry", {1.5, 0.75}, {242, 242, 234}, 1.15, false),
          kind("guards_infantry", {1.5, 0.75}, {217, 176, 44}, 1.15, false),
          kind("light_cavalry", {1.5, 1.25}, {224, 123, 40}, 1.4, false),
          kind("foot_crew", {0.75, 0.75}, {239, 143, 184}, 1.15, false),
          kind("foot_gun", {1.0, 1.5}, {28, 28, 28}, 0.7, true)};
}

void PlaceFigures(const KindSpec& kind, const StandObservation& stand, Colour paint, Random& random,
                  ShotScene& scene) {
  const double high = kind.figures_height_in;
  const auto at = [&](double x, double y, double z) {
    return At(stand.table_from_stand * Vec2{x, y}, z);
  };
  const double width = stand.footprint.width_in;
  const double depth = stand.footprint.depth_in;
  const Colour coat = Pick(random, 3) == 0 ? Colour{60, 50, 45} : Toned(paint, 0.7);
  if (kind.equipment) {
    scene.pills.push_back(
        {at(0, -0.2, 0.45), at(0, 0.45, 0.5), 0.09, Toned({70, 68, 60}, 1), 0.1, 0, {}});
    scene.pills.push_back(
        {at(-0.3, -0.1, 0.35), at(-0.28, -0.1, 0.35), 0.25, {80, 60, 40}, 0.1, 0, {}});
    scene.pills.push_back(
        {at(0.3, -0.1, 0.35), at(0.28, -0.1, 0.35), 0.25, {80, 60, 40}, 0.1, 0, {}});
    return;
  }
  const bool mounted = depth > 1;
  const int count = mounted ? 2 : width > 1 ? 3 : 1;
  for (int k = 0; k < count; ++k) {
    const double x = ((k + 0.5) / count - 0.5) * width + Uniform(random, -0.04, 0.04);
    const double y = -0.1 * depth;
    if (mounted) {
      const Colour horse{90, 62, 42};
      scene.pills.push_back({at(x, y - 0.3, 0.5), at(x, y + 0.3, 0.55), 0.13, horse, 0.15, 0, {}});
      scene.pills.push_back({at(x, y + 0.1, 0.1), at(x, y + 0.1, 0.5), 0.05, horse, 0.1, 0, {}});
      scene.pills.push_back({at(x, y - 0.25, 0.1), at(x, y - 0.25, 0.5), 0.05, horse, 0.1, 0, {}});
      scene.pills.push_back({at(x, y, 0.6), at(x, y, high - 0.3), 0.1, coat, 0.15, 0, {}});
    } else {
      scene.pills.push_back({at(x, y, 0.2), at(x, y, high - 0.35), 0.11, coat, 0.15, 0, {}});
      // A musket and white straps: bright thin objects that a swab must not be confused with.
      scene.pills.push_back({at(x + 0.1, y + 0.02, 0.3),
                             at(x + 0.14, y + 0.12, high),
                             0.02,
                             {150, 140, 125},
                             0,
                             0,
                             {}});
    }
    scene.pills.push_back(
        {at(x, y, high - 0.2), at(x, y, high - 0.2), 0.075, {205, 170, 140}, 0.1, 0, {}});
    scene.pills.push_back(
        {at(x, y, high - 0.12), at(x, y, high - 0.05), 0.07, {40, 38, 40}, 0.1, 0, {}});
  }
}

void Deploy(const UnitSpec& unit, const KindSpec& kind, const ShotTable& table, Random& random,
            std::vector<StandObservation>& stands) {
  const double bearing = BearingOf(unit.facing) + Uniform(random, -12, 12);
  const double gap = Uniform(random, 0.01, 0.15);
  const int abreast = 2;
  const int ranks = (unit.stands + 1) / abreast;
  const Vec2 centre = table.table.frame.CentreOf(unit.square) +
                      Vec2{Uniform(random, -0.4, 0.4), Uniform(random, -0.4, 0.4)};
  const Pose2 table_from_unit{centre, HeadingFromBearing(bearing)};
  for (int i = 0; i < unit.stands; ++i) {
    const Vec2 at{
        (i % abreast == 0 ? -0.5 : 0.5) * (unit.stands > 1 ? kind.footprint.width_in + gap : 0),
        (0.5 * (ranks - 1) - i / abreast) * (kind.footprint.depth_in + gap)};
    StandObservation s;
    s.unit = unit.id;
    s.stand.text = unit.id + "#" + std::to_string(i + 1);
    s.side = unit.side;
    s.kind = unit.kind;
    s.footprint = kind.footprint;
    s.table_from_stand = table_from_unit * Pose2{at, Uniform(random, -0.02, 0.02)};
    stands.push_back(s);
  }
}

void HangCamera(ShotTable& out, Random& random) {
  struct Format {
    int width, height;
  };
  // Half of the club's cameras give 1080p.
  constexpr std::array<Format, 12> kFormats{{{1280, 720},
                                             {1280, 720},
                                             {1280, 720},
                                             {1920, 1080},
                                             {1920, 1080},
                                             {1920, 1080},
                                             {1920, 1080},
                                             {1920, 1080},
                                             {1920, 1080},
                                             {2560, 1440},
                                             {2560, 1440},
                                             {3840, 2160}}};
  const Format format = kFormats[static_cast<std::size_t>(Pick(random, 12))];
  // The whole table of which this is a part.
  constexpr std::array<std::array<double, 2>, 3> kTables{{{48, 36}, {60, 44}, {72, 48}}};
  const auto whole = kTables[static_cast<std::size_t>(Pick(random, format.width < 1900 ? 1 : 3))];
  const double ppi = std::min(format.width / (whole[0] + 7), format.height / (whole[1] + 7));
  CameraModel lens;
  lens.width_px = format.width;
  lens.height_px = format.height;
  lens.fx_px = lens.fy_px = Uniform(random, 0.8, 1.1) * format.width;
  lens.cx_px = format.width / 2.0 + Uniform(random, -8, 8);
  lens.cy_px = format.height / 2.0 + Uniform(random, -8, 8);
  lens.distortion = {Uniform(random, -0.16, 0.02), Uniform(random, 0, 0.04), 0.0003, -0.0004, 0};
  lens.rms_px = 0.2;
  const double height = lens.fx_px / ppi;
  // Where the small board lies in the whole.
  const double side = out.table.frame.Width();
  const Vec2 off{Uniform(random, -0.5, 0.5) * (whole[0] - side),
                 Uniform(random, -0.5, 0.5) * (whole[1] - side)};
  const double tilt = Uniform(random, 0, 12) * std::numbers::pi / 180;
  const double turn = Pick(random, 4) * std::numbers::pi / 2 + Uniform(random, -0.06, 0.06);
  // Looking down: x right, y down the picture; then turned about the vertical.
  const cv::Matx33d down(1, 0, 0, 0, -std::cos(tilt), -std::sin(tilt), 0, std::sin(tilt),
                         -std::cos(tilt));
  const cv::Matx33d about(std::cos(turn), -std::sin(turn), 0, std::sin(turn), std::cos(turn), 0, 0,
                          0, 1);
  const cv::Matx33d rotation = down * about;
  const Vec2 middle{side / 2, side / 2};
  // In the turned frame the whole table lies straight before the camera.
  const Vec2 local = off - Vec2{0, std::tan(tilt) * height};
  const Vec2 foot = middle + Rotated(local, -turn);
  const cv::Vec3d eye(foot.x, foot.y, height);
  cv::Vec3d rvec;
  cv::Rodrigues(rotation, rvec);
  const TableCamera camera = MakeTableCamera(lens, rvec, -(rotation * eye));
  // The picture is cut to the small board and its markers.
  constexpr double kAbout_in = 3.0;
  cv::Point2d low(1e9, 1e9);
  cv::Point2d high(-1e9, -1e9);
  for (const double x : {-kAbout_in, side / 2, side + kAbout_in}) {
    for (const double y : {-kAbout_in, side / 2, side + kAbout_in}) {
      const ImagePoint p = ImageFromTable(camera, {x, y}, 0);
      low = {std::min(low.x, p.x_px), std::min(low.y, p.y_px)};
      high = {std::max(high.x, p.x_px), std::max(high.y, p.y_px)};
    }
  }
  const cv::Point corner(static_cast<int>(std::floor(low.x)), static_cast<int>(std::floor(low.y)));
  // Even sizes: coders and mosaics count in twos.
  const cv::Size size((static_cast<int>(std::ceil(high.x)) - corner.x + 1) / 2 * 2,
                      (static_cast<int>(std::ceil(high.y)) - corner.y + 1) / 2 * 2);
  out.camera = Cropped(camera, {corner, size});
  out.lens = out.camera.lens;
  out.lens.fx_px *= 1 + Normal(random, 3e-4);
  out.lens.fy_px = out.lens.fx_px * (1 + Normal(random, 1e-4));
  out.lens.cx_px += Normal(random, 0.4);
  out.lens.cy_px += Normal(random, 0.4);
  out.lens.distortion[0] += Normal(random, 5e-4);
}

Webcam MakeWebcam(const TableCamera& camera, Random& random) {
  Webcam cam;
  const bool cheap = camera.lens.width_px < 320 || Pick(random, 4) == 0;
  cam.blur_px = Uniform(random, 0.45, 0.85);
  const double fringe = Uniform(random, 0, 0.35);
  const double way = Uniform(random, 0, 2 * std::numbers::pi);
  cam.fringe_px = {fringe * std::cos(way), fringe * std::sin(way)};
  const double warm = Uniform(random, -0.18, 0.28);
  cam.white = {1 - warm, 1, 1 + 0.7 * warm};
  cam.exposure = Uniform(random, 0.6, 1.0);
  cam.falloff = {Uniform(random, -0.1, 0.2), Uniform(random, -0.1, 0.2)};
  cam.read_noise = cheap ? Uniform(random, 0.004, 0.008) : Uniform(random, 0.001, 0.003);
  cam.shot_noise = cheap ? Uniform(random, 2e-4, 6e-4) : Uniform(random, 2e-5, 1.5e-4);
  cam.sharpen = Uniform(random, 0.2, 0.9);
  cam.jpeg_quality = cheap ? 75 + Pick(random, 15) : 86 + Pick(random, 11);
  return cam;
}

// The height of what there is under a place, a stick of radius_in coming to lie along `along`
// there.
double SupportAt(const ShotTable& table, const std::vector<Dropped>& lying, Vec2 at) {
  double height = 0;
  for (const SceneBox& box : table.scene.boxes) {
    const cv::Vec3d own = box.table_from_box.t() * (At(at, box.centre[2]) - box.centre);
    if (std::abs(own[0]) <= box.half[0] && std::abs(own[1]) <= box.half[1])
      height = std::max(height, box.centre[2] + box.half[2]);
  }
  for (const Dropped& other : lying) {
    for (const ScenePill& pill : other.pills) {
      const Vec2 a{pill.from[0], pill.from[1]};
      const Vec2 b{pill.to[0], pill.to[1]};
      const double off = Distance(NearestPoint(Segment2{a, b}, at), at);
      if (off >= pill.radius_in) continue;
      const double length = Distance(a, b);
      const double share =
          length > 0 ? std::clamp(Dot(at - a, b - a) / (length * length), 0.0, 1.0) : 0;
      const double z = pill.from[2] + share * (pill.to[2] - pill.from[2]);
      height = std::max(height, z + std::sqrt(pill.radius_in * pill.radius_in - off * off));
    }
    for (const SceneBox& box : other.boxes) {
      const cv::Vec3d own = box.table_from_box.t() * (At(at, box.centre[2]) - box.centre);
      if (std::abs(own[0]) <= box.half[0] && std::abs(own[1]) <= box.half[1])
        height = std::max(height, box.centre[2] + box.half[2]);
    }
  }
  return height;
}

struct Rest {
  double z0;
  double z1;
  double least_support;
  double most_support;
};
// A stiff stick's heights at its two ends: it lies on the edge of the upper hull of what holds it
// up that spans its middle.
template <typename RadiusAt>
Rest RestOn(const ShotTable& table, const std::vector<Dropped>& lying, Vec2 from, Vec2 to,
            const RadiusAt& radius) {
  constexpr int kSteps = 80;
  const Vec2 across = Perpendicular(Normalized(to - from));
  std::vector<Vec2> hull;  // of (share, height of the axis), the upper one
  Rest rest{0, 0, 1e9, -1e9};
  for (int i = 0; i <= kSteps; ++i) {
    const double t = static_cast<double>(i) / kSteps;
    const double r = radius(t);
    const Vec2 at = from + t * (to - from);
    double axis = -1e9;
    for (const double side : {-0.8, -0.4, 0.0, 0.4, 0.8}) {
      const double support = SupportAt(table, lying, at + side * r * across);
      axis = std::max(axis, support + r * std::sqrt(1 - side * side));
      rest.least_support = std::min(rest.least_support, support);
      rest.most_support = std::max(rest.most_support, support);
    }
    const Vec2 p{t, axis};
    while (hull.size() >= 2 &&
           Cross(hull[hull.size() - 1] - hull[hull.size() - 2], p - hull[hull.size() - 2]) >= 0) {
      hull.pop_back();
    }
    hull.push_back(p);
  }
  for (std::size_t i = 0; i + 1 < hull.size(); ++i) {
    if (hull[i].x <= 0.5 && hull[i + 1].x >= 0.5) {
      const double slope = (hull[i + 1].y - hull[i].y) / (hull[i + 1].x - hull[i].x);
      rest.z0 = hull[i].y - slope * hull[i].x;
      rest.z1 = rest.z0 + slope;
    }
  }
  return rest;
}

double GapBetween(const ScenePill& a, const ScenePill& b) {
  // By sampling: fine against radii of a tenth of an inch and more.
  double least = 1e9;
  constexpr int kSteps = 24;
  for (int i = 0; i <= kSteps; ++i) {
    const cv::Vec3d p = a.from + (static_cast<double>(i) / kSteps) * (a.to - a.from);
    const cv::Vec3d d = b.to - b.from;
    const double share = d.dot(d) > 0 ? std::clamp((p - b.from).dot(d) / d.dot(d), 0.0, 1.0) : 0;
    least = std::min(least, cv::norm(p - b.from - share * d));
  }
  return least - a.radius_in - b.radius_in;
}

bool RunsInto(const ShotTable& table, const std::vector<ScenePill>& pills) {
  for (const ScenePill& mine : pills) {
    for (const ScenePill& other : table.scene.pills) {
      if (GapBetween(mine, other) < 0) return true;
    }
  }
  return false;
}

// A swab's bodies from tip to tail, share of it that is there.
void SwabBodies(Dropped& out, const cv::Vec3d& tip, const cv::Vec3d& tail, Colour dip,
                double dipped_in, bool with_tail, Random& random) {
  const cv::Vec3d along = (tail - tip) / cv::norm(tail - tip);
  const double fat = kCottonRadius_in * Uniform(random, 0.95, 1.03);
  const Colour cotton = Toned({240, 238, 232}, Uniform(random, 0.93, 1.02));
  // Wound cotton: uneven, and a little thinner at the end.
  out.pills.push_back({tip + fat * along, tip + (kCottonLength_in - fat) * along, fat, cotton, 0.05,
                       dipped_in, dip});
  out.pills.push_back({tip + 0.3 * along,
                       tail - (with_tail ? 0.3 : 0.05) * along,
                       kStickRadius_in,
                       Toned({228, 228, 224}, Uniform(random, 0.93, 1.03)),
                       0.02,
                       0,
                       {}});
  if (with_tail) {
    out.pills.push_back(
        {tail - fat * along, tail - (kCottonLength_in - fat) * along, fat, cotton, 0.05, 0, {}});
  }
  out.axis_from = tip;
  out.axis_to = tail;
}

Vec2 SomewhereOn(const ShotTable& table, Random& random, double margin_in) {
  return {Uniform(random, margin_in, table.table.frame.Width() - margin_in),
          Uniform(random, margin_in, table.table.frame.Depth() - margin_in)};
}

void ChooseProjectiles(Scenario& scenario, Random& random) {
  constexpr std::array<Colour, 4> kDips{Colour{90, 20, 20}, Colour{32, 40, 90}, Colour{20, 20, 20},
                                        Colour{150, 30, 30}};
  constexpr std::array<Colour, 4> kBodies{Colour{201, 162, 39}, Colour{190, 60, 50},
                                          Colour{120, 125, 130}, Colour{70, 120, 180}};
  ProjectileSpec qtip;
  qtip.type = Projectile::kQtip;
  qtip.length_in = kSwabLength_in;
  qtip.diameter_in = 2 * kStickRadius_in;
  qtip.tip_paint = kDips[static_cast<std::size_t>(Pick(random, 4))];
  qtip.hit_radius_in = 1.0;
  qtip.touch_radius_in = 0.125;
  ProjectileSpec shell;
  shell.type = Projectile::kShell;
  shell.size_in = kShell_in;
  shell.body = kBodies[static_cast<std::size_t>(Pick(random, 4))];
  shell.mark = {20, 20, 20};
  shell.hit_radius_in = 1.0;
  shell.touch_radius_in = 0.25;
  scenario.projectiles = {qtip, shell};
}

void LayMarkers(ShotTable& out) {
  const double side = out.table.frame.Width();
  FiducialSpec fiducials{"DICT_4X4_50", 2.0, {}};
  const auto dictionary = cv::aruco::getPredefinedDictionary(cv::aruco::DICT_4X4_50);
  const std::array<Vec2, 4> corners{Vec2{-1.5, -1.5}, Vec2{side + 1.5, -1.5},
                                    Vec2{side + 1.5, side + 1.5}, Vec2{-1.5, side + 1.5}};
  for (int id = 0; id < 4; ++id) {
    const Vec2 centre = corners[static_cast<std::size_t>(id)];
    fiducials.markers.push_back({id, centre});
    SceneMarker marker;
    marker.centre = centre;
    constexpr int kCells = 6;  // four and a black one on each side
    cv::aruco::drawMarker(dictionary, id, kCells, marker.cells, 1);
    out.scene.markers.push_back(marker);
  }
  out.table.fiducials = fiducials;
}

void PaintCloth(double side, Random& random, ShotScene& scene) {
  constexpr std::array<Colour, 5> kCloths{Colour{92, 104, 58}, Colour{70, 96, 62},
                                          Colour{128, 116, 78}, Colour{84, 118, 60},
                                          Colour{60, 84, 66}};
  scene.cloth = kCloths[static_cast<std::size_t>(Pick(random, 5))];
  scene.fine_mottle = Uniform(random, 0.04, 0.16);
  scene.coarse_mottle = Uniform(random, 0.04, 0.18);
  scene.line_in = Uniform(random, 0.05, 0.1);
  scene.line_stray_in = Uniform(random, 0, 0.04);
  const double bearing = Uniform(random, 0, 2 * std::numbers::pi);
  const double slope = Uniform(random, 0.2, 1.1);
  scene.lamp = {slope * std::cos(bearing), slope * std::sin(bearing), 1};
  scene.lamp_size = Uniform(random, 0.05, 0.3);
  scene.lamp_share = Uniform(random, 0.35, 0.75);
  if (Pick(random, 2) == 0) {
    const double x = Uniform(random, 1, side - 1);
    const double lean = Uniform(random, -4, 4);
    scene.strips.push_back(
        {{{x - 0.6, -1}, {x + 0.6, -1}, {x + 0.6 + lean, side + 1}, {x - 0.6 + lean, side + 1}},
         Pick(random, 2) == 0 ? Colour{150, 118, 84} : Colour{70, 100, 130}});
  }
}

// squares  in a random order; a unit goes to each of the first. Returns how many
int DeployUnits(const std::vector<int>& squares, ShotTable& out, Random& random) {
  const int units = 2 + Pick(random, 4);
  for (int i = 0; i < units; ++i) {
    UnitSpec unit;
    unit.id = (i % 2 == 0 ? "B-" : "R-") + std::to_string(i + 1);
    unit.side = i % 2;
    unit.kind = Pick(random, static_cast<int>(out.scenario.kinds.size()));
    const KindSpec& kind = out.scenario.kinds[static_cast<std::size_t>(unit.kind)];
    unit.stands = kind.equipment ? 1 : 2 + Pick(random, 3);
    const int square = squares[static_cast<std::size_t>(i)];
    unit.square = {square % 3, square / 3};
    unit.facing = static_cast<Facing>(Pick(random, 8));
    out.scenario.units.push_back(unit);
    Deploy(unit, kind, out, random, out.stands);
  }
  return units;
}

void PlaceStands(const std::array<Colour, 2>& paints, ShotTable& out, Random& random) {
  for (const StandObservation& stand : out.stands) {
    const KindSpec& kind = out.scenario.kinds[static_cast<std::size_t>(stand.kind)];
    const Colour paint = paints[static_cast<std::size_t>(stand.side)];
    SceneBox base = UprightBox(stand.table_from_stand, stand.footprint, 0, kThickness_in, paint);
    base.bar = kind.bar;
    base.bar_depth_in = kind.bar_depth_in;
    base.rough = Uniform(random, 0.05, 0.15);
    out.scene.boxes.push_back(base);
    PlaceFigures(kind, stand, paint, random, out.scene);
  }
}

// Clumps of leaves on a trunk, with holes between them. Returns its outline for the scenario.
TerrainObject PlantTree(Vec2 middle, Random& random, ShotScene& scene) {
  const Vec2 at = middle + Vec2{Uniform(random, -1.3, 1.3), Uniform(random, -1.3, 1.3)};
  const double radius = Uniform(random, 0.4, 0.7);
  const double high = Uniform(random, 1.5, 2.3);
  scene.pills.push_back({At(at, 0.05), At(at, high - radius), 0.09, {84, 62, 44}, 0.2, 0, {}});
  const Colour leaf = Toned({66, 84, 40}, Uniform(random, 0.6, 1.1));
  for (int k = 0; k < 22; ++k) {
    const double angle = Uniform(random, 0, 2 * std::numbers::pi);
    const double out_by = radius * std::sqrt(Uniform(random, 0, 1));
    const Vec2 clump = at + out_by * Vec2{std::cos(angle), std::sin(angle)};
    const cv::Vec3d ball = At(clump, high - radius + Uniform(random, -0.7, 0.8) * radius);
    scene.pills.push_back({ball,
                           ball,
                           Uniform(random, 0.1, 0.2),
                           Toned(leaf, Uniform(random, 0.7, 1.3)),
                           0.3,
                           0,
                           {}});
  }
  return {"tree", Circle{at, radius}, {}, high};
}

void PlantWood(Vec2 middle, ShotTable& out, Random& random) {
  TerrainArea wood;
  wood.type = "wood";
  wood.polygon = {middle + Vec2{-1.8, -1.8}, middle + Vec2{1.8, -1.8}, middle + Vec2{1.8, 1.8},
                  middle + Vec2{-1.8, 1.8}};
  const int trees = 1 + Pick(random, 4);
  for (int i = 0; i < trees; ++i) {
    wood.objects.push_back(PlantTree(middle, random, out.scene));
  }
  out.scenario.terrain.push_back(wood);
}

void RaiseHill(Vec2 middle, ShotTable& out, Random& random) {
  TerrainArea hill;
  hill.type = "hill";
  hill.height_in = Uniform(random, 0.4, 0.8);
  hill.polygon = {middle + Vec2{-1.9, -1.9}, middle + Vec2{1.9, -1.9}, middle + Vec2{1.9, 1.9},
                  middle + Vec2{-1.9, 1.9}};
  SceneBox block = UprightBox({middle, 0}, {3.8, 3.8}, 0, hill.height_in, out.scene.cloth);
  block.cloth = true;
  out.scene.boxes.push_back(block);
  out.scenario.terrain.push_back(hill);
}

// Tilts a shell that lies with one side up on something, about its low edge. False where it lies
// too askew to say which side is up.
bool TiltOnto(const ShotTable& table, const std::vector<Dropped>& lying, const Pose2& pose,
              double lowest, double highest, SceneBox& box) {
  const double h = kShell_in / 2;
  // Its high side is the one over the base; only where it lies square enough to say.
  double up_x = 0;
  double up_y = 0;
  for (const Vec2 d : {Vec2{h, 0}, Vec2{-h, 0}, Vec2{0, h}, Vec2{0, -h}}) {
    if (SupportAt(table, lying, pose * d) > lowest + 0.01) {
      up_x += d.x;
      up_y += d.y;
    }
  }
  const double length = std::hypot(up_x, up_y);
  if (length < 1e-6) return false;
  const cv::Vec3d up = cv::Vec3d(box.table_from_box * cv::Vec3d(up_x / length, up_y / length, 0));
  const double angle = std::atan2(highest - lowest, kShell_in);
  // About the level axis across `up`, so that that side rises.
  const cv::Vec3d axis = up.cross(cv::Vec3d(0, 0, 1));
  cv::Matx33d tilt;
  cv::Rodrigues(axis * angle, tilt);
  box.table_from_box = tilt * box.table_from_box;
  // Its low edge stays on the ground.
  const double drop = h * std::sin(angle) + (kShell_in / 4) * std::cos(angle);
  box.centre[2] = lowest + drop;
  return true;
}

// Lays a swab with its tip at a point. False where it would not stay there.
bool LaySwab(const ShotTable& table, const std::vector<Dropped>& lying, Vec2 point, Vec2 way,
             Random& random, Dropped& out) {
  const double length = kSwabLength_in + Normal(random, 0.008);
  const Vec2 tail = point + length * way;
  if (tail.x < -1 || tail.y < -1 || tail.x > table.table.frame.Width() + 1 ||
      tail.y > table.table.frame.Depth() + 1)
    return false;
  const auto radius = [&](double t) {
    return std::min(t, 1 - t) * length < kCottonLength_in ? kCottonRadius_in : kStickRadius_in;
  };
  const Rest rest = RestOn(table, lying, point, tail, radius);
  // On a hill's edge it would slide; balanced on a figure it would fall.
  if (rest.most_support - rest.least_support > 0.35) return false;
  const double rise = rest.z1 - rest.z0;
  const Vec2 flat_tail = point + std::sqrt(length * length - rise * rise) * way;
  const cv::Vec3d a = At(point, rest.z0);
  const cv::Vec3d b = At(flat_tail, rest.z1);
  const Colour dip = Toned(table.scenario.projectiles[0].tip_paint, Uniform(random, 0.85, 1.15));
  SwabBodies(out, a, b, dip, Uniform(random, 0.22, 0.45), true, random);
  if (RunsInto(table, out.pills)) return false;
  out.what = "qtip";
  out.point = point;
  out.tail = flat_tail;
  out.height_in = rest.z0;
  out.lies = std::abs(rise) < 0.005 ? (rest.most_support > 0.2 ? "on a hill" : "flat") : "leaning";
  const cv::Vec3d along = (b - a) / cv::norm(b - a);
  for (double d = 0.03; d < 0.22; d += 0.03) {
    out.visible_points.push_back(a + d * along + cv::Vec3d(0, 0, kCottonRadius_in));
  }
  return true;
}

// The same of a shell with its middle there.
bool LayShell(const ShotTable& table, const std::vector<Dropped>& lying, Vec2 point, double heading,
              Random& random, Dropped& out) {
  const double support = SupportAt(table, lying, point);
  double lowest = support;
  double highest = support;
  const Pose2 pose{point, heading};
  const double h = kShell_in / 2;
  for (const Vec2 d : {Vec2{h, 0}, Vec2{-h, 0}, Vec2{0, h}, Vec2{0, -h}, Vec2{h, h}, Vec2{-h, h},
                       Vec2{h, -h}, Vec2{-h, -h}}) {
    const double s = SupportAt(table, lying, pose * d);
    lowest = std::min(lowest, s);
    highest = std::max(highest, s);
  }
  // Flat on one level, or with one side up on a base: then tilted about its low edge.
  if (highest - lowest > 0.12) return false;
  SceneBox box = UprightBox(pose, {kShell_in, kShell_in}, lowest, lowest + kShell_in / 2,
                            table.scenario.projectiles[1].body);
  out.lies = lowest > 0.2 ? "on a hill" : lowest > 0.05 ? "on a base" : "flat";
  if (highest > lowest) {
    if (!TiltOnto(table, lying, pose, lowest, highest, box)) return false;
    out.lies = "leaning";
  }
  box.rough = 0.05;
  box.mark_radius_in = Uniform(random, 0.05, 0.075);
  box.mark = table.scenario.projectiles[1].mark;
  out.boxes = {box};
  ScenePill hull{box.centre, box.centre, 0.24, {}, 0, 0, {}};
  if (RunsInto(table, {hull})) return false;
  const cv::Vec3d top = box.centre + box.table_from_box * cv::Vec3d(0, 0, box.half[2]);
  out.what = "shell";
  out.point = {top[0], top[1]};
  out.tail = out.point;
  out.height_in = top[2];
  out.axis_from = out.axis_to = top;
  for (const double u : {-0.6, 0.0, 0.6}) {
    for (const double v : {-0.6, 0.0, 0.6}) {
      out.visible_points.push_back(box.centre +
                                   box.table_from_box * cv::Vec3d(u * h, v * h, box.half[2]));
    }
  }
  return true;
}

}  // namespace

ShotTable MakeShotTable(std::uint32_t seed) {
  Random random(seed * 2654435761U + 99U);
  ShotTable out;
  out.table.frame = {3, 3, 4.0};
  const double side = out.table.frame.Width();
  out.fps = Pick(random, 3) == 0 ? 15 : 30;
  constexpr std::array<Colour, 8> kPaints{
      Colour{47, 79, 168},  Colour{176, 48, 40},   Colour{125, 130, 140}, Colour{35, 48, 92},
      Colour{90, 147, 196}, Colour{196, 170, 110}, Colour{120, 60, 130},  Colour{60, 110, 60}};
  const int first = Pick(random, 8);
  const int second = (first + 1 + Pick(random, 7)) % 8;
  const std::array<Colour, 2> paints{kPaints[static_cast<std::size_t>(first)],
                                     kPaints[static_cast<std::size_t>(second)]};
  out.scenario.sides = {{"Blue", paints[0], Facing::kSouth}, {"Red", paints[1], Facing::kNorth}};
  out.scenario.kinds = Kinds();
  ChooseProjectiles(out.scenario, random);
  LayMarkers(out);
  out.scene.seed = seed;
  PaintCloth(side, random, out.scene);

  // Some squares hold a unit, one may hold a wood, one a hill.
  std::vector<int> squares(9);
  for (int i = 0; i < 9; ++i) squares[static_cast<std::size_t>(i)] = i;
  std::shuffle(squares.begin(), squares.end(), random);
  const int units = DeployUnits(squares, out, random);
  PlaceStands(paints, out, random);
  const auto square_middle = [&](int i) {
    const int square = squares[static_cast<std::size_t>(i)];
    return out.table.frame.CentreOf({square % 3, square / 3});
  };
  if (Pick(random, 2) == 0) PlantWood(square_middle(units), out, random);
  if (Pick(random, 6) == 0) RaiseHill(square_middle(units + 1), out, random);

  HangCamera(out, random);
  out.webcam = MakeWebcam(out.camera, random);
  return out;
}

Dropped DropShot(const ShotTable& table, Projectile type, const std::vector<Dropped>& lying,
                 Random& random) {
  Dropped out;
  out.shot = true;
  out.projectile = type;
  for (int attempt = 0; attempt < 200; ++attempt) {
    out.pills.clear();
    out.boxes.clear();
    out.visible_points.clear();
    const Vec2 point = SomewhereOn(table, random, 0.2);
    const double heading = Uniform(random, 0, 2 * std::numbers::pi);
    const Vec2 way{std::cos(heading), std::sin(heading)};
    const bool lies = type == Projectile::kQtip
                          ? LaySwab(table, lying, point, way, random, out)
                          : LayShell(table, lying, point, heading, random, out);
    if (lies) return out;
  }
  out.shot = false;
  out.what = "nothing";
  return out;
}

Dropped DropOther(const ShotTable& table, Random& random) {
  Dropped out;
  const Vec2 at = SomewhereOn(table, random, 1.0);
  const double heading = Uniform(random, 0, 2 * std::numbers::pi);
  const Pose2 pose{at, heading};
  const double ground = SupportAt(table, {}, at);
  const auto rod = [&](const char* what, double length, double radius, Colour colour) {
    out.what = what;
    const Vec2 half = 0.5 * length * Vec2{std::cos(heading), std::sin(heading)};
    out.pills.push_back({At(at - half, ground + radius),
                         At(at + half, ground + radius),
                         radius,
                         colour,
                         0.03,
                         0,
                         {}});
  };
  const auto slab = [&](const char* what, Box2 size, double thick, Colour colour) {
    out.what = what;
    out.boxes.push_back(UprightBox(pose, size, ground, ground + thick, colour));
  };
  switch (Pick(random, 10)) {
    case 0: {
      constexpr std::array<Colour, 4> kColours{Colour{216, 170, 40}, Colour{190, 40, 40},
                                               Colour{40, 70, 160}, Colour{235, 235, 230}};
      rod("pencil", Uniform(random, 3.2, 6.5), 0.14,
          kColours[static_cast<std::size_t>(Pick(random, 4))]);
      const ScenePill body = out.pills.front();
      const cv::Vec3d along = (body.to - body.from) / cv::norm(body.to - body.from);
      out.pills.push_back(
          {body.to + 0.3 * along, body.to + 0.2 * along, 0.05, {60, 50, 45}, 0, 0, {}});
      break;
    }
    case 1: {
      const int count = 1 + Pick(random, 3);
      for (int i = 0; i < count; ++i) {
        const Pose2 die{at + Vec2{Uniform(random, -1, 1), Uniform(random, -1, 1)},
                        Uniform(random, 0, 6)};
        const double low = SupportAt(table, {}, die.origin);
        const Colour colour = Pick(random, 2) == 0 ? Colour{238, 238, 232} : Colour{180, 30, 30};
        SceneBox box = UprightBox(die, {0.55, 0.55}, low, low + 0.55, colour);
        box.mark_radius_in = 0.07;
        box.mark = colour.g > 100 ? Colour{20, 20, 20} : Colour{240, 240, 240};
        out.boxes.push_back(box);
      }
      out.what = "dice";
      break;
    }
    case 2:
      slab("tape measure", {Uniform(random, 3, 6), Uniform(random, 0.4, 0.75)}, 0.02,
           Pick(random, 2) == 0 ? Colour{225, 190, 50} : Colour{240, 240, 238});
      break;
    case 3:
      slab("paper", {Uniform(random, 0.8, 3), Uniform(random, 0.3, 2)}, 0.01, {238, 238, 234});
      break;
    case 4:
      rod("match", 1.85, 0.045, {214, 180, 130});
      out.pills.push_back({out.pills[0].from, out.pills[0].from, 0.07, {150, 30, 30}, 0.1, 0, {}});
      break;
    case 5:
      rod("straw", Uniform(random, 3.6, 7.5), Uniform(random, 0.05, 0.12), {238, 238, 236});
      break;
    case 6:
      rod("dropped figure", 0.8, 0.12, Toned(table.scenario.sides[0].paint, 0.7));
      out.pills.push_back({out.pills[0].to, out.pills[0].to, 0.09, {205, 170, 140}, 0.1, 0, {}});
      break;
    case 7: {
      const Vec2 tail = at + 1.45 * Vec2{std::cos(heading), std::sin(heading)};
      SwabBodies(out, At(at, ground + kCottonRadius_in), At(tail, ground + kStickRadius_in),
                 table.scenario.projectiles[0].tip_paint, 0.3, false, random);
      out.what = "half a swab";
      break;
    }
    case 8:
      rod("wool", 0.02, Uniform(random, 0.15, 0.3), {242, 242, 238});
      break;
    default:
      slab("rubber", {0.8, 0.45}, 0.3, {228, 226, 220});
      break;
  }
  out.axis_from = out.axis_to = At(at, ground);
  return out;
}

ShotScene With(const ShotTable& table, const std::vector<Dropped>& lying) {
  ShotScene scene = table.scene;
  for (const Dropped& one : lying) {
    scene.pills.insert(scene.pills.end(), one.pills.begin(), one.pills.end());
    scene.boxes.insert(scene.boxes.end(), one.boxes.begin(), one.boxes.end());
  }
  return scene;
}

cv::Rect PartChanged(const ShotTable& table, const Dropped& dropped) {
  cv::Point2d low(1e9, 1e9);
  cv::Point2d high(-1e9, -1e9);
  // Shadows and dimmed corners reach this far; low things throw short ones.
  constexpr double kShadow_in = 1.2;
  const auto take = [&](const cv::Vec3d& p, double radius) {
    for (const double dx : {-1.0, 1.0}) {
      for (const double dy : {-1.0, 1.0}) {
        const double reach = radius + kShadow_in;
        const ImagePoint at =
            ImageFromTable(table.camera, {p[0] + dx * reach, p[1] + dy * reach}, p[2]);
        low = {std::min(low.x, at.x_px), std::min(low.y, at.y_px)};
        high = {std::max(high.x, at.x_px), std::max(high.y, at.y_px)};
      }
    }
  };
  for (const ScenePill& pill : dropped.pills) {
    take(pill.from, pill.radius_in);
    take(pill.to, pill.radius_in);
  }
  for (const SceneBox& box : dropped.boxes) take(box.centre, cv::norm(box.half));
  if (low.x > high.x) return {};
  const cv::Rect part(cv::Point(static_cast<int>(low.x), static_cast<int>(low.y)),
                      cv::Point(static_cast<int>(high.x) + 1, static_cast<int>(high.y) + 1));
  return part & cv::Rect(0, 0, table.camera.lens.width_px, table.camera.lens.height_px);
}

}  // namespace fos
