// SPDX-License-Identifier: MIT
#include "ui/session/sightings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ui/session/measured_text.h"
#include "vision/stands/setup_check.h"

namespace fos {
namespace {

std::string SquareOf(const TableFrame& frame, Vec2 at) {
  const auto square = frame.SquareAt(at);
  return square ? SquareName(*square) : std::string{};
}

PlaceRecord PlaceOf(const StandObservation& stand, const TableFrame& frame) {
  const Vec2 at = stand.table_from_stand.origin;
  return {SquareOf(frame, at), at, BearingFromHeading(stand.table_from_stand.heading_rad)};
}

}  // namespace

const char* MethodName(TableRegistration::Method method) {
  switch (method) {
    case TableRegistration::Method::kFiducials:
      return "fiducials";
    case TableRegistration::Method::kGrid:
      return "grid";
    case TableRegistration::Method::kManual:
      return "manual";
  }
  return "manual";
}

const char* TrustName(TableTrust trust) {
  switch (trust) {
    case TableTrust::kTrusted:
      return "trusted";
    case TableTrust::kDoubtful:
      return "doubtful";
    case TableTrust::kUntrusted:
      return "untrusted";
  }
  return "untrusted";
}

CalibrationEvent CalibrationRecord(const TableRegistration& registration) {
  const TableCamera& camera = registration.camera;
  CalibrationEvent out;
  out.width_px = camera.lens.width_px;
  out.height_px = camera.lens.height_px;
  out.camera_matrix = {
      camera.lens.fx_px, 0, camera.lens.cx_px, 0, camera.lens.fy_px, camera.lens.cy_px, 0, 0, 1};
  out.distortion = camera.lens.distortion;
  for (int i = 0; i < 3; ++i) {
    out.rvec[static_cast<std::size_t>(i)] = camera.rvec[i];
    out.tvec[static_cast<std::size_t>(i)] = camera.tvec[i];
  }
  out.lens_rms_px = camera.lens.rms_px;
  out.table_rms_in = registration.rms_in;
  out.method = MethodName(registration.method);
  out.trust = TrustName(registration.trust);
  out.reason = registration.reason;
  return out;
}

SetupEvent SetupRecord(const SetupDoubt& doubt, const Scenario& scenario) {
  SetupEvent out;
  for (const SetupDoubt::Unit& missing : doubt.missing) {
    const UnitSpec& unit = scenario.units.at(missing.unit);
    out.missing.push_back({unit.id, SquareName(unit.square), unit.stands, missing.seen});
  }
  for (const StandId& stranger : doubt.strangers) out.strangers.push_back(stranger.text);
  out.text = SetupQuestion(doubt, scenario);
  return out;
}

namespace {

DiceEvent::Asked AskedOf(const DieFound& die) {
  DiceEvent::Asked asked{die.centre, IsCocked(die), {}, {}, die.faces};
  std::vector<std::pair<double, int>> likely;
  for (int value = 1; value <= die.faces; ++value)
    likely.emplace_back(die.p[static_cast<std::size_t>(value - 1)], value);
  std::sort(likely.rbegin(), likely.rend());
  constexpr double kWorthSaying = 0.02;
  for (const auto& [p, value] : likely) {
    if (p < kWorthSaying) break;
    asked.values.push_back(value);
    asked.chances.push_back(p);
  }
  return asked;
}

}  // namespace

DiceEvent DiceRecord(const DiceSeen& dice) {
  DiceEvent out;
  for (const DieFound& die : dice.dice) {
    if (IsRead(die)) {
      out.values.push_back(die.value);
      out.centres.push_back(die.centre);
      out.faces.push_back(die.faces);
      out.chances.push_back(ChanceOf(die));
    } else {
      out.asked.push_back(AskedOf(die));
    }
  }
  const bool usual = std::all_of(out.faces.begin(), out.faces.end(),
                                 [](int faces) { return faces == DiceEvent::kUsualFaces; });
  if (usual) out.faces.clear();
  return out;
}

std::vector<std::vector<std::string>> DiceWords(const DiceSeen& dice) {
  std::vector<std::vector<std::string>> out;
  for (const DieFound& die : dice.dice) {
    std::vector<std::string>& lines = out.emplace_back();
    if (IsRead(die)) {
      lines.push_back(fmt::format("shows {} ({:.0f} %)", die.value, 100 * ChanceOf(die)));
    } else if (IsCocked(die)) {
      lines = {"cocked: throw it again"};
    } else {
      const DiceEvent::Asked asked = AskedOf(die);
      for (std::size_t i = 0; i < asked.values.size(); ++i) {
        lines.push_back(fmt::format("{} {} ({:.0f} %)", i == 0 ? "may show" : "or", asked.values[i],
                                    100 * asked.chances[i]));
      }
    }
  }
  return out;
}

std::vector<DieShown> DiceOf(const DiceSeen& dice) {
  std::vector<DieShown> out;
  for (std::size_t i = 0; i < dice.dice.size(); ++i) {
    const DieFound& die = dice.dice[i];
    DieShown one;
    one.centre = die.centre;
    one.at_rest_s = dice.at_rest_s.at(i);
    one.faces = die.faces;
    one.value = die.value;
    one.chance = ChanceOf(die);
    one.read = IsRead(die);
    one.cocked = IsCocked(die);
    out.push_back(std::move(one));
  }
  return out;
}

void RemoveTaken(const DiceTaken& taken, std::vector<std::shared_ptr<const DieShown>>& dice) {
  for (const Vec2 centre : taken.centres) {
    const auto nearest =
        std::min_element(dice.begin(), dice.end(), [&](const auto& a, const auto& b) {
          return Distance(a->centre, centre) < Distance(b->centre, centre);
        });
    constexpr double kSame_in = 0.05;  // the same measurement, far less than a die's side
    if (nearest != dice.end() && Distance((*nearest)->centre, centre) < kSame_in)
      dice.erase(nearest);
  }
}

StandsEvent StandsRecord(const StandScene& scene, const Scenario& scenario,
                         const TableFrame& frame) {
  StandsEvent out;
  for (const StandObservation& stand : scene.stands) {
    StandRecord record;
    record.id = stand.stand.text;
    record.unit = stand.unit;
    record.side = scenario.sides.at(static_cast<std::size_t>(stand.side)).name;
    record.kind = scenario.kinds.at(static_cast<std::size_t>(stand.kind)).name;
    record.centre = stand.table_from_stand.origin;
    record.square = SquareOf(frame, record.centre);
    record.bearing_deg = BearingFromHeading(stand.table_from_stand.heading_rad);
    record.polygon = Corners(stand.table_from_stand, stand.footprint);
    record.sigma_in = RmsSigma(stand.centre_cov);
    record.visible = stand.visible;
    record.confidence = stand.confidence;
    out.stands.push_back(std::move(record));
  }
  return out;
}

StandObservation StandOf(const StandRecord& record, const Scenario& scenario) {
  StandObservation out;
  out.stand = {record.id};
  out.unit = record.unit;
  for (std::size_t i = 0; i < scenario.sides.size(); ++i) {
    if (scenario.sides[i].name == record.side) out.side = static_cast<int>(i);
  }
  for (std::size_t i = 0; i < scenario.kinds.size(); ++i) {
    if (scenario.kinds[i].name == record.kind) out.kind = static_cast<int>(i);
  }
  if (!scenario.kinds.empty()) {
    out.footprint = scenario.kinds[static_cast<std::size_t>(out.kind)].footprint;
  }
  out.table_from_stand = {record.centre, HeadingFromBearing(record.bearing_deg)};
  out.centre_cov = IsotropicCov(record.sigma_in);
  out.visible = record.visible;
  out.confidence = record.confidence.value_or(1);
  return out;
}

StandChangeEvent ChangeRecord(const StandChange& change, const TableFrame& frame,
                              const RuledMoves& ruled) {
  StandChangeEvent out;
  using What = StandChangeEvent::What;
  out.what = change.from && change.to ? What::kMoved : change.from ? What::kRemoved : What::kAdded;
  out.id = change.stand.text;
  if (change.from) out.from = PlaceOf(*change.from, frame);
  if (change.to) out.to = PlaceOf(*change.to, frame);
  if (const MoveRuling* ruling = ruled.Of(change.stand)) {
    out.remark = ruling->text;
    if (ruling->refused) out.refused_by = ruling->refused->clause;
  }
  return out;
}

ShotEvent ShotRecord(const ShotObservation& shot, const TableFrame& frame,
                     const std::string& evidence) {
  ShotEvent out;
  out.shot = shot.shot.number;
  out.projectile = ProjectileName(shot.projectile);
  out.point = shot.point;
  out.z_in = shot.height_in;
  out.sigma_in = RmsSigma(shot.point_cov);
  out.square = SquareOf(frame, shot.point);
  out.at_rest_frame = shot.at_rest.index;
  out.visible = shot.visible;
  out.evidence = evidence;
  return out;
}

VerdictEvent VerdictRecord(ShotId shot, const ShotVerdict& verdict, const Scenario& scenario) {
  VerdictEvent out;
  out.shot = shot.number;
  for (const StandVerdict& s : verdict.stands) {
    out.stands.push_back(
        {s.stand.stand.text, scenario.sides.at(static_cast<std::size_t>(s.stand.side)).name,
         scenario.kinds.at(static_cast<std::size_t>(s.stand.kind)).name, s.rule == HitRule::kTouch,
         s.measured.gap.inches, s.measured.gap.sigma_in, s.measured.p_within, s.call});
  }
  for (const StandId& id : verdict.casualties) out.casualties.push_back(id.text);
  out.choice = verdict.choice;
  out.ground = {verdict.ground.square, verdict.ground.lies_on, verdict.ground.is_protected,
                verdict.ground.water, verdict.ground.burning_tests};
  out.text = verdict.text;
  if (!verdict.ruling) return out;
  const auto ids = [](const std::vector<StandId>& stands) {
    std::vector<std::string> names;
    for (const StandId& id : stands) names.push_back(id.text);
    return names;
  };
  const ShotRuling& r = *verdict.ruling;
  out.ruling = RulingRecord{r.no_effect,   ids(r.equipment), ids(r.crew),   ids(r.eligible),
                            ids(r.barred), ids(r.doubtful),  r.fire_square, r.clauses};
  return out;
}

std::string InWords(Projectile projectile) {
  return projectile == Projectile::kQtip ? "cotton swab" : "shell";
}

std::string InWords(const StandChangeEvent& change) {
  const auto square = [](const std::optional<PlaceRecord>& place) {
    return !place ? std::string{} : place->square.empty() ? "off the board" : place->square;
  };
  switch (change.what) {
    case StandChangeEvent::What::kMoved:
      return fmt::format("{} moved from {} to {}", change.id, square(change.from),
                         square(change.to));
    case StandChangeEvent::What::kRemoved:
      return fmt::format("{} was taken off {}", change.id, square(change.from));
    case StandChangeEvent::What::kAdded:
      return fmt::format("{} was put down in {}", change.id, square(change.to));
  }
  return change.id;
}

namespace {

EvidenceRequest PlaceOf(const ShotSeen& seen) {
  EvidenceRequest out;
  out.before = seen.pictures.before;
  out.after = seen.pictures.after;
  out.camera = seen.pictures.camera;
  out.shot = seen.finding.shot;
  return out;
}

}  // namespace

EvidenceRequest EvidenceOf(const ArchivedShot& archived, const ShotVerdict& verdict) {
  const ShotSeen& seen = archived.seen;
  const Scenario& scenario = archived.scenario;
  constexpr double kMmPerInch = 25.4;
  EvidenceRequest out = PlaceOf(seen);
  out.predicted = seen.finding.predicted;
  const ProjectileSpec& spec = scenario.projectiles.at(static_cast<std::size_t>(seen.finding.spec));
  out.circle_in = spec.hit_radius_in;
  const ShotObservation& shot = seen.finding.shot;
  const double doubt_in = kShownSigmas * RmsSigma(shot.point_cov);
  out.lines.push_back(fmt::format("Shot {}: {}", shot.shot.number, verdict.text));
  out.lines.push_back(
      fmt::format("Point {:.2f} in east and {:.2f} in north of the south-west corner, +/- {:.2f} "
                  "in ({:.1f} mm), {:.2f} in above the cloth. Ranges after +/-, and the thick part "
                  "of a line, contain the true value 95 % of the time.",
                  shot.point.x, shot.point.y, doubt_in, doubt_in * kMmPerInch, shot.height_in));
  out.lines.push_back(fmt::format("Measured from {}.", seen.finding.how));
  out.lines.push_back(
      fmt::format("At rest from frame {}, measured on frames {} to {}. Table: {}, {:.3f} in rms.",
                  shot.at_rest.index, shot.seen[0].index, shot.seen[1].index, archived.method,
                  archived.table_rms_in));
  const bool no_effect = verdict.ruling && verdict.ruling->no_effect;
  for (const StandVerdict& s : verdict.stands) {
    EvidenceStand stand;
    stand.name = s.stand.stand.text;
    stand.corners = Corners(s.stand.table_from_stand, s.stand.footprint);
    stand.top_in =
        s.stand.ground_in + scenario.kinds.at(static_cast<std::size_t>(s.stand.kind)).thickness_in;
    stand.nearest = s.measured.nearest;
    stand.distance_in = s.measured.gap.inches;
    stand.sigma_in = s.measured.gap.sigma_in;
    stand.limit_in = s.limit_in;
    const char* call = s.call == Call::kMiss  ? "miss"
                       : no_effect            ? "no effect"
                       : s.call == Call::kHit ? "HIT"
                                              : "TOO CLOSE TO CALL";
    stand.label = fmt::format("{}: {} in ({:.1f} mm), {} {:g} in: {} (chance {} {})",
                              s.stand.stand.text, MeasuredText(s.measured.gap),
                              s.measured.gap.inches * kMmPerInch,
                              s.rule == HitRule::kTouch ? "touch within" : "circle", s.limit_in,
                              call, no_effect ? "that it is inside" : "of a hit",
                              ChanceText(s.measured.p_within));
    stand.colour = no_effect || s.call == Call::kMiss ? EvidenceStand::Colour::kMiss
                   : s.call == Call::kHit             ? EvidenceStand::Colour::kHit
                                                      : EvidenceStand::Colour::kTooClose;
    out.stands.push_back(std::move(stand));
  }
  return out;
}

EvidenceRequest QuestionOf(const ArchivedShot& archived, Vec2 near, const std::string& question) {
  const ShotSeen& seen = archived.seen;
  EvidenceRequest out = PlaceOf(seen);
  out.shot.point = near;
  out.asked = seen.finding.outline;
  if (out.asked.empty()) {
    const TableBox box = Grown(BoundsOf({seen.finding.shot.point, seen.finding.shot.tail}), 0.3);
    out.asked = {box.low, {box.high.x, box.low.y}, box.high, {box.low.x, box.high.y}};
  }
  const std::string nothing = "nothing: ";
  std::string why = seen.finding.how;
  if (why.starts_with(nothing)) why = why.substr(nothing.size());
  out.lines = {question,
               fmt::format("Not measured: {}. At rest from frame {}.", why, out.shot.at_rest.index),
               fmt::format("The middle of each picture lies {:.2f} in east and {:.2f} in north of "
                           "the south-west corner.",
                           near.x, near.y)};
  return out;
}

}  // namespace fos
