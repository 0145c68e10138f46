// SPDX-License-Identifier: MIT
#include "ui/window/label_room.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace fos {

ScreenRect BoxAbout(ImVec2 centre, ImVec2 size) {
  return {{centre.x - size.x / 2, centre.y - size.y / 2},
          {centre.x + size.x / 2, centre.y + size.y / 2}};
}

bool Overlap(const ScreenRect& one, const ScreenRect& other) {
  return one.low.x < other.high.x && one.high.x > other.low.x && one.low.y < other.high.y &&
         one.high.y > other.low.y;
}

LabelRoom::LabelRoom(const ScreenRect& view, std::vector<ScreenRect> taken)
    : view_(view), taken_(std::move(taken)) {}

bool LabelRoom::IsFree(const ScreenRect& rect) const {
  constexpr float kRounding_px = 0.5F;
  const bool inside =
      rect.low.x >= view_.low.x - kRounding_px && rect.low.y >= view_.low.y - kRounding_px &&
      rect.high.x <= view_.high.x + kRounding_px && rect.high.y <= view_.high.y + kRounding_px;
  return inside && std::none_of(taken_.begin(), taken_.end(), [&](const ScreenRect& other) {
           return Overlap(rect, other);
         });
}

std::optional<ImVec2> LabelRoom::First(std::span<const ImVec2> places, ImVec2 size) {
  for (const ImVec2 place : places) {
    const ScreenRect rect = BoxAbout(place, size);
    if (!IsFree(rect)) continue;
    Keep(rect);
    return place;
  }
  return std::nullopt;
}

bool LabelRoom::Crosses(ImVec2 from, ImVec2 to) const {
  return std::any_of(taken_.begin(), taken_.end(), [&](const ScreenRect& rect) {
    // The part of the line within the box, as shares of its length (Liang & Barsky 1984).
    float first = 0;
    float last = 1;
    const auto clip = [&](float at, float way, float low, float high) {
      if (way == 0) {
        if (at <= low || at >= high) last = -1;
        return;
      }
      const float one = (low - at) / way;
      const float other = (high - at) / way;
      first = std::max(first, std::min(one, other));
      last = std::min(last, std::max(one, other));
    };
    clip(from.x, to.x - from.x, rect.low.x, rect.high.x);
    clip(from.y, to.y - from.y, rect.low.y, rect.high.y);
    return first < last && first > 0;
  });
}

std::optional<ImVec2> LabelRoom::Nearest(ImVec2 wanted, ImVec2 size, float reach, bool led) {
  // Rings a quarter of a label apart: a gap that is missed is no wider than that.
  const float step = std::max(2.0F, size.y / 4);
  for (float radius = 0; radius <= reach; radius += step) {
    const int places = 1 + static_cast<int>(2 * std::numbers::pi_v<float> * radius / step);
    for (int i = 0; i < places; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) /
                          static_cast<float>(places);
      const ImVec2 place{wanted.x + radius * std::cos(angle), wanted.y - radius * std::sin(angle)};
      if (led && Crosses(wanted, place)) continue;
      if (First({&place, 1}, size)) return place;
    }
  }
  return std::nullopt;
}

}  // namespace fos
