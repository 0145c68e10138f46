// SPDX-License-Identifier: MIT
#include "calibration/registration/grid_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

// The search runs on a picture no wider than this: a line is then one to three pixels wide.
constexpr double kSearchWidth_px = 1280;

// The picture without distortion, as a pinhole of unit aspect sees it.
struct Flat {
  cv::Mat_<float> grey;
  double f_px = 0;
  double cx_px = 0;
  double cy_px = 0;

  cv::Vec3d Ray(double x, double y) const { return {(x - cx_px) / f_px, (y - cy_px) / f_px, 1}; }
};

std::optional<Flat> Flatten(const cv::Mat& grey, const CameraModel& lens) {
  const double scale = std::min(1.0, kSearchWidth_px / grey.cols);
  // Barrel lenses see further than a pinhole of their size: all of it is kept.
  double left = 0, right = 0, top = 0, bottom = 0;
  for (int i = 0; i <= 16; ++i) {
    const double x = (lens.width_px - 1) * i / 16.0;
    const double y = (lens.height_px - 1) * i / 16.0;
    for (const ImagePoint p : {ImagePoint{x, 0}, ImagePoint{x, lens.height_px - 1.0},
                               ImagePoint{0, y}, ImagePoint{lens.width_px - 1.0, y}}) {
      const auto ray = Undistort(lens, p);
      if (!ray) return std::nullopt;
      left = std::min(left, (*ray)[0]);
      right = std::max(right, (*ray)[0]);
      top = std::min(top, (*ray)[1]);
      bottom = std::max(bottom, (*ray)[1]);
    }
  }
  Flat flat;
  flat.f_px = scale * std::sqrt(lens.fx_px * lens.fy_px);
  // A fisheye's border may lie at any angle; what is further out than twice the picture is dropped.
  const double half_width = std::min(scale * grey.cols, flat.f_px * std::max(-left, right));
  const double half_height = std::min(scale * grey.rows, flat.f_px * std::max(-top, bottom));
  flat.cx_px = half_width;
  flat.cy_px = half_height;
  const cv::Size size(static_cast<int>(2 * half_width), static_cast<int>(2 * half_height));
  if (size.width < 64 || size.height < 64) return std::nullopt;

  cv::Mat smaller = grey;
  if (scale < 1) cv::resize(grey, smaller, {}, scale, scale, cv::INTER_AREA);
  // The map is smooth: every eighth pixel is computed, the others lie between.
  constexpr int kEvery = 8;
  const cv::Size coarse(size.width / kEvery + 2, size.height / kEvery + 2);
  cv::Mat_<cv::Vec2f> nodes(coarse);
  for (int v = 0; v < coarse.height; ++v) {
    for (int u = 0; u < coarse.width; ++u) {
      const cv::Vec3d ray = flat.Ray(u * kEvery, v * kEvery);
      const ImagePoint p = Distort(lens, ray[0], ray[1]);
      nodes(v, u) = cv::Vec2f(static_cast<float>((p.x_px + 0.5) * scale - 0.5),
                              static_cast<float>((p.y_px + 0.5) * scale - 0.5));
    }
  }
  cv::Mat_<cv::Vec2f> map(size);
  for (int v = 0; v < size.height; ++v) {
    const int j = v / kEvery;
    const float b = static_cast<float>(v % kEvery) / kEvery;
    for (int u = 0; u < size.width; ++u) {
      const int i = u / kEvery;
      const float a = static_cast<float>(u % kEvery) / kEvery;
      map(v, u) = (1 - b) * ((1 - a) * nodes(j, i) + a * nodes(j, i + 1)) +
                  b * ((1 - a) * nodes(j + 1, i) + a * nodes(j + 1, i + 1));
    }
  }
  cv::Mat out;
  cv::remap(smaller, out, map, cv::noArray(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  out.convertTo(flat.grey, CV_32F);
  return flat;
}

// A pixel on something thin and straight.
struct RidgePoint {
  float x = 0;
  float y = 0;
  float angle_rad = 0;  // along it, [0, pi)
  float weight = 0;     // in (0, 1]
};

// Curvature of the brightness across thin lines, dark on light or light on dark, in units of what
// is usual thereabouts: so a faint line on plain cloth counts as much as a strong one elsewhere.
std::vector<RidgePoint> RidgePoints(const cv::Mat_<float>& grey, bool dark, bool trust_the_rim) {
  constexpr double kSigma_px = 1.3;  // of lines one to three pixels wide
  cv::Mat_<float> soft;
  cv::GaussianBlur(grey, soft, {}, kSigma_px);
  cv::Mat_<float> xx, xy, yy;
  cv::Sobel(soft, xx, CV_32F, 2, 0, 3, dark ? 0.25 : -0.25);
  cv::Sobel(soft, yy, CV_32F, 0, 2, 3, dark ? 0.25 : -0.25);
  cv::Sobel(soft, xy, CV_32F, 1, 1, 3, dark ? 0.25 : -0.25);
  cv::Mat_<float> strength(grey.size());
  cv::Mat_<float> square(grey.size());
  for (int y = 0; y < grey.rows; ++y) {
    for (int x = 0; x < grey.cols; ++x) {
      const float mean = 0.5F * (xx(y, x) + yy(y, x));
      const float half = 0.5F * (xx(y, x) - yy(y, x));
      const float root = std::sqrt(half * half + xy(y, x) * xy(y, x));
      const float high = mean + root;
      const float low = std::abs(mean - root);
      strength(y, x) = std::max(0.0F, high - low);
      square(y, x) = std::min(high * high, 100.0F);
    }
  }
  cv::Mat_<float> usual;
  cv::boxFilter(square, usual, CV_32F, {49, 49});
  std::vector<RidgePoint> out;
  constexpr float kQuiet = 0.09F;  // curvature of quantisation and sensor noise, squared
  constexpr int kBorder = 3;
  constexpr float kRimShare = 0.15F;  // of the picture's width: what a board commonly leaves free
  for (int y = kBorder; y < grey.rows - kBorder; ++y) {
    for (int x = kBorder; x < grey.cols - kBorder; ++x) {
      const float s = strength(y, x) / std::sqrt(usual(y, x) + kQuiet);
      if (s < 0.9F) continue;
      const float half = 0.5F * (xx(y, x) - yy(y, x));
      // Direction of the largest curvature, and a quarter turn from it the line.
      float along = 0.5F * std::atan2(xy(y, x), half) + static_cast<float>(CV_PI / 2);
      if (along >= static_cast<float>(CV_PI)) along -= static_cast<float>(CV_PI);
      if (along < 0) along += static_cast<float>(CV_PI);
      float weight = std::min(s / 2.0F, 1.0F);
      if (!trust_the_rim) {
        const auto inside =
            static_cast<float>(std::min({x, y, grey.cols - 1 - x, grey.rows - 1 - y}));
        weight *= std::min(1.0F, 0.2F + inside / (kRimShare * static_cast<float>(grey.cols)));
      }
      out.push_back({static_cast<float>(x), static_cast<float>(y), along, weight});
    }
  }
  return out;
}

struct FlatLine {
  cv::Vec3d normal;  // unit normal of the plane through the eye and the line
  double angle_rad = 0;
  double rho_px = 0;
  double weight = 0;
};

// The straightest lines of the picture, by Hough's transform with known directions.
std::vector<FlatLine> HoughLines(const std::vector<RidgePoint>& points, const Flat& flat) {
  constexpr int kAngles = 360;  // half a degree: 4 px at both ends of a line of 1000
  constexpr double kRho_px = 2;
  constexpr int kSpread = 14;  // 7 degrees: what noise does to a single pixel's direction
  const double reach = std::hypot(flat.grey.cols, flat.grey.rows) / 2;
  const int rhos = static_cast<int>(2 * reach / kRho_px) + 3;
  std::array<float, kAngles> cosine{};
  std::array<float, kAngles> sine{};
  for (std::size_t a = 0; a < kAngles; ++a) {
    cosine[a] = static_cast<float>(std::cos(CV_PI * static_cast<double>(a) / kAngles));
    sine[a] = static_cast<float>(std::sin(CV_PI * static_cast<double>(a) / kAngles));
  }
  cv::Mat_<float> votes(kAngles, rhos, 0.0F);
  const float x0 = 0.5F * static_cast<float>(flat.grey.cols);
  const float y0 = 0.5F * static_cast<float>(flat.grey.rows);
  for (const RidgePoint& p : points) {
    const int middle = static_cast<int>(p.angle_rad / CV_PI * kAngles);
    for (int d = -kSpread; d <= kSpread; ++d) {
      const auto a = static_cast<std::size_t>((middle + d + kAngles) % kAngles);
      // Line along angle a: x sin a - y cos a = rho.
      const float rho = (p.x - x0) * sine[a] - (p.y - y0) * cosine[a];
      const int r =
          static_cast<int>((rho + static_cast<float>(reach)) / static_cast<float>(kRho_px));
      if (r >= 0 && r < rhos) votes(static_cast<int>(a), r) += p.weight;
    }
  }
  // What a bin collects by chance is taken off: the mean of the bins about it.
  cv::Mat_<float> soft, ground;
  cv::blur(votes, soft, {3, 3});
  cv::blur(votes, ground, {41, 5});
  cv::Mat_<float> clear;
  cv::subtract(soft, ground, clear);
  std::vector<FlatLine> out;
  constexpr std::size_t kMostLines = 110;
  while (out.size() < kMostLines) {
    double best = 0;
    cv::Point at;
    cv::minMaxLoc(clear, nullptr, &best, nullptr, &at);
    constexpr double kFewest_px = 12;
    if (best < kFewest_px) break;
    FlatLine line;
    line.angle_rad = CV_PI * at.y / kAngles;
    line.rho_px = (at.x + 0.5) * kRho_px - reach;
    line.weight = best;
    // x sin - y cos = rho about the picture's middle, as a plane through the eye.
    const double s = std::sin(line.angle_rad);
    const double c = std::cos(line.angle_rad);
    const double rest = s * (flat.cx_px - x0) - c * (flat.cy_px - y0) - line.rho_px;
    line.normal = cv::normalize(cv::Vec3d(s, -c, rest / flat.f_px));
    out.push_back(line);
    constexpr int kNearAngles = 8;
    constexpr int kNearRhos = 5;
    for (int da = -kNearAngles; da <= kNearAngles; ++da) {
      const int a = at.y + da;
      // Half a turn further the same line has the opposite rho.
      const bool turned = a < 0 || a >= kAngles;
      const int row = (a + kAngles) % kAngles;
      const int column = turned ? rhos - 1 - at.x : at.x;
      for (int dr = -kNearRhos; dr <= kNearRhos; ++dr) {
        const int r = column + dr;
        if (r >= 0 && r < rhos) clear(row, r) = 0;
      }
    }
  }
  return out;
}

struct Families {
  cv::Vec3d first;  // directions of the two families in the camera's frame, at right angles
  cv::Vec3d second;
  double weight = 0;
};

// Share of a line's weight by how nearly it runs along a direction.
double Along(const FlatLine& line, const cv::Vec3d& direction) {
  constexpr double kTolerance = 0.008;  // half a degree: what Hough's bins leave open
  const double miss = line.normal.dot(direction) / kTolerance;
  return std::abs(miss) < 1 ? line.weight * (1 - miss * miss) : 0.0;
}

std::vector<Families> FindFamilies(const std::vector<FlatLine>& lines) {
  struct Direction {
    cv::Vec3d d;
    double weight = 0;
  };
  std::vector<Direction> directions;
  const std::size_t seeds = std::min<std::size_t>(lines.size(), 90);
  for (std::size_t i = 0; i < seeds; ++i) {
    for (std::size_t j = i + 1; j < seeds; ++j) {
      const double turn = std::abs(std::remainder(lines[i].angle_rad - lines[j].angle_rad, CV_PI));
      constexpr double kNearlyParallel = 0.35;  // 20 degrees: a camera tilted half-way over
      if (turn > kNearlyParallel) continue;
      const cv::Vec3d cross = lines[i].normal.cross(lines[j].normal);
      constexpr double kApart = 0.05;  // neighbours say little about where they meet
      if (cv::norm(cross) < kApart) continue;
      Direction direction{cv::normalize(cross), 0};
      for (const FlatLine& line : lines) direction.weight += Along(line, direction.d);
      directions.push_back(direction);
    }
  }
  std::sort(directions.begin(), directions.end(),
            [](const Direction& a, const Direction& b) { return a.weight > b.weight; });
  // One of a kind: floorboards alone would otherwise fill the list.
  std::vector<Direction> distinct;
  constexpr std::size_t kMostDirections = 60;
  constexpr double kSame = 0.01;  // sine of the angle between
  for (const Direction& d : directions) {
    if (distinct.size() >= kMostDirections) break;
    const bool known = std::any_of(distinct.begin(), distinct.end(), [&](const Direction& k) {
      return cv::norm(k.d.cross(d.d)) < kSame;
    });
    if (!known) distinct.push_back(d);
  }
  directions = std::move(distinct);
  std::vector<Families> found;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    for (std::size_t j = i + 1; j < directions.size(); ++j) {
      constexpr double kSquare = 0.03;
      if (std::abs(directions[i].d.dot(directions[j].d)) > kSquare) continue;
      found.push_back(
          {directions[i].d, directions[j].d, directions[i].weight + directions[j].weight});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Families& a, const Families& b) { return a.weight > b.weight; });
  constexpr std::size_t kMostFamilies = 10;
  if (found.size() > kMostFamilies) found.resize(kMostFamilies);

  for (Families& f : found) {
    // All lines of each family together, then square to each other.
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds; ++round) {
      for (cv::Vec3d* d : {&f.first, &f.second}) {
        cv::Matx33d sum = cv::Matx33d::zeros();
        for (const FlatLine& line : lines) {
          sum += Along(line, *d) * (line.normal * line.normal.t());
        }
        cv::Vec3d values;
        cv::Matx33d vectors;
        cv::eigen(sum, values, vectors);
        cv::Vec3d smallest(vectors(2, 0), vectors(2, 1), vectors(2, 2));
        if (smallest.dot(*d) < 0) smallest = -smallest;
        *d = smallest;
      }
      const double lean = 0.5 * f.first.dot(f.second);
      const cv::Vec3d first = cv::normalize(f.first - lean * f.second);
      f.second = cv::normalize(f.second - lean * f.first);
      f.first = cv::normalize(first - first.dot(f.second) * f.second);
    }
  }
  return found;
}

