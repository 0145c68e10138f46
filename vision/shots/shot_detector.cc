#include "vision/shots/shot_detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "vision/shots/shell_fit.h"
#include "vision/shots/swab_ends.h"
#include "vision/shots/swab_fit.h"

namespace fos {
namespace {

// Patches are cut finer than the picture, so that interpolation adds no error of its own.
constexpr double kOversampling = 1.5;

PatchPair CutPair(const ShotPictures& pictures, const TableBox& box, double level_in,
                  double least_change) {
  const double ppi = PixelsPerInch(pictures.camera, 0.5 * (box.low + box.high), level_in);
  PatchGrid grid(pictures.camera, box, level_in, kOversampling * ppi);
  PatchPair pair{grid,
                 grid.Cut(pictures.before),
                 grid.Cut(pictures.after),
                 grid.CutMask(pictures.changed),
                 pictures.noise,
                 ppi,
                 least_change,
                 {}};
  // The change mask comes at a coarser scale: what lies within a tenth of an inch of it belongs to
  // it.
  const int grow = static_cast<int>(std::lround(0.12 * grid.PixelsPerInch()));
  cv::dilate(pair.mask, pair.mask,
             cv::getStructuringElement(cv::MORPH_ELLIPSE, {2 * grow + 1, 2 * grow + 1}));
  return pair;
}

// A point of the patch's level, seen from the camera, where it lies at another height.
Vec2 AtHeight(const cv::Vec3d& eye, Vec2 at, double level_in, double height_in) {
  const Vec2 foot{eye[0], eye[1]};
  return foot + ((eye[2] - height_in) / (eye[2] - level_in)) * (at - foot);
}

// Registration error at that place, without the picture's noise.
Cov2 RegistrationCov(const TableCamera& camera, Vec2 at, double height_in) {
  const auto point = TableFromImage(camera, ImageFromTable(camera, at, height_in), height_in, 0);
  return point.ok() ? point->cov : Cov2{};
}

// What not knowing the height does: a shift away from the camera's foot point.
Cov2 HeightCov(const cv::Vec3d& eye, Vec2 at, double height_in, double sigma_height_in) {
  const Vec2 slope = (at - Vec2{eye[0], eye[1]}) / (eye[2] - height_in);
  const Vec2 shift = sigma_height_in * slope;
  return {shift.x * shift.x, shift.x * shift.y, shift.y * shift.y};
}

// May something stand in the camera's way to a point: a figure, a tree, a house, a base that it
// lies under or that is as light as it is?
bool MayBeHidden(const TerrainMap& terrain, const cv::Vec3d& eye, Vec2 at) {
  constexpr double kHighest_in = 2.4;  // of trees and mounted standard bearers
  constexpr int kSteps = 6;
  for (int k = 0; k <= kSteps; ++k) {
    const double height = kHighest_in * k / kSteps;
    const Vec2 on_ray = at + (height / eye[2]) * (Vec2{eye[0], eye[1]} - at);
    constexpr double kAbout_in = 0.15;
    for (const Vec2 d : {Vec2{0, 0}, Vec2{kAbout_in, 0}, Vec2{-kAbout_in, 0}, Vec2{0, kAbout_in},
                         Vec2{0, -kAbout_in}}) {
      if (terrain.ObstacleAt(on_ray + d)) return true;
    }
  }
  return false;
}

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

Polygon StickOutline(Vec2 tip, Vec2 tail, double half_width_in) {
  const Vec2 along = Normalized(tail - tip);
  const Vec2 across = Perpendicular(along);
  const Vec2 a = tip - half_width_in * along;
  const Vec2 b = tail + half_width_in * along;
  return {a + half_width_in * across, b + half_width_in * across, b - half_width_in * across,
          a - half_width_in * across};
}

// A swab itself with its blur, without its shadow.
Polygon Body(const ProjectileFinding& swab, const SwabShape& shape) {
  return StickOutline(swab.shot.point, swab.shot.tail, 1.3 * shape.cotton_radius_in);
}

}  // namespace

SwabShape ShapeOf(const ProjectileSpec& spec, const LearntProjectile* learnt) {
  SwabShape shape;
  shape.length_in = spec.length_in;
  shape.stick_radius_in = spec.diameter_in / 2;
  shape.tip_paint = spec.tip_paint;
  if (!learnt) return shape;
  shape.length_in = learnt->length_in;
  shape.length_sigma_in = learnt->length_sigma_in;
  shape.cotton_length_in = learnt->cotton_length_in;
  shape.cotton_radius_in = learnt->cotton_thickness_in / 2;
  shape.tip_paint = learnt->tip_paint;
  // A stick as white as its cotton is seen as white.
  constexpr float kWhite = 0.6F;
  const cv::Vec3f stick = ShareOfCotton(learnt->stick);
  if (LeastChannel(stick) < kWhite) shape.stick = learnt->stick;
  return shape;
}

void TakeLearnt(const std::vector<LearntProjectile>& learnt, Scenario& scenario) {
  for (ProjectileSpec& spec : scenario.projectiles) {
    for (const LearntProjectile& one : learnt) {
      if (one.type != spec.type) continue;
      if (one.type == Projectile::kQtip) {
        spec.length_in = one.length_in;
        spec.tip_paint = one.tip_paint;
      } else {
        spec.size_in = one.size_in;
        spec.body = one.body;
        spec.mark = one.mark;
      }
    }
  }
}

const LearntProjectile* ShotDetector::Learnt(Projectile type) const {
  const auto found = std::find_if(options_.learnt.begin(), options_.learnt.end(),
                                  [&](const LearntProjectile& one) { return one.type == type; });
  return found == options_.learnt.end() ? nullptr : &*found;
}

std::string ShotDetector::Learn(const ProjectileFinding& finding) {
  if (!finding.measured || !finding.looks || finding.shot.projectile != Projectile::kQtip)
    return "";
  lengths_.Add(finding.looks->length_in, finding.looks->length_sigma_in);
  const ProjectileSpec& spec = specs_[static_cast<std::size_t>(finding.spec)];
  const LearntProjectile* learnt = Learnt(Projectile::kQtip);
  return lengths_.Contradicts(learnt ? learnt->length_in : spec.length_in,
                              learnt ? learnt->length_sigma_in : kSwabPriors.ruled_sigma_in);
}

ShotDetector::ShotDetector(const Scenario& scenario, ShotDetectorOptions options)
    : specs_(scenario.projectiles), options_(options) {}

namespace {

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
constexpr double kShadowSigma_in = 0.03;

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
  const double edge_var = std::pow(tip_sigma_in, 2) + std::pow(kShadowSigma_in, 2);
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

// From an axis in the patch to a point on the table: heights, the two ways of measuring, the doubt.
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
        sigma_along = std::hypot(edge_sigma(fit.tip_contrast), kShadowSigma_in);
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
    looks.length_sigma_in = std::hypot(sigma_ends, kShadowSigma_in);
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

// Swabs that came together: which of two lies on the other is not told, so that each is as high as
// if it lay on the cloth, or on the other, or between.
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

// From a block in the patch to a point on the table: what it lies on, the doubt.
ProjectileFinding ShellOnTable(const ShellFit& fit, const PatchPair& pair,
                               const TableCamera& camera, const TerrainMap& terrain,
                               const ShellShape& shape, double noise) {
  const cv::Vec3d eye = CameraCentre(camera);
  ProjectileFinding out;
  ShotObservation& shot = out.shot;
  shot.projectile = Projectile::kShell;
  shot.visible = fit.visible;
  // Flat on the cloth, or with an edge on a base: then its middle is up by about half that
  // base.
  double lowest = 1e9;
  double highest = -1e9;
  for (const Vec2 d : {Vec2{0, 0}, Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, 1}, Vec2{0, -1}}) {
    const double support = terrain.SupportAt(fit.centre + (shape.size_in / 2) * d);
    lowest = std::min(lowest, support);
    highest = std::max(highest, support);
  }
  const double lift = highest - lowest;
  shot.height_in = lowest + lift / 2 + shape.thickness_in;
  shot.point = AtHeight(eye, fit.centre, pair.grid.Level(), shot.height_in);
  shot.tail = shot.point;
  // What has more of its colour about it than beyond a shell's corners may be another thing, too.
  // What shows no mark may be the end of a tape or a bottle's cap, whatever its colour, unless it
  // is so dim or so few pixels wide that none would be seen; and one that is too small where
  // nothing hides the rest is a piece of one that broke: people are asked. They are about a grey
  // lump that is not even square.
  constexpr double kWhole = 0.7;
  const bool may_be_hidden = MayBeHidden(terrain, eye, fit.centre);
  const bool piece = fit.visible < kWhole && !may_be_hidden;
  const bool by_outline = fit.faint && fit.hued && !may_be_hidden;
  out.measured = !piece && !fit.runs_out && (fit.by_mark ? fit.square || fit.hued : by_outline);
  out.tip_disagreement_in = fit.tip_disagreement_in;
  out.how = piece           ? "nothing: a part of it lies in the open and is not there"
            : fit.runs_out  ? "nothing: its colour runs out beyond its corners"
            : !out.measured ? fit.by_mark ? "nothing: it is not square, and grey things are many"
                                          : "nothing: its mark is not to be seen"
            : fit.by_mark   ? "its centre mark and its outline"
                            : "its outline; its mark is too faint to be seen";
  // A tilted block's top leans over by about its lift, and its outline is not the flat one.
  const double sigma_px = fit.by_mark ? 0.2 : 0.6;
  // The mark leans with the top and is where it is; the outline, an eighth of the answer, is not.
  const double leaning = fit.by_mark ? lift / 8 : lift / 4;
  // On a leaning one's unlit sides the mark and the outline part where neither is right.
  const double parted = fit.tip_disagreement_in / (lift > 0 ? 3 : 6);
  const double by_noise = fit.contrast > 0 ? 2 * noise / fit.contrast : 1;
  const double hidden = 0.3 * shape.size_in * (1 - fit.visible);
  const double sigma = std::sqrt(std::pow(std::hypot(sigma_px, by_noise) / pair.picture_ppi, 2) +
                                 std::pow(parted, 2) + std::pow(hidden, 2) + std::pow(leaning, 2));
  shot.point_cov = IsotropicCov(sigma) +
                   HeightCov(eye, shot.point, shot.height_in, lift > 0 ? lift / 2 : 0.02) +
                   RegistrationCov(camera, shot.point, shot.height_in);
  for (const Vec2 d : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}}) {
    out.outline.push_back(shot.point + (0.75 * shape.size_in) * d);
  }
  return out;
}

}  // namespace

