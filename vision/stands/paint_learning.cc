// SPDX-License-Identifier: MIT
#include "vision/stands/paint_learning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "engine/table/quantile.h"

namespace fos {
namespace {

PaintColour MedianColour(std::vector<PaintColour>& values) {
  const auto middle = [&](float PaintColour::*member) {
    std::vector<float> one;
    one.reserve(values.size());
    for (const PaintColour& v : values) one.push_back(v.*member);
    return UpperMedian(one);
  };
  return {middle(&PaintColour::lightness), middle(&PaintColour::red_green),
          middle(&PaintColour::yellow_blue)};
}

// Spread by the median absolute deviation; 1.48 of it are one sigma of a normal distribution.
PaintColour Spread(const std::vector<PaintColour>& values, PaintColour centre) {
  const auto middle = [&](float PaintColour::*member) {
    std::vector<float> one;
    one.reserve(values.size());
    for (const PaintColour& v : values) one.push_back(std::abs(v.*member - centre.*member));
    return 1.48F * UpperMedian(one);
  };
  return {middle(&PaintColour::lightness), middle(&PaintColour::red_green),
          middle(&PaintColour::yellow_blue)};
}

// The colours seen of each paint: by side, and by side and kind.
struct PaintSamples {
  std::vector<std::vector<PaintColour>> sides;
  // By side: too little was like its paint, and `sides` has what lies behind its bars (SeePaints).
  std::vector<bool> unlike;
  std::vector<std::vector<std::vector<PaintColour>>> bars;
  // By side, as in `known`: of whatever colour, behind bars that are plainly seen.
  std::vector<std::vector<PaintColour>> behind_bars;
  // As in `known`, of whatever colour, on stands found by their outlines: behind their bars, by
  // side, and on them, by side and kind.
  std::vector<std::vector<PaintColour>> outlined_tops;
  std::vector<std::vector<std::vector<PaintColour>>> outlined_bars;
};

// With fewer pixels a paint is not learnt.
constexpr std::size_t kEnough = 60;
// Of a bar on one side's bases: most of what one gun's bar shows, of the 40 that it has.
constexpr std::size_t kEnoughOfSide = 24;

// What is farther from a paint is not that paint: three sigmas, squared.
constexpr float kGate = 9;
// A bar's mean evidence from which it is plainly seen; 2 is a clean one's.
constexpr double kPlainBar = 1.2;

// The colours in `bgr` of the pixels that are paint in `known`, a picture of the same camera.
PaintSamples SamplePaints(const PaintModel& paints, const cv::Mat& known, const cv::Mat& bgr,
                          const TableCamera& camera, const Scenario& scenario,
                          std::span<const StandHypothesis> stands) {
  using Samples = std::vector<std::vector<PaintColour>>;
  PaintSamples out{Samples(scenario.sides.size()),
                   std::vector<bool>(scenario.sides.size()),
                   std::vector<Samples>(scenario.sides.size(), Samples(scenario.kinds.size())),
                   Samples(scenario.sides.size()),
                   Samples(scenario.sides.size()),
                   std::vector<Samples>(scenario.sides.size(), Samples(scenario.kinds.size()))};
  for (const StandHypothesis& f : stands) {
    const KindSpec& kind = scenario.kinds[static_cast<std::size_t>(f.what.kind)];
    const double w = kind.footprint.width_in;
    const double d = kind.footprint.depth_in;
    const double height = f.ground_in + kind.thickness_in;
    constexpr double kStep_in = 0.06;
    constexpr double kEdge_in = 0.06;
    for (double y = d / 2 - kEdge_in; y > -d / 2 + kEdge_in; y -= kStep_in) {
      const double from_front = d / 2 - y;
      const bool in_bar = std::abs(from_front - kind.bar_depth_in / 2) < kind.bar_depth_in / 4;
      if (!in_bar && from_front < kind.bar_depth_in + kEdge_in) continue;
      for (double x = -w / 2 + kEdge_in; x < w / 2 - kEdge_in; x += kStep_in) {
        const ImagePoint p = ImageFromTable(camera, f.table_from_stand * Vec2{x, y}, height);
        const int px = cvRound(p.x_px);
        const int py = cvRound(p.y_px);
        if (px < 0 || py < 0 || px >= bgr.cols || py >= bgr.rows) continue;
        // Figures stand on the paint: only what is near the paint as known so far is paint. What
        // is nearer to the other paint of the base is that: a base may not lie quite there yet.
        const Paint& side = paints.side(f.what.side);
        const Paint& bar = paints.bar(f.what.side, f.what.kind);
        const PaintColour was = PaintColourOf(known.at<cv::Vec3b>(py, px));
        const auto s = static_cast<std::size_t>(f.what.side);
        const auto k = static_cast<std::size_t>(f.what.kind);
        if (!in_bar && f.bar > kPlainBar && DistanceSquared(bar, was) > kGate)
          out.behind_bars[s].push_back(was);
        if (f.by_outline) (in_bar ? out.outlined_bars[s][k] : out.outlined_tops[s]).push_back(was);
        const float off = DistanceSquared(in_bar ? bar : side, was);
        if (off > kGate || off > DistanceSquared(in_bar ? side : bar, was)) continue;
        const PaintColour is = PaintColourOf(bgr.at<cv::Vec3b>(py, px));
        (in_bar ? out.bars[s][k] : out.sides[s]).push_back(is);
      }
    }
  }
  return out;
}

// Of what lies behind a side's plain bars, the pixels of the one colour that most of it has; none
// where it has no such colour. Vivid cameras show a paint so far from how it was painted that none
// of its pixels would count as paint.
std::vector<PaintColour> OneColour(std::vector<PaintColour> behind, std::size_t enough = kEnough) {
  std::vector<PaintColour> out;
  if (behind.size() < enough) return out;
  const Paint paint{MedianColour(behind), kUsualSpread};
  for (const PaintColour colour : behind) {
    if (DistanceSquared(paint, colour) < kGate) out.push_back(colour);
  }
  if (2 * out.size() < behind.size()) out.clear();
  return out;
}

// Narrower than this no paint is under a lamp that is nearer to one end of the table.
Paint PaintOf(std::vector<PaintColour>& values) {
  const PaintColour mean = MedianColour(values);
  const PaintColour spread = Spread(values, mean);
  return {mean,
          {std::clamp(1.3F * spread.lightness, 10.0F, 18.0F),
           std::clamp(1.3F * spread.red_green, 4.0F, 8.0F),
           std::clamp(1.3F * spread.yellow_blue, 4.0F, 8.0F)}};
}

// A paint that little on the table looked like does not turn out to be the table's own. Where
// stands were laid on bare cloth behind what passed for bars, that was six to eight tenths of the
// table, and what was expected up to two tenths; of a paint that is like the cloth it was six,
// and two to eight.
bool IsTable(const PaintModel& paints, const Paint& learnt, const Paint& expected) {
  constexpr double kMuch = 0.2;        // more than roads
  constexpr double kAsExpected = 0.3;  // of that share
  const double share = paints.ShareOfTable(learnt);
  return share > kMuch &&
         paints.ShareOfTable({expected.mean, learnt.sigma}) < kAsExpected * share;
}

// The paints' colours in a picture. Where a side shows too little of its paint as known so far, what
// most of it has behind its plain bars counts instead.
PaintSamples SeePaints(const PaintModel& paints, const cv::Mat& bgr, const TableCamera& camera,
                       const Scenario& scenario, std::span<const StandHypothesis> stands) {
  PaintSamples seen = SamplePaints(paints, bgr, bgr, camera, scenario, stands);
  for (std::size_t i = 0; i < seen.sides.size(); ++i) {
    if (seen.sides[i].size() >= kEnough) continue;
    seen.unlike[i] = true;
    seen.sides[i] = OneColour(std::move(seen.behind_bars[i]));
  }
  return seen;
}

// What a kind's bar looks like on a side's bases by those of the side that shows most of it. Empty
// where no other side shows more of it than this one.
// bars  the colours seen, by side and kind
std::optional<Paint> BarOfOthers(const PaintModel& paints,
                                 std::vector<std::vector<std::vector<PaintColour>>>& bars,
                                 std::size_t side, std::size_t kind) {
  std::size_t other = side;
  for (std::size_t s = 0; s < bars.size(); ++s)
    if (bars[s][kind].size() > bars[other][kind].size()) other = s;
  if (other == side || bars[other][kind].size() < kEnough) return std::nullopt;
  const PaintColour alone = BarAlone(paints.side(static_cast<int>(other)).mean,
                                     MedianColour(bars[other][kind]));
  // A lamp lights one side's end of the table more than the other's: on 22 clips the bars of a kind
  // differ by this much from side to side.
  constexpr PaintColour kBetweenSides{10, 5, 5};
  return Paint{BarBeside(paints.side(static_cast<int>(side)).mean, alone), kBetweenSides};
}

// Whether a bar looks neither as light and camera make it nor as others show it. They lie nearer to
// what they make of it than to what another side's lamp does.
bool IsNeither(PaintColour bar, const Paint& expected, const Paint& others) {
  constexpr float kUnlike = 4;  // two sigmas, squared
  return DistanceSquared(expected, bar) > kUnlike && DistanceSquared(others, bar) > kGate;
}

// The board's picture, sampled.
class TableSamples {
 public:
  TableSamples(const cv::Mat& bgr, const cv::Mat& blind, const TableCamera& camera,
               const TableFrame& frame)
      : bgr_(bgr),
        blind_(blind),
        camera_(camera),
        columns_(static_cast<int>(frame.Width() / kStep_in)),
        rows_(static_cast<int>(frame.Depth() / kStep_in)) {}

