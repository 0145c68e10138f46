// SPDX-License-Identifier: MIT
#include "vision/shots/shot_detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "vision/image/mask_shapes.h"
#include "vision/shots/place_on_table.h"
#include "vision/shots/projectile_judge.h"
#include "vision/shots/shell_finder.h"
#include "vision/shots/swab_ends.h"
#include "vision/shots/swab_fit.h"
#include "vision/shots/swab_on_table.h"

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
  pair.mask = Grown(pair.mask, grow);
  return pair;
}

// Whether a swab may lie there that stands out too little by its colours: none was found, and no
// shell that explains all that is new.
bool MayHideASwab(const std::vector<ProjectileFinding>& found, const TableBox& where) {
  constexpr double kShellAndShadow_in = 1.6;  // four times its side
  const Vec2 size = where.high - where.low;
  const bool small = std::max(size.x, size.y) < kShellAndShadow_in;
  return std::none_of(found.begin(), found.end(), [&](const ProjectileFinding& f) {
    return f.shot.projectile == Projectile::kQtip || (f.measured && small);
  });
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
                              learnt ? learnt->length_sigma_in : kSwabPriors.ruled_sigma_in,
                              learnt != nullptr);
}

ShotDetector::ShotDetector(const Scenario& scenario, ShotDetectorOptions options)
    : specs_(scenario.projectiles), options_(options) {}

ShotPictures AlreadyThere(const ShotPictures& pictures, const PredictedView& view) {
  ShotPictures out = pictures;
  out.before = pictures.before.clone();
  view.bgr.convertTo(out.before(view.where), out.before.type());
  return out;
}

ShotPictures AlreadyThere(ShotPictures pictures, const cv::Mat& mask) {
  if (mask.empty()) return pictures;
  pictures.before = pictures.before.clone();
  pictures.changed = pictures.changed.clone();
  pictures.after.copyTo(pictures.before, mask);
  pictures.changed.setTo(0, mask);
  return pictures;
}

std::vector<ProjectileFinding> ShotDetector::Find(const ShotPictures& pictures,
                                                  const TerrainMap& terrain, const TableBox& where,
                                                  Effort effort) const {
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
  constexpr std::size_t kTogether = 4;  // coming to rest: two guns fired at one word, with room
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
        for (std::size_t n = 0; n < kTogether; ++n) {
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
      const auto body = [&](const ProjectileFinding& f) { return SwabBody(f, shape); };
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
      if (!options_.learning && !swabs.empty()) {
        const cv::Mat hidden = HiddenMask(terrain, camera, pictures.after.size(), level);
        JudgeSwabs(swabs, pictures, terrain, level, shape, hidden, options_.on_judged);
      }
      std::move(swabs.begin(), swabs.end(), std::back_inserter(out));
    } else {
      std::vector<Polygon> others = straws;
      for (const ProjectileFinding& found : out) {
        // A shell may lie against it, as it may lie in its shadow: only the swab itself is left
        // out.
        const bool swab = found.shot.projectile == Projectile::kQtip && found.measured;
        others.push_back(swab ? SwabBody(found, SwabShape()) : found.outline);
      }
      for (ProjectileFinding& found :
           FindShells(pictures, terrain, where, spec, others, kTogether, options_.on_judged)) {
        found.spec = static_cast<int>(i);
        out.push_back(std::move(found));
      }
    }
  }
  if (effort == Effort::kDetectorsOnly || options_.learning || !MayHideASwab(out, where))
    return out;
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    if (specs_[i].type != Projectile::kQtip) continue;
    const SwabShape shape = ShapeOf(specs_[i], Learnt(specs_[i].type));
    const double level = ground + shape.cotton_radius_in;
    const cv::Mat hidden = HiddenMask(terrain, camera, pictures.after.size(), level);
    auto found =
        FindSwabByModel(pictures, terrain, where, level, shape, hidden, options_.on_judged);
    if (!found) continue;
    found->spec = static_cast<int>(i);
    // What may be shells in its place are ends of it, or it is their shadow: what explains more.
    // One question a thing.
    const auto in_its_place = [&](const ProjectileFinding& shell) {
      return DistanceTo(found->outline, shell.shot.point) < shape.cotton_length_in;
    };
    double shells = 0;
    for (const ProjectileFinding& shell : out) shells += in_its_place(shell) ? shell.evidence : 0;
    const bool is_shell = shells > 0 && shells >= found->evidence;
    if (is_shell) continue;
    std::erase_if(out, in_its_place);
    out.push_back(std::move(*found));
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
