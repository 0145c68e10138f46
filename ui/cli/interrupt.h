#pragma once

namespace fos {

inline constexpr int kExitInterrupted = 130;  // what a shell calls the end by Ctrl-C

// While it lives Ctrl-C, or being told to end, does not end the program at once but is only noted:
// what is half done is put away first. The second time it ends it all the same. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool Asked() const;
};

}  // namespace fos
