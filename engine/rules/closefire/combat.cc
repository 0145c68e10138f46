// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/combat.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fos::closefire {
namespace {

using open_table::Ahead;
using open_table::Rightward;

}  // namespace

bool FootTarget(const State& s, int unit) {
  return IsFoot(s, unit) || (IsDismounted(s, unit) && s.Rulings().dragoons_are_foot_targets);
}
std::vector<int> ChargersOf(const State& s, int unit) {
  std::vector<int> out;
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (At(s, v).charge.target == unit && At(s, v).OnTable()) out.push_back(v);
  return out;
}
std::optional<int> ChargerOf(const State& s, int unit) {
  const std::vector<int> all = ChargersOf(s, unit);
  return all.empty() ? std::nullopt : std::optional(all.front());
}
// CF-18.9: a unit that charges behind others of its body has reached their target.
std::vector<int> ChargedBy(const Field& field, int unit) {
  const State& s = field.Game();
  if (!ChargedNow(s, unit)) return {};
  const std::vector<int> opponents = OpponentsOf(s, unit);
  std::vector<int> out;
  for (const int v : opponents)
    if (At(s, unit).charge.target == v || field.Contact(field.Gap(unit, v))) out.push_back(v);
  // CF-23.4: where the crew of the gun it reached took shelter, it met the foot behind.
  return out.empty() ? opponents : out;
}
bool ChargedFoot(const Field& field, int unit) {
  const State& s = field.Game();
  return IsCavalry(s, unit) && Any(ChargedBy(field, unit), [&](int v) { return FootTarget(s, v); });
}
namespace {

// Whether an enemy is in the zone of CF-20.5: ahead of the front, widening by 45 degrees from
// either front corner.
bool InZone(const Field& field, const Base& base, int enemy) {
  const auto& book = field.Game().Book().numbers;
  const Vec2 apex = open_table::FrontCentre(base) - base.width / 2 * Ahead(base.facing_deg);
  return std::any_of(field.Bases(enemy).begin(), field.Bases(enemy).end(), [&](const Base& other) {
    return open_table::Gap(base, other) <= book.other_distance &&
           open_table::InWedge(apex, base.facing_deg, book.other_flank_deg, other, true);
  });
}

// The bases of the front rank from left to right, and the rank of every base.
struct Ranked {
  std::vector<std::size_t> front;  // indices of bases, left to right
  std::vector<int> rank;           // by base; 0 is the front rank
};
Ranked RanksOf(const Field& field, int unit) {
  const std::vector<Base>& bases = field.Bases(unit);
  const Field::Front front = field.FrontOf(unit);
  const Vec2 ahead = Ahead(front.facing_deg);
  const Vec2 right = Rightward(front.facing_deg);
  Ranked out;
  double most = -std::numeric_limits<double>::infinity();
  for (const Base& base : bases) most = std::max(most, Dot(base.centre, ahead));
  const bool ranks = IsFormed(field.Game(), unit);
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const double back = most - Dot(bases[i].centre, ahead);
    const int rank =
        ranks && bases[i].depth > 0 ? static_cast<int>(std::lround(back / bases[i].depth)) : 0;
    // The wing of a bent line is not a second rank: no base stands in front of it.
    bool covered = false;
    for (std::size_t j = 0; j < bases.size() && !covered; ++j)
      covered = j != i && Dot(bases[j].centre - bases[i].centre, ahead) > 0.5 * bases[i].depth &&
                std::abs(Dot(bases[j].centre - bases[i].centre, right)) < 0.5 * bases[i].width;
    out.rank.push_back(covered ? std::max(1, rank) : 0);
    if (out.rank.back() == 0) out.front.push_back(i);
  }
  std::sort(out.front.begin(), out.front.end(), [&](std::size_t a, std::size_t b) {
    return Dot(bases[a].centre, right) < Dot(bases[b].centre, right);
  });
  return out;
}

int CavalryNumbers(const Field& field, int unit, const std::vector<int>& enemies) {
  const Ranked ranked = RanksOf(field, unit);
  const int most = field.Game().Book().numbers.cavalry_overlap_each_flank;
  std::vector<bool> touch;
  for (const std::size_t i : ranked.front)
    touch.push_back(Any(enemies, [&](int v) {
      const std::vector<open_table::Placed>& others = field.Body(v).placed;
      return std::any_of(others.begin(), others.end(), [&](const open_table::Placed& other) {
        return field.Contact(open_table::Gap(field.Body(unit).placed[i], other));
      });
    }));
  const auto first = std::find(touch.begin(), touch.end(), true);
  if (first == touch.end()) return 0;
  const auto last = std::find(touch.rbegin(), touch.rend(), true).base();
  const int left = static_cast<int>(first - touch.begin());
  const int right = static_cast<int>(touch.end() - last);
  return 100 * (static_cast<int>(std::count(first, last, true)) + std::min(most, left) +
                std::min(most, right));
}

