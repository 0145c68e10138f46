// SPDX-License-Identifier: MIT
#include "vision/stands/stand_outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <opencv2/core/hal/hal.hpp>

#include "calibration/camera/bilinear.h"
#include "vision/appearance/local_colours.h"
#include "vision/stands/base_edges.h"
#include "vision/stands/outline_posterior.h"

namespace fos {
namespace {

// Shares of what covers things. About two fifths of a top are figures, their shadows and flock
// (the labelled clips' own `visible` is 0.45 to 0.85); bars are kept freer.
constexpr float kFiguresOnTop = 0.4F;
constexpr float kFiguresOnBar = 0.25F;
constexpr float kThingsOnTable = 0.2F;
// Where the scenario's terrain stands between: foliage has gaps, and its outline is drawn by
// people.
constexpr float kBehindTerrain = 0.95F;
// Blur of colours, one sigma: the lens's and the mosaic's 0.8 as in stand_fit, and colour is coded
// at half the picture's size.
constexpr double kColourBlur_px = 1.2;
// The picture about a stand, close to affine: a base is small.
class View {
 public:
  View(const cv::Mat& bgr, const TableCamera& camera, Vec2 centre, double level_in)
      : bgr_(bgr), centre_(centre) {
    constexpr double kArm_in = 0.7;
    const auto at = [&](Vec2 off) { return ImageFromTable(camera, centre + off, level_in); };
    const ImagePoint e = at({kArm_in, 0}), w = at({-kArm_in, 0});
    const ImagePoint n = at({0, kArm_in}), s = at({0, -kArm_in});
    x_px_ = 0.25 * (e.x_px + w.x_px + n.x_px + s.x_px);
    y_px_ = 0.25 * (e.y_px + w.y_px + n.y_px + s.y_px);
    xx_ = (e.x_px - w.x_px) / (2 * kArm_in);
    yx_ = (e.y_px - w.y_px) / (2 * kArm_in);
    xy_ = (n.x_px - s.x_px) / (2 * kArm_in);
    yy_ = (n.y_px - s.y_px) / (2 * kArm_in);
  }
  double PixelsPerInch() const { return std::sqrt(std::abs(xx_ * yy_ - xy_ * yx_)); }
  // Bilinear; empty outside.
  std::optional<PaintColour> At(Vec2 table) const {
    const Vec2 off = table - centre_;
    const double x = x_px_ + xx_ * off.x + xy_ * off.y;
    const double y = y_px_ + yx_ * off.x + yy_ * off.y;
    const auto code = [](std::uint8_t c) { return static_cast<float>(c); };
    const std::optional<cv::Vec3f> between = BilinearAt(bgr_, x, y, code);
    if (!between) return std::nullopt;
    cv::Vec3b mixed;
    for (int k = 0; k < 3; ++k) mixed[k] = cv::saturate_cast<std::uint8_t>((*between)[k]);
    return PaintColourOf(mixed);
  }