void LeaveOneOfShellsInEachOther(std::vector<ProjectileFinding>& findings, double size_in) {
  std::erase_if(findings, [&](const ProjectileFinding& f) {
    return f.measured &&
           std::any_of(findings.begin(), findings.end(), [&](const ProjectileFinding& other) {
             return !other.measured && Distance(f.shot.point, other.shot.point) < size_in;
           });
  });
}

std::vector<ProjectileFinding> ShotDetector::Find(const ShotPictures& pictures,
                                                  const TerrainMap& terrain,
                                                  const TableBox& where) const {
  const TableCamera& camera = pictures.camera;
  std::vector<ProjectileFinding> out;
  std::vector<Polygon> straws;  // longer than any swab
  const Vec2 middle = 0.5 * (where.low + where.high);
  const double ground = terrain.GroundAt(middle);
  const cv::Vec3d eye = CameraCentre(camera);
  const auto erase = [](PatchPair& pair, const Polygon& outline) {
    std::vector<cv::Point> corners;
    for (const Vec2 p : outline) {
      const cv::Point2d at = pair.grid.FromTable(p);
      corners.emplace_back(static_cast<int>(std::lround(at.x)),
                           static_cast<int>(std::lround(at.y)));
    }
    cv::fillConvexPoly(pair.mask, corners, cv::Scalar(0));
  };
  constexpr std::size_t kAtOnce =
      4;  // coming to rest together: two guns fired at one word, with room
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const ProjectileSpec& spec = specs_[i];
    if (spec.type == Projectile::kQtip) {
      SwabShape shape = ShapeOf(spec, Learnt(spec.type));
      shape.any_stick = options_.learning;
      const double level = ground + shape.cotton_radius_in;
      // Room for the axis to run on past the white by the painted end and a margin of clear cloth.
      PatchPair pair = CutPair(pictures, Grown(where, 1.2), level, options_.least_change);
      const cv::Mat all_new = pair.mask.clone();
      std::vector<ProjectileFinding> swabs;
      const auto look = [&] {
        for (std::size_t n = 0; n < kAtOnce; ++n) {
          const std::optional<SwabFit> fit = FitSwab(pair, shape);
          if (!fit) break;
          if (fit->longer) {
            straws.push_back(StickOutline(fit->At(fit->white_from), fit->At(fit->white_to),
                                          3 * shape.cotton_radius_in));
            erase(pair, straws.back());
            continue;
          }
          ProjectileFinding finding = SwabOnTable(*fit, pair, camera, terrain, shape, options_);
          finding.spec = static_cast<int>(i);
          erase(pair, finding.outline);
          swabs.push_back(std::move(finding));
        }
      };
      look();
      // Where several came at once, each is in another's way: all are looked at once more, each
      // with the others known.
      const auto body = [&](const ProjectileFinding& f) { return Body(f, shape); };
      for (std::size_t k = 0; swabs.size() > 1 && k < swabs.size(); ++k) {
        pair.mask = all_new.clone();
        pair.others.clear();
        for (std::size_t other = 0; other < swabs.size(); ++other) {
          if (other == k) continue;
          pair.others.push_back(body(swabs[other]));
          erase(pair, pair.others.back());
        }
        const std::optional<SwabFit> fit = FitSwab(pair, shape);
        if (!fit || fit->longer) continue;
        ProjectileFinding again = SwabOnTable(*fit, pair, camera, terrain, shape, options_);
        again.spec = static_cast<int>(i);
        const Vec2 middle_again = 0.5 * (again.shot.point + again.shot.tail);
        if (Contains(swabs[k].outline, middle_again)) swabs[k] = std::move(again);
      }
      pair.others.clear();
      MayLieOnOneAnother(swabs, terrain, eye, shape);
      std::move(swabs.begin(), swabs.end(), std::back_inserter(out));
    } else {
      const ShellShape shape{spec.size_in, spec.size_in / 2};
      const double level = ground + shape.thickness_in;
      PatchPair pair = CutPair(pictures, Grown(where, 0.8), level, options_.least_change);
      for (const Polygon& straw : straws) erase(pair, straw);
      for (const ProjectileFinding& found : out) {
        // A shell may lie against it, as it may lie in its shadow: only the swab itself is left
        // out.
        const bool swab = found.shot.projectile == Projectile::kQtip && found.measured;
        const Polygon itself = swab ? Body(found, SwabShape()) : found.outline;
        erase(pair, itself);
        pair.others.push_back(itself);
      }
      std::vector<ProjectileFinding> shells;
      for (std::size_t n = 0; n < kAtOnce; ++n) {
        const std::optional<ShellFit> fit = FitShell(pair, spec, shape, eye, ground);
        if (!fit) break;
        ProjectileFinding finding =
            ShellOnTable(*fit, pair, camera, terrain, shape, pictures.noise);
        finding.spec = static_cast<int>(i);
        erase(pair, finding.outline);
        shells.push_back(std::move(finding));
      }
      LeaveOneOfShellsInEachOther(shells, spec.size_in);
      std::move(shells.begin(), shells.end(), std::back_inserter(out));
    }
  }
  return out;
}