// Whether the unit is an assault column that moved towards one of these enemies this turn.
bool AdvancingAssault(const Field& field, int unit, const std::vector<int>& enemies) {
  const Unit& u = At(field.Game(), unit);
  if (u.body.formation != Formation::kAssault || !u.march.moved) return false;
  if (u.march.from.x == 0 && u.march.from.y == 0) return true;
  const Vec2 from{Yd(u.march.from.x), Yd(u.march.from.y)};
  return Any(enemies, [&](int v) {
    return Distance(field.Centre(unit), field.Centre(v)) < Distance(from, field.Centre(v));
  });
}

int OtherNumbers(const Field& field, int unit, const std::vector<int>& enemies) {
  const State& s = field.Game();
  const auto& book = s.Book().numbers;
  const Ranked ranked = RanksOf(field, unit);
  const bool assault = AdvancingAssault(field, unit, enemies);
  const bool column = At(s, unit).body.formation == Formation::kAssault;
  const bool cavalry = Any(enemies, [&](int v) { return IsCavalry(s, v); });
  const bool unformed = IsUnformed(s, unit);
  int sum = 0;
  bool any = false;
  for (std::size_t i = 0; i < field.Bases(unit).size(); ++i) {
    const int rank = unformed ? 0 : ranked.rank[i];
    if (rank > 0 && !assault) continue;
    if (rank == 0) {
      const Base& base = field.Bases(unit)[i];
      const bool near = Any(enemies, [&](int v) {
        if (!unformed) return InZone(field, base, v);
        return std::any_of(field.Bases(v).begin(), field.Bases(v).end(), [&](const Base& other) {
          return open_table::Gap(base, other) <= book.other_distance;
        });
      });
      if (!near) continue;
      any = true;
    }
    int worth = 100;
    if (At(s, unit).bases[i].pike) {
      if (column && rank == 0) {
        worth = book.pike_front_of_assault_column;
      } else {
        worth = cavalry ? book.pike_vs_cavalry : book.pike_otherwise;
      }
    }
    if (IsDismounted(s, unit)) worth = worth * book.dismounted_dragoons / 100;
    if (assault) {
      if (rank >= static_cast<int>(book.assault_advancing_ranks.size())) continue;
      worth = worth * book.assault_advancing_ranks[static_cast<std::size_t>(rank)] / 100;
    }
    sum += worth;
  }
  return any ? sum : 0;
}

const std::vector<int>& SideOf(const Melee& melee, const State& s, int unit) {
  return melee.units[static_cast<std::size_t>(Info(s, unit).side)];
}
const std::vector<int>& EnemiesOf(const Melee& melee, const State& s, int unit) {
  return melee.units[static_cast<std::size_t>(1 - Info(s, unit).side)];
}

// CF-20.4: whether the unit can still use reserved fire.
bool Reserved(const State& s, int unit) {
  const Unit& u = At(s, unit);
  if (u.fire.fired || ChargedNow(s, unit) || u.body.bayonets_fixed || u.body.fascines) return false;
  if (IsDismounted(s, unit)) return s.Rulings().dragoons_reserved_fire;
  return IsFoot(s, unit) && !Info(s, unit).hand_weapons && u.body.formation == Formation::kLine;
}

// The enemy whose ground is compared (CF-20.4): the one with most bases in contact, else the
// nearest.
std::optional<UnitId> Facing(const Field& field, int unit) {
  std::optional<UnitId> best;
  double least = std::numeric_limits<double>::infinity();
  int most = 0;
  for (const int v : OpponentsOf(field.Game(), unit)) {
    const std::vector<open_table::Placed>& ours = field.Body(unit).placed;
    const std::vector<open_table::Placed>& theirs = field.Body(v).placed;
    const auto touches = [&](const open_table::Placed& b) {
      return std::any_of(ours.begin(), ours.end(), [&](const open_table::Placed& a) {
        return field.Contact(open_table::Gap(a, b));
      });
    };
    const int touching = static_cast<int>(std::count_if(theirs.begin(), theirs.end(), touches));
    const double gap = field.Gap(unit, v);
    if (touching > most || (touching == most && gap < least)) {
      best = v;
      most = touching;
      least = gap;
    }
  }
  return best;
}

