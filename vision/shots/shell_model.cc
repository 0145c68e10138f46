// SPDX-License-Identifier: MIT
#include "vision/shots/shell_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>
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

namespace fos {
namespace {

enum Part : std::size_t { kTop, kSide, kMark };

// What a search may change, pixels of the window.
struct Pose {
  cv::Point2d centre;
  double angle_rad = 0;
  double half_px = 4.8;  // of the top's side
  cv::Point2d mark{0, 0};  // from the centre
  double mark_px = 1.4;    // radius; 0: it has none
  double psf_px = 0.8;
  cv::Point2d shadow{0, 0};
  double long_px = 0;  // no shell: a block that is longer than wide by this, to both sides
  bool round = false;  // no shell: a disc or a ball

  bool operator==(const Pose&) const = default;
};

struct Sizes {
  double ppi = 24;
  double half_px = 4.8;
  cv::Point2d down_px{0, 0};  // where the foot of its sides shows, from the top
  PointSpread blur;
  cv::Vec3d body;  // nominal light
  cv::Vec3d lamp{1, 1, 1};  // the light's colour in its place, as the ground there tells it
  bool light_mark = false;  // lighter than the body
  // Share of the top that is as light as the picture can show: how much lighter it is, nobody knows.
  double burnt = 0;
  cv::Vec3d mark_over_body;  // light of the mark's paint, of the body's
};

// Clubs cut squares by eye (a tenth of the side), round off corners as plasticine does, and mark
// the middle with a pen: a dot or a hole of a twentieth of an inch or two, within a tenth of an inch
// of the middle.
constexpr double kSizeSigma = kExplanationMargins.shell_size_share;
constexpr double kMark_in = 0.06;
constexpr double kMarkSigma_in = 0.025;
constexpr double kMarkRange_in[] = {0.025, 0.12};
constexpr double kOffMiddleSigma_in = 0.03;
constexpr double kOffMiddleRange_in = 0.08;
constexpr double kSoft_in = 0.025;  // rounded edges blur the outline by this
constexpr double kShadowSigma_in = 0.15;

constexpr std::size_t kWays = 10;
Pose Moved(Pose pose, std::size_t way, double by, const Sizes& sizes) {
  const double ppi = sizes.ppi;
  const double off_middle = kOffMiddleRange_in * ppi;  // farther off it is a shade
  switch (way) {
    case 0: pose.centre.x += by; break;
    case 1: pose.centre.y += by; break;
    case 2: pose.angle_rad += by / pose.half_px; break;
    case 3: {
      // No piece is half as large again; other things have any size.
      const bool other = pose.round || pose.long_px != 0;
      pose.half_px = std::clamp(pose.half_px + 0.5 * by, (other ? 0.4 : 0.7) * sizes.half_px,
                                (other ? 2.5 : 1.4) * sizes.half_px);
      break;
    }
    case 4: pose.shadow.x += by; break;
    case 5: pose.shadow.y += by; break;
    case 6:
      pose.psf_px =
          std::clamp(pose.psf_px + 0.3 * by, 0.35, sizes.blur.sigma_px + 2.5 * sizes.blur.doubt_px);
      break;
    case 7: pose.mark.x = std::clamp(pose.mark.x + 0.5 * by, -off_middle, off_middle); break;
    case 8: pose.mark.y = std::clamp(pose.mark.y + 0.5 * by, -off_middle, off_middle); break;
    default:
      if (pose.mark_px > 0)
        pose.mark_px = std::clamp(pose.mark_px + 0.5 * by, kMarkRange_in[0] * ppi,
                                  kMarkRange_in[1] * ppi);
      break;
  }
  return pose;
}

class ShellModel {
 public:
  // subsampled  whether the camera's coding has blurred the colours
  ShellModel(const ChangeWindow& window, const Sizes& sizes, bool subsampled)
      : window_(window), sizes_(sizes), subsampled_(subsampled) {}

  struct Evaluation {
    double score = -1e18;
    PartColours colours;
    std::size_t pixels = 0;
  };

  // shadow_only  as if only the shadow were there
  Evaluation Evaluate(const Pose& pose, bool shadow_only = false) const {
    Evaluation out;
    Sample(pose);
    if (shadow_only) {
      for (PixelParts& s : samples_) {
        s.part = {};
        s.bare = 1;
      }
    }
    out.pixels = samples_.size();
    constexpr std::size_t kLeast_px = 20;
    if (out.pixels < kLeast_px) return out;
    const ColourSums sums(window_, samples_, kPixelModel.SampleSize());
    out.colours = sums.Solve(Priors());
    // A mark is darker than the top, or lighter, as the scenario's is: else there is none.
    const cv::Vec3d darker = out.colours.part[kTop] - out.colours.part[kMark];
    if ((Sum(darker) > 0) == sizes_.light_mark) out.colours.part[kMark] = out.colours.part[kTop];
    LimitToShadeAndPaint(out.colours);
    const auto log = subsampled_ ? LogOverNothingSubsampled : LogOverNothing;
    out.score = log(window_, samples_, out.colours, kPixelModel.SampleSize(), kPixelModel) +
                BodyPrior(out.colours.part[kTop]) + ShadowPrior(out.colours.shadow) + ShapePrior(pose);
    return out;
  }

