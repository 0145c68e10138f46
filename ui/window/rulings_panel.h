#pragma once

#include "ui/play/game_controller.h"
#include "ui/session/player_word.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/table_panel.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// Every shot with its call; of the chosen one where it lies, how sure that is, each stand near it
// with distance, chance and call, the evidence, and what the players say to it.
void DrawRulings(const Theme& theme, const Snapshot& shown, const ShownPicture& before,
                 const ShownPicture& after, GameController* controller, ViewState& view,
                 WordSink& words, const ScreenRect& area);

// What the whole shot comes to, in a word and a colour.
struct ShotCall {
  std::string word;
  Call call = Call::kMiss;
};
ShotCall CallOf(const ShotShown& shot);
const ShotShown* ChosenShot(const Snapshot& shown, const ViewState& view);
// The next or the one before, from the first to the last.
void ChooseNeighbour(const Snapshot& shown, ViewState& view, int step);
void StartDispute(ViewState& view);
// The newest move the rules refuse and nobody has let stand; nullptr: none.
const MoveShown* MoveToOverrule(const Snapshot& shown);
// Why it stands all the same is typed like the reason of a dispute.
void StartOverrule(const MoveShown& move, ViewState& view);
// What the camera saw and the rules refuse, and the button that lets it stand.
void DrawMoveRemark(const Theme& theme, const Snapshot& shown, ViewState& view);
// The newest doubt about which stand is which that nobody has settled; nullptr: none.
const DoubtShown* DoubtToSettle(const Snapshot& shown);
// Whether it is the other way round, or as they were taken.
void SayIdentity(const DoubtShown& doubt, bool changed, WordSink& words);
// The question, and the two answers.
void DrawDoubt(const Theme& theme, const Snapshot& shown, WordSink& words);
// The stand that H and M speak of: the one chosen, else the first that is open, else none.
const StandVerdict* StandToSettle(const ShotShown& shot, const ViewState& view);
void NextStand(const ShotShown& shot, ViewState& view);
// The point of the chosen shot is being placed by hand; Enter says it.
void StartMoving(const ShotShown& shot, ViewState& view);
void SayMoved(const ShotShown& shot, ViewState& view, WordSink& words);
// What may be said to a shot: settle what is open, see the evidence, accept, dispute.
void DrawShotButtons(const Theme& theme, const ShotShown& shot, ViewState& view, WordSink& words);
// The reason of a dispute or of an overruling, being typed.
// controller  is told of a move that stands too; nullptr: no game is played.
void DrawDispute(const Snapshot& shown, GameController* controller, ViewState& view,
                 WordSink& words);

}  // namespace fos
