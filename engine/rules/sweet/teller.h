// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/rules/sweet/events.h"
#include "engine/rules/sweet/melee.h"
#include "engine/squares/game_words.h"
#include "engine/squares/melee_sums.h"
#include "engine/squares/queries.h"
#include "engine/squares/who_acts.h"
#include "engine/table/counted.h"

// The sentences about events that both sets share. A rule set's own teller derives from this,
// imports `operator()` and adds its own events; s is the state after the event. Needed beside the
// State: StepName, DescribeAsk.
namespace fos::sweet {

using namespace squares;

template <typename State>
class CommonTeller {
 public:
  explicit CommonTeller(const State& s) : s_(s) {}

  std::string operator()(const DiceThrown& e) const {
    return fmt::format("Dice: {}.", fmt::join(e.dice, " "));
  }
  std::string operator()(const CoinThrown& e) const {
    const std::string shows = e.heads ? "heads" : "tails";
    const auto thrown = LastCoin(s_);
    const auto stake = thrown ? StakeOf(s_, thrown->first, thrown->second) : std::nullopt;
    if (!stake) return fmt::format("Coin toss: {}.", shows);
    return fmt::format("Coin toss: {}, {} in {} {}.", shows, StandAndKind(s_, *stake),
                       CellName(s_, s_.StandAt(*stake).cell), e.heads ? "is lost" : "stays");
  }
  // NAP-4D, ANC-F5: the hits of a volley. Its losses are taken with those of all others.
  std::string operator()(const VolleyJudged& e) const {
    const auto& volley = s_.volleys[static_cast<std::size_t>(e.volley)];
    const std::string who = fmt::format("{} at {}: {}", UnitAndKind(s_, volley.unit),
                                        CellName(s_, volley.target), fmt::join(volley.rolled, " "));
    if (e.losses.empty()) return who + ", no hit.";
    return fmt::format("{}, {}: {}.", who, Counted(static_cast<double>(e.losses.size()), "hit"),
                       StandNames(s_, e.losses));
  }
  std::string operator()(const StandsTurned& e) const {
    return fmt::format("{} faces {}.", Stands(e.stands), FacingName(e.facing));
  }
  std::string operator()(const EquipmentTurned& e) const {
    return fmt::format("{} faces {}.", EquipmentAndKind(s_, e.equipment), FacingName(e.facing));
  }
  std::string operator()(const EquipmentTaken& e) const {
    return fmt::format("{} now belongs to {}.", EquipmentAndKind(s_, e.equipment),
                       SideName(s_, e.owner));
  }
  std::string operator()(const Moved& e) const {
    std::vector<std::string> path;
    for (const Cell cell : e.path) path.push_back(CellName(s_, cell));
    std::string with;
    for (const PieceNo i : e.equipment) with += " with " + EquipmentAndKind(s_, i);
    const std::string who = Stands(e.stands) + with;
    const std::string way = fmt::format("{}", fmt::join(path, ", "));
    if (!e.retreat) return fmt::format("{} moves to {}.", who, way);
    using Reason = decltype(s_.retreats.front().reason);
    const bool last = !s_.retreats.empty() && s_.retreats.front().reason == Reason::kOneStand;
    return fmt::format("{} {} to {} ({}).", who,
                       last ? "is down to its last stand and falls back" : "falls back", way,
                       ClauseOf(s_, e));
  }
  std::string operator()(const Supported& e) const {
    return fmt::format("{} supports in {}.", Stands(e.stands), Contact(e.melee));
  }
  std::string operator()(const MeleesOrdered& e) const {
    std::string names;
    for (const Cell cell : e.contacts) names += (names.empty() ? "" : ", ") + CellName(s_, cell);
    return fmt::format("The melees are resolved in this order: {}.", names);
  }
  std::string operator()(const Overruled& e) const {
    return fmt::format("The players overrule {}: {}.", e.clause, e.because);
  }
  template <typename Step>
  std::string operator()(const StepBeganOf<Step>& e) const {
    return fmt::format("Turn {}, {} ({} attacks).", e.turn, StepName(e.step),
                       SideName(s_, e.attacker));
  }
  template <typename Ask>
  std::string operator()(const AskedOf<Ask>& e) const {
    State asking = s_;
    asking.ask = e.ask;
    return "Next: " + DescribeAsk(asking) + ".";
  }
  // Its cause by the rule set's CauseName, its clause by its ClauseOf(State, StandLost).
  template <typename LossCause>
  std::string operator()(const StandLostOf<LossCause>& e) const {
    return fmt::format("{} is {} ({}, {}).", StandAndKind(s_, e.stand), CauseName(e.cause),
                       CellName(s_, s_.StandAt(e.stand).cell), ClauseOf(s_, e));
  }
  template <typename Melee>
  std::string operator()(const MeleeJoinedOf<Melee>& e) const {
    return fmt::format("Melee in {}: {}.", CellName(s_, e.melee.contact), Stands(e.stands));
  }
  template <typename Ending>
  std::string operator()(const GameEndedOf<Ending>& e) const {
    return fmt::format(
        "The game ends: {} {}, {} {}; {}.", SideName(s_, 0), e.ending.points[0], SideName(s_, 1),
        e.ending.points[1],
        e.ending.winner == kNobody ? "a draw" : SideName(s_, e.ending.winner) + " wins");
  }