// One family's evidence on the plane at distance 1: how much ridge lies at each place across the
// lines, summed along them so that any stretch can be asked for.
class Evidence {
 public:
  Evidence(double low, double high, double step, double along_low, double along_high)
      : low_(low),
        step_(step),
        along_low_(along_low),
        along_step_((along_high - along_low) / kCells),
        sum_(static_cast<int>((high - low) / step) + 3, kCells + 1, 0.0F) {}

  void Add(double across, double along, float weight) {
    const int i = static_cast<int>((across - low_) / step_);
    const int j = static_cast<int>((along - along_low_) / along_step_);
    if (i < 0 || i >= sum_.rows || j < 0 || j >= kCells) return;
    sum_(i, j + 1) += weight;
  }
  // Spreads each place over its neighbours (a drawn line strays) and takes off what the cloth gives
  // anywhere.
  void Finish(int spread) {
    cv::Mat_<float> wide;
    cv::blur(sum_, wide, {1, 2 * spread + 1});
    wide *= 2.0 * spread + 1;
    cv::Mat_<float> ground;
    cv::blur(wide, ground, {1, 16 * spread + 1});
    cv::subtract(wide, ground, sum_);
    all_.clear();
    for (int i = 0; i < sum_.rows; ++i) {
      for (int j = 1; j <= kCells; ++j) sum_(i, j) += sum_(i, j - 1);
      all_.push_back(std::max(0.0F, sum_(i, kCells)));
    }
  }
  // Ridge at one place between two ends, per unit of length.
  double Between(double across, double from, double to) const {
    const int i = static_cast<int>((across - low_) / step_);
    if (i < 0 || i >= sum_.rows) return 0;
    const auto upto = [&](double along) {
      const double j = std::clamp((along - along_low_) / along_step_, 0.0, 1.0 * kCells);
      const int k = std::min(static_cast<int>(j), kCells - 1);
      const auto part = static_cast<float>(j - k);
      return (1 - part) * sum_(i, k) + part * sum_(i, k + 1);
    };
    return (upto(to) - upto(from)) / (to - from);
  }
  // The same over the whole length, none of it below zero.
  const std::vector<float>& All() const { return all_; }
  double low() const { return low_; }
  double step() const { return step_; }