  bool Any() const { return columns_ > 0 && rows_ > 0; }

  // By bin, of everything but what may be covered.
  std::vector<float> OpenCounts(std::span<const CoveredPart> covered) const {
    cv::Mat open(rows_, columns_, CV_8UC1, cv::Scalar(255));
    for (const CoveredPart& part : covered) Fill(part.outline, 0, open);
    std::vector<float> counts(kPaintBins, 0.0F);
    for (const cv::Vec3b& pixel : SeenIn(open))
      counts[static_cast<std::size_t>(PaintBin(pixel))] += 1;
    return counts;
  }

  // Adds to counts by bin the colours of a covered part that are seen over so much of it that they
  // are the table's.
  void AddTableIn(const CoveredPart& part, std::vector<float>& counts) const {
    struct Seen {
      PaintColour colour;
      float count = 0;
    };
    cv::Mat where(rows_, columns_, CV_8UC1, cv::Scalar(0));
    Fill(part.outline, 255, where);
    std::map<int, Seen> by_bin;
    for (const cv::Vec3b& pixel : SeenIn(where)) {
      Seen& one = by_bin[PaintBin(pixel)];
      if (one.count == 0) one.colour = PaintColourOf(pixel);
      ++one.count;
    }
    const auto most = static_cast<float>(part.most_covered_in2 / (kStep_in * kStep_in));
    for (const auto& [bin, one] : by_bin) {
      const Paint paint{one.colour, kUsualSpread};
      constexpr float kAlike = 4;  // two sigmas, squared
      float alike = 0;
      for (const auto& [other_bin, other] : by_bin)
        if (DistanceSquared(paint, other.colour) < kAlike) alike += other.count;
      if (alike > most) counts[static_cast<std::size_t>(bin)] += one.count;
    }
  }

