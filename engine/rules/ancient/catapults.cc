// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/catapults.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/ancient/query.h"
#include "engine/table/counted.h"

namespace fos::ancient {
namespace {

// ANC-C1: a stand that was in the catapult's square when the step began may man it, because all
// fire is simultaneous (ANC-T).
std::optional<Refusal> CheckMan(const State& s, const CallShot& a) {
  const Stand& man = s.StandAt(a.man);
  const std::string name = StandAndKind(s, a.man);
  if (man.side != a.side || man.turn_cell != s.EquipmentAt(a.catapult).cell)
    return Refuse("ANC-C1", fmt::format("{} was not with {} when the step began", name,
                                        EquipmentAndKind(s, a.catapult)));
  if (!s.Book().may_man[static_cast<std::size_t>(s.TypeOf(man).arm)])
    return Refuse(
        "ANC-C1",
        fmt::format("{} cannot man a catapult: only crew, infantry and commanders can", name));
  if (man.busy) return Refuse("ANC-C1", fmt::format("{} mans another catapult this turn", name));
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> CheckAim(const State& s, int range, Cell from, Facing facing, Cell target) {
  if (!squares::Within45(facing, s.setup->board.Between(from, target)))
    return Refuse("ANC-C2",
                  fmt::format("{} is not within 45 degrees of {} from {}", CellName(s, target),
                              FacingName(facing), CellName(s, from)));
  if (const int distance = DistanceBetween(s, from, target); distance > range)
    return Refuse("ANC-C3", fmt::format("{} is {} away; the range is {:g}", CellName(s, target),
                                        Counted(distance / 100.0, "square"), range / 100.0));
  return std::nullopt;
}

std::optional<Refusal> CheckShot(const State& s, const CallShot& a) {
  if (s.step != Step::kCatapults)
    return Impossible("ANC-T", fmt::format("catapults shoot in the catapults step; this is the {} "
                                           "step",
                                           StepName(s.step)));
  if (s.done[static_cast<std::size_t>(a.side)])
    return Impossible("ANC-T", fmt::format("{} has ended its catapults step", SideName(s, a.side)));
  const Equipment& e = s.EquipmentAt(a.catapult);
  const std::string name = EquipmentAndKind(s, a.catapult);
  // A catapult removed in this step still shoots (ANC-T).
  if (e.may_fire_for != a.side)
    return Impossible("ANC-C1", fmt::format("{} was no catapult of {} when the step began", name,
                                            SideName(s, a.side)));
  if (e.fired) return Refuse("ANC-C4", fmt::format("{} has already shot this turn", name));
  if (auto refusal = CheckMan(s, a)) return refusal;
  if (a.target == kNowhere || a.target == e.cell)
    return Impossible("ANC-C2", "the shot needs a target square other than its own");
  return CheckAim(s, s.TypeOf(e).range, e.cell, e.facing, a.target);
}

namespace {

struct Rest {
  const State& s;
  const Shot& shot;

  std::int64_t Side() const { return std::llround(s.Book().square_in * 1000); }
  // Edges included.
  bool LiesIn(Cell cell) const {
    const SquareIndex at = s.setup->board.IndexOf(cell);
    const std::int64_t x = shot.facts.x_milli_in;
    const std::int64_t y = shot.facts.y_milli_in;
    return x >= at.column * Side() && x <= (at.column + 1) * Side() && y >= at.row * Side() &&
           y <= (at.row + 1) * Side();
  }
  // catapult.landing_must_be_valid: could the catapult have aimed at this square?
  bool OutOfReach(Cell cell) const {
    if (!s.Ruling().landing_must_be_valid || shot.from == kNowhere) return false;
    const int range = s.TypeOf(s.EquipmentAt(shot.catapult)).range;
    return CheckAim(s, range, shot.from, shot.facing, cell).has_value();
  }
};

}  // namespace

// ANC-C4, ANC-F4.
ShotVerdict JudgeShot(const State& s, const Shot& shot) {
  ShotVerdict verdict;
  if (shot.facts.off_board) {
    verdict.why = "the shot came to rest off the board: no effect";
    return verdict;
  }
  const Rest rest{s, shot};
  const int circle = s.setup->circle_milli_in;
  const auto note_close = [&](bool equipment, const Near& near) {
    if (std::abs(near.milli_in - circle) <= s.Ruling().close_call_milli_in)
      verdict.close_calls.push_back({equipment, near.piece, near.milli_in, circle});
  };
  const auto add = [](std::vector<PieceNo>& list, PieceNo piece) {
    if (std::find(list.begin(), list.end(), piece) == list.end()) list.push_back(piece);
  };
  for (const Near& near : shot.facts.stands) {
    const Stand& stand = s.StandAt(near.piece);
    if (!OnBoard(stand) || rest.OutOfReach(stand.cell)) continue;
    const bool shielded = !s.Ruling().shields_only_missiles && s.TypeOf(stand).shielded;
    const bool barred = (Protected(s, stand.cell) || shielded) && !rest.LiesIn(stand.cell);
    if (!barred) note_close(false, near);
    if (near.milli_in <= circle) add(barred ? verdict.barred : verdict.stands, near.piece);
  }
  for (const Near& near : shot.facts.equipment) {
    const Equipment& e = s.EquipmentAt(near.piece);
    if (!OnBoard(e) || rest.OutOfReach(e.cell)) continue;
    if (Protected(s, e.cell) && !rest.LiesIn(e.cell)) continue;
    note_close(true, near);
    if (near.milli_in <= circle) add(verdict.equipment, near.piece);
  }
  std::sort(verdict.stands.begin(), verdict.stands.end());
  std::sort(verdict.equipment.begin(), verdict.equipment.end());
  verdict.why = verdict.Count() == 0
                    ? "no stand or catapult is within the circle (ANC-C4)"
                    : fmt::format("{} within the circle (ANC-C4)",
                                  Counted(static_cast<double>(verdict.Count()), "piece"));
  return verdict;
}

ValidTarget ValidTargetOf(const UnitType& type) {
  return type.arm == Arm::kChariot    ? ValidTarget::kAxle
         : type.arm == Arm::kElephant ? ValidTarget::kLegs
                                      : ValidTarget::kFootprint;
}

// ANC-C4.
double DistanceToTarget(ValidTarget target, const std::vector<Vec2>& points, bool axle_segment,
                        const Pose2& table_from_stand, Box2 footprint, Vec2 mark) {
  if (target == ValidTarget::kFootprint || points.size() < 2)
    return points.size() == 1 ? Distance(table_from_stand * points.front(), mark)
                              : Distance(NearestPoint(table_from_stand, footprint, mark), mark);
  const Vec2 a = table_from_stand * points[0];
  const Vec2 b = table_from_stand * points[1];
  if (target == ValidTarget::kLegs) return std::min(Distance(a, mark), Distance(b, mark));
  if (!axle_segment) return Distance(0.5 * (a + b), mark);
  return Distance(NearestPoint(Segment2{a, b}, mark), mark);
}

}  // namespace fos::ancient
