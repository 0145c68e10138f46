// SPDX-License-Identifier: MIT
#include <iostream>

#include "engine/rules/rule_sets.h"
#include "tests/hexless/hexless.h"
#include "ui/cli/commands.h"
#include "ui/window/live_command.h"

// The program with a fifth rule set.
int main(int argc, char** argv) {
  fos::AddRuleSet(fos::hexless::Description());
  fos::Console console{std::cout, std::cerr};
  return fos::RunCommandLine({argv + 1, argv + argc}, console, {.commands = {fos::LiveCommand()}});
}
