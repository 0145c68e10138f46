#include "vision/stands/stand_outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "vision/appearance/local_colours.h"

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
    if (!(x >= 0 && y >= 0 && x < bgr_.cols - 1 && y < bgr_.rows - 1)) return std::nullopt;
    const int xi = static_cast<int>(x);
    const int yi = static_cast<int>(y);
    const float fx = static_cast<float>(x - xi);
    const float fy = static_cast<float>(y - yi);
    const auto* upper = bgr_.ptr<cv::Vec3b>(yi) + xi;
    const auto* lower = bgr_.ptr<cv::Vec3b>(yi + 1) + xi;
    cv::Vec3b mixed;
    for (int k = 0; k < 3; ++k) {
      const float a =
          static_cast<float>(upper[0][k]) * (1 - fx) + static_cast<float>(upper[1][k]) * fx;
      const float b =
          static_cast<float>(lower[0][k]) * (1 - fx) + static_cast<float>(lower[1][k]) * fx;
      mixed[k] = cv::saturate_cast<std::uint8_t>(a * (1 - fy) + b * fy);
    }
    return PaintColourOf(mixed);
  }

 private:
  const cv::Mat& bgr_;
  Vec2 centre_;
  double x_px_ = 0, y_px_ = 0, xx_ = 0, yx_ = 0, xy_ = 0, yy_ = 0;
};

struct Edge {  // in the stand's own frame
  Vec2 from, to, outward;
  bool bar_inside = false;
  bool to_own_top = false;
};

// What one point of the outline says of where it lies: minus log likelihood, in steps of `step`
// outward from `-reach`.
struct OutlinePoint {
  Vec2 at;       // in the stand's own frame
  Vec2 outward;  // the same
  std::vector<float> cost;
};

struct Motion {
  double x = 0, y = 0, turn = 0;
};

class OutlineCost {
 public:
  OutlineCost(std::vector<OutlinePoint> points, double reach_in, double step_in)
      : points_(std::move(points)), reach_in_(reach_in), step_in_(step_in) {}
  double operator()(const Motion& m) const {
    double sum = 0;
    for (const OutlinePoint& p : points_) {
      const double s =
          p.outward.x * (m.x - m.turn * p.at.y) + p.outward.y * (m.y + m.turn * p.at.x);
      const double k =
          std::clamp((s + reach_in_) / step_in_, 0.0, static_cast<double>(p.cost.size()) - 1.001);
      const auto low = static_cast<std::size_t>(k);
      const double f = k - static_cast<double>(low);
      sum += static_cast<double>(p.cost[low]) * (1 - f) + static_cast<double>(p.cost[low + 1]) * f;
    }
    // The paints placed it so: beyond a tenth of an inch and five degrees it is another stand.
    constexpr double kPlaced_in = 0.1;
    constexpr double kPlaced_rad = 0.09;
    return sum + 0.5 * ((m.x * m.x + m.y * m.y) / (kPlaced_in * kPlaced_in) +
                        m.turn * m.turn / (kPlaced_rad * kPlaced_rad));
  }

 private:
  std::vector<OutlinePoint> points_;
  double reach_in_;
  double step_in_;
};

struct Spread {
  Motion mean;
  Cov2 cov;
  double turn_var = 0;
};

