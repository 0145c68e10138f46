// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/journal/game_source.h"
#include "ui/report/battle.h"
#include "ui/report/dice_fairness.h"
#include "ui/report/drawing.h"
#include "ui/report/shooting.h"

namespace fos {

// What a kind of gun did at a range.
struct RangeRecord {
  std::string gun;  // "field", "howitzer"; how it fired where it has no kind
  int band = 0;     // 0: below 6 in from gun to target, 1: below 12 in, ...
  int shots = 0;
  int hits = 0;  // pieces destroyed
};
inline constexpr double kRangeBand_in = 6;
// "6 to 12 in"
std::string RangeName(int band);

// How the players took the camera's verdicts.
struct RefereeRecord {
  std::string table;      // an account of the club's server; empty: the club's file
  int verdicts = 0;       // shots judged
  int called = 0;         // of these, without a call too close for the camera
  int disputed = 0;       // the players said so
  int settled_close = 0;  // calls left to the players, that they settled
  int overruled = 0;      // shots where the players settled a call otherwise, or moved the point
};

// Statistics over many games.
class Season {
 public:
  // table  whose game it is; empty for the club's file
  void Add(const GameLog& log, const Battle& battle, const std::string& table);

  int Games() const { return games_; }
  const Shooting& Shots() const { return shooting_; }
  // Thrown shots by gun and range. Shots without a known gun or target are left out.
  std::vector<RangeRecord> Ranges() const;
  std::vector<RefereeRecord> Referees() const;
  // Six-sided and twelve-sided dice, those that were thrown for the rules and those that the camera
  // saw. Dice that answered the rules are counted as the game has them in the end.
  std::vector<DiceRecord> Dice() const;
  // The first and the last day that was counted; empty without games.
  const std::string& FirstDay() const { return first_day_; }
  const std::string& LastDay() const { return last_day_; }

 private:
  void AddReferee(const GameLog& log, const std::string& table);
  void AddThrows(const GameLog& log, const Battle& battle, const std::string& table);
  void AddSeenDice(const GameLog& log, const std::string& table);
  DiceRecord& DiceOf(const std::string& who, DieFaces kind);

  int games_ = 0;
  std::string first_day_, last_day_;
  Shooting shooting_;
  std::map<std::pair<std::string, int>, RangeRecord> ranges_;
  std::map<std::string, RefereeRecord> referees_;
  std::map<std::string, DiceRecord> dice_;
};

// One self-contained page with tables and plots.
std::string SeasonHtml(const Season& season, const std::string& title);
// `statistic,who,what,value`, one number a line.
std::string SeasonCsv(const Season& season);
// Bars with a name and a number each.
struct Bar {
  std::string name;
  double value = 0;
  std::string label;
};
Drawing BarPlot(const std::string& title, const std::vector<Bar>& bars, Colour colour);

}  // namespace fos
