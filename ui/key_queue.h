#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace fos {

// One thing the keyboard did, in GLFW's numbers.
struct KeyEvent {
  enum class What { kPress, kRelease, kLetter };
  What what = What::kPress;
  int key = 0;          // GLFW_KEY_...; 0 for a letter
  int scancode = 0;     // as the window system names it
  int mods = 0;         // GLFW_MOD_...
  unsigned letter = 0;  // kLetter: the code point
  friend bool operator==(const KeyEvent&, const KeyEvent&) = default;
};

// What the keyboard did, in order, handed out no faster than frames can see it. ImGui 1.86 looks at
// a key once a frame: one that is pressed and let go within a slow frame would never have been
// down, and two letters would act on the state before either.
class KeyQueue {
 public:
  void Push(const KeyEvent& event);
  // The events the next frame may see. A key changes at most once. While no words are typed at most
  // one press or letter acts; while words are typed letters run together, and a key that writes
  // nothing (Enter, Backspace, an arrow) ends what one frame sees of them.
  std::vector<KeyEvent> Take(bool typing);
  bool Empty() const { return events_.empty(); }

 private:
  std::deque<KeyEvent> events_;
};

}  // namespace fos
