#include <algorithm>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/moving.h"

// Bodies that part, join and come: CF-14.15, CF-14.16, section 23 in the Movement phase, CF-3.4.
namespace fos::closefire {

void Split(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int part = static_cast<int>(words.numbers[0]) - 1;
  RequireFreeToMove(play, unit);
  const int slot = FindUnit(s, fmt::format("{}/{}", play.Name(unit), part + 1));
  play.Require(slot >= 0 && At(s, slot).bases.empty(), "CF-14.15",
               fmt::format("{} has no part {} to break off", play.Name(unit), part + 1), false);
  std::vector<BaseState> stay;
  std::vector<BaseState> go;
  for (const BaseState& base : At(s, unit).bases) (base.part == part ? go : stay).push_back(base);
  play.Require(
      static_cast<int>(go.size()) >= play.Book().manoeuvre.detached_min_bases && !stay.empty(),
      "CF-14.15",
      fmt::format("a new unit has at least {} bases", play.Book().manoeuvre.detached_min_bases));
  play.Place(unit, stay);
  for (const Of field :
       {Of::kFormation, Of::kStatus, Of::kMounted, Of::kDp, Of::kFascines, Of::kFixed, Of::kControl,
        Of::kPace, Of::kShotAt, Of::kFireDp, Of::kRolled, Of::kAllowanceMilliYd, Of::kFullMilliYd,
        Of::kFaces, Of::kDoubled, Of::kAssigned})
    play.Set(slot, field, At(s, unit)[field]);
  play.Place(slot, go);
  play.Set(slot, Of::kPresence, Presence::kOnTable);
  play.Tell("CF-14.15", fmt::format("{} breaks off from {}, {} DP each.", play.Name(slot),
                                    play.Name(unit), At(s, unit)[Of::kDp]));
}

void Merge(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int into = words.units[1];
  RequireFreeToMove(play, unit);
  RequireMine(play, into);
  const Field field = play.Measure();
  play.Require(unit != into && Info(s, unit).arm == Info(s, into).arm, "CF-14.16",
               "two units of one arm merge", false);
  play.Require(field.Contact(field.Gap(unit, into)), "CF-14.16", "they must be in contact");
  for (const int one : {unit, into}) {
    play.Require(!UnderFire(s, one), "CF-14.16", play.Name(one) + " is under fire");
    play.Require(field.NearestEnemyGap(one) > play.Book().manoeuvre.amalgamate_min_distance,
                 "CF-14.16",
                 fmt::format("{} is within {:g} yd of enemy", play.Name(one),
                             play.Book().manoeuvre.amalgamate_min_distance));
  }
  const int bases = BasesLeft(s, unit) + BasesLeft(s, into);
  const bool foot = IsFoot(s, unit);
  const auto& book = play.Book();
  play.Require(foot ? bases <= book.foot_unit_bases_max
                    : bases <= book.cavalry_unit_squadrons.most * book.squadron_bases.most,
               foot ? "CF-2.4" : "CF-2.5", fmt::format("{} bases are too many", bases));
  const int dp = std::max(At(s, unit)[Of::kDp], At(s, into)[Of::kDp]);
  play.Set(into, Of::kDp, dp);
  play.Set(unit, Of::kMergeInto, into + 1);
  play.Set(unit, Of::kMergeTurns, dp);
  play.Set(unit, Of::kDoneMoving, 1);
  play.Set(into, Of::kDoneMoving, 1);
  play.Tell("CF-14.16", fmt::format("{} joins {}: {} turns, then {} DP.", play.Name(unit),
                                    play.Name(into), dp, dp));
  if (dp == 0) CompleteMerge(play, unit);
}
void Recrew(Play& play, const Words& words) {
  const State& s = play.Now();
  const int gun = words.units[0];
  RequireMine(play, gun);
  const Crew crew = At(s, gun).As<Crew>(Of::kCrew);
  play.Require(IsGun(s, gun) && crew != Crew::kServing, "CF-23.2", play.Name(gun) + " has its crew",
               false);
  play.Require(crew != Crew::kDead, "CF-23.2", "its crew is dead", false);
  const Field field = play.Measure();
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (Info(s, v).side != Info(s, gun).side && IsFormed(s, v))
      play.Require(field.Gap(gun, v) > play.Book().guns.no_formed_enemy_within, "CF-23.2",
                   fmt::format("{} is within {:g} yd", play.Name(v),
                               play.Book().guns.no_formed_enemy_within));
  play.Set(gun, Of::kCrew, Crew::kServing);
  play.Set(gun, Of::kTarget, 0);
  play.Set(gun, Of::kDoneMoving, 1);
  play.Tell("CF-23.2", "The crew returns to " + play.Name(gun) + ".");
}

void DriveOff(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int gun = words.units[1];
  RequireFreeToMove(play, unit);
  play.Require(IsGun(s, gun) && Info(s, gun).side != Info(s, unit).side &&
                   At(s, gun).As<Crew>(Of::kCrew) != Crew::kServing &&
                   At(s, gun).As<Formation>(Of::kFormation) == Formation::kLimbered,
               "CF-23.3", "an abandoned limbered enemy gun can be driven off", false);
  play.Require(play.Measure().Contact(play.Measure().Gap(unit, gun)), "CF-23.3",
               "contact is needed");
  std::vector<BaseState> bases = At(s, unit).bases;
  play.Require(static_cast<int>(bases.size()) > play.Book().guns.drive_off_bases, "CF-23.3",
               "it has no base to spare", false);
  bases.resize(bases.size() - static_cast<std::size_t>(play.Book().guns.drive_off_bases));
  play.Place(unit, bases);
  play.Destroy(gun, Presence::kDrivenOff, "CF-23.3", "by a base of " + play.Name(unit));
}

// CF-3.4, 3.6: from the edge of the table.
void Arrive(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  play.Require(Info(s, unit).side == s.to_act, "CF-9.2", "it is the other side's turn", false);
  play.Require(At(s, unit).As<Presence>(Of::kPresence) == Presence::kReserve, "CF-3.6",
               play.Name(unit) + " is not expected", false);
  play.Require(At(s, unit)[Of::kDoneMoving] == 0, "CF-3.6", "it has tried this turn", false);
  const int attempt = At(s, unit)[Of::kArrivalTry] + 1;
  play.Set(unit, Of::kArrivalTry, attempt);
  play.Set(unit, Of::kDoneMoving, 1);
  bool comes = play.Rulings().reinforcement_first - attempt < 1;
  if (!comes)
    comes = Arrives(
        play.Rulings(), attempt,
        play.RollD6(s.to_act, fmt::format("arrival of {}, try {}", play.Name(unit), attempt),
                    "CF-3.6"));
  if (!comes) {
    play.Tell("CF-3.6", play.Name(unit) + " does not come yet.");
    return;
  }
  const bool gun = IsGun(s, unit);
  play.Set(unit, Of::kFormation, gun ? Formation::kLimbered : Formation::kMarch);
  play.Set(unit, Of::kPresence, Presence::kOnTable);
  play.Place(unit, Arranged(s, unit, Formation::kMarch, {words.numbers[0], words.numbers[1]},
                            open_table::WrappedBearing(words.numbers[2]), 1));
  play.Moved(unit);
  play.Tell("CF-3.4", play.Name(unit) + " arrives in march column.");
}
void CompleteMerge(Play& play, int unit) {
  const State& s = play.Now();
  const int into = At(s, unit)[Of::kMergeInto] - 1;
  std::vector<BaseState> all = At(s, into).bases;
  for (const BaseState& base : At(s, unit).bases) all.push_back(base);
  const Field::Front front = play.Measure().FrontOf(into);
  play.Place(into, all);
  if (IsFormed(s, into))
    play.Place(into, Arranged(s, into, At(s, into).As<Formation>(Of::kFormation), front.centre,
                              front.facing_deg, 0));
  play.Place(unit, {});
  play.Set(into, Of::kCasualties, 0);
  play.Set(unit, Of::kMergeInto, 0);
  play.Destroy(unit, Presence::kMerged, "CF-14.16", "into " + play.Name(into));
}
}  // namespace fos::closefire
