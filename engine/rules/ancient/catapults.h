// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/ancient/action.h"
#include "engine/table/pose2.h"
#include "engine/table/shapes.h"

// ANC-C1 to ANC-C4: who may shoot with a catapult, and the effect of a shot.
namespace fos::ancient {

std::optional<Refusal> CheckShot(const State& s, const CallShot& a);

// ANC-C2, ANC-C3: may a catapult at `from` facing `facing` aim there?
std::optional<Refusal> CheckAim(const State& s, int range, Cell from, Facing facing, Cell target);

// ANC-C4: what a shot at rest may remove. The shooter chooses exactly one.
struct ShotVerdict {
  std::string why;  // one sentence for players
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
  std::vector<PieceNo>
      barred;  // stands within the circle, but in a protected square that the mark is not in
  std::vector<CloseCall> close_calls;
  std::size_t Count() const { return stands.size() + equipment.size(); }
};
ShotVerdict JudgeShot(const State& s, const Shot& shot);

// ANC-C4: the part of a model that the circle must reach.
enum class ValidTarget { kFootprint, kAxle, kLegs };
ValidTarget ValidTargetOf(const UnitType& type);

// ANC-C4: the distance from the pellet's mark to that part, inches.
// points  in the model's own frame: the axle's two ends, or the two front legs. If empty, the
//         footprint counts.
double DistanceToTarget(ValidTarget target, const std::vector<Vec2>& points, bool axle_segment,
                        const Pose2& table_from_stand, Box2 footprint, Vec2 mark);

}  // namespace fos::ancient
