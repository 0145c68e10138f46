// SPDX-License-Identifier: MIT
#include "datasets/render/synthetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "datasets/render/random.h"

namespace fos {
namespace {

cv::Scalar LitBy(Colour c, double light) {
  return {std::clamp(c.b * light, 0.0, 255.0), std::clamp(c.g * light, 0.0, 255.0),
          std::clamp(c.r * light, 0.0, 255.0)};
}

std::vector<KindSpec> Kinds(double figures_height_in) {
  const auto kind = [&](std::string name, Box2 box, Colour bar) {
    KindSpec k;
    k.name = std::move(name);
    k.footprint = box;
    k.thickness_in = 0.1;
    k.bar = bar;
    k.bar_depth_in = 0.18;
    k.figures_height_in = figures_height_in;
    return k;
  };
  return {kind("line_infantry", {1.5, 0.75}, {242, 242, 234}),
          kind("guards_infantry", {1.5, 0.75}, {217, 176, 44}),
          kind("light_cavalry", {1.5, 1.25}, {224, 123, 40}),
          kind("line_cavalry", {1.5, 1.25}, {154, 63, 168}),
          kind("foot_crew", {0.75, 0.75}, {239, 143, 184})};
}

// The canvas is drawn kOver times too large and shrunk: edges come out as a lens would mix them.
class Painter {
 public:
  Painter(const TableCamera& camera, int over)
      : camera_(camera),
        over_(over),
        canvas_(camera.lens.height_px * over, camera.lens.width_px * over, CV_8UC3,
                cv::Scalar(40, 36, 34)),
        owner_(canvas_.size(), CV_16UC1, cv::Scalar(0)) {}

  std::vector<cv::Point> Outline(const std::vector<cv::Vec3d>& corners) const {
    std::vector<cv::Point> out;
    for (const cv::Vec3d& c : corners) {
      const ImagePoint p = ImageFromTable(camera_, {c[0], c[1]}, c[2]);
      out.emplace_back(cvRound(((p.x_px + 0.5) * over_ - 0.5) * kSub),
                       cvRound(((p.y_px + 0.5) * over_ - 0.5) * kSub));
    }
    return out;
  }
  void Fill(const std::vector<cv::Vec3d>& corners, const cv::Scalar& colour, int owner) {
    const std::vector<cv::Point> outline = Outline(corners);
    cv::fillConvexPoly(canvas_, outline, colour, cv::LINE_8, kShift);
    cv::fillConvexPoly(owner_, outline, cv::Scalar(owner), cv::LINE_8, kShift);
  }
  // A shadow on the ground darkens the canvas.
  void Darken(const std::vector<cv::Vec3d>& corners, double light) {
    std::vector<cv::Point> outline = Outline(corners);
    std::vector<cv::Point> whole = outline;
    for (cv::Point& p : whole) p = {p.x / kSub, p.y / kSub};
    cv::Rect box = cv::boundingRect(whole);
    box = (cv::Rect(box.x - 2, box.y - 2, box.width + 4, box.height + 4)) &
          cv::Rect({0, 0}, canvas_.size());
    if (box.empty()) return;
    for (cv::Point& p : outline) p -= kSub * box.tl();
    cv::Mat mask(box.size(), CV_8UC1, cv::Scalar(0));
    cv::fillConvexPoly(mask, outline, cv::Scalar(255), cv::LINE_8, kShift);
    cv::Mat part = canvas_(box);
    cv::Mat dark = part * light;
    dark.copyTo(part, mask);
  }
  // An upright box: walls, then the top. Enough for convex things, drawn from far to near.
  void Block(const Pose2& pose, Box2 box, double from_in, double to_in, Colour colour,
             int top_owner, double light) {
    const auto corners = Corners(pose, box);
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec2 a = corners[i];
      const Vec2 b = corners[(i + 1) % 4];
      // Lit from the north-west.
      const Vec2 out = Normalized(Vec2{(b - a).y, -(b - a).x} * -1.0);
      const double wall = light * (0.62 + 0.18 * Dot(out, Normalized({-1, 1})));
      Fill({{a.x, a.y, from_in}, {b.x, b.y, from_in}, {b.x, b.y, to_in}, {a.x, a.y, to_in}},
           LitBy(colour, wall), 0);
    }
    Fill({{corners[0].x, corners[0].y, to_in},
          {corners[1].x, corners[1].y, to_in},
          {corners[2].x, corners[2].y, to_in},
          {corners[3].x, corners[3].y, to_in}},
         LitBy(colour, light), top_owner);
  }

