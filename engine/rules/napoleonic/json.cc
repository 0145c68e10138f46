// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/json.h"

#include <array>
#include <utility>

#include "engine/rules/napoleonic/fields.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/squares/json_fields.h"

namespace fos::napoleonic {
namespace {

// In the order of the variants.
constexpr std::array<std::string_view, std::variant_size_v<Event>> kEventNames = {
    "step_began",      "asked",         "dice_thrown",
    "coin_thrown",     "turned",        "equipment_turned",
    "limbered",        "pooled",        "shot_called",
    "canister_held",   "shot_landed",   "shot_stage_reached",
    "canister_judged", "volley_called", "volley_judged",
    "volleys_over",    "stand_lost",    "equipment_lost",
    "equipment_taken", "close_call",    "moved",
    "stand_placed",    "square_formed", "square_broken",
    "regrouped",       "burns",         "burnt_up",
    "retreat_ordered", "retreat_over",  "one_stand_retreats",
    "melee_joined",    "supported",     "supports_declared",
    "card_chosen",     "melee_decided", "melee_stage_reached",
    "said_done",       "surrendered",   "overruled",
    "game_ended",      "melees_ordered"};
constexpr std::array<std::string_view, std::variant_size_v<Declaration>> kActionNames = {
    "give_dice",         "give_coin",      "draw",        "land",
    "choose_stands",     "choose_retreat", "regroup",     "turn_unit",
    "turn_equipment",    "limber",         "pool",        "call_shot",
    "hold_canister",     "fire_held",      "call_volley", "move",
    "form_square",       "break_square",   "support",     "play_card",
    "destroy_equipment", "end_step",       "surrender",   "order_melees"};

}  // namespace

std::string EventToJson(const Event& event) { return squares::EventText(kEventNames, event); }
std::string ActionToJson(const Action& action) { return squares::ActionText(kActionNames, action); }
std::string StateToJson(const State& state) { return squares::Written(state); }
Result<Event> EventFromJson(std::string_view text) {
  return squares::EventOf<Event>(kEventNames, text);
}
Result<Action> ActionFromJson(std::string_view text) {
  return squares::ActionOf<Action>(kActionNames, text);
}

Result<State> StateFromJson(std::string_view text, std::shared_ptr<const Setup> setup) {
  return squares::StateOf<State>(text, std::move(setup), [](State& state) {
    const auto cells = static_cast<std::size_t>(state.setup->board.Cells());
    if (state.burning.size() != cells || state.burnt.size() != cells)
      throw squares::UnreadableJson("it belongs to another board");
    if (!squares::CountStands(state)) throw squares::UnreadableJson("a stand is off the board");
  });
}

}  // namespace fos::napoleonic
