// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/fire.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/rules/closefire/doubt.h"
#include "engine/rules/closefire/play.h"
#include "engine/table/counted.h"

namespace fos::closefire {
namespace {

using MaybeRefusal = std::optional<Refusal>;

// Abandoned guns are neither targets nor a reason to hold fire.
bool Served(const State& s, int unit) {
  return !IsGun(s, unit) || At(s, unit).body.crew == Crew::kServing;
}

// CF-15.2: whether this enemy is so near the front of the foot that they hold their fire for it.
bool MetInCloseFire(const Field& field, int unit, int enemy) {
  const State& s = field.Game();
  return s.Rulings().close_enemy_blocks_musketry && IsFoot(s, unit) && Served(s, enemy) &&
         field.InFrontWithin(unit, enemy, s.Book().musketry.close);
}

// CF-16.5: whether a friendly unit or leader sees the target.
bool Spotted(const Field& field, int gun, int target) {
  const State& s = field.Game();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u)
    if (u != gun && Info(s, u).side == Info(s, gun).side && field.Sees(u, target)) return true;
  for (int l = 0; l < static_cast<int>(s.leaders.size()); ++l)
    if (LeaderInfoOf(s, l).side == Info(s, gun).side && field.LeaderSees(l, target)) return true;
  return false;
}

Target Measured(const Field& field, int unit, int enemy) {
  const State& s = field.Game();
  const double maximum = RangeYd(s, unit);
  Target target{enemy, 0, 0, 0, false, false};
  if (!field.Within(unit, enemy, maximum)) return target;
  target.gap_yd = field.Gap(unit, enemy);
  const std::vector<open_table::Placed>& bases = field.Body(unit).placed;
  const std::vector<Base>& theirs = field.Bases(enemy);
  bool can_be_indirect = false;
  int musketeers = 0;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    if (At(s, unit).bases[i].pike) continue;
    ++musketeers;
    // A single base must be in range, in the wedge and clear of friends. One base in range and
    // another in the wedge does not count.
    bool reaches = false;
    for (std::size_t j = 0; j < theirs.size() && !reaches; ++j)
      reaches = open_table::Gap(bases[i], field.Body(enemy).placed[j]) <= maximum &&
                field.InFront(unit, i, theirs[j]) && field.SafeToFireAt(unit, enemy, j);
    if (!reaches) continue;
    can_be_indirect = true;
    if (!field.StandSees(unit, i, enemy)) continue;
    ++target.stands;
    if (At(s, unit).bases[i].command) ++target.command_stands;
  }
  target.all_stands = target.stands == musketeers && target.stands > 0;
  if (target.stands == 0 && can_be_indirect && IsGun(s, unit) &&
      Info(s, unit).gun == GunClass::kHowitzer &&
      (!s.Rulings().indirect_needs_spotter || Spotted(field, unit, enemy))) {
    target.stands = 1;
    target.indirect = true;
  }
  return target;
}

