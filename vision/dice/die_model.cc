// SPDX-License-Identifier: MIT
#include "vision/dice/die_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <utility>

#include "engine/table/quantile.h"
#include "vision/image/square.h"

namespace fos {
namespace {

// The light of pips of which nothing is seen, and its sigma.
constexpr double kPipsMean = 0.3;
constexpr double kPipsSigma = 0.4;

// From this share on, a pixel shows the flat of the upper face.
constexpr float kOnTop = 0.8F;

// How much of a pip's step in luma a pixel shows of which it covers `share`: as much, but that the
// light of a body which fills the sensor drowns the little that a pip takes.
class ShownOfPip {
 public:
  ShownOfPip(const cv::Vec3d& body, const cv::Vec3d& pips) : body_(body), pips_(pips) {
    of_body_ = CodesOf(body)[0];
    step_ = CodesOf(pips)[0] - of_body_;
    constexpr double kLeast = 1;  // code values
    drowns_ = std::max({body[0], body[1], body[2]}) > 1 && std::abs(step_) > kLeast;
  }
  double operator()(double share) const {
    if (!drowns_) return share;
    return (CodesOf((1 - share) * body_ + share * pips_)[0] - of_body_) / step_;
  }

 private:
  cv::Vec3d body_;
  cv::Vec3d pips_;
  bool drowns_ = false;
  double of_body_ = 0;
  double step_ = 1;
};

// The share of a Gaussian blur about a point that falls on a disc: of its distance from the middle
// and the disc's radius, both in sigmas. source  the noncentral chi-square of two degrees (Marcum).
class BlurredDisc {
 public:
  BlurredDisc() {
    for (int i = 0; i <= kSteps; ++i) {
      const double d = double{kFar} * i / kSteps;
      double sum = 0;
      std::size_t next = 0;
      constexpr int kFine = 16;
      for (int j = 0; j <= kSteps * kFine; ++j) {
        const double r = double{kWide} * (j + 0.5) / (kSteps * kFine);
        if (j % kFine == 0) table_[static_cast<std::size_t>(i)][next++] = static_cast<float>(sum);
        // exp and the Bessel function together stay small.
        const double bessel = std::cyl_bessel_i(0.0, r * d);
        sum += double{kWide} / (kSteps * kFine) * r * std::exp(-0.5 * (r * r + d * d)) * bessel;
      }
    }
  }
  float operator()(float distance, float radius) const {
    if (distance > radius + 3.5F) return 0;
    if (radius >= kWide || distance >= kFar) return BelowSigmas(radius - distance);
    constexpr auto kCount = static_cast<float>(kSteps);
    const float x = distance * (kCount / kFar);
    const float y = radius * (kCount / kWide);
    const auto i = static_cast<std::size_t>(x);
    const auto j = static_cast<std::size_t>(y);
    const float u = x - static_cast<float>(i);
    const float v = y - static_cast<float>(j);
    return (1 - u) * ((1 - v) * table_[i][j] + v * table_[i][j + 1]) +
           u * ((1 - v) * table_[i + 1][j] + v * table_[i + 1][j + 1]);
  }

 private:
  static constexpr int kSteps = 48;
  static constexpr float kFar = 8;  // sigmas
  static constexpr float kWide = 5;
  std::array<std::array<float, kSteps + 2>, kSteps + 2> table_{};
};

// A face of the cube as the camera sees it.
struct SeenFace {
  cv::Point2d centre;  // pixels
  cv::Point2d u;       // half its sides
  cv::Point2d v;
  cv::Matx22d face_from_pixel;
  float blur_u = 0.1F;  // of the picture, in half sides
  float blur_v = 0.1F;
};

float Slab(float at, float half, float blur) {
  return BelowSigmas((half - at) / blur) - BelowSigmas((-half - at) / blur);
}

}  // namespace

const std::vector<DiePattern>& DiePatterns() {
  static const std::vector<DiePattern> patterns{
      {0, {}},
      {1, {{0, 0}}},
      {2, {{1, 1}, {-1, -1}}},
      {2, {{1, -1}, {-1, 1}}},
      {3, {{0, 0}, {1, 1}, {-1, -1}}},
      {3, {{0, 0}, {1, -1}, {-1, 1}}},
      {4, {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}},
      {5, {{0, 0}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}},
      {6, {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 0}, {-1, 0}}},
      {6, {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}, {0, 1}, {0, -1}}}};
  return patterns;
}

const std::vector<DiePattern>& StripePatterns() {
  static const std::vector<DiePattern> stripes{
      {0, {}, {1, 0}}, {0, {}, {0, 1}}, {0, {}, {1, 1}}, {0, {}, {1, -1}}};
  return stripes;
}

DieModel::DieModel(const ChangeWindow& window, const TableCamera& camera, Vec2 at, double level_in,
                   const PointSpread& blur)
    : DiePixels(window, camera, at, level_in + kDiePriors.side_in / 2), blur_(blur) {}

cv::Matx33d DieModel::Turned(const DiePose& pose) const {
  const double c = std::cos(pose.yaw_rad);
  const double s = std::sin(pose.yaw_rad);
  const cv::Matx33d flat(c, -s, 0, s, c, 0, 0, 0, 1);
  if (pose.tilt_rad == 0) return flat;
  // About the level axis across tilt_way.
  const cv::Vec3d axis(-std::sin(pose.tilt_way_rad), std::cos(pose.tilt_way_rad), 0);
  const double ct = std::cos(pose.tilt_rad);
  const double st = std::sin(pose.tilt_rad);
  const cv::Matx33d cross(0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0);
  const cv::Matx33d tilt = cv::Matx33d::eye() * ct + cross * st + (1 - ct) * (axis * axis.t());
  return tilt * flat;
}

double DieModel::HalfHeight(const DiePose& pose) {
  if (pose.tilt_rad == 0) return pose.side_in / 2;
  const double along = pose.tilt_way_rad - pose.yaw_rad;
  return pose.side_in / 2 *
         (std::cos(pose.tilt_rad) +
          std::sin(pose.tilt_rad) * (std::abs(std::cos(along)) + std::abs(std::sin(along))));
}

