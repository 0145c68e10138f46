// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/combat.h"
#include "engine/rules/closefire/doubt.h"
#include "engine/rules/closefire/play.h"
#include "engine/rules/closefire/room.h"

// Phase 5: charge moves, combats, pursuers that meet new enemies, and ending combats.
namespace fos::closefire {
namespace {

// CF-20.1.
void RoutHelpless(Play& play) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (!At(s, u).OnTable() || !InCombat(s, u)) continue;
    const std::vector<int> enemies = OpponentsOf(s, u);
    if (Info(s, u).arm == Arm::kCivilians) {
      play.Tell("CF-20.1", play.Name(u) + " is attacked: civilians rout.");
      Rout(play, u, enemies.front());
    } else if (IsGun(s, u) && At(s, u).body.formation == Formation::kLimbered) {
      Abandon(play, u, false, "CF-20.1");
    }
  }
}
// CF-18.9: bodies in the roster order of their first units; within a body, the unit nearest to the
// enemy first.
std::vector<int> ChargersInOrder(const Play& play, int side) {
  const State& s = play.Now();
  std::vector<std::pair<std::pair<int, double>, int>> order;
  const Field field = play.Measure();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (Info(s, u).side != side || !At(s, u).charge.target.has_value() || !At(s, u).OnTable())
      continue;
    const std::optional<UnitId> group = At(s, u).charge.group;
    int first = u;
    bool alone = true;
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
      if (v == u || At(s, v).charge.group != group) continue;
      alone = false;
      first = std::min(first, v);
    }
    const double gap = alone ? 0 : field.Gap(u, *At(s, u).charge.target);
    order.push_back({{first, gap}, u});
  }
  std::sort(order.begin(), order.end());
  std::vector<int> out;
  for (const auto& [key, u] : order) out.push_back(u);
  // CF-18.4: of several that charge a unit, the first that it faces meets its counter-charge,
  // before the others arrive.
  for (auto u = out.begin(); u != out.end(); ++u) {
    const UnitId target = *At(s, *u).charge.target;
    if (!At(s, target).charge.counter || field.InFrontWedge(target, *u)) continue;
    const auto faced = std::find_if(u, out.end(), [&](int v) {
      return At(s, v).charge.target == target && field.InFrontWedge(target, v);
    });
    if (faced != out.end()) std::rotate(u, faced, faced + 1);
  }
  return out;
}

// CF-19.1: pairs within 40 yd. The players rule on those too close to call.
void EngageCloseFire(Play& play) {
  const State& s = play.Now();
  const auto in = [](const std::vector<Engaged>& pairs, int a, int b) {
    return std::any_of(pairs.begin(), pairs.end(), [&](const Engaged& p) {
      return (p.a == a && p.b == b) || (p.a == b && p.b == a);
    });
  };
  const Field field = play.Measure();  // nothing moves here
  const std::vector<Engaged> measured = CloseFirePairs(field);
  for (int a = 0; a < static_cast<int>(s.units.size()); ++a)
    for (int b = 0; b < static_cast<int>(s.units.size()); ++b) {
      if (Info(s, a).side != 0 || Info(s, b).side != 1 || !At(s, a).OnTable() ||
          !At(s, b).OnTable() || in(s.engaged, a, b))
        continue;
      const double sigma = DoubtYd(s, a, b);
      // Beyond ten sigmas there is no doubt.
      const double farthest =
          play.Book().close_fire + std::max(play.Rulings().close_call_yd, 10 * sigma);
      const bool near = field.Within(a, b, farthest + open_table::kTiny);
      const double gap = near ? field.Gap(a, b) : std::numeric_limits<double>::infinity();
      bool fight = in(measured, a, b);
      if (sigma <= 0 && (IsFoot(s, a) || IsFoot(s, b) || IsDismounted(s, a) || IsDismounted(s, b)))
        play.NoteClose([&] { return play.Name(a) + " to " + play.Name(b); }, gap,
                       play.Book().close_fire);
      if (sigma > 0 && gap <= play.Book().close_fire + 10 * sigma) {
        const State ruled = play.Ruled(
            a, sigma,
            [&](const State& at) {
              return InCloseFire(Field(at, field, a), a, b) ? "in close fire" : "not in close fire";
            },
            [&] {
              return fmt::format("{} to {} is {:.1f} +/- {:.1f} yd", play.Name(a), play.Name(b),
                                 gap, 1.96 * sigma);
            },
            "CF-19.1");
        fight = InCloseFire(Field(ruled), a, b);
      }
      if (fight) play.Engage(a, b);
    }
}

