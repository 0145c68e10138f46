// SPDX-License-Identifier: MIT
#include "datasets/render/wild_light.h"

#include <algorithm>
#include <cmath>

namespace fos {
namespace {

using Bodies = std::vector<const WildSolid*>;

constexpr double kTouch_in = 8e-4;
constexpr double kNear_in = 0.5;   // how far off things dim the sky
constexpr double kLow_in = 1.4;    // figures end here; hands, trees and hills do not
constexpr double kHighest_in = 4;  // nothing on a table rises above this
constexpr int kMostSteps = 96;
const cv::Vec3d kUp(0, 0, 1);

double DistanceTo(const Bodies& solids, const cv::Vec3d& at, const WildSolid** which = nullptr) {
  double nearest = 1e9;
  for (const WildSolid* s : solids) {
    const cv::Vec3d d = at - s->middle;
    const double bound = nearest + s->reach_in;
    if (nearest < 1e8 && d.dot(d) > bound * bound) continue;
    const double distance = DistanceTo(*s, at);
    if (distance < nearest) {
      nearest = distance;
      if (which != nullptr) *which = s;
    }
  }
  return nearest;
}

// How far along a ray the first solid is met, before `most`. way: unit vector
std::optional<double> Trace(const Bodies& solids, const cv::Vec3d& from, const cv::Vec3d& way,
                            double least, double most, const WildSolid** which) {
  double t = least;
  for (int i = 0; i < kMostSteps && t < most; ++i) {
    const double distance = DistanceTo(solids, from + t * way, which);
    if (distance < kTouch_in) return t;
    t += distance;
  }
  return {};
}

cv::Vec3d NormalOf(const WildSolid& s, const cv::Vec3d& at) {
  constexpr double kStep = 2e-3;
  cv::Vec3d sum;
  for (const cv::Vec3d& k :
       {cv::Vec3d(1, -1, -1), cv::Vec3d(-1, -1, 1), cv::Vec3d(-1, 1, -1), cv::Vec3d(1, 1, 1)})
    sum += k * fos::DistanceTo(s, at + kStep * k);
  return sum / std::max(cv::norm(sum), 1e-12);
}

// Of some solids those whose bounding balls a cone meets: around a ray along the unit vector `way`,
// as wide as `spread` times the distance. Few: what is traced through them is quick.
void Along(const Bodies& of, const cv::Vec3d& from, const cv::Vec3d& way, double spread,
           Bodies& out) {
  out.clear();
  for (const WildSolid* s : of) {
    const cv::Vec3d d = s->middle - from;
    const double along = d.dot(way);
    if (along < -s->reach_in) continue;
    const double reach = s->reach_in + spread * (along + s->reach_in) + kTouch_in;
    if (d.dot(d) - along * along < reach * reach) out.push_back(s);
  }
}

// The share of a lamp seen from a place. solids: room for this function's own use
double LampSeen(const Bodies& around, const cv::Vec3d& from, const WildLamp& lamp, Bodies& solids) {
  Along(around, from, lamp.towards, lamp.size, solids);
  if (solids.empty()) return 1;
  const double most = (kHighest_in - from[2]) / lamp.towards[2];
  double least = 1;
  double t = 0.012;
  for (int i = 0; i < 48 && t < most; ++i) {
    const double distance = DistanceTo(solids, from + t * lamp.towards);
    least = std::min(least, distance / (lamp.size * t));
    if (least < -1) return 0;
    t += std::clamp(distance, 0.015, 2.0);
  }
  // The part of a disc that a straight edge leaves.
  return 0.25 * (1 + least) * (1 + least) * (2 - least);
}

double SkySeen(const Bodies& around, const cv::Vec3d& at, const cv::Vec3d& normal, Bodies& solids) {
  solids.clear();
  for (const WildSolid* s : around) {
    const cv::Vec3d d = s->middle - at;
    const double reach = s->reach_in + 2 * kNear_in;  // of the steps below, and from the last
    if (d.dot(d) < reach * reach) solids.push_back(s);
  }
  if (solids.empty()) return 1;
  double hidden = 0;
  double weight = 1;
  for (const double step : {0.03, 0.09, 0.2, 0.4}) {
    const double distance = DistanceTo(solids, at + step * normal);
    hidden += weight * std::clamp((step - distance) / step, 0.0, 1.0);
    weight *= 0.75;
  }
  return std::max(1 - 0.42 * hidden, 0.12);
}

class Renderer {
 public:
  Renderer(const TableCamera& camera, const WildScene& scene)
      : camera_(camera), scene_(scene), eye_(CameraCentre(camera)) {}

