// SPDX-License-Identifier: MIT
#pragma once

namespace fos {

inline constexpr int kExitInterrupted = 130;  // what shells report after Ctrl-C

// While it lives, the first SIGINT or SIGTERM is only noted, so that the program can tidy up; the
// second ends it. Only one may live at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool Asked() const;
};

}  // namespace fos