// `shot` holds the measures, as ruled by the players where they were too close to call.
void FireGun(Play& play, int gun, const Target& target, const GunShot& shot) {
  const Field field = play.Measure();
  const int side = Info(play.Now(), gun).side;
  const int die = play.RollD6(side,
                              fmt::format("{} fires at {} ({:.0f} yd)", play.Name(gun),
                                          play.Name(target.unit), target.gap_yd),
                              "CF-16.1");
  const Sum sum = GunSum(play.Book(), shot, die);
  const int dp = GunDp(play.Book(), shot, sum.Total());
  // The least throw that hits, for a shot that does not.
  int least = sum.Total();
  while (GunDp(play.Book(), shot, least) == 0) ++least;
  play.Tell("CF-16.2", fmt::format("{} fires at {}: {}; {}{}.", play.Name(gun),
                                   play.Name(target.unit), sum.Text(), Counted(dp, "DP"),
                                   dp > 0 ? "" : fmt::format(", no hit: {} needed", least)));
  play.Set(gun, Of::kFired, 1);
  play.Set(gun, Of::kTarget, std::optional<UnitId>(target.unit));
  play.Set(gun, Of::kTargetMilliYd, Milli(target.gap_yd));
  play.Set(target.unit, Of::kShotAt, 1);
  int struck = target.unit;
  const auto& book = play.Book().gun;
  if (shot.indirect && dp > 0) {
    std::vector<int> others;
    std::vector<std::string> names;
    for (int v = 0; v < static_cast<int>(play.Now().units.size()); ++v) {
      if (v == target.unit || Info(play.Now(), v).side == side) continue;
      if (field.Gap(v, target.unit) > book.indirect_neighbour) continue;
      others.push_back(v);
      names.push_back(play.Name(v));
    }
    if (!others.empty() && book.indirect_other_hit.Has(play.RollD6(
                               side, "risk that the shell hits a neighbouring unit", "CF-16.5"))) {
      std::size_t which = 0;
      if (others.size() > 1) {
        // Equal chances by one die: 1-3 and 4-6 for two units, and so on; by two dice for more than
        // six. Scores left over are thrown again.
        const int count = static_cast<int>(others.size());
        const int share = (count > 6 ? 36 : 6) / count;
        do {
          which = static_cast<std::size_t>(
              play.RollD6(side, "which neighbouring unit is hit", "CF-16.5") - 1);
          if (count > 6)
            which =
                6 * which + static_cast<std::size_t>(
                                play.RollD6(side, "which neighbouring unit is hit", "CF-16.5") - 1);
          which /= static_cast<std::size_t>(share);
        } while (which >= others.size());
      }
      struck = others[which];
      play.Tell("CF-16.5", fmt::format("The shell hits {} instead.", play.Name(struck)));
      play.Set(struck, Of::kShotAt, 1);
    }
  } else if (shot.indirect) {
    int friendly = -1;
    double nearest = book.indirect_friend;
    for (int v = 0; v < static_cast<int>(play.Now().units.size()); ++v) {
      if (v == gun || Info(play.Now(), v).side != side) continue;
      const double gap = field.Gap(v, target.unit);
      if (gap > nearest) continue;
      nearest = gap;
      friendly = v;
    }
    if (friendly >= 0) {
      const int risk = play.RollD6(
          side, fmt::format("risk to {}, the nearest friendly unit", play.Name(friendly)),
          "CF-16.5");
      if (book.indirect_friend_hit.Has(risk)) {
        play.Set(friendly, Of::kFireDp, 1);
        play.Hurt(friendly, 1, "CF-16.5", "hit by a friendly shell");
        play.RiskLeaders(friendly, false);
      } else {
        play.Tell("CF-16.5", play.Name(friendly) + " is not hit.");
      }
    }
  }
  if (dp == 0) return;
  play.Set(struck, Of::kFireDp, 1);
  play.Hurt(struck, dp, "CF-16.2", "artillery");
  play.RiskLeaders(struck, false);
}

void FireMuskets(Play& play, int unit, const Target& target, const Volley& volley) {
  const int count = MusketDice(play.Book(), volley);
  play.Tell("CF-17.1", fmt::format("{}, musketry dice: {}.", play.Name(unit),
                                   VolleyText(play.Book(), volley)));
  if (count == 0) {
    play.Tell("CF-15.4", fmt::format("{} has no dice left and does not fire.", play.Name(unit)));
    return;
  }
  const std::vector<int> dice = play.Roll(
      Info(play.Now(), unit).side, DiceSet(static_cast<std::size_t>(count), Die::kD6),
      fmt::format("{} fires at {} ({:.0f} yd) with {} {}", play.Name(unit), play.Name(target.unit),
                  target.gap_yd, count, count == 1 ? "die" : "dice"),
      "CF-17.1");
  int dp = 0;
  for (const int die : dice) dp += play.Book().musket.hit.Has(die);
  play.Set(unit, Of::kFired, 1);
  play.Set(target.unit, Of::kShotAt, 1);
  play.Tell("CF-17.4", fmt::format("{} of {} {} {} a six: {}.", dp, count,
                                   count == 1 ? "die" : "dice", dp == 1 ? "is" : "are",
                                   dp == 0 ? "no hit"
                                           : fmt::format("{} takes {}", play.Name(target.unit),
                                                         Counted(dp, "DP"))));
  if (dp == 0) return;
  play.Set(target.unit, Of::kFireDp, 1);
  play.Hurt(target.unit, dp, "CF-17.4", "musketry");
  play.RiskLeaders(target.unit, false);
}

}  // namespace

