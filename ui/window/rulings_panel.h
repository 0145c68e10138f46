// SPDX-License-Identifier: MIT
#pragma once

#include "ui/play/game_controller.h"
#include "ui/session/player_decision.h"
#include "ui/session/players_names.h"
#include "ui/session/shot_words.h"
#include "ui/session/snapshot.h"
#include "ui/window/projection.h"
#include "ui/window/table_panel.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// Draws every shot with its call. For the chosen shot: the point with its error, each stand near it
// with distance, chance and call, the evidence, and the players' answers.
void DrawRulings(const Theme& theme, const Snapshot& shown, const ShownPicture& before,
                 const ShownPicture& after, GameController* controller, ViewState& view,
                 DecisionSink& words, const ScreenRect& area);

const ShotShown* ChosenShot(const Snapshot& shown, const ViewState& view);
std::shared_ptr<const ShotShown> ChosenShared(const Snapshot& shown, const ViewState& view);
// Chooses the next (+1) or previous (-1) shot.
void ChooseNeighbour(const Snapshot& shown, ViewState& view, int step);
void StartDispute(ViewState& view);
// The newest move that the rules refuse and nobody has allowed; nullptr: none.
const MoveShown* MoveToOverrule(const Snapshot& shown);
// Opens the field for the reason why the move is allowed.
void StartOverrule(const MoveShown& move, ViewState& view);
// Draws the refused move and the button that allows it.
void DrawMoveRemark(const Theme& theme, const Snapshot& shown, ViewState& view);
// Draws the question whether this is the scenario's table, with the button that accepts it as it
// stands, or takes that back.
void DrawSetupQuestion(const Theme& theme, const Snapshot& shown, DecisionSink& words);
// Posts that answer, where the question is open.
void PostTable(const Snapshot& shown, DecisionSink& words);
// The newest open question about which stand is which; nullptr: none.
const DoubtShown* DoubtToSettle(const Snapshot& shown);
// Posts the answer: the stands are swapped (`changed`) or as they were taken.
void PostIdentity(const DoubtShown& doubt, bool changed, DecisionSink& words);
// Draws the question and its two answers.
void DrawDoubt(const Theme& theme, const Snapshot& shown, DecisionSink& words);
// The stand that H and M settle: the chosen one, else the first open one; nullptr: none.
const StandVerdict* StandToSettle(const ShotShown& shot, const ViewState& view);
void ChooseNextStand(const ShotShown& shot, ViewState& view);
// Placing a shot's point by hand: starts it; posts the point; drops it.
void StartMoving(const ShotShown& shot, ViewState& view);
void PostMovedPoint(const ShotShown& shot, ViewState& view, DecisionSink& words);
void StopMoving(ViewState& view);
// The shot with its point where it is being moved to; the shot itself while it is not moved.
std::shared_ptr<const ShotShown> AsMoved(const std::shared_ptr<const ShotShown>& shot,
                                         ViewState& view);
// Pointing at something that fell and that the camera did not tell: starts it; posts the place.
void StartPointing(const Snapshot& shown, ViewState& view);
// Draws what can be said meanwhile: what fell, where, or nothing.
void DrawPointing(const Theme& theme, const Snapshot& shown, ViewState& view, DecisionSink& words);
void PostPointedAt(ViewState& view, DecisionSink& words);
// Says that the newest new thing on the table is a shot, where there is one.
void PostObject(const ObjectShown& object, const std::string& projectile, DecisionSink& words);
void PostTakeBack(const ShotShown& shot, DecisionSink& words);
// Whether the players said something about the shot that they can take back.
bool MayTakeBack(const ShotShown& shot);
// Draws the new things on the table, each with a button that makes it a shot.
void DrawObjects(const Theme& theme, const Snapshot& shown, DecisionSink& words);
// Draws the buttons of a shot: settle an open stand, show the evidence, accept, dispute, move.
void DrawShotButtons(const Theme& theme, const ShotShown& shot, const PlayersNames& names,
                     ViewState& view, DecisionSink& words);
// Draws the field for the reason of a dispute or of an allowed move.
// controller  also gets the allowed move; nullptr: no game is played.
void DrawDispute(const Snapshot& shown, GameController* controller, ViewState& view,
                 DecisionSink& words);

}  // namespace fos
