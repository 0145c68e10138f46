// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/sweet/retreat_group.h"
#include "engine/squares/casualties.h"
#include "engine/squares/grid_state.h"
#include "engine/squares/melee_sums.h"
#include "engine/squares/queries.h"

// Who fights where in a melee, in which order stands are lost, and which groups fall back together
// (DEF-11, DEF-13). State as in queries.h, with attacker, melees, retreats and Ruling(). Beside it
// a rule set gives
//   RoleOf(const UnitType&)
//   LossValueOf(const State&, const Stand&)            what a stand counts for when it falls
//   SumsOf(const State&, int melee, const BySide&)     what counts, given the values of the stands
//   LeftIn(const State&, int melee) -> BySide          the values of the survivors
namespace fos::sweet {

using namespace squares;

// The melee in a contact square; -1 if there is none.
template <typename State>
int MeleeAt(const State& s, Cell contact) {
  for (std::size_t i = 0; i < s.melees.size(); ++i)
    if (s.melees[i].contact == contact) return static_cast<int>(i);
  return -1;
}

// NAP-2A: every order of the melees except the current one, each with the fewest contact squares
// named; the others follow in their current order. For many melees, only one brought forward at a
// time.
template <typename State>
std::vector<std::vector<Cell>> MeleeOrders(const State& s) {
  constexpr std::size_t kMostPermuted = 4;  // 23 orders
  std::vector<std::vector<Cell>> out;
  std::vector<std::size_t> order(s.melees.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() > kMostPermuted) {
    for (std::size_t i = 1; i < order.size(); ++i) out.push_back({s.melees[i].contact});
    return out;
  }
  while (std::next_permutation(order.begin(), order.end())) {
    std::size_t named = order.size();
    while (named > 1 &&
           std::is_sorted(order.begin() + static_cast<std::ptrdiff_t>(named - 1), order.end()))
      --named;
    auto& contacts = out.emplace_back();
    for (std::size_t i = 0; i < named; ++i) contacts.push_back(s.melees[order[i]].contact);
  }
  return out;
}

// The cells of a melee in the order of DEF-11: the contact square, then its neighbours clockwise.
template <typename State>
std::vector<Cell> CellsOf(const State& s, int melee) {
  const auto& m = s.melees[static_cast<std::size_t>(melee)];
  std::vector<Cell> cells{m.contact};
  int start = 0;
  if (s.Ruling().clockwise_from_entry && m.entry != kNowhere)
    start = static_cast<int>(NearestDirection(s.setup->board.Between(m.contact, m.entry)));
  for (int d = 0; d < 8; ++d) {
    const Cell cell = s.setup->board.Step(m.contact, static_cast<Facing>((start + d) % 8));
    if (cell != kNowhere) cells.push_back(cell);
  }
  return cells;
}

// NAP-MDI, ANC-P1: both sides choose in secret and reveal together. After the supports.
template <typename State>
std::optional<Refusal> WhyNoCard(const State& s, const PlayCard& a, std::string_view clause) {
  const int melee = MeleeAt(s, a.contact);
  if (melee < 0)
    return Impossible(clause, fmt::format("{} is not a contact square", CellName(s, a.contact)));
  const auto& m = s.melees[static_cast<std::size_t>(melee)];
  if (m.stage != MeleeStage::kCards || m.card[static_cast<std::size_t>(a.side)] != kNoCard)
    return Impossible(clause, fmt::format("{} has already chosen its card for {}",
                                          SideName(s, a.side), CellName(s, a.contact)));
  return std::nullopt;
}

// NAP-5E, ANC-P5 (DEF-11, step 1): a side's units in the melee, in the order in which they lose
// stands.
template <typename State>
std::vector<LossUnit> LossOrder(const State& s, int melee, int side) {
  std::vector<LossUnit> units;
  const std::vector<Cell> cells = CellsOf(s, melee);
  for (const Cell cell : cells) {
    const bool contact = cell == cells.front();
    std::vector<PieceNo> formed;  // unit numbers, in order
    std::vector<LossUnit> regiments;
    LossUnit crew{{}, contact, false};
    LossUnit commander{{}, contact, s.Ruling().commander_last};
    ForStandsIn(s, side, cell, [&](PieceNo i, const auto& stand) {
      if (stand.melee != melee) return;
      const LossStand loss{i, LossValueOf(s, stand)};
      switch (RoleOf(s.TypeOf(stand))) {
        case TroopRole::kCrew:
          return crew.stands.push_back(loss);
        case TroopRole::kCommander:
          return commander.stands.push_back(loss);
        case TroopRole::kFormed:
          break;
      }
      auto known = std::find(formed.begin(), formed.end(), stand.unit);
      if (known == formed.end()) {
        formed.push_back(stand.unit);
        regiments.push_back({{}, contact, false});
        known = formed.end() - 1;
      }
      regiments[static_cast<std::size_t>(known - formed.begin())].stands.push_back(loss);
    });
    // DEF-11, 5.
    std::stable_sort(crew.stands.begin(), crew.stands.end(),
                     [](const auto& a, const auto& b) { return a.value < b.value; });
    for (LossUnit& regiment : regiments) units.push_back(std::move(regiment));
    if (!crew.stands.empty()) units.push_back(std::move(crew));
    if (!commander.stands.empty()) units.push_back(std::move(commander));
  }
  return units;
}

// What counts in a melee, by role.
struct MeleeSums {
  BySide full{};             // the values of the stands: no side can lose more
  BySide compared{};         // the totals that are compared
  Sixteenths reduction = 0;  // what the contact square takes off the defender's loss
};
// The values of a side's (0 or 1) stands in a melee.
template <typename State>
Sixteenths StrengthOf(const State& s, int melee, int side) {
  Sixteenths strength = 0;
  for (const auto& stand : s.stands)
    if (stand.melee == melee && stand.side == side && OnBoard(stand))
      strength += LossValueOf(s, stand);
  return strength;
}
template <typename State>
BySide StrengthsOf(const State& s, int melee) {
  return {StrengthOf(s, melee, s.attacker), StrengthOf(s, melee, s.Defender())};
}
// The sums before the losses.
template <typename State>
MeleeSums SumsAtStart(const State& s, int melee) {
  BySide full{};
  for (const auto& stand : s.stands)
    if (stand.melee == melee)
      full[stand.side == s.attacker ? kAttackers : kDefenders] += LossValueOf(s, stand);
  return SumsOf(s, melee, full);
}
inline bool IsFought(CardResult result) {
  return result == CardResult::kEqual || result == CardResult::kSuperior ||
         result == CardResult::kInferior;
}

// The sums of a melee whose cards are chosen. due: each role's loss in points; none if a side
// withdraws, or if it follows from the stands that really fall.
struct MeleeAccount {
  CardResult result = CardResult::kEqual;  // of the attacker's card
  BySide before{};                         // the totals that were compared
  std::optional<BySide> due;
};
// A side's stands in a melee that have fallen in it, and the points they counted.
struct Fallen {
  int stands = 0;
  Sixteenths points = 0;
};
template <typename State>
Fallen FallenIn(const State& s, int melee, int side) {
  Fallen out;
  for (const auto& stand : s.stands) {
    if (stand.melee != melee || stand.side != side || stand.fate != Fate::kDestroyed) continue;
    ++out.stands;
    out.points += LossValueOf(s, stand);
  }
  return out;
}

// The club rulings used here, from a rule set's Settings.
template <typename Settings>
MeleeRuling SumsRuling(const Settings& ruling) {
  return {ruling.whole_steps, ruling.superior_loss_computed, ruling.annihilation_after_losses,
          ruling.last_side_stays, ruling.both_withdraw};
}
template <typename Settings>
LossPolicy LossPolicyOf(const Settings& ruling) {
  return {ruling.contact_first_strict, ruling.coin_always};
}

template <typename State>
MeleeAccount AccountOf(const State& s, int melee) {
  const auto& m = s.melees[static_cast<std::size_t>(melee)];
  const MeleeRuling ruling = SumsRuling(s.Ruling());
  const MeleeSums sums = SumsAtStart(s, melee);
  MeleeAccount out;
  out.result = ResultOf(s.Book().cards, ruling,
                        static_cast<Card>(m.card[static_cast<std::size_t>(s.attacker)]),
                        static_cast<Card>(m.card[static_cast<std::size_t>(s.Defender())]));
  out.before = sums.compared;
  const bool known = out.result == CardResult::kEqual || ruling.superior_loss_computed;
  if (IsFought(out.result) && known)
    out.due =
        LossesOf(s.Book().melee, ruling, out.result, sums.compared, sums.full, sums.reduction);
  return out;
}

// The state after the losses of a melee and before the rest of an outnumbered side was destroyed
// (NAP-5C, ANC-P2, ANC-P3). The losses must have been taken.
template <typename State>
State AfterTheLosses(const State& s, int melee) {
  const auto& m = s.melees[static_cast<std::size_t>(melee)];
  const MeleeAccount account = AccountOf(s, melee);
  State then = s;
  if (!account.due) return then;
  for (auto& stand : then.stands)
    if (stand.melee == melee && stand.fate == Fate::kDestroyed) stand.fate = Fate::kOnBoard;
  CountStands(then);
  std::vector<int> lost;
  for (const int side : {0, 1}) {
    const Sixteenths due = (*account.due)[side == s.attacker ? kAttackers : kDefenders];
    const LossAnswer answer =
        ChooseLosses(LossOrder(then, melee, side), due, LossPolicyOf(s.Ruling()));
    lost.insert(lost.end(), answer.stands.begin(), answer.stands.end());
    if (answer.coin && m.coin[static_cast<std::size_t>(side)] == CoinSide::kHeads)
      lost.push_back(*answer.coin);
  }
  for (const int i : lost) then.stands[static_cast<std::size_t>(i)].fate = Fate::kDestroyed;
  CountStands(then);
  return then;
}

// NAP-5F, ANC-P5: the stand that the coin of a side decides, before its losses are taken.
template <typename State>
std::optional<PieceNo> StakeOf(const State& s, int melee, int side) {
  const MeleeAccount account = AccountOf(s, melee);
  if (!account.due) return std::nullopt;
  const Sixteenths due = (*account.due)[side == s.attacker ? kAttackers : kDefenders];
  const LossAnswer answer = ChooseLosses(LossOrder(s, melee, side), due, LossPolicyOf(s.Ruling()));
  if (!answer.coin) return std::nullopt;
  return static_cast<PieceNo>(*answer.coin);
}
// The side whose coin was thrown last: the second to lose in the melee, or the first.
template <typename State>
std::optional<std::pair<int, int>> LastCoin(const State& s) {
  for (std::size_t i = s.melees.size(); i-- > 0;) {
    const auto& m = s.melees[i];
    const auto melee = static_cast<int>(i);
    if (m.stage != MeleeStage::kCards) continue;
    const bool attacker_first = AccountOf(s, melee).result == CardResult::kInferior;
    const int second = attacker_first ? s.Defender() : s.attacker;
    for (const int side : {second, 1 - second})
      if (m.coin[static_cast<std::size_t>(side)] != CoinSide::kNotThrown)
        return std::pair{melee, side};
  }
  return std::nullopt;
}

// NAP-5G, ANC-P6: the direction in which the group of one square falls back. Commanders and crews
// follow the unit; their own direction counts only if there is no unit.
template <typename State>
Facing GroupRetreatDirection(const State& s, int side, const std::vector<PieceNo>& all) {
  std::vector<PieceNo> stands;
  for (const TroopRole role : {TroopRole::kFormed, TroopRole::kCrew, TroopRole::kCommander})
    if (stands.empty())
      std::copy_if(all.begin(), all.end(), std::back_inserter(stands),
                   [&](PieceNo i) { return RoleOf(s.TypeOf(s.StandAt(i))) == role; });
  return RetreatDirection(s, RetreatRulingOf(s.Ruling()), side, stands);
}

// Has the unit fallen back from an earlier melee? The squares of a Square may be attacked one by
// one, so a unit of it may be beaten twice; it falls back once. Detachments fight as units of their
// own (NAP-2B), each in one melee.
template <typename State>
bool HasFallenBack(const State& s, PieceNo unit, int melee) {
  if (TypeOfUnit(s, unit).may_separate) return false;
  return std::any_of(s.stands.begin(), s.stands.end(), [&](const auto& stand) {
    return stand.unit == unit && stand.melee >= 0 && stand.melee < melee &&
           s.melees[static_cast<std::size_t>(stand.melee)]
                   .retreat[static_cast<std::size_t>(stand.side)] > 0;
  });
}

// NAP-5C, NAP-5D, NAP-5G, ANC-P4, ANC-P7: the groups of a melee's losing side, one per square, with
// everything that goes with them. Units of a broken Square may have gathered beyond the squares
// next to the contact square.
// involves(stand)  true if the stand fought there, or belongs to a unit that did
// leaves(cell)     true if the equipment there stays behind
template <typename State, typename Involved, typename Leaves>
auto MeleeRetreats(const State& s, int melee, int side, Involved involves, Leaves leaves) {
  decltype(State::retreats) out;
  const auto& m = s.melees[static_cast<std::size_t>(melee)];
  std::vector<Cell> cells = CellsOf(s, melee);
  for (const auto& stand : s.stands)
    if (stand.side == side && OnBoard(stand) && involves(stand) &&
        std::find(cells.begin(), cells.end(), stand.cell) == cells.end())
      cells.push_back(stand.cell);
  for (const Cell cell : cells) {
    bool unit = false;  // a unit takes its companions along; a commander goes alone
    std::vector<PieceNo> involved;
    ForStandsIn(s, side, cell, [&](PieceNo i, const auto& stand) {
      if (!involves(stand) || HasFallenBack(s, stand.unit, melee)) return;
      involved.push_back(i);
      unit = unit || RoleOf(s.TypeOf(stand)) != TroopRole::kCommander;
    });
    if (involved.empty()) continue;
    auto& retreat = out.emplace_back();
    retreat.side = static_cast<std::int8_t>(side);
    retreat.steps = m.retreat[static_cast<std::size_t>(side)];
    retreat.stands = unit ? StandsIn(s, side, cell) : involved;
    retreat.direction = GroupRetreatDirection(s, side, involved);
    const bool all_go = static_cast<int>(retreat.stands.size()) == s.CountIn(side, cell);
    if (all_go && !leaves(cell)) retreat.equipment = EquipmentIn(s, side, cell);
  }
  return out;
}

// The pending coin of a melee as a request to the players.
template <typename State>
std::string DescribeCoin(const State& s) {
  const int melee = s.ask.about;
  const std::string where = CellName(s, s.melees[static_cast<std::size_t>(melee)].contact);
  if (const auto stake = StakeOf(s, melee, s.ask.side))
    return fmt::format("toss a coin for {} in {}, of {} in the melee in {} (heads: it is lost)",
                       StandAndKind(s, *stake), CellName(s, s.StandAt(*stake).cell),
                       SideName(s, s.ask.side), where);
  return fmt::format("toss a coin for one more stand of {} in the melee in {} (heads: it is lost)",
                     SideName(s, s.ask.side), where);
}
// The pending choice between equally near squares as a request to the players.
template <typename State>
std::string DescribeWays(const State& s, const std::vector<PieceNo>& stands,
                         const RetreatAnswer& ways) {
  std::vector<std::string> squares;
  for (const RetreatPath& path : ways.paths) squares.push_back(CellName(s, path.back()));
  return fmt::format(
      "choose where {} falls back to: {}",
      stands.empty() ? SideName(s, s.ask.side) : UnitAndKind(s, s.StandAt(stands.front()).unit),
      Either(squares));
}

}  // namespace fos::sweet
