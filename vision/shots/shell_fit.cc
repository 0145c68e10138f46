#include "vision/shots/shell_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "engine/table/quantile.h"

namespace fos {
namespace {

cv::Vec3f LabOf(const cv::Vec3f& bgr) {
  cv::Mat pixel(1, 1, CV_32FC3, cv::Scalar(bgr[0] / 255.0, bgr[1] / 255.0, bgr[2] / 255.0));
  cv::Mat lab;
  cv::cvtColor(pixel, lab, cv::COLOR_BGR2Lab);
  return lab.at<cv::Vec3f>(0, 0);
}

constexpr double kColourless = 15;  // chroma in Lab below which a paint has no hue to go by

// Is a colour as seen one that the nominal paint may have under lamps from 2,700 K to 6,500 K and a
// webcam's white balance? These turn the hue by up to about 40 degrees and wash it out to a third
// (paints and lamps of the sample clips); a paint without hue is only told by its lightness. Little
// light takes of its chroma what it takes of L* + 16 (CIE 15: both go with the light's cube root).
bool MayBe(const cv::Vec3f& seen, Colour nominal) {
  const cv::Vec3f a = LabOf(seen);
  const cv::Vec3f b = LabOf({static_cast<float>(nominal.b), static_cast<float>(nominal.g),
                             static_cast<float>(nominal.r)});
  const double chroma_a = std::hypot(a[1], a[2]);
  const double chroma_b = std::hypot(b[1], b[2]);
  if (chroma_b < kColourless) return chroma_a < 2 * kColourless;
  const double dimmed = std::min((a[0] + 16.0) / (b[0] + 16.0), 1.0);
  if (chroma_a < dimmed * chroma_b / 3) return false;
  const double cosine = (a[1] * b[1] + a[2] * b[2]) / (chroma_a * chroma_b);
  return cosine > std::cos(40 * std::numbers::pi / 180);
}

// Could a pixel be what was there before, only dimmer? Then it is the block's own shadow as like as
// not.
bool MayBeShade(const cv::Vec3f& after, const cv::Vec3f& before, double threshold) {
  const float bb = std::max(before.dot(before), 1.f);
  const float dimmed = after.dot(before) / bb;
  return dimmed < 1 && cv::norm(after - dimmed * before) < threshold / 2;
}

double Luma(const cv::Vec3f& c) { return 0.114 * c[0] + 0.587 * c[1] + 0.299 * c[2]; }

// Where a point (x, y, z) appears on the level of the patch.
Vec2 SeenAt(const cv::Vec3d& eye, double level_in, Vec2 at, double z_in) {
  const Vec2 foot{eye[0], eye[1]};
  return foot + ((eye[2] - level_in) / (eye[2] - z_in)) * (at - foot);
}

// Is it darker within half of `reach_in` about a place than in the ring from there to `reach_in`? A
// mark is; a ball of wool is lightest in its middle and falls off towards its rim all round, so
// that the mean place of what is dark there is its middle too.
bool DarkInTheMiddle(const PatchPair& patch, Vec2 place, double reach_in) {
  double sums[2] = {0, 0};
  int counts[2] = {0, 0};
  const cv::Point2d at = patch.grid.FromTable(place);
  const int reach_px = static_cast<int>(reach_in * patch.grid.PixelsPerInch()) + 1;
  for (int row = std::max(0, static_cast<int>(at.y) - reach_px);
       row <= std::min(patch.after.rows - 1, static_cast<int>(at.y) + reach_px); ++row) {
    for (int column = std::max(0, static_cast<int>(at.x) - reach_px);
         column <= std::min(patch.after.cols - 1, static_cast<int>(at.x) + reach_px); ++column) {
      const double off = Distance(
          patch.grid.ToTable({static_cast<double>(column), static_cast<double>(row)}), place);
      if (off > reach_in) continue;
      const int ring = off > reach_in / 2 ? 1 : 0;
      sums[ring] += Luma(patch.after.at<cv::Vec3f>(row, column));
      ++counts[ring];
    }
  }
  return counts[0] > 0 && counts[1] > 0 && sums[0] / counts[0] < sums[1] / counts[1];
}

struct Silhouette {
  double area_in2 = 0;
  Vec2 from_top;  // of its centroid from the top's centre
};
// The block's outline as seen: its top on the patch's level, its bottom displaced by parallax.
Silhouette SilhouetteAt(const cv::Vec3d& eye, Vec2 centre, const ShellShape& shape,
                        double level_in) {
  std::vector<cv::Point2f> corners;
  const double h = shape.size_in / 2;
  for (const double z : {level_in, level_in - shape.thickness_in}) {
    for (const Vec2 d : {Vec2{-h, -h}, Vec2{h, -h}, Vec2{h, h}, Vec2{-h, h}}) {
      const Vec2 p = SeenAt(eye, level_in, centre + d, z) - centre;
      corners.emplace_back(static_cast<float>(p.x), static_cast<float>(p.y));
    }
  }
  std::vector<cv::Point2f> hull;
  cv::convexHull(corners, hull);
  const cv::Moments m = cv::moments(hull);
  Silhouette out;
  out.area_in2 = std::abs(m.m00);
  if (out.area_in2 > 0) out.from_top = {m.m10 / m.m00, m.m01 / m.m00};
  return out;
}

// The pieces of what changed that may be a shell's by colour and size.
struct Pieces {
  cv::Mat changed;  // CV_8UC1, 255 where the body's colour came
  cv::Mat labels;   // CV_32SC1
  cv::Mat centroids;
  std::vector<int> likely;  // labels, the largest first
};

// How much wider than it is a coloured thing may look: webcams give colour at half the resolution,
// and what that leaves of it spreads over a colour pixel, two of the picture's, on every side.
double ColourSpread(const PatchPair& patch) { return 2 / patch.picture_ppi; }

Pieces FindPieces(const PatchPair& patch, const ProjectileSpec& spec, const ShellShape& shape,
                  double threshold) {
  Pieces out;
  const double ppi = patch.grid.PixelsPerInch();
  out.changed = cv::Mat(patch.after.size(), CV_8UC1, cv::Scalar(0));
  for (int row = 0; row < out.changed.rows; ++row) {
    const auto* a = patch.after.ptr<cv::Vec3f>(row);
    const auto* b = patch.before.ptr<cv::Vec3f>(row);
    const auto* m = patch.mask.ptr<std::uint8_t>(row);
    auto* to = out.changed.ptr<std::uint8_t>(row);
    for (int column = 0; column < out.changed.cols; ++column) {
      const bool differs = m[column] != 0 && LargestGap(a[column], b[column]) > threshold;
      to[column] =
          differs && !MayBeShade(a[column], b[column], threshold) && MayBe(a[column], spec.body)
              ? 255
              : 0;
    }
  }
  cv::Mat stats;
  const int count =
      cv::connectedComponentsWithStats(out.changed, out.labels, stats, out.centroids, 8);
  const double full_px = shape.size_in * shape.size_in * ppi * ppi;
  const double spread = 1 + 2 * ColourSpread(patch) / shape.size_in;
  std::vector<std::pair<int, int>> by_area;
  for (int i = 1; i < count; ++i) {
    const int area = stats.at<int>(i, cv::CC_STAT_AREA);
    const int width = stats.at<int>(i, cv::CC_STAT_WIDTH);
    const int height = stats.at<int>(i, cv::CC_STAT_HEIGHT);
    // A flat square with its sides and a pixel of blur about it is under three times its top, and
    // under twice its diagonal across; partly hidden it may be a quarter.
    const double widest_px = 2 * std::numbers::sqrt2 * shape.size_in * ppi;
    if (area > 0.25 * full_px && area < std::max(3.0, 1.2 * spread * spread) * full_px &&
        width < widest_px && height < widest_px &&
        std::max(width, height) < 2.2 * std::min(width, height)) {
      by_area.emplace_back(area, i);
    }
  }
  std::sort(by_area.rbegin(), by_area.rend());
  for (const auto& [area, label] : by_area) out.likely.push_back(label);
  return out;
}

std::optional<ShellFit> FitPiece(const PatchPair& patch, const Pieces& pieces, int best,
                                 const ProjectileSpec& spec, const ShellShape& shape,
                                 const cv::Vec3d& eye, double ground_in, double threshold) {
  const double ppi = patch.grid.PixelsPerInch();
  const cv::Mat& changed = pieces.changed;
  const cv::Mat& labels = pieces.labels;
  const cv::Mat& centroids = pieces.centroids;
  Vec2 centre = patch.grid.ToTable({centroids.at<double>(best, 0), centroids.at<double>(best, 1)});
  // The body's colour: of the blob's pixels the third that a shadow on what was there explains
  // least.
  cv::Vec3f colour;
  {
    std::vector<std::pair<double, cv::Vec3f>> pixels;
    for (int row = 0; row < labels.rows; ++row) {
      for (int column = 0; column < labels.cols; ++column) {
        if (labels.at<int>(row, column) != best) continue;
        const cv::Vec3f a = patch.after.at<cv::Vec3f>(row, column);
        const cv::Vec3f b = patch.before.at<cv::Vec3f>(row, column);
        const cv::Vec3f beyond_shade = a - (a.dot(b) / std::max(b.dot(b), 1.f)) * b;
        pixels.emplace_back(cv::norm(beyond_shade), a);
      }
    }
    std::sort(pixels.begin(), pixels.end(),
              [](const auto& x, const auto& y) { return x.first > y.first; });
    const std::size_t count_third = std::max<std::size_t>(1, pixels.size() / 3);
    for (std::size_t i = 0; i < count_third; ++i) colour += pixels[i].second;
    colour /= static_cast<float>(count_third);
  }
  // Light does not lay a shell: a shadow dims all channels alike.
  cv::Vec3f bare;
  std::array<std::vector<double>, 3> ring;
  int bare_count = 0;
  for (int row = 0; row < labels.rows; ++row) {
    for (int column = 0; column < labels.cols; ++column) {
      if (labels.at<int>(row, column) == best) {
        bare += patch.before.at<cv::Vec3f>(row, column);
        ++bare_count;
      } else if (changed.at<std::uint8_t>(row, column) == 0) {
        const double off = Distance(
            patch.grid.ToTable({static_cast<double>(column), static_cast<double>(row)}), centre);
        if (off > 0.9 * shape.size_in && off < 1.5 * shape.size_in) {
          const cv::Vec3f& a = patch.after.at<cv::Vec3f>(row, column);
          for (std::size_t k = 0; k < 3; ++k) ring[k].push_back(a[static_cast<int>(k)]);
        }
      }
    }
  }
  if (bare_count == 0 || ring[0].empty()) return std::nullopt;
  bare /= static_cast<float>(bare_count);
  // The ring's middle colour: what lies beside it already, a straw or a base, is no part of it.
  cv::Vec3f about;
  for (std::size_t k = 0; k < 3; ++k)
    about[static_cast<int>(k)] = static_cast<float>(*Quantile(std::move(ring[k]), 0.5));
  double least_ratio = 1e9;
  double most_ratio = 0;
  for (int k = 0; k < 3; ++k) {
    const double ratio = (colour[k] + 1.0) / (bare[k] + 1.0);
    least_ratio = std::min(least_ratio, ratio);
    most_ratio = std::max(most_ratio, ratio);
  }
  const bool alike = most_ratio < 1.25 * least_ratio;
  const bool may_be_shade = alike && most_ratio < 1;
  // Nor does a shadow that goes, off a base as yellow as the shell, say: it brightens all alike, by
  // no more than the lamp's share of the light, and leaves nothing darker.
  constexpr double kLampsShare = 4;
  const bool may_be_light = alike && most_ratio < kLampsShare;
  // What has come stands out from what lies about it now; what has gone stood out before, as does
  // the bar or the line across which a shell lies, whose mark then tells.
  const double stands_out = LargestGap(colour, about);
  const bool told_apart = stands_out >= 1.25 * threshold;
  const bool may_have_gone = stands_out < LargestGap(bare, about);

  ShellFit fit;
  const Silhouette expected = SilhouetteAt(eye, centre, shape, ground_in + shape.thickness_in);

  // Coverage: how far each pixel has gone from the cloth to the body's colour. Its centroid is the
  // outline's; the mark is part of the top and counts as covered.
  // Three quarters of its side reach past the square's corners; its colour may spread further.
  constexpr double kBlur_in = 0.04;  // what the corners leave room for
  const double inside_in = 0.75 * shape.size_in + std::max(ColourSpread(patch) / 2 - kBlur_in, 0.0);
  const double reach_in = inside_in + 0.12;
  double area_in2 = 0;
  double compact = 0;    // share of the coverage that a block's own square holds
  double stretched = 1;  // how much longer than wide, as the ratio of its second moments
  for (int round = 0; round < 4; ++round) {
    double sum = 0;
    Vec2 mean;
    double inside = 0;
    double contrast = 0;
    Cov2 spread;
    const cv::Point2d at = patch.grid.FromTable(centre);
    const int reach_px = static_cast<int>(reach_in * ppi) + 1;
    for (int row = std::max(0, static_cast<int>(at.y) - reach_px);
         row <= std::min(labels.rows - 1, static_cast<int>(at.y) + reach_px); ++row) {
      for (int column = std::max(0, static_cast<int>(at.x) - reach_px);
           column <= std::min(labels.cols - 1, static_cast<int>(at.x) + reach_px); ++column) {
        const Vec2 p = patch.grid.ToTable({static_cast<double>(column), static_cast<double>(row)});
        const double off = Distance(p, centre);
        if (off > reach_in || IsAnothers(patch, p)) continue;
        const cv::Vec3f b = patch.before.at<cv::Vec3f>(row, column);
        const cv::Vec3f a = patch.after.at<cv::Vec3f>(row, column);
        const cv::Vec3f full = colour - b;
        contrast = std::max<double>(contrast, cv::norm(full));
        double share = BodyShare(a, b, colour);
        // Below a third lies what noise and a coloured reflection do to the cloth, not the body.
        if (share < 1.0 / 3) share = 0;
        if (off < shape.size_in / 4) share = std::max(share, 1.0);
        sum += share;
        if (off < inside_in) inside += share;
        mean = mean + share * p;
        const Vec2 d = p - centre;
        spread = spread + share * Cov2{d.x * d.x, d.x * d.y, d.y * d.y};
      }
    }
    if (sum <= 0) return std::nullopt;
    mean = mean / sum;
    const double round_part = (spread.xx + spread.yy) / 2;
    const double long_part = std::hypot((spread.xx - spread.yy) / 2, spread.xy);
    stretched = (round_part + long_part) / std::max(round_part - long_part, 1e-9);
    area_in2 = sum / (ppi * ppi);
    compact = inside / sum;
    fit.contrast = contrast;
    centre = mean;
  }
  // A change of light has no edge: a quarter of it and more lies outside the square's corners.
  if (compact < 0.75) return std::nullopt;
  // A die is half as wide again, over twice the shell's area; a shell's own shadow adds a tenth.
  // Of few pixels an inch its colour may look wider by a colour pixel, which leaves its size open.
  const double looks_wider = std::pow(1 + ColourSpread(patch) / shape.size_in, 2);
  const double largest = std::max(1.6, looks_wider);
  if (area_in2 < 0.4 * expected.area_in2 || area_in2 > largest * expected.area_in2)
    return std::nullopt;
  const bool large = area_in2 > 1.6 * expected.area_in2;
  fit.visible = std::min(1.0, area_in2 / expected.area_in2);
  const Vec2 by_outline = centre - expected.from_top;

  // The mark: what is darker than the body about the middle of the top. Both are of one picture,
  // so that the body's unevenness and noise are all that could pass for one; where an inch is
  // twelve pixels, a mark is hardly more than one.
  const double mark_threshold = std::max(2.0 / 3 * patch.least_change, 4 * patch.noise);
  const double body = Luma(colour);
  // The faintest mark of a whole shell took this much of its body's level where an inch was 16
  // pixels (sample clips); it grows with the pixels that it covers.
  const double pixels = patch.picture_ppi / 16;
  const double faintest = 0.04 * pixels * pixels;
  fit.faint = faintest * body < mark_threshold;
  double darkest = 0;
  double darkened = 0;
  double came = 0;
  const double bare_body = Luma(bare);
  const cv::Vec3f nominal = LabOf({static_cast<float>(spec.body.b), static_cast<float>(spec.body.g),
                                   static_cast<float>(spec.body.r)});
  fit.hued = std::hypot(nominal[1], nominal[2]) >= kColourless;
  double sum = 0;
  Vec2 mean;
  const cv::Point2d at = patch.grid.FromTable(by_outline);
  const double look_in = 0.35 * shape.size_in;  // the mark, clear of the blurred edge
  const int look_px = static_cast<int>(look_in * ppi) + 1;
  for (int row = std::max(0, static_cast<int>(at.y) - look_px);
       row <= std::min(labels.rows - 1, static_cast<int>(at.y) + look_px); ++row) {
    for (int column = std::max(0, static_cast<int>(at.x) - look_px);
         column <= std::min(labels.cols - 1, static_cast<int>(at.x) + look_px); ++column) {
      const Vec2 p = patch.grid.ToTable({static_cast<double>(column), static_cast<double>(row)});
      if (Distance(p, by_outline) > look_in) continue;
      const cv::Vec3f& a = patch.after.at<cv::Vec3f>(row, column);
      const cv::Vec3f& b = patch.before.at<cv::Vec3f>(row, column);
      // What hides a part of a white ball of wool was there before.
      if (!fit.hued && LargestGap(a, b) < threshold) continue;
      const double darker = body - Luma(a);
      darkest = std::max(darkest, darker);
      darkened = std::max(darkened, Luma(b) - Luma(a));
      came = std::max(came, darker / body - (1 - Luma(b) / std::max(bare_body, 1.0)));
      // Half of what the noise and the block's own shading reach is no mark.
      const double weight = std::max(0.0, darker - mark_threshold / 2);
      sum += weight;
      mean = mean + weight * p;
    }
  }
  // A shell's top is its body's colour or its mark's: what is whiter all over is wool or paper that
  // lends its rim the colour of the base it lies on.
  int whiter = 0;
  int on_top = 0;
  for (int row = std::max(0, static_cast<int>(at.y) - look_px);
       row <= std::min(labels.rows - 1, static_cast<int>(at.y) + look_px); ++row) {
    for (int column = std::max(0, static_cast<int>(at.x) - look_px);
         column <= std::min(labels.cols - 1, static_cast<int>(at.x) + look_px); ++column) {
      const cv::Vec3f& a = patch.after.at<cv::Vec3f>(row, column);
      ++on_top;
      whiter += Luma(a) > 1.25 * body && !MayBe(a, spec.body) ? 1 : 0;
    }
  }
  if (whiter > 0.2 * on_top) return std::nullopt;
  fit.centre = by_outline;
  if (darkest > mark_threshold && sum > 0) {
    mean = mean / sum;
    fit.tip_disagreement_in = Distance(mean, by_outline);
    // A lump without hue has nothing but its mark to tell it by.
    const double off_at_most =
        fit.hued ? shape.size_in / 4 : shape.size_in / 8 + 0.3 / patch.picture_ppi;
    if (fit.tip_disagreement_in < off_at_most && DarkInTheMiddle(patch, mean, look_in)) {
      fit.by_mark = true;
      // The mark is small, dark and right on the point; the outline carries shade and its own
      // sides. The weights are those of their errors on rendered shells: 0.012 in against 0.03.
      constexpr double kMarkWeight = 0.85;
      fit.centre = kMarkWeight * mean + (1 - kMarkWeight) * by_outline;
    } else {
      fit.tip_disagreement_in = 0;  // not the mark: an edge in shadow, or a round thing's rim
    }
  }
  if (may_have_gone && !fit.by_mark) return std::nullopt;
  // Light that comes or goes leaves a place as much darker than its surroundings as it was: a mark
  // that was not there has come with the block.
  constexpr double kCame =
      0.2;  // of the body's grey level; a mark hardly a pixel wide takes a quarter
  const bool mark_came = fit.by_mark && came > kCame;
  // One that lies half on a base as grey as itself does not stand out from that.
  if (!told_apart && (may_have_gone || !mark_came)) return std::nullopt;
  // Nor does one on a base of its own colour: a few pixels that coding has left another shade of it
  // are found beside a dark figure, which was there before. Both pictures are coded.
  const bool as_it_was = LargestGap(colour, bare) < 2 * threshold;
  if (fit.by_mark && as_it_was && !mark_came && darkened <= threshold) return std::nullopt;
  if (may_be_shade && !mark_came) return std::nullopt;
  if (may_be_light && !mark_came && !(fit.by_mark && darkened > threshold)) return std::nullopt;
  // Of a shell in view less than a tenth lies outside its corners (made-up tables); more does where
  // its own shadow is taken for it, which makes it larger and leaves the mark in its middle.
  // Shadow leaves it about square, too: half as much of it on one side stretches a block by less
  // than this, as the ratio of second moments; a figure's body and a swab's end by more.
  // The outline's own place is good to 0.6 pixels (one sigma, as ShellOnTable has it): of few
  // pixels an inch that is as much again.
  const double middle_in = std::hypot(0.05, 2 * 0.6 / patch.picture_ppi);
  constexpr double kStretched = 2.5;
  fit.square = stretched < kStretched;
  const bool shaded = fit.by_mark && fit.tip_disagreement_in < middle_in &&
                      area_in2 > expected.area_in2 && fit.square;
  if (large || (compact < 0.9 && !shaded)) {
    // What stands out by another colour, is about square and not only darker, as shade is whatever
    // tint coding gives it, has come. Coding may have spread it, or its shadow its tint; people
    // know.
    fit.runs_out = fit.hued && fit.square && told_apart && !alike && (most_ratio > 1 || mark_came);
    if (!fit.runs_out) return std::nullopt;
  }
  return fit;
}

}  // namespace

std::optional<ShellFit> FitShell(const PatchPair& patch, const ProjectileSpec& spec,
                                 const ShellShape& shape, const cv::Vec3d& eye, double ground_in) {
  const double threshold = std::max(patch.least_change, 4 * patch.noise);
  const Pieces pieces = FindPieces(patch, spec, shape, threshold);
  std::optional<ShellFit> doubtful;
  for (const int piece : pieces.likely) {
    const auto fit = FitPiece(patch, pieces, piece, spec, shape, eye, ground_in, threshold);
    if (fit && !fit->runs_out) return fit;
    if (fit && !doubtful) doubtful = fit;
  }
  return doubtful;
}

}  // namespace fos