namespace {
RangeClass RowOf(const State& s, int gun) {
  const GunClass of = Info(s, gun).gun;
  return of == GunClass::kHowitzer ? s.Rulings().howitzer_range
         : of == GunClass::kHeavy  ? RangeClass::kHeavy
         : of == GunClass::kField  ? RangeClass::kField
                                   : RangeClass::kBattalion;
}
}  // namespace

double RangeYd(const State& s, int unit) {
  if (!IsGun(s, unit)) return s.Book().musketry.maximum;
  return s.Book().gun_range[static_cast<std::size_t>(RowOf(s, unit))].maximum;
}

namespace {
// CF-15.5: the distances at which a range band ends.
std::vector<double> RangeLimitsYd(const State& s, int unit) {
  if (!IsGun(s, unit)) return {s.Book().musketry.close, s.Book().musketry.maximum};
  const GunRange& range = s.Book().gun_range[static_cast<std::size_t>(RowOf(s, unit))];
  return {range.close, range.effective, range.maximum};
}
}  // namespace

MaybeRefusal MayNotFire(const State& s, int unit) {
  const UnitInfo& info = Info(s, unit);
  const Unit& u = At(s, unit);
  const auto no = [](const char* clause, std::string because) {
    return MaybeRefusal(Refusal{clause, std::move(because), true});
  };
  if (!u.OnTable()) return no("CF-15.1", UnitName(s, unit) + " is not on the table");
  if (u.fire.fired) return no("CF-15.4", UnitName(s, unit) + " has already fired this turn");
  if (IsGun(s, unit)) {
    if (s.phase != Phase::kArtillery) return no("CF-9.2", "guns fire only in the Artillery phase");
    if (u.body.formation != Formation::kUnlimbered)
      return no("CF-15.1", UnitName(s, unit) + " is limbered");
    if (u.body.crew != Crew::kServing)
      return no("CF-15.1", UnitName(s, unit) + " has no crew to serve it");
    return std::nullopt;
  }
  if (s.phase != Phase::kMusketry)
    return no("CF-9.2", "foot and dragoons fire only in the Musketry phase");
  if (IsCavalry(s, unit) || info.arm == Arm::kCivilians)
    return no("CF-15.1", "only foot in line, unlimbered guns and dismounted dragoons can fire");
  if (InCombat(s, unit)) return no("CF-15.1", UnitName(s, unit) + " is in combat");
  if (u.body.conduct != Conduct::kReady)
    return no("CF-15.1", UnitName(s, unit) + " is " + std::string(StatusName(u.body.conduct)));
  if (u.body.fascines) return no("CF-1.5", UnitName(s, unit) + " carries fascines");
  if (IsDismounted(s, unit)) return std::nullopt;
  const Formation formation = u.body.formation;
  if (formation == Formation::kAssault)
    return no("CF-10.4", UnitName(s, unit) + " is an assault column: assault columns do not fire");
  if (formation != Formation::kLine)
    return no("CF-15.1", fmt::format("{} is {}{}: foot fire only in line", UnitName(s, unit),
                                     formation == Formation::kUnformed ? "" : "in ",
                                     FormationName(formation)));
  if (info.hand_weapons) return no("CF-15.1", UnitName(s, unit) + " has only hand weapons");
  if (u.body.bayonets_fixed)
    return no("CF-9.4", UnitName(s, unit) + " has its plug bayonets fixed");
  return std::nullopt;
}