 private:
  static constexpr double kStep_in = 0.25;

  static void Fill(const Polygon& polygon, int value, cv::Mat& mask) {
    std::vector<cv::Point> corners;
    for (const Vec2 p : polygon)
      corners.emplace_back(cvFloor(p.x / kStep_in), cvFloor(p.y / kStep_in));
    cv::fillConvexPoly(mask, corners, cv::Scalar(value));
  }

  std::vector<cv::Vec3b> SeenIn(const cv::Mat& mask) const {
    std::vector<cv::Vec3b> seen;
    for (int r = 0; r < rows_; ++r) {
      for (int c = 0; c < columns_; ++c) {
        if (mask.at<std::uint8_t>(r, c) == 0) continue;
        const ImagePoint p =
            ImageFromTable(camera_, {(c + 0.5) * kStep_in, (r + 0.5) * kStep_in}, 0);
        const int x = cvRound(p.x_px);
        const int y = cvRound(p.y_px);
        if (x < 0 || y < 0 || x >= bgr_.cols || y >= bgr_.rows) continue;
        if (!blind_.empty() && blind_.at<std::uint8_t>(y, x) != 0) continue;
        seen.push_back(bgr_.at<cv::Vec3b>(y, x));
      }
    }
    return seen;
  }

  const cv::Mat& bgr_;
  const cv::Mat& blind_;
  const TableCamera& camera_;
  int columns_;
  int rows_;
};

}  // namespace

void LearnBackground(PaintModel& paints, const cv::Mat& bgr, const cv::Mat& blind,
                     const TableCamera& camera, const TableFrame& frame,
                     std::span<const CoveredPart> covered) {
  if (const TableSamples samples(bgr, blind, camera, frame); samples.Any())
    paints.SetBackground(samples.OpenCounts(covered));
}

bool LearnCoveredBackground(PaintModel& paints, const cv::Mat& bgr, const cv::Mat& blind,
                            const TableCamera& camera, const TableFrame& frame,
                            std::span<const CoveredPart> covered) {
  const TableSamples samples(bgr, blind, camera, frame);
  if (!samples.Any()) return false;
  std::vector<float> counts = samples.OpenCounts(covered);
  for (const CoveredPart& part : covered)
    if (std::isfinite(part.most_covered_in2)) samples.AddTableIn(part, counts);
  return paints.AddBackground(counts);
}

void LearnLight(PaintModel& paints, const cv::Mat& bgr, const TableCamera& camera,
                const Scenario& scenario, std::span<const StandHypothesis> stands) {
  PaintSamples seen = SeePaints(paints, bgr, camera, scenario, stands);
  auto& sides = seen.sides;
  auto& bars = seen.bars;
  // What light and camera make of every paint alike: lightness by a gain and a lift, both colour
  // axes by one saturation and a cast, from all paints together, each by the samples it has. A
  // single paint may have been learnt from the wrong place; the line through all of them is not.
  struct Line {  // y = slope x + lift, with a weak belief so that like paints make no wild line
    double ww = 0, wx = 0, xx = 0, wy = 0, xy = 0;
    void Add(double x, double y, double weight) {
      ww += weight;
      wx += weight * x;
      xx += weight * x * x;
      wy += weight * y;
      xy += weight * x * y;
    }
    double Slope() const { return (ww * xy - wx * wy) / (ww * xx - wx * wx); }
    double Lift(double slope) const { return (wy - slope * wx) / ww; }
  };
  Line light, red_green, yellow_blue;
  const auto nominal_of = [](Colour c) { return PaintColourOf({c.b, c.g, c.r}); };
  const auto nominal_bar = [&](std::size_t side, std::size_t kind) {
    return BarBeside(nominal_of(scenario.sides[side].paint),
                     nominal_of(scenario.kinds[kind].bar));
  };
  const auto pair_up = [&](std::vector<PaintColour>& values, PaintColour x, std::size_t enough) {
    if (values.size() < enough) return;
    const PaintColour y = MedianColour(values);
    const double weight = std::sqrt(static_cast<double>(values.size()));
    light.Add(static_cast<double>(x.lightness), static_cast<double>(y.lightness), weight);
    red_green.Add(static_cast<double>(x.red_green), static_cast<double>(y.red_green), weight);
    yellow_blue.Add(static_cast<double>(x.yellow_blue), static_cast<double>(y.yellow_blue),
                    weight);
  };
  for (const double x : {0.0, 100.0}) light.Add(x, 0.9 * x, 5);
  for (const double x : {-30.0, 30.0}) {
    red_green.Add(x, 0.75 * x, 5);
    yellow_blue.Add(x, 0.75 * x, 5);
  }
  for (std::size_t i = 0; i < sides.size(); ++i) {
    pair_up(sides[i], nominal_of(scenario.sides[i].paint), kEnough);
    for (std::size_t k = 0; k < bars[i].size(); ++k)
      pair_up(bars[i][k], nominal_bar(i, k), kEnoughOfSide);
  }
  const double gain = std::clamp(light.Slope(), 0.5, 1.3);
  const double a = std::clamp(red_green.Slope(), 0.3, 1.2);
  const double b = std::clamp(yellow_blue.Slope(), 0.3, 1.2);
  const auto expected = [&](PaintColour x) {
    const auto on_line = [](const Line& line, double slope, float v) {
      return static_cast<float>(slope * static_cast<double>(v) + line.Lift(slope));
    };
    return Paint{{std::clamp(on_line(light, gain, x.lightness), 0.0F, 100.0F),
                  on_line(red_green, a, x.red_green), on_line(yellow_blue, b, x.yellow_blue)},
                 kUsualSpread};
  };
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const int side = static_cast<int>(i);
    paints.SetSide(side, expected(nominal_of(scenario.sides[i].paint)));
    for (std::size_t k = 0; k < bars[i].size(); ++k)
      paints.SetBar(side, static_cast<int>(k), expected(nominal_bar(i, k)));
  }
}

