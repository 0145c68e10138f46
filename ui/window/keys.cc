// SPDX-License-Identifier: MIT
#include "ui/window/keys.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <string_view>

#include "ui/window/playback_bar.h"
#include "ui/window/preferences.h"
#include "ui/window/rulings_panel.h"
#include "ui/window/table_panel.h"

namespace fos {
namespace {

constexpr float kZoomStep = 1.25F;
constexpr float kPanStep = 0.08F;  // of what is shown
constexpr float kScaleStep = 1.1F;
constexpr auto kLeastScale = static_cast<float>(kLeastUiScale);
constexpr auto kMostScale = static_cast<float>(kMostUiScale);

ViewZoom& ActiveZoom(ViewState& view) {
  const bool map = view.arrangement == Arrangement::kMapOnly ||
                   (view.arrangement == Arrangement::kBoth && view.map_active);
  return map ? view.map : view.picture;
}

void Pan(ViewState& view, float x, float y) {
  ViewZoom& zoom = ActiveZoom(view);
  zoom.x += kPanStep * x / zoom.scale;
  zoom.y += kPanStep * y / zoom.scale;
}

void Settle(const Snapshot& shown, const ViewState& view, DecisionSink& words, Call call) {
  const ShotShown* shot = ChosenShot(shown, view);
  if (shot == nullptr) return;
  const StandVerdict* stand = StandToSettle(*shot, view);
  if (stand == nullptr) return;
  words.Post(
      {PlayerDecision::What::kSettle, shot->shot.shot.number, stand->stand.stand.text, call, {}});
}

// Letters and signs as they are typed, so that the keyboard's own layout counts.
void TakeLetter(ImWchar letter, const Snapshot& shown, ViewState& view, DecisionSink& words) {
  if (ChangeSetting(view, letter)) return;
  const ShotShown* shot = ChosenShot(shown, view);
  switch (letter) {
    case '?':
      view.show_help = !view.show_help;
      break;
    case '+':
    case '=':
      ActiveZoom(view).scale *= kZoomStep;
      break;
    case '-':
      ActiveZoom(view).scale /= kZoomStep;
      break;
    case '0':
      ActiveZoom(view) = ViewZoom{};
      break;
    case 'v':
      NextArrangement(view);
      break;
    case 'g':
      view.show_grid = !view.show_grid;
      break;
    case 's':
      view.show_stands = !view.show_stands;
      break;
    case 'q':
      view.names = view.names == UnitNames::kWhereRoom ? UnitNames::kAll
                   : view.names == UnitNames::kAll     ? UnitNames::kNone
                                                       : UnitNames::kWhereRoom;
      break;
    case 'c':
      view.show_circles = !view.show_circles;
      break;
    case 'f':
      view.show_reach = !view.show_reach;
      break;
    case 'l':
      view.show_log = !view.show_log;
      break;
    case 'n':
      ChooseNeighbour(shown, view, +1);
      break;
    case 'p':
      ChooseNeighbour(shown, view, -1);
      break;
    case 'z':
      LookAtShot(shown, view);
      break;
    case 'e':
      view.show_evidence = shot != nullptr && !view.show_evidence;
      break;
    case 'a':
      if (shot != nullptr) {
        words.Post({PlayerDecision::What::kAccept, shot->shot.shot.number, {}, {}, {}});
      }
      break;
    case 'x':
      if (shot != nullptr) StartMoving(*shot, view);
      break;
    case 'i':
      if (shot != nullptr) ChooseNextStand(*shot, view);
      break;
    case 'd':
      if (shot != nullptr) StartDispute(view);
      break;
    case 'u':
      if (shot != nullptr && MayTakeBack(*shot)) PostTakeBack(*shot, words);
      break;
    case 'j':
      if (!shown.objects.empty()) {
        PostObject(*shown.objects.back(), "", words);
      } else {
        StartPointing(shown, view);
      }
      break;
    case ' ':
      view.verdict = shot != nullptr;
      break;
    case 'w':
      if (const MoveShown* move = MoveToOverrule(shown)) StartOverrule(*move, view);
      break;
    case 'y':
    case 'r':
      if (const DoubtShown* doubt = DoubtToSettle(shown))
        PostIdentity(*doubt, letter == 'y', words);
      break;
    case 'h':
      Settle(shown, view, words, Call::kHit);
      break;
    case 'm':
      Settle(shown, view, words, Call::kMiss);
      break;
    default:
      break;
  }
}

// The letters that answer verdicts and moves. In a replay they do nothing.
bool IsAnAnswer(ImWchar letter) {
  constexpr std::string_view kWords = "axdwhmyruj";
  return letter < 128 && kWords.find(static_cast<char>(letter)) != std::string_view::npos;
}

// Takes a shot's point along by the arrows. False: there is no such shot.
bool MovePointByKeys(const Snapshot& shown, ViewState& view, DecisionSink& words) {
  const ShotShown* shot = ChosenShot(shown, view);
  if (shot == nullptr && !view.pointing) return false;
  // The finest step that a picture can show.
  constexpr double kStep_in = 0.02;
  Vec2& at = *view.moving;
  if (ImGui::IsKeyPressed(GLFW_KEY_LEFT)) at.x -= kStep_in;
  if (ImGui::IsKeyPressed(GLFW_KEY_RIGHT)) at.x += kStep_in;
  if (ImGui::IsKeyPressed(GLFW_KEY_UP)) at.y += kStep_in;
  if (ImGui::IsKeyPressed(GLFW_KEY_DOWN)) at.y -= kStep_in;
  if (!ImGui::IsKeyPressed(GLFW_KEY_ENTER, false)) return true;
  if (view.pointing) {
    PostPointedAt(view, words);
  } else {
    PostMovedPoint(*shot, view, words);
  }
  return true;
}

void StepReplay(const ReplayPlace& at, DecisionSink& words) {
  for (const int key : {GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER, GLFW_KEY_BACKSPACE, GLFW_KEY_PAGE_DOWN,
                        GLFW_KEY_PAGE_UP, GLFW_KEY_HOME, GLFW_KEY_END}) {
    if (ImGui::IsKeyPressed(key)) words.StepTo(ReplayStep(at, key));
  }
}

}  // namespace

std::size_t ReplayStep(const ReplayPlace& at, int key) {
  switch (key) {
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      return std::min(at.step + 1, at.steps);
    case GLFW_KEY_BACKSPACE:
      return at.step - std::min<std::size_t>(at.step, 1);
    case GLFW_KEY_PAGE_DOWN: {
      const auto next = std::upper_bound(at.shots.begin(), at.shots.end(), at.step);
      return next == at.shots.end() ? at.steps : *next;
    }
    case GLFW_KEY_PAGE_UP: {
      const auto here = std::lower_bound(at.shots.begin(), at.shots.end(), at.step);
      return here == at.shots.begin() ? 0 : *(here - 1);
    }
    case GLFW_KEY_HOME:
      return 0;
    case GLFW_KEY_END:
      return at.steps;
    default:
      return at.step;
  }
}

bool IsTyping(const ViewState& view) {
  return view.game_panel.typing || view.game_panel.searching || view.disputing ||
         view.typing_elsewhere;
}

void NextArrangement(ViewState& view) {
  view.arrangement = view.arrangement == Arrangement::kBoth          ? Arrangement::kPictureOnly
                     : view.arrangement == Arrangement::kPictureOnly ? Arrangement::kMapOnly
                                                                     : Arrangement::kBoth;
}

void Rescale(ViewState& view, int step) {
  const float factor = step > 0 ? kScaleStep : 1 / kScaleStep;
  view.ui_scale = std::clamp(view.ui_scale * factor, kLeastScale, kMostScale);
}

bool ChangeSetting(ViewState& view, char32_t letter) {
  switch (letter) {
    case 't':
      view.light_theme = !view.light_theme;
      return true;
    case 'b':
      view.safe_colours = !view.safe_colours;
      return true;
    case 'k':
      view.large_controls = !view.large_controls;
      return true;
    case 'o':
      view.sound = !view.sound;
      return true;
    case '[':
      Rescale(view, -1);
      return true;
    case ']':
      Rescale(view, +1);
      return true;
    default:
      return false;
  }
}

void HandleKeys(const Snapshot& shown, ViewState& view, DecisionSink& words, bool game,
                bool taken) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl && ImGui::IsKeyPressed(GLFW_KEY_Q, false)) view.quit = true;
  if (taken) return;
  if (ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false)) {
    // Close the innermost thing that is open.
    if (view.disputing) {
      view.disputing = false;
    } else if (view.moving || view.pointing) {
      StopMoving(view);
    } else if (view.show_help) {
      view.show_help = false;
    } else if (view.show_settings) {
      view.show_settings = false;
    } else if (view.show_evidence) {
      view.show_evidence = false;
    }
  }
  if (view.disputing || io.WantTextInput) return;
  if (ImGui::IsKeyPressed(GLFW_KEY_F1, false)) view.show_help = !view.show_help;
  if (ImGui::IsKeyPressed(GLFW_KEY_F2, false)) view.show_settings = !view.show_settings;
  if (view.may_set_up && ImGui::IsKeyPressed(GLFW_KEY_F10, false)) view.set_up = view.quit = true;
  if (view.may_play && ImGui::IsKeyPressed(GLFW_KEY_F9, false)) view.play = view.quit = true;
  if (ImGui::IsKeyPressed(GLFW_KEY_F6, false)) view.verdict_by_itself = !view.verdict_by_itself;
  if (ImGui::IsKeyPressed(GLFW_KEY_F11, false)) view.full_screen = !view.full_screen;
  if (ImGui::IsKeyPressed(GLFW_KEY_TAB, false)) view.map_active = !view.map_active;
  if (ImGui::IsKeyPressed(GLFW_KEY_F12, false)) PostTable(shown, words);
  HandlePlaybackKeys(shown, words);
  if (shown.replay) {
    StepReplay(*shown.replay, words);
    game = true;  // the page keys are used
  }
  if (!game && ImGui::IsKeyPressed(GLFW_KEY_PAGE_DOWN)) ChooseNeighbour(shown, view, +1);
  if (!game && ImGui::IsKeyPressed(GLFW_KEY_PAGE_UP)) ChooseNeighbour(shown, view, -1);
  if (view.moving && MovePointByKeys(shown, view, words)) return;
  if (io.KeyCtrl) return;  // with Ctrl the arrows move the panels' edges
  if (ImGui::IsKeyPressed(GLFW_KEY_LEFT)) Pan(view, -1, 0);
  if (ImGui::IsKeyPressed(GLFW_KEY_RIGHT)) Pan(view, 1, 0);
  if (ImGui::IsKeyPressed(GLFW_KEY_UP)) Pan(view, 0, -1);
  if (ImGui::IsKeyPressed(GLFW_KEY_DOWN)) Pan(view, 0, 1);
  for (const ImWchar letter : io.InputQueueCharacters) {
    if (!shown.replay || !IsAnAnswer(letter)) TakeLetter(letter, shown, view, words);
  }
}

