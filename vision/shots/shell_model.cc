#include "vision/shots/shell_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "calibration/camera/response.h"
#include "vision/shots/change_window.h"
#include "vision/shots/pattern_search.h"

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
};

struct Sizes {
  double ppi = 24;
  double half_px = 4.8;
  cv::Point2d down_px{0, 0};  // where the foot of its sides shows, from the top
  PointSpread blur;
  cv::Vec3d body;  // nominal light
};

// Clubs cut squares by eye (a tenth of the side), round off corners as plasticine does, and mark
// the middle with a pen: a dot or a hole of a twentieth of an inch or two, within a tenth of an inch
// of the middle.
constexpr double kSizeSigma = 0.12;  // of the side
constexpr double kMark_in = 0.06;
constexpr double kMarkSigma_in = 0.025;
constexpr double kMarkRange_in[] = {0.025, 0.12};
constexpr double kOffMiddleSigma_in = 0.03;
constexpr double kSoft_in = 0.025;  // rounded edges blur the outline by this
constexpr double kShadowSigma_in = 0.15;

class ShellModel {
 public:
  ShellModel(const ChangeWindow& window, const Sizes& sizes) : window_(window), sizes_(sizes) {}

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
    out.score = LogOverNothing(window_, samples_, out.colours, kPixelModel.SampleSize()) +
                BodyPrior(out.colours.part[kTop]) + MarkPrior(out.colours, pose) +
                ShapePrior(pose);
    return out;
  }

  double Cost(const Evaluation& at) const {
    constexpr double kParameters = 10 + 3 * 4;  // pose, and the light of three parts and shadow
    return 0.5 * kParameters *
           std::log(std::max(static_cast<double>(at.pixels) / kPixelModel.SampleSize(), 2.0));
  }
  const Sizes& Size() const { return sizes_; }

 private:
  void Sample(const Pose& pose) const {
    samples_.clear();
    const double far = cv::norm(pose.shadow);
    const double down = cv::norm(sizes_.down_px);
    const double reach = 1.5 * pose.half_px + 3 * pose.psf_px + far + down + 1;
    const int low_row = std::max(0, static_cast<int>(pose.centre.y - reach));
    const int low_column = std::max(0, static_cast<int>(pose.centre.x - reach));
    const int high_row =
        std::min(window_.rect.height - 1, static_cast<int>(std::ceil(pose.centre.y + reach)));
    const int high_column =
        std::min(window_.rect.width - 1, static_cast<int>(std::ceil(pose.centre.x + reach)));
    const cv::Point2d u(std::cos(pose.angle_rad), std::sin(pose.angle_rad));
    const auto half = static_cast<float>(pose.half_px);
    const auto square = [&](const cv::Point2d& d, float blur) {
      const auto a = static_cast<float>(d.dot(u));
      const auto b = static_cast<float>(u.cross(d));
      return (BelowSigmas((a + half) / blur) - BelowSigmas((a - half) / blur)) *
             (BelowSigmas((b + half) / blur) - BelowSigmas((b - half) / blur));
    };
    const auto psf = static_cast<float>(pose.psf_px);
    constexpr double kPenumbra = 0.35;
    const auto soft = static_cast<float>(pose.psf_px + kPenumbra * far);
    for (int row = low_row; row <= high_row; ++row) {
      for (int column = low_column; column <= high_column; ++column) {
        const cv::Point2d d(column - pose.centre.x, row - pose.centre.y);
        PixelParts s;
        s.row = row;
        s.column = column;
        const float top = square(d, psf);
        float all = top;
        // The sides are what the top swept over on its way up from the foot.
        for (const double share : {0.5, 1.0})
          all = std::max(all, square(d - share * sizes_.down_px, psf));
        float mark = 0;
        if (pose.mark_px > 0) {
          const auto off = static_cast<float>(cv::norm(d - pose.mark));
          mark = top * BelowSigmas((static_cast<float>(pose.mark_px) - off) / psf);
        }
        s.part[kMark] = mark;
        s.part[kTop] = top - mark;
        s.part[kSide] = all - top;
        s.bare = 1 - all;
        if (far > 0) s.shade = square(d - pose.shadow, soft);
        constexpr float kNone = 1e-3F;
        if (s.bare < 1 - kNone || s.shade > kNone) samples_.push_back(s);
      }
    }
  }

  static std::array<PartPrior, PixelParts::kParts> Priors() {
    const auto all = [](double v) { return cv::Vec3d(v, v, v); };
    std::array<PartPrior, PixelParts::kParts> out;
    out[kTop] = {all(0.3), all(0.3)};
    out[kSide] = {all(0.2), all(0.25)};
    out[kMark] = {all(0.05), all(0.15)};
    return out;
  }

  // The paint's colour under an unknown lamp: channels part by 40 % one sigma (2,700 K to 6,500 K
  // and a webcam's white balance), a shell of another club's plasticine by more.
  double BodyPrior(const cv::Vec3d& top) const {
    constexpr double kPart = 0.4;
    constexpr double kDark = 0.02;
    constexpr double kOther = 10;  // nats: one in twenty thousand
    cv::Vec3d ratio;
    for (int c = 0; c < 3; ++c)
      ratio[c] = std::log((top[c] + kDark) / (sizes_.body[c] + kDark));
    const double mean = (ratio[0] + ratio[1] + ratio[2]) / 3;
    double unlike = 0;
    for (int c = 0; c < 3; ++c) unlike += 0.5 * std::pow((ratio[c] - mean) / kPart, 2);
    return -std::min(unlike, kOther);
  }
  // A mark is darker than the top.
  static double MarkPrior(const PartColours& colours, const Pose& pose) {
    if (pose.mark_px <= 0) return 0;
    const cv::Vec3d darker = colours.part[kTop] - colours.part[kMark];
    constexpr double kLighter = 20;
    return darker[0] + darker[1] + darker[2] > 0 ? 0 : -kLighter;
  }
  double ShapePrior(const Pose& pose) const {
    const auto off = [](double value, double mean, double sigma) {
      return 0.5 * (value - mean) * (value - mean) / (sigma * sigma);
    };
    const double ppi = sizes_.ppi;
    double log = -off(pose.half_px, sizes_.half_px, kSizeSigma * sizes_.half_px) -
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
  mutable std::vector<PixelParts> samples_;
};