  // The square tile of the picture whose first pixel is `corner`, of which `part` is wanted.
  void Tile(cv::Point corner, int side, const cv::Rect& part, LightLayers& out) {
    const auto ground = [&](double x, double y) {
      const auto at = TableFromImage(camera_, {corner.x + x - 0.5, corner.y + y - 0.5}, 0, 0);
      return at.ok() ? at->at : Vec2{1e6, 1e6};
    };
    const std::array<Vec2, 4> corners{ground(0, 0), ground(side, 0), ground(0, side),
                                      ground(side, side)};
    const Vec2 middle = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
    double wide = 0;
    for (const Vec2 c : corners) wide = std::max(wide, Distance(c, middle));
    Choose(middle, wide + 0.02);
    const cv::Rect tile = cv::Rect(corner.x, corner.y, side, side) & part;
    for (int y = tile.y; y < tile.br().y; ++y) {
      for (int x = tile.x; x < tile.br().x; ++x) {
        const auto at = [&](double dx, double dy) {
          const double u = (x - corner.x + dx) / side;
          const double v = (y - corner.y + dy) / side;
          return (1 - v) * ((1 - u) * corners[0] + u * corners[1]) +
                 v * ((1 - u) * corners[2] + u * corners[3]);
        };
        Pixel(at, cv::Point(x, y) - part.tl(), out);
      }
    }
  }

 private:
  // The solids that can dim what lies at some heights over a patch of the table.
  struct Surroundings {
    Bodies about;
    std::vector<Bodies> towards;  // each lamp
  };

  // Which solids rays to a patch of the table meet, and which are about what they meet.
  void Choose(Vec2 middle, double wide) {
    seen_.clear();
    const cv::Vec3d ground(middle.x, middle.y, 0);
    const cv::Vec3d up = (eye_ - ground) / cv::norm(eye_ - ground);
    double high = 0;
    for (const WildSolid& s : scene_.solids) {
      const cv::Vec3d d = s.middle - ground;
      if (cv::norm(d - d.dot(up) * up) < s.reach_in + wide) {
        seen_.push_back(&s);
        high = std::max(high, s.middle[2] + s.reach_in);
      }
    }
    const double leans = std::hypot(up[0], up[1]) / up[2];
    low_ = Around(ground, wide, 0, std::min(high, kLow_in), leans);
    high_ = high > kLow_in ? Around(ground, wide, kLow_in, high, leans) : Surroundings{};
  }

  // The surroundings of what is seen between two heights; leans: of the rays, a share of the height
  Surroundings Around(const cv::Vec3d& ground, double wide, double lowest, double highest,
                      double leans) const {
    Surroundings out;
    out.towards.resize(scene_.lamps.size());
    const double aside = wide + highest * leans;
    for (const WildSolid& s : scene_.solids) {
      if (s.middle[2] + s.reach_in < lowest - kNear_in) continue;
      const cv::Vec3d d = s.middle - ground;
      if (std::hypot(d[0], d[1]) < s.reach_in + aside + kNear_in) out.about.push_back(&s);
      for (std::size_t i = 0; i < scene_.lamps.size(); ++i) {
        const cv::Vec3d& lamp = scene_.lamps[i].towards;
        const double along = d.dot(lamp);
        const double spread = scene_.lamps[i].size * std::max(along, 0.0);
        const double off = s.reach_in + aside + highest * std::hypot(lamp[0], lamp[1]) + spread;
        const cv::Vec3d across = d - along * lamp;
        if (along > -s.reach_in && across.dot(across) < off * off) out.towards[i].push_back(&s);
      }
    }
    return out;
  }

