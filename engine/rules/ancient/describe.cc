#include "engine/rules/ancient/describe.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/query.h"

namespace fos::ancient {
namespace {

double Points(Sixteenths value) { return value / static_cast<double>(squares::kPoint); }

class Teller {
 public:
  explicit Teller(const State& s) : s_(s) {}

  std::string operator()(const StepBegan& e) const {
    return fmt::format("Turn {}, {} ({} attacks).", e.turn, StepName(e.step),
                       SideName(s_, e.attacker));
  }
  std::string operator()(const Asked& e) const {
    State asking = s_;
    asking.ask = e.ask;
    return "Wanted: " + DescribeAsk(asking) + ".";
  }
  std::string operator()(const DiceThrown& e) const {
    return fmt::format("Dice: {}.", fmt::join(e.dice, " "));
  }
  std::string operator()(const CoinThrown& e) const {
    return fmt::format("The coin shows {}.", e.heads ? "heads" : "tails");
  }
  std::string operator()(const Turned& e) const {
    return fmt::format("{} faces {}.", Stands(e.stands), FacingName(e.facing));
  }
  std::string operator()(const EquipmentTurned& e) const {
    return fmt::format("{} faces {}.", EquipmentName(s_, e.equipment), FacingName(e.facing));
  }
  std::string operator()(const ShotCalled& e) const {
    return fmt::format("{} of {}, manned by {}, shoots from {} at {}.",
                       EquipmentName(s_, e.shot.catapult), SideName(s_, e.shot.side),
                       StandName(s_, e.shot.man), CellName(s_, e.shot.from),
                       CellName(s_, e.shot.target));
  }
  std::string operator()(const ShotLanded& e) const {
    if (e.facts.off_board) return "The shot leaves the board.";
    return fmt::format("The shot comes to rest at ({:.3f}, {:.3f}).", e.facts.x_milli_in / 1000.0,
                       e.facts.y_milli_in / 1000.0);
  }
  std::string operator()(const VolleyCalled& e) const {
    return fmt::format("{} in {} shoots at {} with {} dice{}{}.", UnitName(s_, e.volley.unit),
                       CellName(s_, e.volley.from), CellName(s_, e.volley.target), e.volley.dice,
                       e.volley.later_unit ? ", one more as a later unit" : "",
                       e.volley.against_protection ? ", one less against protection" : "");
  }
  std::string operator()(const StandLost& e) const {
    return fmt::format("{} is {}.", StandName(s_, e.stand), CauseName(e.cause));
  }
  std::string operator()(const EquipmentLost& e) const {
    return fmt::format("{} is removed by a catapult.", EquipmentName(s_, e.equipment));
  }
  std::string operator()(const EquipmentTaken& e) const {
    return fmt::format("{} now belongs to {}.", EquipmentName(s_, e.equipment),
                       SideName(s_, e.owner));
  }
  std::string operator()(const CloseCall& e) const {
    return fmt::format("Close call: {} lies {:.3f} in from the mark, the limit is {:.3f}.",
                       e.equipment ? EquipmentName(s_, e.piece) : StandName(s_, e.piece),
                       e.milli_in / 1000.0, e.limit_milli_in / 1000.0);
  }
  std::string operator()(const ElephantDecided& e) const {
    return fmt::format("{} {}.", UnitName(s_, e.unit),
                       e.will == Will::kStays ? "stays where it is" : "may charge");
  }
  std::string operator()(const Moved& e) const {
    std::vector<std::string> path;
    for (const Cell cell : e.path) path.push_back(CellName(s_, cell));
    std::string with;
    for (const PieceNo i : e.equipment) with += " with " + EquipmentName(s_, i);
    return fmt::format("{}{} {} to {}.", Stands(e.stands), with, e.retreat ? "falls back" : "moves",
                       fmt::join(path, ", "));
  }
  std::string operator()(const StandPlaced& e) const {
    return fmt::format("{} stays in {} facing {}.", StandName(s_, e.stand), CellName(s_, e.cell),
                       FacingName(e.facing));
  }
  std::string operator()(const MeleeJoined& e) const {
    return fmt::format("Melee in {}: {}.", CellName(s_, e.melee.contact), Stands(e.stands));
  }
  std::string operator()(const Supported& e) const {
    return fmt::format("{} supports in {}.", Stands(e.stands), Contact(e.melee));
  }
  std::string operator()(const CardChosen& e) const {
    const Melee& melee = s_.melees[static_cast<std::size_t>(e.melee)];
    if (melee.card[0] == kNoCard || melee.card[1] == kNoCard)
      return fmt::format("{} has chosen its deployment for {}.", SideName(s_, e.side),
                         Contact(e.melee));
    const int a = s_.attacker;
    const Sixteenths attack = StrengthAtStart(s_, e.melee, a);
    const Sixteenths penalty = PenaltyAt(s_, melee.contact);
    return fmt::format(
        "Deployments for {}: {} {}, {} {}. {} counts {:g}{}, {} {:g}.", Contact(e.melee),
        SideName(s_, 0), CardName(static_cast<Card>(melee.card[0])), SideName(s_, 1),
        CardName(static_cast<Card>(melee.card[1])), SideName(s_, a), Points(attack),
        penalty > 0 ? fmt::format(" less {:g} against protection", Points(penalty)) : "",
        SideName(s_, 1 - a), Points(StrengthAtStart(s_, e.melee, 1 - a)));
  }
  std::string operator()(const MeleeDecided& e) const {
    constexpr std::array<std::string_view, 6> kFares = {
        "equal deployments",      "the attacker's is superior", "the attacker's is inferior",
        "the attacker withdraws", "the defender withdraws",     "both withdraw"};
    std::string back;
    for (int side = 0; side < 2; ++side)
      if (e.retreat[static_cast<std::size_t>(side)] > 0)
        back += fmt::format("; {} goes back {}", SideName(s_, side),
                            e.retreat[static_cast<std::size_t>(side)]);
    const int a = s_.attacker;
    return fmt::format("Melee in {}: {}; left are {:g} of {} and {:g} of {}{}.", Contact(e.melee),
                       kFares[static_cast<std::size_t>(e.result)],
                       Points(StrengthLeft(s_, e.melee, a)), SideName(s_, a),
                       Points(StrengthLeft(s_, e.melee, 1 - a)), SideName(s_, 1 - a), back);
  }
  std::string operator()(const TimeRanOut& e) const {
    return fmt::format("The time is up: turn {} is the last.", e.last_turn);
  }
  std::string operator()(const Conceded& e) const {
    return fmt::format("{} concedes.", SideName(s_, e.side));
  }
  std::string operator()(const Overruled& e) const {
    return fmt::format("The players overrule {}: {}.", e.clause, e.because);
  }
  std::string operator()(const GameEnded& e) const {
    return fmt::format(
        "The game ends: {} {}, {} {}; {}.", SideName(s_, 0), e.ending.points[0], SideName(s_, 1),
        e.ending.points[1],
        e.ending.winner == kNobody ? "a draw" : SideName(s_, e.ending.winner) + " wins");
  }
  template <typename T>
  std::string operator()(const T&) const {
    return {};
  }

