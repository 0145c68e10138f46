#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/combat.h"
#include "engine/rules/closefire/doubt.h"
#include "engine/rules/closefire/play.h"

// Section 21: the results of a combat and the actions that follow.
namespace fos::closefire {
namespace {

bool Any(const std::vector<int>& units, auto holds) {
  return std::any_of(units.begin(), units.end(), holds);
}

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
  int lead = 0;  // the exact difference, times the number of units of both sides
  Outcome outcome = Outcome::kInconclusive;
  Act act = Act::kRemain;
  bool charged_foot = false;
  bool cavalry = false;
  std::vector<int> opponents;  // units it is engaged with
  std::vector<int> enemies;    // all enemy units in this combat
  Field::Front position;       // where it stood
};

// CF-21.2, CF-21.3, CF-21.4, CF-21.5, CF-21.6, CF-21.7.
Act ActOf(const State& s, const Field& field, const Verdict& v) {
  const int u = v.unit;
  const bool gun = IsGun(s, u);
  const bool stays = IsFoot(s, u) || IsDismounted(s, u) || gun;
  const bool facing_cavalry = Any(v.enemies, [&](int e) { return IsCavalry(s, e); });
  const bool low_grade = Info(s, u).grade >= Grade::kC;
  const bool only_guns =
      ChargedNow(s, u) && !v.opponents.empty() &&
      std::all_of(v.opponents.begin(), v.opponents.end(), [&](int e) { return IsGun(s, e); });
  switch (v.outcome) {
    case Outcome::kBreakthrough:
      return low_grade && !gun ? Act::kPursue : Act::kFree;
    case Outcome::kVictory:
      // "Did not inflict Defeat": at a difference of four the other side is only driven back.
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
  const std::string why = OutcomeWords(v.outcome);
  const int cut = play.Hurt(u, dp, "CF-21.1", why);
  for (int i = 0; i < casualties; ++i) play.Casualty(u, "CF-21.1", why);
  if (dp > 0 || casualties + cut > 0) play.RiskLeaders(u, true);
}

bool Has(const std::vector<int>& units, int unit) {
  return std::find(units.begin(), units.end(), unit) != units.end();
}
// Whether the unit is on the table and, if a gun, has its crew.
bool Serves(const State& s, int unit) {
  return At(s, unit).OnTable() &&
         (!IsGun(s, unit) || At(s, unit).As<Crew>(Of::kCrew) == Crew::kServing);
}
// CF-22.2: whether an enemy stands where this front was.
bool Held(const Field& field, const Field::Front& position, const std::vector<int>& enemies) {
  return Any(enemies, [&](int e) {
    return Serves(field.Game(), e) &&
           std::any_of(field.Bases(e).begin(), field.Bases(e).end(), [&](const Base& base) {
             return field.Contact(open_table::Gap(base, position.centre));
           });
  });
}

struct Moves {
  std::vector<std::pair<int, double>>
      gone;  // units that routed or retired, and the yards they moved
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
  // Losers first. On equal scores the player with the initiative acts second (CF-21.8).
  std::stable_sort(verdicts.begin(), verdicts.end(), [&](const Verdict& a, const Verdict& b) {
    if (a.lead != b.lead) return a.lead < b.lead;
    return (a.side == s.initiative) < (b.side == s.initiative);
  });
  std::vector<std::pair<std::pair<int, int>, double>> gaps;
  for (const Verdict& v : verdicts)
    for (const int e : v.enemies) gaps.push_back({{v.unit, e}, play.Measure().Gap(v.unit, e)});
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
    // First the enemies it fought, then the others in this combat (CF-21.2).
    for (const std::vector<int>* of : {&v.opponents, &v.enemies})
      for (const int e : *of)
        if (moves.Find(e).has_value() && At(s, e).OnTable() &&
            std::find(quarries.begin(), quarries.end(), e) == quarries.end())
          quarries.push_back(e);
    const auto pursue = [&](int quarry) {
      const int met =
          Pursue(play, u, quarry, gap_between(u, quarry), moves.Find(quarry).value_or(0));
      if (met >= 0) {
        met_by.push_back(u);
        met_by.push_back(met);
      }
    };
    // Units whose opponents are all gone leave the combat.
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
        // CF-22.2: the first abandoned position that no enemy holds.
        const Verdict* left = nullptr;
        if (IsFoot(s, u) || IsDismounted(s, u))
          for (const Verdict& other : verdicts)
            if (left == nullptr && Has(v.opponents, other.unit) &&
                (moves.Find(other.unit).has_value() || !Serves(s, other.unit)) &&
                !Held(play.Measure(), other.position, v.enemies))
              left = &other;
        if (left != nullptr) words.push_back("take");
        const std::string& word =
            words[play.Choose(v.side, words, "what does " + play.Name(u) + " do?", "CF-21.9")];
        if (word == "pursue") {
          pursue(quarries.front());
        } else {
          if (v.outcome == Outcome::kBreakthrough && v.cavalry && !quarries.empty() &&
              Info(s, u).grade <= Grade::kB) {
            play.Hurt(u, play.Book().after.decline_pursuit_dp_cavalry, "CF-21.2",
                      "declined to pursue");
            play.RiskLeaders(u, true);
          }
          if (word == "retire") retire();
          if (word == "take") TakePosition(play, u, left->position);
        }
        break;
      }
      case Act::kRetire:
        retire();
        break;
      case Act::kRemain:
        play.Tell("CF-22.1", play.Name(u) + " stays in place.");
        break;
      case Act::kRemainOrRetire:
        if (play.Choose(v.side, {"stay", "retire"}, "does " + play.Name(u) + " stay or retire?",
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
}  // namespace

void Fight(Play& play, const Melee& melee, std::vector<int>& met_by) {
  const State& s = play.Now();
  SideScore scores[2];
  std::vector<Verdict> verdicts;
  for (int side = 0; side < 2; ++side) {
    const auto& units = melee.units[static_cast<std::size_t>(side)];
    scores[side].units = static_cast<int>(std::max<std::size_t>(1, units.size()));
    for (const int u : units) {
      const Field field = play.Measure();
      const int facing = OpponentsOf(s, u).empty() ? u : OpponentsOf(s, u).front();
      const double sigma = DoubtYd(s, u, facing);
      const State ruled = play.Ruled(
          u, sigma,
          [&](const State& at) {
            return CombatSum(at.Book(), FighterOf(Field(at), u, melee), 0).Text();
          },
          fmt::format("the place of {} is known to +/- {:.1f} yd against {}", play.Name(u),
                      1.96 * sigma, play.Name(facing)),
          "CF-20.5");
      const Fighter fighter = FighterOf(Field(ruled), u, melee);
      const bool d6 = ThrowsD6(s, u);
      const int die = play.Roll(side, {d6 ? Die::kD6 : Die::kAverage},
                                fmt::format("combat of {} ({})", play.Name(u),
                                            CombatSum(play.Book(), fighter, 0).Text()),
                                "CF-20.2", u)
                          .front();
      const Sum sum = CombatSum(play.Book(), fighter, die);
      scores[side].total += sum.Total();
      play.Tell("CF-20.3", fmt::format("{}: {}.", play.Name(u), sum.Text()));
      verdicts.push_back({u, side, 0, 0, Outcome::kInconclusive, Act::kRemain, ChargedFoot(s, u),
                          IsCavalry(s, u), OpponentsOf(s, u),
                          melee.units[static_cast<std::size_t>(1 - side)], field.FrontOf(u)});
    }
  }
  for (Verdict& v : verdicts) {
    const SideScore& own = scores[v.side];
    const SideScore& enemy = scores[1 - v.side];
    v.difference = Difference(play.Rulings(), own, enemy);
    v.lead = own.total * enemy.units - enemy.total * own.units;
    v.outcome = OutcomeOf(play.Book(), v.difference);
  }
  {
    const Field field = play.Measure();
    for (Verdict& v : verdicts) v.act = ActOf(s, field, v);
  }
  for (const Verdict& v : verdicts) {
    play.Set(v.unit, Of::kFought, 1);
    play.Tell("CF-21.1", fmt::format("{}: {:+d}, {}.", play.Name(v.unit), v.difference,
                                     OutcomeWords(v.outcome)));
  }
  for (const Verdict& v : verdicts) ApplyLosses(play, v);
  const std::vector<int> met = ResolveActs(play, verdicts);
  met_by.insert(met_by.end(), met.begin(), met.end());
}
}  // namespace fos::closefire
