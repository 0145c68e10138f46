// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ui/window/projection.h"

namespace fos {

// The box of that size centred there.
ScreenRect BoxAbout(ImVec2 centre, ImVec2 size);
bool Overlap(const ScreenRect& one, const ScreenRect& other);

// Where labels may be written over a view: inside it, and over nothing that is kept free, labels
// that were placed before among it. Screen pixels; places are the labels' centres.
class LabelRoom {
 public:
  // view   what is seen; a label that reaches out of it is cut.
  // taken  by other labels
  explicit LabelRoom(const ScreenRect& view, std::vector<ScreenRect> taken = {});

  // Nothing is to be written there.
  void Keep(const ScreenRect& rect) { taken_.push_back(rect); }
  bool IsFree(const ScreenRect& rect) const;
  // Takes the first of the places where there is room.
  std::optional<ImVec2> First(std::span<const ImVec2> places, ImVec2 size);
  // Takes the place nearest to `wanted`, at most `reach` away, where there is room.
  // led  a line from `wanted` to there must not cross another label.
  std::optional<ImVec2> Nearest(ImVec2 wanted, ImVec2 size, float reach, bool led);

  // All that is kept free.
  const std::vector<ScreenRect>& Taken() const { return taken_; }

 private:
  // Whether a line from there to a free place crosses what is kept free, other than what it begins
  // in.
  bool Crosses(ImVec2 from, ImVec2 to) const;

  ScreenRect view_;
  std::vector<ScreenRect> taken_;
};

}  // namespace fos