  cv::Mat& canvas() { return canvas_; }
  const cv::Mat& owner() const { return owner_; }

 private:
  static constexpr int kShift = 4;
  static constexpr int kSub = 1 << kShift;
  const TableCamera& camera_;
  int over_;
  cv::Mat canvas_;
  cv::Mat owner_;
};

void PaintCloth(Painter& painter, const SyntheticOptions& o, const TableFrame& frame,
                Random& random) {
  constexpr double kCell_in = 0.25;
  constexpr double kBeyond_in = 3;
  const int nx = static_cast<int>((frame.Width() + 2 * kBeyond_in) / kCell_in);
  const int ny = static_cast<int>((frame.Depth() + 2 * kBeyond_in) / kCell_in);
  cv::Mat mottle(ny, nx, CV_32F);
  cv::RNG(o.seed).fill(mottle, cv::RNG::NORMAL, 0, 1);
  cv::Mat coarse;
  cv::GaussianBlur(mottle, coarse, {}, 6);
  const auto quad = [](double x, double y, double side) {
    return std::vector<cv::Vec3d>{
        {x, y, 0}, {x + side, y, 0}, {x + side, y + side, 0}, {x, y + side, 0}};
  };
  for (int r = 0; r < ny; ++r) {
    for (int c = 0; c < nx; ++c) {
      const double light = 1 + 1.2 * static_cast<double>(coarse.at<float>(r, c)) +
                           0.05 * static_cast<double>(mottle.at<float>(r, c));
      painter.Fill(quad(c * kCell_in - kBeyond_in, r * kCell_in - kBeyond_in, kCell_in * 1.02),
                   LitBy(o.cloth, light), 0);
    }
  }
  const int specks = static_cast<int>(frame.Width() * frame.Depth() * 4);
  for (int i = 0; i < specks; ++i) {
    painter.Fill(quad(Uniform(random, 0, frame.Width()), Uniform(random, 0, frame.Depth()), 0.07),
                 LitBy(o.cloth, Uniform(random, 0.7, 1.5)), 0);
  }
  constexpr double kLine_in = 0.08;
  for (int c = 0; c <= frame.columns; ++c) {
    const double x = c * frame.square_in;
    for (double y = 0; y < frame.Depth(); y += 1) {
      painter.Fill({{x - kLine_in / 2, y, 0},
                    {x + kLine_in / 2, y, 0},
                    {x + kLine_in / 2, y + 1, 0},
                    {x - kLine_in / 2, y + 1, 0}},
                   LitBy(o.cloth, 0.45), 0);
    }
  }
  for (int r = 0; r <= frame.rows; ++r) {
    const double y = r * frame.square_in;
    for (double x = 0; x < frame.Width(); x += 1) {
      painter.Fill({{x, y - kLine_in / 2, 0},
                    {x + 1, y - kLine_in / 2, 0},
                    {x + 1, y + kLine_in / 2, 0},
                    {x, y + kLine_in / 2, 0}},
                   LitBy(o.cloth, 0.45), 0);
    }
  }
}

// Deploys a unit in its square: two abreast, the second rank in contact behind the first or nearly.
void Deploy(const UnitSpec& unit, const KindSpec& kind, const TableFrame& frame, Random& random,
            std::vector<StandObservation>& stands) {
  const double bearing = BearingOf(unit.facing) + Uniform(random, -10, 10);
  const double gap = Uniform(random, 0.02, 0.12);
  const double dx = kind.footprint.width_in + gap;
  const double dy = kind.footprint.depth_in + gap;
  const int ranks = (unit.stands + 1) / 2;
  const Vec2 centre =
      frame.CentreOf(unit.square) + Vec2{Uniform(random, -0.2, 0.2), Uniform(random, -0.2, 0.2)};
  const Pose2 table_from_unit{centre, HeadingFromBearing(bearing)};
  for (int i = 0; i < unit.stands; ++i) {
    const int rank = i / 2;
    const Vec2 at{(i % 2 == 0 ? -0.5 : 0.5) * (unit.stands > 1 ? dx : 0),
                  (0.5 * (ranks - 1) - rank) * dy};
    StandObservation s;
    s.unit = unit.id;
    s.stand.text = unit.id + "#" + std::to_string(i + 1);
    s.side = unit.side;
    s.kind = unit.kind;
    s.footprint = kind.footprint;
    // Ranks in contact can hardly turn against each other: the gaps allow a degree.
    s.table_from_stand = table_from_unit * Pose2{at, Uniform(random, -1, 1) * CV_PI / 180};
    stands.push_back(s);
  }
}

}  // namespace