DieModel::UpperFace DieModel::Upper(const DiePose& pose) const {
  const cv::Matx<double, 2, 3> pixel_from_half =
      pixel_from_inch_ * Turned(pose) * (pose.side_in / 2);
  const auto axis = [&](int k) {
    return cv::Point2d(pixel_from_half(0, k), pixel_from_half(1, k));
  };
  return {pose.middle + axis(2), axis(0), axis(1)};
}

std::array<cv::Point2d, 4> DieModel::TopCorners(const DiePose& pose) const {
  const UpperFace f = Upper(pose);
  return {f.centre - f.u - f.v, f.centre + f.u - f.v, f.centre + f.u + f.v, f.centre - f.u + f.v};
}

void DieModel::Cover(const DiePose& pose, const DiePattern& pattern, int stride,
                     std::vector<Sample>& out) const {
  static const BlurredDisc kDisc;
  out.clear();
  const cv::Matx33d turned = Turned(pose);
  const double half = pose.side_in / 2;
  std::array<cv::Point2d, 3> axes;  // half sides in the picture
  for (int k = 0; k < 3; ++k) {
    const cv::Matx21d px = pixel_from_inch_ * turned.col(k) * half;
    axes[static_cast<std::size_t>(k)] = {px(0), px(1)};
  }
  std::array<SeenFace, 3> faces;
  std::size_t count = 0;
  for (const int k : {2, 0, 1}) {  // the upper face first
    const auto n = static_cast<std::size_t>(k);
    const cv::Vec3d normal(turned(0, k), turned(1, k), turned(2, k));
    const double facing = normal.dot(towards_camera_);
    SeenFace f;
    f.centre = pose.middle + (facing > 0 ? 1.0 : -1.0) * axes[n];
    f.u = axes[(n + 1) % 3];
    f.v = axes[(n + 2) % 3];
    const double area = f.u.cross(f.v);
    constexpr double kLeast_px2 = 0.4;  // of a quarter of the face: less is not seen
    if (std::abs(area) < kLeast_px2) {
      if (k == 2) return;
      continue;
    }
    f.face_from_pixel = {f.v.y / area, -f.v.x / area, -f.u.y / area, f.u.x / area};
    f.blur_u = static_cast<float>(pose.psf_px *
                                  std::hypot(f.face_from_pixel(0, 0), f.face_from_pixel(0, 1)));
    f.blur_v = static_cast<float>(pose.psf_px *
                                  std::hypot(f.face_from_pixel(1, 0), f.face_from_pixel(1, 1)));
    faces[count++] = f;
  }
  const double reach_x =
      std::abs(axes[0].x) + std::abs(axes[1].x) + std::abs(axes[2].x) + 2.5 * pose.psf_px;
  const double reach_y =
      std::abs(axes[0].y) + std::abs(axes[1].y) + std::abs(axes[2].y) + 2.5 * pose.psf_px;
  const int low_row = std::max(0, static_cast<int>(std::floor(pose.middle.y - reach_y)));
  const int high_row =
      std::min(window_.rect.height - 1, static_cast<int>(std::ceil(pose.middle.y + reach_y)));
  const int low_column = std::max(0, static_cast<int>(std::floor(pose.middle.x - reach_x)));
  const int high_column =
      std::min(window_.rect.width - 1, static_cast<int>(std::ceil(pose.middle.x + reach_x)));
  const auto round = static_cast<float>(pose.round);
  const float blur_top = 0.5F * (faces[0].blur_u + faces[0].blur_v);
  const auto off = static_cast<float>(pose.pip_off);
  const auto radius = static_cast<float>(pose.pip_radius);
  const auto rim = static_cast<float>(pose.rim);
  for (int row = low_row; row <= high_row; ++row) {
    // A quick look takes the pixels of a chequer.
    const int first = stride > 1 ? low_column + (row % stride) : low_column;
    for (int column = first; column <= high_column; column += stride) {
      Sample s;
      s.pixel = row * window_.rect.width + column;
      float all = 0;
      float top_u = 0;
      float top_v = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const SeenFace& f = faces[k];
        const double dx = column - f.centre.x;
        const double dy = row - f.centre.y;
        const auto u =
            static_cast<float>(f.face_from_pixel(0, 0) * dx + f.face_from_pixel(0, 1) * dy);
        const auto v =
            static_cast<float>(f.face_from_pixel(1, 0) * dx + f.face_from_pixel(1, 1) * dy);
        if (std::abs(u) > 1 + 3 * f.blur_u || std::abs(v) > 1 + 3 * f.blur_v) continue;
        float share = 0;
        if (k == 0) {
          // A square with round corners.
          const float qu = std::abs(u) - (1 - round);
          const float qv = std::abs(v) - (1 - round);
          const float outside =
              qu > 0 && qv > 0 ? std::sqrt(qu * qu + qv * qv) : std::max({qu, qv, 0.F});
          const float beyond = outside + std::min(std::max(qu, qv), 0.F) - round;
          share = BelowSigmas(-beyond / blur_top);
          s.top = share;
          const float inner = std::max(std::abs(u), std::abs(v)) - (1 - rim);
          s.rim = std::max(share - BelowSigmas(-inner / blur_top), 0.F);
          s.u = u;
          s.v = v;
          s.edge = static_cast<std::uint8_t>(std::abs(u) > std::abs(v) ? (u > 0 ? 0 : 1)
                                                                       : (v > 0 ? 2 : 3));
          top_u = u;
          top_v = v;
        } else {
          share = Slab(u, 1, f.blur_u) * Slab(v, 1, f.blur_v);
          share = std::min(share, 1 - all);
          s.side[k - 1] = share;
        }
        all += share;
      }
      constexpr float kNone = 0.02F;
      if (all < kNone) continue;
      for (const Vec2 pip : pattern.pips) {
        const float du = top_u - off * static_cast<float>(pip.x);
        const float dv = top_v - off * static_cast<float>(pip.y);
        const float reach = radius + 3.5F * blur_top;  // of the blurred disc
        if (std::abs(du) > reach || std::abs(dv) > reach) continue;
        const float distance = std::sqrt(du * du + dv * dv);
        s.pip += kDisc(distance / blur_top, radius / blur_top);
      }
      if (pattern.stripe != Vec2{}) {
        const Vec2 way = Normalized(pattern.stripe);
        const float aside =
            std::abs(top_u * static_cast<float>(way.y) - top_v * static_cast<float>(way.x));
        s.pip = Slab(aside, radius, blur_top);
      }
      s.pip = std::min(s.pip, s.top - s.rim);
      out.push_back(s);
    }
  }
}

