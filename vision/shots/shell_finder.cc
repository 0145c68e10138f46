// SPDX-License-Identifier: MIT
#include "vision/shots/shell_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "vision/image/in_parallel.h"
#include "vision/shots/place_on_table.h"
#include "vision/shots/projectile_judge.h"
#include "vision/shots/shell_model.h"
#include "vision/shots/shot_odds.h"

namespace fos {
namespace {

// How high the top of a shell lies on its middle, and how much higher one corner's support is than
// another's.
struct ShellRest {
  double top_in = 0;
  double lift_in = 0;
};
ShellRest RestOfShell(const TerrainMap& terrain, Vec2 centre, const ShellShape& shape) {
  double lowest = 1e9;
  double highest = -1e9;
  for (const Vec2 d : {Vec2{0, 0}, Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, 1}, Vec2{0, -1}}) {
    const double support = terrain.SupportAt(centre + (shape.size_in / 2) * d);
    lowest = std::min(lowest, support);
    highest = std::max(highest, support);
  }
  // Flat on the cloth, or with an edge on a base: then its middle is up by about half that base.
  const double lift = highest - lowest;
  return {lowest + lift / 2 + shape.thickness_in, lift};
}

// A covariance in pixels on the table at a height.
Cov2 CovOnTable(const Cov2& px2, const TableCamera& camera, ImagePoint at, double level_in) {
  constexpr double kStep_px = 2;
  const auto table = [&](double x, double y) {
    const auto there = TableFromImage(camera, {at.x_px + x, at.y_px + y}, level_in, 0);
    return there.ok() ? there->at : Vec2{};
  };
  const Vec2 by_x = (0.5 / kStep_px) * (table(kStep_px, 0) - table(-kStep_px, 0));
  const Vec2 by_y = (0.5 / kStep_px) * (table(0, kStep_px) - table(0, -kStep_px));
  const cv::Matx22d j(by_x.x, by_y.x, by_x.y, by_y.y);
  const cv::Matx22d cov = j * cv::Matx22d(px2.xx, px2.xy, px2.xy, px2.yy) * j.t();
  return {cov(0, 0), cov(0, 1), cov(1, 1)};
}

struct PlacedShell {
  ShellExplanation seen;
  bool may_be_hidden = false;
  bool may_be_one = false;
  ProjectileFinding finding;
};

// Whether it is measured, asked about or none.
void Decide(double size_in, PlacedShell& one) {
  one.may_be_one = MayBeShell(one.seen, one.may_be_hidden, size_in);
  const bool marked = MarkSeen(one.seen);
  one.finding.mark_seen = marked;
  if (IsShell(one.seen, one.may_be_hidden, size_in)) return;
  one.finding.point_untold = !marked;
  one.finding.measured = false;
  one.finding.how = marked ? kMayBeAnotherThing : "nothing: its mark is not to be seen";
}

JudgedThing AsJudged(const PlacedShell& one, double size_in) {
  const ShellExplanation& seen = one.seen;
  return {.as = Projectile::kShell,
          .possible = PossibleShell(seen),
          .point = one.finding.shot.point,
          .tail = one.finding.shot.point,
          .terms = Named(ShellTerms(seen, one.may_be_hidden, size_in), kShellWeights),
          .ends = {},
          .seen = {{"over_nothing", seen.over_nothing},
                   {"over_shadow", seen.over_shadow},
                   {"explained", seen.explained},
                   {"mark_nats", seen.mark_nats},
                   {"mark_expected", seen.mark_expected},
                   {"over_other_shapes", seen.over_other_shapes},
                   {"over_pushed", seen.over_pushed},
                   {"px_per_in", seen.px_per_in},
                   {"size_in", seen.size_in},
                   {"contrast", seen.contrast},
                   {"came", seen.came},
                   {"beside", seen.beside},
                   {"in_view", seen.in_view},
                   {"may_be_light", seen.may_be_light ? 1.0 : 0.0},
                   {"like_light", seen.like_light ? 1.0 : 0.0},
                   {"may_be_hidden", one.may_be_hidden ? 1.0 : 0.0}}};
}

// What shells are looked for in.
struct ShellSearch {
  const ShotPictures& pictures;
  const TerrainMap& terrain;
  const ProjectileSpec& spec;
  ShellShape shape;
  double level_in = 0;  // of a top on the ground there
  cv::Mat unseen;       // as for CutWindow
};

// The shell that explains most about a place, laid on what lies there. Not yet decided.
std::optional<PlacedShell> PlaceShell(const ShellSearch& in, ImagePoint about) {
  const auto& [pictures, terrain, spec, shape, level_in, unseen] = in;
  const TableCamera& camera = pictures.camera;
  ShellRest rest{level_in, 0};
  std::optional<ShellExplanation> seen;
  // What it lies on depends on where it lies, and that on its height.
  for (int round = 0; round < 2; ++round) {
    const auto there = TableFromImage(camera, about, rest.top_in, 0);
    if (!there.ok()) return std::nullopt;
    const ShellRest next = RestOfShell(terrain, there->at, shape);
    if (seen && std::abs(next.top_in - rest.top_in) < 0.01) break;
    rest = next;
    seen = ExplainAsShell(
        pictures, about, rest.top_in, rest.top_in - shape.thickness_in, spec, unseen,
        kExplanationMargins.searched_shell,
        [&](const ShellExplanation& so_far) { return MayBeShell(so_far, true, spec.size_in); });
    if (!seen) return std::nullopt;
    about = seen->centre;
  }
  const bool marked = MarkSeen(*seen);
  const auto on_top = TableFromImage(camera, seen->mark, rest.top_in, 0);
  const auto centre = TableFromImage(camera, seen->centre, rest.top_in, 0);
  if (!on_top.ok() || !centre.ok()) return std::nullopt;
  // A mark that is too faint to be seen for sure is still likelier there than anywhere else. Far
  // off the middle it is a shade instead, and the outline is doubted by half the distance.
  const double off_middle_in = Distance(on_top->at, centre->at);
  const bool is_shade = !marked && off_middle_in > kExplanationMargins.mark_off_middle_in;
  const Vec2 at = is_shade ? centre->at : on_top->at;
  PlacedShell out;
  ProjectileFinding& finding = out.finding;
  ShotObservation& shot = finding.shot;
  shot.projectile = Projectile::kShell;
  shot.point = shot.tail = at;
  shot.height_in = rest.top_in;
  shot.visible = seen->in_view;
  const cv::Vec3d eye = CameraCentre(camera);
  // A tilted block's top leans over by about its lift, and its outline is not the flat one; the
  // mark leans with the top and is where it is.
  const double leaning = marked ? rest.lift_in / 8 : rest.lift_in / 4;
  const double ppi = PixelsPerInch(camera, shot.point, shot.height_in);
  shot.point_cov =
      CovOnTable(seen->place_cov_px2, camera, seen->mark, rest.top_in) +
      IsotropicCov(std::hypot(leaning, kExplanationMargins.shell_px / ppi)) +
      HeightCov(eye, shot.point, shot.height_in,
                rest.lift_in > 0 ? rest.lift_in / 2 : kExplanationMargins.shell_height_in) +
      RegistrationCov(camera, shot.point, shot.height_in);
  if (!marked) {
    shot.point_cov = shot.point_cov + IsotropicCov(std::hypot(kExplanationMargins.shell_in,
                                                              is_shade ? off_middle_in / 2 : 0));
  }
  if (seen->may_be_shade)
    shot.point_cov = shot.point_cov + IsotropicCov(kExplanationMargins.shell_as_shade_in);
  for (const Vec2 d : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}})
    finding.outline.push_back(centre->at + (0.75 * shape.size_in) * d);
  finding.how = marked ? "its outline and its mark as a whole"
                       : "its outline; its mark is too faint to be seen";
  constexpr double kOneWay = 0;
  finding.tip_disagreement_in = marked ? std::max(off_middle_in, 1e-3) : kOneWay;
  out.may_be_hidden = MayBeHidden(terrain, eye, centre->at);
  finding.evidence = seen->over_nothing;
  finding.predicted = std::make_shared<const PredictedView>(std::move(seen->predicted));
  out.seen = *seen;
  return out;
}

