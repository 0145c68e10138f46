// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace fos {

// One event of keyboard or pointer, in GLFW's numbers.
struct InputEvent {
  enum class What { kPress, kRelease, kLetter, kMove, kButtonDown, kButtonUp, kWheel };
  What what = What::kPress;
  int key = 0;          // GLFW_KEY_... or GLFW_MOUSE_BUTTON_...; 0 for all else
  int scancode = 0;     // as the window system names it
  int mods = 0;         // GLFW_MOD_...
  unsigned letter = 0;  // kLetter: the code point
  bool again = false;   // kLetter: repeated because its key is held down
  float x = 0;          // kMove: where to, in the window's units; kWheel: notches
  float y = 0;
  friend bool operator==(const InputEvent&, const InputEvent&) = default;
};

// Where letters go.
enum class KeyboardFocus {
  kNone,     // no text field: each letter is a command
  kAwaited,  // a text field was opened and does not have the keyboard yet
  kTyped,    // a text field
};

// Hands out events in order, no faster than frames can see them. ImGui 1.86 looks at keys and
// buttons once a frame: one pressed and released within a slow frame would be lost, a click would
// land where the pointer went later, and text typed after it would come before it.
class InputQueue {
 public:
  void Push(const InputEvent& event);
  // The events that the next frame may see:
  // - A key changes at most once; a button changes alone.
  // - The pointer stays where a button changed or the wheel was turned until a frame has seen it.
  //   During a drag every place is seen before the button is released.
  // - While no text is typed, at most one press or letter acts, held keys do not repeat, and Ctrl
  //   waits for the next frame so that it does not apply to earlier keys.
  // - While text is typed, letters may come together. A key that writes nothing (Enter, Backspace,
  // an
  //   arrow) ends the frame's share, and what follows Enter or Escape waits until the field is
  //   gone.
  std::vector<InputEvent> Take(KeyboardFocus words);
  bool Empty() const { return events_.empty(); }

 private:
  std::deque<InputEvent> events_;
  int rest_frames_ = 0;  // in which nothing is handed out
};

}  // namespace fos