DieModel::Colours DieModel::Fit(const std::vector<Sample>& samples) const {
  // The light of body and pips by weighted least squares over the upper face; its neighbours'
  // light is left out.
  Colours out;
  constexpr int kUnknowns = 4;  // body, its two slopes, pips
  for (int round = 0; round < 2; ++round) {
    std::array<cv::Matx<double, kUnknowns, kUnknowns>, 3> normal;
    std::array<cv::Vec<double, kUnknowns>, 3> right;
    for (const Sample& s : samples) {
      if (s.top - s.rim < kOnTop) continue;
      const ChangeWindow::Pixel& p = window_.pixels[static_cast<std::size_t>(s.pixel)];
      const double pip = s.pip / (s.top - s.rim);
      const double body = 1 - pip;
      const std::array<double, kUnknowns> basis{body, body * s.u, body * s.v, pip};
      for (std::size_t c = 0; c < 3; ++c) {
        const auto channel = static_cast<int>(c);
        const double seen = p.after[channel];
        double weight = p.weight[channel];
        if (round > 0) {  // strays count less (Student's t)
          const double off =
              seen -
              body * (out.body[channel] + s.u * out.along_u[channel] + s.v * out.along_v[channel]) -
              pip * out.pips[channel];
          weight /= 1 + weight * off * off / 4;
        }
        for (int i = 0; i < kUnknowns; ++i) {
          const double b = weight * basis[static_cast<std::size_t>(i)];
          right[c][i] += b * seen;
          for (int j = 0; j <= i; ++j) normal[c](i, j) += b * basis[static_cast<std::size_t>(j)];
        }
      }
    }
    constexpr double kSlope = 0.1;
    for (std::size_t c = 0; c < 3; ++c) {
      auto& n = normal[c];
      n(0, 0) += 1e-6;
      n(1, 1) += 1 / Square(kSlope);
      n(2, 2) += 1 / Square(kSlope);
      n(3, 3) += 1 / Square(kPipsSigma);
      right[c][3] += kPipsMean / Square(kPipsSigma);
      for (int i = 0; i < kUnknowns; ++i)
        for (int j = 0; j < i; ++j) n(j, i) = n(i, j);
      const cv::Vec<double, kUnknowns> solved = n.solve(right[c], cv::DECOMP_CHOLESKY);
      const auto channel = static_cast<int>(c);
      out.body[channel] = std::clamp(solved[0], 0.0, 1.1);
      out.along_u[channel] = solved[1];
      out.along_v[channel] = solved[2];
      out.pips[channel] = std::clamp(solved[3], 0.0, 1.1);
    }
  }
  FitBeyondFull(samples, out);
  // Sides and rims of which little is seen are as in a room's light.
  constexpr double kDoubt_px = 2;
  std::array<double, 6> weight{};
  std::array<cv::Vec3d, 6> sum;
  for (const Sample& s : samples) {
    const auto take = [&](std::size_t part, float share) {
      constexpr float kMostly = 0.35F;
      if (share < kMostly) return;
      sum[part] += share * cv::Vec3d(window_.pixels[static_cast<std::size_t>(s.pixel)].after);
      weight[part] += share;
    };
    take(0, s.side[0]);
    take(1, s.side[1]);
    take(2 + std::size_t{s.edge}, s.rim);
  }
  for (std::size_t k = 0; k < 6; ++k) {
    const double usual = k < 2 ? 0.6 : 0.8;
    (k < 2 ? out.sides[k] : out.rims[k - 2]) =
        (sum[k] + kDoubt_px * usual * HeldLight(out.body)) / (weight[k] + kDoubt_px);
  }
  return out;
}

void DieModel::FitBeyondFull(const std::vector<Sample>& samples, Colours& colours) const {
  if (std::max({colours.body[0], colours.body[1], colours.body[2]}) <= kFull) return;
  const Colours within = colours;
  // Calls use(light, weight, share of the pip, light of the body) for what the face shows.
  const auto each_pixel = [&](const Colours& of, int c, const auto& use) {
    for (const Sample& s : samples) {
      if (s.top - s.rim < kOnTop) continue;
      const ChangeWindow::Pixel& p = window_.pixels[static_cast<std::size_t>(s.pixel)];
      const double pip = s.pip / (s.top - s.rim);
      const double body = (1 - pip) * (of.body[c] + s.u * of.along_u[c] + s.v * of.along_v[c]);
      use(double{p.after[c]}, double{p.weight[c]}, pip, body);
    }
  };
  const auto set_beyond = [&](double beyond, int c, Colours& of) {
    of.body[c] = beyond;
    of.along_u[c] = of.along_v[c] = 0;
    // The pips by what is not full.
    double sum = kPipsMean / Square(kPipsSigma);
    double weights = 1 / Square(kPipsSigma);
    each_pixel(of, c, [&](double seen, double weight, double pip, double body) {
      if (seen > kFull) return;
      sum += weight * pip * (seen - body);
      weights += weight * pip * pip;
    });
    of.pips[c] = std::clamp(sum / weights, 0.0, 1.1);
  };
  double best = 1e300;
  for (const double beyond : kBeyondFull) {
    Colours one = within;
    double left = 0;
    for (int c = 0; c < 3; ++c) {
      if (within.body[c] <= kFull) continue;
      if (beyond > 1) set_beyond(beyond, c, one);
      each_pixel(one, c, [&](double seen, double weight, double pip, double body) {
        const double off = seen - std::min(body + pip * one.pips[c], 1.0);
        left += std::log(1 + weight * off * off / 4);  // strays count less (Student's t)
      });
    }
    if (left >= best) continue;
    best = left;
    colours = one;
  }
}

