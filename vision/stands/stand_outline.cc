// SPDX-License-Identifier: MIT
#include "vision/stands/stand_outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

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
double CellsInView(const std::vector<PaintColour>& cells, const Paint& paint, float others) {
  Paint even = paint;
  even.sigma = {std::min(paint.sigma.lightness, 3.5F), std::min(paint.sigma.red_green, 2.0F),
                std::min(paint.sigma.yellow_blue, 2.0F)};
  double sum = 0;
  for (const PaintColour c : cells)
    sum += static_cast<double>(1 - others * kAnyColour / DensityOn(even, others, c));
  return sum;
}

// How much likelier these cells of a bar's place are that bar than a rival's, nats, each counted by
// itself. Few pixels deep a bar is seen through blur: half of what lies on it has the colour of the
// top in it.
double AgainstBar(const std::vector<PaintColour>& cells, const Paint& bar, const Paint& rival,
                  const Paint& top, double depth_px) {
  const auto middle = static_cast<float>(std::erf(0.5 * depth_px * M_SQRT1_2 / kColourBlur_px));
  const float aside = 0.5F * (middle + 0.5F);  // halfway to its rear edge, where it is one half
  const std::array<Paint, 3> own_seen{bar, Mixed(bar, top, middle), Mixed(bar, top, aside)};
  const std::array<Paint, 3> rival_seen{rival, Mixed(rival, top, middle), Mixed(rival, top, aside)};
  double sum = 0;
  for (const PaintColour c : cells) {
    const auto like = [c](const std::array<Paint, 3>& seen) {
      float all = 0;
      for (const Paint& paint : seen) all += DensityOn(paint, kFiguresOnBar, c) / 3;
      return static_cast<double>(all);
    };
    sum += std::clamp(std::log(like(own_seen) / like(rival_seen)), -4.0, 4.0);
  }
  return sum;
}

