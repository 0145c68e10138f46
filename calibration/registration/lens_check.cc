#include "calibration/registration/lens_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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

// Their mean square without the strays. The fit has taken up as many of them as it has numbers.
double VarianceOf(const std::vector<double>& normalised, double numbers) {
  constexpr double kStray = 3;
  const double bound = kStray * SpreadOf(normalised);
  double squares = 0;
  double count = 0;
  for (const double one : normalised) {
    if (one > bound) continue;
    squares += one * one;
    count += 1;
  }
  return squares / std::max(1.0, count - numbers);
}

// A calibration knows the focal length to a percent, a guess at a webcam's to a fifth.
bool KnowsFocalLength(const LensMat& covariance, const CameraModel& lens) {
  constexpr double kCalibrated = 0.05;
  return std::sqrt(std::max(0.0, covariance(0, 0))) < kCalibrated * lens.fx_px;
}

}  // namespace

bool IsCalibrated(const LensPrior& lens) {
  if (lens.rank == 0 || !lens.lens.covariance) return true;
  return KnowsFocalLength(*lens.lens.covariance, lens.lens);
}

bool DeterminesLens(const PoseFit& fit) { return KnowsFocalLength(fit.lens_covariance, fit.lens); }

Known Loosened(const Known& known) {
  CameraModel lens = known.lens.lens;
  const CameraModel common = AssumedLens({lens.width_px, lens.height_px});
  lens.covariance = *common.covariance + lens.covariance.value_or(LensMat::zeros());
  return {fos::PriorOf(lens), known.height};
}

bool ContradictsLens(const PoseFit& fit, const Evidence& evidence, const Known& known) {
  if (!IsCalibrated(known.lens)) return false;
  Evidence loose = evidence;
  loose.priors.lens = Loosened(known).lens;
  const auto free = FitPose(loose, PoseOf(fit));
  if (!free.ok()) return false;
  // Five numbers of the lens are loosened: focal length, aspect, both of the centre, the first term
  // of the bend. Of a chi-square with five degrees of freedom one in a thousand lies beyond 20.5.
  constexpr double kContradiction = 20.5;
  // How hands draw lines and lay sheets differs from table to table: what is left with the lens
  // loosened is the measure of noise. Below a quarter it is chance.
  const double numbers = 6 + 5 + static_cast<double>(free->shifts.size());  // pose, lens, shifts
  const double scale = std::max(0.25, VarianceOf(NormalisedResiduals(*free, loose), numbers));
  return 2 * (fit.cost - free->cost) / scale > kContradiction;
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

}  // namespace fos::registration
