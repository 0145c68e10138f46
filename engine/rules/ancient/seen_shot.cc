// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/seen_shot.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/rules/ancient/catapults.h"
#include "engine/rules/ancient/game_file.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/ancient/seen_position.h"

namespace fos::ancient {
namespace {

std::string Listed(const std::vector<StandId>& ids) {
  std::string out;
  for (const StandId& id : ids) out += fmt::format("{}{}", out.empty() ? "" : ", ", id.text);
  return out;
}

std::string Sentence(const fos::ShotVerdict& measured, const ShotRuling& ruling) {
  const std::string& square = measured.ground.square;
  std::string out = fmt::format("The shell's mark lies {}{}: ", square.empty() ? "" : "in ",
                                square.empty() ? "beside the board" : square);
  if (ruling.no_effect) return out + "no effect.";
  if (ruling.eligible.size() > 1)
    out += fmt::format("the shooter removes one of {} (ANC-C4)", Listed(ruling.eligible));
  else if (!ruling.eligible.empty())
    out += fmt::format("{} is removed (ANC-C4)", Listed(ruling.eligible));
  else
    out += ruling.doubtful.empty() ? "nothing is hit" : "nothing is certainly hit";
  if (!ruling.barred.empty())
    out += fmt::format("; protected in another square: {} (ANC-C4)", Listed(ruling.barred));
  if (!ruling.doubtful.empty())
    out += fmt::format("; too close to call, look at the picture: {}", Listed(ruling.doubtful));
  return out + ".";
}

}  // namespace

Result<Scenario> WithValidTargets(const Scenario& scenario) {
  const auto rules = ReadRules(scenario.club);
  if (!rules.ok()) return rules.error();
  const Tables& tables = rules->tables;
  Scenario out = scenario;
  for (KindSpec& kind : out.kinds) {
    const int type = tables.TypeOf(kind.name);
    const ValidTarget target = type >= 0
                                   ? ValidTargetOf(tables.types[static_cast<std::size_t>(type)])
                                   : ValidTarget::kAxle;
    kind.target_points = target == ValidTarget::kLegs;
    if (target == ValidTarget::kFootprint) kind.target.clear();
    if (target == ValidTarget::kAxle && !rules->settings.axle_segment && kind.target.size() == 2)
      kind.target = {0.5 * (kind.target[0] + kind.target[1])};
  }
  return out;
}

// ANC-C4.
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
  const Result<Scenario> aimed = WithValidTargets(scenario);
  if (!aimed.ok()) return aimed.error();
  const fos::ShotVerdict measured =
      fos::JudgeShot(shot, stands, *spec, *aimed, frame, policy, kShotEffects);
  const SeenPosition seen(setup.value(), frame, stands);

  Shot called;
  called.facts.off_board = !frame.Contains(shot.point);
  called.facts.x_milli_in = sweet::Milli(shot.point.x);
  called.facts.y_milli_in = sweet::Milli(shot.point.y);
  ShotRuling out;
  const std::int32_t circle = setup.value()->circle_milli_in;
  for (const StandVerdict& verdict : measured.stands) {
    const StandId& id = verdict.stand.stand;
    if (verdict.call == Call::kTooClose) {
      out.doubtful.push_back(id);
      continue;
    }
    const std::int32_t gap =
        CalledDistance(sweet::Milli(verdict.measured.gap.inches), circle, verdict.call);
    if (const auto i = seen.StandOf(id)) {
      called.facts.stands.push_back({*i, gap});
    } else if (const auto e = seen.PieceOf(id)) {
      called.facts.equipment.push_back({*e, gap});
    }
  }
  const State& s = seen.Now();
  const ShotVerdict verdict = JudgeShot(s, called);
  out.no_effect = called.facts.off_board;
  // Nobody need settle a call that destroys nothing either way: the piece is protected.
  std::erase_if(out.doubtful, [&](const StandId& id) {
    Shot trial = called;
    const auto i = seen.StandOf(id);
    const auto e = i ? std::nullopt : seen.PieceOf(id);
    if (i) trial.facts.stands.push_back({*i, circle});
    if (e) trial.facts.equipment.push_back({*e, circle});
    return JudgeShot(s, trial).Count() == verdict.Count();
  });
  for (const PieceNo i : verdict.stands) out.eligible.push_back({StandName(s, i)});
  for (const PieceNo i : verdict.equipment) out.eligible.push_back({EquipmentName(s, i)});
  for (const PieceNo i : verdict.barred) out.barred.push_back({StandName(s, i)});
  out.clauses = {"ANC-C4"};
  out.text = Sentence(measured, out);
  return out;
}

}  // namespace fos::ancient
