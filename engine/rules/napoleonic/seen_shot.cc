#include "engine/rules/napoleonic/seen_shot.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "engine/rules/napoleonic/artillery.h"
#include "engine/rules/napoleonic/game_file.h"
#include "engine/rules/napoleonic/query.h"

namespace fos::napoleonic {
namespace {

std::int32_t Milli(double inches) {
  constexpr double kFarOff = 1e6;  // thousandths still fit 32 bits
  return static_cast<std::int32_t>(std::lround(std::clamp(inches, -kFarOff, kFarOff) * 1000));
}

// The position the camera sees: every stand and piece where it was observed.
class Seen {
 public:
  Seen(std::shared_ptr<const Setup> setup, const TableFrame& frame,
       const std::vector<StandObservation>& stands)
      : state_(NewGame(std::move(setup), 0)) {
    std::vector<bool> stand_seen(state_.stands.size());
    std::vector<bool> piece_seen(state_.equipment.size());
    for (const StandObservation& seen : stands) {
      const auto square = frame.SquareAt(seen.table_from_stand.origin);
      if (!square) continue;
      const Cell cell = state_.setup->board.At(*square);
      if (const auto i = StandOf(seen.stand)) {
        stand_seen[static_cast<std::size_t>(*i)] = true;
        ApplyTo(state_, StandPlaced{*i, cell, state_.StandAt(*i).facing});
      } else if (const auto e = PieceOf(seen.stand)) {
        piece_seen[static_cast<std::size_t>(*e)] = true;
        ApplyTo(state_, Moved{{}, {*e}, {cell}, true});
      }
    }
    for (std::size_t i = 0; i < stand_seen.size(); ++i)
      if (!stand_seen[i]) ApplyTo(state_, StandLost{static_cast<PieceNo>(i), LossCause::kShot});
    for (std::size_t i = 0; i < piece_seen.size(); ++i)
      if (!piece_seen[i]) ApplyTo(state_, EquipmentLost{static_cast<PieceNo>(i), LossCause::kShot});
  }
  const State& Now() const { return state_; }
  std::optional<PieceNo> StandOf(const StandId& id) const {
    for (std::size_t i = 0; i < state_.stands.size(); ++i)
      if (StandName(state_, static_cast<PieceNo>(i)) == id.text) return static_cast<PieceNo>(i);
    return std::nullopt;
  }
  std::optional<PieceNo> PieceOf(const StandId& id) const {
    for (std::size_t i = 0; i < state_.equipment.size(); ++i)
      if (state_.setup->equipment[i].id == id.text) return static_cast<PieceNo>(i);
    return std::nullopt;
  }

 private:
  State state_;
};

// NAP-6D: models that can burn and how far the point lies from each.
std::vector<NearModel> ModelsNear(Vec2 point, const Scenario& scenario, const TableFrame& frame) {
  std::vector<NearModel> out;
  const Board board{frame.columns, frame.rows};
  const auto add = [&](Vec2 middle, double distance) {
    if (const auto square = frame.SquareAt(middle))
      out.push_back({board.At(*square), Milli(distance)});
  };
  for (const TerrainArea& area : scenario.terrain) {
    for (const TerrainObject& object : area.objects) {
      if (object.circle) {
        const double gap = Distance(point, object.circle->centre) - object.circle->radius_in;
        add(object.circle->centre, std::max(0.0, gap));
      } else if (!object.polygon.empty()) {
        add(object.polygon.front(), DistanceTo(object.polygon, point));
      }
    }
    if (area.objects.empty() && !area.polygon.empty() && UsualTerrain(area.type).inflammable)
      add(Contains(area.polygon, point) ? point : NearestPoint(area.polygon, point),
          DistanceTo(area.polygon, point));
  }
  return out;
}

}  // namespace

// NAP-3F, NAP-3G: the camera's measurement under the rules.
Result<SeenShotVerdict> JudgeSeenShot(const ShotObservation& shot,
                                      const std::vector<StandObservation>& stands,
                                      const Scenario& scenario, const TableFrame& frame,
                                      const DecisionPolicy& policy) {
  const auto setup = SetupOf(scenario, frame);
  if (!setup.ok()) return setup.error();
  const auto spec =
      std::find_if(scenario.projectiles.begin(), scenario.projectiles.end(),
                   [&](const ProjectileSpec& p) { return p.type == shot.projectile; });
  if (spec == scenario.projectiles.end())
    return Error{ErrorCode::kBadFormat, "the scenario lists no such projectile"};
  const fos::ShotVerdict measured = fos::JudgeShot(shot, stands, *spec, scenario, frame, policy);
  const Seen seen(setup.value(), frame, stands);

  Shot called;
  called.kind = shot.projectile == Projectile::kShell ? ShotKind::kHowitzer : ShotKind::kField;
  called.facts.off_board = !frame.Contains(shot.point);
  called.facts.x_milli_in = Milli(shot.point.x);
  called.facts.y_milli_in = Milli(shot.point.y);
  called.facts.over_water = measured.ground.water;
  called.facts.models = ModelsNear(shot.point, scenario, frame);
  SeenShotVerdict out;
  for (const StandVerdict& verdict : measured.stands) {
    const StandId& id = verdict.stand.stand;
    const std::int32_t gap = Milli(verdict.measured.gap.inches);
    if (verdict.call == Call::kTooClose) out.doubtful.push_back(id);
    if (const auto i = seen.StandOf(id)) {
      called.facts.stands.push_back({*i, gap, 0});
    } else if (const auto e = seen.PieceOf(id)) {
      const double centre = Distance(shot.point, verdict.stand.table_from_stand.origin);
      called.facts.equipment.push_back({*e, gap, Milli(centre)});
    }
  }
  const State& s = seen.Now();
  const ShotVerdict verdict = JudgeShot(s, called);
  out.no_effect = verdict.no_effect;
  out.text = verdict.why;
  if (verdict.equipment >= 0) out.equipment.push_back({EquipmentName(s, verdict.equipment)});
  if (verdict.crew >= 0) out.crew.push_back({StandName(s, verdict.crew)});
  for (const PieceNo i : verdict.eligible) out.eligible.push_back({StandName(s, i)});
  const auto circle = setup.value()->circle_milli_in[static_cast<std::size_t>(shot.projectile)];
  for (const Near& near : called.facts.stands) {
    const bool eligible = std::find(verdict.eligible.begin(), verdict.eligible.end(), near.piece) !=
                          verdict.eligible.end();
    if (near.milli_in <= circle && !eligible && verdict.crew < 0 && !verdict.no_effect &&
        Protected(s, s.StandAt(near.piece).cell))
      out.barred.push_back({StandName(s, near.piece)});
  }
  if (verdict.fire != kNowhere) out.fire_square = CellName(s, verdict.fire);
  return out;
}

}  // namespace fos::napoleonic
