// SPDX-License-Identifier: MIT
#include "vision/dice/twelve_sided.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "vision/dice/numerals.h"
#include "vision/image/square.h"
#include "vision/shots/pattern_search.h"

namespace fos {
namespace {

using std::numbers::pi;

// A regular dodecahedron whose faces are 1 from its middle, of edge a: its corners lie in four
// rings, the highest and the lowest about two opposite faces (Cundy and Rollett, 1951).
constexpr double kEdge = 0.898056;         // a
constexpr double kFaceRadius = 0.850651;   // of the corners of a face, in edges
constexpr double kWaistRadius = 1.376382;  // of the two rings between
constexpr double kWaistHeight = 0.262866;

struct Dodecahedron {
  std::array<cv::Vec3d, 20> corners;                 // of the ring at the top, and so on downwards
  std::array<std::array<std::size_t, 5>, 11> faces;  // the upper one first; without the lowest
  std::array<cv::Vec3d, 11> normals;
};

const Dodecahedron& Shape() {
  static const Dodecahedron shape = [] {
    Dodecahedron out;
    for (std::size_t k = 0; k < 5; ++k) {
      const double turn = 2 * pi * static_cast<double>(k) / 5;
      const auto at = [&](double radius, double angle, double height) {
        return cv::Vec3d(kEdge * radius * std::cos(angle), kEdge * radius * std::sin(angle),
                         height);
      };
      out.corners[k] = at(kFaceRadius, turn, 1);
      out.corners[5 + k] = at(kWaistRadius, turn, kEdge * kWaistHeight);
      out.corners[10 + k] = at(kWaistRadius, turn + pi / 5, -kEdge * kWaistHeight);
      out.corners[15 + k] = at(kFaceRadius, turn + pi / 5, -1);
      out.faces[0][k] = k;
      const std::size_t next = (k + 1) % 5;
      out.faces[1 + k] = {k, next, 5 + next, 10 + k, 5 + k};
      out.faces[6 + k] = {15 + k, 10 + k, 5 + next, 10 + next, 15 + next};
    }
    for (std::size_t f = 0; f < out.faces.size(); ++f) {
      cv::Vec3d sum;
      for (const std::size_t corner : out.faces[f]) sum += out.corners[corner];
      out.normals[f] = cv::normalize(sum);
    }
    return out;
  }();
  return shape;
}

// A convex outline in the picture, by its edges.
struct SeenOutline {
  struct Edge {
    float x, y, along;  // how far inside a pixel lies: x * column + y * row + along
  };
  std::vector<Edge> edges;

  explicit SeenOutline(const std::vector<cv::Point2d>& corners) {
    double area = 0;
    for (std::size_t i = 0; i < corners.size(); ++i)
      area += corners[i].cross(corners[(i + 1) % corners.size()]);
    const double way = area > 0 ? 1 : -1;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const cv::Point2d side = corners[(i + 1) % corners.size()] - corners[i];
      const double length = std::max(cv::norm(side), 1e-6);
      const cv::Point2d inwards = way / length * cv::Point2d(-side.y, side.x);
      edges.push_back({static_cast<float>(inwards.x), static_cast<float>(inwards.y),
                       static_cast<float>(-inwards.dot(corners[i]))});
    }
  }
  // Pixels from the nearest edge; below 0 outside.
  float Inside(float column, float row) const {
    float out = std::numeric_limits<float>::max();
    for (const Edge& e : edges) out = std::min(out, e.x * column + e.y * row + e.along);
    return out;
  }
};

// The corners in the picture.
std::array<cv::Point2d, 20> SeenCorners(const TwelvePose& pose,
                                        const cv::Matx<double, 2, 3>& pixel_from_inch) {
  const double c = std::cos(pose.yaw_rad);
  const double s = std::sin(pose.yaw_rad);
  const cv::Matx33d turned(c, -s, 0, s, c, 0, 0, 0, 1);
  const cv::Matx<double, 2, 3> pixel_from_own = pixel_from_inch * turned * (pose.across_in / 2);
  std::array<cv::Point2d, 20> out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const cv::Vec2d at = pixel_from_own * Shape().corners[i];
    out[i] = pose.middle + cv::Point2d(at[0], at[1]);
  }
  return out;
}

// Whether a face is seen from there, well enough to tell its colour.
bool IsSeen(std::size_t face, double yaw_rad, const cv::Vec3d& towards_camera) {
  const cv::Vec3d& n = Shape().normals[face];
  const double c = std::cos(yaw_rad);
  const double s = std::sin(yaw_rad);
  const cv::Vec3d turned(c * n[0] - s * n[1], s * n[0] + c * n[1], n[2]);
  constexpr double kLeast = 0.1;
  return turned.dot(towards_camera) > kLeast;
}