 private:
  const cv::Mat& bgr_;
  Vec2 centre_;
  double x_px_ = 0, y_px_ = 0, xx_ = 0, yx_ = 0, xy_ = 0, yy_ = 0;
};

// The colours that blur makes on an edge, in steps across it from the inside out: without them a
// bright paint that runs out into the ground passes for the same paint in shade, and the edge for
// lying a pixel or two further out.
std::vector<float> EdgeShares(double step_px) {
  constexpr double kReach_px = 1.5;  // beyond it nine tenths are of one side
  const int reach = std::max(1, static_cast<int>(std::lround(kReach_px / step_px)));
  std::vector<float> out;
  for (int j = -reach; j < reach; ++j) {
    const double share = 0.5 * std::erfc((j + 0.5) * step_px * M_SQRT1_2 / kColourBlur_px);
    out.push_back(static_cast<float>(share));
  }
  return out;
}
// shares  of the inside
std::vector<Paint> EdgeMixes(const Paint& inside, const Paint& outside,
                             std::span<const float> shares) {
  std::vector<Paint> out;
  for (const float share : shares) out.push_back(Mixed(inside, outside, share));
  return out;
}

// What lies beside a place and has its colour: the cloth, a road that runs on. It could lie within
// as well, as even as the paint itself. Empty where hardly anything beside it is like it.
std::optional<Paint> PatchLike(const Paint& paint, const std::vector<PaintColour>& beside) {
  std::vector<PaintColour> like;
  for (const PaintColour c : beside)
    if (constexpr float kGate = 4; DistanceSquared(paint, c) < kGate) like.push_back(c);  // 2 sigma
  constexpr std::size_t kLeast = 12;
  constexpr std::size_t kTenth = 10;
  if (like.size() < std::max(kLeast, beside.size() / kTenth)) return std::nullopt;
  Paint patch = LocalPaint(paint, like);
  patch.sigma = {std::max(patch.sigma.lightness, paint.sigma.lightness),
                 std::max(patch.sigma.red_green, paint.sigma.red_green),
                 std::max(patch.sigma.yellow_blue, paint.sigma.yellow_blue)};
  return patch;
}

// How many of these cells are paint, each by its chance. A paint just there is as even as noise and
// coding leave it (see Ground): the spread that was found there is also that of the figures'
// colours near it, and under it faces and coats would pass for base.
double CellsInView(const ColourRows& cells, const Paint& paint, float others) {
  Paint even = paint;
  even.sigma = {std::min(paint.sigma.lightness, 3.5F), std::min(paint.sigma.red_green, 2.0F),
                std::min(paint.sigma.yellow_blue, 2.0F)};
  double sum = 0;
  for (const float density : DensitiesOn(even, others, cells))
    sum += static_cast<double>(1 - others * kAnyColour / density);
  return sum;
}

// How much likelier these cells of a bar's place are that bar than a rival's, nats, each counted by
// itself. Few pixels deep a bar is seen through blur: half of what lies on it has the colour of the
// top in it.
double AgainstBar(const ColourRows& cells, const Paint& bar, const Paint& rival, const Paint& top,
                  double depth_px) {
  const auto middle = static_cast<float>(std::erf(0.5 * depth_px * M_SQRT1_2 / kColourBlur_px));
  const float aside = 0.5F * (middle + 0.5F);  // halfway to its rear edge, where it is one half
  const auto seen_as = [&](const Paint& paint) {
    std::vector<float> all(cells.size(), 0);
    for (const Paint& seen : {paint, Mixed(paint, top, middle), Mixed(paint, top, aside)}) {
      const std::vector<float> one = DensitiesOn(seen, kFiguresOnBar, cells);
      for (std::size_t i = 0; i < all.size(); ++i) all[i] += one[i] / 3;
    }
    return all;
  };
  const std::vector<float> own = seen_as(bar);
  const std::vector<float> other = seen_as(rival);
  double sum = 0;
  for (std::size_t i = 0; i < own.size(); ++i)
    sum += std::clamp(static_cast<double>(std::log(own[i] / other[i])), -4.0, 4.0);
  return sum;
}

// The colours on and beside a base in one pose.
struct BaseColours {
  double cell_in = 0;  // spacing of the samples on the base
  ColourRows on_bar;
  ColourRows on_top;
  ColourRows bar_behind;  // the same, behind terrain
  ColourRows top_behind;
  Paint bar;                   // as it is just here
  Paint top;                   // the same
  std::optional<Paint> patch;  // what lies beside it and has its colour
};

// Where and under what a base is looked at.
struct BaseView {
  const View& view;
  const KindSpec& kind;
  Pose2 pose;
  double ground_in;
  const std::vector<OutlineNeighbour>& neighbours;
  const TerrainView& terrain;