DieModel::Codes DieModel::CodesOfAll(const Colours& colours) const {
  Codes out;
  out.body = CodesOf(colours.body);
  out.pips = CodesOf(colours.pips);
  for (std::size_t k = 0; k < 2; ++k) out.sides[k] = CodesOf(colours.sides[k]);
  for (std::size_t k = 0; k < 4; ++k) out.rims[k] = CodesOf(colours.rims[k]);
  for (int c = 0; c < 3; ++c) {
    const auto [low, high] = std::minmax({out.body[c], out.pips[c], ground_[c]});
    out.range[c] = double{high} - double{low};
  }
  return out;
}

double DieModel::LogPixel(const Sample& s, const Colours& colours, const Codes& codes,
                          double& square) const {
  const auto n = static_cast<std::size_t>(s.pixel);
  const ChangeWindow::Pixel& p = window_.pixels[n];
  const PixelData& d = pixels_[n];
  const float body = std::max(s.top - s.pip - s.rim, 0.F);
  const float bare = std::max(1 - s.top - s.side[0] - s.side[1], 0.F);
  cv::Vec3d own_light;
  for (int c = 0; c < 3; ++c) {
    const double top = colours.body[c] + s.u * colours.along_u[c] + s.v * colours.along_v[c];
    own_light[c] = body * std::clamp(top, 0.0, kBeyondFull.back()) + s.pip * colours.pips[c] +
                   s.rim * colours.rims[s.edge][c] + s.side[0] * colours.sides[0][c] +
                   s.side[1] * colours.sides[1][c];
  }
  const double own = Square(1 - bare);
  const double side = s.side[0] + s.side[1];
  // The ground beside it lies in its shadow or not.
  const auto log_in = [&](double shade) {
    cv::Vec3d ground = shade * cv::Vec3d(p.before);
    if (shade < 1) ground = ground.mul(shadow_);
    const cv::Vec3f expected = CodesOf(own_light + double{bare} * ground);
    cv::Vec3d spread;
    const auto add = [&](float share, const cv::Vec3f& code) {
      if (share < 0.01F) return;
      const cv::Vec3f off = code - expected;
      for (int c = 0; c < 3; ++c) spread[c] += share * Square(off[c]);
    };
    add(body, codes.body);
    add(s.pip, codes.pips);
    add(s.rim, codes.rims[s.edge]);
    add(s.side[0], codes.sides[0]);
    add(s.side[1], codes.sides[1]);
    add(bare, d.before * static_cast<float>(shade));
    const double luma = expected[0];
    // A side has pips of its own, of which nothing is known.
    constexpr double kSidesPips = 0.2;
    const double uneven = own * Square(kDieLooks.uneven * luma) + Square(side * kSidesPips * luma) +
                          Square((s.rim + side) * kDieLooks.uneven_aside * luma);
    double misfit = 0;
    const double log = LogDieNoise(
        d.seen - expected,
        {noise_ + uneven + Square(kDieLooks.at_edges) * spread[0] +
             Square(kDieLooks.fringes * codes.range[0]),
         noise_ + own * Square(kDieLooks.tinted * luma) + Square(kDieLooks.chroma_at_edges) * spread[1] +
             Square(kDieLooks.chroma_fringes * codes.range[1]),
         noise_ + own * Square(kDieLooks.tinted * luma) + Square(kDieLooks.chroma_at_edges) * spread[2] +
             Square(kDieLooks.chroma_fringes * codes.range[2])},
        misfit);
    return std::pair{log, misfit};
  };
  auto best = log_in(1);
  constexpr float kSomeGround = 0.1F;
  if (bare > kSomeGround) {
    for (const double shade : {0.6, 0.3}) {
      const auto shaded = log_in(shade);
      if (shaded.first > best.first) best = shaded;
    }
  }
  square += best.second;
  return best.first;
}

// How much more probable the pips make what the upper face shows than a face of one colour that
// lamps light unevenly: linear least squares with a variance that the picture tells, so that a pip
// counts by how much of the face's pattern it explains, not by how far it lies from its prediction.
// source  Bayesian linear regression under a flat prior of log sigma (Zellner, 1971)
DieModel::FaceFit DieModel::FitFace(const std::vector<Sample>& samples, const Colours& colours,
                                    int stride) const {
  constexpr int kUnknowns = 4;
  const ShownOfPip shown(colours.body, colours.pips);
  cv::Matx<double, kUnknowns, kUnknowns> normal;
  std::array<cv::Vec<double, kUnknowns>, 3> right;
  cv::Vec3d squares;
  double count = 0;
  cv::Vec3d sum;
  for (const Sample& s : samples) {
    if (s.top - s.rim < kOnTop) continue;
    const cv::Vec3f& seen = pixels_[static_cast<std::size_t>(s.pixel)].seen;
    const cv::Vec<double, kUnknowns> basis(1, s.u, s.v, shown(s.pip / (s.top - s.rim)));
    for (int i = 0; i < kUnknowns; ++i)
      for (int j = 0; j < kUnknowns; ++j) normal(i, j) += basis[i] * basis[j];
    for (int c = 0; c < 3; ++c) {
      right[static_cast<std::size_t>(c)] += double{seen[c]} * basis;
      squares[c] += Square(seen[c]);
      sum[c] += double{seen[c]};
    }
    count += 1;
  }
  constexpr double kLeast = 12;
  if (count < kLeast) return {};
  const bool pips = normal(3, 3) >= 0.1;
  for (int i = 0; i < kUnknowns; ++i) normal(i, i) += 1e-9;
  const cv::Matx33d plane = normal.get_minor<3, 3>(0, 0);
  const double luma = std::max(sum[0] / count, 0.0);
  const double floor = count * (noise_ + Square(kDieLooks.uneven_ground * luma));
  // Of the usual die's upper face half is flat and sharp.
  const double side_px = kDiePriors.side_in * ppi_;
  const double usual_count = 0.5 * side_px * side_px;
  FaceFit out;
  for (int c = 0; c < 3; ++c) {
    const auto& r = right[static_cast<std::size_t>(c)];
    const cv::Vec<double, kUnknowns> with = normal.solve(r, cv::DECOMP_CHOLESKY);
    const cv::Vec3d flat(r[0], r[1], r[2]);
    const cv::Vec3d without = plane.solve(flat, cv::DECOMP_CHOLESKY);
    const double all = std::max(squares[c] - without.dot(flat), 0.0);
    const double left = pips ? std::clamp(squares[c] - with.dot(r), 0.0, all) : all;
    const double many = 0.5 * stride * count / kPixelsPerSample[static_cast<std::size_t>(c)];
    out.explained += many * std::log((all + floor) / (left + floor));
    const double left_nats =
        0.5 / kPixelsPerSample[static_cast<std::size_t>(c)] * std::log((left + floor) / floor);
    out.left += stride * count * left_nats;
    out.left_at_usual_size += usual_count * left_nats;
  }
  return out;
}

