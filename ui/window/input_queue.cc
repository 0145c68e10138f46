// SPDX-License-Identifier: MIT
#include "ui/window/input_queue.h"

#include <GLFW/glfw3.h>

#include <algorithm>

namespace fos {
namespace {

using What = InputEvent::What;

bool IsShift(int key) { return key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT; }
bool IsModifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }
// The press of a printing key is followed by its letter, and the letter acts.
bool WritesNothing(int key) { return key >= GLFW_KEY_ESCAPE && !IsModifier(key); }
bool EndsWords(int key) {
  return key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER || key == GLFW_KEY_ESCAPE;
}

// What the current frame has been given so far.
struct Given {
  std::vector<int> changed;  // keys
  bool acted = false;
  bool pressed = false;  // any key but those
  bool wrote = false;    // a letter
  bool moved = false;
  bool pointed = false;  // a button changed or the wheel turned
  bool button = false;   // the former
};

// Whether the frame may also see this event.
bool Fits(const InputEvent& event, const Given& given) {
  switch (event.what) {
    case What::kLetter:
      return !given.button && !given.acted;
    case What::kPress:
      if (given.button || (given.acted && WritesNothing(event.key))) return false;
      // Ctrl would turn the earlier keys of this frame into other commands.
      if (IsModifier(event.key) && (given.acted || (given.wrote && !IsShift(event.key)))) {
        return false;
      }
      return std::find(given.changed.begin(), given.changed.end(), event.key) ==
             given.changed.end();
    case What::kRelease:
      // Ctrl released now would no longer apply to an earlier key of this frame.
      if (IsModifier(event.key) && (given.pressed || given.acted)) return false;
      return std::find(given.changed.begin(), given.changed.end(), event.key) ==
             given.changed.end();
    case What::kMove:
      return !given.pointed;
    case What::kButtonDown:
      return !given.pointed && !given.acted;
    case What::kButtonUp:
      return !given.pointed && !given.acted && !given.moved;
    case What::kWheel:
      return !given.button && !given.acted;
  }
  return false;
}

}  // namespace

void InputQueue::Push(const InputEvent& event) {
  // Of successive moves only the last matters.
  if (event.what == What::kMove && !events_.empty() && events_.back().what == What::kMove) {
    events_.back() = event;
    return;
  }
  // Limits what a hanging window collects: older events are dropped.
  constexpr std::size_t kMostWaiting = 1000;
  if (events_.size() >= kMostWaiting) events_.pop_front();
  events_.push_back(event);
}

std::vector<InputEvent> InputQueue::Take(KeyboardFocus words) {
  std::vector<InputEvent> out;
  if (words == KeyboardFocus::kAwaited) return out;
  if (rest_frames_ > 0) {
    --rest_frames_;
    return out;
  }
  const bool typing = words == KeyboardFocus::kTyped;
  Given given;
  while (!events_.empty() && Fits(events_.front(), given)) {
    const InputEvent event = events_.front();
    events_.pop_front();
    if (event.again && !typing) continue;
    out.push_back(event);
    switch (event.what) {
      case What::kLetter:
        given.acted = given.acted || !typing;
        given.wrote = true;
        break;
      case What::kPress:
        given.acted = given.acted || WritesNothing(event.key);
        given.pressed = given.pressed || !IsModifier(event.key);
        [[fallthrough]];
      case What::kRelease:
        given.changed.push_back(event.key);
        break;
      case What::kMove:
        given.moved = true;
        break;
      case What::kButtonDown:
      case What::kButtonUp:
        given.button = true;
        [[fallthrough]];
      case What::kWheel:
        given.pointed = true;
        break;
    }
    if (typing && event.what == What::kPress && EndsWords(event.key)) {
      // ImGui reports the end of typing two frames late.
      rest_frames_ = 2;
      break;
    }
  }
  return out;
}

}  // namespace fos
