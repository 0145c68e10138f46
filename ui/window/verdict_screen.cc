// SPDX-License-Identifier: MIT
#include "ui/window/verdict_screen.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/session/shot_words.h"
#include "ui/window/action.h"
#include "ui/window/canvas.h"
#include "ui/window/game_answers.h"
#include "ui/window/large_text.h"
#include "ui/window/overlay.h"
#include "ui/window/rulings_panel.h"
#include "ui/window/status_panel.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

// The game asks for this shot, and every call on it is made.
bool MayApply(const Snapshot& shown, const GameController* controller, const ShotShown& shot) {
  return controller != nullptr && controller->Now()->prompt.kind == PromptKind::kShot &&
         PendingShot(shown, *controller) != nullptr &&
         PendingShot(shown, *controller)->shot.shot.number == shot.shot.shot.number &&
         controller->FallOf(shot, shown.facts->scenario).ok();
}

void LeaveVerdict(ViewState& view) {
  StopMoving(view);
  view.verdict = false;
}

void PostCall(const ShotShown& shot, const ViewState& view, Call call, DecisionSink& words) {
  if (const StandVerdict* stand = StandToSettle(shot, view)) {
    words.Post(
        {PlayerDecision::What::kSettle, shot.shot.shot.number, stand->stand.stand.text, call, {}});
  }
}

// What can be done now, each by its button and by its key. For this frame: the actions refer to the
// arguments.
Actions VerdictActions(const Snapshot& shown, GameController* controller, ViewState& view,
                       DecisionSink& words, const ShotShown& shot) {
  Actions out;
  const auto add = [&](std::string name, const char* key_name, ImWchar letter, int key,
                       std::function<void()> act) {
    Action action;
    action.name = std::move(name);
    action.key_name = key_name;
    action.letter = letter;
    action.key = key;
    action.act = std::move(act);
    out.push_back(std::move(action));
  };
  const int number = shot.shot.shot.number;
  if (view.moving) {
    add("it lies there", "Enter", 0, GLFW_KEY_ENTER, [&] { PostMovedPoint(shot, view, words); });
    add("cancel", "Esc", 0, GLFW_KEY_ESCAPE, [&] { StopMoving(view); });
    return out;
  }
  const bool answers = !shown.replay;
  const StandVerdict* open = StandToSettle(shot, view);
  if (answers && open != nullptr) {
    const std::string id = PlayersNames(shown.facts->scenario).Of(open->stand.stand.text);
    add(fmt::format("we say {} HIT", id), "H", 'h', 0,
        [&] { PostCall(shot, view, Call::kHit, words); });
    add(fmt::format("we say {} MISS", id), "M", 'm', 0,
        [&] { PostCall(shot, view, Call::kMiss, words); });
  }
  if (MayApply(shown, controller, shot)) {
    add("apply the shot", "Enter", 0, GLFW_KEY_ENTER, [&, controller, number] {
      const Result<std::string> line = controller->FallOf(shot, shown.facts->scenario);
      if (line.ok()) PlayLine(shown, *controller, *line, number);
      LeaveVerdict(view);
    });
  } else if (answers && shot.question.empty() && OpenCalls(shot).empty() && !shot.withdrawn) {
    add("accept", "A", 'a', 0, [&, number] {
      words.Post({PlayerDecision::What::kAccept, number, {}, {}, {}});
      LeaveVerdict(view);
    });
  }
  if (answers && shot.archived != nullptr && !shot.withdrawn) {
    add(shot.question.empty() ? "dispute: drag the point" : "say where it is", "X", 'x', 0,
        [&] { StartMoving(shot, view); });
  }
  if (answers && shown.table != nullptr) {
    add("something else fell", "J", 'j', 0, [&] {
      if (shown.objects.empty()) return StartPointing(shown, view);
      PostObject(*shown.objects.back(), "", words);
    });
  }
  if (answers && MayTakeBack(shot))
    add("take back", "U", 'u', 0, [&] { PostTakeBack(shot, words); });
  if (shot.archived != nullptr) {
    add(view.show_before ? "after it fell" : "before it fell", "E", 'e', 0,
        [&] { view.show_before = !view.show_before; });
  }
  add("to the table", "Space", ' ', 0, [&] { LeaveVerdict(view); });
  return out;
}