// The pixels of an upper face, and how much each place of a pip covers of them.
struct DieModel::FacePlaces {
  static constexpr int kPlaces = 9;
  static constexpr int kUnknowns = 3 + kPlaces;  // a level and its slopes, and the places
  struct Row {
    cv::Vec3f seen;
    cv::Vec<double, kUnknowns> basis;
    double pip = 0;  // of the pattern
  };
  std::vector<Row> rows;
  std::array<bool, kPlaces> there{};  // whether the pattern has a pip
};

DieModel::FacePlaces DieModel::PlacesOf(const DiePose& pose, const DiePattern& pattern,
                                        const Colours& colours) const {
  FacePlaces out;
  const ShownOfPip shown(colours.body, colours.pips);
  for (int k = 0; k < FacePlaces::kPlaces; ++k) {
    const Vec2 place{static_cast<double>(k % 3 - 1), static_cast<double>(k / 3 - 1)};
    bool& there = out.there[static_cast<std::size_t>(k)];
    for (const Vec2 pip : pattern.pips) there = there || Distance(pip, place) < 0.5;
    Cover(pose, {0, {place}}, 1, samples_);
    std::size_t next = 0;
    for (const Sample& s : samples_) {
      if (s.top - s.rim < kOnTop) continue;
      if (k == 0) {
        FacePlaces::Row row;
        row.seen = pixels_[static_cast<std::size_t>(s.pixel)].seen;
        row.basis[0] = 1;
        row.basis[1] = s.u;
        row.basis[2] = s.v;
        out.rows.push_back(row);
      }
      FacePlaces::Row& row = out.rows[next++];
      const double pip = shown(s.pip / (s.top - s.rim));
      row.basis[3 + k] = pip;
      if (there) row.pip += pip;
    }
  }
  return out;
}

double DieModel::PlacesShow(const DiePose& pose, const DiePattern& pattern) const {
  Cover(pose, pattern, 1, samples_);
  const FacePlaces face = PlacesOf(pose, pattern, Fit(samples_));
  constexpr int kUnknowns = FacePlaces::kUnknowns;
  if (face.rows.size() <= kUnknowns) return 0;
  // What the pattern's pips do together: a step of luma and chroma.
  cv::Matx44d normal = cv::Matx44d::eye() * 1e-9;
  cv::Matx<double, 4, 3> right;
  for (const FacePlaces::Row& row : face.rows) {
    const cv::Vec4d basis(row.basis[0], row.basis[1], row.basis[2], row.pip);
    normal += basis * basis.t();
    right += basis * cv::Vec3d(row.seen).t();
  }
  const cv::Matx<double, 4, 3> solved = normal.solve(right, cv::DECOMP_CHOLESKY);
  const cv::Vec3d step(solved(3, 0), solved(3, 1), solved(3, 2));
  // Chroma is coded at half the resolution.
  const cv::Vec3d along = step.mul(cv::Vec3d(1, 0.4, 0.4));
  const double length = along.dot(step);
  if (length < 1e-6) return 0;
  // How much of that step each place shows.
  using Matrix = cv::Matx<double, kUnknowns, kUnknowns>;
  Matrix all = Matrix::eye() * 1e-6;
  cv::Vec<double, kUnknowns> sum;
  double squares = 0;
  for (const FacePlaces::Row& row : face.rows) {
    const double shown = along.dot(cv::Vec3d(row.seen)) / length;
    all += row.basis * row.basis.t();
    sum += shown * row.basis;
    squares += shown * shown;
  }
  const Matrix inverse = all.inv(cv::DECOMP_CHOLESKY);
  const cv::Vec<double, kUnknowns> steps = inverse * sum;
  const double variance = kPixelsPerSample[0] * std::max(squares - steps.dot(sum), 0.0) /
                          static_cast<double>(face.rows.size() - kUnknowns);
  // Pips of one die differ by so much of their step: hollows are lit from one side, glints, wear.
  constexpr double kPipsDiffer = 0.15;
  constexpr int kPlaces = FacePlaces::kPlaces;
  cv::Matx<double, kPlaces, kPlaces> doubt =
      cv::Matx<double, kPlaces, kPlaces>::eye() * Square(kPipsDiffer);
  cv::Vec<double, kPlaces> off;
  for (int k = 0; k < kPlaces; ++k) {
    off[k] = steps[3 + k] - (face.there[static_cast<std::size_t>(k)] ? 1 : 0);
    for (int l = 0; l < kPlaces; ++l) doubt(k, l) += variance * inverse(3 + k, 3 + l);
  }
  const cv::Matx<double, kPlaces, kPlaces> sure = doubt.inv(cv::DECOMP_CHOLESKY);
  const cv::Vec<double, kPlaces> pull = sure * off;
  // What neither has explains less than it should, if it is no die's face (Birge, 1932).
  const double birge = std::max(1.0, off.dot(pull) / kPlaces);
  double least = 1e9;
  for (int k = 0; k < kPlaces; ++k) {
    const double one = face.there[static_cast<std::size_t>(k)] ? -1 : 1;
    const double single = 0.5 * sure(k, k) - one * pull[k];
    least = std::min(least, single);
    for (int l = 0; l < k; ++l) {
      const double two = face.there[static_cast<std::size_t>(l)] ? -1 : 1;
      const double both = single + 0.5 * sure(l, l) - two * pull[l] + one * two * sure(k, l);
      least = std::min(least, both);
    }
  }
  return least / birge;
}

