// SPDX-License-Identifier: MIT
#include "vision/shots/swab_model.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <span>
#include <utility>
#include <vector>

#include "calibration/camera/response.h"
#include "engine/table/quantile.h"
#include "vision/image/in_parallel.h"
#include "vision/image/mask_shapes.h"
#include "vision/shots/change_window.h"
#include "vision/shots/four.h"
#include "vision/shots/pattern_search.h"
#include "vision/shots/place_on_table.h"
#include "vision/shots/row_part.h"
#include "vision/shots/shot_odds.h"
#include "vision/shots/swab_ends.h"

namespace fos {
namespace {

enum Part : std::size_t { kWhite, kFlank, kDip, kStick };

// What a search may change, pixels of the window.
struct Pose {
  cv::Point2d tip;
  cv::Point2d tail;
  double psf_px = 0.8;
  double dip_px = 6;
  double cotton_px = 2.6;  // radius
  double cotton_long_px = 12;
  double stick_px = 1.2;  // radius
  double bend_px = 0;
  double cap_px = 2.6;  // how far the rounding of the cotton's end reaches inward
  double taper = 0;     // how much thicker cotton is at its end than inside, of its radius
  bool rod = false;     // no swab: as thick everywhere as cotton_px says
  cv::Point2d shadow{0, 0};

  bool operator==(const Pose&) const = default;
  cv::Point2d Along() const { return (tail - tip) * (1 / cv::norm(tail - tip)); }
};
cv::Point2d Across(const cv::Point2d& along) { return {-along.y, along.x}; }

constexpr std::size_t kPoseParameters = 14;

constexpr double kBlurSigmas = 2.5;  // no picture is blurred further from what was measured

// Sizes of the swab in pixels, at this place, and what is known of them.
struct Sizes {
  double ppi = 24;
  double length_px = 72;  // at the window's middle, for proposals
  double length_in = 3;
  double length_sigma_in = 0.06;
  cv::Matx33d table_from_window = cv::Matx33d::eye();  // inches, on the level of a flat swab's axis
  double stick_px = 1.2;  // radius
  double cotton_px = 2.6;
  double cotton_long_px = 12;
  PointSpread blur;
  cv::Vec3d dip_over_white;  // the dip's light as a share of the cotton's

  double LeastBlur() const {
    constexpr double kPixel = 0.35;  // a pixel's own width
    return std::max(blur.sigma_px - kBlurSigmas * blur.doubt_px, kPixel);
  }
  double MostBlur() const { return blur.sigma_px + kBlurSigmas * blur.doubt_px; }
};

// What swabs are like, inches. Ranges and sigmas: contract, 2.2 (cotton 0.18 to 0.26 thick, about
// 0.5 long, sticks "a little bent"), with a pixel's room; dips from a touch to all of the cotton.
// Loose fibres add a fifth to thick cotton, and a dark rim of shade a pixel.
constexpr double kCottonRadius_in[] = {0.075, 0.18};
constexpr double kCottonRadiusSigma_in = 0.02;
constexpr double kCottonLong_in[] = {0.3, 0.75};
constexpr double kCottonLongSigma_in = 0.07;
constexpr double kDip_in[] = {0.05, 0.55};
constexpr double kDipMean_in = 0.25;
constexpr double kDipSigma_in = 0.12;
constexpr double kBendSigma_in = 0.06;  // twice what rolling a swab on a desk shows of a new one
// Sticks are 0.08 to 0.12 thick; to a lens out of focus they look up to half thicker or thinner.
constexpr double kStick_in[] = {0.025, 0.08};
constexpr double kStickSigma_in = 0.012;
// Cotton's end is anything between blunt, half a ball and half an egg of the cotton's length.
constexpr double kCap_in[] = {0.06, 0.3};
constexpr double kCapMean_in = 0.14;
constexpr double kCapSigma_in = 0.05;
// Pear-shaped cotton is up to a third thicker at one end than in its middle.
constexpr double kTaper[] = {-0.35, 0.35};
constexpr double kTaperSigma = 0.15;
// From a toothpick to a strip of paper.
constexpr double kRodRadius_in[] = {0.02, 0.4};
constexpr double kShadowSigma_in = 0.15;  // as far as a lamp at 45 degrees casts it, and half more
constexpr double kSoft_in = 0.02;         // fibres and the rounding blur cotton's outline by this
constexpr double kLeanSigma_in = 0.06;    // a leaning swab looks shorter or longer by about this

// Gives a swab the sizes that are expected before the picture is seen.
void Expect(const Sizes& sizes, Pose& pose) {
  pose.psf_px = sizes.blur.sigma_px;
  pose.dip_px = kDipMean_in * sizes.ppi;
  pose.cotton_px = sizes.cotton_px;
  pose.cotton_long_px = sizes.cotton_long_px;
  pose.stick_px = sizes.stick_px;
  pose.cap_px = kCapMean_in * sizes.ppi;
}

// The parameters of a pose one by one, each in pixels, so that one step fits all.
constexpr std::size_t kCoarseParameters = 9;  // a coarse search leaves the finer shape as it is
constexpr double kFine_px = 0.25;  // what is left of an end's place moves no evidence by a nat
Pose Moved(Pose pose, std::size_t parameter, double by, const Sizes& sizes) {
  const double ppi = sizes.ppi;
  const cv::Point2d u = pose.Along();
  const cv::Point2d n = Across(u);
  switch (parameter) {
    case 0: pose.tip += by * u; break;
    case 1: pose.tip += by * n; break;
    case 2: pose.tail += by * u; break;
    case 3: pose.tail += by * n; break;
    case 4: pose.dip_px = std::clamp(pose.dip_px + by, kDip_in[0] * ppi, kDip_in[1] * ppi); break;
    case 5:
      pose.cotton_px = std::clamp(pose.cotton_px + 0.3 * by,
                                  (pose.rod ? kRodRadius_in : kCottonRadius_in)[0] * ppi,
                                  (pose.rod ? kRodRadius_in : kCottonRadius_in)[1] * ppi);
      break;
    case 6: pose.psf_px = std::clamp(pose.psf_px + 0.3 * by, sizes.LeastBlur(), sizes.MostBlur()); break;
    case 7: pose.shadow += by * u; break;
    case 8: pose.shadow += by * n; break;
    case 9:
      pose.cotton_long_px =
          std::clamp(pose.cotton_long_px + by, kCottonLong_in[0] * ppi, kCottonLong_in[1] * ppi);
      break;
    case 10: pose.bend_px += 0.5 * by; break;
    case 11: pose.cap_px = std::clamp(pose.cap_px + by, kCap_in[0] * ppi, kCap_in[1] * ppi); break;
    case 12: pose.stick_px = std::clamp(pose.stick_px + 0.2 * by, kStick_in[0] * ppi, kStick_in[1] * ppi); break;
    default: pose.taper = std::clamp(pose.taper + 0.1 * by, kTaper[0], kTaper[1]); break;
  }
  return pose;
}

double LengthOf(const Pose& pose, const Sizes& sizes) {
  const auto on_table = [&](const cv::Point2d& p) {
    const cv::Vec3d h = sizes.table_from_window * cv::Vec3d(p.x, p.y, 1);
    return cv::Point2d(h[0] / h[2], h[1] / h[2]);
  };
  return cv::norm(on_table(pose.tail) - on_table(pose.tip));
}

// Sizes at the window's middle; empty where its corners do not show the table. In a window of some
// inches the lens bends nothing, so that four corners give the mapping.
std::optional<Sizes> SizesIn(const cv::Rect& window, const ShotPictures& pictures,
                             double level_in, const SwabShape& shape) {
  const TableCamera& camera = pictures.camera;
  Sizes out;
  out.blur = pictures.blur;
  std::vector<cv::Point2f> in_window;
  std::vector<cv::Point2f> on_table;
  const cv::Point corners[] = {{0, 0},
                               {window.width - 1, 0},
                               {window.width - 1, window.height - 1},
                               {0, window.height - 1}};
  Vec2 middle;
  for (const cv::Point& p : corners) {
    const ImagePoint at{static_cast<double>(window.x + p.x), static_cast<double>(window.y + p.y)};
    const auto there = TableFromImage(camera, at, level_in, 0);
    if (!there.ok()) return std::nullopt;
    in_window.emplace_back(p);
    on_table.emplace_back(static_cast<float>(there->at.x), static_cast<float>(there->at.y));
    middle = middle + 0.25 * there->at;
  }
  out.table_from_window = cv::getPerspectiveTransform(in_window, on_table);
  out.ppi = PixelsPerInch(camera, middle, level_in);
  out.blur.sigma_px = std::hypot(pictures.blur.sigma_px, kSoft_in * out.ppi);
  out.length_in = shape.length_in;
  out.length_px = shape.length_in * out.ppi;
  out.length_sigma_in = std::hypot(kLeanSigma_in, shape.length_sigma_in);
  out.stick_px = shape.stick_radius_in * out.ppi;
  out.cotton_px = shape.cotton_radius_in * out.ppi;
  out.cotton_long_px = shape.cotton_length_in * out.ppi;
  // Cotton sends back 85 % of the light.
  constexpr double kCotton = 0.85;
  const std::array<float, 256>& light = LightOfSrgbCode();
  out.dip_over_white = {light[shape.tip_paint.b] / kCotton, light[shape.tip_paint.g] / kCotton,
                        light[shape.tip_paint.r] / kCotton};
  return out;
}

struct Coverage {
  Four tip_cotton;
  Four tail_cotton;
  Four stick;
  Four All() const { return cv::v_min(tip_cotton + tail_cotton + stick, AllFour(1)); }
};

// A swab with one blur: coverage of four pixels by its parts. Most of a search's time goes here.
class Silhouette {
 public:
  Silhouette(const Pose& pose, double blur_px)
      : length_(static_cast<float>(cv::norm(pose.tail - pose.tip))),
        radius_(static_cast<float>(pose.cotton_px)),
        long_(static_cast<float>(pose.cotton_long_px)),
        stick_(static_cast<float>(pose.stick_px)),
        bend_(static_cast<float>(4 * pose.bend_px)),
        cap_(static_cast<float>(std::min(pose.cap_px, 0.5 * pose.cotton_long_px))),
        taper_(static_cast<float>(pose.taper)),
        rod_(pose.rod),
        per_blur_(static_cast<float>(1 / std::max(blur_px, 0.3))),
        faded_(4 / per_blur_) {}