  double TopHeight() const { return ground_in + kind.thickness_in; }
  double PixelsPerInch() const { return std::max(4.0, view.PixelsPerInch()); }
};

BaseColours SampleBase(const BaseView& base, const Paint& side_paint, const Paint& bar_paint) {
  const double w = base.kind.footprint.width_in;
  const double d = base.kind.footprint.depth_in;
  const double ppi = base.PixelsPerInch();
  const double cell = std::max(1 / ppi, 0.03);
  const double margin = 1 / ppi;
  const Vec2 right = Rotated({1, 0}, base.pose.heading_rad);
  const Vec2 front = Perpendicular(right);
  BaseColours out;
  out.cell_in = cell;
  std::vector<PaintColour> on_bar, on_top, bar_behind, top_behind;
  for (double y = d / 2 - margin; y > -d / 2 + margin; y -= cell) {
    const double from_front = d / 2 - y;
    if (std::abs(from_front - base.kind.bar_depth_in) < margin) continue;
    for (double x = -w / 2 + margin; x < w / 2 - margin; x += cell) {
      const Vec2 at = base.pose.origin + x * right + y * front;
      const auto c = base.view.At(at);
      if (!c) continue;
      const bool in_bar = from_front < base.kind.bar_depth_in;
      if (base.terrain.Hides(at, base.TopHeight())) {
        (in_bar ? bar_behind : top_behind).push_back(*c);
      } else {
        (in_bar ? on_bar : on_top).push_back(*c);
      }
    }
  }
  out.bar = LocalPaint(bar_paint, on_bar);
  out.top = LocalPaint(side_paint, on_top);
  out.on_bar = ColourRows(on_bar);
  out.on_top = ColourRows(on_top);
  out.bar_behind = ColourRows(bar_behind);
  out.top_behind = ColourRows(top_behind);
  return out;
}

// The colours in a ring around the base, without neighbours and terrain.
std::vector<PaintColour> SampleBeside(const BaseView& base) {
  const double w = base.kind.footprint.width_in;
  const double d = base.kind.footprint.depth_in;
  const Vec2 right = Rotated({1, 0}, base.pose.heading_rad);
  const Vec2 front = Perpendicular(right);
  std::vector<PaintColour> beside;
  constexpr double kRingFrom_in = 0.12;
  constexpr double kRingTo_in = 0.36;
  for (double y = -d / 2 - kRingTo_in; y <= d / 2 + kRingTo_in; y += 0.08) {
    for (double x = -w / 2 - kRingTo_in; x <= w / 2 + kRingTo_in; x += 0.08) {
      if (std::max(std::abs(x) - w / 2, std::abs(y) - d / 2) < kRingFrom_in) continue;
      const Vec2 at = base.pose.origin + x * right + y * front;
      if (DepthInside(base.neighbours, at) > -0.06F || base.terrain.Hides(at, base.ground_in))
        continue;
      if (const auto c = base.view.At(at)) beside.push_back(*c);
    }
  }
  return beside;
}

// At most 24 of them, evenly spread.
std::vector<PaintColour> Thinned(std::vector<PaintColour> colours) {
  constexpr std::size_t kMostSamples = 24;
  if (colours.size() <= kMostSamples) return colours;
  std::vector<PaintColour> some;
  for (std::size_t i = 0; i < kMostSamples; ++i)
    some.push_back(colours[i * colours.size() / kMostSamples]);
  return some;
}

// Reads where the outline lies along lines across it.
class OutlineReader {
 public:
  // every  how many of the lines across the outline are left out but one
  OutlineReader(const BaseView& base, const BaseColours& colours, const Ground& ground,
                const cv::Vec3d& eye, int every)
      : base_(base), colours_(colours), ground_(ground), ppi_(base.PixelsPerInch()) {
    const KindSpec& kind = base.kind;
    const Vec2 from_eye{base.pose.origin.x - eye[0], base.pose.origin.y - eye[1]};
    lean_ = from_eye * (kind.figures_height_in /
                        std::max(1.0, eye[2] - base.TopHeight() - kind.figures_height_in));
    wall_ = from_eye * (-kind.thickness_in / std::max(1.0, eye[2] - base.ground_in));
    constexpr double kReach_in = 0.2;
    step_in_ = std::max(0.5 / ppi_, 0.008);
    along_in_ = every * std::max(1 / ppi_, 0.03);
    half_ = static_cast<int>(std::ceil(kReach_in / step_in_));
    shares_ = EdgeShares(step_in_ * ppi_);
    weight_ = static_cast<float>(step_in_ * along_in_ / (AlikeLength() * AlikeLength()));
  }
  // What blur, coding and flock make alike is one piece of evidence: over this length, inches.
  double AlikeLength() const { return std::max(2.2 / ppi_, 0.06); }
  double Step() const { return step_in_; }
  double Reach() const { return half_ * step_in_; }