// CF-18.9: the unit and all others that charged in its body and reached the enemy.
std::vector<int> BodyOf(const State& s, int unit) {
  std::vector<int> out = {unit};
  const std::optional<UnitId> group = At(s, unit).charge.group;
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (v != unit && group && At(s, v).charge.group == group && ChargedNow(s, unit) &&
        ChargedNow(s, v) && At(s, v).OnTable())
      out.push_back(v);
  return out;
}
bool Touches(const Field& field, int unit, int enemy) {
  return field.Contact(field.Gap(unit, enemy));
}
// Its ranks, plus those of units in its body that ride behind it without contact.
int RanksInBody(const Field& field, int unit) {
  const State& s = field.Game();
  int front = 0;
  int behind = 0;
  const std::vector<int> body = BodyOf(s, unit);
  for (const int v : body) {
    const int ranks = field.FrontOf(v).ranks;
    if (v == unit && body.size() == 1) return ranks;
    const bool touches = Any(OpponentsOf(s, v), [&](int e) { return Touches(field, v, e); });
    if (!touches) behind += ranks;
    if (touches && (v == unit || front == 0)) front = ranks;
  }
  return front + behind;
}
// CF-20.6: whether it is deeper than every enemy cavalry unit in contact with its body.
bool Deeper(const Field& field, int unit) {
  const State& s = field.Game();
  const int ranks = RanksInBody(field, unit);
  bool deeper = false;
  for (const int fellow : BodyOf(s, unit))
    for (const int v : OpponentsOf(s, fellow)) {
      if (!IsCavalry(s, v) || !Touches(field, fellow, v)) continue;
      if (ranks <= RanksInBody(field, v)) return false;
      deeper = true;
    }
  return deeper;
}

}  // namespace

bool ChargedNow(const State& s, int unit) {
  if (!At(s, unit).charge.reached) return false;
  return !At(s, unit).charge.counter || s.Rulings().countercharge_is_charge;
}
bool ThrowsD6(const State& s, int unit) { return ChargedNow(s, unit); }

namespace {
std::vector<int> OpponentsIn(const std::vector<Engaged>& pairs, int unit) {
  std::vector<int> out;
  for (const Engaged& pair : pairs) {
    if (pair.a == unit && !Has(out, pair.b)) out.push_back(pair.b);
    if (pair.b == unit && !Has(out, pair.a)) out.push_back(pair.a);
  }
  std::sort(out.begin(), out.end());
  return out;
}
}  // namespace

std::vector<int> OpponentsOf(const State& s, int unit) { return OpponentsIn(s.engaged, unit); }

std::vector<Melee> MeleesOf(const State& s) { return MeleesOf(s, s.engaged); }

std::vector<Melee> MeleesOf(const State& s, const std::vector<Engaged>& pairs) {
  std::vector<Melee> out;
  std::vector<bool> seen(s.units.size(), false);
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (seen[static_cast<std::size_t>(u)] || OpponentsIn(pairs, u).empty()) continue;
    std::vector<int> reached = {u};
    seen[static_cast<std::size_t>(u)] = true;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const int v : OpponentsIn(pairs, reached[i]))
        if (!seen[static_cast<std::size_t>(v)]) {
          seen[static_cast<std::size_t>(v)] = true;
          reached.push_back(v);
        }
    std::sort(reached.begin(), reached.end());
    Melee melee;
    for (const int v : reached) melee.units[static_cast<std::size_t>(Info(s, v).side)].push_back(v);
    out.push_back(melee);
  }
  return out;
}

namespace {
bool OutOfCloseFire(const State& s, int unit) {
  const Conduct status = At(s, unit).body.conduct;
  return !At(s, unit).OnTable() || status == Conduct::kRouting || status == Conduct::kRetiring ||
         (IsGun(s, unit) && At(s, unit).body.crew != Crew::kServing);
}
bool GivesCloseFire(const State& s, int unit) {
  return !OutOfCloseFire(s, unit) && (IsFoot(s, unit) || IsDismounted(s, unit)) &&
         (s.Rulings().close_fire_any || At(s, unit).march.moved);
}
bool ReachesInCloseFire(const Field& field, int unit, int enemy) {
  const State& s = field.Game();
  return Info(s, enemy).side != Info(s, unit).side && !OutOfCloseFire(s, enemy) &&
         field.Within(unit, enemy, s.Book().close_fire) &&
         field.InFrontWithin(unit, enemy, s.Book().close_fire);
}
}  // namespace