 protected:
  // The cards of all melees are shown when the last of them is chosen (NAP-MDI, ANC-P1).
  // counted(melee)  the sums of a melee, as the end of its sentence
  template <typename SumsText>
  std::string Deployments(const CardChosen& e, SumsText counted) const {
    if (MeleeOfCards(s_))
      return fmt::format("{} has chosen its deployment for {}.", SideName(s_, e.side),
                         Contact(e.melee));
    std::string out;
    for (std::size_t i = 0; i < s_.melees.size(); ++i) {
      const auto& card = s_.melees[i].card;
      out += fmt::format("{}Deployments for {}: {} {}, {} {}; {}.", out.empty() ? "" : " ",
                         Contact(static_cast<int>(i)), SideName(s_, 0),
                         CardName(static_cast<Card>(card[0])), SideName(s_, 1),
                         CardName(static_cast<Card>(card[1])), counted(static_cast<int>(i)));
    }
    return out;
  }
  static double InPoints(Sixteenths value) { return value / static_cast<double>(kPoint); }
  // "Blue 14, Red 9", attackers first.
  std::string Totals(const BySide& totals) const {
    return fmt::format("{} {:g}, {} {:g}", SideName(s_, s_.attacker), InPoints(totals[kAttackers]),
                       SideName(s_, s_.Defender()), InPoints(totals[kDefenders]));
  }
  // The sums of a rule set's MeleeDecided.
  template <typename MeleeDecided>
  std::string Decided(const MeleeDecided& e) const {
    const MeleeAccount account = AccountOf(s_, e.melee);
    const State then = AfterTheLosses(s_, e.melee);
    const BySide left = SumsOf(then, e.melee, LeftIn(then, e.melee)).compared;
    const std::array<int, 2> sides{s_.attacker, s_.Defender()};
    std::string out = fmt::format("Melee in {}: {}", Contact(e.melee), Totals(account.before));
    if (e.result == CardResult::kEqual) out += ", equal deployments";
    if (e.result == CardResult::kSuperior || e.result == CardResult::kInferior)
      out += fmt::format(", {}'s deployment is superior",
                         SideName(s_, sides[e.result == CardResult::kSuperior ? 0 : 1]));
    for (const std::size_t role : {kAttackers, kDefenders}) {
      const Fallen fallen = FallenIn(then, e.melee, sides[role]);
      const std::string lost = fallen.stands == 0
                                   ? std::string("loses no stand")
                                   : fmt::format("loses {} ({:g})", Counted(fallen.stands, "stand"),
                                                 InPoints(fallen.points));
      const std::string& side = SideName(s_, sides[role]);
      if (account.due) {
        out +=
            fmt::format(". {} must lose {:g} and {}", side, InPoints((*account.due)[role]), lost);
      } else if (fallen.stands > 0) {
        out += fmt::format(". {} {}", side, lost);
      }
    }
    const bool fought =
        account.due || e.result == CardResult::kSuperior || e.result == CardResult::kInferior;
    if (fought) out += fmt::format(". Left: {}", Totals(left));
    for (const std::size_t role : {kAttackers, kDefenders})
      if (FallenIn(s_, e.melee, sides[role]).stands > FallenIn(then, e.melee, sides[role]).stands)
        out += ". " + Outnumbered(sides[role], e.result == CardResult::kEqual);
    for (const std::size_t role : {kAttackers, kDefenders})
      if (const int steps = e.retreat[static_cast<std::size_t>(sides[role])];
          steps > 0 && left[role] > 0)
        out += fmt::format(". {} {} {}", SideName(s_, sides[role]),
                           fought ? "falls back" : "withdraws", Counted(steps, "square"));
    return fmt::format("{} ({}).", out, ClauseOf(s_, e));
  }
  // NAP-5C, ANC-P2, ANC-P3: why the rest of a side is destroyed.
  std::string Outnumbered(int side, bool equal_deployments) const {
    const auto& book = s_.Book().melee;
    const bool strict = equal_deployments ? book.equal_strict : book.unequal_strict;
    return fmt::format(
        "{} {} {} {} times as strong: the rest of {} is destroyed", SideName(s_, 1 - side),
        s_.Ruling().annihilation_after_losses ? "is" : "was", strict ? "more than" : "at least",
        equal_deployments ? book.equal_ratio : book.unequal_ratio, SideName(s_, side));
  }
  std::string Contact(int melee) const {
    return CellName(s_, s_.melees[static_cast<std::size_t>(melee)].contact);
  }
  // "Line infantry F-1L1 (4)": each unit with the number of its stands.
  std::string Stands(const std::vector<PieceNo>& stands) const {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < stands.size();) {
      const PieceNo unit = s_.StandAt(stands[i]).unit;
      std::size_t n = i;
      while (n < stands.size() && s_.StandAt(stands[n]).unit == unit) ++n;
      words.push_back(fmt::format("{} ({})", UnitAndKind(s_, unit), n - i));
      i = n;
    }
    return fmt::format("{}", fmt::join(words, ", "));
  }