  // ln of how much likelier the body's colour is of the scenario's paint than of any other thing.
  double ColourOdds(const PartColours& colours) const {
    // Half of all other things are grey, half have any colour. One sigma of how the channels part:
    constexpr double kGreyPart = 0.25;
    constexpr double kAnyPart = 1;
    const auto density = [](double nats_of_one, double part) {
      return std::exp(-nats_of_one / (part * part)) / (part * part);
    };
    const cv::Vec3d& top = colours.part[kTop];
    const double off_grey = Parting(top, sizes_.lamp);  // grey under this lamp
    const double other = 0.5 * (density(off_grey, kGreyPart) + density(off_grey, kAnyPart));
    // Cheap cameras and light that shines on the lens wash a few colours out, to a third at the worst
    // (paints and lamps of the sample clips).
    struct Washed {
      double left;
      double share;
    };
    constexpr std::array<Washed, 3> kWashed{{{1, 0.85}, {2.0 / 3, 0.13}, {1.0 / 3, 0.02}}};
    double paint = 0;
    for (const Washed& washed : kWashed) {
      const double grey = (1 - washed.left) * Sum(sizes_.body) / 3;
      const cv::Vec3d body = washed.left * sizes_.body + cv::Vec3d(grey, grey, grey);
      const double off = std::min(Parting(top, body), Parting(top, body.mul(sizes_.lamp)));
      paint += washed.share * density(off, kPaintPart);
    }
    // A club may have bought another plasticine: one shell in twenty thousand.
    constexpr double kAnyPlasticine = 5e-5;
    return std::log(paint / other + kAnyPlasticine);
  }
  // The light in the places of a top and of its mark, by least squares: where the mark is a pixel or
  // two wide, the picture mixes them.
  class TopAndMark {
   public:
    void Add(const PixelParts& parts, double light) {
      const double both = parts.part[kTop] + parts.part[kMark];
      if (both < 0.5) return;
      const cv::Vec2d share(parts.part[kTop], parts.part[kMark]);
      shares_ += share * share.t();
      light_ += both * light * share;
    }
    std::array<double, 2> Solve() const {
      const cv::Vec2d out = shares_.solve(light_, cv::DECOMP_SVD);
      return {std::max(out[0], 0.0), std::max(out[1], 0.0)};
    }

   private:
    cv::Matx22d shares_ = cv::Matx22d::zeros();
    cv::Vec2d light_;
  };
  // How the picture changed on its top.
  struct TopChange {
    double contrast = 0;  // code values, of the channel that changed most, mean
    bool may_be_shade = true;
    bool may_be_light = true;
    bool may_have_gone = true;
    bool mark_came = false;
  };
  TopChange ChangeOnTop(const Pose& pose) const {
    Sample(pose);
    constexpr double kBlack = 1e-3;  // light
    double weight = 0;
    TopChange out;
    cv::Vec3d before;
    cv::Vec3d after;
    TopAndMark was;
    TopAndMark is;
    cv::Vec3d burnt;
    for (const PixelParts& s : samples_) {
      const ChangeWindow::Pixel& p = window_.At(s.row, s.column);
      weight += s.part[kTop];
      for (int c = 0; c < 3; ++c)
        burnt[c] += p.before[c] >= LightOfSrgbCode()[kBurntCode] ? s.part[kTop] : 0;
      out.contrast += s.part[kTop] * p.change;
      before += s.part[kTop] * cv::Vec3d(p.before);
      after += s.part[kTop] * cv::Vec3d(p.after);
      was.Add(s, Sum(p.before));
      is.Add(s, Sum(p.after));
    }
    if (weight <= 0) return out;
    out.contrast /= weight;
    before /= weight;
    after /= weight;
    double least = 1e9;
    for (int c = 0; c < 3; ++c) least = std::min(least, (after[c] + kBlack) / (before[c] + kBlack));
    double most = least;
    for (int c = 0; c < 3; ++c) {
      // What was burnt out was lighter than it looked: it may have lost as much as the others.
      if (burnt[c] < 0.5 * weight) most = std::max(most, (after[c] + kBlack) / (before[c] + kBlack));
    }
    // Lamps of a room differ in colour by so much once the camera has balanced them; the light that a
    // thing throws into its own shadow by more.
    constexpr double kAlike = 1.25;
    constexpr double kTinted = 1.6;
    // No lamp that comes on makes a lit table four times as light.
    constexpr double kLampsShare = 4;
    out.may_be_light = most < kAlike * least && most < kLampsShare;
    out.may_be_shade = most < 1 && most < kTinted * least;
    // Light takes as much of the mark's place as of the top's; a mark that came takes more, or less.
    constexpr double kCame = 0.8;
    const auto [top_was, mark_was] = was.Solve();
    const auto [top_is, mark_is] = is.Solve();
    const double of_mark = (mark_is + kBlack) / (mark_was + kBlack);
    const double of_top = (top_is + kBlack) / (top_was + kBlack);
    out.mark_came = sizes_.light_mark ? of_top < kCame * of_mark : of_mark < kCame * of_top;
    const cv::Vec3d ground = GroundAbout(pose);
    // What has gone bares the ground: it may lie in a shade, but is no thing between the two.
    constexpr double kBared = 0.5;
    out.may_have_gone = Gap(after, ground) < kBared * Gap(before, ground);
    return out;
  }
  // Of the top, the share that is as light as the picture can show.
  double Burnt(const Pose& pose) const {
    Sample(pose);
    double all = 0;
    double burnt = 0;
    for (const PixelParts& s : samples_) {
      const cv::Vec3f& code = window_.At(s.row, s.column).code;
      all += s.part[kTop];
      if (std::max({code[0], code[1], code[2]}) >= kBurntCode) burnt += s.part[kTop];
    }
    return all > 0 ? burnt / all : 0;
  }
  // By how much a mark of the usual size and the scenario's paint would help, nats.
  double MarkExpected(const Pose& pose, const PartColours& colours) const {
    Pose marked = pose;
    marked.mark = {0, 0};
    marked.mark_px = kMark_in * sizes_.ppi;
    Sample(marked);
    double sum = 0;
    for (const PixelParts& s : samples_) {
      const double share = s.part[kMark];
      if (share < 0.01) continue;
      for (int c = 0; c < 3; ++c) {
        const double top = colours.part[kTop][c];
        const double mark = std::min(top * sizes_.mark_over_body[c], 1.0);
        const double without = CodeOfLight(top);
        const double with = CodeOfLight((1 - share) * top + share * mark);
        const double sigma =
            std::hypot(window_.noise, kPixelModel.appearance_sigma * with);
        sum += 0.5 * std::pow((with - without) / sigma, 2);
      }
    }
    // Light that burns the top may burn its mark's place too.
    return std::pow(1 - sizes_.burnt, 2) * sum / kPixelModel.SampleSize();
  }
  // Of the top, the share that is in view.
  double InView(const Pose& pose) const {
    Sample(pose, true);
    double all = 0;
    double seen = 0;
    for (const PixelParts& s : samples_) {
      const double top = s.part[kTop] + s.part[kMark];
      all += top;
      if (!window_.At(s.row, s.column).unseen) seen += top;
    }
    return all > 0 ? seen / all : 0;
  }

