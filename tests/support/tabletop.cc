// SPDX-License-Identifier: MIT
#include "tests/support/tabletop.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

namespace fos::test {
namespace {

cv::Vec3f Linear(Colour c) {
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

double Mottle(Vec2 at, double cell_in, std::uint32_t salt) {
  const double u = at.x / cell_in;
  const double v = at.y / cell_in;
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
};

void Meet(const Rod& rod, const cv::Vec3d& from, const cv::Vec3d& way, Hit& hit) {
  // The tube about the axis, then the two balls; the nearest outside counts.
  const cv::Vec3d axis = rod.to - rod.from;
  const double length = cv::norm(axis);
  const cv::Vec3d u = axis / length;
  const auto take = [&](double at) {
    if (at <= 1e-6 || at >= hit.distance) return;
    const cv::Vec3d p = from + at * way;
    const double station = std::clamp((p - rod.from).dot(u), 0.0, length);
    hit.distance = at;
    hit.normal = (p - rod.from - station * u) / rod.radius_in;
    const double from_end = (p - rod.from).dot(u) + rod.radius_in;
    hit.colour = Linear(from_end < rod.dipped_in ? rod.dip : rod.colour);
  };
  const cv::Vec3d w = from - rod.from;
  const cv::Vec3d a = way - way.dot(u) * u;
  const cv::Vec3d b = w - w.dot(u) * u;
  const double r2 = rod.radius_in * rod.radius_in;
  const double aa = a.dot(a);
  const double tube = a.dot(b) * a.dot(b) - aa * (b.dot(b) - r2);
  if (aa > 0 && tube >= 0) {
    const double at = (-a.dot(b) - std::sqrt(tube)) / aa;
    const double station = (w + at * way).dot(u);
    if (station >= 0 && station <= length) take(at);
  }
  for (const cv::Vec3d& end : {rod.from, rod.to}) {
    const cv::Vec3d d = from - end;
    const double ww = way.dot(way);
    const double ball = d.dot(way) * d.dot(way) - ww * (d.dot(d) - r2);
    if (ball >= 0) take((-d.dot(way) - std::sqrt(ball)) / ww);
  }
}

void Meet(const Block& block, const cv::Vec3d& from, const cv::Vec3d& way, Hit& hit) {
  const Pose2 own = Inverse(block.table_from_block);
  const Vec2 start = own * Vec2{from[0], from[1]};
  const Vec2 turn = Rotated({way[0], way[1]}, own.heading_rad);
  const cv::Vec3d o(start.x, start.y, from[2]);
  const cv::Vec3d d(turn.x, turn.y, way[2]);
  const cv::Vec3d low(-block.size.width_in / 2, -block.size.depth_in / 2, block.bottom_in);
  const cv::Vec3d high(block.size.width_in / 2, block.size.depth_in / 2, block.top_in);
  double in = -1e9;
  double out = 1e9;
  int face = 2;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(d[k]) < 1e-12) {
      if (o[k] < low[k] || o[k] > high[k]) return;
      continue;
    }
    const double t0 = (low[k] - o[k]) / d[k];
    const double t1 = (high[k] - o[k]) / d[k];
    if (std::min(t0, t1) > in) {
      in = std::min(t0, t1);
      face = k;
    }
    out = std::min(out, std::max(t0, t1));
  }
  if (in > out || in <= 1e-6 || in >= hit.distance) return;
  hit.distance = in;
  const double side = d[face] > 0 ? -1 : 1;
  const Vec2 flat =
      Rotated({face == 0 ? side : 0.0, face == 1 ? side : 0.0}, block.table_from_block.heading_rad);
  hit.normal = {flat.x, flat.y, face == 2 ? side : 0.0};
  const cv::Vec3d p = o + in * d;
  const bool marked = face == 2 && std::hypot(p[0], p[1]) < block.mark_radius_in;
  hit.colour = Linear(marked ? block.mark : block.colour);
}

// A ball that encloses a thing: most rays pass by all of them.
struct Ball {
  cv::Vec3d middle;
  double radius_in = 0;