namespace {

// What a hand places in a picture magnified to a tenth of a millimetre a pixel, one sigma.
constexpr double kHand_in = 0.03;
// A click this near something that can be measured means that.
constexpr double kSnap_in = 0.15;

// The sharpest change of the picture along a line, within reach of a place: stations along it.
// Empty where nothing stands out.
std::optional<double> SharpestAlong(const PatchPair& pair, Vec2 place, Vec2 along,
                                    double reach_in) {
  constexpr double kStep_in = 0.01;
  constexpr double kSide_in = 0.03;  // the means of this much on either side are compared
  const auto at = [&](double station) {
    const cv::Point2d p = pair.grid.FromTable(place + station * along);
    cv::Mat pixel;
    cv::getRectSubPix(pair.after, {1, 1}, {static_cast<float>(p.x), static_cast<float>(p.y)},
                      pixel);
    return pixel.at<cv::Vec3f>(0, 0);
  };
  double best = 0;
  double found = 0;
  for (double s = -reach_in; s <= reach_in; s += kStep_in) {
    cv::Vec3f gap;
    for (double d = kStep_in; d <= kSide_in + 1e-9; d += kStep_in) gap += at(s + d) - at(s - d);
    const double step = cv::norm(gap) / (kSide_in / kStep_in);
    if (step > best) {
      best = step;
      found = s;
    }
  }
  if (best < std::max(pair.least_change, 4 * pair.noise)) return std::nullopt;
  return found;
}

// The middle of what is dark about a place: a shell's mark. Empty where nothing is.
std::optional<Vec2> DarkMiddle(const PatchPair& pair, Vec2 place, double reach_in) {
  const auto luma = [](const cv::Vec3f& c) { return 0.114 * c[0] + 0.587 * c[1] + 0.299 * c[2]; };
  const cv::Point2d middle = pair.grid.FromTable(place);
  const int reach = static_cast<int>(std::ceil(reach_in * pair.grid.PixelsPerInch()));
  const cv::Rect about =
      cv::Rect(static_cast<int>(middle.x) - reach, static_cast<int>(middle.y) - reach,
               2 * reach + 1, 2 * reach + 1) &
      cv::Rect({}, pair.after.size());
  double lightest = 0;
  for (int row = about.y; row < about.br().y; ++row) {
    for (int column = about.x; column < about.br().x; ++column)
      lightest = std::max(lightest, luma(pair.after.at<cv::Vec3f>(row, column)));
  }
  double sum = 0;
  double darkest = 0;
  Vec2 mean;
  for (int row = about.y; row < about.br().y; ++row) {
    for (int column = about.x; column < about.br().x; ++column) {
      const Vec2 p = pair.grid.ToTable({static_cast<double>(column), static_cast<double>(row)});
      if (Distance(p, place) > reach_in) continue;
      const double darker = lightest - luma(pair.after.at<cv::Vec3f>(row, column));
      darkest = std::max(darkest, darker);
      const double weight = darker * darker;  // the mark, not the body's own shading
      sum += weight;
      mean = mean + weight * p;
    }
  }
  if (sum <= 0 || darkest < 2 * std::max(pair.least_change, 4 * pair.noise)) return std::nullopt;
  return mean / sum;
}

}  // namespace