std::vector<Target> TargetsOf(const Field& field, int unit) {
  const State& s = field.Game();
  std::vector<Target> out;
  const bool musket = !IsGun(s, unit);
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (Info(s, v).side == Info(s, unit).side || !At(s, v).OnTable() || !Served(s, v)) continue;
    // CF-15.2: foot with an enemy in close range to its front fights it in close fire and does not
    // fire at others.
    const double close = s.Book().musketry.close;
    if (musket && field.Within(unit, v, close)) {
      if (MetInCloseFire(field, unit, v)) return {};
      if (field.InFrontWithin(unit, v, close)) continue;
    }
    const Target target = Measured(field, unit, v);
    if (target.stands > 0) out.push_back(target);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Target& a, const Target& b) { return a.gap_yd < b.gap_yd; });
  return out;
}

// Of two that are equally near, either is the nearest.
bool MayFireAt(const Field& field, int unit, const Target& target, const Target& nearest) {
  return target.gap_yd <= nearest.gap_yd + open_table::kTiny ||
         (IsGun(field.Game(), unit) && field.Controlled(unit));
}

GunShot ShotAt(const Field& field, int gun, const Target& target) {
  const State& s = field.Game();
  const UnitInfo& info = Info(s, gun);
  const Unit& u = At(s, gun);
  GunShot shot;
  shot.heavy = info.gun == GunClass::kHeavy;
  shot.battalion = info.gun == GunClass::kBattalion;
  shot.range_class = RowOf(s, gun);
  shot.distance_yd = target.gap_yd;
  shot.dp = u.body.dp;
  const Formation formation = At(s, target.unit).body.formation;
  shot.enfiladed = field.Enfiladed(target.unit, gun);
  shot.column_limbered_enfilade = formation == Formation::kMarch ||
                                  formation == Formation::kAssault ||
                                  formation == Formation::kLimbered || shot.enfiladed;
  shot.fortifications = field.WorksAgainst(target.unit, gun) == 2;
  const std::optional<UnitId> before = u.fire.target;
  shot.new_target = before ? before != target.unit : s.Rulings().first_shot_new;
  shot.same_target_and_range =
      before == target.unit &&
      std::abs(Yd(u.fire.target_milli_yd) - target.gap_yd) <= s.Rulings().same_range_tolerance_yd;
  shot.indirect = target.indirect;
  return shot;
}

// CF-2.3, CF-17.2: the half base only marks the extra die of a new-style battalion.
Volley VolleyAt(const Field& field, int unit, const Target& target) {
  const State& s = field.Game();
  Volley volley;
  volley.stands = target.stands;
  volley.dp = At(s, unit).body.dp;
  const UnitInfo& info = Info(s, unit);
  volley.half_base = info.half_base;
  if (info.new_style && IsFoot(s, unit)) {
    if (target.all_stands) {
      volley.extra = PartsLeft(s, unit);
    } else {
      volley.extra = s.Rulings().command_stand_per_battalion ? target.command_stands
                                                             : std::min(1, target.command_stands);
    }
  }
  volley.hard_cover = field.HardCoverAgainst(target.unit, unit);
  volley.dragoons = IsDismounted(s, unit);
  return volley;
}

