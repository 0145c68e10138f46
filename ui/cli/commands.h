#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace fos {

// Where a command talks to people.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;  // draw progress bars there
};

// Exit statuses (contract, section 3).
inline constexpr int kExitDone = 0;
inline constexpr int kExitBadInput = 1;
inline constexpr int kExitBadUsage = 2;

// What one command does with the arguments after its name: the exit status.
using CommandFn = int (*)(const std::vector<std::string>& arguments, Console& console);
struct Command {
  const char* name;
  const char* summary;  // one line of `fallofshot --help`
  CommandFn run;
};
// Every command there is, in the order the help lists them.
const std::vector<Command>& Commands();

// Runs `fallofshot` with these arguments (without the program's own name) and gives the exit
// status. Nothing escapes it: what goes wrong is one line on console.err.
// more  commands beside Commands(), or in the place of those of the same name: those that open a
//       window, which this library does not.
int RunCommandLine(const std::vector<std::string>& arguments, Console& console,
                   const std::vector<Command>& more = {});

// For the commands: one line on console.err, and the status to give back.
int BadInput(Console& console, const std::string& message);
int BadUsage(Console& console, const std::string& command, const std::string& message);

}  // namespace fos
