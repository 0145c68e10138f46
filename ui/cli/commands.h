// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "ui/cli/command_page.h"

namespace fos {

class Options;

// Where a command prints, and what it is told of the program.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;  // progress bars are drawn only on a terminal
  std::string version = {};      // what `fallofshot --version` prints
  // Not null: `--help` adds a page for each form of the command here instead of printing.
  std::vector<CommandPage>* pages = nullptr;
};

// Exit statuses (contract, section 3).
inline constexpr int kExitDone = 0;
inline constexpr int kExitBadInput = 1;
inline constexpr int kExitBadUsage = 2;

// Runs one command with the arguments after its name; returns the exit status.
using CommandFn = int (*)(const std::vector<std::string>& arguments, Console& console);
struct Command {
  const char* name;
  const char* summary;  // one line of `fallofshot --help`
  CommandFn run;
};
// All commands without a window, in the order of the help.
const std::vector<Command>& Commands();

// What the program adds to this library, which knows no window.
struct Program {
  // In addition to Commands(), or instead of those of the same name.
  std::vector<Command> commands = {};
  // Runs when no command is given; null: that is wrong usage.
  CommandFn start = nullptr;
  std::string commit = {};                  // of the source; empty: not known
  std::vector<std::string> libraries = {};  // those this library does not use: "GLFW 3.3.8"
};

// Runs `fallofshot` with these arguments (without the program's own name); returns the exit
// status. No exception escapes: every problem becomes one line on console.err.
int RunCommandLine(const std::vector<std::string>& arguments, Console& console,
                   const Program& program = {});

// The pages of a command's `--help`: one for each of its forms.
std::vector<CommandPage> PagesOf(const Command& command);

// True while a thread waits in a decoder's call that cannot be called back: the program then ends
// without destroying what that thread uses.
bool WaitsForASilentStream();

// Prints one line on console.err and returns the exit status that goes with it.
int BadInput(Console& console, const std::string& message);
int BadUsage(Console& console, const std::string& command, const std::string& message);

// Reads a command's arguments into its options. Returns the exit status when the command is done
// already (help was printed, or the arguments were refused); empty when it is to run.
std::optional<int> ReadArguments(Options& options, const std::string& command,
                                 const std::vector<std::string>& arguments, Console& console);

}  // namespace fos
