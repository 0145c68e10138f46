// SPDX-License-Identifier: MIT
#include "ui/session/dispute.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "engine/rules/rule_sets.h"
#include "engine/shots/seen.h"
#include "engine/table/table_frame.h"
#include "ui/session/measured_text.h"
#include "vision/scene/terrain_map.h"
#include "vision/shots/shot_detector.h"

namespace fos {
namespace {

constexpr double kMmPerInch = 25.4;

const ProjectileSpec& SpecOf(const ArchivedShot& archived, const ProjectileFinding& finding) {
  return archived.scenario.projectiles.at(static_cast<std::size_t>(finding.spec));
}

ShotVerdict VerdictOn(const ArchivedShot& archived, const ProjectileFinding& finding,
                      SettledCalls settled = {}) {
  const Scenario& scenario = archived.scenario;
  DecisionPolicy policy = archived.policy;
  policy.settled = std::move(settled);
  const ProjectileSpec& spec = SpecOf(archived, finding);
  if (!scenario.units.empty())
    return JudgeShotUnderRules(finding.shot, archived.stands, spec, scenario, archived.table,
                               policy);
  // Older programs archived no units: such a shot is judged by circle and touch alone.
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  return JudgeShot(finding.shot, archived.stands, spec, scenario, archived.table, policy,
                   set ? set->shots : ShotEffects{});
}

const char* InWords(Call call) {
  return call == Call::kHit ? "HIT" : call == Call::kMiss ? "miss" : "TOO CLOSE";
}

std::string Place(const ProjectileFinding& f) {
  const double doubt_in = kShownSigmas * RmsSigma(f.shot.point_cov);
  return fmt::format(
      "{:.3f} in east, {:.3f} in north, +/- {:.3f} in ({:.2f} mm), {:.2f} in above the cloth",
      f.shot.point.x, f.shot.point.y, doubt_in, doubt_in * kMmPerInch, f.shot.height_in);
}

std::string Calls(const ShotVerdict& verdict) {
  std::string out;
  for (const StandVerdict& s : verdict.stands) {
    out += fmt::format(
        "  {:<12} {:>7.3f} +/- {:.3f} in  limit {:.3f}  chance of a hit {:>6.1f} %  {}\n",
        s.stand.stand.text, s.measured.gap.inches, kShownSigmas * s.measured.gap.sigma_in,
        s.limit_in, 100 * s.measured.p_within, InWords(s.call));
  }
  if (out.empty()) out = "  no stand is near\n";
  if (!verdict.no_ruling.empty()) return out + fmt::format("  no ruling: {}\n", verdict.no_ruling);
  return verdict.ruling ? out + fmt::format("  by the rules: {}\n", verdict.text) : out;
}

// The casualties by the rules, in a few words; empty without a rule set.
std::string Falls(const ShotVerdict& verdict) {
  if (!verdict.ruling) return {};
  const ShotRuling& ruling = *verdict.ruling;
  if (ruling.no_effect) return "; no effect";
  std::string out;
  for (const auto* ids : {&ruling.equipment, &ruling.crew}) {
    for (const StandId& id : *ids) out += fmt::format("{}{}", out.empty() ? "" : ", ", id.text);
  }
  std::string one_of;
  for (const StandId& id : ruling.eligible)
    one_of += fmt::format("{}{}", one_of.empty() ? "" : " or ", id.text);
  if (!one_of.empty()) out += (out.empty() ? "" : ", ") + one_of;
  return out.empty() ? "; nothing falls" : "; falls: " + out;
}

}  // namespace

Remeasured MeasureAgain(const ArchivedShot& archived, std::optional<Vec2> click) {
  const ShotSeen& seen = archived.seen;
  TerrainMap terrain(archived.scenario);
  terrain.SetStands(archived.stands);
  terrain.SetLying(seen.lying);
  terrain.SetUnknown(seen.unknown);
  const ShotDetector detector(archived.scenario);
  Remeasured out;
  if (click) {
    out.finding = detector.At(seen.pictures, terrain, seen.where, seen.finding.spec, *click);
  } else {
    // Several projectiles may have come to rest there: take the one nearest to this shot's point.
    double least = 1e9;
    for (const ProjectileFinding& f : detector.Find(seen.pictures, terrain, seen.where)) {
      const double off = Distance(f.shot.point, seen.finding.shot.point);
      if (f.spec != seen.finding.spec || off >= least) continue;
      least = off;
      out.finding = f;
    }
    if (least >= 1e9) {
      out.finding = seen.finding;
      out.finding.measured = false;
      out.finding.how = "nothing: no projectile is found in the archived pictures";
    }
  }
  out.finding.shot.shot = seen.finding.shot.shot;
  out.finding.shot.at_rest = seen.finding.shot.at_rest;
  out.finding.shot.seen = seen.finding.shot.seen;
  if (out.finding.measured) out.verdict = VerdictOn(archived, out.finding);
  return out;
}

bool MayLieAt(const ArchivedShot& archived, Vec2 click) {
  constexpr double kBeside_in = 12;
  const TableFrame& table = archived.table;
  if (!(click.x >= -kBeside_in && click.y >= -kBeside_in && click.x <= table.Width() + kBeside_in &&
        click.y <= table.Depth() + kBeside_in)) {
    return false;
  }
  constexpr double kBeforeEye_in = 1;
  const double around_in = SpecOf(archived, archived.seen.finding).hit_radius_in + 2;
  const TableCamera& camera = archived.seen.pictures.camera;
  for (const Vec2 off : {Vec2{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
    const Vec2 at = click + around_in * off;
    const cv::Vec3d seen = camera.rotation * cv::Vec3d(at.x, at.y, 0) + camera.tvec;
    if (seen[2] < kBeforeEye_in) return false;
  }
  return true;
}

Remeasured PutByPlayers(const ArchivedShot& archived, Vec2 place) {
  constexpr double kFinger_in = 0.1;  // as exactly as a place is pointed at
  Remeasured out;
  if (archived.seen.finding.measured) {
    out.finding = archived.seen.finding;
  } else {
    out = MeasureAgain(archived, place);
    if (Distance(out.finding.shot.point, place) <= kFinger_in) return out;
  }
  ShotObservation& shot = out.finding.shot;
  out.finding.measured = true;
  out.finding.how = "the place that the players gave";
  shot.tail = shot.tail + (place - shot.point);
  shot.point = place;
  out.verdict = VerdictOn(archived, out.finding);
  return out;
}

ShotVerdict JudgeWithPointAt(const ArchivedShot& archived, const ShotObservation& shot,
                             Vec2 point) {
  ProjectileFinding moved = archived.seen.finding;
  moved.shot = shot;
  moved.shot.tail = shot.tail + (point - shot.point);
  moved.shot.point = point;
  return VerdictOn(archived, moved);
}

std::optional<ShotShown> WithPointAt(const ShotShown& shot, Vec2 point) {
  const auto archived = shot.archived != nullptr ? shot.archived->Get() : nullptr;
  if (archived == nullptr) return std::nullopt;
  const auto spec = static_cast<std::size_t>(archived->seen.finding.spec);
  if (spec >= archived->scenario.projectiles.size()) return std::nullopt;
  ShotShown out = shot;
  constexpr double kHand_in = 0.05;  // where nothing was measured
  if (!(RmsSigma(out.shot.point_cov) > 0)) out.shot.point_cov = IsotropicCov(kHand_in);
  out.verdict = JudgeWithPointAt(*archived, out.shot, point);
  out.shot.tail = out.shot.tail + (point - out.shot.point);
  out.shot.point = point;
  out.question.clear();
  std::erase_if(out.decisions,
                [](const auto& one) { return one.what == PlayerDecision::What::kSettle; });
  out.with_calls.reset();
  return out;
}

std::optional<ShotRuling> RulingWithCalls(const ShotShown& shot) {
  SettledCalls settled = SettledCallsOf(shot);
  if (settled.empty() || shot.archived == nullptr) return std::nullopt;
  const auto archived = shot.archived->Get();
  if (archived == nullptr) return std::nullopt;
  ProjectileFinding finding = archived->seen.finding;
  finding.shot = shot.shot;
  return VerdictOn(*archived, finding, std::move(settled)).ruling;
}

std::vector<TurningPoint> TurningPoints(const ShotVerdict& verdict, const ShotObservation& shot) {
  std::vector<TurningPoint> out;
  for (const StandVerdict& s : verdict.stands) {
    TurningPoint turn;
    turn.stand = s.stand.stand.text;
    turn.room_in = s.measured.gap.inches - s.limit_in;
    const Vec2 towards = Normalized(s.measured.nearest - shot.point);
    turn.by = turn.room_in * towards;
    if (towards == Vec2{}) {
      // On the base: out over the nearest edge, and then as far as the limit.
      const Pose2& pose = s.stand.table_from_stand;
      const Vec2 own = Inverse(pose) * shot.point;
      const double to_side = s.stand.footprint.width_in / 2 - std::abs(own.x);
      const double to_front = s.stand.footprint.depth_in / 2 - std::abs(own.y);
      const Vec2 out_of =
          to_side < to_front ? Vec2{own.x < 0 ? -1.0 : 1.0, 0} : Vec2{0, own.y < 0 ? -1.0 : 1.0};
      turn.room_in = -(std::max(std::min(to_side, to_front), 0.0) + s.limit_in);
      turn.by = -turn.room_in * Rotated(out_of, pose.heading_rad);
    }
    if (s.measured.gap.sigma_in > 0) turn.sigmas = std::abs(turn.room_in) / s.measured.gap.sigma_in;
    out.push_back(turn);
  }
  return out;
}

std::string DisputeText(const ArchivedShot& archived, const Remeasured& again) {
  const ProjectileFinding& then = archived.seen.finding;
  std::string out = fmt::format(
      "Shot {}: a {} at rest from frame {}, measured on frames {} to {}; table by {}, {:.3f} in "
      "rms\n",
      then.shot.shot.number, then.shot.projectile == Projectile::kQtip ? "cotton swab" : "shell",
      then.shot.at_rest.index, then.shot.seen[0].index, then.shot.seen[1].index, archived.method,
      archived.table_rms_in);
  if (then.measured) {
    out += fmt::format("\nThen: {}\n  measured from {}\n", Place(then), then.how);
    out += Calls(VerdictOn(archived, then));
  } else {
    out += "\nThen: its point could not be measured; the players were asked\n";
  }
  if (!again.finding.measured) {
    return out +
           "\nNow: its point cannot be measured from the archived pictures. Look at the picture "
           "and give its place with --tip X,Y\n";
  }
  out += fmt::format("\nNow: {}\n  measured from {}\n", Place(again.finding), again.finding.how);
  out += Calls(again.verdict);
  if (then.measured) {
    out += fmt::format("  {:.3f} in from the first measurement\n",
                       Distance(then.shot.point, again.finding.shot.point));
  }
  const std::vector<TurningPoint> turns = TurningPoints(again.verdict, again.finding.shot);
  if (turns.empty()) return out;
  out += "\nWhat would change the calls\n";
  for (const TurningPoint& turn : turns) {
    const double bearing =
        BearingFromHeading(std::atan2(turn.by.y, turn.by.x) - std::numbers::pi / 2);
    out += fmt::format(
        "  {:<12} a {} by {:.3f} in ({:.1f} mm); moved that far {} ({:+.3f}, {:+.3f}) the point "
        "is on the limit, {:.1f} sigmas away\n",
        turn.stand, turn.room_in <= 0 ? "hit" : "miss", std::abs(turn.room_in),
        std::abs(turn.room_in) * kMmPerInch, FacingName(NearestFacing(bearing)), turn.by.x,
        turn.by.y, turn.sigmas);
  }
  // One and two steps in each direction.
  out += "\nWith the point moved\n";
  constexpr double kStep_in = 0.05;
  for (const auto& [name, direction] : {std::pair<const char*, Vec2>{"north", {0, 1}},
                                        {"east", {1, 0}},
                                        {"south", {0, -1}},
                                        {"west", {-1, 0}}}) {
    for (const int steps : {1, 2}) {
      const Vec2 point = again.finding.shot.point + (steps * kStep_in) * direction;
      const ShotVerdict moved = JudgeWithPointAt(archived, again.finding.shot, point);
      std::string calls;
      for (const StandVerdict& s : moved.stands) {
        calls +=
            fmt::format("{}{} {}", calls.empty() ? "" : ", ", s.stand.stand.text, InWords(s.call));
      }
      out += fmt::format("  {:.2f} in {:<6} {}\n", steps * kStep_in, name,
                         (calls.empty() ? "no stand is near" : calls) + Falls(moved));
    }
  }
  return out;
}

}  // namespace fos
