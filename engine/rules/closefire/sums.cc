// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/sums.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fos::closefire {
namespace {

// Average dice are entered by their own faces. Only a D6 can show 1 or 6.
int Counting(Faces faces, const std::vector<int>& dice) {
  return static_cast<int>(
      std::count_if(dice.begin(), dice.end(), [&](int face) { return faces.Has(face); }));
}

// Rounds half up, also below zero.
int RoundedHalfUp(int total, int units) {
  return static_cast<int>(std::floor(static_cast<double>(total) / units + 0.5));
}

}  // namespace

int Sum::Total() const {
  int total = 0;
  for (const Item& item : items) total += item.value;
  return total;
}

std::string Sum::Text() const {
  std::string out;
  for (const Item& item : items) {
    out += out.empty() ? fmt::format("{} {}", item.label, item.value)
                       : fmt::format(", {} {:+}", item.label, item.value);
  }
  return fmt::format("{} = {}", out.empty() ? "nothing" : out, Total());
}

int AverageFace(const Tables& book, const Settings& rulings, int entered) {
  if (entered < 1 || entered > 6) return 0;
  if (rulings.avd_from_d6) return book.avd_from_d6[static_cast<std::size_t>(entered)];
  return book.avd.Has(entered) ? entered : 0;
}

ControlResult ControlOf(const Tables& book, int total) {
  if (total <= book.control.low_max) return ControlResult::kLow;
  return total <= book.control.free_max ? ControlResult::kFree : ControlResult::kHigh;
}

Sum GunSum(const Tables& book, const GunShot& shot, int die) {
  Sum sum;
  sum.Add("die", die);
  if (shot.heavy) sum.Add("heavy gun", book.gun.heavy);
  if (shot.battalion) sum.Add("battalion gun", book.gun.battalion);
  if (shot.column_limbered_enfilade)
    sum.Add("column, limbered or enfiladed", book.gun.column_limbered_enfilade,
            shot.enfiladed ? "CF-16.4" : nullptr);
  if (shot.fortifications) sum.Add("fortifications", book.gun.fortifications);
  sum.Add("gun's DPs", shot.dp * book.gun.per_dp);
  if (shot.new_target) sum.Add("new target", book.gun.new_target, "CF-16.3");
  const GunRange& range = book.gun_range[static_cast<std::size_t>(shot.range_class)];
  if (shot.distance_yd > range.effective)
    sum.Add("beyond effective range", book.gun.beyond_effective);
  if (shot.same_target_and_range)
    sum.Add("same target and range", book.gun.same_target_and_range, "CF-16.3");
  if (shot.indirect) sum.Add("indirect", book.gun.indirect);
  return sum;
}

// CF-15.5, CF-16.2.
int GunDp(const Tables& book, const GunShot& shot, int total) {
  const GunRange& range = book.gun_range[static_cast<std::size_t>(shot.range_class)];
  if (shot.distance_yd <= range.close) {
    if (total >= book.gun.close_two_dp) return 2;
    return total >= book.gun.close_one_dp ? 1 : 0;
  }
  return total >= book.gun.far_one_dp ? 1 : 0;
}

// CF-17.1, CF-17.2, CF-17.3.
Sum VolleySum(const Tables& book, const Volley& volley) {
  Sum sum;
  sum.Add("stands", volley.stands * book.musket.per_stand);
  if (volley.half_base)
    sum.Add("half base", volley.extra * book.musket.per_new_battalion, "CF-2.3");
  else
    sum.Add("new-style battalions", volley.extra * book.musket.per_new_battalion, "CF-17.2");
  sum.Add("disorder", volley.dp * book.musket.per_dp);
  return sum;
}

int MusketDice(const Tables& book, const Volley& volley) {
  int dice = std::max(0, VolleySum(book, volley).Total());
  if (volley.hard_cover) dice = (dice + 1) / 2;
  if (volley.dragoons) dice = (dice + 1) / 2;
  return dice;
}

std::string VolleyText(const Tables& book, const Volley& volley) {
  std::string out = VolleySum(book, volley).Text();
  Volley halved = volley;
  halved.dragoons = false;
  if (volley.hard_cover)
    out += fmt::format("; halved for hard cover: {}", MusketDice(book, halved));
  if (volley.dragoons)
    out += fmt::format("; halved for dragoons on foot: {}", MusketDice(book, volley));
  return out;
}

std::string AllowanceText(const Tables& book, const Roll& roll) {
  std::string out;
  for (const int die : roll.dice) out += fmt::format("{}{}", out.empty() ? "" : " + ", 10 * die);
  const auto each = [&](const char* why, double yards) {
    out += fmt::format(", {} {:+g}", why, yards * static_cast<double>(roll.dice.size()));
  };
  if (roll.inspired) each("inspired", book.move.per_die_inspired);
  if (roll.rough) each("rough", book.move.per_die_rough);
  if (roll.first_fast) each("first fast move", book.move.per_die_fast_initial);
  return out;
}

