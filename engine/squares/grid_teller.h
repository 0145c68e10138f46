#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/squares/game_words.h"
#include "engine/squares/melee_sums.h"
#include "engine/squares/queries.h"
#include "engine/table/counted.h"

// The sentences about events that all grid games share. A rule set's own teller derives from this,
// imports `operator()` and adds its own events; s is the state after the event. Needed beside the
// State: StepName, DescribeAsk.
namespace fos::squares {

template <typename State>
class GridTeller {
 public:
  explicit GridTeller(const State& s) : s_(s) {}

  std::string operator()(const DiceThrown& e) const {
    return fmt::format("Dice: {}.", fmt::join(e.dice, " "));
  }
  std::string operator()(const CoinThrown& e) const {
    return fmt::format("The coin shows {}.", e.heads ? "heads" : "tails");
  }
  std::string operator()(const StandsTurned& e) const {
    return fmt::format("{} faces {}.", Stands(e.stands), FacingName(e.facing));
  }
  std::string operator()(const EquipmentTurned& e) const {
    return fmt::format("{} faces {}.", EquipmentName(s_, e.equipment), FacingName(e.facing));
  }
  std::string operator()(const EquipmentTaken& e) const {
    return fmt::format("{} now belongs to {}.", EquipmentName(s_, e.equipment),
                       SideName(s_, e.owner));
  }
  std::string operator()(const Moved& e) const {
    std::vector<std::string> path;
    for (const Cell cell : e.path) path.push_back(CellName(s_, cell));
    std::string with;
    for (const PieceNo i : e.equipment) with += " with " + EquipmentName(s_, i);
    return fmt::format("{}{} {} to {}.", Stands(e.stands), with, e.retreat ? "falls back" : "moves",
                       fmt::join(path, ", "));
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

 protected:
  // For a rule set's own StepBegan, Asked, MeleeJoined and GameEnded.
  template <typename StepBegan>
  std::string Began(const StepBegan& e) const {
    return fmt::format("Turn {}, {} ({} attacks).", e.turn, StepName(e.step),
                       SideName(s_, e.attacker));
  }
  template <typename Asked>
  std::string AsksFor(const Asked& e) const {
    State asking = s_;
    asking.ask = e.ask;
    return "Next: " + DescribeAsk(asking) + ".";
  }
  template <typename MeleeJoined>
  std::string Joined(const MeleeJoined& e) const {
    return fmt::format("Melee in {}: {}.", CellName(s_, e.melee.contact), Stands(e.stands));
  }
  template <typename GameEnded>
  std::string Ended(const GameEnded& e) const {
    return fmt::format(
        "The game ends: {} {}, {} {}; {}.", SideName(s_, 0), e.ending.points[0], SideName(s_, 1),
        e.ending.points[1],
        e.ending.winner == kNobody ? "a draw" : SideName(s_, e.ending.winner) + " wins");
  }
  // Cards are shown when both are chosen (NAP-MDI, ANC-P1).
  bool Revealed(const CardChosen& e) const {
    const auto& card = s_.melees[static_cast<std::size_t>(e.melee)].card;
    return card[0] != kNoCard && card[1] != kNoCard;
  }
  std::string Deployment(const CardChosen& e) const {
    const auto& card = s_.melees[static_cast<std::size_t>(e.melee)].card;
    if (!Revealed(e))
      return fmt::format("{} has chosen its deployment for {}.", SideName(s_, e.side),
                         Contact(e.melee));
    return fmt::format("Deployments for {}: {} {}, {} {}.", Contact(e.melee), SideName(s_, 0),
                       CardName(static_cast<Card>(card[0])), SideName(s_, 1),
                       CardName(static_cast<Card>(card[1])));
  }
  static std::string_view FareOf(CardResult result) {
    constexpr std::array<std::string_view, 6> kFares = {
        "equal deployments",      "the attacker's is superior", "the attacker's is inferior",
        "the attacker withdraws", "the defender withdraws",     "both withdraw"};
    return kFares[static_cast<std::size_t>(result)];
  }
  // "; Red falls back 2 squares": the retreats of a rule set's MeleeDecided.
  template <typename MeleeDecided>
  std::string GoingBack(const MeleeDecided& e) const {
    std::string back;
    for (int side = 0; side < 2; ++side)
      if (const int steps = e.retreat[static_cast<std::size_t>(side)]; steps > 0)
        back += fmt::format("; {} falls back {}", SideName(s_, side), Counted(steps, "square"));
    return back;
  }
  std::string Contact(int melee) const {
    return CellName(s_, s_.melees[static_cast<std::size_t>(melee)].contact);
  }
  // "F-1L1 (4)": each unit with the number of its stands.
  std::string Stands(const std::vector<PieceNo>& stands) const {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < stands.size();) {
      const PieceNo unit = s_.StandAt(stands[i]).unit;
      std::size_t n = i;
      while (n < stands.size() && s_.StandAt(stands[n]).unit == unit) ++n;
      words.push_back(fmt::format("{} ({})", UnitName(s_, unit), n - i));
      i = n;
    }
    return fmt::format("{}", fmt::join(words, ", "));
  }

  const State& s_;
};

}  // namespace fos::squares