// From this share on, a pixel shows a face without its neighbours.
constexpr float kOnFace = 0.8F;

// Luma and chroma on an upper face, and where.
struct FacePixel {
  cv::Vec3f seen;
  Vec2 at;  // from the middle of the face, in edges; table frame
};

// Linear least squares of a face's pattern: a level with slopes, and perhaps the ink of a number.
class FacePattern {
 public:
  FacePattern(std::vector<FacePixel> pixels, double noise) : pixels_(std::move(pixels)) {
    cv::Matx33d normal = cv::Matx33d::eye() * 1e-6;
    cv::Matx33d right;
    for (const FacePixel& p : pixels_) {
      const cv::Vec3d basis(1, p.at.x, p.at.y);
      normal += basis * basis.t();
      right += basis * cv::Vec3d(p.seen).t();
    }
    plane_from_sums_ = normal.inv(cv::DECOMP_CHOLESKY);
    const cv::Matx33d plane = plane_from_sums_ * right;
    const double count = static_cast<double>(pixels_.size());
    luma_ = count > 0 ? right(0, 0) / count : 0;
    for (FacePixel& p : pixels_) {
      const cv::Vec3d level = plane.t() * cv::Vec3d(1, p.at.x, p.at.y);
      p.seen -= cv::Vec3f(level);
      for (int c = 0; c < 3; ++c) squares_[c] += Square(p.seen[c]);
    }
    floor_ = count * (noise + Square(kDieLooks.uneven_ground * luma_));
  }

  struct Fit {
    double nats = 0;     // over a face without ink
    double of_luma = 0;  // share of luma's pattern that it explains
  };
  // ink(at)  how much of it is there
  template <typename Ink>
  Fit With(const Ink& ink) const {
    cv::Vec3d sums;
    double square = 0;
    cv::Vec3d right;
    for (const FacePixel& p : pixels_) {
      const double t = ink(p.at);
      if (t <= 0) continue;
      sums += t * cv::Vec3d(1, p.at.x, p.at.y);
      square += t * t;
      right += t * cv::Vec3d(p.seen);
    }
    Fit out;
    // What a level with slopes would not take of it.
    const double own = square - sums.dot(plane_from_sums_ * sums);
    constexpr double kLeast = 0.3;
    if (own < kLeast) return out;
    const double count = static_cast<double>(pixels_.size());
    for (int c = 0; c < 3; ++c) {
      const double explained = std::min(Square(right[c]) / own, squares_[c]);
      out.nats += 0.5 * count / kPixelsPerSample[static_cast<std::size_t>(c)] *
                  std::log((squares_[c] + floor_) / (squares_[c] - explained + floor_));
    }
    out.of_luma = Square(right[0]) / own / std::max(squares_[0], 1e-6);
    return out;
  }

 private:
  std::vector<FacePixel> pixels_;  // `seen` without a level and its slopes
  cv::Matx33d plane_from_sums_;
  cv::Vec3d squares_;
  double floor_ = 0;
  double luma_ = 0;
};

// Where a number is drawn on a face.
struct Drawing {
  std::size_t form = 0;
  double up_rad = 0;    // from where the numbers' y axis points, table frame
  double height = 0.7;  // of a digit, in edges
  Vec2 middle{};        // in edges
  double score = -1e18;
};

double HeightPrior(int number, double height) {
  constexpr double kSigma = 0.2;  // of the logarithm
  return -0.5 * Square(std::log(height / UsualDigitHeight(number)) / kSigma);
}

// Numbers stand upright towards a corner of their face, or towards the middle of an edge on fewer
// dice, and a little askew in the picture: its outline's turn is not exact.
double UprightPrior(double up_rad, double yaw_rad) {
  constexpr double kToCorner = 0.75;
  constexpr double kSigma_rad = 0.14;
  const auto near = [&](double target) {
    const double off = std::remainder(up_rad - target, 2 * pi / 5);
    return std::exp(-0.5 * Square(off / kSigma_rad));
  };
  constexpr double kAny = 0.02;
  return std::log(kAny + kToCorner * near(yaw_rad) + (1 - kToCorner) * near(yaw_rad + pi / 5));
}

// Lays numbers on a face.
class FaceReader {
 public:
  // blur  of the picture, in edges
  FaceReader(FacePattern face, double yaw_rad, double blur)
      : face_(std::move(face)), yaw_rad_(yaw_rad), blur_(blur) {}