 private:
  static constexpr int kCells = 96;
  double low_;
  double step_;
  double along_low_;
  double along_step_;
  cv::Mat_<float> sum_;
  std::vector<float> all_;
};

struct Comb {
  double start = 0;
  double score = 0;
};

// How much `count` equally spaced lines collect, for every place of the first.
std::vector<float> CombScores(const Evidence& evidence, double spacing, int count) {
  const std::vector<float>& all = evidence.All();
  const int last =
      static_cast<int>(all.size()) - static_cast<int>((count - 1) * spacing / evidence.step()) - 1;
  std::vector<float> score(static_cast<std::size_t>(std::max(0, last)), 0.0F);
  for (int k = 0; k < count; ++k) {
    const float* tooth = all.data() + static_cast<int>(k * spacing / evidence.step() + 0.5);
    for (std::size_t i = 0; i < score.size(); ++i) score[i] += tooth[i];
  }
  return score;
}

// The best few places for `count` equally spaced lines.
std::vector<Comb> BestCombs(const Evidence& evidence, double spacing, int count) {
  std::vector<float> score = CombScores(evidence, spacing, count);
  std::vector<Comb> out;
  constexpr std::size_t kFew = 3;
  while (out.size() < kFew && !score.empty()) {
    const auto best = std::max_element(score.begin(), score.end());
    if (!(*best > 0)) break;
    const auto at = static_cast<int>(best - score.begin());
    out.push_back({evidence.low() + (at + 0.5) * evidence.step(), *best});
    const auto near = static_cast<int>(0.3 * spacing / evidence.step());
    for (int i = std::max(0, at - near); i < std::min(at + near, static_cast<int>(score.size()));
         ++i) {
      score[static_cast<std::size_t>(i)] = 0;
    }
  }
  return out;
}