  std::vector<OutlinePoint> Points() const {
    std::vector<OutlinePoint> points;
    constexpr double kCorner_px = 0.8;
    for (const BaseEdge& edge : BaseEdges(base_.kind, kCorner_px / ppi_)) {
      const double length = Distance(edge.from, edge.to);
      if (length <= 0) continue;
      const int count = std::max(1, static_cast<int>(length / along_in_));
      const Line line = LineAcross(edge);
      for (int k = 0; k < count; ++k) {
        const double t = (k + 0.5) / count;
        const Vec2 at = edge.from * (1 - t) + edge.to * t;
        points.push_back({at, edge.outward, CostsAlong(edge, line, base_.pose * at)});
      }
    }
    return points;
  }

 private:
  // What all lines across one edge have in common.
  struct Line {
    Vec2 outward;  // table frame
    double lean_in = 0;
    int wall_steps = 0;
    Paint own;
    float own_figures = 0;
    std::vector<Paint> mixes;  // across the blurred edge, from the inside out
    int Zone() const { return static_cast<int>(mixes.size() / 2); }
  };
  // The samples along a line, and what each is likely to be. Rows of `count` each.
  struct Samples {
    std::vector<Vec2> at;  // table frame
    std::vector<char> seen;
    ColourRows colours;
    // Density, then minus log likelihood: as inside, as the base's wall, as outside, and as under
    // each mix of the blurred edge.
    std::vector<float> likely;
    std::size_t count = 0;
    std::span<float> Row(std::size_t row) { return std::span(likely).subspan(row * count, count); }
  };
  static constexpr std::size_t kIn = 0, kWall = 1, kOut = 2, kMixes = 3;

  Line LineAcross(const BaseEdge& edge) const {
    Line line;
    line.outward = Rotated(edge.outward, base_.pose.heading_rad);
    line.lean_in = Dot(lean_, line.outward);
    line.wall_steps =
        edge.to_own_top
            ? 0
            : static_cast<int>(std::lround(std::max(0.0, Dot(wall_, line.outward)) / step_in_));
    line.own = edge.bar_inside ? colours_.bar : colours_.top;
    line.own_figures = edge.bar_inside ? kFiguresOnBar : kFiguresOnTop;
    line.mixes = EdgeMixes(line.own, edge.to_own_top ? colours_.top : ground_.Middle(), shares_);
    return line;
  }

  // The samples' colours. Where nothing is seen: black, to be left out.
  void LookAlong(const Line& line, Vec2 at, Samples& samples) const {
    const auto n = static_cast<std::size_t>(2 * half_ + 1);
    samples.count = n;
    samples.at.resize(n);
    samples.seen.resize(n);
    std::vector<PaintColour> colours(n);
    for (std::size_t i = 0; i < n; ++i) {
      samples.at[i] = at + (-Reach() + static_cast<double>(i) * step_in_) * line.outward;
      const std::optional<PaintColour> c = base_.view.At(samples.at[i]);
      samples.seen[i] = c ? 1 : 0;
      if (c) colours[i] = *c;
    }
    samples.colours = ColourRows(colours);
  }