  FacePattern::Fit Fit(const Drawing& d) const {
    const NumeralInk ink(blur_ / d.height);
    const double c = std::cos(d.up_rad);
    const double s = std::sin(d.up_rad);
    return face_.With([&](Vec2 at) {
      const Vec2 off = (1 / d.height) * (at - d.middle);
      // Along the number's own axes: y points up_rad's way.
      return double{ink(d.form, {s * off.x - c * off.y, c * off.x + s * off.y})};
    });
  }

  // The likeliest way to draw a form: from a few of all turns, moved, turned and sized a little.
  Drawing BestOf(std::size_t form) const {
    const double usual = UsualDigitHeight(NumeralForms()[form].number);
    constexpr std::size_t kTurns = 30;
    std::array<Drawing, kTurns> starts;
    for (std::size_t turn = 0; turn < kTurns; ++turn) {
      const double up_rad = 2 * pi * static_cast<double>(turn) / kTurns;
      for (const double larger : {0.8, 1.0, 1.25}) {
        const Drawing one = Weighed({form, up_rad, usual * larger});
        if (one.score > starts[turn].score) starts[turn] = one;
      }
    }
    std::sort(starts.begin(), starts.end(),
              [](const Drawing& a, const Drawing& b) { return a.score > b.score; });
    Drawing best = starts.front();
    constexpr std::size_t kFew = 3;
    for (std::size_t i = 0; i < kFew; ++i) {
      const auto score = [&](const Drawing& d) { return Weighed(d).score; };
      const Drawing one = Weighed(PatternSearch(starts[i], 1, 0.5, 4, score, Moved));
      if (one.score > best.score) best = one;
    }
    return best;
  }

 private:
  static Drawing Moved(Drawing d, std::size_t way, double by) {
    // About as far as moves half a stroke's width.
    if (way == 0) d.middle.x += 0.1 * by;
    if (way == 1) d.middle.y += 0.1 * by;
    if (way == 2) d.up_rad += 0.12 * by;
    if (way == 3) d.height *= 1 + 0.1 * by;
    return d;
  }
  Drawing Weighed(Drawing d) const {
    const NumeralForm& form = NumeralForms()[d.form];
    constexpr double kOff = 0.12;  // of the middle, in edges
    d.score = Fit(d).nats + std::log(form.prior) + HeightPrior(form.number, d.height) +
              UprightPrior(d.up_rad, yaw_rad_) -
              0.5 * (Square(d.middle.x / kOff) + Square(d.middle.y / kOff));
    return d;
  }

  FacePattern face_;
  double yaw_rad_;
  double blur_;
};

}  // namespace

TwelveModel::TwelveModel(const ChangeWindow& window, const TableCamera& camera, Vec2 at,
                         double level_in, const PointSpread& blur)
    : DiePixels(window, camera, at, level_in + kTwelvePriors.across_in / 2), blur_(blur) {}

std::vector<TwelveModel::Sample> TwelveModel::Cover(const TwelvePose& pose, int stride) const {
  const std::array<cv::Point2d, 20> corners = SeenCorners(pose, pixel_from_inch_);
  struct SeenPart {
    std::size_t part;
    SeenOutline outline;
  };
  std::vector<SeenPart> parts;
  for (std::size_t f = 0; f < kParts; ++f) {
    if (!IsSeen(f, pose.yaw_rad, towards_camera_)) continue;
    std::vector<cv::Point2d> face;
    for (const std::size_t corner : Shape().faces[f]) face.push_back(corners[corner]);
    parts.push_back({f, SeenOutline(face)});
  }
  const std::vector<cv::Point2d> hull = Outline(pose);
  const SeenOutline all(hull);
  const cv::Rect2d box = [&] {
    cv::Point2d low = hull.front();
    cv::Point2d high = low;
    for (const cv::Point2d& p : hull) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    return cv::Rect2d(low, high);
  }();
  const double reach = 2.5 * pose.psf_px;
  const int low_row = std::max(0, static_cast<int>(std::floor(box.y - reach)));
  const int high_row =
      std::min(window_.rect.height - 1, static_cast<int>(std::ceil(box.y + box.height + reach)));
  const int low_column = std::max(0, static_cast<int>(std::floor(box.x - reach)));
  const int high_column =
      std::min(window_.rect.width - 1, static_cast<int>(std::ceil(box.x + box.width + reach)));
  const auto sharp = static_cast<float>(1 / pose.psf_px);
  std::vector<Sample> out;
  for (int row = low_row; row <= high_row; ++row) {
    // A quick look takes the pixels of a chequer.
    const int first = stride > 1 ? low_column + (row % stride) : low_column;
    for (int column = first; column <= high_column; column += stride) {
      const auto x = static_cast<float>(column);
      const auto y = static_cast<float>(row);
      Sample s;
      s.pixel = row * window_.rect.width + column;
      s.all = BelowSigmas(sharp * all.Inside(x, y));
      constexpr float kNone = 0.02F;
      if (s.all < kNone) continue;
      float sum = 0;
      for (const SeenPart& p : parts) {
        constexpr float kFar = -3;  // sigmas
        const float inside = sharp * p.outline.Inside(x, y);
        if (inside < kFar) continue;
        s.part[p.part] = BelowSigmas(inside);
        sum += s.part[p.part];
      }
      if (sum <= 0) continue;
      for (float& share : s.part) share *= s.all / sum;
      out.push_back(s);
    }
  }
  return out;
}