double BestScore(const Evidence& evidence, double spacing, int count) {
  const std::vector<float> score = CombScores(evidence, spacing, count);
  return score.empty() ? 0.0 : *std::max_element(score.begin(), score.end());
}

struct Lattice {
  double spacing = 0;
  double first_low = 0;   // along `first`
  double second_low = 0;  // along `second`
  bool columns_along_first = true;
  double support = 0;  // mean share of the lines' length that is seen
};

// Lines of the first family run along `first` and are told apart by where they lie along `second`.
std::optional<Lattice> FindLattice(const std::vector<RidgePoint>& points, const Flat& flat,
                                   const Families& f, const TableFrame& frame) {
  const cv::Vec3d normal = f.first.cross(f.second);
  const cv::Vec3d away = normal[2] > 0 ? normal : -normal;
  const auto on_plane = [&](double x, double y) -> std::optional<cv::Vec2d> {
    const cv::Vec3d ray = flat.Ray(x, y);
    const double depth = ray.dot(away);
    if (!(depth > 0.2)) return std::nullopt;
    return cv::Vec2d(ray.dot(f.first) / depth, ray.dot(f.second) / depth);
  };
  // How far the picture reaches on the plane.
  cv::Vec2d low(1e9, 1e9);
  cv::Vec2d high(-1e9, -1e9);
  for (int i = 0; i <= 8; ++i) {
    for (int j = 0; j <= 8; ++j) {
      const auto p = on_plane(flat.grey.cols * i / 8.0, flat.grey.rows * j / 8.0);
      if (!p) return std::nullopt;
      for (int k = 0; k < 2; ++k) {
        low[k] = std::min(low[k], (*p)[k]);
        high[k] = std::max(high[k], (*p)[k]);
      }
    }
  }
  const double step = 1.0 / flat.f_px;  // about a pixel
  constexpr double kMostSteps = 6000;
  if (high[0] - low[0] > kMostSteps * step || high[1] - low[1] > kMostSteps * step) {
    return std::nullopt;
  }
  Evidence along_first(low[1], high[1], step, low[0], high[0]);
  Evidence along_second(low[0], high[0], step, low[1], high[1]);
  constexpr double kTurned = 0.14;  // 8 degrees: a pixel's direction is no better known
  for (const RidgePoint& p : points) {
    const auto here = on_plane(p.x, p.y);
    const auto ahead = on_plane(p.x + std::cos(p.angle_rad), p.y + std::sin(p.angle_rad));
    if (!here || !ahead) continue;
    const cv::Vec2d d = *ahead - *here;
    if (std::abs(d[1]) < kTurned * std::abs(d[0]))
      along_first.Add((*here)[1], (*here)[0], p.weight);
    if (std::abs(d[0]) < kTurned * std::abs(d[1]))
      along_second.Add((*here)[0], (*here)[1], p.weight);
  }
  constexpr int kSpread = 2;  // pixels: lines stray by 0.045 in, some two pixels at most
  along_first.Finish(kSpread);
  along_second.Finish(kSpread);

  std::optional<Lattice> best;
  const double width = high[0] - low[0];
  const double height = high[1] - low[1];
  for (const bool columns_along_first : {true, false}) {
    const int n_first = columns_along_first ? frame.columns : frame.rows;
    const int n_second = columns_along_first ? frame.rows : frame.columns;
    // The whole board is in the picture, and it is what the camera was hung up for.
    const double largest = std::min(width / n_first, height / n_second);
    constexpr double kSmallestShare = 0.3;
    struct Trial {
      double spacing;
      double score;
    };
    std::vector<Trial> trials;
    const double ratio = 1 + 1.0 / (flat.f_px * largest * std::max(n_first, n_second));
    for (double q = kSmallestShare * largest; q < largest; q *= 1 + 2 * (ratio - 1)) {
      trials.push_back(
          {q, BestScore(along_second, q, n_first + 1) + BestScore(along_first, q, n_second + 1)});
    }
    std::sort(trials.begin(), trials.end(),
              [](const Trial& x, const Trial& y) { return x.score > y.score; });
    constexpr std::size_t kTrials = 12;
    if (trials.size() > kTrials) trials.resize(kTrials);
    for (const Trial& trial : trials) {
      const double q = trial.spacing;
      for (const Comb& a : BestCombs(along_second, q, n_first + 1)) {
        for (const Comb& b : BestCombs(along_first, q, n_second + 1)) {
          double sum = 0;
          for (int i = 0; i <= n_first; ++i) {
            const double seen =
                along_second.Between(a.start + i * q, b.start, b.start + n_second * q);
            sum += std::clamp(seen * step, 0.0, 1.0);
          }
          for (int i = 0; i <= n_second; ++i) {
            const double seen =
                along_first.Between(b.start + i * q, a.start, a.start + n_first * q);
            sum += std::clamp(seen * step, 0.0, 1.0);
          }
          const double support = sum / (n_first + n_second + 2);
          if (!best || support > best->support) {
            best = Lattice{q, a.start, b.start, columns_along_first, support};
          }
        }
      }
    }
  }
  return best;
}