SyntheticOptions RandomTable(std::uint32_t seed) {
  Random random(seed * 2654435761U + 17U);
  SyntheticOptions o;
  o.seed = seed;
  constexpr std::array<Colour, 7> kPaints{
      Colour{47, 79, 168},  Colour{176, 48, 40},   Colour{125, 130, 140}, Colour{35, 48, 92},
      Colour{90, 147, 196}, Colour{196, 170, 110}, Colour{120, 60, 130}};
  const int first = Pick(random, 7);
  const int second = (first + 1 + Pick(random, 6)) % 7;
  o.paints = {kPaints[static_cast<std::size_t>(first)], kPaints[static_cast<std::size_t>(second)]};
  constexpr std::array<std::array<int, 2>, 4> kSizes{
      {{1280, 720}, {1920, 1080}, {2560, 1440}, {3840, 2160}}};
  const auto size = kSizes[static_cast<std::size_t>(Pick(random, 4))];
  o.width_px = size[0];
  o.height_px = size[1];
  o.columns = 6 + Pick(random, 7);
  o.rows = 5 + Pick(random, 4);
  o.tilt_deg = Uniform(random, 0, 14);
  o.distortion_k1 = Uniform(random, -0.08, 0.02);
  o.units_a_side = std::min(4 + Pick(random, 9), o.columns * 2 - 2);
  o.figures_height_in = Uniform(random, 0.7, 1.3);
  // Warm to cold about the white the camera found.
  const double warm = Uniform(random, -0.2, 0.2);
  o.lamp = {1 - warm, 1, 1 + warm};
  o.falloff = Uniform(random, 0, 0.4);
  o.noise_levels = Uniform(random, 1, 5);
  constexpr std::array<Colour, 3> kCloths{Colour{92, 104, 58}, Colour{70, 96, 62},
                                          Colour{128, 116, 78}};
  o.cloth = kCloths[static_cast<std::size_t>(Pick(random, 3))];
  // Every third club has a lamp beside its table.
  if (Pick(random, 3) == 0) o.side_lamp = Uniform(random, 0.3, 1.2);
  o.focal = Uniform(random, 0.8, 1.4);
  o.trees = Pick(random, 8);
  o.houses = Pick(random, 3);
  return o;
}

