// SPDX-License-Identifier: MIT
#include "vision/shots/swab_ends.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "vision/image/patch_pair.h"
#include "vision/shots/swab_fit.h"

namespace fos {
namespace {

// Sampling steps of what is not known of a colour.
constexpr std::array<float, 6> kShades{0.3F, 0.45F, 0.6F, 0.75F, 0.9F, 1.0F};  // of light left
constexpr std::array<float, 4> kLights{0.4F, 0.6F, 0.8F, 1.0F};  // of the light on the paint
constexpr std::array<float, 4> kFullDips{0.8F, 0.88F, 0.95F,
                                         1.0F};  // share of the paint's own colour
constexpr std::array<float, 3> kPaleDips{0.15F, 0.35F, 0.55F};
constexpr std::array<float, 3> kBlends{0.25F, 0.5F, 0.75F};  // across a blurred boundary

double LogSum(double a, double b) {
  const double high = std::max(a, b);
  return std::isfinite(high) ? high + std::log1p(std::exp(std::min(a, b) - high)) : high;
}

constexpr double kImpossible = -1e300;

cv::Vec3f Levels(const cv::Vec3f& linear) {
  const auto level = [](float v) { return 255 * std::pow(std::max(v, 0.F) / 255, 1 / 2.2F); };
  return {level(linear[0]), level(linear[1]), level(linear[2])};
}

// The pixels of one end against each of its explanations.
class EndLikelihood {
 public:
  EndLikelihood(const SwabEnd& end, const SwabEndModel& model, const SwabPriors& priors)
      : end_(end), model_(model), priors_(priors) {
    const std::vector<EndStation>& s = end.stations;
    step_in_ = s.size() > 1 ? s[1].outward_in - s[0].outward_in : 1;
    variance_ = std::pow(priors.colour_sigma, 2) + std::pow(model.noise, 2);
    for (const EndStation& station : s) seen_.push_back(Levels(station.after));
    cloth_ = Sums([&](std::size_t i) { return ClothAt(i); });
    white_ = Sums([&](std::size_t i) { return WhiteAt(i); });
    white_to_cloth_ = Sums([&](std::size_t i) { return Blend(i, model_.white, s[i].before); });
  }

  // ln P of the pixels when this end is bare cotton, hidden or not.
  double Bare() const {
    return LogSum(std::log(1 - priors_.end_hidden) + BareInView(),
                  std::log(priors_.end_hidden) + Cut());
  }

  // The same when it is the dipped one.
  double Dipped() const {
    cv::Vec3f paint = ShareOfCotton(model_.tip_paint);
    for (int k = 0; k < 3; ++k) paint[k] = std::min(paint[k], 1.F);
    const auto mixed = [&](float share, float light) {
      cv::Vec3f out;
      for (int k = 0; k < 3; ++k)
        out[k] = light * model_.white[k] * ((1 - share) + share * paint[k]);
      return out;
    };
    double total = std::log(priors_.no_visible_dip) + BareInView();
    total = LogSum(total, std::log(priors_.end_hidden) + Cut());
    const double full =
        1 - priors_.no_visible_dip - priors_.end_hidden - priors_.pale_dip - priors_.other_dip;
    for (const float light : kLights) {
      for (const float share : kFullDips) {
        total = LogSum(total, std::log(full / (kLights.size() * kFullDips.size())) +
                                  Painted(mixed(share, light)));
      }
      for (const float share : kPaleDips) {
        total = LogSum(total, std::log(priors_.pale_dip / (kLights.size() * kPaleDips.size())) +
                                  Painted(mixed(share, light)));
      }
    }
    // A colour nobody told us: each that is seen beyond the white may be it, and is as likely as
    // any other that differs from it by more than its spread.
    const double one_colour = std::log(priors_.other_dip / kLookedAt_in.size()) + std::log(Any());
    for (const double at : kLookedAt_in) {
      const std::size_t i = IndexOf(at);
      if (i < seen_.size()) total = LogSum(total, one_colour + Painted(end_.stations[i].after));
    }
    return total;
  }

 private:
  // Where a dip of an unknown colour is looked at, outward from the white.
  static constexpr std::array<double, 3> kLookedAt_in{0.06, 0.14, 0.24};
  static constexpr double kEndSlack_in = 0.06;  // where the white's end may have been read

  double Station(std::size_t x) const {
    if (seen_.empty()) return 0;
    return x < seen_.size() ? end_.stations[x].outward_in
                            : end_.stations.back().outward_in + step_in_;
  }
  double EdgeSteps() const { return std::max(2 * kEndSlack_in / step_in_, 1.0); }