// Two buttons a row, from the bottom up. Returns their upper edge.
float DrawLargeButtons(const Theme& theme, const Actions& actions, const ScreenRect& area,
                       float height) {
  constexpr std::size_t kColumns = 2;
  const float gap = theme.Px(8);
  const std::size_t rows = (actions.size() + kColumns - 1) / kColumns;
  const float top = area.high.y - static_cast<float>(rows) * (height + gap);
  const float wide = (area.Width() - gap) / kColumns;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImFont* font = theme.title != nullptr ? theme.title : ImGui::GetFont();
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Action& action = actions[i];
    const bool alone = i + 1 == actions.size() && i % kColumns == 0;
    const ImVec2 size{alone ? area.Width() : wide, height};
    const ImVec2 at{area.low.x + static_cast<float>(i % kColumns) * (wide + gap),
                    top + static_cast<float>(i / kColumns) * (height + gap)};
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(action.name.c_str());
    const bool pressed = ImGui::Button("##large", size);
    ImGui::PopID();
    const float key_px = 0.3F * height;
    const ImVec2 key = theme.body->CalcTextSizeA(key_px, 1e6F, 0, action.key_name);
    const float pad = 0.16F * height;
    const ScreenRect room{{at.x + pad, at.y + pad},
                          {at.x + size.x - key.x - 2 * pad, at.y + height - pad}};
    const float most = 0.4F * height;
    const float letters = FittingSize(font, action.name, {room.Width(), room.Height()}, most);
    const float high = ExtentOf(font, letters, LinesOf(font, letters, action.name, room.Width())).y;
    WriteFitting(list, font, action.name,
                 {{room.low.x, at.y + (height - high) / 2}, {room.high.x, at.y + height}}, letters,
                 theme.text);
    list.AddText(theme.body, key_px, {at.x + size.x - key.x - pad, at.y + (height - key.y) / 2},
                 theme.accent, action.key_name);
    if (pressed) {
      action.act();
      break;  // what can be done has changed
    }
  }
  return top;
}

// Where a length of `shown_in` inches around the shot fills the area.
struct PlaceView {
  Projection on;
  Placement placed;
};
PlaceView ViewOfPlace(const Snapshot& shown, const ShotShown& shot, bool picture,
                      const ScreenRect& area, float zoom) {
  constexpr double kRoom_in = 1.3;  // about the circle: the bases that it may reach
  const double shown_in = 2 * (shot.circle_in + kRoom_in) / static_cast<double>(zoom);
  const float side = std::min(area.Width(), area.Height());
  const ImVec2 middle{0.5F * (area.low.x + area.high.x), 0.5F * (area.low.y + area.high.y)};
  const TableFrame& frame = shown.facts->table;
  const auto centred = [&](const auto& map) {
    const Projection plain(map, Placement{});
    const auto at = plain.At(shot.shot.point, shot.shot.height_in);
    const float inch = plain.PixelsPerInch(shot.shot.point, shot.shot.height_in);
    Placement placed;
    if (at && inch > 0) {
      placed.scale = side / (static_cast<float>(shown_in) * inch);
      placed.origin = {middle.x - placed.scale * at->x, middle.y - placed.scale * at->y};
    }
    return PlaceView{Projection(map, placed), placed};
  };
  const auto archived = picture && shot.archived != nullptr ? shot.archived->Get() : nullptr;
  return archived != nullptr ? centred(archived->seen.pictures.camera) : centred(frame);
}