  // along_px, across_px: of the pixels' centres, from the tip towards the tail. `across` becomes
  // that from the bent axis.
  Coverage At(const Four& along, Four& across) const {
    const Four none = cv::v_setzero_f32();
    const Four one = AllFour(1);
    const Four length = AllFour(length_);
    const Four t = cv::v_min(cv::v_max(along / length, none), one);
    across = across - AllFour(bend_) * t * (one - t);
    if (rod_) {
      const Four slab = Slab(across, radius_);
      const Four from = Below(along);
      const Four head = Below(along - AllFour(long_));
      const Four tail = Below(along - length + AllFour(long_));
      const Four to = Below(along - length);
      return {slab * cv::v_max(from - head, none), slab * cv::v_max(tail - to, none),
              slab * cv::v_max(head - tail, none)};
    }
    Coverage out{Cotton(along, across), Cotton(length - along, across), none};
    const Four beside = cv::v_abs(across) <= AllFour(stick_ + faded_);
    if (!cv::v_check_any(beside)) return out;
    const Four inside = Below(along - AllFour(long_)) - Below(along - length + AllFour(long_));
    const Four cotton = cv::v_min(out.tip_cotton + out.tail_cotton, one);
    out.stick =
        cv::v_min(cv::v_max(Slab(across, stick_) * inside, none), one - cotton) & beside;
    return out;
  }

 private:
  // The share of its blur that lies below so many pixels.
  Four Below(const Four& px) const { return kBelowSigmas(px * AllFour(per_blur_)); }
  Four Slab(const Four& across, float half) const {
    return Below(across + AllFour(half)) - Below(across - AllFour(half));
  }
  // From the end inward: half an ellipse, a body that may taper, half a disc.
  Four Cotton(const Four& inward, const Four& across) const {
    const Four none = cv::v_setzero_f32();
    const Four one = AllFour(1);
    const Four within =
        (inward <= AllFour(long_ + faded_)) & (inward >= AllFour(-faded_));
    if (!cv::v_check_any(within)) return none;
    const Four middle = AllFour(0.5F * long_);
    const Four radius =
        AllFour(radius_) *
        (one + AllFour(taper_) *
                   cv::v_min(cv::v_max((middle - inward) / middle, none - one), one));
    const Four low = AllFour(cap_);
    const Four high = AllFour(std::max(long_ - radius_, 0.5F * long_));
    const Four in_cap = inward < low;
    const Four in_end = inward > high;
    Four off = radius - cv::v_abs(across);  // from the outline, inward
    if (const Four round = in_cap | in_end; cv::v_check_any(round)) {
      const Four stretch = cv::v_select(in_cap, radius / low, one);
      const Four x = cv::v_select(in_cap, low - inward, inward - high) * stretch;
      const Four far = cv::v_sqrt(x * x + across * across);
      // The way to the ellipse, to first order.
      const Four least = AllFour(1e-3F);
      const Four slope =
          cv::v_sqrt(x * x * stretch * stretch + across * across) / cv::v_max(far, least);
      off = cv::v_select(round, (radius - far) / cv::v_max(slope, least), off);
    }
    return Below(off) & within;
  }

  float length_;
  float radius_;
  float long_;
  float stick_;
  float bend_;
  float cap_;
  float taper_;
  bool rod_;
  float per_blur_;
  float faded_;  // so far from an outline nothing of its blur is left
};

double Mean(const cv::Vec3d& light) { return (light[0] + light[1] + light[2]) / 3; }

class SwabModel {
 public:
  // stride  every so many rows and columns are looked at: coarse searches need not see them all.
  SwabModel(const ChangeWindow& window, const Sizes& sizes, int stride)
      : window_(window), sizes_(sizes), stride_(stride) {}

  struct Evaluation {
    double score = -1e18;  // log posterior over that of "nothing came"
    PartColours colours;
    std::size_t pixels = 0;
    double unlike_dip = 0;  // nats by which the dip's colour departs from the scenario's
  };

  Evaluation Evaluate(const Pose& pose) const {
    Evaluation out;
    const double length = LengthOf(pose, sizes_);
    constexpr double kMostSigmas = 4;
    if (!pose.rod &&
        !(std::abs(length - sizes_.length_in) <= kMostSigmas * sizes_.length_sigma_in))
      return out;
    Sample(pose);
    out.pixels = samples_.size();
    const std::size_t least_px = 60;  // less of a swab than a cotton end
    if (out.pixels * static_cast<std::size_t>(stride_ * stride_) < least_px) return out;
    // Twice: what the dip should look like follows from the cotton's light.
    const ColourSums sums(window_, samples_, SampleSize());
    auto priors = Priors();
    out.colours = sums.Solve(priors);
    if (!pose.rod) {
      const double strength = DipStrength(out.colours);
      priors[kDip] = DipPrior(out.colours.part[kWhite], strength);
      out.colours = sums.Solve(priors);
      out.unlike_dip = UnlikeDip(out.colours.part[kDip], priors[kDip], strength);
    }
    out.score = LogOverNothing(window_, samples_, out.colours, SampleSize()) +
                (pose.rod ? 0 : ColourPrior(out.colours, out.unlike_dip)) +
                ShapePrior(pose, length);
    return out;
  }

