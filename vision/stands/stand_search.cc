// SPDX-License-Identifier: MIT
#include "vision/stands/stand_search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

constexpr int kUnseen = -1;  // hidden or outside the picture: no evidence
constexpr int kTaken = -2;   // another stand's footprint

// Evidence of a single pixel is capped: a few outliers must not outvote many plain pixels.
constexpr float kCap = 2.0F;
// On the top something pale or green may be a figure's coat or a flocked base, so evidence against
// the paint is capped lower.
constexpr float kFigure = -0.6F;
constexpr float kTakenInside = -0.5F;

// Sums over upright rectangles; cells are counted in fixed point so that big sums stay exact.
class Integral {
 public:
  explicit Integral(int size) : size_(size), sums_((size + 1) * (size + 1)) {}
  template <typename ValueAt>
  void Fill(const ValueAt& value_at) {
    for (int r = 0; r < size_; ++r) {
      int row = 0;
      const int* above = &sums_[r * (size_ + 1)];
      int* here = &sums_[(r + 1) * (size_ + 1)];
      for (int c = 0; c < size_; ++c) {
        row += value_at(r * size_ + c);
        here[c + 1] = above[c + 1] + row;
      }
    }
  }
  // rows [r0, r1), columns [c0, c1), clamped to the patch
  int Sum(int r0, int r1, int c0, int c1) const {
    r0 = std::clamp(r0, 0, size_);
    r1 = std::clamp(r1, 0, size_);
    c0 = std::clamp(c0, 0, size_);
    c1 = std::clamp(c1, 0, size_);
    const int w = size_ + 1;
    return sums_[r1 * w + c1] - sums_[r0 * w + c1] - sums_[r1 * w + c0] + sums_[r0 * w + c0];
  }

 private:
  int size_;
  std::vector<int> sums_;
};

constexpr float kFixed = 256;

std::vector<int> BinsOf(const TablePatch& patch, const TakenFootprints& taken) {
  cv::Mat mask(patch.bgr.size(), CV_8UC1, cv::Scalar(0));
  for (const Polygon& polygon : taken) {
    std::vector<cv::Point> corners;
    for (const Vec2 corner : polygon) {
      const cv::Point2d p = patch.PixelFromTable(corner);
      corners.emplace_back(cvRound(p.x), cvRound(p.y));
    }
    cv::fillConvexPoly(mask, corners, cv::Scalar(255));
  }
  std::vector<int> bins(patch.bgr.total());
  std::size_t i = 0;
  for (int r = 0; r < patch.bgr.rows; ++r) {
    for (int c = 0; c < patch.bgr.cols; ++c, ++i) {
      bins[i] = mask.at<std::uint8_t>(r, c) != 0         ? kTaken
                : patch.seen.at<std::uint8_t>(r, c) == 0 ? kUnseen
                                                         : PaintBin(patch.bgr.at<cv::Vec3b>(r, c));
    }
  }
  return bins;
}

struct Layout {  // a footprint in pixels of the turned patch, front upwards
  int width = 0;
  int depth = 0;
  int bar = 0;
  int rim = 0;  // width of the strip looked at outside
};

// The evidence of one class at each pixel of the turned patch.
struct Maps {
  Integral bar, top, outside, seen;
};

// The patch's rotation about its middle.
struct Turn {
  double middle, c, s;  // pixels, cosine and sine of the heading

  // From the turned patch, right and up from its middle, to the patch itself.
  cv::Point2d ToPatch(double x, double y) const {
    return {middle + c * x - s * y, middle - (s * x + c * y)};
  }
};

// What one class's evidence says of each pixel of the patch, in fixed point, and of one beside it:
// looked up once for all headings.
struct PixelEvidence {
  std::vector<int> bar, top, outside;

  PixelEvidence(const std::vector<int>& bins, const StandEvidence& evidence) {
    const auto add = [](std::vector<int>& to, int bin, auto&& of_bin, float of_taken) {
      const auto value = [&] {
        return bin == kTaken ? of_taken : of_bin(static_cast<std::size_t>(bin));
      };
      to.push_back(bin == kUnseen ? 0 : static_cast<int>(value() * kFixed));
    };
    for (std::vector<int>* one : {&bar, &top, &outside}) one->reserve(bins.size() + 1);
    const auto add_pixel = [&](int bin) {
      add(
          bar, bin, [&](std::size_t i) { return std::clamp(evidence.bar[i], -kCap, kCap); },
          kTakenInside);
      add(
          top, bin, [&](std::size_t i) { return std::clamp(evidence.top[i], kFigure, kCap); },
          kTakenInside);
      add(
          outside, bin, [&](std::size_t i) { return std::clamp(evidence.outside[i], -1.0F, 1.0F); },
          0.0F);
    };
    for (const int bin : bins) add_pixel(bin);
    add_pixel(kUnseen);
  }
};

