// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/json.h"

#include <array>
#include <utility>

#include "engine/rules/ancient/fields.h"
#include "engine/rules/ancient/query.h"
#include "engine/squares/json_fields.h"

namespace fos::ancient {
namespace {

// In the order of the variants.
constexpr std::array<std::string_view, std::variant_size_v<Event>> kEventNames = {
    "step_began",
    "asked",
    "dice_thrown",
    "coin_thrown",
    "turned",
    "equipment_turned",
    "shot_called",
    "shot_landed",
    "shot_over",
    "volley_called",
    "volley_judged",
    "volleys_over",
    "stand_lost",
    "equipment_lost",
    "equipment_taken",
    "close_call",
    "elephant_decided",
    "moved",
    "stand_placed",
    "retreat_ordered",
    "retreat_over",
    "one_stand_retreats",
    "melee_joined",
    "supported",
    "card_chosen",
    "melee_decided",
    "melee_stage_reached",
    "said_done",
    "time_ran_out",
    "conceded",
    "overruled",
    "game_ended",
    "melees_ordered"};
constexpr std::array<std::string_view, std::variant_size_v<Declaration>> kActionNames = {
    "give_dice", "give_coin",      "draw",      "land",        "choose",  "choose_retreat",
    "turn_unit", "turn_equipment", "call_shot", "call_volley", "rouse",   "move",
    "support",   "play_card",      "end_step",  "time_up",     "concede", "order_melees"};

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
    if (!squares::CountStands(state)) throw squares::UnreadableJson("a stand is off the board");
  });
}

}  // namespace fos::ancient