  // Fills `likely`.
  void Weigh(const BaseEdge& edge, const Line& line, Samples& samples) const {
    const std::size_t n = samples.count;
    const std::size_t mixes = line.mixes.size();
    samples.likely.resize((kMixes + mixes) * n);
    std::vector<float> own(n);
    std::vector<float> own_shade(n);
    Densities(line.own, samples.colours, own);
    ShadeDensities(line.own, samples.colours, own_shade);
    std::vector<float> beyond;
    std::vector<float> beyond_shade(n);
    if (edge.to_own_top) {
      beyond.resize(n);
      Densities(colours_.top, samples.colours, beyond);
      ShadeDensities(colours_.top, samples.colours, beyond_shade);
    } else {
      beyond = ground_(samples.colours);
    }
    for (std::size_t j = 0; j < mixes; ++j)
      Densities(line.mixes[j], samples.colours, samples.Row(kMixes + j));
    std::vector<float> depth(n, -1e9F);  // inside a neighbour
    if (!edge.to_own_top && !base_.neighbours.empty())
      for (std::size_t i = 0; i < n; ++i)
        depth[i] = static_cast<float>(DepthInside(base_.neighbours, samples.at[i]));
    for (std::size_t i = 0; i < n; ++i) {
      const bool behind = base_.terrain.Hides(samples.at[i], base_.TopHeight());
      const float others = behind ? kBehindTerrain : line.own_figures;
      samples.Row(kIn)[i] = MixedDensity(own[i], own_shade[i], others);
      if (edge.to_own_top) {
        samples.Row(kOut)[i] =
            MixedDensity(beyond[i], beyond_shade[i], behind ? kBehindTerrain : kFiguresOnTop);
      } else {
        constexpr float kCrowd_in = 0.15F;  // between stands: shadows, and what leans over
        const double outward_in = -Reach() + static_cast<double>(i) * step_in_;
        const bool leant_on =
            (line.lean_in > 0 && outward_in < line.lean_in) || depth[i] > -kCrowd_in;
        const float things = behind ? kBehindTerrain : leant_on ? kFiguresOnTop : kThingsOnTable;
        samples.Row(kOut)[i] = (1 - things) * beyond[i] + things * kAnyColour;
      }
      // Walls have the paint's colour in less light, or are of another colour.
      const float wall = 0.5F * own_shade[i] + 0.25F * own[i] + 0.25F * kAnyColour;
      samples.Row(kWall)[i] =
          behind ? (1 - kBehindTerrain) * wall + kBehindTerrain * kAnyColour : wall;
      for (std::size_t j = kMixes; j < kMixes + mixes; ++j)
        samples.Row(j)[i] = (1 - others) * samples.Row(j)[i] + others * kAnyColour;
    }
    constexpr float kLeast = 1e-12F;
    for (float& value : samples.likely) value += kLeast;
    cv::hal::log32f(samples.likely.data(), samples.likely.data(),
                    static_cast<int>(samples.likely.size()));
    std::vector<float> likeliest(n, -1e9F);
    for (std::size_t row = 0; row < kMixes + mixes; ++row)
      for (std::size_t i = 0; i < n; ++i)
        likeliest[i] = std::max(likeliest[i], samples.Row(row)[i]);
    constexpr float kMost = 4;  // nats: no single pixel says more
    for (std::size_t row = 0; row < kMixes + mixes; ++row)
      for (std::size_t i = 0; i < n; ++i)
        samples.Row(row)[i] = std::min(kMost, likeliest[i] - samples.Row(row)[i]) * weight_;
    HeedNeighbours(line, own, depth, samples);
    for (std::size_t i = 0; i < n; ++i) {
      if (samples.seen[i] != 0 || NearNeighbour(depth[i])) continue;
      for (std::size_t row = 0; row < kMixes + mixes; ++row) samples.Row(row)[i] = 0;
    }
  }

  bool NearNeighbour(float depth_in) const {
    constexpr double kBlur_px = 1.5;  // of lens and mosaic, either way
    return depth_in > -static_cast<float>(kBlur_px / ppi_);
  }

