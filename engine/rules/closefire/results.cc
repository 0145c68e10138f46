// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/combat.h"
#include "engine/rules/closefire/doubt.h"
#include "engine/rules/closefire/play.h"

// Section 21: the results of a combat and the actions that follow.
namespace fos::closefire {
namespace {

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
  std::vector<int> charged;    // those of them that it charged
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
  const bool only_guns = !v.charged.empty() && std::all_of(v.charged.begin(), v.charged.end(),
                                                           [&](int e) { return IsGun(s, e); });
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
      const bool single =
          !v.charged.empty() && std::all_of(v.charged.begin(), v.charged.end(), [&](int e) {
            return IsGun(s, e) || (IsCavalry(s, e) && field.FrontOf(e).ranks == 1);
          });
      if (At(s, u).charge.outrance && single) return Act::kRide;
      return Act::kRemainOrRetire;
    }
    case Outcome::kDrivenBack: {
      // Enemies that only stand near, or fire, have not charged it.
      const auto charged_it = [&](int e) { return Has(ChargedBy(field, e), u); };
      const bool cavalry_only = Any(v.opponents, charged_it) &&
                                std::all_of(v.opponents.begin(), v.opponents.end(), [&](int e) {
                                  return IsCavalry(s, e) || !charged_it(e);
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

// CF-21.2 to 21.7.
const char* ClauseOfOutcome(Outcome outcome) {
  constexpr std::array<const char*, kOutcomes> kClauses = {
      "CF-21.2", "CF-21.2", "CF-21.3", "CF-21.4", "CF-21.5", "CF-21.6", "CF-21.7"};
  return kClauses[static_cast<std::size_t>(outcome)];
}

void ApplyLosses(Play& play, const Verdict& v) {
  const State& s = play.Now();
  const ResultRow& row = play.Book().results[static_cast<std::size_t>(v.outcome)];
  const int u = v.unit;
  if (IsGun(s, u) && (v.act == Act::kAbandonDead) && play.Rulings().gun_result_replaces_losses)
    return;
  int dp = row.dp;
  if (v.outcome == Outcome::kInconclusive) {
    const bool assault = At(s, u).body.formation == Formation::kAssault;
    const bool outrance = At(s, u).charge.outrance && ChargedNow(s, u);
    const bool swedes = Info(s, u).swedish && ChargedNow(s, u) && play.Rulings().swedish_extra_dp;
    if (assault || outrance || swedes) dp = row.dp_outrance_or_assault_column;
  }
  int casualties = v.charged_foot ? row.casualties_cavalry_charged_foot : row.casualties;
  const std::string why = OutcomeWords(v.outcome);
  const int cut = play.Hurt(u, dp, ClauseOfOutcome(v.outcome), why);
  for (int i = 0; i < casualties; ++i) play.Casualty(u, ClauseOfOutcome(v.outcome), why);
  if (dp > 0 || casualties + cut > 0) play.RiskLeaders(u, true);
}

// Whether the unit is on the table and, if a gun, has its crew.
bool Serves(const State& s, int unit) {
  return At(s, unit).OnTable() && (!IsGun(s, unit) || At(s, unit).body.crew == Crew::kServing);
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

// Carries out the acts of all units of a combat, losers first (CF-21.8).
class Acts {
 public:
  Acts(Play& play, std::vector<Verdict>& verdicts)
      : play_(play), s_(play.Now()), verdicts_(verdicts) {
    // On equal scores the player with the initiative acts second.
    std::stable_sort(verdicts.begin(), verdicts.end(), [&](const Verdict& a, const Verdict& b) {
      if (a.lead != b.lead) return a.lead < b.lead;
      return (a.side == s_.initiative) < (b.side == s_.initiative);
    });
    for (const Verdict& v : verdicts)
      for (const int e : v.enemies) gaps_.push_back({{v.unit, e}, play.Measure().Gap(v.unit, e)});
  }

  // Returns pairs of a pursuer and the new enemy it met.
  std::vector<int> Resolve() {
    for (const Verdict& v : verdicts_)
      if (At(s_, v.unit).OnTable()) ActOn(v);
    return std::move(met_by_);
  }

 private:
  double GapBetween(int a, int b) const {
    for (const auto& [pair, gap] : gaps_)
      if (pair.first == a && pair.second == b) return gap;
    return 0.0;
  }
  static std::optional<UnitId> EnemyOf(const Verdict& v) {
    if (v.opponents.empty()) return std::nullopt;
    return v.opponents.front();
  }

  // The enemies that have run away: first those it fought, then the others in this combat
  // (CF-21.2).
  std::vector<int> QuarriesOf(const Verdict& v) const {
    std::vector<int> out;
    for (const std::vector<int>* of : {&v.opponents, &v.enemies})
      for (const int e : *of)
        if (moves_.Find(e).has_value() && At(s_, e).OnTable() && !Has(out, e)) out.push_back(e);
    return out;
  }

  void DoRetire(const Verdict& v) {
    moves_.gone.push_back({v.unit, Retire(play_, v.unit, EnemyOf(v)).gone});
  }
  void DoPursue(const Verdict& v, int quarry) {
    const std::optional<int> met =
        Pursue(play_, v.unit, quarry, GapBetween(v.unit, quarry), moves_.Find(quarry).value_or(0));
    if (!met) return;
    met_by_.push_back(v.unit);
    met_by_.push_back(*met);
  }

  // CF-21.9.
  void ChooseFreely(const Verdict& v, const std::vector<int>& quarries) {
    const int u = v.unit;
    std::vector<std::string> words = {"stay"};
    if (!quarries.empty() && !IsGun(s_, u)) words.push_back("pursue");
    if (v.cavalry) words.push_back("retire");
    // CF-22.2: the first abandoned position that no enemy holds.
    const Verdict* left = nullptr;
    if (IsFoot(s_, u) || IsDismounted(s_, u))
      for (const Verdict& other : verdicts_)
        if (left == nullptr && Has(v.opponents, other.unit) &&
            (moves_.Find(other.unit).has_value() || !Serves(s_, other.unit)) &&
            !Held(play_.Measure(), other.position, v.enemies))
          left = &other;
    if (left != nullptr) words.push_back("take");
    const std::string& word =
        words[play_.Choose(v.side, words, "what does " + play_.Name(u) + " do?", "CF-21.9")];
    if (word == "pursue") {
      DoPursue(v, quarries.front());
      return;
    }
    if (v.outcome == Outcome::kBreakthrough && v.cavalry && !quarries.empty() &&
        Info(s_, u).grade <= Grade::kB) {
      play_.Hurt(u, play_.Book().after.decline_pursuit_dp_cavalry, "CF-21.2", "declined to pursue");
      play_.RiskLeaders(u, true);
    }
    if (word == "retire") DoRetire(v);
    if (word == "take") TakePosition(play_, u, left->position);
  }

  void ActOn(const Verdict& v) {
    const int u = v.unit;
    const std::optional<UnitId> enemy = EnemyOf(v);
    const std::vector<int> quarries = QuarriesOf(v);
    Act act = v.act;
    if (act == Act::kPursue && (quarries.empty() || IsGun(s_, u))) act = Act::kFree;
    if (act == Act::kRide) {
      const int charged = v.charged.front();
      if (At(s_, charged).OnTable() && RideThrough(play_, u, charged)) return;
      act = Act::kRemainOrRetire;
    }
    switch (act) {
      case Act::kPursue:
        DoPursue(v, quarries.front());
        break;
      case Act::kFree:
        ChooseFreely(v, quarries);
        break;
      case Act::kRetire:
        DoRetire(v);
        break;
      case Act::kRemain:
        play_.Tell("CF-22.1", play_.Name(u) + " stays in place.");
        break;
      case Act::kRemainOrRetire:
        if (play_.Choose(v.side, {"stay", "retire"}, "does " + play_.Name(u) + " stay or retire?",
                         "CF-21.4") == 1)
          DoRetire(v);
        break;
      case Act::kAbandonAlive:
        Abandon(play_, u, false, "CF-21.5");
        break;
      case Act::kAbandonDead:
        Abandon(play_, u, true, "CF-21.6");
        break;
      case Act::kRout:
        moves_.gone.push_back({u, Rout(play_, u, enemy).gone});
        break;
      case Act::kRide:
        break;
    }
  }

  Play& play_;
  const State& s_;
  std::vector<Verdict>& verdicts_;
  Moves moves_;
  std::vector<int> met_by_;
  std::vector<std::pair<std::pair<int, int>, double>> gaps_;
};

// CF-21.8: tells whose units act first.
void TellOrder(Play& play, const SideScore (&scores)[2]) {
  const State& s = play.Now();
  const int lead = scores[0].total * scores[1].units - scores[1].total * scores[0].units;
  const int first = lead != 0 ? (lead > 0 ? 1 : 0) : 1 - s.initiative;
  const std::string& name = s.setup->sides[static_cast<std::size_t>(first)];
  const std::string& other = s.setup->sides[static_cast<std::size_t>(1 - first)];
  play.Tell("CF-21.8",
            lead != 0 ? fmt::format("{} has the lower score, so its units act first.", name)
                      : fmt::format("The scores are equal and {} has the initiative, so the units "
                                    "of {} act first.",
                                    other, name));
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
          [&] {
            return fmt::format("the place of {} is known to +/- {:.1f} yd against {}", play.Name(u),
                               1.96 * sigma, play.Name(facing));
          },
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
      verdicts.push_back({u, side, 0, 0, Outcome::kInconclusive, Act::kRemain,
                          ChargedFoot(field, u), IsCavalry(s, u), OpponentsOf(s, u),
                          ChargedBy(field, u), melee.units[static_cast<std::size_t>(1 - side)],
                          field.FrontOf(u)});
    }
  }
  {
    const auto names = [&](int side) {
      std::string out;
      for (const int u : melee.units[side]) out += (out.empty() ? "" : "; ") + play.Name(u);
      return out;
    };
    play.Tell("CF-20.7", fmt::format("Combat of {} against {}: {} {}, {} {}.", names(0), names(1),
                                     s.setup->sides[0], ScoreText(scores[0]), s.setup->sides[1],
                                     ScoreText(scores[1])));
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
  TellOrder(play, scores);
  const std::vector<int> met = Acts(play, verdicts).Resolve();
  met_by.insert(met_by.end(), met.begin(), met.end());
}
}  // namespace fos::closefire
