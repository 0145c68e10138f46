// SPDX-License-Identifier: MIT
#include "vision/shots/swab_on_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "vision/shots/place_on_table.h"
#include "vision/shots/swab_ends.h"

namespace fos {
namespace {

// May a swab lie from one place to another, though the fit saw none of it there: hidden, on what is
// as white as itself, or white itself beyond what is? What runs on into the open would be seen; of
// an end's last roundness blur leaves little.
bool MayGoOn(const TerrainMap& terrain, const PatchPair& pair, double white, const cv::Vec3d& eye,
             Vec2 from, Vec2 to) {
  constexpr double kWhite = 0.75;   // cotton's own shading hides that much of a difference
  constexpr double kShaded = 0.35;  // of what white would stand out by, what a tree's shade leaves
  const auto as_white = [&](Vec2 at) {
    const cv::Point2d p = pair.grid.FromTable(at);
    const cv::Point pixel(cvRound(p.x), cvRound(p.y));
    if (!cv::Rect({}, pair.before.size()).contains(pixel)) return false;
    const double before = LeastChannel(pair.before.at<cv::Vec3f>(pixel));
    const double after = LeastChannel(pair.after.at<cv::Vec3f>(pixel));
    return before > kWhite * white || after - before > kShaded * (white - before);
  };
  const std::vector<LyingSwab>& lying = terrain.Lying();
  const auto against_lying = [&](Vec2 at) {  // whose paint and shade run into its own
    return std::any_of(lying.begin(), lying.end(), [&](const LyingSwab& swab) {
      return Distance(NearestPoint(Segment2{swab.from, swab.to}, at), at) <
             2 * swab.shape.cotton_radius_in;
    });
  };
  constexpr double kStep_in = 0.1;
  constexpr double kRound_in = 0.11;
  const double length = std::max(Distance(from, to) - kRound_in, 0.0);
  const int steps = std::max(1, static_cast<int>(length / kStep_in));
  for (int i = 0; i <= steps; ++i) {
    const Vec2 at = from + (length * i / steps) * Normalized(to - from);
    if (!IsAnothers(pair, at) && !against_lying(at) && !as_white(at) &&
        !MayBeHidden(terrain, eye, at)) {
      return false;
    }
  }
  return true;
}

// Between which heights something lies, inches.
struct HeightRange {
  double low_in = 0;
  double high_in = 0;
  double Middle() const { return 0.5 * (low_in + high_in); }
  double Half() const { return 0.5 * (high_in - low_in); }
};

// Of a swab's tip, wherever within their doubt it and what it may rest on lie.
HeightRange TipHeights(const TerrainMap& terrain, Vec2 tip, Vec2 tail, const SwabShape& shape) {
  constexpr double kDoubt_in = 0.04;  // two sigma of a swab's and a base's place together
  const Vec2 along = Normalized(tail - tip);
  const Vec2 across = Perpendicular(along);
  HeightRange out{1e9, -1e9};
  for (const Vec2 d : {Vec2{0, 0}, along, -along, across, -across}) {
    const double tip_in = RestOf(terrain, tip + kDoubt_in * d, tail + kDoubt_in * d, shape).tip_in;
    out = {std::min(out.low_in, tip_in), std::max(out.high_in, tip_in)};
  }
  return out;
}

// With no length to check it by, what its shadow adds stays in: a hundredth of an inch on average,
// and this much one sigma (twenty-one such swabs on made-up tables).
constexpr double kShadow_in = 0.01;
constexpr double kShadowEdgeSigma_in = 0.03;

// Where along the axis the tip is, from its own edge inward, inches.
struct AlongFix {
  double inward_in = 0;
  double sigma_in = 0;
};
// From both ends. How far they are apart says whether the length is as given or another one: the
// answer is the mixture of both.
// apart_in  of the tip by the length from the tip by its edge, inward.
AlongFix FuseEnds(double apart_in, double tip_sigma_in, double tail_sigma_in,
                  const LengthPrior& length) {
  // The length is right. Light fools both ends outward only: the shadow beyond the painted end
  // lengthens it, and a cotton end in its own shade seems to end sooner, which puts the tip further
  // out by its length. So the tip is the inner of the two, less a quarter of their difference: the
  // inner of two equally noisy readings lies that much too far in.
  constexpr double kOutward = 0.25;
  const double right_in = std::max(apart_in, 0.0) - kOutward * std::abs(apart_in);
  const double right_var =
      std::pow(0.25 * (tip_sigma_in + tail_sigma_in), 2) + std::pow(kOutward * apart_in, 2);
  // It is another: its edge without the shadow, and the length for what it is worth.
  const double edge_var = std::pow(tip_sigma_in, 2) + std::pow(kShadowEdgeSigma_in, 2);
  const double length_var = std::pow(tail_sigma_in, 2) + std::pow(length.wide_sigma_in, 2);
  const double share = edge_var / (edge_var + length_var);
  const double other_in = kShadow_in + share * (apart_in - kShadow_in);
  const double other_var = (1 - share) * edge_var;
  const auto likelihood = [&](double sigma_in) {
    const double all = std::hypot(tip_sigma_in, tail_sigma_in, sigma_in);
    return std::exp(-0.5 * std::pow(apart_in / all, 2)) / all;
  };
  const double right = length.narrow_share * likelihood(length.narrow_sigma_in);
  const double other = (1 - length.narrow_share) * likelihood(length.wide_sigma_in);
  const double p = right / (right + other);
  const double inward = p * right_in + (1 - p) * other_in;
  return {inward, std::sqrt(p * (right_var + std::pow(right_in - inward, 2)) +
                            (1 - p) * (other_var + std::pow(other_in - inward, 2)))};
}

}  // namespace

Polygon SwabBody(const ProjectileFinding& swab, const SwabShape& shape) {
  return StickOutline(swab.shot.point, swab.shot.tail, 1.3 * shape.cotton_radius_in);
}

ProjectileFinding SwabOnTable(const SwabFit& fit, const PatchPair& pair, const TableCamera& camera,
                              const TerrainMap& terrain, const SwabShape& shape,
                              const ShotDetectorOptions& options) {
  const cv::Vec3d eye = CameraCentre(camera);
  const double level = pair.grid.Level();
  const double noise_in = 1 / pair.picture_ppi;
  const auto edge_sigma = [&](double contrast) {
    // A half-height crossing of a step `contrast` high, blurred over about a pixel and a half,
    // moves by noise / slope; averaging across the stick halves it.
    const double by_noise = contrast > 0 ? 0.5 * 1.5 * 2.5 * pair.noise / contrast : 1.0;
    return noise_in * std::hypot(options.edge_sigma_px, by_noise);
  };
  const LengthPrior length = LengthPriorOf(shape);
  ProjectileFinding out;
  ShotObservation& shot = out.shot;
  shot.projectile = Projectile::kQtip;
  if (!fit.tip_edge && !fit.tail_edge) {
    shot.point = AtHeight(eye, fit.At(fit.white_from), level, level);
    shot.tail = AtHeight(eye, fit.At(fit.white_to), level, level);
    shot.visible = 0;
    out.measured = false;
    out.point_untold = true;
    out.how = "nothing: neither of its ends can be told";
    out.outline = StickOutline(shot.point, shot.tail, 3 * shape.cotton_radius_in);
    return out;
  }
  shot.visible = fit.tip_visible;
  // Two ends that are not its length apart: the one that something may hide is not its end.
  bool torn = false;
  bool by_tip = fit.tip_edge.has_value();
  bool by_tail = fit.tail_edge.has_value();
  const double tip_edge = fit.tip_edge.value_or(0);
  const double tail_edge = fit.tail_edge.value_or(0);
  const double missing = shape.length_in - (tail_edge - tip_edge);
  const double sigma_ends = std::hypot(edge_sigma(fit.tip_contrast), edge_sigma(fit.tail_contrast));
  const double whole_within = std::max(LengthRange(shape) + sigma_ends, shape.cotton_radius_in);
  if (by_tip && by_tail && missing > whole_within) {
    const auto may_hide = [&](double from, double to) {
      return MayGoOn(terrain, pair, fit.white, eye, fit.At(from), fit.At(to));
    };
    const bool tip_may = may_hide(tip_edge, tip_edge - missing);
    const bool tail_may = may_hide(tail_edge, tail_edge + missing);
    torn = tip_may == tail_may;
    by_tip = torn || tail_may;
    by_tail = torn || tip_may;
  }

  // Heights follow from where it lies, and where it lies (by its parallax) from the heights: with
  // what it may lie on as high as may be, not there, or a share of that.
  double tip_z = level;
  double tail_z = level;
  Vec2 tip;
  Vec2 tail;
  bool doubtful = false;
  double sigma_along = 0;
  double apart = 0;    // of the tip by the length from the tip by its edge, inwards
  double lift_in = 0;  // of the tip, at the most
  const auto lay = [&](double share) {
    for (int round = 0; round < 3; ++round) {
      const double from_tail = by_tail ? tail_edge - shape.length_in : 0;
      const double tip_station = by_tip ? tip_edge : from_tail;
      const double tail_station = by_tail ? tail_edge : tip_station + shape.length_in;
      tip = AtHeight(eye, fit.At(tip_station), level, tip_z);
      tail = AtHeight(eye, fit.At(tail_station), level, tail_z);
      const double rise = tail_z - tip_z;
      const double flat = std::sqrt(std::max(shape.length_in * shape.length_in - rise * rise, 0.1));
      const Vec2 along = Normalized(tail - tip);
      const Vec2 tip_by_length = tail - flat * along;
      if (by_tip && by_tail) {
        apart = Dot(tip_by_length - tip, along);
        const AlongFix fix =
            FuseEnds(apart, edge_sigma(fit.tip_contrast), edge_sigma(fit.tail_contrast), length);
        tip = tip + fix.inward_in * along;
        sigma_along = fix.sigma_in;
        out.tip_disagreement_in = std::abs(apart);
        out.how = "its painted end, and its other end less its length";
      } else if (by_tip) {
        tip = tip + kShadow_in * along;
        sigma_along = std::hypot(edge_sigma(fit.tip_contrast), kShadowEdgeSigma_in);
        tail = tip + flat * along;
        out.how = "its painted end alone; the other end is hidden";
      } else {
        sigma_along = std::hypot(edge_sigma(fit.tail_contrast), length.Sigma());
        tip = tip_by_length;
        out.how = "its other end and its length; the painted end is hidden";
      }
      const SwabRest rest = RestOf(terrain, tip, tail, shape);
      const SwabRest highest = HighestRestOf(terrain, tip, tail, shape);
      lift_in = highest.tip_in - rest.tip_in;
      tip_z = rest.tip_in + share * lift_in;
      tail_z = rest.tail_in + share * (highest.tail_in - rest.tail_in);
      doubtful = rest.doubtful;
    }
  };
  lay(0);
  const double sigma_lift = [&] {
    constexpr double kSame_in = 0.01;
    if (std::abs(lift_in) < kSame_in) return 0.0;
    // Any of these heights alike, but that its length is known: seen from aside, a swab that stands
    // up looks longer or shorter than it is.
    const double sigma_apart =
        std::hypot(edge_sigma(fit.tip_contrast), edge_sigma(fit.tail_contrast), length.Sigma());
    constexpr int kSteps = 10;
    double sum = 0;
    double mean = 0;
    double square = 0;
    for (int i = 0; i <= kSteps; ++i) {
      const double share = static_cast<double>(i) / kSteps;
      lay(share);
      const double off = by_tip && by_tail ? apart / sigma_apart : 0;
      const double weight = std::exp(-0.5 * off * off);
      sum += weight;
      mean += weight * share;
      square += weight * share * share;
    }
    // A length that none of them explains says nothing of them.
    if (sum < 1e-6) sum = 2, mean = 1, square = 2.0 / 3;
    mean /= sum;
    lay(mean);
    return std::abs(lift_in) * std::sqrt(std::max(square / sum - mean * mean, 0.0));
  }();
  // Whether an end lies just on the edge of a base or on another swab, or just beside it, hangs on
  // hundredths of an inch that nobody has measured: between the two is its height.
  const HeightRange tip_range = TipHeights(terrain, tip, tail, shape);
  const double lifted_in = tip_z - RestOf(terrain, tip, tail, shape).tip_in;
  tip = AtHeight(eye, tip, tip_z, tip_range.Middle() + lifted_in);
  tip_z = tip_range.Middle() + lifted_in;
  shot.point = tip;
  shot.tail = tail;
  shot.height_in = tip_z;
  out.tail_height_in = tail_z;
  const Vec2 along = Normalized(tail - tip);
  // The axis is known over the stretch seen; the tip lies beyond its end by a lever.
  const double seen = std::max(fit.white_to - fit.white_from, 0.3);
  const double middle = 0.5 * (fit.white_to + fit.white_from);
  const double lever = std::abs((by_tip ? tip_edge : fit.white_from) - middle) / seen;
  // What is left of one that runs under something ends raggedly, on one side before the other.
  const double ragged = by_tip && by_tail ? 1 : 1.7;
  const double sigma_across = std::hypot(
      noise_in * ragged * std::hypot(options.axis_sigma_px, 0.1 * std::sqrt(12.0) * lever),
      fit.bend_in);
  // On level cloth the axis is known to a hundredth of an inch (how thick the cotton is); across
  // bases and under trees it may lean on a figure by about a stick's thickness.
  const double sigma_height =
      std::hypot(doubtful ? shape.cotton_radius_in : 0.01, tip_range.Half(), sigma_lift);
  shot.point_cov = OrientedCov(along, sigma_along, sigma_across) +
                   HeightCov(eye, tip, tip_z, sigma_height) + RegistrationCov(camera, tip, tip_z);
  // An end that ought to lie in the open and is not there: broken, or no swab at all. A painted end
  // that is there and only runs into its own shadow is measured from the other one.
  const double white_end = by_tail ? fit.white_from : fit.white_to;
  constexpr double kThere = 0.6;
  const bool there = by_tail && fit.tip_visible > kThere;
  const double lacking = by_tail ? fit.white_from - (tail_edge - shape.length_in)
                                 : tip_edge + shape.length_in - fit.white_to;
  if (!(by_tip && by_tail) && !there && lacking > shape.cotton_radius_in &&
      !MayGoOn(terrain, pair, fit.white, eye, fit.At(white_end), by_tail ? tip : tail)) {
    shot.visible = 0;
    out.measured = false;
    out.how = "nothing: one of its ends lies in the open and is not there";
  }
  // Paint that runs into another's, with no other end to check it by.
  const Vec2 seen_tip = fit.At(tip_edge);
  const Vec2 beside_tip = shape.cotton_radius_in * fit.toward_tail;
  if (by_tip && !by_tail &&
      (IsAnothers(pair, seen_tip) || IsAnothers(pair, seen_tip - beside_tip))) {
    shot.visible = 0;
    out.measured = false;
    out.how = "nothing: its painted end lies against another";
  }
  // Clubs dip a quarter of an inch and more: less than a fifth, under a tree or by a figure, may be
  // its shade on a bare end.
  constexpr double kDipped_in = 0.2;
  if (by_tip && fit.paint_in < kDipped_in && MayBeHidden(terrain, eye, tip)) {
    shot.visible = 0;
    out.measured = false;
    out.how = "nothing: whether its end is painted or in the shade is not told";
  }
  if (torn) {
    shot.visible = 0;
    out.measured = false;
    out.how = "nothing: its two ends are not its length apart";
  }
  if (fit.looks && !torn && !tip_range.Half() && !doubtful) {
    LearntProjectile looks;
    looks.samples = 1;
    looks.length_in = shape.length_in + apart - kShadow_in;
    looks.length_sigma_in = std::hypot(sigma_ends, kShadowEdgeSigma_in);
    looks.cotton_length_in = fit.looks->cotton_length_in;
    looks.cotton_thickness_in = fit.looks->cotton_thickness_in;
    looks.dip_in = fit.looks->dip_in;
    looks.stick = ColourBesideCotton(fit.looks->stick);
    looks.tip_paint = ColourBesideCotton(fit.looks->dip);
    out.looks = looks;
  }
  // With a third of an inch about it: its shadow and its blur are part of what it changed.
  out.outline = StickOutline(tip, tail, 3 * shape.cotton_radius_in);
  return out;
}

void MayLieOnOneAnother(std::vector<ProjectileFinding>& swabs, const TerrainMap& terrain,
                        const cv::Vec3d& eye, const SwabShape& shape) {
  const std::vector<ProjectileFinding> alone = swabs;
  for (std::size_t k = 0; k < swabs.size(); ++k) {
    TerrainMap with_others = terrain;
    std::vector<LyingSwab> lying = terrain.Lying();
    for (std::size_t other = 0; other < alone.size(); ++other) {
      const ProjectileFinding& f = alone[other];
      if (other != k && f.measured)
        lying.push_back({f.shot.point, f.shot.tail, f.shot.height_in, f.tail_height_in, shape});
    }
    with_others.SetLying(std::move(lying));
    ShotObservation& shot = swabs[k].shot;
    if (!swabs[k].measured) continue;
    HeightRange range = TipHeights(with_others, shot.point, shot.tail, shape);
    range = {std::min(range.low_in, shot.height_in), std::max(range.high_in, shot.height_in)};
    constexpr double kSame_in = 0.01;
    if (2 * range.Half() < kSame_in) continue;
    shot.point = AtHeight(eye, shot.point, shot.height_in, range.Middle());
    shot.height_in = range.Middle();
    shot.point_cov = shot.point_cov + HeightCov(eye, shot.point, shot.height_in, range.Half());
  }
}

}  // namespace fos
