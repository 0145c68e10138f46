// SPDX-License-Identifier: MIT
#include "calibration/registration/lens_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "calibration/camera/sampling.h"

namespace fos::registration {

namespace {

// Residuals over their own noise, without sign.
std::vector<double> NormalisedResiduals(const PoseFit& fit, const Evidence& evidence) {
  std::vector<double> out;
  for (std::size_t i = 0; i < evidence.sights.size(); ++i) {
    out.push_back(std::abs(fit.residual_px[i]) / evidence.sights[i].sigma_px);
  }
  return out;
}

// One sigma of them by the median: terrain and stands beside a line are strays, not the lens's
// doing.
double SpreadOf(std::vector<double> normalised) {
  constexpr double kSigmaOfMedian = 1.4826;
  return kSigmaOfMedian * Median(std::move(normalised));
}

// A calibration knows the focal length to a percent, a guess at a webcam's to a fifth.
bool KnowsFocalLength(const LensMat& covariance, const CameraModel& lens) {
  constexpr double kCalibrated = 0.05;
  return std::sqrt(std::max(0.0, covariance(0, 0))) < kCalibrated * lens.fx_px;
}

// The same lens, its focal length in more doubt by a share of itself, both ways alike.
CameraModel WithFocalDoubt(CameraModel lens, double sigma) {
  const cv::Vec2d focal = sigma * cv::Vec2d(lens.fx_px, lens.fy_px);
  LensMat covariance = lens.covariance.value_or(LensMat::zeros());
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) covariance(i, j) += focal[i] * focal[j];
  }
  lens.covariance = covariance;
  return lens;
}

// The noise of one kind of sight over what is stated, by the residuals of a fit whose lens is
// loose.
double NoiseOf(const PoseFit& fit, const Evidence& evidence, bool on_paper) {
  std::vector<double> normalised;
  for (std::size_t i = 0; i < evidence.sights.size(); ++i) {
    if (evidence.sights[i].on_paper != on_paper) continue;
    normalised.push_back(std::abs(fit.residual_px[i]) / evidence.sights[i].sigma_px);
  }
  constexpr double kStray = 3;
  const double bound = kStray * SpreadOf(normalised);
  double squares = 0;
  double count = 0;
  for (const double one : normalised) {
    if (one > bound) continue;
    squares += one * one;
    count += 1;
  }
  // Pose and lens, and of each marker three shifts for eight sights, of each line one for ten, have
  // taken up some of the noise.
  const double taken = on_paper ? 8 + 3.0 / 8 * count : 8 + 0.1 * count;
  // Half the stated noise is as good as markers and lines get; less is chance.
  constexpr double kQuietest = 0.5;
  return std::max(kQuietest, std::sqrt(squares / std::max(1.0, count - taken)));
}

// How well the table alone tells the focal length, one sigma as a share of it: the information of
// the fit less that of the prior.
double FocalSigmaBeyond(const LensPrior& prior, const PoseFit& fit) {
  const double focal_px = prior.lens.fx_px;
  const double before = (*prior.lens.covariance)(0, 0);
  const double after = fit.lens_covariance(0, 0) / std::max(1.0, fit.chi2_per_dof);
  const double told = 1 / after - 1 / before;
  return told > 0 ? 1 / (std::sqrt(told) * focal_px) : INFINITY;
}

}  // namespace

Known KnownOf(const CameraModel& lens, const std::optional<TapedHeight>& height) {
  const CameraModel stated = WithDoubt(lens);
  Known known{PriorOf(stated), height, 0};
  // A lens is refocused, zoomed and heated after its file was made. A camera within a few degrees
  // of straight above cannot see 7 % of the focal length, because its height makes up for them on
  // the cloth. They are 3.5 of these sigmas; half an inch up one is worth 0.004 in.
  constexpr double kRefocus = 0.02;
  if (!IsCalibrated(known.lens)) return known;
  if (height) {  // which tells the focal length
    known.lens = PriorOf(WithFocalDoubt(stated, kRefocus));
  } else {
    known.refocus_sigma = kRefocus;
  }
  return known;
}

bool IsCalibrated(const LensPrior& lens) {
  return !lens.lens.covariance || KnowsFocalLength(*lens.lens.covariance, lens.lens);
}

Known Loosened(const Known& known) {
  CameraModel lens = known.lens.lens;
  LensMat common = *AssumedLens({lens.width_px, lens.height_px}).covariance;
  // The further terms of the bend: what webcams show besides the first (lens_fit.cc).
  constexpr double kMoustache = 0.02;
  constexpr double kDecentred = 0.002;
  const double corner = std::hypot(lens.width_px, lens.height_px) / 2 / lens.fx_px;
  common(5, 5) = std::pow(kMoustache / std::pow(corner, 4), 2);
  common(6, 6) = common(7, 7) = kDecentred * kDecentred;
  lens.covariance = common + lens.covariance.value_or(LensMat::zeros());
  return {fos::PriorOf(lens), known.height, 0};
}

Known WithLooseFocal(const Known& known) {
  constexpr double kFocal = 0.2;  // as the lens of any webcam, AssumedLens
  return {fos::PriorOf(WithFocalDoubt(known.lens.lens, kFocal)), known.height, 0};
}

