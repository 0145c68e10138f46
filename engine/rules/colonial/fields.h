#pragma once

#include "engine/rules/colonial/action.h"
#include "engine/squares/game_fields.h"

// The names of all fields, in one place for the writer and the reader. Include it only in .cc
// files.
namespace fos::colonial {

template <typename V>
void Fields(V& v, Note& x) {
  v("clause", x.clause);
  v("text", x.text);
}
template <typename V>
void Fields(V& v, Item& x) {
  v("who", x.who);
  v("what", x.what);
  v("amount", x.amount);
  v("from", x.from);
}
template <typename V>
void Fields(V& v, Combat& x) {
  v("close", x.close);
  v("initiator", x.initiator);
  v("target", x.target);
  v("items", x.items);
  v("bonus", x.bonus);
  v("dice", x.dice);
  v("loser", x.loser);
}
template <typename V>
void Fields(V& v, Ask& x) {
  v("what", x.what);
  v("side", x.side);
  v("count", x.count);
  v("faces", x.faces);
  v("about", x.about);
}
template <typename V>
void Fields(V& v, Ending& x) {
  v("winner", x.winner);
  v("wiped_out", x.wiped_out);
  v("points", x.points);
}
template <typename V>
void Fields(V& v, Stand& x) {
  v("side", x.side);
  v("type", x.type);
  v("value", x.value);
  v("weapon", x.weapon);
  v("cell", x.cell);
  v("facing", x.facing);
  v("rear", x.rear);
  v("fate", x.fate);
  v("activated", x.activated);
  v("open", x.open);
  v("initiated", x.initiated);
  v("moved", x.moved);
  v("moved_after", x.moved_after);
  v("mounted", x.mounted);
  v("withdrew", x.withdrew);
  v("was_rear", x.was_rear);
  v("paired", x.paired);
  v("by_road", x.by_road);
  v("spent", x.spent);
}
template <typename V>
void Fields(V& v, State& x) {
  v("turn", x.turn);
  v("phase", x.phase);
  v("first", x.first);
  v("acting", x.acting);
  v("left", x.left);
  v("mustered", x.mustered);
  v("army_points", x.army_points);
  v("notes_told", x.notes_told);
  v("ask", x.ask);
  v("generator", x.generator);
  v("stands", x.stands);
  v("combat", x.combat);
  v("ending", x.ending);
}
template <typename V>
void Fields(V& v, Noted& x) {
  v("note", x.note);
}
template <typename V>
void Fields(V&, NotesTold&) {}
template <typename V>
void Fields(V& v, PhaseBegan& x) {
  v("phase", x.phase);
  v("acting", x.acting);
}
template <typename V>
void Fields(V& v, Asked& x) {
  v("ask", x.ask);
}
template <typename V>
void Fields(V& v, DiceThrown& x) {
  v("dice", x.dice);
  v("generator", x.generator);
}
template <typename V>
void Fields(V& v, ArmyPointsThrown& x) {
  v("side", x.side);
  v("points", x.points);
}
template <typename V>
void Fields(V& v, LeftOut& x) {
  v("stand", x.stand);
}
template <typename V>
void Fields(V& v, Mustered& x) {
  v("side", x.side);
}
template <typename V>
void Fields(V& v, GeneralRated& x) {
  v("stand", x.stand);
  v("rating", x.rating);
}
template <typename V>
void Fields(V& v, TurnBegan& x) {
  v("turn", x.turn);
}
template <typename V>
void Fields(V& v, InitiativeWon& x) {
  v("side", x.side);
}
template <typename V>
void Fields(V& v, ActivationsThrown& x) {
  v("side", x.side);
  v("count", x.count);
}
template <typename V>
void Fields(V& v, Activated& x) {
  v("stands", x.stands);
  v("cost", x.cost);
}
template <typename V>
void Fields(V& v, Moved& x) {
  v("stand", x.stand);
  v("path", x.path);
  v("facing", x.facing);
  v("rear", x.rear);
  v("by_road", x.by_road);
  v("cost", x.cost);
}
template <typename V>
void Fields(V& v, Remounted& x) {
  v("stand", x.stand);
  v("type", x.type);
}
template <typename V>
void Fields(V& v, CombatBegan& x) {
  v("combat", x.combat);
}
template <typename V>
void Fields(V& v, CombatScored& x) {
  v("dice", x.dice);
  v("scores", x.scores);
  v("outcome", x.outcome);
}
template <typename V>
void Fields(V& v, TieThrown& x) {
  v("loser", x.loser);
}
template <typename V>
void Fields(V& v, Withdrew& x) {
  v("stand", x.stand);
  v("path", x.path);
  v("facing", x.facing);
  v("rear", x.rear);
}
template <typename V>
void Fields(V& v, StandLost& x) {
  v("stand", x.stand);
  v("cause", x.cause);
}
template <typename V>
void Fields(V&, CombatOver&) {}
template <typename V>
void Fields(V& v, SideDone& x) {
  v("side", x.side);
  v("unused", x.unused);
}
template <typename V>
void Fields(V& v, GameEnded& x) {
  v("ending", x.ending);
}
template <typename V>
void Fields(V& v, GiveDice& x) {
  v("dice", x.dice);
  v("generator", x.generator);
}
template <typename V>
void Fields(V& v, LeaveOut& x) {
  v("stand", x.stand);
}
template <typename V>
void Fields(V& v, Activate& x) {
  v("stands", x.stands);
}
template <typename V>
void Fields(V& v, Move& x) {
  v("stands", x.stands);
  v("paths", x.paths);
  v("facing", x.facing);
  v("in_front", x.in_front);
}
template <typename V>
void Fields(V& v, Remount& x) {
  v("stand", x.stand);
  v("mounted", x.mounted);
}
template <typename V>
void Fields(V& v, Fight& x) {
  v("close", x.close);
  v("stand", x.stand);
  v("cell", x.cell);
  v("target", x.target);
}
template <typename V>
void Fields(V& v, Back& x) {
  v("cell", x.cell);
  v("in_front", x.in_front);
}
template <typename V>
void Fields(V& v, Seen& x) {
  v("stand", x.stand);
  v("cell", x.cell);
  v("facing", x.facing);
  v("in_front", x.in_front);
  v("rear", x.rear);
}
template <typename V>
void Fields(V& v, Measured& x) {
  v("stand", x.stand);
  v("x_milli_in", x.x_milli_in);
  v("y_milli_in", x.y_milli_in);
  v("bearing_milli_deg", x.bearing_milli_deg);
  v("width_milli_in", x.width_milli_in);
  v("depth_milli_in", x.depth_milli_in);
}
template <typename V>
void Fields(V& v, Done& x) {
  v("side", x.side);
}

}  // namespace fos::colonial
