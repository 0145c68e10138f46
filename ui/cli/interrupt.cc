// SPDX-License-Identifier: MIT
#include "ui/cli/interrupt.h"

#include <csignal>

namespace fos {
namespace {

// The only thing the signal handler writes to.
volatile std::sig_atomic_t asked = 0;

void Note(int signal) {
  asked = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  asked = 0;
  std::signal(SIGINT, Note);
  std::signal(SIGTERM, Note);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interrupt::Asked() const { return asked != 0; }

}  // namespace fos
