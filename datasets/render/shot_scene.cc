// SPDX-License-Identifier: MIT
#include "datasets/render/shot_scene.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/table/shapes.h"

namespace fos {
namespace {

cv::Vec3f LinearLight(Colour c) {
  const auto curve = [](double v) { return static_cast<float>(std::pow(v / 255, 2.2)); };
  return {curve(c.b), curve(c.g), curve(c.r)};
}

// Even, but without pattern: in [-1, 1].
double Chance(int x, int y, std::uint32_t salt) {
  std::uint32_t h = static_cast<std::uint32_t>(x) * 0x8da6b343U +
                    static_cast<std::uint32_t>(y) * 0xd8163841U + salt * 0xcb1ab31fU;
  h = (h ^ (h >> 13)) * 0x85ebca6bU;
  h = (h ^ (h >> 16)) * 0xc2b2ae35U;
  return static_cast<double>(h ^ (h >> 15)) / 2147483647.5 - 1;
}

// Smooth and uneven, in [-1, 1], changing over cell_in.
double Mottle(double x, double y, double cell_in, std::uint32_t salt) {
  const double u = x / cell_in;
  const double v = y / cell_in;
  const int i = static_cast<int>(std::floor(u));
  const int j = static_cast<int>(std::floor(v));
  const double s = u - i;
  const double t = v - j;
  return (Chance(i, j, salt) * (1 - s) + Chance(i + 1, j, salt) * s) * (1 - t) +
         (Chance(i, j + 1, salt) * (1 - s) + Chance(i + 1, j + 1, salt) * s) * t;
}

struct Hit {
  double distance = 1e9;  // in lengths of the ray's direction
  cv::Vec3d normal;
  cv::Vec3f colour;
  bool felt = false;
};

// Things with the numbers that every ray needs.
struct Pill {
  cv::Vec3d from;
  cv::Vec3d along;
  double length;
  double radius;
  cv::Vec3f colour;
  cv::Vec3f dip;
  double dipped_in;
  double rough;
  std::uint32_t salt;
};
struct Box {
  cv::Vec3d centre;
  cv::Matx33d own_from_table;
  cv::Vec3d half;
  cv::Vec3f colour;
  cv::Vec3f bar;
  cv::Vec3f mark;
  double bar_depth_in;
  double mark_radius_in;
  double rough;
  bool felt;
  std::uint32_t salt;
};

cv::Vec3f PillColour(const Pill& pill, const cv::Vec3d& at, double station) {
  const cv::Vec3d across = at - pill.from - station * pill.along;
  // Round the rod: an angle from any fixed direction across it.
  const cv::Vec3d side =
      std::abs(pill.along[2]) < 0.9 ? pill.along.cross(cv::Vec3d(0, 0, 1)) : cv::Vec3d(1, 0, 0);
  const double angle = std::atan2(across[2], across.dot(side));
  const double from_end = (at - pill.from).dot(pill.along) + pill.radius;
  cv::Vec3f colour = pill.colour;
  if (pill.dipped_in > 0) {
    // Paint climbs cotton in tongues a tenth of an inch wide.
    const double edge = pill.dipped_in + 0.05 * Mottle(angle, 0, 0.9, pill.salt + 7);
    const auto soaked = static_cast<float>(std::clamp((edge - from_end) / 0.03 + 0.5, 0.0, 1.0));
    colour = soaked * pill.dip + (1 - soaked) * pill.colour;
  }
  const double uneven = 1 + pill.rough * Mottle(from_end, angle * pill.radius, 0.035, pill.salt);
  return colour * static_cast<float>(uneven);
}

void Meet(const Pill& pill, const cv::Vec3d& from, const cv::Vec3d& way, Hit& hit) {
  const cv::Vec3d w = from - pill.from;
  const double way_along = way.dot(pill.along);
  const double w_along = w.dot(pill.along);
  const double r2 = pill.radius * pill.radius;
  const double aa = way.dot(way) - way_along * way_along;
  const double ab = way.dot(w) - way_along * w_along;
  const double tube = ab * ab - aa * (w.dot(w) - w_along * w_along - r2);
  if (tube < 0 && aa > 1e-12) return;  // passes by the endless tube, so by its balls too
  const auto take = [&](double at) {
    if (at <= 1e-6 || at >= hit.distance) return;
    const cv::Vec3d p = from + at * way;
    const double station = std::clamp((p - pill.from).dot(pill.along), 0.0, pill.length);
    hit.distance = at;
    hit.normal = (p - pill.from - station * pill.along) / pill.radius;
    hit.colour = PillColour(pill, p, station);
    hit.felt = false;
  };
  if (aa > 1e-12) {
    const double at = (-ab - std::sqrt(tube)) / aa;
    const double station = w_along + at * way_along;
    if (station >= 0 && station <= pill.length) {
      take(at);
      return;
    }
  }
  for (const double end : {0.0, pill.length}) {
    const cv::Vec3d d = w - end * pill.along;
    const double ww = way.dot(way);
    const double dw = d.dot(way);
    const double ball = dw * dw - ww * (d.dot(d) - r2);
    if (ball >= 0) take((-dw - std::sqrt(ball)) / ww);
  }
}

void Meet(const Box& box, const cv::Vec3d& from, const cv::Vec3d& way, Hit& hit) {
  const cv::Vec3d o = box.own_from_table * (from - box.centre);
  const cv::Vec3d d = box.own_from_table * way;
  double in = -1e9;
  double out = 1e9;
  int face = 2;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(d[k]) < 1e-12) {
      if (std::abs(o[k]) > box.half[k]) return;
      continue;
    }
    const double t0 = (-box.half[k] - o[k]) / d[k];
    const double t1 = (box.half[k] - o[k]) / d[k];
    if (std::min(t0, t1) > in) {
      in = std::min(t0, t1);
      face = k;
    }
    out = std::min(out, std::max(t0, t1));
  }
  if (in > out || in <= 1e-6 || in >= hit.distance) return;
  hit.distance = in;
  cv::Vec3d normal;
  normal[face] = d[face] > 0 ? -1 : 1;
  hit.normal = box.own_from_table.t() * normal;
  const cv::Vec3d p = o + in * d;
  const bool top = face == 2 && d[2] < 0;
  hit.felt = box.felt && top;
  hit.colour = box.colour;
  if (top && p[1] > box.half[1] - box.bar_depth_in) hit.colour = box.bar;
  if (top && std::hypot(p[0], p[1]) <
                 box.mark_radius_in * (1 + 0.25 * Mottle(std::atan2(p[1], p[0]), 0, 0.8, box.salt)))
    hit.colour = box.mark;
  hit.colour *= static_cast<float>(1 + box.rough * Mottle(p[0], p[1], 0.05, box.salt));
}