void LearnPaints(PaintModel& paints, const PaintModel& expected, const cv::Mat& bgr,
                 const TableCamera& camera, const Scenario& scenario,
                 std::span<const StandHypothesis> stands) {
  PaintSamples seen = SeePaints(paints, bgr, camera, scenario, stands);
  auto& sides = seen.sides;
  auto& bars = seen.bars;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const int side = static_cast<int>(i);
    if (sides[i].size() < kEnough) continue;
    const Paint learnt = PaintOf(sides[i]);
    // What most of eight bases or more show, and is near to what was expected, is no chance: where
    // cloth was taken for a paint it was of four at most.
    constexpr std::size_t kMany = 1500;
    const bool many = !seen.unlike[i] && sides[i].size() >= kMany;
    if (many || !IsTable(paints, learnt, paints.side(side))) paints.SetSide(side, learnt);
  }
  for (std::size_t s = 0; s < bars.size(); ++s) {
    for (std::size_t k = 0; k < bars[s].size(); ++k) {
      if (bars[s][k].size() < kEnoughOfSide) continue;
      const int side = static_cast<int>(s);
      const int kind = static_cast<int>(k);
      const Paint learnt = PaintOf(bars[s][k]);
      if (const std::optional<Paint> others = BarOfOthers(paints, bars, s, k);
          others && IsNeither(learnt.mean, expected.bar(side, kind), *others)) {
        paints.SetBar(side, kind, *others);
        continue;
      }
      // Where stands were laid a bar's depth too far back, that is the rest of their own tops.
      if (DistanceSquared(paints.side(side), learnt.mean) <
          DistanceSquared(paints.bar(side, kind), learnt.mean))
        continue;
      paints.SetBar(side, kind, learnt);
    }
  }
}

