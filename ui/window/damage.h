// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <imgui.h>

#include "ui/window/projection.h"

namespace fos {

// Finds which part of the window must be drawn again: where draw lists that changed were and are.
// The rest of the frame buffer is kept. Thirty pictures a second change only the picture; map,
// rulings and log stay the same beside it.
class Damage {
 public:
  // Clips every command to the part that must be drawn again.
  // stale    textures with new pixels: what uses them has changed although its list has not.
  // returns  that part in screen units; empty when nothing has changed; everything in the first
  //          frame, after Forget(), and when windows came, went or changed order.
  ScreenRect Trim(ImDrawData& data, const std::vector<ImTextureID>& stale, bool picture_is_new);
  // The next frame is drawn whole.
  void Forget() { seen_.clear(); }
  // The index of the list that copies the picture in the last frame (-1: none), and a digest of
  // what it draws over the picture: equal digests draw the same.
  int PictureList() const { return picture_list_; }
  std::uint64_t PictureDigest() const { return picture_digest_; }

 private:
  struct Seen {
    const char* owner = nullptr;  // the window's name, which identifies a list across frames
    std::uint64_t digest = 0;
    ScreenRect where;
  };
  std::vector<Seen> seen_;
  ImVec2 size_{0, 0};
  int picture_list_ = -1;
  std::uint64_t picture_digest_ = 0;
};

}  // namespace fos
