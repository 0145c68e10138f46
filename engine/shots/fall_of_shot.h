// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/table/decision.h"
#include "engine/table/look_around.h"
#include "engine/table/measure.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

// Measures a projectile at rest against the stands near it: the plain circle and touch of the
// contract (sections 2.2 and 4). A rule set's ruling comes on top.
namespace fos {

enum class HitRule { kCircle, kTouch };

struct StandVerdict {
  StandObservation stand;
  HitRule rule = HitRule::kCircle;
  double limit_in = 0;  // hit_radius or touch_radius
  MeasuredGap
      measured;  // gap to the footprint (or target) and the chance of being within the limit
  Call call = Call::kTooClose;  // of DecisionPolicy::settled where it has one for this stand
};

// The terrain under the point, from the scenario.
struct GroundVerdict {
  std::string square;                // empty off the board
  std::vector<std::string> lies_on;  // terrain types under the point
  bool is_protected = false;  // the square holds protecting terrain such as rocks, trees or houses
  bool water = false;         // over water and not on a bridge
  std::vector<std::string> burning_tests;  // what it touches and can burn
};

// The ruling of the scenario's rule set on the measured shot, for the position the camera sees.
struct ShotRuling {
  bool no_effect = false;          // over water, off the board
  std::vector<StandId> equipment;  // destroyed by touch: at most one
  std::vector<StandId> crew;       // lost with it: at most one
  std::vector<StandId> eligible;   // one of these is lost; the firer chooses
  std::vector<StandId> barred;     // in reach, but protected
  std::vector<StandId> doubtful;   // too close to call: the players settle these first
  std::string fire_square;         // throw the fire dice for this square; empty for none
  std::vector<std::string> clauses;
  std::string text;  // one sentence for players
};

struct ShotVerdict {
  std::vector<StandVerdict> stands;  // nearest first: all within hit_radius + kLookAround_in
  std::vector<StandId> casualties;   // called hit
  bool choice = false;  // several stands are in the circle and the firer must choose one
  GroundVerdict ground;
  std::optional<ShotRuling> ruling;  // absent if the rule set does not rule on shots
  std::string no_ruling;             // why the rule set could not rule; empty otherwise
  std::string text;                  // one sentence for players: the ruling's if there is one
};

// The distance to the part of a stand that the circle must reach, as MeasureGap: its footprint, its
// axle, or the nearer of its legs (p_within is then that of the likelier leg).
MeasuredGap MeasureToKind(const ShotObservation& shot, const StandObservation& stand,
                          const KindSpec& kind, double radius_in);

// What a projectile does under a rule set, before that rule set's own ruling.
struct ShotEffects {
  bool circle_hits_equipment = false;  // else equipment must be touched
  bool water_and_fire = true;          // water swallows a shot, and models may burn
};

// Distances, probabilities and calls for one shot.
// shot, stands  settled observations in the same TableFrame.
// spec          the projectile's radii: hit_radius for the circle, touch_radius for equipment.
ShotVerdict JudgeShot(const ShotObservation& shot, const std::vector<StandObservation>& stands,
                      const ProjectileSpec& spec, const Scenario& scenario, const TableFrame& frame,
                      const DecisionPolicy& policy, const ShotEffects& effects = {});

}  // namespace fos
