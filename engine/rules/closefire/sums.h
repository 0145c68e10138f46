// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/rules/closefire/tables.h"

// The arithmetic of the clauses with every item named, as players see it before the dice and in the
// log. Pure functions of numbers; field.h measures the table.
namespace fos::closefire {

struct Item {
  std::string label;
  int value = 0;
  const char* clause = nullptr;  // if another than the sum's
};
struct Sum {
  std::vector<Item> items;
  void Add(std::string label, int value, const char* clause = nullptr) {
    if (value != 0) items.push_back({std::move(label), value, clause});
  }
  int Total() const;
  std::string Text() const;  // "die 4, heavy gun +1, new target -1 = 4"
};

// CF-1.2: the value of an average die's face as entered; 0 if the die has no such face.
int AverageFace(const Tables& book, const Settings& rulings, int entered);

// CF-5.5. low, free or high.
enum class ControlResult { kLow, kFree, kHigh };
ControlResult ControlOf(const Tables& book, int total);

// CF-16.1.
struct GunShot {
  RangeClass range_class = RangeClass::kField;
  bool heavy = false, battalion = false;  // class factors; howitzers have none
  double distance_yd = 0;
  int dp = 0;
  bool column_limbered_enfilade = false, fortifications = false, new_target = false,
       same_target_and_range = false, indirect = false;
  bool enfiladed = false;  // CF-16.4; column_limbered_enfilade is then set too
};
Sum GunSum(const Tables& book, const GunShot& shot, int die);
// CF-16.2: DPs of a modified throw.
int GunDp(const Tables& book, const GunShot& shot, int total);

// CF-17.1 to 17.3.
struct Volley {
  int stands = 0;  // stands able to fire
  int extra = 0;   // CF-17.2
  int dp = 0;
  bool hard_cover = false, dragoons = false;
  bool half_base = false;  // CF-2.3: marks the extra dice
};
Sum VolleySum(const Tables& book, const Volley& volley);  // before halving
int MusketDice(const Tables& book, const Volley& volley);
std::string VolleyText(const Tables& book, const Volley& volley);  // the sum in words

// Section 12: yards from dice, before doubling or halving.
struct Roll {
  std::vector<int> dice;  // faces as they count
  bool inspired = false, rough = false, first_fast = false;
};
double AllowanceYd(const Tables& book, const Roll& roll);
std::string AllowanceText(const Tables& book, const Roll& roll);  // "40 + 60, inspired +20"

// CF-13: fatigue DPs of a roll.
struct Fatigue {
  bool rough = false;
  bool cavalry = false, foot = false;
  bool line = false, march = false, assault = false, unformed = false;
  bool battalion_gun_unlimbered = false, gun_unlimbered = false;
};
int FatigueDp(const Tables& book, const Settings& rulings, const Fatigue& who, const DiceSet& set,
              const std::vector<int>& faces);

// CF-20.3, one unit.
struct Fighter {
  Grade grade = Grade::kC;
  int inspired = 0;
  bool ground = false;
  int works = 0;  // 1 fieldworks, 2 fortifications
  bool charging_or_pursuing = false;
  bool impact = false;
  bool depth = false;
  bool reserved = false;
  bool unready = false;
  bool flank = false;
  bool disorder_of_march = false;  // unformed, in march column, or guns alone
  int dp = 0, casualties = 0;
  int enemy_hundredths = 0, own_hundredths = 0;  // CF-20.5
};
Sum CombatSum(const Tables& book, const Fighter& fighter, int die);
int NumbersFactor(const Tables& book, int own_hundredths, int enemy_hundredths);

// CF-20.7: the difference of the two averages, own minus enemy.
struct SideScore {
  int total = 0, units = 1;
};
int Difference(const Settings& rulings, SideScore own, SideScore enemy);
std::string ScoreText(SideScore score);  // "5", or "9 / 2 units = 4.5"
// CF-21.1.
Outcome OutcomeOf(const Tables& book, int difference);

// CF-3.6.
bool Arrives(const Settings& rulings, int attempt, int die);
// CF-18.4: where charger and counter-charger meet, measured from the charger.
struct Meeting {
  bool met = false;
  double from_charger_yd = 0;
};
Meeting MeetingOf(double gap_yd, double charger_yd, double counter_yd);

}  // namespace fos::closefire