// The plan rectangle in which a thing lies.
struct Plan {
  Vec2 low;
  Vec2 high;
  void Take(Vec2 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  bool Meets(const Plan& other) const {
    return low.x <= other.high.x && high.x >= other.low.x && low.y <= other.high.y &&
           high.y >= other.low.y;
  }
  Plan Grown(double by) const { return {low - Vec2{by, by}, high + Vec2{by, by}}; }
};

class World {
 public:
  World(const TableCamera& camera, const ShotScene& scene)
      : camera_(camera), scene_(scene), eye_(CameraCentre(camera)) {
    // A thing keeps its texture whatever comes and goes beside it.
    const auto salt_of = [&](const cv::Vec3d& p) {
      return scene.seed * 977U + static_cast<std::uint32_t>(cvRound(1000 * (p[0] + 31 * p[1])));
    };
    for (const ScenePill& p : scene.pills) {
      const double length = cv::norm(p.to - p.from);
      const cv::Vec3d along = length > 1e-9 ? (p.to - p.from) / length : cv::Vec3d(0, 0, 1);
      pills_.push_back({p.from, along, length, p.radius_in, LinearLight(p.colour),
                        LinearLight(p.dip), p.dipped_in, p.rough, salt_of(p.from)});
      Plan plan{{p.from[0], p.from[1]}, {p.from[0], p.from[1]}};
      plan.Take({p.to[0], p.to[1]});
      pill_plans_.push_back(plan.Grown(p.radius_in));
      highest_ = std::max(highest_, std::max(p.from[2], p.to[2]) + p.radius_in);
    }
    for (const SceneBox& b : scene.boxes) {
      boxes_.push_back({b.centre, b.table_from_box.t(), b.half, LinearLight(b.colour),
                        LinearLight(b.bar), LinearLight(b.mark), b.bar_depth_in, b.mark_radius_in,
                        b.rough, b.cloth, salt_of(b.centre)});
      cv::Vec3d reach;
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
          reach[row] += std::abs(b.table_from_box(row, column)) * b.half[column];
        }
      }
      box_plans_.push_back({{b.centre[0] - reach[0], b.centre[1] - reach[1]},
                            {b.centre[0] + reach[0], b.centre[1] + reach[1]}});
      highest_ = std::max(highest_, b.centre[2] + reach[2]);
    }
    for (const SceneStrip& strip : scene.strips) strips_.push_back(LinearLight(strip.colour));
    cloth_ = LinearLight(scene.cloth);
    lamp_ = scene.lamp / cv::norm(scene.lamp);
  }

  // What rays through a part of the picture may meet.
  struct Near {
    std::vector<int> pills;
    std::vector<int> boxes;
  };
  // First those on the way from the eye, then those about, for shadows.
  std::pair<Near, Near> About(const std::vector<Vec2>& cloth) const {
    Plan seen{cloth.front(), cloth.front()};
    for (const Vec2 p : cloth) {
      seen.Take(p);
      // Where the ray is at the height of the highest thing.
      const double share = highest_ / eye_[2];
      seen.Take(p + share * (Vec2{eye_[0], eye_[1]} - p));
    }
    const double reach = std::max(
        kCorner_in, highest_ * (std::hypot(lamp_[0], lamp_[1]) / lamp_[2] + 2 * scene_.lamp_size));
    return {In(seen.Grown(0.02)), In(seen.Grown(reach + 0.02))};
  }

  Hit Nearest(const Near& near, const cv::Vec3d& from, const cv::Vec3d& way) const {
    Hit hit;
    for (const int i : near.pills) Meet(pills_[static_cast<std::size_t>(i)], from, way, hit);
    for (const int i : near.boxes) Meet(boxes_[static_cast<std::size_t>(i)], from, way, hit);
    return hit;
  }

  // The light from a ray that meets the cloth at `cloth` if nothing else; salt: of this ray.
  cv::Vec3f Seen(const Near& near, const Near& about, Vec2 cloth, int x, int y,
                 std::uint32_t salt) const {
    const cv::Vec3d way = cv::Vec3d(cloth.x, cloth.y, 0) - eye_;
    Hit hit = Nearest(near, eye_, way);
    if (hit.distance >= 1) {
      hit.distance = 1;
      hit.normal = {0, 0, 1};
      hit.felt = true;
    }
    const cv::Vec3d at = eye_ + hit.distance * way + 1e-4 * hit.normal;
    if (hit.felt) hit.colour = Felt({at[0], at[1]});
    cv::Vec3d lamp = lamp_;
    for (int k = 0; k < 3; ++k)
      lamp[k] += scene_.lamp_size * Chance(x, y, salt + static_cast<std::uint32_t>(k));
    lamp /= cv::norm(lamp);
    const double facing = std::max(0.0, hit.normal.dot(lamp));
    const bool lit = facing > 0 && Nearest(about, at, lamp).distance > 1e8;
    // The room's light comes from all sides; what stands near takes its share of it.
    cv::Vec3d out(Chance(x, y, salt + 3), Chance(x, y, salt + 4), Chance(x, y, salt + 5));
    out = out / std::max(cv::norm(out), 1e-3) + 1.02 * hit.normal;
    out /= cv::norm(out);
    const bool open = Nearest(about, at, out).distance > kCorner_in;
    const double room = (1 - scene_.lamp_share) * (0.75 + 0.25 * hit.normal[2]) * (open ? 1 : 0.35);
    double light = room + scene_.lamp_share * (lit ? facing / lamp_[2] : 0);
    for (const SceneShade& shade : scene_.shades) {
      const double off =
          Distance(NearestPoint(Segment2{shade.from, shade.to}, {at[0], at[1]}), {at[0], at[1]});
      const double inside = std::clamp((shade.radius_in - off) / shade.soft_in + 0.5, 0.0, 1.0);
      light *= 1 - inside * (1 - shade.light);
    }
    return hit.colour * static_cast<float>(light);
  }

  const cv::Vec3d& eye() const { return eye_; }

 private:
  static constexpr double kCorner_in = 0.6;  // how far off a wall still dims

  Near In(const Plan& plan) const {
    Near near;
    for (std::size_t i = 0; i < pills_.size(); ++i) {
      if (pill_plans_[i].Meets(plan)) near.pills.push_back(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (box_plans_[i].Meets(plan)) near.boxes.push_back(static_cast<int>(i));
    }
    return near;
  }

  cv::Vec3f Felt(Vec2 at) const {
    for (const SceneMarker& marker : scene_.markers) {
      const double u = (at.x - marker.centre.x) / marker.size_in + 0.5;
      const double v = 0.5 - (at.y - marker.centre.y) / marker.size_in;
      constexpr double kQuiet = 0.13;  // white paper about it
      if (u < -kQuiet || v < -kQuiet || u > 1 + kQuiet || v > 1 + kQuiet) continue;
      if (u < 0 || v < 0 || u >= 1 || v >= 1) return {0.8F, 0.8F, 0.8F};
      const int row = static_cast<int>(v * marker.cells.rows);
      const int column = static_cast<int>(u * marker.cells.cols);
      const float ink = marker.cells.at<std::uint8_t>(row, column) > 127 ? 0.8F : 0.03F;
      return {ink, ink, ink};
    }
    cv::Vec3f colour = cloth_;
    for (std::size_t i = 0; i < strips_.size(); ++i) {
      if (Contains(scene_.strips[i].outline, at)) colour = strips_[i];
    }
    double light = 1 + scene_.fine_mottle * Mottle(at.x, at.y, 0.05, scene_.seed) +
                   0.7 * scene_.fine_mottle * Mottle(at.x, at.y, 0.021, scene_.seed + 3) +
                   scene_.coarse_mottle * Mottle(at.x, at.y, 0.9, scene_.seed + 1);
    // Flock: bright specks.
    if (Chance(static_cast<int>(std::floor(at.x / 0.05)), static_cast<int>(std::floor(at.y / 0.05)),
               scene_.seed + 2) > 0.97)
      light *= 1 + 3 * scene_.fine_mottle;
    if (OnLine(at)) light *= 0.25;
    return colour * static_cast<float>(light);
  }

  bool OnLine(Vec2 at) const {
    const double width = scene_.columns * scene_.square_in;
    const double depth = scene_.rows * scene_.square_in;
    const double half = scene_.line_in / 2;
    if (at.x < -half || at.y < -half || at.x > width + half || at.y > depth + half) return false;
    const auto off = [&](double v, double along, std::uint32_t salt) {
      const double line = std::round(v / scene_.square_in);
      const double stray =
          scene_.line_stray_in * Mottle(along, 7.3 * line, 3.0, scene_.seed + salt);
      return std::abs(v - line * scene_.square_in - stray);
    };
    return std::min(off(at.x, at.y, 11), off(at.y, at.x, 12)) < half;
  }

  const TableCamera& camera_;
  const ShotScene& scene_;
  cv::Vec3d eye_;
  std::vector<Pill> pills_;
  std::vector<Plan> pill_plans_;
  std::vector<Box> boxes_;
  std::vector<Plan> box_plans_;
  std::vector<cv::Vec3f> strips_;
  cv::Vec3f cloth_;
  cv::Vec3d lamp_;
  double highest_ = 0.1;
};

}  // namespace