  // Replaces what the paint says by the neighbour's place, near and inside a neighbour.
  // own  density of each sample under the paint inside the edge
  void HeedNeighbours(const Line& line, const std::vector<float>& own,
                      const std::vector<float>& depth, Samples& samples) const {
    for (std::size_t i = 0; i < samples.count; ++i) {
      if (!NearNeighbour(depth[i])) continue;
      // So near a base of perhaps the same paint blur mixes the two. Paint does not say whose it
      // is, and what is no paint is the gap between them.
      float paint = 1;
      if (samples.seen[i] != 0) {
        const PaintColour c{samples.colours.lightness[i], samples.colours.red_green[i],
                            samples.colours.yellow_blue[i]};
        paint = (1 - line.own_figures) * own[i] / DensityOn(line.own, line.own_figures, c);
      }
      float in = 1 - std::min(1.0F, paint);
      if (depth[i] > 0) {
        constexpr float kSure_in = 0.04F;  // bases do not overlap: the deeper, the surer
        in = 2 * std::min(1.0F, depth[i] / kSure_in);
      }
      samples.Row(kIn)[i] = in * weight_;
      samples.Row(kWall)[i] = 0;
      samples.Row(kOut)[i] = 0;
      const auto zone = static_cast<std::size_t>(line.Zone());
      for (std::size_t j = 0; j < 2 * zone; ++j)
        samples.Row(kMixes + j)[i] = j < zone ? in * weight_ : 0;
    }
  }

  // at  a point of the edge, table frame
  std::vector<float> CostsAlong(const BaseEdge& edge, const Line& line, Vec2 at) const {
    Samples samples;
    LookAlong(line, at, samples);
    Weigh(edge, line, samples);
    const std::size_t n = samples.count;
    // Sums of minus log likelihood from the inner end: as inside, as wall, as outside.
    const auto summed = [&](std::size_t row) {
      std::vector<float> out(n + 1, 0);
      for (std::size_t i = 0; i < n; ++i) out[i + 1] = out[i] + samples.Row(row)[i];
      return out;
    };
    const std::vector<float> in = summed(kIn);
    const std::vector<float> wall = summed(kWall);
    const std::vector<float> out = summed(kOut);
    const int zone = line.Zone();
    const int last_sample = static_cast<int>(n);
    // The top's edge lies before sample `from`, the wall's lower edge before sample `to`.
    const auto cost_at = [&](int from, int to) {
      const int inner = std::max(0, from - zone);
      const int outer = std::min(last_sample, to + zone);
      const auto at_index = [](int i) { return static_cast<std::size_t>(i); };
      float sum = in[at_index(inner)] + (wall[at_index(to)] - wall[at_index(from)]) +
                  (out[n] - out[at_index(outer)]);
      const auto across = [&](int i, int edge_before) {
        return samples.Row(kMixes + at_index(i - edge_before + zone))[at_index(i)];
      };
      for (int q = inner; q < from; ++q) sum += across(q, from);
      for (int q = to; q < outer; ++q) sum += across(q, to);
      return sum;
    };
    std::vector<float> edges(n + 1);
    for (int i = 0; i <= last_sample; ++i)
      edges[static_cast<std::size_t>(i)] = cost_at(i, std::min(last_sample, i + line.wall_steps));
    // The mean of the edge before a sample and after it: an edge at the sample.
    std::vector<float> costs(n);
    for (std::size_t i = 0; i < n; ++i) costs[i] = 0.5F * (edges[i] + edges[i + 1]);
    return costs;
  }