// The patch turned so that the stand's own x points right and its front up: of each pixel, which of
// the patch it shows; size * size beside the patch.
void TurnPixels(int size, const Turn& turn, std::vector<int>& turned) {
  std::size_t i = 0;
  for (int r = 0; r < size; ++r) {
    for (int col = 0; col < size; ++col, ++i) {
      const cv::Point2d at = turn.ToPatch(col - turn.middle, turn.middle - r);
      const int pc = cvRound(at.x);
      const int pr = cvRound(at.y);
      turned[i] = pc >= 0 && pr >= 0 && pc < size && pr < size ? pr * size + pc : size * size;
    }
  }
}

void FillMap(const std::vector<int>& turned, const std::vector<int>& values, Integral& map) {
  map.Fill(
      [&](int k) { return values[static_cast<std::size_t>(turned[static_cast<std::size_t>(k)])]; });
}

// Scores every place of a class in the turned patch.
// offer  receives each with the pixel of the patch itself in which its centre lies
template <typename Offer>
void ScorePlaces(const TablePatch& patch, const Maps& maps, const Turn& turn, double heading,
                 StandClass what, const KindSpec& kind, BarCounts bar_counts, const Offer& offer) {
  const int size = patch.bgr.rows;
  const double ppi = patch.px_per_in;
  const auto pixels = [ppi](double inches) {
    return std::max(1, static_cast<int>(std::lround(inches * ppi)));
  };
  const Layout at{pixels(kind.footprint.width_in), pixels(kind.footprint.depth_in),
                  pixels(kind.bar_depth_in), pixels(0.14)};
  if (at.width >= size || at.depth >= size) return;
  const double bar_area = at.width * at.bar;
  const double top_area = at.width * (at.depth - at.bar);
  const double rim_area = 2.0 * at.rim * (at.width + at.depth);
  for (int r0 = 0; r0 + at.depth <= size; ++r0) {
    for (int c0 = 0; c0 + at.width <= size; ++c0) {
      const int r1 = r0 + at.depth;
      const int c1 = c0 + at.width;
      const int rb = r0 + at.bar;
      const double bar = maps.bar.Sum(r0, rb, c0, c1) / (kFixed * bar_area);
      // A hidden bar is near 0, one in shade may look like the cloth.
      if (bar_counts == BarCounts::kInFull && bar < -1.5) continue;
      const double seen = maps.seen.Sum(r0, r1, c0, c1) / (bar_area + top_area);
      if (seen < 0.2) continue;
      const double top = top_area > 0 ? maps.top.Sum(rb, r1, c0, c1) / (kFixed * top_area) : bar;
      // One pixel is left between: blur belongs to neither.
      const double rim = (maps.outside.Sum(r0 - 1 - at.rim, r0 - 1, c0, c1) +
                          maps.outside.Sum(r1 + 1, r1 + 1 + at.rim, c0, c1) +
                          maps.outside.Sum(r0, r1, c0 - 1 - at.rim, c0 - 1) +
                          maps.outside.Sum(r0, r1, c1 + 1, c1 + 1 + at.rim)) /
                         (kFixed * rim_area);
      // What is hidden says nothing: two bases alike, the one in view is the likelier.
      const double counted =
          bar_counts == BarCounts::kInFull ? bar : std::max(bar, double{kFigure});
      const double score = counted + top + 0.5 * rim;
      const cv::Point2d centre =
          turn.ToPatch(0.5 * (c0 + c1 - 1) - turn.middle, turn.middle - 0.5 * (r0 + r1 - 1));
      const int pc = cvRound(centre.x);
      const int pr = cvRound(centre.y);
      if (pc < 0 || pr < 0 || pc >= size || pr >= size) continue;
      const Vec2 origin = patch.TableFromPixel(centre.x, centre.y);
      offer(static_cast<std::size_t>(pr * size + pc),
            StandHypothesis{what,
                            {origin, heading},
                            patch.height_in - kind.thickness_in,
                            false,
                            score,
                            bar,
                            top});
    }
  }
}

