// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/play.h"
#include "engine/table/counted.h"

// Phase 6: redressing, morale events, spiking guns, and the end of the turn.
namespace fos::closefire {
namespace {

void EndTurnOf(Play& play) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Unit unit = At(s, u);
    play.Set(u, Of::kFiredLast, unit.fire.fired);
    play.Set(u, Of::kLastSet, unit.pace.set_now);
    play.Set(u, Of::kSetNow, 0);
    play.Set(u, Of::kLastKind, unit.pace.kind_now);
    play.Set(u, Of::kKindNow, 0);
    // CF-12.9: no pace is kept after a combat or an after-combat move.
    play.Set(u, Of::kPace, unit.charge.fought || unit.charge.after_move ? 0 : unit.pace.dice_now);
    play.Set(u, Of::kPaceNow, 0);
    play.Set(u, Of::kControl, Control::kUnknown);
    play.Set(u, Of::kConformsTo, std::nullopt);
    play.Set(u, Of::kMustCharge, 0);
    // CF-5.8: a missed charge binds the unit in the next turn only.
    if (!unit.charge.target.has_value()) play.Set(u, Of::kMissed, 0);
    for (int f = kFirstTurnFlag; f < kFields; ++f) play.Set(u, static_cast<Of>(f), 0);
  }
  for (int l = 0; l < static_cast<int>(s.leaders.size()); ++l)
    for (int f = kFirstLeaderTurnFlag; f < kLeaderFields; ++f)
      play.SetLeader(l, static_cast<By>(f), 0);
}

// CF-23.1.
void Spiking(Play& play) {
  const State& s = play.Now();
  const Field field = play.Measure();
  for (int g = 0; g < static_cast<int>(s.units.size()); ++g) {
    if (!IsGun(s, g) || !At(s, g).OnTable() || At(s, g).body.crew == Crew::kServing) continue;
    const auto may_spike = [&](int u) {
      if (!(IsFoot(s, u) || IsDismounted(s, u)) || Info(s, u).side == Info(s, g).side) return false;
      if (!field.Contact(field.Gap(u, g)) || InCombat(s, u)) return false;
      bool troubled = false;
      for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
        troubled =
            troubled || (Info(s, v).side != Info(s, u).side && !IsGun(s, v) && IsFormed(s, v) &&
                         field.Gap(u, v) <= s.Book().guns.no_formed_enemy_within);
      return !troubled;
    };
    // Those that began in the last Morale phase come before others.
    const std::optional<UnitId> before = At(s, g).body.spikers;
    int spikers = before && may_spike(*before) ? *before : -1;
    for (int u = 0; u < static_cast<int>(s.units.size()) && spikers < 0; ++u)
      if (may_spike(u)) spikers = u;
    if (spikers >= 0 && At(s, g).body.spikers == spikers && !At(s, spikers).march.moved &&
        !At(s, spikers).fire.fired) {
      play.Destroy(g, Presence::kSpiked, "CF-23.1", "by " + play.Name(spikers));
    } else {
      play.Set(g, Of::kSpikers, std::optional<UnitId>(spikers));
    }
  }
}

// CF-8.3.
void Redress(Play& play) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Unit& unit = At(s, u);
    if (!unit.OnTable() || unit.body.dp == 0 || InCombat(s, u)) continue;
    if (IsGun(s, u) && unit.body.crew != Crew::kServing) continue;  // CF-23.2
    if (IsMerging(s, u)) continue;  // CF-14.16: merging units do not redress
    const bool stationary = !unit.march.moved;
    const auto& book = play.Book().dp;
    int shed = 0;
    switch (Info(s, u).grade) {
      case Grade::kA:
      case Grade::kB:
        shed = book.redress_ab_not_in_combat + (stationary ? book.redress_ab_stationary_extra : 0);
        break;
      case Grade::kC:
      case Grade::kD:
        shed = stationary ? book.redress_cd_stationary : 0;
        break;
      case Grade::kE:
        shed = stationary && !UnderFire(s, u) ? book.redress_e_stationary_not_under_fire : 0;
        break;
    }
    if (shed > 0) play.Heal(u, shed, "CF-8.3", "redressing");
  }
}

// CF-8.4: the DPs that a morale event is worth to a unit that sees it.
int WorthOf(const State& s, const Shock& shock, int unit) {
  const auto& book = s.Book().morale;
  if (shock.who.leader) return book.general_or_marshal;
  const bool lower = Info(s, shock.who.id).grade > Info(s, unit).grade;
  if (shock.blow == Blow::kRoutedOrLost)
    return lower ? book.lower_rout_or_destroyed : book.equal_higher_rout_or_destroyed;
  return IsFoot(s, shock.who.id) && !lower ? book.equal_higher_foot_retire : 0;
}