MaybeRefusal MayNotSnipe(const Field& field, int unit, int leader) {
  const State& s = field.Game();
  if (MaybeRefusal no = MayNotFire(s, unit)) return no;
  const auto no = [](std::string because) {
    return MaybeRefusal(Refusal{"CF-6.4", std::move(because), true});
  };
  if (IsGun(s, unit)) return no("only foot and dismounted dragoons can shoot at leaders");
  if (!LeaderAt(s, leader).Present() || LeaderInfoOf(s, leader).side == Info(s, unit).side)
    return no(LeaderName(s, leader) + " is not an enemy leader on the table");
  if (!field.Lone(leader))
    return no(fmt::format("{} has friends within {:g} yd", LeaderName(s, leader),
                          s.Book().leader.lone_distance));
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (Info(s, v).side != Info(s, unit).side && At(s, v).OnTable() &&
        MetInCloseFire(field, unit, v))
      return MaybeRefusal(Refusal{
          "CF-15.2", UnitName(s, v) + " is within 40 yd to the front: foot holds its fire for it",
          true});
  const double gap = field.GapToLeader(unit, leader);
  if (gap > s.Book().musketry.maximum)
    return no(fmt::format("{} is {:.0f} yd away, out of range", LeaderName(s, leader), gap));
  // His base is round: the wedge test takes the square around it.
  const double across = 2 * LeaderInfoOf(s, leader).radius_yd;
  bool seen = false;
  for (std::size_t i = 0; i < field.Bases(unit).size(); ++i) {
    if (!field.StandSeesLeader(unit, i, leader)) continue;
    const Base& base = field.Bases(unit)[i];
    const Base point{field.LeaderAtYd(leader), base.facing_deg, across, across};
    seen = true;
    if (IsDismounted(s, unit)) return std::nullopt;
    if (open_table::InWedge(open_table::FrontCentre(base), base.facing_deg,
                            s.Book().gun.arc_half_deg, point, s.Rulings().arc_any_part))
      return std::nullopt;
  }
  return no(LeaderName(s, leader) +
            (seen ? " is not within 45 degrees of the front" : " is not in sight"));
}

namespace {

// CF-7: the clause that hides an enemy.
std::string_view HidingClause(const Field& field, int unit, int enemy) {
  const State& s = field.Game();
  const auto covered = [&](int u) {
    const std::vector<Base>& bases = field.Bases(u);
    return std::any_of(bases.begin(), bases.end(), [&](const Base& base) {
      return field.WoodOrTownAt(base.centre) != nullptr;
    });
  };
  if (covered(unit) || covered(enemy)) return "CF-7.2";
  State without = s;  // unformed troops, and then all others
  const auto remove = [&](bool formed) {
    for (int u = 0; u < static_cast<int>(s.units.size()); ++u)
      if (u != unit && u != enemy && IsFormed(s, u) == formed)
        without.units[static_cast<std::size_t>(u)].Put(Of::kPresence,
                                                       static_cast<int>(Presence::kReserve));
    return Field(without).Sees(unit, enemy);
  };
  if (remove(false)) return "CF-7.4";
  const bool higher =
      field.LevelAt(field.FrontOf(unit).centre) != field.LevelAt(field.FrontOf(enemy).centre);
  return remove(true) && higher ? "CF-7.3" : "CF-7.1";
}

// CF-1.4: the stand from whose front an enemy is the fewest degrees off.
std::string NearestStand(const Field& field, int unit, int enemy) {
  double least = 180;
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < field.Bases(unit).size(); ++i) {
    const Base& stand = field.Bases(unit)[i];
    const Vec2 apex = open_table::FrontCentre(stand);
    for (const Base& base : field.Bases(enemy))
      for (const Vec2 corner : open_table::Outline(base)) {
        const double off =
            open_table::AngleBetween(open_table::BearingTo(apex, corner), stand.facing_deg);
        if (off >= least) continue;
        least = off;
        nearest = i;
      }
  }
  return fmt::format(
      "from {} it is {:.1f} degrees off",
      field.Bases(unit).size() == 1 ? "its front" : fmt::format("its stand {}", nearest + 1),
      least);
}