  const BaseView& base_;
  const BaseColours& colours_;
  const Ground& ground_;
  double ppi_;
  Vec2 lean_;  // how far figures lean outward in the picture, inches
  Vec2 wall_;  // how wide the base's wall is seen below its top, inches
  double step_in_ = 0;
  double along_in_ = 0;
  int half_ = 0;               // steps each way
  std::vector<float> shares_;  // of the inside, across a blurred edge
  float weight_ = 0;
};

// Nats for cells being one paint rather than another, each counted alone.
double EvidenceAgainst(const ColourRows& cells, const Paint& own, const Paint& rival,
                       float own_figures, float rival_figures) {
  const std::vector<float> as_own = DensitiesOn(own, own_figures, cells);
  const std::vector<float> as_rival = DensitiesOn(rival, rival_figures, cells);
  double sum = 0;
  for (std::size_t i = 0; i < as_own.size(); ++i)
    sum += std::clamp(static_cast<double>(std::log(as_own[i] / as_rival[i])), -4.0, 4.0);
  return sum;
}

// Adds up how many cells are base, and nats for base rather than ground.
struct CellSum {
  double like = 0;
  double evidence = 0;

  void Add(const ColourRows& cells, const Paint& paint, const Ground& ground, float figures,
           float things) {
    const std::vector<float> on = DensitiesOn(paint, figures, cells);
    const std::vector<float> beside = ground(cells);
    for (std::size_t i = 0; i < on.size(); ++i) {
      like += static_cast<double>(1 - figures * kAnyColour / on[i]);
      const float ground_there = (1 - things) * beside[i] + things * kAnyColour;
      evidence += std::clamp(static_cast<double>(std::log(on[i] / ground_there)), -4.0, 4.0);
    }
  }
};

// How much of the base is in view, and how much likelier base than ground.
// alike  how many pieces of evidence one cell counts for
void WeighGround(const BaseColours& c, double alike, StandOutline& out) {
  CellSum sum;
  sum.Add(c.on_bar, c.bar, out.ground, kFiguresOnBar, kThingsOnTable);
  sum.Add(c.bar_behind, c.bar, out.ground, kBehindTerrain, kBehindTerrain);
  const CellSum bar = sum;
  sum.Add(c.on_top, c.top, out.ground, kFiguresOnTop, kThingsOnTable);
  sum.Add(c.top_behind, c.top, out.ground, kBehindTerrain, kBehindTerrain);
  const double bar_cells = static_cast<double>(c.on_bar.size() + c.bar_behind.size());
  const double all_cells = bar_cells + static_cast<double>(c.on_top.size() + c.top_behind.size());
  const double seen = CellsInView(c.on_bar, c.bar, kFiguresOnBar) +
                      CellsInView(c.on_top, c.top, kFiguresOnTop) +
                      CellsInView(c.bar_behind, c.bar, kBehindTerrain) +
                      CellsInView(c.top_behind, c.top, kBehindTerrain);
  out.bar_seen = bar_cells > 0 ? bar.like / bar_cells : 0;
  out.like = all_cells > 0 ? sum.like / all_cells : 0;
  out.visible = all_cells > 0 ? std::min(seen / all_cells, out.like) : 0;
  out.open = all_cells > 0 ? static_cast<double>(c.on_bar.size() + c.on_top.size()) / all_cells : 0;
  out.evidence = sum.evidence * alike;
  out.top_evidence = (sum.evidence - bar.evidence) * alike;
  out.top_pieces = alike * static_cast<double>(c.on_top.size());
}

// How much likelier it is that base than what else could lie there.
void WeighRivals(const BaseColours& c, const OutlineRivals& rivals, double bar_depth_px,
                 double alike, StandOutline& out) {
  out.patch_evidence = out.evidence;
  out.patch_top_evidence = out.top_evidence;
  if (c.patch) {
    Paint even = c.top;  // as even, so that evenness alone is no evidence
    even.sigma = c.patch->sigma;
    const double top_alone =
        EvidenceAgainst(c.on_top, even, *c.patch, kFiguresOnTop, kFiguresOnTop) * alike;
    out.patch_evidence =
        EvidenceAgainst(c.on_bar, c.bar, *c.patch, kFiguresOnBar, kThingsOnTable) * alike +
        top_alone;
    out.patch_top_evidence = top_alone;
  }
  out.bar_evidence = AgainstBar(c.on_bar, c.bar, c.top, c.top, bar_depth_px) * alike;
  for (const Paint& rival : rivals.bars) {
    out.bar_evidence =
        std::min(out.bar_evidence, AgainstBar(c.on_bar, c.bar, rival, c.top, bar_depth_px) * alike);
  }
  out.side_evidence = rivals.sides.empty() ? 0 : 1e9;
  for (const Paint& rival : rivals.sides) {
    out.side_evidence =
        std::min(out.side_evidence,
                 EvidenceAgainst(c.on_top, c.top, rival, kFiguresOnTop, kFiguresOnTop) * alike);
  }
}

void Move(const MotionPosterior& posterior, StandOutline& out) {
  const Pose2 pose = out.table_from_stand;
  const Vec2 moved = Rotated({posterior.mean.x, posterior.mean.y}, pose.heading_rad);
  out.table_from_stand = {pose.origin + moved,
                          WrappedAngle(pose.heading_rad + posterior.mean.turn)};
  const double c = std::cos(pose.heading_rad);
  const double s = std::sin(pose.heading_rad);
  const Cov2& v = posterior.cov;  // in the stand's own axes
  out.centre_cov = {c * c * v.xx - 2 * c * s * v.xy + s * s * v.yy,
                    c * s * (v.xx - v.yy) + (c * c - s * s) * v.xy,
                    s * s * v.xx + 2 * c * s * v.xy + c * c * v.yy};
  out.heading_sigma_rad = std::sqrt(posterior.turn_var);
}

}  // namespace

double DepthInside(const std::vector<OutlineNeighbour>& neighbours, Vec2 at) {
  double depth = -1e9;
  for (const OutlineNeighbour& n : neighbours) {
    const Vec2 off = at - n.centre;
    depth = std::max(depth, std::min(n.footprint.width_in / 2 - std::abs(Dot(off, n.right)),
                                     n.footprint.depth_in / 2 - std::abs(Cross(n.right, off))));
  }
  return depth;
}

StandOutline FitOutline(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                        const Paint& side_paint, const Paint& bar_paint, const Pose2& start,
                        double ground_in, const std::vector<OutlineNeighbour>& neighbours,
                        const OutlineRivals& rivals, const TerrainView& terrain) {
  const cv::Vec3d eye = CameraCentre(camera);
  StandOutline out;
  out.table_from_stand = start;
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    const Pose2 pose = out.table_from_stand;
    const View view(bgr, camera, pose.origin, ground_in + kind.thickness_in);
    const BaseView base{view, kind, pose, ground_in, neighbours, terrain};
    BaseColours colours = SampleBase(base, side_paint, bar_paint);
    std::vector<PaintColour> beside = SampleBeside(base);
    colours.patch = PatchLike(colours.top, beside);
    out.top = colours.top;
    out.ground = Ground(Thinned(std::move(beside)));

    // One line in three is enough to find the place by.
    const bool last = round + 1 == kRounds;
    const OutlineReader reader(base, colours, out.ground, eye, last ? 1 : 3);
    const OutlineCost cost(reader.Points(), reader.Reach(), reader.Step());
    if (!last) {
      Move({LikeliestMotion(cost), {}, 0}, out);
      continue;
    }
    Move(SumOverMotions(cost), out);

    const double alike =
        colours.cell_in * colours.cell_in / (reader.AlikeLength() * reader.AlikeLength());
    // A figure, its shadow, a patch of flock: what covers one piece covers its neighbours, too.
    constexpr double kFigure_in = 0.2;
    out.independent = std::min(1.0, std::pow(reader.AlikeLength() / kFigure_in, 2));
    WeighGround(colours, alike, out);
    WeighRivals(colours, rivals, kind.bar_depth_in * base.PixelsPerInch(), alike, out);
  }
  return out;
}

}  // namespace fos