GridPose PoseOf(const Families& f, const Lattice& lattice, const TableFrame& frame) {
  // Plane at distance 1 has squares of `spacing`; the table is as far off as makes them its own.
  const double distance = frame.square_in / lattice.spacing;
  cv::Vec3d away = f.first.cross(f.second);
  const bool mirrored = away[2] < 0;  // then first, second, towards the camera is right-handed
  if (mirrored) away = -away;
  const cv::Vec3d up = -away;
  const cv::Vec3d x = lattice.columns_along_first ? f.first : f.second;
  const cv::Vec3d y = up.cross(x);
  const cv::Vec3d other = lattice.columns_along_first ? f.second : f.first;
  const double x_low = lattice.columns_along_first ? lattice.first_low : lattice.second_low;
  const double other_low = lattice.columns_along_first ? lattice.second_low : lattice.first_low;
  // North runs along `other` or against it: the origin is at its low or its high end.
  const bool same = y.dot(other) > 0;
  const double y_start = same ? other_low : other_low + frame.rows * lattice.spacing;
  const cv::Vec3d origin = distance * (x_low * x + y_start * other + away);
  const cv::Matx33d rotation(x[0], y[0], up[0], x[1], y[1], up[1], x[2], y[2], up[2]);
  GridPose pose;
  cv::Rodrigues(rotation, pose.rvec);
  pose.tvec = origin;
  pose.support = lattice.support;
  return pose;
}

}  // namespace

Result<GridPose> FindGrid(const cv::Mat& grey, const CameraModel& lens, const TableFrame& frame,
                          bool trust_the_rim) try {
  const Error none{ErrorCode::kNotFound,
                   "no grid of the board's size stands out; check columns, rows and square in "
                   "table.toml, bring more light or put up corner markers"};
  const auto flat = Flatten(grey, lens);
  if (!flat) return none;
  std::optional<GridPose> best;
  constexpr double kPlain = 0.4;  // of the lines' whole length: floorboards give a quarter
  for (const bool dark : {true, false}) {
    const std::vector<RidgePoint> points = RidgePoints(flat->grey, dark, trust_the_rim);
    const std::vector<FlatLine> lines = HoughLines(points, *flat);
    for (const Families& f : FindFamilies(lines)) {
      const auto lattice = FindLattice(points, *flat, f, frame);
      if (!lattice || (best && lattice->support <= best->support)) continue;
      best = PoseOf(f, *lattice, frame);
      if (best->support > kPlain) break;
    }
    if (best && best->support > kPlain) break;
  }
  constexpr double kLeast = 0.12;
  if (!best || best->support < kLeast) return none;
  return *best;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("grid search: ") + e.err};
}

}  // namespace fos