// CF-15.2: why a unit may not fire at an enemy, by the clause that is against it.
Refusal NotATarget(const Field& field, int unit, int enemy) {
  const State& s = field.Game();
  const std::string id = UnitName(s, enemy);
  const double gap = field.Gap(unit, enemy);
  const double maximum = RangeYd(s, unit);
  const auto close = [&](double limit) {
    const std::string call = CloseCall(s, gap, limit);
    return call.empty() ? call : "; " + call;
  };
  const auto no = [](std::string_view clause, std::string because) {
    return Refusal{std::string(clause), std::move(because)};
  };
  if (!std::isfinite(gap)) return no("CF-15.2", id + " is not on the table");
  if (!Served(s, enemy)) return no("CF-15.2", id + " is abandoned");
  if (gap > maximum)
    return no("CF-15.5", fmt::format("{} is {:.1f} yd away, out of its range of {:g} yd{}", id, gap,
                                     maximum, close(maximum)));
  const double near = s.Book().musketry.close;
  if (!IsGun(s, unit) && gap <= near && field.InFrontWithin(unit, enemy, near))
    return no(
        "CF-15.2",
        fmt::format("{} is {:.1f} yd away: within {:g} yd to the front it is met in close fire{}",
                    id, gap, near, close(near)));
  if (!field.InFrontWedge(unit, enemy))
    return no("CF-1.4",
              fmt::format("{} ({:.0f} yd) is outside its fire wedge of {:g} degrees to either "
                          "side; {}",
                          id, gap, s.Book().gun.arc_half_deg, NearestStand(field, unit, enemy)));
  if (!field.Sees(unit, enemy))
    return no(HidingClause(field, unit, enemy),
              fmt::format("{} ({:.0f} yd) is out of sight", id, gap));
  return no("CF-15.3",
            fmt::format("the bases of {} ({:.0f} yd) in range and wedge are within {:g} yd of "
                        "friends, or no stand that bears on them sees them",
                        id, gap, s.Book().gun.friends_safety));
}

// CF-15.2: why there is no target: the enemy that foot hold their fire for, else the nearest.
Refusal WhyNoTarget(const Field& field, int unit) {
  const State& s = field.Game();
  std::optional<UnitId> enemy = field.NearestEnemy(unit);
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
    if (Info(s, v).side != Info(s, unit).side && At(s, v).OnTable() &&
        MetInCloseFire(field, unit, v))
      enemy = v;
  Refusal why =
      enemy ? NotATarget(field, unit, *enemy) : Refusal{"CF-15.2", "no enemy is on the table"};
  why.because = fmt::format("{} has no target: {}", UnitName(s, unit), why.because);
  return why;
}

}  // namespace

std::string FireReading(const Field& field, int unit, std::optional<UnitId> wanted) {
  const State& s = field.Game();
  const std::vector<Target> targets = TargetsOf(field, unit);
  const auto found = std::find_if(targets.begin(), targets.end(),
                                  [&](const Target& t) { return !wanted || t.unit == *wanted; });
  if (found == targets.end()) return "no target";
  const std::string nearest =
      found == targets.begin() ? "" : fmt::format(", {} nearer", Info(s, targets[0].unit).id);
  if (!IsGun(s, unit))
    return fmt::format("{} dice at {}{}", MusketDice(s.Book(), VolleyAt(field, unit, *found)),
                       Info(s, found->unit).id, nearest);
  const GunShot shot = ShotAt(field, unit, *found);
  const auto& range = s.Book().gun_range[static_cast<std::size_t>(shot.range_class)];
  return fmt::format("die {:+d} at {}{}{}", GunSum(s.Book(), shot, 0).Total(),
                     Info(s, found->unit).id,
                     shot.distance_yd <= range.close ? ", close range" : "", nearest);
}

namespace {

// The state to fire from. Doubt is measured to the declared target, else to the nearest enemy.
State RuledForFire(Play& play, int unit, std::optional<UnitId> wanted) {
  const State& s = play.Now();
  const Field field = play.Measure();
  const std::optional<UnitId> nearest = wanted ? wanted : field.NearestEnemy(unit);
  if (!nearest) return s;
  const UnitId enemy = *nearest;
  const double sigma = DoubtYd(s, unit, enemy);
  return play.Ruled(
      unit, sigma,
      [&](const State& at) { return FireReading(Field(at, field, unit), unit, wanted); },
      [&] {
        return fmt::format("{} to {} is {:.1f} +/- {:.1f} yd", play.Name(unit), play.Name(enemy),
                           field.Gap(unit, enemy), 1.96 * sigma);
      },
      "CF-15.5");
}

}  // namespace