// CF-12.1, CF-12.3, CF-12.4, CF-12.6.
double AllowanceYd(const Tables& book, const Roll& roll) {
  double yards = 0;
  for (const int die : roll.dice) yards += 10 * die;
  const double dice = static_cast<double>(roll.dice.size());
  if (roll.inspired) yards += dice * book.move.per_die_inspired;
  if (roll.rough) yards += dice * book.move.per_die_rough;
  if (roll.first_fast) yards += dice * book.move.per_die_fast_initial;
  return std::max(0.0, yards);
}

int FatigueDp(const Tables& book, const Settings& rulings, const Fatigue& who, const DiceSet& set,
              const std::vector<int>& faces) {
  if (who.march) return 0;
  const auto& f = book.fatigue;
  if (!who.rough) {
    const bool tires = (who.line && (who.foot || who.cavalry)) || who.battalion_gun_unlimbered;
    // On good ground only a D6 showing six causes fatigue, never an average die (CF-1.2).
    int sixes = 0;
    for (std::size_t i = 0; i < faces.size() && i < set.size(); ++i)
      sixes += set[i] == Die::kD6 && f.good_line.Has(faces[i]);
    return tires ? sixes : 0;
  }
  if (who.cavalry) {
    int dp = Counting(f.rough_cavalry, faces);
    if (rulings.cavalry_rough_four) dp += Counting(f.rough_cavalry_further, faces);
    return dp;
  }
  if (who.gun_unlimbered) return Counting(f.rough_unlimbered_gun, faces);
  if (who.assault) return Counting(f.rough_assault_column, faces);
  return who.foot && who.line ? Counting(f.rough_foot_line, faces) : 0;
}

int NumbersFactor(const Tables& book, int own, int enemy) {
  if (enemy <= own) return 0;
  if (own == 0 || enemy >= 3 * own) return book.combat.outnumbered_3;
  return enemy >= 2 * own ? book.combat.outnumbered_2 : book.combat.outnumbered;
}

// CF-2.7, CF-20.3.
Sum CombatSum(const Tables& book, const Fighter& f, int die) {
  const auto& c = book.combat;
  Sum sum;
  sum.Add("die", die);
  sum.Add("grade", book.grade[static_cast<std::size_t>(f.grade)], "CF-2.7");
  sum.Add("inspired", std::min(c.inspire_max, f.inspired * c.inspire_each), "CF-4.5");
  if (f.ground) sum.Add("ground", c.ground, "CF-20.4");
  if (f.works == 1) sum.Add("fieldworks", c.fieldworks, "CF-20.4");
  if (f.works == 2) sum.Add("fortifications", c.fortifications, "CF-20.4");
  if (f.charging_or_pursuing) sum.Add("charging or pursuing", c.charging_or_pursuing);
  if (f.impact) sum.Add("impact", c.outrance_or_pursuing, "CF-20.4");
  if (f.depth) sum.Add("depth", c.depth, "CF-20.6");
  if (f.reserved) sum.Add("reserved fire", c.reserved_fire, "CF-20.4");
  if (f.unready) sum.Add("not ready for cavalry", c.unready, "CF-20.4");
  if (f.flank) sum.Add("flank or rear", c.flank, "CF-20.4");
  if (f.disorder_of_march) sum.Add("unformed, in march column or guns alone", c.order);
  sum.Add("disorder", f.dp * c.each_loss);
  sum.Add("casualties", f.casualties * c.each_loss);
  sum.Add("outnumbered", NumbersFactor(book, f.own_hundredths, f.enemy_hundredths), "CF-20.5");
  return sum;
}

int Difference(const Settings& rulings, SideScore own, SideScore enemy) {
  if (!rulings.truncate_difference)
    return RoundedHalfUp(own.total, own.units) - RoundedHalfUp(enemy.total, enemy.units);
  return (own.total * enemy.units - enemy.total * own.units) / (own.units * enemy.units);
}

std::string ScoreText(SideScore score) {
  if (score.units == 1) return fmt::format("{}", score.total);
  return fmt::format("{} / {} units = {:.3g}", score.total, score.units,
                     static_cast<double>(score.total) / score.units);
}

Outcome OutcomeOf(const Tables& book, int difference) {
  for (int i = 0; i + 1 < kOutcomes; ++i)
    if (difference >= book.results[static_cast<std::size_t>(i)].least)
      return static_cast<Outcome>(i);
  return Outcome::kBreak;
}

bool Arrives(const Settings& rulings, int attempt, int die) {
  return die >= rulings.reinforcement_first - (attempt - 1);
}

Meeting MeetingOf(double gap, double charger, double counter) {
  if (charger + counter < gap) return {};
  return {true, std::min(charger, std::max(gap / 2, gap - counter))};
}

}  // namespace fos::closefire
