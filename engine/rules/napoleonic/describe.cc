// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/describe.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/rules/napoleonic/artillery.h"
#include "engine/rules/napoleonic/cite.h"
#include "engine/rules/napoleonic/legal.h"
#include "engine/rules/napoleonic/melee.h"
#include "engine/rules/napoleonic/musketry.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/sweet/teller.h"
#include "engine/table/counted.h"

namespace fos::napoleonic {
namespace {

class Teller : public sweet::CommonTeller<State> {
 public:
  using CommonTeller::CommonTeller;
  using CommonTeller::operator();

  std::string operator()(const Limbered& e) const {
    return fmt::format("{} is {}.", EquipmentAndKind(s_, e.equipment),
                       e.limbered ? "limbered" : "unlimbered");
  }
  std::string operator()(const Pooled& e) const {
    return fmt::format("{} joins battery {}.", EquipmentAndKind(s_, e.equipment),
                       s_.setup->batteries[static_cast<std::size_t>(e.battery)].name);
  }
  std::string operator()(const ShotCalled& e) const {
    return fmt::format("{} of {} fires {} {} from {}{}.", EquipmentAndKind(s_, e.shot.gun),
                       SideName(s_, e.shot.side), e.held_before ? "held" : "a",
                       e.shot.canister
                           ? fmt::format("canister shot ({})", Counted(e.shot.dice, "die", "dice"))
                           : std::string(ShotKindName(e.shot.kind)) + " shot",
                       CellName(s_, e.shot.from),
                       e.shot.target == kNowhere ? "" : " at " + CellName(s_, e.shot.target));
  }
  std::string operator()(const CanisterHeld& e) const {
    return fmt::format("{} holds canister.", EquipmentAndKind(s_, e.held.gun));
  }
  std::string operator()(const ShotLanded& e) const {
    if (e.facts.off_board) return "The shot leaves the board.";
    return fmt::format("The shot comes to rest at ({:.3f}, {:.3f}){}: {}.",
                       e.facts.x_milli_in / 1000.0, e.facts.y_milli_in / 1000.0,
                       e.facts.over_water ? ", over water" : "", JudgeShot(s_, *s_.shot).why);
  }
  std::string operator()(const VolleyCalled& e) const {
    std::string besides;  // what counts besides the stands
    for (const SumItem& item : VolleyDice(s_, e.volley.unit, e.volley.bonuses, 0, e.volley.target))
      besides += ", " + item.what;
    return fmt::format("{} in {} fires at {} with {}{}.", UnitAndKind(s_, e.volley.unit),
                       CellName(s_, e.volley.from), CellName(s_, e.volley.target),
                       Counted(e.volley.dice, "die", "dice"), besides);
  }
  std::string operator()(const EquipmentLost& e) const {
    return fmt::format("{} is {} ({}).", EquipmentAndKind(s_, e.equipment), CauseName(e.cause),
                       ClauseOf(s_, e));
  }
  std::string operator()(const CloseCall& e) const {
    const std::string what = e.stand >= 0       ? StandAndKind(s_, e.stand)
                             : e.equipment >= 0 ? EquipmentAndKind(s_, e.equipment)
                                                : "the model in " + CellName(s_, e.model);
    return fmt::format("Close call: {} lies {:.3f} in from the point; the limit is {:.3f}.", what,
                       e.milli_in / 1000.0, e.limit_milli_in / 1000.0);
  }
  std::string operator()(const StandPlaced& e) const {
    return fmt::format("{} stands in {} facing {}.", StandAndKind(s_, e.stand),
                       CellName(s_, e.cell), FacingName(e.facing));
  }
  std::string operator()(const SquareFormed& e) const {
    return fmt::format("A Square is formed in {1}: {0}.", Stands(e.stands),
                       CellName(s_, e.formation.corner));
  }
  std::string operator()(const SquareBroken& e) const {
    const Formation& f = s_.formations[static_cast<std::size_t>(e.formation)];
    return fmt::format("The Square in {} is broken{}.", CellName(s_, f.corner),
                       e.by_choice ? " by its owner" : "");
  }
  std::string operator()(const Burns& e) const {
    return fmt::format("{} is burning and impassable.", CellName(s_, e.cell));
  }
  std::string operator()(const BurntUp& e) const {
    return fmt::format("{} burns up with everything in it.", CellName(s_, e.cell));
  }
  std::string operator()(const CardChosen& e) const {
    return Deployments(e, [&](int melee) { return Totals(AccountOf(s_, melee).before); });
  }
  std::string operator()(const MeleeDecided& e) const { return Decided(e); }
  // NAP-3H, NAP-6D: dice that hit nothing, or burn nothing, say so.
  std::string operator()(const DiceThrown& e) const {
    const std::string dice = fmt::format("Dice: {}", fmt::join(e.dice, " "));
    if (s_.shot && s_.shot->canister && !s_.shot->rolled.empty()) {
      const FireProblem problem = CanisterProblem(s_);
      const auto ways = squares::CompleteDistributions(problem.dice, problem.targets);
      if (ways.size() == 1 && StandsFor(s_, problem, ways.front()).empty())
        return dice + ", no hit (NAP-3H).";
    }
    const auto& burning = s_.Book().burning;
    if (s_.shot && s_.shot->stage == ShotStage::kFire &&
        std::find(e.dice.begin(), e.dice.end(), burning.face) == e.dice.end())
      return fmt::format("{}, no {}: nothing burns (NAP-6D).", dice, burning.face);
    return dice + '.';
  }
  std::string operator()(const Surrendered& e) const {
    return fmt::format("{} surrenders.", SideName(s_, e.side));
  }
  template <typename T>
  std::string operator()(const T&) const {
    return {};
  }
};

}  // namespace

std::string_view CauseName(LossCause cause) {
  constexpr std::array<std::string_view, 10> kNames = {
      "destroyed by a shot",
      "lost with its gun",
      "destroyed by canister",
      "destroyed by musketry",
      "destroyed in the melee",
      "destroyed with the rest of its side, which is outnumbered",
      "destroyed: it is cut off and cannot fall back",
      "burnt up",
      "destroyed by its owner",
      "left behind in the fire"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string Describe(const State& s, const Event& event) { return std::visit(Teller(s), event); }

std::string DescribeTable(const State& s) {
  std::string out = sweet::TableHead(s);
  out += sweet::GroupLines(s, 24);
  for (std::size_t i = 0; i < s.equipment.size(); ++i)
    if (OnBoard(s.equipment[i]))
      out += fmt::format("  {:<10} {:<24} of {} in {}{}\n",
                         EquipmentName(s, static_cast<PieceNo>(i)), s.TypeOf(s.equipment[i]).name,
                         SideName(s, s.equipment[i].owner), CellName(s, s.equipment[i].cell),
                         s.equipment[i].limbered ? ", limbered" : "");
  for (const Formation& f : s.formations) {
    if (!f.formed) continue;
    const SquareIndex corner = s.setup->board.IndexOf(f.corner);
    const Cell last = s.setup->board.At({corner.column + f.n - 1, corner.row + f.n - 1});
    std::vector<std::string> units;
    for (const Stand& stand : s.stands) {
      if (!OnBoard(stand) || stand.formation != static_cast<int>(&f - s.formations.data()))
        continue;
      const std::string unit = UnitName(s, stand.unit);
      if (std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(unit);
    }
    out += fmt::format("  Square of {} in {}{}: {}\n", SideName(s, f.side), CellName(s, f.corner),
                       f.n == 1 ? "" : " to " + CellName(s, last), fmt::join(units, ", "));
  }
  for (Cell cell = 0; cell < s.setup->board.Cells(); ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    if (s.burning[c]) out += fmt::format("  {} is burning\n", CellName(s, cell));
    if (s.burnt[c]) out += fmt::format("  {} has burnt up\n", CellName(s, cell));
  }
  return out;
}

}  // namespace fos::napoleonic
