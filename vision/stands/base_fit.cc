// SPDX-License-Identifier: MIT
#include "vision/stands/base_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/table/quantile.h"
#include "vision/stands/base_mixture.h"

namespace fos {
namespace {

constexpr int kMotions = 3;  // x, y and turn in the stand's frame
using Motions = cv::Vec<double, kMotions>;
using Information = cv::Matx<double, kMotions, kMotions>;
using Colour = std::array<double, 3>;  // linear light

struct Equations {
  Information curvature = Information::zeros();
  Motions gradient;
  Information scatter = Information::zeros();  // of the gradient, from piece to piece
};

// The state of a fit: pose, the regions' colours, each pixel's weight.
class Fitter {
 public:
  Fitter(const BaseMixer& mixer, std::vector<BasePixel> pixels, const BasePaints& paints,
         const Pose2& start)
      : mixer_(mixer),
        pixels_(std::move(pixels)),
        paints_(paints),
        pose_(start),
        mixtures_(pixels_.size()),
        residuals_(pixels_.size()),
        variance_(pixels_.size(), kFirstNoise * kFirstNoise),
        weight_(pixels_.size(), 1) {
    CutIntoPieces();
  }

  const Pose2& Pose() const { return pose_; }

  // A round: colours, weights, then the equations for the motion.
  // paints_held  the base's colours are as expected: until its pixels are told from the others'
  Equations Look(bool paints_held) {
    Mix();
    if (expected_.empty()) Expect();
    DoubtEdges();
    FitColours(paints_held);
    Weigh(paints_held);
    return Equate();
  }

  void Move(const Motions& by) {
    pose_ = {pose_.origin + Rotated({by(0), by(1)}, pose_.heading_rad),
             WrappedAngle(pose_.heading_rad + by(2))};
  }

  // How far the base's edges lie from where the pose puts them, each by its own pixels: what is
  // wrong all along an edge, such as a blur that is not as modelled. Inches, root mean square over
  // five edges less the two motions that are fitted to them.
  double EdgesOff_in() const {
    constexpr std::size_t kEdges = 5;
    std::array<double, kEdges> pull{}, stiff{};
    const BasePlace place(pose_);
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
      const Vec2 own = place.Own(pixels_[i]);
      const std::size_t e = mixer_.NearestEdge(own);
      for (std::size_t c = 0; c < 3; ++c) {
        const double w = InformationOf(i, c);
        if (w <= 0) continue;
        const double by = ByMotions(place, i, c)(e < 3 ? 1 : 0);
        pull[e] += w * residuals_[i][c] * by;
        stiff[e] += w * by * by;
      }
    }
    return RootMeanSquareOff_in(pull, stiff);
  }

 private:
  static constexpr double kFirstNoise = 8;  // grey levels

  void Mix() {
    const BasePlace place(pose_);
    for (std::size_t i = 0; i < pixels_.size(); ++i) mixtures_[i] = mixer_.At(place, pixels_[i]);
  }

  // The colours that are expected, and how surely.
  void Expect() {
    colours_.resize(mixer_.Regions());
    doubts_.resize(mixer_.Regions());
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<std::vector<float>> pure(colours_.size());
      std::vector<float> any;
      for (std::size_t i = 0; i < pixels_.size(); ++i) {
        constexpr float kPure = 0.8F;
        for (std::size_t k = 0; k < mixtures_[i].count; ++k) {
          const BaseShare& s = mixtures_[i].shares[k];
          if (s.share < kPure) continue;
          pure[s.region].push_back(pixels_[i].light[c]);
          if (s.region >= kGroundRegion && s.region < kNearRegion)
            any.push_back(pixels_[i].light[c]);
        }
      }
      constexpr double kUsual = 0.2;
      const double ground = any.empty() ? kUsual : static_cast<double>(UpperMedian(any));
      for (std::size_t r = kGroundRegion; r < colours_.size(); ++r) {
        colours_[r][c] = pure[r].empty() ? ground : static_cast<double>(UpperMedian(pure[r]));
        doubts_[r][c] = r < kNearRegion ? 0.3 * colours_[r][c] + 0.02 : 0.5 + colours_[r][c];
      }
      const int channel = static_cast<int>(c);
      const double bar = static_cast<double>(paints_.bar[channel]);
      const double top = static_cast<double>(paints_.top[channel]);
      colours_[kBarRegion][c] = bar;
      colours_[kTopRegion][c] = top;
      doubts_[kBarRegion][c] = static_cast<double>(paints_.bar_sigma[channel]);
      doubts_[kTopRegion][c] = static_cast<double>(paints_.top_sigma[channel]);
      // Walls have the paint's colour in less light, or the bar's in front.
      colours_[kWallYRegion][c] = 0.6 * (mixer_.Wall().y > 0 ? 0.5 * (bar + top) : top);
      colours_[kWallXRegion][c] = 0.6 * top;
      for (std::size_t r = kWallYRegion; r < kGroundRegion; ++r)
        doubts_[r][c] = 0.5 * colours_[r][c] + 0.02;
    }
    expected_ = colours_;
  }