  // What the swab's own parameters cost: pose, sizes and colours known to what the picture tells.
  double Cost(const Evaluation& at) const {
    constexpr double kColours = 3 * (PixelParts::kParts + 1);
    return 0.5 * (static_cast<double>(kPoseParameters) + kColours) *
           std::log(std::max(static_cast<double>(at.pixels) / SampleSize(), 2.0));
  }
  const Sizes& Size() const { return sizes_; }
  const ChangeWindow& Window() const { return window_; }
  // Of every other row and column.
  SwabModel Coarse() const { return {window_, sizes_, 2 * stride_}; }
  Curvature<kPoseParameters> CurvatureOf(const Pose& pose) const {
    const Evaluation here = Evaluate(pose);
    const WeightedCodes about(window_, samples_, here.colours, false, SampleSize());
    return CurvatureAt<kPoseParameters>(
        pose,
        [&](const Pose& p, std::vector<float>& values) {
          const Evaluation at = Evaluate(p);
          about.Of(samples_, at.colours, values);
          return at.score;
        },
        [&](const Pose& p) { return ShapePrior(p, LengthOf(p, sizes_)); },
        [&](const Pose& p, std::size_t way, double by) { return Moved(p, way, by, sizes_); });
  }
  // The light of both ends, so far inward, apart from that of the cotton between.
  EndColours ColoursOfEnds(Pose pose, double inward_px) const {
    constexpr Part kOtherEnd = kFlank;  // both ends have the same lit flank
    pose.dip_px = inward_px;
    samples_.clear();
    EachCovered(pose, [&](PixelParts s, bool unseen) {
      if (unseen) return;
      const cv::Point2d from_tail(s.column - pose.tail.x, s.row - pose.tail.y);
      const double inward = -from_tail.dot(pose.Along());
      s.part[kOtherEnd] =
          s.part[kWhite] * BelowSigmas(static_cast<float>((inward_px - inward) / pose.psf_px));
      s.part[kWhite] -= s.part[kOtherEnd];
      samples_.push_back(s);
    });
    const ColourSums sums(window_, samples_, SampleSize());
    auto priors = Priors();
    // Either end may be paint or cotton.
    priors[kDip] = priors[kOtherEnd] = {cv::Vec3d(0.3, 0.3, 0.3), cv::Vec3d(0.4, 0.4, 0.4)};
    const PartColours colours = sums.Solve(priors);
    cv::Vec3d sigma = sums.SigmaOf(kDip, priors);
    const cv::Vec3d other = sums.SigmaOf(kOtherEnd, priors);
    for (int c = 0; c < 3; ++c) sigma[c] = std::max(sigma[c], other[c]);
    return {colours.part[kDip], colours.part[kOtherEnd], sigma};
  }
  // By how much its dip explains its pixels better than bare ground in its place.
  double DipOverBare(const Pose& pose, const PartColours& colours) const {
    Sample(pose);
    const auto score = [&] { return LogOverNothing(window_, samples_, colours, SampleSize()); };
    const double with_dip = score();
    for (PixelParts& s : samples_) {
      s.bare += s.part[kDip];
      s.part[kDip] = 0;
    }
    return with_dip - score();
  }
  // The share of its outline that nothing may hide.
  double InView(const Pose& pose) const {
    double seen = 0;
    double all = 0;
    EachCovered(pose, [&](const PixelParts& s, bool unseen) {
      all += 1 - s.bare;
      if (!unseen) seen += 1 - s.bare;
    });
    return seen / std::max(all, 1.0);
  }
  cv::Mat Picture(const Pose& pose, const PartColours& colours) const {
    Sample(pose);
    return PredictedPicture(window_, samples_, colours, false);
  }

 private:
  double SampleSize() const { return kPixelModel.SampleSize() / (stride_ * stride_); }

  void Sample(const Pose& pose) const {
    samples_.clear();
    EachCovered(pose, [&](const PixelParts& s, bool unseen) {
      if (!unseen) samples_.push_back(s);
    });
  }
  // Calls visit(PixelParts, whether something may hide it) for every pixel that it changes.
  template <typename Visit>
  void EachCovered(const Pose& pose, Visit visit) const {
    const cv::Point2d u = pose.Along();
    const double far = cv::norm(pose.shadow);
    const double reach = pose.cotton_px + 3 * pose.psf_px + far + std::abs(pose.bend_px) + 1;
    const double length = cv::norm(pose.tail - pose.tip);
    const Silhouette body(pose, pose.psf_px);
    // A lamp is no point: its shadow's edge widens with the way it falls.
    constexpr double kPenumbra = 0.35;
    const bool shaded = far > 0;
    const Silhouette cast(pose, pose.psf_px + kPenumbra * far);
    const int rows = window_.rect.height;
    const int columns = window_.rect.width;
    const auto low = [&](double a, double b) {
      return std::max(0, static_cast<int>(std::floor(std::min(a, b) - reach)));
    };
    const auto high = [&](double a, double b, int limit) {
      return std::min(limit - 1, static_cast<int>(std::ceil(std::max(a, b) + reach)));
    };
    const int last_row = high(pose.tip.y, pose.tail.y, rows);
    const int last_column = high(pose.tip.x, pose.tail.x, columns);
    const int first_column = low(pose.tip.x, pose.tail.x);
    const cv::Point2d middle = 0.5 * (pose.tip + pose.tail);
    const Four none = cv::v_setzero_f32();
    const Four one = AllFour(1);
    const auto lanes = [&](double first, double step) {
      return FourBy([&](std::size_t i) { return first + static_cast<double>(i) * step; });
    };
    const Four along_lanes = lanes(0, stride_ * u.x);
    const Four across_lanes = lanes(0, -stride_ * u.y);
    const auto shadow_along = static_cast<float>(pose.shadow.dot(u));
    const auto shadow_across = static_cast<float>(u.cross(pose.shadow));
    const Four per_blur = AllFour(static_cast<float>(1 / pose.psf_px));
    const Four dip = AllFour(static_cast<float>(pose.dip_px));
    const Four least_along = AllFour(static_cast<float>(-reach));
    const Four most_along = AllFour(static_cast<float>(length + reach));
    const Four most_across = AllFour(static_cast<float>(reach));
    for (int row = low(pose.tip.y, pose.tail.y); row <= last_row; row += stride_) {
      const RowPart part = InRectangle(u, 0.5 * length + reach, reach, row - middle.y) + middle.x;
      const int last = part.Last(first_column, last_column);
      for (int column = part.First(first_column, last_column, stride_); column <= last;
           column += kAtOnce * stride_) {
        const cv::Point2d from_tip(column - pose.tip.x, row - pose.tip.y);
        const Four along = AllFour(static_cast<float>(from_tip.dot(u))) + along_lanes;
        const Four across = AllFour(static_cast<float>(u.cross(from_tip))) + across_lanes;
        Four off = across;
        const Coverage covered = body.At(along, off);
        Four dipped = none;
        if (cv::v_check_any(covered.tip_cotton > none))
          dipped = covered.tip_cotton * kBelowSigmas((dip - along) * per_blur);
        const Four cotton = cv::v_min(covered.tip_cotton + covered.tail_cotton, one);
        const Four white = cv::v_max(cotton - dipped, none);
        const Four flank =
            (white + covered.stick) * off / AllFour(static_cast<float>(pose.cotton_px));
        const Four bare = one - covered.All();
        Four shade = none;
        if (const Four seen = bare > none; shaded && cv::v_check_any(seen)) {
          Four aside = across - AllFour(shadow_across);
          const Four cast_along = along - AllFour(shadow_along);
          shade = cast.At(cast_along, aside).All() & seen;
        }
        constexpr float kNone = 1e-3F;  // of a pixel: less than one code value
        const int shows = cv::v_signmask(
            ((bare < AllFour(1 - kNone)) | (shade > AllFour(kNone))) &
            (cv::v_abs(across) <= most_across) & (along >= least_along) & (along <= most_along));
        if (shows == 0) continue;
        const std::array<float, kAtOnce> each_white = EachOf(white);
        const std::array<float, kAtOnce> each_flank = EachOf(flank);
        const std::array<float, kAtOnce> each_dipped = EachOf(dipped);
        const std::array<float, kAtOnce> each_stick = EachOf(covered.stick);
        const std::array<float, kAtOnce> each_bare = EachOf(bare);
        const std::array<float, kAtOnce> each_shade = EachOf(shade);
        for (std::size_t i = 0; i < kAtOnce; ++i) {
          PixelParts s;
          s.row = row;
          s.column = column + static_cast<int>(i) * stride_;
          if ((shows >> i & 1) == 0 || s.column > last) continue;
          s.part[kWhite] = each_white[i];
          s.part[kFlank] = each_flank[i];
          s.part[kDip] = each_dipped[i];
          s.part[kStick] = each_stick[i];
          s.bare = each_bare[i];
          s.shade = each_shade[i];
          visit(s, window_.At(s.row, s.column).unseen);
        }
      }
    }
  }

