// SPDX-License-Identifier: MIT
#include "engine/shots/fall_of_shot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fos {
namespace {

// Terrain that protects stands in its square: rocks, trees, houses and so on (NAP-6A). A bridge
// does not (NAP-6C).
bool Protects(const std::string& type) {
  return type == "wood" || type == "rocks" || type == "house" || type == "fort" || type == "wall";
}
bool IsWater(const std::string& type) { return type == "river" || type == "marsh"; }
// Objects that can burn: all but stone (NAP-6D).
bool Burns(const TerrainObject& object) {
  return object.type == "tree" || object.type == "house" || object.type == "hedge" ||
         object.type == "fence" || object.type == "bridge";
}

double DistanceTo(const TerrainObject& object, Vec2 p) {
  if (object.circle)
    return std::max(0.0, Distance(object.circle->centre, p) - object.circle->radius_in);
  return object.polygon.empty() ? 1e9 : DistanceTo(object.polygon, p);
}

// Does any part of the polygon lie in the square? Sampled on a grid finer than any terrain piece.
bool Reaches(const Polygon& polygon, SquareIndex square, double square_in) {
  constexpr int kSamples = 16;
  const Vec2 corner{square.column * square_in, square.row * square_in};
  for (int i = 0; i < kSamples; ++i) {
    for (int j = 0; j < kSamples; ++j) {
      if (Contains(polygon, corner + (square_in / kSamples) * Vec2{i + 0.5, j + 0.5})) return true;
    }
  }
  return false;
}

GroundVerdict JudgeGround(const ShotObservation& shot, const ProjectileSpec& spec,
                          const Scenario& scenario, const TableFrame& frame) {
  GroundVerdict out;
  const std::optional<SquareIndex> square = frame.SquareAt(shot.point);
  if (square) out.square = SquareName(*square);
  bool bridge = false;
  for (const TerrainArea& area : scenario.terrain) {
    if (area.polygon.size() >= 3 && Contains(area.polygon, shot.point)) {
      out.lies_on.push_back(area.type);
      out.water = out.water || IsWater(area.type);
      bridge = bridge || area.type == "bridge";
    }
    if (square && Protects(area.type) && area.polygon.size() >= 3 &&
        Reaches(area.polygon, *square, frame.square_in)) {
      out.is_protected = true;
    }
    for (const TerrainObject& object : area.objects) {
      if (Burns(object) && DistanceTo(object, shot.point) <= spec.touch_radius_in) {
        out.burning_tests.push_back(object.type);
      }
    }
    if (area.type == "bridge" && area.polygon.size() >= 3 &&
        fos::DistanceTo(area.polygon, shot.point) <= spec.touch_radius_in) {
      out.burning_tests.push_back(area.type);
    }
  }
  out.water = out.water && !bridge;
  return out;
}

std::string Sentence(const ShotObservation& shot, const ShotVerdict& verdict) {
  const char* what = shot.projectile == Projectile::kQtip ? "The swab's tip" : "The shell's mark";
  std::string where =
      verdict.ground.square.empty() ? "beside the board" : "in " + verdict.ground.square;
  if (verdict.ground.water) {
    return fmt::format("{} lies {} over water: nothing happens.", what, where);
  }
  std::vector<std::string> hit;
  std::vector<std::string> close;
  for (const StandVerdict& s : verdict.stands) {
    const std::string words =
        fmt::format("{} at {:.2f} in", s.stand.stand.text, s.measured.gap.inches);
    const bool casualty = std::find(verdict.casualties.begin(), verdict.casualties.end(),
                                    s.stand.stand) != verdict.casualties.end();
    if (s.call == Call::kHit && casualty)
      hit.push_back(s.rule == HitRule::kTouch ? s.stand.stand.text + " (touched)" : words);
    if (s.call == Call::kTooClose) close.push_back(words);
  }
  std::string text = fmt::format("{} lies {}: ", what, where);
  if (hit.empty() && close.empty()) return text + "no stand is hit.";
  if (!hit.empty()) {
    text += fmt::format("{} {} hit", fmt::join(hit, ", "), hit.size() == 1 ? "is" : "are");
    if (verdict.choice) text += "; the firer picks one";
  }
  if (!close.empty()) {
    text += fmt::format("{}{} {} too close to call; look at the picture", hit.empty() ? "" : "; ",
                        fmt::join(close, ", "), close.size() == 1 ? "is" : "are");
  }
  return text + ".";
}

}  // namespace

MeasuredGap MeasureToKind(const ShotObservation& shot, const StandObservation& stand,
                          const KindSpec& kind, double radius_in) {
  if (!kind.target_points.value_or(false) || kind.target.size() < 2)
    return MeasureGap(shot, stand, kind.target, radius_in);
  MeasuredGap best = MeasureGap(shot, stand, {kind.target.front()}, radius_in);
  for (std::size_t i = 1; i < kind.target.size(); ++i) {
    const MeasuredGap leg = MeasureGap(shot, stand, {kind.target[i]}, radius_in);
    const double p_within = std::max(best.p_within, leg.p_within);
    if (leg.gap.inches < best.gap.inches) best = leg;
    best.p_within = p_within;
  }
  return best;
}

ShotVerdict JudgeShot(const ShotObservation& shot, const std::vector<StandObservation>& stands,
                      const ProjectileSpec& spec, const Scenario& scenario, const TableFrame& frame,
                      const DecisionPolicy& policy, const ShotEffects& effects) {
  ShotVerdict out;
  for (const StandObservation& stand : stands) {
    const KindSpec& kind = scenario.kinds.at(static_cast<std::size_t>(stand.kind));
    const HitRule rule =
        kind.equipment && !effects.circle_hits_equipment ? HitRule::kTouch : HitRule::kCircle;
    const double limit = rule == HitRule::kTouch ? spec.touch_radius_in : spec.hit_radius_in;
    const Vec2 nearest = NearestPoint(stand.table_from_stand, stand.footprint, shot.point);
    if (Distance(nearest, shot.point) > spec.hit_radius_in + kLookAround_in) continue;
    const MeasuredGap measured = MeasureToKind(shot, stand, kind, limit);
    const auto settled = policy.settled.find(stand.stand.text);
    const Call call =
        settled != policy.settled.end() ? settled->second : CallFor(measured.p_within, policy);
    out.stands.push_back({stand, rule, limit, measured, call});
  }
  std::stable_sort(out.stands.begin(), out.stands.end(),
                   [](const StandVerdict& a, const StandVerdict& b) {
                     return a.measured.gap.inches < b.measured.gap.inches;
                   });
  int in_circle = 0;
  bool touched = false;
  for (const StandVerdict& s : out.stands) {
    if (s.call != Call::kHit) continue;
    out.casualties.push_back(s.stand.stand);
    in_circle += s.rule == HitRule::kCircle ? 1 : 0;
    touched = touched || s.rule == HitRule::kTouch;
  }
  // Touched equipment is the whole effect of the shot (NAP-3F.3); otherwise one stand in the circle
  // is lost.
  out.choice = !touched && in_circle > 1;
  out.ground = JudgeGround(shot, spec, scenario, frame);
  if (!effects.water_and_fire) {
    out.ground.water = false;
    out.ground.burning_tests.clear();
  }
  out.text = Sentence(shot, out);
  return out;
}

}  // namespace fos