TwelveModel::Colours TwelveModel::Fit(const std::vector<Sample>& samples) const {
  Colours sums;
  std::array<double, kParts> weights{};
  cv::Vec3d all;
  double all_weight = 1e-6;
  for (const Sample& s : samples) {
    const cv::Vec3d light(window_.pixels[static_cast<std::size_t>(s.pixel)].after);
    constexpr float kMostly = 0.5F;
    for (std::size_t k = 0; k < kParts; ++k) {
      if (s.part[k] < kMostly) continue;
      sums[k] += double{s.part[k]} * light;
      weights[k] += s.part[k];
      all += double{s.part[k]} * light;
      all_weight += s.part[k];
    }
  }
  // A face of which little is seen has the colour of the others.
  constexpr double kDoubt_px = 2;
  const cv::Vec3d mean = all / all_weight;
  for (std::size_t k = 0; k < kParts; ++k)
    sums[k] = (sums[k] + kDoubt_px * mean) / (weights[k] + kDoubt_px);
  return sums;
}

double TwelveModel::LogPixel(const Sample& s, const Colours& colours) const {
  const auto n = static_cast<std::size_t>(s.pixel);
  const ChangeWindow::Pixel& p = window_.pixels[n];
  const PixelData& d = pixels_[n];
  cv::Vec3d own;
  for (std::size_t k = 0; k < kParts; ++k)
    if (s.part[k] > 0) own += double{s.part[k]} * colours[k];
  const double bare = 1 - s.all;
  const auto log_in = [&](double shade) {
    cv::Vec3d ground = shade * cv::Vec3d(p.before);
    if (shade < 1) ground = ground.mul(shadow_);
    const cv::Vec3f expected = CodesOf(own + bare * ground);
    const cv::Vec3f beside = d.before * static_cast<float>(shade);
    cv::Vec3d spread;
    for (int c = 0; c < 3; ++c) spread[c] = bare * Square(beside[c] - expected[c]);
    const double luma = expected[0];
    // Every face has a number, of which nothing is known here.
    constexpr double kInk = 0.12;
    const double uneven = Square(double{s.all} * kInk * luma);
    double square = 0;
    return LogDieNoise(d.seen - expected,
                       {noise_ + uneven + Square(kDieLooks.at_edges) * spread[0],
                        noise_ + Square(double{s.all} * kDieLooks.tinted * luma) +
                            Square(kDieLooks.chroma_at_edges) * spread[1],
                        noise_ + Square(double{s.all} * kDieLooks.tinted * luma) +
                            Square(kDieLooks.chroma_at_edges) * spread[2]},
                       square);
  };
  double best = log_in(1);
  constexpr double kSomeGround = 0.1;
  if (bare > kSomeGround)
    for (const double shade : {0.6, 0.3}) best = std::max(best, log_in(shade));
  return best;
}

double TwelveModel::Prior(const TwelvePose& pose) const {
  const TwelvePriors& priors = kTwelvePriors;
  const double size = std::log(pose.across_in / priors.across_in) / priors.across_sigma;
  const double blur = (pose.psf_px - blur_.sigma_px) / std::max(blur_.doubt_px, 0.05);
  return -0.5 * (Square(size) + Square(blur));
}

double TwelveModel::Evaluate(const TwelvePose& pose, int stride) const {
  const std::vector<Sample> samples = Cover(pose, stride);
  constexpr std::size_t kLeast_px = 12;
  constexpr double kImpossible = -1e18;
  if (samples.size() < kLeast_px) return kImpossible;
  const Colours colours = Fit(samples);
  double log = 0;
  for (const Sample& s : samples) {
    const auto n = static_cast<std::size_t>(s.pixel);
    if (window_.pixels[n].unseen) continue;
    log += LogPixel(s, colours) - pixels_[n].no_die;
  }
  return stride * log / kPixelModel.SampleSize() + Prior(pose);
}