// The mean and covariance over poses: the lowest place of a coarse grid, then sums over a finer
// one about it.
Spread SumOver(const OutlineCost& cost, bool far) {
  Motion best;
  double least = cost(best);
  constexpr double kCoarse_in = 0.03;
  constexpr double kCoarse_rad = 0.03;
  for (int i = -4; far && i <= 4; ++i) {
    for (int j = -4; j <= 4; ++j) {
      for (int k = -3; k <= 3; ++k) {
        const Motion m{i * kCoarse_in, j * kCoarse_in, k * kCoarse_rad};
        const double c = cost(m);
        if (c < least) {
          least = c;
          best = m;
        }
      }
    }
  }
  for (double reach = 0.5 * kCoarse_in; reach > 0.001; reach *= 0.5) {
    for (int round = 0; round < 8; ++round) {
      bool better = false;
      for (const Motion& way : {Motion{reach, 0, 0}, Motion{-reach, 0, 0}, Motion{0, reach, 0},
                                Motion{0, -reach, 0}, Motion{0, 0, reach}, Motion{0, 0, -reach}}) {
        const Motion m{best.x + way.x, best.y + way.y, best.turn + way.turn};
        const double c = cost(m);
        if (c < least) {
          least = c;
          best = m;
          better = true;
        }
      }
      if (!better) break;
    }
  }
  // Steps of about three quarters of a sigma.
  const auto step_of = [&](Motion way) {
    double step = 0.0015;
    for (int i = 0; i < 12; ++i) {
      const auto at = [&](double s) {
        return cost({best.x + s * way.x, best.y + s * way.y, best.turn + s * way.turn});
      };
      if (0.5 * (at(step) + at(-step)) - least > 0.25) break;
      step *= 1.4;
    }
    return step;
  };
  const double sx = step_of({1, 0, 0});
  const double sy = step_of({0, 1, 0});
  const double st = step_of({0, 0, 1});
  constexpr int kHalf = 3;
  double total = 0;
  Motion mean;
  std::array<double, 4> second{};  // xx, xy, yy, turn turn, about the lowest place
  for (int i = -kHalf; i <= kHalf; ++i) {
    for (int j = -kHalf; j <= kHalf; ++j) {
      for (int k = -kHalf; k <= kHalf; ++k) {
        const double dx = i * sx;
        const double dy = j * sy;
        const double dt = k * st;
        const double w = std::exp(least - cost({best.x + dx, best.y + dy, best.turn + dt}));
        total += w;
        mean.x += w * dx;
        mean.y += w * dy;
        mean.turn += w * dt;
        second[0] += w * dx * dx;
        second[1] += w * dx * dy;
        second[2] += w * dy * dy;
        second[3] += w * dt * dt;
      }
    }
  }
  mean = {mean.x / total, mean.y / total, mean.turn / total};
  const Cov2 cov{second[0] / total - mean.x * mean.x, second[1] / total - mean.x * mean.y,
                 second[2] / total - mean.y * mean.y};
  return {{best.x + mean.x, best.y + mean.y, best.turn + mean.turn},
          cov,
          second[3] / total - mean.turn * mean.turn};
}

// The colours that blur makes on an edge, in steps across it from the inside out: without them a
// bright paint that runs out into the ground passes for the same paint in shade, and the edge for
// lying a pixel or two further out.
std::vector<Paint> EdgeMixes(const Paint& inside, const Paint& outside, double step_px) {
  constexpr double kReach_px = 1.5;  // beyond it nine tenths are of one side
  const int reach = std::max(1, static_cast<int>(std::lround(kReach_px / step_px)));
  std::vector<Paint> out;
  for (int j = -reach; j < reach; ++j) {
    const double share = 0.5 * std::erfc((j + 0.5) * step_px * M_SQRT1_2 / kColourBlur_px);
    out.push_back(Mixed(inside, outside, static_cast<float>(share)));
  }
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

}  // namespace

double DepthInside(const std::vector<OutlineNeighbour>& neighbours, Vec2 at) {
  double depth = -1e9;
  for (const OutlineNeighbour& n : neighbours) {
    const Vec2 own = n.stand_from_table * at;
    depth = std::max(depth, std::min(n.footprint.width_in / 2 - std::abs(own.x),
                                     n.footprint.depth_in / 2 - std::abs(own.y)));
  }
  return depth;
}