  struct Lit {
    std::array<cv::Vec3f, 2> lamps;  // at most
    cv::Vec3f sky;
  };
  // Which share of each lamp and of the sky is seen from a place.
  struct Shadows {
    std::array<double, 2> lamps{};
    double sky = 0;
  };
  Shadows ShadowsAt(const cv::Vec3d& at, const cv::Vec3d& normal) const {
    const cv::Vec3d off = at + 0.004 * normal;
    const Surroundings& around = at[2] < kLow_in ? low_ : high_;
    Shadows out;
    for (std::size_t i = 0; i < scene_.lamps.size(); ++i) {
      if (normal.dot(scene_.lamps[i].towards) > 0)
        out.lamps[i] = LampSeen(around.towards[i], off, scene_.lamps[i], room_);
    }
    out.sky = SkySeen(around.about, off, normal, room_);
    return out;
  }

  // The light that a place gives to the eye, diffuse and mirrored.
  void Shine(const cv::Vec3d& at, const cv::Vec3d& normal, double gloss, const cv::Vec3f& paint,
             const Shadows& shadows, Lit& sum) const {
    const cv::Vec3d back = (eye_ - at) / cv::norm(eye_ - at);
    for (std::size_t i = 0; i < scene_.lamps.size(); ++i) {
      const WildLamp& lamp = scene_.lamps[i];
      const double facing = normal.dot(lamp.towards);
      if (facing <= 0) continue;
      const double seen = shadows.lamps[i];
      const double far = Distance({at[0], at[1]}, lamp.brightest) / lamp.falls_off_in;
      const cv::Vec3d half = lamp.towards + back;
      const double mirrored =
          gloss > 0 ? gloss * std::pow(std::max(normal.dot(half / cv::norm(half)), 0.0), 60.0) : 0;
      const double diffuse = seen * facing / lamp.towards[2] / (1 + far * far);
      for (int c = 0; c < 3; ++c)
        sum.lamps[i][c] +=
            lamp.light[c] * static_cast<float>(diffuse * paint[c] + 6 * seen * mirrored);
    }
    const double sky = shadows.sky * (0.6 + 0.4 * normal[2]);
    for (int c = 0; c < 3; ++c)
      sum.sky[c] +=
          scene_.sky[c] * static_cast<float>(sky) * (paint[c] + 0.3F * static_cast<float>(gloss));
  }
  void ShineGround(Vec2 at, const Shadows& shadows, Lit& sum) const {
    Shine({at.x, at.y, 0}, scene_.ground.NormalAt(at), 0, scene_.ground.PaintAt(at), shadows, sum);
  }

  template <typename At>
  void Pixel(const At& at, cv::Point to, LightLayers& out) const {
    // A turned square of rays: four steps both ways.
    constexpr std::array<std::array<double, 2>, 4> kRays{
        {{0.375, 0.125}, {0.875, 0.375}, {0.625, 0.875}, {0.125, 0.625}}};
    Lit sum{};
    cv::Vec3f place;
    if (seen_.empty()) {
      // Only the ground: one look at the shadows will do.
      const Vec2 centre = at(0.5, 0.5);
      const Shadows shadows = ShadowsAt({centre.x, centre.y, 0}, kUp);
      for (const auto& ray : kRays) ShineGround(at(ray[0], ray[1]), shadows, sum);
      place = {static_cast<float>(centre.x), static_cast<float>(centre.y), 0};
    } else {
      for (const auto& ray : kRays) {
        const cv::Vec3d met = Ray(at(ray[0], ray[1]), sum);
        place += 0.25F * cv::Vec3f(met);
      }
    }
    for (std::size_t i = 0; i < out.lamps.size(); ++i)
      out.lamps[i].at<cv::Vec3f>(to) = 0.25F * sum.lamps[i];
    out.sky.at<cv::Vec3f>(to) = 0.25F * sum.sky;
    out.at.at<cv::Vec3f>(to) = place;
  }

  cv::Vec3d Ray(Vec2 cloth, Lit& sum) const {
    const cv::Vec3d ground(cloth.x, cloth.y, 0);
    const double most = cv::norm(ground - eye_);
    const cv::Vec3d way = (ground - eye_) / most;
    const double least = most * std::max(1 - kHighest_in / eye_[2], 0.0);
    const WildSolid* which = nullptr;
    Along(seen_, eye_, way, 0, room_);
    const std::optional<double> met = Trace(room_, eye_, way, least, most, &which);
    if (!met) {
      ShineGround(cloth, ShadowsAt(ground, kUp), sum);
      return ground;
    }
    const cv::Vec3d at = eye_ + *met * way;
    const cv::Vec3d normal = NormalOf(*which, at);
    const cv::Vec3f paint =
        which->ground ? scene_.ground.PaintAt({at[0], at[1]}) : which->paint(SurfaceOf(*which, at));
    Shine(at, normal, which->gloss, paint, ShadowsAt(at, normal), sum);
    return at;
  }