  // way_norm2  of the ray's direction
  bool MayMeet(const cv::Vec3d& from, const cv::Vec3d& way, double way_norm2) const {
    const cv::Vec3d w = middle - from;
    const double along = w.dot(way);
    return (w.dot(w) - radius_in * radius_in) * way_norm2 <= along * along;
  }
};

// What lies on the felt, with what the rays ask of it worked out once.
struct Things {
  const Tabletop& table;
  std::vector<Ball> about_rods;
  std::vector<Ball> about_blocks;
  cv::Vec3f cloth;

  explicit Things(const Tabletop& t) : table(t), cloth(Linear(t.cloth)) {
    constexpr double kMore_in = 1e-3;  // than errors of rounding
    for (const Rod& rod : t.rods) {
      about_rods.push_back({0.5 * (rod.from + rod.to),
                            0.5 * cv::norm(rod.to - rod.from) + rod.radius_in + kMore_in});
    }
    for (const Block& block : t.blocks) {
      const Vec2 at = block.table_from_block.origin;
      const cv::Vec3d size(block.size.width_in, block.size.depth_in,
                           block.top_in - block.bottom_in);
      about_blocks.push_back({{at.x, at.y, 0.5 * (block.bottom_in + block.top_in)},
                              0.5 * cv::norm(size) + kMore_in});
    }
  }
};

Hit Nearest(const Things& things, const cv::Vec3d& from, const cv::Vec3d& way) {
  Hit hit;
  const double norm2 = way.dot(way);
  for (std::size_t i = 0; i < things.about_rods.size(); ++i) {
    if (things.about_rods[i].MayMeet(from, way, norm2)) Meet(things.table.rods[i], from, way, hit);
  }
  for (std::size_t i = 0; i < things.about_blocks.size(); ++i) {
    if (things.about_blocks[i].MayMeet(from, way, norm2))
      Meet(things.table.blocks[i], from, way, hit);
  }
  return hit;
}

cv::Vec3f Felt(const Things& things, Vec2 at) {
  const Tabletop& table = things.table;
  double light = 1 + 0.12 * Mottle(at, 0.07, 1) + 0.12 * Mottle(at, 0.9, 2);
  if (table.grid) {
    constexpr double kHalfLine_in = 0.04;
    const auto off = [](double v) { return std::abs(v - 4 * std::round(v / 4)); };
    if (std::min(off(at.x), off(at.y)) < kHalfLine_in) light *= 0.2;
  }
  if (table.light) light *= table.light(at);
  return things.cloth * static_cast<float>(light);
}

}  // namespace

void LaySwab(Tabletop& table, Vec2 tip, double toward_tail_rad, Colour dip, double ground_in,
             double bend_in) {
  constexpr Colour kCotton{236, 234, 228};
  constexpr double kLength_in = 3;
  constexpr double kCotton_in = 0.11;  // radius
  constexpr double kCottonLength_in = 0.5;
  constexpr double kStick_in = 0.05;
  const double z = ground_in + kCotton_in;
  const auto at = [&](double along) {
    const double t = along / kLength_in;
    const Vec2 p = tip + Rotated({along, 4 * bend_in * t * (1 - t)}, toward_tail_rad);
    return cv::Vec3d(p.x, p.y, z);
  };
  table.rods.push_back({at(kCotton_in), at(kCottonLength_in - kCotton_in), kCotton_in, kCotton,
                        kCottonLength_in * 0.6, dip});
  table.rods.push_back({at(kLength_in - kCotton_in), at(kLength_in - kCottonLength_in + kCotton_in),
                        kCotton_in, kCotton, 0, dip});
  const int pieces = bend_in == 0 ? 1 : 8;
  const double piece_in = (kLength_in - 0.6) / pieces;
  for (int i = 0; i < pieces; ++i) {
    const double from = 0.3 + i * piece_in;
    table.rods.push_back({at(from), at(from + piece_in), kStick_in, {226, 226, 222}, 0, dip});
  }
}