double DieModel::Prior(const DiePose& pose, const DiePattern& pattern) const {
  const DiePriors& prior = kDiePriors;
  if (pose.side_in < prior.side_range_in[0] || pose.side_in > prior.side_range_in[1]) return -1e6;
  constexpr double kLeastRadius = 0.08;
  constexpr double kMostRadius = 0.42;
  if (pose.pip_radius < kLeastRadius || pose.pip_radius > kMostRadius || pose.psf_px < 0.25 ||
      pose.rim < 0.01 || pose.rim > 0.32)
    return -1e6;
  // A pip lies whole on the flat of its face: what reaches into the edge is the ground beside
  // something turned, or between two things.
  constexpr double kMostOff = 0.16;  // from the usual place: half a pixel of a small face and more
  if (std::abs(pose.pip_off - prior.pip_off) > kMostOff ||
      (pattern.value > 1 && pose.pip_off + pose.pip_radius > 1 - prior.rim))
    return -1e6;
  const double radius_sigma =
      pattern.value == 1 ? prior.first_pip_radius_sigma : prior.pip_radius_sigma;
  return -0.5 * (Square(std::log(pose.side_in / prior.side_in) / prior.side_sigma) +
                 Square((pose.pip_radius - prior.pip_radius) / radius_sigma) +
                 Square((pose.pip_off - prior.pip_off) / prior.pip_off_sigma) +
                 Square((pose.rim - prior.rim) / prior.rim_sigma) +
                 Square((pose.psf_px - blur_.sigma_px) / blur_.doubt_px));
}

DieModel::Evaluation DieModel::Evaluate(const DiePose& pose, const DiePattern& pattern,
                                        int stride) const {
  Evaluation out;
  const double prior = Prior(pose, pattern);
  constexpr double kImpossible = -1e5;
  if (prior < kImpossible) return out;
  Cover(pose, pattern, stride, samples_);
  constexpr std::size_t kLeast_px = 12;
  if (samples_.size() < kLeast_px) return out;
  out.colours = Fit(samples_);
  const Codes codes = CodesOfAll(out.colours);
  double log = 0;
  int on_top = 0;
  for (const Sample& s : samples_) {
    const auto n = static_cast<std::size_t>(s.pixel);
    if (window_.pixels[n].unseen) continue;
    double square = 0;
    const double gained = LogPixel(s, out.colours, codes, square) - pixels_[n].no_die;
    log += gained;
    constexpr float kNoPip = 0.1F;
    if (s.pip < kNoPip) out.by_body += gained;
    if (s.top - s.rim < 0.5F) continue;
    out.misfit += square;
    ++on_top;
  }
  const double count = static_cast<double>(samples_.size());
  out.misfit /= std::max(on_top, 1);
  out.pixels = stride * count / kPixelModel.pixels_per_sample;
  const FaceFit face = FitFace(samples_, out.colours, stride);
  const double by_pixels = stride * log / kPixelModel.SampleSize() + prior;
  out.pips = face.explained;
  out.left = face.left;
  out.score = by_pixels + face.explained;
  out.of_pose = by_pixels - face.left_at_usual_size;
  out.by_body *= stride / kPixelModel.SampleSize();
  return out;
}

void DieModel::Own(const DiePose& pose, const DiePattern& pattern) {
  Cover(pose, pattern, 1, samples_);
  const Colours colours = Fit(samples_);
  const Codes codes = CodesOfAll(colours);
  for (const Sample& s : samples_) {
    PixelData& d = pixels_[static_cast<std::size_t>(s.pixel)];
    double square = 0;
    const auto log = static_cast<float>(LogPixel(s, colours, codes, square));
    d.no_die = std::max(d.no_die, log);
  }
}

double DieModel::Gains(const DiePose& pose, const DiePattern& pattern,
                       std::vector<PixelGain>& out) const {
  Cover(pose, pattern, 1, samples_);
  const Colours colours = Fit(samples_);
  const Codes codes = CodesOfAll(colours);
  out.clear();
  for (const Sample& s : samples_) {
    const auto n = static_cast<std::size_t>(s.pixel);
    if (window_.pixels[n].unseen) continue;
    double square = 0;
    const double gained = LogPixel(s, colours, codes, square) - double{pixels_[n].own_before};
    out.push_back({n, static_cast<float>(gained / kPixelModel.SampleSize())});
  }
  return Prior(pose, pattern) +
         (pattern.pips.empty() ? 0 : FitFace(samples_, colours, 1).explained);
}

void DieModel::Disown() {
  for (PixelData& d : pixels_) d.no_die = d.own_before;
}

double DieModel::UnknownThing(const DiePose& pose) const {
  Cover(pose, DiePatterns().front(), 1, samples_);
  std::vector<cv::Vec3f> seen;
  std::vector<float> instead;
  constexpr float kOnIt = 0.5F;
  for (const Sample& s : samples_) {
    const auto n = static_cast<std::size_t>(s.pixel);
    if (s.top + s.side[0] + s.side[1] < kOnIt || window_.pixels[n].unseen) continue;
    seen.push_back(pixels_[n].seen);
    instead.push_back(pixels_[n].own_before);
  }
  constexpr int kColours = 5;
  if (seen.size() < 2 * kColours) return 0;
  const cv::Mat data(static_cast<int>(seen.size()), 3, CV_32F, seen.data());
  cv::Mat which;
  cv::Mat centres;
  cv::theRNG().state = 20;  // the same picture, the same answer
  constexpr int kRounds = 10;
  cv::kmeans(data, kColours, which, cv::TermCriteria(cv::TermCriteria::COUNT, kRounds, 0), 2,
             cv::KMEANS_PP_CENTERS, centres);
  double log = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const int k = which.at<int>(static_cast<int>(i));
    const cv::Vec3f centre(centres.at<float>(k, 0), centres.at<float>(k, 1),
                           centres.at<float>(k, 2));
    const double luma = centre[0];
    double square = 0;
    log +=
        LogDieNoise(seen[i] - centre,
                    {noise_ + Square(kDieLooks.uneven_ground * luma),
                     noise_ + Square(kDieLooks.tinted * luma), noise_ + Square(kDieLooks.tinted * luma)},
                    square) -
        std::log(kColours) - instead[i];
  }
  const double count = static_cast<double>(seen.size());
  // A bit for each pixel of its outline, and its colours (change_window's ExplainOtherwise).
  const double outline =
      4 * std::sqrt(count) * std::log(2.0) / std::sqrt(kPixelModel.pixels_per_sample);
  return log / kPixelModel.SampleSize() - outline -
         0.5 * 3 * kColours * std::log(std::max(count / kPixelModel.SampleSize(), 2.0));
}