  double Cost(const Evaluation& at) const {
    constexpr double kParameters = 10 + 3 * 4;  // pose, and the light of three parts and shadow
    return 0.5 * kParameters *
           std::log(std::max(static_cast<double>(at.pixels) / kPixelModel.SampleSize(), 2.0));
  }
  const Sizes& Size() const { return sizes_; }
  Curvature<kWays> CurvatureOf(const Pose& pose) const {
    const Evaluation here = Evaluate(pose);
    const WeightedCodes about(window_, samples_, here.colours, subsampled_,
                              kPixelModel.SampleSize());
    return CurvatureAt<kWays>(
        pose,
        [&](const Pose& p, std::vector<float>& values) {
          const Evaluation at = Evaluate(p);
          about.Of(samples_, at.colours, values);
          return at.score;
        },
        [&](const Pose& p) { return ShapePrior(p); },
        [&](const Pose& p, std::size_t way, double by) { return Moved(p, way, by, sizes_); });
  }
  // ShellExplanation::beside
  // expected  what Picture predicts of the pose
  double Beside(const Pose& pose, const cv::Mat& expected, double contrast) const {
    constexpr double kAbout = 2.4;     // half sides from its middle: as much again beyond its own
    constexpr double kAsPlain = 0.4;   // of its contrast
    constexpr float kNothing = 0.02F;  // of a pixel
    constexpr int kMean_px = 3;        // coding changes single pixels by more
    Sample(pose);
    cv::Mat covered(window_.rect.size(), CV_8UC1, cv::Scalar(0));
    for (const PixelParts& s : samples_) {
      if (s.part[kTop] + s.part[kSide] + s.part[kMark] > kNothing)
        covered.at<std::uint8_t>(s.row, s.column) = 255;
    }
    covered = Grown(covered, 1);
    cv::Mat off(covered.size(), CV_32FC3, cv::Scalar::all(0));
    for (int row = 0; row < off.rows; ++row) {
      for (int column = 0; column < off.cols; ++column) {
        const ChangeWindow::Pixel& p = window_.At(row, column);
        if (p.unseen) covered.at<std::uint8_t>(row, column) = 255;
        if (covered.at<std::uint8_t>(row, column) == 0)
          off.at<cv::Vec3f>(row, column) = p.code - cv::Vec3f(expected.at<cv::Vec3b>(row, column));
      }
    }
    cv::blur(off, off, {kMean_px, kMean_px});
    const double least = std::max(kAsPlain * contrast, kExplanationMargins.contrast);
    int about = 0;
    int other = 0;
    for (int row = 0; row < off.rows; ++row) {
      for (int column = 0; column < off.cols; ++column) {
        if (covered.at<std::uint8_t>(row, column) != 0 ||
            std::hypot(row - pose.centre.y, column - pose.centre.x) > kAbout * pose.half_px)
          continue;
        ++about;
        const cv::Vec3f& by = off.at<cv::Vec3f>(row, column);
        const bool plain = cv::norm(by, cv::NORM_INF) >= least;
        other += plain && !MayBeShaded(window_.At(row, column)) ? 1 : 0;
      }
    }
    return about > 0 ? static_cast<double>(other) / about : 0;
  }
  cv::Mat Picture(const Pose& pose, const PartColours& colours) const {
    Sample(pose);
    return PredictedPicture(window_, samples_, colours, subsampled_);
  }

 private:
  // Whether it has only become darker, by about as much in each channel.
  static bool MayBeShaded(const ChangeWindow::Pixel& p) {
    constexpr double kBlack = 0.01;    // light
    constexpr double kLighter = 1.05;  // by noise
    constexpr double kTint = 0.25;
    double least = 1e9;
    double most = 0;
    for (int c = 0; c < 3; ++c) {
      const double gain = (p.after[c] + kBlack) / (p.before[c] + kBlack);
      least = std::min(least, gain);
      most = std::max(most, gain);
    }
    return most < kLighter && most - least < kTint;
  }
  static double Sum(const cv::Vec3d& light) { return light[0] + light[1] + light[2]; }
  // Of two lights, code values of the channel that differs most.
  static double Gap(const cv::Vec3d& a, const cv::Vec3d& b) {
    double out = 0;
    for (int c = 0; c < 3; ++c) out = std::max(out, std::abs(CodeOfLight(a[c]) - CodeOfLight(b[c])));
    return out;
  }
  // The ground's light now, from one side to three about its middle, the median.
  cv::Vec3d GroundAbout(const Pose& pose) const {
    std::array<std::vector<double>, 3> ring;
    const double from = 2 * pose.half_px;
    const double to = 4 * pose.half_px;
    for (int row = 0; row < window_.rect.height; ++row) {
      for (int column = 0; column < window_.rect.width; ++column) {
        const double off = std::hypot(row - pose.centre.y, column - pose.centre.x);
        const ChangeWindow::Pixel& p = window_.At(row, column);
        if (off < from || off > to || p.change > 3 * window_.noise) continue;
        for (int c = 0; c < 3; ++c) ring[static_cast<std::size_t>(c)].push_back(p.after[c]);
      }
    }
    cv::Vec3d out;
    for (int c = 0; c < 3; ++c)
      out[c] = Quantile(std::move(ring[static_cast<std::size_t>(c)]), 0.5).value_or(0);
    return out;
  }

  // How much of a blurred slab covers places so far off its middle, to one side.
  static Four Slab(const Four& off, float half, float blur) {
    const Four none = cv::v_setzero_f32();
    const Four one = AllFour(1);
    const float far = 3 * blur;  // beyond which less than a code value is left
    const Four reached = off <= AllFour(half + far);
    const Four whole = off < AllFour(half - far);
    const Four all = cv::v_select(whole, one, none);
    if (!cv::v_check_any(reached & ~whole)) return all;
    // The other edge of a wide slab is farther off than its blur reaches.
    constexpr float kAll = 4;  // sigmas
    const Four other = half >= kAll * blur
                           ? AllFour(kBelowSigmas(kAll))
                           : kBelowSigmas((off + AllFour(half)) / AllFour(blur));
    const Four edge = other - kBelowSigmas((off - AllFour(half)) / AllFour(blur));
    return cv::v_select(whole, one, edge & reached);
  }
  // The square, or the disc, of a pose.
  class Outline {
   public:
    explicit Outline(const Pose& pose)
        : u_(std::cos(pose.angle_rad), std::sin(pose.angle_rad)),
          along_px_(pose.half_px + pose.long_px),
          across_px_(pose.half_px),
          disc_px_(2 / std::sqrt(M_PI) * pose.half_px),  // as large as the square
          round_(pose.round),
          half_(static_cast<float>(pose.half_px)),
          longer_(static_cast<float>(pose.long_px)),
          along_x_(AllFour(static_cast<float>(u_.x))),
          along_y_(AllFour(static_cast<float>(u_.y))) {}