// Drags the point, or puts it where the picture is tapped.
void DragPoint(const Theme& theme, const Projection& on, const ShotShown& shot, ViewState& view) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto under = on.Table(io.MousePos);
  if (ImGui::IsItemActivated() && under) {
    // A question takes the first tap; a measured point must be asked for.
    if (!view.moving && shot.question.empty()) return;
    if (!view.moving) StartMoving(shot, view);
    const auto at = on.At(*view.moving, shot.shot.height_in);
    const bool near = at &&
                      std::hypot(at->x - io.MousePos.x, at->y - io.MousePos.y) < theme.Px(40) &&
                      shot.question.empty();
    view.grip = near ? *view.moving - *under : Vec2{};
  }
  if (!ImGui::IsItemActive()) view.grip.reset();
  if (view.moving && view.grip && under) view.moving = *under + *view.grip;
}

// Paints the place with the bases near the shot, its point and its circle.
// marked    false: the picture alone
// wordless  as in ViewState
void PaintPlace(ImDrawList& list, const Theme& theme, const Snapshot& shown,
                const ShownPicture& place, const std::shared_ptr<const ShotShown>& shot,
                const PlaceView& shows, bool marked, bool wordless,
                const ScreenRect& area) {
  Snapshot near;
  near.facts = shown.facts;
  std::vector<StandObservation> stands;
  for (const StandVerdict& stand : shot->verdict.stands) stands.push_back(stand.stand);
  const auto archived = shot->archived != nullptr ? shot->archived->Get() : nullptr;
  if (stands.empty() && archived != nullptr) stands = archived->stands;
  near.stands = std::make_shared<const std::vector<StandObservation>>(std::move(stands));
  near.shots = {shot};
  if (place.texture != ImTextureID{} && archived != nullptr) {
    list.AddImage(place.texture, shows.placed.ToScreen(0, 0),
                  shows.placed.ToScreen(place.width, place.height));
  } else {
    const auto low = shows.on.At({0, shown.facts->table.Depth()}, 0);
    const auto high = shows.on.At({shown.facts->table.Width(), 0}, 0);
    if (low && high) list.AddRectFilled(*low, *high, theme.cloth);
    DrawTerrain(list, theme, shows.on, shown);
    DrawGrid(list, theme, shows.on, shown, wordless);
  }
  if (!marked) return;
  // Lines and numbers that are seen from as far as the letters.
  Theme large = theme;
  large.scale = std::max(theme.scale, area.Height() / 480);
  ViewState marks;
  marks.selected_shot = shot->shot.shot.number;
  marks.wordless = wordless;
  if (wordless) marks.names = UnitNames::kNone;
  std::vector<ScreenRect> names = DrawStands(list, large, shows.on, near, marks);
  DrawShots(list, large, shows.on, near, marks, std::move(names));
}

// The place of the shot and what is known about it.
void DrawPlace(const Theme& theme, const Snapshot& shown, const ShownPicture& place,
               const std::shared_ptr<const ShotShown>& shot,
               const std::shared_ptr<const ShotShown>& first, ViewState& view,
               const ScreenRect& area) {
  Canvas canvas("place", area, theme.window);
  const auto archived = shot->archived != nullptr ? shot->archived->Get() : nullptr;
  const bool picture = place.texture != ImTextureID{} && archived != nullptr;
  // The picture stays where it is while the point moves on it.
  const PlaceView shows = ViewOfPlace(shown, *first, picture, area, view.verdict_zoom);
  if (!shown.replay && first->archived != nullptr) DragPoint(theme, shows.on, *first, view);
  if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0) {
    constexpr float kStep = 1.2F;
    view.verdict_zoom =
        std::clamp(view.verdict_zoom * std::pow(kStep, ImGui::GetIO().MouseWheel), 0.5F, 8.0F);
  }
  PaintPlace(canvas.List(), theme, shown, place, shot, shows, !view.show_before,
             /*wordless=*/false, area);
}