  double Predicted(std::size_t i, std::size_t channel) const {
    const BaseMixture& m = mixtures_[i];
    double sum = 0;
    for (std::size_t k = 0; k < m.count; ++k)
      sum += static_cast<double>(m.shares[k].share) * colours_[m.shares[k].region][channel];
    return sum;
  }

  // Where colours change, a blur that is not quite the picture's, halos of sharpening and coarse
  // chroma count as noise: as if the pixel lay this far off.
  void DoubtEdges() {
    constexpr double kMisplaced_px = 0.25;
    constexpr double kMost = 50;  // grey levels
    const double in = kMisplaced_px / mixer_.PixelsPerInch();
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        const Vec2 by = ByPlace(i, c);
        const double slope = static_cast<double>(pixels_[i].slope[c]);
        sum += (by.x * by.x + by.y * by.y) * slope * slope / 3;
      }
      variance_[i] = noise2_ + std::min(sum * in * in, kMost * kMost);
    }
  }

  // Of a pixel's channel in linear light. Zero where the model is lighter than the picture can
  // show.
  double InformationOf(std::size_t i, std::size_t channel) const {
    const BasePixel& p = pixels_[i];
    if (p.full[channel] && Predicted(i, channel) >= static_cast<double>(p.light[channel])) return 0;
    const double slope = static_cast<double>(p.slope[channel]);
    return weight_[i] * slope * slope / variance_[i];
  }

  void FitColours(bool paints_held) {
    const int n = static_cast<int>(colours_.size());
    for (std::size_t c = 0; c < 3; ++c) {
      cv::Mat_<double> a(n, n, 0.0);
      cv::Mat_<double> b(n, 1, 0.0);
      for (std::size_t i = 0; i < pixels_.size(); ++i) {
        const double w = InformationOf(i, c);
        const BaseMixture& m = mixtures_[i];
        for (std::size_t k = 0; w > 0 && k < m.count; ++k) {
          const double wk = w * static_cast<double>(m.shares[k].share);
          const int row = static_cast<int>(m.shares[k].region);
          for (std::size_t q = 0; q < m.count; ++q)
            a(row, static_cast<int>(m.shares[q].region)) +=
                wk * static_cast<double>(m.shares[q].share);
          b(row) += wk * static_cast<double>(pixels_[i].light[c]);
        }
      }
      for (int r = 0; r < n; ++r) {
        constexpr double kHeld = 0.02;
        const auto region = static_cast<std::size_t>(r);
        const double doubt = doubts_[region][c] * (paints_held && region <= kTopRegion ? kHeld : 1);
        a(r, r) += 1 / (doubt * doubt);
        b(r) += expected_[region][c] / (doubt * doubt);
      }
      inverse_[c] = a.inv(cv::DECOMP_CHOLESKY);
      const cv::Mat x = inverse_[c] * b;
      for (int r = 0; r < n; ++r)
        colours_[static_cast<std::size_t>(r)][c] = std::max(0.0, x.at<double>(r));
    }
  }

  // Residuals, the noise that they show, and each pixel's chance to belong to what is modelled
  // rather than to a figure, its shadow or anything else.
  void Weigh(bool far_off) {
    std::vector<double> sizes(pixels_.size());
    std::vector<double> plain(pixels_.size());
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        double r = static_cast<double>(pixels_[i].light[c]) - Predicted(i, c);
        if (pixels_[i].full[c] && r < 0) r = 0;
        residuals_[i][c] = r;
        sum += std::pow(r * static_cast<double>(pixels_[i].slope[c]), 2);
      }
      plain[i] = sum;
      sizes[i] = sum / variance_[i];
    }
    // Of three normal channels two fifths lie within 1.87 variances.
    constexpr double kShare = 0.4, kWithin = 1.87, kLeast2 = 4;
    noise2_ = std::max(kLeast2, *Quantile(plain, kShare) / kWithin);
    constexpr double kOthers = 0.3;                     // share of the pixels
    constexpr double kColours = 150.0 * 150.0 * 150.0;  // grey levels cubed: theirs may be any
    const double wide = far_off ? 4 : 1.5;
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
      const double v = wide * variance_[i];
      const double likely = (1 - kOthers) / kOthers * kColours / std::pow(2 * CV_PI * v, 1.5) *
                            std::exp(-0.5 * sizes[i] / wide);
      weight_[i] = likely / (1 + likely);
    }
  }

  Equations Equate() const {
    Equations out;
    std::vector<Motions> pieces(pieces_);
    const BasePlace place(pose_);
    const int n = static_cast<int>(colours_.size());
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<Motions> by(pixels_.size());
      std::vector<double> w(pixels_.size());
      cv::Mat_<double> shared(n, kMotions, 0.0);
      for (std::size_t i = 0; i < pixels_.size(); ++i) {
        w[i] = InformationOf(i, c);
        if (w[i] <= 0) continue;
        by[i] = ByMotions(place, i, c);
        for (std::size_t k = 0; k < mixtures_[i].count; ++k) {
          const BaseShare& s = mixtures_[i].shares[k];
          for (int m = 0; m < kMotions; ++m)
            shared(static_cast<int>(s.region), m) += w[i] * static_cast<double>(s.share) * by[i](m);
        }
      }
      // What the colours can do as well tells nothing.
      const cv::Mat as_colours = inverse_[c] * shared;
      for (std::size_t i = 0; i < pixels_.size(); ++i) {
        if (w[i] <= 0) continue;
        Motions own = by[i];
        for (std::size_t k = 0; k < mixtures_[i].count; ++k) {
          const BaseShare& s = mixtures_[i].shares[k];
          for (int m = 0; m < kMotions; ++m)
            own(m) -=
                static_cast<double>(s.share) * as_colours.at<double>(static_cast<int>(s.region), m);
        }
        const Motions pull = w[i] * residuals_[i][c] * own;
        out.gradient += pull;
        pieces[piece_[i]] += pull;
        out.curvature += w[i] * own * own.t();
      }
    }
    for (const Motions& pull : pieces) out.scatter += pull * pull.t();
    return out;
  }

  // A figure, its shadow, a patch of flock: what is wrong in one place is wrong about it, too.
  void CutIntoPieces() {
    constexpr double kFigure_in = 0.2;
    std::map<std::pair<int, int>, std::size_t> known;
    for (const BasePixel& p : pixels_) {
      const std::pair at(static_cast<int>(std::floor(p.at.x / kFigure_in)),
                         static_cast<int>(std::floor(p.at.y / kFigure_in)));
      piece_.push_back(known.try_emplace(at, known.size()).first->second);
    }
    pieces_ = known.size();
  }

  // How a pixel's light changes with its place in the stand's frame, per inch.
  Vec2 ByPlace(std::size_t i, std::size_t channel) const {
    const BaseMixture& m = mixtures_[i];
    Vec2 by;
    for (std::size_t k = 0; k < m.count; ++k) {
      const BaseShare& s = m.shares[k];
      const double colour = colours_[s.region][channel];
      by.x += static_cast<double>(s.by_x) * colour;
      by.y += static_cast<double>(s.by_y) * colour;
    }
    return by;
  }

  Motions ByMotions(const BasePlace& place, std::size_t i, std::size_t channel) const {
    const Vec2 by = ByPlace(i, channel);
    const Vec2 own = place.Own(pixels_[i]);
    return {-by.x, -by.y, own.y * by.x - own.x * by.y};
  }

  const BaseMixer& mixer_;
  std::vector<BasePixel> pixels_;
  const BasePaints& paints_;
  Pose2 pose_;
  std::vector<std::size_t> piece_;  // of each pixel
  std::size_t pieces_ = 0;
  std::vector<BaseMixture> mixtures_;
  std::vector<Colour> residuals_;  // linear light
  std::vector<double> variance_;   // grey levels squared
  std::vector<double> weight_;
  std::vector<Colour> colours_, expected_, doubts_;
  std::array<cv::Mat_<double>, 3> inverse_;
  double noise2_ = kFirstNoise * kFirstNoise;
};

}  // namespace