const std::vector<KeyHelp>& KeyHelps() {
  static const std::vector<KeyHelp> kHelps = {
      {"F1  ?", "help"},
      {"F2", "settings"},
      {"F9", "play a game with what is watched"},
      {"F10", "go to the set-up and back"},
      {"F11", "full screen"},
      {"V", "picture, map or both"},
      {"Tab", "switch the view that the keys move"},
      {"+  -  0", "zoom in, out, show all"},
      {"Arrows", "move the view"},
      {"N  P", "next, previous shot"},
      {"Z", "zoom to the shot"},
      {"E", "evidence: before and after"},
      {"H  M", "too close: we say hit, miss"},
      {"I", "choose the stand for H and M"},
      {"A", "accept the verdict"},
      {"D", "dispute the verdict in words"},
      {"X", "drag the shot's point"},
      {"U", "take back the last word on the shot"},
      {"J", "something else fell: point at it"},
      {"Space", "the verdict fills the screen"},
      {"F6", "do so at every verdict"},
      {"L", "in it: the film of the shot larger"},
      {"F12", "the table is right as it stands"},
      {"W", "allow a refused move"},
      {"Y  R", "mixed-up units: swap, keep"},
      {"G", "show grid and terrain"},
      {"S", "show stands"},
      {"Q", "unit names: where there is room, all, none"},
      {"C", "show circles and distances"},
      {"F", "show reach and sight"},
      {"L", "show the log"},
      {"Ctrl+Arrows", "resize the column and the log"},
      {"Ctrl+Shift+Up Down", "resize the small map"},
      {"T", "light or dark"},
      {"B", "colour-blind safe colours"},
      {"[  ]", "smaller, larger text"},
      {"K", "large buttons"},
      {"O", "sound at every verdict"},
      {"F7  F8", "recording: pause, one picture on"},
      {"Shift+F8", "recording: one picture back"},
      {"F5", "recording: speed"},
      {"Home  End", "recording: the shot before, the next"},
      {"right click, hold", "game: what a unit may do"},
      {"/", "game: type a line"},
      {".  ,", "game: next, previous unit"},
      {"1 to 9", "game: choose that answer"},
      {"Enter", "game: choose the marked answer"},
      {"PgUp PgDn", "game: page through answers"},
      {"R", "game: roll or toss"},
      {"Y  Esc", "game: confirm, cancel"},
      {"Ctrl+Z  Y", "game: undo, redo"},
      {"Ctrl+F", "game: search the log"},
      {"Enter, Backspace", "replay: forward, back"},
      {"PgUp PgDn", "replay: previous, next turn or shot"},
      {"Home End", "replay: start, end"},
      {"F7  F5", "replay: play, speed"},
      {"F3", "game or rulings"},
      {"F4", "show the clause"},
      {"Esc", "close"},
      {"Ctrl+Q", "quit"},
  };
  return kHelps;
}

}  // namespace fos