bool PlayFire(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  if (words.verb == "fire") {
    const int unit = words.units[0];
    play.Require(Info(s, unit).side == s.to_act, "CF-9.2", "it is the other side's turn to fire");
    play.Reveal(unit, "fires");
    if (const MaybeRefusal no = MayNotFire(s, unit))
      play.Require(false, no->clause, [&] { return no->because; });
    const auto wanted =
        words.units.size() > 1 ? std::optional<UnitId>(words.units[1]) : std::nullopt;
    const State ruled = RuledForFire(play, unit, wanted);
    const Field field(ruled);
    const std::vector<Target> targets = TargetsOf(field, unit);
    if (targets.empty()) {
      const Refusal why = WhyNoTarget(field, unit);
      play.Require(
          false, why.clause, [&] { return why.because; }, false);
    }
    Target target = targets.front();
    if (words.units.size() > 1) {
      const auto found = std::find_if(targets.begin(), targets.end(),
                                      [&](const Target& t) { return t.unit == words.units[1]; });
      if (found == targets.end()) {
        const Refusal why = NotATarget(field, unit, words.units[1]);
        play.Require(
            false, why.clause,
            [&] {
              return fmt::format("{} cannot fire at {}: {}. It may fire at {}", play.Name(unit),
                                 play.Name(words.units[1]), why.because,
                                 play.Name(targets.front().unit));
            },
            false);
      }
      play.Require(MayFireAt(field, unit, *found, target), "CF-15.2", [&] {
        return fmt::format(
            "{} is nearer: only a gun under its leader's control may choose another target",
            play.Name(target.unit));
      });
      target = *found;
    }
    for (const double limit : RangeLimitsYd(s, unit))
      play.NoteClose([&] { return play.Name(unit) + " to " + play.Name(target.unit); },
                     target.gap_yd, limit);
    if (IsGun(s, unit)) {
      FireGun(play, unit, target, ShotAt(field, unit, target));
    } else {
      FireMuskets(play, unit, target, VolleyAt(field, unit, target));
    }
    return true;
  }
  if (words.verb == "snipe") {
    const int unit = words.units[0];
    const int leader = words.leaders[0];
    play.Require(Info(s, unit).side == s.to_act, "CF-9.2", "it is the other side's turn to fire");
    play.Reveal(unit, "fires");
    const Field field = play.Measure();
    play.NoteClose([&] { return play.Name(unit) + " to " + play.LeaderName(leader); },
                   field.GapToLeader(unit, leader), play.Book().musketry.maximum);
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
      if (Info(s, v).side != Info(s, unit).side)
        play.NoteClose([&] { return play.LeaderName(leader) + " to " + play.Name(v); },
                       field.GapToLeader(v, leader), play.Book().leader.lone_distance);
    if (const MaybeRefusal no = MayNotSnipe(field, unit, leader))
      play.Require(false, no->clause, [&] { return no->because; });
    const std::vector<int> dice = play.Roll(
        s.to_act, DiceSet(static_cast<std::size_t>(play.Rulings().lone_leader_dice), Die::kD6),
        fmt::format("{} shoots at {}", play.Name(unit), play.LeaderName(leader)), "CF-6.4");
    play.Set(unit, Of::kFired, 1);
    bool hit = false;
    for (const int die : dice) {
      if (!LeaderAt(s, leader).Present() || !play.Book().leader.hit_lone.Has(die)) continue;
      hit = true;
      play.HitLeader(leader, "CF-6.2");
    }
    if (!hit) play.Tell("CF-6.4", play.LeaderName(leader) + " is not hit.");
    return true;
  }
  return false;
}

}  // namespace fos::closefire