TwelveModel::Numbers TwelveModel::Read(const TwelvePose& pose) const {
  Numbers out;
  const double edge_in = kEdge * pose.across_in / 2;
  const cv::Matx22d inch_from_pixel = cv::Matx22d(pixel_from_inch_(0, 0), pixel_from_inch_(0, 1),
                                                  pixel_from_inch_(1, 0), pixel_from_inch_(1, 1))
                                          .inv();
  const cv::Point2d middle =
      pose.middle +
      pose.across_in / 2 * cv::Point2d(pixel_from_inch_(0, 2), pixel_from_inch_(1, 2));
  std::vector<FacePixel> pixels;
  for (const Sample& s : Cover(pose, 1)) {
    if (s.part[0] < kOnFace) continue;
    const auto n = static_cast<std::size_t>(s.pixel);
    const cv::Vec2d off(s.pixel % window_.rect.width - middle.x,
                        s.pixel / window_.rect.width - middle.y);
    const cv::Vec2d inches = inch_from_pixel * off;
    pixels.push_back({pixels_[n].seen, {inches[0] / edge_in, inches[1] / edge_in}});
  }
  out.pixels = static_cast<double>(pixels.size());
  constexpr std::size_t kLeast = 16;
  if (pixels.size() < kLeast) return out;
  const FaceReader reader(FacePattern(std::move(pixels), noise_), pose.yaw_rad,
                          pose.psf_px / (ppi_ * edge_in));
  const std::vector<NumeralForm>& forms = NumeralForms();
  std::vector<Drawing> best;
  Drawing top;
  for (std::size_t form = 0; form < forms.size(); ++form) {
    best.push_back(reader.BestOf(form));
    if (form == 0 || top.score < best.back().score) top = best.back();
  }
  out.best = top.score;
  out.explained = reader.Fit(top).of_luma;
  out.height = top.height;
  out.off = std::hypot(top.middle.x, top.middle.y);
  // Letter forms differ from a die's own: differences mean as much less.
  constexpr double kShared = 1.5;
  double sum = 0;
  out.nats.fill(-1e9);
  for (const Drawing& d : best) {
    const auto n = static_cast<std::size_t>(forms[d.form].number - 1);
    out.nats[n] = std::max(out.nats[n], d.score);
    const double p = std::exp((d.score - top.score) / kShared);
    out.p[n] += p;
    sum += p;
  }
  for (double& p : out.p) p /= sum;
  return out;
}

void TwelveModel::Own(const TwelvePose& pose) {
  for (const Sample& s : Cover(pose, 1)) {
    constexpr float kMostly = 0.3F;
    if (s.all < kMostly) continue;
    // Whatever it shows is the die's.
    double square = 0;
    pixels_[static_cast<std::size_t>(s.pixel)].no_die =
        static_cast<float>(LogDieNoise({}, {noise_, noise_, noise_}, square));
  }
}

TwelvePose TwelveModel::Moved(TwelvePose pose, std::size_t way, double by_px) const {
  const double radius_px = kEdge * kWaistRadius * pose.across_in / 2 * ppi_;
  switch (way) {
    case 0:
      pose.middle.x += by_px;
      break;
    case 1:
      pose.middle.y += by_px;
      break;
    case 2:
      pose.yaw_rad += by_px / radius_px;
      break;
    case 3:
      pose.across_in =
          std::clamp(pose.across_in * (1 + by_px / radius_px), kTwelvePriors.across_range_in[0],
                     kTwelvePriors.across_range_in[1]);
      break;
    default:
      pose.psf_px = std::clamp(pose.psf_px + 0.3 * by_px, 0.35, 3.0);
  }
  return pose;
}

std::vector<cv::Point2d> TwelveModel::TopCorners(const TwelvePose& pose) const {
  const std::array<cv::Point2d, 20> corners = SeenCorners(pose, pixel_from_inch_);
  return {corners.begin(), corners.begin() + 5};
}

std::vector<cv::Point2d> TwelveModel::Outline(const TwelvePose& pose) const {
  std::vector<cv::Point2f> corners;
  for (const cv::Point2d& p : SeenCorners(pose, pixel_from_inch_)) corners.emplace_back(p);
  std::vector<cv::Point2f> hull;
  cv::convexHull(corners, hull);
  return {hull.begin(), hull.end()};
}

cv::Vec3d TwelveModel::TopLight(const TwelvePose& pose) const { return Fit(Cover(pose, 1))[0]; }

}  // namespace fos