  const TableCamera& camera_;
  const WildScene& scene_;
  cv::Vec3d eye_;
  Bodies seen_;
  Surroundings low_;
  Surroundings high_;
  mutable Bodies room_;
};

}  // namespace

LightLayers Rendered(const TableCamera& camera, const WildScene& scene, const cv::Rect& part) {
  LightLayers out;
  for (std::size_t i = 0; i < scene.lamps.size(); ++i)
    out.lamps.emplace_back(part.size(), CV_32FC3, cv::Scalar(0, 0, 0));
  out.sky.create(part.size(), CV_32FC3);
  out.at.create(part.size(), CV_32FC3);
  Renderer renderer(camera, scene);
  constexpr int kTile = 12;  // on one grid for all parts
  for (int y = part.y / kTile * kTile; y < part.br().y; y += kTile) {
    for (int x = part.x / kTile * kTile; x < part.br().x; x += kTile)
      renderer.Tile({x, y}, kTile, part, out);
  }
  return out;
}

double ShareInView(const TableCamera& camera, const WildScene& scene,
                   std::span<const cv::Vec3d> points) {
  const cv::Vec3d eye = CameraCentre(camera);
  Bodies all;
  for (const WildSolid& s : scene.solids) all.push_back(&s);
  int seen = 0;
  for (const cv::Vec3d& p : points) {
    const double distance = cv::norm(p - eye);
    const double least = distance * std::max(1 - kHighest_in / eye[2], 0.0);
    // A point on a surface is met a little before or behind it.
    constexpr double kSlack_in = 0.02;
    const WildSolid* which = nullptr;
    seen += Trace(all, eye, (p - eye) / distance, least, distance - kSlack_in, &which).has_value()
                ? 0
                : 1;
  }
  return points.empty() ? 0 : static_cast<double>(seen) / static_cast<double>(points.size());
}

std::optional<cv::Vec3d> FirstMet(const WildSolid& solid, const cv::Vec3d& from,
                                  const cv::Vec3d& way) {
  const WildSolid* which = nullptr;
  const std::optional<double> met = Trace({&solid}, from, way / cv::norm(way), 0, 10, &which);
  if (!met) return {};
  return from + *met * way / cv::norm(way);
}

cv::Mat LightAt(const LightLayers& layers, const WildScene& scene, const LightMoment& moment) {
  cv::Mat out = layers.sky.clone();
  for (std::size_t i = 0; i < layers.lamps.size(); ++i) {
    const double gain = moment.lamp_gains.empty() ? 1 : moment.lamp_gains[i];
    const bool edged = i == 0 && moment.edge.has_value();
    if (!edged && !moment.shade) {
      cv::scaleAdd(layers.lamps[i], gain, out, out);
      continue;
    }
    const cv::Vec3d lamp = scene.lamps[i].towards;
    for (int row = 0; row < out.rows; ++row) {
      const auto* at = layers.at.ptr<cv::Vec3f>(row);
      const auto* light = layers.lamps[i].ptr<cv::Vec3f>(row);
      auto* to = out.ptr<cv::Vec3f>(row);
      for (int column = 0; column < out.cols; ++column) {
        const cv::Vec3f& p = at[column];
        // Edges are of things far above: they fall along the lamp's rays.
        const Vec2 place{p[0] - p[2] * lamp[0] / lamp[2], p[1] - p[2] * lamp[1] / lamp[2]};
        double left = gain;
        if (edged) {
          left *= SmoothStep(-0.5 * moment.edge->soft_in, 0.5 * moment.edge->soft_in,
                             Dot(moment.edge->towards_light, place) - moment.edge->at_in);
        }
        if (moment.shade) {
          const Shade& s = *moment.shade;
          const double off = Distance(NearestPoint(Segment2{s.from, s.to}, place), place);
          left *= s.left +
                  (1 - s.left) * SmoothStep(-0.5 * s.soft_in, 0.5 * s.soft_in, off - s.radius_in);
        }
        to[column] += static_cast<float>(left) * light[column];
      }
    }
  }
  return out;
}

}  // namespace fos
