// SPDX-License-Identifier: MIT
#include "ui/window/audience_panel.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "ui/session/shot_words.h"
#include "ui/window/canvas.h"
#include "ui/window/large_text.h"
#include "ui/window/overlay.h"
#include "ui/window/rulings_panel.h"
#include "ui/window/verdict_screen.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

// The least size of letters, of the screen's height, and the usual one.
constexpr float kLeastShare = 1.0F / 12;
constexpr float kLineShare = 0.105F;
constexpr float kBandShare = 0.2F;

// Shots are judged now.
bool Judges(const Snapshot& shown) {
  return shown.watching == Watching::kWatching && shown.stands != nullptr &&
         !(shown.setup && !shown.setup->accepted);
}

// What the camera does, in as few words as can be read from afar.
std::string_view ShortState(const Snapshot& shown) {
  switch (shown.watching) {
    case Watching::kWatching:
      return shown.stands == nullptr                   ? "KEEP HANDS OFF"
             : shown.setup && !shown.setup->accepted   ? "WAITING"
                                                       : "WATCHING";
    case Watching::kLooking:
      return "KEEP HANDS OFF";
    case Watching::kHands:
      return "HANDS ON THE TABLE";
    case Watching::kBlind:
    case Watching::kCameraMoved:
      return "NOT WATCHING";
    case Watching::kNoCamera:
      return "NO CAMERA";
    case Watching::kNoTable:
      return "";
    case Watching::kReplay:
      return "REPLAY";
    case Watching::kEnded:
      return "END";
    case Watching::kFailed:
      return "STOPPED";
  }
  return "";
}

// One line in the middle of the area; shortened where it would be lower than the least size.
void WriteLine(ImDrawList& list, ImFont* font, std::string text, const ScreenRect& area, float most,
               float least, ImU32 colour) {
  const auto width = [&](float size) {
    return font->CalcTextSizeA(size, 1e6F, 0, text.c_str()).x;
  };
  float size = most;
  if (const float wide = width(most); wide > area.Width())
    size = std::max(least, most * area.Width() / wide);
  while (text.size() > 1 && width(size) > area.Width()) {
    const std::size_t blank = text.rfind(' ');
    text.resize(blank == std::string::npos || blank == 0 ? text.size() - 1 : blank);
  }
  list.AddText(font, size,
               {0.5F * (area.low.x + area.high.x - width(size)),
                0.5F * (area.low.y + area.high.y - size)},
               colour, text.c_str());
}

// Text in lines of that size; lines for which there is no room are left out. Returns its height.
float WriteLines(ImDrawList& list, ImFont* font, const std::string& text, const ScreenRect& area,
                 float size, ImU32 colour) {
  float y = area.low.y;
  for (const std::string& line : LinesOf(font, size, text, area.Width())) {
    if (y + size > area.high.y + 1) break;
    list.AddText(font, size, {area.low.x, y}, colour, line.c_str());
    y += size;
  }
  return y - area.low.y;
}

void DrawVerdictForAudience(const Theme& theme, const Snapshot& shown,
                            const std::shared_ptr<const ShotShown>& shot,
                            const ShownPicture& place, ImVec2 size) {
  const float gap = std::floor(0.02F * size.y);
  const float band = std::floor(kBandShare * size.y);
  const ShotWords said = WordsOf(*shot, PlayersNames(shown.facts->scenario));
  const float side = std::min(size.y - band, 0.45F * size.x);
  // Beside each other: of two canvases that overlap the older is in front.
  {
    Canvas canvas("audience call", {{0, 0}, {size.x, band}}, CallColour(theme, said.call.call));
    ImDrawList& list = canvas.List();
    WriteLine(list, HugeFont(theme), said.call.word, {{gap, 0}, {size.x - gap, band}}, 0.95F * band,
              kLeastShare * size.y, Rgba(14, 16, 20));
  }
  {
    Canvas canvas("audience verdict", {{side, band}, size}, theme.window);
    ImDrawList& list = canvas.List();
    ImFont* body = theme.title != nullptr ? theme.title : ImGui::GetFont();
    float y = band + gap;
    const auto write = [&](ImFont* font, const std::string& text, float letters, ImU32 colour) {
      if (text.empty()) return;
      y += WriteLines(list, font, text, {{side + gap, y}, {size.x - gap, size.y - gap}}, letters,
                      colour) +
           gap;
    };
    write(HugeFont(theme), said.falls, kLineShare * size.y, theme.text);
    write(body, said.players, kLeastShare * size.y, WarningColour(theme));
    write(body, said.reason, kLeastShare * size.y, theme.text);
  }
  DrawShotPlace(theme, shown, place, shot, {{0, band}, {side, size.y}});
}

void DrawTableForAudience(const Theme& theme, const Snapshot& shown, const GameShown* game,
                          ImVec2 size) {
  const float band = std::floor(0.14F * size.y);
  const std::string_view state = ShortState(shown);
  const bool top = !state.empty();
  const std::string phase =
      game == nullptr           ? ""
      : game->prompt.turn > 0   ? fmt::format("Turn {}: {}", game->prompt.turn,
                                              Capitalised(game->prompt.phase))
                                : Capitalised(game->prompt.phase);
  Canvas canvas("audience table", {{0, 0}, size}, theme.window);
  ImDrawList& list = canvas.List();
  const float least = kLeastShare * size.y;
  if (top) {
    const bool asks = shown.watching == Watching::kWatching && !Judges(shown);
    list.AddRectFilled({0, 0}, {size.x, band},
                       WatchingColour(theme, asks ? Watching::kLooking : shown.watching));
    WriteLine(list, HugeFont(theme), std::string(state), {{0, 0}, {size.x, band}}, 0.8F * band,
              least, Rgba(255, 255, 255));
  }
  if (!phase.empty())
    WriteLine(list, HugeFont(theme), phase, {{0, size.y - band}, size}, 0.72F * band, least,
              theme.text);
  const ScreenRect area{{0, top ? band : 0.0F}, {size.x, size.y - (phase.empty() ? 0 : band)}};
  const TableFrame& frame = shown.facts->table;
  const ImVec2 map = MapSize(frame);
  const Projection on(frame, Place(map.x, map.y, area, {}));
  const auto low = on.At({0, frame.Depth()}, 0);
  const auto high = on.At({frame.Width(), 0}, 0);
  if (!low || !high) return;
  list.AddRectFilled(*low, *high, theme.cloth);
  DrawTerrain(list, theme, on, shown);
  ViewState marks;
  marks.names = UnitNames::kNone;
  Theme large = theme;
  large.scale = std::max(theme.scale, size.y / 720);
  DrawGrid(list, large, on, shown, /*wordless=*/true);
  DrawStands(list, large, on, shown, marks);
}

}  // namespace

std::shared_ptr<const ShotShown> ShotForAudience(const Snapshot& shown, const ViewState& view) {
  if (view.verdict) return ChosenShared(shown, view);
  constexpr double kShown_s = 12;
  if (shown.shots.empty() || shown.replay) return nullptr;
  const std::shared_ptr<const ShotShown>& last = shown.shots.back();
  const bool lately = shown.frame.time_s - last->time_s < kShown_s;
  return lately && !view.verdict_by_itself ? last : nullptr;
}

void DrawAudience(const Theme& theme, const Snapshot& shown,
                  const std::shared_ptr<const ShotShown>& shot, const ShownPicture& place,
                  const GameShown* game, ImVec2 size) {
  if (shot != nullptr) {
    DrawVerdictForAudience(theme, shown, shot, place, size);
  } else {
    DrawTableForAudience(theme, shown, game, size);
  }
}

}  // namespace fos
