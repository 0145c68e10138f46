#pragma once

#include "engine/squares/game_words.h"
#include "engine/squares/grid_state.h"

// The field names of the shared declarations and events, for json_fields.h. Include it in .cc files
// only.
namespace fos::squares {

template <typename V, typename Kind>
void Fields(V& v, AskOf<Kind>& x) {
  v("kind", x.kind);
  v("side", x.side);
  v("count", x.count);
  v("about", x.about);
}
template <typename V, typename Reason>
void Fields(V& v, EndingOf<Reason>& x) {
  v("reason", x.reason);
  v("winner", x.winner);
  v("points", x.points);
}
template <typename V, typename Reason>
void Fields(V& v, RetreatOf<Reason>& x) {
  v("side", x.side);
  v("reason", x.reason);
  v("direction", x.direction);
  v("steps", x.steps);
  v("stands", x.stands);
  v("equipment", x.equipment);
}
template <typename V>
void Fields(V& v, GiveDice& x) {
  v("dice", x.dice);
  v("generator", x.generator);
}
template <typename V>
void Fields(V& v, GiveCoin& x) {
  v("heads", x.heads);
  v("generator", x.generator);
}
template <typename V>
void Fields(V&, Draw&) {}
template <typename V>
void Fields(V& v, ChooseRetreat& x) {
  v("cell", x.cell);
}
template <typename V>
void Fields(V& v, TurnUnit& x) {
  v("side", x.side);
  v("unit", x.unit);
  v("cell", x.cell);
  v("facing", x.facing);
}
template <typename V>
void Fields(V& v, TurnEquipment& x) {
  v("side", x.side);
  v("equipment", x.equipment);
  v("facing", x.facing);
}
template <typename V>
void Fields(V& v, CallVolley& x) {
  v("side", x.side);
  v("unit", x.unit);
  v("from", x.from);
  v("target", x.target);
}
template <typename V>
void Fields(V& v, Support& x) {
  v("side", x.side);
  v("unit", x.unit);
  v("from", x.from);
  v("contact", x.contact);
}
template <typename V>
void Fields(V& v, PlayCard& x) {
  v("side", x.side);
  v("contact", x.contact);
  v("card", x.card);
}
template <typename V>
void Fields(V& v, EndStep& x) {
  v("side", x.side);
}
template <typename V>
void Fields(V& v, DiceThrown& x) {
  v("dice", x.dice);
  v("generator", x.generator);
}
template <typename V>
void Fields(V& v, CoinThrown& x) {
  v("heads", x.heads);
  v("generator", x.generator);
}
template <typename V>
void Fields(V& v, StandsTurned& x) {
  v("stands", x.stands);
  v("facing", x.facing);
}
template <typename V>
void Fields(V& v, EquipmentTurned& x) {
  v("equipment", x.equipment);
  v("facing", x.facing);
}
template <typename V>
void Fields(V& v, VolleyJudged& x) {
  v("volley", x.volley);
  v("losses", x.losses);
}
template <typename V>
void Fields(V&, VolleysOver&) {}
template <typename V>
void Fields(V& v, EquipmentTaken& x) {
  v("equipment", x.equipment);
  v("owner", x.owner);
}
template <typename V>
void Fields(V& v, Moved& x) {
  v("stands", x.stands);
  v("equipment", x.equipment);
  v("path", x.path);
  v("retreat", x.retreat);
}
template <typename V>
void Fields(V& v, StandPlaced& x) {
  v("stand", x.stand);
  v("cell", x.cell);
  v("facing", x.facing);
}
template <typename V>
void Fields(V&, RetreatOver&) {}
template <typename V>
void Fields(V&, OneStandRetreats&) {}
template <typename V>
void Fields(V& v, Supported& x) {
  v("melee", x.melee);
  v("stands", x.stands);
}
template <typename V>
void Fields(V& v, CardChosen& x) {
  v("melee", x.melee);
  v("side", x.side);
  v("card", x.card);
}
template <typename V>
void Fields(V& v, MeleeStageReached& x) {
  v("melee", x.melee);
  v("stage", x.stage);
}
template <typename V>
void Fields(V& v, SaidDone& x) {
  v("side", x.side);
}
template <typename V>
void Fields(V& v, MeleesOrdered& x) {
  v("contacts", x.contacts);
}
template <typename V>
void Fields(V& v, OrderMelees& x) {
  v("side", x.side);
  v("contacts", x.contacts);
}
template <typename V>
void Fields(V& v, Overruled& x) {
  v("clause", x.clause);
  v("because", x.because);
}

}  // namespace fos::squares
