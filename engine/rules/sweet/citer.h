// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/squares/game_words.h"
#include "engine/squares/queries.h"
#include "engine/table/counted.h"

// The menu label, the clause and the subject of each declaration that all grid games share. A rule
// set's own citer derives from this and imports `operator()`. Needed beside the State:
// ClauseOfAsk(PendingInput).
namespace fos::sweet {

using namespace squares;

template <typename State>
class CommonCiter {
 public:
  explicit CommonCiter(const State& s) : s_(s) {}

  Cited operator()(const GiveDice&) const { return OfAsk("Dice as thrown"); }
  Cited operator()(const GiveCoin& a) const { return OfAsk(a.heads ? "Heads" : "Tails"); }
  Cited operator()(const Draw&) const { return OfAsk("Let the program throw"); }
  Cited operator()(const ChooseRetreat& a) const {
    Cited out = OfAsk("Fall back to " + CellName(s_, a.cell));
    if (a.cell != kNowhere) out.cells = {a.cell};
    return out;
  }

 protected:
  static Cited Of(std::string label, std::string_view clause, int side) {
    Cited out;
    out.label = std::move(label);
    out.clause = clause;
    out.side = side;
    return out;
  }
  Cited OfAsk(std::string label) const {
    return Of(std::move(label), ClauseOfAsk(s_.ask.kind),
              s_.ask.side == kNobody ? -1 : s_.ask.side);
  }
  static Cited Turning(const TurnUnit& a, std::string_view clause) {
    Cited out = Of(fmt::format("Turn to {}", FacingName(a.facing)), clause, a.side);
    out.units = {a.unit};
    return out;
  }
  static Cited Turning(const TurnEquipment& a, std::string_view clause) {
    Cited out = Of(fmt::format("Turn to {}", FacingName(a.facing)), clause, a.side);
    out.equipment = {a.equipment};
    return out;
  }
  Cited Shooting(const CallVolley& a, std::string_view how, std::string_view clause) const {
    Cited out = Of(fmt::format("{} at {}", how, CellName(s_, a.target)), clause, a.side);
    out.units = {a.unit};
    out.cells = {a.target};
    return out;
  }
  Cited Supporting(const Support& a, std::string_view clause) const {
    Cited out = Of("Support in " + CellName(s_, a.contact), clause, a.side);
    out.units = {a.unit};
    out.cells = {a.contact};
    return out;
  }
  static Cited Deploying(const PlayCard& a, std::string_view clause) {
    Cited out = Of(std::string(CardName(a.card)), clause, a.side);
    out.cells = {a.contact};
    return out;
  }
  Cited Ordering(const OrderMelees& a, std::string_view clause) const {
    std::string names;
    for (const Cell cell : a.contacts) names += (names.empty() ? "" : ", ") + CellName(s_, cell);
    Cited out = Of(fmt::format("Resolve the melee in {} first", names), clause, a.side);
    out.cells = a.contacts;
    return out;
  }
  // The rule set gives its own word for giving up the game.
  Cited GivingUp(int side, std::string label, std::string_view clause) const {
    Cited out = Of(std::move(label), clause, side);
    out.for_good = fmt::format("the game is over and {} wins", SideName(s_, 1 - side));
    return out;
  }
  // The label of a rule set's Move: who goes where, with what, at what cost (hundredths of a
  // square).
  template <typename Move>
  Cited Going(const Move& a, std::string_view how, int cost, std::string_view clause) const {
    Cited out = Of(fmt::format("{} {} ({})", how, CellName(s_, a.path.back()),
                               Counted(cost / static_cast<double>(kWhole), "square")),
                   clause, a.side);
    for (const PieceNo i : a.stands) {
      const PieceNo unit = s_.StandAt(i).unit;
      if (std::find(out.units.begin(), out.units.end(), unit) == out.units.end())
        out.units.push_back(unit);
    }
    for (const PieceNo unit : out.units) {
      const auto go = std::count_if(a.stands.begin(), a.stands.end(),
                                    [&](PieceNo i) { return s_.StandAt(i).unit == unit; });
      if (go != CountStandsOf(s_, unit))
        out.label += fmt::format(", {} of {}", go, UnitAndKind(s_, unit));
    }
    for (const PieceNo i : a.equipment) out.label += " with " + EquipmentAndKind(s_, i);
    out.equipment = a.equipment;
    out.cells = a.path;
    return out;
  }

  const State& s_;
};

}  // namespace fos::sweet
