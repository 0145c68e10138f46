// SPDX-License-Identifier: MIT
#include "ui/window/screen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>

#include "ui/window/game_dialogs.h"
#include "ui/window/game_input.h"
#include "ui/window/game_panel.h"
#include "ui/window/keys.h"
#include "ui/window/log_panel.h"
#include "ui/window/panel_layout.h"
#include "ui/window/playback_bar.h"
#include "ui/window/rulings_panel.h"
#include "ui/window/settings_panel.h"
#include "ui/window/status_panel.h"
#include "ui/window/verdict_screen.h"

namespace fos {
namespace {

// Fills the gaps between the panels: the window is cleared to the panels' colour.
void DrawGaps(const Theme& theme, const PanelLayout& layout, const ViewState& view, ImVec2 size) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const auto fill = [&](float x0, float y0, float x1, float y1) {
    if (x1 > x0 && y1 > y0) list.AddRectFilled({x0, y0}, {x1, y1}, theme.window);
  };
  const float top = layout.status.high.y;
  fill(0, top, size.x, layout.main.low.y);
  fill(0, top, layout.main.low.x, size.y);
  fill(layout.rulings.high.x, top, size.x, size.y);
  fill(0, layout.rulings.high.y, size.x, size.y);
  fill(layout.main.high.x, top, layout.rulings.low.x, size.y);
  if (view.show_log) {
    fill(layout.main.low.x, layout.main.high.y, layout.main.high.x, layout.log.low.y);
  }
  if (view.arrangement == Arrangement::kBoth) {
    fill(layout.map.low.x, layout.map.high.y, layout.map.high.x, layout.rulings.low.y);
  }
}

// The picture, or the map without the room about it.
std::array<float, 4> KeepsakeOf(const Snapshot& shown, const ViewState& view,
                                const ScreenRect& main) {
  ImVec2 half{0.5F * main.Width(), 0.5F * main.Height()};
  if (view.arrangement == Arrangement::kMapOnly) {
    const ImVec2 map = MapSize(shown.facts->table);
    const float scale = std::min(main.Width() / map.x, main.Height() / map.y);
    half = {0.5F * scale * map.x, 0.5F * scale * map.y};
  }
  const ImVec2 middle{0.5F * (main.low.x + main.high.x), 0.5F * (main.low.y + main.high.y)};
  return {middle.x - half.x, middle.y - half.y, middle.x + half.x, middle.y + half.y};
}

void NoteKeys(ViewState& view) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool used = !io.InputQueueCharacters.empty() ||
                    std::any_of(std::begin(io.KeysDown), std::end(io.KeysDown), std::identity{});
  if (used) view.last_key_s = ImGui::GetTime();
}

// The player is in the middle of something whose next keys the verdict's screen would take.
bool HalfTyped(const ViewState& view) {
  const GamePanelView& game = view.game_panel;
  return IsTyping(view) || ImGui::GetIO().WantTextInput || !game.dice.empty() || game.confirming ||
         game.landed;
}

void NoteNewShots(const Snapshot& shown, ViewState& view) {
  const int shots = static_cast<int>(shown.shots.size());
  const int last = shown.shots.empty() ? 0 : shown.shots.back()->shot.shot.number;
  // What the players are doing comes first.
  const bool busy = view.disputing || view.moving || view.pointing;
  if (shots > view.shots_known && !busy) {
    view.selected_shot = last;
    view.scroll_to_selected = true;
    view.chosen_stand = -1;
    view.verdict_waits = view.verdict_by_itself && !shown.replay;
    view.show_before = false;
    view.verdict_zoom = 1;
  }
  if (!busy || shots < view.shots_known) view.shots_known = shots;
  view.selected_shot = std::min(view.selected_shot, last);  // a replay may step back
  if (ChosenShot(shown, view) == nullptr) view.verdict = view.verdict_waits = false;
  // Longer than between two keys of one answer.
  constexpr double kPause_s = 0.6;
  if (view.verdict_waits && !HalfTyped(view) && ImGui::GetTime() - view.last_key_s > kPause_s) {
    view.verdict = true;
  }
  if (view.verdict) view.verdict_waits = false;
}

}  // namespace