// The film of the shot. A click makes it larger or smaller.
void DrawFilm(const Theme& theme, const ShownPicture& film, ViewState& view,
              const ScreenRect& area) {
  Canvas canvas("film", area, theme.window);
  ImDrawList& list = canvas.List();
  if (ImGui::IsItemClicked()) view.film_large = !view.film_large;
  const float scale = std::min(area.Width() / film.width, area.Height() / film.height);
  const ImVec2 half{0.5F * scale * film.width, 0.5F * scale * film.height};
  const ImVec2 middle{0.5F * (area.low.x + area.high.x), 0.5F * (area.low.y + area.high.y)};
  list.AddImage(film.texture, {middle.x - half.x, middle.y - half.y},
                {middle.x + half.x, middle.y + half.y});
  const std::string words = view.film_large ? "before the shot  (L: smaller)"
                                            : "before the shot  (L: larger)";
  const float letters = theme.Px(16);
  const ImVec2 plate = PlateSize(theme, words, letters);
  DrawPlate(list, theme,
            {middle.x - half.x + plate.x / 2 + theme.Px(4),
             middle.y + half.y - plate.y / 2 - theme.Px(4)},
            words, Rgba(255, 255, 255), letters);
}

// The size at which the reason and the players' word fill the room, so that they too are read from
// across the table: between `least` and a twelfth of the screen's height, as onlookers have it.
float ReasonSize(ImFont* font, const ShotWords& said, ImVec2 room, float least, float screen_high) {
  constexpr float kStep = 0.97F;
  float size = screen_high / 12;
  for (; size > least; size *= kStep) {
    const ImVec2 players = ExtentOf(font, size, LinesOf(font, size, said.players, room.x));
    const ImVec2 reason = ExtentOf(font, size, LinesOf(font, size, said.reason, room.x));
    if (players.y + reason.y <= room.y && std::max(players.x, reason.x) <= room.x) return size;
  }
  return least;
}

}  // namespace

void DrawShotPlace(const Theme& theme, const Snapshot& shown, const ShownPicture& place,
                   const std::shared_ptr<const ShotShown>& shot, const ScreenRect& area) {
  Canvas canvas("shot place", area, theme.window);
  const bool picture = place.texture != ImTextureID{} && shot->archived != nullptr;
  PaintPlace(canvas.List(), theme, shown, place, shot,
             ViewOfPlace(shown, *shot, picture, area, 1), /*marked=*/true, /*wordless=*/true, area);
}