    // How much of pixels it covers, its edge blurred by so much.
    // x, y  of the pixels, from its middle
    Four At(const Four& x, const Four& y, float blur) const {
      const Four none = cv::v_setzero_f32();
      if (round_) {
        const Four inward =
            AllFour(static_cast<float>(disc_px_)) - cv::v_sqrt(x * x + y * y);
        return kBelowSigmas(inward / AllFour(blur));
      }
      const Four along = Slab(cv::v_abs(x * along_x_ + y * along_y_), half_ + longer_, blur);
      if (!cv::v_check_any(along > none)) return none;
      return along * Slab(cv::v_abs(y * along_x_ - x * along_y_), half_, blur);
    }
    // Beside this part of a row nothing of it shows: of a blur less than a code value is left.
    RowPart Row(const cv::Point2d& middle, float blur, int row) const {
      const double room = 4 * static_cast<double>(blur);
      const double y = row - middle.y;
      const RowPart part = round_ ? InDisc(disc_px_ + room, y)
                                  : InRectangle(u_, along_px_ + room, across_px_ + room, y);
      return part + middle.x;
    }

   private:
    cv::Point2d u_;
    double along_px_;
    double across_px_;
    double disc_px_;
    bool round_;
    float half_;
    float longer_;
    Four along_x_;
    Four along_y_;
  };

  // A number for each pixel of the window, 0 outside a part of each row.
  struct Layer {
    std::vector<RowPart> rows;
    std::vector<float> values;
    std::size_t stride = 0;

    void Clear(cv::Size size) {
      stride = static_cast<std::size_t>(size.width) + kAtOnce;
      rows.assign(static_cast<std::size_t>(size.height), {});
      values.assign(stride * rows.size(), 0.F);
    }
    RowPart& Row(int row) { return rows[static_cast<std::size_t>(row)]; }
    float* At(int row, int column) {
      return values.data() + stride * static_cast<std::size_t>(row) +
             static_cast<std::size_t>(column);
    }
    void Put(int row, int column, const Four& four) { cv::v_store(At(row, column), four); }
    Four Get(int row, int column) { return cv::v_load(At(row, column)); }
  };
  // Of the poses that are tried most differ from the last one in their mark or shadow alone: the
  // rest of the picture is kept.
  struct Kept {
    std::optional<Pose> body_of;
    std::optional<Pose> mark_of;
    std::optional<Pose> shade_of;
    Layer top;  // and mark
    Layer all;  // top, mark and sides
    Layer mark;
    Layer shade;
  };
  static Pose WithoutMark(Pose pose) {
    pose.mark = {0, 0};
    pose.mark_px = 0;
    return pose;
  }
  static Pose BodyOf(const Pose& pose) {
    Pose out = WithoutMark(pose);
    // Of a disc's blur a trace is left in its shadow's part of a row.
    if (!pose.round) out.shadow = {0, 0};
    return out;
  }
  static Four FromMiddle(int column, double middle) {
    return FourBy([&](std::size_t i) { return column + static_cast<double>(i) - middle; });
  }
  static Four Less(const Four& values, double by) {
    return values - AllFour(static_cast<float>(by));
  }
  // The blur of a shadow's edge.
  static float Soft(const Pose& pose) {
    constexpr double kPenumbra = 0.35;
    return static_cast<float>(pose.psf_px + kPenumbra * cv::norm(pose.shadow));
  }
  // Calls lay(row, column) for each four pixels of a layer's rows.
  template <typename Lay>
  void EachFour(Layer& layer, const Lay& lay) const {
    const int most = window_.rect.width - 1;
    for (int row = 0; row < window_.rect.height; ++row) {
      const int last = layer.Row(row).Last(0, most);
      for (int column = layer.Row(row).First(0, most); column <= last; column += kAtOnce)
        lay(row, column);
    }
  }