// The colours on and beside a base in one pose.
struct BaseColours {
  double cell_in = 0;  // spacing of the samples on the base
  std::vector<PaintColour> on_bar;
  std::vector<PaintColour> on_top;
  std::vector<PaintColour> bar_behind;  // the same, behind terrain
  std::vector<PaintColour> top_behind;
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
  for (double y = d / 2 - margin; y > -d / 2 + margin; y -= cell) {
    const double from_front = d / 2 - y;
    if (std::abs(from_front - base.kind.bar_depth_in) < margin) continue;
    for (double x = -w / 2 + margin; x < w / 2 - margin; x += cell) {
      const Vec2 at = base.pose.origin + x * right + y * front;
      const auto c = base.view.At(at);
      if (!c) continue;
      const bool in_bar = from_front < base.kind.bar_depth_in;
      if (base.terrain.Hides(at, base.TopHeight())) {
        (in_bar ? out.bar_behind : out.top_behind).push_back(*c);
      } else {
        (in_bar ? out.on_bar : out.on_top).push_back(*c);
      }
    }
  }
  out.bar = LocalPaint(bar_paint, out.on_bar);
  out.top = LocalPaint(side_paint, out.on_top);
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
  OutlineReader(const BaseView& base, const BaseColours& colours, const Ground& ground,
                const cv::Vec3d& eye)
      : base_(base), colours_(colours), ground_(ground), ppi_(base.PixelsPerInch()) {
    const KindSpec& kind = base.kind;
    const Vec2 from_eye{base.pose.origin.x - eye[0], base.pose.origin.y - eye[1]};
    lean_ = from_eye * (kind.figures_height_in /
                        std::max(1.0, eye[2] - base.TopHeight() - kind.figures_height_in));
    wall_ = from_eye * (-kind.thickness_in / std::max(1.0, eye[2] - base.ground_in));
    constexpr double kReach_in = 0.2;
    step_in_ = std::max(0.5 / ppi_, 0.008);
    along_in_ = std::max(1 / ppi_, 0.03);
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
  // Minus log likelihood of one sample: as inside, as the base's wall, as outside.
  struct Sample {
    float in = 0, wall = 0, out = 0;
  };

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

  // blurred  receives the weighted cost of the sample under each mix
  Sample ReadSample(const BaseEdge& edge, const Line& line, Vec2 here, double outward_in,
                    const PaintColour& c, float* blurred) const {
    const bool behind = base_.terrain.Hides(here, base_.TopHeight());
    const float inside = DensityOn(line.own, behind ? kBehindTerrain : line.own_figures, c);
    float outside;
    if (edge.to_own_top) {
      outside = DensityOn(colours_.top, behind ? kBehindTerrain : kFiguresOnTop, c);
    } else {
      constexpr double kCrowd_in = 0.15;  // between stands: shadows, and what leans over
      const bool leant_on = (line.lean_in > 0 && outward_in < line.lean_in) ||
                            DepthInside(base_.neighbours, here) > -kCrowd_in;
      const float things = behind ? kBehindTerrain : leant_on ? kFiguresOnTop : kThingsOnTable;
      outside = (1 - things) * ground_(c) + things * kAnyColour;
    }
    // Walls have the paint's colour in less light, or are of another colour.
    float between =
        0.5F * ShadeDensity(line.own, c) + 0.25F * Density(line.own, c) + 0.25F * kAnyColour;
    if (behind) between = (1 - kBehindTerrain) * between + kBehindTerrain * kAnyColour;
    constexpr float kMost = 4;  // nats: no single pixel says more
    float likeliest = std::max({inside, outside, between, 1e-12F});
    const float others = behind ? kBehindTerrain : line.own_figures;
    const std::size_t mixes = line.mixes.size();
    for (std::size_t j = 0; j < mixes; ++j) {
      blurred[j] = (1 - others) * Density(line.mixes[j], c) + others * kAnyColour;
      likeliest = std::max(likeliest, blurred[j]);
    }
    const float base = std::log(likeliest);
    for (std::size_t j = 0; j < mixes; ++j)
      blurred[j] = std::min(kMost, base - std::log(blurred[j])) * weight_;
    return {std::min(kMost, base - std::log(inside + 1e-12F)),
            std::min(kMost, base - std::log(between + 1e-12F)),
            std::min(kMost, base - std::log(outside + 1e-12F))};
  }

  // Replaces what the paint says by the neighbour's place, near and inside a neighbour.
  void HeedNeighbours(const Line& line, Vec2 here, const std::optional<PaintColour>& c,
                      Sample& sample, float* blurred) const {
    constexpr double kBlur_px = 1.5;  // of lens and mosaic, either way
    const auto depth = static_cast<float>(DepthInside(base_.neighbours, here));
    if (depth <= -static_cast<float>(kBlur_px / ppi_)) return;
    // So near a base of perhaps the same paint blur mixes the two. Paint does not say whose it is,
    // and what is no paint is the gap between them.
    const float paint = c ? (1 - line.own_figures) * Density(line.own, *c) /
                                DensityOn(line.own, line.own_figures, *c)
                          : 1;
    sample = {1 - std::min(1.0F, paint), 0, 0};
    if (depth > 0) {
      constexpr float kSure_in = 0.04F;  // bases do not overlap: the deeper, the surer
      sample.in = 2 * std::min(1.0F, depth / kSure_in);
    }
    const int zone = line.Zone();
    for (int j = 0; j < 2 * zone; ++j) blurred[j] = (j < zone ? sample.in : sample.out) * weight_;
  }

  // at  a point of the edge, table frame
  std::vector<float> CostsAlong(const BaseEdge& edge, const Line& line, Vec2 at) const {
    const int n = 2 * half_ + 1;
    const std::size_t mixes = line.mixes.size();
    // Sums of minus log likelihood from the inner end: as inside, as wall, as outside.
    std::vector<float> in(static_cast<std::size_t>(n) + 1, 0);
    std::vector<float> wall(static_cast<std::size_t>(n) + 1, 0);
    std::vector<float> out(static_cast<std::size_t>(n) + 1, 0);
    // Of each sample, as blurred across an edge that lies so far from it.
    std::vector<float> mixed(static_cast<std::size_t>(n) * mixes, 0);
    for (int i = 0; i < n; ++i) {
      const auto u = static_cast<std::size_t>(i);
      const double s = -Reach() + i * step_in_;
      const Vec2 here = at + s * line.outward;
      const auto c = base_.view.At(here);
      float* const blurred = mixed.data() + u * mixes;
      Sample sample;
      if (c) sample = ReadSample(edge, line, here, s, *c, blurred);
      if (!edge.to_own_top) HeedNeighbours(line, here, c, sample, blurred);
      in[u + 1] = in[u] + sample.in * weight_;
      wall[u + 1] = wall[u] + sample.wall * weight_;
      out[u + 1] = out[u] + sample.out * weight_;
    }
    const int zone = line.Zone();
    // The top's edge lies before sample `from`, the wall's lower edge before sample `to`.
    const auto cost_at = [&](std::size_t from, std::size_t to) {
      const int first = static_cast<int>(from);
      const int last = static_cast<int>(to);
      const int inner = std::max(0, first - zone);
      const int outer = std::min(n, last + zone);
      float sum = in[static_cast<std::size_t>(inner)] + (wall[to] - wall[from]) +
                  (out[static_cast<std::size_t>(n)] - out[static_cast<std::size_t>(outer)]);
      const auto across = [&](int i, int edge_before) {
        return mixed[static_cast<std::size_t>(i) * mixes +
                     static_cast<std::size_t>(i - edge_before + zone)];
      };
      for (int q = inner; q < first; ++q) sum += across(q, first);
      for (int q = last; q < outer; ++q) sum += across(q, last);
      return sum;
    };
    std::vector<float> costs(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      // The mean of the edge before sample i and after it: an edge at the sample.
      const auto u = static_cast<std::size_t>(i);
      const auto v = static_cast<std::size_t>(std::min(n, i + line.wall_steps));
      costs[u] =
          0.5F * (cost_at(u, v) + cost_at(u + 1, std::min(static_cast<std::size_t>(n), v + 1)));
    }
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
double EvidenceAgainst(const std::vector<PaintColour>& cells, const Paint& own, const Paint& rival,
                       float own_figures, float rival_figures) {
  double sum = 0;
  for (const PaintColour colour : cells) {
    const float ratio =
        DensityOn(own, own_figures, colour) / DensityOn(rival, rival_figures, colour);
    sum += std::clamp(std::log(static_cast<double>(ratio)), -4.0, 4.0);
  }
  return sum;
}

// Adds up how many cells are base, and nats for base rather than ground.
struct CellSum {
  double like = 0;
  double evidence = 0;

  void Add(const std::vector<PaintColour>& cells, const Paint& paint, const Ground& ground,
           float figures, float things) {
    double sum = 0;
    for (const PaintColour colour : cells) {
      const float all = DensityOn(paint, figures, colour);
      sum += static_cast<double>(1 - figures * kAnyColour / all);
      const float ground_there = (1 - things) * ground(colour) + things * kAnyColour;
      evidence += std::clamp(std::log(static_cast<double>(all) / static_cast<double>(ground_there)),
                             -4.0, 4.0);
    }
    like += sum;
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

    const OutlineReader reader(base, colours, out.ground, eye);
    const OutlineCost cost(reader.Points(), reader.Reach(), reader.Step());
    Move(SumOverMotions(cost, round == 0), out);

    const double alike =
        colours.cell_in * colours.cell_in / (reader.AlikeLength() * reader.AlikeLength());
    WeighGround(colours, alike, out);
    WeighRivals(colours, rivals, kind.bar_depth_in * base.PixelsPerInch(), alike, out);
  }
  return out;
}

}  // namespace fos