void DrawVerdict(const Theme& theme, const Snapshot& shown, const ShownPicture& place,
                 const ShownPicture& film, GameController* controller, ViewState& view,
                 DecisionSink& words, const ScreenRect& area) {
  const std::shared_ptr<const ShotShown> first = ChosenShared(shown, view);
  if (first == nullptr) return;
  const float high = area.Height();
  const float gap = std::floor(0.012F * high);
  // The longest word, at a tenth of the height, needs this width.
  const float split = std::floor(area.low.x + std::min(0.44F * area.Width(), 0.95F * high));
  ScreenRect place_area{area.low, {split, area.high.y}};
  if (film.texture != ImTextureID{} && film.width > 0) {
    // While the point is dragged its place has the room.
    const float share = view.moving ? 0.0F : view.film_large ? 0.62F : 0.34F;
    place_area.high.y = std::floor(area.high.y - share * high);
    if (share > 0)
      DrawFilm(theme, film, view, {{area.low.x, place_area.high.y}, {split, area.high.y}});
  }
  DrawPlace(theme, shown, place, AsMoved(first, view), first, view, place_area);
  if (CameraFails(shown)) DrawBanner(theme, shown, place_area);
  // A drag has moved the point in this frame.
  const std::shared_ptr<const ShotShown> shot = AsMoved(first, view);
  const ShotWords said = WordsOf(*shot, PlayersNames(shown.facts->scenario));

  const ScreenRect right{{split, area.low.y}, area.high};
  ImGui::SetNextWindowPos(right.low);
  ImGui::SetNextWindowSize({right.Width(), right.Height()});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
  ImGui::Begin("Verdict", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float letters = 0.101F * high / kCapitalShare;  // a capital is a tenth of the screen high
  const float band = letters * 1.08F;
  list.PushClipRect(right.low, right.high);  // without the panel's border
  list.AddRectFilled(right.low, {right.high.x, right.low.y + band},
                     CallColour(theme, said.call.call));
  list.PopClipRect();
  WriteFitting(list, HugeFont(theme), said.call.word,
               {{right.low.x + gap, right.low.y}, {right.high.x - gap, right.low.y + band}},
               letters, Rgba(14, 16, 20));
  const Actions actions = VerdictActions(shown, controller, view, words, *first);
  const float button = std::clamp(0.085F * high, theme.Px(40), theme.Px(150));
  const ScreenRect below{{right.low.x + gap, right.low.y + band},
                         {right.high.x - gap, right.high.y - gap}};
  const float top = DrawLargeButtons(theme, actions, below, button);
  float y = below.low.y + gap;
  const float most_falls = std::min(2.4F * letters, 0.55F * (top - y));
  y += WriteFitting(list, HugeFont(theme), Capitalised(said.falls),
                    {{below.low.x, y}, {below.high.x, y + most_falls}}, letters, theme.text) +
       gap;
  ImFont* body = theme.body != nullptr ? theme.body : ImGui::GetFont();
  const float line = 0.05F * high;
  const auto write = [&](const std::string& text, float most, ImU32 colour) {
    if (text.empty() || y >= top) return;
    y += WriteFitting(list, body, text, {{below.low.x, y}, {below.high.x, top - gap}}, most,
                      colour) +
         gap;
  };
  const float reason =
      ReasonSize(body, said, {below.Width(), top - 2 * gap - y - line}, line, high);
  write(said.players, reason, WarningColour(theme));
  write(said.reason, reason, theme.text);
  const std::string last =
      view.moving ? "Drag the cross, tap the place, or use the arrow keys."
                  : fmt::format("Shot {}, {}{}", shot->shot.shot.number, shot->projectile,
                                shot->verdict.ground.square.empty()
                                    ? ""
                                    : " in " + shot->verdict.ground.square);
  // The least that matters: left out where it could not be read.
  const ImVec2 room{below.high.x - below.low.x, top - gap - y};
  if (room.y > 0 && FittingSize(body, last, room, line) >= theme.Px(15)) {
    write(last, line, theme.faint);
  }
  ImGui::End();
}

bool HandleVerdictKeys(const Snapshot& shown, GameController* controller, ViewState& view,
                       DecisionSink& words) {
  const std::shared_ptr<const ShotShown> shot = ChosenShared(shown, view);
  const ImGuiIO& io = ImGui::GetIO();
  if (shot == nullptr || view.show_help || view.show_settings || io.WantTextInput) return false;
  if (io.KeyCtrl) {
    if (ImGui::IsKeyPressed(GLFW_KEY_Z, false) && MayTakeBack(*shot) && !shown.replay) {
      PostTakeBack(*shot, words);
      return true;
    }
    return false;
  }
  const Actions actions = VerdictActions(shown, controller, view, words, *shot);
  for (const Action& action : actions) {
    bool pressed = action.key != 0 && ImGui::IsKeyPressed(action.key, false);
    for (const ImWchar letter : io.InputQueueCharacters)
      pressed = pressed || (action.letter != 0 && letter == action.letter);
    if (!pressed) continue;
    action.act();
    return true;
  }
  if (view.moving) return false;  // the arrows are taken with those of the table
  if (ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) || ImGui::IsKeyPressed(GLFW_KEY_ENTER, false)) {
    LeaveVerdict(view);
    return true;
  }
  // The words of a dispute and a game's lines are typed beside the table.
  for (const ImWchar letter : io.InputQueueCharacters) {
    if (letter == 'l') {
      view.film_large = !view.film_large;
      return true;
    }
    if (letter == '/' && controller != nullptr && controller->Now()->replay_turns.empty()) {
      LeaveVerdict(view);
      // It comes back for a shot that the game may still ask for.
      view.verdict_waits = PendingShot(shown, *controller) != nullptr;
      StartLine(view.game_panel, "");
      return true;
    }
    if (letter == 'd') LeaveVerdict(view);
    // What has no meaning here is not to change the table unseen.
    constexpr std::string_view kAlsoHere = "tbk[]?nopid";
    if (letter >= 128 || kAlsoHere.find(static_cast<char>(letter)) == std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace fos