  void LayBody(const Pose& pose, const Outline& outline) const {
    const Pose key = BodyOf(pose);
    if (kept_.body_of == key) return;
    kept_.body_of = key;
    kept_.mark_of.reset();
    kept_.top.Clear(window_.rect.size());
    kept_.all.Clear(window_.rect.size());
    const double down = cv::norm(sizes_.down_px);
    constexpr double kSeen_px = 0.2;  // sides that show less than a fifth of a pixel
    const auto psf = static_cast<float>(pose.psf_px);
    for (int row = 0; row < window_.rect.height; ++row) {
      RowPart& part = kept_.top.Row(row);
      part = outline.Row(pose.centre, psf, row);
      if (down > kSeen_px) {
        for (const double share : {0.5, 1.0})
          part = part | outline.Row(pose.centre + share * sizes_.down_px, psf, row);
      }
      if (pose.round && cv::norm(pose.shadow) > 0)
        part = part | outline.Row(pose.centre + pose.shadow, Soft(pose), row);
    }
    EachFour(kept_.top, [&](int row, int column) {
      const Four x = FromMiddle(column, pose.centre.x);
      const Four y = AllFour(static_cast<float>(row - pose.centre.y));
      const Four top = outline.At(x, y, psf);
      Four all = top;
      // The sides are what the top swept over on its way up from the foot.
      if (down > kSeen_px) {
        for (const double share : {0.5, 1.0}) {
          all = cv::v_max(all, outline.At(Less(x, share * sizes_.down_px.x),
                                          Less(y, share * sizes_.down_px.y), psf));
        }
      }
      kept_.top.Put(row, column, top);
      kept_.all.Put(row, column, all);
    });
  }
  void LayMark(const Pose& pose) const {
    Pose key = BodyOf(pose);
    key.mark = pose.mark;
    key.mark_px = pose.mark_px;
    if (kept_.mark_of == key) return;
    kept_.mark_of = key;
    kept_.mark.Clear(window_.rect.size());
    if (pose.mark_px <= 0) return;
    const auto psf = static_cast<float>(pose.psf_px);
    EachFour(kept_.top, [&](int row, int column) {
      const Four top = kept_.top.Get(row, column);
      if (!cv::v_check_any(top > cv::v_setzero_f32())) return;
      const Four x = Less(FromMiddle(column, pose.centre.x), pose.mark.x);
      const Four y = Less(AllFour(static_cast<float>(row - pose.centre.y)), pose.mark.y);
      const Four off = cv::v_sqrt(x * x + y * y);
      const Four inward = AllFour(static_cast<float>(pose.mark_px)) - off;
      kept_.mark.Put(row, column, top * kBelowSigmas(inward / AllFour(psf)));
    });
  }
  void LayShade(const Pose& pose, const Outline& outline) const {
    const Pose key = WithoutMark(pose);
    if (kept_.shade_of == key) return;
    kept_.shade_of = key;
    kept_.shade.Clear(window_.rect.size());
    if (cv::norm(pose.shadow) <= 0) return;
    const float soft = Soft(pose);
    for (int row = 0; row < window_.rect.height; ++row) {
      kept_.shade.Row(row) = outline.Row(pose.centre + pose.shadow, soft, row);
      // A trace of a disc's blur shows in its own part of a row, too.
      if (pose.round) kept_.shade.Row(row) = kept_.shade.Row(row) | kept_.top.Row(row);
    }
    EachFour(kept_.shade, [&](int row, int column) {
      const Four x = Less(FromMiddle(column, pose.centre.x), pose.shadow.x);
      const Four y = Less(AllFour(static_cast<float>(row - pose.centre.y)), pose.shadow.y);
      kept_.shade.Put(row, column, outline.At(x, y, soft));
    });
  }

  void Sample(const Pose& pose, bool unseen_too = false) const {
    const Outline outline(pose);
    LayBody(pose, outline);
    LayMark(pose);
    LayShade(pose, outline);
    samples_.clear();
    const double far = cv::norm(pose.shadow);
    const double down = cv::norm(sizes_.down_px);
    const double reach =
        1.5 * pose.half_px + std::abs(pose.long_px) + 3 * pose.psf_px + far + down + 1;
    const int low_row = std::max(0, static_cast<int>(pose.centre.y - reach));
    const int low_column = std::max(0, static_cast<int>(pose.centre.x - reach));
    const int high_row =
        std::min(window_.rect.height - 1, static_cast<int>(std::ceil(pose.centre.y + reach)));
    const int high_column =
        std::min(window_.rect.width - 1, static_cast<int>(std::ceil(pose.centre.x + reach)));
    const Four one = AllFour(1);
    for (int row = low_row; row <= high_row; ++row) {
      const RowPart part = kept_.top.Row(row) | kept_.shade.Row(row);
      const int last = part.Last(low_column, high_column);
      for (int column = part.First(low_column, high_column); column <= last; column += kAtOnce) {
        const Four top = kept_.top.Get(row, column);
        const Four all = kept_.all.Get(row, column);
        const Four mark = kept_.mark.Get(row, column);
        const Four shade = kept_.shade.Get(row, column);
        const Four bare = one - all;
        constexpr float kNone = 1e-3F;
        const int shows = cv::v_signmask((bare < AllFour(1 - kNone)) | (shade > AllFour(kNone)));
        if (shows == 0) continue;
        const std::array<float, kAtOnce> each_mark = EachOf(mark);
        const std::array<float, kAtOnce> each_top = EachOf(top - mark);
        const std::array<float, kAtOnce> each_side = EachOf(all - top);
        const std::array<float, kAtOnce> each_bare = EachOf(bare);
        const std::array<float, kAtOnce> each_shade = EachOf(shade);
        for (std::size_t i = 0; i < each_top.size(); ++i) {
          PixelParts s;
          s.row = row;
          s.column = column + static_cast<int>(i);
          if ((shows >> i & 1) == 0 || s.column > last) continue;
          if (!unseen_too && window_.At(row, s.column).unseen) continue;
          s.part[kMark] = each_mark[i];
          s.part[kTop] = each_top[i];
          s.part[kSide] = each_side[i];
          s.bare = each_bare[i];
          s.shade = each_shade[i];
          samples_.push_back(s);
        }
      }
    }
  }

  std::array<PartPrior, PixelParts::kParts> Priors() const {
    const auto all = [](double v) { return cv::Vec3d(v, v, v); };
    std::array<PartPrior, PixelParts::kParts> out;
    out[kTop] = {all(0.3), all(0.3)};
    out[kSide] = {all(0.2), all(0.25)};
    // The light of a burnt top spreads over its mark, which then looks lighter than its paint.
    constexpr double kBurnt = 0.5;
    out[kMark] = {all(0.05), all(0.15 + kBurnt * sizes_.burnt)};
    if (sizes_.light_mark) out[kMark] = {all(0.5), all(0.3)};
    return out;
  }