  double Density(std::size_t i, const cv::Vec3f& linear) const {
    const cv::Vec3f gap = seen_[i] - Levels(linear);
    return std::exp(-0.5 * gap.dot(gap) / variance_);
  }
  // Of any colour at all, relative to the peak of one colour's normal.
  double Any() const { return std::pow(2 * CV_PI * variance_, 1.5) / std::pow(255.0, 3); }
  std::size_t IndexOf(double outward_in) const {
    return static_cast<std::size_t>(
        std::lround((outward_in - end_.stations.front().outward_in) / step_in_));
  }
  double WithOutliers(double density) const {
    return std::log((1 - priors_.outlier) * density + priors_.outlier * Any());
  }
  double ClothAt(std::size_t i) const {
    double sum = 0;
    for (const float shade : kShades) sum += Density(i, shade * end_.stations[i].before);
    const double open = Density(i, end_.stations[i].before);
    const double shaded = end_.stations[i].outward_in < priors_.shade_in ? priors_.shaded_beyond
                                                                         : priors_.shaded_further;
    return WithOutliers((1 - shaded) * open + shaded * sum / kShades.size());
  }
  double WhiteAt(std::size_t i) const {
    double sum = 0;
    for (const float shade : kShades) sum += Density(i, shade * model_.white);
    return WithOutliers(0.5 * Density(i, model_.white) + 0.5 * sum / kShades.size());
  }
  double Blend(std::size_t i, const cv::Vec3f& inside, const cv::Vec3f& outside) const {
    double sum = 0;
    for (const float t : kBlends) sum += Density(i, t * inside + (1 - t) * outside);
    return WithOutliers(sum / kBlends.size());
  }

  // Running sums of log likelihoods, each station counted as far as it is independent.
  template <typename At>
  std::vector<double> Sums(At at) const {
    const double weight = std::min(step_in_ / priors_.correlation_in, 1.0);
    std::vector<double> sums{0};
    for (std::size_t i = 0; i < seen_.size(); ++i)
      sums.push_back(sums.back() + (end_.stations[i].own ? weight * at(i) : 0));
    return sums;
  }
  std::size_t Near(std::size_t x, int pixels) const {
    const auto steps = static_cast<std::ptrdiff_t>(std::lround(model_.pixel_in / step_in_));
    const auto at = static_cast<std::ptrdiff_t>(x) + pixels * steps;
    return static_cast<std::size_t>(
        std::clamp(at, std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(seen_.size())));
  }
  static double Over(const std::vector<double>& sums, std::size_t from, std::size_t to) {
    return to > from ? sums[to] - sums[from] : 0;
  }
  double WhiteThenCloth(std::size_t x) const {
    const std::size_t low = Near(x, -1);
    const std::size_t high = Near(x, 1);
    return Over(white_, 0, low) + Over(white_to_cloth_, low, high) +
           Over(cloth_, high, seen_.size());
  }

  double WhiteThenClothNear() const {
    double sum = kImpossible;
    for (std::size_t x = 0; x <= seen_.size(); ++x) {
      if (std::abs(Station(x)) <= kEndSlack_in) sum = LogSum(sum, WhiteThenCloth(x));
    }
    return sum - std::log(EdgeSteps());
  }
  double BareInView() const {
    return WhiteThenClothNear() + std::log(Thick(model_.cotton_length_in));
  }

  // P of how far the white is thick, for so much of the cotton in view and white; anything by
  // chance.
  double Thick(double white_cotton_in) const {
    const double off = (end_.thick_in - white_cotton_in) / priors_.cotton_sigma_in;
    constexpr double kMost_in = 0.7;  // that is measured: any length where it is wrong
    const double any = priors_.cotton_sigma_in * std::sqrt(2 * CV_PI) / kMost_in;
    const double fits =
        end_.thick_cut ? 0.5 * std::erfc(off / std::sqrt(2.0)) : std::exp(-0.5 * off * off);
    return (1 - priors_.outlier) * fits + priors_.outlier * any;
  }
  // The white runs under something: of the cotton all is hidden, or what is not dipped sticks out
  // by any length.
  double Cut() const {
    const double bare_in = model_.cotton_length_in - priors_.dip_in;
    const double some = bare_in / priors_.hidden_in;
    double thick = (1 - some) * Thick(0);
    constexpr int kSteps = 5;
    for (int k = 0; k < kSteps; ++k) thick += some * Thick(bare_in * k / (kSteps - 1)) / kSteps;
    return WhiteThenClothNear() + std::log(thick);
  }
  double DipDensity(double dip_in) const {
    const double off = (dip_in - priors_.dip_in) / priors_.dip_sigma_in;
    return std::exp(-0.5 * off * off) / (priors_.dip_sigma_in * std::sqrt(2 * CV_PI));
  }
  // Prior density of paint that is seen from one place to another, per square inch. Its outer end
  // is the tip, or where something hides the rest of the paint.
  double PaintDensity(double from, double to) const {
    if (!end_.length_edge_in) return DipDensity(to - from) / priors_.hidden_in;
    const double tip = *end_.length_edge_in;
    const double sigma = std::hypot(model_.length_sigma_in, model_.pixel_in);
    const double off = (to - tip) / sigma;
    double density = (1 - priors_.end_hidden) * DipDensity(to - from) * std::exp(-0.5 * off * off) /
                     (sigma * std::sqrt(2 * CV_PI));
    const double painted_in = std::max(tip - from, priors_.least_dip_in);
    if (to < tip) density += priors_.end_hidden * DipDensity(painted_in) / painted_in;
    return density;
  }

