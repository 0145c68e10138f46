// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/squares/melee_sums.h"
#include "engine/squares/queries.h"

// The declarations and events that all grid games share. Plain values; each rule set's variants
// hold them next to its own.
namespace fos::squares {

// ---- answers to pending input ----
struct GiveDice {
  std::vector<std::int8_t> dice;
  // The generator after dice that were drawn earlier and are thrown again after a correction.
  std::optional<std::uint64_t> generator = std::nullopt;
};
struct GiveCoin {
  bool heads = false;
  std::optional<std::uint64_t> generator = std::nullopt;
};
struct Draw {};  // dice or a coin from the game's own generator
struct ChooseRetreat {
  Cell cell = kNowhere;
};

// ---- declarations; a group is a unit's stands in one square ----
struct TurnUnit {
  int side = 0;
  PieceNo unit = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
};
struct TurnEquipment {
  int side = 0;
  PieceNo equipment = 0;
  Facing facing = Facing::kNorth;
};
struct CallVolley {
  int side = 0;
  PieceNo unit = 0;
  Cell from = kNowhere;
  Cell target = kNowhere;
};
struct Support {
  int side = 0;
  PieceNo unit = 0;
  Cell from = kNowhere;
  Cell contact = kNowhere;
};
struct PlayCard {
  int side = 0;
  Cell contact = kNowhere;
  Card card = Card::kLine;
};
struct EndStep {
  int side = 0;
};
// NAP-2A: the attacker orders the melees; the ones he names come first.
struct OrderMelees {
  int side = 0;
  std::vector<Cell> contacts;
};

// The menu label, clause and subject of a declaration.
struct Cited {
  std::string label;  // short
  std::string_view clause;
  int side = -1;  // -1 for dice, coins and falls of shot
  std::vector<PieceNo> units, stands, equipment;
  std::vector<Cell> cells;    // squares it enters or fires at, in order
  std::string for_good = {};  // as in LineOption
};

// ---- parts of the state ----
enum class MeleeStage : std::uint8_t { kCards, kLosses, kRetreats, kDone };
enum class CoinSide : std::uint8_t { kNotThrown, kHeads, kTails };
constexpr std::int8_t kNoCard = -1;

// ---- events ----
// generator: its state after the draw. Dice typed by players leave it unchanged.
struct DiceThrown {
  std::vector<std::int8_t> dice;
  std::uint64_t generator = 0;
};
struct CoinThrown {
  bool heads = false;
  std::uint64_t generator = 0;
};
struct StandsTurned {
  std::vector<PieceNo> stands;
  Facing facing = Facing::kNorth;
};
struct EquipmentTurned {
  PieceNo equipment = 0;
  Facing facing = Facing::kNorth;
};
struct VolleyJudged {
  std::int16_t volley = 0;
  std::vector<PieceNo> losses;
};
struct VolleysOver {};
struct EquipmentTaken {
  PieceNo equipment = 0;
  std::int8_t owner = kNobody;
};
// The path without its start. A last entry of kNowhere means off the board.
struct Moved {
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
  std::vector<Cell> path;
  bool retreat = false;
};
// A stand placed where it was seen, or kept in place for this step.
struct StandPlaced {
  PieceNo stand = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
};
struct RetreatOver {};
struct OneStandRetreats {};
struct Supported {
  std::int16_t melee = 0;
  std::vector<PieceNo> stands;
};
struct CardChosen {
  std::int16_t melee = 0;
  std::int8_t side = 0;
  Card card = Card::kLine;
};
struct MeleeStageReached {
  std::int16_t melee = 0;
  MeleeStage stage = MeleeStage::kDone;
};
struct SaidDone {
  std::int8_t side = 0;
};
// The melees are resolved in the order of these contact squares, which are all of them.
struct MeleesOrdered {
  std::vector<Cell> contacts;
};
// The players overrule a refusal.
struct Overruled {
  std::string clause;
  std::string because;
};

// The action with the dice or coin it drew written into it (history.h).
template <typename Action, typename Event>
Action AsThrown(const Action& action, const std::vector<Event>& events) {
  if (!std::holds_alternative<Draw>(action.what) || events.empty()) return action;
  if (const auto* dice = std::get_if<DiceThrown>(&events.front()))
    return {GiveDice{dice->dice, dice->generator}, false};
  if (const auto* coin = std::get_if<CoinThrown>(&events.front()))
    return {GiveCoin{coin->heads, coin->generator}, false};
  return action;
}

}  // namespace fos::squares