StandOutline FitOutline(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                        const Paint& side_paint, const Paint& bar_paint, const Pose2& start,
                        double ground_in, const std::vector<OutlineNeighbour>& neighbours,
                        const OutlineRivals& rivals, const TerrainView& terrain) {
  const double w = kind.footprint.width_in;
  const double d = kind.footprint.depth_in;
  const double top_in = ground_in + kind.thickness_in;
  const cv::Vec3d eye = CameraCentre(camera);
  StandOutline out;
  out.table_from_stand = start;
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    const Pose2 pose = out.table_from_stand;
    const View view(bgr, camera, pose.origin, top_in);
    const double ppi = std::max(4.0, view.PixelsPerInch());

    // The colours just here.
    const double cell = std::max(1 / ppi, 0.03);
    std::vector<PaintColour> on_bar;
    std::vector<PaintColour> on_top;
    std::vector<PaintColour> bar_behind;  // the same, behind terrain
    std::vector<PaintColour> top_behind;
    const double margin = 1 / ppi;
    for (double y = d / 2 - margin; y > -d / 2 + margin; y -= cell) {
      const double from_front = d / 2 - y;
      if (std::abs(from_front - kind.bar_depth_in) < margin) continue;
      for (double x = -w / 2 + margin; x < w / 2 - margin; x += cell) {
        const Vec2 at = pose * Vec2{x, y};
        const auto c = view.At(at);
        if (!c) continue;
        const bool in_bar = from_front < kind.bar_depth_in;
        if (terrain.Hides(at, top_in)) {
          (in_bar ? bar_behind : top_behind).push_back(*c);
        } else {
          (in_bar ? on_bar : on_top).push_back(*c);
        }
      }
    }
    const Paint bar = LocalPaint(bar_paint, on_bar);
    const Paint top = LocalPaint(side_paint, on_top);
    out.top = top;
    std::vector<PaintColour> beside;
    constexpr double kRingFrom_in = 0.12;
    constexpr double kRingTo_in = 0.36;
    for (double y = -d / 2 - kRingTo_in; y <= d / 2 + kRingTo_in; y += 0.08) {
      for (double x = -w / 2 - kRingTo_in; x <= w / 2 + kRingTo_in; x += 0.08) {
        if (std::max(std::abs(x) - w / 2, std::abs(y) - d / 2) < kRingFrom_in) continue;
        const Vec2 at = pose * Vec2{x, y};
        if (DepthInside(neighbours, at) > -0.06F || terrain.Hides(at, ground_in)) continue;
        if (const auto c = view.At(at)) beside.push_back(*c);
      }
    }
    const std::optional<Paint> patch = PatchLike(top, beside);
    constexpr std::size_t kMostSamples = 24;
    if (beside.size() > kMostSamples) {
      std::vector<PaintColour> some;
      for (std::size_t i = 0; i < kMostSamples; ++i)
        some.push_back(beside[i * beside.size() / kMostSamples]);
      beside = std::move(some);
    }
    out.ground = Ground(std::move(beside));
    const Ground& ground = out.ground;
    // How far figures lean outward, and how wide the base's own wall is seen below its top.
    const Vec2 from_eye{pose.origin.x - eye[0], pose.origin.y - eye[1]};
    const Vec2 lean = from_eye * (kind.figures_height_in /
                                  std::max(1.0, eye[2] - top_in - kind.figures_height_in));
    const Vec2 wall = from_eye * (-kind.thickness_in / std::max(1.0, eye[2] - ground_in));

    const double by = d / 2 - kind.bar_depth_in;
    const double corner = 0.8 / ppi;
    const std::array<Edge, 7> edges{{
        {{-w / 2 + corner, d / 2}, {w / 2 - corner, d / 2}, {0, 1}, true, false},
        {{-w / 2 + corner, by}, {w / 2 - corner, by}, {0, -1}, true, true},
        {{-w / 2 + corner, -d / 2}, {w / 2 - corner, -d / 2}, {0, -1}, false, false},
        {{-w / 2, d / 2 - corner}, {-w / 2, by + 0.5 * corner}, {-1, 0}, true, false},
        {{w / 2, d / 2 - corner}, {w / 2, by + 0.5 * corner}, {1, 0}, true, false},
        {{-w / 2, by - corner}, {-w / 2, -d / 2 + corner}, {-1, 0}, false, false},
        {{w / 2, by - corner}, {w / 2, -d / 2 + corner}, {1, 0}, false, false},
    }};
    constexpr double kReach_in = 0.2;
    constexpr double kCrowd_in = 0.15;  // between two stands lie their shadows and what leans over
    constexpr double kBlur_px = 1.5;    // of lens and mosaic, either way
    const double step = std::max(0.5 / ppi, 0.008);
    const double along = std::max(1 / ppi, 0.03);
    const int half = static_cast<int>(std::ceil(kReach_in / step));
    const double reach = half * step;
    // What blur, coding and flock make alike is one piece of evidence.
    const double alike_in = std::max(2.2 / ppi, 0.06);
    const float weight = static_cast<float>(step * along / (alike_in * alike_in));

    std::vector<OutlinePoint> points;
    for (const Edge& edge : edges) {
      const double length = Distance(edge.from, edge.to);
      if (length <= 0) continue;
      const int count = std::max(1, static_cast<int>(length / along));
      const Vec2 outward = Rotated(edge.outward, pose.heading_rad);
      const double lean_in = Dot(lean, outward);
      const int wall_steps =
          edge.to_own_top ? 0
                          : static_cast<int>(std::lround(std::max(0.0, Dot(wall, outward)) / step));
      const Paint& own = edge.bar_inside ? bar : top;
      const float own_figures = edge.bar_inside ? kFiguresOnBar : kFiguresOnTop;
      const std::vector<Paint> mixes =
          EdgeMixes(own, edge.to_own_top ? top : ground.Middle(), step * ppi);
      const int zone = static_cast<int>(mixes.size() / 2);
      for (int k = 0; k < count; ++k) {
        const double t = (k + 0.5) / count;
        OutlinePoint point;
        point.at = edge.from * (1 - t) + edge.to * t;
        point.outward = edge.outward;
        const Vec2 at = pose * point.at;
        const int n = 2 * half + 1;
        // Sums of minus log likelihood from the inner end: as inside, as wall, as outside.
        std::vector<float> in(static_cast<std::size_t>(n) + 1, 0);
        std::vector<float> side(static_cast<std::size_t>(n) + 1, 0);
        std::vector<float> away(static_cast<std::size_t>(n) + 1, 0);
        // Of each sample, as blurred across an edge that lies so far from it.
        std::vector<float> mixed(static_cast<std::size_t>(n) * mixes.size(), 0);
        for (int i = 0; i < n; ++i) {
          const auto u = static_cast<std::size_t>(i);
          const double s = -reach + i * step;
          const Vec2 here = at + s * outward;
          const auto c = view.At(here);
          float a = 0, b = 0, o = 0;
          float* const blurred = mixed.data() + u * mixes.size();
          if (c) {
            const bool behind = terrain.Hides(here, top_in);
            const float inside = DensityOn(own, behind ? kBehindTerrain : own_figures, *c);
            float outside;
            if (edge.to_own_top) {
              outside = DensityOn(top, behind ? kBehindTerrain : kFiguresOnTop, *c);
            } else {
              const bool leant_on =
                  (lean_in > 0 && s < lean_in) || DepthInside(neighbours, here) > -kCrowd_in;
              const float things = behind     ? kBehindTerrain
                                   : leant_on ? kFiguresOnTop
                                              : kThingsOnTable;
              outside = (1 - things) * ground(*c) + things * kAnyColour;
            }
            // Walls have the paint's colour in less light, or none at all.
            float between =
                0.5F * ShadeDensity(own, *c) + 0.25F * Density(own, *c) + 0.25F * kAnyColour;
            if (behind) between = (1 - kBehindTerrain) * between + kBehindTerrain * kAnyColour;
            constexpr float kMost = 4;  // nats: no pixel is surer than that
            float likeliest = std::max({inside, outside, between, 1e-12F});
            const float others = behind ? kBehindTerrain : own_figures;
            for (std::size_t j = 0; j < mixes.size(); ++j) {
              blurred[j] = (1 - others) * Density(mixes[j], *c) + others * kAnyColour;
              likeliest = std::max(likeliest, blurred[j]);
            }
            const float base = std::log(likeliest);
            a = std::min(kMost, base - std::log(inside + 1e-12F));
            b = std::min(kMost, base - std::log(between + 1e-12F));
            o = std::min(kMost, base - std::log(outside + 1e-12F));
            for (std::size_t j = 0; j < mixes.size(); ++j)
              blurred[j] = std::min(kMost, base - std::log(blurred[j])) * weight;
          }
          if (!edge.to_own_top) {
            const auto depth = static_cast<float>(DepthInside(neighbours, here));
            const bool mixes_with_it = depth > -static_cast<float>(kBlur_px / ppi);
            if (mixes_with_it) {
              // So near a base of perhaps the same paint blur mixes the two: paint says nothing of
              // whose it is, and what is no paint is the gap between them.
              const float paint =
                  c ? (1 - own_figures) * Density(own, *c) / DensityOn(own, own_figures, *c) : 1;
              a = 1 - std::min(1.0F, paint);
              b = o = 0;
            }
            if (depth > 0) {
              // Somebody else's place: the deeper the surer.
              constexpr float kSure_in = 0.04F;
              a = 2 * std::min(1.0F, depth / kSure_in);
              b = o = 0;
            }
            for (int j = 0; mixes_with_it && j < 2 * zone; ++j)
              blurred[j] = (j < zone ? a : o) * weight;
          }
          in[u + 1] = in[u] + a * weight;
          side[u + 1] = side[u] + b * weight;
          away[u + 1] = away[u] + o * weight;
        }
        point.cost.resize(static_cast<std::size_t>(n));
        for (int i = 0; i < n; ++i) {
          // The edge lies before sample i: half a step too far in, made good by half a sample.
          const auto u = static_cast<std::size_t>(i);
          const auto v = static_cast<std::size_t>(std::min(n, i + wall_steps));
          const auto cost_at = [&](std::size_t from, std::size_t to) {
            const int first = static_cast<int>(from);
            const int last = static_cast<int>(to);
            const int inner = std::max(0, first - zone);
            const int outer = std::min(n, last + zone);
            float sum = in[static_cast<std::size_t>(inner)] + (side[to] - side[from]) +
                        (away[static_cast<std::size_t>(n)] - away[static_cast<std::size_t>(outer)]);
            const auto across = [&](int sample, int edge_before) {
              return mixed[static_cast<std::size_t>(sample) * mixes.size() +
                           static_cast<std::size_t>(sample - edge_before + zone)];
            };
            for (int q = inner; q < first; ++q) sum += across(q, first);
            for (int q = last; q < outer; ++q) sum += across(q, last);
            return sum;
          };
          point.cost[u] =
              0.5F * (cost_at(u, v) + cost_at(u + 1, std::min(static_cast<std::size_t>(n), v + 1)));
        }
        points.push_back(std::move(point));
      }
    }

    const Spread spread = SumOver(OutlineCost(std::move(points), reach, step), round == 0);
    const Vec2 moved = Rotated({spread.mean.x, spread.mean.y}, pose.heading_rad);
    out.table_from_stand = {pose.origin + moved, WrappedAngle(pose.heading_rad + spread.mean.turn)};
    const double c = std::cos(pose.heading_rad);
    const double s = std::sin(pose.heading_rad);
    const Cov2& v = spread.cov;  // in the stand's own axes
    out.centre_cov = {c * c * v.xx - 2 * c * s * v.xy + s * s * v.yy,
                      c * s * (v.xx - v.yy) + (c * c - s * s) * v.xy,
                      s * s * v.xx + 2 * c * s * v.xy + c * c * v.yy};
    out.heading_sigma_rad = std::sqrt(spread.turn_var);

    // How much of it is base, and how much likelier base than ground.
    double like = 0;
    double bar_sum = 0;
    double evidence = 0;
    const auto weigh = [&](const std::vector<PaintColour>& cells, const Paint& paint, float figures,
                           float things) {
      double sum = 0;
      for (const PaintColour colour : cells) {
        const float all = DensityOn(paint, figures, colour);
        sum += static_cast<double>(1 - figures * kAnyColour / all);
        const float ground_there = (1 - things) * ground(colour) + things * kAnyColour;
        evidence += std::clamp(
            std::log(static_cast<double>(all) / static_cast<double>(ground_there)), -4.0, 4.0);
      }
      return sum;
    };
    bar_sum = weigh(on_bar, bar, kFiguresOnBar, kThingsOnTable) +
              weigh(bar_behind, bar, kBehindTerrain, kBehindTerrain);
    const double bar_part = evidence;
    like = bar_sum + weigh(on_top, top, kFiguresOnTop, kThingsOnTable) +
           weigh(top_behind, top, kBehindTerrain, kBehindTerrain);
    const double top_evidence = evidence - bar_part;
    const auto bar_cells = static_cast<double>(on_bar.size() + bar_behind.size());
    const double all_cells = bar_cells + static_cast<double>(on_top.size() + top_behind.size());
    out.bar_seen = bar_cells > 0 ? bar_sum / bar_cells : 0;
    out.like = all_cells > 0 ? like / all_cells : 0;
    const double seen =
        CellsInView(on_bar, bar, kFiguresOnBar) + CellsInView(on_top, top, kFiguresOnTop) +
        CellsInView(bar_behind, bar, kBehindTerrain) + CellsInView(top_behind, top, kBehindTerrain);
    out.visible = all_cells > 0 ? std::min(seen / all_cells, out.like) : 0;
    out.open = all_cells > 0 ? static_cast<double>(on_bar.size() + on_top.size()) / all_cells : 0;
    const double alike = cell * cell / (alike_in * alike_in);
    out.evidence = evidence * alike;
    const auto against = [&](const std::vector<PaintColour>& cells, const Paint& own,
                             const Paint& rival, float own_figures, float rival_figures) {
      double sum = 0;
      for (const PaintColour colour : cells) {
        const float ratio =
            DensityOn(own, own_figures, colour) / DensityOn(rival, rival_figures, colour);
        sum += std::clamp(std::log(static_cast<double>(ratio)), -4.0, 4.0);
      }
      return sum * alike;
    };
    out.top_evidence = top_evidence * alike;
    out.top_pieces = alike * static_cast<double>(on_top.size());
    out.patch_evidence = out.evidence;
    out.patch_top_evidence = out.top_evidence;
    if (patch) {
      Paint even = top;  // as even, so that evenness alone is no evidence
      even.sigma = patch->sigma;
      const double top_alone = against(on_top, even, *patch, kFiguresOnTop, kFiguresOnTop);
      out.patch_evidence = against(on_bar, bar, *patch, kFiguresOnBar, kThingsOnTable) + top_alone;
      out.patch_top_evidence = top_alone;
    }
    out.bar_evidence = AgainstBar(on_bar, bar, top, top, kind.bar_depth_in * ppi) * alike;
    for (const Paint& rival : rivals.bars) {
      out.bar_evidence = std::min(
          out.bar_evidence, AgainstBar(on_bar, bar, rival, top, kind.bar_depth_in * ppi) * alike);
    }
    out.side_evidence = rivals.sides.empty() ? 0 : 1e9;
    for (const Paint& rival : rivals.sides) {
      out.side_evidence =
          std::min(out.side_evidence, against(on_top, top, rival, kFiguresOnTop, kFiguresOnTop));
    }
  }
  return out;
}

}  // namespace fos