double DieModel::RelitGround(const DiePose& pose) const {
  Cover(pose, DiePatterns().front(), 1, samples_);
  // The gain of each channel, and its slopes, by least squares in light.
  std::array<cv::Matx33d, 3> normal;
  std::array<cv::Vec3d, 3> right;
  for (const Sample& s : samples_) {
    const ChangeWindow::Pixel& p = window_.pixels[static_cast<std::size_t>(s.pixel)];
    if (p.unseen) continue;
    for (int c = 0; c < 3; ++c) {
      const cv::Vec3d basis = double{p.before[c]} * cv::Vec3d(1, s.u, s.v);
      const auto n = static_cast<std::size_t>(c);
      normal[n] += double{p.weight[c]} * basis * basis.t();
      right[n] += double{p.weight[c]} * double{p.after[c]} * basis;
    }
  }
  std::array<cv::Vec3d, 3> gain;
  for (std::size_t c = 0; c < 3; ++c) {
    for (int i = 0; i < 3; ++i) normal[c](i, i) += 1e-9;
    gain[c] = normal[c].solve(right[c], cv::DECOMP_CHOLESKY);
  }
  double log = 0;
  double on_top = 0;
  cv::Vec3d left;
  cv::Matx33d planes = cv::Matx33d::eye() * 1e-9;
  std::array<cv::Vec3d, 3> flat;
  cv::Vec3d squares;
  double luma_of_all = 0;
  for (const Sample& s : samples_) {
    const auto n = static_cast<std::size_t>(s.pixel);
    const ChangeWindow::Pixel& p = window_.pixels[n];
    if (p.unseen) continue;
    const cv::Vec3d basis(1, s.u, s.v);
    cv::Vec3d light;
    for (int c = 0; c < 3; ++c)
      light[c] = std::max(double{p.before[c]} * gain[static_cast<std::size_t>(c)].dot(basis), 0.0);
    const cv::Vec3f expected = CodesOf(light);
    const double luma = expected[0];
    const cv::Vec3f off = pixels_[n].seen - expected;
    double square = 0;
    log +=
        LogDieNoise(off,
                    {noise_ + Square(kDieLooks.uneven * luma), noise_ + Square(kDieLooks.tinted * luma),
                     noise_ + Square(kDieLooks.tinted * luma)},
                    square) -
        double{pixels_[n].own_before};
    if (s.top - s.rim < kOnTop) continue;
    ++on_top;
    luma_of_all += pixels_[n].seen[0];
    planes += basis * basis.t();
    for (int c = 0; c < 3; ++c) {
      left[c] += Square(off[c]);
      flat[static_cast<std::size_t>(c)] += double{pixels_[n].seen[c]} * basis;
      squares[c] += Square(pixels_[n].seen[c]);
    }
  }
  double out = log / kPixelModel.SampleSize();
  constexpr double kLeast = 12;
  if (on_top < kLeast) return out;
  const double floor = on_top * (noise_ + Square(kDieLooks.uneven_ground * luma_of_all / on_top));
  for (int c = 0; c < 3; ++c) {
    const cv::Vec3d& r = flat[static_cast<std::size_t>(c)];
    const double all = squares[c] - planes.solve(r, cv::DECOMP_CHOLESKY).dot(r);
    out += 0.5 * on_top / kPixelsPerSample[static_cast<std::size_t>(c)] *
           std::log((std::max(all, 0.0) + floor) / (left[c] + floor));
  }
  return out;
}

std::optional<cv::Vec3d> DieModel::UmbraOf(std::vector<std::size_t> covered) const {
  constexpr std::size_t kLeast = 12;
  if (covered.size() < kLeast) return std::nullopt;
  // The darkest tenth, of which noise alone says little.
  const std::size_t darkest = std::max<std::size_t>(3, covered.size() / 10);
  const auto shade = [&](std::size_t n) {
    return pixels_[n].seen[0] / std::max(pixels_[n].before[0], 1.F);
  };
  std::nth_element(covered.begin(), covered.begin() + static_cast<std::ptrdiff_t>(darkest),
                   covered.end(),
                   [&](std::size_t a, std::size_t b) { return shade(a) < shade(b); });
  cv::Vec3d now;
  cv::Vec3d then = cv::Vec3d::all(1e-6);
  for (std::size_t i = 0; i < darkest; ++i) {
    now += cv::Vec3d(window_.pixels[covered[i]].after);
    then += cv::Vec3d(window_.pixels[covered[i]].before);
  }
  cv::Vec3d out;
  for (int c = 0; c < 3; ++c) {
    out[c] = now[c] / then[c];
    if (out[c] > 1) return std::nullopt;  // no shadow has more of any light
  }
  // Nor is any as red, or as blue, as a red or a blue thing.
  constexpr double kMore = 1.2;  // than the tints of shadows: of noise and uneven ground
  const auto [reddest, bluest] = std::minmax_element(kTints.begin(), kTints.end());
  const double red_over_blue = out[2] / std::max(out[0], 1e-6);
  const auto ratio = [](double tint) { return (1 - tint) / (1 + tint); };
  if (red_over_blue > kMore * ratio(*reddest) || red_over_blue < ratio(*bluest) / kMore)
    return std::nullopt;
  return out;
}

