// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/rules/closefire/moving.h"

// CF-11.2, CF-11.5, sections 12 and 13: the dice of a move, its yards and its fatigue.
namespace fos::closefire {

Fatigue FatigueOf(const State& s, int unit, bool rough) {
  const Formation f = At(s, unit).body.formation;
  Fatigue out;
  out.rough = rough;
  out.cavalry = IsCavalry(s, unit);
  out.foot = IsFoot(s, unit) || IsDismounted(s, unit);
  out.line = f == Formation::kLine;
  out.march = f == Formation::kMarch;
  out.assault = f == Formation::kAssault;
  out.unformed = f == Formation::kUnformed;
  out.gun_unlimbered = IsGun(s, unit) && f == Formation::kUnlimbered;
  out.battalion_gun_unlimbered = out.gun_unlimbered && Info(s, unit).gun == GunClass::kBattalion;
  return out;
}

namespace {

std::vector<int> FacesThrown(const Unit& unit) {
  std::vector<int> faces;
  for (int packed = unit.march.faces; packed > 0; packed /= 10) faces.push_back(packed % 10);
  std::reverse(faces.begin(), faces.end());
  return faces;
}
}  // namespace

// CF-11.5.
bool OneRoll(const Field& field, int a, int b) {
  const State& s = field.Game();
  const auto shares = [&](int unit) {
    const Control control = At(s, unit).obeys.control;
    return control == Control::kControlled || control == Control::kConforming;
  };
  return shares(a) && shares(b) && field.BrigadierOf(a) == field.BrigadierOf(b) &&
         At(s, a).obeys.controlled_by == At(s, b).obeys.controlled_by;
}

std::optional<BrigadeRoll> BrigadeRollOf(const Field& field, int unit) {
  const State& s = field.Game();
  const DiceArm arm = DiceArmOf(s, unit);
  std::optional<BrigadeRoll> out;
  if (!At(s, unit).obeys.controlled_by.has_value()) return out;
  // The largest set of dice is the one that was thrown. The other units used some of those dice.
  for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
    if (v == unit || At(s, v).march.thrown_as != arm || !OneRoll(field, unit, v)) continue;
    const DiceSet& set = SetAt(At(s, v).march.set);
    if (!out || set.size() > out->set.size()) out = BrigadeRoll{v, set, FacesThrown(At(s, v))};
  }
  return out;
}

std::optional<std::vector<int>> BrigadeRoll::Read(const DiceSet& wanted) const {
  std::vector<int> out;
  std::size_t next = 0;
  for (const Die die : wanted) {
    while (next < set.size() && set[next] != die) ++next;
    if (next == set.size()) return std::nullopt;
    out.push_back(faces[next++]);
  }
  return out;
}

// CF-12.4: if any part of the move is rough, all of it is. CF-12.8: a limbered gun then has one
// die.
void BecomeRough(Play& play, int unit) {
  const State& s = play.Now();
  if (At(s, unit).march.rough) return;
  play.Require(At(s, unit).body.formation != Formation::kLimbered ||
                   SetAt(At(s, unit).march.set).size() <= 1,
               "CF-12.8", "a limbered gun moves with one die in rough going");
  play.Set(unit, Of::kRough, 1);
  const DiceSet& set = SetAt(At(s, unit).march.set);
  const std::vector<int> faces = FacesThrown(At(s, unit));
  const bool limbered = At(s, unit).body.formation == Formation::kLimbered;
  const int already = FatigueDp(play.Book(), play.Rulings(), FatigueOf(s, unit, false), set, faces);
  const int all = FatigueDp(play.Book(), play.Rulings(), FatigueOf(s, unit, true), set, faces);
  play.ManoeuvreDp(unit, std::max(0, all - already), "CF-13.2", "rough going");
  if (limbered && !play.Rulings().limbered_rough_minus10) return;
  double loss = -static_cast<double>(faces.size()) * play.Book().move.per_die_rough;
  if (At(s, unit).march.doubled) loss *= 2;
  // CF-14.13: a later half move is half of what the roll gives in rough going.
  const double full = std::max(0.0, Yd(At(s, unit).march.full_milli_yd) - loss);
  play.Set(unit, Of::kFullMilliYd, Milli(full));
  for (int i = 0; i < At(s, unit).march.halves; ++i) loss /= 2;
  const double left = std::max(0.0, Yd(At(s, unit).march.left_milli_yd) - loss);
  play.Set(unit, Of::kAllowanceMilliYd, Milli(left));
  play.Tell("CF-12.4", fmt::format("{} is in rough going; {:g} yd left.", play.Name(unit), left));
}