// Whether a likelier one explains what seems to be another beside it, as its other half or its
// shadow: with the likelier one already there before, nothing is left that may be a shell.
bool ExplainsToo(const PlacedShell& likelier, const PlacedShell& other, const ShellSearch& in) {
  const PredictedView& view = *likelier.finding.predicted;
  if (!cv::Rect2d(view.where).contains({other.seen.centre.x_px, other.seen.centre.y_px}))
    return false;
  const ShotPictures pictures = AlreadyThere(in.pictures, view);
  const auto left = PlaceShell({pictures, in.terrain, in.spec, in.shape, in.level_in, in.unseen},
                               other.seen.centre);
  return !left || !MayBeShell(left->seen, left->may_be_hidden, in.spec.size_in);
}

// Every place that may hold one, laid on what lies there. Not yet decided.
// others  the bodies of what else is new
std::vector<PlacedShell> PlaceShells(const ShellSearch& in, const TableBox& where,
                                     const std::vector<Polygon>& others) {
  std::vector<PlacedShell> placed;
  const auto known = [&](const ImagePoint& place) {
    return std::any_of(placed.begin(), placed.end(), [&](const PlacedShell& one) {
      if (one.seen.explained < kExplanationMargins.whole_shell) return false;
      const double half_px = in.shape.size_in / 2 *
                             PixelsPerInch(in.pictures.camera, one.finding.shot.point, in.level_in);
      return std::hypot(one.seen.centre.x_px - place.x_px, one.seen.centre.y_px - place.y_px) <
             1.2 * half_px;
    });
  };
  const std::vector<ImagePoint> places = ShellProposals(
      in.pictures, where, in.level_in, in.shape.size_in, kExplanationMargins.contrast, in.unseen);
  // So many are looked at together. A later one that turns out to be known by then is dropped.
  constexpr std::size_t kTogether = 2;
  for (std::size_t first = 0; first < places.size(); first += kTogether) {
    std::array<std::optional<PlacedShell>, kTogether> found;
    InParallel(std::min(kTogether, places.size() - first), [&](std::size_t i) {
      const ImagePoint& place = places[first + i];
      if (!known(place)) found[i] = PlaceShell(in, place);
    });
    for (std::size_t i = 0; i < kTogether; ++i) {
      std::optional<PlacedShell>& one = found[i];
      if (!one || known(places[first + i])) continue;
      const bool beside = std::any_of(others.begin(), others.end(), [&](const Polygon& other) {
        return DistanceTo(other, one->finding.shot.point) < kExplanationMargins.shadow_in;
      });
      if (beside && one->seen.may_be_shade) continue;
      placed.push_back(std::move(*one));
    }
  }
  return placed;
}

}  // namespace