namespace {

// Trees and houses stand an inch or two from the bases. Their tops lean over the bases behind them
// in the picture.
void PlaceTerrain(const SyntheticOptions& o, Random& random, SyntheticTable& out) {
  const TableFrame& frame = out.table.frame;
  TerrainArea wood;
  wood.type = "wood";
  const std::array<Vec2, 4> corners = frame.Corners();
  wood.polygon.assign(corners.begin(), corners.end());
  const auto clear = [&](Vec2 at, double radius) {
    constexpr double kTrunk = 0.25;  // of a crown: the rest is above the table
    return frame.Contains(at) &&
           std::none_of(out.stands.begin(), out.stands.end(), [&](const StandObservation& s) {
             return Distance(NearestPoint(s.table_from_stand, s.footprint, at), at) <
                    kTrunk * radius;
           });
  };
  for (int i = 0; i < o.trees; ++i) {
    const StandObservation& near =
        out.stands[static_cast<std::size_t>(Pick(random, static_cast<int>(out.stands.size())))];
    const double turn = Uniform(random, 0, 2 * CV_PI);
    const Vec2 at = near.table_from_stand.origin + Rotated({Uniform(random, 0.6, 1.8), 0}, turn);
    TerrainObject tree{
        "tree", Circle{at, Uniform(random, 0.5, 0.9)}, {}, Uniform(random, 1.5, 2.8)};
    if (clear(at, tree.circle->radius_in)) wood.objects.push_back(tree);
  }
  if (!wood.objects.empty()) out.scenario.terrain.push_back(wood);
  for (int i = 0; i < o.houses; ++i) {
    const StandObservation& near =
        out.stands[static_cast<std::size_t>(Pick(random, static_cast<int>(out.stands.size())))];
    const double turn = Uniform(random, 0, 2 * CV_PI);
    const Vec2 at = near.table_from_stand.origin + Rotated({Uniform(random, 2.2, 3), 0}, turn);
    TerrainArea house;
    house.type = "house";
    house.height_in = Uniform(random, 1.8, 3);
    const Box2 walls{Uniform(random, 1.6, 2.4), Uniform(random, 1.2, 1.8)};
    house.polygon = ToPolygon(Corners({at, Uniform(random, 0, CV_PI)}, walls));
    constexpr double kWhole = 4;  // it touches the table everywhere, so all of it must be clear
    if (clear(at, kWhole * 0.5 * std::hypot(walls.width_in, walls.depth_in)))
      out.scenario.terrain.push_back(house);
  }
}

// Things higher than figures, as slices from the ground up; a tree's slices get smaller.
void PaintTerrain(Painter& painter, const Scenario& scenario) {
  constexpr int kCorners = 16;
  constexpr double kSlice_in = 0.04;
  const auto raise = [&](const Polygon& outline, Vec2 middle, double high, bool dome,
                         Colour colour) {
    for (double h = 0; h <= high; h += kSlice_in) {
      const double share = h / high;
      const double in = dome ? std::sqrt(std::max(0.0, 1 - share * share)) : 1;
      std::vector<cv::Vec3d> slice;
      for (const Vec2 corner : outline) {
        const Vec2 at = middle + (corner - middle) * in;
        slice.emplace_back(at.x, at.y, h);
      }
      // A slice below the top shows as a wall: darker.
      painter.Fill(slice, LitBy(colour, h + kSlice_in > high ? 1.0 : 0.6 + 0.3 * share), 0);
    }
  };
  for (const TerrainArea& area : scenario.terrain) {
    if (area.type == "house") {
      Vec2 middle;
      for (const Vec2 p : area.polygon)
        middle = middle + p / static_cast<double>(area.polygon.size());
      raise(area.polygon, middle, area.height_in, false, {150, 92, 74});
    }
    for (const TerrainObject& object : area.objects) {
      if (!object.circle) continue;
      Polygon round;
      for (int k = 0; k < kCorners; ++k) {
        round.push_back(object.circle->centre +
                        Rotated({object.circle->radius_in, 0}, 2 * CV_PI * k / kCorners));
      }
      raise(round, object.circle->centre, object.height_in, true, {54, 92, 40});
    }
  }
}

SyntheticTable LayOut(const SyntheticOptions& o, Random& random) {
  SyntheticTable out;
  out.table.frame = {o.columns, o.rows, o.square_in};
  const TableFrame& frame = out.table.frame;
  out.scenario.sides = {{"Blue", o.paints[0], Facing::kSouth},
                        {"Red", o.paints[1], Facing::kNorth}};
  out.scenario.kinds = Kinds(o.figures_height_in);

  // Hung so that the board fills nine tenths of the picture.
  CameraModel lens;
  lens.width_px = o.width_px;
  lens.height_px = o.height_px;
  lens.fx_px = lens.fy_px = o.focal * o.width_px;
  lens.cx_px = 0.5 * (o.width_px - 1);
  lens.cy_px = 0.5 * (o.height_px - 1);
  lens.distortion = {o.distortion_k1, 0, 0, 0, 0};
  const double height =
      lens.fx_px / 0.86 * std::max(frame.Width() / o.width_px, frame.Depth() / o.height_px);
  const double tilt = o.tilt_deg * CV_PI / 180;
  const cv::Vec3d eye(frame.Width() / 2, frame.Depth() / 2 - std::tan(tilt) * height, height);
  // x right is east, y down is south turned by the tilt, z looks down and a little north.
  const cv::Matx33d rotation(1, 0, 0, 0, -std::cos(tilt), -std::sin(tilt), 0, std::sin(tilt),
                             -std::cos(tilt));
  cv::Vec3d rvec;
  cv::Rodrigues(rotation, rvec);
  out.camera = MakeTableCamera(lens, rvec, -(rotation * eye));

  // One unit a square: the first side in the southern rows, the second in the northern ones.
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < o.units_a_side; ++i) {
      UnitSpec unit;
      const int column = i % o.columns;
      const int back = i / o.columns;
      unit.id = (side == 0 ? "B-" : "R-") + std::to_string(i + 1);
      unit.side = side;
      unit.kind = Pick(random, static_cast<int>(out.scenario.kinds.size()));
      unit.stands = unit.kind == 4 ? 2 : 2 + Pick(random, 3);
      unit.square = {column, side == 0 ? back : o.rows - 1 - back};
      unit.facing = side == 0 ? Facing::kNorth : Facing::kSouth;
      if (Pick(random, 5) == 0) unit.facing = static_cast<Facing>(Pick(random, 8));
      out.scenario.units.push_back(unit);
      Deploy(unit, out.scenario.kinds[static_cast<std::size_t>(unit.kind)], frame, random,
             out.stands);
    }
  }

  PlaceTerrain(o, random, out);
  return out;
}