Thrown ThrownFor(const Field& field, int unit, const std::vector<int>& faces, bool doubled) {
  const State& s = field.Game();
  Thrown out;
  out.rough = field.RoughUnder(field.Bases(unit));
  const bool limbered = At(s, unit).body.formation == Formation::kLimbered;
  out.roll = {faces, At(s, unit).obeys.inspired > 0,
              out.rough && !(limbered && !s.Rulings().limbered_rough_minus10), false};
  out.doubled = doubled || (!s.Rulings().double_optional && field.MayDouble(unit));
  out.yards = AllowanceYd(s.Book(), out.roll) * (out.doubled ? 2 : 1);
  return out;
}

namespace {

// The checks for one unit of a roll.
void CheckRoll(Play& play, const ParsedLine& words, const Field& field, int unit) {
  const State& s = play.Now();
  const int set = SetIndex(words.dice);
  const int first = words.units.front();
  RequireFreeToMove(play, unit, Moving::kThrowing);
  const Unit& u = At(s, unit);
  play.Require(
      u.march.set == 0, "CF-11.2",
      [&] { return play.Name(unit) + " has already thrown its dice this turn"; }, false);
  const bool rough = field.RoughUnder(field.Bases(unit));
  const std::vector<DiceSet>& sets = DiceSetsOf(s, unit, rough);
  play.Require(
      std::find(sets.begin(), sets.end(), words.dice) != sets.end(),
      IsGun(s, unit)       ? "CF-12.8"
      : IsCavalry(s, unit) ? "CF-12.2"
                           : "CF-12.1",
      [&] {
        return fmt::format("{} cannot move with {}: {}", play.Name(unit), DiceInWords(words.dice),
                           SetsInWords(sets));
      },
      false);
  if (u.obeys.control == Control::kRepeats)
    play.Require(set == u.pace.set, "CF-5.7", [&] {
      return fmt::format("{} must repeat its last move with {}", play.Name(unit),
                         DiceInWords(SetAt(u.pace.set)));
    });
  if (u.obeys.control == Control::kConforming) {
    const UnitId lead = LeadOf(u).value();
    const bool together =
        std::find(words.units.begin(), words.units.end(), lead) != words.units.end();
    play.Require(
        together || At(s, lead).march.set == set, CopiesInLine(u) ? "CF-5.2" : "CF-5.3", [&] {
          return fmt::format("{} conforms to {} and must use the same dice, with it or after it",
                             play.Name(unit), play.Name(lead));
        });
  }
  if (IsCavalry(s, unit))
    play.Require(MayChangePaceTo(s, unit, words.dice), "CF-12.9", [&] {
      return fmt::format("{} dice after {} last turn: the pace may change by at most two dice",
                         words.dice.size(), u.pace.dice);
    });
  if (words.units.size() > 1) {
    play.Require(field.BrigadierOf(unit) == field.BrigadierOf(first) &&
                     DiceArmOf(s, unit) == DiceArmOf(s, first),
                 "CF-11.5", "one roll serves one brigade and one arm only");
    const Control control = u.obeys.control;
    play.Require(
        control == Control::kControlled || control == Control::kConforming, "CF-11.5",
        [&] { return play.Name(unit) + " is not under control and must roll for itself"; });
    play.Require(OneRoll(field, first, unit), "CF-11.5", [&] {
      return fmt::format("{} and {} are controlled by different leaders", play.Name(first),
                         play.Name(unit));
    });
  }
  if (words.Has("double"))
    play.NoteClose([&] { return play.Name(unit) + " to the enemy"; }, field.NearestEnemyGap(unit),
                   play.Book().move.far_distance);
  if (words.Has("double"))
    play.Require(field.MayDouble(unit), "CF-11.7", [&] {
      return fmt::format("{} is within {:g} yd of an enemy, or of cover that may hide one",
                         play.Name(unit), play.Book().move.far_distance);
    });
}

// The faces of a roll: those that the brigade has already thrown (CF-11.5), else new ones.
std::vector<int> FacesFor(Play& play, const ParsedLine& words, const Field& field) {
  std::string names;
  for (const int unit : words.units) names += (names.empty() ? "" : "; ") + play.Name(unit);
  const std::optional<BrigadeRoll> lying = BrigadeRollOf(field, words.units.front());
  const auto read = lying ? lying->Read(words.dice) : std::nullopt;
  if (lying)
    play.Require(read.has_value(), "CF-11.5", [&] {
      return fmt::format("the brigade moves on one roll: use the dice thrown for {} ({})",
                         play.Name(lying->of), DiceInWords(lying->set));
    });
  if (read) {
    play.Tell("CF-11.5", fmt::format("{} uses the dice thrown for {}: {}.", names,
                                     play.Name(lying->of), fmt::join(*read, " ")));
    return *read;
  }
  return play.Roll(play.Now().to_act, words.dice, "move of " + names, "CF-11.2",
                   words.units.front());
}

// Gives one unit the yards of a roll, and its fatigue.
void TakeRoll(Play& play, const ParsedLine& words, const Field& field, int unit,
              const std::vector<int>& faces) {
  const State& s = play.Now();
  const int set = SetIndex(words.dice);
  int packed = 0;
  for (const int face : faces) packed = packed * 10 + face;
  const Unit& u = At(s, unit);
  const Thrown thrown = ThrownFor(field, unit, faces, words.Has("double"));
  const bool rough = thrown.rough;
  const bool doubled = thrown.doubled;
  const double yards = thrown.yards;
  // CF-14.10: mounting or dismounting before the dice has already used half the move.
  double left = yards;
  for (int i = 0; i < u.march.halves; ++i) left -= yards / 2;
  play.Set(unit, Of::kRolled, set);
  play.Set(unit, Of::kRolledAs, std::optional(DiceArmOf(s, unit)));
  play.Set(unit, Of::kSetNow, set);
  play.Set(unit, Of::kPaceNow, static_cast<int>(words.dice.size()));
  play.Set(unit, Of::kFaces, packed);
  play.Set(unit, Of::kDoubled, doubled);
  play.Set(unit, Of::kObjective, words.Has("objective"));
  play.Set(unit, Of::kRough, rough);
  play.Set(unit, Of::kFullMilliYd, Milli(yards));
  play.Set(unit, Of::kAllowanceMilliYd, Milli(left));
  play.Tell(doubled ? "CF-11.7" : "CF-12.1",
            fmt::format("{} has {:g} yd ({}{}{}).", play.Name(unit), left,
                        AllowanceText(play.Book(), thrown.roll), doubled ? ", doubled" : "",
                        left < yards ? ", half already used" : ""));
  play.ManoeuvreDp(
      unit, FatigueDp(play.Book(), play.Rulings(), FatigueOf(s, unit, rough), words.dice, faces),
      rough ? "CF-13.2" : "CF-13.1", "fatigue");
}

}  // namespace

bool MayChangePaceTo(const State& s, int unit, const DiceSet& to) {
  return std::abs(static_cast<int>(to.size()) - At(s, unit).pace.dice) <=
         s.Book().move.pace_change_max;
}

void RollDice(Play& play, const ParsedLine& words) {
  play.Require(!words.units.empty(), "CF-11.2", "name the units that move", false);
  const Field field = play.Measure();
  for (const int unit : words.units) CheckRoll(play, words, field, unit);
  const std::vector<int> faces = FacesFor(play, words, field);
  for (const int unit : words.units) TakeRoll(play, words, field, unit, faces);
}

}  // namespace fos::closefire
