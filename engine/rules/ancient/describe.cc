// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/describe.h"

#include <array>

#include <fmt/format.h>

#include "engine/rules/ancient/catapults.h"
#include "engine/rules/ancient/cite.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/sweet/teller.h"
#include "engine/table/counted.h"

namespace fos::ancient {
namespace {

double Points(Sixteenths value) { return value / static_cast<double>(squares::kPoint); }

class Teller : public sweet::CommonTeller<State> {
 public:
  using CommonTeller::CommonTeller;
  using CommonTeller::operator();

  std::string operator()(const ShotCalled& e) const {
    return fmt::format("{} of {}, manned by {}, shoots from {} at {}.",
                       EquipmentAndKind(s_, e.shot.catapult), SideName(s_, e.shot.side),
                       StandAndKind(s_, e.shot.man), CellName(s_, e.shot.from),
                       CellName(s_, e.shot.target));
  }
  std::string operator()(const ShotLanded& e) const {
    if (e.facts.off_board) return "The shot leaves the board.";
    return fmt::format("The shot comes to rest at ({:.3f}, {:.3f}): {}.",
                       e.facts.x_milli_in / 1000.0, e.facts.y_milli_in / 1000.0,
                       JudgeShot(s_, *s_.shot).why);
  }
  std::string operator()(const VolleyCalled& e) const {
    return fmt::format("{} in {} shoots at {} with {}{}{}.", UnitAndKind(s_, e.volley.unit),
                       CellName(s_, e.volley.from), CellName(s_, e.volley.target),
                       Counted(e.volley.dice, "die", "dice"),
                       e.volley.later_unit ? ", one added because another unit shoots there" : "",
                       e.volley.against_protection ? ", one taken off for protection" : "");
  }
  std::string operator()(const EquipmentLost& e) const {
    return fmt::format("{} is removed by a catapult (ANC-C4).", EquipmentAndKind(s_, e.equipment));
  }
  std::string operator()(const CloseCall& e) const {
    return fmt::format("Close call: {} lies {:.3f} in from the mark; the limit is {:.3f}.",
                       e.equipment ? EquipmentAndKind(s_, e.piece) : StandAndKind(s_, e.piece),
                       e.milli_in / 1000.0, e.limit_milli_in / 1000.0);
  }
  std::string operator()(const ElephantDecided& e) const {
    return fmt::format(
        "{} {}.", UnitAndKind(s_, e.unit),
        e.will == Will::kStays ? "refuses to charge and stays in place" : "is willing to charge");
  }
  std::string operator()(const StandPlaced& e) const {
    return fmt::format("{} stays in {} facing {}.", StandAndKind(s_, e.stand), CellName(s_, e.cell),
                       FacingName(e.facing));
  }
  std::string operator()(const CardChosen& e) const {
    return Deployments(e, [&](int melee) {
      const int a = s_.attacker;
      const Sixteenths penalty = PenaltyAt(s_, s_.melees[static_cast<std::size_t>(melee)].contact);
      return fmt::format(
          "{} counts {:g}{}, {} {:g}", SideName(s_, a), Points(StrengthAtStart(s_, melee, a)),
          penalty > 0 ? fmt::format(" less {:g} against protection", Points(penalty)) : "",
          SideName(s_, 1 - a), Points(StrengthAtStart(s_, melee, 1 - a)));
    });
  }
  std::string operator()(const MeleeDecided& e) const { return Decided(e); }
  std::string operator()(const TimeRanOut& e) const {
    return fmt::format("The time is up: turn {} is the last turn.", e.last_turn);
  }
  std::string operator()(const Conceded& e) const {
    return fmt::format("{} concedes.", SideName(s_, e.side));
  }
  template <typename T>
  std::string operator()(const T&) const {
    return {};
  }
};

}  // namespace

std::string_view CauseName(LossCause cause) {
  constexpr std::array<std::string_view, 6> kNames = {
      "removed by a catapult",
      "removed by missiles",
      "run down",
      "destroyed in the melee",
      "destroyed with the rest of its side, which is outnumbered",
      "destroyed: it is cut off and cannot fall back"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string Describe(const State& s, const Event& event) { return std::visit(Teller(s), event); }

std::string DescribeTable(const State& s) {
  std::string out = sweet::TableHead(s);
  for (const std::string& notice : s.setup->notices) out += fmt::format("  Note: {}\n", notice);
  out += sweet::GroupLines(s, 32);
  for (std::size_t i = 0; i < s.equipment.size(); ++i)
    if (OnBoard(s.equipment[i]))
      out += fmt::format("  {:<10} {:<32} of {} in {} facing {}\n",
                         EquipmentName(s, static_cast<PieceNo>(i)), s.TypeOf(s.equipment[i]).name,
                         SideName(s, s.equipment[i].owner), CellName(s, s.equipment[i].cell),
                         FacingName(s.equipment[i].facing));
  return out;
}

}  // namespace fos::ancient
