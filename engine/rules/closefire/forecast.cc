// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/forecast.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/closefire/combat.h"
#include "engine/rules/closefire/fire.h"
#include "engine/rules/closefire/forecast_moves.h"
#include "engine/rules/closefire/forecast_parts.h"
#include "engine/rules/closefire/referee.h"

namespace fos::closefire {
namespace {

std::array<std::string, 2> SidesFrom(const State& s, std::optional<int> side) {
  if (!side) return {};
  const auto own = static_cast<std::size_t>(*side);
  return {s.setup->sides[own], s.setup->sides[1 - own]};
}

fos::Forecast OfGun(const State& s, const GunShot& shot) {
  fos::Forecast out;
  const Sum sum = GunSum(s.Book(), shot, 0);
  AddItems(sum, 0, "", "CF-16.1", out);
  out.totals[0] = sum.Total();
  Spread dp;
  for (int die = 1; die <= 6; ++die)
    dp[GunDp(s.Book(), shot, GunSum(s.Book(), shot, die).Total())] += 1 / 6.0;
  AddChances(dp, out);
  return out;
}

fos::Forecast OfVolley(const State& s, Volley volley) {
  fos::Forecast out;
  out.unit = "dice";
  AddItems(VolleySum(s.Book(), volley), 0, "", "CF-17.1", out);
  // Halves are rounded, so each halving's item is the difference it makes.
  const bool dragoons = std::exchange(volley.dragoons, false);
  const bool cover = std::exchange(volley.hard_cover, false);
  int dice = MusketDice(s.Book(), volley);
  const auto halve = [&](bool Volley::*flag, bool is, const char* what) {
    volley.*flag = is;
    const int less = MusketDice(s.Book(), volley);
    if (less != dice)
      out.items.push_back({0, fmt::format("{:+} {}", less - dice, what),
                           static_cast<double>(less - dice), "CF-17.3"});
    dice = less;
  };
  halve(&Volley::hard_cover, cover, "hard cover");
  halve(&Volley::dragoons, dragoons, "dismounted dragoons");
  out.totals[0] = dice;
  std::vector<int> hits;
  for (int face = 1; face <= 6; ++face) hits.push_back(s.Book().musket.hit.Has(face) ? 1 : 0);
  Spread dp = {{0, 1}};
  for (int i = 0; i < dice; ++i) dp = Plus(dp, hits);
  AddChances(dp, out);
  return out;
}

std::optional<fos::Forecast> OfFire(const State& s, const ParsedLine& words) {
  const int unit = words.units.front();
  if (MayNotFire(s, unit)) return std::nullopt;
  const Field field(s);
  const std::vector<Target> targets = TargetsOf(field, unit);
  const auto target = words.units.size() < 2
                          ? targets.begin()
                          : std::find_if(targets.begin(), targets.end(), [&](const Target& one) {
                              return one.unit == words.units[1];
                            });
  if (target == targets.end()) return std::nullopt;
  fos::Forecast out = IsGun(s, unit) ? OfGun(s, ShotAt(field, unit, *target))
                                     : OfVolley(s, VolleyAt(field, unit, *target));
  WriteSentence(fmt::format("{} at {}, {:.0f} yd", UnitName(s, unit), UnitName(s, target->unit),
                            target->gap_yd),
                out);
  return out;
}

std::optional<fos::Forecast> OfCombat(const State& s) {
  const Ask& ask = s.waiting->ask;
  const std::vector<Melee> melees = MeleesOf(s);
  const auto in = [&](const Melee& melee) {
    return std::any_of(std::begin(melee.units), std::end(melee.units), [&](const auto& units) {
      return std::find(units.begin(), units.end(), ask.about) != units.end();
    });
  };
  const auto melee = std::find_if(melees.begin(), melees.end(), in);
  if (melee == melees.end()) return std::nullopt;
  // Dice are thrown unit by unit, the first side's units first. The dice of units before this one
  // are known.
  std::vector<int> order;
  for (const auto& units : melee->units) order.insert(order.end(), units.begin(), units.end());
  const auto thrown = std::find(order.begin(), order.end(), ask.about) - order.begin();
  std::vector<int> lying;
  for (const Answer& answer : s.waiting->answers)
    if (answer.dice.size() == 1) lying.push_back(answer.dice.front());
  if (static_cast<std::ptrdiff_t>(lying.size()) < thrown) return std::nullopt;
  lying.erase(lying.begin(), lying.end() - thrown);

  fos::Forecast out;
  out.sides = SidesFrom(s, ask.side);
  const Field field(s);
  std::array<Spread, 2> spread = {Spread{{0, 1}}, Spread{{0, 1}}};
  for (std::size_t n = 0; n < order.size(); ++n) {
    const int unit = order[n];
    const int side = Info(s, unit).side;
    const int who = side == ask.side ? 0 : 1;
    const Sum sum = CombatSum(s.Book(), FighterOf(field, unit, *melee), 0);
    if (unit == ask.about && ask.sentence.find(sum.Text()) == std::string::npos)
      return std::nullopt;
    AddItems(sum, who, UnitName(s, unit) + ": ", "CF-20.3", out);
    out.totals[static_cast<std::size_t>(who)] += sum.Total();
    const Die die = ThrowsD6(s, unit) ? Die::kD6 : Die::kAverage;
    std::vector<int> faces = FacesOf(s.Book(), die);
    if (n < lying.size()) {
      faces = {die == Die::kD6 ? lying[n] : AverageFace(s.Book(), s.Rulings(), lying[n])};
      out.items.push_back({who, fmt::format("{:+} {}: die", faces[0], UnitName(s, unit)),
                           static_cast<double>(faces[0]), "CF-20.2"});
      out.totals[static_cast<std::size_t>(who)] += faces[0];
    }
    for (int& face : faces) face += sum.Total();
    Spread& of = spread[static_cast<std::size_t>(who)];
    of = Plus(of, faces);
  }
  const auto units = [&](int who) {
    const auto side = static_cast<std::size_t>(who == 0 ? *ask.side : 1 - *ask.side);
    return static_cast<int>(std::max<std::size_t>(1, melee->units[side].size()));
  };
  std::map<Outcome, double> outcomes;
  for (const auto& [own, chance] : spread[0]) {
    for (const auto& [enemy, other] : spread[1]) {
      const int difference = Difference(s.Rulings(), {own, units(0)}, {enemy, units(1)});
      outcomes[OutcomeOf(s.Book(), difference)] += chance * other;
    }
  }
  for (const auto& [outcome, chance] : outcomes)
    out.chances.emplace_back(OutcomeWords(outcome), chance);
  WriteSentence("combat of " + Info(s, ask.about.value()).id, out);
  return out;
}

}  // namespace

std::optional<fos::Forecast> ForecastOf(const State& s, const Action& action) {
  const ParsedLine& words = action.words;
  if (s.waiting) return std::nullopt;
  std::optional<fos::Forecast> out;
  if (words.verb == "fire" && !words.units.empty())
    out = OfFire(s, words);
  else
    out = OfMoves(s, words);
  if (out && out->sides[0].empty()) out->sides = SidesFrom(s, s.to_act);
  return out;
}

std::optional<fos::Forecast> Awaited(const State& s) {
  if (!s.waiting || !s.waiting->ask.about) return std::nullopt;
  std::optional<fos::Forecast> out =
      s.waiting->ask.clause == "CF-20.2" ? OfCombat(s) : OfMovesAwaited(s);
  if (out && out->sides[0].empty()) out->sides = SidesFrom(s, s.waiting->ask.side);
  return out;
}

}  // namespace fos::closefire
