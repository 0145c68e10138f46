// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/seen_shot.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/rules/napoleonic/artillery.h"
#include "engine/rules/napoleonic/game_file.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/seen_position.h"

namespace fos::napoleonic {
namespace {

using sweet::Milli;

// NAP-6D: models that can burn and how far the point lies from each.
std::vector<NearModel> ModelsNear(Vec2 point, const Scenario& scenario, const TableFrame& frame) {
  std::vector<NearModel> out;
  const Board board{frame.columns, frame.rows};
  const auto add = [&](std::optional<SquareIndex> square, double distance) {
    if (square) out.push_back({board.At(*square), Milli(distance)});
  };
  for (const TerrainArea& area : scenario.terrain) {
    for (const TerrainObject& object : area.objects) {
      if (object.circle) {
        const double gap = Distance(point, object.circle->centre) - object.circle->radius_in;
        add(squares::MostlyIn(object, frame), std::max(0.0, gap));
      } else if (!object.polygon.empty()) {
        add(squares::MostlyIn(object, frame), DistanceTo(object.polygon, point));
      }
    }
    if (!area.objects.empty() || area.polygon.empty() || !UsualTerrain(area.type).inflammable)
      continue;
    // A house or a bridge is one model; a wood stands for trees all over it.
    const bool trees = area.type == "wood";
    add(trees ? frame.SquareAt(NearestPoint(area.polygon, point))
              : squares::MostlyIn(area.polygon, frame),
        DistanceTo(area.polygon, point));
  }
  return out;
}

// A stand with its distance, "F-1L1#2 at 0.42 in".
std::string AtDistance(const StandId& id, const fos::ShotVerdict& measured) {
  for (const StandVerdict& verdict : measured.stands)
    if (verdict.stand.stand.text == id.text)
      return fmt::format("{} at {:.2f} in", id.text, verdict.measured.gap.inches);
  return id.text;
}
std::string Listed(const std::vector<StandId>& ids, const fos::ShotVerdict& measured) {
  std::string out;
  for (const StandId& id : ids) out += (out.empty() ? "" : ", ") + AtDistance(id, measured);
  return out;
}

std::string Sentence(const ShotObservation& shot, const fos::ShotVerdict& measured,
                     const ShotRuling& ruling, const std::string& why) {
  std::string out = fmt::format(
      "{} lies {}: ", shot.projectile == Projectile::kQtip ? "The swab's tip" : "The shell's mark",
      measured.ground.square.empty() ? "beside the board" : "in " + measured.ground.square);
  if (ruling.no_effect) return out + why + ".";
  if (!ruling.equipment.empty()) {
    out += fmt::format("it touches {}, which is destroyed", ruling.equipment.front().text);
    if (!ruling.crew.empty()) out += fmt::format(" with {}", ruling.crew.front().text);
    out += " (NAP-3F)";
  }
  if (ruling.eligible.size() > 1)
    out += fmt::format("{}the firer picks one of {} (NAP-3F)", ruling.equipment.empty() ? "" : "; ",
                       Listed(ruling.eligible, measured));
  else if (!ruling.eligible.empty())
    out += fmt::format("{}{} is hit (NAP-3F)", ruling.equipment.empty() ? "" : "; ",
                       Listed(ruling.eligible, measured));
  else if (ruling.equipment.empty())
    out += ruling.doubtful.empty() ? "no stand is hit" : "no stand is certainly hit";
  if (!ruling.barred.empty())
    out += fmt::format("; {} stand{} protected in another square (NAP-6A)",
                       Listed(ruling.barred, measured), ruling.barred.size() == 1 ? "s" : "");
  if (!ruling.fire_square.empty())
    out += fmt::format("; throw two dice for fire in {} (NAP-6D)", ruling.fire_square);
  if (!ruling.doubtful.empty())
    out +=
        fmt::format("; {} {} too close to call; look at the picture",
                    Listed(ruling.doubtful, measured), ruling.doubtful.size() == 1 ? "is" : "are");
  return out + ".";
}

// Would the shot destroy the stand or piece if its close call, at this limit, were a hit? If not,
// nobody need settle it: it is protected, or something else is the whole effect of the shot.
bool Matters(const State& s, Shot shot, std::optional<PieceNo> stand, std::optional<PieceNo> piece,
             std::int32_t limit) {
  for (Near& near : shot.facts.stands)
    if (stand && near.piece == *stand) near.milli_in = limit;
  for (Near& near : shot.facts.equipment)
    if (piece && near.piece == *piece) near.milli_in = limit;
  const ShotVerdict verdict = JudgeShot(s, shot);
  if (piece) return verdict.equipment == *piece;
  return stand && std::find(verdict.eligible.begin(), verdict.eligible.end(), *stand) !=
                      verdict.eligible.end();
}

}  // namespace

// NAP-3F, NAP-3G.
Result<ShotRuling> JudgeSeenShot(const ShotObservation& shot,
                                 const std::vector<StandObservation>& stands,
                                 const Scenario& scenario, const TableFrame& frame,
                                 const DecisionPolicy& policy) {
  const auto setup = SetupOf(scenario, frame);
  if (!setup.ok()) return setup.error();
  const auto spec =
      std::find_if(scenario.projectiles.begin(), scenario.projectiles.end(),
                   [&](const ProjectileSpec& p) { return p.type == shot.projectile; });
  if (spec == scenario.projectiles.end())
    return Error{ErrorCode::kBadFormat, "the scenario has no [[projectile]] of this type"};
  const fos::ShotVerdict measured = fos::JudgeShot(shot, stands, *spec, scenario, frame, policy);
  const SeenPosition seen(setup.value(), frame, stands);
  const auto projectile = static_cast<std::size_t>(shot.projectile);
  const std::int32_t circle = setup.value()->circle_milli_in[projectile];
  const std::int32_t touch = setup.value()->touch_milli_in[projectile];

  Shot called;
  called.kind = shot.projectile == Projectile::kShell ? ShotKind::kHowitzer : ShotKind::kField;
  called.facts.off_board = !frame.Contains(shot.point);
  called.facts.x_milli_in = Milli(shot.point.x);
  called.facts.y_milli_in = Milli(shot.point.y);
  called.facts.over_water = measured.ground.water;
  called.facts.models = ModelsNear(shot.point, scenario, frame);
  ShotRuling out;
  std::vector<PieceNo> in_circle;
  for (const StandVerdict& verdict : measured.stands) {
    const StandId& id = verdict.stand.stand;
    if (verdict.call == Call::kTooClose) out.doubtful.push_back(id);
    // Until the players settle it a close call is none. Its distance counts all the same: a touched
    // gun takes the nearest crew stand along.
    const Call call = verdict.call == Call::kHit ? Call::kHit : Call::kMiss;
    const std::int32_t gap = Milli(verdict.measured.gap.inches);
    if (const auto i = seen.StandOf(id)) {
      called.facts.stands.push_back({*i, CalledDistance(gap, circle, call), 0});
      if (verdict.call == Call::kHit) in_circle.push_back(*i);
    } else if (const auto e = seen.PieceOf(id)) {
      const double centre = Distance(shot.point, verdict.stand.table_from_stand.origin);
      called.facts.equipment.push_back({*e, CalledDistance(gap, touch, call), Milli(centre)});
    }
  }
  const State& s = seen.Now();
  const ShotVerdict verdict = JudgeShot(s, called);
  out.no_effect = verdict.no_effect;
  std::erase_if(out.doubtful, [&](const StandId& id) {
    const auto i = seen.StandOf(id);
    return !Matters(s, called, i, i ? std::nullopt : seen.PieceOf(id), i ? circle : touch);
  });
  if (verdict.equipment >= 0) out.equipment.push_back({EquipmentName(s, verdict.equipment)});
  if (verdict.crew >= 0) out.crew.push_back({StandName(s, verdict.crew)});
  for (const PieceNo i : verdict.eligible) out.eligible.push_back({StandName(s, i)});
  for (const PieceNo i : in_circle) {
    const bool eligible =
        std::find(verdict.eligible.begin(), verdict.eligible.end(), i) != verdict.eligible.end();
    if (!eligible && verdict.crew < 0 && !verdict.no_effect && Protected(s, s.StandAt(i).cell))
      out.barred.push_back({StandName(s, i)});
  }
  if (verdict.fire != kNowhere) out.fire_square = CellName(s, verdict.fire);
  // A shell does what a ball does (NAP-3G), so its sentence cites NAP-3F too.
  if (called.kind == ShotKind::kHowitzer) out.clauses.emplace_back("NAP-3G");
  out.clauses.emplace_back("NAP-3F");
  if (!out.barred.empty()) out.clauses.emplace_back("NAP-6A");
  if (!out.fire_square.empty()) out.clauses.emplace_back("NAP-6D");
  out.text = Sentence(shot, measured, out, verdict.why);
  return out;
}

}  // namespace fos::napoleonic