// CF-22.6: whether a pursuer is still in contact with an enemy that it met and that stands.
bool StillMeet(const Play& play, int pursuer, int met) {
  const State& s = play.Now();
  const auto runs = [&](int u) {
    const Conduct conduct = At(s, u).body.conduct;
    return conduct == Conduct::kRouting || conduct == Conduct::kRetiring;
  };
  const Field field = play.Measure();
  return !runs(pursuer) && !runs(met) && field.Contact(field.Gap(pursuer, met));
}

// CF-22.6: cavalry may counter-charge pursuers that meet it.
void MeetNewEnemy(Play& play, int pursuer, int met) {
  const State& s = play.Now();
  if (!StillMeet(play, pursuer, met)) return;
  if (IsCavalry(s, met) && At(s, met).body.conduct == Conduct::kReady && !InCombat(s, met) &&
      play.Choose(Info(s, met).side, {"stand", "counter"},
                  fmt::format("does {} stand, or counter-charge the pursuers?", play.Name(met)),
                  "CF-22.6") == 1) {
    play.Set(met, Of::kCounter, 1);
    play.Set(met, Of::kReached, 1);
  }
  if (At(s, met).charge.counter && At(s, met).charge.reached) {
    play.Set(pursuer, Of::kContacted, 1);
    play.Set(pursuer, Of::kContactedByCavalry, 1);
  }
  play.Engage(pursuer, met);
}

// CF-22.6: the fresh combats of pursuers with the new enemies they met. Those who met one enemy
// fight one combat (CF-20.7).
std::vector<Melee> FreshMelees(const State& s, const std::vector<int>& met_by) {
  std::vector<Engaged> pairs;
  for (std::size_t i = 0; i + 1 < met_by.size(); i += 2)
    if (Has(OpponentsOf(s, met_by[i]), met_by[i + 1])) pairs.push_back({met_by[i], met_by[i + 1]});
  return MeleesOf(s, pairs);
}

// CF-23.4.
void ShelterCrews(Play& play) {
  for (const int gun : ShelteringGuns(play.Measure())) {
    play.Set(gun, Of::kCrew, Crew::kSheltering);
    play.Part(gun);
    play.Tell("CF-23.4",
              "The crew of " + play.Name(gun) + " takes shelter with the foot behind it.");
  }
}

// CF-23.4: whom the foot of each sheltering crew fights.
void NoteSheltered(const Field& field, CombatsSoFar& so_far) {
  const State& s = field.Game();
  for (int g = 0; g < static_cast<int>(s.units.size()); ++g) {
    if (!IsGun(s, g) || At(s, g).body.crew != Crew::kSheltering) continue;
    for (const Melee& melee : so_far.melees) {
      const auto side = static_cast<std::size_t>(Info(s, g).side);
      if (Any(melee.units[side], [&](int f) { return BeforeFightingFoot(field, g, f); }))
        so_far.sheltered.push_back({g, melee.units[1 - side]});
    }
  }
}

// Where its foot did not fight this turn, any enemy may be one of that combat.
bool WasInItsCombat(const CombatsSoFar& so_far, int gun, int enemy) {
  bool known = false;
  for (const auto& [of, enemies] : so_far.sheltered) {
    if (of != gun) continue;
    known = true;
    if (Has(enemies, enemy)) return true;
  }
  return !known;
}

}  // namespace

