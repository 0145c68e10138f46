#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace fos {

// One thing that keyboard or pointer did, in GLFW's numbers.
struct InputEvent {
  enum class What { kPress, kRelease, kLetter, kMove, kButtonDown, kButtonUp, kWheel };
  What what = What::kPress;
  int key = 0;          // GLFW_KEY_... or GLFW_MOUSE_BUTTON_...; 0 for all else
  int scancode = 0;     // as the window system names it
  int mods = 0;         // GLFW_MOD_...
  unsigned letter = 0;  // kLetter: the code point
  bool again = false;   // kLetter: its key is held down
  float x = 0;          // kMove: where to, in the window's units; kWheel: notches
  float y = 0;
  friend bool operator==(const InputEvent&, const InputEvent&) = default;
};

// Who has the letters.
enum class KeyboardFocus {
  kNone,     // nobody: each of them does something
  kAwaited,  // a field that was asked for and has not got the keyboard yet
  kTyped,    // a field
};

// What keyboard and pointer did, in order, handed out no faster than frames can see it. ImGui 1.86
// looks at a key or a button once a frame: one that is pressed and let go within a slow frame would
// never have been down, a click would land where the pointer has gone since, and what was typed
// after it would come before it.
class InputQueue {
 public:
  void Push(const InputEvent& event);
  // The events the next frame may see. A key changes at most once, a button only alone. The pointer
  // stays where a button changed or the wheel was turned until that was seen, and while a button is
  // down each place it was dragged to is seen before the button comes up. While no words are typed
  // at most one press or letter acts, none acts again because its key is held down, and Ctrl waits
  // for the frame after: what came before it is not done with it. While words
  // are typed letters run together, a key that writes nothing (Enter, Backspace, an arrow) ends
  // what one frame sees of them, and what follows Enter or Escape waits until the field is gone.
  std::vector<InputEvent> Take(KeyboardFocus words);
  bool Empty() const { return events_.empty(); }

 private:
  std::deque<InputEvent> events_;
  int rest_frames_ = 0;  // in which nothing is handed out
};

}  // namespace fos