TableCamera TabletopCamera() {
  CameraModel lens;
  lens.width_px = 1280;
  lens.height_px = 960;
  lens.fx_px = lens.fy_px = 1000;
  lens.cx_px = 642;
  lens.cy_px = 477;
  lens.distortion = {-0.05, 0.01, 0.0005, -0.0005, 0};
  const double tilt = 6 * std::numbers::pi / 180;
  const cv::Matx33d rotation(1, 0, 0, 0, -std::cos(tilt), -std::sin(tilt), 0, std::sin(tilt),
                             -std::cos(tilt));
  const cv::Vec3d eye(16, 12 - 50 * std::tan(tilt), 50);
  cv::Vec3d rvec;
  cv::Rodrigues(rotation, rvec);
  return MakeTableCamera(lens, rvec, -(rotation * eye));
}

cv::Mat PictureOf(const TableCamera& camera, const Tabletop& table, std::uint64_t seed,
                  double noise) {
  // Where pixels look is smooth: every eighth is computed, the others lie between.
  constexpr int kEvery = 8;
  constexpr int kSub = 2;
  const int width = camera.lens.width_px;
  const int height = camera.lens.height_px;
  const int columns = width / kEvery + 3;
  std::vector<Vec2> nodes;
  for (int j = -1; j <= height / kEvery + 1; ++j) {
    for (int i = -1; i <= width / kEvery + 1; ++i) {
      const auto at = TableFromImage(
          camera, {static_cast<double>(i * kEvery), static_cast<double>(j * kEvery)}, 0, 0);
      nodes.push_back(at.value().at);
    }
  }
  const cv::Vec3d eye = CameraCentre(camera);
  const Things things(table);
  cv::Mat_<cv::Vec3f> seen(height, width);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      cv::Vec3f sum;
      for (int k = 0; k < kSub * kSub; ++k) {
        const double u = (x + ((k % kSub) + 0.5) / kSub - 0.5) / kEvery + 1;
        const double v = (y + ((k / kSub) + 0.5) / kSub - 0.5) / kEvery + 1;
        const auto i = static_cast<int>(u);
        const auto j = static_cast<int>(v);
        const auto node = [&](int a, int b) {
          return nodes[static_cast<std::size_t>(b * columns + a)];
        };
        const Vec2 above = (1 - (u - i)) * node(i, j) + (u - i) * node(i + 1, j);
        const Vec2 below = (1 - (u - i)) * node(i, j + 1) + (u - i) * node(i + 1, j + 1);
        const Vec2 cloth = (1 - (v - j)) * above + (v - j) * below;
        const cv::Vec3d way = cv::Vec3d(cloth.x, cloth.y, 0) - eye;
        Hit hit = Nearest(things, eye, way);
        if (hit.distance >= 1) hit = {1, {0, 0, 1}, Felt(things, cloth)};
        // A lamp as wide as a forearm, from the north-west; the room gives the rest.
        const int spot = (2 * k + x + 3 * y) % 9;
        cv::Vec3d lamp(-0.55 + 0.12 * (spot % 3 - 1), 0.5 + 0.12 * (spot / 3 - 1), 0.75);
        lamp /= cv::norm(lamp);
        const cv::Vec3d at = eye + hit.distance * way + 1e-4 * hit.normal;
        const double facing = std::max(0.0, hit.normal.dot(lamp));
        const bool lit = facing > 0 && Nearest(things, at, lamp).distance > 1e8;
        const double room = 0.4 + 0.15 * hit.normal[2];
        sum += hit.colour * static_cast<float>(room + (lit ? 0.6 * facing : 0));
      }
      seen(y, x) = sum / (kSub * kSub);
    }
  }
  cv::GaussianBlur(seen, seen, {}, 0.7);
  cv::Mat grain(seen.size(), CV_32FC3);
  cv::RNG(seed).fill(grain, cv::RNG::NORMAL, 0, noise);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) {
        seen(y, x)[c] =
            255 * std::pow(std::max(seen(y, x)[c], 0.f), 1 / 2.2f) + grain.at<cv::Vec3f>(y, x)[c];
      }
    }
  }
  cv::Mat out;
  seen.convertTo(out, CV_8UC3);
  return out;
}

}  // namespace fos::test