constexpr std::size_t kWays = 10;
Pose Moved(Pose pose, std::size_t way, double by, const Sizes& sizes) {
  const double ppi = sizes.ppi;
  switch (way) {
    case 0: pose.centre.x += by; break;
    case 1: pose.centre.y += by; break;
    case 2: pose.angle_rad += by / pose.half_px; break;
    case 3:
      // No piece is half as large again.
      pose.half_px = std::clamp(pose.half_px + 0.5 * by, 0.7 * sizes.half_px, 1.4 * sizes.half_px);
      break;
    case 4: pose.shadow.x += by; break;
    case 5: pose.shadow.y += by; break;
    case 6:
      pose.psf_px =
          std::clamp(pose.psf_px + 0.3 * by, 0.35, sizes.blur.sigma_px + 2.5 * sizes.blur.doubt_px);
      break;
    case 7: pose.mark.x += 0.5 * by; break;
    case 8: pose.mark.y += 0.5 * by; break;
    default:
      if (pose.mark_px > 0)
        pose.mark_px = std::clamp(pose.mark_px + 0.5 * by, kMarkRange_in[0] * ppi,
                                  kMarkRange_in[1] * ppi);
      break;
  }
  return pose;
}

Pose Best(const ShellModel& model, const Pose& start) {
  const Sizes& sizes = model.Size();
  const auto score = [&](const Pose& p) { return model.Evaluate(p).score; };
  const auto moved = [&](const Pose& p, std::size_t way, double by) {
    return Moved(p, way, by, sizes);
  };
  Pose best = start;
  double most = -1e18;
  // A square repeats every quarter turn; shadows fall any way or none.
  for (int turn = 0; turn < 3; ++turn) {
    for (int way = 0; way < 5; ++way) {
      Pose pose = start;
      pose.angle_rad = turn * M_PI / 6;
      if (way > 0) {
        const double angle = way * M_PI / 2;
        pose.shadow = 0.12 * sizes.ppi * cv::Point2d(std::cos(angle), std::sin(angle));
      }
      const double value = score(pose);
      if (value > most) {
        most = value;
        best = pose;
      }
    }
  }
  return PatternSearch(best, 2.0, 0.25, kWays, score, moved);
}

}  // namespace

std::optional<ShellExplanation> ExplainAsShell(const ShotPictures& pictures, ImagePoint centre,
                                               double level_in, double ground_in,
                                               const ProjectileSpec& spec,
                                               const cv::Mat& unseen) {
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
  sizes.body = {light[spec.body.b], light[spec.body.g], light[spec.body.r]};
  // A shell's own width to every side, where the ground shows what changes by itself.
  const int reach = static_cast<int>(std::ceil(5 * sizes.half_px));
  const ChangeWindow window =
      CutWindow(pictures,
                {static_cast<int>(centre.x_px) - reach, static_cast<int>(centre.y_px) - reach,
                 2 * reach + 1, 2 * reach + 1},
                unseen);
  if (window.pixels.size() < 100) return std::nullopt;
  const ShellModel model(window, sizes);
  Pose start;
  start.centre = cv::Point2d(centre.x_px, centre.y_px) - cv::Point2d(window.rect.tl());
  start.half_px = sizes.half_px;
  start.mark_px = kMark_in * sizes.ppi;
  start.psf_px = sizes.blur.sigma_px;
  const Pose marked = Best(model, start);
  Pose unmarked = marked;
  unmarked.mark_px = 0;
  const ShellModel::Evaluation at = model.Evaluate(marked);
  ShellExplanation out;
  const cv::Point2d origin = window.rect.tl();
  const cv::Point2d mark = marked.centre + marked.mark + origin;
  out.mark = {mark.x, mark.y};
  out.centre = {marked.centre.x + origin.x, marked.centre.y + origin.y};
  out.size_in = 2 * marked.half_px / sizes.ppi;
  out.mark_in = marked.mark_px / sizes.ppi;
  out.over_nothing = at.score - model.Cost(at);
  out.mark_nats = at.score - model.Evaluate(unmarked).score;
  out.over_shadow = at.score - model.Evaluate(marked, true).score;
  cv::Mat near(window.rect.size(), CV_8UC1, cv::Scalar(0));
  cv::circle(near, cv::Point(marked.centre),
             static_cast<int>(1.5 * marked.half_px + cv::norm(marked.shadow)), cv::Scalar(255),
             cv::FILLED);
  const Alternatives others = ExplainOtherwise(window, near);
  out.relit = others.relit;
  out.explained =
      out.over_nothing / std::max({others.Best(), out.over_nothing, 1.0});
  return out;
}

}  // namespace fos