DieModel::ByDepth DieModel::LogShaded(std::size_t pixel, const cv::Vec3d& umbra) const {
  const cv::Vec3d before(window_.pixels[pixel].before);
  const cv::Vec3f contrast = CodesOf(before.mul(umbra)) - pixels_[pixel].before;
  ByDepth out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double shaded = static_cast<double>(i) / static_cast<double>(out.size() - 1);
    const cv::Vec3d gain = cv::Vec3d::all(1 - shaded) + shaded * umbra;
    const cv::Vec3f expected = CodesOf(before.mul(gain));
    const double luma = expected[0];
    const auto variance = [&](int c, double uneven, double at_edges, double fringes) {
      return noise_ + Square(uneven * luma) +
             (Square(at_edges) * shaded * (1 - shaded) + Square(fringes)) *
                 Square(double{contrast[c]});
    };
    const auto of_chroma = [&](int c) {
      return variance(c, kDieLooks.tinted, kDieLooks.chroma_at_edges, kDieLooks.chroma_fringes);
    };
    double square = 0;
    out[i] = LogDieNoise(pixels_[pixel].seen - expected,
                         {variance(0, kDieLooks.uneven_ground, kDieLooks.at_edges, kDieLooks.fringes),
                          of_chroma(1), of_chroma(2)},
                         square);
  }
  return out;
}

double DieModel::CastShadow(const DiePose& pose, const DiePattern& pattern) const {
  Cover(pose, pattern, 1, samples_);
  std::vector<std::size_t> covered;
  constexpr float kOnIt = 0.5F;
  for (const Sample& s : samples_) {
    const auto n = static_cast<std::size_t>(s.pixel);
    if (s.top + s.side[0] + s.side[1] >= kOnIt && !window_.pixels[n].unseen) covered.push_back(n);
  }
  const std::optional<cv::Vec3d> umbra = UmbraOf(covered);
  if (!umbra) return 0;
  std::vector<ByDepth> likelihoods;
  likelihoods.reserve(covered.size());
  double log = 0;
  for (const std::size_t n : covered) {
    ByDepth depths = LogShaded(n, *umbra);
    const double most = *std::max_element(depths.begin(), depths.end());
    log += most - double{pixels_[n].own_before};
    for (double& l : depths) l = std::exp(l - most);
    likelihoods.push_back(depths);
  }
  // How common each depth is, by expectation and maximization.
  ByDepth common;
  common.fill(1.0 / static_cast<double>(common.size()));
  constexpr int kRounds = 10;
  double by_common = 0;
  for (int round = 0; round < kRounds; ++round) {
    ByDepth next{};
    by_common = 0;
    for (const ByDepth& one : likelihoods) {
      double sum = 0;
      for (std::size_t i = 0; i < one.size(); ++i) sum += common[i] * one[i];
      by_common += std::log(sum);
      for (std::size_t i = 0; i < one.size(); ++i)
        next[i] += common[i] * one[i] / sum / static_cast<double>(likelihoods.size());
    }
    common = next;
  }
  return (log + by_common) / kPixelModel.SampleSize() +
         FitFace(samples_, Fit(samples_), 1).explained;
}

double DieModel::ChangeOn(const DiePose& pose, const DiePattern& pattern) const {
  Cover(pose, pattern, 1, samples_);
  double sum = 0;
  double weight = 0;
  double sum_of_pips = 0;
  double weight_of_pips = 0;
  for (const Sample& s : samples_) {
    const double change = window_.pixels[static_cast<std::size_t>(s.pixel)].change;
    sum += s.top * change;
    weight += s.top;
    sum_of_pips += s.pip * change;
    weight_of_pips += s.pip;
  }
  return std::max(weight > 0 ? sum / weight : 0,
                  weight_of_pips > 0 ? sum_of_pips / weight_of_pips : 0);
}

double DieModel::BodyChangeOn(const DiePose& pose, const DiePattern& pattern) const {
  Cover(pose, pattern, 1, samples_);
  double sum = 0;
  double weight = 0;
  for (const Sample& s : samples_) {
    const double share = std::max(s.top - 2 * s.pip - s.rim, 0.F);
    sum += share * window_.pixels[static_cast<std::size_t>(s.pixel)].change;
    weight += share;
  }
  return weight > 0 ? sum / weight : 0;
}

DiePose DieModel::Moved(DiePose pose, std::size_t way, double by_px) const {
  const double half_px = 0.5 * pose.side_in * ppi_;
  constexpr double kHalf = 0.5;
  constexpr double kMostTilt_rad = 0.8;  // beyond 45 degrees another face is up
  switch (way) {
    case 0:
      pose.middle.x += by_px;
      break;
    case 1:
      pose.middle.y += by_px;
      break;
    case 2:
      pose.yaw_rad += by_px / half_px;
      break;
    case 3:
      pose.side_in += by_px / ppi_;
      break;
    case 4:
    case 5: {
      // The upper face stays where its pips are seen.
      const cv::Point2d seen = Upper(pose).centre;
      if (way == 4)
        pose.tilt_rad = std::clamp(pose.tilt_rad + by_px / half_px, 0.0, kMostTilt_rad);
      else
        pose.tilt_way_rad += 2 * by_px / half_px;
      pose.middle += seen - Upper(pose).centre;
      break;
    }
    case 6:
      pose.pip_radius += kHalf * by_px / half_px;
      break;
    case 7:
      pose.pip_off += kHalf * by_px / half_px;
      break;
    case 8:
      pose.psf_px += kHalf * by_px;
      break;
    default:
      pose.rim += kHalf * by_px / half_px;
  }
  return pose;
}

cv::Mat DieModel::Covered(const DiePose& pose) const {
  cv::Mat out(window_.rect.size(), CV_8UC1, cv::Scalar(0));
  Cover(pose, DiePatterns().front(), 1, samples_);
  constexpr float kSome = 0.1F;
  for (const Sample& s : samples_) {
    if (s.top + s.side[0] + s.side[1] >= kSome)
      out.at<std::uint8_t>(s.pixel / out.cols, s.pixel % out.cols) = 255;
  }
  return out;
}

}  // namespace fos