// The shadow of a block. The sun stands in the north-west: shadows fall to the south-east, half as
// long as things are high.
void PaintShadow(Painter& painter, const Pose2& pose, Box2 box, double ground, double high) {
  constexpr double kShadow = 0.5;
  const Vec2 shadow_way = Normalized({1, -1}) * kShadow;
  Pose2 moved = pose;
  moved.origin = pose.origin + shadow_way * (0.5 * high);
  const auto c = Corners(moved, box);
  painter.Darken({{c[0].x, c[0].y, ground},
                  {c[1].x, c[1].y, ground},
                  {c[2].x, c[2].y, ground},
                  {c[3].x, c[3].y, ground}},
                 0.75);
}

void PaintBase(Painter& painter, const SyntheticOptions& o, const KindSpec& kind,
               const StandObservation& s, int owner, Random& random) {
  PaintShadow(painter, s.table_from_stand, s.footprint, 0, 2 * kind.thickness_in);
  painter.Block(s.table_from_stand, s.footprint, 0, kind.thickness_in,
                o.paints[static_cast<std::size_t>(s.side)], owner, 1);
  const double depth = s.footprint.depth_in;
  const Pose2 bar = s.table_from_stand * Pose2{{0, (depth - kind.bar_depth_in) / 2}, 0};
  const auto c = Corners(bar, {s.footprint.width_in, kind.bar_depth_in});
  painter.Fill({{c[0].x, c[0].y, kind.thickness_in},
                {c[1].x, c[1].y, kind.thickness_in},
                {c[2].x, c[2].y, kind.thickness_in},
                {c[3].x, c[3].y, kind.thickness_in}},
               LitBy(kind.bar, 0.95), owner);
  // Flock on the top.
  for (int k = 0; k < 12; ++k) {
    const Vec2 p = s.table_from_stand * Vec2{Uniform(random, -0.48, 0.48) * s.footprint.width_in,
                                             Uniform(random, -0.48, 0.2) * depth};
    painter.Fill({{p.x, p.y, kind.thickness_in},
                  {p.x + 0.05, p.y, kind.thickness_in},
                  {p.x + 0.05, p.y + 0.05, kind.thickness_in},
                  {p.x, p.y + 0.05, kind.thickness_in}},
                 LitBy(o.paints[static_cast<std::size_t>(s.side)], Uniform(random, 0.75, 1.3)),
                 owner);
  }
}

void PaintFigures(Painter& painter, const SyntheticOptions& o, const KindSpec& kind,
                  const StandObservation& s, Random& random) {
  const bool mounted = s.footprint.depth_in > 1;
  const int figures = mounted ? 2 : s.footprint.width_in > 1 ? 4 : 2;
  for (int k = 0; k < figures; ++k) {
    const double x = (k + 0.5) / figures - 0.5 + Uniform(random, -0.03, 0.03);
    const Pose2 pose =
        s.table_from_stand * Pose2{{x * s.footprint.width_in, -0.12 * s.footprint.depth_in}, 0};
    const Box2 body = mounted ? Box2{0.22, 0.8} : Box2{0.2, 0.18};
    const Colour coat =
        Pick(random, 3) == 0 ? o.paints[static_cast<std::size_t>(1 - s.side)] : Colour{60, 50, 45};
    const double top = kind.figures_height_in;
    PaintShadow(painter, pose, body, kind.thickness_in, top);
    painter.Block(pose, body, kind.thickness_in, 0.65 * top, coat, 0, 0.8);
    painter.Block(pose, {0.12, 0.12}, 0.65 * top, top, {205, 170, 140}, 0, 0.9);
  }
}

