// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "vision/image/frame_steps.h"
#include "vision/pipeline/sighting.h"

namespace fos {

// Why nothing can be judged from a frame.
enum class Blindness { kNone, kUnsharp, kShaking, kLight, kFrozen, kDamaged, kMoved, kHidden };

// What to tell the players of it: what is wrong and what to do. Empty for kNone.
std::string InWords(Blindness why);

// How long no frame could be judged after which it counts as a gap: a hand comes, takes something
// and is off again in no less. Seconds.
inline constexpr double kGap_s = 0.4;

// Whether the table can be judged, told to the players: obstructed from the first frame with a
// hand, and clear kBlur_s after the last, because a frame between may show only a hand's blur at
// the very edge. Frames that cannot be judged for another reason are told when they are most of
// those since the first one, kPatience_s ago: a webcam that finds its focus is not worth a word.
class Sight {
 public:
  explicit Sight(double fps)
      : steps_(fps),
        steps_to_clear_(
            std::max(1, static_cast<int>(std::lround(kBlur_s * FrameSteps::PerSecond(fps))))) {}

  // Takes one frame's reading. Returns the new state when this frame changes it.
  std::optional<ViewChanged> Update(double time_s, bool hand_in_view, Blindness why);
  // The table was out of sight: if the next frame shows no hand the view is clear at once.
  void Restart() {
    clear_steps_ = steps_to_clear_;
    frames_.clear();
    blind_ = Blindness::kNone;
  }
  bool HandInView() const { return hand_; }
  // For how many steps (FrameSteps) no frame has shown a hand.
  int ClearSteps() const { return clear_steps_; }

 private:
  static constexpr double kBlur_s = 1.0 / 15;  // two frames of the usual webcam
  static constexpr double kPatience_s = 0.7;   // players are told within a second
  struct Taken {
    double time_s;
    Blindness why;
  };

  Blindness TakeBlindness(double time_s, Blindness why);

  FrameSteps steps_;
  int steps_to_clear_;
  bool hand_ = false;
  bool told_ = false;
  int clear_steps_ = 0;
  std::vector<Taken> frames_;  // the last ones; takes no memory anew for each
  Blindness blind_ = Blindness::kNone;
};

}  // namespace fos