  // By how much the channels of a light part otherwise than those of another: half the sum of the
  // squares of their logarithms off their mean.
  static double Parting(const cv::Vec3d& light, const cv::Vec3d& other) {
    constexpr double kDark = 0.02;
    cv::Vec3d ratio;
    for (int c = 0; c < 3; ++c) ratio[c] = std::log((light[c] + kDark) / (other[c] + kDark));
    const double mean = Sum(ratio) / 3;
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += 0.5 * (ratio[c] - mean) * (ratio[c] - mean);
    return sum;
  }
  // The paint's colour under an unknown lamp: channels part by 40 % one sigma (2,700 K to 6,500 K
  // and a webcam's white balance), a shell of another club's plasticine by more.
  static constexpr double kPaintPart = 0.4;
  double BodyPrior(const cv::Vec3d& top) const {
    constexpr double kOther = 10;  // nats: one in twenty thousand
    // What it covers may be no ground: then the lamp is as unknown as anywhere.
    const double unlike =
        std::min(Parting(top, sizes_.body), Parting(top, sizes_.body.mul(sizes_.lamp)));
    return -std::min(unlike / (kPaintPart * kPaintPart), kOther);
  }
  // A shadow is no coloured thing: it takes about as much of each channel. Where two lamps of
  // different colours light the table, it does not quite.
  static double ShadowPrior(const cv::Vec3d& shadow) {
    constexpr double kPart = 0.12;
    const double mean = (shadow[0] + shadow[1] + shadow[2]) / 3;
    double unlike = 0;
    for (int c = 0; c < 3; ++c) unlike += 0.5 * std::pow((shadow[c] - mean) / kPart, 2);
    return -unlike;
  }
  // Else its shadow would explain a coloured thing beside it, and its sides the ground.
  static void LimitToShadeAndPaint(PartColours& colours) {
    // Of the light that a shadow leaves, a warm bulb beside daylight leaves three times as much blue
    // as red; a bright sun and the sky twice as much.
    constexpr double kTint = 2.5;
    constexpr double kPart = 0.2;
    cv::Vec3d& shadow = colours.shadow;
    const double deepest = std::max({shadow[0], shadow[1], shadow[2]});
    const double least = std::max(Sum(shadow) / 3 - kPart, 1 - kTint * (1 - deepest));
    // Sides are of the top's paint. A lamp as low as 30 degrees lights those that face it 1.7 times
    // as much.
    constexpr double kMostOfTop = 2;
    constexpr double kBlack = 0.02;  // light
    for (int c = 0; c < 3; ++c) {
      shadow[c] = std::max(shadow[c], least);
      double& side = colours.part[kSide][c];
      side = std::min(side, kMostOfTop * colours.part[kTop][c] + kBlack);
    }
  }
  double ShapePrior(const Pose& pose) const {
    const auto off = [](double value, double mean, double sigma) {
      return 0.5 * (value - mean) * (value - mean) / (sigma * sigma);
    };
    const double ppi = sizes_.ppi;
    const bool other = pose.round || pose.long_px != 0;  // of which the size is not known
    double log = -(other ? 0 : off(pose.half_px, sizes_.half_px, kSizeSigma * sizes_.half_px)) -
                 off(pose.psf_px, sizes_.blur.sigma_px, sizes_.blur.doubt_px) -
                 off(cv::norm(pose.shadow), 0, kShadowSigma_in * ppi);
    if (pose.mark_px > 0) {
      log -= off(pose.mark_px, kMark_in * ppi, kMarkSigma_in * ppi) +
             off(pose.mark.x, 0, kOffMiddleSigma_in * ppi) +
             off(pose.mark.y, 0, kOffMiddleSigma_in * ppi);
    }
    return log;
  }