LensCheck CheckLens(const PoseFit& fit, const Evidence& evidence, const Known& known) {
  LensCheck out;
  if (!IsCalibrated(known.lens)) return out;
  Evidence loose = evidence;
  loose.priors.lens = Loosened(known).lens;
  const auto free = FitPose(loose, PoseOf(fit));
  if (!free.ok()) return out;
  // How hands draw lines and printers print differs from table to table.
  const double paper = NoiseOf(*free, loose, true);
  const double cloth = NoiseOf(*free, loose, false);
  const auto fitted = [&](const LensPrior& prior) {
    Evidence scaled = evidence;
    scaled.priors.lens = prior;
    scaled.priors.refocus_sigma = 0;
    for (LineSight& sight : scaled.sights) sight.sigma_px *= sight.on_paper ? paper : cloth;
    return FitPose(scaled, PoseOf(fit));
  };
  const auto cost = [](const Result<PoseFit>& again) {
    return again.ok() ? again->cost : INFINITY;
  };
  const LensPrior refocused = WithLooseFocal(known).lens;
  const auto by_table = fitted(refocused);
  if (by_table.ok()) out.focal_sigma = FocalSigmaBeyond(refocused, *by_table);
  const double stated = cost(fitted(known.lens));
  const double focal_loose = cost(by_table);
  const double all_loose = cost(fitted(loose.priors.lens));
  // Of a chi-square with one degree of freedom one in a hundred lies beyond this.
  constexpr double kFocalContradiction = 6.6;
  // With eight (focal length, aspect, centre, four terms of the bend) one in a thousand.
  constexpr double kLensContradiction = 26.1;
  out.contradicted = 2 * (stated - focal_loose) > kFocalContradiction ||
                     2 * (stated - all_loose) > kLensContradiction;
  // With the seven that are not the focal length one in twenty. To take another camera's lens for a
  // refocused one is worse than to loosen all of a refocused one.
  constexpr double kRestContradiction = 14.1;
  // Focusing moves the focal length by some percent. What differs by more has another zoom or is
  // another camera, of whose bend and centre nothing is known either.
  constexpr double kFocusing = 0.1;
  const double moved = by_table.ok() ? by_table->lens.fx_px / known.lens.lens.fx_px - 1 : INFINITY;
  out.focal_explains =
      std::abs(moved) <= kFocusing && 2 * (focal_loose - all_loose) <= kRestContradiction;
  return out;
}

double Unexplained_in(const PoseFit& fit, const Evidence& evidence, const TableCamera& camera) {
  struct Ninth {
    std::vector<double> normalised;  // residual over its own noise
    std::vector<double> noise_in;
  };
  const std::vector<double> normalised = NormalisedResiduals(fit, evidence);
  std::array<Ninth, 9> ninths;
  const auto third = [](double share) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(3 * share), 0, 2));
  };
  for (std::size_t i = 0; i < evidence.sights.size(); ++i) {
    const LineSight& sight = evidence.sights[i];
    const ImagePoint at = ImageFromTable(camera, sight.at, 0);
    Ninth& ninth =
        ninths[3 * third(at.y_px / camera.lens.height_px) + third(at.x_px / camera.lens.width_px)];
    ninth.normalised.push_back(normalised[i]);
    ninth.noise_in.push_back(sight.sigma_px / PixelsPerInch(camera, sight.at, 0));
  }
  double worst = 0;
  for (const Ninth& ninth : ninths) {
    constexpr std::size_t kFewest = 8;  // a marker has eight sights
    const auto count = static_cast<double>(ninth.normalised.size());
    if (ninth.normalised.size() < kFewest) continue;
    const double spread = SpreadOf(ninth.normalised);
    // The median's own error is 1.16 sigma over the root of the count; one in twenty lies beyond
    // 1.65 of that.
    const double by_chance = 1 + 1.65 * 1.16 / std::sqrt(count);
    const double noise = Median(ninth.noise_in);
    worst = std::max(worst, (spread * spread - by_chance * by_chance) * noise * noise);
  }
  return std::sqrt(worst);
}

double MarkersAstray_in(const PoseFit& fit, const Evidence& evidence) {
  std::set<std::size_t> places;  // shifts of markers along the table
  for (const LineSight& sight : evidence.sights) {
    if (!sight.on_paper) continue;
    for (const LineSight::Share& share : {sight.shares[1], sight.shares[2]}) {
      if (share.shift >= 0) places.insert(static_cast<std::size_t>(share.shift));
    }
  }
  double in2 = 0;
  double chi2 = 0;
  for (const std::size_t i : places) {
    const double shift_in = fit.shifts.at(i);
    const double sigma_in = evidence.priors.shift_sigma.at(i);
    in2 += shift_in * shift_in;
    chi2 += shift_in * shift_in / (sigma_in * sigma_in);
  }
  const auto count = static_cast<double>(places.size());
  if (count == 0) return 0;
  // One chi-square in a thousand lies beyond (Wilson and Hilferty's approximation).
  const double width = 2 / (9 * count);
  if (chi2 <= count * std::pow(1 - width + 3.09 * std::sqrt(width), 3)) return 0;
  // The pose has taken up six numbers of what lies astray: the shifts are what it left.
  constexpr double kPose = 6;
  return std::sqrt(in2 / std::max(1.0, count - kPose));
}

}  // namespace fos::registration
