// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/room.h"
#include "engine/table/counted.h"

// Splitting (CF-14.15), merging (CF-14.16), arrivals (CF-3.4), and guns in the Movement phase
// (section 23).
namespace fos::closefire {

void Split(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int part = static_cast<int>(words.numbers[0]) - 1;
  const auto leaves = [&](const BaseState& base) {
    return std::any_of(words.numbers.begin(), words.numbers.end(),
                       [&](double n) { return base.part == static_cast<int>(n) - 1; });
  };
  RequireFreeToMove(play, unit);
  const std::optional<UnitId> place = FindUnit(s, fmt::format("{}/{}", play.Id(unit), part + 1));
  play.Require(
      place && At(s, *place).bases.empty(), "CF-14.15",
      [&] {
        return fmt::format("{} has no part {} that can break off", play.Name(unit), part + 1);
      },
      false);
  const UnitId slot = *place;
  const BaseList& all = At(s, unit).bases;
  for (const double number : words.numbers)
    play.Require(
        std::any_of(
            all.begin(), all.end(),
            [&](const BaseState& base) { return base.part == static_cast<int>(number) - 1; }),
        "CF-14.15", [&] { return fmt::format("{} has no part {:g}", play.Name(unit), number); },
        false);
  std::vector<BaseState> stay;
  std::vector<BaseState> go;
  for (const BaseState& base : At(s, unit).bases) (leaves(base) ? go : stay).push_back(base);
  play.Require(
      !stay.empty(), "CF-14.15",
      [&] { return fmt::format("nothing of {} would stay behind", play.Name(unit)); }, false);
  play.Require(static_cast<int>(go.size()) >= play.Book().manoeuvre.detached_min_bases, "CF-14.15",
               [&] {
                 return fmt::format("a unit that splits off needs at least {} bases",
                                    play.Book().manoeuvre.detached_min_bases);
               });
  play.Place(unit, stay);
  for (const Of field : {Of::kFormation,    Of::kStatus,
                         Of::kMounted,      Of::kDp,
                         Of::kFascines,     Of::kFixed,
                         Of::kControl,      Of::kPace,
                         Of::kShotAt,       Of::kFireDp,
                         Of::kControlledBy, Of::kRolledAs,
                         Of::kRolled,       Of::kAllowanceMilliYd,
                         Of::kFullMilliYd,  Of::kFaces,
                         Of::kDoubled,      Of::kAssigned,
                         Of::kFired,        Of::kFiredLast,
                         Of::kSetNow,       Of::kPaceNow,
                         Of::kKindNow,      Of::kMoved,
                         Of::kObjective,    Of::kDistanceMilliYd,
                         Of::kHalves,       Of::kWheeled,
                         Of::kRough,        Of::kCrossing,
                         Of::kCrossed,      Of::kConformsTo,
                         Of::kOrderX,       Of::kOrderY,
                         Of::kDoubtMilliYd, Of::kLastSet,
                         Of::kLastKind,     Of::kBearing,
                         Of::kRoadMove,     Of::kGapMilliYd,
                         Of::kHolder,       Of::kHolderUsed,
                         Of::kHolderX,      Of::kHolderY})
    play.Set(slot, field, At(s, unit)[field]);
  play.Place(slot, go);
  play.Set(slot, Of::kPresence, Presence::kOnTable);
  play.Tell("CF-14.15", fmt::format("{} splits off from {}; each has {}.", play.Name(slot),
                                    play.Name(unit), Counted(At(s, unit).body.dp, "DP")));
}

// CF-22.4, 22.5, 22.6: the new unit copies the old one's state. Casualties stay with the others, as
// when battalions split off (CF-14.15).
std::optional<int> SplitHeld(Play& play, int unit, const std::vector<bool>& held) {
  const State& s = play.Now();
  const std::optional<UnitId> spare = FindUnit(s, SpareName(play.Id(unit)));
  if (!spare || At(s, *spare).body.presence != Presence::kMerged) return std::nullopt;
  const UnitId slot = *spare;
  std::vector<BaseState> go;
  std::vector<BaseState> stay;
  for (std::size_t i = 0; i < held.size(); ++i)
    (held[i] ? stay : go).push_back(At(s, unit).bases[i]);
  const auto body = [&](const std::vector<BaseState>& bases) {
    std::vector<Base> there;
    for (const BaseState& base : bases) there.push_back(ToBase(s, unit, base));
    return !there.empty() && HangsTogether(there, play.Book().manoeuvre.unformed_spacing);
  };
  if (!body(go) || !body(stay)) return std::nullopt;
  for (const Of field :
       {Of::kFormation, Of::kStatus,       Of::kMounted,    Of::kDp,    Of::kFascines,  Of::kFixed,
        Of::kControl,   Of::kPursued,      Of::kFastBefore, Of::kFired, Of::kFiredLast, Of::kShotAt,
        Of::kFireDp,    Of::kFought,       Of::kAfterMove,  Of::kMoved, Of::kAssigned,  Of::kOrderX,
        Of::kOrderY,    Of::kDoubtMilliYd, Of::kDoneMoving})
    play.Set(slot, field, At(s, unit)[field]);
  play.Place(slot, stay);
  play.Set(slot, Of::kPresence, Presence::kOnTable);
  play.Place(unit, go);
  // Neither half counts the other's rout or retirement as a morale event.
  for (const Blow blow : {Blow::kRoutedOrLost, Blow::kRetired}) {
    Event e;
    e.what = What::kFelt;
    e.shock = {{false, unit}, blow, slot, 0, {}};
    play.Emit(std::move(e));
  }
  play.Tell(At(s, unit).body.conduct == Conduct::kPursuing ? "CF-22.6" : "CF-22.4",
            fmt::format("{} is partly blocked and splits: {} of its bases stay behind as {}.",
                        play.Name(unit), stay.size(), play.Name(slot)));
  return slot;
}

void Merge(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int into = words.units[1];
  RequireFreeToMove(play, unit);
  RequireMine(play, into);
  const Field field = play.Measure();
  play.Require(unit != into && Info(s, unit).arm == Info(s, into).arm && !IsGun(s, unit),
               "CF-14.16", "only two units of foot, or two of the same kind of cavalry, can merge",
               false);
  play.Require(field.Contact(field.Gap(unit, into)), "CF-14.16",
               "the two units must be in contact");
  for (const int one : {unit, into}) {
    RequirePace(play, one);
    play.Require(!UnderFire(s, one), "CF-14.16", [&] { return play.Name(one) + " is under fire"; });
    play.Require(field.NearestEnemyGap(one) > play.Book().manoeuvre.amalgamate_min_distance,
                 "CF-14.16", [&] {
                   return fmt::format("{} is within {:g} yd of the enemy", play.Name(one),
                                      play.Book().manoeuvre.amalgamate_min_distance);
                 });
  }
  const int bases = BasesLeft(s, unit) + BasesLeft(s, into);
  const bool foot = IsFoot(s, unit);
  const auto& book = play.Book();
  play.Require(foot ? bases <= book.foot_unit_bases_max
                    : bases <= book.cavalry_unit_squadrons.most * book.squadron_bases.most,
               foot ? "CF-2.4" : "CF-2.5", [&] {
                 return fmt::format("the merged unit would have {} bases, too many for one unit",
                                    bases);
               });
  const int parts = PartsLeft(s, unit) + PartsLeft(s, into);
  play.Require(parts <= (foot ? book.foot_unit_battalions : book.cavalry_unit_squadrons).most,
               foot ? "CF-2.4" : "CF-2.5", [&] {
                 return fmt::format("the merged unit would have {} {}, too many for one unit",
                                    parts, foot ? "battalions" : "squadrons");
               });
  const int dp = std::max(At(s, unit).body.dp, At(s, into).body.dp);
  play.Set(unit, Of::kMergeInto, std::optional<UnitId>(into));
  play.Set(unit, Of::kMergeTurns, dp);
  play.Set(unit, Of::kDoneMoving, 1);
  play.Set(into, Of::kDoneMoving, 1);
  play.Tell("CF-14.16",
            fmt::format("{} starts to merge into {}: {} to go, then {}.", play.Name(unit),
                        play.Name(into), Counted(dp, "turn"), Counted(dp, "DP")));
  if (dp == 0) CompleteMerge(play, unit);
}
void Recrew(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int gun = words.units[0];
  RequireMine(play, gun);
  const Crew crew = At(s, gun).body.crew;
  play.Require(
      IsGun(s, gun) && crew != Crew::kServing, "CF-23.2",
      [&] { return play.Name(gun) + " still has its crew"; }, false);
  play.Require(
      crew != Crew::kDead, "CF-23.2", [&] { return "the crew of " + play.Name(gun) + " is dead"; },
      false);
  const Field field = play.Measure();
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (Info(s, v).side != Info(s, gun).side && IsFormed(s, v))
      play.Require(field.Gap(gun, v) > play.Book().guns.no_formed_enemy_within, "CF-23.2", [&] {
        return fmt::format("{} is within {:g} yd", play.Name(v),
                           play.Book().guns.no_formed_enemy_within);
      });
  RequireRoom(play, gun, field.Bases(gun), "CF-23.2");
  play.Set(gun, Of::kCrew, Crew::kServing);
  play.Set(gun, Of::kTarget, std::nullopt);
  play.Set(gun, Of::kDoneMoving, 1);
  play.Tell("CF-23.2", "The crew returns to " + play.Name(gun) + ".");
}

void DriveOff(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int gun = words.units[1];
  RequireFreeToMove(play, unit);
  play.Require(IsGun(s, gun) && Info(s, gun).side != Info(s, unit).side &&
                   At(s, gun).body.crew != Crew::kServing &&
                   At(s, gun).body.formation == Formation::kLimbered,
               "CF-23.3", "only an abandoned, limbered enemy gun can be driven off", false);
  play.Require(play.Measure().Contact(play.Measure().Gap(unit, gun)), "CF-23.3",
               "the unit must be in contact with the gun");
  std::vector<BaseState> bases = At(s, unit).bases;
  play.Require(
      static_cast<int>(bases.size()) > play.Book().guns.drive_off_bases, "CF-23.3",
      [&] { return play.Name(unit) + " has no base to spare"; }, false);
  bases.resize(bases.size() - static_cast<std::size_t>(play.Book().guns.drive_off_bases));
  play.Place(unit, bases);
  play.Destroy(gun, Presence::kDrivenOff, "CF-23.3", "with a base of " + play.Name(unit));
}

namespace {

// CF-3.4: the move is measured from the table edge: by road as in CF-12.5, else the column's tail
// stands at the edge.
void RequireFromEdge(Play& play, int unit, const std::vector<Base>& column, Vec2 head,
                     double facing) {
  const State& s = play.Now();
  const Field field = play.Measure();
  const Vec2 back = open_table::Ahead(facing + 180);
  double from_edge = std::numeric_limits<double>::infinity();
  for (const auto& [at, by, length] : {std::tuple{head.x, back.x, s.setup->length_yd},
                                       std::tuple{head.y, back.y, s.setup->width_yd}}) {
    if (by < -open_table::kTiny) from_edge = std::min(from_edge, -at / by);
    if (by > open_table::kTiny) from_edge = std::min(from_edge, (length - at) / by);
  }
  const auto& book = play.Book().move;
  const int side = Info(s, unit).side;
  const bool road = std::all_of(column.begin(), column.end(),
                                [&](const Base& base) { return field.OnRoad(base); });
  // CF-12.5: its head stays far from the enemy all the way from the edge.
  const auto far_at = [&](double yards) {
    const Base front = open_table::Shifted(column.front(), yards * back);
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
      if (Info(s, v).side != side && At(s, v).OnTable() &&
          open_table::Gap(std::vector<Base>{front}, field.Bases(v)) <= book.far_distance)
        return false;
    return true;
  };
  bool far = far_at(from_edge);
  for (double yards = 0; yards < from_edge && far; yards += 1) far = far_at(yards);
  const double most = road ? (far && !IsGun(s, unit) ? book.road_far : book.road)
                           : column.front().depth * static_cast<double>(column.size()) + kFull_yd;
  play.Require(from_edge <= most + 0.05, road ? "CF-12.5" : "CF-3.4", [&] {
    return fmt::format("{:.0f} yd from the table edge{} is too far: {:g} yd at most", from_edge,
                       road ? " by road" : "", most);
  });
}

}  // namespace

// CF-3.4, 3.6: from the edge of the table.
void Arrive(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  play.Require(Info(s, unit).side == s.to_act, "CF-9.2", "it is the other side's turn", false);
  play.Require(
      At(s, unit).body.presence == Presence::kReserve, "CF-3.6",
      [&] { return play.Name(unit) + " is not among the reinforcements"; }, false);
  play.Require(
      !At(s, unit).march.done, "CF-3.6",
      [&] { return play.Name(unit) + " has already tried to arrive this turn"; }, false);
  // The place is checked before the die.
  const double facing = open_table::WrappedBearing(words.numbers[2]);
  const Vec2 head{words.numbers[0], words.numbers[1]};
  const std::vector<BaseState> column = Arranged(s, unit, Formation::kMarch, head, facing, 1);
  std::vector<Base> there;
  for (const BaseState& base : column) there.push_back(ToBase(s, unit, base));
  RequireRoom(play, unit, there, "CF-3.4");
  play.Require(!EnemyTooNear(play.Measure(), unit, there), "CF-11.4",
               "an enemy is within 20 yd of the place of arrival", false);
  RequireFromEdge(play, unit, there, head, facing);
  const int attempt = At(s, unit).body.arrival_tries + 1;
  play.Set(unit, Of::kArrivalTry, attempt);
  play.Set(unit, Of::kDoneMoving, 1);
  bool comes = play.Rulings().reinforcement_first - attempt < 1;
  if (!comes)
    comes = Arrives(
        play.Rulings(), attempt,
        play.RollD6(s.to_act, fmt::format("arrival of {}, try {}", play.Name(unit), attempt),
                    "CF-3.6"));
  if (!comes) {
    play.Tell("CF-3.6", play.Name(unit) + " does not arrive this turn.");
    return;
  }
  const bool gun = IsGun(s, unit);
  play.Set(unit, Of::kFormation, gun ? Formation::kLimbered : Formation::kMarch);
  play.Set(unit, Of::kPresence, Presence::kOnTable);
  play.Place(unit, column);
  play.Moved(unit);
  play.Tell("CF-3.4", play.Name(unit) + " arrives in march column.");
}
void CompleteMerge(Play& play, int unit) {
  const State& s = play.Now();
  const int into = At(s, unit).merge.into.value();
  std::vector<BaseState> all = At(s, into).bases;
  std::int8_t parts = 0;
  for (const BaseState& base : all) parts = std::max(parts, base.part);
  for (BaseState base : At(s, unit).bases) {
    base.part = static_cast<std::int8_t>(base.part + parts + 1);
    all.push_back(base);
  }
  const Field::Front front = play.Measure().FrontOf(into);
  play.Place(unit, {});
  play.Place(into, all);
  if (IsFormed(s, into)) {
    const std::vector<BaseState> one_body =
        Arranged(s, into, At(s, into).body.formation, front.centre, front.facing_deg, 0);
    std::vector<Base> there;
    for (const BaseState& base : one_body) there.push_back(ToBase(s, into, base));
    // Without room for that formation the bases stay where they are, in contact.
    if (!InTheWay(play.Measure(), into, there)) play.Place(into, one_body);
  }
  play.Set(into, Of::kDp, std::max(At(s, unit).body.dp, At(s, into).body.dp));
  play.Set(into, Of::kCasualties, 0);
  play.Set(unit, Of::kMergeInto, std::nullopt);
  play.Destroy(unit, Presence::kMerged, "CF-14.16", "into " + play.Name(into));
}

// CF-14.16: counts one turn for each unit that is merging.
void GoOnMerging(Play& play, int unit) {
  const State& s = play.Now();
  const int into = At(s, unit).merge.into.value();
  const Field field = play.Measure();
  const auto ready = [&](int one) {
    return At(s, one).OnTable() && At(s, one).body.conduct == Conduct::kReady && !InCombat(s, one);
  };
  if (!ready(unit) || !ready(into) || !field.Contact(field.Gap(unit, into))) {
    play.Set(unit, Of::kMergeInto, std::nullopt);
    play.Set(unit, Of::kMergeTurns, 0);
    play.Tell("CF-14.16", fmt::format("{} and {} are no longer in contact: they do not merge.",
                                      play.Name(unit), play.Name(into)));
    return;
  }
  const int turns = At(s, unit).merge.turns - 1;
  play.Set(unit, Of::kMergeTurns, std::max(0, turns));
  if (turns <= 0) CompleteMerge(play, unit);
}

}  // namespace fos::closefire
