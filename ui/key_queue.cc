#include "ui/key_queue.h"

#include <GLFW/glfw3.h>

#include <algorithm>

namespace fos {
namespace {

bool IsModifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }
// A printing key's press is followed by its letter: the letter is what acts.
bool WritesNothing(int key) { return key >= GLFW_KEY_ESCAPE && !IsModifier(key); }

}  // namespace

void KeyQueue::Push(const KeyEvent& event) {
  // A cat on the keyboard of a window that hangs: what is older than this nobody waits for.
  constexpr std::size_t kMostWaiting = 1000;
  if (events_.size() >= kMostWaiting) events_.pop_front();
  events_.push_back(event);
}

std::vector<KeyEvent> KeyQueue::Take(bool typing) {
  std::vector<KeyEvent> out;
  std::vector<int> changed;
  bool acted = false;
  while (!events_.empty()) {
    const KeyEvent& event = events_.front();
    if (event.what == KeyEvent::What::kLetter) {
      if (acted) break;
      acted = !typing;
    } else {
      if (std::find(changed.begin(), changed.end(), event.key) != changed.end()) break;
      if (event.what == KeyEvent::What::kPress && WritesNothing(event.key)) {
        if (acted) break;
        acted = true;
      }
      changed.push_back(event.key);
    }
    out.push_back(event);
    events_.pop_front();
  }
  return out;
}

}  // namespace fos
