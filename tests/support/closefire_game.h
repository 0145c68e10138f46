// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/rules/closefire/after.h"
#include "engine/rules/closefire/combat.h"
#include "engine/rules/closefire/fire.h"
#include "engine/rules/closefire/referee.h"
#include "engine/rules/closefire/roster.h"

// Small games of Close Fire for the catalogue's worked examples. Yards.
namespace fos::closefire::test {

constexpr int kBlue = 0, kRed = 1;
constexpr double N = 0, E = 90, S = 180, W = 270;

const Tables& ShippedTables();

struct Game {
  Setup setup;
  State s;

  Game();
  // `front` is the middle of the unit's front edge. The bases form one battalion, or one squadron
  // each.
  int Add(UnitInfo info, int bases, Vec2 front, double facing, Formation formation, int files = 0);
  int Foot(int side, Grade grade, int bases, Vec2 front, double facing, bool new_style = false);
  int Horse(int side, Grade grade, int bases, Vec2 front, double facing, bool new_style = false,
            int files = 0);
  int Hussars(int side, Grade grade, int bases, Vec2 front, double facing);
  int Dragoons(int side, Grade grade, int bases, Vec2 front, double facing, bool mounted = true);
  int Gun(int side, GunClass gun, Vec2 front, double facing, bool limbered = false);
  int Leader(int side, Rank rank, Vec2 at, std::optional<LeaderId> superior = std::nullopt);
  void Commands(int leader, int unit);
  void Attach(int leader, int unit);
  void Ground(Terrain terrain);

  // Starts a phase with `side` to act and first. All units are under control.
  void Start(Phase phase, int side = kBlue);
  void Put(int unit, Of field, int value);
  template <typename T>
  requires std::is_enum_v<T>
  void Put(int unit, Of field, T value) { Put(unit, field, static_cast<int>(value)); }
  void PutLeader(int leader, By field, int value);

  // Plays a line. Returns "" if accepted, else the clause that refused it or why it cannot be
  // parsed.
  std::string Do(const std::string& line);
  std::string because;            // the sentence of the last refusal
  std::vector<std::string> told;  // every sentence so far
  bool Told(std::string_view part) const;
  bool ToldClause(std::string_view clause) const;
  std::vector<std::string> clauses;

  int Is(int unit, Of field) const { return At(s, unit)[field]; }
  int Dp(int unit) const { return Is(unit, Of::kDp); }
  int Bases(int unit) const { return BasesLeft(s, unit); }
  double Left(int unit) const { return Yd(Is(unit, Of::kAllowanceMilliYd)); }
  Conduct Mood(int unit) const { return At(s, unit).As<Conduct>(Of::kStatus); }
  Vec2 Front(int unit) const { return Field(s).FrontOf(unit).centre; }
  // What the game waits for.
  std::string Request() const { return s.waiting ? s.waiting->ask.sentence : ""; }

 private:
  void Share();
};

Polygon Box(double x0, double y0, double x1, double y1);

}  // namespace fos::closefire::test
