#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace fos {

// Whether a hand is over the board, debounced: obstructed from the first frame with a hand, clear
// after kBlur_s without one, because a frame between may show only a hand's blur at the very edge.
class ObstructionState {
 public:
  explicit ObstructionState(double fps)
      : frames_to_clear_(std::max(1, static_cast<int>(std::lround(kBlur_s * fps)))) {}

  // Takes one frame's reading. Returns the new state when this frame changes it.
  std::optional<bool> Update(bool hand_in_view) {
    clear_frames_ = hand_in_view ? 0 : clear_frames_ + 1;
    const bool was = obstructed_;
    if (hand_in_view) obstructed_ = true;
    if (clear_frames_ >= frames_to_clear_) obstructed_ = false;
    return was == obstructed_ ? std::nullopt : std::optional(obstructed_);
  }
  // The table was out of sight: if the next frame shows no hand the view is clear at once.
  void Restart() { clear_frames_ = frames_to_clear_; }
  // Frames in a row without a hand.
  int ClearFrames() const { return clear_frames_; }

 private:
  static constexpr double kBlur_s = 1.0 / 15;  // two frames of the usual webcam
  int frames_to_clear_;
  bool obstructed_ = false;
  int clear_frames_ = 0;
};

}  // namespace fos
