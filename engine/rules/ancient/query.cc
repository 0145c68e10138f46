// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/query.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/rules/ancient/catapults.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/missiles.h"
#include "engine/rules/ancient/retreat.h"
#include "engine/rules/sweet/asks.h"
#include "engine/squares/who_acts.h"
#include "engine/table/counted.h"

namespace fos::ancient {

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
  std::vector<std::string> out = squares::StandsAndKinds(s, verdict.stands);
  for (const PieceNo i : verdict.equipment) out.push_back(EquipmentAndKind(s, i));
  return out;
}
}  // namespace

std::string DescribeAsk(const State& s) {
  const Ask& ask = s.ask;
  switch (ask.kind) {
    case PendingInput::kShotPiece:
      return fmt::format("choose the stand or catapult within the circle that {} removes: {}",
                         SideName(s, ask.side), Either(PiecesWithin(s)));
    case PendingInput::kElephantDie:
      return fmt::format("throw a die to see whether {} will charge", UnitAndKind(s, ask.about));
    default:
      return sweet::DescribeCommonAsk(s);
  }
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
  const auto where = [&] { return CellName(s, cell); };
  if (two_formed) return fmt::format("{} would hold two units", where());
  if (catapults > most.catapults)
    return fmt::format("{} would hold {} catapults; the limit is {}", where(), catapults,
                       most.catapults);
  if (crew > most.crew)
    return fmt::format("{} would hold {} crew stands; the limit is {}", where(), crew, most.crew);
  if (commanders > most.commanders)
    return fmt::format("{} would hold {} commanders; the limit is {}", where(), commanders,
                       most.commanders);
  return {};
}

}  // namespace fos::ancient