SceneBox UprightBox(const Pose2& table_from_box, Box2 size, double bottom_in, double top_in,
                    Colour colour) {
  SceneBox box;
  const double c = std::cos(table_from_box.heading_rad);
  const double s = std::sin(table_from_box.heading_rad);
  box.table_from_box = {c, -s, 0, s, c, 0, 0, 0, 1};
  box.centre = {table_from_box.origin.x, table_from_box.origin.y, (bottom_in + top_in) / 2};
  box.half = {size.width_in / 2, size.depth_in / 2, (top_in - bottom_in) / 2};
  box.colour = colour;
  return box;
}

cv::Mat LightOf(const TableCamera& camera, const ShotScene& scene, const cv::Rect& part) {
  const World world(camera, scene);
  cv::Mat out(part.size(), CV_32FC3);
  constexpr int kTile = 16;
  constexpr int kSub = 2;  // rays a side of a pixel
  for (int top = 0; top < part.height; top += kTile) {
    for (int left = 0; left < part.width; left += kTile) {
      // Where pixels look is smooth: between a tile's corners it is taken as even.
      const int width = std::min(kTile, part.width - left);
      const int height = std::min(kTile, part.height - top);
      std::vector<Vec2> corner;
      for (const cv::Point2d d : {cv::Point2d(0, 0), cv::Point2d(kTile, 0), cv::Point2d(0, kTile),
                                  cv::Point2d(kTile, kTile)}) {
        const auto at =
            TableFromImage(camera, {part.x + left + d.x - 0.5, part.y + top + d.y - 0.5}, 0, 0);
        corner.push_back(at.ok() ? at->at : Vec2{1e6, 1e6});
      }
      const auto [near, about] = world.About(corner);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          cv::Vec3f sum;
          for (int k = 0; k < kSub * kSub; ++k) {
            const double u = (x + ((k % kSub) + 0.5) / kSub) / kTile;
            const double v = (y + ((k / kSub) + 0.5) / kSub) / kTile;
            const Vec2 cloth = (1 - v) * ((1 - u) * corner[0] + u * corner[1]) +
                               v * ((1 - u) * corner[2] + u * corner[3]);
            sum += world.Seen(near, about, cloth, part.x + left + x, part.y + top + y,
                              scene.seed * 31U + static_cast<std::uint32_t>(k) * 101U);
          }
          out.at<cv::Vec3f>(top + y, left + x) = sum / (kSub * kSub);
        }
      }
    }
  }
  return out;
}

double ShareSeen(const TableCamera& camera, const ShotScene& scene,
                 const std::vector<cv::Vec3d>& points) {
  if (points.empty()) return 0;
  const World world(camera, scene);
  int seen = 0;
  for (const cv::Vec3d& p : points) {
    const cv::Vec3d way = p - world.eye();
    const auto [near, about] = world.About({{p[0], p[1]}});
    // A point on a surface is met a little before or behind it.
    const double slack = 0.02 / cv::norm(way);
    seen += world.Nearest(about, world.eye(), way).distance > 1 - slack ? 1 : 0;
  }
  return static_cast<double>(seen) / static_cast<double>(points.size());
}

}  // namespace fos