  // White, then paint of one linear colour, then cloth.
  double Painted(const cv::Vec3f& paint) const {
    const std::vector<EndStation>& s = end_.stations;
    const auto painted = Sums([&](std::size_t i) { return WithOutliers(Density(i, paint)); });
    const auto white_to_paint = Sums([&](std::size_t i) { return Blend(i, model_.white, paint); });
    const auto paint_to_cloth = Sums([&](std::size_t i) { return Blend(i, paint, s[i].before); });
    double total = kImpossible;
    for (std::size_t w = 0; w <= seen_.size(); w += 2) {
      if (Station(w) > kEndSlack_in) break;
      const std::size_t w_low = Near(w, -1);
      const std::size_t w_high = Near(w, 1);
      const double white = Over(white_, 0, w_low) + Over(white_to_paint, w_low, w_high);
      for (std::size_t x = w; x <= seen_.size(); x += 2) {
        const double dip_in = Station(x) - Station(w);
        if (dip_in < priors_.least_dip_in) continue;
        if (dip_in > priors_.most_dip_in) break;
        const std::size_t x_low = std::max(Near(x, -1), w_high);
        const std::size_t x_high = std::max(Near(x, 1), x_low);
        const double prior = PaintDensity(Station(w), Station(x)) * 4 * step_in_ * step_in_ *
                             Thick(std::max(model_.cotton_length_in - dip_in, 0.0));
        total = LogSum(total,
                       white + Over(painted, w_high, x_low) + Over(paint_to_cloth, x_low, x_high) +
                           Over(cloth_, x_high, seen_.size()) + std::log(std::max(prior, 1e-300)));
      }
    }
    return total;
  }

  const SwabEnd& end_;
  const SwabEndModel& model_;
  const SwabPriors& priors_;
  double step_in_ = 1;
  double variance_ = 1;
  std::vector<cv::Vec3f> seen_;  // grey levels
  std::vector<double> cloth_;
  std::vector<double> white_;
  std::vector<double> white_to_cloth_;
};

}  // namespace

double LengthPrior::Sigma() const {
  return std::sqrt(narrow_share * narrow_sigma_in * narrow_sigma_in +
                   (1 - narrow_share) * wide_sigma_in * wide_sigma_in);
}

LengthPrior LengthPriorOf(const SwabShape& shape, const SwabPriors& priors) {
  const double wide_in = priors.length_range_in / std::sqrt(3.0);  // of an even distribution
  if (shape.length_sigma_in > 0) return {1 - priors.other_kind, shape.length_sigma_in, wide_in};
  return {priors.ruled_length, priors.ruled_sigma_in, wide_in};
}

double LengthRange(const SwabShape& shape, const SwabPriors& priors) {
  constexpr double kSure = 2.5;  // sigmas
  return shape.length_sigma_in > 0 ? kSure * shape.length_sigma_in : priors.length_range_in;
}

double LogOddsOfFirstEnd(const SwabEnd& first, const SwabEnd& second, const SwabEndModel& model,
                         const SwabPriors& priors) {
  const EndLikelihood a(first, model, priors);
  const EndLikelihood b(second, model, priors);
  return a.Dipped() + b.Bare() - b.Dipped() - a.Bare();
}

double LogOddsOfPaintedTip(const EndColours& ends, const cv::Vec3d& paint) {
  // The lamp's fall of light and the shading of uneven cotton change all channels alike, by as much
  // as cotton ends are uneven (contract, 2.2). A shadow across one end is rarer and deeper: Student's
  // t with three degrees of freedom has its tails.
  constexpr double kShading = 0.15;
  constexpr double kTails = 3;
  constexpr double kChroma = 0.1;  // coding keeps colours at half the picture's size
  constexpr double kDark = 0.02;   // scattered light, of white
  cv::Vec3d apart;
  cv::Matx33d cov = cv::Matx33d::all(kShading * kShading);
  for (int c = 0; c < 3; ++c) {
    apart[c] = std::log((ends.tip[c] + kDark) / (ends.tail[c] + kDark));
    const double own = ends.sigma[c] / (std::min(ends.tip[c], ends.tail[c]) + kDark);
    cov(c, c) += kChroma * kChroma + own * own;
  }
  const cv::Matx33d weight = cov.inv();
  // Paint that covers a part of the end, or soaked in and lighter, or thick and darker.
  const auto painted = [&](const cv::Vec3d& seen) {
    double sum = kImpossible;
    for (const double share : {0.25, 0.5, 0.75, 1.0}) {
      for (const double light : {0.5, 1.0, 1.6}) {
        cv::Vec3d off;
        for (int c = 0; c < 3; ++c) {
          const double left = 1 - share + share * std::min(light * paint[c] + kDark, 1.0);
          off[c] = seen[c] - std::log(left);
        }
        sum = LogSum(sum, -0.5 * (kTails + 3) * std::log1p(off.dot(weight * off) / kTails));
      }
    }
    return sum;
  };
  return painted(apart) - painted(-apart);
}

}  // namespace fos