double RootMeanSquareOff_in(std::span<const double> pull, std::span<const double> stiff) {
  constexpr double kLeastStiff = 1;  // known to an inch
  double sum = 0;
  int seen = 0;
  for (std::size_t e = 0; e < stiff.size(); ++e) {
    if (stiff[e] < kLeastStiff) continue;
    sum += std::pow(pull[e] / stiff[e], 2);
    ++seen;
  }
  constexpr int kFitted = 2;
  return seen > kFitted ? std::sqrt(sum / (seen - kFitted)) : 1.0;
}

std::optional<BaseFit> FitBase(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                               const StandOutline& outline, double ground_in,
                               const std::vector<OutlineNeighbour>& neighbours,
                               const BasePaints& paints, const PointSpread& blur,
                               const TerrainView& terrain) {
  const Pose2 start = outline.table_from_stand;
  // A pixel's own width blurs as well.
  const double sigma_px = std::sqrt(blur.sigma_px * blur.sigma_px + 1.0 / 12);
  const BaseMixer mixer(camera, kind, start, ground_in, neighbours, sigma_px);
  std::vector<BasePixel> pixels = mixer.PixelsAbout(bgr, terrain);
  constexpr std::size_t kLeastPixels = 60;
  if (pixels.size() < kLeastPixels) return std::nullopt;
  Fitter fitter(mixer, std::move(pixels), paints, start);
  // The outline is right to a few pixels.
  constexpr double kPlaced_px = 1.5, kTurned_rad = 0.03;
  const Vec2 right = Rotated({1, 0}, start.heading_rad);
  const double placed2 = std::pow(kPlaced_px / mixer.PixelsPerInch(), 2);
  const Motions prior(
      1 / (placed2 + VarianceAlong(outline.centre_cov, right)),
      1 / (placed2 + VarianceAlong(outline.centre_cov, Perpendicular(right))),
      1 / (kTurned_rad * kTurned_rad + outline.heading_sigma_rad * outline.heading_sigma_rad));
  Equations at;
  constexpr int kRounds = 10, kHeldRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    at = fitter.Look(round < kHeldRounds);
    const Pose2& pose = fitter.Pose();
    const Vec2 back = Rotated(start.origin - pose.origin, -pose.heading_rad);
    const Motions off(back.x, back.y, WrappedAngle(start.heading_rad - pose.heading_rad));
    for (int m = 0; m < kMotions; ++m) {
      at.gradient(m) += prior(m) * off(m);
      at.curvature(m, m) += prior(m);
      at.scatter(m, m) += prior(m);
    }
    bool fine = false;
    Motions step = at.curvature.inv(cv::DECOMP_CHOLESKY, &fine) * at.gradient;
    if (!fine) return std::nullopt;
    constexpr double kMost_in = 0.05, kMost_rad = 0.05, kSettled_px = 0.05;
    const double length = std::hypot(step(0), step(1));
    step *= std::min(
        {1.0, kMost_in / std::max(length, 1e-9), kMost_rad / std::max(std::abs(step(2)), 1e-9)});
    fitter.Move(step);
    if (round > kHeldRounds && length * mixer.PixelsPerInch() < kSettled_px) break;
  }
  const Information inverse = at.curvature.inv(cv::DECOMP_CHOLESKY);
  const Information cov = inverse * at.scatter * inverse;
  const Pose2& pose = fitter.Pose();
  const double c = std::cos(pose.heading_rad), s = std::sin(pose.heading_rad);
  return BaseFit{pose,
                 {c * c * cov(0, 0) - 2 * c * s * cov(0, 1) + s * s * cov(1, 1),
                  c * s * (cov(0, 0) - cov(1, 1)) + (c * c - s * s) * cov(0, 1),
                  s * s * cov(0, 0) + 2 * c * s * cov(0, 1) + c * c * cov(1, 1)},
                 std::sqrt(cov(2, 2)),
                 fitter.EdgesOff_in()};
}

}  // namespace fos