  // Light, 0 to 1. Broad: lamp and exposure are not known, sticks may have any colour.
  static std::array<PartPrior, PixelParts::kParts> Priors() {
    const auto all = [](double v) { return cv::Vec3d(v, v, v); };
    std::array<PartPrior, PixelParts::kParts> out;
    out[kWhite] = {all(0.55), all(0.35)};
    out[kFlank] = {all(0), all(0.12), -0.3, 0.3};
    out[kDip] = {all(0.1), all(0.25)};
    out[kStick] = {all(0.45), all(0.35)};
    return out;
  }
  // What a dip looks like on cotton of that light.
  // strength  how much of the cotton its paint covers: 1 is all
  PartPrior DipPrior(const cv::Vec3d& white, double strength) const {
    // Paint soaks in and is shaded: from two fifths of the nominal light to over half more.
    const cv::Vec3d paint = white.mul(sizes_.dip_over_white);
    PartPrior out;
    out.mean = (1 - strength) * white + strength * paint;
    for (int c = 0; c < 3; ++c) out.sigma[c] = 0.06 + 0.6 * paint[c];
    return out;
  }
  // How strong a dip's paint is, by its colour. Thin paint lets the cotton show through.
  double DipStrength(const PartColours& colours) const {
    double least = 1e9;
    double out = 1;
    for (const double strength : {1.0, 0.7, 0.45}) {
      const double unlike =
          UnlikeDip(colours.part[kDip], DipPrior(colours.part[kWhite], strength), strength);
      if (unlike >= least) continue;
      least = unlike;
      out = strength;
    }
    return out;
  }

  // unlike_dip  nats
  static double ColourPrior(const PartColours& colours, double unlike_dip) {
    double log = 0;
    // Cotton is white: under any lamp a room has, its channels lie within a third of each other.
    constexpr double kWhite_share = 0.33;
    constexpr double kDark = 0.02;
    const cv::Vec3d& white = colours.part[kWhite];
    const double mean = Mean(white);
    for (int c = 0; c < 3; ++c)
      log -= 0.5 * std::pow((white[c] - mean) / (kWhite_share * mean + kDark), 2);
    // Paint takes of cotton's light and adds none. A lit end may still look a little lighter than
    // one in the shade.
    constexpr double kLighter = 1.15;
    constexpr double kNoDip = 500;
    if (Mean(colours.part[kDip]) > kLighter * mean + kDark) log -= kNoDip;
    // A dip of another colour than the scenario's is possible (it has run, or was not seen), one
    // in 3,000.
    constexpr double kUnlikeDip = 8;
    return log - std::min(unlike_dip, kUnlikeDip);
  }
  static double UnlikeDip(const cv::Vec3d& seen, const PartPrior& dip, double strength) {
    double unlike = strength < 1 ? -std::log(kSwabPriors.pale_dip) : 0;
    for (int c = 0; c < 3; ++c) unlike += 0.5 * std::pow((seen[c] - dip.mean[c]) / dip.sigma[c], 2);
    return unlike;
  }

  double ShapePrior(const Pose& pose, double length) const {
    const auto off = [](double value, double mean, double sigma) {
      return 0.5 * (value - mean) * (value - mean) / (sigma * sigma);
    };
    const double ppi = sizes_.ppi;
    if (pose.rod) {
      return -off(pose.bend_px, 0, kBendSigma_in * ppi) -
             off(pose.psf_px, sizes_.blur.sigma_px, sizes_.blur.doubt_px) -
             off(cv::norm(pose.shadow), 0, kShadowSigma_in * ppi);
    }
    return -off(length, sizes_.length_in, sizes_.length_sigma_in) -
           off(pose.cotton_px, sizes_.cotton_px, kCottonRadiusSigma_in * ppi) -
           off(pose.cotton_long_px, sizes_.cotton_long_px, kCottonLongSigma_in * ppi) -
           off(pose.dip_px, kDipMean_in * ppi, kDipSigma_in * ppi) -
           off(pose.bend_px, 0, kBendSigma_in * ppi) -
           off(pose.stick_px, sizes_.stick_px, kStickSigma_in * ppi) -
           off(pose.cap_px, kCapMean_in * ppi, kCapSigma_in * ppi) - off(pose.taper, 0, kTaperSigma) -
           off(pose.psf_px, sizes_.blur.sigma_px, sizes_.blur.doubt_px) -
           off(cv::norm(pose.shadow), 0, kShadowSigma_in * ppi);
  }

