// SPDX-License-Identifier: MIT
#include "datasets/render/wild_d12.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <opencv2/imgproc.hpp>

#include "datasets/render/srgb.h"
#include "datasets/render/wild_numerals.h"

namespace fos {
namespace {

using std::numbers::phi;
using std::numbers::pi;

// Of a face, in units of the distance between opposite faces.
constexpr double kInner = 0.5 / phi;              // from its middle to its edges
const double kOuter = kInner / std::cos(pi / 5);  // to its corners
const double kHigh = kInner + kOuter;             // from an edge to the corner across

constexpr int kInk_px = 128;  // side of D12Kind::ink

// A face's axes, own frame. Seen from outside, `across` is a quarter turn counter-clockwise from
// `first`, which points to the middle of an edge.
struct FaceAxes {
  cv::Vec3d normal, first, across;
};
using AllAxes = std::array<FaceAxes, 12>;

AllAxes MakeAxes() {
  AllAxes out;
  const double length = std::hypot(1, phi);
  for (std::size_t i = 0; i < out.size(); ++i) {
    // The corners of an icosahedron: of each axis four, a face and its opposite one together.
    const int axis = static_cast<int>(i) / 4;
    const double way = i % 2 == 0 ? 1 : -1;
    cv::Vec3d& n = out[i].normal;
    n[(axis + 1) % 3] = way / length;
    n[(axis + 2) % 3] = way * (i % 4 < 2 ? phi : -phi) / length;
  }
  for (FaceAxes& face : out) {
    const auto beside = std::find_if(out.begin(), out.end(), [&](const FaceAxes& other) {
      const double cosine = face.normal.dot(other.normal);
      return cosine > 0.1 && cosine < 0.9;
    });
    const cv::Vec3d off = beside->normal - face.normal.dot(beside->normal) * face.normal;
    face.first = off / cv::norm(off);
    face.across = face.normal.cross(face.first);
  }
  return out;
}

const AllAxes& Axes() {
  static const AllAxes axes = MakeAxes();
  return axes;
}

// How much smaller a number must be to stay on the flat part of its face.
// half_in: of the box about the ink; flat_in: from the middle of the face to the edges of that part
double Fitting(Vec2 half_in, double flat_in, bool to_corner) {
  double most = 1e-9;
  for (int edge = 0; edge < 5; ++edge) {
    const double turn = pi / 2 + (to_corner ? pi / 5 : 0) + edge * 2 * pi / 5;
    for (const double x : {-half_in.x, half_in.x})
      for (const double y : {-half_in.y, half_in.y})
        most = std::max(most, x * std::cos(turn) + y * std::sin(turn));
  }
  return std::min(1.0, flat_in / most);
}

// A number in the middle of its face.
cv::Mat OnFace(const NumeralInk& numeral, double digit_in, const D12Kind& kind, bool to_corner) {
  const double in_a_px = digit_in / numeral.digit_px;
  const Vec2 half = 0.5 * in_a_px * Vec2{1.0 * numeral.ink.cols, 1.0 * numeral.ink.rows};
  constexpr double kMargin = 0.92;
  const double flat = kMargin * kInner * (kind.size_in - 2 * kind.round_in);
  const double scale =
      Fitting(half, flat, to_corner) * in_a_px * kInk_px / (2 * kOuter * kind.size_in);
  cv::Mat small;
  cv::resize(numeral.ink, small, {}, scale, scale, cv::INTER_AREA);
  cv::Mat out(kInk_px, kInk_px, CV_8UC1, cv::Scalar(0));
  small.copyTo(
      out({(kInk_px - small.cols) / 2, (kInk_px - small.rows) / 2, small.cols, small.rows}));
  cv::GaussianBlur(out, out, {}, 1);
  return out;
}

// How much ink is at a place on a face, 0 to 1. to: inches to the right of the middle and upwards
double InkAt(const cv::Mat& ink, Vec2 to, double size_in) {
  const double px_in = kInk_px / (2 * kOuter * size_in);
  const double x = 0.5 * kInk_px - 0.5 + px_in * to.x;
  const double y = 0.5 * kInk_px - 0.5 - px_in * to.y;
  const int column = static_cast<int>(std::floor(x));
  const int row = static_cast<int>(std::floor(y));
  if (column < 0 || row < 0 || column + 1 >= kInk_px || row + 1 >= kInk_px) return 0;
  const double u = x - column;
  const double v = y - row;
  const auto at = [&](int r, int c) { return ink.at<std::uint8_t>(r, c) / 255.0; };
  return (1 - v) * ((1 - u) * at(row, column) + u * at(row, column + 1)) +
         v * ((1 - u) * at(row + 1, column) + u * at(row + 1, column + 1));
}

cv::Vec3f ToneAt(const D12Kind& kind, const cv::Vec3d& own, double to_edge_in, std::uint32_t salt) {
  const auto noise = [&](double size_in, std::uint32_t of) {
    return SmoothNoise(own[0] / size_in, own[1] / size_in, own[2] / size_in, salt + of);
  };
  cv::Vec3f body = kind.body;
  if (kind.marble) {
    // Two tones that were stirred.
    const double bent = 3 * noise(0.35, 11);
    const double mixed =
        SmoothStep(-0.25, 0.25, std::sin(4 * own[0] / 0.7 + bent) * 0.4 + 0.7 * noise(0.17, 23));
    body += static_cast<float>(mixed) * (*kind.marble - body);
  }
  if (kind.clear > 0) {
    // Light that came in through other faces leaves at the edges, in the body's colour.
    const double edge = kind.clear * (1 - SmoothStep(0, 0.2 * kind.size_in, to_edge_in));
    for (int c = 0; c < 3; ++c)
      body[c] = std::min(body[c] * static_cast<float>(1 + edge) + 0.03F * static_cast<float>(edge),
                         std::max(body[c], 0.9F));
  }
  return body * static_cast<float>(1 + 0.05 * noise(0.15, 0));
}

cv::Vec3f PaintAt(const D12Kind& kind, const cv::Vec3d& own, std::uint32_t salt) {
  std::size_t which = 0;
  double nearest = -1e9;
  double second = -1e9;
  for (std::size_t i = 0; i < Axes().size(); ++i) {
    const double out = Axes()[i].normal.dot(own);
    second = std::max(second, std::min(out, nearest));
    if (out <= nearest) continue;
    nearest = out;
    which = i;
  }
  const FaceAxes& face = Axes()[which];
  const double x = own.dot(face.first);
  const double y = own.dot(face.across);
  const double c = std::cos(kind.upright_rad[which]);
  const double s = std::sin(kind.upright_rad[which]);
  const double ink = InkAt(kind.ink[which], {s * x - c * y, c * x + s * y}, kind.size_in);
  const cv::Vec3f body = ToneAt(kind, own, nearest - second, salt);
  // The wall of a groove is darker than its floor.
  const double rim = 1 - kind.rim * 4 * ink * (1 - ink);
  return (body + static_cast<float>(ink) * (kind.numeral - body)) * static_cast<float>(rim);
}

// Points all over the edges and faces, less the rounding.
std::vector<cv::Vec3d> SkeletonOf(const D12Kind& kind) {
  const double core_in = kind.size_in - 2 * kind.round_in;
  const std::vector<cv::Vec3d> corners = CornersOf(D12Planes(core_in));
  const double edge_in = 2 * std::tan(pi / 5) * kInner * core_in;
  std::vector<cv::Vec3d> out = corners;
  for (const cv::Vec3d& a : corners) {
    for (const cv::Vec3d& b : corners) {
      if (cv::norm(a - b) > 1.01 * edge_in) continue;
      for (const double t : {0.25, 0.5}) out.push_back(a + t * (b - a));
    }
  }
  for (const FaceAxes& face : Axes()) {
    const cv::Vec3d middle = 0.5 * core_in * face.normal;
    out.push_back(middle);
    for (int k = 0; k < 10; ++k) {
      const double turn = k * pi / 5;
      out.push_back(middle + 0.5 * kInner * core_in *
                                 (std::cos(turn) * face.first + std::sin(turn) * face.across));
    }
  }
  return out;
}

// A die without paint that lies on the ground with a face up.
WildSolid ShapeAt(const D12Kind& kind, const FaceAxes& up, double heading_rad, Vec2 at,
                  double ground_in) {
  // Rows are where the table's axes are in the own frame.
  const cv::Matx33d upwards(up.first[0], up.first[1], up.first[2], up.across[0], up.across[1],
                            up.across[2], up.normal[0], up.normal[1], up.normal[2]);
  return Polyhedron(D12Planes(kind.size_in), kind.round_in, AboutUp(heading_rad) * upwards,
                    {at.x, at.y, ground_in + kind.size_in / 2}, {});
}

WildDie DieOf(const D12Kind& kind, WildSolid body, std::size_t up, Draws& draws) {
  WildDie out;
  out.faces = 12;
  out.value = kind.numbers[up];
  out.centre = {body.centre[0], body.centre[1]};
  out.top_in = body.centre[2] + kind.size_in / 2;
  const std::uint32_t salt = draws.Seed();
  body.paint = [kind, salt](const SurfacePoint& at) { return PaintAt(kind, at.own, salt); };
  body.gloss = kind.gloss;
  body.holds = true;
  out.solid = std::move(body);
  return out;
}

// Whether it runs into something but the ground below it.
bool IsBlocked(const D12Kind& kind, const WildSolid& body, std::span<const cv::Vec3d> skeleton,
               std::span<const WildSolid> solids) {
  constexpr double kOff_in = 0.004;
  return Meets(Moved(body, {0, 0, kOff_in + kind.round_in}), skeleton, kind.round_in, solids);
}

// A die that was slid against one that lies there, from the direction `way`, until they touch.
// scene: without the dice of this throw; solids: with them
std::optional<WildSolid> Against(const D12Kind& kind, const WildScene& scene,
                                 std::span<const WildSolid> solids, const WildDie& there,
                                 const FaceAxes& up, double heading_rad, Vec2 way) {
  const double ground_in = there.top_in - kind.size_in;
  const std::vector<cv::Vec3d> skeleton = SkeletonOf(kind);
  std::optional<WildSolid> out;
  for (double off = 1.6; off > 0.8; off -= 0.01) {
    const Vec2 at = there.centre + off * kind.size_in * way;
    WildSolid next = ShapeAt(kind, up, heading_rad, at, ground_in);
    if (IsBlocked(kind, next, skeleton, solids)) break;
    out = std::move(next);
  }
  if (!out) return {};
  const auto level = LevelBelow(scene, {out->centre[0], out->centre[1]}, 1.1 * kind.size_in);
  constexpr double kSame_in = 0.01;
  if (!level || std::abs(*level - ground_in) > kSame_in) return {};
  return out;
}

double Brightness(const cv::Vec3f& c) { return 0.07 * c[0] + 0.72 * c[1] + 0.21 * c[2]; }

// Any hue, by hue, saturation and value.
cv::Vec3f DrawHue(Draws& draws) {
  const double hue = draws.Uniform(0, 6);
  const double full = draws.Uniform(0.25, 1);
  const double value = draws.Uniform(0.15, 0.95);
  const auto channel = [&](double shift) {
    const double k = std::fmod(shift + hue, 6.0);
    const double part = value - value * full * std::clamp(std::min(k, 4 - k), 0.0, 1.0);
    return static_cast<int>(std::lround(255 * part));
  };
  return PaintOf(channel(5), channel(3), channel(1));
}

// Ink that stands out from a body.
cv::Vec3f DrawInk(const cv::Vec3f& body, Draws& draws) {
  const std::array<cv::Vec3f, 6> light{PaintOf(238, 236, 228), PaintOf(238, 236, 228),
                                       PaintOf(238, 236, 228), PaintOf(228, 190, 70),
                                       PaintOf(196, 196, 200), PaintOf(160, 220, 235)};
  const std::array<cv::Vec3f, 6> dark{PaintOf(26, 26, 28),  PaintOf(26, 26, 28),
                                      PaintOf(26, 26, 28),  PaintOf(30, 36, 110),
                                      PaintOf(130, 20, 24), PaintOf(20, 70, 36)};
  return Brightness(body) < 0.22 ? draws.OneOf(light) : draws.OneOf(dark);
}

void DrawColours(D12Kind& kind, Draws& draws) {
  const cv::Vec3f white = PaintOf(238, 236, 228);
  const cv::Vec3f black = PaintOf(26, 26, 28);
  struct Tones {
    cv::Vec3f body, numeral;
  };
  const std::array<Tones, 10> tones{{{white, black},
                                     {black, white},
                                     {PaintOf(178, 26, 32), white},
                                     {PaintOf(24, 60, 140), white},
                                     {PaintOf(24, 60, 140), PaintOf(228, 190, 70)},
                                     {PaintOf(30, 110, 56), white},
                                     {PaintOf(226, 180, 40), black},
                                     {PaintOf(96, 44, 130), PaintOf(228, 190, 70)},
                                     {PaintOf(232, 222, 190), PaintOf(130, 20, 24)},
                                     {black, PaintOf(200, 40, 40)}}};
  const Tones t = draws.OneOf(tones);
  kind.body = t.body;
  kind.numeral = t.numeral;
  constexpr double kAnyHue = 0.45;
  if (draws.Happens(kAnyHue)) {
    kind.body = DrawHue(draws);
    kind.numeral = DrawInk(kind.body, draws);
  }
  constexpr double kMarbled = 0.15;
  constexpr double kClear = 0.1;
  const double look = draws.Uniform(0, 1);
  if (look < kMarbled) {
    // A tone about as bright: the ink stands out from both.
    const cv::Vec3f other = DrawHue(draws);
    const double ratio = draws.Uniform(0.5, 1.7) * Brightness(kind.body) / Brightness(other);
    kind.marble = other * static_cast<float>(ratio);
    for (int c = 0; c < 3; ++c) (*kind.marble)[c] = std::min((*kind.marble)[c], 0.9F);
  } else if (look < kMarbled + kClear) {
    kind.clear = draws.Uniform(0.4, 1.6);
  }
  kind.gloss = draws.Uniform(0, 0.06);
  kind.rim = draws.Uniform(0, 0.3);
}

// Which number is where: a random one of those whose opposite faces add up to 13.
std::array<int, 12> DrawNumbers(Draws& draws) {
  std::array<int, 6> low{1, 2, 3, 4, 5, 6};
  std::array<int, 12> out{};
  for (std::size_t i = 0; i < low.size(); ++i) {
    const auto rest = static_cast<int>(low.size() - i);
    std::swap(low[i], low[i + static_cast<std::size_t>(draws.Below(rest))]);
    const bool first = draws.Happens(0.5);
    out[2 * i] = first ? low[i] : 13 - low[i];
    out[2 * i + 1] = 13 - out[2 * i];
  }
  return out;
}

}  // namespace

std::vector<cv::Vec4d> D12Planes(double size_in) {
  std::vector<cv::Vec4d> out;
  for (const FaceAxes& face : Axes())
    out.emplace_back(face.normal[0], face.normal[1], face.normal[2], size_in / 2);
  return out;
}

D12Kind DrawD12Kind(Draws& draws) {
  D12Kind kind;
  constexpr double kUsual_in = 0.709;  // 18 mm
  constexpr double kLeast_in = 0.591;  // 15 mm
  constexpr double kMost_in = 0.866;   // 22 mm
  kind.size_in = draws.Happens(0.5) ? kUsual_in : draws.Uniform(kLeast_in, kMost_in);
  kind.round_in = draws.LogUniform(0.008, 0.1) * kind.size_in;
  kind.numbers = DrawNumbers(draws);
  constexpr double kToCorner = 0.8;
  const bool to_corner = draws.Happens(kToCorner);
  for (double& upright : kind.upright_rad)
    upright = (to_corner ? pi / 5 : 0) + 2 * pi / 5 * draws.Below(5);
  DrawColours(kind, draws);
  const NumeralLook look = DrawNumeralLook(draws);
  const double one_in = draws.Uniform(0.45, 0.62) * kHigh * kind.size_in;
  const double two_in = draws.Uniform(0.62, 0.85) * one_in;
  for (std::size_t i = 0; i < kind.ink.size(); ++i) {
    const int number = kind.numbers[i];
    kind.ink[i] = OnFace(InkOf(look, number), number < 10 ? one_in : two_in, kind, to_corner);
  }
  return kind;
}

std::optional<WildDie> LayD12(const D12Kind& kind, const WildScene& scene, Vec2 at,
                              double heading_rad, Draws& draws) {
  const auto up = static_cast<std::size_t>(draws.Below(12));
  const auto level = LevelBelow(scene, at, 1.1 * kind.size_in);
  if (!level) return {};
  WildSolid body = ShapeAt(kind, Axes()[up], heading_rad, at, *level);
  if (IsBlocked(kind, body, SkeletonOf(kind), scene.solids)) return {};
  return DieOf(kind, std::move(body), up, draws);
}

std::vector<WildDie> ThrowD12(const D12Kind& kind, const WildScene& scene, Vec2 about, int count,
                              Draws& draws) {
  std::vector<WildDie> out;
  WildScene with = scene;  // and what has come to rest of the throw
  const double apart = draws.LogUniform(1.2, 4) * kind.size_in;
  constexpr int kTries = 30;
  constexpr double kTouching = 0.2;
  for (int i = 0; i < count; ++i) {
    const bool touches = !out.empty() && draws.Happens(kTouching);
    for (int tried = 0; tried < kTries; ++tried) {
      const double heading = draws.Uniform(0, 2 * pi);
      const double turn = draws.Uniform(0, 2 * pi);
      const Vec2 way{std::cos(turn), std::sin(turn)};
      std::optional<WildDie> die;
      if (touches) {
        const WildDie& there =
            out[static_cast<std::size_t>(draws.Below(static_cast<int>(out.size())))];
        const auto up = static_cast<std::size_t>(draws.Below(12));
        std::optional<WildSolid> body =
            Against(kind, scene, with.solids, there, Axes()[up], heading, way);
        if (body) die = DieOf(kind, std::move(*body), up, draws);
      } else {
        const double off = draws.Uniform(0, apart * std::sqrt(1.0 * count));
        die = LayD12(kind, with, about + off * way, heading, draws);
      }
      if (!die) continue;
      with.solids.push_back(die->solid);
      out.push_back(std::move(*die));
      break;
    }
  }
  return out;
}

}  // namespace fos