 private:
  std::string Contact(int melee) const {
    return CellName(s_, s_.melees[static_cast<std::size_t>(melee)].contact);
  }
  // "B-1 (4)": units with how many of their stands.
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

}  // namespace

std::string_view CauseName(LossCause cause) {
  constexpr std::array<std::string_view, 6> kNames = {"removed by a catapult",
                                                      "removed by missiles",
                                                      "run down",
                                                      "destroyed in the melee",
                                                      "destroyed with the rest of its side",
                                                      "destroyed, cut off"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string Describe(const State& s, const Event& event) { return std::visit(Teller(s), event); }

std::string DescribeTable(const State& s) {
  std::string out = fmt::format("Turn {}, {}. Points: {} {}, {} {}.\n", s.turn, StepName(s.step),
                                SideName(s, 0), PointsOf(s, 0), SideName(s, 1), PointsOf(s, 1));
  for (const std::string& notice : s.setup->notices) out += fmt::format("  Note: {}\n", notice);
  for (int side = 0; side < 2; ++side)
    for (const Group& group : GroupsOf(s, side)) {
      const std::vector<PieceNo> stands = StandsOf(s, group.unit, group.cell);
      out += fmt::format("  {:<10} {:<32} {} in {} facing {}\n", UnitName(s, group.unit),
                         TypeOfUnit(s, group.unit).name, stands.size(), CellName(s, group.cell),
                         FacingName(s.StandAt(stands.front()).facing));
    }
  for (std::size_t i = 0; i < s.equipment.size(); ++i)
    if (OnBoard(s.equipment[i]))
      out += fmt::format("  {:<10} {:<32} of {} in {} facing {}\n",
                         EquipmentName(s, static_cast<PieceNo>(i)), s.TypeOf(s.equipment[i]).name,
                         SideName(s, s.equipment[i].owner), CellName(s, s.equipment[i].cell),
                         FacingName(s.equipment[i].facing));
  return out;
}

}  // namespace fos::ancient
