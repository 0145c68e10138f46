#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/table/decision.h"
#include "engine/table/measure.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

// What a projectile at rest means for the stands near it: the measurement and the plain circle and
// touch of the contract (sections 2.2 and 4). What a rule set makes of that comes on top.
namespace fos {

enum class HitRule { kCircle, kTouch };

struct StandVerdict {
  StandObservation stand;
  HitRule rule = HitRule::kCircle;
  double limit_in = 0;  // hit_radius or touch_radius
  MeasuredGap
      measured;  // gap to the footprint (or target) and the chance of being within the limit
  Call call = Call::kTooClose;
};

// What the point lies on, from the scenario's terrain.
struct GroundVerdict {
  std::string square;                      // empty off the board
  std::vector<std::string> lies_on;        // terrain types under the point
  bool is_protected = false;               // the square holds rocks, trees, houses and the like
  bool water = false;                      // over water and on no bridge
  std::vector<std::string> burning_tests;  // what it touches that can burn
};

// What the scenario's rule set makes of the measurement, the position being what the camera sees.
struct ShotRuling {
  bool no_effect = false;          // over water, off the board
  std::vector<StandId> equipment;  // destroyed by touch: none or one
  std::vector<StandId> crew;       // goes with it: none or one
  std::vector<StandId> eligible;   // one of these falls; several: the firer chooses
  std::vector<StandId> barred;     // reached, but protected where they stand
  std::vector<StandId> doubtful;   // too close to call: players settle these first
  std::string fire_square;         // this square takes the fire dice; empty for none
  std::vector<std::string> clauses;
  std::string text;  // one sentence for people
};

struct ShotVerdict {
  std::vector<StandVerdict> stands;  // nearest first: all within hit_radius + kLookAround_in
  std::vector<StandId> casualties;   // called hit
  bool choice = false;               // more than one stand is in the circle and the rules take one
  GroundVerdict ground;
  std::optional<ShotRuling> ruling;  // absent when the scenario's rule set says nothing of shots
  std::string no_ruling;             // why it could not; empty when it did or has nothing to say
  std::string text;                  // one sentence for people: the ruling's where there is one
};

// Contract, section 4: every stand within hit_radius + 1.5 in of the point is reported.
inline constexpr double kLookAround_in = 1.5;

// The distance to what of a stand the circle must reach, as MeasureGap: its footprint, its axle, or
// the nearer of its legs (then p_within is the likelier leg's).
MeasuredGap MeasureToKind(const ShotObservation& shot, const StandObservation& stand,
                          const KindSpec& kind, double radius_in);

// Distances, chances and calls for one shot. Under the Ancient rules catapults are hit by the
// circle too, water and fire mean nothing, and in a protected square only a shot that lies in it
// counts as a casualty (ANC-C4). shot, stands  settled observations in the same TableFrame. spec
// the projectile's radii: hit_radius for the circle, touch_radius for equipment (NAP-3F).
ShotVerdict JudgeShot(const ShotObservation& shot, const std::vector<StandObservation>& stands,
                      const ProjectileSpec& spec, const Scenario& scenario, const TableFrame& frame,
                      const DecisionPolicy& policy);

}  // namespace fos
