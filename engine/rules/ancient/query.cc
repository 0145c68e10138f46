#include "engine/rules/ancient/query.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/rules/ancient/catapults.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/missiles.h"
#include "engine/rules/ancient/retreat.h"
#include "engine/squares/who_acts.h"
#include "engine/table/counted.h"

namespace fos::ancient {

bool CommanderIn(const State& s, int side, Cell cell) {
  bool commander = false;
  ForStandsIn(s, side, cell, [&](PieceNo, const Stand& stand) {
    commander = commander || s.TypeOf(stand).arm == Arm::kCommander;
  });
  return commander;
}

std::string_view StepName(Step step) {
  constexpr std::array<std::string_view, 9> kNames = {
      "first attacker",      "catapults", "missiles",    "movement", "attacker's supports",
      "defender's supports", "melee",     "end of turn", "over"};
  return kNames[static_cast<std::size_t>(step)];
}

bool IsDiceAsk(PendingInput kind) {
  return kind == PendingInput::kFirstAttackerDice || kind == PendingInput::kVolleyDice ||
         kind == PendingInput::kElephantDie;
}

std::vector<int> SidesToAct(const State& s) {
  switch (s.step) {
    case Step::kMovement:
    case Step::kAttackerSupport:
      return {s.attacker};
    case Step::kDefenderSupport:
      return {s.Defender()};
    case Step::kMelee:
      return squares::SidesWithoutCard(s);
    default:
      return squares::SidesNotDone(s);
  }
}

namespace {

using squares::Either;

std::vector<std::string> PiecesWithin(const State& s) {
  const ShotVerdict verdict = JudgeShot(s, *s.shot);
  std::vector<std::string> out;
  for (const PieceNo i : verdict.stands) out.push_back(StandName(s, i));
  for (const PieceNo i : verdict.equipment) out.push_back(EquipmentName(s, i));
  return out;
}
// "R1#1, R1#2 or R2#1": the sets of stands that the dice allow.
std::string ChoicesOf(const State& s, std::size_t volley) {
  const auto problem = VolleyProblem(s, volley);
  std::vector<std::string> ways;
  for (const auto& losses : squares::CompleteDistributions(problem.dice, problem.targets)) {
    std::vector<std::string> names;
    for (const PieceNo i : StandsFor(s, problem, losses)) names.push_back(StandName(s, i));
    ways.push_back(fmt::format("{}", fmt::join(names, " and ")));
  }
  return Either(ways);
}

}  // namespace

std::string DescribeAsk(const State& s) {
  const Ask& ask = s.ask;
  switch (ask.kind) {
    case PendingInput::kNothing:
      return "nothing";
    case PendingInput::kFirstAttackerDice:
      return fmt::format("throw one die for {} and one for {}; the higher attacks first",
                         SideName(s, 0), SideName(s, 1));
    case PendingInput::kFallOfShot:
      return fmt::format("say where the shot of {} came to rest", EquipmentName(s, ask.about));
    case PendingInput::kShotPiece:
      return fmt::format("choose the stand or catapult within the circle that {} removes: {}",
                         SideName(s, ask.side), Either(PiecesWithin(s)));
    case PendingInput::kVolleyDice:
    case PendingInput::kVolleyStands: {
      const Volley& volley = s.volleys[static_cast<std::size_t>(ask.about)];
      const std::string who =
          fmt::format("{} at {}", UnitName(s, volley.unit), CellName(s, volley.target));
      return ask.kind == PendingInput::kVolleyDice
                 ? fmt::format("throw {} for {}", Counted(ask.count, "die", "dice"), who)
                 : fmt::format("choose the stands that {} removes: {}", who,
                               ChoicesOf(s, static_cast<std::size_t>(ask.about)));
    }
    case PendingInput::kElephantDie:
      return fmt::format("throw a die to see whether {} will charge", UnitName(s, ask.about));
    case PendingInput::kMeleeCoin:
      return sweet::DescribeCoin(s);
    case PendingInput::kRetreatSquare:
      return sweet::DescribeWays(s, RetreatingStands(s, s.retreats.front()),
                                 RetreatWays(s, s.retreats.front()));
  }
  return {};
}

// ANC-V6: type A supports only to the front and the sides, so it never faces a corner.
bool MayFace(const State& s, const UnitType& type, Facing facing) {
  const SupportType& support = s.Book().supports[static_cast<std::size_t>(type.support)];
  return support.id != "A" || !squares::IsDiagonal(facing);
}

bool MustRetreatAlone(const State& s, const Stand& stand) {
  const UnitType& type = s.TypeOf(stand);
  if (!type.must_retreat_alone || UnitOf(s, stand.unit).guards) return false;
  if (CountStandsOf(s, stand.unit) != 1) return false;
  return !(s.Ruling().commander_exempts && CommanderIn(s, stand.side, stand.cell));
}

// ANC-V2.
std::string StackingFault(const State& s, int side, Cell cell, const Stacked& arriving,
                          bool ignore_unmoved) {
  PieceNo formed = -1;
  bool two_formed = false;
  int crew = 0, commanders = 0, catapults = 0;
  const auto add = [&](const Stand& stand) {
    const Arm arm = s.TypeOf(stand).arm;
    if (arm == Arm::kCrew) {
      ++crew;
    } else if (arm == Arm::kCommander) {
      ++commanders;
    } else {
      two_formed = two_formed || (formed >= 0 && formed != stand.unit);
      formed = stand.unit;
    }
  };
  ForStandsIn(s, side, cell, [&](PieceNo i, const Stand& stand) {
    const auto& coming = arriving.stands;
    if (std::find(coming.begin(), coming.end(), i) == coming.end() &&
        !(ignore_unmoved && !stand.moved))
      add(stand);
  });
  for (std::size_t i = 0; i < s.equipment.size(); ++i) {
    const Equipment& e = s.equipment[i];
    if (!OnBoard(e) || e.cell != cell || e.owner != side || (ignore_unmoved && !e.moved)) continue;
    const auto& coming = arriving.equipment;
    if (std::find(coming.begin(), coming.end(), static_cast<PieceNo>(i)) == coming.end())
      ++catapults;
  }
  for (const PieceNo i : arriving.stands) add(s.StandAt(i));
  catapults += static_cast<int>(arriving.equipment.size());

  const auto& most = s.Book().stacking;
  const std::string where = CellName(s, cell);
  if (two_formed) return fmt::format("{} would hold two units", where);
  if (catapults > most.catapults)
    return fmt::format("{} would hold {} catapults; the limit is {}", where, catapults,
                       most.catapults);
  if (crew > most.crew)
    return fmt::format("{} would hold {} crew stands; the limit is {}", where, crew, most.crew);
  if (commanders > most.commanders)
    return fmt::format("{} would hold {} commanders; the limit is {}", where, commanders,
                       most.commanders);
  return {};
}

}  // namespace fos::ancient