  const ChangeWindow& window_;
  Sizes sizes_;
  bool subsampled_;
  mutable Kept kept_;
  mutable std::vector<PixelParts> samples_;
};

// The best of many starts: a square repeats every quarter turn, shadows fall any way or none, and what
// changed has its middle between the shell's and its shadow's, or in the shadow's.
// from, to  how far the starts lie aside in rows or columns, in quarters of a shell's side
Pose BestStart(const ShellModel& model, const Pose& start, int from, int to) {
  Pose best = start;
  double most = -1e18;
  const double step_px = 0.5 * start.half_px;
  for (int row = -to; row <= to; ++row) {
    for (int column = -to; column <= to; ++column) {
      const int steps = std::max(std::abs(row), std::abs(column));
      if (steps < from || steps > to) continue;
      for (int turn = 0; turn < 3; ++turn) {
        for (int way = 0; way < 5; ++way) {
          Pose pose = start;
          pose.centre += step_px * cv::Point2d(column, row);
          pose.angle_rad = turn * M_PI / 6;
          if (way > 0) {
            const double angle = way * M_PI / 2;
            pose.shadow = 0.12 * model.Size().ppi * cv::Point2d(std::cos(angle), std::sin(angle));
          }
          const double value = model.Evaluate(pose).score;
          if (value <= most) continue;
          most = value;
          best = pose;
        }
      }
    }
  }
  return best;
}

// All that may be moved, by steps down to least_px.
Pose Refine(const ShellModel& model, const Pose& start, double least_px) {
  const bool block = start.long_px != 0;
  return PatternSearch(
      start, 2.0, least_px, kWays + (block ? 1 : 0),
      [&](const Pose& p) { return model.Evaluate(p).score; },
      [&](const Pose& p, std::size_t way, double by) {
        if (way < kWays) return Moved(p, way, by, model.Size());
        Pose longer = p;
        longer.long_px += by;
        return longer;
      });
}

// The mark that explains most as it stands, of any size and anywhere about the middle: a search
// that began at another place may have ended in a corner's shade.
Pose WithMark(const ShellModel& model, const Pose& pose) {
  Pose best = pose;
  double most = model.Evaluate(pose).score;
  for (const double size_in : {0.035, 0.06, 0.1}) {
    for (int row = -2; row <= 2; ++row) {
      for (int column = -2; column <= 2; ++column) {
        Pose marked = pose;
        marked.mark_px = size_in * model.Size().ppi;
        marked.mark = 0.5 * kOffMiddleRange_in * model.Size().ppi * cv::Point2d(column, row);
        const double value = model.Evaluate(marked).score;
        if (value <= most) continue;
        most = value;
        best = marked;
      }
    }
  }
  return best;
}

// By how much a shell is the likelier than a round thing or an oblong one of any size in its place,
// with the same mark: a button, a ball of wool; a strip of paper, a piece of a stick, a base.
double OverOtherShapes(const ShellModel& model, const Pose& shell, double score) {
  std::array<double, 3> scores{};
  InParallel(scores.size(), [&](std::size_t i) {
    const ShellModel own = model;  // it remembers the pose that it looked at last
    Pose other = shell;
    if (i == 0) {
      other.round = true;
      other = NewtonSearch<kWays>(
          Refine(own, other, 0.5), [&](const Pose& p) { return own.Evaluate(p).score; },
          [&](const Pose& p) { return own.CurvatureOf(p); },
          [&](const Pose& p, std::size_t way, double by) { return Moved(p, way, by, own.Size()); });
    } else {
      other.angle_rad += i == 1 ? 0 : M_PI / 2;
      other.long_px = 0.5 * shell.half_px;
      other = Refine(own, other, 0.5);
    }
    scores[i] = own.Evaluate(other).score;
  });
  return score - *std::max_element(scores.begin(), scores.end());
}

// The covariance of the mark's place, px^2: the inverse of the score's curvature.
Cov2 PlaceCovariance(const ShellModel& model, const Pose& pose) {
  const Curvature<kWays> at = model.CurvatureOf(pose);
  constexpr int kSize = static_cast<int>(kWays);
  cv::Matx<double, 2, kSize> by = cv::Matx<double, 2, kSize>::zeros();
  by(0, 0) = by(1, 1) = 1;
  if (pose.mark_px > 0) by(0, 7) = by(1, 8) = 0.5;  // as Moved moves it
  const cv::Matx22d place = by * CovarianceOf<kWays>(at) * by.t();
  return {std::max(place(0, 0), 0.0), place(0, 1), std::max(place(1, 1), 0.0)};
}

// How far the picture changed at each pixel, in sigmas of noise.
cv::Mat ChangeInSigmas(const ChangeWindow& window, const cv::Mat& changed) {
  constexpr double kLeast = 2.5;
  cv::Mat out(window.rect.size(), CV_32F, cv::Scalar(0));
  for (int row = 0; row < out.rows; ++row) {
    for (int column = 0; column < out.cols; ++column) {
      const ChangeWindow::Pixel& p = window.At(row, column);
      const double sigmas = p.change / window.noise;
      if (p.unseen || changed.at<std::uint8_t>(row, column) == 0 || sigmas < kLeast) continue;
      out.at<float>(row, column) = static_cast<float>(sigmas);
    }
  }
  return out;
}

// Where a shell and its shadow show.
cv::Mat Near(const ChangeWindow& window, const Pose& pose) {
  cv::Mat near(window.rect.size(), CV_8UC1, cv::Scalar(0));
  cv::circle(near, cv::Point(pose.centre),
             static_cast<int>(1.5 * pose.half_px + cv::norm(pose.shadow)), cv::Scalar(255),
             cv::FILLED);
  return near;
}

// Of that radius, with a sum of 1.
cv::Mat MeanOverDisc(int radius) {
  cv::Mat out(2 * radius + 1, 2 * radius + 1, CV_32F, cv::Scalar(0));
  cv::circle(out, {radius, radius}, radius, cv::Scalar(1), cv::FILLED);
  return out / cv::sum(out)[0];
}

}  // namespace

std::vector<ImagePoint> ShellProposals(const ShotPictures& pictures, const TableBox& where,
                                       double level_in, double size_in, double least_contrast,
                                       const cv::Mat& unseen) {
  std::vector<ImagePoint> out;
  const Vec2 middle = 0.5 * (where.low + where.high);
  const double ppi = PixelsPerInch(pictures.camera, middle, level_in);
  const int room = static_cast<int>(std::ceil(2 * size_in * ppi));
  cv::Rect rect = PixelsOf(pictures.camera, where, level_in);
  rect = cv::Rect(rect.tl() - cv::Point(room, room), rect.br() + cv::Point(room, room));
  const ChangeWindow window = CutWindow(pictures, rect, unseen);
  if (window.pixels.empty()) return out;
  // The change mask comes at a coarser scale.
  const cv::Mat changed =
      Grown(pictures.changed(window.rect), static_cast<int>(std::lround(0.15 * ppi)));
  const cv::Mat sigmas = ChangeInSigmas(window, changed);
  // As much as a shell changes on a disc of its size, less what changes about it.
  const int radius = std::max(2, static_cast<int>(std::lround(0.5 * size_in * ppi)));
  const auto over_its_surroundings = [&](const cv::Mat& change) {
    cv::Mat inside;
    cv::Mat about;
    cv::filter2D(change, inside, CV_32F, MeanOverDisc(radius), {-1, -1}, 0, cv::BORDER_CONSTANT);
    cv::filter2D(change, about, CV_32F, MeanOverDisc(2 * radius), {-1, -1}, 0, cv::BORDER_CONSTANT);
    return cv::Mat(inside - about);
  };
  // No more than a dozen sigmas: what is asked for is a place of the right size.
  constexpr double kMostSigmas = 12;
  cv::Mat peak = over_its_surroundings(cv::min(sigmas, kMostSigmas));
  // A sixth of the contrast of a shell that is only just asked about: blur, and the shadow about it,
  // take the rest where it is small.
  const double least = std::min(least_contrast / window.noise, kMostSigmas) / 6;
  std::vector<cv::Point> places;
  constexpr std::size_t kLooked = 60;
  while (places.size() < kLooked) {
    double most = 0;
    cv::Point at;
    cv::minMaxLoc(peak, nullptr, &most, nullptr, &at);
    if (most < least) break;
    places.push_back(at);
    cv::circle(peak, at, radius, cv::Scalar(-1), cv::FILLED);
  }
  // The likeliest, some of them of one thing. Where many places changed a little, as at a new whole
  // picture of the coder's, then what changed most of the others, away from them.
  constexpr std::size_t kLikeliest = 6;
  constexpr std::size_t kStrongest = 2;
  if (places.size() > kLikeliest) {
    const cv::Mat strength = over_its_surroundings(sigmas);
    const auto rest = places.begin() + kLikeliest;
    const double apart = 4.0 * radius;
    const auto away = [&](const cv::Point& place) {
      return std::none_of(places.begin(), rest, [&](const cv::Point& one) {
        return std::hypot(one.x - place.x, one.y - place.y) < apart;
      });
    };
    const auto end = std::stable_partition(rest, places.end(), away);
    std::stable_sort(rest, end, [&](const cv::Point& a, const cv::Point& b) {
      return strength.at<float>(a) > strength.at<float>(b);
    });
    places.erase(std::min(end, rest + kStrongest), places.end());
  }
  for (const cv::Point& at : places)
    out.push_back({static_cast<double>(at.x + window.rect.x),
                   static_cast<double>(at.y + window.rect.y)});
  return out;
}

std::optional<ShellExplanation> ExplainAsShell(const ShotPictures& pictures, ImagePoint centre,
                                               double level_in, double ground_in,
                                               const ProjectileSpec& spec,
                                               const cv::Mat& unseen, double least_explained,
                                               const std::function<bool(const ShellExplanation&)>&
                                                   worth_more) {
  const auto there = TableFromImage(pictures.camera, centre, level_in, 0);
  if (!there.ok()) return std::nullopt;
  Sizes sizes;
  sizes.ppi = PixelsPerInch(pictures.camera, there->at, level_in);
  sizes.half_px = 0.5 * spec.size_in * sizes.ppi;
  sizes.blur = pictures.blur;
  sizes.blur.sigma_px = std::hypot(pictures.blur.sigma_px, kSoft_in * sizes.ppi);
  const ImagePoint foot = ImageFromTable(pictures.camera, there->at, ground_in);
  sizes.down_px = {foot.x_px - centre.x_px, foot.y_px - centre.y_px};
  const std::array<float, 256>& light = LightOfSrgbCode();
  const auto grey = [](Colour c) { return c.r + c.g + c.b; };
  sizes.light_mark = grey(spec.mark) > grey(spec.body);
  sizes.body = {light[spec.body.b], light[spec.body.g], light[spec.body.r]};
  constexpr double kBlack = 0.01;
  const cv::Vec3d mark_light(light[spec.mark.b], light[spec.mark.g], light[spec.mark.r]);
  for (int c = 0; c < 3; ++c)
    sizes.mark_over_body[c] = (mark_light[c] + kBlack) / (sizes.body[c] + kBlack);
  // A shell's own width to every side, where the ground shows what changes by itself.
  const int reach = static_cast<int>(std::ceil(5 * sizes.half_px));
  const ChangeWindow window =
      CutWindow(pictures,
                {static_cast<int>(centre.x_px) - reach, static_cast<int>(centre.y_px) - reach,
                 2 * reach + 1, 2 * reach + 1},
                unseen);
  if (window.pixels.size() < 100) return std::nullopt;
  sizes.lamp = LampAt(window, centre, sizes.half_px, pictures.paper);
  const ShellModel unburnt(window, sizes, false);
  Pose start;
  start.centre = cv::Point2d(centre.x_px, centre.y_px) - cv::Point2d(window.rect.tl());
  start.half_px = sizes.half_px;
  start.mark_px = kMark_in * sizes.ppi;
  start.psf_px = sizes.blur.sigma_px;
  const auto refined_from = [&](int from, int to) {
    return Refine(unburnt, BestStart(unburnt, start, from, to), 0.5);
  };
  const auto explained_by = [&](const Pose& pose) {
    const ShellModel::Evaluation at = unburnt.Evaluate(pose);
    return ExplainOtherwise(window, Near(window, pose)).ShareOf(at.score - unburnt.Cost(at));
  };
  Pose rough = refined_from(0, 1);
  double explained = explained_by(rough);
  if (explained < kExplanationMargins.whole_shell) {
    const Pose farther = refined_from(2, 2);
    if (unburnt.Evaluate(farther).score > unburnt.Evaluate(rough).score) {
      rough = farther;
      explained = explained_by(rough);
    }
  }
  sizes.burnt = unburnt.Burnt(rough);
  const ShellModel plain(window, sizes, false);
  const ShellModel::Evaluation first = plain.Evaluate(rough);
  if (first.score - plain.Cost(first) <= 0) return std::nullopt;
  // Refined, none of 566 on ten labelled clips explained 1.25 times as much of what the best other
  // hypothesis does.
  constexpr double kUnrefined = 0.8;
  if (explained < kUnrefined * least_explained) return std::nullopt;
  const ShellModel blurred(window, sizes, true);
  const ShellModel& model = blurred.Evaluate(rough).score > first.score ? blurred : plain;
  const Pose marked = NewtonSearch<kWays>(
      WithMark(model, rough), [&](const Pose& p) { return model.Evaluate(p).score; },
      [&](const Pose& p) { return model.CurvatureOf(p); },
      [&](const Pose& p, std::size_t way, double by) { return Moved(p, way, by, sizes); });
  Pose unmarked = marked;
  unmarked.mark_px = 0;
  const ShellModel::Evaluation at = model.Evaluate(marked);
  ShellExplanation out;
  out.over_nothing = at.score - model.Cost(at);
  if (out.over_nothing <= 0) return std::nullopt;
  const cv::Point2d origin = window.rect.tl();
  const cv::Point2d mark = marked.centre + marked.mark + origin;
  out.mark = {mark.x, mark.y};
  out.centre = {marked.centre.x + origin.x, marked.centre.y + origin.y};
  out.px_per_in = sizes.ppi;
  out.size_in = 2 * marked.half_px / sizes.ppi;
  out.mark_nats = at.score - model.Evaluate(unmarked).score;
  out.over_shadow = at.score - model.Evaluate(marked, true).score;
  out.colour_odds = model.ColourOdds(at.colours);
  out.in_view = model.InView(marked);
  const ShellModel::TopChange change = model.ChangeOnTop(marked);
  out.contrast = change.contrast;
  out.may_be_shade = change.may_be_shade;
  const bool mark_came = change.mark_came && out.mark_nats >= kExplanationMargins.mark;
  out.mark_expected = model.MarkExpected(marked, at.colours);
  // Two shells cannot lie nearer than this: what lay so near was no other shell.
  const double farthest_push_px = 1.5 * marked.half_px;
  const Alternatives others = ExplainOtherwise(window, Near(window, marked), farthest_push_px);
  out.over_pushed = out.over_nothing - others.pushed;
  out.explained = others.ShareOf(out.over_nothing);
  out.came = others.came;
  const bool came = others.came >= kExplanationMargins.came &&
                    out.explained >= kExplanationMargins.whole_shell;
  const bool in_other_light = (change.may_be_light || change.may_have_gone) && !mark_came;
  out.may_be_light = in_other_light && !came;
  out.like_light =
      in_other_light && others.relit >= kExplanationMargins.as_light * out.over_nothing;
  if (worth_more && !worth_more(out)) return out;
  out.over_other_shapes = OverOtherShapes(model, marked, at.score);
  out.place_cov_px2 = PlaceCovariance(model, marked);
  out.predicted = {window.rect, model.Picture(marked, at.colours)};
  out.beside = model.Beside(marked, out.predicted.bgr, change.contrast);
  return out;
}

}  // namespace fos
