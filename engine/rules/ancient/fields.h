#pragma once

#include "engine/rules/ancient/action.h"
#include "engine/squares/game_fields.h"

// The JSON names of all fields, used by the writer and the reader. Include it in .cc files only.
namespace fos::ancient {

// ---- parts of the state ----
template <typename V>
void Fields(V& v, Stand& x) {
  v("unit", x.unit);
  v("type", x.type);
  v("side", x.side);
  v("cell", x.cell);
  v("facing", x.facing);
  v("fate", x.fate);
  v("melee", x.melee);
  v("turn_cell", x.turn_cell);
  v("turn_facing", x.turn_facing);
  v("came_from", x.came_from);
  v("value", x.value);
  v("will", x.will);
  v("moved", x.moved);
  v("fired", x.fired);
  v("busy", x.busy);
  v("charged", x.charged);
}
template <typename V>
void Fields(V& v, Equipment& x) {
  v("type", x.type);
  v("side", x.side);
  v("owner", x.owner);
  v("may_fire_for", x.may_fire_for);
  v("cell", x.cell);
  v("facing", x.facing);
  v("fired", x.fired);
  v("moved", x.moved);
  v("fate", x.fate);
}
template <typename V>
void Fields(V& v, Near& x) {
  v("piece", x.piece);
  v("milli_in", x.milli_in);
}
template <typename V>
void Fields(V& v, ShotFacts& x) {
  v("off_board", x.off_board);
  v("x_milli_in", x.x_milli_in);
  v("y_milli_in", x.y_milli_in);
  v("stands", x.stands);
  v("equipment", x.equipment);
}
template <typename V>
void Fields(V& v, Shot& x) {
  v("side", x.side);
  v("catapult", x.catapult);
  v("man", x.man);
  v("from", x.from);
  v("facing", x.facing);
  v("target", x.target);
  v("landed", x.landed);
  v("facts", x.facts);
}
template <typename V>
void Fields(V& v, Volley& x) {
  v("side", x.side);
  v("unit", x.unit);
  v("from", x.from);
  v("target", x.target);
  v("later_unit", x.later_unit);
  v("against_protection", x.against_protection);
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
}
template <typename V>
void Fields(V& v, State& x) {
  v("turn", x.turn);
  v("step", x.step);
  v("attacker", x.attacker);
  v("done", x.done);
  v("volleys_over", x.volleys_over);
  v("one_stand_done", x.one_stand_done);
  v("moving", x.moving);
  v("last_turn", x.last_turn);
  v("ask", x.ask);
  v("generator", x.generator);
  v("stands", x.stands);
  v("equipment", x.equipment);
  v("shot", x.shot);
  v("volleys", x.volleys);
  v("contacts", x.contacts);
  v("melees", x.melees);
  v("retreats", x.retreats);
  v("conceded", x.conceded);
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
void Fields(V& v, ShotCalled& x) {
  v("shot", x.shot);
}
template <typename V>
void Fields(V& v, ShotLanded& x) {
  v("facts", x.facts);
}
template <typename V>
void Fields(V&, ShotOver&) {}
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
}
template <typename V>
void Fields(V& v, CloseCall& x) {
  v("equipment", x.equipment);
  v("piece", x.piece);
  v("milli_in", x.milli_in);
  v("limit_milli_in", x.limit_milli_in);
}
template <typename V>
void Fields(V& v, ElephantDecided& x) {
  v("unit", x.unit);
  v("will", x.will);
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
void Fields(V& v, MeleeDecided& x) {
  v("melee", x.melee);
  v("result", x.result);
  v("retreat", x.retreat);
}
template <typename V>
void Fields(V& v, TimeRanOut& x) {
  v("last_turn", x.last_turn);
}
template <typename V>
void Fields(V& v, Conceded& x) {
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
void Fields(V& v, Choose& x) {
  v("stands", x.stands);
  v("equipment", x.equipment);
}
template <typename V>
void Fields(V& v, CallShot& x) {
  v("side", x.side);
  v("catapult", x.catapult);
  v("man", x.man);
  v("target", x.target);
}
template <typename V>
void Fields(V& v, Rouse& x) {
  v("side", x.side);
  v("unit", x.unit);
}
template <typename V>
void Fields(V& v, Move& x) {
  v("side", x.side);
  v("stands", x.stands);
  v("equipment", x.equipment);
  v("path", x.path);
  v("run_down", x.run_down);
  v("facing", x.facing);
}
template <typename V>
void Fields(V&, TimeUp&) {}
template <typename V>
void Fields(V& v, Concede& x) {
  v("side", x.side);
}

}  // namespace fos::ancient