bool LearnOutlinedPaints(PaintModel& paints, const cv::Mat& bgr, const TableCamera& camera,
                         const Scenario& scenario, std::span<const StandHypothesis> stands) {
  PaintSamples seen = SamplePaints(paints, bgr, bgr, camera, scenario, stands);
  bool any = false;
  for (std::size_t s = 0; s < seen.sides.size(); ++s) {
    const int side = static_cast<int>(s);
    std::vector<PaintColour> top = OneColour(std::move(seen.outlined_tops[s]));
    if (top.empty() || seen.sides[s].size() >= top.size()) continue;
    const Paint learnt = PaintOf(top);
    if (IsTable(paints, learnt, paints.side(side))) continue;
    paints.SetSide(side, learnt);
    any = true;
    for (std::size_t k = 0; k < seen.bars[s].size(); ++k) {
      std::vector<PaintColour> bar =
          OneColour(std::move(seen.outlined_bars[s][k]), kEnoughOfSide);
      if (bar.empty() || seen.bars[s][k].size() >= bar.size()) continue;
      paints.SetBar(side, static_cast<int>(k), PaintOf(bar));
    }
  }
  return any;
}

bool FollowPaints(PaintModel& paints, const cv::Mat& was, const cv::Mat& now,
                  const TableCamera& camera, const Scenario& scenario,
                  std::span<const StandHypothesis> stands) {
  PaintSamples samples = SamplePaints(paints, was, now, camera, scenario, stands);
  // How each channel of linear light has gone for the paints that are seen.
  std::array<std::vector<float>, 3> gains;
  const auto note = [&](const Paint& paint, PaintColour is) {
    const cv::Vec3f then = LinearOf(paint.mean);
    const cv::Vec3f today = LinearOf(is);
    for (std::size_t c = 0; c < gains.size(); ++c) {
      constexpr float kDark = 0.005F;  // of white: a channel so dark shows the camera's black only
      const int channel = static_cast<int>(c);
      if (then[channel] > kDark) gains[c].push_back(today[channel] / then[channel]);
    }
  };
  std::vector<std::optional<PaintColour>> sides(samples.sides.size());
  std::vector<std::vector<std::optional<PaintColour>>> bars(samples.bars.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (samples.sides[i].size() < kEnough) continue;
    sides[i] = MedianColour(samples.sides[i]);
    note(paints.side(static_cast<int>(i)), *sides[i]);
  }
  for (std::size_t s = 0; s < bars.size(); ++s) {
    bars[s].resize(samples.bars[s].size());
    for (std::size_t k = 0; k < bars[s].size(); ++k) {
      if (samples.bars[s][k].size() < kEnoughOfSide) continue;
      bars[s][k] = MedianColour(samples.bars[s][k]);
      note(paints.bar(static_cast<int>(s), static_cast<int>(k)), *bars[s][k]);
    }
  }
  cv::Vec3f gain(1, 1, 1);
  for (std::size_t c = 0; c < gains.size(); ++c) {
    if (gains[c].empty()) return false;
    gain[static_cast<int>(c)] = UpperMedian(gains[c]);
  }
  const auto followed = [&](const Paint& paint, const std::optional<PaintColour>& is) {
    return Paint{is ? *is : PaintColourOfLinear(LinearOf(paint.mean).mul(gain)), paint.sigma};
  };
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const int side = static_cast<int>(i);
    paints.SetSide(side, followed(paints.side(side), sides[i]));
  }
  for (std::size_t s = 0; s < bars.size(); ++s) {
    for (std::size_t k = 0; k < bars[s].size(); ++k) {
      const int side = static_cast<int>(s);
      const int kind = static_cast<int>(k);
      paints.SetBar(side, kind, followed(paints.bar(side, kind), bars[s][k]));
    }
  }
  return true;
}

}  // namespace fos
