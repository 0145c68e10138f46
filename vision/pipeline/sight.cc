// SPDX-License-Identifier: MIT
#include "vision/pipeline/sight.h"

#include <array>
#include <cstddef>
#include <iterator>

namespace fos {

std::string InWords(Blindness why) {
  switch (why) {
    case Blindness::kNone:
      break;
    case Blindness::kUnsharp:
      return "the picture is out of focus; switch the camera's automatic focus off, or wipe its "
             "lens";
    case Blindness::kShaking:
      return "the camera or the table shakes; fix the camera's stand, and do not lean on the table";
    case Blindness::kLight:
      return "the light keeps changing; let the lamps be, and fix the camera's exposure";
    case Blindness::kFrozen:
      return "the camera sends the same picture again and again; plug it in anew";
    case Blindness::kDamaged:
      return "the camera's pictures come damaged; check its cable, or record at a lower size or "
             "rate";
    case Blindness::kMoved:
      return "the camera or the table was moved; let the camera see the whole table until it is "
             "found again";
    case Blindness::kHidden:
      return "the table is out of sight; take away what hides it";
  }
  return {};
}

std::optional<ViewChanged> Sight::Update(double time_s, bool hand_in_view, Blindness why) {
  const int steps = steps_.Next(time_s);
  clear_steps_ = hand_in_view ? 0 : clear_steps_ + steps;
  if (hand_in_view) hand_ = true;
  if (clear_steps_ >= steps_to_clear_) hand_ = false;
  const Blindness blind = TakeBlindness(time_s, why);
  const bool obstructed = hand_ || blind != Blindness::kNone;
  if (obstructed == told_) return std::nullopt;
  told_ = obstructed;
  // What hides the table altogether is told at once.
  if (why == Blindness::kHidden) return ViewChanged{obstructed, InWords(why)};
  return ViewChanged{obstructed, hand_ ? std::string() : InWords(blind)};
}

Blindness Sight::TakeBlindness(double time_s, Blindness why) {
  frames_.push_back({time_s, why});
  while (frames_.size() > 1 && time_s - frames_.front().time_s > 2 * kPatience_s)
    frames_.erase(frames_.begin());
  constexpr std::size_t kReasons = static_cast<std::size_t>(Blindness::kHidden) + 1;
  std::array<std::size_t, kReasons> counts{};
  std::optional<double> since_s;
  double last_s = time_s - 2 * kPatience_s;
  std::size_t blind = 0;
  std::size_t all = 0;
  for (const Taken& taken : frames_) {
    if (taken.why != Blindness::kNone) {
      if (!since_s) since_s = taken.time_s;
      last_s = taken.time_s;
      ++blind;
      ++counts[static_cast<std::size_t>(taken.why)];
    }
    if (since_s) ++all;
  }
  constexpr double kRounding_s = 1e-6;
  if (time_s - last_s > kGap_s) {
    // It has been good for longer than a shot needs to be judged.
    blind_ = Blindness::kNone;
  } else if (why != Blindness::kNone && time_s - *since_s >= kPatience_s - kRounding_s &&
             2 * blind >= all) {
    blind_ = static_cast<Blindness>(
        std::distance(counts.begin(), std::max_element(counts.begin(), counts.end())));
  }
  return blind_;
}

}  // namespace fos
