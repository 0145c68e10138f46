// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"
#include "ui/window/view_state.h"

// What the game asks and what may be answered, shared by the panel, the keys and clicks, and the
// overlay. Draws nothing.
namespace fos {

inline constexpr std::size_t kOptionsPerPage = 9;  // one per digit
// The keys for the two-digit faces of a D12: those to the right of 9.
inline constexpr std::string_view kFacesFromTen = "0-=";
// The second side's keys in a secret choice: the row below the digits.
inline constexpr std::string_view kSecondSideKeys = "qwertyuio";

// The unit a stand belongs to: "F-1L1#2" is of F-1L1.
std::string UnitOf(const std::string& stand);
// Units and pieces that may still act, in the order of the table.
std::vector<std::string> UnitsYetToAct(const GameShown& game);
// "line infantry F-1L1, F-1L2; foot gun F-1A1": units with their kinds, each kind once.
std::string WithKinds(const GameShown& game, const std::vector<std::string>& units);
// The answers the panel lists now, in order.
std::vector<LineOption> ListedOptions(GameController& controller, const ViewState& view);
// What a side may choose in secret: the options of the prompt's own clause if there are any.
std::vector<LineOption> SecretOptions(const GameShown& game, int side);
// The option pointed at, or the line that dice are being thrown for; nullptr: neither.
const LineOption* PointedAt(const GameShown& game, const std::vector<LineOption>& listed,
                            const GamePanelView& view);
// The sums of that option, or of what is asked for; nullptr where sums decide nothing.
const Forecast* SumsOf(GameController& controller, const LineOption* pointed);
// The camera's newest shot that the game has not used; nullptr: none.
const ShotShown* PendingShot(const Snapshot& shown, const GameController& controller);

// The time of the frame that is shown, seconds.
double ShownTime(const Snapshot& shown);
// Plays a line of the script language. shot: the camera's shot it was made of; 0: none.
void PlayLine(const Snapshot& shown, GameController& controller, const std::string& line,
              int shot = 0);
// Plays an option, or asks for confirmation first where it is final.
void TakeOption(const Snapshot& shown, GameController& controller, GamePanelView& view,
                const LineOption& option);
void AnswerConfirmation(const Snapshot& shown, GameController& controller, GamePanelView& view,
                        bool yes);
// Drops what was half chosen for an earlier prompt.
void DropStaleChoices(const GameController& controller, GamePanelView& view);
// Opens the line editor with that text in it.
void StartLine(GamePanelView& view, const std::string& begun);
// Shows the clause with its tables; clause empty: all clauses. line as in GamePanelView.
void ShowClause(GamePanelView& view, const std::string& clause, int line);
// Chooses the next (+1) or previous (-1) unit that may still act.
void ChooseNextUnit(const GameShown& game, GamePanelView& view, int step);
// Takes back one step of the answer being given: a die, the offered dice, the shot, the square, the
// unit.
void GoBack(const Snapshot& shown, GameController& controller, GamePanelView& view);
// "dice 3 5", as typed so far.
std::string DiceLine(const GamePanelView& view);

// Steps a replay by one of its keys (GLFW_KEY_...); other keys do nothing.
void StepReplay(GameController& controller, int key);

}  // namespace fos