  const State& s_;
};

// What `show` says beyond the pieces on the board: losses and objectives.
template <typename State>
std::string LossesAndObjectives(const State& s) {
  std::string out;
  for (int side = 0; side < 2; ++side) {
    int stands = 0, pieces = 0, off = 0;
    for (const auto& stand : s.stands) {
      stands += stand.side == side && stand.fate == Fate::kDestroyed;
      off += stand.side == side && stand.fate == Fate::kOffBoard;
    }
    for (const auto& e : s.equipment)
      pieces += e.side == side && (e.fate == Fate::kDestroyed || e.owner != side);
    out += fmt::format("{} has lost {}", SideName(s, side), Counted(stands, "stand"));
    if (pieces > 0) out += fmt::format(" and {} of equipment", Counted(pieces, "piece"));
    if (off > 0) out += fmt::format("; {} off the board", Counted(off, "stand"));
    out += ".\n";
  }
  for (const auto& objective : s.setup->objectives) {
    const auto there = [&](int side) {
      return std::any_of(objective.cells.begin(), objective.cells.end(),
                         [&](Cell c) { return s.CountIn(side, c) > 0; });
    };
    const std::string holder =
        there(0) == there(1) ? std::string("nobody") : SideName(s, there(0) ? 0 : 1);
    out += fmt::format("{} ({}): held by {}.\n", objective.name, Counted(objective.points, "point"),
                       holder);
  }
  return out;
}

// The position as text: how it stands, then a line for each group, its kind in `width` columns.
// Beside the State: StepName, PointsOf.
template <typename State>
std::string TableHead(const State& s) {
  return fmt::format("Turn {}, {}. Points: {} {}, {} {}.\n", s.turn, StepName(s.step),
                     SideName(s, 0), PointsOf(s, 0), SideName(s, 1), PointsOf(s, 1)) +
         LossesAndObjectives(s);
}
template <typename State>
std::string GroupLines(const State& s, int width) {
  std::string out;
  for (int side = 0; side < 2; ++side)
    for (const Group& group : GroupsOf(s, side)) {
      const std::vector<PieceNo> stands = StandsOf(s, group.unit, group.cell);
      out += fmt::format("  {:<10} {:<{}} {} in {} facing {}\n", UnitName(s, group.unit),
                         TypeOfUnit(s, group.unit).name, width, stands.size(),
                         CellName(s, group.cell), FacingName(s.StandAt(stands.front()).facing));
    }
  return out;
}

}  // namespace fos::sweet
