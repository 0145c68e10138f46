#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/squares/melee_sums.h"
#include "engine/squares/queries.h"

// Declarations and events that mean the same in every game on a grid: values, each rule set's own
// variants hold them beside its own.
namespace fos::squares {

// ---- answers to what the game asked ----
struct GiveDice {
  std::vector<std::int8_t> dice;
  // Dice drawn earlier and thrown again when an old event was corrected: the generator after them.
  std::optional<std::uint64_t> generator = std::nullopt;
};
struct GiveCoin {
  bool heads = false;
  std::optional<std::uint64_t> generator = std::nullopt;
};
struct Draw {};  // dice or coin from the game's own generator
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

// What a declaration is about.
struct Cited {
  std::string label;  // a few words
  std::string_view clause;
  int side = -1;  // -1: dice, coins, falls of shot
  std::vector<PieceNo> units, stands, equipment;
  std::vector<Cell> cells;    // where it goes or fires, in order
  std::string for_good = {};  // as LineOption's
};

// ---- parts of the state ----
enum class MeleeStage : std::uint8_t { kCards, kLosses, kRetreats, kDone };
enum class CoinSide : std::uint8_t { kNotThrown, kHeads, kTails };
constexpr std::int8_t kNoCard = -1;

// ---- events ----
// generator is the one after the draw; typed dice leave it as it was.
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
// Path without the start; kNowhere at its end is off the board.
struct Moved {
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
  std::vector<Cell> path;
  bool retreat = false;
};
// Put where it is seen to stand, or held where it is for this step.
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
// The players let something stand that the rules refuse.
struct Overruled {
  std::string clause;
  std::string because;
};

// An action with the dice or the coin it drew in it (history.h).
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
