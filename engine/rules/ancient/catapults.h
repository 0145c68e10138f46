#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/ancient/action.h"
#include "engine/table/pose2.h"
#include "engine/table/shapes.h"

// ANC-C1 to ANC-C4: who may shoot with a catapult, and what a shot does.
namespace fos::ancient {

std::optional<Refusal> CheckShot(const State& s, const CallShot& a);

// ANC-C2, ANC-C3: may a catapult at `from` facing `facing` aim there?
std::optional<Refusal> CheckAim(const State& s, int range, Cell from, Facing facing, Cell target);

// ANC-C4: what a shot at rest may remove: exactly one of them, the shooter chooses.
struct ShotVerdict {
  std::string why;  // one sentence for people
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
  std::vector<PieceNo> barred;  // stands within the circle in a protected square the mark is not in
  std::vector<CloseCall> close_calls;
  std::size_t Count() const { return stands.size() + equipment.size(); }
};
ShotVerdict JudgeShot(const State& s, const Shot& shot);

// ANC-C4: what of a model the circle must reach.
enum class ValidTarget { kFootprint, kAxle, kLegs };
ValidTarget ValidTargetOf(const UnitType& type);

// ANC-C4: the distance from where the pellet's mark lies to that, inches.
// points  in the model's own frame: the axle's two ends, or the two front legs; without them the
//         footprint counts.
double DistanceToTarget(ValidTarget target, const std::vector<Vec2>& points, bool axle_segment,
                        const Pose2& table_from_stand, Box2 footprint, Vec2 mark);

}  // namespace fos::ancient