  const ChangeWindow& window_;
  Sizes sizes_;
  int stride_;
  mutable std::vector<PixelParts> samples_;
};

// Every parameter by itself, and both ends together.
Pose Refine(const SwabModel& model, const Pose& pose, double step_px, double least_px,
            std::size_t parameters) {
  const Sizes& sizes = model.Size();
  constexpr std::size_t kBothEnds = 2;
  return PatternSearch(
      pose, step_px, least_px, parameters + kBothEnds,
      [&](const Pose& p) { return model.Evaluate(p).score; },
      [&](const Pose& p, std::size_t way, double by) {
        if (way >= kBothEnds) return Moved(p, way - kBothEnds, by, sizes);
        return Moved(Moved(p, way, by, sizes), way + 2, by, sizes);
      });
}

// Ends, bend and cotton depend on each other.
Pose Polish(const SwabModel& model, const Pose& pose) {
  return NewtonSearch<kPoseParameters>(
      pose, [&](const Pose& p) { return model.Evaluate(p).score; },
      [&](const Pose& p) { return model.CurvatureOf(p); },
      [&](const Pose& p, std::size_t way, double by) { return Moved(p, way, by, model.Size()); });
}

// The shadow that explains most, of none and sixteen.
Pose WithShadow(const SwabModel& model, const Pose& pose) {
  double best = model.Evaluate(pose).score;
  Pose out = pose;
  // From grazing the cloth beside the axis to what a low lamp casts from an axis 0.11 in high.
  for (const double far_in : {0.07, 0.16}) {
    for (int k = 0; k < 8; ++k) {
      const double angle = M_PI / 4 * k;
      Pose shaded = pose;
      shaded.shadow = far_in * model.Size().ppi * cv::Point2d(std::cos(angle), std::sin(angle));
      const double score = model.Evaluate(shaded).score;
      if (score > best) {
        best = score;
        out = shaded;
      }
    }
  }
  return out;
}

// The bend that explains most as it stands.
Pose WithBend(const SwabModel& model, const Pose& pose) {
  double best = model.Evaluate(pose).score;
  Pose out = pose;
  const cv::Point2d n = Across(pose.Along());
  for (const double sigmas : {-2.5, -1.25, 1.25, 2.5}) {
    Pose bent = pose;
    bent.bend_px = sigmas * kBendSigma_in * model.Size().ppi;
    // The middle line through it stays where it was.
    bent.tip -= 2.0 / 3.0 * bent.bend_px * n;
    bent.tail -= 2.0 / 3.0 * bent.bend_px * n;
    const double score = model.Evaluate(bent).score;
    if (score > best) {
      best = score;
      out = bent;
    }
  }
  return out;
}

// All parameters, from the straight swab and, where a bent one may explain more, from that too: each
// search ends at the bend it starts near.
Pose RefineAll(const SwabModel& model, const Pose& pose) {
  struct Refined {
    Pose pose;
    double score = 0;
  };
  const auto refined = [&](const Pose& from) {
    const SwabModel own = model;  // it remembers the pose that it looked at last
    const Pose to = Polish(own, Refine(own, from, 1.0, kFine_px, kPoseParameters));
    return Refined{to, own.Evaluate(to).score};
  };
  const Pose bent = WithBend(model, pose);
  if (bent.bend_px == pose.bend_px) return refined(pose).pose;
  std::array<Refined, 2> both;
  InParallel(2, [&](std::size_t i) { both[i] = refined(i == 0 ? pose : bent); });
  return both[1].score > both[0].score ? both[1].pose : both[0].pose;
}

Pose Reversed(Pose pose) {
  std::swap(pose.tip, pose.tail);
  pose.bend_px = -pose.bend_px;
  return pose;
}

// How much the picture changed along a line, code values, and across it by up to half a width.
// Empty where less than half of the line lies in it.
std::optional<double> ChangeAlong(const cv::Mat& change, cv::Point2d from, cv::Point2d to,
                                  double width) {
  const double length = cv::norm(to - from);
  const cv::Point2d u = (to - from) * (1 / length);
  const cv::Point2d n = Across(u);
  std::optional<double> most;
  for (const double off : {-0.25, 0.0, 0.25}) {
    double sum = 0;
    int count = 0;
    for (double t = 0; t < length; t += 1) {
      const cv::Point p = cv::Point(from + t * u + off * width * n);
      if (!cv::Rect({}, change.size()).contains(p)) continue;
      sum += change.at<float>(p);
      ++count;
    }
    if (2 * count >= length) most = std::max(most.value_or(0), sum / count);
  }
  return most;
}

// A swab is thin: beside it, one and a half times its cotton's thickness off, the picture changed by
// less than half as much on one side at least. On the other its shadow may lie.
bool StandsAlone(const cv::Mat& change, cv::Point2d from, cv::Point2d to, double width) {
  const cv::Point2d off = 1.7 * width * Across((to - from) * (1 / cv::norm(to - from)));
  const double on = ChangeAlong(change, from, to, width).value_or(0);
  return std::min(ChangeAlong(change, from + off, to + off, 0).value_or(0),
                  ChangeAlong(change, from - off, to - off, 0).value_or(0)) < 0.5 * on;
}

// A swab ends: how much the picture changed beyond its ends, at the end where that is less, as a
// share of what it changed along it. The edge of a shadow that creeps goes on. Of an end beyond
// which nothing is seen, as at the edge of the board, nobody knows: there the other one tells.
double GoesOn(const cv::Mat& change, const Pose& pose, double ppi) {
  // From where its blur and its shadow have faded to half an inch on.
  constexpr double kFrom_in = 0.2;
  constexpr double kTo_in = 0.5;
  const double width = 2 * pose.cotton_px;
  const cv::Point2d u = pose.Along();
  const double on = ChangeAlong(change, pose.tip, pose.tail, width).value_or(0);
  const auto before =
      ChangeAlong(change, pose.tip - kTo_in * ppi * u, pose.tip - kFrom_in * ppi * u, width);
  const auto after =
      ChangeAlong(change, pose.tail + kFrom_in * ppi * u, pose.tail + kTo_in * ppi * u, width);
  constexpr double kLeast = 1;  // code value
  const double seen = before.value_or(after.value_or(0));
  const double beyond = std::min(seen, after.value_or(seen));
  return beyond / std::max(on, kLeast);
}

struct Line {
  double score = 0;
  cv::Point2d from;
  cv::Point2d to;
};

// Strips of changed pixels as thick as cotton, at all angles (a Hough transform with weights): of
// each the stretch of a swab's length that changed most.
std::vector<Line> Strips(const ChangeWindow& window, const cv::Mat& changed, const Sizes& sizes) {
  // Nothing counts for more than twelve sigmas: shape is asked for here, not contrast.
  constexpr double kLeastSigmas = 2.5;
  constexpr double kMostSigmas = 12;
  std::vector<std::pair<cv::Point2d, double>> points;
  for (int row = 0; row < window.rect.height; ++row) {
    for (int column = 0; column < window.rect.width; ++column) {
      const double sigmas = window.At(row, column).change / window.noise;
      if (changed.at<std::uint8_t>(row, column) == 0 || sigmas < kLeastSigmas) continue;
      points.emplace_back(cv::Point2d(column, row), std::min(sigmas, kMostSigmas));
    }
  }
  const double width = std::max(2 * sizes.cotton_px, 2.0);
  const double reach = std::hypot(window.rect.width, window.rect.height);
  const auto count = static_cast<std::size_t>(2 * reach / (width / 2)) + 2;
  constexpr int kAngles = 60;  // 3 degrees: half a cotton's thickness at an end
  constexpr std::size_t kLeastPoints = 10;
  std::vector<Line> out;
  for (int k = 0; k < kAngles; ++k) {
    const double angle = M_PI * k / kAngles;
    const cv::Point2d u(std::cos(angle), std::sin(angle));
    std::vector<std::vector<std::pair<double, double>>> strips(count);
    for (const auto& [p, weight] : points) {
      const auto i = static_cast<std::size_t>((u.cross(p) + reach) / (width / 2));
      if (i + 1 >= count) continue;
      strips[i].emplace_back(p.dot(u), weight);
      if (i > 0) strips[i - 1].emplace_back(p.dot(u), weight);
    }
    for (std::size_t i = 0; i < count; ++i) {
      auto& s = strips[i];
      if (s.size() < kLeastPoints) continue;
      std::sort(s.begin(), s.end());
      const double across = (static_cast<double>(i) + 1) * width / 2 - reach;
      const cv::Point2d foot = across * Across(u);
      double sum = 0;
      std::size_t low = 0;
      Line best;
      for (std::size_t high = 0; high < s.size(); ++high) {
        sum += s[high].second;
        while (s[high].first - s[low].first > sizes.length_px) sum -= s[low++].second;
        if (sum > best.score) best = {sum, foot + s[low].first * u, foot + s[high].first * u};
      }
      out.push_back(best);
    }
  }
  return out;
}

// Of a swab the change detector sees no more than this share of its length where only an end is
// plain; of any that is proposed by a strip no less: the rest may be hidden or look alike.
constexpr double kEndShare = 0.4;

// Proposals: where the picture changed along about a swab's length, the best first, none beside a
// better one.
std::vector<Pose> Proposals(const ChangeWindow& window, const cv::Mat& changed,
                            const Sizes& sizes) {
  std::vector<Line> lines = Strips(window, changed, sizes);
  std::sort(lines.begin(), lines.end(),
            [](const Line& a, const Line& b) { return a.score > b.score; });
  const cv::Mat change = window.Change();
  const double width = std::max(2 * sizes.cotton_px, 2.0);
  std::vector<Pose> out;
  constexpr std::size_t kMost = 4;
  constexpr double kSameWay = 0.12;    // sine of seven degrees
  for (const Line& line : lines) {
    const cv::Point2d middle = 0.5 * (line.from + line.to);
    const double length = cv::norm(line.to - line.from);
    if (length < kEndShare * sizes.length_px) continue;
    const cv::Point2d u = (line.to - line.from) * (1 / length);
    const bool beside = std::any_of(out.begin(), out.end(), [&](const Pose& other) {
      const cv::Point2d v = other.Along();
      return std::abs(u.cross(v)) < kSameWay &&
             std::abs(v.cross(middle - 0.5 * (other.tip + other.tail))) < 2 * width;
    });
    if (beside || !StandsAlone(change, line.from, line.to, width)) continue;
    Pose pose;
    pose.tip = middle - 0.5 * sizes.length_px * u;
    pose.tail = middle + 0.5 * sizes.length_px * u;
    const double stretch = sizes.length_in / LengthOf(pose, sizes);  // the camera looks aslant
    pose.tip = middle - 0.5 * stretch * sizes.length_px * u;
    pose.tail = middle + 0.5 * stretch * sizes.length_px * u;
    Expect(sizes, pose);
    out.push_back(pose);
    if (out.size() == kMost) break;
  }
  return out;
}

// Where the picture changed as plainly as the change detector tells, other than in `changed`: light,
// or other things.
cv::Mat PlainElsewhere(const ChangeWindow& window, const cv::Mat& changed, double ppi) {
  constexpr double kWatched_in = 0.3;  // three of its pixels
  const int size = std::max(1, static_cast<int>(std::lround(kWatched_in * ppi)));
  cv::Mat mean;
  cv::blur(window.Change(), mean, {size, size});
  cv::Mat about;
  cv::dilate(changed, about, cv::Mat(size, size, CV_8UC1, cv::Scalar(1)));
  return (mean > kExplanationMargins.contrast) & ~about;
}

// Proposals where only an end is plain: swabs that have it for one end, all ways round, the best
// first, none beside a better one. The rest is faint, so that none lies where something else is
// plain.
// end        the middle of that end
// elsewhere  PlainElsewhere
std::vector<Pose> Rays(const SwabModel& coarse, const cv::Point2d& end, const cv::Mat& elsewhere,
                       const Sizes& sizes) {
  constexpr int kWays = 120;        // 3 degrees: half a cotton's thickness at the other end
  constexpr double kBeside = 0.97;  // cosine of 14 degrees
  constexpr std::size_t kMost = 4;
  constexpr double kMostPlain = 0.3;  // of it: it may lie across an edge of light
  struct Ray {
    Pose pose;
    double score = 0;
  };
  std::vector<Ray> rays(kWays);
  for (int k = 0; k < kWays; ++k) {
    const double angle = 2 * M_PI * k / kWays;
    const cv::Point2d u(std::cos(angle), std::sin(angle));
    Pose pose;
    Expect(sizes, pose);
    pose.tip = end - 0.5 * pose.cotton_long_px * u;
    pose.tail = pose.tip + sizes.length_px * u;
    pose.tail = pose.tip + sizes.length_in / LengthOf(pose, sizes) * sizes.length_px * u;
    cv::LineIterator under(elsewhere, cv::Point(pose.tip), cv::Point(pose.tail));
    const int length = under.count;
    int plain = 0;
    for (int i = 0; i < length; ++i, ++under) plain += **under != 0 ? 1 : 0;
    if (plain > kMostPlain * length) continue;
    rays[static_cast<std::size_t>(k)] = {
        pose, std::max(coarse.Evaluate(pose).score, coarse.Evaluate(Reversed(pose)).score)};
  }
  std::sort(rays.begin(), rays.end(),
            [](const Ray& a, const Ray& b) { return a.score > b.score; });
  std::vector<Pose> out;
  for (const Ray& ray : rays) {
    if (ray.score <= 0) break;
    const bool beside = std::any_of(out.begin(), out.end(), [&](const Pose& other) {
      return other.Along().dot(ray.pose.Along()) > kBeside;
    });
    if (beside) continue;
    out.push_back(ray.pose);
    if (out.size() == kMost) break;
  }
  return out;
}

// The middle of what has changed, if that may be one end of a swab; else empty.
std::optional<cv::Point2d> MiddleOfEnd(const cv::Mat& changed, const Sizes& sizes) {
  const cv::Rect all = cv::boundingRect(changed);
  if (all.empty() || std::hypot(all.width, all.height) > kEndShare * sizes.length_px)
    return std::nullopt;
  const cv::Moments sums = cv::moments(changed, true);
  return cv::Point2d(sums.m10 / sums.m00, sums.m01 / sums.m00);
}

// Where a swab and its shadow show, and half an inch beyond its ends, where a straw goes on.
cv::Mat Near(const SwabModel& model, const Pose& pose) {
  const ChangeWindow& window = model.Window();
  cv::Mat near(window.rect.size(), CV_8UC1, cv::Scalar(0));
  const double reach = pose.cotton_px + 3 * pose.psf_px + cv::norm(pose.shadow) + 1;
  const auto round = [](const cv::Point2d& p) {
    return cv::Point(static_cast<int>(std::lround(p.x)), static_cast<int>(std::lround(p.y)));
  };
  constexpr double kBeyond_in = 0.5;
  const cv::Point2d beyond = kBeyond_in * model.Size().ppi * pose.Along();
  cv::line(near, round(pose.tip - beyond), round(pose.tail + beyond), cv::Scalar(255),
           std::max(1, static_cast<int>(2 * reach)));
  return near;
}

// Under the warmest lamp a webcam's white balance leaves white's weakest channel over a third of its
// strongest, which no pencil comes near.
bool MayBeWhite(const cv::Vec3d& light) {
  constexpr double kWeakest = 0.3;
  const auto [weakest, strongest] = std::minmax({light[0], light[1], light[2]});
  return weakest >= kWeakest * strongest;
}

// The light of the ground that a swab lies on, never quite black. Of it the darkest fifth: what hides
// a part of the swab may be lighter.
double GroundUnder(const ChangeWindow& window, const Pose& pose) {
  constexpr double kDarkest = 0.2;
  constexpr int kSteps = 30;
  std::vector<double> ground;
  for (int i = 0; i <= kSteps; ++i) {
    const cv::Point at(pose.tip + (pose.tail - pose.tip) * (static_cast<double>(i) / kSteps));
    if (!cv::Rect({}, window.rect.size()).contains(at)) continue;
    const cv::Vec3f& before = window.At(at.y, at.x).before;
    ground.push_back((before[0] + before[1] + before[2]) / 3);
  }
  constexpr double kBlack = 1e-3;
  return std::max(Quantile(std::move(ground), kDarkest).value_or(1), kBlack);
}

// By how much a swab is the likelier than a rod of one thickness in its place: a pencil, a match, a
// straw, a strip of paper. Its head, body and tail may have any colours.
double OverRod(const SwabModel& model, const Pose& pose, double score) {
  const std::array<double, 2> radius_px{pose.stick_px, pose.cotton_px};
  std::array<double, 2> scores{};
  InParallel(2, [&](std::size_t i) {
    const SwabModel own = model;
    Pose rod = pose;
    rod.rod = true;
    rod.cotton_px = radius_px[i];
    scores[i] = own.Evaluate(Refine(own, rod, 2.0, kFine_px, kCoarseParameters + 1)).score;
  });
  return score - std::max(scores[0], scores[1]);
}

// ln of the odds that its tip is the painted end, by the colours of both ends: a thin dip and a long
// one, and with either end further in, as a swab that is shorter than its scenario says has them.
// Beyond an end lies the ground, which may be as dark as paint.
struct TipByColours {
  double mean = 0;
  double least = 0;  // 0 where they disagree
};
TipByColours PaintedTip(const SwabModel& model, const Pose& pose) {
  constexpr double kThin_in = 0.2;
  constexpr double kLong_in = 0.35;
  constexpr double kShorter_in = 0.1;  // packets of swabs (contract, 2.2)
  const double ppi = model.Size().ppi;
  double sum = 0;
  int count = 0;
  double least = 1e9;
  double most = -1e9;
  for (const double tip_in : {0.0, kShorter_in}) {
    for (const double tail_in : {0.0, kShorter_in}) {
      Pose shorter = pose;
      shorter.tip += tip_in * ppi * pose.Along();
      shorter.tail -= tail_in * ppi * pose.Along();
      for (const double inward_in : {kThin_in, kLong_in}) {
        const double odds = LogOddsOfPaintedTip(model.ColoursOfEnds(shorter, inward_in * ppi),
                                                model.Size().dip_over_white);
        sum += odds;
        ++count;
        least = std::min(least, odds);
        most = std::max(most, odds);
      }
    }
  }
  return {sum / count, least > 0 ? least : std::min(most, 0.0)};
}

// What a swab explains of what the best other hypothesis does.
double Explained(const SwabModel& model, const Pose& pose, double over_nothing) {
  return ExplainOtherwise(model.Window(), Near(model, pose)).ShareOf(over_nothing);
}

// least_explained  of one that explains less, no more is worked out
SwabExplanation Explanation(const SwabModel& model, const Pose& pose, double other_end,
                            const PaperLight& paper, double least_explained) {
  const ChangeWindow& window = model.Window();
  const double ppi = model.Size().ppi;
  SwabExplanation out;
  const cv::Point2d origin = window.rect.tl();
  out.tip = {pose.tip.x + origin.x, pose.tip.y + origin.y};
  out.tail = {pose.tail.x + origin.x, pose.tail.y + origin.y};
  out.px_per_in = ppi;
  out.psf_px = pose.psf_px;
  out.longer_in = LengthOf(pose, model.Size()) - model.Size().length_in;
  out.dip_in = pose.dip_px / ppi;
  out.cotton_in = pose.cotton_px / ppi;
  out.bend_px = pose.bend_px;
  const SwabModel::Evaluation at = model.Evaluate(pose);
  out.over_nothing = at.score - model.Cost(at);
  out.predicted = {window.rect, model.Picture(pose, at.colours)};
  const Alternatives others = ExplainOtherwise(window, Near(model, pose));
  out.explained = others.ShareOf(out.over_nothing);
  out.came = others.came;
  if (out.explained < least_explained) return out;
  out.over_other_end = at.score - other_end;
  out.unlike_dip = at.unlike_dip;
  const auto open = CovarianceOf<kPoseParameters>(model.CurvatureOf(pose));
  out.along_px = std::sqrt(std::max(open(0, 0), 0.0));
  out.across_px = std::sqrt(std::max(open(1, 1), 0.0));
  out.in_view = model.InView(pose);
  out.over_rod = OverRod(model, pose, at.score);
  out.dip_nats = model.DipOverBare(pose, at.colours);
  out.goes_on = GoesOn(window.Change(), pose, ppi);
  // White is also what the ground there tells of the light: a warm lamp leaves little blue.
  const cv::Vec3d& white = at.colours.part[kWhite];
  const cv::Point2d middle = 0.5 * (pose.tip + pose.tail) + origin;
  const cv::Vec3d lamp =
      LampAt(window, {middle.x, middle.y}, 0.5 * cv::norm(pose.tail - pose.tip), paper);
  out.no_cotton = out.cotton_in >= kCottonRadius_in[1] ||
                  !(MayBeWhite(white) ||
                    MayBeWhite({white[0] / lamp[0], white[1] / lamp[1], white[2] / lamp[2]}));
  const double ground = GroundUnder(window, pose);
  out.over_ground = Mean(at.colours.part[kWhite]) / ground;
  if (paper.light > 0) {
    // Where something hides the cotton, the stick is what is light.
    for (const Part part : {kWhite, kStick}) {
      const cv::Vec3d& light = at.colours.part[part];
      out.of_paper = std::max({part == kWhite ? 0 : out.of_paper,
                               Mean(light) / ground * paper.ground,
                               Mean(light) / paper.light});
    }
  }
  const cv::Point2d in = pose.tip + 0.5 * pose.dip_px * pose.Along();
  const cv::Point dip(static_cast<int>(std::lround(in.x)), static_cast<int>(std::lround(in.y)));
  if (cv::Rect({}, window.rect.size()).contains(dip)) {
    const ChangeWindow::Pixel& p = window.At(dip.y, dip.x);
    for (int c = 0; c < 3; ++c) {
      out.tip_contrast =
          std::max(out.tip_contrast, std::abs(CodeOfLight(at.colours.part[kDip][c]) -
                                              CodeOfLight(p.before[c])));
    }
  }
  return out;
}

// Of what a swab explains in the end it explains this share at least as it was proposed, and as
// refined one way round: of 50 searches on labelled clips and made-up tables that came to something,
// 0.80 and 0.95 at the least.
constexpr double kUnrefined = 0.65;
constexpr double kOneEnd = 0.9;

// A swab of the usual shape in the place of one that may be bent and tapered to suit it.
Pose WithUsualShape(const Sizes& sizes, Pose pose) {
  Expect(sizes, pose);
  pose.bend_px = 0;
  pose.taper = 0;
  return pose;
}

// The same swab the other way round, fitted by itself: from a shape of its own, since this one's
// may be bent and tapered to suit the wrong end; from this one's; and from this one's without its
// dip, which may be ground as dark as paint.
Pose TurnedRound(const SwabModel& model, const Pose& pose) {
  const Pose as_it_is = Reversed(pose);
  const Pose expected = WithUsualShape(model.Size(), as_it_is);
  Pose shorter = as_it_is;
  shorter.tail -= pose.dip_px * shorter.Along();
  struct Start {
    Pose pose;
    double score = 0;
  };
  std::array<Start, 3> starts{{{expected}, {as_it_is}, {shorter}}};
  InParallel(starts.size(), [&](std::size_t i) {
    const SwabModel coarse = model.Coarse();
    starts[i].pose = Refine(coarse, starts[i].pose, 2.0, 0.5, kCoarseParameters);
    starts[i].score = coarse.Evaluate(starts[i].pose).score;
  });
  const auto best =
      std::max_element(starts.begin(), starts.end(),
                       [](const Start& a, const Start& b) { return a.score < b.score; });
  return RefineAll(model, best->pose);
}

// SwabExplanation::in_view where the pose may reach beyond the window that it was searched in: what
// lies there has not spoken against it, nor is known to be seen.
double WholeInView(const ShotPictures& pictures, const SwabModel& model, const Pose& pose,
                   const cv::Mat& unseen) {
  Pose whole = pose;
  whole.tip += cv::Point2d(model.Window().rect.tl());
  whole.tail += cv::Point2d(model.Window().rect.tl());
  const cv::Point room = cv::Point(1, 1) * static_cast<int>(std::ceil(2 * pose.cotton_px));
  const cv::Rect ends(cv::Point(whole.tip), cv::Point(whole.tail));
  const ChangeWindow window =
      CutWindow(pictures, cv::Rect(ends.tl() - room, ends.br() + room), unseen);
  whole.tip -= cv::Point2d(window.rect.tl());
  whole.tail -= cv::Point2d(window.rect.tl());
  return SwabModel(window, model.Size(), 1).InView(whole);
}

// A refined swab both ways round, each fitted by itself: the better one, and by how much it is better.
// The other way round the same shadow falls the same way. Where both explain it alike, the ends'
// colours tell: a pose bends and tapers to suit either.
std::optional<SwabExplanation> BestEnd(const SwabModel& model, const Pose& pose,
                                       const PaperLight& paper, double least_explained) {
  const SwabModel::Evaluation at = model.Evaluate(pose);
  if (at.score <= 0 || Explained(model, pose, at.score - model.Cost(at)) < kOneEnd * least_explained)
    return std::nullopt;
  struct Way {
    Pose pose;
    double score = 0;
    TipByColours painted;
  };
  Way best{pose, at.score, {}};
  Way other{TurnedRound(model, pose), 0, {}};
  other.score = model.Evaluate(other.pose).score;
  if (other.score > best.score) std::swap(best, other);
  best.painted = PaintedTip(model, best.pose);
  // Ends whose colours contradict the evidence speak against a swab, whichever way it then lies.
  const double least = best.painted.least;
  if (best.painted.mean < 0 &&
      best.score - other.score < kExplanationMargins.told_by_exchange * best.score) {
    other.painted = PaintedTip(model, other.pose);
    if (other.painted.mean > 0) std::swap(best, other);
  }
  SwabExplanation out = Explanation(model, best.pose, other.score, paper, least_explained);
  out.painted_tip = best.painted.mean;
  out.painted_tip_least = least;
  return out;
}

// ExplainBySwab in a window of the pictures.
// by_end  one end of it alone changed plainly, and the rest is looked for
std::optional<SwabExplanation> BySwabIn(const ChangeWindow& window, const ShotPictures& pictures,
                                        double level_in, const SwabShape& shape,
                                        const cv::Mat& unseen, double least_explained,
                                        bool by_end) {
  const std::optional<Sizes> known = SizesIn(window.rect, pictures, level_in, shape);
  if (!known) return std::nullopt;
  const Sizes& sizes = *known;
  const SwabModel model(window, sizes, 1);
  const SwabModel coarse = model.Coarse();
  const cv::Mat changed =
      Grown(pictures.changed(window.rect), static_cast<int>(std::lround(0.15 * sizes.ppi)));
  struct Candidate {
    Pose pose;
    double score = -1e18;
  };
  // Coarse first: every line both ways, slid along by up to a third of its length, since an end
  // that is hidden or hardly stands out moves the middle.
  std::vector<Candidate> candidates;
  std::vector<Pose> proposed;
  if (!by_end) {
    proposed = Proposals(window, changed, sizes);
  } else if (const cv::Mat plain = pictures.changed(window.rect);
             const std::optional<cv::Point2d> end = MiddleOfEnd(plain, sizes)) {
    proposed = Rays(coarse, *end, PlainElsewhere(window, plain, sizes.ppi), sizes);
  }
  for (const Pose& line : proposed) {
    const cv::Point2d u = line.Along();
    for (const Pose& start : {line, Reversed(line)}) {
      Candidate best;
      for (double slide = -0.35; slide < 0.36; slide += 0.07) {
        Pose slid = start;
        slid.tip += slide * sizes.length_px * u;
        slid.tail += slide * sizes.length_px * u;
        const double score = coarse.Evaluate(slid).score;
        if (score > best.score) best = {slid, score};
      }
      candidates.push_back(best);
    }
  }
  const auto keep_best = [&](std::size_t most) {
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    if (candidates.size() > most) candidates.resize(most);
  };
  // With a shadow: on ground as white as cotton it is what tells.
  const auto refine_roughly = [&](std::span<Candidate> all) {
    InParallel(all.size(), [&](std::size_t i) {
      const SwabModel own = coarse;  // it remembers the pose that it looked at last
      Candidate& c = all[i];
      c.pose = Refine(own, WithShadow(own, c.pose), 2.0, 0.5, kCoarseParameters);
      c.score = own.Evaluate(c.pose).score;
    });
  };
  refine_roughly(candidates);
  constexpr std::size_t kRefined = 2;
  keep_best(kRefined);
  if (candidates.empty() || candidates.front().score <= 0) return std::nullopt;
  if (Explained(model, candidates.front().pose, candidates.front().score) <
      kUnrefined * least_explained)
    return std::nullopt;
  for (Candidate& c : candidates) {
    // The second best seldom becomes the best, and never by so much.
    constexpr double kHopeless = 0.6;
    if (c.score < kHopeless * candidates.front().score) continue;
    c.pose = RefineAll(model, c.pose);
    c.score = model.Evaluate(c.pose).score;
  }
  const auto by_score = [](const Candidate& a, const Candidate& b) { return a.score < b.score; };
  Candidate best = *std::max_element(candidates.begin(), candidates.end(), by_score);
  std::optional<SwabExplanation> out = BestEnd(model, best.pose, pictures.paper, least_explained);
  // A swab that leaves much of its place unexplained may have been laid in its own shadow: it is laid
  // anew from either side.
  constexpr double kWhole = 0.95;
  if (out && out->explained < kWhole && SwabOdds(*out, false) >= kExplanationMargins.measured_swab) {
    std::array<Candidate, 2> beside{best, best};
    const cv::Point2d across = 2 * best.pose.cotton_px * Across(best.pose.Along());
    for (const double side : {1.0, -1.0}) {
      Pose& pose = (side > 0 ? beside.front() : beside.back()).pose;
      pose = WithUsualShape(sizes, pose);
      pose.tip += side * across;
      pose.tail += side * across;
    }
    refine_roughly(beside);
    Candidate& other = *std::max_element(beside.begin(), beside.end(), by_score);
    if (other.score > kOneEnd * best.score) {
      other.pose = RefineAll(model, other.pose);
      auto anew = BestEnd(model, other.pose, pictures.paper, least_explained);
      // Which end is dipped is not what a shadow hides.
      const auto apart = [](const ImagePoint& a, const ImagePoint& b) {
        return std::hypot(a.x_px - b.x_px, a.y_px - b.y_px);
      };
      const bool same_way = anew && apart(anew->tip, out->tip) < apart(anew->tip, out->tail);
      if (same_way && anew->over_nothing > out->over_nothing) {
        out = std::move(anew);
        best = other;
      }
    }
  }
  if (out) out->in_view = WholeInView(pictures, model, best.pose, unseen);
  return out;
}

}  // namespace

std::optional<SwabExplanation> ExplainBySwab(const ShotPictures& pictures, const TableBox& where,
                                             double level_in, const SwabShape& shape,
                                             const cv::Mat& unseen, double least_explained) {
  constexpr double kRoom_in = 1.0;  // a swab reaches beyond what of it was seen to change
  const auto window_with = [&](double room_in) {
    return CutWindow(pictures, PixelsOf(pictures.camera, Grown(where, room_in), level_in), unseen);
  };
  constexpr std::size_t kLeast = 100;
  const ChangeWindow window = window_with(kRoom_in);
  if (window.pixels.size() < kLeast) return std::nullopt;
  std::optional<SwabExplanation> out =
      BySwabIn(window, pictures, level_in, shape, unseen, least_explained, false);
  const ExplanationMargins& m = kExplanationMargins;
  if (out && SwabOdds(*out, false) >= m.asked_swab) return out;
  // One end alone may be plain. What is faint is taken for nothing less than a whole swab: a shade's
  // edge is as faint.
  constexpr double kBox_in = 0.3;  // by so much the box is larger: watched pixels are coarse
  if (Distance(where.low, where.high) >= kEndShare * shape.length_in + kBox_in) return out;
  const ChangeWindow wider = window_with(kRoom_in + shape.length_in);
  auto whole = BySwabIn(wider, pictures, level_in, shape, unseen, least_explained, true);
  return whole && SwabOdds(*whole, false) >= m.measured_swab ? whole : out;
}

std::optional<SwabExplanation> ExplainAsSwab(const ShotPictures& pictures, ImagePoint tip,
                                             ImagePoint tail, double level_in,
                                             const SwabShape& shape, const cv::Mat& unseen,
                                             double least_explained) {
  const auto a = TableFromImage(pictures.camera, tip, level_in, 0);
  const auto b = TableFromImage(pictures.camera, tail, level_in, 0);
  if (!a.ok() || !b.ok()) return std::nullopt;
  constexpr double kRoom_in = 0.6;
  const TableBox box = Grown(BoundsOf({a->at, b->at}), kRoom_in);
  const ChangeWindow window =
      CutWindow(pictures, PixelsOf(pictures.camera, box, level_in), unseen);
  if (window.pixels.size() < 100) return std::nullopt;
  const std::optional<Sizes> sizes = SizesIn(window.rect, pictures, level_in, shape);
  if (!sizes) return std::nullopt;
  const SwabModel model(window, *sizes, 1);
  Pose pose;
  const cv::Point2d origin = window.rect.tl();
  pose.tip = cv::Point2d(tip.x_px, tip.y_px) - origin;
  pose.tail = cv::Point2d(tail.x_px, tail.y_px) - origin;
  Expect(*sizes, pose);
  pose = WithShadow(model, pose);
  const SwabModel coarse = model.Coarse();
  const Pose rough = Refine(coarse, pose, 2.0, 0.5, kCoarseParameters);
  if (Explained(model, rough, coarse.Evaluate(rough).score) < kUnrefined * least_explained)
    return std::nullopt;
  pose = RefineAll(model, pose);
  return BestEnd(model, pose, pictures.paper, least_explained);
}

}  // namespace fos