// Appends the local maxima of one class.
void AddMaxima(std::span<const StandHypothesis> best, int size, double min_score,
               std::vector<StandHypothesis>& maxima) {
  const auto at = [&](int r, int c) -> const StandHypothesis& {
    return best[static_cast<std::size_t>(r * size + c)];
  };
  constexpr int kNear = 1;
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c < size; ++c) {
      const StandHypothesis& h = at(r, c);
      if (h.score < min_score) continue;
      bool top = true;
      for (int dr = -kNear; dr <= kNear && top; ++dr) {
        for (int dc = -kNear; dc <= kNear && top; ++dc) {
          const int nr = r + dr;
          const int nc = c + dc;
          if (nr < 0 || nc < 0 || nr >= size || nc >= size) continue;
          const double other = at(nr, nc).score;
          // Of equal neighbours the last one counts.
          top = other < h.score || (other == h.score && (dr > 0 || (dr == 0 && dc >= 0)));
        }
      }
      if (top) maxima.push_back(h);
    }
  }
}

// Scores every place of each class in each heading.
// offer  receives the indices of the class and of the heading, the pixel of its centre, and the
//        stand
template <typename Offer>
void ScoreAll(const TablePatch& patch, const PaintModel& paints, const Scenario& scenario,
              std::span<const StandClass> classes, std::span<const double> headings,
              const TakenFootprints& taken, BarCounts bar_counts, const Offer& offer) {
  const int size = patch.bgr.rows;
  const auto area = static_cast<std::size_t>(size * size);
  const std::vector<int> bins = BinsOf(patch, taken);
  std::vector<PixelEvidence> evidence;
  for (const StandClass& what : classes)
    evidence.emplace_back(bins, paints.Evidence(what.side, what.kind));
  std::vector<int> seen;
  for (const int bin : bins) seen.push_back(bin == kUnseen ? 0 : 1);
  seen.push_back(0);
  std::vector<int> turned(area);
  Maps maps{Integral(size), Integral(size), Integral(size), Integral(size)};
  for (std::size_t k = 0; k < headings.size(); ++k) {
    const Turn turn{0.5 * (size - 1), std::cos(headings[k]), std::sin(headings[k])};
    TurnPixels(size, turn, turned);
    FillMap(turned, seen, maps.seen);
    for (std::size_t which = 0; which < classes.size(); ++which) {
      const StandClass what = classes[which];
      FillMap(turned, evidence[which].bar, maps.bar);
      FillMap(turned, evidence[which].top, maps.top);
      FillMap(turned, evidence[which].outside, maps.outside);
      ScorePlaces(patch, maps, turn, headings[k], what,
                  scenario.kinds.at(static_cast<std::size_t>(what.kind)), bar_counts,
                  [&](std::size_t pixel, const StandHypothesis& h) { offer(which, k, pixel, h); });
    }
  }
}

}  // namespace

std::vector<StandHypothesis> SearchStands(const TablePatch& patch, const PaintModel& paints,
                                          const Scenario& scenario,
                                          std::span<const StandClass> classes,
                                          std::span<const double> headings,
                                          const TakenFootprints& taken, double min_score,
                                          BarCounts bar) {
  const int size = patch.bgr.rows;
  const auto area = static_cast<std::size_t>(size * size);
  std::vector<StandHypothesis> best(classes.size() * area);
  for (StandHypothesis& h : best) h.score = -1e9;
  ScoreAll(patch, paints, scenario, classes, headings, taken, bar,
           [&](std::size_t which, std::size_t, std::size_t pixel, const StandHypothesis& h) {
             StandHypothesis& at = best[which * area + pixel];
             if (h.score > at.score) at = h;
           });
  std::vector<StandHypothesis> maxima;
  for (std::size_t which = 0; which < classes.size(); ++which)
    AddMaxima(std::span<const StandHypothesis>(best).subspan(which * area, area), size, min_score,
              maxima);
  std::sort(maxima.begin(), maxima.end(),
            [](const auto& a, const auto& b) { return a.score > b.score; });
  return maxima;
}

std::vector<PlaceScores> ScoreEverywhere(const TablePatch& patch, const PaintModel& paints,
                                         const Scenario& scenario, StandClass what,
                                         std::span<const double> headings,
                                         const TakenFootprints& taken) {
  const int size = patch.bgr.rows;
  std::vector<PlaceScores> out;
  for (const double heading : headings)
    out.push_back({heading, cv::Mat(size, size, CV_32FC3, cv::Scalar::all(kNotScored))});
  const std::array<StandClass, 1> classes{what};
  ScoreAll(patch, paints, scenario, classes, headings, taken, BarCounts::kInFull,
           [&](std::size_t, std::size_t k, std::size_t pixel, const StandHypothesis& h) {
             auto& here = out[k].scores.at<cv::Vec3f>(static_cast<int>(pixel) / size,
                                                      static_cast<int>(pixel) % size);
             if (static_cast<float>(h.score) > here[0])
               here = cv::Vec3f(static_cast<float>(h.score), static_cast<float>(h.bar),
                                static_cast<float>(h.top));
           });
  return out;
}