void FightCombats(Play& play) {
  using Step = CombatsSoFar::Step;
  const State& s = play.Now();
  CombatsSoFar so_far = play.Resumed<CombatsSoFar>().value_or(CombatsSoFar());
  const auto next_step = [&](Step step) {
    so_far.step = step;
    so_far.next = 0;
    play.Keep(so_far);
  };
  if (so_far.step == Step::kCharges) {
    for (; so_far.side < 2; ++so_far.side) {
      if (so_far.next == 0)
        so_far.order = ChargersInOrder(play, so_far.side == 0 ? s.initiative : 1 - s.initiative);
      while (so_far.next < so_far.order.size()) {
        const int u = so_far.order[so_far.next++];
        if (At(s, u).charge.target.has_value() && At(s, u).OnTable())
          RunCharge(play, u, so_far.rolls);
        play.Keep(so_far);
      }
      so_far.next = 0;
    }
    next_step(Step::kCloseFire);
  }
  if (so_far.step == Step::kCloseFire) {
    EngageCloseFire(play);
    ShelterCrews(play);
    RoutHelpless(play);
    so_far.melees = MeleesOf(s);
    NoteSheltered(play.Measure(), so_far);
    next_step(Step::kCombats);
  }
  if (so_far.step == Step::kCombats) {
    while (so_far.next < so_far.melees.size()) {
      const Melee& melee = so_far.melees[so_far.next++];
      if (melee.units[0].empty() || melee.units[1].empty()) continue;
      Fight(play, melee, so_far.met_by);
      play.Keep(so_far);
    }
    next_step(Step::kPursuits);
  }
  if (so_far.step == Step::kPursuits) {
    for (; so_far.next + 1 < so_far.met_by.size(); so_far.next += 2) {
      play.Keep(so_far);
      MeetNewEnemy(play, so_far.met_by[so_far.next], so_far.met_by[so_far.next + 1]);
    }
    if (!so_far.met_by.empty()) {
      ShelterCrews(play);
      RoutHelpless(play);
    }
    so_far.melees = FreshMelees(s, so_far.met_by);
    NoteSheltered(play.Measure(), so_far);
    next_step(Step::kFresh);
  }
  if (so_far.step == Step::kFresh)
    while (so_far.next < so_far.melees.size()) {
      const Melee& melee = so_far.melees[so_far.next++];
      Fight(play, melee, so_far.met_again);
      play.Keep(so_far);
    }
  if (so_far.step == Step::kEnd) return;
  // Units fight one fresh combat a turn: those whom a second pursuit met fight in the next turn.
  for (std::size_t i = 0; i + 1 < so_far.met_again.size(); i += 2)
    if (StillMeet(play, so_far.met_again[i], so_far.met_again[i + 1]))
      play.Engage(so_far.met_again[i], so_far.met_again[i + 1]);
  // Ends the combat of pairs that are no longer in contact or close fire.
  const Field field = play.Measure();
  const std::vector<Engaged> close = CloseFirePairs(field);
  std::vector<Engaged> in_contact;
  for (const Engaged& pair : std::vector<Engaged>(s.engaged)) {
    const bool touching = field.Contact(field.Gap(pair.a, pair.b));
    const bool firing = std::any_of(close.begin(), close.end(), [&](const Engaged& c) {
      return (c.a == pair.a && c.b == pair.b) || (c.a == pair.b && c.b == pair.a);
    });
    if (touching) in_contact.push_back(pair);
    if (!touching && !firing) play.Part(pair.a);
  }
  // The others that a parted unit touches or fires at still fight it (CF-22.1).
  for (const Engaged& pair : in_contact) play.Engage(pair.a, pair.b);
  for (const Engaged& pair : close) play.Engage(pair.a, pair.b);
  // CF-23.4: crews return once the enemy is driven off.
  for (int g = 0; g < static_cast<int>(s.units.size()); ++g)
    if (IsGun(s, g) && At(s, g).OnTable() && At(s, g).body.crew == Crew::kSheltering) {
      const Field field_now = play.Measure();
      bool near = false;
      for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
        near = near || (Info(s, v).side != Info(s, g).side && WasInItsCombat(so_far, g, v) &&
                        field.Gap(g, v) <= play.Book().guns.no_formed_enemy_within);
      if (!near && !InTheWay(field_now, g, field_now.Bases(g)))
        play.Set(g, Of::kCrew, Crew::kServing);
    }
  next_step(Step::kEnd);
}
}  // namespace fos::closefire