// How many pixels each stand's top has in the painted picture.
std::vector<int> TopPixels(const Painter& painter, std::size_t stands) {
  std::vector<int> pixels(stands, 0);
  for (int r = 0; r < painter.owner().rows; ++r) {
    const auto* row = painter.owner().ptr<std::uint16_t>(r);
    for (int c = 0; c < painter.owner().cols; ++c) {
      if (row[c] > 0) ++pixels[row[c] - 1U];
    }
  }
  return pixels;
}

// Uneven light, its colour, and grain.
void LightAndGrain(const SyntheticOptions& o, cv::Mat& small) {
  cv::Mat noise(small.size(), CV_16SC3);
  cv::RNG(o.seed + 1).fill(noise, cv::RNG::NORMAL, 0, o.noise_levels);
  for (int r = 0; r < small.rows; ++r) {
    auto* row = small.ptr<cv::Vec3b>(r);
    const auto* grain = noise.ptr<cv::Vec3s>(r);
    for (int c = 0; c < small.cols; ++c) {
      const double light =
          1 - o.falloff * 0.5 *
                  (static_cast<double>(c) / small.cols + static_cast<double>(r) / small.rows);
      // The lamp stands a third of the picture's width from the corner. It is warm: 2700 K against
      // a white of 5000 K.
      constexpr std::array<double, 3> kWarm{0.45, 0.8, 1.0};
      constexpr double kOff = 0.33;
      const double far = std::hypot(static_cast<double>(c) / small.cols + kOff,
                                    static_cast<double>(small.rows - r) / small.cols + kOff);
      const double beam = o.side_lamp * 2 * kOff * kOff / (far * far);
      double lit = 0;
      double curved = 0;
      for (int k = 0; k < 3; ++k) {
        const auto channel = static_cast<std::size_t>(k);
        // Under a white lamp the three channels are lit alike.
        const double of_channel =
            (light * o.lamp[channel] + beam * kWarm[channel]) / (1 + 0.5 * o.side_lamp);
        if (of_channel != lit) curved = std::pow(lit = of_channel, 1 / 2.2);
        const double v = row[c][k] * curved;
        row[c][k] = cv::saturate_cast<std::uint8_t>(v + grain[c][k]);
      }
    }
  }
}

}  // namespace

SyntheticTable LayOutTable(const SyntheticOptions& o) {
  Random random(o.seed);
  return LayOut(o, random);
}

SyntheticTable RenderTable(const SyntheticOptions& o, const std::vector<StandObservation>& placed) {
  Random random(o.seed);
  SyntheticTable out = LayOut(o, random);
  if (!placed.empty()) out.stands = placed;

  const int over = o.width_px > 2000 ? 2 : 3;
  Painter painter(out.camera, over);
  PaintCloth(painter, o, out.table.frame, random);
  std::vector<std::size_t> order(out.stands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const cv::Vec3d eye = CameraCentre(out.camera);
  const Vec2 foot{eye[0], eye[1]};
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return Distance(out.stands[a].table_from_stand.origin, foot) >
           Distance(out.stands[b].table_from_stand.origin, foot);
  });
  const auto kind_of = [&](const StandObservation& s) -> const KindSpec& {
    return out.scenario.kinds[static_cast<std::size_t>(s.kind)];
  };
  for (const std::size_t i : order) {
    const StandObservation& s = out.stands[i];
    PaintBase(painter, o, kind_of(s), s, static_cast<int>(i) + 1, random);
  }
  // Bases are too flat to hide each other: before the figures are drawn all of them are in view.
  const std::vector<int> whole = TopPixels(painter, out.stands.size());
  for (const std::size_t i : order)
    PaintFigures(painter, o, kind_of(out.stands[i]), out.stands[i], random);
  PaintTerrain(painter, out.scenario);
  const std::vector<int> seen = TopPixels(painter, out.stands.size());
  for (std::size_t i = 0; i < out.stands.size(); ++i)
    out.stands[i].visible = whole[i] > 0 ? static_cast<double>(seen[i]) / whole[i] : 0;

  cv::resize(painter.canvas(), out.bgr, {o.width_px, o.height_px}, 0, 0, cv::INTER_AREA);
  cv::GaussianBlur(out.bgr, out.bgr, {}, 0.6);
  LightAndGrain(o, out.bgr);
  return out;
}

}  // namespace fos