StandHypothesis RefineOnPaints(const TablePatch& patch, const PaintModel& paints,
                               const Scenario& scenario, StandClass what, const Pose2& start,
                               const TakenFootprints& taken) {
  const KindSpec& kind = scenario.kinds.at(static_cast<std::size_t>(what.kind));
  const StandEvidence& evidence = paints.Evidence(what.side, what.kind);
  const std::vector<int> bins = BinsOf(patch, taken);
  const int size = patch.bgr.rows;
  const double w = kind.footprint.width_in;
  const double d = kind.footprint.depth_in;
  const double step = 1 / patch.px_per_in;
  constexpr double kRim_in = 0.14;

  // What is looked at, in the stand's own frame; a rim's pixels count half, as in the search.
  struct Probe {
    float x, y;
    int part;  // 0 bar, 1 top, 2 rim
  };
  std::vector<Probe> probes;
  std::array<int, 3> count{};
  const auto cells = [step](double length) {
    return std::max(1, static_cast<int>(std::lround(length / step)));
  };
  const int nx = cells(w + 2 * kRim_in);
  const int ny = cells(d + 2 * kRim_in);
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const double x = (i + 0.5) * (w + 2 * kRim_in) / nx - w / 2 - kRim_in;
      const double y = (j + 0.5) * (d + 2 * kRim_in) / ny - d / 2 - kRim_in;
      const double out = std::max(std::abs(x) - w / 2, std::abs(y) - d / 2);
      const int part = out > 0 ? 2 : y > d / 2 - kind.bar_depth_in ? 0 : 1;
      probes.push_back({static_cast<float>(x), static_cast<float>(y), part});
      ++count[static_cast<std::size_t>(part)];
    }
  }
  const auto score_at = [&](const Pose2& pose) {
    const double c = std::cos(pose.heading_rad);
    const double s = std::sin(pose.heading_rad);
    std::array<double, 3> sum{};
    int seen = 0;
    for (const Probe& p : probes) {
      const double x = static_cast<double>(p.x);
      const double y = static_cast<double>(p.y);
      const cv::Point2d at =
          patch.PixelFromTable({pose.origin.x + c * x - s * y, pose.origin.y + s * x + c * y});
      const int column = cvRound(at.x);
      const int row = cvRound(at.y);
      if (column < 0 || row < 0 || column >= size || row >= size) continue;
      const int bin = bins[static_cast<std::size_t>(row * size + column)];
      if (bin == kUnseen) continue;
      seen += p.part == 2 ? 0 : 1;
      float value = p.part == 2 ? 0.0F : kTakenInside;
      if (bin != kTaken) {
        const auto b = static_cast<std::size_t>(bin);
        value = p.part == 0   ? std::clamp(evidence.bar[b], -kCap, kCap)
                : p.part == 1 ? std::clamp(evidence.top[b], kFigure, kCap)
                              : std::clamp(evidence.outside[b], -1.0F, 1.0F);
      }
      sum[static_cast<std::size_t>(p.part)] += static_cast<double>(value);
    }
    StandHypothesis h{what, pose, patch.height_in - kind.thickness_in, false, -1e9, 0, 0};
    if (seen < 0.1 * (count[0] + count[1])) return h;
    h.bar = sum[0] / std::max(1, count[0]);
    h.top = count[1] > 0 ? sum[1] / count[1] : h.bar;
    h.score = h.bar + h.top + 0.5 * sum[2] / std::max(1, count[2]);
    return h;
  };

  StandHypothesis best = score_at(start);
  for (double reach = 0.08; reach > 0.015; reach *= 0.5) {
    const double turn = reach * 0.65;  // about as far at the corners of a 1.5 in base
    for (int round = 0; round < 4; ++round) {
      const Pose2 from = best.table_from_stand;
      const Vec2 right = Rotated({reach, 0}, from.heading_rad);
      const Vec2 front = Perpendicular(right);
      bool better = false;
      for (const Pose2& pose : {Pose2{from.origin + right, from.heading_rad},
                                Pose2{from.origin - right, from.heading_rad},
                                Pose2{from.origin + front, from.heading_rad},
                                Pose2{from.origin - front, from.heading_rad},
                                Pose2{from.origin, from.heading_rad + turn},
                                Pose2{from.origin, from.heading_rad - turn}}) {
        const StandHypothesis h = score_at(pose);
        if (h.score > best.score + 1e-6) {
          best = h;
          better = true;
        }
      }
      if (!better) break;
    }
  }
  best.table_from_stand.heading_rad = WrappedAngle(best.table_from_stand.heading_rad);
  return best;
}

}  // namespace fos
