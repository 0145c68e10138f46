#include "engine/rules/closefire/combat.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/play.h"

namespace fos::closefire {
namespace {

using open_table::Ahead;
using open_table::Rightward;

bool Any(const std::vector<int>& units, auto holds) {
  return std::any_of(units.begin(), units.end(), holds);
}
bool Has(const std::vector<int>& units, int unit) {
  return std::find(units.begin(), units.end(), unit) != units.end();
}
// Foot as targets of a charge (CF-21, dragoons_are_foot_targets).
bool FootTarget(const State& s, int unit) {
  return IsFoot(s, unit) || (IsDismounted(s, unit) && s.Rulings().dragoons_are_foot_targets);
}
bool ChargedFoot(const State& s, int unit) {
  return IsCavalry(s, unit) && ChargedNow(s, unit) &&
         Any(OpponentsOf(s, unit), [&](int v) { return FootTarget(s, v); });
}

// The zone of CF-20.5: before the front, spreading by 45 degrees from either front corner.
bool InZone(const Field& field, const Base& base, int enemy) {
  const auto& book = field.Game().Book().numbers;
  const Vec2 apex = open_table::FrontCentre(base) - base.width / 2 * Ahead(base.facing_deg);
  return std::any_of(field.Bases(enemy).begin(), field.Bases(enemy).end(), [&](const Base& other) {
    return open_table::Gap(base, other) <= book.other_distance &&
           open_table::InWedge(apex, base.facing_deg, book.other_flank_deg, other, true);
  });
}

// Files of the front rank in order from the left, as indices of bases; behind each its rank.
struct Ranked {
  std::vector<std::size_t> front;  // left to right
  std::vector<int> rank;           // of every base, from 0
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
    // A bent line's wing is no second rank: nobody stands in front of it.
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
      return std::any_of(field.Bases(v).begin(), field.Bases(v).end(), [&](const Base& other) {
        return field.Contact(open_table::Gap(field.Bases(unit)[i], other));
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

bool AdvancingAssault(const State& s, int unit) {
  return At(s, unit).As<Formation>(Of::kFormation) == Formation::kAssault &&
         At(s, unit)[Of::kMoved] != 0;
}

int OtherNumbers(const Field& field, int unit, const std::vector<int>& enemies) {
  const State& s = field.Game();
  const auto& book = s.Book().numbers;
  const Ranked ranked = RanksOf(field, unit);
  const bool assault = AdvancingAssault(s, unit);
  const bool column = At(s, unit).As<Formation>(Of::kFormation) == Formation::kAssault;
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

// CF-20.4: foot that can still give its fire.
bool Reserved(const State& s, int unit) {
  const Unit& u = At(s, unit);
  if (u[Of::kFired] != 0 || ChargedNow(s, unit) || u[Of::kFixed] != 0 || u[Of::kFascines] != 0)
    return false;
  if (IsDismounted(s, unit)) return s.Rulings().dragoons_reserved_fire;
  return IsFoot(s, unit) && !Info(s, unit).hand_weapons &&
         u.As<Formation>(Of::kFormation) == Formation::kLine;
}

// The enemy compared with: most bases in contact, else nearest (CF-20.4 ground).
int Facing(const Field& field, int unit) {
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  int most = 0;
  for (const int v : OpponentsOf(field.Game(), unit)) {
    int touching = 0;
    for (const Base& a : field.Bases(unit))
      for (const Base& b : field.Bases(v)) touching += field.Contact(open_table::Gap(a, b));
    const double gap = field.Gap(unit, v);
    if (touching > most || (touching == most && gap < least)) {
      best = v;
      most = touching;
      least = gap;
    }
  }
  return best;
}

}  // namespace

bool ChargedNow(const State& s, int unit) {
  if (At(s, unit)[Of::kReached] == 0) return false;
  return At(s, unit)[Of::kCounter] == 0 || s.Rulings().countercharge_is_charge;
}
bool ThrowsD6(const State& s, int unit) { return ChargedNow(s, unit); }

std::vector<int> OpponentsOf(const State& s, int unit) {
  std::vector<int> out;
  for (const Engaged& pair : s.engaged) {
    if (pair.a == unit && !Has(out, pair.b)) out.push_back(pair.b);
    if (pair.b == unit && !Has(out, pair.a)) out.push_back(pair.a);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Melee> MeleesOf(const State& s) {
  std::vector<Melee> out;
  std::vector<bool> seen(s.units.size(), false);
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (seen[static_cast<std::size_t>(u)] || OpponentsOf(s, u).empty()) continue;
    std::vector<int> reached = {u};
    seen[static_cast<std::size_t>(u)] = true;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const int v : OpponentsOf(s, reached[i]))
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

// CF-19.1.
std::vector<Engaged> CloseFirePairs(const Field& field) {
  const State& s = field.Game();
  std::vector<Engaged> out;
  const auto out_of_it = [&](int u) {
    const Conduct status = At(s, u).As<Conduct>(Of::kStatus);
    return !At(s, u).OnTable() || status == Conduct::kRouting || status == Conduct::kRetiring ||
           (IsGun(s, u) && At(s, u).As<Crew>(Of::kCrew) != Crew::kServing);
  };
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (out_of_it(u) || !(IsFoot(s, u) || IsDismounted(s, u))) continue;
    if (!s.Rulings().close_fire_any && At(s, u)[Of::kMoved] == 0) continue;
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
      if (Info(s, v).side == Info(s, u).side || out_of_it(v)) continue;
      if (field.Gap(u, v) <= s.Book().close_fire && field.InFrontWedge(u, v)) out.push_back({u, v});
    }
  }
  return out;
}

std::vector<int> ShelteringGuns(const Field& field) {
  const State& s = field.Game();
  std::vector<int> out;
  for (int g = 0; g < static_cast<int>(s.units.size()); ++g) {
    if (!IsGun(s, g) || !At(s, g).OnTable() || At(s, g).As<Crew>(Of::kCrew) != Crew::kServing)
      continue;
    for (int f = 0; f < static_cast<int>(s.units.size()); ++f)
      if (IsFoot(s, f) && Info(s, f).side == Info(s, g).side && IsFormed(s, f) && InCombat(s, f) &&
          field.Gap(g, f) <= s.Book().guns.crew_shelter_distance && field.InFrontWedge(f, g)) {
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
    return At(s, unit).As<Formation>(Of::kFormation) == Formation::kLimbered
               ? 0
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
  const bool pursuing = u.As<Conduct>(Of::kStatus) == Conduct::kPursuing && u[Of::kReached] != 0;
  Fighter f;
  f.grade = Info(s, unit).grade;
  f.inspired = u[Of::kInspired];
  const int facing = Facing(field, unit);
  if (facing >= 0) {
    f.works = u[Of::kReached] != 0 ? 0 : field.WorksAgainst(unit, facing);
    const bool edge = u[Of::kReached] == 0 ||
                      field.LevelAt(field.Centre(unit)) > field.LevelAt(field.Centre(facing));
    f.ground = edge && field.GroundAgainst(unit, facing);
  }
  f.charging_or_pursuing = ChargedNow(s, unit) || pursuing;
  const auto all = [&](auto holds) {
    return !enemies.empty() && std::all_of(enemies.begin(), enemies.end(), holds);
  };
  const bool outrance =
      u[Of::kOutrance] != 0 && ChargedNow(s, unit) &&
      (s.Rulings().outrance_cavalry_only ? all([&](int v) { return IsCavalry(s, v); })
                                         : all([&](int v) { return !FootTarget(s, v); }));
  f.impact = outrance || (cavalry && pursuing);
  if (cavalry && !Info(s, unit).new_style && !IsUnformed(s, unit)) {
    bool deeper = false;
    for (const int v : OpponentsOf(s, unit))
      if (IsCavalry(s, v) && field.Contact(field.Gap(unit, v))) {
        if (field.FrontOf(unit).ranks <= field.FrontOf(v).ranks) {
          deeper = false;
          break;
        }
        deeper = true;
      }
    f.depth = deeper;
  }
  f.reserved = Reserved(s, unit);
  f.unready = u[Of::kContactedByCavalry] != 0 &&
              (((IsFoot(s, unit) || IsGun(s, unit)) && u[Of::kMoved] != 0) ||
               (IsFoot(s, unit) && Info(s, unit).plug_bayonets && u[Of::kFixed] == 0));
  f.flank = u[Of::kFlanked] != 0 && !IsUnformed(s, unit);
  const bool alone = IsGun(s, unit) && std::all_of(friends.begin(), friends.end(),
                                                   [&](int v) { return IsGun(s, v); });
  f.disorder_of_march =
      IsUnformed(s, unit) || u.As<Formation>(Of::kFormation) == Formation::kMarch || alone;
  f.dp = u[Of::kDp];
  f.casualties = u[Of::kCasualties];
  for (const int v : friends) f.own_hundredths += NumbersOf(field, v, melee);
  for (const int v : enemies) f.enemy_hundredths += NumbersOf(field, v, melee);
  return f;
}

namespace {

// ---- results ----
enum class Act {
  kPursue,
  kFree,
  kRetire,
  kRemain,
  kRide,
  kRemainOrRetire,
  kAbandonAlive,
  kAbandonDead,
  kRout
};

struct Verdict {
  int unit = -1;
  int side = 0;
  int difference = 0;
  Outcome outcome = Outcome::kInconclusive;
  Act act = Act::kRemain;
  bool charged_foot = false;
  bool cavalry = false;
  std::vector<int> opponents;
  Field::Front position;  // where it stood
};

// CF-21.2, CF-21.3, CF-21.4, CF-21.5, CF-21.6, CF-21.7.
Act ActOf(const State& s, const Field& field, const Verdict& v) {
  const int u = v.unit;
  const bool gun = IsGun(s, u);
  const bool stays = IsFoot(s, u) || IsDismounted(s, u) || gun;
  const bool facing_cavalry = Any(v.opponents, [&](int e) { return IsCavalry(s, e); });
  const bool low_grade = Info(s, u).grade >= Grade::kC;
  const bool only_guns =
      ChargedNow(s, u) && !v.opponents.empty() &&
      std::all_of(v.opponents.begin(), v.opponents.end(), [&](int e) { return IsGun(s, e); });
  switch (v.outcome) {
    case Outcome::kBreakthrough:
      return low_grade && !gun ? Act::kPursue : Act::kFree;
    case Outcome::kVictory:
      // "Did not inflict Defeat": at four the other side is only driven back.
      if (v.charged_foot && OutcomeOf(s.Book(), -v.difference) == Outcome::kDrivenBack)
        return Act::kRetire;
      return low_grade && !gun ? Act::kPursue : Act::kFree;
    case Outcome::kSuccess:
      if (v.charged_foot) return Act::kRetire;
      if (IsDismounted(s, u) || gun || (IsFoot(s, u) && facing_cavalry)) return Act::kRemain;
      if (v.cavalry && only_guns) return Act::kRide;
      return Act::kFree;
    case Outcome::kInconclusive: {
      if (v.charged_foot) return Act::kRetire;
      if (stays) return Act::kRemain;
      const bool single = std::all_of(v.opponents.begin(), v.opponents.end(), [&](int e) {
        return IsGun(s, e) || (IsCavalry(s, e) && field.FrontOf(e).ranks == 1);
      });
      if (At(s, u)[Of::kOutrance] != 0 && ChargedNow(s, u) && single) return Act::kRide;
      return Act::kRemainOrRetire;
    }
    case Outcome::kDrivenBack: {
      const bool cavalry_only =
          !v.opponents.empty() && std::all_of(v.opponents.begin(), v.opponents.end(), [&](int e) {
            return IsCavalry(s, e) && ChargedNow(s, e);
          });
      if (stays && cavalry_only) return Act::kRemain;
      return gun ? Act::kAbandonAlive : Act::kRetire;
    }
    case Outcome::kDefeat:
      return gun ? Act::kAbandonDead : Act::kRetire;
    case Outcome::kBreak:
      return gun ? Act::kAbandonDead : Act::kRout;
  }
  return Act::kRemain;
}

void ApplyLosses(Play& play, const Verdict& v) {
  const State& s = play.Now();
  const ResultRow& row = play.Book().results[static_cast<std::size_t>(v.outcome)];
  const int u = v.unit;
  if (IsGun(s, u) && (v.act == Act::kAbandonDead) && play.Rulings().gun_result_replaces_losses)
    return;
  int dp = row.dp;
  if (v.outcome == Outcome::kInconclusive) {
    const bool assault = At(s, u).As<Formation>(Of::kFormation) == Formation::kAssault;
    const bool outrance = At(s, u)[Of::kOutrance] != 0 && ChargedNow(s, u);
    const bool swedes = Info(s, u).swedish && ChargedNow(s, u) && play.Rulings().swedish_extra_dp;
    if (assault || outrance || swedes) dp = row.dp_outrance_or_assault_column;
  }
  int casualties = v.charged_foot ? row.casualties_cavalry_charged_foot : row.casualties;
  const std::string why(OutcomeName(v.outcome));
  const int cut = play.Hurt(u, dp, "CF-21.1", why);
  for (int i = 0; i < casualties; ++i) play.Casualty(u, "CF-21.1", why);
  if (dp > 0 || casualties + cut > 0) play.RiskLeaders(u, true);
}

struct Moves {
  std::vector<std::pair<int, double>> gone;  // units that routed or retired, and how far
  std::optional<double> Find(int unit) const {
    for (const auto& [u, yards] : gone)
      if (u == unit) return yards;
    return std::nullopt;
  }
};

std::vector<int> ResolveActs(Play& play, std::vector<Verdict>& verdicts) {
  const State& s = play.Now();
  Moves moves;
  std::vector<int> met_by;  // pairs: pursuer, met
  // The losers first; equal scores: the player with the initiative second (CF-21.8).
  std::stable_sort(verdicts.begin(), verdicts.end(), [&](const Verdict& a, const Verdict& b) {
    if (a.difference != b.difference) return a.difference < b.difference;
    return (a.side == s.initiative) < (b.side == s.initiative);
  });
  std::vector<std::pair<std::pair<int, int>, double>> gaps;
  for (const Verdict& v : verdicts)
    for (const int e : v.opponents) gaps.push_back({{v.unit, e}, play.Measure().Gap(v.unit, e)});
  const auto gap_between = [&](int a, int b) {
    for (const auto& [pair, gap] : gaps)
      if (pair.first == a && pair.second == b) return gap;
    return 0.0;
  };
  for (const Verdict& v : verdicts) {
    const int u = v.unit;
    if (!At(s, u).OnTable()) continue;
    const int enemy = v.opponents.empty() ? -1 : v.opponents.front();
    const auto retire = [&] { moves.gone.push_back({u, Retire(play, u, enemy).gone}); };
    std::vector<int> quarries;
    for (const int e : v.opponents)
      if (moves.Find(e).has_value() && At(s, e).OnTable()) quarries.push_back(e);
    const auto pursue = [&](int quarry) {
      const int met =
          Pursue(play, u, quarry, gap_between(u, quarry), moves.Find(quarry).value_or(0));
      if (met >= 0) {
        met_by.push_back(u);
        met_by.push_back(met);
      }
    };
    // Those whose opponents are all gone fight nobody any more.
    Act act = v.act;
    if (act == Act::kPursue && (quarries.empty() || IsGun(s, u))) act = Act::kFree;
    if (act == Act::kRide) {
      const bool gone = enemy < 0 || !At(s, enemy).OnTable();
      if (!gone && RideThrough(play, u, enemy)) continue;
      act = Act::kRemainOrRetire;
    }
    switch (act) {
      case Act::kPursue:
        pursue(quarries.front());
        break;
      case Act::kFree: {
        std::vector<std::string> words = {"stay"};
        if (!quarries.empty() && !IsGun(s, u)) words.push_back("pursue");
        if (v.cavalry) words.push_back("retire");
        // The nearest left position nobody of the enemy holds.
        int left = -1;
        for (const int e : v.opponents)
          if (moves.Find(e).has_value() || !At(s, e).OnTable() ||
              (IsGun(s, e) && At(s, e).As<Crew>(Of::kCrew) != Crew::kServing))
            left = left < 0 ? e : left;
        if (left >= 0 && (IsFoot(s, u) || IsDismounted(s, u))) words.push_back("take");
        const std::string& word =
            words[play.Choose(v.side, words, play.Name(u) + " is free to choose", "CF-21.9")];
        if (word == "pursue") {
          pursue(quarries.front());
        } else {
          if (v.outcome == Outcome::kBreakthrough && v.cavalry && !quarries.empty() &&
              Info(s, u).grade <= Grade::kB)
            play.Hurt(u, play.Book().after.decline_pursuit_dp_cavalry, "CF-21.2",
                      "declining to pursue");
          if (word == "retire") retire();
          if (word == "take") {
            for (const Verdict& other : verdicts)
              if (other.unit == left) {
                bool held = false;
                for (const int e : v.opponents)
                  held = held || (At(s, e).OnTable() && !moves.Find(e).has_value() && !IsGun(s, e));
                if (!held) TakePosition(play, u, other.position);
              }
          }
        }
        break;
      }
      case Act::kRetire:
        retire();
        break;
      case Act::kRemain:
        play.Tell("CF-22.1", play.Name(u) + " remains.");
        break;
      case Act::kRemainOrRetire:
        if (play.Choose(v.side, {"stay", "retire"}, play.Name(u) + " stays or retires",
                        "CF-21.4") == 1)
          retire();
        break;
      case Act::kAbandonAlive:
        Abandon(play, u, false, "CF-21.5");
        break;
      case Act::kAbandonDead:
        Abandon(play, u, true, "CF-21.6");
        break;
      case Act::kRout:
        moves.gone.push_back({u, Rout(play, u, enemy).gone});
        break;
      case Act::kRide:
        break;
    }
  }
  return met_by;
}

void Fight(Play& play, const Melee& melee, std::vector<int>& met_by) {
  const State& s = play.Now();
  SideScore scores[2];
  std::vector<Verdict> verdicts;
  for (int side = 0; side < 2; ++side) {
    const auto& units = melee.units[static_cast<std::size_t>(side)];
    scores[side].units = static_cast<int>(std::max<std::size_t>(1, units.size()));
    for (const int u : units) {
      const Field field = play.Measure();
      const Fighter fighter = FighterOf(field, u, melee);
      const bool d6 = ThrowsD6(s, u);
      const int die = play.Roll(side, {d6 ? Die::kD6 : Die::kAverage},
                                fmt::format("combat of {} ({})", play.Name(u),
                                            CombatSum(play.Book(), fighter, 0).Text()),
                                "CF-20.2")
                          .front();
      const Sum sum = CombatSum(play.Book(), fighter, die);
      scores[side].total += sum.Total();
      play.Tell("CF-20.3", fmt::format("{}: {}.", play.Name(u), sum.Text()));
      verdicts.push_back({u, side, 0, Outcome::kInconclusive, Act::kRemain, ChargedFoot(s, u),
                          IsCavalry(s, u), OpponentsOf(s, u), field.FrontOf(u)});
    }
  }
  for (Verdict& v : verdicts) {
    v.difference = Difference(play.Rulings(), scores[v.side], scores[1 - v.side]);
    v.outcome = OutcomeOf(play.Book(), v.difference);
  }
  {
    const Field field = play.Measure();
    for (Verdict& v : verdicts) v.act = ActOf(s, field, v);
  }
  for (const Verdict& v : verdicts) {
    play.Set(v.unit, Of::kFought, 1);
    play.Tell("CF-21.1", fmt::format("{}: {:+d}, {}.", play.Name(v.unit), v.difference,
                                     OutcomeName(v.outcome)));
  }
  for (const Verdict& v : verdicts) ApplyLosses(play, v);
  const std::vector<int> met = ResolveActs(play, verdicts);
  met_by.insert(met_by.end(), met.begin(), met.end());
}

// ---- charges ----
void CheckCharge(Play& play, int unit, int target, const DiceSet& dice, bool outrance) {
  const State& s = play.Now();
  const Unit& u = At(s, unit);
  const Field field = play.Measure();
  play.Require(u.OnTable() && At(s, target).OnTable() && Info(s, unit).side != Info(s, target).side,
               "CF-18.1", "a charge is at an enemy on the table", false);
  const bool swedes = Info(s, unit).swedish && IsFoot(s, unit) && play.Rulings().swedish_charge;
  play.Require(IsCavalry(s, unit) || swedes, "CF-18.1", "only cavalry charge");
  const Formation formation = u.As<Formation>(Of::kFormation);
  play.Require(formation != Formation::kMarch && formation != Formation::kAssault, "CF-18.1",
               play.Name(unit) + " is in column");
  play.Require(u[Of::kFascines] == 0, "CF-14.6", play.Name(unit) + " carries fascines");
  play.Require(u[Of::kSteadied] == 0, "CF-4.4", play.Name(unit) + " was steadied this turn");
  const bool must = u[Of::kMustCharge] != 0;
  const Control control = u.As<Control>(Of::kControl);
  play.Require(must || control != Control::kHalted, "CF-5.6",
               play.Name(unit) + " is halted by its control test");
  play.Require(control != Control::kRepeats || play.Rulings().repeat_may_charge, "CF-5.7",
               play.Name(unit) + " is bound to repeat its last move");
  const Conduct status = u.As<Conduct>(Of::kStatus);
  play.Require(status == Conduct::kReady, "CF-18.1",
               fmt::format("{} is {}", play.Name(unit), StatusName(status)));
  play.Require(!InCombat(s, unit), "CF-18.1", play.Name(unit) + " is in combat already");
  play.Require(u[Of::kCharging] == 0, "CF-18.1", play.Name(unit) + " has declared its charge",
               false);
  const double gap = AlongToContact(field, unit, target, s.setup->length_yd + s.setup->width_yd);
  play.Require(gap >= 0, "CF-18.2",
               fmt::format("{} does not lie straight ahead", play.Name(target)));
  play.Require(field.Sees(unit, target), "CF-18.1", play.Name(target) + " is not in sight");
  play.Require(!dice.empty() || gap <= play.Book().charge.free_from, "CF-18.2",
               fmt::format("{:.0f} yd off: at least one die", gap));
  if (swedes) {
    play.Require(IsFoot(s, target), "CF-18.8", "they charge enemy foot");
    play.Require(gap <= play.Book().charge.swedish_foot, "CF-18.8",
                 fmt::format("{:.0f} yd: {:g} at most", gap, play.Book().charge.swedish_foot));
  }
  if (!dice.empty()) {
    const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, false);
    play.Require(std::find(sets.begin(), sets.end(), dice) != sets.end(), "CF-12.2",
                 fmt::format("{} does not move by {}", play.Name(unit), DiceName(dice)), false);
    if (IsCavalry(s, unit) && play.Rulings().charge_obeys_pace && !must)
      play.Require(std::abs(static_cast<int>(dice.size()) - u[Of::kPace]) <=
                       play.Book().move.pace_change_max,
                   "CF-12.9",
                   fmt::format("{} dice after {}: the pace changes by two at most", dice.size(),
                               u[Of::kPace]));
    if (must && play.Rulings().failed_charge_same_dice)
      play.Require(
          SetIndex(dice) == u[Of::kMissed], "CF-5.8",
          fmt::format("it charges again by the same dice: {}", DiceName(SetAt(u[Of::kMissed]))));
  }
  if (outrance)
    play.Require(
        (Info(s, unit).arm == Arm::kHussars) || (Info(s, unit).new_style && IsCavalry(s, unit)),
        "CF-2.1", "new-style cavalry and hussars charge a l'outrance");
  const std::string close = field.CloseCall(gap, play.Book().charge.free_from);
  if (!close.empty()) play.Tell("CF-1.3", close + ".");
}

void DeclareCharge(Play& play, const Words& words) {
  const State& s = play.Now();
  play.Require(words.units.size() >= 2, "CF-18.1", "say who charges whom", false);
  const int target = words.units.back();
  for (std::size_t i = 0; i + 1 < words.units.size(); ++i) {
    const int unit = words.units[i];
    play.Require(Info(s, unit).side == s.to_act, "CF-18.1", "the other side names its charges now",
                 false);
    CheckCharge(play, unit, target, words.dice, words.Has("outrance"));
  }
  for (std::size_t i = 0; i + 1 < words.units.size(); ++i) {
    const int unit = words.units[i];
    play.Set(unit, Of::kCharging, target + 1);
    play.Set(unit, Of::kChargeSet, SetIndex(words.dice));
    play.Set(unit, Of::kChargeGroup, words.units.front() + 1);
    play.Set(unit, Of::kOutrance, words.Has("outrance"));
    play.Tell(words.Has("outrance") ? "CF-18.7" : "CF-18.1",
              fmt::format("{} charges {} by {}{}.", play.Name(unit), play.Name(target),
                          DiceName(words.dice), words.Has("outrance") ? ", a l'outrance" : ""));
  }
}

// The unit that charges this one; -1.
int ChargerOf(const State& s, int unit) {
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (At(s, v)[Of::kCharging] == unit + 1 && At(s, v).OnTable()) return v;
  return -1;
}

void Respond(Play& play, const Words& words) {
  const State& s = play.Now();
  const int unit = words.units[0];
  const int charger = ChargerOf(s, unit);
  play.Require(Info(s, unit).side == s.to_act, "CF-18.4", "the other side answers now", false);
  play.Require(charger >= 0, "CF-18.4", "nobody charges " + play.Name(unit), false);
  const Unit& u = At(s, unit);
  const Field field = play.Measure();
  const double gap = AlongToContact(field, charger, unit, s.setup->length_yd + s.setup->width_yd);
  if (words.verb == "counter") {
    play.Require(IsCavalry(s, unit), "CF-18.4", "cavalry counter-charge");
    play.Require(u.As<Formation>(Of::kFormation) != Formation::kMarch, "CF-18.1", "not in column");
    play.Require(u[Of::kFascines] == 0, "CF-14.6", "not with fascines");
    play.Require(u[Of::kSteadied] == 0 || play.Rulings().steadied_may_countercharge, "CF-4.4",
                 "it was steadied");
    play.Require(u.As<Conduct>(Of::kStatus) == Conduct::kReady && !InCombat(s, unit) &&
                     u[Of::kCharging] == 0,
                 "CF-18.4", play.Name(unit) + " cannot counter-charge");
    play.Require(field.InFrontWedge(unit, charger), "CF-18.4", "it does not face the charger");
    const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, false);
    play.Require(std::find(sets.begin(), sets.end(), words.dice) != sets.end(), "CF-12.2",
                 "not by those dice", false);
    if (play.Rulings().charge_obeys_pace)
      play.Require(std::abs(static_cast<int>(words.dice.size()) - u[Of::kPace]) <=
                       play.Book().move.pace_change_max,
                   "CF-12.9", fmt::format("{} dice after {}", words.dice.size(), u[Of::kPace]));
    if (words.Has("outrance"))
      play.Require(Info(s, unit).arm == Arm::kHussars || Info(s, unit).new_style, "CF-2.1",
                   "new-style cavalry and hussars charge a l'outrance");
    play.Set(unit, Of::kCounter, 1);
    play.Set(unit, Of::kChargeSet, SetIndex(words.dice));
    play.Set(unit, Of::kOutrance, words.Has("outrance"));
    play.Tell("CF-18.4",
              fmt::format("{} counter-charges by {}.", play.Name(unit), DiceName(words.dice)));
  } else if (words.verb == "evade") {
    play.Require(IsCavalry(s, unit) && IsUnformed(s, unit) && !Info(s, unit).mixed, "CF-18.5",
                 "hussars and other unformed cavalry evade");
    play.Set(unit, Of::kEvading, 1);
    play.Tell("CF-18.5", play.Name(unit) + " evades.");
  } else {
    play.Require(IsFoot(s, unit), "CF-18.6", "foot stand to receive");
    play.Require(gap > play.Book().charge.stand_to_receive_beyond, "CF-18.6",
                 fmt::format("the charge starts {:.0f} yd off: beyond {:g} wanted", gap,
                             play.Book().charge.stand_to_receive_beyond));
    if (words.Has("about")) {
      TurnAbout(play, unit);
      play.Tell("CF-18.6", play.Name(unit) + " turns about to receive the charge.");
    } else {
      std::vector<Base> bases = field.Bases(unit);
      play.Require(bases.size() > 1, "CF-18.6", "it has one stand", false);
      Base& end = words.Has("left") ? bases.front() : bases.back();
      end = open_table::Shifted(end, -end.depth * Ahead(end.facing_deg));
      play.PlaceBases(unit, bases);
      play.Tell("CF-18.6", "An end stand of " + play.Name(unit) + " steps back.");
    }
  }
}

double ChargeRoll(Play& play, int unit, const std::vector<int>& dice) {
  const State& s = play.Now();
  const Field field = play.Measure();
  const bool rough = field.RoughUnder(field.Bases(unit));
  const Formation f = At(s, unit).As<Formation>(Of::kFormation);
  Fatigue who;
  who.rough = rough;
  who.cavalry = IsCavalry(s, unit);
  who.foot = IsFoot(s, unit);
  who.line = f == Formation::kLine;
  who.unformed = f == Formation::kUnformed;
  play.ManoeuvreDp(
      unit, FatigueDp(play.Book(), play.Rulings(), who, SetAt(At(s, unit)[Of::kChargeSet]), dice),
      rough ? "CF-13.2" : "CF-13.1", "fatigue of the charge");
  return AllowanceYd(play.Book(), {dice, At(s, unit)[Of::kInspired] > 0, rough, false});
}

void MoveAhead(Play& play, int unit, double yards) {
  const Field field = play.Measure();
  play.PlaceBases(unit, ShiftedBases(field.Bases(unit), field.FrontOf(unit).facing_deg, yards));
  if (yards > 0) play.Moved(unit);
}

void Reach(Play& play, int unit, int target) {
  const State& s = play.Now();
  play.Set(unit, Of::kReached, 1);
  play.Set(unit, Of::kMissed, 0);
  play.Set(unit, Of::kMustCharge, 0);
  play.Set(target, Of::kContacted, 1);
  if (IsCavalry(s, unit)) play.Set(target, Of::kContactedByCavalry, 1);
  play.Engage(unit, target);
}

// CF-20.4: the charger's front began behind the line of the target's front edge.
bool BehindFlank(const Field& field, int unit, int target) {
  if (IsUnformed(field.Game(), unit) || IsUnformed(field.Game(), target)) return false;
  const Field::Front front = field.FrontOf(target);
  return Dot(field.FrontOf(unit).centre - front.centre, Ahead(front.facing_deg)) < 0;
}

// CF-18.2 to 18.5, CF-18.9: one roll for those who charge together.
void RunCharge(Play& play, int unit, std::vector<std::pair<int, std::vector<int>>>& rolls) {
  const State& s = play.Now();
  const int target = At(s, unit)[Of::kCharging] - 1;
  const int group = At(s, unit)[Of::kChargeGroup] - 1;
  std::vector<int> dice;
  const auto rolled =
      std::find_if(rolls.begin(), rolls.end(), [&](const auto& r) { return r.first == group; });
  if (rolled != rolls.end()) {
    dice = rolled->second;
  } else {
    dice =
        play.Roll(Info(s, unit).side, SetAt(At(s, unit)[Of::kChargeSet]),
                  fmt::format("charge of {} at {}", play.Name(unit), play.Name(target)), "CF-18.2");
    rolls.push_back({group, dice});
  }
  play.Set(unit, Of::kPaceNow, std::max(At(s, unit)[Of::kPaceNow], static_cast<int>(dice.size())));
  const Field field = play.Measure();
  if (!At(s, target).OnTable()) return;
  const double gap =
      std::max(0.0, AlongToContact(field, unit, target, s.setup->length_yd + s.setup->width_yd));
  const bool flank = BehindFlank(field, unit, target);
  double charge = ChargeRoll(play, unit, dice);
  if (gap <= play.Book().charge.free_from) charge = std::max(charge, gap);
  const auto miss = [&](double yards) {
    MoveAhead(play, unit, yards);
    play.Set(unit, Of::kMissed, std::max(1, At(s, unit)[Of::kChargeSet]));
    play.Tell("CF-18.3", fmt::format("{} goes {:.0f} yd and does not reach {} ({:.0f} yd).",
                                     play.Name(unit), yards, play.Name(target), gap));
  };
  if (At(s, target)[Of::kEvading] == 1) {
    const std::vector<int> fast = play.Roll(Info(s, target).side, FastDice(s, target),
                                            play.Name(target) + " evades", "CF-18.5");
    const double evade =
        AllowanceYd(play.Book(), {fast, At(s, target)[Of::kInspired] > 0, false, true});
    play.ManoeuvreDp(target, play.Book().charge.evade_dp, "CF-18.5", "evading");
    const double away = field.FrontOf(unit).facing_deg;
    const bool caught = charge >= gap + evade;
    play.Set(target, Of::kEvading, 2);
    std::vector<Base> to = ShiftedBases(field.Bases(target), away, evade);
    for (Base& base : to) base.facing_deg = open_table::WrappedBearing(away);
    play.PlaceBases(target, to);
    play.Moved(target);
    if (std::any_of(to.begin(), to.end(),
                    [&](const Base& b) { return field.OffTable(b.centre); })) {
      play.Destroy(target, Presence::kLeftTable, "CF-18.5", "evading over the edge");
      MoveAhead(play, unit, std::min(charge, gap));
      return;
    }
    if (!caught) {
      miss(charge);
      return;
    }
    MoveAhead(play, unit, gap + evade);
    play.Tell("CF-18.5", fmt::format("{} is caught.", play.Name(target)));
    Reach(play, unit, target);
    return;
  }
  if (At(s, target)[Of::kCounter] == 1 && At(s, target)[Of::kReached] == 0) {
    const std::vector<int> theirs =
        play.Roll(Info(s, target).side, SetAt(At(s, target)[Of::kChargeSet]),
                  "counter-charge of " + play.Name(target), "CF-18.4");
    play.Set(target, Of::kPaceNow,
             std::max(At(s, target)[Of::kPaceNow], static_cast<int>(theirs.size())));
    const double counter = ChargeRoll(play, target, theirs);
    const Meeting meeting = MeetingOf(gap, charge, counter);
    if (!meeting.met) {
      MoveAhead(play, target, counter);
      miss(charge);
      return;
    }
    MoveAhead(play, unit, meeting.from_charger_yd);
    MoveAhead(play, target, gap - meeting.from_charger_yd);
    play.Tell("CF-18.4", fmt::format("They meet {:.0f} yd from {}.", meeting.from_charger_yd,
                                     play.Name(unit)));
    Reach(play, unit, target);
    Reach(play, target, unit);
    return;
  }
  if (charge + open_table::kTiny < gap) {
    miss(charge);
    return;
  }
  MoveAhead(play, unit, gap);
  if (flank) play.Set(target, Of::kFlanked, 1);
  play.Tell(flank ? "CF-20.4" : "CF-18.2",
            fmt::format("{} reaches {}{}.", play.Name(unit), play.Name(target),
                        flank ? " in flank or rear" : ""));
  Reach(play, unit, target);
}

// CF-20.1.
void RoutHelpless(Play& play) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (!At(s, u).OnTable() || !InCombat(s, u)) continue;
    const std::vector<int> enemies = OpponentsOf(s, u);
    if (Info(s, u).arm == Arm::kCivilians) {
      play.Tell("CF-20.1", play.Name(u) + " are helpless.");
      Rout(play, u, enemies.front());
    } else if (IsGun(s, u) && At(s, u).As<Formation>(Of::kFormation) == Formation::kLimbered) {
      Abandon(play, u, false, "CF-20.1");
    }
  }
}

void EndTurnOf(Play& play) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Unit unit = At(s, u);
    play.Set(u, Of::kFiredLast, unit[Of::kFired]);
    play.Set(u, Of::kLastSet, unit[Of::kSetNow]);
    play.Set(u, Of::kSetNow, 0);
    // CF-12.9: none when it fought or made an after-combat move.
    play.Set(u, Of::kPace,
             unit[Of::kFought] != 0 || unit[Of::kAfterMove] != 0 ? 0 : unit[Of::kPaceNow]);
    play.Set(u, Of::kPaceNow, 0);
    play.Set(u, Of::kControl, Control::kUnknown);
    play.Set(u, Of::kConformsTo, 0);
    play.Set(u, Of::kMustCharge, 0);
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
    if (!IsGun(s, g) || !At(s, g).OnTable() || At(s, g).As<Crew>(Of::kCrew) == Crew::kServing)
      continue;
    int spikers = -1;
    for (int u = 0; u < static_cast<int>(s.units.size()) && spikers < 0; ++u) {
      if (!(IsFoot(s, u) || IsDismounted(s, u)) || Info(s, u).side == Info(s, g).side) continue;
      if (!field.Contact(field.Gap(u, g)) || InCombat(s, u)) continue;
      bool troubled = false;
      for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
        troubled =
            troubled || (Info(s, v).side != Info(s, u).side && !IsGun(s, v) && IsFormed(s, v) &&
                         field.Gap(u, v) <= s.Book().guns.no_formed_enemy_within);
      if (!troubled) spikers = u;
    }
    if (spikers >= 0 && At(s, g)[Of::kSpikers] == spikers + 1 && At(s, spikers)[Of::kMoved] == 0 &&
        At(s, spikers)[Of::kFired] == 0) {
      play.Destroy(g, Presence::kSpiked, "CF-23.1", "by " + play.Name(spikers));
    } else {
      play.Set(g, Of::kSpikers, spikers + 1);
    }
  }
}

}  // namespace

bool PlayCharge(Play& play, const Words& words) {
  const State& s = play.Now();
  if (words.verb == "charge") {
    play.Require(s.phase == Phase::kCharges, "CF-9.2",
                 "charges are declared when the Combat phase opens", false);
    DeclareCharge(play, words);
    return true;
  }
  if (words.verb == "counter" || words.verb == "evade" || words.verb == "receive") {
    play.Require(s.phase == Phase::kResponses, "CF-9.2",
                 "answers come when the charges have been named", false);
    Respond(play, words);
    return true;
  }
  return false;
}

void FightCombats(Play& play) {
  const State& s = play.Now();
  std::vector<std::pair<int, std::vector<int>>> rolls;
  for (const int side : {s.initiative, 1 - s.initiative})
    for (int u = 0; u < static_cast<int>(s.units.size()); ++u)
      if (Info(s, u).side == side && At(s, u)[Of::kCharging] != 0 && At(s, u).OnTable())
        RunCharge(play, u, rolls);
  for (const Engaged& pair : CloseFirePairs(play.Measure())) play.Engage(pair.a, pair.b);
  for (const int gun : ShelteringGuns(play.Measure())) {
    play.Set(gun, Of::kCrew, Crew::kSheltering);
    play.Part(gun);
    play.Tell("CF-23.4", "The crew of " + play.Name(gun) + " shelters with the foot behind it.");
  }
  RoutHelpless(play);
  std::vector<int> met_by;
  for (const Melee& melee : MeleesOf(s)) {
    if (melee.units[0].empty() || melee.units[1].empty()) continue;
    Fight(play, melee, met_by);
  }
  // CF-22.6: a new enemy met is fought at once; one more combat a unit and turn.
  std::vector<int> again;
  for (std::size_t i = 0; i + 1 < met_by.size(); i += 2) {
    const int pursuer = met_by[i];
    const int met = met_by[i + 1];
    if (Has(again, pursuer) || Has(again, met) || !At(s, pursuer).OnTable() ||
        !At(s, met).OnTable())
      continue;
    again.push_back(pursuer);
    again.push_back(met);
    if (IsCavalry(s, met) && At(s, met).As<Conduct>(Of::kStatus) == Conduct::kReady &&
        !InCombat(s, met) &&
        play.Choose(Info(s, met).side, {"stand", "counter"},
                    fmt::format("{} may counter-charge the pursuers", play.Name(met)),
                    "CF-22.6") == 1) {
      play.Set(met, Of::kCounter, 1);
      play.Set(met, Of::kReached, 1);
      play.Set(pursuer, Of::kContacted, 1);
    }
    play.Engage(pursuer, met);
    Melee melee;
    melee.units[static_cast<std::size_t>(Info(s, pursuer).side)] = {pursuer};
    melee.units[static_cast<std::size_t>(Info(s, met).side)] = {met};
    std::vector<int> none;
    Fight(play, melee, none);
  }
  // Pairs that no longer stand in contact or close fire part.
  const Field field = play.Measure();
  const std::vector<Engaged> close = CloseFirePairs(field);
  for (const Engaged& pair : std::vector<Engaged>(s.engaged)) {
    const bool touching = field.Contact(field.Gap(pair.a, pair.b));
    const bool firing = std::any_of(close.begin(), close.end(), [&](const Engaged& c) {
      return (c.a == pair.a && c.b == pair.b) || (c.a == pair.b && c.b == pair.a);
    });
    if (!touching && !firing) play.Part(pair.a);
  }
  for (const Engaged& pair : CloseFirePairs(play.Measure())) play.Engage(pair.a, pair.b);
  // CF-23.4: crews return when the enemy is driven off.
  for (int g = 0; g < static_cast<int>(s.units.size()); ++g)
    if (IsGun(s, g) && At(s, g).OnTable() && At(s, g).As<Crew>(Of::kCrew) == Crew::kSheltering) {
      bool near = false;
      for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
        near = near || (Info(s, v).side != Info(s, g).side &&
                        field.Gap(g, v) <= play.Book().guns.no_formed_enemy_within);
      if (!near) play.Set(g, Of::kCrew, Crew::kServing);
    }
}

void MoralePhase(Play& play) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Unit& unit = At(s, u);
    if (!unit.OnTable() || unit[Of::kDp] == 0 || InCombat(s, u)) continue;
    if (IsGun(s, u) && unit.As<Crew>(Of::kCrew) != Crew::kServing) continue;  // CF-23.2
    const bool stationary = unit[Of::kMoved] == 0;
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
  const std::vector<Shock> shocks = s.shocks;
  std::vector<int> counted;
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (!At(s, u).OnTable() || At(s, u).As<Conduct>(Of::kStatus) == Conduct::kRouting) continue;
    int dp = 0;
    std::vector<std::pair<int, int>> seen;
    for (const Shock& shock : shocks) {
      const bool leader = shock.kind == 2;
      const int side = leader ? LeaderInfoOf(s, -1 - shock.unit).side : Info(s, shock.unit).side;
      if (side != Info(s, u).side || shock.unit == u) continue;
      // One event counts once per observer for the whole rout or retirement.
      const std::pair<int, int> key{shock.unit, shock.kind};
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
      const Shock mark{shock.unit, shock.kind, u, 0};
      if (play.Rulings().morale_event_once && !leader &&
          std::find(s.felt.begin(), s.felt.end(), mark) != s.felt.end())
        continue;
      const Field field = play.Measure();
      double gap = std::numeric_limits<double>::infinity();
      for (const Base& base : field.Bases(u))
        gap = std::min(gap, open_table::Gap(base, Vec2{Yd(shock.x), Yd(shock.y)}));
      if (!leader) gap = std::min(gap, field.Gap(u, shock.unit));
      if (gap > play.Book().morale.radius) continue;
      int worth = 0;
      if (leader) {
        worth = play.Book().morale.general_or_marshal;
      } else {
        const bool lower = Info(s, shock.unit).grade > Info(s, u).grade;
        if (shock.kind == 0)
          worth = lower ? play.Book().morale.lower_rout_or_destroyed
                        : play.Book().morale.equal_higher_rout_or_destroyed;
        else if (IsFoot(s, shock.unit) && !lower)
          worth = play.Book().morale.equal_higher_foot_retire;
      }
      if (worth == 0) continue;
      seen.push_back(key);
      dp += worth;
      Event e;
      e.what = What::kFelt;
      e.shock = mark;
      play.Emit(std::move(e));
    }
    if (dp > 0 && play.Hurt(u, dp, "CF-8.4", "the sight of friends going") > 0)
      play.RiskLeaders(u, true);
  }
  // Routs and retirements that have ended may be felt anew another time.
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Conduct status = At(s, u).As<Conduct>(Of::kStatus);
    if (status != Conduct::kReady ||
        std::none_of(s.felt.begin(), s.felt.end(), [&](const Shock& f) { return f.unit == u; }))
      continue;
    Event e;
    e.what = What::kFeltOver;
    e.subject = u;
    play.Emit(std::move(e));
  }
  play.SetGame(What::kShocksOver, 0);
  Spiking(play);
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (At(s, u)[Of::kMergeInto] == 0 || !At(s, u).OnTable()) continue;
    const int turns = At(s, u)[Of::kMergeTurns] - 1;
    play.Set(u, Of::kMergeTurns, std::max(0, turns));
    if (turns <= 0) CompleteMerge(play, u);
  }
  EndTurnOf(play);
}

}  // namespace fos::closefire
