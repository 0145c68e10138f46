#pragma once

#include "engine/rules/napoleonic/action.h"
#include "engine/squares/game_fields.h"

// The JSON names of all fields, used by the writer and the reader. Include it in .cc files only.
namespace fos::napoleonic {

// ---- parts of the state ----
template <typename V>
void Fields(V& v, Stand& x) {
  v("unit", x.unit);
  v("type", x.type);
  v("side", x.side);
  v("cell", x.cell);
  v("facing", x.facing);
  v("fate", x.fate);
  v("formation", x.formation);
  v("melee", x.melee);
  v("turn_cell", x.turn_cell);
  v("turn_facing", x.turn_facing);
  v("came_from", x.came_from);
  v("moved", x.moved);
  v("fired", x.fired);
  v("free_turn", x.free_turn);
}
template <typename V>
void Fields(V& v, Equipment& x) {
  v("type", x.type);
  v("side", x.side);
  v("owner", x.owner);
  v("battery", x.battery);
  v("cell", x.cell);
  v("facing", x.facing);
  v("turn_facing", x.turn_facing);
  v("limbered", x.limbered);
  v("moved", x.moved);
  v("fate", x.fate);
}
template <typename V>
void Fields(V& v, Formation& x) {
  v("side", x.side);
  v("corner", x.corner);
  v("n", x.n);
  v("formed", x.formed);
  v("unbroken_at_move", x.unbroken_at_move);
}
template <typename V>
void Fields(V& v, BatteryRight& x) {
  v("side", x.side);
  v("field", x.field);
  v("howitzer", x.howitzer);
  v("either", x.either);
  v("horse", x.horse);
}
template <typename V>
void Fields(V& v, GunRight& x) {
  v("gun", x.gun);
  v("battery_right", x.battery_right);
  v("slots", x.slots);
  v("manned", x.manned);
  v("normal_used", x.normal_used);
  v("fired", x.fired);
  v("held", x.held);
}
template <typename V>
void Fields(V& v, CrewSlots& x) {
  v("side", x.side);
  v("cell", x.cell);
  v("left", x.left);
}
template <typename V>
void Fields(V& v, Near& x) {
  v("piece", x.piece);
  v("milli_in", x.milli_in);
  v("centre_milli_in", x.centre_milli_in);
}
template <typename V>
void Fields(V& v, NearModel& x) {
  v("cell", x.cell);
  v("milli_in", x.milli_in);
}
template <typename V>
void Fields(V& v, ShotFacts& x) {
  v("off_board", x.off_board);
  v("x_milli_in", x.x_milli_in);
  v("y_milli_in", x.y_milli_in);
  v("over_water", x.over_water);
  v("stands", x.stands);
  v("equipment", x.equipment);
  v("models", x.models);
}
template <typename V>
void Fields(V& v, Shot& x) {
  v("side", x.side);
  v("gun", x.gun);
  v("kind", x.kind);
  v("canister", x.canister);
  v("from", x.from);
  v("facing", x.facing);
  v("target", x.target);
  v("victim", x.victim);
  v("dice", x.dice);
  v("stage", x.stage);
  v("facts", x.facts);
  v("rolled", x.rolled);
}
template <typename V>
void Fields(V& v, Held& x) {
  v("side", x.side);
  v("gun", x.gun);
  v("kind", x.kind);
}
template <typename V>
void Fields(V& v, Passage& x) {
  v("cell", x.cell);
  v("stand", x.stand);
}
template <typename V>
void Fields(V& v, CanisterDice& x) {
  v("side", x.side);
  v("target", x.target);
  v("shots", x.shots);
  v("column", x.column);
  v("unused", x.unused);
}
template <typename V>
void Fields(V& v, Volley& x) {
  v("side", x.side);
  v("unit", x.unit);
  v("from", x.from);
  v("target", x.target);
  v("bonuses", x.bonuses);
  v("dice", x.dice);
  v("column", x.column);
  v("rolled", x.rolled);
  v("judged", x.judged);
  v("losses", x.losses);
}
template <typename V>
void Fields(V& v, Melee& x) {
  v("contact", x.contact);
  v("entry", x.entry);
  v("stage", x.stage);
  v("card", x.card);
  v("coin", x.coin);
  v("retreat", x.retreat);
  v("leave_equipment", x.leave_equipment);
}
template <typename V>
void Fields(V& v, State& x) {
  v("turn", x.turn);
  v("step", x.step);
  v("attacker", x.attacker);
  v("done", x.done);
  v("supports_done", x.supports_done);
  v("volleys_over", x.volleys_over);
  v("one_stand_done", x.one_stand_done);
  v("ask", x.ask);
  v("generator", x.generator);
  v("stands", x.stands);
  v("equipment", x.equipment);
  v("formations", x.formations);
  v("burning", x.burning);
  v("burnt", x.burnt);
  v("battery_rights", x.battery_rights);
  v("gun_rights", x.gun_rights);
  v("crew_slots", x.crew_slots);
  v("shot", x.shot);
  v("held", x.held);
  v("held_fired", x.held_fired);
  v("canister_dice", x.canister_dice);
  v("volleys", x.volleys);
  v("passages", x.passages);
  v("contacts", x.contacts);
  v("melees", x.melees);
  v("retreats", x.retreats);
  v("regroup", x.regroup);
  v("surrendered", x.surrendered);
  v("ending", x.ending);
}

// ---- events ----
template <typename V>
void Fields(V& v, StepBegan& x) {
  v("turn", x.turn);
  v("step", x.step);
  v("attacker", x.attacker);
}
template <typename V>
void Fields(V& v, Asked& x) {
  v("ask", x.ask);
}
template <typename V>
void Fields(V& v, Limbered& x) {
  v("equipment", x.equipment);
  v("limbered", x.limbered);
}
template <typename V>
void Fields(V& v, Pooled& x) {
  v("equipment", x.equipment);
  v("battery", x.battery);
}
template <typename V>
void Fields(V& v, ShotCalled& x) {
  v("shot", x.shot);
  v("held_before", x.held_before);
}
template <typename V>
void Fields(V& v, CanisterHeld& x) {
  v("held", x.held);
}
template <typename V>
void Fields(V& v, ShotLanded& x) {
  v("facts", x.facts);
}
template <typename V>
void Fields(V& v, ShotStageReached& x) {
  v("stage", x.stage);
}
template <typename V>
void Fields(V& v, CanisterJudged& x) {
  v("left", x.left);
}
template <typename V>
void Fields(V& v, VolleyCalled& x) {
  v("volley", x.volley);
  v("stands", x.stands);
}
template <typename V>
void Fields(V& v, StandLost& x) {
  v("stand", x.stand);
  v("cause", x.cause);
}
template <typename V>
void Fields(V& v, EquipmentLost& x) {
  v("equipment", x.equipment);
  v("cause", x.cause);
}
template <typename V>
void Fields(V& v, CloseCall& x) {
  v("stand", x.stand);
  v("equipment", x.equipment);
  v("model", x.model);
  v("milli_in", x.milli_in);
  v("limit_milli_in", x.limit_milli_in);
}
template <typename V>
void Fields(V& v, SquareFormed& x) {
  v("formation", x.formation);
  v("stands", x.stands);
}
template <typename V>
void Fields(V& v, SquareBroken& x) {
  v("formation", x.formation);
  v("by_choice", x.by_choice);
}
template <typename V>
void Fields(V& v, Regrouped& x) {
  v("unit", x.unit);
}
template <typename V>
void Fields(V& v, Burns& x) {
  v("cell", x.cell);
}
template <typename V>
void Fields(V& v, BurntUp& x) {
  v("cell", x.cell);
}
template <typename V>
void Fields(V& v, RetreatOrdered& x) {
  v("retreat", x.retreat);
}
template <typename V>
void Fields(V& v, MeleeJoined& x) {
  v("melee", x.melee);
  v("stands", x.stands);
}
template <typename V>
void Fields(V& v, SupportsDeclared& x) {
  v("side", x.side);
}
template <typename V>
void Fields(V& v, MeleeDecided& x) {
  v("melee", x.melee);
  v("result", x.result);
  v("retreat", x.retreat);
  v("leave_equipment", x.leave_equipment);
}
template <typename V>
void Fields(V& v, Surrendered& x) {
  v("side", x.side);
}
template <typename V>
void Fields(V& v, GameEnded& x) {
  v("ending", x.ending);
}

// ---- actions ----
template <typename V>
void Fields(V& v, Land& x) {
  v("facts", x.facts);
}
template <typename V>
void Fields(V& v, ChooseStands& x) {
  v("stands", x.stands);
}
template <typename V>
void Fields(V& v, Regroup& x) {
  v("unit", x.unit);
  v("cell", x.cell);
  v("facing", x.facing);
}
template <typename V>
void Fields(V& v, Limber& x) {
  v("side", x.side);
  v("equipment", x.equipment);
  v("limbered", x.limbered);
}
template <typename V>
void Fields(V& v, Pool& x) {
  v("side", x.side);
  v("equipment", x.equipment);
  v("battery", x.battery);
}
template <typename V>
void Fields(V& v, CallShot& x) {
  v("side", x.side);
  v("gun", x.gun);
  v("kind", x.kind);
  v("target", x.target);
  v("canister", x.canister);
}
template <typename V>
void Fields(V& v, HoldCanister& x) {
  v("side", x.side);
  v("gun", x.gun);
  v("kind", x.kind);
}
template <typename V>
void Fields(V& v, FireHeld& x) {
  v("side", x.side);
  v("gun", x.gun);
  v("target", x.target);
  v("unit", x.unit);
}
template <typename V>
void Fields(V& v, Move& x) {
  v("side", x.side);
  v("stands", x.stands);
  v("equipment", x.equipment);
  v("path", x.path);
  v("facing", x.facing);
}
template <typename V>
void Fields(V& v, Placement& x) {
  v("stand", x.stand);
  v("cell", x.cell);
  v("facing", x.facing);
}
template <typename V>
void Fields(V& v, FormSquare& x) {
  v("side", x.side);
  v("corner", x.corner);
  v("columns", x.columns);
  v("rows", x.rows);
  v("units", x.units);
  v("placements", x.placements);
}
template <typename V>
void Fields(V& v, BreakSquare& x) {
  v("side", x.side);
  v("unit", x.unit);
  v("places", x.places);
}
template <typename V>
void Fields(V& v, DestroyEquipment& x) {
  v("side", x.side);
  v("equipment", x.equipment);
}
template <typename V>
void Fields(V& v, Surrender& x) {
  v("side", x.side);
}
template <typename V>
void Fields(V& v, Action& x) {
  v("what", x.what);
  v("overrule", x.overrule);
}

}  // namespace fos::napoleonic