std::vector<ProjectileFinding> FindShells(const ShotPictures& pictures, const TerrainMap& terrain,
                                          const TableBox& where, const ProjectileSpec& spec,
                                          const std::vector<Polygon>& others, std::size_t most,
                                          const OnJudged& on_judged) {
  const ShellShape shape{spec.size_in, spec.size_in / 2};
  const double level = terrain.GroundAt(0.5 * (where.low + where.high)) + shape.thickness_in;
  const cv::Mat hidden = HiddenMask(terrain, pictures.camera, pictures.after.size(), level);
  const ShellSearch in{pictures, terrain, spec,
                       shape,    level,   MaskWithOthers(hidden, others, pictures, level)};
  std::vector<PlacedShell> placed = PlaceShells(in, where, others);
  // Two of them may lie side by side, but not in one another. Of several ways to lay one in a place
  // each is another hypothesis to the others: a box about a thing and its halo explains more than
  // the thing.
  const auto same_place = [&](const PlacedShell& a, const PlacedShell& b) {
    return Distance(a.finding.shot.point, b.finding.shot.point) <= 0.9 * shape.size_in;
  };
  for (PlacedShell& one : placed) {
    for (const PlacedShell& other : placed) {
      if (!same_place(one, other)) continue;
      one.seen.explained =
          std::min(one.seen.explained, one.seen.over_nothing / other.seen.over_nothing);
    }
    Decide(spec.size_in, one);
    if (on_judged) on_judged(AsJudged(one, spec.size_in));
  }
  // By the odds: a dark shadow explained as the shell, and the shell as its shadow, may leave a few
  // pixels less unexplained.
  const auto rank = [&](const PlacedShell& one) {
    return std::pair(one.may_be_one, ShellOdds(one.seen, one.may_be_hidden, spec.size_in));
  };
  std::sort(placed.begin(), placed.end(),
            [&](const PlacedShell& a, const PlacedShell& b) { return rank(a) > rank(b); });
  std::vector<ProjectileFinding> out;
  std::vector<const PlacedShell*> decided;
  for (const PlacedShell& one : placed) {
    if (!one.may_be_one || out.size() == most) break;
    const auto known = [&](const PlacedShell* likelier) {
      return same_place(*likelier, one) ||
             (!one.finding.measured && ExplainsToo(*likelier, one, in));
    };
    if (std::any_of(decided.begin(), decided.end(), known)) continue;
    decided.push_back(&one);
    out.push_back(one.finding);
  }
  return out;
}

}  // namespace fos