void DrawScreen(const Theme& theme, const Snapshot& shown, const ScreenPictures& pictures,
                ViewState& view, DecisionSink& words, GameController* controller) {
  NoteKeys(view);
  NoteNewShots(shown, view);
  if (!view.show_settings) view.look_before.reset();
  // A game without a camera has no picture, and neither has a replay.
  if (shown.watching == Watching::kNoTable || shown.watching == Watching::kReplay) {
    view.arrangement = Arrangement::kMapOnly;
  }
  if (controller != nullptr) {
    const bool covered = view.verdict || view.show_settings || view.show_help ||
                         view.game_panel.show_clause || view.game_panel.show_rulings ||
                         (shown.playback && shown.playback->reviewing);
    controller->SeeDice(shown, view.dice_by_itself, covered || HalfTyped(view));
  }
  const bool taken = view.verdict
                         ? HandleVerdictKeys(shown, controller, view, words)
                         : controller != nullptr && HandleGameKeys(shown, *controller, view);
  HandleKeys(shown, view, words, controller != nullptr, taken);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const auto layout_now = [&] {
    return LayoutOf(theme, view, shown.facts->table, controller != nullptr, size);
  };
  PanelLayout layout = layout_now();
  if (theme.body != nullptr) ImGui::PushFont(theme.body);
  if (view.verdict) {
    view.clicked.reset();
    view.keepsake = {0, 0, size.x, size.y};
    DrawVerdict(theme, shown, pictures.place, pictures.film, controller, view, words,
                {{0, 0}, size});
    if (view.show_settings) DrawSettings(theme, view, {{0, 0}, size});
    if (view.show_help) DrawHelp(theme, view, {{0, 0}, size});
    if (theme.body != nullptr) ImGui::PopFont();
    return;
  }
  DrawGaps(theme, layout, view, size);
  MovePanelEdges(theme, layout, view, size);
  layout = layout_now();
  ScreenRect playback = layout.main;
  if (shown.playback) {
    layout.main.high.y -= std::floor(PlaybackHeight(theme, layout.main.Width()));
    playback.low.y = layout.main.high.y;
  }
  view.keepsake = KeepsakeOf(shown, view, layout.main);
  DrawStatus(theme, shown, view, layout.status);
  if (view.show_evidence) {
    DrawEvidenceLens(theme, shown, pictures.before, pictures.after, view, layout.main);
  } else if (view.arrangement == Arrangement::kMapOnly) {
    DrawMap(theme, shown, controller, view, layout.main);
  } else {
    DrawPicture(theme, shown, pictures.frame, controller, view, layout.main);
  }
  if (view.arrangement == Arrangement::kBoth) DrawMap(theme, shown, controller, view, layout.map);
  DrawPlayback(theme, shown, view, words, playback);
  if ((view.moving || view.pointing) && view.clicked) {
    view.moving = view.clicked;
    view.clicked.reset();
  }
  if (controller != nullptr) HandleTableClick(shown, *controller, view);
  view.clicked.reset();
  if (controller != nullptr &&
      (!view.game_panel.show_rulings || shown.watching == Watching::kNoTable)) {
    DrawGame(theme, shown, *controller, view, words, layout.rulings);
  } else {
    DrawRulings(theme, shown, pictures.before, pictures.after, controller, view, words,
                layout.rulings);
  }
  if (view.show_log) DrawLog(theme, shown, controller, view, layout.log);
  DrawBanner(theme, shown, layout.main);
  // While a reason is typed or a point is placed, a new shot is not even chosen.
  const bool unseen = static_cast<int>(shown.shots.size()) > view.shots_known;
  if ((view.verdict_waits || (unseen && view.verdict_by_itself)) && HalfTyped(view))
    DrawVerdictWaits(theme, shown.shots.back()->shot.shot.number, layout.main);
  if (controller != nullptr) DrawGameDialogs(theme, shown, *controller, view, {{0, 0}, size});
  if (view.show_settings) DrawSettings(theme, view, {{0, 0}, size});
  if (view.show_help) DrawHelp(theme, view, {{0, 0}, size});
  if (theme.body != nullptr) ImGui::PopFont();
}

}  // namespace fos
