// SPDX-License-Identifier: MIT
#include "vision/shots/projectile_judge.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "vision/image/in_parallel.h"
#include "vision/shots/change_window.h"
#include "vision/shots/place_on_table.h"
#include "vision/shots/shot_odds.h"
#include "vision/shots/swab_model.h"
#include "vision/shots/swab_on_table.h"

namespace fos {
namespace {

constexpr const char* kWhichEnd = "nothing: which of its ends is dipped is not to be seen";

// Whether people are asked about it, at the least. Leaves that lie over its ends and shade them
// leave little to tell it by: what came there and may be as long and thin as a swab is people's to
// tell.
bool MayBeSwab(const SwabExplanation& seen, bool by_detector, const TerrainMap& terrain,
               const TableCamera& camera, double level_in) {
  const ExplanationMargins& m = kExplanationMargins;
  if (SwabOdds(seen, by_detector) >= m.asked_swab) return true;
  if (seen.explained < m.searched_swab || seen.in_view >= m.open_in_view ||
      seen.in_view < m.cover_in_view || seen.over_nothing < m.cover_evidence || seen.came < m.came)
    return false;
  const auto tip = TableFromImage(camera, seen.tip, level_in, 0);
  const auto tail = TableFromImage(camera, seen.tail, level_in, 0);
  if (!tip.ok() || !tail.ok()) return false;
  const cv::Vec3d eye = CameraCentre(camera);
  constexpr int kPlaces = 4;  // an inch apart, or less
  for (int i = 0; i <= kPlaces; ++i) {
    const double share = static_cast<double>(i) / kPlaces;
    if (MayBeInCover(terrain, eye, (1 - share) * tip->at + share * tail->at)) return true;
  }
  return false;
}

void TellJudged(const SwabExplanation& seen, bool by_detector, const TableCamera& camera,
                double level_in, const OnJudged& on_judged) {
  if (!on_judged) return;
  const auto tip = TableFromImage(camera, seen.tip, level_in, 0);
  const auto tail = TableFromImage(camera, seen.tail, level_in, 0);
  if (!tip.ok() || !tail.ok()) return;
  on_judged({.as = Projectile::kQtip,
             .possible = PossibleSwab(seen),
             .point = tip->at,
             .tail = tail->at,
             .terms = Named(SwabTerms(seen, by_detector), kSwabWeights),
             .ends = Named(TipTerms(seen), kTipWeights),
             .seen = {{"over_nothing", seen.over_nothing},
                      {"explained", seen.explained},
                      {"came", seen.came},
                      {"over_ground", seen.over_ground},
                      {"over_rod", seen.over_rod},
                      {"over_other_end", seen.over_other_end},
                      {"dip_nats", seen.dip_nats},
                      {"px_per_in", seen.px_per_in},
                      {"psf_px", seen.psf_px},
                      {"dip_in", seen.dip_in},
                      {"cotton_in", seen.cotton_in},
                      {"longer_in", seen.longer_in},
                      {"bend_px", seen.bend_px},
                      {"along_px", seen.along_px},
                      {"across_px", seen.across_px},
                      {"of_paper", seen.of_paper}}});
}

// How well its pose is known across it, one sigma, inches.
double SigmaAcross(const SwabExplanation& seen, double ppi) {
  const double lighter = std::max(seen.over_ground - 1, 0.0);
  return std::hypot(kExplanationMargins.across_in,
                    kExplanationMargins.across_unseen_in / (1 + lighter * lighter),
                    seen.across_px / ppi);
}

// Whether something that stands there may hide a place of the picture.
bool MayBeHidden(ImagePoint at, const cv::Mat& hidden) {
  const cv::Point pixel(static_cast<int>(std::lround(at.x_px)),
                        static_cast<int>(std::lround(at.y_px)));
  return !hidden.empty() && cv::Rect({}, hidden.size()).contains(pixel) &&
         hidden.at<std::uint8_t>(pixel) != 0;
}

// Lays a swab that the model explains on the table.
ProjectileFinding OnTable(const SwabExplanation& seen, const ShotPictures& pictures,
                          const TerrainMap& terrain, double level_in, const SwabShape& shape,
                          const cv::Mat& hidden) {
  const TableCamera& camera = pictures.camera;
  const cv::Vec3d eye = CameraCentre(camera);
  ProjectileFinding out;
  ShotObservation& shot = out.shot;
  shot.projectile = Projectile::kQtip;
  const auto tip = TableFromImage(camera, seen.tip, level_in, 0);
  const auto tail = TableFromImage(camera, seen.tail, level_in, 0);
  if (!tip.ok() || !tail.ok()) {
    out.measured = false;
    out.how = kMayBeAnotherThing;
    return out;
  }
  SwabRest rest{level_in, level_in};
  for (int round = 0; round < 3; ++round) {
    shot.point = AtHeight(eye, tip->at, level_in, rest.tip_in);
    shot.tail = AtHeight(eye, tail->at, level_in, rest.tail_in);
    rest = RestOf(terrain, shot.point, shot.tail, shape);
  }
  shot.height_in = rest.tip_in;
  out.tail_height_in = rest.tail_in;
  const Vec2 along = Normalized(shot.tail - shot.point);
  const double sigma_height = rest.doubtful ? shape.cotton_radius_in : 0.02;
  const double ppi = PixelsPerInch(camera, shot.point, shot.height_in);
  shot.point_cov = OrientedCov(along, std::hypot(kExplanationMargins.along_in, seen.along_px / ppi),
                               SigmaAcross(seen, ppi)) +
                   HeightCov(eye, shot.point, shot.height_in, sigma_height) +
                   RegistrationCov(camera, shot.point, shot.height_in);
  shot.visible = MayBeHidden(seen.tip, hidden) ? 0.5 : 1;
  out.outline = StickOutline(shot.point, shot.tail, 3 * shape.cotton_radius_in);
  out.how = "its shape, dip and shadow as a whole";
  out.evidence = seen.over_nothing;
  out.predicted = std::make_shared<const PredictedView>(seen.predicted);
  const ExplanationMargins& m = kExplanationMargins;
  if (!TipToldAlone(seen)) {
    out.measured = false;
    out.how = kWhichEnd;
  } else if (!IsSwab(seen, false) || seen.in_view < m.alone_in_view ||
             std::abs(seen.longer_in) >= m.longer_in || seen.over_ground < m.bared) {
    out.measured = false;
    out.how = kMayBeAnotherThing;
  }
  if (!out.measured) shot.visible = 0;
  return out;
}

void Doubt(ProjectileFinding& finding, const char* why) {
  finding.measured = false;
  finding.shot.visible = 0;
  finding.how = why;
}

// Whether the model takes the other end for the tip.
bool OtherWayRound(const SwabExplanation& seen, const ProjectileFinding& finding,
                   const TableCamera& camera) {
  const ImagePoint tip = ImageFromTable(camera, finding.shot.point, finding.shot.height_in);
  return std::hypot(seen.tip.x_px - tip.x_px, seen.tip.y_px - tip.y_px) >
         std::hypot(seen.tail.x_px - tip.x_px, seen.tail.y_px - tip.y_px);
}

// Puts the detector's tip and the model's together. The detector takes the stick for straight:
// where it is bent, its line through the whole swab passes the tip by two thirds of the bend (the
// chord that fits a parabola best).
void Fuse(const SwabExplanation& seen, const TableCamera& camera, const cv::Mat& hidden,
          ProjectileFinding& finding) {
  const ExplanationMargins& m = kExplanationMargins;
  ShotObservation& shot = finding.shot;
  const auto tip = TableFromImage(camera, seen.tip, shot.height_in, 0);
  // Where something hides the tip, the model's is no more than its bend drawn on. A dip as dark as
  // the ground is hidden to the detector alone.
  if (!tip.ok() || MayBeHidden(seen.tip, hidden)) return;
  const double ppi = PixelsPerInch(camera, shot.point, shot.height_in);
  const double passed_in = 2.0 / 3.0 * seen.bend_px / ppi;
  const Vec2 along = Normalized(shot.tail - shot.point);
  // The registration's part of the doubt is common to both.
  const Cov2 common = RegistrationCov(camera, shot.point, shot.height_in);
  Vec2 by;
  Cov2 cov = common;
  const auto put_together = [&](Vec2 way, double passed, double model_sigma, double wide_share,
                                double wide_in) {
    constexpr double kLeast = 1e-6;  // a thousandth of an inch
    const double own =
        std::max(VarianceAlong(shot.point_cov, way) - VarianceAlong(common, way), kLeast) +
        passed * passed;
    const PutTogether both = Together(Dot(tip->at - shot.point, way), own,
                                      model_sigma * model_sigma, wide_share, wide_in);
    by = by + both.at * way;
    cov = cov + OrientedCov(way, std::sqrt(both.variance), 0);
  };
  put_together(along, 0, std::hypot(m.along_with_detector_in, seen.along_px / ppi),
               m.along_wide_share, m.along_wide_in);
  put_together(Perpendicular(along), passed_in, SigmaAcross(seen, ppi), m.across_wide_share,
               m.across_wide_in);
  shot.point = shot.point + by;
  shot.point_cov = cov;
}

// Of one of which one end alone is seen, something hides the other.
bool ShowsOneEnd(const ProjectileFinding& swab) {
  return !swab.point_untold && swab.tip_disagreement_in <= 0;
}

// What the model makes of a swab that the detector found.
// others  the bodies of other new ones
std::optional<SwabExplanation> Explain(const ProjectileFinding& f, const ShotPictures& pictures,
                                       double level_in, const SwabShape& shape,
                                       const cv::Mat& hidden, const std::vector<Polygon>& others) {
  const TableCamera& camera = pictures.camera;
  const cv::Mat unseen = MaskWithOthers(hidden, others, pictures, level_in);
  const auto as_it_lies = [&](const cv::Mat& mask) {
    return ExplainAsSwab(pictures, ImageFromTable(camera, f.shot.point, f.shot.height_in),
                         ImageFromTable(camera, f.shot.tail, f.tail_height_in), level_in, shape,
                         mask, kExplanationMargins.searched_swab);
  };
  std::optional<SwabExplanation> seen;
  const double reach = Distance(f.shot.point, f.shot.tail);
  if (f.measured || std::abs(reach - shape.length_in) < 0.1 * shape.length_in)
    seen = as_it_lies(unseen);
  // Where something hides an end, what shows nothing new says nothing.
  const auto may_be = [&] {
    return seen && SwabOdds(*seen, f.measured) >= kExplanationMargins.asked_swab;
  };
  if (ShowsOneEnd(f) && !may_be()) {
    const cv::Mat all(pictures.after.size(), CV_8UC1, cv::Scalar(255));
    seen = as_it_lies(MaskWithOthers(all, others, pictures, level_in));
  }
  if (may_be()) return seen;
  return ExplainBySwab(pictures, BoundsOf(f.outline), level_in, shape, unseen,
                       kExplanationMargins.searched_swab);
}
std::vector<std::optional<SwabExplanation>> ExplainEach(const std::vector<ProjectileFinding>& swabs,
                                                        const ShotPictures& pictures,
                                                        double level_in, const SwabShape& shape,
                                                        const cv::Mat& hidden) {
  std::vector<Polygon> bodies;
  for (const ProjectileFinding& f : swabs) bodies.push_back(SwabBody(f, shape));
  std::vector<std::optional<SwabExplanation>> out(swabs.size());
  InParallel(swabs.size(), [&](std::size_t i) {
    std::vector<Polygon> others = bodies;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    out[i] = Explain(swabs[i], pictures, level_in, shape, hidden, others);
  });
  return out;
}

}  // namespace

PutTogether Together(double apart_in, double own_variance, double model_variance, double wide_share,
                     double wide_in) {
  PutTogether out;
  double square = 0;
  double sum = 0;
  for (const bool wide : {false, true}) {
    const double own = own_variance + (wide ? wide_in * wide_in : 0);
    const double both = own + model_variance;
    const double weight = (wide ? wide_share : 1 - wide_share) *
                          std::exp(-0.5 * apart_in * apart_in / both) / std::sqrt(both);
    const double at = own / both * apart_in;
    sum += weight;
    out.at += weight * at;
    square += weight * (own * model_variance / both + at * at);
  }
  out.at /= sum;
  out.variance = square / sum - out.at * out.at;
  return out;
}

void JudgeSwabs(std::vector<ProjectileFinding>& swabs, const ShotPictures& pictures,
                const TerrainMap& terrain, double level_in, const SwabShape& shape,
                const cv::Mat& hidden, const OnJudged& on_judged) {
  const TableCamera& camera = pictures.camera;
  const std::vector<std::optional<SwabExplanation>> explained =
      ExplainEach(swabs, pictures, level_in, shape, hidden);
  std::vector<ProjectileFinding> out;
  for (std::size_t i = 0; i < swabs.size(); ++i) {
    ProjectileFinding& f = swabs[i];
    const std::optional<SwabExplanation>& seen = explained[i];
    const bool one_end = ShowsOneEnd(f);
    if (seen) {
      TellJudged(*seen, f.measured, camera, level_in, on_judged);
      f.evidence = seen->over_nothing;
      f.predicted = std::make_shared<const PredictedView>(seen->predicted);
    }
    // Where the detector measured what the model takes for another thing, people know.
    if (!f.measured && !(seen && MayBeSwab(*seen, false, terrain, camera, level_in))) continue;
    if (!seen || !IsSwab(*seen, f.measured)) {
      if (f.measured) Doubt(f, kMayBeAnotherThing);
    } else if (!f.measured) {
      ProjectileFinding by_model = OnTable(*seen, pictures, terrain, level_in, shape, hidden);
      by_model.spec = f.spec;
      if (by_model.measured) f = std::move(by_model);
    } else {
      const bool other_way = OtherWayRound(*seen, f, camera);
      // Where something hides the other end, the paint of the one that is seen tells it, unless the
      // model clearly says otherwise: it explains what hides the other one badly either way. An end
      // in the open that the detector did not find may be the dipped one.
      const bool paint_alone =
          one_end && f.shot.visible > 0.5 &&
          MayBeHidden(ImageFromTable(camera, f.shot.tail, f.tail_height_in), hidden);
      const bool told = TipTold(*seen);
      if (paint_alone ? other_way && told : other_way || !told) {
        Doubt(f, kWhichEnd);
      } else if (!other_way) {
        Fuse(*seen, camera, hidden, f);
      }
    }
    out.push_back(std::move(f));
  }
  swabs = std::move(out);
}

ThingChange ChangeOfThings(const ShotPictures& pictures) {
  std::vector<cv::Point> places;
  cv::findNonZero(pictures.changed, places);
  if (places.empty()) return ThingChange::kNone;
  // As much again to every side, where the ground shows what changes by itself.
  cv::Rect about = cv::boundingRect(places);
  about = cv::Rect(about.tl() - cv::Point(about.size()), about.br() + cv::Point(about.size()));
  const ChangeWindow window = CutWindow(pictures, about, {});
  const Alternatives seen = ExplainOtherwise(window, pictures.changed(window.rect));
  const cv::Point middle = (about.tl() + about.br()) / 2;
  const auto at = TableFromImage(
      pictures.camera, {static_cast<double>(middle.x), static_cast<double>(middle.y)}, 0, 0);
  const double ppi = at.ok() ? PixelsPerInch(pictures.camera, at->at, 0) : 0;
  const cv::RotatedRect narrow = cv::minAreaRect(places);
  const ExplanationMargins& margins = kExplanationMargins;
  const bool small = seen.changed_px < margins.small_in2 * ppi * ppi &&
                     std::max(narrow.size.width, narrow.size.height) < margins.small_long_in * ppi;
  return ChangeOfThings(seen, small);
}

std::optional<ProjectileFinding> FindSwabByModel(const ShotPictures& pictures,
                                                 const TerrainMap& terrain, const TableBox& where,
                                                 double level_in, const SwabShape& shape,
                                                 const cv::Mat& hidden, const OnJudged& on_judged) {
  const auto seen =
      ExplainBySwab(pictures, where, level_in, shape, hidden, kExplanationMargins.searched_swab);
  if (seen) TellJudged(*seen, false, pictures.camera, level_in, on_judged);
  if (!seen || !MayBeSwab(*seen, false, terrain, pictures.camera, level_in)) return std::nullopt;
  return OnTable(*seen, pictures, terrain, level_in, shape, hidden);
}

}  // namespace fos
