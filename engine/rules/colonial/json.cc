// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/json.h"

#include <array>
#include <utility>

#include "engine/rules/colonial/fields.h"
#include "engine/rules/colonial/query.h"
#include "engine/squares/json_fields.h"

namespace fos::colonial {
namespace {

// In the order of the variants.
constexpr std::array<std::string_view, std::variant_size_v<Event>> kEventNames = {
    "noted",        "notes_told",     "phase_began",
    "asked",        "dice_thrown",    "army_points_thrown",
    "left_out",     "mustered",       "general_rated",
    "turn_began",   "initiative_won", "activations_thrown",
    "activated",    "moved",          "remounted",
    "combat_began", "combat_scored",  "tie_thrown",
    "withdrew",     "stand_lost",     "combat_over",
    "side_done",    "overruled",      "game_ended"};
constexpr std::array<std::string_view, std::variant_size_v<Declaration>> kActionNames = {
    "give_dice", "draw", "leave_out", "activate", "move", "remount",
    "fight",     "back", "seen",      "measured", "done"};

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
    if (state.stands.size() != state.setup->stands.size())
      throw squares::UnreadableJson("it belongs to another game");
    state.in_cell.assign(static_cast<std::size_t>(state.setup->board.Cells()),
                         {kNoPiece, kNoPiece});
    for (std::size_t i = 0; i < state.stands.size(); ++i) {
      const Stand& stand = state.stands[i];
      if (!OnTable(stand)) continue;
      if (stand.side < 0 || stand.side > 1 || stand.cell < 0 ||
          stand.cell >= state.setup->board.Cells())
        throw squares::UnreadableJson("a stand is off the table");
      PieceNo& place = state.in_cell[static_cast<std::size_t>(stand.cell)][stand.rear ? 1 : 0];
      if (place != kNoPiece) throw squares::UnreadableJson("two stands are in one place");
      place = static_cast<PieceNo>(i);
    }
  });
}

}  // namespace fos::colonial