// CF-8.4: the distance of the event if the unit is near enough to see it. Reports a close call.
std::optional<double> NearYd(Play& play, const Shock& shock, int unit) {
  const bool leader = shock.who.leader;
  const Field field = play.Measure();
  double gap = std::numeric_limits<double>::infinity();
  // Where the event's unit or leader stood when it happened: the outline (CF-1.3).
  std::vector<Base> stood;
  for (const BaseState& base : shock.stood) stood.push_back(ToBase(play.Now(), shock.who.id, base));
  const Vec2 at{Yd(shock.x), Yd(shock.y)};
  for (const Base& base : field.Bases(unit))
    gap = std::min(
        gap, leader ? open_table::Gap(base, at) - LeaderInfoOf(play.Now(), shock.who.id).radius_yd
             : stood.empty() ? open_table::Gap(base, at)
                             : open_table::Gap(std::vector<Base>{base}, stood));
  gap = std::max(0.0, gap);
  gap =
      std::min(gap, leader ? field.GapToLeader(unit, shock.who.id) : field.Gap(unit, shock.who.id));
  play.NoteClose(
      [&] {
        return fmt::format("{} to {}", play.Name(unit),
                           leader ? play.LeaderName(shock.who.id) : play.Name(shock.who.id));
      },
      gap, play.Book().morale.radius);
  if (gap > play.Book().morale.radius) return std::nullopt;
  return gap;
}

// "foot B2 routed or was lost 90 yd away: 2".
std::string ShockText(const Play& play, const Shock& shock, double yards, int worth) {
  constexpr std::array<std::string_view, 4> kWhat = {"routed or was lost", "retired", "was killed",
                                                     "routed"};
  return fmt::format("{} {} {:.0f} yd away: {}",
                     shock.who.leader ? play.LeaderName(shock.who.id) : play.Name(shock.who.id),
                     kWhat[static_cast<std::size_t>(shock.blow)], yards, worth);
}

// CF-8.4: the DPs for the events that one unit sees. Marks those events as counted.
int FeltBy(Play& play, const std::vector<Shock>& shocks, int unit) {
  const State& s = play.Now();
  int dp = 0;
  std::string sum;
  std::vector<std::pair<UnitOrLeader, Blow>> seen;
  for (const Shock& shock : shocks) {
    const bool leader = shock.who.leader;
    const int side = leader ? LeaderInfoOf(s, shock.who.id).side : Info(s, shock.who.id).side;
    if (side != Info(s, unit).side || shock.who == UnitOrLeader{false, unit}) continue;
    // An observer counts each rout or retirement once.
    const std::pair key{shock.who, leader ? Blow::kLeaderKilled : shock.blow};
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
    const Shock mark{shock.who, shock.blow, unit, 0, {}};
    if (play.Rulings().morale_event_once && shock.blow != Blow::kLeaderKilled &&
        std::find(s.felt.begin(), s.felt.end(), mark) != s.felt.end())
      continue;
    const int worth = WorthOf(s, shock, unit);
    if (worth == 0) continue;
    const std::optional<double> yards = NearYd(play, shock, unit);
    if (!yards) continue;
    seen.push_back(key);
    dp += worth;
    sum += (sum.empty() ? "" : ", ") + ShockText(play, shock, *yards, worth);
    Event e;
    e.what = What::kFelt;
    e.shock = mark;
    play.Emit(std::move(e));
  }
  if (dp > 0)
    play.Tell("CF-8.4",
              fmt::format("Morale of {}: {} = {}.", play.Name(unit), sum, Counted(dp, "DP")));
  return dp;
}

}  // namespace

void MoralePhase(Play& play) {
  const State& s = play.Now();
  Redress(play);
  const std::vector<Shock> shocks = s.shocks;
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (!At(s, u).OnTable() || At(s, u).body.conduct == Conduct::kRouting) continue;
    const int dp = FeltBy(play, shocks, u);
    if (dp > 0 && play.Hurt(u, dp, "CF-8.4", "friends routed, retired or lost") > 0)
      play.RiskLeaders(u, true);
  }
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u)
    if (At(s, u).body.conduct == Conduct::kReady) play.ForgetShocks({false, u});
  for (int l = 0; l < static_cast<int>(s.leaders.size()); ++l) {
    const std::optional<UnitId> with = LeaderAt(s, l).attached;
    if (!with || At(s, *with).body.conduct != Conduct::kRouting) play.ForgetShocks({true, l});
  }
  play.SetGame(What::kShocksOver, 0);
  Spiking(play);
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (!At(s, u).merge.into.has_value() || !At(s, u).OnTable()) continue;
    GoOnMerging(play, u);
  }
  EndTurnOf(play);
}

}  // namespace fos::closefire
