// SPDX-License-Identifier: MIT
#include "ui/window/damage.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace fos {
namespace {

// FNV-1a over eight-byte words, for speed: a frame has half a megabyte of vertices.
std::uint64_t Mix(std::uint64_t digest, const void* data, std::size_t bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  const auto* at = static_cast<const unsigned char*>(data);
  for (; bytes >= 8; bytes -= 8, at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    digest = (digest ^ word) * kPrime;
    digest ^= digest >> 29;  // mixes the high bits into the low ones
  }
  for (; bytes > 0; --bytes, ++at) digest = (digest ^ *at) * kPrime;
  return digest;
}

ScreenRect Union(const ScreenRect& a, const ScreenRect& b) {
  if (!(a.Width() > 0) || !(a.Height() > 0)) return b;
  if (!(b.Width() > 0) || !(b.Height() > 0)) return a;
  return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y)},
          {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y)}};
}

// The box around what is drawn: clip rectangles are often the whole window.
ScreenRect WhereOf(const ImDrawList& list) {
  ScreenRect clips;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    const ImVec4& c = command.ClipRect;
    clips = Union(clips, {{c.x, c.y}, {c.z, c.w}});
  }
  ScreenRect drawn{{1e9F, 1e9F}, {-1e9F, -1e9F}};
  bool callback = false;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    callback = callback || command.UserCallback != nullptr;
  }
  if (callback) return clips;  // a callback may draw anywhere in it
  for (const ImDrawVert& vertex : list.VtxBuffer) {
    drawn.low = {std::min(drawn.low.x, vertex.pos.x), std::min(drawn.low.y, vertex.pos.y)};
    drawn.high = {std::max(drawn.high.x, vertex.pos.x), std::max(drawn.high.y, vertex.pos.y)};
  }
  return {{std::max(clips.low.x, drawn.low.x), std::max(clips.low.y, drawn.low.y)},
          {std::min(clips.high.x, drawn.high.x), std::min(clips.high.y, drawn.high.y)}};
}

std::uint64_t DigestOf(const ImDrawList& list) {
  std::uint64_t out = 0xcbf29ce484222325;
  out = Mix(out, list.VtxBuffer.Data,
            static_cast<std::size_t>(list.VtxBuffer.Size) * sizeof(ImDrawVert));
  out = Mix(out, list.IdxBuffer.Data,
            static_cast<std::size_t>(list.IdxBuffer.Size) * sizeof(ImDrawIdx));
  for (const ImDrawCmd& command : list.CmdBuffer) {
    out = Mix(out, &command.ClipRect, sizeof command.ClipRect);
    out = Mix(out, &command.TextureId, sizeof command.TextureId);
    out = Mix(out, &command.ElemCount, sizeof command.ElemCount);
  }
  return out;
}

}  // namespace

ScreenRect Damage::Trim(ImDrawData& data, const std::vector<ImTextureID>& stale,
                        bool picture_is_new) {
  std::vector<Seen> now;
  ScreenRect changed;
  bool same = data.DisplaySize.x == size_.x && data.DisplaySize.y == size_.y &&
              static_cast<std::size_t>(data.CmdListsCount) == seen_.size();
  size_ = data.DisplaySize;
  picture_list_ = -1;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    now.push_back({list._OwnerName, DigestOf(list), WhereOf(list)});
    const auto draws_itself = [](const ImDrawCmd& command) {
      return command.UserCallback != nullptr &&
             command.UserCallback != ImDrawCallback_ResetRenderState;
    };
    if (std::any_of(list.CmdBuffer.begin(), list.CmdBuffer.end(), draws_itself)) {
      picture_list_ = i;
      picture_digest_ = now.back().digest;
    }
    if (!same) continue;
    const Seen& before = seen_[static_cast<std::size_t>(i)];
    same = before.owner == now.back().owner;
    bool fresh = before.digest != now.back().digest;
    for (const ImDrawCmd& command : list.CmdBuffer) {
      fresh = fresh || (picture_is_new && command.UserCallback != nullptr) ||
              std::find(stale.begin(), stale.end(), command.TextureId) != stale.end();
    }
    if (fresh) changed = Union(changed, Union(before.where, now.back().where));
  }
  seen_ = std::move(now);
  if (!same) changed = {{0, 0}, data.DisplaySize};
  // Whole pixels, and one more for smoothed edges.
  changed.low = {std::max(0.0F, std::floor(changed.low.x) - 1),
                 std::max(0.0F, std::floor(changed.low.y) - 1)};
  changed.high = {std::min(data.DisplaySize.x, std::ceil(changed.high.x) + 1),
                  std::min(data.DisplaySize.y, std::ceil(changed.high.y) + 1)};
  if (!(changed.Width() > 2) || !(changed.Height() > 2)) changed = {};
  for (int i = 0; i < data.CmdListsCount; ++i) {
    for (ImDrawCmd& command : data.CmdLists[i]->CmdBuffer) {
      ImVec4& c = command.ClipRect;
      const bool off = c.x >= changed.high.x || c.z <= changed.low.x || c.y >= changed.high.y ||
                       c.w <= changed.low.y;
      c = {std::max(c.x, changed.low.x), std::max(c.y, changed.low.y),
           std::min(c.z, changed.high.x), std::min(c.w, changed.high.y)};
      if (!off) continue;
      command.ElemCount = 0;
      command.UserCallback = nullptr;
    }
  }
  return changed;
}

}  // namespace fos