// CF-19.1.
std::vector<Engaged> CloseFirePairs(const Field& field) {
  const State& s = field.Game();
  std::vector<Engaged> out;
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (!GivesCloseFire(s, u)) continue;
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
      if (ReachesInCloseFire(field, u, v)) out.push_back({u, v});
  }
  return out;
}

bool InCloseFire(const Field& field, int a, int b) {
  const auto fires = [&](int unit, int enemy) {
    return GivesCloseFire(field.Game(), unit) && ReachesInCloseFire(field, unit, enemy);
  };
  return fires(a, b) || fires(b, a);
}

bool BeforeFightingFoot(const Field& field, int gun, int foot) {
  const State& s = field.Game();
  return IsFoot(s, foot) && Info(s, foot).side == Info(s, gun).side && IsFormed(s, foot) &&
         InCombat(s, foot) && field.InFrontWithin(foot, gun, s.Book().guns.crew_shelter_distance);
}

std::vector<int> ShelteringGuns(const Field& field) {
  const State& s = field.Game();
  std::vector<int> out;
  for (int g = 0; g < static_cast<int>(s.units.size()); ++g) {
    if (!IsGun(s, g) || !At(s, g).OnTable() || At(s, g).body.crew != Crew::kServing) continue;
    for (int f = 0; f < static_cast<int>(s.units.size()); ++f)
      if (BeforeFightingFoot(field, g, f)) {
        out.push_back(g);
        break;
      }
  }
  return out;
}

int NumbersOf(const Field& field, int unit, const Melee& melee) {
  const State& s = field.Game();
  const std::vector<int>& enemies = EnemiesOf(melee, s, unit);
  const UnitInfo& info = Info(s, unit);
  if (info.arm == Arm::kCivilians) return 0;
  if (IsGun(s, unit))
    return At(s, unit).body.formation == Formation::kLimbered ? 0
                                                              : OtherNumbers(field, unit, enemies);
  return IsCavalry(s, unit) ? CavalryNumbers(field, unit, enemies)
                            : OtherNumbers(field, unit, enemies);
}

// CF-20.4, CF-20.6.
Fighter FighterOf(const Field& field, int unit, const Melee& melee) {
  const State& s = field.Game();
  const Unit& u = At(s, unit);
  const std::vector<int>& friends = SideOf(melee, s, unit);
  const std::vector<int>& enemies = EnemiesOf(melee, s, unit);
  const bool cavalry = IsCavalry(s, unit);
  const bool pursuing = u.body.conduct == Conduct::kPursuing && u.charge.reached;
  Fighter f;
  f.grade = Info(s, unit).grade;
  f.inspired = u.obeys.inspired;
  if (const std::optional<UnitId> facing = Facing(field, unit)) {
    f.works = u.charge.reached ? 0 : field.WorksAgainst(unit, *facing);
    const bool edge = !u.charge.reached ||
                      field.LevelAt(field.Centre(unit)) > field.LevelAt(field.Centre(*facing));
    f.ground = edge && field.GroundAgainst(unit, *facing);
  }
  f.charging_or_pursuing = ChargedNow(s, unit) || pursuing;
  const auto all = [&](auto holds) {
    return !enemies.empty() && std::all_of(enemies.begin(), enemies.end(), holds);
  };
  const bool outrance =
      u.charge.outrance && ChargedNow(s, unit) &&
      (s.Rulings().outrance_cavalry_only ? all([&](int v) { return IsCavalry(s, v); })
                                         : all([&](int v) { return !FootTarget(s, v); }));
  f.impact = outrance || (cavalry && pursuing);
  if (cavalry && !Info(s, unit).new_style && !IsUnformed(s, unit)) f.depth = Deeper(field, unit);
  f.reserved = Reserved(s, unit);
  f.unready = u.charge.contacted_by_cavalry &&
              (((IsFoot(s, unit) || IsGun(s, unit)) && u.march.moved) ||
               (IsFoot(s, unit) && Info(s, unit).plug_bayonets && !u.body.bayonets_fixed));
  f.flank = u.charge.flanked && !IsUnformed(s, unit);
  const bool alone = IsGun(s, unit) && std::all_of(friends.begin(), friends.end(),
                                                   [&](int v) { return IsGun(s, v); });
  f.disorder_of_march = IsUnformed(s, unit) || u.body.formation == Formation::kMarch || alone;
  f.dp = u.body.dp;
  f.casualties = u.body.casualties;
  for (const int v : friends) f.own_hundredths += NumbersOf(field, v, melee);
  for (const int v : enemies) f.enemy_hundredths += NumbersOf(field, v, melee);
  return f;
}
}  // namespace fos::closefire