ProjectileFinding ShotDetector::At(const ShotPictures& pictures, const TerrainMap& terrain,
                                   const TableBox& where, int spec, Vec2 click) const {
  FOS_CHECK(spec >= 0 && static_cast<std::size_t>(spec) < specs_.size());
  const ProjectileSpec& thing = specs_[static_cast<std::size_t>(spec)];
  const bool swab = thing.type == Projectile::kQtip;
  const cv::Vec3d eye = CameraCentre(pictures.camera);
  std::optional<ProjectileFinding> seen;
  for (const ProjectileFinding& f : Find(pictures, terrain, where)) {
    if (f.spec != spec) continue;
    if (f.measured && Distance(f.shot.point, click) < kSnap_in) return f;
    // A swab's axis can be seen though its end cannot.
    const Vec2 along = Normalized(f.shot.tail - f.shot.point);
    if (swab && along != Vec2{} && std::abs(Cross(along, click - f.shot.point)) < kSnap_in &&
        Distance(NearestPoint(Segment2{f.shot.point, f.shot.tail}, click), click) <
            thing.length_in) {
      seen = f;
    }
  }
  ProjectileFinding out;
  out.spec = spec;
  ShotObservation& shot = out.shot;
  shot.projectile = thing.type;
  shot.visible = 0;
  const SwabShape shape = ShapeOf(thing, Learnt(thing.type));
  const double rise = swab ? shape.cotton_radius_in : thing.size_in / 2;
  shot.point = click;
  shot.tail = click;
  shot.height_in = terrain.SupportAt(click) + rise;
  const double ppi = PixelsPerInch(pictures.camera, click, shot.height_in);
  constexpr double kSnapped_px =
      0.7;  // an edge found near a click, without a length to check it by
  const PatchPair pair =
      CutPair(pictures, Grown({click, click}, 1.0), shot.height_in, options_.least_change);
  Cov2 spread = IsotropicCov(std::hypot(kHand_in, 0.5 / ppi));
  out.how = "a click";
  if (seen) {
    Vec2 along = Normalized(seen->shot.tail - seen->shot.point);
    const Vec2 middle = 0.5 * (seen->shot.tail + seen->shot.point);
    if (Dot(along, middle - click) < 0) along = -along;  // towards the tail
    shot.point = seen->shot.point + Dot(along, click - seen->shot.point) * along;
    double sigma_along = std::hypot(kHand_in, 0.5 / ppi);
    if (const auto edge = SharpestAlong(pair, shot.point, along, 0.1)) {
      shot.point = shot.point + *edge * along;
      sigma_along = kSnapped_px / ppi;
      out.how = "a click, moved to the end of the swab that was seen there";
    } else {
      out.how = "a click, moved to the axis of the swab that was seen there";
    }
    shot.tail = shot.point + shape.length_in * along;
    const SwabRest rest = RestOf(terrain, shot.point, shot.tail, shape);
    shot.height_in = rest.tip_in;
    out.tail_height_in = rest.tail_in;
    spread = OrientedCov(along, sigma_along, 2 * options_.axis_sigma_px / ppi);
  } else if (!swab) {
    if (const auto mark = DarkMiddle(pair, click, 0.12)) {
      shot.point = *mark;
      shot.tail = *mark;
      spread = IsotropicCov(kSnapped_px / ppi);
      out.how = "a click, moved to the middle of the mark there";
    }
  }
  // How high it lies nobody has measured: by as much as it is thick.
  shot.point_cov = spread + HeightCov(eye, shot.point, shot.height_in, rise) +
                   RegistrationCov(pictures.camera, shot.point, shot.height_in);
  out.outline =
      StickOutline(shot.point, swab ? shot.tail + Vec2{1e-6, 0} : shot.point + Vec2{0.01, 0},
                   3 * shape.cotton_radius_in);
  return out;
}

}  // namespace fos
